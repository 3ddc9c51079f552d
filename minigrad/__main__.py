"""The command line: `python -m minigrad run script.py [arguments]`, `... explain MG101`, `... play "sin(x)" x=1`,
`... derive "sin(x)" x=1`, `... code script.py`, `... doctor`, exercises and homework; `... --version`.

`run` runs a Python script written for PyTorch, with minigrad under PyTorch's name (see _as_torch.py): the
script's own `import torch` then imports minigrad.  `explain` prints the page of an error (see error_pages/).  `play`
opens a player of an expression (see viz/expressions.py), and `derive` writes its gradients as equations; `code` writes
the pass of a script as a program (see viz/program.py).  `exercise` starts and checks the exercises of the course (see
exercises/), and `homework` assignments (see homework/).
"""

import ast
import builtins
import os
import runpy
import sys
import tempfile
import webbrowser
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType

import minigrad
from minigrad import doctor, error_pages, viz
from minigrad._as_torch import as_torch
from minigrad._core.errors import MinigradError, error
from minigrad.homework import cli
from minigrad.viz.expressions import derive_expression
from minigrad.viz.program import program_of

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep

_RUN = ("run SCRIPT | -m MODULE | -c CODE | - [ARGUMENT ...]", """\
run: run a Python script with minigrad in place of PyTorch. `import torch`, `from torch import autograd`,
`import torch.nn.functional as F` and the like import minigrad. As for python itself, -m MODULE names a module, such as
pytest, -c CODE is the program, and - reads it from the standard input.
""")
_EXPLAIN = ("explain [CODE ...]", """\
explain: print the page of an error, by the code at the end of its message (such as MG101): what happened, a program
that fails, why it matters, the cure. Without a code: a list of all pages.
""")
_PLAY = ("play EXPRESSION [NAME=VALUE ...] [--ask] [--slides] [--save FILE.html]", """\
play: open a page that plays the backward pass of an expression, step by step, as in play "sin(x) * y + x" x=1 y=2.
A value is a number or a list, as in x=[1,2]. With --ask the page asks for each gradient before it shows it; with
--slides it is a page of slides; with --save it is written to a file, and not opened.
""")
_DERIVE = ("derive EXPRESSION [NAME=VALUE ...] [--level 1|2|3] [--latex]", """\
derive: write an expression and its gradients as equations, as in derive "sin(x) * y + x" x=1 y=2. Level 1 is every
step, 2 is without intermediate quantities, and 3, the usual one, is simplified. With --latex it is text for a paper.
""")
_CODE = ("code SCRIPT [--forward] [--save FILE.py]", """\
code: run a Python script, and write its last backward pass as a program that needs NumPy alone: one line for each step,
with the names of your variables. With --forward it computes a tangent instead. The program is printed, and what the
script prints goes to the standard error; with --save it is written to a file, large inputs in a file .npz beside it.
""")
_DOCTOR = ("doctor [--json]", """\
doctor: say what is installed, how fast it is, and whether this machine gives the right gradients; the exit status is 1
where one is wrong. With --json, all of it as JSON.
""")
_EXERCISE = ("exercise [start PAGE | check FILE | hint PAGE | status]", """\
exercise: the exercises of the course. Without more it lists them, with what is done; `exercise start PAGE` writes a
file to work in, `exercise check FILE` says what is right and what is wrong, and `exercise hint PAGE` helps.
""")
_HOMEWORK = ("homework list | start NAME | check FILE | report FOLDER", """\
homework: assignments that grade themselves. `homework list` shows them, and `homework --help` all commands.
""")
_COMMANDS = {"run": _RUN, "explain": _EXPLAIN, "play": _PLAY, "derive": _DERIVE, "code": _CODE, "doctor": _DOCTOR,
             "exercise": _EXERCISE, "homework": _HOMEWORK}


def usage(*commands):
    """How these commands are called, and what they do."""
    lines = [f"python -m minigrad {_COMMANDS[command][0]}" for command in commands]
    shown = "usage: " + "\n       ".join(lines)
    return "\n\n".join([shown, *[_COMMANDS[command][1].rstrip() for command in commands]]) + "\n"


_USAGE = usage(*_COMMANDS) + """
python -m minigrad --version says which version this is, and python -m minigrad COMMAND --help what a command does.
"""


