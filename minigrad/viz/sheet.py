"""A derivation or a program in a page: one self-contained element, with a button that copies its text.

Notebooks, the cells of this site and its pages show it as they show the player (page.py).  Without its script it is the
same without the button.
"""

from functools import cache

from minigrad.notation.escaping import escape
from minigrad.viz.page import MORE_DARK, MORE_LIGHT, asset
from minigrad.viz.svg import DARK, LIGHT, themes

__all__ = ["formulas_as_html", "program_as_html"]


def formulas_as_html(rows, latex):
    """A table with these rows, one for each equation; the button copies LaTeX."""
    table = f'<div class="mgs-scroll" tabindex="0"><table>{"".join(rows)}</table></div>'
    return as_html("minigrad-derivation", "Derivation", table, "Copy LaTeX",
                   f'<pre class="mgs-text" tabindex="0" hidden>{escape(latex)}</pre>')


def program_as_html(text):
    """The text of a program, which the button copies."""
    return as_html("minigrad-program", "Program", "", "Copy the program",
                   f'<pre class="mgs-text mgs-scroll" tabindex="0"><code>{escape(text)}</code></pre>')


def as_html(name, title, content, copy, text):
    return (f'<div class="minigrad-sheet {name}" role="group" aria-label="{title}"><style>{style()}</style>'
            f'{content}{text}<button type="button" hidden>{copy}</button><span role="status"></span>'
            f'<script>{asset("sheet.js")}</script></div>')


@cache
def style():
    rules = " ".join(asset("sheet.css").split()).replace(".minigrad-sheet", ".minigrad-sheet:not(#_)")
    return themes("minigrad-sheet", LIGHT | MORE_LIGHT, DARK | MORE_DARK) + rules
