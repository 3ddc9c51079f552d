"""A picture as SVG: shapes, lines, and colours for light and dark.

Text is measured by counting, since there is no browser here: a letter of a monospaced font is 0.6 times the font's size
wide.  The shape of a vertex shows its kind, and the colour only repeats it.  Colours are CSS variables inside
the drawing.  They follow the reader's system, or the page if it has a theme of its own (furo, Jupyter, VS Code).
"""

from math import sqrt
from unicodedata import east_asian_width

from minigrad.notation.escaping import escape
from minigrad.viz.layout import arrange

__all__ = ["size_of", "to_svg"]

TITLE, SMALL = 13, 11               # font sizes
LETTER = 0.615                      # the widest monospaced fonts have 0.602
LINE_OF_TITLE, LINE_OF_SMALL = 18, 14
MARGIN = 10
HEAD = 7                            # of an arrow
CUT = 10                            # the corners of a hexagon, the slant of a parallelogram

#: The tooltip of each kind.
MEANING = {
    "result": "the tensor to start from",
    "op": "an operation's node",
    "custom": "the node of a custom Function",
    "write": "a write through a view",
    "accumulate": "adds the gradient to .grad of the leaf",
    "leaf": "a tensor that you made",
    "more": "the graph goes on here",
}

LIGHT = {
    "paper": "#ffffff", "ink": "#1b1f24", "line": "#57606a", "faint": "#57606a",
    "leaf": "#dcf3e1", "leaf-line": "#2a7339", "op": "#e4ecfb", "op-line": "#3b62a8", "accumulate": "#fdefcf",
    "accumulate-line": "#8a5d09",
    "custom": "#f4e3f8", "custom-line": "#843a96", "write": "#fde2de", "write-line": "#a83c2c", "result": "#eceff2",
    "result-line": "#1b1f24",
}
DARK = {
    "paper": "#16191d", "ink": "#e9ebee", "line": "#9aa4af", "faint": "#aab3bd",
    "leaf": "#17351f", "leaf-line": "#6cc784", "op": "#1c2d4f", "op-line": "#8fb4f5", "accumulate": "#3d2f0e",
    "accumulate-line": "#e6b656",
    "custom": "#3b1f42", "custom-line": "#d79be6", "write": "#47211b", "write-line": "#f09a8b", "result": "#2b3138",
    "result-line": "#e9ebee",
}

#: How a page declares that it is dark or light, whatever the system's theme.
DARK_PAGES = ["body[data-theme=dark]", "body[data-jp-theme-light=false]", "body.vscode-dark"]
LIGHT_PAGES = ["body[data-theme=light]", "body[data-jp-theme-light=true]", "body.vscode-light"]


def themes(name, light, dark):
    """The colours as CSS variables for the class ``name``: light or dark, following the system and the page."""
    def variables(colours):
        return "".join([f"--mg-{colour}:{value};" for colour, value in colours.items()])

    def on(pages):
        return ",".join([f"{page} .{name}" for page in pages])

    return (
        f".{name}{{{variables(light)}}}"
        f"@media (prefers-color-scheme:dark){{.{name}{{{variables(dark)}}}}}"
        f"{on(LIGHT_PAGES)}{{{variables(light)}}}"
        f"{on(DARK_PAGES)}{{{variables(dark)}}}"
        f"@media print{{.{name}.{name}.{name}{{{variables(light)}}}}}"
    )


def style():
    kinds = "".join([f".minigrad-graph .mg-{kind}{{fill:var(--mg-{kind});stroke:var(--mg-{kind}-line)}}"
                     for kind in MEANING if kind != "more"])
    return (
        f"{themes('minigrad-graph', LIGHT, DARK)}.minigrad-graph "
        "text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans "
        f"Mono\",monospace;font-size:{SMALL}px;fill:var(--mg-ink);text-anchor:middle}}.minigrad-graph "
        f".mg-title{{font-size:{TITLE}px}}.minigrad-graph .mg-paper{{fill:var(--mg-paper)}}.minigrad-graph "
        ".mg-label{fill:var(--mg-faint)}.minigrad-graph "
        ".mg-line{fill:none;stroke:var(--mg-line);stroke-width:1.3}.minigrad-graph .mg-route,.minigrad-graph "
        ".mg-gap{fill:none;stroke:none}.minigrad-graph .mg-head{fill:var(--mg-line)}.minigrad-graph "
        ".mg-form{stroke-width:1.4}.minigrad-graph .mg-result{stroke-width:2.4}.minigrad-graph "
        ".mg-inner{fill:none;stroke-width:1}.minigrad-graph "
        f".mg-saved{{fill:none;stroke:var(--mg-line);stroke-dasharray:3 2}}{kinds}"
    )


