"""``python -m minigrad homework``: list the assignments, start one, check a submission, report on a folder."""

import argparse
import os
import sys
from pathlib import Path

from minigrad.homework import likeness, oral
from minigrad.homework.formats import FORMATS, otter_tests, table
from minigrad.homework.judge import check, source_of
from minigrad.homework.spec import find, names
from minigrad.homework.variants import read_secret

__all__ = ["main"]


def main(arguments):
    """Run the command; return the exit status: 0, 1 if points are missing, 2 if it was not understood."""
    parser = argparse.ArgumentParser(prog="python -m minigrad homework", description=__doc__.partition(": ")[2])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the assignments, with their points")
    start = commands.add_parser("start", help="write the starter file of an assignment")
    start.add_argument("name", help="an assignment")
    start.add_argument("--to", metavar="FILE", help="where; by default NAME.py")
    start.add_argument("--for", metavar="ID", dest="student", help="draw the variant of this student")
    checked = commands.add_parser("check", help="check a submission")
    checked.add_argument("file", help="a Python file or a notebook")
    checked.add_argument("--assignment", metavar="NAME", help="if its first line does not name it; or a file with one")
    checked.add_argument("--item", action="append", metavar="NAME", help="only this item")
    checked.add_argument("--format", choices=sorted(FORMATS), default="text")
    checked.add_argument("--to", metavar="FILE", help="write the result there instead of printing it")
    checked.add_argument("--for", metavar="ID", dest="student", help="the variant of this student, whatever the file "
                                                                     "says")
    checked.add_argument("--oral", action="store_true", help="three questions about this submission, for a "
                                                                "conversation")
    checked.add_argument("--answers", metavar="FILE", help="with --oral: write the answers there instead of printing "
                                                           "them")
    report = commands.add_parser("report", help="check all submissions in a folder, and print a table")
    report.add_argument("folder")
    report.add_argument("--assignment", metavar="NAME", help="by default each submission names its own")
    report.add_argument("--to", metavar="FILE", help="write the table there, as CSV")
    report.add_argument("--likeness", metavar="FILE", help="write there which submissions are alike")
    report.add_argument("--known", metavar="FOLDER", help="compare them also with what is in this folder: solutions, "
                                                          "the submissions of last year")
    for command in (start, checked, report):
        command.add_argument("--secret", metavar="FILE", help="an instructor's, by which the variants are drawn")
    otter = commands.add_parser("otter", help="write the test files of an assignment for otter-grader")
    otter.add_argument("name")
    otter.add_argument("folder")
    otter.add_argument("--file", metavar="FILE", help="the submission that they check, beside the notebook")
    try:
        given = parser.parse_args(arguments)
    except SystemExit as ended:
        return ended.code
    try:
        status = COMMANDS[given.command](given)
        sys.stdout.flush()
        return status
    except BrokenPipeError:                                # `... | head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (LookupError, OSError) as failure:
        print(f"minigrad homework: {reason_of(failure)}", file=sys.stderr)
        return 2


def reason_of(failure):
    """What went wrong, in words rather than by the number of an error."""
    if isinstance(failure, LookupError):
        return failure.args[0]                              # a KeyError would put it in quotes
    file = getattr(failure, "filename", None)
    if isinstance(failure, FileExistsError) and file:
        return (f"{file} is there already, and is not overwritten: go on with it, or name another file with --to FILE")
    if isinstance(failure, FileNotFoundError) and file:
        return f"there is no file {str(file)!r} (in {os.getcwd()})"
    if isinstance(failure, IsADirectoryError) and file:
        return f"{str(file)!r} is a folder, and a file is needed; `report` checks all files in a folder"
    return f"{file}: {failure.strerror}" if file else failure


def secret_of(given):
    return read_secret(given.secret) if given.secret else b""


def list_all(given):
    for name in names():
        homework = find(name)
        print(f"{name:<18}{homework.points:>4g} points   {homework.title}")
    return 0


def start(given):
    homework, secret = find(given.name), secret_of(given)
    if given.student is not None:
        homework = homework.drawn_for(given.student, secret)
    elif secret:
        raise LookupError("a secret draws the variant of somebody: say of whom, with --for ID")
    path = Path(given.to or f"{homework.name}.py")
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "x", encoding="utf-8") as file:        # work that is there is never written over
        file.write(homework.started(secret))
    own = f" --assignment {given.name}" if given.name.endswith(".py") else ""
    print(f"{path}: {homework.title}, {homework.points:g} points. Check it with\n"
          f"    python -m minigrad homework check {path}{own}")
    return 0


def check_one(given):
    result = check(given.file, given.assignment, items=given.item, student=given.student, secret=secret_of(given))
    write(FORMATS[given.format](result), given.to)
    if given.oral:
        found = oral.questions(source_of(Path(given.file)), result)
        print("", "Questions", "---------", oral.asked(found), sep="\n")
        if given.answers:
            write(oral.answers(found) + "\n", given.answers)
        else:
            print("", "Answers, for the tutor", "----------------------", oral.answers(found), sep="\n")
    return 0 if result.earned == result.points or given.format != "text" else 1


def report(given):
    files, secret = submissions_in(Path(given.folder)), secret_of(given)
    results = []
    for number, (name, path) in enumerate(files, 1):
        try:
            result = check(path, given.assignment, secret=secret)
        except (LookupError, OSError) as failure:
            print(f"[{number}/{len(files)}] {name}: left out: {reason_of(failure)}", file=sys.stderr)
            continue
        result.submission = name
        results.append(result)
        print(f"[{number}/{len(files)}] {name}: {result.earned:g} of {result.points:g}", file=sys.stderr, flush=True)
    write(table(results), given.to)
    known = submissions_in(Path(given.known)) if given.known else []
    found = likeness.shown(likeness.in_folder(files, known, given.assignment))
    if given.likeness:
        write(found, given.likeness)
    else:
        print("", found, sep="\n", end="", file=sys.stderr)
    return 0


def submissions_in(folder):
    """(name, path) of each Python file and notebook in the folder and those in it, but for hidden ones and caches."""
    if not folder.is_dir():
        raise NotADirectoryError(f"there is no folder {str(folder)!r}")
    found = [(path.relative_to(folder), path) for path in sorted(folder.rglob("*")) if path.suffix in (".py", ".ipynb")]
    return [(name.as_posix(), path) for name, path in found
            if not any([part.startswith(".") or part == "__pycache__" for part in name.parts])]


def write_otter(given):
    folder = Path(given.folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in otter_tests(given.name, given.file).items():
        (folder / name).write_text(text, encoding="utf-8")
        print(folder / name)
    return 0


def write(text, to):
    if to:
        Path(to).parent.mkdir(parents=True, exist_ok=True)
        Path(to).write_text(text, encoding="utf-8")
        return
    print(text.rstrip("\n"))


COMMANDS = {"list": list_all, "start": start, "check": check_one, "report": report, "otter": write_otter}
