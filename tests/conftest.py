"""Shared by all tests."""

import os
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import browser, troubles  # noqa: F401  (fixtures of the tests that need one)

# scikit-learn's conformance suite skips its array-API check without this; it must be set before scipy is imported.
os.environ["SCIPY_ARRAY_API"] = "1"

BUILD_TIMEOUT = 600  # seconds that a worker waits for a folder which another one builds


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    """Compile before the first test: what a test sees must not depend on what was compiled on an earlier day."""
    from plahelpers import _loops

    _loops.warm_up()


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_folder(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str
) -> Callable[[str, Callable[[Path], None]], Path]:
    """A function: `shared_folder("book", build)` is a folder that one worker fills by `build(folder)`, for all workers.

    What is costly to build is then built once, however pytest-xdist distributes the tests. Tests only read it.
    """
    alone = worker_id == "master"
    base = tmp_path_factory.getbasetemp() if alone else tmp_path_factory.getbasetemp().parent

    def build_once(name: str, build: Callable[[Path], None]) -> Path:
        folder, outcome = base / f"shared-{name}", base / f"shared-{name}.outcome"
        try:
            folder.mkdir()
        except FileExistsError:  # another worker was first, or this one in an earlier test
            error = wait_for(outcome)
        else:
            error = outcome_of(build, folder)
            part = outcome.with_suffix(".part")
            part.write_text(error, encoding="utf-8")
            part.replace(outcome)
        if error:
            pytest.fail(f"The folder {name!r} could not be built.\n{error}", pytrace=False)
        return folder

    return build_once


def outcome_of(build: Callable[[Path], None], folder: Path) -> str:
    """Build, and return the traceback of what went wrong: every worker is to show it, and none is to wait in vain."""
    try:
        build(folder)
    except (Exception, pytest.fail.Exception):
        return traceback.format_exc()
    return ""


def wait_for(outcome: Path) -> str:
    deadline = time.monotonic() + BUILD_TIMEOUT
    while not outcome.exists():
        assert time.monotonic() < deadline, f"{outcome.name}: the worker that builds it does not come to an end"
        time.sleep(0.1)
    return outcome.read_text(encoding="utf-8")
