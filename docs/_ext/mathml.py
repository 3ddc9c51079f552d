"""Mathematics as MathML: written into the page when the site is built, nothing to load.

Every current browser draws MathML by itself, a screen reader reads it, and a formula can be copied
like text.  docutils, which Sphinx is built on, translates LaTeX to it; this extension hands
``:math:`` roles and ``math`` directives over, and turns what docutils cannot translate into a
warning at the formula's own line.  The font with tall brackets and wide roots is in ``_static``.
"""

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

logger = logging.getLogger(__name__)


def translate(node, as_block=False):
    tex = node.astext().strip()
    if as_block and r"\\" in tex and r"\begin{" not in tex:
        tex = r"\begin{aligned}" + tex + r"\end{aligned}"  # Sphinx's custom: several lines align
    try:
        return tex2mathml(tex, as_block=as_block)
    except MathError as problem:
        logger.warning("cannot translate to MathML: %s (%s)", problem, tex, location=node)
        return f"<code>{tex}</code>"


def inline(self, node):
    self.body.append(translate(node))
    raise nodes.SkipNode


def block(self, node):
    self.body.append(self.starttag(node, "div", CLASS="equation"))
    self.body.append(f'<div class="formula" tabindex="0">{translate(node, as_block=True)}</div>')
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, _("Link to this equation"))
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def nothing(self, node):
    """Both visitors skip the departure."""


def setup(app):
    app.add_html_math_renderer("mathml", (inline, nothing), (block, nothing))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
