"""The student's side. This file is the program of the sandboxed process; the rest of `grader` is never seen there.

It executes the notebook one statement at a time and answers questions about the result. What it is told arrives as
pickles from the process that grades; what it answers is plain data (see `plahelpers.guard.worker`), which that process
checks before it believes it.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import linecache
import mmap
import os
import pickle
import sys
import types
from collections.abc import Callable
from typing import Any, BinaryIO

from plahelpers.guard import worker

MAX_STARTS = 30  # processes, one after the other or at once
_CODE_MAGICS = ("time", "timeit", "capture", "prun", "python", "python3")  # magics around code that is Python


def main(marker: str, megabytes: str, cpu_seconds: str, file_megabytes: str) -> None:
    """Serve, under limits."""
    limit(float(cpu_seconds), float(file_megabytes))
    sys.addaudithook(spare_others)
    sys.addaudithook(Starts())
    worker.main(float(megabytes), marker.encode(), serve)


def limit(cpu_seconds: float, file_megabytes: float) -> None:
    """Limits that the system itself keeps, for the day on which nobody watches any more."""
    if sys.platform == "win32":
        return
    import resource

    for kind, most in ((resource.RLIMIT_CPU, int(cpu_seconds)), (resource.RLIMIT_FSIZE, int(file_megabytes * 2**20))):
        _, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (allowed, allowed))


def spare_others(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse to end processes that are not its own: without bubblewrap, `os.kill(-1, 9)` would end all of the user's.

    Against a mistake or a bad joke; who is bent on it finds another way, for that there is bubblewrap.
    """
    if event not in ("os.kill", "os.killpg") or arguments[0] == os.getpid():
        return
    import psutil

    own = {child.pid for child in psutil.Process().children(recursive=True)}
    if arguments[0] not in own:
        raise PermissionError("a notebook that is graded may end no process but its own")


class Starts:
    """Counts the processes that are started, by forks of forks too, and refuses when they are too many.

    The other side watches their number as well; but a machine with a thousand processes on it is slow to watch.
    """

    def __init__(self) -> None:
        self.count = mmap.mmap(-1, 4)  # forks see the same memory

    def __call__(self, event: str, _: tuple[Any, ...]) -> None:
        if event in ("os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"):
            started = int.from_bytes(self.count[:], "little") + 1
            self.count[:] = started.to_bytes(4, "little")
            if started > MAX_STARTS:
                raise RuntimeError(f"a notebook that is graded may start no more than {MAX_STARTS} processes")


def serve(requests: BinaryIO, channel: worker.AnswerChannel) -> None:
    """Take the notebook's cells, then answer one question after the other."""
    notebook = Notebook(pickle.load(requests))
    channel.send({"kind": "ready"})
    with contextlib.suppress(EOFError):
        while True:
            what, where, arguments, seconds = pickle.load(requests)
            worker.answer(channel, notebook.target(what, where), arguments, seconds, is_cell)


class Notebook:
    """The student's cells, and the names they have defined so far."""

    def __init__(self, cells: dict[int, str]) -> None:
        self.cells, self.statements = cells, dict[int, list[ast.stmt]]()
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        self.space = module.__dict__
        self.space |= {"get_ipython": lambda: Shell(self.space), "display": lambda *_, **__: None}

    def target(self, what: str, where: Any) -> Callable[..., Any]:
        """What is to be called."""
        if what == "call":
            function: Callable[..., Any] = self.space.get(where, _undefined(where))
            return function
        if what in ("look", "keep"):
            return lambda: getattr(self, what)(where)
        number, k = where
        return (lambda: self.parse(number)) if what == "parse" else (lambda: self.run(number, k))

    def parse(self, number: int) -> list[Any]:
        """Each statement of a cell: its first line, and the names it defines."""
        source = self.cells[number]
        self.statements[number] = parsed(source, name_of(number))
        linecache.cache[name_of(number)] = (len(source), None, source.splitlines(True), name_of(number))
        return [(statement.lineno, sorted(defined_by(statement))) for statement in self.statements[number]]

    def run(self, number: int, k: int) -> None:
        code = compile(ast.Module([self.statements[number][k]], []), name_of(number), "exec", dont_inherit=True)
        exec(code, self.space)

    def keep(self, alias: str) -> None:
        """Keep what a name stands for now under another one, "name@…", which no cell can give to anything else."""
        name, _, _ = alias.partition("@")
        if name in self.space:
            self.space[alias] = self.space[name]

    def look(self, name: str) -> tuple[str, Any]:
        """Is there such a name, and is it a function or a value?"""
        if name not in self.space:
            return "nothing", None
        value = self.space[name]
        return ("function", parameters_of(value)) if callable(value) else ("value", value)


def name_of(number: int) -> str:
    return f"<cell {number}>"


def is_cell(file: str) -> bool:
    return file.startswith("<cell ")


def parsed(source: str, name: str) -> list[ast.stmt]:
    """The statements of a cell; the magics of notebooks are turned into Python, if there are any."""
    try:
        return ast.parse(source, name).body
    except SyntaxError:
        from IPython.core.inputtransformer2 import TransformerManager

        try:
            return ast.parse(TransformerManager().transform_cell(source), name).body
        except SyntaxError as error:
            raise SyntaxError(error.msg, (name, error.lineno, error.offset, error.text)) from None


def defined_by(node: ast.AST) -> set[str]:
    """The names that a statement may define, those inside a function or class left out."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Store) else set()
    if isinstance(node, ast.alias):
        return {(node.asname or node.name).split(".")[0]}
    return set().union(*map(defined_by, ast.iter_child_nodes(node)))


def parameters_of(function: Any) -> list[Any] | None:
    """Each parameter: its name, its kind, whether it may be left out; None where Python cannot tell."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [(each.name, each.kind.name, each.default is not each.empty) for each in parameters]


def _undefined(name: str) -> Callable[..., Any]:
    def undefined(*_: Any) -> None:
        raise NameError(f"name {name!r} is not defined")

    return undefined


class Shell:
    """What cells with magics ask for: code inside a magic is run, everything else is passed over."""

    def __init__(self, space: dict[str, Any]) -> None:
        self.space = space

    def run_line_magic(self, name: str, line: str, *_: Any) -> None:
        if name in _CODE_MAGICS:
            exec(line, self.space)

    def run_cell_magic(self, name: str, _: str, body: str) -> None:
        if name in _CODE_MAGICS:
            exec(body, self.space)

    def __getattr__(self, _: str) -> Callable[..., None]:
        return lambda *_, **__: None
