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

if TYPE_CHECKING:  # what an editor and a type checker see
    from plahelpers import (
        checks,
        datasets,
        estimators,
        experiments,
        guarantee,
        homework,
        hypothesis,
        learning,
        plots,
        quizzes,
        stage,
        widgets,
    )
    from plahelpers.datasets import credit, noisy_running_example, running_example, running_order, spam
    from plahelpers.estimators import PLAClassifier, PocketClassifier
    from plahelpers.experiments import repeat_pla, repeat_pocket
    from plahelpers.guarantee import best_line, margin, proof_trace, radius, separate, update_bound
    from plahelpers.hypothesis import (
        disagreement,
        error_rate,
        is_mistake,
        mistakes,
        predict,
        scores,
        sign,
        with_bias,
    )
    from plahelpers.learning import BudgetWarning, Run, pla, pocket
    from plahelpers.stage import play
    from plahelpers.widgets import stepper

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
