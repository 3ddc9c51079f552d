"""The command line: `python -m minigrad run script.py [arguments]` and `python -m minigrad explain MG101`.

`run` runs a Python script written for PyTorch, with minigrad under PyTorch's name (see _as_torch.py): the
script's own `import torch` then imports minigrad.  `explain` prints the page of an error (see error_pages/).
"""

import os
import runpy
import sys

from minigrad import error_pages
from minigrad._as_torch import as_torch
from minigrad._core.errors import MinigradError

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep

_USAGE = """\
usage: python -m minigrad run SCRIPT [ARGUMENT ...]
       python -m minigrad explain [CODE ...]

run: run a Python script with minigrad in place of PyTorch. `import torch`, `from torch import autograd`,
`import torch.nn.functional as F` and the like import minigrad.

explain: print the page of an error, by the code at the end of its message (such as MG101): what happened, a program
that fails, why it matters, the cure. Without a code: a list of all pages. """


def main(arguments):
    """Run the command line; return the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE, end="", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    command, *arguments = arguments
    if command == "run" and arguments:
        return run(arguments)
    if command == "explain":
        return explain(arguments)
    complaint = "run what? Name a script." if command == "run" else f"unknown command {command!r}"
    print(f"minigrad: {complaint}\n\n{_USAGE}", end="", file=sys.stderr)
    return 2


def run(arguments):
    """Run the script named first, with the rest as its arguments."""
    script = arguments[0]
    if not os.path.isfile(script):
        print(f"minigrad run: there is no file {script!r} (in {os.getcwd()})", file=sys.stderr)
        return 2
    as_torch()
    sys.argv = arguments
    if not sys.flags.safe_path:
        # as `python SCRIPT` would set it; it was the working directory
        sys.path[0] = os.path.dirname(os.path.abspath(script))
    try:
        runpy.run_path(script, run_name="__main__")
    except Exception as failure:
        hide_frames(failure)
        sys.excepthook(type(failure), failure, failure.__traceback__)
        return 1
    return 0


def hide_frames(failure):
    """Remove the frames that are not the script's from the traceback: this file, runpy, and minigrad where it raised an
    error on purpose.

    An error without a code is a bug in minigrad, and keeps its frames.
    """
    seen = set()
    while failure is not None and id(failure) not in seen:
        seen.add(id(failure))
        ours = (PACKAGE,) if isinstance(failure, MinigradError) else (__file__,)
        kept, frame = [], failure.__traceback__
        while frame is not None:
            file = frame.tb_frame.f_code.co_filename
            if not file.startswith((*ours, __file__, "<frozen runpy>")) and file != runpy.__file__:
                kept.append(frame)
            frame = frame.tb_next
        if kept:
            for frame, following in zip(kept, [*kept[1:], None]):
                frame.tb_next = following
            failure.__traceback__ = kept[0]
        failure = failure.__cause__ or failure.__context__


def explain(asked):
    """Print the requested pages, or a list of all pages."""
    if not asked:
        show(error_pages.listing() + "\nRead one with: python -m minigrad explain MG101")
        return 0
    found = [error_pages.resolve(each) for each in asked]
    for each, name in zip(asked, found):
        if name is None:
            close = error_pages.resembling(each)
            hint = (f"Did you mean {' or '.join(close)}?" if close else "To list all of them: python -m minigrad "
                    "explain")
            print(f"minigrad explain: there is no page {each!r}. {hint}", file=sys.stderr)
    if any(found):
        show("\n\n".join(error_pages.page(name).rstrip("\n") for name in found if name))
    return 0 if all(found) else 2


def show(text):
    """Print the text as far as it is read: `... | head` closes the pipe early, and so does a pager."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at the end of Python


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
