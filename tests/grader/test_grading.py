"""A whole class is graded: what fails is ours or theirs and never anybody else's, and the lecturer is told."""

import contextlib
import csv
import io
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
import pytest

from exercises.grader import command, folder, notebook, pool, progress, results, sandbox, secret, worker
from plahelpers import homework
from tests.grader import submissions as made

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"


SMALL = made.small_source()
ASSIGNMENT = notebook.Assignment(notebook.read(SMALL).cells)
LIMITS = sandbox.Limits(cell_seconds=3, megabytes=400, bubblewrap=not sandbox.why_no_bubblewrap())
SECRET = "0" * 64
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs signals, limits and tmpfs of Linux")
needs_bubblewrap = pytest.mark.usefixtures("bubblewrap")


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    """What is graded in this process leaves its secret here; put the environment back afterwards."""
    monkeypatch.setenv(worker.SECRET, "")


def good(student="b01"):
    return made.solved(SMALL, student)


def work(submission, source=SMALL, limits=LIMITS, key=SECRET, **bounds):
    data = submission if isinstance(submission, bytes) else made.packed(submission)
    return worker.Work(source, data, limits, key, worker.Bounds(**bounds))


def with_test(code, source=SMALL):
    """The small assignment with other code as the hidden test of its first question."""
    assert b"checks.predict(sign, seed=5).require()" in source
    return source.replace(b"checks.predict(sign, seed=5).require()", json.dumps(code)[1:-1].encode())


def points(result):
    return {question["id"]: question["points"] for question in result["questions"] if not question["by_hand"]}


def is_empty(result):
    """Is it a result that is our own failure: no points for anything, not even 0?"""
    return result["failed"] and {question["points"] for question in result["questions"]} == {None}


# --- Ours, theirs, and nobody else's ---------------------------------------------------------------------------------

ENDLESS = "if student == 'bad':\n    while True: pass"
EATER = "if student == 'bad':\n    eaten = bytearray(3 * 2**30)"
FATAL = "if student == 'bad':\n    import os, signal\n    os.kill(os.getpid(), signal.SIGKILL)"
LONG = "assert student != 'bad', 'x' * 2_000_000"  # a result says no more than 1,000 of it


@linux_only
@pytest.mark.parametrize(
    ("code", "bounds", "reason"),
    [
        (ENDLESS, {"cpu_seconds": 2}, "took more than 2 seconds of processor time"),
        (FATAL, {}, "the process that graded it was ended by the signal SIGKILL"),
        (LONG, {"result_bytes": 2000}, "its result has more than 2,000 bytes"),
    ],
)
def test_what_takes_the_judge_down_costs_nobody_else_and_is_no_zero(code, bounds, reason):
    """The judge runs a hidden test that never ends, is killed by the system, or says too much about one student."""
    source = with_test(f"{code}\nchecks.predict(sign, seed=5).require()")
    works = [work(good(name), source, **bounds) for name in ("b01", "bad", "b03")]
    every = dict(pool.here(works, 1))
    assert points(every[0]) == points(every[2]) == made.SMALL_QUESTIONS
    assert is_empty(every[1])
    assert reason in every[1]["remarks"][0]


@linux_only
def test_the_judge_may_not_take_all_memory():
    source = with_test(f"{EATER}\nchecks.predict(sign, seed=5).require()")
    (result,) = dict(pool.here([work(good("bad"), source, megabytes=1000)], 1)).values()
    assert is_empty(result)
    assert "the grader itself failed (MemoryError" in result["remarks"][0]


def once(folder, name):
    """Code of a test that the system kills the first time that it is run for this student."""
    return (
        f"import os, pathlib, signal\ntries = pathlib.Path({str(folder)!r}, student)\n"
        f"if student == {name!r} and not tries.exists():\n    tries.touch()\n    os.kill(os.getpid(), signal.SIGKILL)"
    )


