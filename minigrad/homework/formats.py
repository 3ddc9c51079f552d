"""Results in the formats of other programs: Gradescope, PrairieLearn, otter-grader, and tables.

    gradescope      results/results.json of its autograders, and what ``otter run`` writes
    prairielearn    results/results.json of an external grader
    otter           a folder of test files for otter-grader, one for each item (`otter_tests`)
    csv             a table with a row for each submission
"""

import csv
import io
import json

from minigrad.homework.report import PRACTICE
from minigrad.homework.spec import find

__all__ = ["FORMATS", "gradescope", "otter_tests", "prairielearn", "table"]


def reasons(outcome):
    return "\n".join(outcome.reasons) or "Right."


def to_hand_in(result):
    """Raise `LookupError` for a result that proves nothing: other systems take it for a grade."""
    if not result.fenced:
        raise LookupError(f"no form for another system is written. {PRACTICE}")


def gradescope(result):
    """The text of Gradescope's results.json.

    Each item is a test with its score; nothing is hidden, since no reason names a hidden point.
    """
    to_hand_in(result)
    return json.dumps({
        "score": result.earned,
        "execution_time": round(result.seconds, 3),
        "output": result.note,
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [{
            "score": each.earned, "max_score": each.points, "name": each.title, "number": str(number),
            "status": "passed" if each.earned == each.points else "failed", "output": reasons(each),
            "output_format": "text", "tags": [each.verdict], "visibility": "visible",
        } for number, each in enumerate(result.outcomes, 1)],
    }, indent=2)


def prairielearn(result):
    """The text of PrairieLearn's results.json; a file with a syntax error is not gradable, and costs no attempt."""
    to_hand_in(result)
    if all([each.verdict == "syntax" for each in result.outcomes]):
        return json.dumps({"gradable": False, "format_errors": result.outcomes[0].reasons}, indent=2)
    return json.dumps({
        "gradable": True,
        "score": result.earned / result.points,
        "message": f"{result.earned:g} of {result.points:g} points",
        "output": result.note,
        "tests": [{"name": each.title, "description": each.name, "points": each.earned, "max_points": each.points,
                   "message": reasons(each), "output": ""} for each in result.outcomes],
    }, indent=2)


def table(results):
    """A table of all results as CSV: submission, assignment, points, one column for each item, reasons.

    Where variants were judged, a column says whose, and another what must be said about it. Spreadsheets run a cell
    that begins like a formula, so that such a name gets an apostrophe in front.
    """
    titles = list(dict.fromkeys([outcome.name for result in results for outcome in result.outcomes]))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    varied = any([result.student for result in results])
    writer.writerow(["submission", "assignment", "points", "of", *titles, "verdicts", "reasons",
                     *(["for", "remark"] if varied else [])])
    for result in results:
        found = {outcome.name: outcome for outcome in result.outcomes}
        verdicts = [f"{name}: {each.verdict}" for name, each in found.items() if each.verdict != "right"]
        said = [f"{name}: {reason}" for name, each in found.items() for reason in each.reasons]
        row = [result.submission, result.assignment.name, f"{result.earned:g}", f"{result.points:g}",
               *[f"{found[name].earned:g}" if name in found else "" for name in titles],
               "; ".join(verdicts), " | ".join(said), *([result.student, result.remark] if varied else [])]
        writer.writerow(["'" + cell if cell[:1] in ("=", "+", "-", "@") else cell for cell in row])
    return out.getvalue()


OTTER = '''\
"""{title}: {item}, for otter-grader. The file {file} must lie in the folder of the notebook."""

from otter.test_files import test_case

OK_FORMAT = False

name = "{name}"
points = {points}


@test_case(points={points}, hidden=False)
def test_{name}():
    from minigrad import homework
    outcome = homework.check("{file}", "{assignment}", items=["{name}"])["{name}"]
    assert outcome.earned == outcome.points, "; ".join(outcome.reasons)
'''


def otter_tests(assignment, file=None):
    """{name of a file: its text}: the tests of otter-grader, in its format of functions that raise, one for each item.

    otter knows no partial credit within a test, so that an item counts when all of it is right.

    Parameters
    ----------
    assignment : str
        A name, or a file with an assignment, which must then lie beside the notebook too.
    file : str, optional
        The submission. By default it is called like the assignment, with "my_" in front if that is a file.
    """
    own = str(assignment).endswith(".py")
    homework = find(assignment)
    file = file or f"{'my_' if own else ''}{homework.name}.py"
    return {f"{item.name}.py": OTTER.format(title=homework.title, item=item.title, name=item.name, points=item.points,
                                            file=file, assignment=f"{homework.name}.py" if own else homework.name)
            for item in homework.items}


#: what ``homework check --format`` writes, by name
FORMATS = {"text": str, "gradescope": gradescope, "prairielearn": prairielearn, "csv": lambda result: table([result])}
