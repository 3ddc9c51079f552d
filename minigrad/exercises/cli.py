"""``python -m minigrad exercise``: list the exercises, start those of a page, check them, ask for a hint."""

import argparse
import os
import sys

from minigrad.exercises import words
from minigrad.exercises.running import SECONDS

__all__ = ["main"]


def main(arguments):
    """Run the command; return the exit status: 0, 1 if something is not right yet, 2 if it was not understood."""
    parser = argparse.ArgumentParser(prog="python -m minigrad exercise", description=__doc__.partition(": ")[2])
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("list", help="the pages, with a tick for each exercise that was right (without a command, too)")
    start = commands.add_parser("start", help="write the file in which the exercises of a page are done")
    start.add_argument("page", metavar="PAGE", help="a page, or the beginning of its name")
    start.add_argument("to", metavar="DIR", nargs="?", default=".",
                       help="the folder, or a file, also a notebook; by default NAME.py")
    check = commands.add_parser("check", help="check a file: each answer in a process of its own")
    check.add_argument("work", metavar="FILE|PAGE", help="a Python file or a notebook; or a page whose file is here")
    check.add_argument("number", metavar="N", nargs="?", type=int, help="only this exercise")
    check.add_argument("--seconds", type=float, default=SECONDS, help=f"how long one may take; {SECONDS} by default")
    hint = commands.add_parser("hint", help="the next hint")
    hint.add_argument("page", metavar="PAGE")
    hint.add_argument("number", metavar="N", nargs="?", type=int, help="by default the first that is not right yet")
    commands.add_parser("status", help="how far you are, and where this is kept")
    try:
        given = parser.parse_args(arguments)
    except SystemExit as ended:
        return ended.code
    try:
        said = COMMANDS[given.command](given)
        show(str(said))
        return 0 if said else 1
    except KeyboardInterrupt:
        print("\nminigrad exercise: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:                                # `... | head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (LookupError, ValueError, OSError) as failure:
        print(f"minigrad exercise: {reason_of(failure)}", file=sys.stderr)
        return 2


def show(text):
    """Print the text, with question marks for what the terminal cannot show."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


def reason_of(failure):
    if isinstance(failure, FileExistsError):
        return f"{failure.filename} is there already, and is not overwritten: check it, or name another folder"
    return failure.args[0] if isinstance(failure, LookupError) else failure     # a KeyError would put it in quotes


def start(given):
    path = words.start(given.page, given.to)
    return f"{path}: write your answers there, and check them with\n    python -m minigrad exercise check {path}"


COMMANDS = {
    None: lambda given: words.overview(),
    "list": lambda given: words.overview(),
    "start": start,
    "check": lambda given: words.check(given.work, given.number, seconds=given.seconds),
    "hint": lambda given: words.hint(given.page, given.number),
    "status": lambda given: words.status(),
}
