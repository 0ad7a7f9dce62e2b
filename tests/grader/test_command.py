"""The command: what fails is ours or theirs and never anybody else's; interrupted, it goes on; the lecturer is told."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import psutil
import pytest

from exercises.grader import cli, pool, results, sandbox, submissions
from exercises.grader.submissions import SubmissionFile
from tests.grader import submissions as made
from tests.grader.submissions import SMALL, good, small_source

WHY = sandbox.why_no_bubblewrap()
needs_bubblewrap = pytest.mark.usefixtures("bubblewrap")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs signals, limits and tmpfs of Linux")
# A test that fails here, in the grader: for want of memory, and because what sandboxes begin with has been deleted.
DOWN = """import pathlib, shutil
from exercises.grader import pool
tries = pathlib.Path({0!r}, student)
tries.write_text(tries.read_text() + 'x' if tries.exists() else 'x')
if student == 'eaten' or (student == 'shaken' and tries.read_text() == 'x'):
    room = bytearray(2**62)
if student == 'sweeper':
    shutil.rmtree(pool._template(()))
checks.mistakes(sign, seed=5).marks(2) if student != 'nobody' else 1"""


@pytest.fixture
def course(tmp_path):
    """A course with the small assignment, and an empty folder for what is handed in."""
    (tmp_path / "course" / "source" / "small").mkdir(parents=True)
    (tmp_path / "exported").mkdir()
    with_source(tmp_path, SMALL)
    return tmp_path


def with_source(course, source):
    (course / "course" / "source" / "small" / "small.ipynb").write_bytes(source)


def hand_in(course, **works):
    for student, each in works.items():
        (course / "exported" / f"{student}_small.ipynb").write_bytes(made.packed(each))


def arguments(course, *more):
    plain = ["--plain"] if WHY else []
    return ["small", str(course / "exported"), "--course", str(course / "course"), "--workers=2", *plain, *more]


def started(course, *more, **options):
    command = [sys.executable, "-m", "exercises.grader", *arguments(course, *more)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)


def target_of(course):
    return course / "exported" / "graded" / "small"


def totals_of(course):
    return {student: row["total"] for student, row in made.rows_of(target_of(course)).items()}


def test_three_states_in_the_table_and_the_failure_is_named(course):
    """Graded; not gradable, which is 0; not graded, which is an empty cell, a line, and an exit code.

    What fails here is tried once more, and costs its own submission and no other.
    """
    with_source(course, small_source(DOWN.format(str(course))))
    names = "eaten", "shaken", "sweeper", "swept"
    hand_in(course, **{name: good(name) for name in names}, text=b"no notebook")
    process = started(course, "--workers=1")
    _, error = process.communicate(timeout=600)
    assert process.returncode == 1, error
    assert [(course / name).read_text() for name in names[:3]] == ["xx", "xx", "x"]  # how often it was tried
    for words in (
        "NOT GRADED: eaten. This notebook could not be graded: the grader itself failed (MemoryError",
        "NOT GRADED: swept. This notebook could not be graded: the grader itself failed (",
        "The same call tries them again.",
        "The model solution itself does not get all points: sign-test.",
    ):
        assert words in error
    columns = ["sign-test", "pla-test", "updates-test", "why", "total"]
    rows = {student: [row[name] for name in columns] for student, row in made.rows_of(target_of(course)).items()}
    right = {name: ["2", "4", "3", "", "9"] for name in ("shaken", "sweeper")}
    assert rows == right | {"text": ["0"] * 5} | {name: [""] * 5 for name in ("eaten", "swept")}
    stored = target_of(course) / "results"  # what failed is not kept, and is tried again
    assert {path.stem for path in stored.iterdir()} == {"shaken", "sweeper", "text"}
    page = made.text_of(made.pages_of(target_of(course))["eaten"])
    assert "Not graded yet This is not your fault" in page
    assert " of " not in page.partition("Question")[0]
    summary = made.text_of((target_of(course) / "summary.html").read_text(encoding="utf-8"))
    assert "2 not graded, because the grader failed." in summary
    assert "1 could not be graded, and got 0 points: text." in summary
    assert "Histogram of 3 scores" in summary


def children_of(process):
    return psutil.Process(process.pid).children(recursive=True)


def runs_students_code(process):
    try:
        return "-s" in process.cmdline()
    except psutil.Error:  # it has ended meanwhile
        return False


def ended(process, end):
    """What is said when it ends in this way; none of the processes that it has started is left."""
    family = children_of(process)
    assert family != []
    os.killpg(process.pid, end)  # a terminal tells every process of the group
    _, complaint = process.communicate(timeout=60)
    assert psutil.wait_procs(family, timeout=30)[1] == []
    return complaint


@linux_only
def test_interrupted_it_leaves_no_process_and_goes_on_where_it_stopped(course):
    """By Ctrl-C in a terminal, and by kill -9."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
    hand_in(course, b0=good("b0"), b1=made.with_extra(good("b1"), "import time\ntime.sleep(1e6)"))
    stored = target_of(course) / "results"
    process = started(course, start_new_session=True)
    while process.poll() is None and not list(stored.glob("*.json")):
        time.sleep(0.05)
    complaint = ended(process, signal.SIGINT)
    assert process.returncode == 130
    assert "the same call goes on from there" in complaint
    assert "Traceback" not in complaint
    process = started(course, start_new_session=True)
    while process.poll() is None and not any(map(runs_students_code, children_of(process))):
        time.sleep(0.05)
    ended(process, signal.SIGKILL)
    before = [(path.name, path.stat().st_mtime_ns) for path in stored.glob("*.json")]
    hand_in(course, b1=good("b1"))
    assert cli.main(arguments(course)) == 0
    assert totals_of(course) == {"b0": "9", "b1": "9"}
    assert before == [("b0.json", (stored / "b0.json").stat().st_mtime_ns)]
    assert "Model answer and rubric" not in made.pages_of(target_of(course))["b0"]  # without --answers