@linux_only
def test_a_submission_that_was_lost_is_tried_once_more_by_a_fresh_process(tmp_path):
    source = with_test(f"{once(tmp_path, 'b02')}\nchecks.predict(sign, seed=5).require()")
    every = dict(pool.here([work(good(name), source) for name in ("b01", "b02")], 1))
    assert [path.name for path in tmp_path.iterdir()] == ["b02"]
    assert [points(every[k]) for k in range(2)] == [made.SMALL_QUESTIONS] * 2
    assert [every[k]["failed"] for k in range(2)] == [False, False]


@linux_only
def test_the_clock_is_the_last_stop():
    limits = sandbox.Limits(total_seconds=1, bubblewrap=LIMITS.bubblewrap)
    source = with_test("import time\ntime.sleep(1000)")
    (result,) = dict(pool.here([work(good(), source, limits, cpu_seconds=3)], 1)).values()
    assert is_empty(result)
    assert "it took more than 5 seconds" in result["remarks"][0]


@linux_only
def test_nothing_is_left_of_a_process_that_was_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = {each.pid for each in psutil.Process().children(recursive=True)}
    (result,) = dict(pool.here([work(good("bad"), with_test(FATAL))], 1)).values()
    assert is_empty(result)
    assert list(tmp_path.iterdir()) == []
    assert {each.pid for each in psutil.Process().children(recursive=True)} <= before


@linux_only
@pytest.mark.parametrize("begun", ["exported", "exported/graded/small"])  # tries bubblewrap out, or grades
def test_a_killed_command_takes_its_processes_and_their_files_along(course, begun):
    """Nobody tells them to end; they notice that nobody will ask for their results."""
    hand_in(course, b01=made.with_extra(good(), made.ENDLESS))
    scratch = course / "scratch"
    scratch.mkdir()
    call = [sys.executable, "-m", "exercises.grader", *arguments(course)]
    process = subprocess.Popen(call, env={**os.environ, "TMPDIR": str(scratch)}, stderr=subprocess.DEVNULL)
    while not (course / begun).exists() or not list(scratch.glob("grading-*/grading-*")):
        assert process.poll() is None
        time.sleep(0.1)
    family = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    assert psutil.wait_procs(family, timeout=60)[1] == []
    assert list(scratch.iterdir()) == []


def inside_tmpfs(place, size, *command):
    """A command that sees a tiny disk at this place."""
    wrapped = ["bwrap", "--dev-bind", "/", "/", "--size", str(size), "--tmpfs", str(place), *map(str, command)]
    return subprocess.run(wrapped, capture_output=True, text=True, check=False, timeout=300)


TO_A_FULL_FOLDER = """
import json, sys, tempfile
sys.path[:0] = {path!r}
from tests.grader import test_grading as tests
tempfile.tempdir = {folder!r}
work = tests.work(tests.good(), limits=tests.sandbox.Limits(bubblewrap=False))
print(json.dumps(dict(tests.pool.here([work], 1))[0]))
"""


@needs_bubblewrap
def test_a_full_temporary_folder_is_our_failure(tmp_path):
    path = [str(EXERCISES.parent)]
    program = TO_A_FULL_FOLDER.format(path=path, folder=str(tmp_path))
    answer = inside_tmpfs(tmp_path, 100_000, sys.executable, "-c", program)
    result = json.loads(answer.stdout.splitlines()[-1])
    assert is_empty(result)
    assert "No space left on device" in result["remarks"][0]


def test_our_own_exception_is_our_failure(monkeypatch):
    monkeypatch.setattr(worker, "grade", lambda *_: 1 / 0)
    result = worker.guarded_grade(work(good()))
    assert is_empty(result)
    assert "the grader itself failed (ZeroDivisionError" in result["remarks"][0]


def test_no_machine_grades_with_less_than_was_decided(monkeypatch):
    monkeypatch.setattr(worker, "not_enforced", lambda: ["There is no bubblewrap."])
    result = worker.guarded_grade(work(good(), limits=sandbox.Limits(bubblewrap=True)))
    assert is_empty(result)
    assert "cannot do so safely (There is no bubblewrap.)" in result["remarks"][0]
    assert worker.guarded_grade(work(b"", limits=sandbox.Limits(bubblewrap=False)))["sandbox"] == "plain"


