"""The story of a backward pass is the pass: its numbers, its order, its hooks, its errors; and a rehearsal leaves no
traces."""

import gc
import re
import threading
import weakref

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minigrad as torch
from minigrad import viz
from minigrad.ops.exports import ROWS
from minigrad.ops.kinds import general
from minigrad.notation.rows import written
from minigrad.viz.story import fitted
from minigrad.viz.values import Value, value_of


def numbers(value):
    return None if value is None else np.asarray(value.array)


def by_name(player, name):
    return [step for step in player.steps if step.name == name]


class Nothing(torch.autograd.Function):
    """Its backward brings nothing."""

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, d):
        return None


# ------------------------------------------------------------------------------ random programs

UNARY = [lambda a: a.sin(), lambda a: a.exp(), lambda a: a * 2, lambda a: a.sum(0), lambda a: a.tanh(), lambda a: -a,
         lambda a: a.relu(),
         lambda a: a.mean()]
BINARY = [lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - b, lambda a, b: torch.maximum(a, b),
          lambda a, b: a / (b * b + 1)]
SHAPES = [(), (3,), (2, 3), (2, 1)]


@st.composite
def programs(draw):
    """Leaves and all the results made of them, one after the other; the last leads to a number."""
    seeds = [np.random.default_rng(draw(st.integers(0, 99))) for _ in range(3)]
    leaves = [torch.tensor(seed.normal(size=draw(st.sampled_from(SHAPES))), requires_grad=True) for seed in seeds]
    made = list(leaves)
    for _ in range(draw(st.integers(1, 6))):
        if draw(st.booleans()):
            operand = draw(st.sampled_from(made))
            operation = draw(st.sampled_from(UNARY if operand.ndim
                                             else [each for i, each in enumerate(UNARY) if i != 3]))
            made.append(operation(operand))
        else:
            a, b = draw(st.sampled_from(made)), draw(st.sampled_from(made))
            try:
                np.broadcast_shapes(a.shape, b.shape)
            except ValueError:
                continue
            made.append(draw(st.sampled_from(BINARY))(a, b))
    if made[-1].is_leaf:
        made.append(made[-1] * 1)
    return leaves, made


@settings(max_examples=120)
@given(programs())
def test_the_story_is_what_happens(program):
    """Gradients are those that hooks see, results add up to them, the order is that of prehooks, the ends are .grad."""
    leaves, made = program
    loss = made[-1].sum()
    results = [t for t in [*made, loss] if not t.is_leaf]
    seen, order = {}, []

    def look(gradients, node):
        order.append(node)
        seen[node] = gradients[0].numpy().copy()

    nodes = {t.grad_fn: t.grad_fn.name() for t in results}
    for node in nodes:
        node.register_prehook(lambda gradients, node=node: look(gradients, node))
    with viz.record() as player:
        loss.backward()
    (story,) = player.passes
    steps = [step for step in story.steps if step.kind == "op"]
    told = [step for step in steps if step.hooks]
    assert [step.name for step in told] == [nodes[node] for node in order]
    for step, node in zip(told, order):
        assert np.array_equal(numbers(step.arrived[0]), seen[node]) and not step.used
    arrived = {}
    for step in steps:
        for flow in step.flows:
            key = flow.vertex, flow.output
            arrived[key] = numbers(flow.gradient) if flow.first else arrived[key] + numbers(flow.gradient)
            assert flow.first == (np.array_equal(numbers(flow.total), numbers(flow.gradient)) if flow.first else False)
            assert np.allclose(numbers(flow.total), arrived[key], rtol=1e-12)
            unfitted, gradient = numbers(flow.result), numbers(flow.gradient)
            assert np.isclose(unfitted.sum(), gradient.sum())
            assert bool(flow.fitted) == (unfitted.shape != gradient.shape)
    for step in story.steps:
        if (step.vertex, 0) in arrived:
            assert np.array_equal(numbers(step.arrived[0]), arrived[step.vertex, 0])
    ends = [numbers(step.after) for step in story.steps if step.kind == "accumulate"]
    grads = [leaf.grad.numpy() for leaf in leaves if leaf.grad is not None]
    assert len(ends) == len(grads) and all(any(np.array_equal(end, grad) for grad in grads) for end in ends)


