"""The player as HTML: one self-contained element.

Without its script it is a story to read: a picture and a list of steps.  The script (player.js) shows one step at a
time, and lights the vertices and edges of the step in the picture.  Attributes say which ones::

    <li data-graph="0" data-vertices="3" data-edges="4 5">      this step lights vertex 3 and edges 4 and 5 of graph 0

A slide may have questions (questions.py), as JSON.  The rows that answer a question carry its number, and the script
hides them until it has been answered::

    <li data-ask="[{...}]"> ... <dt data-answers="0">for self</dt><dd data-answers="0">d * other = 2.</dd>

The script starts all players on the page that are not running yet, so a page may have any number.
"""

import json
from functools import cache
from pathlib import Path

from minigrad.notation.escaping import escape
from minigrad.viz.narration import Mathematics, Note, slides, title_of
from minigrad.viz.questions import Asked, questions_of
from minigrad.viz.svg import DARK, LIGHT, themes, to_svg
from minigrad.viz.values import Value

__all__ = ["as_html", "as_page", "as_slides"]

#: The player's colours besides those of the drawing: for lit parts, for hover and focus, for errors and right answers;
#: and the scheme for the browser's scroll bars.
MORE_LIGHT = {"lit": "#b4430a", "panel": "#f6f7f9", "rule": "#7b848e", "wrong": "#b3261e", "good": "#1a7030",
              "scheme": "light"}
MORE_DARK = {"lit": "#ffb074", "panel": "#1e2227", "rule": "#6f7a86", "wrong": "#ff9d94", "good": "#7fd494",
             "scheme": "dark"}

#: The symbols on the buttons, as drawings, because characters for them look different everywhere.
ICONS = {
    "first": ("First step (Home)", "M3 3v10M13 3L6 8l7 5z"),
    "back": ("Step back (left arrow)", "M11 3L4 8l7 5z"),
    "play": ("Play or pause (space)", "M4 2l9 6-9 6z"),
    "next": ("Next step (right arrow)", "M5 3l7 5-7 5z"),
    "last": ("Last step (End)", "M13 3v10M3 3l7 5-7 5z"),
}
PAUSE = "M4 3h3v10H4zM9 3h3v10H9z"

#: The buttons that show a step in another form: their words, and their keys.
FORMS = {"mathematics": ("As mathematics", "m"), "code": ("As code", "c")}
NOT_RECORDED = ("This pass was not recorded, and a graph alone does not know what was computed. Write\n\n"
                "with minigrad.viz.recording():\n    loss = ...\nminigrad.viz.play(loss)")


def as_html(stories, title, ask=False):
    """The player as one element; with ``ask``, it asks for each gradient before it shows it."""
    told = [(i, slide) for i, story in enumerate(stories)
            for slide in slides(story, questions_of(story) if ask else Asked())]
    asks = any([slide.questions for _, slide in told])
    if not told:
        return "<p>No backward pass has run.</p>"
    return "\n".join([
        f'<section class="minigrad-player" tabindex="0" role="group" aria-label="{escape(title)}: a player. Arrow keys '
        'step, space plays, m shows a step as mathematics, c as code.">',
        f"<style>{style()}</style>",
        f'<p class="mgp-name">{escape(title if len(stories) == 1 else heading(stories, 0))}</p>',
        '<div class="mgp-body"><div '
        f'class="mgp-stage">{"".join([graph_as_html(stories, i, asks) for i in range(len(stories))])}</div>',
        f'<div class="mgp-side">{controls(len(told), asks)}{instead(stories)}<ol class="mgp-steps">',
        *[slide_as_html(slide, graph) for graph, slide in told],
        "</ol></div></div>",
        '<p class="mgp-said" aria-live="polite"></p>',
        f"<script>{asset('player.js')}</script>",
        "</section>",
    ]) + "\n"


def heading(stories, i):
    story = stories[i]
    return (f"{i + 1} of {len(stories)}: " if len(stories) > 1 else "") + title_of(story) + (
        f", inside {story.within}" if story.within else "")


def as_page(stories, title, ask=False, more=""):
    """A page with only the player; and ``more``, which may change how it looks."""
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" '
            f'content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(title)}</title>\n"
            "<style>:root{color-scheme:light dark}body{margin:1rem;font-family:system-ui,sans-serif;background:#fff}"
            "@media (prefers-color-scheme:dark){body{background:#16191d}}</style>\n"
            f"</head>\n<body>\n{as_html(stories, title, ask)}{more}</body>\n</html>\n")


def as_slides(stories, title, ask=False):
    """A page that is a lecture: the player, as large as the window, and on paper each of its slides on a sheet."""
    more = f"<style>{rules('slides.css')}</style>\n<script>{asset('slides.js')}</script>\n"
    return as_page(stories, title, ask, more)


@cache
def asset(name):
    return Path(__file__).with_name(name).read_text(encoding="utf-8").strip()


@cache
def style():
    """The rules of player.css, made stronger than any rule of a page around it, for which no element is called ``_``.

    JupyterLab lets every ``dt`` float in a column of its own, and pads every ``code``. """
    return themes("minigrad-player", LIGHT | MORE_LIGHT, DARK | MORE_DARK) + rules("player.css")


def rules(name):
    return " ".join(asset(name).split()).replace(".minigrad-player", ".minigrad-player:not(#_)")


