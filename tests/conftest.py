"""Shared by all tests."""

import os
from pathlib import Path

import pytest

# scikit-learn's conformance suite skips its array-API check without this; it must be set before scipy is imported.
os.environ["SCIPY_ARRAY_API"] = "1"


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return Path(__file__).resolve().parent.parent