@settings(max_examples=60)
@given(programs())
def test_a_rehearsal_leaves_everything_as_it_was(program):
    leaves, made = program
    loss = made[-1].sum()
    expected = [None if g is None else g.numpy()
                for g in torch.autograd.grad(loss, leaves, retain_graph=True, allow_unused=True)]
    leaves[0].grad = before = torch.ones_like(leaves[0])
    version = before._version
    player = viz.play(loss)
    assert leaves[0].grad is before and bool((before == 1).all()) and before._version == version
    assert leaves[1].grad is None and leaves[2].grad is None
    assert player.passes[0].error == "" and player.passes[0].keeps
    loss.backward()                                     # the graph is still there
    for leaf, gradient, start in zip(leaves, expected, (1, 0, 0)):
        if gradient is not None:
            assert np.allclose(leaf.grad.numpy(), gradient + start)


# ------------------------------------------------------------------------------ what a step says

def test_a_product():
    x, w = torch.tensor(3.0, requires_grad=True), torch.tensor(2.0, requires_grad=True)
    y = x * w
    first, *ends = viz.play(y).steps
    assert (first.name, first.arrived[0].text) == ("MulBackward0", "1.")
    assert [(flow.of, flow.formula, flow.numbers, flow.gradient.text)
            for flow in first.flows] == [("self", "d * other", "1. * 2.", "2."),
                                                                                                ("other", "d * self",
                                                                                                 "1. * 3.", "3.")]
    assert {(saved.name, saved.value.text, saved.note)
            for saved in first.saved} == {("self", "3.", "x, version 0 as saved"),
                                                                                     ("other", "2.",
                                                                                      "w, version 0 as saved")}
    assert {(step.leaf, step.before, step.after.text) for step in ends} == {("x", None, "2."), ("w", None, "3.")}


def test_gradients_accumulate():
    x = torch.tensor(3.0, requires_grad=True)
    with viz.record() as player:
        (x * 2).backward()
        (x * 5).backward()
    first, second = by_name(player, "AccumulateGrad")
    assert (first.before, first.added.text, first.after.text) == (None, "2.", "2.")
    assert (second.before.text, second.added.text, second.after.text) == ("2.", "5.", "7.")
    assert "x.grad  None → 2." in str(player) and "x.grad  2. + 5. → 7." in str(player)


def test_broadcasting_is_summed():
    row, x = torch.ones(3, requires_grad=True), torch.ones(4, 3)
    step = by_name(viz.play((x + row).sum()), "AddBackward0")[0]
    (flow,) = step.flows
    assert flow.fitted == "summed over axis 0, (4, 3) → (3,)" and flow.result.shape == (4, 3)
    assert flow.gradient.text == "[4., 4., 4.]"


@pytest.mark.parametrize("before, after, words", [
    ((2, 3), (2, 3), ""), ((2, 3), (3,), "summed over axis 0, (2, 3) → (3,)"),
    ((2, 3), (2, 1), "summed over axis 1, (2, 3) → (2, 1)"),
    ((2, 3), (), "summed over axes 0, 1, (2, 3) → ()"), ((3,), (2, 3), "expanded, (3,) → (2, 3)"),
])
def test_what_was_fitted(before, after, words):
    assert fitted(value_of(np.zeros(before)), value_of(np.zeros(after))) == words


def test_a_reduced_dim_is_put_back_where_it_was():
    """The formula with its numbers, read as Python, gives the gradient even where the shape alone would not tell the
    dim."""
    from_text = {"expand": lambda d, shape: d.expand(shape), "restore_dims": lambda d, dim, keepdim: d if keepdim
                 else d.unsqueeze(dim)}
    for dim in (0, 1):
        for keepdim in (False, True):
            for reduce in (torch.sum, torch.mean):
                x = torch.ones(2, 2, requires_grad=True)
                y = reduce(x, dim, keepdim=keepdim)
                (flow,) = viz.play(y, torch.tensor([1.0, 2.0]).reshape(y.shape)).steps[0].flows
                text = re.sub(r"(\[.*\])", r"torch.tensor(\1)", flow.numbers)
                assert np.array_equal(eval(text, {"torch": torch, **from_text}).numpy(), flow.gradient.array)
                assert flow.helpers == ["restore_dims: A reduced tensor with the reduced dims put back with size one"]


