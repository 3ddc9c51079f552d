"""Lectures: ``docs/teaching/lectures/NAME.toml`` says what is shown in 45 minutes, asked, said and drawn on the board.

What a slide shows comes from the course. A slide names a cell by a piece of its code, and the cell is found in
whichever of the lecture's pages has it, with what it printed and drew when the site was built::

    pages = ["gradients_of_one_expression"]

    [[slides]]
    title = "With minigrad"
    minutes = 4
    text = "What comes first on the slide."
    cell = "distance.backward()"                the cell that has this code
    from = "v = torch"                          the first line to show, if not all; to: the last one
    shows = ["code", "printed"]                 and what of it, if not all: code, printed, picture, player
    predict = true                              what it printed comes with the next key
    ask = "What is the value of ``v.grad``?"    a question to the class, and the answer that the next key shows
    answer = "..."
    notes = "..."                               what to say
    board = "..."                               what to draw on the board

``play`` is a program whose last line makes a player or a drawing for this lecture alone. The slides become one page of
the site without its theme, which needs no other file and no network (deck.css, deck.js). The same file has the lab of
that week (plans.py).
"""

import base64
import html
import re
import textwrap
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from docutils.core import publish_parts
from docutils.frontend import get_default_settings
from docutils.nodes import SkipNode
from docutils.parsers.rst import Parser, directives, roles
from docutils.readers.standalone import Reader
from docutils.writers import html5_polyglot
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from sphinx.util.docutils import docutils_namespace

import mathml
import taught
from course import PAGES, TUTORIALS, title_of
from rebuilding import only

HERE = Path(__file__).parent
TEACHING = TUTORIALS.parent / "docs" / "teaching"
FOLDER = TEACHING / "lectures"
SHOWN = ("code", "printed", "picture", "player")

GENERATED = re.compile(r"^\.\. GENERATED FROM PYTHON SOURCE LINES (\d+)-\d+\n\n", re.MULTILINE)
PRINTED = re.compile(r"^ \.\. code-block:: none\n\n((?:(?:    .*)?\n)*)", re.MULTILINE)
PLAYER = re.compile(r"^\.\. raw:: html\n\n((?:(?:    .*)?\n)*)", re.MULTILINE)
PICTURE = re.compile(r"^\.\. image-sg:: (\S+)\n   :alt: (.*)\n", re.MULTILINE)
BAR = re.compile(r"^ .*\d+%\|.*\|.*\n(?= .*\d+%\|.*\|)", re.MULTILINE)
#: What is for sphinx-gallery alone, and what it hides.
CONFIG = re.compile(r"^[ \t]*# sphinx_gallery_(?:\w+ = .*|start_ignore\n(?:.*\n)*?"
                    r"[ \t]*# sphinx_gallery_end_ignore)\n?", re.MULTILINE)


# ------------------------------------------------------------------------------ the data


@dataclass
class Slide:
    title: str
    minutes: float
    notes: str
    text: str = ""
    cell: str = ""
    start: str = ""
    to: str = ""
    shows: tuple = ()
    play: str = ""
    ask: str = ""
    answer: str = ""
    board: str = ""
    predict: bool = False


@dataclass
class Lecture:
    name: str
    title: str
    idea: str
    pages: list
    slides: list
    able: list                                          # what one can do afterwards
    lab: dict                                           # plans.py says what is in it
    after: list = field(default_factory=list)           # the lectures that it builds on

    @property
    def minutes(self):
        return sum(slide.minutes for slide in self.slides)


def slide_of(data):
    return Slide(**{"start" if name == "from" else name: value for name, value in data.items()})


def full(page):
    """The name of a page with that of its part: "first_gradients/reading_digits"; LookupError if there is none."""
    found = [each for each in PAGES if each.endswith(f"/{page}")]
    if len(found) != 1:
        raise LookupError(f"{len(found)} pages of the course are called {page}")
    return found[0]


@cache
def lecture(name):
    """The lecture of this name."""
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    data |= {"slides": [slide_of(each) for each in data["slides"]], "pages": [full(page) for page in data["pages"]]}
    return Lecture(name=name, **data)


def names():
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


# ------------------------------------------------------------------------------ the cells


@cache
def page(name):
    return taught.Page(TUTORIALS / f"{name}.py")


def found(pages, piece):
    """(page, cell) that has this piece of code; LookupError if none of the pages has it, or several cells have."""
    places = [(name, cell) for name in pages for cell in page(name).cells if piece in cell.code]
    if len(places) != 1:
        where = ", ".join(f"{name} (cell {cell.number})" for name, cell in places) or "none of " + ", ".join(pages)
        other = [name for name in PAGES if not places and any(piece in cell.code for cell in page(name).cells)]
        raise LookupError(f"the code {piece!r} is in {where}" + f", but in {' and '.join(other)}" * bool(other))
    return places[0]


