"""One cause, one charge: a mistake in one line that several items use is charged once.

Whether two items fail for the same reason cannot be read from the reasons: two mistakes may look alike, and one may
look different in each item.  It can be tried.  If *one* edit of *one* line (edits.py) wins points in two items or more,
and loses none, then that line is the cause in all of them.  Two mistakes in two lines are not taken for one, since no
single edit undoes both.

    item     points    with line 7 edited
    mul      1 of 3    3 of 3       2 for the mistake
    div      0 of 3    2 of 3       2, and another mistake costs 1
    where    2 of 3    3 of 3       1

The mistake is charged in the item where it costs most, which keeps its points: mul 1, div 2, where 3.  In this way the
sum is what the submission would have with the line edited, less one charge.
"""

import contextlib
import itertools
import re
from collections import Counter

from minigrad.homework.edits import edits
from minigrad.homework.report import Outcome

__all__ = ["charged_once"]

#: what a reason says of a mistake, and the kinds of edits that may undo it
CAUSES = (
    (r"averaged", ("a reduction",)),
    (r"times what it should be|constant factor|is \S+ times", ("a factor", "a reduction", "a sum", "an operator")),
    (r"the sign|negative of", ("a sign", "an operator")),
    (r"conjugate", ("a conjugate",)),
    (r"transpose", ("a transpose", "an axis", "swapped results")),
    (r"swapped|each other's|the other input", ("swapped results",)),
    (r"none of the usual mistakes|not the measured derivative|is not right", (
        "an operator", "a function", "a sign", "a factor", "swapped results", "an axis", "a reduction", "a transpose")),
)
#: edits that are tried, a number and not a time: points must not depend on how fast a computer is
TRIES = 10
SECONDS = 10            # for one answer
#: what calls a method of this name
CALLED_BY = {"__add__": "+", "__mul__": "*", "__sub__": "-", "__truediv__": "/", "__matmul__": "@", "__pow__": "**"}


def charged_once(source, outcomes, judged):
    """(the outcomes, what must be said about them) where mistakes that touch several items are charged once.

    ``judged(source, items, seconds)`` yields the outcomes of another source, in the order of the items.
    """
    said, done = [], []
    while (found := shared_mistake(source, [each for each in outcomes if each.name not in done], judged)) is not None:
        edit, corrected = found
        outcomes, costliest, remark = charged(outcomes, edit, corrected)
        said.append(remark)
        done.append(costliest.name)           # with the line edited it has more points, whatever else is edited
        source = edit.source
    return outcomes, " ".join(said)


def shared_mistake(source, outcomes, judged):
    """(edit, {name: outcome with the edit}) for an edit that wins points in at least two items; None if none of those
    that are tried does.

    What is right must stay right: if others rely on a line, it is not the line that is wrong.
    """
    failing = sorted([each for each in outcomes if open_to_doubt(each)], key=lambda each: each.points)
    if len(failing) < 2:
        return None
    for edit in likely(source, failing)[:TRIES]:
        first = [each for each in failing if edit.kind in kinds_of(each)]
        right = [each for each in outcomes if each.earned == each.points]
        order = sorted([*first, *[each for each in failing if each not in first]], key=lambda each: each.item.slow)
        order += right
        corrected, missed = {}, 0
        with contextlib.closing(judged(edit.source, [each.item for each in order], SECONDS)) as again:
            for outcome in order:
                if outcome.item.slow and missed == len(corrected):
                    break
                now = next(again)
                if outcome not in right:
                    corrected[outcome.name] = now
                missed += now.earned == outcome.earned and outcome not in right
                if now.earned < outcome.earned or missed > 1 and len(corrected) - missed < 2:
                    break
                if outcome in right and len(corrected) - missed < 2:
                    break
            else:
                if len(corrected) - missed > 1:
                    return edit, corrected
    return None


def open_to_doubt(outcome):
    return outcome.verdict in ("wrong", "partly")


def kinds_of(outcome):
    """The kinds of edits that may undo what the reasons of an outcome are about: of each, what fits first."""
    found = [next((kinds for pattern, kinds in CAUSES if re.search(pattern, reason)), ()) for reason in outcome.reasons]
    return {*itertools.chain(*found)}


def likely(source, failing):
    """The edits that may undo what at least two of the failing items are about, the likeliest first: those of most
    items, and in functions that are used most. What is wrong with a training may be anything."""
    kinds = [kinds_of(outcome) for outcome in failing]
    wanted = Counter([kind for each in kinds for kind in each])
    wanted += Counter({kind: len([each for each in kinds if not each]) for kind in wanted})
    used = Counter(re.findall(r"\w+", source)) + Counter(
        {name: source.count(operator) for name, operator in CALLED_BY.items()})
    found = [edit for edit in edits(source) if wanted[edit.kind] > 1]
    return sorted(found, key=lambda edit: (-wanted[edit.kind], -used[edit.function.rpartition(".")[2]]))


def charged(outcomes, edit, corrected):
    """(the outcomes with the mistake charged in one of them, that one, what must be said)."""
    gains = {each.name: corrected[each.name].earned - each.earned for each in outcomes if each.name in corrected}
    touched = [each for each in outcomes if gains.get(each.name, 0) > 0]
    costliest = max(touched, key=lambda each: gains[each.name])
    others = ", ".join([each.title for each in touched if each is not costliest])
    where = f"line {edit.line}, in `{edit.function}`"
    new = []
    for each in outcomes:
        if each is costliest:
            reason = f"The mistake is in {where}. It also touches: {others}. It is charged once, here."
            new.append(Outcome(each.item, each.earned, each.verdict, [*each.reasons, reason]))
        elif each in touched:
            now = corrected[each.name]
            verdict = "once" if now.verdict == "right" else now.verdict
            reason = f"the mistake in {where}, which is charged once, in: {costliest.title}"
            new.append(Outcome(each.item, now.earned, verdict, [reason, *now.reasons]))
        else:
            new.append(each)
    remark = (f"One mistake, in {where}, touches {len(touched)} items. By itself it would cost {sum(gains.values()):g} "
              f"points; it is charged once, with {gains[costliest.name]:g}.")
    return new, costliest, remark
