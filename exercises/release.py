"""Make the students' copies: exercises/source → exercises/release, by nbgrader itself; and a zip of each to hand out.

First the table of each assignment's checks is made from its solution, and put beside it: hw1_pla/hw1_cases.json.

python exercises/release.py            make them, and the zips in exercises/bundles (see bundle.py)
python exercises/release.py --check    only say whether the copies are what the source gives

nbgrader works in a temporary folder and without a database, so that nothing of it is left behind; it refuses a source
whose cells are not in order (a solution outside a solution cell, two cells of one name). The same source gives the
same bytes.
"""

from __future__ import annotations

import io
import json
import logging
import re
import shutil
import sys
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


def differences(copies: dict[str, str], release: Path = HERE / "release") -> list[str]:
    """What is in release/ that the source does not give, and what is not there: a sentence for each file."""
    there = {path.relative_to(release).as_posix(): path for path in sorted(release.glob("*/*")) if path.is_file()}
    missing = [f"{name} is missing" for name in copies if name not in there]
    strange = [f"{name} has no source" for name in there if name not in copies]
    stale = [
        f"{name} is not what the source gives"
        for name, text in copies.items()
        if name in there and there[name].read_bytes() != text.encode()
    ]
    return missing + strange + stale


def write(copies: dict[str, str], release: Path = HERE / "release") -> None:
    """Put the copies where students find them, and nothing else."""
    shutil.rmtree(release, ignore_errors=True)
    for name, text in copies.items():
        path = release / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def main(arguments: list[str]) -> int:
    """Make or check; 0 if all is well."""
    if arguments not in ([], ["--check"]):
        print("usage: release.py [--check]", file=sys.stderr)
        return 2
    print("Making the students' copies ...", flush=True)
    stale = [path for path, text in tables().items() if not path.exists() or path.read_text("utf-8") != text]
    if not arguments:
        for path in stale:
            path.write_text(tables()[path], encoding="utf-8")
    copies = make()
    wrong = [*(f"{path.name} is not what the solution gives" for path in stale), *differences(copies)]
    if arguments:
        advice = "Make them again: python3 run.py release" if wrong else "The students' copies are up to date."
        print("\n".join([*wrong, advice]))
        return 1 if wrong else 0
    write(copies)
    print("Packing them, with the package as a wheel ...", flush=True)
    zips = bundle.bundles()
    bundle.write(zips, HERE / "bundles")
    for name in [*(f"release/{name}" for name in copies), *(f"bundles/{name}" for name in zips)]:
        print(f"exercises/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
