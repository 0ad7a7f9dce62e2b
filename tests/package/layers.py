"""Which module imports what: the plan of the package in CONTRIBUTING.md, and the imports in the code."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import plahelpers

PACKAGE = Path(plahelpers.__file__).parent
PLAN = PACKAGE.parent / "CONTRIBUTING.md"
ANYWHERE = {"numpy", "lazy_loader", "typing_extensions"}


def plan() -> dict[str, set[str]]:
    """The rows of the table in order: each module, and the libraries that it may import besides NumPy."""
    rows = re.findall(r"(?m)^\| (`[\w`, ]+`) \|[^|]*\|([^|]*)\|$", PLAN.read_text(encoding="utf-8"))
    return {
        module: set(re.findall(r"[\w-]+", libraries.replace("scikit-learn", "sklearn")))
        for modules, libraries in rows
        for module in re.findall(r"`(\w+)`", modules)
    }


def files(module: str) -> list[Path]:
    """The file of a module, or the files of a sub-package."""
    folder = PACKAGE / module
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [PACKAGE / f"{module}.py"]


class _AtRunTime(ast.NodeTransformer):
    """Leaves out what is imported for type checkers only, under `if TYPE_CHECKING:`."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if ast.unparse(node.test) == "TYPE_CHECKING" else self.generic_visit(node)


@cache
def imports(path: Path) -> frozenset[str]:
    """The full names of all that a file imports when it runs, wherever in the file."""
    package = ["plahelpers", *path.relative_to(PACKAGE).parent.parts]
    names: set[str] = set()
    for node in ast.walk(_AtRunTime().visit(ast.parse(path.read_text(encoding="utf-8")))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def own(path: Path) -> set[str]:
    """The modules of the package that a file imports."""
    return {name.split(".")[1] for name in imports(path) if name.startswith("plahelpers.")}


def libraries(path: Path) -> set[str]:
    """The libraries of others that a file imports."""
    return {name.split(".")[0] for name in imports(path)} - set(sys.stdlib_module_names) - {"plahelpers", "__future__"}


def graph(module: str) -> dict[str, set[str]]:
    """For each file of a sub-package, by its dotted name, which of the others it imports."""
    paths = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in files(module)}
    paths = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    return {name: {_file(target, paths) for target in imports(path)} - {"", name} for name, path in paths.items()}


def _file(name: str, paths: dict[str, Path]) -> str:
    """The file that an imported name is in: plahelpers.plots.base for plahelpers.plots.base.new_axes."""
    while name and name not in paths:
        name = name.rpartition(".")[0]
    return name
