"""Known wrong versions of what notebook 01 builds: x₀ = +1, sign(s), predictions, mistakes and their rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.wrong_base import (
    BIAS,
    JUDGING,
    ON_THE_LINE,
    SCORE,
    Mistaken,
    Wrong,
    bias_first,
    bias_last,
    bias_minus,
    bias_none,
    bias_zero,
    zero_is_always_wrong,
    zero_is_minus,
    zero_is_never_wrong,
    zero_is_plus,
)


def score_of(w: FloatArray, x: FloatArray) -> float:
    """wᵀx, of an x without its bias."""
    return float(w[0] + w[1:] @ x)


def _score_without_bias(w: FloatArray, x: FloatArray) -> float:
    return float(w[1:] @ x)


def _score_bias_last(w: FloatArray, x: FloatArray) -> float:
    return float(w[:-1] @ x + w[-1])


def _score_minus(w: FloatArray, x: FloatArray) -> float:
    return float(w[1:] @ x - w[0])


def _sign(s: float) -> int:
    return 1 if s > 0 else -1


def _judging(
    judge: Callable[..., Any], score: Callable[[FloatArray, FloatArray], float] = score_of,
    mistaken: Mistaken = zero_is_minus,
) -> Callable[..., Any]:  # fmt: skip
    """A version of f(w, X, y): which examples are mistakes, by this score and this convention, handed to `judge`."""

    def version(w: FloatArray, X: FloatArray, y: IntArray) -> Any:
        return judge([mistaken(score(w, x), int(label)) for x, label in zip(X, y, strict=True)])

    return version


def scores_wrong(make: Callable[..., Callable[..., Any]], read: str = BIAS) -> tuple[Wrong, ...]:
    """The three ways to get wᵀx wrong, for any function that is made from a score."""
    return (
        Wrong("no_bias", "it leaves out w₀", "wᵀx begins with w₀·x₀, and x₀ = +1.", read, (make(_score_without_bias),)),
        Wrong("bias_last", "it takes the last entry of w for w₀", "w₀ is the first entry: w[0].", read,
              (make(_score_bias_last),)),
        Wrong("bias_minus", "it subtracts w₀ instead of adding it",
              "w₀ is already minus the threshold, so the score is w₀ + w₁x₁ + w₂x₂ and so on.", read,
              (make(_score_minus),)),
    )  # fmt: skip


def zeros_wrong(make: Callable[[Mistaken], Callable[..., Any]]) -> tuple[Wrong, ...]:
    """The three other things that can happen on the line."""
    return (
        Wrong("zero_never_wrong", "it never counts a point on the line as a mistake (y wᵀx < 0)",
              "here sign(0) = −1: a positive example on the line is a mistake.", ON_THE_LINE,
              (make(zero_is_never_wrong),)),
        Wrong("zero_is_plus", "it takes sign(0) to be +1", "here sign(0) = −1.", ON_THE_LINE, (make(zero_is_plus),)),
        Wrong("zero_always_wrong", "it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign)",
              "here sign(0) = −1: a negative example on the line is right.", ON_THE_LINE,
              (make(zero_is_always_wrong),)),
    )  # fmt: skip


WITH_BIAS: Final = (
    Wrong("bias_last", "it puts the ones behind the features", "x₀ comes first, so that w₀ is w[0].", BIAS,
          (bias_last,)),
    Wrong("bias_minus", "it puts −1 in front", "x₀ = +1; it is w₀ that is minus the threshold.", BIAS, (bias_minus,)),
    Wrong("bias_zero", "it puts 0 in front", "with x₀ = 0 the threshold is lost; x₀ = +1.", BIAS, (bias_zero,)),
    Wrong("no_bias", "it returns X as it was", "a column of ones has to be put in front.", BIAS, (bias_none,)),
    Wrong("bias_as_row", "it puts a row of ones on top", "x₀ belongs to every example, so it is a column: axis=1.",
          BIAS, (lambda X: np.vstack([np.ones(X.shape[1]), X]),)),
    Wrong("transposed", "it returns rows and columns exchanged", "each example is a row.", BIAS,
          (lambda X: bias_first(X).T, lambda X: np.vstack([np.ones(len(X)), X.T]).copy())),
    Wrong("flattened", "it returns all numbers in one row", "numpy.insert needs axis=1: each example stays a row.",
          BIAS, (lambda X: np.insert(X, 0, 1.0), lambda X: bias_first(X).ravel())),
)  # fmt: skip

SIGN: Final = (
    Wrong("zero_is_plus", "it gives +1 at zero (`>=` where `>` was meant)", "here sign(0) = −1.", ON_THE_LINE,
          (lambda s: 1 if s >= 0 else -1,)),
    Wrong("zero_is_zero", "it gives 0 at zero, as numpy.sign does",
          "a perceptron answers yes or no, and here sign(0) = −1.", ON_THE_LINE,
          (lambda s: int(np.sign(s)),)),
    Wrong("flipped", "its signs are the wrong way round", "a positive score is +1.", SCORE, (lambda s: -_sign(s),)),
    Wrong("zero_one_labels", "it answers 1 and 0 (or True and False)", "the labels are +1 and −1.", SCORE,
          (lambda s: int(s > 0), lambda s: int(s >= 0))),
    Wrong("rounds", "it rounds the score before it looks at its sign", "0.4 is positive.", SCORE,
          (lambda s: _sign(int(s)), lambda s: _sign(round(s)))),
    Wrong("returns_score", "it returns the score itself", "only its sign is asked for.", SCORE, (lambda s: s,)),
)  # fmt: skip


def _predict(score: Callable[..., float] = score_of, sign: Callable[[float], Any] = _sign) -> Callable[..., Any]:
    return lambda w, X: [sign(score(w, x)) for x in X]


PREDICT: Final = (
    *scores_wrong(_predict),
    Wrong("zero_is_plus", "it predicts +1 on the line", "here sign(0) = −1.", ON_THE_LINE,
          (_predict(sign=lambda s: 1 if s >= 0 else -1),)),
    Wrong("zero_is_zero", "it predicts 0 on the line, as numpy.sign does", "here sign(0) = −1.", ON_THE_LINE,
          (_predict(sign=lambda s: int(np.sign(s))),)),
    Wrong("flipped", "its labels are the wrong way round", "a positive score is +1.", SCORE,
          (_predict(sign=lambda s: -_sign(s)),)),
    Wrong("zero_one_labels", "it predicts 1 and 0 (or True and False)", "the labels are +1 and −1.", SCORE,
          (_predict(sign=lambda s: int(s > 0)),)),
    Wrong("returns_score", "it returns the scores themselves", "a prediction is the sign of the score.", SCORE,
          (_predict(sign=float),)),
)  # fmt: skip


def _places(wrong: list[bool]) -> list[int]:
    return [n for n, each in enumerate(wrong) if each]


MISTAKES: Final = (
    *scores_wrong(lambda score: _judging(_places, score)),
    *zeros_wrong(lambda mistaken: _judging(_places, mistaken=mistaken)),
    Wrong("counts_right", "it takes the examples that are right", "a mistake is sign(wᵀx) ≠ y.", JUDGING,
          (_judging(lambda wrong: _places([not each for each in wrong])),)),
    Wrong("numbers_from_one", "it numbers the examples from 1", "the first example is number 0.", JUDGING,
          (_judging(lambda wrong: [n + 1 for n in _places(wrong)]),)),
    Wrong("rate", "it returns the fraction of mistakes", "here their number is asked for.", JUDGING,
          (_judging(lambda wrong: sum(wrong) / len(wrong)),)),
    Wrong("zero_one_mask", "it gives a 0 or a 1 for each example",
          "give the numbers of the mistakes, or True and False for each example.", JUDGING,
          (_judging(lambda wrong: [int(each) for each in wrong]),)),
    Wrong("first_only", "it stops at the first mistake", "all of them are asked for.", JUDGING,
          (_judging(lambda wrong: _places(wrong)[:1]),)),
)  # fmt: skip


def _rate(wrong: list[bool]) -> float:
    return sum(wrong) / len(wrong)


ERROR_RATE: Final = (
    *scores_wrong(lambda score: _judging(_rate, score)),
    *zeros_wrong(lambda mistaken: _judging(_rate, mistaken=mistaken)),
    Wrong("count", "it returns the number of mistakes", "divide by N.", JUDGING, (_judging(sum),)),
    Wrong("accuracy", "it returns the fraction that is right", "the error rate is 1 minus that.", JUDGING,
          (_judging(lambda wrong: 1 - _rate(wrong)),)),
    Wrong("percent", "it returns per cent", "a fraction from 0 to 1 is asked for.", JUDGING,
          (_judging(lambda wrong: 100 * _rate(wrong)),)),
    Wrong("whole_division", "it divides in whole numbers (`//`)", "use `/`.", JUDGING,
          (_judging(lambda wrong: sum(wrong) // len(wrong)),)),
)  # fmt: skip
