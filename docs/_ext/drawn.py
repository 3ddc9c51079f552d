"""``.. drawn-graph::``: run the lines, and show them and the drawing that the last one makes.

The lines run while the site is built, with ``torch`` and ``minigrad`` defined, and with a fresh start for each
directive: the build fails if a picture cannot be made. """

import ast

import minigrad
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from fresh import start_afresh


def drawing_of(source):
    """The value of the last line of ``source``, after the others have run."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value)
    names = {"torch": minigrad, "minigrad": minigrad}
    exec(compile(tree, "<drawn-graph>", "exec"), names)
    return eval(compile(last, "<drawn-graph>", "eval"), names)


class DrawnGraph(SphinxDirective):
    has_content = True

    def run(self):
        start_afresh()
        source = "\n".join(self.content)
        drawing = drawing_of(source)
        shown = nodes.literal_block(source, source, language="python")
        return [shown, nodes.raw("", drawing._repr_html_(), format="html")]


def setup(app):
    app.add_directive("drawn-graph", DrawnGraph)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
