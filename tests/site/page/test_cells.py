"""The runner of cells and the small pyplot, in this Python."""

import html
import importlib.util
import re
import sys
import types
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from tests.site.page.served import STATIC


def load(name):
    spec = importlib.util.spec_from_file_location(name, STATIC / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def plt():
    return load("live_pyplot")


@pytest.fixture
def live(monkeypatch, plt):
    package = types.ModuleType("matplotlib")
    package.pyplot = plt
    monkeypatch.setitem(sys.modules, "matplotlib", package)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", plt)
    return load("live")


def told(live, source, check="", apart=False):
    """(how it ended, what was written, the HTML that was shown)."""
    written, shown = [], []
    outcome = live.run(source, check, apart, "cell 1", shown.append, written.append)
    return outcome, "".join(written), shown


def failed(live, source, **options):
    """(the message of the error, the whole text that is shown, the line that is marked or None)."""
    written, shown, marked = [], [], []
    outcome = live.run(source, "", False, "cell 1", shown.append, written.append, marked.append)
    assert outcome == "failed"
    error, = shown
    message, text = [html.unescape(re.sub("<[^>]*>", "", part)) for part in
                     (re.search("<p>(.*?)</p>", error, re.DOTALL)[1], error)]
    return message, text, *(marked or [None])


def test_each_page_goes_on_with_random_numbers_of_its_own(live):
    """All begin with the same memory, in which no garbage is collected."""
    drawn = []
    try:
        for _ in range(2):
            live.minigrad.manual_seed(0)
            live.random.seed(0)
            live.gc.disable()
            live.begin("https://a.site/errors/")
            drawn.append((live.random.random(), live.minigrad.rand(1).item()))
            assert live.gc.isenabled()
    finally:
        live.gc.enable()
    assert live.errors == "https://a.site/errors/" and not {*drawn[0]} & {*drawn[1]}


def test_the_last_expression_is_shown_and_variables_are_kept(live):
    assert told(live, "a = 2\na") == ("done", "2\n", [])
    assert told(live, "print(a)\na * 2") == ("done", "2\n4\n", [])
    assert told(live, "None") == ("done", "", [])


def test_html_is_shown_as_html(live):
    outcome, text, (graph,) = told(live, "import minigrad as torch\nx = torch.tensor(2.0, requires_grad=True)\n"
                                         "torch.viz.play(x * x)")
    assert outcome == "done" and not text and "minigrad-player" in graph


def test_an_error_says_first_what_happened_and_marks_its_line(live):
    message, text, line = failed(live, "def f(a):\n    return a / 0\n\nf(1)")
    assert message == "ZeroDivisionError: division by zero" and line == 2
    assert "Line 2 of cell 1: return a / 0" in text and "f(1)" in text and "live.py" not in text
    assert "on your computer" in told(live, "import a_package_that_is_nowhere")[1]


def test_an_error_of_the_library_links_to_its_page_and_folds_its_calls(live):
    live.errors = "https://a.site/errors/"
    source = ("import minigrad as torch\nx = torch.ones(2, requires_grad=True)\ny = x.exp()\ny.mul_(2)\n"
              "y.sum().backward()")
    written, shown = [], []
    live.run(source, "", False, "cell 1", shown.append, written.append)
    message, calls = shown[0].split("<details>")
    assert "<a href='https://a.site/errors/MG101.html'>MG101, explained</a>" in message
    assert "python -m minigrad explain" not in message and "[MG101]" not in message
    assert "Line 5 of cell 1: <code>y.sum().backward()</code>" in message and "reverse.py" not in message
    assert "reverse.py" in calls


def test_a_syntax_error_has_no_calls(live):
    message, text, line = failed(live, "a = 1\ndef f(:")
    assert message == "SyntaxError: invalid syntax" and line == 2 and "ast.py" not in text
    assert text == message + "Line 2 of cell 1: def f(:"


@pytest.mark.parametrize(("source", "says"), [
    ("%matplotlib inline\n1", "magic commands of Jupyter"), ("a = 1\n  \n!pip install torch", "import torch"),
    ("%%time\n1 + 1", "runs without it"), ("name = input('name? ')", 'name = "Ada"')])
def test_what_a_notebook_has_and_a_page_does_not_is_answered_in_a_sentence(live, source, says):
    message, text, line = failed(live, source)
    assert says in message and line == (3 if "!" in source else 1)


def test_pytorchs_name_is_there_once_a_cell_imports_it(live, monkeypatch):
    lent, as_torch = [], live.minigrad.as_torch
    monkeypatch.setattr(live.minigrad, "as_torch", lambda: lent.append(as_torch()))
    assert told(live, "1")[0] == "done" and not lent
    try:
        assert told(live, "import torch.nn as nn\nfrom torch import ones\nones(2).sum().item()")[1] == "2.0\n"
        assert told(live, "nn.functional.relu(ones(1)).item()")[1] == "1.0\n"
    finally:
        for each in reversed(lent):
            each.__exit__(None, None, None)


def test_a_check_says_what_is_wrong_or_that_it_is_right(live):
    assert told(live, "f = 1", 'assert f == 2, "two"', True) == ("wrong", "Not yet: two\n", [])
    assert told(live, "f = 2", 'assert f == 2, "two"', True) == ("done", "Right.\n", [])


def test_an_exercise_sees_no_variable_that_was_left_behind(live):
    told(live, "left = 2")
    outcome, _, (error,) = told(live, "pass", 'assert left == 2, "two"', True)
    assert outcome == "failed" and "NameError" in error


def test_a_figure_is_shown_once_and_not_after_the_next_cell(live):
    source = "import matplotlib.pyplot as plt\nfigure, axes = plt.subplots()\naxes.plot([1, 2])\nplt.show()"
    _, _, (figure,) = told(live, source)
    assert figure.startswith("<svg")
    assert told(live, "1")[2] == []


def points(svg):
    path, = re.findall(r'<g opacity="1"><path d="M([^"]*)"', svg)
    return [tuple(map(float, each.split())) for each in path.split("L")]


def test_a_line_goes_where_its_points_are(plt):
    figure, axes = plt.subplots()
    axes.plot([0, 1, 2], [0, 10, 20])
    (x0, y0), (x1, y1), (x2, y2) = points(figure._repr_html_())
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2) and x1 > x0
    assert y0 - y1 == pytest.approx(y1 - y2, abs=0.2) and y1 < y0


