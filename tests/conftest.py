"""Shared by all tests."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

from tests.browser import browser, troubles  # noqa: F401  (fixtures of the tests that need one)

# scikit-learn's conformance suite skips its array-API check without this; it must be set before scipy is imported.
os.environ["SCIPY_ARRAY_API"] = "1"

hypothesis.settings.register_profile("project", deadline=None)  # machines are shared: no test depends on a time
hypothesis.settings.load_profile("project")

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
def shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Callable[..., Path]:
    """A function: `shared_folder("book", build)` is a folder that one worker fills by `build(folder)`, for all workers.

    What is costly to build is then built once, however pytest-xdist distributes the tests. Tests only read it.
    """
    own = tmp_path_factory.getbasetemp()
    base = own if worker_id == "master" else own.parent

    def build_once(name: str, build: Callable[[Path], object]) -> Path:
        folder, end = base / f"shared-{name}", base / f"shared-{name}.end"
        try:
            folder.mkdir()
        except FileExistsError:  # another worker was first, or this one in an earlier test
            deadline = time.monotonic() + BUILD_TIMEOUT
            while not end.exists() and time.monotonic() < deadline:
                time.sleep(0.1)
        else:
            try:
                build(folder)
            finally:  # where it fails, nobody is to wait in vain
                end.touch()
        return folder

    return build_once
