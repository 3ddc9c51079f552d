"""What `make live` builds, if it is there: in docs/_static/live, or where MINIGRAD_LIVE says."""

import os
from pathlib import Path

import pytest

from tests.viz import conftest as players

PLACE = Path(os.environ.get("MINIGRAD_LIVE") or Path(__file__).resolve().parents[2] / "docs" / "_static" / "live")


chromium = players.chromium


@pytest.fixture(scope="session")
def runtime():
    if not (PLACE / "live.json").exists():
        pytest.skip(f"there is no Python for the page in {PLACE}: `make live` builds it")
    return PLACE
