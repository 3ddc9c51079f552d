"""The digits of a computation as a drawing: the results of ``torch.autograd.digits()``, and what they were made from.

Each operation is a vertex with its digits, "0.3 of 7.2", and a colour that repeats them: from green, where all of them
are right, to red; grey is unknown.  As everywhere in ``viz`` results are at the top.
"""

import re

from minigrad.autograd.digits.causes import behind_all
from minigrad.viz import Graph
from minigrad.viz.svg import DARK_PAGES
from minigrad.viz.traversal import Edge, Picture, Vertex

__all__ = ["draw"]

#: at most this many operations are drawn
MOST = 40

#: from no digits to all of them: (fill, line), for light and for dark pages
LIGHT = [("#fbdcd8", "#b3261e"), ("#fde8d3", "#a85608"), ("#fdf5cf", "#857000"), ("#ecf5d3", "#5a7a12"),
         ("#dcf3e1", "#2a7339")]
DARK = [("#4f1b17", "#ff9d92"), ("#4a2c10", "#f5b27a"), ("#40390d", "#e6d35a"), ("#2b3a12", "#b4d667"),
        ("#17351f", "#6cc784")]
UNKNOWN = ("#e3e5e8", "#6b7280"), ("#2f343a", "#9aa4af")


class DigitsGraph(Graph):
    """The drawing that ``report.graph()`` returns."""

    def __init__(self, picture, tones):
        super().__init__(picture)
        self._tones = tones

    @property
    def svg(self):
        """The drawing as the text of an SVG file."""
        tones = iter(self._tones)
        coloured = re.sub('(?<=<g class="mg-vertex)(?=")', lambda match: f" mg-tone-{next(tones)}", super().svg)
        return coloured.replace("</style>", style() + "</style>", 1)

    def _summary(self):
        n = len(self._picture.vertices)
        return f"Digits of {n} operation{'s' * (n != 1)}"


def style():
    def rules(of, before=""):
        return "".join([f"{before}.minigrad-graph .mg-tone-{tone} .mg-form{{fill:{fill};stroke:{line}}}"
                        for tone, (fill, line) in of])

    light = [*enumerate(LIGHT), ("unknown", UNKNOWN[0])]
    dark = [*enumerate(DARK), ("unknown", UNKNOWN[1])]
    pages = "".join([rules(dark, f"{page} ") for page in DARK_PAGES])
    return f"{rules(light)}@media (prefers-color-scheme:dark){{{rules(dark)}}}{pages}"


def tone_of(record):
    """The number of its colour."""
    if record.measured is None:
        return "unknown"
    return min(int(len(LIGHT) * record.measured.typical / record.measured.full), len(LIGHT) - 1)


def draw(results, where):
    """The picture of these Records, and of what they were computed from; ``where`` says where a place is."""
    records, edges = behind_all(results, MOST)
    vertices = []
    for record in records:
        kind = "result" if record in results else "custom" if record.backward else "op"
        digits = "unknown" if record.measured is None else str(record.measured).removesuffix(" digits")
        vertices.append(Vertex(kind, record.name, [digits, where(record.place)]))
    drawn = [Edge(i, k, 0, "", n) for n, (i, k) in enumerate(edges)]
    return DigitsGraph(Picture(vertices, drawn), [tone_of(record) for record in records])
