"""How JupyterLab is started: its settings, its first page, the signed chapters, and the homework beside them."""

import json
import re
import urllib.request
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from book import lab as jupyterlab
from plahelpers import _theme
from tests.jupyterlab import ROOT, TIMEOUT, TOKEN, write_notebook

CHAPTERS = {f"{name}.ipynb" for name in jupyterlab.CHAPTERS}
HOMEWORK = {path.name for path in (ROOT / "exercises" / "release").rglob("*.ipynb")}


# --- the server -----------------------------------------------------------------------------------


def ask(address: str, path: str) -> str:
    request = urllib.request.Request(f"{address}{path}", headers={"Authorization": f"token {TOKEN}"})
    with urllib.request.urlopen(request, timeout=TIMEOUT / 1000) as answer:
        return str(answer.read().decode())


def trusts(address: str, name: str) -> bool:
    """Whether all outputs of a notebook would be shown with their scripts."""
    cells = json.loads(ask(address, f"/api/contents/{name}"))["content"]["cells"]
    return all(cell["metadata"]["trusted"] for cell in cells if cell["cell_type"] == "code")


def test_jupyterlab_trusts_the_chapters_and_brings_the_homework(lab: str) -> None:
    assert all(trusts(lab, name) for name in CHAPTERS)
    assert {path.name for path in (ROOT / "notebooks").glob("hw*.ipynb")} >= HOMEWORK


def test_the_address_that_is_printed_leads_to_the_chapter_that_was_named(lab: str, lab_folder: Path) -> None:
    printed = re.findall(rf"{lab}/\S+", (lab_folder / "log").read_text())
    assert set(printed) == {f"{lab}{jupyterlab.WORKSPACE}/tree/02_pla.ipynb?token=..."}  # that was given: not printed


def test_jupyterlab_asks_no_other_host_and_shows_nothing_of_nbgrader(lab: str, lab_folder: Path) -> None:
    (data,) = re.findall(r'id="jupyter-config-data" type="application/json">(.*?)</script>', ask(lab, "/lab"), re.S)
    config = json.loads(data)
    assert config["news"] == {"disabled": True}
    assert config["extensionManager"]["can_install"] is False
    assert json.loads(ask(lab, "/lab/api/update")) == {"notification": None}
    assert {"@jupyter/nbgrader", "@jupyter-notebook/lab-extension"} <= {*config["disabledExtensions"]}
    assert "nbgrader" not in (lab_folder / "log").read_text()


def test_jupyterlab_loads_our_sheet_and_finds_all_that_it_names(lab: str) -> None:
    assert '/custom/custom.css"' in ask(lab, "/lab")
    names = re.findall(r'(?:@import |url\()"([^"]+)"', ask(lab, "/custom/custom.css"))
    assert {Path(name).suffix for name in names} == {".css", ".ttf"}
    assert [urllib.request.urlopen(f"{lab}/custom/{name}", timeout=TIMEOUT / 1000).status for name in names] == [
        200
    ] * 3


def test_words_in_jupyterlab_have_the_colours_of_the_figures() -> None:
    sheet = (ROOT / "book" / "jupyter" / "custom" / "custom.css").read_text(encoding="utf-8")
    for name in _theme.LOOK.keys() & {"plus", "minus_words", "mistake", "w", "bound"}:
        assert tuple(re.findall(rf"--own-{name}: (#\w+);", sheet)) == _theme.LOOK[name]


# --- the first page -------------------------------------------------------------------------------


def test_jupyterlab_begins_with_a_list_of_every_chapter_and_every_homework() -> None:
    assert jupyterlab.settings(None).LabApp.default_url == f"{jupyterlab.WORKSPACE}/tree/README.md"
    page = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((\w+\.ipynb)\)", page)) == CHAPTERS | HOMEWORK


def test_a_notebook_is_named_by_its_path_or_by_the_beginning_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    third = ROOT / "notebooks" / "03_convergence_proof.ipynb"
    assert [jupyterlab.find(name) for name in ("03", "03_convergence_proof.ipynb", str(third))] == 3 * [third]
    (tmp_path / "03 mine.ipynb").touch()
    settings = jupyterlab.settings("03 mine.ipynb")
    assert (settings.ServerApp.root_dir, settings.LabApp.default_url) == (str(tmp_path), "/lab/tree/03%20mine.ipynb")


def test_a_name_that_fits_no_notebook_or_several_gets_a_sentence_with_the_choices() -> None:
    with pytest.raises(
        SystemExit, match=r"No notebook's name begins with 07; there are:\n  01_h\S+\n  02_pla\.ipynb\n"
    ):
        jupyterlab.find("07")
    with pytest.raises(SystemExit, match=r"Several notebooks' names begin with 0; there are:\n  01_hypothesis_set"):
        jupyterlab.find("0")


# --- the homework ---------------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder in which working copies of two assignments have been laid out."""
    for name in ("hw1", "hw2"):
        (tmp_path / "release" / name).mkdir(parents=True)
        (tmp_path / "release" / name / f"{name}.ipynb").write_text(f"{name}, first edition")
    (tmp_path / "notebooks").mkdir()
    jupyterlab.lay_out_homework(tmp_path / "notebooks", tmp_path / "release")
    return tmp_path / "notebooks"


def texts(desk: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in desk.glob("*.ipynb")}


def test_the_work_of_a_student_is_kept_and_a_copy_without_work_is_renewed(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert texts(desk) == {"hw1.ipynb": "hw1, first edition", "hw2.ipynb": "hw2, first edition"}
    (desk / "hw1.ipynb").write_text("my answers")
    jupyterlab.lay_out_homework(desk, desk.parent / "release")
    assert texts(desk) == {"hw1.ipynb": "my answers", "hw2.ipynb": "hw2, first edition"}
    assert capsys.readouterr().err == ""
    for path in desk.parent.glob("release/*/*.ipynb"):
        path.write_text(f"{path.stem}, second edition")
    jupyterlab.lay_out_homework(desk, desk.parent / "release")
    assert texts(desk) == {"hw1.ipynb": "my answers", "hw2.ipynb": "hw2, second edition"}
    message = "There is a new hw1.ipynb. Yours is kept. To work on the new one, rename yours and start again.\n"
    assert capsys.readouterr().err == message
    (desk / "hw1.ipynb").rename(desk / "mine.ipynb")
    jupyterlab.lay_out_homework(desk, desk.parent / "release")
    assert texts(desk)["hw1.ipynb"] == "hw1, second edition"
    assert texts(desk)["mine.ipynb"] == "my answers"
    assert capsys.readouterr().err == ""


# --- the signatures -------------------------------------------------------------------------------


def test_the_chapters_are_signed_and_no_other_notebook_and_a_damaged_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / f"{name}.ipynb" for name in ("02_pla", "02_pla-Copy1")]
    for path in paths:
        write_notebook(path, f"print({path.name!r})")
    (tmp_path / "05_fun_time.ipynb").write_text("<<<<<<< HEAD")
    with NotebookNotary(data_dir=str(tmp_path)) as notary:
        jupyterlab.sign_chapters(notary, tmp_path)
        assert [notary.check_signature(nbformat.read(path, as_version=4)) for path in paths] == [True, False]
    hint = "If it is damaged, `git checkout notebooks` brings the original back."
    assert capsys.readouterr().err == f"05_fun_time.ipynb is not signed (NotJSONError). {hint}\n"
