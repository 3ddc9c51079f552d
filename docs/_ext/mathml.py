"""Mathematics as MathML: written into the page when the site is built, with nothing to load.

Every current browser draws MathML, a screen reader reads it, and a formula can be copied
like text.  docutils, the base of Sphinx, translates LaTeX to it; this extension passes it
``:math:`` roles and ``math`` directives, and turns anything that docutils cannot translate into a
warning at the formula's own line.  The font with tall brackets and wide roots is in ``_static``.
"""

from xml.etree import ElementTree

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import accents, tex2mathml
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

MATHML = "http://www.w3.org/1998/Math/MathML"
APPLY = "\u2061"        # the invisible sign between a function and its argument
NAME, OPERATOR = f"{{{MATHML}}}mi", f"{{{MATHML}}}mo"
ROWS = {f"{{{MATHML}}}{name}" for name in ("math", "mrow", "mtd", "mstyle", "msqrt")}
INDEXED = {f"{{{MATHML}}}{name}" for name in ("msup", "msub", "msubsup", "munder")}
ACCENTS = {*accents.values()}

logger = logging.getLogger(__name__)


def translate(node, as_block=False):
    tex = node.astext().strip()
    if as_block and r"\\" in tex and r"\begin{" not in tex:
        tex = r"\begin{aligned}" + tex + r"\end{aligned}"  # Sphinx's custom: several lines align
    try:
        return spaced(tex2mathml(tex, as_block=as_block))
    except MathError as problem:
        logger.warning("cannot translate to MathML: %s (%s)", problem, tex, location=node)
        return f"<code>{tex}</code>"


def spaced(mathml):
    """Put the thin spaces of LaTeX around the names of functions: 2 sin x, and not 2sinx."""
    tree = ElementTree.fromstring(mathml.replace("&ApplyFunction;", APPLY))
    for element in list(tree.iter(f"{{{MATHML}}}munderover")):
        put_index_beside(element)
    for row in tree.iter():
        if row.tag == OPERATOR and is_function(row):            # max, lim: spaced like the other names
            row.set("lspace", "0")
            row.set("rspace", "0")
        if row.tag in ROWS:
            children = [child for child in row if child.text != APPLY]
            row[:] = [part for i in range(len(children)) for part in with_spaces(children, i)]
    ElementTree.register_namespace("", MATHML)
    return ElementTree.tostring(tree, encoding="unicode")


def put_index_beside(element):
    """The index of a letter with an accent belongs beside it; docutils takes it for a limit, and puts it below."""
    letter, index, accent = element
    if accent.tag == OPERATOR and accent.text in ACCENTS:
        over = ElementTree.Element(f"{{{MATHML}}}mover", accent="true")
        over.extend([letter, accent])
        element.tag = f"{{{MATHML}}}msub"
        element[:] = [over, index]


def with_spaces(row, i):
    if not is_function(row[i]):
        return [row[i]]
    before = i > 0 and not is_operator(row[i - 1])
    after = i + 1 < len(row) and not is_function(row[i + 1]) and row[i + 1].tag != OPERATOR
    return [thin_space()] * before + [row[i]] + [thin_space()] * after


def thin_space():
    return ElementTree.Element(f"{{{MATHML}}}mspace", width="0.167em")


def is_operator(element):
    return element.tag == OPERATOR and element.text not in (")", "]", "}") and not is_function(element)


def is_function(element):
    """sin, log_2: an upright name of several letters, with or without indices."""
    if element.tag in INDEXED:
        return is_function(element[0])
    return element.tag in (NAME, OPERATOR) and len(element.text) > 1 and element.text.isalpha()


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