def test_a_logarithmic_axis_spaces_powers_evenly_and_leaves_out_what_has_no_place(plt):
    figure, axes = plt.subplots()
    axes.semilogy([1, 10, 100])
    (_, y0), (_, y1), (_, y2) = points(figure._repr_html_())
    assert y0 - y1 == pytest.approx(y1 - y2, abs=0.2)
    figure, axes = plt.subplots()
    axes.semilogy([0, 10, 100])
    assert len(points(figure._repr_html_())) == 2


def test_a_heat_map_has_the_colours_of_its_numbers(plt):
    figure, axes = plt.subplots()
    axes.imshow([[0, 1], [1, 0]], cmap="gray_r")
    axes.axis("off")
    assert re.findall('fill="(#[0f]{6})"', figure._repr_html_()) == ["#ffffff", "#000000", "#000000", "#ffffff"]


def test_an_image_has_the_colours_of_its_pixels_and_not_too_many_squares(plt):
    figure, axes = plt.subplots()
    axes.imshow(np.array([[[255, 0, 0], [0, 0, 255]]], dtype=np.uint8))
    axes.axis("off")
    assert re.findall('fill="(#[0f]{6})"', figure._repr_html_()) == ["#ff0000", "#0000ff"]
    figure, axes = plt.subplots()
    axes.imshow(np.random.default_rng(0).random((1000, 500, 3)))
    assert 20_000 < figure._repr_html_().count("<rect") < plt.SQUARES ** 2


def test_an_image_that_was_brought_is_read_and_another_is_asked_for(plt, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".pixels").mkdir()
    pixels = np.full((2, 3, 4), 255, np.uint8)
    for name in ("a.png", "a.jpg"):
        np.save(tmp_path / f".pixels/{name}.npy", pixels)
    assert plt.imread("a.png").tolist() == np.ones((2, 3, 3)).tolist() and plt.imread("a.png").dtype == np.float32
    assert plt.imread("a.jpg").dtype == np.uint8
    with pytest.raises(FileNotFoundError, match="Bring files"):
        plt.imread("b.png")


