"""The command line: `python -m minigrad run script.py [arguments]`.

`run` runs a Python script that was written for PyTorch, with minigrad under PyTorch's name (see _as_torch.py): the
script's own `import torch` then gives minigrad.
"""

import os
import runpy
import sys

from minigrad._as_torch import as_torch

_USAGE = """\
usage: python -m minigrad run SCRIPT [ARGUMENT ...]

Run a Python script with minigrad in the place of PyTorch: `import torch`, `from torch import autograd`,
`import torch.nn.functional as F` and the like give minigrad.
"""


def main(arguments):
    """Do what the command line says; return the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE, end="", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    command, *arguments = arguments
    if command != "run" or not arguments:
        complaint = "run what? Name a script." if command == "run" else f"unknown command {command!r}"
        print(f"minigrad: {complaint}\n\n{_USAGE}", end="", file=sys.stderr)
        return 2
    script = arguments[0]
    if not os.path.isfile(script):
        print(f"minigrad run: there is no file {script!r} (in {os.getcwd()})", file=sys.stderr)
        return 2
    as_torch()
    sys.argv = arguments
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.abspath(script))  # as `python SCRIPT` has it; it was the working directory
    runpy.run_path(script, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
