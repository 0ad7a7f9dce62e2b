"""What a call in another process came to: there it is encoded as a line of JSON, here the line is decoded.

The grader reads what strangers' processes write with `decode`, so it trusts nothing: what it accepts is bounded in
size and depth, anything else raises an exception, and nothing is unpickled.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias, cast, get_args

import numpy as np

Kind: TypeAlias = Literal[
    "returned", "raised", "exited", "died", "slow", "memory", "output", "unshippable", "not tried"
]

MAX_LINE: Final = 2**22  # bytes; a value that needs more is described, not sent
MAX_TEXT: Final = 1000  # characters
_MAX_NAME: Final = 100
_MAX_ITEMS: Final = 100_000  # of a list or array
_MAX_DEPTH: Final = 5  # of lists in lists


@dataclass(frozen=True)
class Other:
    """A returned value that is neither number, text, list nor array: its type, and its repr."""

    type: str
    text: str


@dataclass(frozen=True)
class Outcome:
    """What happened in one case."""

    kind: Kind
    value: Any = None  # what was returned
    changed: tuple[int, ...] = ()  # the positions of arguments that the function changed
    printed: str = ""
    error: str = ""  # the exception's type
    message: str = ""  # the exception's message, or how the process ended
    file: str = ""  # the file or cell of the learner's innermost line, …
    line: int | None = None  # … its number, …
    code: str = ""  # … and its text

    @property
    def worker_survives(self) -> bool:
        """Can the worker serve another request after this one?"""
        return self.kind in ("returned", "raised", "exited")


def encode(kind: str, value: Any = None, *, error: BaseException | None = None, **fields: Any) -> str:
    """A line that tells an outcome; fields: changed, file, line. The value is plain already."""
    name, message = (type(error).__name__[:_MAX_NAME], str(error)[:MAX_TEXT]) if error else ("", "")
    nowhere = {"changed": [], "file": "", "line": 0}
    answer = {"kind": kind, "value": value, "error": name, "message": message, **nowhere, **fields}
    line = json.dumps(answer)
    return line if len(line) < MAX_LINE else encode(kind, {"type": "value", "text": "(it is too large)"}, **fields)


def decode(line: bytes) -> Outcome:
    """The outcome that a line tells; an exception if it makes no sense."""
    match json.loads(line):
        case {
            "kind": str(kind),
            "value": value,
            "changed": list(changed),
            "error": str(error),
            "message": str(message),
            "file": str(file),
            "line": int(number),
        } if kind in get_args(Kind):
            return Outcome(
                kind=cast(Kind, kind),
                value=_value(value),
                changed=tuple(map(int, changed)),
                error=error[:_MAX_NAME],
                message=message[:MAX_TEXT],
                file=file[:MAX_TEXT],
                line=number or None,
            )
    raise ValueError("this is no outcome")


def plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON can hold it: numbers, texts, lists, arrays; anything else is described."""
    if isinstance(value, Fraction):
        return float(value)
    if value is None or isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 2**63):
        return value
    if isinstance(value, str):
        return value[:MAX_TEXT]
    if isinstance(value, list | tuple | set | frozenset | range) and len(value) <= _MAX_ITEMS and depth < _MAX_DEPTH:
        items = [plain(item, depth + 1) for item in value]
        return {"tuple": items} if isinstance(value, tuple) else items
    if hasattr(value, "__array__") and not isinstance(value, type):
        return _plain_array(value)
    return _described(value, repr(value))


def _plain_array(value: Any) -> Any:
    array = np.asarray(value)
    kind = {"b": "?", "i": "i8", "u": "i8", "f": "f8"}.get(array.dtype.kind)
    if kind and array.ndim == 0:
        return array.astype(kind).item()
    if kind and _fits(array.shape):
        return {"array": kind, "shape": array.shape, "items": array.astype(kind).ravel().tolist()}
    return _described(value, f"an array of shape {array.shape} that holds {array.dtype}")


def _described(value: Any, text: str) -> dict[str, str]:
    return {"type": type(value).__name__[:_MAX_NAME], "text": text[:200]}


def _value(data: Any, depth: int = 0) -> Any:
    """The value that plain data stand for."""
    match data:
        case None | bool() | float() | int() if not isinstance(data, int) or abs(data) < 2**63:
            return data
        case str():
            return data[:MAX_TEXT]
        case list() if depth <= _MAX_DEPTH:
            return [_value(item, depth + 1) for item in data]
        case {"tuple": list(items)}:
            return tuple(_value(items, depth))
        case {"array": "?" | "i8" | "f8" as kind, "shape": list(shape), "items": list(items)} if _fits(shape):
            return np.array(items, dtype=kind).reshape(shape)
        case {"type": str(name), "text": str(text)}:
            return Other(name[:_MAX_NAME], text[:MAX_TEXT])
    raise ValueError("this is no value")


def _fits(shape: Sequence[int]) -> bool:
    """Can an array of this shape be sent? One without entries, too, has rows that somebody may want to look at."""
    return len(shape) <= 8 and math.prod(max(length, 1) for length in shape) <= _MAX_ITEMS
