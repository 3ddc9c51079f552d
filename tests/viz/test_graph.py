"""``viz.graph``: what is drawn for which graph, with which forms and words, and what is refused."""

import gc
import re
import subprocess
import sys
import weakref

import pytest

import minigrad as torch
from minigrad import viz
from minigrad._core.errors import MinigradError


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 2 * x, x.sum()

    @staticmethod
    def backward(ctx, g, h):
        return 2 * g + h


def leaf(*shape):
    return torch.ones(*shape, requires_grad=True)


def kinds(drawing):
    return sorted([vertex.kind for vertex in drawing._picture.vertices])


def edges(drawing):
    vertices = drawing._picture.vertices
    return sorted([(vertices[e.source].title, vertices[e.target].title, e.label) for e in drawing._picture.edges])


# ------------------------------------------------------------------------------ what is drawn

def test_vertices_are_numbered_from_above():
    w = leaf(2)
    assert [v.title for v in viz.graph({"w": w, "y": w.exp()})._picture.vertices] == ["y", "ExpBackward0",
                                                                                      "AccumulateGrad", "w"]


def test_one_operation():
    w = leaf(2, 3)
    drawing = viz.graph(w.exp())
    assert edges(drawing) == [("AccumulateGrad", "leaf", ""), ("ExpBackward0", "AccumulateGrad", "(2, 3)"),
                              ("result", "ExpBackward0", "")]
    assert kinds(drawing) == ["accumulate", "leaf", "op", "result"]


def test_names():
    w, b, x = leaf(3, 2), leaf(2), torch.ones(4, 3)
    h = x @ w
    drawing = viz.graph({"loss": (h + b).sum(), "h": h, "w": w, "b": b, "x": x})
    assert ("AddBackward0", "MmBackward0", "h (4, 2)") in edges(drawing)
    assert {v.title for v in drawing._picture.vertices if v.kind == "leaf"} == {"w", "b"}
    assert [v.title for v in drawing._picture.vertices if v.kind == "result"] == ["loss"]


def test_two_names_for_one_result():
    y = leaf(2).exp()
    assert [v.title for v in viz.graph({"y": y, "z": y})._picture.vertices if v.kind == "result"] == ["y, z"]


def test_several_results_share_their_graph():
    w = leaf(2)
    h = w.exp()
    drawing = viz.graph([h.sum(), h.prod()])
    titles = [v.title for v in drawing._picture.vertices]
    assert titles.count("ExpBackward0") == titles.count("leaf") == 1 and titles.count("result") == 2
    assert kinds(viz.graph((h.sum(), h))) == ["accumulate", "leaf", "op", "op", "result", "result"]


def test_a_tensor_used_twice_has_two_edges():
    w = leaf(2)
    assert edges(viz.graph(w * w)).count(("MulBackward0", "AccumulateGrad", "(2,)")) == 2


def test_a_leaf_alone_and_a_leaf_beside():
    w, b = leaf(2), leaf(3)
    assert kinds(viz.graph(w)) == ["accumulate", "leaf"]
    drawing = viz.graph({"y": w.exp(), "w": w, "unused": b})
    assert ("AccumulateGrad", "unused", "") in edges(drawing) and kinds(drawing).count("leaf") == 2


def test_a_node_in_place_of_a_tensor():
    y = leaf(2).exp().sum()
    assert kinds(viz.graph(y.grad_fn.next_functions[0][0])) == ["accumulate", "leaf", "op"]


def test_custom_functions():
    a, b = Twice.apply(leaf(3))
    drawing = viz.graph(a.sum() * b)
    assert kinds(drawing).count("custom") == 1
    assert ("SumBackward0", "TwiceBackward", "output 0 (3,)") in edges(drawing)
    assert ("MulBackward0", "TwiceBackward", "output 1 ()") in edges(drawing)


def test_a_write_through_a_view():
    base, a = leaf(4).clone(), leaf(2)
    base[1:3].mul_(a)
    drawing = viz.graph(base)
    assert ("CopySlices", "CloneBackward0", "(4,)") in edges(drawing)
    assert ("CopySlices", "AccumulateGrad", "(2,)") in edges(drawing)
    assert [v.lines for v in drawing._picture.vertices if v.kind == "write"] == [["MulBackward0"]]


def test_a_view_of_what_was_written_to():
    base = leaf(4).clone()
    view = base[:2]
    base.mul_(3)
    assert any("MulBackward0" == v.title for v in viz.graph(view)._picture.vertices)