def test_each_of_a_list_gets_its_part():
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    step = by_name(viz.play(torch.stack([a, b]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])), "StackBackward0")[0]
    assert [(flow.of, flow.formula, flow.gradient.text)
            for flow in step.flows] == [("tensors[0]", "unbind(d, dim)[0]", "[1., 2.]"),
                                                                                    ("tensors[1]", "unbind(d, dim)[1]",
                                                                                     "[3., 4.]")]
    step = by_name(viz.play(torch.cat([a, b]), torch.ones(4)), "CatBackward0")[0]
    assert [len(flow.helpers) for flow in step.flows] == [1, 0]             # what a function does is said once


def test_of_outputs_with_names_the_differentiable_one_is_d():
    x = torch.tensor([[2.0, 1.0], [1.0, 3.0]], requires_grad=True)
    assert "arrives  d = 1. (of logabsdet)\n" in str(viz.play(torch.linalg.slogdet(x)[1]))
    assert "d = [1., 1.] (of values)" in str(viz.play(x.max(1).values, torch.ones(2)))


@pytest.mark.parametrize("make, about", [
    (lambda x: x.view(3), "view: The same memory under another shape"),
    (lambda x: torch.where(x > 0, x, x * 2),
     "where: Elements of input where the bool tensor condition is True, of other elsewhere; with broadcasting"),
    (lambda x: x ** 2, "pow: A tensor to the power of a number"),
])
def test_what_an_operation_is(make, about):
    """Of a row that is only a form of a function, it is what the function does."""
    assert viz.play(make(torch.ones(3, requires_grad=True)), torch.ones(3)).steps[0].about == about


def test_parameters_that_only_a_program_could_read():
    x = torch.ones(3, requires_grad=True)
    step = by_name(viz.play(x[1:], torch.ones(2)), "SliceBackward0")[0]
    assert {saved.name: saved.value.text for saved in step.saved}["end"] == "sys.maxsize"
    loss = torch.nn.functional.mse_loss(x, torch.zeros(3))
    assert ({saved.name: (saved.value.text, saved.note) for saved in viz.play(loss).steps[0].saved}["reduction"]
            == ("1", "mean"))


def test_dtypes_are_fitted():
    assert fitted(value_of(np.zeros(2, complex)), value_of(np.zeros(2))) == "its real part"
    assert fitted(value_of(np.zeros(2)), value_of(np.zeros(2, np.float32))) == "as float32"
    assert fitted(None, None) == ""
    x = torch.tensor(1.0, requires_grad=True)
    step = by_name(viz.play((x * torch.tensor(2 + 1j)).real), "MulBackward0")[0]
    assert step.flows[0].formula == "d * conj(other)" and step.flows[0].fitted == "its real part"


def test_a_gradient_of_a_gradient():
    """In the formulas of a formula the gradient that was saved is not taken for the one that arrives."""
    x = torch.tensor(0.5, requires_grad=True, dtype=torch.float64)
    for make in (torch.tanh, torch.sigmoid):
        weight = torch.tensor(3.0, requires_grad=True, dtype=torch.float64)
        (slope,) = torch.autograd.grad(make(x) * weight, x, create_graph=True)
        step = viz.play(slope, torch.tensor(0.7, dtype=torch.float64)).steps[0]
        assert [flow.of for flow in step.flows] == ["grad", "result"]
        assert {saved.name for saved in step.saved} == {"grad", "result"}
        for flow in step.flows:
            given = {"d": 0.7, "grad": 3.0, "result": make(x).item()}
            text = flow.formula.replace("²", "**2")
            assert eval(text, given) == pytest.approx(flow.result.array.item()), text
            assert "3." in flow.numbers or flow.of == "grad"