def test_what_is_drawn_does_not_list_its_numbers(plt):
    assert repr(plt.subplots()[1].plot([1, 2])) == "[<a mark>]"


@pytest.mark.parametrize(("style", "expected"), [
    ("", ("", "-", None)), ("o", ("o", "", None)), (".-", (".", "-", None)), ("-.", ("", "-.", None)),
    ("r.--", (".", "--", "r")), ("k:", ("", ":", "k"))])
def test_styles(plt, style, expected):
    assert plt.style_of(style) == expected


def test_every_mark_is_a_picture(plt):
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
    left.loglog([1, 10], [1, 100], "s--", label="<a & b>")
    left.axhline(3), left.axvline(2), left.legend(), left.grid(alpha=0.3), left.set_title("two\nlines")
    left.fill_between([1, 10], [1, 2], [3, 4]), left.text(1, 1, "here"), left.quiver(1, 1, 2, 2)
    bars = right.barh(["x", "y"], [1, 2])
    right.bar_label(bars), right.hist([1, 2, 2], bins=2), right.broken_barh([(0, 1)], (0, 1)), right.scatter(0, 0)
    right.annotate("", (0, 0), (1, 1), arrowprops={"connectionstyle": "arc3,rad=0.5"})
    right.contourf([0, 1], [0, 1], [[0, 1], [1, 2]]), right.add_patch(plt.Rectangle((0, 0), 1, 1, color="r"))
    tree = ElementTree.fromstring(figure._repr_html_())
    assert "<a & b>" in "".join(tree.itertext())


def test_pyplots_own_functions_draw_on_the_axes_that_were_made_last(plt):
    plt.plot([1, 2], label="a")
    plt.title("a title"), plt.xlabel("x"), plt.legend()
    (one,) = plt.open_figures()
    assert plt.gcf() is not one and "a title" in one._repr_html_()
    plt.figure(figsize=(4, 2))
    left, right = plt.subplot(121), plt.subplot(1, 2, 2)
    plt.bar(["u", "v"], [1, 2])
    assert not left.marks and right.marks and plt.gca() is right and plt.gcf().size == (4, 2)
    _, axes = plt.subplots(2, 2)
    assert plt.gca() is axes[0, 0]


def test_each_curve_of_a_call_and_each_column_of_a_matrix_is_a_line(plt):
    axes = plt.subplots()[1]
    lines = axes.plot([0, 1], [0, 1], "r--", [0, 2], [3, 4], label=["a", "b"])
    assert [line.x.tolist() for line in lines] == [[0, 1], [0, 2]] and [line.label for line in lines] == ["a", "b"]
    assert [line.y.tolist() for line in axes.plot([0, 1, 2], np.arange(6).reshape(3, 2))] == [[0, 2, 4], [1, 3, 5]]


def test_points_have_the_colours_of_their_numbers(plt):
    axes = plt.subplots()[1]
    mark = axes.scatter([0, 1], [0, 1], c=[5, 7], cmap="gray")
    plt.colorbar(label="a number")
    figure = plt.gcf()._repr_html_()
    assert mark.scale == (5, 7, "gray") and "a number" in figure
    assert re.findall('r="[0-9.]+" fill="(#[0f]{6})"', figure) == ["#000000", "#ffffff"]
    assert [point for point in ("5", "6", "7") if f">{point}<" in figure] == ["5", "6", "7"]


def test_an_image_may_begin_below(plt):
    axes = plt.subplots()[1]
    axes.imshow([[0, 0], [1, 1]], cmap="gray", origin="lower", extent=(0, 4, 0, 2))
    assert axes.limits == {"x": (0, 4), "y": (0, 2)}
    first, second = re.findall('y="([0-9.]+)"[^>]* fill="(#[0f]{6})"', axes.marks[0].draw(lambda x: x, lambda y: 2 - y))
    assert first == ("1.0", "#000000") and second == ("0.0", "#ffffff")
    above = plt.subplots()[1].imshow([[0, 0], [1, 1]], cmap="gray").draw(lambda x: x, lambda y: y)
    assert re.findall('y="([-0-9.]+)"[^>]* fill="(#[0f]{6})"', above) == [("-0.5", "#000000"), ("0.5", "#ffffff")]