def main(arguments):
    """Run the command line; return the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE, end="", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    if arguments in (["--version"], ["-V"]):
        print(f"minigrad {minigrad.__version__}")
        return 0
    command, *arguments = arguments
    if command in ("run", "explain", "play", "derive", "code", "doctor") and arguments[:1] in (["-h"], ["--help"]):
        print(usage(command), end="")
        return 0
    if command == "run" and arguments:
        return run(arguments)
    if command == "explain":
        return explain(arguments)
    if command == "play" and arguments:
        return play(arguments)
    if command == "derive" and arguments:
        return derive(arguments)
    if command == "code" and arguments:
        return code(arguments)
    if command == "doctor":
        return doctor.main(arguments)
    if command == "exercise":
        return minigrad.exercises.cli.main(arguments)
    if command == "homework":
        return cli.main(arguments)
    complaint = {"run": "run what? Name a script, or -m MODULE, -c CODE or -.",
                 "play": "play what? Write an expression.", "derive": "derive what? Write an expression.",
                 "code": "code of what? Name a script."}.get(command, f"unknown command {command!r}")
    print(f"minigrad: {complaint}\n\n{_USAGE}", end="", file=sys.stderr)
    return 2


def run(arguments):
    """Run what is named first, with the rest as its arguments: a script, ``-m`` module, ``-c`` code, or ``-``."""
    how = arguments[0]
    if how in ("-m", "-c") and len(arguments) == 1:
        print(f"minigrad run: argument expected for the {how} option", file=sys.stderr)
        return 2
    if how not in ("-m", "-c", "-") and not os.path.isfile(how):
        print(f"minigrad run: there is no file {how!r} (in {os.getcwd()})", file=sys.stderr)
        return 2
    as_torch()
    try:
        if how == "-m":
            sys.argv = arguments[1:]                    # runpy puts the path of the module in front
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        elif how == "-c":
            run_text(arguments[1], "<string>", ["-c", *arguments[2:]])
        elif how == "-":
            run_text(sys.stdin.read(), "<stdin>", arguments)
        else:
            sys.argv = arguments
            set_path(os.path.dirname(os.path.abspath(how)))
            runpy.run_path(how, run_name="__main__")
    except Exception as failure:
        hide_frames(failure)
        sys.excepthook(type(failure), failure, failure.__traceback__)
        return 1
    return 0


def run_text(text, file, arguments):
    """Run a program that is in no file, in a module of its own, so that it may pickle what it defines."""
    sys.argv = arguments
    set_path("")
    module = sys.modules["__main__"] = ModuleType("__main__")
    module.__builtins__ = builtins
    exec(compile(text, file, "exec"), vars(module))


def set_path(folder):
    """Look for modules there first, as Python itself would; it was the working directory."""
    if not sys.flags.safe_path:
        sys.path[0] = folder


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


def play(arguments):
    """Write a page that plays an expression, and open it."""
    try:
        expression, values, flags, file = of_play(arguments)
        player = viz.play_expression(expression, values, ask="--ask" in flags)
        path = file or os.path.join(tempfile.mkdtemp(prefix="minigrad-"), "pass.html")
        (player.slides if "--slides" in flags else player.save)(path)
    except (MinigradError, OSError) as problem:
        print(f"minigrad play: {problem}", file=sys.stderr)
        return 2
    print(path)
    if not file:
        webbrowser.open(Path(path).absolute().as_uri())
    return 0


def of_play(arguments):
    """(the expression, name -> value, flags, the file to save to)."""
    arguments, values, flags, file = list(arguments), {}, set(), None
    expression = None
    while arguments:
        argument = arguments.pop(0)
        name, equals, value = argument.partition("=")
        if argument in ("--ask", "--slides"):
            flags.add(argument)
        elif argument == "--save" and arguments:
            file = arguments.pop(0)
        elif argument.startswith("--"):
            raise error("MG204", "--save needs a file, as in --save pass.html" if argument == "--save"
                        else f"there is no option {argument}; the options are --ask, --slides and --save FILE.html")
        elif expression is None:
            expression = argument
        elif not equals:
            raise error("MG204", f"{argument!r} gives no variable a value, as x=2 does; an expression with spaces is "
                                 "written in quotes")
        else:
            values[name] = number_in(name, value)
    if expression is None:
        raise error("MG204", "an expression is missing, as in play \"x * x\" x=3")
    return expression, values, flags, file


def derive(arguments):
    """Write an expression and its gradients as equations."""
    level = 3
    if "--level" in arguments:
        at = arguments.index("--level")
        level, arguments = " ".join(arguments[at + 1:at + 2]), arguments[:at] + arguments[at + 2:]
    latex, arguments = "--latex" in arguments, [each for each in arguments if each != "--latex"]
    try:
        if str(level) not in ("1", "2", "3"):
            raise error("MG204", f"--level is 1, 2 or 3, not {level!r}")
        if wrong := [each for each in arguments if each.startswith("--")]:
            raise error("MG204", f"there is no option {wrong[0]}; the options are --level and --latex")
        expression, values, *_ = of_play(arguments)
        made = derive_expression(expression, values, level=int(level))
    except MinigradError as problem:
        print(f"minigrad derive: {problem}", file=sys.stderr)
        return 2
    show(made.latex if latex else str(made))
    return 0


def code(arguments):
    """Write the last backward pass of a script as a program."""
    try:
        script, forward, file = of_code(arguments)
        with redirect_stdout(sys.stderr), viz.recording() as written:
            status = run([script])
        if status:
            return status
        program = program_of(written, "forward" if forward else "reverse")
        if file:
            program.save(file)
    except (MinigradError, OSError) as problem:
        print(f"minigrad code: {problem}", file=sys.stderr)
        return 2
    show(file or str(program))
    return 0


def of_code(arguments):
    """(the script, whether forward mode is wanted, the file to save to)."""
    arguments, forward, file, script = list(arguments), False, None, None
    while arguments:
        argument = arguments.pop(0)
        if argument == "--forward":
            forward = True
        elif argument == "--save" and arguments:
            file = arguments.pop(0)
        elif argument.startswith("--"):
            raise error("MG204", "--save needs a file, as in --save step.py" if argument == "--save"
                        else f"there is no option {argument}; the options are --forward and --save FILE.py")
        elif script is not None:
            raise error("MG204", f"one script at a time: {script!r}, and not {argument!r} as well")
        else:
            script = argument
    if script is None:
        raise error("MG204", "a script is missing, as in code script.py")
    return script, forward, file


def number_in(name, value):
    try:
        return ast.literal_eval(value.strip())
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise error("MG204", f"the value of {name} must be a number, or a list of numbers, not {value!r}") from None


def show(text):
    """Print the text as far as it is read: `... | head` closes the pipe early, and so does a pager."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at the end of Python


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