def test_who_is_the_first_to_arrive():
    """It is told for each output by itself, and who brings nothing is not counted."""
    left, right = torch.ones(4, requires_grad=True).split(2)
    assert [flow.first for step in viz.play((left * right).sum()).steps
            for flow in step.flows][:4] == [True, True, True, True]

    x = torch.tensor(1.0, requires_grad=True)
    h = x * 2
    other = h * 3
    player = viz.play(other + Nothing.apply(h))
    nothing, product = [next(step for step in player.steps if step.name == name)
                        for name in ("NothingBackward", "MulBackward0")]
    assert player.steps.index(nothing) < player.steps.index(product)
    assert nothing.flows[0].gradient is None and product.flows[0].first
    assert "to arrive there" not in str(player)


def test_several_outputs():
    x = torch.arange(4.0, requires_grad=True)
    left, right = x.split(2)
    step = by_name(viz.play((left * 3).sum()), "SplitBackward0")[0]
    assert step.arrived[0].text == "[3., 3.]" and step.arrived[1] is None
    assert "d[1] = 0, since no gradient came" in str(viz.play((left * 3).sum()))
    assert by_name(viz.play((left * right).sum()), "SplitBackward0")[0].arrived[1].text == "[0., 1.]"


def test_a_node_without_slope():
    x = torch.tensor(2.5, requires_grad=True)
    assert by_name(viz.play(x.floor()), "FloorBackward0")[0].flows[0].formula == "0"


def test_hooks():
    x = torch.tensor(3.0, requires_grad=True)
    y = x * 2

    def double(gradient):
        return gradient * 2

    def look(gradients):
        return None

    def replace(to_inputs, gradients):
        return (to_inputs[0] * 10, *to_inputs[1:])

    y.register_hook(double)
    y.grad_fn.register_prehook(look)
    y.grad_fn.register_hook(replace)
    x.register_post_accumulate_grad_hook(lambda leaf: None)
    step, end = viz.play(y).steps
    assert [hooked.where for hooked in step.hooks] == ["tensor", "prehook", "posthook"]
    assert [hooked.function.split()[0].rpartition(".")[2] for hooked in step.hooks] == ["double", "look", "replace"]
    assert all("test_story.py:" in hooked.function for hooked in step.hooks)
    doubled, looked, replaced = step.hooks
    assert (doubled.before[0].text, doubled.after[0].text) == ("1.", "2.") and looked.after is None
    assert (replaced.before[0].text, replaced.after[0].text) == ("4.", "40.")
    assert step.arrived[0].text == "1." and step.used[0].text == "2." and step.flows[0].numbers == "2. * 2"
    assert step.flows[0].result.text == "4." and step.flows[0].hooked.text == "40." and step.flows[0].fitted == ""
    said = str(viz.play(y))                             # the formula comes true, and then comes what hooks made of it
    assert "d * other = 2. * 2 = 4.\n" in said and "after hooks  40.\n" in said and "looked at it" in said
    assert "from here    d = 2.\n" in said and re.search(r"hook after  \S+ \(test_story.py:\d+\) ran\n", said)
    assert step.flows[0].gradient.text == "40." and end.after.text == "40." and end.hooks[0].where == "post-accumulate"
    assert "changed 1. → 2." in str(viz.play(y))


def test_saved_tensor_hooks():
    x = torch.tensor(3.0, requires_grad=True)
    opened = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.numpy(),
                                                  lambda a: (opened.append(1), torch.tensor(a))[1]):
        y = x.sin()
    step = viz.play(y).steps[0]
    assert [(saved.name, saved.value.text, saved.note)
            for saved in step.saved] == [("self", "3.", "given back by the unpack hook")]
    assert len(opened) == 1                             # the pass opens it once, the story does not open it again


def test_custom_function():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 3

        @staticmethod
        def backward(ctx, d):
            return 3 * ctx.saved_tensors[0] ** 2 * d

    x = torch.tensor(2.0, requires_grad=True)
    step = viz.play(Cube.apply(x)).steps[0]
    assert step.kind == "custom" and "Cube.backward (test_story.py:" in step.code
    assert step.flows[0].formula == "" and step.flows[0].gradient.text == "12."


def test_a_refusal_in_the_graph():
    class Once(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, d):
            return d * 2

    x = torch.tensor(2.0, requires_grad=True)
    (g,) = torch.autograd.grad(Once.apply(x) * x, x, create_graph=True)
    player = viz.play(g)
    assert "once_differentiable" in player.passes[0].error and player.steps[-1].kind == "custom"


