"""Helpers for lecture 2 of Machine Learning Foundations, "Learning to Answer Yes/No": the perceptron.

    from plahelpers import pla, running_example
    X, y = running_example()
    pla(X, y)

The modules are named after the lecture: hypothesis, geometry, datasets, learning, guarantee, experiments, estimators;
and plots, widgets, quizzes and checks.
"""

import lazy_loader

__version__ = "0.1.0"

# What is on offer stands in __init__.pyi. A module is loaded when one of its names is first used, so that `import
# plahelpers` is quick: numba, scipy, scikit-learn, matplotlib and ipywidgets are imported only where they are needed.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
