"""Show how far the grading is: one line on a terminal; elsewhere, such as in a log, a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Final

from tqdm import tqdm

from .folder import shown

_INTERVAL: Final = 30.0  # seconds between two lines where there is no terminal


class Progress:
    """How many are graded, how long the others will take, and who is being graded."""

    def __init__(self, students: Sequence[str]) -> None:
        self.students, self.working, self.ended = students, dict[int, str](), set[int]()
        self.start = self.last = time.monotonic()
        is_terminal = sys.stderr.isatty()
        self.bar = tqdm(total=len(students), unit="notebook", smoothing=0, dynamic_ncols=True, disable=not is_terminal)

    def started(self, k: int) -> None:
        if k not in self.ended:  # a cluster may tell it late
            self.working[k] = shown(self.students[k])
            self.bar.set_postfix_str(self.names)

    def finished(self, k: int) -> None:
        self.ended.add(k)
        self.working.pop(k, None)
        self.bar.set_postfix_str(self.names, refresh=False)
        self.bar.update()
        now, done, total = time.monotonic(), len(self.ended), len(self.students)
        if self.bar.disable and (now - self.last > _INTERVAL or done == total):
            self.last = now
            print(self._line((total - done) * (now - self.start) / done), file=sys.stderr, flush=True)

    @property
    def names(self) -> str:
        return ", ".join(list(self.working.values()))

    def _line(self, seconds: float) -> str:
        line = f"{len(self.ended)} of {len(self.students)} graded"
        return f"{line}; about {seconds / 60:.0f} minutes left; now {self.names}" if seconds else line

    def close(self) -> None:
        self.bar.close()
