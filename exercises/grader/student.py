"""The student's side. This file is the program of the sandboxed process; the rest of `grader` is never seen there.

It runs the cells of a notebook one by one, as Jupyter does, and answers questions about what they defined. What it is
told arrives as pickles from the judge; what it answers is plain data, which the judge checks before it believes it.
"""

from __future__ import annotations

import json
import linecache
import pickle
import re
import sys
import types
from typing import Any

from plahelpers import _guard


def main() -> None:
    """Set the limits that the system keeps, and serve."""
    limits = json.loads(sys.argv.pop())
    if sys.platform != "win32":
        import resource

        for name, number in limits.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (number, number))
    _guard.serve(Notebook().target)


class Notebook:
    """The names that the cells have defined so far."""

    def __init__(self) -> None:
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        self.space = module.__dict__
        self.space["display"] = lambda *_, **__: None

    def target(self, message: bytes) -> _guard.Call:
        """What is to be called for a request: ("run", number, source), ("look", name), ("call", name, arguments)."""
        what, *details, seconds = pickle.loads(message)
        if what == "call":
            name, arguments = details
            return self.space[name], arguments, seconds, "<cell "
        return getattr(self, what), tuple(details), seconds, "<cell "

    def ready(self) -> None:
        """The process has started."""

    def run(self, number: int, source: str) -> None:
        name = f"<cell {number}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        exec(compiled(source, name), self.space)

    def look(self, name: str) -> tuple[str, Any]:
        """Is there such a name, and is it a function or a value?"""
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
    main()
