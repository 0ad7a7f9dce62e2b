"""The command: what fails is ours or theirs and never anybody else's; interrupted, it goes on; the lecturer is told."""

import contextlib
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest

from exercises.grader import cli, notebook, pool, results, sandbox, submissions
from exercises.grader.session import Session
from exercises.grader.submissions import Refusal, SubmissionFile
from tests.grader import submissions as made
from tests.grader.submissions import SMALL, good, small_source

WHY = sandbox.why_no_bubblewrap()
needs_bubblewrap = pytest.mark.usefixtures("bubblewrap")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs signals, limits and tmpfs of Linux")
DOWN = """import os
if student == 'killed':
    os.kill(os.getpid(), 9)
if student == 'eaten':
    x = bytearray(3 * 2**30)
while student == 'endless': pass"""
CHECK = "\nchecks.predict(sign, seed=5).require()"


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


def rows_of(course):
    path = course / "exported" / "graded" / "small" / "scores.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def totals_of(course):
    return {student: row["total"] for student, row in rows_of(course).items()}


# --- Ours, theirs, and nobody else's ---------------------------------------------------------------------------------


@linux_only
def test_three_states_in_the_table_and_the_failure_is_named(course, capsys, monkeypatch):
    """Graded; not gradable, which is 0; not graded, which is an empty cell, a line, and an exit code.

    The judge itself is killed, takes all memory, and never ends: each costs its own submission and no other.
    """
    monkeypatch.setattr(pool, "_JUDGE_CPU_SECONDS", 8)
    with_source(course, small_source(f"{DOWN}{CHECK}"))
    names = ("b01", "killed", "eaten", "endless")
    hand_in(course, **{name: good(name) for name in names}, text=b"no notebook")
    assert cli.main(arguments(course)) == 1
    error = capsys.readouterr().err
    assert "NOT GRADED: killed. This notebook could not be graded: its judge ended with status -9" in error
    assert "NOT GRADED: eaten. This notebook could not be graded: the grader itself failed (MemoryError" in error
    assert "NOT GRADED: endless. This notebook could not be graded: to judge it took more than" in error
    assert "The same call tries them again." in error
    columns = ["sign-test", "pla-test", "updates-test", "why", "total"]
    rows = {student: [row[name] for name in columns] for student, row in rows_of(course).items()}
    assert rows == {"b01": ["2", "4", "3", "", "9"], "text": ["0"] * 5} | dict.fromkeys(names[1:], [""] * 5)
    with_source(course, SMALL)
    assert cli.main(arguments(course)) == 0  # they were not kept, so that the next call tries again
    assert totals_of(course)["killed"] == "9"


@linux_only
def test_what_was_lost_is_tried_once_more(course, tmp_path):
    once = f"import os, pathlib\ntries = pathlib.Path({str(tmp_path)!r}, student)\n"
    once += "if student == 'b02' and not tries.exists():\n    tries.touch()\n    os.kill(os.getpid(), 9)"
    with_source(course, small_source(f"{once}{CHECK}"))
    hand_in(course, b01=good("b01"), b02=good("b02"))
    assert cli.main(arguments(course)) == 0
    assert (tmp_path / "b02").exists()
    assert totals_of(course) == {"b01": "9", "b02": "9"}


def test_a_model_solution_without_all_points_is_told_to_the_teacher(course, capsys):
    with_source(course, small_source("assert sign(1) == 7"))
    hand_in(course, b01=good())
    assert cli.main(arguments(course)) == 0
    assert "The model solution itself does not get all points: sign-test." in capsys.readouterr().err


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL, "terminal"])
@linux_only
def test_interrupted_it_leaves_no_process_and_goes_on_where_it_stopped(course, end):
    """By Ctrl-C in a terminal, which reaches every process of the group, by a signal, and by kill -9."""
    hand_in(
        course, **{f"b{k}": good(f"b{k}") for k in range(4)}, last=made.with_extra(good("last"), "while True: pass")
    )
    process = started(course, "--workers=1", start_new_session=True)
    stored = course / "exported" / "graded" / "small" / "results"
    while not stored.exists() or len(list(stored.glob("*.json"))) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    family = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT) if end == "terminal" else process.send_signal(end)
    _, complaint = process.communicate(timeout=60)
    if end != signal.SIGKILL:
        assert process.returncode == 130
        assert "the same call goes on from there" in complaint
        assert "Traceback" not in complaint
    assert psutil.wait_procs(family, timeout=30)[1] == []
    before = {path.name: path.stat().st_mtime_ns for path in stored.glob("*.json")}
    assert 2 <= len(before) < 5
    assert cli.main(arguments(course)) == 0
    assert totals_of(course) == dict.fromkeys(["b0", "b1", "b2", "b3", "last"], "9")
    assert {name: (stored / name).stat().st_mtime_ns for name in before} == before


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
    assert not (course / "exported" / "graded" / "small" / "results").exists()