def lines_of(code, start, to):
    """The code from the line that has ``start`` to the next that has ``to``; LookupError if one is not there."""
    lines = CONFIG.sub("", code).strip("\n").splitlines()
    first = next((i for i, line in enumerate(lines) if start in line), None)
    if first is None:
        raise LookupError(f"no line has {start!r}")
    last = next((i for i in range(first, len(lines)) if to in lines[i]), None) if to else len(lines) - 1
    if last is None:
        raise LookupError(f"no line from {start!r} on has {to!r}")
    return textwrap.dedent("\n".join(lines[first:last + 1])).strip("\n")


def outputs_of(source, line):
    """{"printed", "player", "picture"} of the cell at this line, from the page as sphinx-gallery has written it."""
    _, *parts = GENERATED.split(source)
    text = BAR.sub("", dict(zip(map(int, parts[::2]), parts[1::2]))[line])
    result = {}
    for kind, pattern in (("printed", PRINTED), ("player", PLAYER)):
        if match := pattern.search(text):
            result[kind] = textwrap.dedent(match[1]).strip("\n")
    if match := PICTURE.search(text):
        result["picture"] = match[1], match[2]
    return result


# ------------------------------------------------------------------------------ one slide


class Translator(html5_polyglot.HTMLTranslator):
    def visit_math(self, node, math_env=""):
        self.body.append(mathml.translate(node))
        raise SkipNode

    def visit_math_block(self, node, math_env=""):
        self.body.append(f'<div class="formula">{mathml.translate(node, as_block=True)}</div>')
        raise SkipNode


class Writer(html5_polyglot.Writer):
    def __init__(self):
        super().__init__()
        self.translator_class = Translator


@cache
def settings():
    """Those of `markup`: of a text that brings none, docutils asks each of its hundred options for a default."""
    found = get_default_settings(Parser, Reader, Writer)
    vars(found).update(report_level=2, halt_level=2, initial_header_level=3, smart_quotes=False, traceback=True)
    return found


def markup(text):
    """reStructuredText as HTML, with mathematics as on the site, by docutils alone."""
    with docutils_namespace():
        directives._directives.clear()          # those of Sphinx, which need an environment
        roles._roles.clear()
        return publish_parts(text, writer=Writer(), settings=settings().copy())["body"].strip()


def coloured(code):
    return f'<pre class="code" tabindex="0">{highlight(code, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip()}</pre>'


def drawn(program):
    """What the last line of a program draws."""
    from drawn import drawing_of
    from fresh import start_afresh
    start_afresh()
    return drawing_of(program.strip())._repr_html_()


def embedded(path, alt):
    """A picture as part of the page. A wide one gets a row of its own, and the others are beside the text."""
    data = path.read_bytes()
    width, height = (int.from_bytes(data[at:at + 4], "big") for at in (16, 20))     # so begins every PNG
    wide = ' class="wide"' if width > 2.2 * height else ""
    return (f'<img{wide} alt="{html.escape(alt or "A figure of the page")}" '
            f'src="data:image/png;base64,{base64.b64encode(data).decode()}">')


def parts_of(slide, pages, docs):
    """[(kind, HTML)] of what a slide shows, and the page and the cell that it comes from, or None.

    ``docs`` is the folder in which sphinx-gallery has written the pages.
    """
    parts = [("text", markup(slide.text))] if slide.text else []
    place = None
    if slide.cell:
        name, cell = place = found(pages, slide.cell)
        source = (Path(docs) / "tutorials" / f"{name}.rst").read_text(encoding="utf-8")
        outputs = outputs_of(source, cell.line)
        shows = slide.shows or ("code", *outputs)
        if missing := set(shows) - {"code", *outputs}:
            raise LookupError(f"{name}, cell {cell.number}: there is no {' and no '.join(sorted(missing))}")
        for kind in shows:
            parts.append((kind, {
                "code": lambda: coloured(lines_of(cell.code, slide.start, slide.to)),
                "printed": lambda: f'<pre class="printed" tabindex="0">{html.escape(outputs["printed"])}</pre>',
                "player": lambda: outputs["player"],
                "picture": lambda: picture(outputs["picture"], Path(docs)),
            }[kind]()))
    if slide.play:
        parts.append(("player", drawn(slide.play)))
    return parts, place


def picture(found, docs):
    """The picture in its finer resolution."""
    path, alt = found
    path = docs / path.lstrip("/")
    finer = path.with_name(f"{path.stem}_2_00x.png")
    return embedded(finer if finer.exists() else path, alt)