def test_depth():
    y = leaf(2).exp().sin().cos().sum()
    drawing = viz.graph(y, depth=1)
    assert edges(drawing) == [("CosBackward0", "…", ""), ("SumBackward0", "CosBackward0", "(2,)"),
                              ("result", "SumBackward0", "")]
    assert kinds(viz.graph(y, depth=0)) == ["more", "op", "result"]
    assert kinds(viz.graph(y, depth=99)) == kinds(viz.graph(y))
    w = leaf(2)                                         # a leaf further down is not drawn beside
    assert kinds(viz.graph({"y": w.exp().sin(), "w": w}, depth=1)) == ["more", "op", "op", "result"]


# ------------------------------------------------------------------------------ shapes

def test_every_edge_of_a_network_has_its_shape():
    w1, b1, w2, b2 = leaf(4, 8), leaf(8), leaf(8, 1), leaf(1)
    loss = ((torch.tanh(torch.ones(16, 4) @ w1 + b1) @ w2 + b2 - torch.ones(16, 1)) ** 2).mean()
    found = edges(viz.graph(loss))
    for expected in [("MeanBackward0", "PowBackward0", "(16, 1)"), ("PowBackward0", "SubBackward0", "(16, 1)"),
                     ("SubBackward0", "AddBackward0", "(16, 1)"), ("AddBackward0", "AccumulateGrad", "(1,)"),
                     ("AddBackward0", "MmBackward0", "(16, 8)"), ("MmBackward0", "TanhBackward0", "(16, 8)")]:
        assert expected in found
    assert not any(label for _, _, label in edges(viz.graph(loss, shapes=False)))


@pytest.mark.parametrize("program", [
    lambda x: x.sum(0).neg().exp(),
    lambda x: x.reshape(-1)[1:].cumsum(0) + 1,
    lambda x: x.double().t() @ x.double(),
    lambda x: torch.stack([x.neg(), x * 2]).mean((0, 1)),
    lambda x: (lambda a, b: a.neg().sum() + b.neg().prod())(*x.neg().split([1, 2], 1)),
])
def test_shapes_are_those_of_a_real_pass(program):
    """Hooks on every node of a real backward pass see the shapes that are drawn."""
    y = program(leaf(2, 3))
    drawing = viz.graph(y)
    real, stack, seen = [], [y.grad_fn], set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.next_functions:
            def hook(grads, _, node=node):
                real.extend([(node.name(), below.name().removeprefix("torch::autograd::"), str(tuple(grad.shape)))
                             for (below, _), grad in zip(node.next_functions, grads) if below is not None])
            node.register_hook(hook)
            stack.extend([below for below, _ in node.next_functions if below is not None])
    y.sum().backward()
    drawn = [(a, b, re.sub(r"output \d ", "", label)) for a, b, label in edges(drawing) if a != "result"
             and b != "leaf"]
    assert drawn == sorted(real)


def test_asking_for_shapes_runs_nothing_of_the_users():
    said = []

    class Loud(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            said.append("backward")
            return g

    w = leaf(2)
    h = w.neg()
    h.register_hook(lambda g: said.append("tensor hook"))
    y = Loud.apply(h).neg().neg().sum()
    y.grad_fn.register_hook(lambda *_: said.append("node hook"))
    y.grad_fn.register_prehook(lambda *_: said.append("prehook"))
    assert ("NegBackward0", "NegBackward0", "(2,)") in edges(viz.graph(y, saved=True))
    assert not said and w.grad is None
    y.backward()                                        # and the graph is as it was
    assert said and w.grad is not None


# ------------------------------------------------------------------------------ what was saved

def notes(drawing):
    return {v.title: v.notes for v in drawing._picture.vertices if v.notes}


def test_saved_tensors_and_versions():
    w, x = leaf(3, 2), torch.ones(4, 3)
    h = (x @ w).tanh()
    drawing = viz.graph({"y": h.exp(), "h": h, "x": x, "w": w}, saved=True)
    assert notes(drawing) == {"ExpBackward0": ["result (4, 2) v0"], "TanhBackward0": ["result (4, 2) v0 = h"],
                              "MmBackward0": ["self (4, 3) v0 = x"]}
    assert all("version 0" in v.lines for v in drawing._picture.vertices if v.kind in ("leaf", "result"))
    assert not notes(viz.graph(h)) and "v0" not in viz.graph(h).svg


def test_what_was_overwritten_and_what_was_freed():
    h = leaf(3).clone()
    y = h * h
    h.add_(1)
    assert notes(viz.graph(y, saved=True)) == {"MulBackward0": ["other: overwritten: v0, now v1",
                                                                "self: overwritten: v0, now v1"]}
    y = leaf(3).exp().sum()
    y.backward()
    assert notes(viz.graph(y, saved=True)) == {"ExpBackward0": ["result: freed"]}


def test_what_a_custom_function_saved():
    a, _ = Twice.apply(leaf(3))
    assert notes(viz.graph(a, saved=True)) == {"TwiceBackward": ["tensor 0 (3,) v0"]}


def test_what_a_custom_function_saved_and_was_overwritten():
    h = leaf(3) * 1
    a, _ = Twice.apply(h)
    h.add_(1)
    note, = notes(viz.graph(a, saved=True))["TwiceBackward"]
    assert note.startswith("tensors: overwritten")


def test_lists_of_saved_tensors():
    x = leaf(3)
    drawing = viz.graph(x.exp()[torch.tensor([0, 2])], saved=True)
    assert any("tensors" in note for found in notes(drawing).values() for note in found)


# ------------------------------------------------------------------------------ long, many, or not at all

def test_a_long_chain_without_recursion():
    y = leaf(2)
    for _ in range(300):
        y = y.sin()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(list(frames_up(sys._getframe()))) + 80)
    try:
        drawing = viz.graph(y)
        told, svg, dot = str(drawing), drawing.svg, drawing.dot
    finally:
        sys.setrecursionlimit(limit)
    assert svg.count("SinBackward0: ") == 300 and dot.count("SinBackward0") == 300 and told.count("\n") == 301


