"""Is my function right, and if not, which mistake does it make?

    from plahelpers import checks
    checks.pla(my_pla)

Each check calls a *function*, in whatever cell it lives, and answers in sentences: what was tried, what came out, what
was expected. A wrong function is compared with known wrong versions. It runs in a process of its own, so that nothing
it does (never return, fill the memory, print without end, leave Python) can harm the notebook.

The conventions are the course's: X is an array of N rows without the bias column, y an array of −1 and +1, w has d + 1
entries with w₀ first; PLA starts from w = 0, visits 0, 1, …, N−1, 0, …, goes on after an update from the next
example, takes sign(0) = −1, and stops when a whole epoch passes without a mistake. Arguments are given by position,
so their names are free. A row of numbers may be a list, a tuple or an array, also one of shape (d+1, 1).

With `seed=` (a whole number) the checks `mistakes`, `pla` and those of homework go on to fresh cases, which nobody has
seen before. With `seconds=` a function gets more time than 10 seconds for all cases together.

`checks.score(2)` says how many of the checks of chapter 2 you have passed since the notebook was started. An assignment
brings its own checks, as a file beside the notebook: see `Table`.
"""

from plahelpers._validation import check_count
from plahelpers.checks import chapter01, chapter02, chapter03, chapter04, chapter05, values
from plahelpers.checks.chapter01 import *  # noqa: F403
from plahelpers.checks.chapter02 import *  # noqa: F403
from plahelpers.checks.chapter03 import *  # noqa: F403
from plahelpers.checks.chapter04 import *  # noqa: F403
from plahelpers.checks.chapter05 import *  # noqa: F403
from plahelpers.checks.report import NotPassedError as NotPassedError, Report, Score, score_of
from plahelpers.checks.result import Case
from plahelpers.checks.table import Table
from plahelpers.checks.values import *  # noqa: F403

__all__ = ["Case", "Report", "Table"]
__all__ += chapter01.__all__ + chapter02.__all__ + chapter03.__all__ + chapter04.__all__ + chapter05.__all__
__all__ += values.__all__


def score(chapter: int) -> Score:
    """How many checks of this chapter's exercises have been passed so far, and which have not."""
    modules = chapter01, chapter02, chapter03, chapter04, chapter05
    names = modules[check_count(chapter, "chapter", 1, 5) - 1].__all__
    return score_of(name for name in names if name != "pla")  # it is for whoever writes PLA elsewhere
