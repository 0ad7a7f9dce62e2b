"""Run the notebooks again, each in a fresh kernel, and store their outputs in a form that the same code always gives.

    python3 run.py refresh            all of them
    python3 run.py refresh 02 04      those whose names begin so

What a machine, a day or a kernel would leave behind is taken out: times, the kernel's full name and Python's version,
the state of widgets (beside each stands a still picture or a page that works alone). Run twice, it changes no byte.
"""

import os
import sys
from base64 import b64decode, b64encode
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import nbformat
from ipykernel.ipkernel import IPythonKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from PIL import Image

from book import assets

SECONDS_PER_CELL = 60
COLOURS = 64  # of a stored picture
WIDGET = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {key: value for key, value in IPythonKernel.language_info.items() if key != "version"}


def main(arguments: list[str]) -> int:
    """Refresh the notebooks whose names begin with one of the arguments, or all; say which have changed."""
    paths = assets.notebooks(arguments)
    failed = 0
    with ProcessPoolExecutor() as pool:
        for path, (changed, trouble) in zip(paths, pool.map(refresh, paths), strict=True):
            print(f"{path.name}: {trouble or ('stored anew' if changed else 'nothing has changed')}", flush=True)
            failed += bool(trouble)
    return 1 if failed else 0


def refresh(path: Path) -> tuple[bool, str]:
    """Run one notebook and store it: whether its file has changed, and what went wrong, if anything did."""
    before = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(before, as_version=4)
    try:
        NotebookClient(
            notebook,
            timeout=SECONDS_PER_CELL,
            kernel_name="python3",
            coalesce_streams=True,  # what is printed arrives in any number of pieces
            extra_arguments=["--log-level=ERROR"],  # no warning that a kernel on this machine is not encrypted
            resources={"metadata": {"path": str(path.parent)}},
        ).execute(env=os.environ | {"TQDM_DISABLE": "1"})  # a slow machine would store its progress bars
        after = nbformat.writes(normalised(notebook)) + "\n"
    except (CellExecutionError, TimeoutError, ValueError) as trouble:
        return False, f"not stored.\n{trouble}"  # the file keeps what it had
    if after != before:
        path.write_text(after, encoding="utf-8")
    return after != before, ""


def normalised(notebook: Any) -> Any:
    """The same notebook with nothing in it that another run, day or machine would give otherwise."""
    notebook.metadata = {"kernelspec": KERNEL, "language_info": LANGUAGE}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran
        if cell.cell_type == "code":
            cell.outputs = [clean(output, cell) for output in cell.outputs]
    return notebook


def packed(png: str) -> str:
    """A picture in few colours: flat ones stay exact, and edges differ less than an eye can tell."""
    buffer = BytesIO()
    picture = Image.open(BytesIO(b64decode(png))).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return b64encode(buffer.getvalue()).decode()


def clean(output: Any, cell: Any) -> Any:
    """An output without its widget, which is alive only while the kernel is; a warning has no place in a lecture."""
    if output.get("name") == "stderr":
        raise ValueError(f"The cell {cell.id!r} writes to stderr: {output.text}")
    data = output.get("data", {})
    if WIDGET in data:
        if not {"text/html", "image/png"} & set(data):
            raise ValueError(f"The cell {cell.id!r} shows a widget with no still picture or page beside it.")
        del data[WIDGET]
    if "image/png" in data:
        data["image/png"] = packed(data["image/png"])
    return output


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
