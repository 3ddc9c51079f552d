"""What runs a cell in the page: as in a notebook, the value of the last expression is shown.

``live-worker.js`` calls `begin`, `run`, `starter` and `homework`; ``show`` and ``write`` put HTML and text below
the cell.
"""

import ast
import gc
import html
import linecache
import random
import re
import sys
import traceback
import warnings
from pathlib import Path

import minigrad

#: the variables that the cells of a page share
variables = {"__name__": "__main__"}
#: what the page does not have, and where it is
ELSEWHERE = ("\nThis page has Python, NumPy, minigrad and a small matplotlib.pyplot. With {name} installed, the "
             "downloaded tutorial\nruns on your computer.\n")
#: what a page has none of, by what Python says where one is asked for
REFUSED = {"can't start new thread": "threads", "does not support processes": "processes"}
NONE_HERE = ("\nA page has no {what}, and this cell needs them. What is below the code as the site was built shows its "
             "output; the\ndownloaded tutorial runs on your computer.\n")
#: where the site has the pages of errors
errors = ""
#: how a message of minigrad's ends
EXPLAINED = re.compile(r"\s*\[(MG\d+)\]\n\(python -m minigrad explain MG\d+\)$")
#: what notebooks understand and Python does not, by the character that such a line begins with
NOT_PYTHON = {
    "%": "Lines that begin with % are magic commands of Jupyter, which is not here. What follows %time or %%time runs "
         "without it.",
    "!": "Lines that begin with ! are commands to a shell, and a page has none. Nothing needs to be installed: Python, "
         "NumPy and minigrad are here, under PyTorch's name too (import torch).",
}
NO_INPUT = ("input() waits for a line from a keyboard, and a cell of this page can't wait. Write the value into the "
            "cell, such as name = \"Ada\".")
# tqdm has a thread that looks after slow bars, and warns where it cannot start.
warnings.filterwarnings("ignore", "tqdm:disabling monitor")
#: how a cell ends: with what it should do, a check that is not passed, Stop, or an error
DONE, WRONG, STOPPED, FAILED = "done", "wrong", "stopped", "failed"


def begin(place_of_errors):
    """Go on from the snapshot, whose memory is the same for every page, and so are its random numbers."""
    global errors
    errors = place_of_errors
    gc.enable()
    random.seed()
    minigrad.seed()


class Stream:
    """Text goes to the page at once: what a loop prints is seen while it runs."""

    def __init__(self, write):
        self.send = write

    def write(self, text):
        if text:
            self.send(text)
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return False


def shown(value, show, write):
    """Show a value as HTML if it has some, and otherwise as ``repr``."""
    if value is None:
        return
    html = value._repr_html_() if hasattr(value, "_repr_html_") else None
    if html is None:
        write(repr(value) + "\n")
    else:
        show(html)


def execute(source, file, names, show, write):
    """Run a cell, and show the value of its last line if that is an expression."""
    # Tracebacks and minigrad's messages quote the lines.
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    tree = parsed(source, file)
    if any(map(is_of_torch, ast.walk(tree))):
        minigrad.as_torch()             # from here on, since later cells use what this one defines
    names.setdefault("input", no_input)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, file, "exec"), names)
    if last is not None:
        shown(eval(compile(ast.Expression(last.value), file, "eval"), names), show, write)


def parsed(source, file):
    try:
        return ast.parse(source, file)
    except SyntaxError as failure:
        line = (failure.text or "").strip()
        if line[:1] in NOT_PYTHON:
            failure.msg = NOT_PYTHON[line[0]]
        raise failure.with_traceback(None)


def is_of_torch(node):
    """Is this an import of PyTorch's name?"""
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    if isinstance(node, ast.ImportFrom) and not node.level:
        names = [node.module]
    return any(name.partition(".")[0] == "torch" for name in names)


def no_input(prompt=""):
    raise RuntimeError(NO_INPUT)


