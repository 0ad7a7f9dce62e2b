"""PLA and Pocket as scikit-learn classifiers: conformance, any two labels, pipelines."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

from plahelpers import PLAClassifier, PocketClassifier, pla, pocket
from plahelpers.datasets import noisy_running_example, running_example

both = pytest.mark.parametrize("Classifier", [PLAClassifier, PocketClassifier])


@both
@pytest.mark.filterwarnings("ignore::plahelpers.BudgetWarning")  # the suite's data are not all separable
def test_the_whole_conformance_suite_passes_and_nothing_is_skipped(Classifier):
    results = check_estimator(Classifier(), on_skip=None, on_fail=None)
    assert len(results) > 50
    assert [(r["check_name"], r["status"], r["exception"]) for r in results if r["status"] != "passed"] == []


def test_the_classifiers_learn_what_the_functions_learn():
    X, y = running_example()
    model, run = PLAClassifier().fit(X, y), pla(X, y)
    assert [*model.intercept_, *model.coef_[0]] == run.w.tolist()
    assert (model.n_updates_, model.halted_) == (8, True)
    assert model.n_iter_ == 4  # 70 visits of 20 examples
    X, y = noisy_running_example()
    options = {"order": "cyclic", "max_updates": 100}
    model, run = PocketClassifier(**options).fit(X, y), pocket(X, y, **options)
    assert [*model.intercept_, *model.coef_[0]] == run.w.tolist()
    assert model.score(X, y) == 1 - 4 / 20


def test_a_point_on_the_line_goes_where_sign_of_zero_sends_it():
    X, y = [[1.0], [-1.0]], [1, -1]
    for zero, answer in ((-1, -1), (1, 1), (0, -1)):
        model = PLAClassifier(sign_of_zero=zero).fit(X, y)
        on_the_line = -model.intercept_ / model.coef_[0]
        assert model.decision_function([on_the_line]) == 0
        assert model.predict([on_the_line]) == answer
