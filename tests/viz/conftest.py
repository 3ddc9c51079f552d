"""The browser of the tests: any Chromium. Where there is none they are skipped, unless MINIGRAD_BROWSER=required."""

import os
import shutil
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
          "/Applications/Chromium.app/Contents/MacOS/Chromium")


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """One for all tests of this process."""
    found = (next(filter(None, map(shutil.which, NAMES)), None)
             or next((place for place in PLACES if Path(place).exists()), None))
    if found is None:
        if os.environ.get("MINIGRAD_BROWSER") == "required":
            pytest.fail("MINIGRAD_BROWSER=required, and no Chromium was found")
        pytest.skip("no Chromium was found")
    if not hasattr(os, "fork"):
        pytest.skip("how Chromium is asked needs files that are handed on by their numbers")
    from tests import browsing          # which no Windows can import
    browser = browsing.chromium(found, tmp_path_factory.getbasetemp() / f"chromium-{os.getpid()}")
    yield browser
    browser.close()