def as_html(lecture, slide, number, began, docs):
    """A sheet: the slide, and below it the notes for the lecturer."""
    parts, place = parts_of(slide, lecture.pages, docs)
    kinds = [kind for kind, _ in parts]
    beside = "picture" in kinds and len(parts) > 1 and "wide" not in dict(parts)["picture"]
    held = {"printed": " held"} if slide.predict else {}
    left = "".join(f'<div class="{kind}-part{held.get(kind, "")}">{body}</div>' for kind, body in parts
                   if not (beside and kind == "picture"))
    right = "".join(f'<div class="picture-part">{body}</div>' for kind, body in parts if beside and kind == "picture")
    body = f'<div class="left">{left}</div>' + (f'<div class="right">{right}</div>' if right else "")
    asked = ""
    if slide.ask:
        held = " held" * ("player" in kinds)            # the player has the place first
        asked = f'<div class="ask{held}"><div class="question">{markup(slide.ask)}</div>'
        asked += f'<div class="answer held">{markup(slide.answer)}</div></div>'
    source = ""
    if place:
        name, cell = place
        source = (f'<a href="../../tutorials/{name}.html#{cell.anchor}">{html.escape(title_of(name))}</a>')
    notes = markup(slide.notes) + (
        f'<div class="board"><p><strong>On the board</strong></p>{markup(slide.board)}</div>' if slide.board else "")
    ends = began + slide.minutes
    classes = " asks" * bool(slide.ask) + " plays" * ("player" in kinds)
    return (
        f'<article class="sheet" id="slide-{number}" data-from="{began:g}" data-minutes="{slide.minutes:g}">'
        f'<section class="slide{classes}" aria-label="Slide {number}"><h2>{markup_line(slide.title)}'
        f'</h2><div class="body{" two" * beside}">{body}</div>{asked}'
        f'<footer><span>{html.escape(lecture.title)}</span><span>{source}</span><span>{number} / '
        f'{len(lecture.slides) + 1}</span></footer></section>'
        f'<div class="notes" role="note"><p class="clock">Minutes {began:g} to {ends:g}</p>{notes}</div>'
        '</article>')


def markup_line(text):
    """One line of reStructuredText, without a paragraph around it."""
    return re.sub(r"^<p>(.*)</p>$", r"\1", markup(text), flags=re.DOTALL)


# ------------------------------------------------------------------------------ the page


def title_sheet(lecture):
    able = "".join(f"<li>{markup_line(each)}</li>" for each in lecture.able)
    pages = ", ".join(f'<a href="../../tutorials/{name}.html">{html.escape(title_of(name))}</a>'
                      for name in lecture.pages)
    return (
        '<article class="sheet" id="slide-1" data-from="0" data-minutes="0"><section class="slide first" '
        f'aria-label="Slide 1"><h1>{html.escape(lecture.title)}</h1><div class="idea">{markup(lecture.idea)}</div>'
        f'<p>Afterwards you can</p><ul>{able}</ul><p class="pages">To read: {pages}</p><p class="keys">'
        '<kbd>→</kbd> next &nbsp; <kbd>←</kbd> back &nbsp; <kbd>N</kbd> notes &nbsp; <kbd>S</kbd> speaker’s window '
        '&nbsp; <kbd>F</kbd> full screen</p>'
        f'<footer><span>{html.escape(lecture.title)}</span><span></span><span>1 / {len(lecture.slides) + 1}</span>'
        '</footer></section><div class="notes" role="note"><p class="clock">Before the lecture</p>'
        f'<p>{lecture.minutes:g} minutes in all. A key reveals each answer, and steps through each player, before the '
        'next slide comes. The speaker’s window (S) shows these notes, the next title and a clock. Printed, each slide '
        'is a page; with the notes on (N), a page has two slides and what to say.</p></div></article>')


def deck(lecture, docs):
    """The page of a lecture."""
    sheets, began = [title_sheet(lecture)], 0
    for number, slide in enumerate(lecture.slides, 2):
        sheets.append(as_html(lecture, slide, number, began, docs))
        began += slide.minutes
    style = asset("deck.css") + HtmlFormatter(style="default").get_style_defs(".code")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n'
        f"<title>{html.escape(lecture.title)}: slides</title>\n<style>{style}</style>\n</head>\n"
        f'<body data-theme="light">\n<main>\n{chr(10).join(sheets)}\n</main>\n'
        f"<script>{asset('deck.js')}</script>\n</body>\n</html>\n")


def asset(name):
    return (HERE / name).read_text(encoding="utf-8")


def write_decks(app, failure):
    if failure is None and app.builder.format == "html":
        folder = Path(app.outdir, "teaching", "lectures")
        folder.mkdir(parents=True, exist_ok=True)
        changed = only(app)
        for name in names():
            pages = [f"tutorials/{page}.py" for page in lecture(name).pages]
            if changed is not None and not {*pages} & {*changed} and (folder / f"{name}.html").exists():
                continue
            (folder / f"{name}.html").write_text(deck(lecture(name), app.srcdir), encoding="utf-8")


def setup(app):
    app.setup_extension("rebuilding")
    app.connect("build-finished", write_decks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