def test_a_function_with_a_name_of_its_own():
    class Named(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.name = "mine"
            return x * 2

        @staticmethod
        def backward(ctx, d):
            return d * 2

    y = Named.apply(torch.tensor(2.0, requires_grad=True))
    assert viz.play(y).steps[0].name == "NamedBackward" and "NamedBackward" in str(viz.graph(y))


def test_a_pass_without_roots_does_not_count():
    with viz.record() as player:
        torch.autograd.backward([])
    assert player.passes == []


def test_a_write_through_a_view():
    x = torch.ones(4, requires_grad=True)
    base = x * 1
    base[1:3].mul_(torch.tensor([5.0, 7.0]))
    step = next(step for step in viz.play(base.sum()).steps if step.name == "CopySlices")
    assert step.kind == "write" and step.flows[0].formula == "d * other" and step.flows[0].numbers == ""
    assert step.flows[0].gradient.text == "[1., 5., 7., 1.]"
    assert "d * other in the written part, and d elsewhere = [1., 5., 7., 1.]" in str(viz.play(base.sum()))
    value = torch.tensor(7.0, requires_grad=True)
    row = x * 1
    row[2] = value
    assert "for value  d of the written part = 3." in str(viz.play(row, torch.tensor([1.0, 2.0, 3.0, 4.0])))


def test_anomaly_mode_tells_the_line():
    x = torch.tensor(2.0, requires_grad=True)
    with pytest.warns(UserWarning, match="Anomaly"), torch.autograd.detect_anomaly():
        y = x.exp()
        player = viz.play(y)
    assert "y = x.exp()" in player.steps[0].source and "test_story.py" in player.steps[0].source
    assert "recorded by" in str(player)


def test_grad_with_inputs():
    x, w = torch.tensor(3.0, requires_grad=True), torch.tensor(2.0, requires_grad=True)
    h = x * w
    y = h.sin()
    with viz.record() as player:
        (g,) = torch.autograd.grad(y, h, retain_graph=True)
        torch.autograd.grad(y, x)
    first, second = player.passes
    assert [step.name for step in first.steps] == ["SinBackward0", "MulBackward0"]
    assert first.steps[1].kept[0].array == g.numpy()
    assert [step.name for step in second.steps] == ["SinBackward0", "MulBackward0", "AccumulateGrad"]
    assert second.steps[1].flows[1].gradient is None and second.steps[2].kept and x.grad is None
    assert "requested" in second.steps[2].about


def test_create_graph_and_the_pass_after():
    x = torch.tensor(3.0, requires_grad=True)
    with viz.record() as player:
        (g,) = torch.autograd.grad(x ** 3, x, create_graph=True)
        g.backward()
    assert [story.creates for story in player.passes] == [True, False] and player.passes[1].roots[0][0] == "g"
    assert by_name(player, "AccumulateGrad")[-1].after.text == "18."


def test_a_pass_within_a_pass():
    x = torch.tensor(3.0, requires_grad=True)

    def inner(gradient):
        with torch.enable_grad():
            (x * 5).backward()

    y = x * 2
    y.register_hook(inner)
    with viz.record() as player:
        y.backward()
    outer, within = player.passes
    assert within.within == "step 1, MulBackward0" and outer.within == ""
    assert within.steps[0].flows[0].gradient.text == "5."
    assert outer.steps[0].flows[0].gradient.text == "2." and x.grad.item() == 7


def test_slides_say_within_what_a_pass_runs(tmp_path):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * 2
    inner = x * 5
    y.register_hook(lambda gradient: inner.backward())
    with viz.record() as player:
        y.backward()
    page = player.slides(tmp_path / "slides.html").read_text(encoding="utf-8")
    assert page.count("another pass runs inside step 1, MulBackward0; the gradient of a result") == 1


def test_a_saved_tensor_that_no_formula_needed_may_be_overwritten():
    a, b = [torch.tensor(number, requires_grad=True) * 1 for number in (2.0, 3.0)]
    y = a * b
    a.detach().add_(1)
    with viz.record() as player:
        assert torch.autograd.grad(y, a)[0] == 3
    step = by_name(player, "MulBackward0")[0]
    assert step.error == "" and [saved.name for saved in step.saved] == ["other"]


def test_a_view_that_has_lost_its_history_has_no_name():
    base = torch.ones(3)
    with torch.no_grad():
        lost = base[:2]
    base.mul_(torch.ones(3, requires_grad=True))
    with pytest.raises(RuntimeError, match="created in no_grad mode"):
        lost.grad_fn
    player = viz.play((base * 2).sum())
    assert [step.name for step in player.steps][:2] == ["SumBackward0", "MulBackward0"]


def test_three_passes_deep():
    x = torch.tensor(3.0, requires_grad=True)
    innermost, inner, outer = x * 2, x.sin(), x.exp()
    inner.register_hook(lambda gradient: innermost.backward())
    outer.register_hook(lambda gradient: inner.backward())
    with viz.record() as player:
        outer.backward()
    assert [story.within for story in player.passes] == ["", "step 1, ExpBackward0", "step 1, SinBackward0"]


def test_complex_numbers():
    z = torch.tensor(1 + 2j, requires_grad=True)
    step = by_name(viz.play((z * z).abs()), "MulBackward0")[0]
    assert step.flows[0].formula == "d * conj(other)" and step.flows[0].numbers.endswith("conj(1.+2.j)")
    assert step.flows[1].total.array == torch.autograd.grad((z * z).abs(), z)[0].numpy()


def test_inside_transforms():
    """Gradients of vmap are shown for all of the batch; nothing is said to be one number that is several."""
    with viz.record() as player:
        torch.vmap(torch.func.grad(lambda t: t.sin() * t))(torch.tensor([2.0, 3.0]))
    sine = by_name(player, "SinBackward0")[0]
    assert sine.arrived[0].shape == () and sine.arrived[0].batch == (2,) and sine.arrived[0].text == "[2., 3.]"
    assert "of a batch" in str(player)


def test_large_tensors_are_abridged():
    x = torch.ones(100, 100, requires_grad=True)
    value = viz.play((x * 2).sum()).steps[1].arrived[0]
    assert value.array is None and value.shape == (100, 100) and "..." in value.text and len(value.text) < 200


def test_a_formula_that_cannot_be_traced_is_named():
    """None of the table is such; a row may be."""
    double = general("double_here(Tensor self)", lambda self: 2 * self, self=lambda d: 2 * d, public=False,
                     traceable=False)
    try:
        assert written(double, "self") is None
        (flow,) = viz.play(double(torch.tensor(1.0, requires_grad=True))).steps[0].flows
        assert "test_story.py:" in flow.formula and flow.mathml == "" and flow.gradient.text == "2."
    finally:
        del ROWS["double_here"]


# ------------------------------------------------------------------------------ names

def test_names_are_those_of_variables():
    weight = torch.tensor(3.0, requires_grad=True)
    hidden = weight * 2
    loss = hidden.sin()
    player = viz.play(loss)
    story = player.passes[0]
    assert story.roots[0][0] == "loss" and player.steps[-1].leaf == "weight"
    assert "hidden" in story.picture.in_words() and str(player).startswith("Backward pass from loss\n")


def test_of_several_names_it_is_the_first():
    """That of the function before that of its module, the one that was given first; none that begins with an
    underscore."""
    _ = weight = torch.tensor(3.0, requires_grad=True)
    again = weight
    _loss = loss = weight * again
    story = viz.play(_loss).passes[0]
    assert story.roots[0][0] == "loss" and [step.leaf for step in story.steps if step.leaf] == ["weight"]
    assert loss is _loss


def test_each_root_has_its_own_name():
    left, right = torch.ones(4, requires_grad=True).split(2)
    assert viz.play(left, torch.ones(2)).passes[0].roots[0][0] == "left"
    assert viz.play(right, torch.ones(2)).passes[0].roots[0][0] == "right"


def test_what_has_no_name():
    player = viz.play((torch.tensor(3.0, requires_grad=True) * 2).sin())
    assert player.passes[0].roots[0][0] == "result" and player.steps[-1].leaf == "the leaf"


def test_the_picture_shows_what_flowed():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * 3).sum()
    assert [edge.label for edge in viz.play(y).passes[0].picture.edges] == ["1.", "[1., 1.]", "[3., 3.]", "= [3., 3.]"]
    x.grad = torch.ones(2)
    assert viz.play(y).passes[0].picture.edges[-1].label == "+= [3., 3.]"


