"""The student's side. This file is the program of the sandboxed process; the rest of `grader` is never seen there.

It is told pickles and answers plain data, which the judge does not believe. What every homework imports is imported
here, before the first cell, whose time it would be otherwise.
"""

import re
import sys
import types
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot  # noqa: F401

from plahelpers import _guard, _loops, checks  # noqa: F401


class Notebook(_guard.Server):
    own = "<cell "

    def __init__(self) -> None:
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        self.space = module.__dict__
        self.space["display"] = lambda *_, **__: None

    def find(self, request: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """What to call for ("run", number, source), ("look", name) or ("call", name, arguments)."""
        what, *details = request
        if what == "call":
            name, arguments = details
            return eval(name, self.space), arguments
        return getattr(self, what), tuple(details)

    def run(self, number: int, source: str) -> None:
        exec(compiled(source, f"<cell {number}>"), self.space)

    def look(self, name: str) -> tuple[str, Any]:
        if name not in self.space:
            return "nothing", None
        value = self.space[name]
        return ("function", None) if callable(value) else ("value", value)


def compiled(source: str, name: str) -> types.CodeType:
    """A cell as code; if Python cannot read it, without the magics of notebooks: a timed statement is run untimed."""
    try:
        return compile(source, name, "exec", dont_inherit=True)
    except SyntaxError:
        source = re.sub(r"(?m)^(\s*)(%%?(time|timeit|capture)\b[ \t]*|[%!?].*)", r"\1", source)
        return compile(source, name, "exec", dont_inherit=True)


if __name__ == "__main__":
    _loops.warm_up()
    Notebook().serve()
