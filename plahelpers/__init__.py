"""Helpers for lecture 2 of Machine Learning Foundations, "Learning to Answer Yes/No": the perceptron.

    from plahelpers import pla, running_example
    X, y = running_example()
    pla(X, y)

The rooms are named after the lecture: hypothesis, datasets, learning, guarantee, experiments, estimators; and plots,
stage, widgets, quizzes, checks and homework to see it, play with it and try oneself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what an editor and a type checker see; "as" tells them that a name is meant for others, too
    from plahelpers import (
        checks as checks,
        datasets as datasets,
        estimators as estimators,
        experiments as experiments,
        guarantee as guarantee,
        homework as homework,
        hypothesis as hypothesis,
        learning as learning,
        plots as plots,
        quizzes as quizzes,
        stage as stage,
        widgets as widgets,
    )
    from plahelpers.datasets import (
        credit as credit,
        noisy_running_example as noisy_running_example,
        running_example as running_example,
        running_order as running_order,
        spam as spam,
    )
    from plahelpers.estimators import PLAClassifier as PLAClassifier, PocketClassifier as PocketClassifier
    from plahelpers.experiments import repeat_pla as repeat_pla, repeat_pocket as repeat_pocket
    from plahelpers.guarantee import (
        best_line as best_line,
        margin as margin,
        proof_trace as proof_trace,
        radius as radius,
        separate as separate,
        update_bound as update_bound,
    )
    from plahelpers.hypothesis import (
        disagreement as disagreement,
        error_rate as error_rate,
        is_mistake as is_mistake,
        mistakes as mistakes,
        predict as predict,
        scores as scores,
        sign as sign,
        with_bias as with_bias,
    )
    from plahelpers.learning import BudgetWarning as BudgetWarning, Run as Run, pla as pla, pocket as pocket
    from plahelpers.stage import play as play
    from plahelpers.widgets import stepper as stepper

__version__ = "0.1.0"

# Which room each name is in. A room is loaded when one of its names is first used, so that `import plahelpers` costs
# little: numba, scipy, scikit-learn, matplotlib and ipywidgets come in only when they have something to do.
_ROOMS = {
    "hypothesis": "disagreement error_rate is_mistake mistakes predict scores sign with_bias",
    "datasets": "credit noisy_running_example running_example running_order spam",
    "learning": "BudgetWarning Run pla pocket",
    "guarantee": "best_line margin proof_trace radius separate update_bound",
    "experiments": "repeat_pla repeat_pocket",
    "estimators": "PLAClassifier PocketClassifier",
    "plots": "",
    "stage": "play",
    "widgets": "stepper",
    "quizzes": "",
    "checks": "",
    "homework": "",
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = [*_ROOMS, *_ROOM_OF]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"plahelpers.{name}")
    if name not in _ROOM_OF:
        raise AttributeError(f"plahelpers has no {name!r}")
    value = getattr(import_module(f"plahelpers.{_ROOM_OF[name]}"), name)
    globals()[name] = value  # found at once the next time
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
