"""Shared by all tests."""

import os
from pathlib import Path

import pytest
from browser import browser, troubles  # noqa: F401  (fixtures of the tests that need one)

# scikit-learn's conformance suite skips its array-API check without this; it must be set before scipy is imported.
os.environ["SCIPY_ARRAY_API"] = "1"


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    """Compile before the first test: what a test sees must not depend on what was compiled on an earlier day."""
    from plahelpers import _loops

    _loops.warm_up()


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return Path(__file__).resolve().parent.parent