# ------------------------------------------------------------------------------ the parts

def graph_as_html(stories, i, asks):
    drawn = to_svg(stories[i].picture, title_of(stories[i]), routes=True, described=not asks)
    return (f'<div class="mgp-graph" data-title="{escape(heading(stories, i))}" tabindex="0" role="group" '
            f'aria-label="Graph of the pass (scrollable)">{drawn}</div>')


def controls(n, asks):
    buttons = [f'<button type="button" data-do="{do}" aria-label="{name}" title="{name}">{icon(path)}</button>'
               for do, (name, path) in ICONS.items()]
    if asks:
        buttons.append('<button type="button" data-do="ask" aria-pressed="true" aria-label="Ask before showing" '
                       'title="Ask before showing">Ask</button>')
    forms = [f'<button type="button" data-do="{form}" aria-pressed="false" aria-keyshortcuts="{key}" '
             f'aria-label="{words}" title="{words} ({key})">{words}</button>' for form, (words, key) in FORMS.items()]
    return (f'<div class="mgp-controls" hidden data-play="{ICONS["play"][1]}" '
            f'data-pause="{PAUSE}">{"".join(buttons)}<input type="range" min="0" max="{n - 1}" value="0" '
            f'aria-label="Step"><output>1 / {n}</output><select aria-label="Speed" title="Speed"><option '
            'value="0.5">0.5 ×</option><option value="1" selected>1 ×</option><option value="2">2 ×</option><option '
            f'value="4">4 ×</option></select>{"".join(forms)}</div>')


def icon(path):
    return ('<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path '
            f'd="{path}"/></svg>')


def slide_as_html(slide, graph):
    questions = slide.questions
    numbers = [f'data-{name}="{" ".join(map(str, of))}"'
               for name, of in (("vertices", slide.vertices), ("edges", slide.edges)) if of]
    if questions:
        numbers.append(f'data-ask="{escape(json.dumps([question.as_data() for question in questions]))}"')
    tells = ' data-answers="0"' if questions and not slide.number else ""      # with what the pass begins
    return (f'<li data-graph="{graph}" {" ".join(numbers)} '
            f'data-said="{escape(slide.sentence())}"{" class=mgp-failed" * slide.failed}><p '
            f'class="mgp-title">{escape(slide.heading)}</p>'
            + (f'<p class="mgp-about"{tells}>{escape(slide.about)}</p>' if slide.about else "")
            + (forms_as_html(slide.written) if slide.written else "")
            + f"<dl>{''.join([row_as_html(row, questions) for row in slide.rows])}</dl></li>")


def forms_as_html(written):
    """A slide as mathematics and as code, hidden until a button asks for it."""
    equations = "".join([f"<p>{escape(each.about) + ': ' if each.about else ''}<math displaystyle=\"true\" "
                         f'aria-label="{escape(each.text)}">{each.mathml}</math></p>' for each in written.equations])
    code = f'<pre tabindex="0"><code>{escape(written.code)}</code></pre>' if written.code else ""
    return "".join([f'<div class="mgp-form" data-form="{form}" hidden>{content}</div>'
                    for form, content in (("mathematics", equations), ("code", code)) if content])


def instead(stories):
    """Why no step is shown in a form, where none is."""
    if any([story.written for story in stories]):
        reasons = {form: story.not_written[form] for story in stories for form in story.not_written}
    else:
        reasons = {" ".join(FORMS): NOT_RECORDED}
    return "".join([f'<div class="mgp-form" data-form="{forms}" hidden>{reason_as_html(why)}</div>'
                    for forms, why in reasons.items()])


def reason_as_html(why):
    """Its words, and the lines to write if there are any."""
    words, _, lines = why.partition("\n\n")
    return f"<p>{escape(words)}</p>" + (f'<pre tabindex="0"><code>{escape(lines)}</code></pre>' if lines else "")


def row_as_html(row, questions):
    """The row; if it answers a question, it carries its number."""
    number = next((i for i, question in enumerate(questions) if question is row.question), None)
    answers = "" if number is None else f' data-answers="{number}"'
    return f"<dt{answers}>{escape(row.label)}</dt><dd{answers}>{parts_as_html(row.parts)}</dd>"


def parts_as_html(parts):
    """The parts in a row, which never breaks after an equals sign or an arrow."""
    found, sign = [], ""
    for part in parts:
        if part in ("=", "→"):
            sign = part + " "
            continue
        found.append(f'<span class="mgp-then">{sign}{part_as_html(part)}</span>' if sign else part_as_html(part))
        if isinstance(part, Value) and part.kind:
            found.append(f'<span class="mgp-kind">{escape(part.kind)}</span>')
        sign = ""
    return " ".join(found)


def part_as_html(part):
    if isinstance(part, Value):
        tall = " mgp-tall" * ("\n" in part.text)
        return f'<code class="mgp-value{tall}">{escape(part.text)}</code>'
    if isinstance(part, Mathematics):
        if part.mathml:
            return f'<math displaystyle="true" aria-label="{escape(part.text)}">{part.mathml}</math>'
        return f'<code class="mgp-numbers">{escape(part.text)}</code>'
    return f'<span class="mgp-note">{escape(part.text)}</span>' if isinstance(part, Note) else escape(part)