# ------------------------------------------------------------------------------ sizes

def text_width(text, size):
    return LETTER * size * sum([2 if east_asian_width(letter) in "WF" else 1 for letter in text])


def text_of(vertex):
    """The size of the text of a vertex: (width, height)."""
    width = max([text_width(vertex.title, TITLE), *[text_width(line, SMALL) for line in vertex.lines]])
    return width, LINE_OF_TITLE + LINE_OF_SMALL * len(vertex.lines)


def form_of(vertex):
    """The size of a vertex's shape, without the notes below it."""
    width, height = text_of(vertex)
    if vertex.kind == "op":             # an ellipse (a, b) holds a box (p, q) if (p/a)^2 + (q/b)^2 <= 1
        b = 0.85 * height
        return width / sqrt(1 - (height / 2 / b) ** 2) + 4, 2 * b
    if vertex.kind == "more":
        return width + 12, height
    return width + {"leaf": 22, "result": 22}.get(vertex.kind, 16 + 2 * CUT), height + 10


def notes_size(vertex):
    if not vertex.notes:
        return 0.0, 0.0
    return max([text_width(note, SMALL) for note in vertex.notes]) + 14, LINE_OF_SMALL * len(vertex.notes) + 8


def size_of(vertex):
    (width, height), (wide, high) = form_of(vertex), notes_size(vertex)
    return max(width, wide), height + high


def lay_out(picture):
    labels = [(text_width(edge.label, SMALL) + 4, LINE_OF_SMALL) if edge.label else (0.0, 0.0)
              for edge in picture.edges]
    return arrange([size_of(v) for v in picture.vertices], [(e.source, e.target, e.output) for e in picture.edges],
                   labels)


# ------------------------------------------------------------------------------ forms

def number(x):
    return f"{x:.1f}".removesuffix(".0")


def points(*corners):
    return "M" + "L".join([f"{number(x)} {number(y)}" for x, y in corners]) + "Z"


def form(kind, x, y, width, height):
    """The outline of a vertex whose centre is at (x, y)."""
    w, h = width / 2, height / 2
    left, right, top, bottom = x - w, x + w, y - h, y + h
    drawn = f'class="mg-form mg-{kind}"'
    if kind == "more":
        return ""
    if kind == "op":
        return f'<ellipse {drawn} cx="{number(x)}" cy="{number(y)}" rx="{number(w)}" ry="{number(h)}"/>'
    if kind in ("leaf", "result"):
        round_ = 9 if kind == "leaf" else 0
        return (f'<rect {drawn} x="{number(left)}" y="{number(top)}" width="{number(width)}" height="{number(height)}" '
                f'rx="{round_}"/>')
    if kind == "accumulate":
        corners = points((left + CUT, top), (right - CUT, top), (right, y), (right - CUT, bottom), (left + CUT, bottom),
                         (left, y))
        return f'<path {drawn} d="{corners}"/>'
    if kind == "write":
        return f'<path {drawn} d="{points((left + CUT, top), (right, top), (right - CUT, bottom), (left, bottom))}"/>'

    def octagon(inset, cut):
        a, b, c, d = left + inset, right - inset, top + inset, bottom - inset
        return points((a + cut, c), (b - cut, c), (b, c + cut), (b, d - cut), (b - cut, d), (a + cut, d), (a, d - cut),
                      (a, c + cut))

    return f'<path {drawn} d="{octagon(0, 8)}"/><path class="mg-form mg-{kind} mg-inner" d="{octagon(3, 7)}"/>'


def reach(kind, width, height, aside):
    """The distance from the centre of a shape to its edge above or below, at ``aside`` from the centre."""
    if kind == "op":
        return height / 2 * sqrt(max(0.0, 1 - (2 * aside / width) ** 2))
    return height / 2


