"""The secret of a course: a random file, made by the first call that grades, and kept.

The unseen data of hidden tests depend on it (see `plahelpers.homework.seed`), and stored results are sealed with it.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

NAME: Final = "secret"
_BYTES: Final = 32


def of_course(folder: Path) -> str:
    """The secret in this folder, which is made if there is none."""
    path = folder / NAME
    if not path.exists():
        _make(path)
    text = path.read_text(encoding="ascii", errors="replace").strip()
    if len(text) != 2 * _BYTES:
        raise SystemExit(f"{path} is not whole. Put the old one back, or delete it: then unseen data change.")
    return text


def _make(path: Path) -> None:
    """All of it at once, and only if nobody else was faster."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    new.touch(0o600, exist_ok=False)
    new.write_text(f"{secrets.token_hex(_BYTES)}\n", encoding="ascii")
    try:
        os.link(new, path)
    except FileExistsError:
        pass
    finally:
        new.unlink()