# ------------------------------------------------------------------------------ errors, and what is left behind

def test_a_pass_that_fails_in_a_hook():
    x = torch.tensor(3.0, requires_grad=True, dtype=torch.float64)
    x.grad = before = torch.tensor(1.0, dtype=torch.float64)
    h = x * 2
    y = h.sin() + x

    def fail(gradient):
        raise ValueError("no more <of> this")

    h.register_hook(fail)
    player = viz.play(y)                                # nothing is raised: it is played to where it failed
    assert x.grad is before and before.item() == 1
    assert player.passes[0].error == "ValueError: no more <of> this" and player.steps[-1].error
    assert player.steps[-1].name == "MulBackward0"
    assert "The pass failed" in str(player)
    with viz.record() as player, pytest.raises(ValueError):
        y.backward()
    assert player.passes[0].error and viz.play(x * 1).passes[0].error == ""


def test_a_pass_that_fails_for_what_was_overwritten():
    x = torch.tensor(3.0, requires_grad=True)
    h = x.clone()
    y = h * h
    h.add_(1)
    step = viz.play(y).steps[-1]
    assert "MG101" in step.error and {saved.note for saved in step.saved} == {"overwritten: v0, now v1"}


def test_errors_before_a_pass():
    x = torch.ones(3, requires_grad=True)
    for wrong, code in ((torch.ones(3), "MG103"), (x * 2, "MG104"), (3, "MG205")):
        for call in (viz.play, torch.explain):
            with pytest.raises(Exception) as caught:
                call(wrong)
            assert caught.value.code == code
    with pytest.raises(TypeError, match="python -m minigrad explain"):
        torch.explain("MG101")
    with pytest.raises(RuntimeError) as caught:
        viz.play(x * 2, torch.ones(2))
    assert caught.value.code == "MG109"