@needs_bubblewrap
@pytest.mark.parametrize(
    ("disk", "words"), [(["--size", "100000", "--tmpfs"], "No space left"), (["--ro-bind", "{}"], "Read-only file")]
)
def test_a_full_disk_and_a_read_only_folder_are_noticed_before_the_first_notebook_is_graded(course, disk, words):
    hand_in(course, b01=good())
    place = str(course / "exported")
    inside = ["bwrap", "--dev-bind", "/", "/", *(each.format(place) for each in disk), place]
    if "--tmpfs" in disk:
        inside += ["--ro-bind", f"{place}/b01_small.ipynb", f"{place}/b01_small.ipynb"]
    command = [*inside, sys.executable, "-m", "exercises.grader", *arguments(course), "--plain"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert result.returncode == 2
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert not (target_of(course) / "results").exists()


def test_without_bubblewrap_the_call_says_so_and_plain_goes_on(course, tmp_path):
    hand_in(course, b01=good("b01"))
    command = [sys.executable, "-m", "exercises.grader", *arguments(course)[:4]]
    empty = {**os.environ, "PATH": str(tmp_path)}
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=empty)
    assert (result.returncode, (course / "exported" / "graded").exists()) == (2, False)
    assert "bubblewrap is not installed" in result.stderr
    assert result.stderr.endswith("To grade all the same, add --plain.\n")
    result = subprocess.run([*command, "--plain"], capture_output=True, text=True, check=False, timeout=300, env=empty)
    assert result.returncode == 0
    assert "students' code can read, change and send your files" in result.stderr
    assert totals_of(course) == {"b01": "9"}


CLUSTER = """
import sys
from dask.distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, *(worker.pid for worker in cluster.workers.values()), flush=True)
        sys.stdin.read()
"""


