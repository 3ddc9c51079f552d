"""What ``import minigrad`` says if its core is not compiled, or was compiled for another Python.

Without the core there are no codes of errors to be explained, so this is an ImportError with plain words.
"""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES


def why(library):
    """The text of the error: which folder was meant, what it lacks, and what to run; ``library`` is what is missing."""
    package = os.path.dirname(library)
    home = os.path.dirname(package)
    cloned = os.path.exists(os.path.join(home, "setup.py"))
    others = [name for name in os.listdir(package) if name.startswith("_core.") and name.endswith((".so", ".pyd"))
              and name != f"_core{EXTENSION_SUFFIXES[0]}"]
    said = [f"minigrad cannot be imported from {home}: its core, {os.path.basename(library)}, is not there."]
    if others:
        said.append(f"It was compiled for another Python ({', '.join(sorted(others))}); this one is {sys.executable}.")
    elif cloned:
        said.append("That is a clone of its sources, in which nothing was compiled yet.")
    installed = [entry for entry in sys.path if is_compiled(os.path.join(entry, "minigrad"), other_than=package)]
    if installed:
        said.append(f"It hides the minigrad that is installed in {installed[0]}, since Python looks here first.\n"
                    "Write instead: cd to another folder, then the same again.")
    elif cloned:
        said.append(f"Write instead: cd {home}, then make build, which compiles it for .venv/bin/python;\n"
                    f"or, for this Python: {sys.executable} -m pip install {home}, and start Python elsewhere.")
    else:
        said.append(f"Write instead: {sys.executable} -m pip install --force-reinstall minigrad-autograd")
    return "\n".join(said)


def is_compiled(package, other_than):
    """Is this a minigrad whose core is for this Python?"""
    return os.path.abspath(package) != os.path.abspath(other_than) and any(
        os.path.exists(os.path.join(package, f"_core{suffix}")) for suffix in EXTENSION_SUFFIXES)