def test_the_disk_must_have_room_for_the_whole_class(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 10**8))
    results.prepare(tmp_path / "graded", 100)
    with pytest.raises(OSError, match="No space left"):
        results.prepare(tmp_path / "graded", 1000)


def test_without_bubblewrap_the_call_says_so_and_plain_goes_on(course, tmp_path):
    hand_in(course, b01=good("b01"), forker=made.with_extra(good("forker"), "import os\nwhile True: os.fork()", 2))
    command = [sys.executable, "-m", "exercises.grader", *arguments(course)[:4]]
    empty = {**os.environ, "PATH": str(tmp_path)}
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=empty)
    assert (result.returncode, (course / "exported" / "graded").exists()) == (2, False)
    assert "bubblewrap is not installed" in result.stderr
    assert result.stderr.endswith("To grade all the same, add --plain.\n")
    result = subprocess.run([*command, "--plain"], capture_output=True, text=True, check=False, timeout=300, env=empty)
    assert result.returncode == 0
    assert "students' code can read, change and send your files" in result.stderr
    assert totals_of(course) == {"b01": "9", "forker": "9"}
    stored = json.loads((course / "exported" / "graded" / "small" / "results" / "b01.json").read_text())["result"]
    assert stored["sandbox"] == "plain"


@needs_bubblewrap
def test_where_systemd_offers_a_control_group_the_sandbox_starts_in_it_and_still_sees_no_variable_of_the_teachers(
    tmp_path, monkeypatch
):
    """By a stand-in for systemd-run, which needs the user's bus; whether limits are kept is for the system's tests."""
    (tmp_path / "systemd-run").write_text(
        f'#!/bin/sh\n[ "$DBUS_SESSION_BUS_ADDRESS" = bus ] || exit 1\necho "$@" > {tmp_path}/options\n'
        'while [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'
    )
    (tmp_path / "systemd-run").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "bus")
    sandbox._control_group.cache_clear()
    template = sandbox.make_template({})
    seen = "import os, pathlib\nbus = [*os.environ, *pathlib.Path('/proc/1/environ').read_text().split(chr(0))]"
    with contextlib.closing(Session({1: seen}, template, sandbox.Limits(megabytes=300))) as session:
        session.run()
        kind, names = session.look("bus")
    sandbox._control_group.cache_clear()
    shutil.rmtree(template)
    assert "--scope --quiet --collect" in (tmp_path / "options").read_text()
    assert "MemoryMax=300M --property=MemorySwapMax=0" in (tmp_path / "options").read_text()
    assert kind == "value"
    assert "HOME" in names
    assert not [name for name in names if "DBUS" in name]


# --- A cluster -------------------------------------------------------------------------------------------------------

CLUSTER = """
import sys
from dask.distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, *(worker.pid for worker in cluster.workers.values()), flush=True)
        sys.stdin.read()
"""


