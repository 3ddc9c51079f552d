"""Says in plain words what this machine lacks to build minigrad, before anything else can fail.

Run by the Makefile with the Python that it found.  Written so that an old Python can run it too.
"""

import os
import shutil
import sys
import sysconfig


def problems():
    if sys.version_info < (3, 11):
        yield (
            "Python 3.11 or newer is needed; %s is %s.\n"
            "    Install one, then say which: make test PYTHON=python3.12"
            % (sys.executable, sys.version.split()[0])
        )
        return
    try:
        import ensurepip
        import venv
    except ImportError:
        yield (
            "The Python module venv is missing.\n"
            "    On Debian and Ubuntu: sudo apt install python3-venv"
        )
    for problem in lacking_to_compile():
        yield problem


def lacking_to_compile():
    """Also asked by setup.py, where something was not compiled."""
    if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        yield (
            "Python's headers (Python.h) are missing; the core is compiled against them.\n"
            "    On Debian and Ubuntu: sudo apt install python3-dev; on Fedora: sudo dnf install python3-devel"
        )
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if not shutil.which(compiler):
        yield (
            "No C compiler: %s is not on the PATH (the variable CC names another).\n"
            "    On Debian and Ubuntu: sudo apt install gcc; on macOS: xcode-select --install" % compiler
        )


def main():
    found = list(problems())
    for problem in found:
        sys.stderr.write("minigrad: " + problem + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