def test_too_many_nodes():
    x = y = torch.tensor(1.0, requires_grad=True)
    for _ in range(500):
        y = y.sin()
    with pytest.raises(RuntimeError, match="more than 400 nodes") as caught:
        viz.play(y)
    assert caught.value.code == "MG204"
    with viz.record() as player:
        with pytest.raises(RuntimeError, match="more than 400 nodes"):
            y.backward(retain_graph=True)
        (x * 2).backward()                              # it was refused before it began, and the next is recorded
        with pytest.raises(RuntimeError, match="1,600 edges"):
            torch.cat([x.reshape(1)] * 2000).sum().backward()
    assert len(player.passes) == 1 and x.grad.item() == 2
    y.backward()


def test_retained_gradients_are_put_back():
    x = torch.tensor(3.0, requires_grad=True)
    h = x * 2
    h.retain_grad()
    y = h.sin()
    y.backward(retain_graph=True)
    before = h.grad
    viz.play(y)
    assert h.grad is before and before.item() == pytest.approx(np.cos(6), abs=1e-6)


def test_hooks_that_change_grad_are_undone():
    x = torch.tensor(3.0, requires_grad=True)
    x.grad = before = torch.tensor(1.0)
    x.register_post_accumulate_grad_hook(lambda leaf: setattr(leaf, "grad", None))
    viz.play(x * 2)
    assert x.grad is before and before.item() == 1


def test_nothing_is_kept_alive():
    x = torch.ones(3, requires_grad=True)
    y = (x * 2).exp().sum()
    seen = weakref.ref(x), weakref.ref(y)
    player = viz.play(y)
    with viz.record() as recorded:
        y.backward()
    del x, y
    gc.collect()
    assert [reference() for reference in seen] == [None, None] and player.steps and recorded.steps


def test_only_this_thread_is_recorded():
    def elsewhere():
        (torch.tensor(1.0, requires_grad=True) * 2).backward()

    with viz.record() as player:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert player.passes == [] and str(player) == "No backward pass has run."
    assert "No backward pass" in player._repr_html_()


