"""Shared by all tests that need a real browser."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from book.chromium import started

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

needs_chromium = pytest.mark.usefixtures("chromium")  # skipped where there is none
TIMEOUT = 180_000  # milliseconds to wait for something, at most: the machine may have other work to do


@pytest.fixture(scope="module")
def browser(chromium: None) -> "Iterator[Browser]":
    from playwright.sync_api import expect

    expect.set_options(timeout=TIMEOUT)
    with started() as browser:
        yield browser


@pytest.fixture
def troubles() -> list[str]:
    """Errors of the page and requests to anywhere; a test that uses it ends with asserting that there are none."""
    return []


def opened(browser: "Browser", troubles: list[str], **options: Any) -> "Page":
    """A new page that notes its errors, and every request that is not for a file."""
    page = browser.new_page(**options)
    page.set_default_timeout(TIMEOUT)
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    here = ("file:", "data:", "blob:", "about:")
    page.on("request", lambda request: None if request.url.startswith(here) else troubles.append(request.url))
    return page
