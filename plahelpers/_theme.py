"""How things look: the one place for colours, marks and sizes, for pictures, widgets, the stage and the quizzes.

A colour means one thing, in pictures, words and formulas: +1, −1, a mistake, w, or a bound. Whatever else there is to
draw is neutral, ink or faint, and differs by its dashes. The two classes differ in mark (● and ×) and in lightness as
well, so that they can be told apart in greyscale and by colour-blind readers. Sizes are for the back row of a hall.
"""

from typing import Final

PLUS: Final = "#0B5394"  # dark blue, ●
MINUS: Final = "#D9730D"  # orange, ×
MINUS_WORDS: Final = "#A85400"  # what is written in orange, dark enough to be read
PLUS_REGION: Final = "#D3E4F4"
MINUS_REGION: Final = "#FCEEDD"
MISTAKE: Final = "#B3005E"  # the ring around a mistake, and the step that corrects it
W: Final = "#6A3D9A"  # w, its line, its walk
BOUND: Final = "#1B7837"  # what the proof promises; an answer that is right
INK: Final = "#1A1A1A"  # words, and lines with no meaning of their own
FAINT: Final = "#6E6E6E"  # axes, and what is past
IMPOSSIBLE: Final = "#E3E3E3"  # the region beyond a bound

FONT_SIZE: Final = 16  # points, in a figure of the width below
FIGURE_SIZE: Final = (6.0, 4.5)  # inches
LINE_WIDTH: Final = 2.2
MARK_SIZE: Final = 9.0

# The widgets of a page: each colour in the light and in the dark.
LOOK: Final = {
    "paper": ("#FFFFFF", "#16191E"),
    "ink": (INK, "#E9ECEF"),
    "faint": (FAINT, "#A3A9B0"),
    "edge": ("#CCCCCC", "#454C55"),
    "control": ("#F3F3F3", "#262B32"),
    "note": ("#FBF3F7", "#33202B"),
    "plus": (PLUS, "#7CB8F2"),
    "minus": (MINUS, "#F5A25D"),
    "minus_words": (MINUS_WORDS, "#F5A25D"),
    "plus_region": (PLUS_REGION, "#1C3146"),
    "minus_region": (MINUS_REGION, "#3A2C1E"),
    "mistake": (MISTAKE, "#FF7DBE"),
    "w": (W, "#C3A3EE"),
    "bound": (BOUND, "#6CCB86"),
    "next": (INK, "#E9ECEF"),
    "pocket": (W, "#C3A3EE"),
    "impossible": (IMPOSSIBLE, "#33373D"),
}
