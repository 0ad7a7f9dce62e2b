"""Shared by all that needs a real browser: the system's Chromium, without a window, driven by Playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NO_CHROMIUM = "Chromium is not installed: apt-get install chromium"
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM)


@contextmanager
def started() -> "Iterator[Browser]":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    with started() as browser:
        yield browser


@pytest.fixture
def troubles() -> list[str]:
    """Errors of the page and requests to anywhere; a test that uses it ends with asserting that there are none."""
    return []


def opened(browser: "Browser", troubles: list[str], **options: Any) -> "Page":
    """A new page that notes its errors, and every request that is not for a file."""
    page = browser.new_page(**options)
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    here = ("file:", "data:", "blob:", "about:")
    page.on("request", lambda request: None if request.url.startswith(here) else troubles.append(request.url))
    return page