# --- The command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def course(tmp_path):
    """A course with the small assignment, and an empty folder for what is handed in."""
    place = tmp_path / "course" / "source" / "small"
    place.mkdir(parents=True)
    (place / "small.ipynb").write_bytes(SMALL)
    (tmp_path / "exported").mkdir()
    return tmp_path


def hand_in(course, **works):
    for student, each in works.items():
        data = each if isinstance(each, bytes) else made.packed(each)
        (course / "exported" / f"{student}_small.ipynb").write_bytes(data)


def arguments(course, *more):
    plain = ["--plain"] if sandbox.why_no_bubblewrap() else []
    return ["small", str(course / "exported"), "--course", str(course / "course"), "--workers=1", *plain, *more]


def rows_of(course):
    path = course / "exported" / "graded" / "small" / "scores.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def with_source(course, source):
    (course / "course" / "source" / "small" / "small.ipynb").write_bytes(source)


@linux_only
def test_three_states_in_the_table_and_the_failure_is_named(course, capsys):
    """Graded; not gradable, which is 0; not graded, which is an empty cell, a line, and an exit code."""
    with_source(course, with_test(f"{FATAL}\nchecks.predict(sign, seed=5).require()"))
    hand_in(course, b01=good("b01"), b02=b"no notebook", bad=good("bad"))
    assert command.main(arguments(course)) == 1
    error = capsys.readouterr().err
    assert "NOT GRADED: bad. This notebook could not be graded" in error
    assert "The same call tries them again." in error
    columns = ["sign-test", "pla-test", "updates-test", "why", "total"]
    rows = {student: [row[name] for name in columns] for student, row in rows_of(course).items()}
    assert rows == {"b01": ["2", "4", "3", "", "9"], "b02": ["0"] * 5, "bad": [""] * 5}
    assert rows_of(course)["bad"]["complete"] == "no"
    with_source(course, with_test("checks.predict(sign, seed=5).require()"))
    assert command.main(arguments(course)) == 0  # and they are not kept, so that the next call tries again
    assert rows_of(course)["bad"]["total"] == "9"


def test_without_bubblewrap_the_call_says_so_and_grades_nothing(course, tmp_path):
    hand_in(course, b01=good())
    call = [sys.executable, "-m", "exercises.grader", "small", *arguments(course)[1:5]]
    empty = {**os.environ, "PATH": str(tmp_path)}
    result = subprocess.run(call, capture_output=True, text=True, check=False, timeout=300, env=empty)
    assert result.returncode == 2
    assert "bubblewrap" in result.stderr
    assert result.stderr.endswith("To grade all the same, add --plain.\n")
    assert not (course / "exported" / "graded").exists()


def test_plain_says_what_is_not_enforced_and_goes_on(course, capsys):
    hand_in(course, b01=good())
    assert command.main(["small", *arguments(course)[1:5], "--plain"]) == 0
    error = capsys.readouterr().err
    assert all(sentence in error for sentence in sandbox.not_enforced(plain=True))
    assert "Students' code can" in error
    stored = json.loads((course / "exported" / "graded" / "small" / "results" / "b01.json").read_text())["result"]
    assert (stored["sandbox"], points(stored)) == ("plain", made.SMALL_QUESTIONS)


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
    call = [*inside, sys.executable, "-m", "exercises.grader", *arguments(course), "--plain"]
    result = subprocess.run(call, capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 2
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert "graded" not in result.stderr.replace(place, "").replace("What is graded is kept", "").replace("/graded", "")


def test_the_disk_must_have_room_for_the_whole_class(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 10**8))
    results.prepare(tmp_path / "graded", 100)
    with pytest.raises(OSError, match="No space left"):
        results.prepare(tmp_path / "graded", 1000)
    assert list((tmp_path / "graded").iterdir()) == []


def test_two_graders_at_once_do_not_take_each_others_files(tmp_path):
    path, failures = tmp_path / "scores.csv", []

    def write(letter):
        try:
            for _ in range(100):
                results.write(path, letter * 100_000)
                assert set(path.read_text()) in ({"a"}, {"b"})
        except (OSError, AssertionError) as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(letter,)) for letter in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert [each.name for each in tmp_path.iterdir()] == ["scores.csv"]


