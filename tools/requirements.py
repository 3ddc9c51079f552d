"""Prints what pyproject.toml asks for: the run-time dependencies and the extras named as arguments.

The Makefile installs these first, with progress shown, and minigrad itself without dependencies.
"""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
print(*project["dependencies"], sep="\n")
for extra in sys.argv[1:]:
    print(*project["optional-dependencies"][extra], sep="\n")
