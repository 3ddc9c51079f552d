"""``.. tutors-notes::``: what tutors meet, from docs/teaching/tutors.toml and from what the judge said about it.

A wrong submission is a right one with an edit. tools/make_tutors_notes.py hands each to the judge, and writes down in
docs/teaching/tutors.json the items that it does not get right, with verdict, points and reason; a test hands them in
again. The page shows what the student believed and what the judge said, and no edit: it is public.
"""

import json
import re
import textwrap
import tomllib

from sphinx.util.docutils import SphinxDirective

from course import TUTORIALS

ROOT = TUTORIALS.parent
DATA, SAID = ROOT / "docs" / "teaching" / "tutors.toml", ROOT / "docs" / "teaching" / "tutors.json"
SOLUTIONS = ROOT / "tests" / "homework" / "solutions"


def assignments():
    return tomllib.loads(DATA.read_text(encoding="utf-8"))["assignments"]


def said():
    """{assignment: {what the student believed: [the items that are not right]}}"""
    return json.loads(SAID.read_text(encoding="utf-8"))


def submission(name, wrong):
    """The text of a wrong submission; ValueError if the solution does not have what is to change."""
    source = (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")
    edits = wrong.get("edits", [])
    if "function" in wrong:
        head = re.compile(rf"(def {wrong['function']}\(.*\n)((?:    .*\n|\n(?=    ))+)")
        source, count = head.subn(lambda match: match[1] + textwrap.indent(wrong["body"] + "\n", "    "), source)
        if count != 1:
            raise ValueError(f"{name}: {count} functions are called {wrong['function']}")
    for old, new in edits:
        if source.count(old) != 1:
            raise ValueError(f"{name}: {source.count(old)} times {old!r}")
        source = source.replace(old, new)
    return source


def judged(path, name, wrong, items=None):
    """[[item, title, earned, points, verdict, reason]] of what the judge does not find right."""
    from minigrad import homework
    path.write_text(submission(name, wrong), encoding="utf-8")
    result = homework.check(path, items=items, seconds=wrong.get("seconds"), seed=0)
    return [[each.name, each.title, each.earned, each.points, each.verdict, "; ".join(each.reasons)]
            for each in result.outcomes if each.verdict != "right"]


def shortened(reason):
    """The first sentence or two of a reason, which may be long."""
    return textwrap.shorten(reason, 260, placeholder=" ...")


def merged(items):
    """Rows for the items; those for which the judge gives the same reason are one row."""
    rows = {}
    for _, title, earned, points, verdict, reason in items:
        rows.setdefault((verdict, reason), []).append((title, earned, points))
    for (verdict, reason), same in rows.items():
        titles, earned, points = zip(*same)
        many = f"{len(titles)} items, such as: " if len(titles) > 3 else ""
        yield many + "; ".join(titles[:1] if many else titles), verdict, sum(earned), sum(points), shortened(reason)


def table(name, wrong):
    rows = ["   * - The judge says of\n     - Verdict\n     - Points\n     - Reason"]
    for title, verdict, earned, points, reason in merged(said()[name][wrong["belief"]]):
        title, reason = (re.sub(r"([*|_`\\])", r"\\\1", each) for each in (title, reason))
        rows.append(f"   * - {title}\n     - {verdict}\n     - {earned:g} of {points:g}\n     - {reason}")
    options = ".. list-table::\n   :header-rows: 1\n   :widths: 26 10 12 52"
    return "\n\n".join([f"*{wrong['belief']}*", options, "\n".join(rows)])


def as_rst():
    parts = []
    for each in assignments():
        name = each["name"]
        parts += [f"{name}\n{'-' * len(name)}", f":doc:`/homework/{name}`"]
        parts += [table(name, wrong) for wrong in each["wrong"]]
        parts.append("To ask in a conversation:\n\n" + "\n".join(
            "* " + textwrap.indent(question, "  ").strip() for question in each["oral"]))
    return "\n\n".join(parts)


class TutorsNotes(SphinxDirective):
    def run(self):
        for path in (DATA, SAID):
            self.env.note_dependency(str(path))
        return self.parse_text_to_nodes(as_rst(), allow_section_headings=True)


def setup(app):
    app.add_directive("tutors-notes", TutorsNotes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
