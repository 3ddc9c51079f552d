"""Turn docstrings and comments into reStructuredText.

A docstring is read in an editor far more often than on the site, so it is written for the editor: code is
indented, a table is a few columns, ``|x|`` is an absolute value and ``add_`` is a name.  Here, in paragraphs of
prose, everything that reStructuredText would take for markup is escaped; other paragraphs are kept exactly.
"""

import re
from pathlib import Path

from sphinx.util.docutils import SphinxDirective

CODE = re.compile(r"(``.+?``|:[\w:]+:`[^`]+`|`[^`]+`_?)", re.DOTALL)
EMPHASIS = re.compile(r"((?<!\w)\*\*?\w[^*\n]*?[^\s*]\*?\*(?!\w))")
NOTE = re.compile(r"\A(Note \[.*\])\n-+(\n|\Z)")
SECTION = re.compile(r"\A(Parameters|Returns|Raises|Yields|Attributes)\n-{3,}\n")
LITERAL = "::\n\n"
LIST = re.compile(r"([-*]|\d+\.|#\.|\.\.|\w+::?) ")


def as_rst(text):
    """Turn a docstring or a comment, its common indentation removed, into reStructuredText."""
    result, before, section = [], "", ""
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        if note := NOTE.match(part):
            result.append(f".. rubric:: {note.group(1)}")
            part = part[note.end():]
        if part.startswith(" "):
            shown = indented(part, before)
            if shown.startswith(LITERAL) and result and result[-1].startswith(LITERAL):
                result[-1] += "\n\n" + shown.removeprefix(LITERAL)     # an empty line within one piece of code
            else:
                result.append(shown)
            continue
        if SECTION.match(part):
            section = "Parameters"
        elif section:                                   # napoleon would take the following text for one more parameter
            heading = "Examples" if part.startswith(">>>") else "Notes"
            if heading != section:
                result.append(f"{heading}\n{'-' * len(heading)}")
            section = heading if heading == "Notes" else ""
        before = part if not part.startswith(">>>") else ""
        if re.match(r" *==+ ", part) and not is_table(part):
            part = literal(part)
            result.append(part)
        elif part.startswith(">>>") or re.match(r"[=+-]{4,}", part) or re.search(r"\A[^\n]+\n[-=~]{3,}(\n|\Z)", part):
            result.append(part)
        elif re.search(r"\S\n {8,}\S", part) and not LIST.match(part):
            result.append(columns(part))
        else:
            result.append(plain(part))
    return "\n\n".join(filter(None, result)) + "\n"


def is_table(part):
    """Does every row of a table of ``====`` stay within its columns?"""
    lines = [line.strip("\n") for line in part.split("\n")]
    gaps = [match.start() for match in re.finditer(r"(?<==) +(?==)", lines[0])]
    return all(line[gap:gap + 1] in ("", " ") for line in lines for gap in gaps)


def indented(part, before):
    """An indented part: the continuation of a list or a directive above it, or else code, a drawing or a table."""
    if before.endswith("::") or LIST.match(before) or re.search(r"\n[-=~]{3,}\Z", before):
        return part
    keeps_its_meaning = re.match(r" +(>>>|[-*] |\d\.)", part) or re.match(r" +==+ ", part) and is_table(part)
    return part if keeps_its_meaning else literal(part)


def columns(part):
    """Words on the left and their meanings on the right become a list of definitions."""
    rows = re.split(r"\n(?! )", part)
    pairs = [re.match(r"(\S.*?) {2,}(.*)", row, re.DOTALL) for row in rows]
    if not all(pairs):
        return literal(part)
    return "\n".join(f"{plain(pair[1])}\n    {plain(' '.join(pair[2].split()))}" for pair in pairs)


def literal(part):
    return LITERAL + re.sub("^", "    ", part, flags=re.MULTILINE)


def plain(part):
    """Prose: only code, roles and emphasis keep their meaning."""
    pieces = CODE.split(part)
    for i in range(0, len(pieces), 2):
        words = EMPHASIS.split(pieces[i])
        for j in range(0, len(words), 2):
            words[j] = re.sub(r"(?<!^)(?<!\n)([*|])|(?<=\w)_(?!\w)", lambda match: "\\" + match.group(), words[j])
        pieces[i] = "".join(words)
    return "".join(pieces)


def process_docstring(app, what, name, obj, options, lines):
    lines[:] = as_rst("\n".join(lines)).splitlines()


class Changelog(SphinxDirective):
    """``.. changelog::`` shows CHANGELOG.md, whose Markdown is also reStructuredText, except for the headings."""

    def run(self):
        text = Path(self.config.literate_root, "CHANGELOG.md").read_text(encoding="utf-8")
        self.env.note_dependency(str(Path(self.config.literate_root, "CHANGELOG.md")))
        text = re.sub(r"\A# .*\n", "", text)
        text = re.sub(r"\n+(?=##)", "\n\n", text)              # a heading after a list needs an empty line
        for marks, line in ("###", "~"), ("##", "-"):
            text = re.sub(rf"^{marks} (.*)$", lambda match: f"{match[1]}\n{line * len(match[1])}", text,
                          flags=re.MULTILINE)
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def setup(app):
    app.add_directive("changelog", Changelog)
    app.connect("autodoc-process-docstring", process_docstring, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
