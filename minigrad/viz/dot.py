"""A picture in the language of Graphviz, to lay it out or change it with other tools."""

from minigrad.notation.escaping import shown

__all__ = ["to_dot"]

FORMS = {
    "result": 'shape=box, style=bold',
    "op": 'shape=ellipse',
    "custom": 'shape=doubleoctagon',
    "write": 'shape=parallelogram',
    "accumulate": 'shape=hexagon',
    "leaf": 'shape=box, style=rounded',
    "more": 'shape=plaintext',
}


def quoted(lines):
    """A label of several lines, with DOT's special characters escaped."""
    written = [shown(line).replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") for line in lines]
    return '"' + r"\n".join(written) + '"'


def to_dot(picture):
    """The text of a .dot file: ``dot -Tpdf graph.dot`` draws it."""
    lines = ["digraph minigrad {", '    node [fontname="monospace"];', '    edge [fontname="monospace"];']
    for i, vertex in enumerate(picture.vertices):
        saved = [f"saved {note}" for note in vertex.notes]
        lines.append(f"    n{i} [label={quoted([vertex.title, *vertex.lines, *saved])}, {FORMS[vertex.kind]}];")
    for edge in picture.edges:
        label = f" [label={quoted([edge.label])}]" if edge.label else ""
        lines.append(f"    n{edge.source} -> n{edge.target}{label};")
    return "\n".join([*lines, "}"]) + "\n"