# ------------------------------------------------------------------------------ lines

def ports(layout):
    """Where lines leave and enter: cell -> neighbour -> x, spread in the order of the neighbours."""
    leaving, entering = {}, {}
    for i, cell in enumerate(layout.cells):
        if cell.line:
            continue
        for ends, neighbours in ((leaving, cell.below), (entering, cell.above)):
            step = min(13.0, 0.5 * cell.width / max(1, len(neighbours)))
            ordered = sorted(neighbours, key=lambda j: (layout.cells[j].x, j))
            ends[i] = {j: cell.x + (at - (len(ordered) - 1) / 2) * step for at, j in enumerate(ordered)}
    return leaving, entering


class Pen:
    """Draws lines from row to row: straight down through a row, and with a smooth bend between two."""

    def __init__(self, layout, vertices):
        self.layout, self.vertices = layout, vertices
        self.leaving, self.entering = ports(layout)
        rows = layout.rows
        self.top = [min([layout.cells[i].y - layout.cells[i].height / 2 for i in row], default=0.0) for row in rows]
        self.bottom = [max([layout.cells[i].y + layout.cells[i].height / 2 for i in row], default=0.0) for row in rows]

    def path(self, route):
        """The line along a route, interrupted at labels; the point of its arrow if it arrives at a vertex; and the
        gaps at the labels."""
        cells, d, gaps, at = self.layout.cells, [], [], None
        slants = [0.0, *[self.slant(*three) for three in zip(route, route[1:], route[2:])], 0.0]
        for i, j, slant, next_slant in zip(route, route[1:], slants, slants[1:]):
            (x, y), (to_x, to_y) = self.leaves(i, j, slant), self.arrives(i, j, next_slant)
            start, stop = max(y, self.bottom[cells[i].row]), min(to_y, self.top[cells[j].row])
            if at != (x, y):
                d.append(f"M{number(x)} {number(y)}")
                gaps.append("" if at is None else f"M{number(at[0])} {number(at[1])}L{number(x)} {number(y)}")
            if abs(x - to_x) > 0.05:
                if start > y:
                    d.append(f"V{number(start)}")
                bend = (stop - start) / 2
                d.append(f"C{number(x + slant * bend)} {number(start + bend)} {number(to_x - next_slant * bend)} "
                         f"{number(stop - bend)} {number(to_x)} {number(stop)}")
            if to_y > stop or abs(x - to_x) <= 0.05:
                d.append(f"V{number(to_y)}")
            at = to_x, to_y
        return "".join(d), None if cells[route[-1]].line else (at[0], at[1] + HEAD), "".join(gaps)

    def slant(self, before, i, after):
        """The sideways slope of a line where it passes a label: that of the straight line between its neighbours."""
        above, cell, below = self.layout.cells[before], self.layout.cells[i], self.layout.cells[after]
        if not cell.height:
            return 0.0
        most = min(1.0, cell.width / cell.height)
        ways = (cell.x - above.x) / (cell.y - above.y), (below.x - cell.x) / (below.y - cell.y)
        if ways[0] * ways[1] <= 0:          # it turns back here
            return 0.0
        return max(-most, min(most, (below.x - above.x) / (below.y - above.y)))

    def leaves(self, i, j, slant):
        """The point at which the line from ``i`` to ``j`` leaves ``i``."""
        cell = self.layout.cells[i]
        if cell.line:
            return cell.x + slant * cell.height / 2, cell.y + cell.height / 2
        vertex, x = self.vertices[i], self.leaving[i][j]
        if vertex.notes:
            return x, cell.y + cell.height / 2
        return x, cell.y + reach(vertex.kind, *form_of(vertex), x - cell.x)

    def arrives(self, i, j, slant):
        """The point at which the line from ``i`` arrives at ``j``; at a vertex, the start of its arrow."""
        cell = self.layout.cells[j]
        if cell.line:
            return cell.x - slant * cell.height / 2, cell.y - cell.height / 2
        x, (width, height) = self.entering[j][i], form_of(self.vertices[j])
        return x, cell.y - cell.height / 2 + height / 2 - reach(self.vertices[j].kind, width, height, x - cell.x) - HEAD


