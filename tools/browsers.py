"""Where this machine's Chromium is, and how the tools start it: without a window, and without its own errands."""

import os
import shutil
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
           "--disable-background-networking", "--disable-component-update")

WHAT_TO_INSTALL = """\
No Chromium was found. Any of these will do:
    Debian, Ubuntu    apt install chromium
    Fedora            dnf install chromium
    macOS             brew install --cask chromium, or Google Chrome
    Windows           Edge is there already; or Google Chrome
If it is somewhere else, say where: CHROMIUM=/path/to/chrome"""


def chromium():
    """The path of a Chromium: the one that ``CHROMIUM`` names, or the first that is installed; None without one."""
    named = os.environ.get("CHROMIUM")
    found = [named] if named else [*filter(None, map(shutil.which, NAMES)), *filter(os.path.exists, PLACES)]
    return str(Path(found[0])) if found else None
