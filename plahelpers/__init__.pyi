from . import (
    checks as checks,
    datasets as datasets,
    estimators as estimators,
    experiments as experiments,
    geometry as geometry,
    guarantee as guarantee,
    hypothesis as hypothesis,
    learning as learning,
    plots as plots,
    quizzes as quizzes,
    widgets as widgets,
)
from .datasets import (
    credit as credit,
    noisy_running_example as noisy_running_example,
    running_example as running_example,
    spam as spam,
)
from .estimators import PLAClassifier as PLAClassifier, PocketClassifier as PocketClassifier
from .experiments import repeat_pla as repeat_pla, repeat_pocket as repeat_pocket
from .guarantee import best_line as best_line, separate as separate
from .hypothesis import mistakes as mistakes, predict as predict, with_bias as with_bias
from .learning import BudgetWarning as BudgetWarning, Run as Run, pla as pla, pocket as pocket
from .widgets import play as play

__version__: str