def frames_up(frame):
    while frame:
        yield frame
        frame = frame.f_back


def test_too_many_nodes():
    y = leaf(2)
    for _ in range(400):
        y = y.sin()
    with pytest.raises(MinigradError, match="more than 400 nodes.*depth=20") as refused:
        viz.graph(y)
    assert refused.value.code == "MG204"
    assert kinds(viz.graph(y, depth=20)).count("op") == 21


@pytest.mark.parametrize(("wrong", "code", "words"), [
    (3, "MG205", "the argument is of type 'int'"),
    ([3], "MG205", "number 0 is of type 'int'"),
    ({"loss": "x"}, "MG205", "'loss' is of type 'str'"),
    ([], "MG204", "nothing to draw"),
    ({}, "MG204", "nothing to draw"),
    (torch.ones(2), "MG204", "has no graph: it does not require grad"),
    ([torch.ones(2)], "MG204", "number 0, a tensor of shape .2,., has no graph"),
    ({"x": torch.ones(2)}, "MG204", "none of 'x' has a graph"),
])
def test_what_cannot_be_drawn(wrong, code, words):
    with pytest.raises(MinigradError, match=words) as refused:
        viz.graph(wrong)
    assert refused.value.code == code


@pytest.mark.parametrize(("depth", "code"), [("1", "MG205"), (True, "MG205"), (1.5, "MG205"), (-1, "MG204")])
def test_a_wrong_depth(depth, code):
    with pytest.raises(MinigradError, match="depth must be") as refused:
        viz.graph(leaf(2).exp(), depth=depth)
    assert refused.value.code == code


# ------------------------------------------------------------------------------ what comes out

def test_save(tmp_path):
    drawing = viz.graph(leaf(2).exp())
    assert drawing.save(tmp_path / "g.svg").read_text(encoding="utf-8") == drawing.svg == drawing._repr_svg_()
    assert drawing.save(str(tmp_path / "g.dot")).read_text(encoding="utf-8") == drawing.dot
    with pytest.raises(MinigradError, match="saved as .svg or .dot, not '.png'"):
        drawing.save(tmp_path / "g.png")
    assert drawing.svg in drawing._repr_html_()


def test_a_drawing_keeps_nothing_alive():
    w = leaf(2)
    node = Twice.apply(w)[0].grad_fn
    drawing = viz.graph(node, saved=True)
    died = weakref.ref(w), weakref.ref(node)
    del w, node
    gc.collect()
    assert [reference() for reference in died] == [None, None]
    assert "TwiceBackward" in drawing.svg


def test_the_words():
    w = leaf(2)
    drawing = viz.graph({"y": w * w.exp(), "w": w})
    assert str(drawing) == ("y (2,) -> MulBackward0\nMulBackward0 -> AccumulateGrad [(2,)], ExpBackward0 [(2,)]\n"
                            "ExpBackward0 -> AccumulateGrad [(2,)]\nAccumulateGrad -> w (2,)")
    assert repr(drawing).startswith("<Graph of 3 nodes and 1 leaf:")
    assert "SinBackward0 #2" in str(viz.graph(w.sin().sin()))


def test_importing_minigrad_does_not_load_it():
    code = "import sys, minigrad; sys.exit('minigrad.viz' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
