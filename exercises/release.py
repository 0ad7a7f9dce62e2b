"""Make the students' copies: exercises/source → exercises/release, by nbgrader itself; and a zip of each to hand out.

First the table of each assignment's checks is made from its solution, and put beside it: hw1_pla/hw1_cases.json.
nbgrader works in a temporary folder and without a database, so that nothing of it is left behind; it refuses a source
whose cells are not in order. The same source gives the same bytes.
"""

import shutil
import tempfile
from importlib import import_module
from pathlib import Path

from exercises import bundle
from plahelpers.checks import table

HERE = Path(__file__).resolve().parent


def tables() -> dict[Path, str]:
    """The table of the checks of each assignment, from its solution, by the file in which it belongs."""
    made = {}
    for path in sorted(HERE.glob("source/*/solution.py")):
        solution = import_module(f"exercises.source.{path.parent.name}.solution")
        made[path.with_name(f"{path.parent.name.partition('_')[0]}_cases.json")] = table.record(solution.CHECKS)
    return made


def make(source: Path = HERE / "source") -> dict[str, bytes]:
    """The blank copy of each assignment and the files beside it, by their paths under release/."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(source, Path(folder, "source"))
        _generate(Path(folder), sorted(path.name for path in source.iterdir() if path.is_dir()))
        copies = sorted(Path(folder, "release").glob("*/*"))
        return {path.relative_to(Path(folder, "release")).as_posix(): path.read_bytes() for path in copies}


def _generate(course: Path, assignments: list[str]) -> None:
    """Let nbgrader write course/release."""
    from nbgrader.converters import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.utils import capture_log
    from traitlets.config.loader import PyFileConfigLoader

    for assignment in assignments:
        config = PyFileConfigLoader("nbgrader_config.py", str(HERE)).load_config()
        config.CourseDirectory.root = str(course)
        config.CourseDirectory.assignment_id = assignment
        config.GenerateAssignment.no_database, config.SaveCells.enabled = True, False
        done = capture_log(GenerateAssignment(coursedir=CourseDirectory(config=config), config=config))
        if not done["success"]:
            raise SystemExit(f"nbgrader refuses {assignment}:\n{done['log']}")


def write(files: dict[str, bytes], folder: Path) -> None:
    """Put the files where they are handed out, and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def main() -> None:
    """Make the tables, the copies and the zips, and say where they are."""
    print("Making the students' copies ...", flush=True)
    for path, text in tables().items():
        path.write_text(text, encoding="utf-8")
    copies = make()
    write(copies, HERE / "release")
    print("Packing them, with the package as a wheel ...", flush=True)
    zips = bundle.bundles()
    write(zips, HERE / "bundles")
    for name in [*(f"release/{name}" for name in copies), *(f"bundles/{name}" for name in zips)]:
        print(f"exercises/{name}")


if __name__ == "__main__":
    main()
