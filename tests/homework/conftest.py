"""A submission's process imports minigrad each time; its bytecode is written once, even where Python keeps none."""

import importlib.util
import os
import subprocess
import sys

import pytest

import minigrad
from minigrad.homework.process import START


@pytest.fixture(scope="session", autouse=True)
def bytecode(tmp_path_factory):
    if os.path.exists(importlib.util.cache_from_source(minigrad.__file__)):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("bytecode")))
        writing = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        subprocess.run([sys.executable, str(START), "minigrad"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       env=writing | {"PYTHONPATH": str(START.parents[2])}, check=True)
        yield
