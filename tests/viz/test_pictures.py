"""The files: valid XML, every edge from one form to another, words inside their forms, colours that can be read;
DOT."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

import minigrad as torch
from minigrad import viz
from minigrad.viz.svg import DARK, DARK_PAGES, LIGHT, LIGHT_PAGES, MEANING, MARGIN, lay_out, strokes, text_width

SVG = "{http://www.w3.org/2000/svg}"


def mlp():
    w1, b1, w2 = [torch.ones(*shape, requires_grad=True) for shape in [(4, 8), (8,), (8, 1)]]
    return {"loss": ((torch.tanh(torch.ones(16, 4) @ w1 + b1) @ w2) ** 2).mean(), "W <1>": w1, 'b "1"': b1, "w & w": w2}


def recurrent():
    wx, wh, s, loss = torch.ones(3, 5, requires_grad=True), torch.ones(5, 5, requires_grad=True), torch.zeros(2, 5), 0
    for _ in range(4):
        s = torch.tanh(torch.ones(2, 3) @ wx + s @ wh)
        loss = loss + s.sum()
    return {"loss": loss, "Wx": wx, "Wh": wh}


def twice():
    x = torch.ones(2, requires_grad=True)
    y = (x.sin() * x.exp()).sum()
    return {"y": y, "g": torch.autograd.grad(y, x, create_graph=True)[0], "x": x}


def written():
    base, a = torch.ones(4, requires_grad=True).clone(), torch.ones(2, requires_grad=True)
    base[1:3].mul_(a)
    return base


class Custom(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g


def custom():
    return Custom.apply(torch.ones(2, requires_grad=True) * 2).sum()


GRAPHS = [mlp, recurrent, twice, written, custom]


@pytest.fixture(params=[(make, saved) for make in GRAPHS for saved in (False, True)],
                ids=lambda p: f"{p[0].__name__}{'-saved' * p[1]}")
def drawing(request):
    make, saved = request.param
    return viz.graph(make(), saved=saved)


def number(element, name):
    return float(element.get(name))


def numbers(d):
    return [float(x) for x in re.findall(r"-?\d+\.?\d*", d)]


def corners(d):
    found = numbers(d)
    return list(zip(found[::2], found[1::2]))


def inside(shape, x, y):
    """Is the point inside the outline?"""
    if shape.tag == f"{SVG}ellipse":
        return ((x - number(shape, "cx")) / number(shape, "rx")) ** 2 + ((y - number(shape, "cy"))
                                                                         / number(shape, "ry")) ** 2 <= 1
    if shape.tag == f"{SVG}rect":
        return (0 <= x - number(shape, "x") <= number(shape, "width") and 0 <= y - number(shape, "y")
                <= number(shape, "height"))
    points = corners(shape.get("d"))
    return all((bx - ax) * (y - ay) - (by - ay) * (x - ax) >= -1e-6
               for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1]))


def test_it_is_xml_that_tells_what_it_shows(drawing):
    root = ElementTree.fromstring(drawing.svg)
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    assert root.find(f"{SVG}title").text == root.get("aria-label")
    assert root.find(f"{SVG}title").text.startswith("Graph of ")
    assert root.find(f"{SVG}desc").text == str(drawing)
    assert "max-width:100%" in root.get("style") and root.get("viewBox")
    assert len(root.findall(f"{SVG}g")) == len(drawing._picture.vertices)
    ElementTree.fromstring(drawing._repr_html_())


def test_words_are_inside_their_forms(drawing):
    for group in ElementTree.fromstring(drawing.svg).findall(f"{SVG}g"):
        shape = next(e for e in group if "mg-form" in e.get("class", ""))
        box = next((e for e in group if e.get("class") == "mg-saved"), None)
        for text in group.findall(f"{SVG}text"):
            size = 13 if text.get("class") == "mg-title" else 11
            half = 0.602 * size * len(text.text) / 2            # DejaVu Sans Mono, the widest
            x, y = number(text, "x"), number(text, "y")
            around = box if text.get("class") == "mg-note" else shape
            for px in (x - half, x + half):
                for py in (y - 0.7 * size, y + 0.15 * size):
                    assert inside(around, px, py), text.text


def test_everything_is_inside_the_picture_and_apart(drawing):
    root = ElementTree.fromstring(drawing.svg)
    left, top, width, height = numbers(root.get("viewBox"))
    assert (left, top) == (-MARGIN, -MARGIN)
    layout = lay_out(drawing._picture)
    boxes = [cell for cell in layout.cells if cell.width]
    for i, a in enumerate(boxes):
        assert a.x - a.width / 2 >= -0.1 and a.x + a.width / 2 <= width and a.y + a.height / 2 <= height
        for b in boxes[:i]:
            assert (abs(a.x - b.x) >= (a.width + b.width) / 2 - 0.05 or abs(a.y - b.y) >= (a.height + b.height) / 2
                    - 0.05)


def test_every_edge_is_drawn_from_its_source_to_its_target(drawing):
    """The lines, put together, lead from every source by the edge's own label to its target."""
    picture, layout = drawing._picture, lay_out(drawing._picture)
    root = ElementTree.fromstring(drawing.svg)
    drawn = {int(e.get("data-edge")) for e in root.findall(f"{SVG}path") if e.get("class") == "mg-line"}
    steps = {}
    for edge, part in strokes(layout):
        assert edge in drawn and part[:2] == [picture.edges[edge].source, layout.labels[edge]]
        for i, j in zip(part, part[1:]):
            assert j not in steps.setdefault(i, set())          # nothing is drawn twice
            steps[i].add(j)
    for edge, label in zip(picture.edges, layout.labels):
        at = label
        while layout.cells[at].line:
            (at,) = steps[at]                                   # a line never forks
        assert at == edge.target
    assert len([e for e in root.iter() if e.get("class") == "mg-head"]) >= len({e.target for e in picture.edges})
    assert [e.text for e in root.findall(f"{SVG}text")] == [e.label for e in picture.edges if e.label]


