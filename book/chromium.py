"""The system's Chromium, without a window, driven by Playwright: for checks, for paper, and for the tests."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NO_CHROMIUM = "This needs the browser Chromium, which is not installed: on Debian or Ubuntu, sudo apt install chromium"


@contextmanager
def started() -> "Iterator[Browser]":
    """A browser; if there is none on this machine, a sentence, and the end."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        raise SystemExit(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
