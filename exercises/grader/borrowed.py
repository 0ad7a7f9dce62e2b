"""Does a function that students should write call the package's own? Only a look at the code: a person decides."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

_PACKAGE: Final = "plahelpers"
_MAX_CELL: Final = 100_000  # characters; nobody writes so much by hand


def calls(name: str, sources: Iterable[str]) -> set[str]:
    """What a function of these cells, or those that it calls there, takes from the package: {"plahelpers.pla"}."""
    trees = [tree for source in sources if (tree := _parsed(source))]
    statements = [node for tree in trees for node in tree.body]
    functions = {node.name: node for node in statements if isinstance(node, ast.FunctionDef)}
    imported = dict(pair for node in statements for pair in _imports(node))
    outside = {alias: full for alias, full in imported.items() if alias not in functions}
    found, todo, seen = set[str](), [name], set[str]()
    while todo:
        function = functions.get(each := todo.pop())
        if function is None or each in seen:
            continue
        seen.add(each)
        nodes = list(ast.walk(function))
        known = outside | dict(pair for node in nodes for pair in _imports(node))
        found |= {full for node in nodes if (full := _full_name(node, known)).startswith(f"{_PACKAGE}.")}
        todo += [node.id for node in nodes if isinstance(node, ast.Name)]
    # `plahelpers.learning` is a part of `plahelpers.learning.pla`, and by itself nothing that can be called.
    return {full for full in found if not any(other.startswith(f"{full}.") for other in found)}


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source) if len(source) <= _MAX_CELL else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(name, what it stands for) for the names that an import defines."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _full_name(node: ast.AST, known: dict[str, str]) -> str:
    """plahelpers.learning.pla, for `learning.pla` after `from plahelpers import learning`; "" for anything else."""
    names = list[str]()
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    start = known.get(node.id, "") if isinstance(node, ast.Name) else ""
    return ".".join([start, *reversed(names)]) if start else ""