def strokes(layout):
    """The routes to draw: each edge as far as its trunk, and each trunk once, with all the edges that join it."""
    drawn = set()
    for edge, route in enumerate(layout.routes):
        part = [route[0]]
        for i, j in zip(route, route[1:]):
            if (i, j) in drawn:
                break
            part.append(j)
            drawn.add((i, j))
        yield edge, part


def arrow(x, y):
    return f'<path class="mg-head" d="{points((x, y), (x - 3.5, y - HEAD), (x + 3.5, y - HEAD))}"/>'


# ------------------------------------------------------------------------------ the whole

def text(x, y, words, kind, more=""):
    """One line of text, centred at (x, y)."""
    lowered = 0.35 * (TITLE if kind == "title" else SMALL)
    return f'<text class="mg-{kind}"{more} x="{number(x)}" y="{number(y + lowered)}">{escape(words)}</text>'


def draw_vertex(vertex, cell):
    width, height = form_of(vertex)
    y = cell.y - cell.height / 2 + height / 2
    at = y - text_of(vertex)[1] / 2 + LINE_OF_TITLE / 2
    parts = [f"<title>{escape(vertex.title)}: {MEANING[vertex.kind]}</title>",
             form(vertex.kind, cell.x, y, width, height)]
    parts.append(text(cell.x, at, vertex.title, "title"))
    at += LINE_OF_TITLE / 2 - LINE_OF_SMALL / 2
    for line in vertex.lines:
        at += LINE_OF_SMALL
        parts.append(text(cell.x, at, line, "about"))
    if vertex.notes:
        wide, high = notes_size(vertex)
        top = y + height / 2
        parts.append(f'<rect class="mg-saved" x="{number(cell.x - wide / 2)}" y="{number(top)}" width="{number(wide)}" '
                     f'height="{number(high)}"/>')
        parts += [text(cell.x, top + 4 + LINE_OF_SMALL * (i + 0.5), note, "note")
                  for i, note in enumerate(vertex.notes)]
    return f'<g class="mg-vertex" data-kind="{vertex.kind}">{"".join(parts)}</g>'


def to_svg(picture, summary, routes=False, described=True):
    """The drawing as one ``<svg>``; ``summary`` is its title, and the picture in words its description, unless
    ``described`` is false.

    With ``routes``, each edge also has two invisible lines: one from end to end, with which a page can light
    the edge, and one that closes the gap at its label, for a page that hides the label. """
    layout = lay_out(picture)
    pen = Pen(layout, picture.vertices)
    lines, heads, words = [], [], []
    for edge, part in strokes(layout):
        d, tip, _ = pen.path(part)
        lines.append(f'<path class="mg-line" data-edge="{edge}" d="{d}"/>')
        if tip:
            heads.append(arrow(*tip))
    if routes:
        for edge, route in enumerate(layout.routes):
            d, _, gaps = pen.path(route)
            lines.append(f'<path class="mg-route" data-edge="{edge}" d="{d}"/>'
                         + f'<path class="mg-gap" data-edge="{edge}" d="{gaps}"/>' * bool(gaps))
    for i, (edge, at) in enumerate(zip(picture.edges, layout.labels)):
        if edge.label:
            words.append(text(layout.cells[at].x, layout.cells[at].y, edge.label, "label",
                              f' data-edge="{i}"' * routes))
    vertices = [draw_vertex(vertex, cell) for vertex, cell in zip(picture.vertices, layout.cells)]
    width, height = round(layout.width + 2 * MARGIN), round(layout.height + 2 * MARGIN)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" class="minigrad-graph" role="img" aria-label="{escape(summary)}" '
        f'width="{width}" height="{height}" viewBox="{-MARGIN} {-MARGIN} {width} {height}" '
        f'style="max-width:100%;height:auto;min-width:{min(width, round(0.8 * width))}px">',
        f"<title>{escape(summary)}</title>",
        *([f"<desc>{escape(picture.in_words())}</desc>"] if described else []),
        f"<style>{style()}</style>",
        f'<rect class="mg-paper" x="{-MARGIN}" y="{-MARGIN}" width="{width}" height="{height}" rx="6"/>',
        *lines, *heads, *words, *vertices,
        "</svg>",
    ]) + "\n"
