"""The bank of questions: ``python -m tools.question_bank``, from the top folder of a clone.

    draw EXAM.toml --weeks 1-3 --plan six --count 12 --seed 7
    draw EXAM.toml --pages reading_the_graph in_place_operations --count 8 --seed 7
    paper EXAM.toml EXAM.html
    solutions EXAM.toml SOLUTIONS.html
    moodle EXAM.toml EXAM.xml --variants 10
    list

``draw`` chooses questions and writes their names into a small file, which may be edited. The others read that file:
``paper`` writes a page to print, ``solutions`` the same page with answers and reasons, and ``moodle`` a file to import
into Moodle, with as many variants of each question as there are, at most ten or what ``--variants`` says. The same file
always gives the same exam; another seed gives other numbers.
"""

import argparse
import sys
from pathlib import Path

from tools.question_bank import bank, exams, moodle, paper


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tools.question_bank", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("list", help="the questions of each page")
    draw = commands.add_parser("draw", help="choose questions")
    draw.add_argument("exam")
    where = draw.add_mutually_exclusive_group(required=True)
    where.add_argument("--weeks", help="weeks of a plan of the syllabi, as 3 or 1-3")
    where.add_argument("--pages", nargs="+", help="names of pages")
    draw.add_argument("--plan", choices=("six", "twelve"), default="twelve")
    draw.add_argument("--count", type=int, default=12)
    draw.add_argument("--seed", type=int, required=True)
    draw.add_argument("--levels", nargs="+", type=int, choices=bank.LEVELS, default=[*bank.LEVELS])
    draw.add_argument("--kinds", nargs="+", choices=bank.KINDS, default=bank.KINDS)
    draw.add_argument("--title", default="Exam")
    for name, what in (("paper", "write a page to print"), ("solutions", "write its solutions"),
                       ("moodle", "write a file for Moodle")):
        command = commands.add_parser(name, help=what)
        command.add_argument("exam")
        command.add_argument("to")
    command.add_argument("--variants", type=int, default=10)
    given = parser.parse_args(arguments)
    try:
        return COMMANDS[given.command](given)
    except (LookupError, OSError) as problem:
        print(f"question_bank: {problem}", file=sys.stderr)
        return 2


def draw(given):
    pages = given.pages
    if given.weeks:
        first, _, last = given.weeks.partition("-")
        pages = bank.pages_of_weeks(given.plan, range(int(first), int(last or first) + 1))
    exam = exams.drawn(pages, given.count, given.seed, given.levels, given.kinds, given.title)
    return write(given.exam, exams.written(exam))


def write(path, text):
    Path(path).write_text(text, encoding="utf-8")
    print(path)
    return 0


def listed(given):
    known, lines = bank.questions(), []
    for page, names in bank.pages_of_questions().items():
        found = [known[name] for name in names]
        lines += [page, *[f"    {each.name:40} {bank.LEVELS[each.difficulty]:8} {each.kind}" for each in found], ""]
    print("\n".join(lines[:-1]))
    return 0


COMMANDS = {
    "list": listed,
    "draw": draw,
    "paper": lambda given: write(given.to, paper.exam_page(exams.read(given.exam))),
    "solutions": lambda given: write(given.to, paper.solutions_page(exams.read(given.exam))),
    "moodle": lambda given: write(given.to, moodle.quiz(exams.read(given.exam), given.variants)),
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
