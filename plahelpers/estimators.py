"""PLA and Pocket with scikit-learn's interface: fit, predict, score; in pipelines and cross-validation.

Any two class labels will do here. The larger one of `classes_` (they are sorted) stands for +1.
"""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from plahelpers._validation import FloatArray, SignOfZero
from plahelpers.hypothesis import scores
from plahelpers.learning import Run, pla, pocket


class _PerceptronClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What PLA and Pocket have in common: labels of any kind, a line, and which side is which."""

    _algorithm: Callable[..., Run]

    def __init__(
        self,
        *,
        order: Literal["cyclic", "shuffled", "random"] = "cyclic",
        eta: float = 1.0,
        sign_of_zero: SignOfZero = -1,
        max_updates: int = 100_000,
        random_state: Any = None,
    ) -> None:
        self.order = order
        self.eta = eta
        self.sign_of_zero = sign_of_zero
        self.max_updates = max_updates
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Any:
        """Learn w from examples with any two class labels; one class alone is learned at once."""
        points, labels = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(labels)
        self.classes_: NDArray[Any] = np.unique(labels)
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {type_of_target(labels)}: "
                f"y has {len(self.classes_)} classes."
            )
        options = self.get_params(deep=False)
        state = options.pop("random_state")
        # scikit-learn's None stands for NumPy's global stream, which is left alone here: None means fresh numbers.
        rng = None if state is None else int(check_random_state(state).randint(2**31 - 1))
        signs = np.where(labels == self.classes_[-1], 1, -1)
        run = self._algorithm(points, signs, **options, rng=rng, keep_path=False)  # large data have long paths
        self.coef_: FloatArray = run.w[np.newaxis, 1:]
        self.intercept_: FloatArray = run.w[:1]
        self.n_updates_: int = run.updates
        self.n_iter_: int = -(-run.visits // run.N)  # passes over the data, as scikit-learn counts
        self.halted_: bool = run.halted
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """wᵀx for each example: positive on the side of the last of `classes_`."""
        check_is_fitted(self)
        points = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return scores(np.append(self.intercept_, self.coef_[0]), points)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class of each example; on the line itself the first of `classes_`, unless sign_of_zero is +1."""
        values = self.decision_function(X)
        positive = values >= 0 if self.sign_of_zero == 1 else values > 0
        return self.classes_[np.where(positive, len(self.classes_) - 1, 0)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class PLAClassifier(_PerceptronClassifier):
    """PLA as a scikit-learn classifier: it halts on separable data, and warns when its budget runs out.

    The arguments are those of `plahelpers.pla`; random numbers come from `random_state`.
    """

    _algorithm = staticmethod(pla)


class PocketClassifier(_PerceptronClassifier):
    """Pocket as a scikit-learn classifier: the w with the fewest mistakes on PLA's walk, for data with noise.

    The arguments are those of `plahelpers.pocket`; random numbers come from `random_state`.
    """

    _algorithm = staticmethod(pocket)

    def __init__(
        self,
        *,
        max_updates: int = 1000,
        order: Literal["cyclic", "shuffled", "random"] = "random",
        eta: float = 1.0,
        sign_of_zero: SignOfZero = -1,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            order=order, eta=eta, sign_of_zero=sign_of_zero, max_updates=max_updates, random_state=random_state
        )
