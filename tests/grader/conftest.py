"""Shared by the tests of the grader."""

import pytest

from tests.grader.submissions import LIMITS, PLAIN


@pytest.fixture(params=["bubblewrap", "plain"])
def limits(request):
    """Those of a sandbox, and those of a plain process."""
    if request.param == "bubblewrap":
        request.getfixturevalue("bubblewrap")
        return LIMITS
    return PLAIN