def test_lines_of_equal_height_are_where_the_surface_has_that_height(plt):
    x, y = np.linspace(-1, 1, 9), np.linspace(0, 2, 6)
    heights = 2 * x[None] - y[:, None]
    ends = plt.crossings(x, y, heights, 0.3).reshape(-1, 2)
    assert len(ends) and np.allclose(2 * ends[:, 0] - ends[:, 1], 0.3)
    hole = np.where(x[None] < 0, np.nan, heights)
    assert (plt.crossings(x, y, hole, 0.3).reshape(-1, 2)[:, 0] >= 0).all()
    axes = plt.subplots()[1]
    axes.contourf(x, y, heights, levels=[0, 1])
    assert 0 < axes.marks[0].draw(np.asarray, np.asarray).count("<rect") < len(y) * len(x) / 2


def test_statistics_are_those_that_are_asked_for(plt):
    axes = plt.subplots()[1]
    assert axes.hist([0, 0, 1], bins=2, density=True)[0].tolist() == [pytest.approx(4 / 3), pytest.approx(2 / 3)]
    assert axes.hist([0, 0, 1, 9], bins=1, range=(0, 1))[0].tolist() == [3]
    axes.cla()
    axes.boxplot([[1, 2, 3, 4, 5, 100]])
    box, whiskers, middle, beyond = axes.marks
    assert (box.y.tolist(), middle.y.tolist()) == ([2.25, 4.75], [3.5, 3.5])
    assert whiskers.y.tolist() == [1, 2.25, 4.75, 5] and beyond.y.tolist() == [100]
    ends = axes.errorbar([0, 1], [5, 6], yerr=[[1, 2], [3, 4]]) and axes.marks[-2].y.tolist()
    assert ends == [4, 8, 4, 10]


def test_axes_over_others_have_their_y_on_the_right(plt):
    axes = plt.subplots()[1]
    axes.plot([0, 1], [0, 1], label="one")
    other = axes.twinx()
    other.plot([0, 1], [0, 1000], label="thousand")
    other.set_ylabel("on the right"), axes.legend()
    figure = plt.gcf()._repr_html_()
    assert {"1000", "one", "thousand", "on the right"} <= {*re.findall(">([^<>]+)</tspan>", figure)}
    (_, low), (_, high) = [path.split("L")[-1].split() for path in re.findall(r'<path d="M([^"]*L[^"]*)" fill="none"',
                                                                             figure)[:2]]
    assert low == high                      # each ends at the top of its own range


CALLS = [
    "plot([1, 2])", "scatter([1], [2])", "hist([1, 2])", "imshow([[1, 2], [3, 4]])", "contour([[1, 2], [3, 4]])",
    "contourf([[1, 2], [3, 4]])", "fill_between([0, 1], [1, 2])", "quiver([[0, 1]], [[0, 0]], [[1, 2]], [[1, 2]])",
    "bar([0, 1], [1, 2])", "barh(['a'], [1])", "boxplot([[1, 2, 3]])", "semilogy([1, 2])", "loglog([1, 2], [1, 2])",
    "errorbar([0, 1], [1, 2], yerr=0.1)", "axhline(1)", "axvline(1)", "axhspan(0, 1)", "axvspan(0, 1)",
    "annotate('a', (0, 0), (1, 1))", "text(0, 0, 'a')", "step([0, 1], [1, 2])", "hlines(1, 0, 1)", "vlines(1, 0, 1)",
    "matshow([[1, 2], [3, 4]])", "pcolormesh([[1, 2], [3, 4]])"]


@pytest.mark.parametrize("call", CALLS)
def test_what_courses_call_is_a_picture(plt, call):
    eval(f"plt.{call}", {"plt": plt})
    plt.tight_layout()
    ElementTree.fromstring(plt.gcf()._repr_html_())


def test_a_figure_is_saved_as_what_it_is(plt, tmp_path):
    plt.plot([1, 2])
    plt.savefig(tmp_path / "a.svg")
    assert ElementTree.fromstring((tmp_path / "a.svg").read_text()).tag.endswith("svg")
    with pytest.raises(ValueError, match="ends in .svg, and not 'a.png'"):
        plt.savefig("a.png")


def test_what_is_not_there_says_so(plt):
    with pytest.raises(AttributeError, match="Axes.pie"):
        plt.subplots()[1].pie([1])
    with pytest.raises(AttributeError, match="no polar"):
        plt.polar