def test_records_may_be_nested():
    """The inner one hears of what runs inside it; the outer one of the rest."""
    x = torch.tensor(1.0, requires_grad=True)
    with viz.record() as outer:
        (x * 2).backward()
        with viz.record() as inner:
            (x * 3).backward()
        (x * 4).backward()
    assert (len(outer.passes), len(inner.passes)) == (2, 1)


def test_the_numbers_are_copies():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with viz.record() as player:
        (x * 2).sum().backward()
        x.grad.add_(100)
        (x * 2).sum().backward()
    first, second = by_name(player, "AccumulateGrad")
    assert first.after.text == "[2., 2.]" and second.before.text == "[102., 102.]"
    assert first.after.array.tolist() == [2, 2] and second.before.array.tolist() == [102, 102]


def test_the_end_says_what_becomes_of_the_graph():
    x = torch.tensor(3.0, requires_grad=True)
    with viz.record() as player, pytest.warns(UserWarning, match="create_graph"):
        (x * x).backward()
        (x * x).backward(retain_graph=True)
        (x * x).backward(create_graph=True)
    x.grad = None
    ends = [viz.narration.slides(story)[-1].about for story in [*player.passes, *viz.play(x * x).passes]]
    for end, words in zip(ends, ("have freed", "retain_graph=True", "create_graph=True", "a rehearsal")):
        assert words in end
    assert len(set(ends)) == 4


def test_long_texts_are_not_written_twice():
    """Numbers take the place of names only where they are short, each and all together."""
    def numbers_of(n):
        return viz.play(-torch.ones(n, requires_grad=True), torch.ones(n)).steps[0].flows[0].numbers

    assert numbers_of(3) == "-[1., 1., 1.]" and numbers_of(8) == ""


def test_who_brings_nothing_is_not_waited_for():
    """Of two edges to a leaf one carries nothing: so nothing is said of a first and a second."""
    class First(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a * 2

        @staticmethod
        def backward(ctx, d):
            return d * 2, None

    x = torch.tensor(1.0, requires_grad=True)
    said = str(viz.play(First.apply(x, x)))
    assert "to arrive there" not in said and "for input 1  no gradient" in said


def test_what_is_asked_for_is_returned():
    x = torch.tensor(3.0, requires_grad=True)
    with viz.record() as player:
        torch.autograd.grad(x * x, x)
    assert "kept  for the caller of autograd.grad: 6." in str(player) and "    returned  6." in str(player)


def test_nothing_arrives_at_a_leaf():
    x = torch.tensor(1.0, requires_grad=True)
    said = str(viz.play(Nothing.apply(x)))
    assert "x.grad  unchanged: no gradient arrived" in said


@settings(max_examples=30)
@given(programs())
def test_steps_are_called_by_their_numbers(program):
    """Where a gradient is said to go to step 4, it goes to the fourth, which has that name; and arrives as often as is
    said."""
    player = viz.play(program[1][-1].sum())
    slides = viz.narration.slides(player.passes[0])
    arrivals = [re.match(r"step (\d+), ([^:]*)(?:: (.*))?", viz.narration.plain(parts)).groups() for slide in slides
                for label, parts, _ in slide.rows
                if label == "goes to"]
    assert all(slides[int(number)].title == name and slides[int(number)].number == int(number)
               for number, name, _ in arrivals)
    for number in {number for number, _, _ in arrivals}:
        said = [words for to, _, words in arrivals if to == number]
        assert (len(said) == 1 and said[0] is None or said[0] == f"the first of {len(said)} to arrive there"
                and None not in said)


def test_explain_prints_what_play_tells(capsys):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    assert torch.explain(y) is None
    assert capsys.readouterr().out == f"{viz.play(y)}\n" and torch.explain is viz.explain


def test_a_value_in_words():
    assert Value("[1.,\n 2.]").line == "[1., 2.]" and value_of(None) is None
    assert value_of((torch.tensor(1.0), None)).text == "[1., None]" and value_of(torch.Size([2, 3])).text == "(2, 3)"
    with torch.no_grad():
        assert value_of(np.float32([1 / 3])).text == "[0.3333]"
