"""Shared by all tests."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from xdist.scheduler import LoadScopeScheduling

from book.chromium import CHROMIUM
from tests import programs
from tests.browser import browser, troubles  # noqa: F401  (fixtures of the tests that need one)

# scikit-learn's conformance suite skips its array-API check without this; it must be set before scipy is imported.
os.environ["SCIPY_ARRAY_API"] = "1"

hypothesis.settings.register_profile("project", deadline=None, max_examples=60)  # no test depends on a time
hypothesis.settings.load_profile("project")

PROGRAMS = ("bubblewrap", "chromium")  # tests that use one of these fixtures get its name as a marker
# Tests that share something costly, which one worker makes once: JupyterLab, the site, a class, chapters, a browser.
TOGETHER = (
    "tests/book/test_lab",
    "tests/book",
    "tests/grader/test_class",
    "tests/notebooks",
    "tests/package/test_widgets_browser",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for program in set(PROGRAMS) & set(getattr(item, "fixturenames", ())):
            item.add_marker(program)
            item.add_marker("slow")
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)  # slow ones first: nobody waits at the end


class Groups(LoadScopeScheduling):
    """Hands out what is together first, and then test by test."""

    def _split_scope(self, nodeid: str) -> str:
        return next((place for place in TOGETHER if nodeid.startswith(place)), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Groups:
    return Groups(config, log)


@pytest.hookimpl(trylast=True)  # below the coverage, where it is read
def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what was not tried, why, and which command makes it possible."""
    skipped = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])]
    for reason, count in Counter(skipped).most_common():
        terminalreporter.line(f"Not tried ({count}): {reason.removeprefix('Skipped: ')}")
    if skipped and programs.missing():
        terminalreporter.line(programs.advice())


@pytest.fixture(scope="session")
def chromium() -> None:
    """Only where there is the browser Chromium."""
    if CHROMIUM is None:
        pytest.skip("This needs Chromium, which is not installed.")


@pytest.fixture(scope="session")
def bubblewrap() -> None:
    """Only where bubblewrap works."""
    from exercises.grader import sandbox

    if reason := sandbox.why_no_bubblewrap():
        pytest.skip(f"This needs bubblewrap: {reason}.")


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    """Compile before the first test: what a test sees must not depend on what was compiled on an earlier day."""
    from plahelpers import _loops

    _loops.warm_up()


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return Path(__file__).resolve().parent.parent