@linux_only
def test_on_a_cluster_that_loses_a_worker_everybody_gets_their_points(course):
    hand_in(course, **{f"b{k}": good(f"b{k}") for k in range(3)}, text=b"no notebook")
    stored = target_of(course) / "results"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", CLUSTER], text=True, **pipes) as cluster:
        address, pid, _ = cluster.stdout.readline().split()
        process = started(course, "--dask", address)
        while process.poll() is None and not list(stored.glob("b*.json")):
            time.sleep(0.1)
        os.kill(int(pid), signal.SIGKILL)
        _, error = process.communicate(timeout=600)
        cluster.stdin.close()
    assert process.returncode == 0, error
    assert totals_of(course) == {"b0": "9", "b1": "9", "b2": "9", "text": "0"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--canvas", "tests/grader/exports/canvas.csv", "--column=other"], "one column other and has 0. Name one"),
        ([], "The model solution cannot be graded."),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_is_graded(course, capsys, monkeypatch, root, options, words):
    monkeypatch.chdir(root)
    hand_in(course, b01=good("b01"))
    with_source(course, small_source("room = bytearray(2**62)"))
    assert cli.main(arguments(course, *options)) == 2
    assert words in capsys.readouterr().err
    assert not (target_of(course) / "results").exists()


# --- Files and names -------------------------------------------------------------------------------------------------


def put(path, data=SMALL):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_a_call_without_submissions_is_answered_with_what_is_needed(capsys, tmp_path):
    for assignment, place, words in (
        ("hw9", "", "There is no assignment 'hw9'. There are: hw1_pla"),
        ("hw1_pla", "", "<folder>/submitted/<student>/<assignment>/*.ipynb"),
        ("hw1_pla", "nowhere", "No submissions of hw1_pla were found."),
    ):
        assert cli.main([assignment, str(tmp_path / place)]) == 2
        assert words in capsys.readouterr().err


def test_names_from_canvas_moodle_and_students_and_what_lies_beside_them(tmp_path):
    """Also if the class lies behind a link, and with what an earlier call has written."""
    names = {
        "wangming_12345_67890_small.ipynb": ("wangming", "12345"),
        "linmei_LATE_12346_67891_small-1.ipynb": ("linmei", "12346"),
        "Chen Li_777_assignsubmission_file_small.ipynb": ("Chen Li", "777"),
        "Wu An_778_assignsubmission_file_/my work.ipynb": ("Wu An", "778"),
        "b01_small_v2.ipynb": ("b01", ""),
        "alone.ipynb": ("alone", ""),
    }
    folder, link = tmp_path / "class", tmp_path / "link"
    for name in (*names, "b02_homework.pdf", "by_hand.csv", "c01/other/other.ipynb", "graded/small/results/b01.json"):
        put(folder / name)
    link.symlink_to(folder)
    files, others = submissions.find(link, "small")
    assert {file.path: (file.student, file.number) for file in files} == names
    assert all(file.data == SMALL for file in files)
    assert others == ["b02_homework.pdf", "c01"]
    put(folder / "B01_late.ipynb")
    twice = [file for file in submissions.find(folder, "small")[0] if "more than one file" in "".join(file.remarks)]
    assert [file.student for file in twice] == ["B01_late", "b01_small_v2"]


def test_a_key_changes_with_everything_a_result_depends_on(tmp_path):
    for name in ("one", "two"):
        put(tmp_path / name / "solution.py", name.encode())
    file, model = SubmissionFile("b01", "", b"b"), pool.Work(b"a", (), b"a", "example", sandbox.Limits())
    one, two = tmp_path / "one", tmp_path / "two"
    keys = {results.key(model, file, one), results.key(model, file, two)}
    keys |= {results.key(model, replace(file, **change), one) for change in ({"student": "b02"}, {"data": b"c"})}
    changes = {"source": b"c"}, {"shipped": (("f", b""),)}, {"limits": sandbox.Limits(plain=True)}
    keys |= {results.key(replace(model, **change), file, one) for change in changes}
    assert len(keys) == 7
