"""``.. error-catalogue::`` lists every error that minigrad raises itself, from the catalogue in the core."""

from docutils import nodes
from minigrad._core.errors import CATALOGUE
from sphinx.util.docutils import SphinxDirective


class ErrorCatalogue(SphinxDirective):
    def run(self):
        found = nodes.definition_list()
        for code, (exception, meaning) in CATALOGUE.items():
            base = next(each for each in exception.__mro__ if each.__module__ == "builtins" and each is not Exception)
            term = nodes.term("", "", nodes.literal(code, code), nodes.inline("", "  " + base.__name__, classes=["error-class"]))
            term["ids"].append(code)
            found += nodes.definition_list_item("", term, nodes.definition("", nodes.paragraph(meaning, meaning + ".")))
        return [found]


def setup(app):
    app.add_directive("error-catalogue", ErrorCatalogue)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
