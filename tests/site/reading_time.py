"""How many minutes a page of the course takes, measured by what is on it.

The sum of four times:

- prose at 160 words a minute, which is two thirds of the speed at which a novel is read;
- code at 15 lines a minute: each is read once, and its output looked at;
- half a minute for each formula on a line of its own, and for each cell that draws;
- a minute for each exercise, to read what it asks. Solving it is not included: that is the lab, or homework.

Only what a reader sees without a click counts.  Left out are a ``.. dropdown::`` with the lines indented below it, what
follows a ``.. folded::`` up to the end of its section, and code between sphinx-gallery's ``start_ignore`` and
``end_ignore``.

    python -m tests.site.reading_time       prints the minutes of every page
"""

import math
import re
from pathlib import Path

from docs._ext import taught

TUTORIALS = Path(__file__).resolve().parents[2] / "tutorials"
WORDS_A_MINUTE, LINES_A_MINUTE = 160, 15
A_FIGURE, AN_EXERCISE = 0.5, 1
#: No page may take more.
LONGEST = 25

HIDDEN = re.compile(r"^[ \t]*# sphinx_gallery_start_ignore$.*?^[ \t]*# sphinx_gallery_end_ignore$\n?", re.M | re.S)
SETTING = re.compile(r"^[ \t]*# sphinx_gallery_.*\n?", re.M)
DROPDOWN = re.compile(r"^\.\. dropdown::.*\n(?:(?:[ \t]+.*)?(?:\n|\Z))*", re.M)
#: What ``folded`` folds: up to the next heading, or to the end of the text.
FOLDED = re.compile(r"^\.\. folded::.*\n(?:(?!^\S.*\n[-=~^]{3,}$).*\n)*", re.M)
MARKUP = re.compile(r"^[-=~^]{3,}$|^\.\. \S+::|:\w+:(?=`)", re.M)
FORMULA = re.compile(r"^\.\. math::.*\n(?:(?:[ \t]+.*)?(?:\n|\Z))*", re.M)
DRAWS = re.compile(r"\bplt\.show\(|\bviz\.(play|graph|record)\(")


def parts(script):
    """(words, lines of code, formulas and drawings) that the reader of a script sees."""
    from sphinx_gallery.py_source_parser import split_code_and_text_blocks

    words = lines = figures = 0
    folded = False
    for kind, text, _ in split_code_and_text_blocks(str(script))[1]:
        if kind == "text":
            text = text.rstrip("\n") + "\n"
            if folded and (heading := taught.HEADING.search(text)):
                text, folded = text[heading.start():], False
            if not folded:
                seen, formulas = FORMULA.subn("", FOLDED.sub("", DROPDOWN.sub("", text)))
                words += len(MARKUP.sub("", seen).split())
                figures += formulas
                last = [*re.finditer(r"^\.\. folded::", text, re.M)][-1:]
                folded = bool(last) and not taught.HEADING.search(text, last[0].end())
        elif not folded:
            code = SETTING.sub("", HIDDEN.sub("", taught.without_claims(text)))
            lines += sum(bool(line.strip()) for line in code.splitlines())
            figures += bool(DRAWS.search(text))
    return words, lines, figures


def exercises(script):
    """How many exercises a page has."""
    path = script.parents[1] / "exercises" / script.name
    return len(re.findall(r"^# %% Exercise: ", path.read_text("utf-8"), re.M)) if path.exists() else 0


def minutes(script):
    """The minutes that a script takes to read."""
    words, lines, figures = parts(script)
    return (words / WORDS_A_MINUTE + lines / LINES_A_MINUTE + figures * A_FIGURE
            + exercises(script) * AN_EXERCISE)


def rounded(time):
    """The minutes that a page says it takes: the next multiple of five."""
    return 5 * math.ceil(time / 5)


if __name__ == "__main__":
    for each in taught.scripts():
        words, lines, figures = parts(each)
        print(f"{each.parent.name + '/' + each.stem:60}{words:6} words{lines:5} lines{figures:3} figures"
              f"{exercises(each):3} exercises{minutes(each):6.1f} minutes")
