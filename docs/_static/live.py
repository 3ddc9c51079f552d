"""What runs a cell in the page: as in a notebook, the value of the last expression is shown.

``live-worker.js`` calls `run`, `starter` and `homework`; ``show`` and ``write`` put HTML and text below the cell.
"""

import ast
import linecache
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
# tqdm has a thread that looks after slow bars, and warns where it cannot start.
warnings.filterwarnings("ignore", "tqdm:disabling monitor")


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
    tree = ast.parse(source, file)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, file, "exec"), names)
    if last is not None:
        shown(eval(compile(ast.Expression(last.value), file, "eval"), names), show, write)


def report(failure, write):
    """Write an exception with the lines of the cell, without those of this file."""
    trace = failure.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    if isinstance(failure, KeyboardInterrupt):
        write("\nStopped. The variables are kept.\n")
        return
    write("".join(traceback.format_exception(type(failure), failure, trace)))
    if isinstance(failure, ModuleNotFoundError):
        write(ELSEWHERE.format(name=failure.name))
    for said, what in REFUSED.items():
        if said in str(failure):
            write(NONE_HERE.format(what=what))


def instead(before, write):
    """Tell the reader, once, that a module is a small substitute: below the first cell that imports it."""
    for name in sys.modules.keys() - before:
        if text := getattr(sys.modules[name], "INSTEAD", None):
            write(f"\n{text}\n")


def run(source, check, apart, name, show, write):
    """Run a cell, and the check of an exercise after it; True if both ended well.

    An exercise runs ``apart``, with no variables but its own, so that nothing that was left behind answers its check.
    """
    names = {"__name__": "__main__"} if apart else variables
    before, imported = (sys.stdout, sys.stderr), set(sys.modules)
    sys.stdout = sys.stderr = Stream(write)
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
    try:
        execute(source, f"<{name}>", names, show, write)
        if check:
            execute(check, f"<the check of {name}>", names, show, write)
            write("Right.\n")
        return True
    except AssertionError as failure:
        if not check or not failure.args:
            report(failure, write)
        else:
            write(f"Not yet: {failure}\n")
        return False
    except BaseException as failure:
        report(failure, write)
        return False
    finally:
        if pyplot := sys.modules.get("matplotlib.pyplot"):
            for figure in pyplot.open_figures():
                show(figure._repr_html_())
        instead(imported, write)
        sys.stdout, sys.stderr = before


def starter(name):
    """The starter file of an assignment."""
    return minigrad.homework.find(name).started()


def homework(name, source, show, write):
    """Check a submission and show the report; True if it has all points."""
    path = Path(f"/tmp/{name}.py")
    path.write_text(source, encoding="utf-8")
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = Stream(write)
    try:
        result = minigrad.homework.check(path, name)
        show(result._repr_html_())
        return result.earned == result.points
    except BaseException as failure:
        report(failure, write)
        return False
    finally:
        sys.stdout, sys.stderr = before
