"""Pack each assignment for a student who has no copy of the repository: a zip with all that they need, and no more.

It holds the blank notebook and the files beside it, the chapters (to which the checks send a reader by links), the
book's summary and glossary, the files of handout/ (how to start, and what to install), the pinned versions, and the
package as a wheel.
"""

import io
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent


def bundles(release: Path = HERE / "release") -> dict[str, bytes]:
    """A zip for each assignment, by its file name."""
    wheel = build_wheel()
    return {f"{path.stem}.zip": pack(path.stem, contents(path, wheel)) for path in sorted(release.glob("*/*.ipynb"))}


def build_wheel() -> tuple[str, bytes]:
    """The name of the package's wheel, and its bytes: built here, without a network."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "flit_core.wheel", "--outdir", folder, str(ROOT)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (path,) = Path(folder).iterdir()
        return path.name, path.read_bytes()


def contents(notebook: Path, wheel: tuple[str, bytes]) -> dict[str, bytes]:
    """The files of a bundle."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    title = "".join(cells[0]["source"]).partition("\n")[0].removeprefix("# ")
    words = {"title": title, "name": notebook.stem, "wheel": wheel[0]}
    files = {path.name: path.read_text("utf-8").format(**words).encode() for path in (HERE / "handout").iterdir()}
    files["constraints.txt"] = (ROOT / "requirements.txt").read_bytes()
    pages = [ROOT / "book" / "pages" / name for name in ("summary.md", "glossary.md")]
    chapters = (ROOT / "notebooks").glob("[0-9]*.ipynb")
    own = filter(Path.is_file, notebook.parent.iterdir())
    return {**files, wheel[0]: wheel[1], **{path.name: path.read_bytes() for path in (*own, *pages, *chapters)}}


def pack(folder: str, files: dict[str, bytes]) -> bytes:
    """A zip of these files in a folder."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(f"{folder}/{name}", data)
    return memory.getvalue()
