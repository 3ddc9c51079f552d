"""A small ``matplotlib.pyplot`` for cells that run in the page: what tutorials and most courses draw, as SVG.

matplotlib itself is not published for the browser.  A mark keeps the points that the axes must cover, and a function
that draws it once data have places: ``draw(x, y)``, where ``x`` and ``y`` turn data into coordinates of the picture.
``plt.plot(...)`` draws on the axes that were made last, as ``axes.plot(...)`` does on its own.  What is not here raises
an AttributeError that says so.
"""

import html
import itertools
import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np

NAMED = {f"tab:{name}": color for name, color in zip(
    "blue orange green red purple brown pink gray olive cyan".split(),
    "#1f77b4 #ff7f0e #2ca02c #d62728 #9467bd #8c564b #e377c2 #7f7f7f #bcbd22 #17becf".split())}
CYCLE = list(NAMED.values())
NAMED |= {f"C{i}": color for i, color in enumerate(CYCLE)}
# Black is the colour of the text: in the dark it is light.
NAMED |= {"k": "currentColor", "black": "currentColor", "r": "#d62728", "g": "#2ca02c", "b": "#1f77b4", "w": "#fff",
          "c": "#17becf", "m": "#c000c0", "y": "#bcbd22"}
DASHES = {"-": "", "--": "6 3", ":": "1.5 2.5", "-.": "6 3 1.5 3", "": None, "None": None}
MAPS = {"gray": ["#000", "#fff"], "Greys": ["#fff", "#969696", "#000"], "RdBu": ["#67001f", "#f7f7f7", "#053061"],
        "Blues": ["#f7fbff", "#6baed6", "#08306b"],
        "viridis": ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"]}
ANCHORS = {"left": "start", "center": "middle", "right": "end"}
DROPS = {"top": 0.8, "center": 0.35, "bottom": -0.2, "baseline": 0.0}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
DOTS_PER_POINT = 100 / 72
# The most of an image that are drawn in a row or a column.
SQUARES = 240
rcParams = {"figure.figsize": (6.4, 4.8)}
figures = []


def color_of(name):
    if isinstance(name, (tuple, list, np.ndarray)):
        return "#" + "".join(f"{round(255 * part):02x}" for part in name[:3])
    return NAMED.get(name, name)


def values(data):
    return np.asarray(data.detach() if hasattr(data, "detach") else data, dtype=float)


def shades(numbers, name="viridis"):
    """Colours, (..., 3) between 0 and 1, of numbers between 0 and 1."""
    stops = MAPS[name.removesuffix("_r")]
    stops = stops[::-1] if name.endswith("_r") else stops
    long = ["".join(2 * sign for sign in stop[1:]) if len(stop) == 4 else stop[1:] for stop in stops]
    table = np.array([[int(stop[i:i + 2], 16) / 255 for i in (0, 2, 4)] for stop in long])
    at = np.linspace(0, 1, len(table))
    return np.stack([np.interp(numbers, at, channel) for channel in table.T], axis=-1)


def scaled(numbers, cmap, vmin=None, vmax=None):
    """((the lowest number, the highest, the colour map), the colours of numbers)"""
    low, high = np.nanmin(numbers) if vmin is None else vmin, np.nanmax(numbers) if vmax is None else vmax
    return (low, high, cmap), shades((numbers - low) / ((high - low) or 1), cmap)


def axes_of(x, y):
    """The x of the columns and the y of the rows, from those of each point or as they are."""
    x, y = values(x), values(y)
    return x[0] if x.ndim == 2 else x, y[:, 0] if y.ndim == 2 else y


def between(places):
    """The edges of rectangles around places: half way to the next one."""
    return np.concatenate([places[:1], (places[1:] + places[:-1]) / 2, places[-1:]])


def style_of(text):
    """(marker, line, colour) of a format such as ``"o--"``."""
    marker = next((sign for sign in text if sign in "o^v<>D.sx+*"), "")
    line = next((dash for dash in ("--", "-.", "-", ":") if dash in text), "" if marker else "-")
    if line == "-." and marker == ".":      # ".-" is a marker and a line; "-." is a line
        marker = ""
    return marker, line, next((sign for sign in text if sign in "krgbwcmy"), None)


def curves(data):
    """(x, y, format) of each curve of ``plot(x, y, "r--", x, z)``; the columns of a matrix are a curve each."""
    data, found = list(data), []
    while data:
        pair = [data.pop(0)]
        if data and not isinstance(data[0], str):
            pair.append(data.pop(0))
        style = data.pop(0) if data and isinstance(data[0], str) else ""
        y = values(pair[-1])
        x = values(pair[0]) if len(pair) > 1 else np.arange(len(np.atleast_1d(y)), dtype=float)
        x, y = (each if each.ndim == 2 else each.reshape(-1, 1) for each in (x, y))
        count = max(x.shape[1], y.shape[1])
        found += [(x[:, min(i, x.shape[1] - 1)], y[:, min(i, y.shape[1] - 1)], style) for i in range(count)]
    return found


def crossings(x, y, heights, level):
    """Where a surface, flat on the two triangles of each square of the grid, has a height: [x0, y0, x1, y1] of lines.
    """
    grid = np.stack([*np.meshgrid(x, y), heights], axis=-1)
    corners = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
    triangles = np.concatenate([np.stack([corners[i].reshape(-1, 3) for i in three], axis=1)
                                for three in ((0, 1, 2), (3, 1, 2))])
    ends, starts = np.roll(triangles, -1, axis=1), triangles
    crossed = (starts[..., 2] < level) != (ends[..., 2] < level)
    crossed &= np.isfinite(triangles[..., 2]).all(axis=1, keepdims=True)
    starts, ends = starts[crossed], ends[crossed]           # of each triangle two edges, or none
    part = (level - starts[:, 2:]) / (ends[:, 2:] - starts[:, 2:])
    return (starts + part * (ends - starts))[:, :2].reshape(-1, 4)


def marker_at(kind, x, y, size, color):
    r = size * DOTS_PER_POINT / (4 if kind == "." else 2)
    if kind in "x+":
        arms = f"M{-r} {-r}L{r} {r}M{r} {-r}L{-r} {r}" if kind == "x" else f"M{-r} 0H{r}M0 {-r}V{r}"
        return f'<path transform="translate({x:.1f} {y:.1f})" d="{arms}" stroke="{color}" fill="none"/>'
    if kind in "^v<>Ds*":
        star = "L".join(f"{(r if i % 2 == 0 else 0.4 * r) * math.sin(i * math.pi / 5):.1f} "
                        f"{-(r if i % 2 == 0 else 0.4 * r) * math.cos(i * math.pi / 5):.1f}" for i in range(10))
        shape = {"^": f"M0 {-r}L{r} {r}H{-r}z", "v": f"M0 {r}L{r} {-r}H{-r}z", "<": f"M{-r} 0L{r} {-r}V{r}z",
                 ">": f"M{r} 0L{-r} {-r}V{r}z", "D": f"M0 {-r}L{r} 0L0 {r}L{-r} 0z", "*": f"M{star}z",
                 "s": f"M{-r} {-r}H{r}V{r}H{-r}z"}[kind]
        return f'<path transform="translate({x:.1f} {y:.1f})" d="{shape}" fill="{color}"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{color}"/>'


def rectangle(x0, y0, x1, y1, attributes):
    return (f'<rect x="{min(x0, x1):.1f}" y="{min(y0, y1):.1f}" width="{abs(x1 - x0):.1f}" '
            f'height="{abs(y1 - y0):.1f}" {attributes}/>')


def written(text, x, y, *, size=10, anchor="middle", drop=0.0, color="currentColor", turn=""):
    """Lines of text, with formulas as they are written; ``drop`` moves the first down, in heights."""
    size *= DOTS_PER_POINT * 0.8
    lines = "".join(f'<tspan x="{x:.1f}" dy="{1.15 * size * (i > 0):.1f}">{html.escape(line)}</tspan>'
                    for i, line in enumerate(str(text).replace("$", "").split("\n")))
    return (f'<text x="{x:.1f}" y="{y + drop * size:.1f}" font-size="{size:.1f}" text-anchor="{anchor}" '
            f'fill="{color}" {turn}>{lines}</text>')


class Missing:
    def __getattr__(self, name):
        raise AttributeError(f"the small pyplot of the page has no {type(self).__name__}.{name}: with matplotlib, on "
                             "your computer, the cell runs")


class Mark(SimpleNamespace):
    def __repr__(self):                     # as the value of a cell's last line, and not its numbers
        return "<a mark>"


class Axes(Missing):
    def __init__(self, figure):
        self.figure, self.marks, self.colors = figure, [], itertools.cycle(CYCLE)
        self.scales, self.limits = {"x": "linear", "y": "linear"}, {"x": None, "y": None}
        self.labels, self.ticks, self.title = {"x": "", "y": ""}, {}, None
        self.framed, self.lines, self.named, self.equal = True, 0.0, None, False
        self.spines, self.bar_of, self.twin = Spines(), None, None

    def _mark(self, x, y, draw, label=None, key="", scale=None):
        """``scale`` is (the lowest number, the highest, the colour map), if colours stand for numbers."""
        self.marks.append(Mark(x=np.ravel(x), y=np.ravel(y), draw=draw, label=label, key=key, scale=scale, axes=self))
        return self.marks[-1]

    def _color(self, color):
        return color_of(next(self.colors) if color is None else color)

    # ---------------------------------------------------------------- marks

    def plot(self, *data, label=None, **style):
        labels = [label] if label is None or isinstance(label, str) else label
        return [self._curve(x, y, form, label=labels[min(i, len(labels) - 1)], **style)
                for i, (x, y, form) in enumerate(curves(data))]

    def _curve(self, x, y, style, color=None, c=None, label=None, linewidth=1.5, lw=None, markersize=6, ms=None,
               linestyle=None, ls=None, marker=None, alpha=1, **rest):
        sign, line, letter = style_of(style)
        color, dash, sign = self._color(color or c or letter), DASHES[linestyle or ls or line], marker or sign
        stroke = (f'fill="none" stroke="{color}" stroke-width="{(lw or linewidth) * DOTS_PER_POINT:.1f}" '
                  f'stroke-dasharray="{dash}"')

        def draw(across, up):
            points = [(a, min(max(b, -1e5), 1e5) if math.isfinite(b) else b) for a, b in zip(across(x), up(y))]
            path, pen = [], "M"
            for a, b in points if dash is not None else ():
                if math.isfinite(a) and math.isfinite(b):
                    path.append(f"{pen}{a:.1f} {b:.1f}")
                    pen = "L"
                else:
                    pen = "M"
            dots = [marker_at(sign, a, b, ms or markersize, color) for a, b in points
                    if sign and math.isfinite(a) and math.isfinite(b)]
            return f'<g opacity="{alpha}"><path d="{"".join(path)}" {stroke}/>{"".join(dots)}</g>'

        key = f'<path d="M0 0H24" {stroke}/>' if dash is not None else ""
        return self._mark(x, y, draw, label, key + (marker_at(sign, 12, 0, ms or markersize, color) if sign else ""))

    def step(self, x, y, *style, where="pre", **more):
        x, y = values(x), values(y)
        if where == "mid":
            x = np.concatenate([x[:1], np.repeat((x[1:] + x[:-1]) / 2, 2), x[-1:]])
            return self.plot(x, np.repeat(y, 2), *style, **more)
        x, y = np.repeat(x, 2), np.repeat(y, 2)
        return self.plot(*(x[:-1], y[1:]) if where == "pre" else (x[1:], y[:-1]), *style, **more)

    def errorbar(self, x, y, yerr=None, xerr=None, fmt="", capsize=0, label=None, color=None, **style):
        """A curve with a line through each point, from what is below it to what is above."""
        x, y, color = values(x), values(y), self._color(color)
        for error, which in ((xerr, 0), (yerr, 1)):
            if error is not None:
                below, above = np.broadcast_to(values(error), (2, len(x)))
                ends = np.stack([x, y, x, y], axis=1)
                ends[:, which] -= below
                ends[:, which + 2] += above
                self._segments(ends, color)
        return self.plot(x, y, fmt, label=label, color=color, **style)

    def _segments(self, ends, color, label=None, linewidth=1.5, linestyle="-", scale=None):
        """Straight lines, each [x0, y0, x1, y1]; a colour for each, or one."""
        ends = np.asarray(ends, dtype=float).reshape(-1, 4)
        stroke = (f'fill="none" stroke="{color}" stroke-width="{linewidth * DOTS_PER_POINT:.1f}" '
                  f'stroke-dasharray="{DASHES[linestyle]}"')

        def draw(across, up):
            lines = zip(across(ends[:, 0]), up(ends[:, 1]), across(ends[:, 2]), up(ends[:, 3]))
            return f'<path d="{"".join(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" for a, b, c, d in lines)}" {stroke}/>'

        return self._mark(ends[:, ::2], ends[:, 1::2], draw, label, f'<path d="M0 0H24" {stroke}/>', scale)

    def hlines(self, y, xmin, xmax, colors=None, label=None, linestyles="-", **rest):
        y, low, high = np.broadcast_arrays(np.atleast_1d(values(y)), xmin, xmax)
        return self._segments(np.stack([low, y, high, y], axis=1), self._color(colors), label, linestyle=linestyles)

    def vlines(self, x, ymin, ymax, colors=None, label=None, linestyles="-", **rest):
        x, low, high = np.broadcast_arrays(np.atleast_1d(values(x)), ymin, ymax)
        return self._segments(np.stack([x, low, x, high], axis=1), self._color(colors), label, linestyle=linestyles)

    def semilogy(self, *data, **style):
        self.scales["y"] = "log"
        return self.plot(*data, **style)

    def semilogx(self, *data, **style):
        self.scales["x"] = "log"
        return self.plot(*data, **style)

    def loglog(self, *data, **style):
        self.scales.update(x="log", y="log")
        return self.plot(*data, **style)

    def scatter(self, x, y, s=36, c=None, color=None, label=None, marker="o", cmap="viridis", vmin=None, vmax=None,
                alpha=1, **rest):
        """``c`` is a colour, one for each point, or a number for each."""
        x, y = np.atleast_1d(values(x)), np.atleast_1d(values(y))
        sizes, scale = np.broadcast_to(np.sqrt(values(s)), x.shape), None
        if c is None or isinstance(c, str) or isinstance(next(iter(c)), str):
            chosen = color if c is None else c
            one = chosen is None or isinstance(chosen, (str, tuple))
            colors = [self._color(chosen)] * len(x) if one else [color_of(each) for each in chosen]
        else:
            scale, shown = scaled(values(c), cmap, vmin, vmax)
            colors = [color_of(each) for each in shown]

        def draw(across, up):
            dots = zip(across(x), up(y), sizes, colors)
            return f'<g opacity="{alpha}">{"".join(marker_at(marker, *dot) for dot in dots)}</g>'

        return self._mark(x, y, draw, label, marker_at(marker, 12, 0, 6, colors[0] if colors else "none"), scale)

    def axhline(self, y=0, color=None, label=None, linestyle="-", ls=None, linewidth=1.5, lw=None, **rest):
        stroke = (f'stroke="{self._color(color)}" stroke-width="{(lw or linewidth) * DOTS_PER_POINT:.1f}" '
                  f'stroke-dasharray="{DASHES[ls or linestyle]}"')
        return self._mark([], [y], lambda across, up: f'<path d="M-2000 {up(y):.1f}H4000" {stroke}/>', label,
                          f'<path d="M0 0H24" {stroke}/>')

    def axvline(self, x=0, color=None, label=None, linestyle="-", ls=None, linewidth=1.5, lw=None, **rest):
        stroke = (f'stroke="{self._color(color)}" stroke-width="{(lw or linewidth) * DOTS_PER_POINT:.1f}" '
                  f'stroke-dasharray="{DASHES[ls or linestyle]}"')
        return self._mark([x], [], lambda across, up: f'<path d="M{across(x):.1f} -2000V4000" {stroke}/>', label,
                          f'<path d="M0 0H24" {stroke}/>')

    def axvspan(self, xmin, xmax, color=None, alpha=1, label=None, **rest):
        paint = f'fill="{self._color(color)}" fill-opacity="{alpha}"'
        return self._mark([xmin, xmax], [], lambda across, up: rectangle(across(xmin), -2000, across(xmax), 4000,
                                                                         paint), label, rectangle(0, -5, 24, 4, paint))

    def axhspan(self, ymin, ymax, color=None, alpha=1, label=None, **rest):
        paint = f'fill="{self._color(color)}" fill-opacity="{alpha}"'
        return self._mark([], [ymin, ymax], lambda across, up: rectangle(-2000, up(ymin), 4000, up(ymax), paint), label,
                          rectangle(0, -5, 24, 4, paint))

    def _boxes(self, boxes, paint, label=None):
        """Rectangles (x0, y0, x1, y1)."""
        corners = np.array(boxes, dtype=float).reshape(-1, 4)

        def draw(across, up):
            return "".join(rectangle(across(x0), up(y0), across(x1), up(y1), paint) for x0, y0, x1, y1 in corners)

        return self._mark(corners[:, ::2], corners[:, 1::2], draw, label, rectangle(0, -5, 24, 4, paint))

    def fill_between(self, x, low, high=0, color=None, alpha=1, label=None, **rest):
        x, low, high = np.broadcast_arrays(values(x), values(low), values(high))
        paint = f'fill="{self._color(color)}" fill-opacity="{alpha}"'

        def draw(across, up):
            edge = [*zip(across(x), up(high)), *zip(across(x[::-1]), up(low[::-1]))]
            return f'<polygon points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in edge)}" {paint}/>'

        return self._mark(np.tile(x, 2), np.concatenate([low, high]), draw, label, rectangle(0, -5, 24, 4, paint))

    def hist(self, data, bins=10, range=None, density=False, color=None, alpha=1, label=None, **rest):
        bins = bins if isinstance(bins, int) else values(bins)
        counts, edges = np.histogram(values(data).ravel(), bins, range, density)
        boxes = [(left, 0, right, count) for left, right, count in zip(edges, edges[1:], counts)]
        return counts, edges, self._boxes(boxes, f'fill="{self._color(color)}" fill-opacity="{alpha}"', label)

    def bar(self, x, height, width=0.8, bottom=0, color=None, alpha=1, label=None, align="center", **rest):
        if len(x) and isinstance(x[0], str):
            self.set_xticks(range(len(x)), x)
            x = range(len(x))
        x = values(list(x))
        height, width, bottom = (np.broadcast_to(values(each), x.shape) for each in (height, width, bottom))
        left = x - width / 2 if align == "center" else x
        boxes = np.stack([left, bottom, left + width, bottom + height], axis=1)
        one = color is None or isinstance(color, (str, tuple))
        colors = [self._color(color)] if one else [color_of(each) for each in color]
        for i, each in enumerate(colors):
            self._boxes(boxes if one else boxes[i], f'fill="{each}" fill-opacity="{alpha}"', None if i else label)
        return list(height)

    def boxplot(self, data, labels=None, tick_labels=None, widths=0.5, **rest):
        """A box from quartile to quartile, the median in it, lines to the furthest within 1.5 boxes, and what is
        beyond."""
        data = values(data).T if getattr(data, "ndim", 1) == 2 else data
        groups = [values(each) for each in (data if np.ndim(data[0]) else [data])]
        for at, group in enumerate(groups, 1):
            low, middle, high = np.percentile(group, [25, 50, 75])
            inside = (group >= low - 1.5 * (high - low)) & (group <= high + 1.5 * (high - low))
            least, most, left, right = group[inside].min(), group[inside].max(), at - widths / 2, at + widths / 2
            self._boxes([(left, low, right, high)], 'fill="none" stroke="currentColor"')
            self._segments([(at, least, at, low), (at, high, at, most)], "currentColor", linewidth=1)
            self._segments([(left, middle, right, middle)], color_of("C1"))
            self._curve(np.full((~inside).sum(), float(at)), group[~inside], "o", color="black", ms=4)
        self.set_xticks(range(1, len(groups) + 1), labels or tick_labels)

    def barh(self, labels, widths, height=0.8, color=None, **rest):
        colors = color if isinstance(color, np.ndarray) else [self._color(color)] * len(widths)
        self.set_yticks(range(len(labels)), labels)
        for i, (width, each) in enumerate(zip(widths, colors)):
            self._boxes([(0, i - height / 2, width, i + height / 2)], f'fill="{color_of(each)}"')
        return list(widths)

    def bar_label(self, widths, padding=0, **rest):
        for i, width in enumerate(widths):
            self.annotate(f"{width:g}", (width, i), (padding, 0), textcoords="offset points", ha="left", va="center")

    def broken_barh(self, ranges, place, color=None, alpha=1, edgecolor="none", linewidth=1, **rest):
        boxes = [(start, place[0], start + length, sum(place)) for start, length in ranges]
        return self._boxes(boxes, f'fill="{self._color(color)}" fill-opacity="{alpha}" stroke="{color_of(edgecolor)}" '
                                  f'stroke-width="{linewidth}"')

    def add_patch(self, patch):
        (x, y), edge = patch.corner, color_of(patch.color or "black")
        return self._boxes([(x, y, x + patch.width, y + patch.height)],
                           f'fill="{edge if patch.fill else "none"}" stroke="{edge}" stroke-width="{patch.linewidth}"')

    def imshow(self, image, cmap="viridis", vmin=None, vmax=None, origin="upper", extent=None, aspect="equal", **rest):
        image, scale = np.asarray(image), None
        rows, columns = image.shape[:2]
        step = -(-max(rows, columns) // SQUARES)
        if image.ndim == 3:
            colors = image[::step, ::step, :3] / (255 if image.dtype == np.uint8 else 1)
        else:
            scale, colors = scaled(values(image[::step, ::step]), cmap, vmin, vmax)
        left, right, bottom, top = extent or (
            (-0.5, columns - 0.5, rows - 0.5, -0.5) if origin == "upper" else (-0.5, columns - 0.5, -0.5, rows - 0.5))
        first, last = (top, bottom) if origin == "upper" else (bottom, top)
        self.limits, self.equal = {"x": (left, right), "y": (bottom, top)}, aspect == "equal"
        across, down = (start + np.minimum(step * np.arange(n + 1), whole) / whole * (end - start)
                        for n, whole, start, end in ((colors.shape[1], columns, left, right),
                                                     (len(colors), rows, first, last)))
        return self._grid(across, down, colors, scale=scale)

    def matshow(self, image, **style):
        return self.imshow(image, **style)

    def pcolormesh(self, *data, cmap="viridis", vmin=None, vmax=None, edgecolors="none", linewidth=1, **rest):
        """Coloured rectangles: of numbers alone, or between edges, or around the points of a grid."""
        *grid, numbers = data
        numbers = values(numbers)
        scale, colors = scaled(numbers, cmap, vmin, vmax)
        if grid or edgecolors == "none":
            x, y = axes_of(*grid) if grid else (np.arange(n + 1.0) for n in numbers.shape[::-1])
            x, y = (each if len(each) > n else between(each) for each, n in zip((x, y), numbers.shape[::-1]))
            return self._grid(x, y, colors, scale=scale)
        self.limits = {"x": (0, numbers.shape[1]), "y": (0, numbers.shape[0])}
        for (row, column), color in zip(np.ndindex(numbers.shape), colors.reshape(-1, 3)):
            mark = self._boxes([(column, row, column + 1, row + 1)], f'fill="{color_of(color)}" '
                               f'stroke="{color_of(edgecolors)}" stroke-width="{linewidth}"')
        mark.scale = scale
        return mark

    def contourf(self, *data, levels=8, cmap="viridis", alpha=1, **rest):
        """Bands of height, in the steps of the grid; nothing above and below the levels that are given."""
        x, y, heights, levels = self._surface(data, levels)
        band = np.where((heights >= levels[0]) & (heights <= levels[-1]),
                        np.digitize(heights, levels[1:-1]) / max(len(levels) - 2, 1), np.nan)
        return self._grid(between(x), between(y), shades(band, cmap), alpha, (levels[0], levels[-1], cmap))

    def contour(self, *data, levels=8, colors=None, cmap="viridis", linewidths=1.5, **rest):
        """Lines of equal height."""
        x, y, heights, levels = self._surface(data, levels)
        scale = levels[0], levels[-1], cmap
        for level, shade in zip(levels, shades(np.linspace(0, 1, len(levels)), cmap)):
            mark = self._segments(crossings(x, y, heights, level), color_of(colors or shade), linewidth=linewidths,
                                  scale=scale)
        return mark

    def _surface(self, data, levels):
        *data, last = data
        if data and np.ndim(last) < 2:                  # contour(x, y, heights, levels)
            (*data, last), levels = data, last
        heights = values(last)
        x, y = axes_of(*data) if data else (np.arange(n, dtype=float) for n in heights.shape[::-1])
        low, high = np.nanmin(heights), np.nanmax(heights)
        return x, y, heights, np.linspace(low, high, levels + 1) if isinstance(levels, int) else values(levels)

    def _grid(self, x, y, colors, alpha=1, scale=None):
        """Coloured rectangles between the edges x and y; equal neighbours in a row are one, and nan has none."""
        def draw(across, up):
            found = [f'<g shape-rendering="crispEdges" opacity="{alpha}">']
            for i, row in enumerate(colors):
                names, start = [None if np.isnan(each).any() else color_of(each) for each in row], 0
                for name, run in itertools.groupby(names):
                    end = start + len(list(run))
                    if name:
                        found.append(rectangle(across(x[start]), up(y[i]), across(x[end]), up(y[i + 1]),
                                               f'fill="{name}"'))
                    start = end
            return "".join([*found, "</g>"])

        return self._mark(x, y, draw, scale=scale)

    def quiver(self, x, y, u, v, color=None, label=None, **rest):
        x, y, u, v = (np.ravel(each) for each in np.broadcast_arrays(*map(values, (x, y, u, v))))
        color = self._color(color)

        def draw(across, up):
            return "".join(arrow(across(a), up(b), across(a + c), up(b + d), color) for a, b, c, d in zip(x, y, u, v))

        return self._mark(np.concatenate([x, x + u]), np.concatenate([y, y + v]), draw, label,
                          arrow(0, 0, 24, 0, color))

    def text(self, x, y, text, **style):
        return self.annotate(text, (x, y), **{"ha": "left", "va": "baseline", **style})

    def annotate(self, text, xy, xytext=None, *, textcoords="data", arrowprops=None, ha="left", va="baseline",
                 fontsize=10, color="black", **rest):
        """A text at a place, moved by points or put elsewhere, with an arrow from there to the place."""
        near = xytext is None or textcoords == "offset points"
        dx, dy = xytext if near and xytext is not None else (0, 0)

        def draw(across, up):
            x, y = (float(across(xy[0])), float(up(xy[1])))
            a, b = (x + dx * DOTS_PER_POINT, y - dy * DOTS_PER_POINT) if near else (
                float(across(xytext[0])), float(up(xytext[1])))
            bend = (arrowprops or {}).get("connectionstyle", "").partition("rad=")[2]
            line = "" if arrowprops is None else arrow(a, b, x, y, color_of(arrowprops.get("color", "black")),
                                                       float(bend or 0), arrowprops.get("shrinkA", 2))
            return line + written(text, a, b, size=fontsize, anchor=ANCHORS[ha], drop=DROPS[va],
                                  color=color_of(color))

        return self._mark([], [], draw)

    # ---------------------------------------------------------------- axes

    def set(self, **what):
        for name, value in what.items():
            getattr(self, f"set_{name}")(value)

    def set_xlabel(self, text, **rest):
        self.labels["x"] = text

    def set_ylabel(self, text, **rest):
        self.labels["y"] = text

    def set_title(self, text, fontsize=12, **rest):
        self.title = text, fontsize

    def set_xscale(self, scale, **rest):
        self.scales["x"] = scale

    def set_yscale(self, scale, **rest):
        self.scales["y"] = scale

    def set_xlim(self, low=None, high=None):
        low, high = low if np.ndim(low) else (low, high)
        found = self.range("x")
        self.limits["x"] = found[0] if low is None else low, found[1] if high is None else high

    def set_ylim(self, low=None, high=None):
        low, high = low if np.ndim(low) else (low, high)
        found = self.range("y")
        self.limits["y"] = found[0] if low is None else low, found[1] if high is None else high

    def invert_yaxis(self):
        self.limits["y"] = self.range("y")[::-1]

    def set_xticks(self, places, labels=None, **rest):
        self.ticks["x"] = list(zip(places, [f"{place:g}" for place in places] if labels is None else labels))

    def set_yticks(self, places, labels=None, **rest):
        self.ticks["y"] = list(zip(places, [f"{place:g}" for place in places] if labels is None else labels))

    def set_aspect(self, aspect, **rest):
        self.equal = aspect == "equal"

    def set_axis_off(self):
        self.framed = False

    def axis(self, what):
        if not isinstance(what, str):
            self.limits = {"x": tuple(what[:2]), "y": tuple(what[2:])}
        else:
            self.framed, self.equal = self.framed and what != "off", self.equal or what in ("equal", "square", "image")

    def twinx(self):
        """Axes over these, of the same x, whose y is on the right."""
        self.twin = Axes(self.figure)
        self.twin.colors = self.colors
        return self.twin

    def cla(self):
        self.__init__(self.figure)

    def grid(self, on=True, alpha=0.4, **rest):
        self.lines = alpha if on else 0.0

    def legend(self, handles=(), labels=(), *, loc="best", **rest):
        """Of the marks with a label; labels that are given are those of the marks in order."""
        handles, labels = (handles, labels) if labels or not all(isinstance(each, str) for each in handles) else (
            self.marks, handles)
        for mark, label in zip(handles, labels):
            mark.label = label
        self.named = loc

    def tick_params(self, **rest):
        """Sizes of ticks do not matter at this size."""

    # ---------------------------------------------------------------- drawing

    def range(self, which):
        if self.limits[which]:
            return self.limits[which]
        found = np.concatenate([getattr(mark, which) for mark in self.marks] or [[]]).astype(float)
        log = self.scales[which] == "log"
        found = found[np.isfinite(found) & ((found > 0) if log else True)]
        low, high = (found.min(), found.max()) if found.size else (0.1, 1.0)
        if log:
            room = (high / low) ** 0.05 if high > low else 2
            return low / room, high * room
        room = 0.05 * (high - low) or 0.5
        return low - room, high + room

    def marked(self, which, low, high):
        """(place, label) of the ticks."""
        if which in self.ticks:
            return self.ticks[which]
        low, high = sorted((low, high))
        if self.scales[which] == "log":
            first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
            step = max(1, math.ceil((last - first + 1) / 7))
            return [(10.0 ** k, "10" + str(k).translate(SUPERSCRIPTS)) for k in range(first, last + 1, step)]
        unit = 10 ** math.floor(math.log10((high - low) / 6))
        step = next(times * unit for times in (1, 2, 2.5, 5, 10) if times * unit >= (high - low) / 6)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        return [(k * step, f"{round(k * step, 10):g}") for k in range(first, last + 1)]

    def svg(self, left, top, width, height, name):
        out = []
        if self.title:
            text, size = self.title
            out.append(written(text, left + width / 2, top + 1.2 * size, size=size))
            above = 1.5 * size * (1 + text.count("\n")) + 2
            top, height = top + above, height - above
        if self.framed:
            widest = max([len(label) for _, label in self.marked("y", *self.range("y"))], default=0)
            margin = 14 + 6.5 * widest + (20 if self.labels["y"] else 0)
            left, top, width, height = left + margin, top + 6, width - margin - 12, height - 50
        if self.bar_of:
            width -= 80
        if self.twin:
            shown = self.twin.marked("y", *self.twin.range("y"))
            beside = 24 + 6.5 * max([len(label) for _, label in shown], default=0)
            width -= beside + 12
        (x_low, x_high), (y_low, y_high) = self.range("x"), self.range("y")
        if self.equal:
            scale = min(width / abs(x_high - x_low), height / abs(y_high - y_low))
            wide, tall = scale * abs(x_high - x_low), scale * abs(y_high - y_low)
            left, top, width, height = left + (width - wide) / 2, top + (height - tall) / 2, wide, tall

        across = self.placed("x", x_low, x_high, left, width)
        up = self.placed("y", y_low, y_high, top + height, -height)
        if self.framed:
            out += self.frame(across, up, left, top, width, height)
        if self.bar_of:
            out += self.bar_beside(left + width + 14, top, height)
        drawn = [(mark, up) for mark in self.marks]
        if self.twin:
            low, high = self.twin.range("y")
            right = self.twin.placed("y", low, high, top + height, -height)
            drawn += [(mark, right) for mark in self.twin.marks]
            out += self.twin.frame_on_the_right(right, left + width, top, height, beside)
        clip = f"live-figure-{id(self)}-{name}"
        out.append(f'<clipPath id="{clip}"><rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" '
                   f'height="{height:.1f}"/></clipPath>')
        for mark, its_up in drawn:
            held = f' clip-path="url(#{clip})"' if mark.x.size or mark.y.size else ""       # texts may stand out
            out.append(f"<g{held}>{mark.draw(across, its_up)}</g>")
        return out + self.legend_of(across, up, left, top, width, height)

    def placed(self, which, low, high, start, length):
        """What turns data into coordinates of the picture."""
        turned = np.log10 if self.scales[which] == "log" else np.asarray

        def place(value):
            with np.errstate(all="ignore"):
                a, b = turned(float(low)), turned(float(high))
                return start + (turned(np.asarray(value, dtype=float)) - a) / (b - a) * length
        return place

    def bar_beside(self, left, top, height):
        """What the colours stand for: the bar of a colour map."""
        (low, high, cmap), label = self.bar_of
        shown = Axes(self.figure)
        shown._grid(np.array([0.0, 1.0]), np.linspace(low, high, 65), shades(np.linspace(0, 1, 64), cmap)[:, None])
        up = self.placed("y", low, high, top + height, -height)
        out = [shown.marks[0].draw(lambda x: left + 14 * x, up),
               rectangle(left, top, left + 14, top + height, 'fill="none" stroke="currentColor"')]
        out += [written(text, left + 18, float(up(place)), size=9, anchor="start", drop=0.35)
                for place, text in shown.marked("y", low, high)]
        if label:
            x, y = left + 62, top + height / 2
            out.append(written(label, x, y, turn=f'transform="rotate(-90 {x:.1f} {y:.1f})"'))
        return out

    def frame_on_the_right(self, up, left, top, height, beside):
        low, high = sorted(self.range("y"))
        out = [written(label, left + 6, float(up(place)), size=9, anchor="start", drop=0.35)
               for place, label in self.marked("y", low, high) if low <= place <= high]
        if self.labels["y"]:
            x, y = left + beside, top + height / 2
            out.append(written(self.labels["y"], x, y, turn=f'transform="rotate(-90 {x:.1f} {y:.1f})"'))
        return out

    def frame(self, across, up, left, top, width, height):
        out, faint = [], f'stroke="currentColor" stroke-opacity="{0.6 * self.lines:.2f}"'
        for which, place, (low, high) in (("x", across, self.range("x")), ("y", up, self.range("y"))):
            for value, label in self.marked(which, low, high):
                if not min(low, high) <= value <= max(low, high):
                    continue
                at = float(place(value))
                if which == "x":
                    out.append(f'<path d="M{at:.1f} {top:.1f}v{height:.1f}" {faint}/>' if self.lines else "")
                    out.append(written(label, at, top + height + 15, size=9))
                else:
                    out.append(f'<path d="M{left:.1f} {at:.1f}h{width:.1f}" {faint}/>' if self.lines else "")
                    out.append(written(label, left - 6, at, size=9, anchor="end", drop=0.35))
        out.append(rectangle(left, top, left + width, top + height, 'fill="none" stroke="currentColor"'))
        if self.labels["x"]:
            out.append(written(self.labels["x"], left + width / 2, top + height + 36))
        if self.labels["y"]:
            widest = max([len(label) for _, label in self.marked("y", *self.range("y"))], default=0)
            x, y = left - 14 - 6.5 * widest, top + height / 2
            out.append(written(self.labels["y"], x, y, turn=f'transform="rotate(-90 {x:.1f} {y:.1f})"'))
        return out

    def legend_of(self, across, up, left, top, width, height):
        shown = [mark for mark in [*self.marks, *(self.twin.marks if self.twin and not self.twin.named else ())]
                 if mark.label]
        if self.named is None or not shown:
            return []
        wide, tall = 42 + 6.6 * max(len(mark.label) for mark in shown), 17 * len(shown) + 6
        corners = [(left + 8, top + 4), (left + width - wide, top + 4), (left + 8, top + height - tall - 4),
                   (left + width - wide, top + height - tall - 4)]
        names = ["upper left", "upper right", "lower left", "lower right"]
        if self.named in names:
            x, y = corners[names.index(self.named)]
        else:                               # where the fewest points are
            points = [point for mark in shown if len(mark.x) == len(mark.y)
                      for point in zip(across(mark.x), up(mark.y))]
            x, y = min(corners, key=lambda at: sum(at[0] < a < at[0] + wide and at[1] < b < at[1] + tall
                                                   for a, b in points))
        return [f'<g transform="translate({x:.1f} {y + 12 + 17 * i:.1f})">{mark.key}'
                + written(mark.label, 30, 0, size=9, anchor="start", drop=0.3) + "</g>" for i, mark in enumerate(shown)]


class Spines:
    """The frame is one rectangle; what hides a side of it is accepted."""

    def __getitem__(self, sides):
        return self

    def set_visible(self, visible):
        pass


class Figure(Missing):
    """A grid of axes; those that were made last are drawn on by pyplot's own functions."""

    def __init__(self, size):
        self.size, self.title, self.grid, self.last = size, None, np.full((1, 1), None), None

    def add_subplot(self, rows=1, columns=1, index=1, **rest):
        if rows > 9:                            # 211 are two rows, one column, the first
            rows, columns, index = divmod(rows // 10, 10) + (rows % 10,)
        if self.grid.shape != (rows, columns):
            self.grid = np.full((rows, columns), None)
        place = divmod(index - 1, columns)
        if self.grid[place] is None:
            self.grid[place] = Axes(self)
        self.last = self.grid[place]
        return self.last

    def subplots(self, nrows=1, ncols=1, **rest):
        for index in range(nrows * ncols, 0, -1):
            self.add_subplot(nrows, ncols, index)
        grid = self.grid
        return grid[0, 0] if grid.size == 1 else grid.ravel() if 1 in grid.shape else grid

    def gca(self):
        return self.last or self.add_subplot()

    def colorbar(self, mark, ax=None, label="", **rest):
        """Beside the axes of a mark whose colours stand for numbers."""
        mark.axes.bar_of = mark.scale, label

    def savefig(self, name, **rest):
        if not str(name).endswith(".svg"):
            raise ValueError("the small pyplot of the page writes pictures as SVG: give savefig a name that ends in "
                             f".svg, and not {str(name)!r}")
        Path(name).write_text(self._repr_html_(), encoding="utf-8")

    def tight_layout(self, **rest):
        """Always so."""

    def suptitle(self, text, fontsize=12, **rest):
        self.title = text, fontsize

    def _repr_html_(self):
        width, height = (100 * each for each in self.size)
        above = 2 * self.title[1] if self.title else 0
        parts = [written(self.title[0], width / 2, 16, size=self.title[1])] if self.title else []
        rows, columns = self.grid.shape
        wide, tall = width / columns, (height - above) / rows
        for (row, column), axes in np.ndenumerate(self.grid):
            if axes is not None:
                parts += axes.svg(column * wide, above + row * tall, wide, tall, f"{row}-{column}")
        return (f'<svg xmlns="http://www.w3.org/2000/svg" class="live-figure" viewBox="0 0 {width:g} {height:g}" '
                f'width="{width:g}" role="img" aria-label="Figure" font-family="sans-serif" fill="currentColor">'
                + "".join(parts) + "</svg>")


class Rectangle:
    def __init__(self, corner, width, height, fill=True, color=None, linewidth=1, **rest):
        self.corner, self.width, self.height = corner, width, height
        self.fill, self.color, self.linewidth = fill, color, linewidth


def arrow(x0, y0, x1, y1, color, bend=0.0, room=0):
    """An arrow; ``bend`` moves its middle aside, by a part of its length, and ``room`` what its ends keep."""
    dx, dy = float(x1 - x0), float(y1 - y0)
    length = math.hypot(dx, dy) or 1.0
    mx, my = x0 + dx / 2 - bend * dy, y0 + dy / 2 + bend * dx
    way = math.atan2(y1 - my, x1 - mx) if bend else math.atan2(dy, dx)
    x1, y1 = x1 - room * math.cos(way), y1 - room * math.sin(way)
    head = "".join(f"M{x1:.1f} {y1:.1f}l{-8 * math.cos(way + turn):.1f} {-8 * math.sin(way + turn):.1f}"
                   for turn in (-0.45, 0.45))
    away = min(room / length, 0.5)
    start = f"{x0 + away * 2 * (mx - x0):.1f} {y0 + away * 2 * (my - y0):.1f}"
    return (f'<path d="M{start}Q{mx:.1f} {my:.1f} {x1:.1f} {y1:.1f}{head}" fill="none" stroke="{color}" '
            'stroke-width="2"/>')


# ------------------------------------------------------------------------------ pyplot

cm = SimpleNamespace(**{name: lambda numbers, name=name: shades(numbers, name) for name in MAPS})


#: What pyplot does with the axes that were made last, under another name or the same, and with their figure.
OF_AXES = {name: f"set_{name}" for name in ("title", "xlabel", "xlim", "xscale", "xticks", "ylabel", "ylim", "yscale",
                                            "yticks")}
OF_AXES |= {name: name for name in (
    "annotate axhline axhspan axis axvline axvspan bar bar_label barh boxplot broken_barh cla contour contourf "
    "errorbar fill_between grid hist hlines imshow legend loglog matshow pcolormesh plot quiver scatter semilogx "
    "semilogy step text tick_params twinx vlines").split()}
OF_FIGURE = {"savefig", "suptitle", "tight_layout"}


def figure(num=None, figsize=None, **rest):
    figures.append(Figure(figsize or rcParams["figure.figsize"]))
    return figures[-1]


def subplots(nrows=1, ncols=1, *, figsize=None, sharex=False, sharey=False, **rest):
    made = figure(figsize=figsize)
    return made, made.subplots(nrows, ncols)


def gcf():
    """The figure that was made last; one is made if there is none."""
    return figures[-1] if figures else figure()


def gca():
    return gcf().gca()


def subplot(*place, **rest):
    return gcf().add_subplot(*place, **rest)


def colorbar(mark=None, **rest):
    """Of a mark, or of the last one whose colours stand for numbers."""
    gcf().colorbar(mark or [each for each in gca().marks if each.scale][-1], **rest)


def imread(name):
    """The pixels of an image that was brought into the page, which has decoded it: as matplotlib's, of numbers from 0
    to 1 for PNG and of bytes else, without an alpha that hides nothing."""
    file = Path(".pixels", f"{name}.npy")
    if not file.exists():
        raise FileNotFoundError(f"no image {name!r} was brought into this page: Bring files, above the cells, does it")
    pixels = np.load(file)
    if (pixels[..., 3] == 255).all():
        pixels = pixels[..., :3]
    return pixels / np.float32(255) if str(name).lower().endswith(".png") else pixels


def open_figures():
    """The figures since the last call: the page shows them below their cell."""
    found = figures.copy()
    figures.clear()
    return found


def show(**rest):
    """The cell shows its figures when it ends."""


def close(what=None):
    figures.clear()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name in OF_AXES:
        return lambda *args, **options: getattr(gca(), OF_AXES[name])(*args, **options)
    if name in OF_FIGURE:
        return lambda *args, **options: getattr(gcf(), name)(*args, **options)
    raise AttributeError(f"the small pyplot of the page has no {name}: with matplotlib, on your computer, the cell "
                         "runs")
