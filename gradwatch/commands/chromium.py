"""Chromium without a screen, for the picture of the page and for the tests of it.

Owns how it is found and started. Playwright drives it; neither is needed by a user.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.async_api import Browser

_WITHOUT: Final = ("gpu", "quic", "background-networking", "component-update", "sync")
"""It is to talk to nobody but us."""

INSTALL: Final = "apt install chromium, and pip install playwright"


def program() -> str | None:
    """Where it is, if it and what drives it are there."""
    if find_spec("playwright") is None:
        return None
    return shutil.which("chromium") or shutil.which("chromium-browser")


@asynccontextmanager
async def chromium(options: Sequence[str] = ()) -> AsyncIterator[Browser]:
    """A browser with nothing remembered."""
    from playwright.async_api import async_playwright

    less = ["--no-first-run", "--no-sandbox", *(f"--disable-{what}" for what in _WITHOUT)]
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=program(), args=[*less, *options])
        try:
            yield browser
        finally:
            await browser.close()
