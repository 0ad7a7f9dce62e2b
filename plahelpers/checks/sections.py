"""The sections of the chapters to which a message sends its reader."""

from typing import Final

from plahelpers.checks.result import Section

BIAS: Final = Section(1, "The bias trick")
ON_THE_LINE: Final = Section(1, "What happens on the line")
SCORE: Final = Section(1, "A weighted sum against a threshold")
LINES: Final = Section(1, "How many different lines?")
JUDGING: Final = Section(1, "Judging a hypothesis")
CORRECT: Final = Section(2, "The picture of an update")
WORDS: Final = Section(2, "PLA in the lecture's words")
ORDERS: Final = Section(2, "Three orders")
ETA: Final = Section(2, "Further: The step size")
HISTOGRAM: Final = Section(2, "Further: 2000 shuffled cycles")
GROWTH: Final = Section(3, "How fast can w grow?")
GAIN: Final = Section(3, "How much does an update gain?")
BOUND: Final = Section(3, "How many updates at most?")
HARD: Final = Section(3, "Move the margin")
WHICH: Final = Section(3, "Which perfect w?")
ANY_ORDER: Final = Section(3, "Further: Any order will do")
SCALING: Final = Section(3, "Standardise")
POCKET: Final = Section(4, "Keep the best in your pocket")
GREEDY: Final = Section(4, "Further: Pocket against greedy")
CONFLICT: Final = Section(4, "Proof that no line will do")
REAL: Final = Section(4, "Real applicants")
