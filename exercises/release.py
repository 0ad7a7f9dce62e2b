"""Make the students' copies: exercises/source → exercises/release, by nbgrader itself; and a zip of each to hand out.

First the table of each assignment's checks is made from its solution, and put beside it: hw1_pla/hw1_cases.json.
nbgrader works in a temporary folder and without a database, so that nothing of it is left behind; it refuses a source
whose cells are not in order. The same source gives the same bytes.
"""

from __future__ import annotations

import io
import json
import logging
import re
import shutil
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from exercises import bundle
from plahelpers.checks import table

HERE = Path(__file__).resolve().parent


def tables(source: Path = HERE / "source") -> dict[Path, str]:
    """The table of the checks of each assignment, from its solution, by the file in which it belongs."""
    made = {}
    for path in sorted(source.glob("*/solution.py")):
        solution = import_module(f"exercises.source.{path.parent.name}.solution")
        made[path.with_name(f"{path.parent.name.partition('_')[0]}_cases.json")] = table.record(solution.CHECKS)
    return made


def make(source: Path = HERE / "source") -> dict[str, str]:
    """The blank copy of each assignment and the files beside it, as text, by their paths under release/."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(source, Path(folder, "source"), ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
        _generate(Path(folder), sorted(path.name for path in source.iterdir() if path.is_dir()))
        copies = sorted(Path(folder, "release").glob("*/*"))
        return {path.relative_to(Path(folder, "release")).as_posix(): _text(path) for path in copies}


def _generate(course: Path, assignments: list[str]) -> None:
    """Let nbgrader write course/release."""
    from nbgrader.converters import GenerateAssignment
    from nbgrader.converters.base import NbGraderException
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config.loader import PyFileConfigLoader

    for assignment in assignments:
        config = PyFileConfigLoader("nbgrader_config.py", str(HERE)).load_config()
        config.CourseDirectory.root = str(course)
        config.CourseDirectory.assignment_id = assignment
        config.GenerateAssignment.no_database, config.SaveCells.enabled = True, False
        converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
        log = io.StringIO()
        handler = logging.StreamHandler(log)
        handler.setLevel(logging.ERROR)
        converter.log.addHandler(handler)
        try:
            converter.start()
        except NbGraderException:  # the reason is the first exception among the tracebacks that it logs
            reason = re.findall(r"(?m)^[\w.]+: .+$", log.getvalue())[0]
            raise SystemExit(f"nbgrader refuses {assignment}: {reason}") from None
        finally:
            converter.log.removeHandler(handler)


def _text(copy: Path) -> str:
    """The text of a file; a notebook in the layout of all notebooks here: keys sorted, one line feed at the end."""
    if copy.suffix != ".ipynb":
        return copy.read_text(encoding="utf-8")
    notebook: dict[str, Any] = json.loads(copy.read_text(encoding="utf-8"))
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write(copies: dict[str, str], release: Path) -> None:
    """Put the copies where students find them, and nothing else."""
    shutil.rmtree(release, ignore_errors=True)
    for name, text in copies.items():
        path = release / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def main() -> None:
    """Make the tables, the copies and the zips, and say where they are."""
    print("Making the students' copies ...", flush=True)
    for path, text in tables().items():
        path.write_text(text, encoding="utf-8")
    copies = make()
    write(copies, HERE / "release")
    print("Packing them, with the package as a wheel ...", flush=True)
    zips = bundle.bundles()
    bundle.write(zips, HERE / "bundles")
    for name in [*(f"release/{name}" for name in copies), *(f"bundles/{name}" for name in zips)]:
        print(f"exercises/{name}")


if __name__ == "__main__":
    main()