# --- The secret of the course ----------------------------------------------------------------------------------------

SEEDED = "raise AssertionError(homework.seed(student, 'sign'))"


def test_the_secret_is_made_once_and_for_its_owner_only(tmp_path):
    first = secret.of_course(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{64}", first)
    assert secret.of_course(tmp_path) == first
    assert [each.name for each in tmp_path.iterdir()] == ["secret"]
    assert os.name == "nt" or stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    (tmp_path / "secret").write_text("cut")
    with pytest.raises(SystemExit, match="is not whole"):
        secret.of_course(tmp_path)


def test_two_secrets_give_other_unseen_data_and_other_stored_results(tmp_path):
    source = with_test(f"from plahelpers import homework\n{SEEDED}")
    works = [work(good(), source, key=key * 64) for key in "aab"]
    every = dict(pool.here(works, 1))
    seeds = [every[k]["questions"][0]["messages"][0] for k in range(3)]
    assert all(re.fullmatch(r"\d+", seed) for seed in seeds)
    assert seeds[0] == seeds[1] != seeds[2]
    file = folder.SubmissionFile("b01", "", b"")
    results.store(tmp_path, file, works[0], every[0])
    assert results.read_result(tmp_path, file, works[1]) == every[0]
    assert results.read_result(tmp_path, file, works[2]) is None


@needs_bubblewrap
def test_a_student_finds_the_secret_nowhere(course):
    (course / "course" / "secret").write_text("5ec2e7" * 10 + "5ec2")
    looks = f"""
import glob, os
texts = [str(dict(os.environ)), *(open(path, errors='replace').read() for path in glob.glob('/proc/*/environ'))]
for path in ({str(course / "course" / "secret")!r}, {str(EXERCISES / "secret")!r}):
    try:
        texts.append(open(path).read())
    except OSError:
        texts.append('nothing')
raise ValueError(('5ec2e7' in str(texts), texts[-2:]))"""
    hand_in(course, b01=made.with_extra(good(), looks))
    assert command.main(arguments(course)) == 0
    page = (course / "exported" / "graded" / "small" / "feedback" / "b01.html").read_text()
    assert "(False, [&#39;nothing&#39;, &#39;nothing&#39;])" in page


def test_a_stored_result_that_somebody_else_wrote_is_not_believed(tmp_path):
    file, own = folder.SubmissionFile("b01", "", b""), work(good())
    result = json.loads(json.dumps(worker.guarded_grade(work(b"no notebook"))))
    results.store(tmp_path, file, own, result)
    path = tmp_path / "results" / "b01.json"
    content = json.loads(path.read_text())
    assert results.read_result(tmp_path, file, own) == result
    content["result"]["questions"][0]["points"] = 2.0
    path.write_text(json.dumps(content))
    assert results.read_result(tmp_path, file, own) is None


# --- Whose it is -----------------------------------------------------------------------------------------------------


def grade_of(student, inside, number=""):
    file = folder.SubmissionFile(student, f"{student}.ipynb", b"", number=number)
    return results.Grade(file, {**worker.guarded_grade(work(b"")), "student": inside}, {})


@pytest.mark.parametrize("id", [" " * 200 + "alice", "ALICE\n", "\u3000alice", "alice\u200b", "al\u0131ce", "ａlice"])
def test_an_id_is_compared_as_data_are_made_from_it(id):
    """Whoever has alice's data has alice's id, and whoever has not does not."""
    same_data = (homework.hw1(id).X == homework.hw1("alice").X).all() if id.strip() else False
    grades = [grade_of("mallory", id), grade_of("alice", "alice")]
    odd = results.odd_ids(grades)
    assert any("belongs to" in sentence for sentence in odd[0].lecturer)
    assert any("The same id" in sentence for sentence in odd[0].lecturer) == same_data
    assert bool(odd[1].lecturer) == same_data


def test_blanks_do_not_hide_whose_data_were_used(course):
    """The small assignment has its own data; those of the homework would be alice's for both."""
    hand_in(course, alice=good("alice"), mallory=good(" " * 200 + "alice"), zed=good("z" * 5000))
    assert command.main(arguments(course)) == 0
    pages = {path.stem: path.read_text() for path in (course / "exported" / "graded" / "small").rglob("*.html")}
    assert "The notebook says that it belongs to “alice”" in pages["mallory"]
    assert "The same id stands in what mallory handed in." in pages["summary"]
    assert "mallory" not in pages["alice"]
    assert "belongs to “zzz" in pages["zed"]
    assert len(rows_of(course)["zed"]["student in the notebook"]) < 200


def test_the_owner_of_an_id_is_not_told_who_used_it_and_the_lecturer_is():
    owner, copycat = results.odd_ids([grade_of("alice", "alice"), grade_of("mallory", "alice")])
    assert owner.student == []
    assert owner.lecturer == ["The same id stands in what mallory handed in."]
    assert copycat.student == [sentence for sentence in copycat.lecturer if "“alice”" in sentence]
    assert copycat.lecturer[1:] == ["The same id stands in what alice handed in."]


def test_a_name_on_a_learning_platform_is_not_compared_with_an_id():
    assert results.odd_ids([grade_of("Wang Ming", "b01", number="12345")]) == [([], [])]


# --- Folders ---------------------------------------------------------------------------------------------------------


def find(place):
    return folder.find(place, "small", ASSIGNMENT)


def put(path, data=SMALL):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_a_huge_file_is_not_even_opened(tmp_path):
    with (tmp_path / "b01_small.ipynb").open("wb") as file:
        file.truncate(notebook.MAX_BYTES + 2**20)
    (file,) = find(tmp_path)
    assert (file.data, file.problem) == (b"", "The file has 21 MB; more than 20 are not read.")


@linux_only
def test_links_are_refused_and_not_followed(tmp_path):
    put(tmp_path / "course" / "source" / "small.ipynb")
    exported, collected = tmp_path / "exported", tmp_path / "collected" / "submitted"
    put(exported / "b01_small.ipynb")
    (exported / "b02_small.ipynb").symlink_to(tmp_path / "course" / "source" / "small.ipynb")
    (exported / "b03_small.ipynb").symlink_to(tmp_path / "nowhere")
    put(collected / "b01" / "small" / "small.ipynb")
    (collected / "b02" / "small").mkdir(parents=True)
    (collected / "b02" / "small" / "small.ipynb").symlink_to(tmp_path / "course" / "source" / "small.ipynb")
    (collected / "b03").mkdir()
    (collected / "b03" / "small").symlink_to(tmp_path / "course" / "source")
    for place in (exported, tmp_path / "collected"):
        files = find(place)
        assert [file.student for file in files] == ["b01", "b02", "b03"]
        assert [bool(file.data) for file in files] == [True, False, False]
        assert ["link" in file.problem for file in files] == [False, True, True]


def test_what_cannot_be_read_gets_no_points_and_the_reason(course):
    hand_in(course, b01=good())
    (course / "exported" / "b02_small.ipynb").symlink_to(course / "course" / "source" / "small" / "small.ipynb")
    assert command.main(arguments(course)) == 0
    assert rows_of(course)["b02"]["total"] == "0"
    page = (course / "exported" / "graded" / "small" / "feedback" / "b02.html").read_text()
    assert "The file is a link; links are not followed." in page


def test_a_stray_notebook_does_not_hide_the_class(course, capsys):
    put(course / "exported" / "submitted" / "b01" / "small" / "small.ipynb")
    put(course / "exported" / "submitted" / "b02" / "small" / "small.ipynb")
    put(course / "exported" / "Untitled.ipynb")
    assert command.main(arguments(course)) == 2
    error = capsys.readouterr().err
    assert "notebooks in the folder itself (1) or students' folders (2)?" in error


def test_who_has_handed_in_nothing_for_this_assignment_is_counted(tmp_path):
    put(tmp_path / "submitted" / "b01" / "small" / "small.ipynb")
    for k in range(12):
        put(tmp_path / "submitted" / f"c{k:02}" / "other" / "other.ipynb")
    (sentence,) = folder.skipped(tmp_path, "small")
    assert sentence == (
        "Without a folder small, and so not graded: c00, c01, c02, c03, c04, c05, c06, c07, c08, c09 and 2 more."
    )


def test_names_from_canvas_and_moodle(tmp_path):
    names = {
        "wangming_12345_67890_small.ipynb": ("wangming", "12345"),
        "linmei_LATE_12346_67891_small-1.ipynb": ("linmei", "12346"),
        "Chen Li_777_assignsubmission_file_small.ipynb": ("Chen Li", "777"),
        "b01_small_v2.ipynb": ("b01", ""),
    }
    for name in names:
        put(tmp_path / "flat" / name)
    assert {file.path: (file.student, file.number) for file in find(tmp_path / "flat")} == names
    put(tmp_path / "folders" / "Chen Li_777_assignsubmission_file" / "small.ipynb")
    put(tmp_path / "folders" / "Wu An_778_assignsubmission_file_" / "my work.ipynb")
    files = find(tmp_path / "folders")
    assert [(file.student, file.number) for file in files] == [("Chen Li", "777"), ("Wu An", "778")]
    assert [file.path.rpartition("/")[2] for file in files] == ["small.ipynb", "my work.ipynb"]
    assert all(file.data == SMALL for file in files)


@linux_only
def test_a_file_name_cannot_talk_to_the_terminal(course, capsys):
    hand_in(course, b01=good())
    put(course / "exported" / "evil\x1b]0;title\x07\x9b2J\r.pdf")
    put(course / "exported" / "x\x1b[2J_small.ipynb", b"no")
    with_source(course, with_test("raise SystemExit"))
    assert command.main(arguments(course)) == 1
    out, error = capsys.readouterr()
    assert "\\x1b]0;title\\x07" in error
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", out + error)


def test_feedback_is_named_by_the_id_as_handed_in_and_no_two_share_a_file():
    for plain in ("b01", "B10901001", "中文", "Wang Ming", "john.doe", "o_n-1"):
        assert folder.SubmissionFile(plain, "", b"").safe_name == plain
    odd = ["../x", "..", ".", "", "a/b", "a\\b", "con", "NUL.txt", "a.", " a", "x" * 300, "y" * 300, "\ud800", "a\x1bb"]
    names = [folder.SubmissionFile(student, "", b"").safe_name for student in odd]
    assert len({name.casefold() for name in names}) == len(names)
    assert all(re.fullmatch(r"[\w-]{1,20}~[0-9a-f]{10}", name) for name in names)


def test_ids_that_differ_in_capitals_only_have_files_of_their_own(tmp_path):
    for student in ("b01", "B01", "b02"):
        put(tmp_path / "submitted" / student / "small" / "small.ipynb")
    if len(list((tmp_path / "submitted").iterdir())) == 3:  # not on every system
        names = {file.student: file.safe_name for file in find(tmp_path)}
        assert names["b02"] == "b02"
        assert names["b01"].casefold() != names["B01"].casefold()


# --- Tables ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "start", ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t=", "\r@", " =", "b01;=", "a,+", 'b";"=', "'="]
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_no_spreadsheet_takes_a_name_for_a_formula(tmp_path, start, delimiter):
    """Whatever it takes for the end of a cell."""
    grades = [grade_of("b01", f'{start}cmd|"/c calc"!A1')]
    results.write_scores(tmp_path / "scores.csv", grades)
    text = (tmp_path / "scores.csv").read_text(encoding="utf-8-sig").partition("\n")[2]
    for row in csv.reader(io.StringIO(text), delimiter=delimiter):
        assert not [cell for cell in row if re.match(r"\s*[=+\-@＝＋－＠]", cell)]


def test_zeros_that_an_id_begins_with_survive_a_spreadsheet(tmp_path):
    grades = [grade_of(student, student) for student in ("00123", "b01")]
    results.write_scores(tmp_path / "scores.csv", grades)
    assert "\n00123,00123," in (tmp_path / "scores.csv").read_text().replace("\r", "")
    (tmp_path / "by_hand.csv").write_text("student,question,points,comment\n123,why,1,\nb01,why,2,\n")
    marks = results.read_by_hand(tmp_path, {"why": 4})
    assert results.assign(dict(marks), ["00123", "b01"]) == [{"why": (1.0, "")}, {"why": (2.0, "")}]
    assert results.assign(dict(marks), ["00123", "123"]) == [{}, {"why": (1.0, "")}]  # then it is the other one's
    assert results.assign(dict(marks), ["00123", "0123"]) == [{}, {}]  # then nobody knows


# --- Progress --------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_terminal_shows_in_one_line_who_is_graded_and_how_long_it_takes(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    shown = progress.Progress(["b01", "b02", "evil\x1b[2J", "b04"])
    for k in range(3):
        shown.started(k)
    shown.finished(1)
    shown.close()
    text = sys.stderr.getvalue()
    last = text.rstrip("\n").rpartition("\r")[2]
    assert "\n" not in text.rstrip("\n")
    assert re.search(r"1/4 \[\d\d:\d\d<\d\d:\d\d.*, b01, evil\\x1b\[2J\]", last)


def test_a_log_gets_a_line_now_and_then(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    shown = progress.Progress([f"b{k:03}" for k in range(200)])
    now = [shown.start]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    for k in range(200):
        shown.started(k)
        now[0] += 2
        shown.finished(k)
    lines = sys.stderr.getvalue().splitlines()
    assert lines[0] == "16 of 200 graded; about 6 minutes left; now "
    assert len(lines) == 13
    assert lines[-1] == "200 of 200 graded"


# --- A cluster -------------------------------------------------------------------------------------------------------

CLUSTER = """
import os, sys
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
def test_on_a_cluster_a_lost_worker_and_a_hopeless_submission_cost_nobody_else(tmp_path):
    """b0 loses its process the first time, and is tried once more."""
    source = with_test(f"{FATAL}\n{once(tmp_path, 'b0')}\nchecks.predict(sign, seed=5).require()")
    names = ["bad", *(f"b{k}" for k in range(8))]
    works = [work(good(name), source) for name in names]
    begun, every = [], {}
    with cluster() as (address, pids):
        for k, result in pool.on_dask(works, address, begun.append):
            every[k] = result
            if len(every) == 2:
                os.kill(pids[0], signal.SIGKILL)
    assert is_empty(every.pop(0))
    assert [points(every[k]) for k in sorted(every)] == [made.SMALL_QUESTIONS] * 8
    assert set(begun) == set(range(9))


def test_a_cluster_gives_the_same_results_with_the_secret():
    source = with_test(f"from plahelpers import homework\n{SEEDED}")
    works = [work(made.blank(SMALL, "b01")), work(good(), source), work(b"no notebook")]
    with cluster() as (address, _):
        there = dict(pool.on_dask(works, address))
    assert there == dict(pool.here(works, 1))


def test_a_cluster_whose_workers_have_no_bubblewrap_is_refused(tmp_path):
    hidden = {"PATH": str(tmp_path)}
    works = [work(b"no", limits=sandbox.Limits(bubblewrap=True))]
    with cluster(**hidden) as (address, _):
        with pytest.raises(pool.ClusterError, match=r"The Dask worker .* cannot grade safely"):
            next(pool.on_dask(works, address))
        plain = [work(b"no", limits=sandbox.Limits(bubblewrap=False))]
        assert [result["sandbox"] for _, result in pool.on_dask(plain, address)] == ["plain"]


def test_a_scheduler_that_does_not_answer_is_a_sentence(course, capsys, monkeypatch):
    monkeypatch.setattr(pool, "_SECONDS_TO_CONNECT", 1.0)
    hand_in(course, b01=good())
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        assert command.main(arguments(course, "--dask", address)) == 2
        error = capsys.readouterr().err
        assert f"There is no answer from a Dask scheduler at {address}" in error
        assert "Traceback" not in error
