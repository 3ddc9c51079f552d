"""The browser of the tests: any Chromium. Where there is none they are skipped, unless MINIGRAD_BROWSER=required."""

import os
import shutil
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
          "/Applications/Chromium.app/Contents/MacOS/Chromium")


@pytest.fixture(scope="module")
def chromium():
    found = (next(filter(None, map(shutil.which, NAMES)), None)
             or next((place for place in PLACES if Path(place).exists()), None))
    if found is None:
        if os.environ.get("MINIGRAD_BROWSER") == "required":
            pytest.fail("MINIGRAD_BROWSER=required, and no Chromium was found")
        pytest.skip("no Chromium was found")
    return found
