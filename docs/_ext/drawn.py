"""``.. drawn-graph::``: run the lines, show them, and below them the drawing that the last one makes.

The lines run with ``torch`` and ``minigrad`` at hand, from a fresh start for each directive, while the site is built: a
picture that cannot be made is an error of the build. """

import ast

import minigrad
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from fresh import start_afresh


def drawing_of(source):
    """What the last line of ``source`` is worth, after the others have run."""
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