def test_lines_begin_and_end_at_forms(drawing):
    picture, root = drawing._picture, ElementTree.fromstring(drawing.svg)
    groups = root.findall(f"{SVG}g")
    for path in root.findall(f"{SVG}path"):
        if path.get("class") == "mg-line":
            edge = picture.edges[int(path.get("data-edge"))]
            x, y = numbers(path.get("d"))[:2]
            outlines = [e for e in groups[edge.source] if e.get("class", "").startswith(("mg-form", "mg-saved"))]
            assert any(inside(e, x, y - 0.6) for e in outlines) and not any(inside(e, x, y + 0.6) for e in outlines)
    shapes = [e for group in groups for e in group if "mg-form" in e.get("class", "")]
    for head in root.findall(f"{SVG}path"):
        if head.get("class") == "mg-head":
            x, y = corners(head.get("d"))[0]
            assert any(inside(e, x, y + 0.6) and not inside(e, x, y - 0.6) for e in shapes)


def test_lines_go_downwards(drawing):
    for path in ElementTree.fromstring(drawing.svg).findall(f"{SVG}path"):
        if path.get("class") == "mg-line":
            at = None
            for command, d in re.findall(r"([MVC])([^MVC]*)", path.get("d")):
                ys = numbers(d)[-1:] if command != "C" else numbers(d)[1::2]
                assert at is None or all(at - 0.11 <= y <= ys[-1] + 0.11 for y in ys)
                at = ys[-1]


def test_the_same_file_every_time():
    for make in GRAPHS:
        assert viz.graph(make(), saved=True).svg == viz.graph(make(), saved=True).svg


def test_every_kind_has_its_form():
    forms = {}
    for drawing in [viz.graph(make()) for make in GRAPHS] + [viz.graph(recurrent(), depth=1)]:
        for group in ElementTree.fromstring(drawing.svg).findall(f"{SVG}g"):
            shapes = [e for e in group if "mg-form" in e.get("class", "")]
            forms[group.get("data-kind")] = [
                (e.tag, e.get("rx") if e.tag.endswith("rect") else len(corners(e.get("d", "")))) for e in shapes]
    assert set(forms) == set(MEANING)
    assert len({str(form) for form in forms.values()}) == len(forms)


# ------------------------------------------------------------------------------ colours

def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast(colours):
    """WCAG: 4.5 for words, 3 for lines; here words have 7 inside forms."""
    for kind in set(MEANING) - {"more"}:
        assert contrast(colours["ink"], colours[kind]) >= 7
        assert contrast(colours[f"{kind}-line"], colours["paper"]) >= 3
    assert contrast(colours["faint"], colours["paper"]) >= 4.5 and contrast(colours["line"], colours["paper"]) >= 3
    assert contrast(colours["ink"], colours["paper"]) >= 7
    assert round(contrast("#000000", "#ffffff")) == 21


def test_light_and_dark():
    assert LIGHT.keys() == DARK.keys()
    style = ElementTree.fromstring(viz.graph(custom()).svg).find(f"{SVG}style").text
    assert "@media (prefers-color-scheme:dark){.minigrad-graph{--mg-paper:" + DARK["paper"] in style
    for pages, colours in ((DARK_PAGES, DARK), (LIGHT_PAGES, LIGHT)):
        assert ",".join([f"{page} .minigrad-graph" for page in pages]) + "{--mg-paper:" + colours["paper"] in style
    used = set(re.findall(r"var\(--mg-([\w-]+)\)", style))
    assert used == LIGHT.keys()
    assert all(rule.strip().startswith((".minigrad-graph", "@media", "body", "svg.minigrad-graph", "}"))
               for rule in re.findall(
        r"[^{}]+(?={)", style))


# ------------------------------------------------------------------------------ DOT

def test_dot(drawing):
    lines = drawing.dot.splitlines()
    assert lines[0] == "digraph minigrad {" and lines[-1] == "}"
    string = r'"(?:[^"\\]|\\.)*"'
    vertices = [line for line in lines[3:-1] if "->" not in line.split("[")[0]]
    edges = [line for line in lines[3:-1] if line not in vertices]
    assert len(vertices) == len(drawing._picture.vertices) and len(edges) == len(drawing._picture.edges)
    for line in vertices:
        assert re.fullmatch(rf"    n\d+ \[label={string}, shape=\w+(, style=\w+)?\];", line), line
    for line in edges:
        assert re.fullmatch(rf"    n\d+ -> n\d+( \[label={string}\])?;", line), line


def test_names_are_made_harmless():
    x = torch.ones(2, requires_grad=True)
    drawing = viz.graph({'a"; rm [\\': x.exp(), "<b>&\n": x})
    assert r'label="a\"; rm [\\\n(2,)"' in drawing.dot
    assert "<b>& (2,)" in ElementTree.fromstring(drawing.svg).find(f"{SVG}desc").text
    ElementTree.fromstring(viz.graph({"a\0b\x1b": x.exp()}).svg)


def test_wide_letters_have_room():
    assert text_width("層", 10) == 2 * text_width("x", 10)


def test_long_names_are_cut():
    x = torch.ones(2, requires_grad=True)
    assert max([len(v.title) for v in viz.graph({"n" * 200: x.exp(), "x" * 200: x})._picture.vertices]) == 28
