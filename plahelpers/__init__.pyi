from . import (
    checks as checks,
    datasets as datasets,
    estimators as estimators,
    experiments as experiments,
    geometry as geometry,
    guarantee as guarantee,
    homework as homework,
    hypothesis as hypothesis,
    learning as learning,
    plots as plots,
    quizzes as quizzes,
    stage as stage,
    widgets as widgets,
)
from .datasets import (
    credit as credit,
    noisy_running_example as noisy_running_example,
    running_example as running_example,
    running_order as running_order,
    spam as spam,
)
from .estimators import PLAClassifier as PLAClassifier, PocketClassifier as PocketClassifier
from .experiments import repeat_pla as repeat_pla, repeat_pocket as repeat_pocket
from .geometry import disagreement as disagreement
from .guarantee import (
    best_line as best_line,
    margin as margin,
    proof_trace as proof_trace,
    radius as radius,
    separate as separate,
    update_bound as update_bound,
)
from .hypothesis import (
    error_rate as error_rate,
    is_mistake as is_mistake,
    mistakes as mistakes,
    predict as predict,
    scores as scores,
    sign as sign,
    with_bias as with_bias,
)
from .learning import BudgetWarning as BudgetWarning, Run as Run, pla as pla, pocket as pocket
from .widgets import play as play, stepper as stepper

__version__: str
