"""``.. error-catalogue::`` lists every error that minigrad raises itself, from the catalogue in the core."""

from docutils import nodes
from minigrad._core.errors import CATALOGUE
from sphinx.util.docutils import SphinxDirective

#: What the first digit of a code stands for.
GROUPS = {
    "1": "Gradients and the graph",
    "2": "Arguments of operations",
    "3": "Your own functions",
    "4": "Making and converting tensors",
    "5": "Checking derivatives",
    "6": "Under PyTorch's name",
}


class ErrorCatalogue(SphinxDirective):
    def run(self):
        found = []
        for digit, title in GROUPS.items():
            codes = [code for code in CATALOGUE if code[2] == digit]
            if codes:
                section = nodes.section("", nodes.title(title, title), *map(self.entry, codes), ids=[f"MG{digit}xx"])
                found.append(section)
        return found

    def entry(self, code):
        exception, meaning = CATALOGUE[code]
        base = next(each for each in exception.__mro__ if each.__module__ == "builtins" and each is not Exception)
        kind = nodes.inline(base.__name__, base.__name__, classes=["error-class"])
        return nodes.paragraph("", "", nodes.literal(code, code), nodes.Text(f"  {meaning}. "), kind, ids=[code])


def setup(app):
    app.add_directive("error-catalogue", ErrorCatalogue)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
