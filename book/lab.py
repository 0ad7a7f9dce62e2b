"""Start JupyterLab on the chapters and the homework: python3 run.py

It opens on a page that lists them, or on a notebook that is named: run.py lab 03. Its settings stand in book/jupyter,
which Jupyter reads as it does those of a user. The kernel there keeps its version to itself, because JupyterLab would
write it into each chapter that is opened, and then call the chapter unsaved.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import Final
from urllib.parse import quote

import nbformat
from nbformat.sign import NotebookNotary
from traitlets.config import Config

ROOT: Final = Path(__file__).resolve().parents[1]
NOTEBOOKS: Final = ROOT / "notebooks"
# By name: JupyterLab itself signs any other notebook, once its cells have been run and it is saved.
CHAPTERS: Final = ("01_hypothesis_set", "02_pla", "03_convergence_proof", "04_pocket_on_noisy_data", "05_fun_time")
# Where JupyterLab finds custom.css and what it loads, in the order in which it looks.
STYLE: Final = [ROOT / folder for folder in ("book/jupyter/custom", "book/static", "plahelpers/plots/fonts")]
WORKSPACE: Final = "/lab/workspaces/perceptron"  # it keeps our tabs apart from those of a user's other folders


def lay_out_homework(folder: Path, release: Path = ROOT / "exercises" / "release") -> None:
    """Put a working copy of each homework into this folder; one that a student has changed is never written over."""
    for blank in sorted(filter(Path.is_file, release.glob("*/*"))):
        try:
            lay_out(blank, folder / blank.name, folder / ".homework" / blank.name)
        except OSError as error:
            print(f"{blank.name} cannot be copied to {folder}: {error.strerror}.", file=sys.stderr)


def lay_out(blank: Path, copy: Path, original: Path) -> None:
    """Make or renew one working copy; `original` remembers what it began with."""
    new, own, old = (path.read_bytes() if path.exists() else None for path in (blank, copy, original))
    if own in (None, old, new):
        original.parent.mkdir(exist_ok=True)
        for path in (copy, original):
            shutil.copyfile(blank, path)
    elif old != new:
        print(
            f"There is a new {blank.name}. Yours is kept. To work on the new one, rename yours and start again.",
            file=sys.stderr,
        )


def sign_chapters(notary: NotebookNotary, folder: Path) -> None:
    """Sign the chapters for this server, as `jupyter trust` does: their players then work before a cell is run."""
    for path in (folder / f"{name}.ipynb" for name in CHAPTERS):
        try:
            notary.sign(nbformat.read(path, as_version=4))
        except FileNotFoundError:
            continue  # a reader may delete a chapter
        except Exception as error:  # what nbformat raises depends on the damage
            hint = "If it is damaged, `git checkout notebooks` brings the original back."
            print(f"{path.name} is not signed ({type(error).__name__}). {hint}", file=sys.stderr)


def find(name: str) -> Path:
    """The file of this name, or the one notebook whose name begins so; if there is none, end with a list of all."""
    if Path(name).exists():
        return Path(name).resolve()
    notebooks = sorted(NOTEBOOKS.glob("*.ipynb"))
    paths = [path for path in notebooks if path.name.startswith(name)]
    if len(paths) != 1:
        beginning = "Several notebooks' names begin" if paths else "No notebook's name begins"
        sys.exit("\n  ".join([f"{beginning} with {name}; there are:", *(path.name for path in notebooks)]))
    return paths[0]


def settings(name: str | None) -> Config:
    """Those with which JupyterLab opens what is named, or else the list of notebooks, beside the tabs of last time."""
    path = find(name) if name else NOTEBOOKS / "README.md"
    root, page = (NOTEBOOKS, WORKSPACE) if path.is_relative_to(NOTEBOOKS) else (path.parent, "/lab")
    place = quote(path.relative_to(root).as_posix())
    server = {"root_dir": str(root), "tornado_settings": {"static_custom_path": list(map(str, STYLE))}}
    return Config(ServerApp=server, LabApp={"default_url": f"{page}/tree/{place}"})


def main(arguments: list[str]) -> None:
    """Start JupyterLab with our settings, and with the options it is given, which win."""
    lay_out_homework(NOTEBOOKS)
    name, options = (arguments[0], arguments[1:]) if arguments and arguments[0][:1] != "-" else (None, arguments)
    for variable in ("JUPYTER_CONFIG_PATH", "JUPYTER_PATH"):  # where Jupyter looks for settings, and for kernels
        paths = [str(ROOT / "book" / "jupyter"), os.environ.get(variable)]
        os.environ[variable] = os.pathsep.join(filter(None, paths))
    from jupyterlab.labapp import LabApp

    server = LabApp.initialize_server(options, config=settings(name))
    sign_chapters(server.contents_manager.notary, NOTEBOOKS)
    server.start()


if __name__ == "__main__":
    main(sys.argv[1:])
