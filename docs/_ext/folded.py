"""``.. folded:: Which rows exist``: what follows, text and cells alike, is folded away under these words.

It is folded up to the next ``folded``, the next heading, or the end of the section.  A ``.. dropdown::`` folds what is
indented below it; in a tutorial a cell cannot be indented, so this directive folds what comes after it instead.
"""

import html

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective


class Marker(nodes.General, nodes.Element):
    """Where folding begins, until `Fold` has folded."""


class Folded(SphinxDirective):
    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        return [Marker(words=self.arguments[0])]


class Fold(SphinxTransform):
    """Surround what comes after each marker with ``<details>``."""

    default_priority = 500

    def apply(self):
        for marker in [*self.document.findall(Marker)]:
            siblings = marker.parent.children
            end = start = siblings.index(marker) + 1
            while end < len(siblings) and not isinstance(siblings[end], (Marker, nodes.section)):
                end += 1
            words = html.escape(marker["words"])
            opening = f'<details class="folded"><summary>{words}</summary>'
            marker.parent[start - 1:end] = [nodes.raw("", opening, format="html"), *siblings[start:end],
                                            nodes.raw("", "</details>", format="html")]


def setup(app):
    app.add_directive("folded", Folded)
    app.add_transform(Fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