@contextlib.contextmanager
def cluster(**environment):
    """The address of a scheduler, and the processes of its two workers."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    environment = {**os.environ, **environment}
    with subprocess.Popen([sys.executable, "-c", CLUSTER], text=True, env=environment, **pipes) as process:
        address, *pids = process.stdout.readline().split()
        try:
            yield address, list(map(int, pids))
        finally:
            process.stdin.close()


@linux_only
def test_on_a_cluster_that_loses_a_worker_everybody_gets_their_points(course):
    hand_in(course, **{f"b{k}": good(f"b{k}") for k in range(5)}, blank=made.blank(SMALL, "blank"), text=b"no notebook")
    stored = course / "exported" / "graded" / "small" / "results"
    with cluster() as (address, pids):
        process = started(course, "--dask", address)
        while process.poll() is None and len(list(stored.glob("*.json"))) < 2:
            time.sleep(0.1)
        os.kill(pids[0], signal.SIGKILL)
        _, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    assert totals_of(course) == {**{f"b{k}": "9" for k in range(5)}, "blank": "0", "text": "0"}


def test_a_cluster_without_an_answer_or_without_bubblewrap_is_a_sentence(course, tmp_path, capsys):
    hand_in(course, b01=good())
    assert cli.main(arguments(course, "--dask", "nonsense://x")) == 2
    assert "There is no Dask cluster with workers at nonsense://x" in capsys.readouterr().err
    with cluster(PATH=str(tmp_path)) as (address, _):
        assert cli.main([*arguments(course)[:4], "--dask", address]) == 2
    assert "cannot grade safely: bubblewrap is not installed" in capsys.readouterr().err


# --- Files and names -------------------------------------------------------------------------------------------------


def put(path, data=SMALL):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("assignment", "place", "words"),
    [
        ("hw9", "", ["There is no assignment 'hw9'", "hw1_pla"]),
        ("hw1_pla", "", ["submitted/<student>/hw1_pla/*.ipynb", "<student>_….ipynb"]),
        ("hw1_pla", "nowhere", ["There is no folder ", "nowhere."]),
    ],
)
def test_a_call_without_submissions_is_answered_with_what_is_needed(assignment, place, words, capsys, tmp_path):
    assert cli.main([assignment, str(tmp_path / place)]) == 2
    error = capsys.readouterr().err
    assert all(word in error for word in words)


def test_a_course_without_submissions_does_not_grade_its_own_source(course):
    put(course / "course" / "release" / "small" / "small.ipynb")
    assert submissions.find(course / "course", "small") == []


def test_a_stray_notebook_does_not_hide_the_class(tmp_path):
    for path in ("submitted/b01/small/small.ipynb", "submitted/b02/small/small.ipynb", "Untitled.ipynb"):
        put(tmp_path / path)
    with pytest.raises(Refusal, match=re.escape("notebooks in the folder itself (1) or students' folders (2)?")):
        submissions.find(tmp_path, "small")


def test_names_from_canvas_moodle_and_students(tmp_path):
    names = {
        "wangming_12345_67890_small.ipynb": ("wangming", "12345"),
        "linmei_LATE_12346_67891_small-1.ipynb": ("linmei", "12346"),
        "Chen Li_777_assignsubmission_file_small.ipynb": ("Chen Li", "777"),
        "b01_small_v2.ipynb": ("b01", ""),
        "alone.ipynb": ("alone", ""),
    }
    for name in names:
        put(tmp_path / "flat" / name)
    assert {file.path: (file.student, file.number) for file in submissions.find(tmp_path / "flat", "small")} == names
    put(tmp_path / "flat" / "b01_late.ipynb")
    twice = [file for file in submissions.find(tmp_path / "flat", "small") if file.remarks]
    assert [file.student for file in twice] == ["b01_late", "b01_small_v2"]
    put(tmp_path / "folders" / "Wu An_778_assignsubmission_file_" / "my work.ipynb")
    (file,) = submissions.find(tmp_path / "folders", "small")
    assert (file.student, file.number, file.data) == ("Wu An", "778", SMALL)


def test_a_folder_called_graded_is_a_student_if_there_is_a_notebook_in_it(tmp_path):
    put(tmp_path / "b01" / "small" / "small.ipynb")
    (tmp_path / "graded" / "small" / "results").mkdir(parents=True)
    assert [file.student for file in submissions.find(tmp_path, "small")] == ["b01"]
    put(tmp_path / "graded" / "small" / "small.ipynb")
    assert [file.student for file in submissions.find(tmp_path, "small")] == ["b01", "graded"]


def test_what_lies_beside_the_submissions_is_named(tmp_path):
    put(tmp_path / "flat" / "b01_small.ipynb")
    put(tmp_path / "flat" / "b02_homework.pdf")
    put(tmp_path / "flat" / "by_hand.csv")
    assert submissions.skipped(tmp_path / "flat", "small") == ["Not notebooks, and so not graded: b02_homework.pdf."]
    put(tmp_path / "submitted" / "b01" / "small" / "small.ipynb")
    for k in range(12):
        put(tmp_path / "submitted" / f"c{k:02}" / "other" / "other.ipynb")
    (sentence,) = submissions.skipped(tmp_path, "small")
    assert sentence.startswith("Without a folder small, and so not graded: c00, c01")
    assert sentence.endswith("c09 and 2 more.")


def test_links_are_refused_and_huge_files_are_not_opened(tmp_path):
    put(tmp_path / "source.ipynb")
    (tmp_path / "flat").mkdir()
    (tmp_path / "flat" / "b02_small.ipynb").symlink_to(tmp_path / "source.ipynb")
    with (tmp_path / "flat" / "b03_small.ipynb").open("wb") as file:
        file.truncate(notebook.MAX_BYTES + 2**20)
    linked, huge = submissions.find(tmp_path / "flat", "small")
    assert (linked.data, linked.problem) == (b"", "The file is a link; links are not followed.")
    assert (huge.data, huge.problem) == (b"", "The file has 21 MB; more than 20 are not read.")


def test_feedback_is_named_by_the_id_as_handed_in_and_no_two_share_a_file():
    for plain in ("b01", "B10901001", "中文", "Wang Ming", "john.doe", "o_n-1"):
        assert SubmissionFile(plain, "").safe_name == plain
    odd = ["../x", "..", ".", "", "a/b", "a\\b", "con", "NUL.txt", "a.", " a", "x" * 300, "y" * 300, "\ud800", "a\x1bb"]
    names = [SubmissionFile(student, "").safe_name for student in odd]
    assert len({name.casefold() for name in names}) == len(names)
    assert all(re.fullmatch(r"[\w-]{1,20}~[0-9a-f]{10}", name) for name in names)


def test_a_file_name_cannot_talk_to_the_terminal():
    assert submissions.shown("evil\x1b]0;title\x07\x9b2J\r.pdf") == "evil\\x1b]0;title\\x07\\x9b2J\\r.pdf"


# --- Tables ----------------------------------------------------------------------------------------------------------


def grade_of(student, inside, number=""):
    result = {"questions": [], "failed": False, "remarks": [], "student": inside}
    return results.Grade(SubmissionFile(student, f"{student}.ipynb", number=number), result, {})


@pytest.mark.parametrize("id", [" " * 9 + "alice", "ALICE\n", "\u3000alice", "alice\u200b", "al\u0131ce", "ａlice"])
def test_an_id_is_compared_as_data_are_made_from_it(id):
    """Whoever has alice's data has alice's id, and whoever has not does not; the owner is not told who used it."""
    from plahelpers.datasets import personal

    same_data = personal.clean(id) == "alice"
    mallory, alice = results.odd_ids([grade_of("mallory", id), grade_of("alice", "alice")])
    assert any("belongs to" in sentence for sentence in mallory[0])
    assert any("The same id" in sentence for sentence in mallory[1]) == same_data
    assert (alice[0], bool(alice[1])) == ([], same_data)
    assert results.odd_ids([grade_of("Wang Ming", "b01", number="12345")]) == [([], [])]  # a name is no id


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝", "\t=", "\r@", " =", "b01;=", "a,+", 'b";"=', "'="])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_no_spreadsheet_takes_a_name_for_a_formula(tmp_path, start, delimiter):
    """Whatever it takes for the end of a cell."""
    results.write_scores(tmp_path / "scores.csv", [grade_of("b01", f'{start}cmd|"/c calc"!A1')])
    lines = (tmp_path / "scores.csv").read_text(encoding="utf-8-sig").splitlines()[1:]
    for row in csv.reader(lines, delimiter=delimiter):
        assert not [cell for cell in row if re.match(r"\s*[=+\-@＝＋－＠]", cell)]


def test_zeros_that_an_id_begins_with_survive_a_spreadsheet(tmp_path):
    (tmp_path / "by_hand.csv").write_text("student,question,points,comment\n123,why,1,\nb01,why,2,\n")
    marks = results.read_by_hand(tmp_path, {"why": 4})
    assert results.assign(dict(marks), ["00123", "b01"]) == [{"why": (1.0, "")}, {"why": (2.0, "")}]
    assert results.assign(dict(marks), ["00123", "123"]) == [{}, {"why": (1.0, "")}]  # then it is the other one's
    assert results.assign(dict(marks), ["00123", "0123"]) == [{}, {}]  # then nobody knows


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("b02,why,many,", "needed are the columns student, question, points"),
        (",why,1,", "needed are the columns"),
        ("b02,whi,1,", "there is no question 'whi'; there are sign, why"),
        ("b02,why,5,", "why has 4 points at most, and 5 were given"),
    ],
)
def test_a_line_of_by_hand_that_makes_no_sense_is_named(line, words, tmp_path):
    head = 'student,question,points,comment\nb01,why,4,"two\nlines"\n'
    (tmp_path / "by_hand.csv").write_text(f"{head}{line}\n")
    with pytest.raises(Refusal, match=re.escape(f"line 4: {words}")):
        results.read_by_hand(tmp_path, {"sign": 2, "why": 4})


def test_by_hand_may_come_from_a_spreadsheet_that_writes_semicolons_and_commas_but_in_utf8(tmp_path):
    path = tmp_path / "by_hand.csv"
    path.write_text("\ufeffstudent;question;points;comment\nB01;why;1,5;Good\n", encoding="utf-8")
    assert results.read_by_hand(tmp_path, {"why": 4}) == {"b01": {"why": (1.5, "Good")}}
    path.write_bytes("student,question,points\n中文,why,1\n".encode("big5"))
    with pytest.raises(Refusal, match="is not in UTF-8: save it again"):
        results.read_by_hand(tmp_path, {"why": 4})


def test_a_key_changes_with_everything_a_result_depends_on():
    works = [
        (b"a", (), b"b", False),
        (b"", (), b"ab", False),
        (b"a", (("f", b""),), b"b", False),
        (b"a", (), b"b", True),
    ]
    assert len({results.key(pool.Work(*work)) for work in works}) == 4
