"""``.. decisions::``: which names of PyTorch are here, and why the others are not.

The names of PyTorch are those that minigrad knows for its errors; why one is left out is written in
minigrad/_core/errors/left_out.txt.  The tests hold both to account.
"""

from sphinx.util.docutils import SphinxDirective
from minigrad._core.errors.absent import pytorchs, recorded, why

from tests.parity.test_decisions import is_here

#: Names that a Python module shows since it imports them are decided, and not worth reading.
UNINTERESTING = "these are modules of Python, which PyTorch's modules happen to import"


def lines_of(namespace):
    """A section for a namespace, as reStructuredText: what is here, then the rest by reason."""
    here, reasons = [], {}
    for name in sorted(pytorchs(namespace), key=lambda name: (name.lower(), name)):
        if is_here(namespace, name):
            here.append(name)
        else:
            reasons.setdefault(why(namespace, name), []).append(name)
    reasons.pop(UNINTERESTING, None)
    title = f"``{namespace}``"
    out = sum(map(len, reasons.values()))
    lines = [title, "-" * len(title), "", f"{len(here)} names are here, {out} are not.", ""]
    lines += [f"Here\n   {listed(here)}", ""] if here else []
    for reason, names in sorted(reasons.items(), key=lambda each: -len(each[1])):
        lines += [f"{reason[0].upper()}{reason[1:]}\n   {listed(names)}", ""]
    return lines


def listed(names):
    return ", ".join([f"``{name}``" for name in names])


class Decisions(SphinxDirective):
    def run(self):
        order = sorted(recorded(), key=lambda namespace: (namespace.count("."), namespace))
        return self.parse_text_to_nodes("\n".join([line for namespace in order for line in lines_of(namespace)]),
                                        allow_section_headings=True)


def setup(app):
    app.add_directive("decisions", Decisions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