def report(failure, file, show, write, mark):
    """Show an exception: what it says, the line of the cell, and the calls below it folded away; how the cell ends.

    ``mark`` is called with the number of that line.
    """
    if isinstance(failure, KeyboardInterrupt):
        write("\nStopped. The variables are kept.\n")
        return STOPPED
    trace = failure.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    told = traceback.TracebackException(type(failure), failure, trace)
    said = "".join(told.format_exception_only()).rstrip("\n")
    code = EXPLAINED.search(said)
    if isinstance(failure, SyntaxError):
        said, lines = f"{type(failure).__name__}: {failure.msg}", [failure.lineno] * (failure.filename == file)
    else:
        lines = [call.lineno for call in told.stack if call.filename == file]
    parts = [f"<p>{html.escape(EXPLAINED.sub('', said))}{page_of(code)}</p>"]
    if lines:
        mark(lines[-1])
        quoted = linecache.getline(file, lines[-1]).strip()
        parts.append(f"<p>Line {lines[-1]} of {html.escape(file.strip('<>'))}: <code>{html.escape(quoted)}</code></p>")
    if told.stack:
        calls = html.escape("".join(told.format()))
        parts.append(f"<details><summary>All calls</summary><pre tabindex='0'>{calls}</pre></details>")
    show(f"<div class='live-error'>{''.join(parts)}</div>")
    if isinstance(failure, ModuleNotFoundError):
        write(ELSEWHERE.format(name=failure.name))
    for said, what in REFUSED.items():
        if said in str(failure):
            write(NONE_HERE.format(what=what))
    return FAILED


def page_of(code):
    """A link to the page of an error, found by `EXPLAINED`."""
    return f" <a href='{errors}{code[1]}.html'>{code[1]}, explained</a>" if code else ""


def instead(before, write):
    """Tell the reader, once, that a module is a small substitute: below the first cell that imports it."""
    for name in sys.modules.keys() - before:
        if text := getattr(sys.modules[name], "INSTEAD", None):
            write(f"\n{text}\n")


def run(source, check, apart, name, show, write, mark=lambda line: None):
    """Run a cell, and the check of an exercise after it; how that ends.

    An exercise runs ``apart``, with no variables but its own, so that nothing that was left behind answers its check.
    """
    names = {"__name__": "__main__"} if apart else variables
    before, imported = (sys.stdout, sys.stderr), set(sys.modules)
    sys.stdout = sys.stderr = Stream(write)
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
    file, checking = f"<{name}>", f"<the check of {name}>"
    try:
        execute(source, file, names, show, write)
        if check:
            execute(check, checking, names, show, write)
            write("Right.\n")
        return DONE
    except AssertionError as failure:
        if not check or not failure.args:
            return report(failure, file, show, write, mark)
        write(f"Not yet: {failure}\n")
        return WRONG
    except BaseException as failure:
        return report(failure, file, show, write, mark)
    finally:
        if pyplot := sys.modules.get("matplotlib.pyplot"):
            for figure in pyplot.open_figures():
                show(figure._repr_html_())
        instead(imported, write)
        sys.stdout, sys.stderr = before


def starter(name):
    """The starter file of an assignment; None where there is none of this name, as in a link."""
    return minigrad.homework.find(name).started() if name in minigrad.homework.names() else None


def homework(name, source, show, write, say):
    """Check a submission and show the report; how that ends.  ``say`` is told the points."""
    path = Path(f"/tmp/{name}.py")
    path.write_text(source, encoding="utf-8")
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = Stream(write)
    try:
        result = minigrad.homework.check(path, name)
        show(result._repr_html_())
        say(f"{result.earned:g} of {result.points:g} points")
        return DONE if result.earned == result.points else WRONG
    except BaseException as failure:
        return report(failure, str(path), show, write, lambda line: None)
    finally:
        sys.stdout, sys.stderr = before
