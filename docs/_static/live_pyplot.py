"""A small ``matplotlib.pyplot`` for cells that run in the page: what the tutorials draw, as SVG.

matplotlib itself is not published for the browser.  A mark keeps the points that the axes must cover, and a function
that draws it once data have places: ``draw(x, y)``, where ``x`` and ``y`` turn data into coordinates of the picture.
What is not here raises an AttributeError that says so.
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
NAMED |= {"k": "currentColor", "black": "currentColor", "r": "#d62728", "g": "#2ca02c", "b": "#1f77b4", "w": "#fff"}
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


def style_of(text):
    """(marker, line, colour) of a format such as ``"o--"``."""
    marker = next((sign for sign in text if sign in "o^.sx+*"), "")
    line = next((dash for dash in ("--", "-.", "-", ":") if dash in text), "" if marker else "-")
    if line == "-." and marker == ".":      # ".-" is a marker and a line; "-." is a line
        marker = ""
    return marker, line, next((sign for sign in text if sign in "krgbw"), None)


def marker_at(kind, x, y, size, color):
    r = size * DOTS_PER_POINT / (4 if kind == "." else 2)
    if kind in "x+":
        arms = f"M{-r} {-r}L{r} {r}M{r} {-r}L{-r} {r}" if kind == "x" else f"M{-r} 0H{r}M0 {-r}V{r}"
        return f'<path transform="translate({x:.1f} {y:.1f})" d="{arms}" stroke="{color}" fill="none"/>'
    if kind in "^s*":
        star = "L".join(f"{(r if i % 2 == 0 else 0.4 * r) * math.sin(i * math.pi / 5):.1f} "
                        f"{-(r if i % 2 == 0 else 0.4 * r) * math.cos(i * math.pi / 5):.1f}" for i in range(10))
        shape = {"^": f"M0 {-r}L{r} {r}H{-r}z", "s": f"M{-r} {-r}H{r}V{r}H{-r}z", "*": f"M{star}z"}[kind]
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
        self.spines = Spines()

    def _mark(self, x, y, draw, label=None, key=""):
        self.marks.append(Mark(x=np.ravel(x), y=np.ravel(y), draw=draw, label=label, key=key))
        return self.marks[-1]

    def _color(self, color):
        return color_of(next(self.colors) if color is None else color)

    # ---------------------------------------------------------------- marks

    def plot(self, *data, color=None, label=None, linewidth=1.5, lw=None, markersize=6, linestyle=None, ls=None,
             marker=None, alpha=1, **rest):
        *data, style = data if isinstance(data[-1], str) else (*data, "")
        sign, line, letter = style_of(style)
        y = values(data[-1]).ravel()
        x = values(data[0]).ravel() if len(data) > 1 else np.arange(len(y), dtype=float)
        color, dash, sign = self._color(color or letter), DASHES[linestyle or ls or line], marker or sign
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
            dots = [marker_at(sign, a, b, markersize, color) for a, b in points
                    if sign and math.isfinite(a) and math.isfinite(b)]
            return f'<g opacity="{alpha}"><path d="{"".join(path)}" {stroke}/>{"".join(dots)}</g>'

        key = f'<path d="M0 0H24" {stroke}/>' if dash is not None else ""
        return [self._mark(x, y, draw, label, key + (marker_at(sign, 12, 0, markersize, color) if sign else ""))]

    def semilogy(self, *data, **style):
        self.scales["y"] = "log"
        return self.plot(*data, **style)

    def semilogx(self, *data, **style):
        self.scales["x"] = "log"
        return self.plot(*data, **style)

    def loglog(self, *data, **style):
        self.scales.update(x="log", y="log")
        return self.plot(*data, **style)

    def scatter(self, x, y, s=36, color=None, label=None, marker="o", **rest):
        x, y, color = np.atleast_1d(values(x)), np.atleast_1d(values(y)), self._color(color)

        def draw(across, up):
            return "".join(marker_at(marker, a, b, math.sqrt(s), color) for a, b in zip(across(x), up(y)))

        return self._mark(x, y, draw, label, marker_at(marker, 12, 0, 6, color))

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

    def hist(self, data, bins=10, color=None, alpha=1, label=None, **rest):
        counts, edges = np.histogram(values(data).ravel(), bins if isinstance(bins, int) else values(bins))
        boxes = [(left, 0, right, count) for left, right, count in zip(edges, edges[1:], counts)]
        return counts, edges, self._boxes(boxes, f'fill="{self._color(color)}" fill-opacity="{alpha}"', label)

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

    def imshow(self, image, cmap="viridis", vmin=None, vmax=None, **rest):
        image = np.asarray(image)
        rows, columns = image.shape[:2]
        step = -(-max(rows, columns) // SQUARES)
        if image.ndim == 3:
            colors = image[::step, ::step, :3] / (255 if image.dtype == np.uint8 else 1)
        else:
            image = values(image[::step, ::step])
            low, high = image.min() if vmin is None else vmin, image.max() if vmax is None else vmax
            colors = shades((image - low) / ((high - low) or 1), cmap)
        self.limits, self.equal = {"x": (-0.5, columns - 0.5), "y": (rows - 0.5, -0.5)}, True
        across, down = (np.minimum(step * np.arange(n + 1), end) - 0.5
                        for n, end in ((colors.shape[1], columns), (len(colors), rows)))
        return self._grid(across, down, colors)

    def pcolormesh(self, numbers, cmap="viridis", vmin=None, vmax=None, edgecolors="none", linewidth=1, **rest):
        numbers = values(numbers)
        low, high = numbers.min() if vmin is None else vmin, numbers.max() if vmax is None else vmax
        self.limits = {"x": (0, numbers.shape[1]), "y": (0, numbers.shape[0])}
        for (row, column), color in zip(np.ndindex(numbers.shape),
                                        shades((numbers - low) / ((high - low) or 1), cmap).reshape(-1, 3)):
            self._boxes([(column, row, column + 1, row + 1)], f'fill="{color_of(color)}" '
                        f'stroke="{color_of(edgecolors)}" stroke-width="{linewidth}"')

    def contourf(self, x, y, heights, levels=8, cmap="viridis", alpha=1, **rest):
        """Bands of height, in the steps of the grid."""
        x, y, heights = values(x), values(y), values(heights)
        x, y = x[0] if x.ndim == 2 else x, y[:, 0] if y.ndim == 2 else y
        low, high = np.nanmin(heights), np.nanmax(heights)
        band = np.floor((heights - low) / ((high - low) or 1) * levels).clip(0, levels - 1) / max(levels - 1, 1)
        return self._grid(*[np.concatenate([each[:1], (each[1:] + each[:-1]) / 2, each[-1:]]) for each in (x, y)],
                          shades(np.nan_to_num(band), cmap), alpha)

    def _grid(self, x, y, colors, alpha=1):
        """Coloured rectangles between the edges x and y; equal neighbours in a row are one."""
        def draw(across, up):
            found = [f'<g shape-rendering="crispEdges" opacity="{alpha}">']
            for i, row in enumerate(colors):
                names, start = [color_of(each) for each in row], 0
                for name, run in itertools.groupby(names):
                    end = start + len(list(run))
                    found.append(rectangle(across(x[start]), up(y[i]), across(x[end]), up(y[i + 1]), f'fill="{name}"'))
                    start = end
            return "".join([*found, "</g>"])

        return self._mark(x, y, draw)

    def quiver(self, x, y, u, v, color=None, label=None, **rest):
        x, y, u, v = (np.atleast_1d(values(each)) for each in (x, y, u, v))
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

    def set_xlim(self, low, high=None):
        self.limits["x"] = tuple(low) if high is None else (low, high)

    def set_ylim(self, low, high=None):
        self.limits["y"] = tuple(low) if high is None else (low, high)

    def invert_yaxis(self):
        self.limits["y"] = self.range("y")[::-1]

    def set_xticks(self, places, labels=None, **rest):
        self.ticks["x"] = list(zip(places, labels or [f"{place:g}" for place in places]))

    def set_yticks(self, places, labels=None, **rest):
        self.ticks["y"] = list(zip(places, labels or [f"{place:g}" for place in places]))

    def set_aspect(self, aspect, **rest):
        self.equal = aspect == "equal"

    def set_axis_off(self):
        self.framed = False

    def axis(self, what):
        self.framed, self.equal = self.framed and what != "off", self.equal or what == "equal"

    def grid(self, on=True, alpha=0.4, **rest):
        self.lines = alpha if on else 0.0

    def legend(self, *, loc="best", **rest):
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
        (x_low, x_high), (y_low, y_high) = self.range("x"), self.range("y")
        if self.equal:
            scale = min(width / abs(x_high - x_low), height / abs(y_high - y_low))
            wide, tall = scale * abs(x_high - x_low), scale * abs(y_high - y_low)
            left, top, width, height = left + (width - wide) / 2, top + (height - tall) / 2, wide, tall

        def placed(which, low, high, start, length):
            turned = np.log10 if self.scales[which] == "log" else np.asarray

            def place(value):
                with np.errstate(all="ignore"):
                    a, b = turned(float(low)), turned(float(high))
                    return start + (turned(np.asarray(value, dtype=float)) - a) / (b - a) * length
            return place

        across = placed("x", x_low, x_high, left, width)
        up = placed("y", y_low, y_high, top + height, -height)
        if self.framed:
            out += self.frame(across, up, left, top, width, height)
        clip = f"live-figure-{id(self)}-{name}"
        out.append(f'<clipPath id="{clip}"><rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" '
                   f'height="{height:.1f}"/></clipPath>')
        for mark in self.marks:
            held = f' clip-path="url(#{clip})"' if mark.x.size or mark.y.size else ""       # texts may stand out
            out.append(f"<g{held}>{mark.draw(across, up)}</g>")
        return out + self.legend_of(across, up, left, top, width, height)

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
        shown = [mark for mark in self.marks if mark.label]
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
    def __init__(self, rows, columns, size):
        self.size, self.title = size, None
        self.grid = np.array([[Axes(self) for _ in range(columns)] for _ in range(rows)], dtype=object)

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


def subplots(nrows=1, ncols=1, *, figsize=(6.4, 4.8), sharex=False, sharey=False, **rest):
    figure = Figure(nrows, ncols, figsize)
    figures.append(figure)
    grid = figure.grid
    return figure, grid[0, 0] if grid.size == 1 else grid.ravel() if 1 in grid.shape else grid


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
    raise AttributeError(f"the small pyplot of the page has no {name}: with matplotlib, on your computer, the cell "
                         "runs")
