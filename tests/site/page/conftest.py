"""The browsers in which pages are tried; what `make live` builds, if it is there, in .venv/live or MINIGRAD_LIVE."""

import os
import shutil
from pathlib import Path

import pytest

from tests.viz import conftest as players

PLACE = Path(os.environ.get("MINIGRAD_LIVE") or Path(__file__).resolve().parents[3] / ".venv" / "live") / "live"


chromium = players.chromium
FIREFOX = ("firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox")


@pytest.fixture(params=["chromium", pytest.param("firefox", marks=pytest.mark.drawn)])
def browser(request):
    """What a test of the page runs in, each of them."""
    if request.param == "chromium":
        return request.getfixturevalue("chromium")
    found = next(filter(None, map(shutil.which, FIREFOX)), None)
    if found is None:
        pytest.skip("no Firefox was found")
    return found


@pytest.fixture(scope="session")
def runtime():
    if not (PLACE / "live.json").exists():
        pytest.skip(f"there is no Python for the page in {PLACE}: `make live` builds it")
    return PLACE


@pytest.fixture
def announced(tmp_path):
    """A folder in which the page finds Python announced; no test that uses it runs a cell."""
    folder = tmp_path / "live"
    folder.mkdir()
    (folder / "live.json").write_text("{}")
    return folder
