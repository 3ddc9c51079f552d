"""Rows as users may write them, with lists of tensors and names that few rows have: right in every mode."""

import sys
import tracemalloc

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import forward_ad, gradcheck, gradgradcheck
from minigrad.ops import exports, kinds
from tests.checking import refuses, the_table_as_it_was


@pytest.fixture(autouse=True)
def table():
    with the_table_as_it_was():
        yield


f64 = torch.float64


def leaf(*values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


X, Y, Z = leaf(0.3, 0.9, 1.4), leaf(0.7, 0.2, 0.5), leaf(1.1, 0.4, 0.8)
CONSTANT = Y.detach()


def is_right(f, *inputs):
    """To the second order, in both directions, and in batches."""
    assert gradcheck(f, inputs, check_forward_ad=True, check_batched_grad=True, check_batched_forward_grad=True)
    assert gradgradcheck(f, inputs, check_fwd_over_rev=True)


TURN = torch.tensor([[0., 1., 0.], [0., 0., 1.], [1., 0., 0.]], dtype=torch.float64)


def sines_times():
    return kinds.general(
        "sines_times(Tensor[] tensors, Tensor other)",
        lambda tensors, other: sum(map(np.sin, tensors)) * other,
        tensors=lambda d, tensors, other: [d * other * x.cos() for x in tensors],
        other=lambda d, tensors: sum([x.sin() for x in tensors]) * d)


def sine_of_each():
    return kinds.general(
        "sine_of_each(Tensor[] tensors)", lambda tensors: list(map(np.sin, tensors)), outputs="list",
        tensors=lambda d, tensors: [None if g is None else g * x.cos() for g, x in zip(d, tensors)])


def halved():
    return kinds.linear(
        "halved(Tensor[] tensors, Tensor? other)",
        lambda tensors, other: sum([a / 2 for a in tensors]) + (0 if other is None else other),
        tensors=lambda d, tensors: [d / 2 for _ in tensors], other=lambda d: d)


def test_a_general_row_takes_a_list():
    row = sines_times()
    is_right(lambda x, y, z: row([x, y], z), X, Y, Z)
    is_right(lambda x: row([CONSTANT, x], CONSTANT), X)


def test_what_a_row_with_a_list_saves_has_a_history():
    row = sines_times()
    is_right(lambda x, y, z: row([x * 2, y * 2], z * 2), X, Y, Z)


def test_a_row_with_a_list_writes_in_place():
    row = kinds.general(
        "times_sum(Tensor self, Tensor[] others)", lambda a, others: a * sum(others), inplace=True,
        self=lambda d, others: d * sum(others), others=lambda d, self, others: [d * self for _ in others])
    is_right(lambda x, y, z: row.inplace(x * 2, [y * 2, z]), X, Y, Z)
    is_right(lambda x, y: row.inplace(x * 2, [y, Z.detach()]), X, Y)


def test_a_row_with_a_list_writes_to_a_tensor_without_a_tangent():
    row = kinds.general(
        "plus_sum(Tensor self, Tensor[] others)", lambda a, others: a + sum(others), inplace=True,
        self=lambda d: d, others=lambda d, others: [d for _ in others])
    with forward_ad.dual_level():
        x, dual = torch.ones(3), forward_ad.make_dual(torch.ones(3), torch.tensor([1., 2., 3.]))
        row.inplace(x, [torch.ones(3), dual])
        assert x.detach().tolist() == [3., 3., 3.] and forward_ad.unpack_dual(x).tangent.tolist() == [1., 2., 3.]


def test_no_gradient_for_some_of_a_list():
    row = kinds.general("sine_of_first(Tensor[] tensors)", lambda tensors: np.sin(tensors[0]),
                        tensors=lambda d, tensors: [d * tensors[0].cos(), *[None for _ in tensors[1:]]])
    is_right(lambda x, y: row([x, y]), X, Y)


def test_the_shapes_of_a_list_in_which_tensors_may_be_missing():
    row = kinds.general(
        "sums_of_some(Tensor?[] tensors)", lambda tensors: sum([a.sum() for a in tensors if a is not None]),
        tensors=lambda d, tensors_shape: [None if shape is None else d.expand(shape) for shape in tensors_shape])
    is_right(lambda x, y: row([x, None, y[:2]]), X, Y)


@pytest.mark.parametrize("kind", [kinds.elementwise, kinds.general])
def test_a_formula_without_a_gradient(kind):
    row = kind("plus_floor(Tensor self, Tensor other)", lambda a, b: a + np.floor(b),
               self=lambda d: d, other=lambda d: None)
    is_right(row, X, Y)
    _, tangent = torch.func.jvp(lambda y: row(CONSTANT, y), (CONSTANT,), (CONSTANT,))
    assert tangent.tolist() == [0., 0., 0.]


def test_a_tensor_through_which_no_gradient_goes():
    row = kinds.general("times_floor(Tensor self, Tensor other)", lambda a, b: a * np.floor(b),
                        self=lambda d, other: d * other.floor(), other=None)
    is_right(row, X, leaf(1.3, 2.6, 3.7))


@pytest.mark.parametrize("formula", [
    lambda d, self: (d * self.cos()).double(), lambda d, self: exports.ROWS["_to_copy"](d * torch.cos(self), f64)])
def test_a_formula_whose_tangent_has_another_dtype(formula):
    row = kinds.elementwise("sine_in_double(Tensor self)", np.sin, self=formula)
    x = torch.tensor([1., 2.])
    value, tangent = torch.func.jvp(row, (x,), (torch.ones(2),))
    assert value.dtype is tangent.dtype is torch.float32 and torch.allclose(tangent, x.cos())


def test_a_general_row_takes_a_list_and_gives_one():
    row = sine_of_each()
    is_right(lambda x, y: row([x, y]), X, Y)
    is_right(lambda x: row([CONSTANT, x])[1], X)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(X.detach(), torch.ones_like(X))
        still, moved = [forward_ad.unpack_dual(t).tangent for t in row([CONSTANT, dual])]
    assert still.tolist() == [0., 0., 0.] and torch.equal(moved, X.detach().cos())


def test_a_general_row_gives_a_list_of_parts():
    row = kinds.general(
        "parts_of_sine(Tensor self, int n)", lambda a, n: list(np.sin(np.split(a, n))), outputs="list",
        self=lambda d, self: torch.cat([torch.zeros_like(self[:1]) if g is None else g for g in d]) * self.cos())
    is_right(lambda x: row(x, 3), X)
    is_right(lambda x: row(x, 3)[1], X)


def test_a_linear_row_takes_a_list_and_perhaps_more():
    row = halved()
    is_right(lambda x, y, z: row([x, y], z), X, Y, Z)
    is_right(lambda x, y: row([x, y], None), X, Y)
    is_right(lambda x: row([CONSTANT], x), X)
    is_right(lambda x: row([CONSTANT, x], CONSTANT), X)
    is_right(lambda x: row([CONSTANT, x], None), X)


def test_a_linear_row_takes_a_number():
    row = kinds.linear("plus(Tensor self, Tensor other)", np.add, promote="common", public=False,
                       self=lambda d: d, other=lambda d: d)
    is_right(lambda x: row(x, 2.), X)
    is_right(lambda x: row(2, x), X)


@pytest.mark.parametrize("kind", [kinds.elementwise, kinds.general])
def test_a_formula_may_name_shapes_and_dtypes(kind):
    row = kind("sine_by_name(Tensor self)", np.sin, self=lambda d, self, self_shape, self_dtype:
               (d * self.cos() * (self_shape[0] // 3)).to(self_dtype))
    is_right(row, X)


@pytest.mark.parametrize("kind", [kinds.elementwise, kinds.general])
def test_a_formula_may_name_the_shape_of_a_number(kind):
    row = kind("product(Tensor self, Tensor other)", np.multiply, promote="common", public=False,
               self=lambda d, other, other_shape: d * other, other=lambda d, self, other_shape: d * self)
    is_right(lambda x: row(x, 2.), X)
    is_right(row, X, Y)


def test_a_formula_of_steps_alone_may_name_shapes_and_dtypes():
    row = kinds.elementwise("sine_by_steps(Tensor self)", np.sin,
                            self=lambda d, self, self_shape, self_dtype: d * torch.cos(self))
    assert row.program("self") is not None
    is_right(row, X)
    _, tangent = torch.func.jvp(row, (CONSTANT,), (torch.ones_like(X).detach(),))
    assert torch.equal(tangent, CONSTANT.cos())


def test_a_formula_may_name_the_shapes_of_a_list():
    row = kinds.general("sums_of(Tensor[] tensors)", lambda tensors: sum([a.sum() for a in tensors]),
                        tensors=lambda d, tensors_shape: [d.expand(shape) for shape in tensors_shape])
    is_right(lambda x, y: row([x, y[:2]]), X, Y)


# ------------------------------------------------------------------------------ 16 bits: Note [16-bit floats]

def same(found, expected):
    """To rounding, and None where None is expected."""
    return found is None if expected is None else found.dtype in (torch.float16, torch.bfloat16) and bool(
        (found.double() - expected).abs().max() < 0.01)


@pytest.fixture(params=[torch.float16, torch.bfloat16], ids=["float16", "bfloat16"])
def x(request):
    return torch.tensor([0.3, 0.9, 1.4], dtype=request.param, requires_grad=True)


@pytest.mark.parametrize("made", [list, tuple])
@pytest.mark.parametrize("create_graph", [False, True])
def test_lists_of_16_bits_are_differentiated(x, made, create_graph):
    row = kinds.general(
        "sine_of_each(Tensor[] tensors)", lambda tensors: list(map(np.sin, tensors)), outputs="list",
        tensors=lambda d, tensors: made([None if g is None else g * a.cos() for g, a in zip(d, tensors)]))
    y = (x.detach() / 2).requires_grad_()
    at_x, at_y = x.detach().double().cos(), y.detach().double().cos()
    first, second = row([x, y])
    both = torch.autograd.grad((first * 2 + second).sum(), [x, y], retain_graph=True, create_graph=create_graph)
    one = torch.autograd.grad(second.sum(), [x, y], allow_unused=True, create_graph=create_graph)
    assert same(both[0], 2 * at_x) and same(both[1], at_y) and same(one[0], None) and same(one[1], at_y)
    values, tangents = torch.func.jvp(lambda a, b: row([a, b]), (x.detach(), y.detach()), (x.detach(), y.detach()))
    assert same(values[0], x.detach().double().sin()) and same(tangents[1], at_y * y.detach().double())


@pytest.mark.parametrize("create_graph", [False, True])
def test_several_outputs_of_16_bits_are_differentiated(x, create_graph):
    row = kinds.general(
        "sine_and_cosine(Tensor self)", lambda a: (np.sin(a), np.cos(a)), outputs=("sine", "cosine"),
        self=lambda d, self: ((0 if d[0] is None else d[0] * self.cos()) - (0 if d[1] is None else d[1] * self.sin())))
    at = x.detach().double()
    sine, cosine = row(x)
    for result, expected in ((sine, at.cos()), (cosine, -at.sin()), (sine + cosine, at.cos() - at.sin())):
        (g,) = torch.autograd.grad(result.sum(), x, retain_graph=True, create_graph=create_graph)
        assert same(g, expected)


# ------------------------------------------------------------------------------ lists in formulas

@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("wrong, edge", [("tensors", 1), ("other", 3)])
def test_a_gradient_that_is_too_small_is_refused_by_the_name_of_its_input(wrong, edge, create_graph):
    """The inputs of a list have one name, and what comes after them has its own.  All but the last of the list were
    broadcast."""
    def right_or(name, g):
        return g.sum() if name == wrong else g

    row = kinds.elementwise(
        "sum_times(Tensor[] tensors, Tensor other)", lambda tensors, other: sum(tensors) * other,
        tensors=lambda d, tensors, other: [d * other, right_or("tensors", d * other), d * other],
        other=lambda d, tensors: right_or("other", d * sum(tensors)))
    inputs = [X, Y, leaf([2., 3., 4.]), Z]
    with refuses(RuntimeError, f"returned an invalid gradient at index {edge} - got [] but expected shape compatible "
                               f"with [3]: the formula of the row sum_times for its input '{wrong}'", "MG107"):
        torch.autograd.grad(row(inputs[:3], Z).sum(), inputs, create_graph=create_graph)


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_formulas_of_lists_compute_16_bits_in_float32(dtype, create_graph):
    x, y, z = [t.detach().to(dtype).requires_grad_() for t in (X, Y, Z)]
    wide = [t.detach().float() for t in (x, y, z)]
    found = torch.autograd.grad(sines_times()([x, y], z).sum(), [x, y, z], create_graph=create_graph)
    expected = [wide[2] * wide[0].cos(), wide[2] * wide[1].cos(), wide[0].sin() + wide[1].sin()]
    assert all([torch.equal(g, e.to(dtype)) for g, e in zip(found, expected)])
    found = torch.autograd.grad(sine_of_each()([x, y])[1].sum(), [x, y], create_graph=create_graph, allow_unused=True)
    assert found[0] is None or found[0].tolist() == [0, 0, 0]
    assert found[1].dtype == dtype and torch.equal(found[1], wide[1].cos().to(dtype))


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a_formula_of_several_gradients_rounds_each_of_them_once(dtype, create_graph):
    row = kinds.general(
        "both_times(Tensor[] tensors, Tensor other)", lambda tensors, other: (tensors[0] + tensors[1]) * other ** 2,
        tensors=lambda d, other: [d * other * other, d * other * other], other=lambda d, tensors: d * 0)
    x, y, z = [t.detach().to(dtype).requires_grad_() for t in (X, Y, Z)]
    found = torch.autograd.grad(row([x, y], z).sum(), [x, y], create_graph=create_graph)
    expected = (z.detach().float() * z.detach().float()).to(dtype)
    assert all([g.dtype == dtype and torch.equal(g, expected) for g in found])


def test_a_row_has_no_more_than_14_parameters():
    with pytest.raises(ValueError, match="crowd: more than 14 parameters"):
        kinds.general(f"crowd({', '.join(f'Tensor x{i}' for i in range(15))})", lambda *arrays: arrays[0])


def test_a_ufunc_of_matrices_is_a_kernel():
    row = kinds.general("product_of(Tensor self, Tensor other)", np.matmul,
                        self=lambda d, other: d @ other.mT, other=lambda d, self: self.mT @ d)
    a, b = leaf([1., 2.], [3., 4.]), leaf([2., 0.], [1., 1.])
    is_right(row, a, b)
    assert row(a, b).tolist() == [[4., 2.], [10., 4.]]


def test_a_ufunc_of_three_operands_is_a_kernel():
    row = kinds.elementwise("held_between(Tensor self, Tensor low, Tensor high)", np._core.umath.clip,
                            self=lambda d, self, low, high: d * ((low <= self) & (self <= high)),
                            low=lambda d, self, low: d * (self < low), high=lambda d, self, high: d * (self > high))
    low, high = torch.zeros(3, dtype=torch.float64), torch.ones(3, dtype=torch.float64)
    x = leaf([-1., 0.5, 2.])
    assert row(x, low, high).tolist() == [[0., 0.5, 1.]]
    is_right(lambda x: row(x, low, high), x)


def test_a_ufunc_of_several_results_is_a_kernel():
    row = kinds.general("parts_of(Tensor self)", np.modf, outputs=("part", "whole"), differentiable=("part",),
                        self=lambda d: d)
    is_right(lambda x: row(x)[0], X)
    assert [part.tolist() for part in row(torch.tensor([1.5, 2.25]))] == [[0.5, 0.25], [1., 2.]]


@pytest.mark.parametrize("kind", [kinds.elementwise, kinds.multilinear, kinds.general])
def test_tangents_and_maps_of_lists_and_of_several_outputs(kind):
    product = kind("product_of_list(Tensor[] tensors, Tensor other)",
                   lambda tensors, other: tensors[0] * tensors[1] * other, promote="common",
                   tensors=lambda d, tensors, other: [d * tensors[1] * other, d * tensors[0] * other],
                   other=lambda d, tensors: d * tensors[0] * tensors[1])
    is_right(lambda x, y, z: product([x, y], z), X, Y, Z)
    both = kind("one_and_twice(Tensor self)", lambda a: (a, 2 * a), outputs=("one", "two"),
                self=lambda d: sum([g * (k + 1) for k, g in enumerate(d) if g is not None]))
    is_right(lambda x: both(x)[0] * both(x)[1], X)


MANY = 2 ** 29 if sys.maxsize > 2 ** 32 else 2 ** 25        # in WebAssembly, addresses are short


@pytest.mark.parametrize("size", [(4 * MANY, 0), (0, MANY)])
def test_the_gradient_of_a_view_without_elements_takes_no_memory(size):
    x = torch.ones(4, requires_grad=True)
    total = x.as_strided(size, (0, 1)).sum()
    tracemalloc.start()
    try:
        assert torch.autograd.grad(total, x)[0].tolist() == [0., 0., 0., 0.]
        assert tracemalloc.get_traced_memory()[1] < 2 ** 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("formula", [
    lambda d, self: d * ((self > 0) & ~(self > 9)), lambda d, self: d * abs(self) / self, lambda d, self: d // 1 % 7,
    lambda d, self: TURN @ (TURN.mT @ d), lambda d, self: d * len(self) / 3, lambda d, self: d * round(1.2)])
def test_a_formula_may_use_any_operator(formula):
    row = kinds.general("copy_of(Tensor self)", lambda a: a * 1, self=formula)
    x = leaf([1., 2., 3.])
    for create_graph in (False, True):
        found, = torch.autograd.grad(row(x.reshape(3, 1)).sum(), x, create_graph=create_graph)
        assert torch.allclose(found, torch.ones(3, dtype=torch.float64))


def test_a_row_with_several_outputs_takes_a_number_beside_what_has_no_data():
    row = kinds.general("sum_and_difference(Tensor self, Tensor other)", lambda a, b: (a + b, a - b),
                        outputs=("sum", "difference"), self=lambda d: d[0] + d[1], other=lambda d: d[0] - d[1])
    x, number = torch.empty(3, device="meta", requires_grad=True), torch.tensor(2., requires_grad=True)
    first, second = row(x, number)
    (first * second).sum().backward()
    assert first.is_meta and second.is_meta and x.grad.shape == (3,) and number.grad.shape == ()
    is_right(lambda x, y: torch.stack(row(x, y)), X, Y)


def test_a_row_may_take_something_before_its_tensor():
    row = kinds.general("times_the_sum(int n, Tensor self, Dim dim)", lambda n, a, dim: n * np.sum(a, axis=dim),
                        self=lambda d, n, self_shape, dim: (n * d).unsqueeze(dim).expand(self_shape))
    x = leaf([1., 2., 3.], [4., 5., 6.])
    assert row(2, x, -1).tolist() == [12., 30.] and row(2, x, -2).tolist() == [10., 14., 18.]
    is_right(lambda x: row(3, x, -1), x)
    with refuses(IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 2)", "MG203"):
        row(2, x, 2)


def test_a_profiler_hears_of_a_step_that_takes_a_shape_first():
    grown = kinds.general("grown(Sizes size, Tensor self)", lambda size, a: np.broadcast_to(a, size).copy(),
                          self=lambda d: d.sum(0))
    row = kinds.general("sum_of_lines(Tensor self)", lambda a: a.sum(0),
                        self=lambda d, self_shape: grown(self_shape, d))
    x = leaf([1., 2.], [3., 4.])
    with torch.autograd.profiler.profile() as prof:
        (row(x) * 3).sum().backward()
    node, = [event for event in prof.function_events if event.name == "SumOfLinesBackward0"]
    assert [event.name for event in node.cpu_children] == ["grown"] and x.grad.tolist() == [[3., 3.], [3., 3.]]


def test_nothing_flows_to_an_argument_of_which_a_row_says_so():
    row = kinds.general("times_noise(Tensor self, Tensor noise)", np.multiply, inplace=True, no_gradient=("noise",),
                        self=lambda d, noise: d * noise)
    x, noise = leaf(1., 2.), leaf(3., 4.)
    y = x * 1
    row.inplace(y, noise)
    y.sum().backward()
    assert y.tolist() == [3., 8.] and x.grad.tolist() == [3., 4.] and noise.grad is None


@pytest.mark.parametrize("other, expected", [(None, [2., 4.]), (5., [6., 7.]), (CONSTANT[:2], [1.7, 2.2])])
def test_a_row_that_writes_may_leave_a_tensor_out(other, expected):
    row = kinds.elementwise("plus_one_or(Tensor self, Tensor? other)",
                            lambda a, b: a * 2 if b is None else a + b, inplace=True, public=False, promote="common",
                            traceable=False,                # its formula asks what it was given
                            self=lambda d, other: d * 2 if other is None else d, other=lambda d: d)
    x = torch.tensor([1., 2.], dtype=f64)
    assert row.inplace(x, other) is x and torch.allclose(x, torch.tensor(expected, dtype=f64))
    found, = torch.autograd.grad(row.inplace(X[:2] * 1, other).sum(), X)
    assert found.tolist() == [2. if other is None else 1.] * 2 + [0.]


def test_a_row_that_writes_may_take_a_number_between_its_tensors():
    row = kinds.elementwise("plus_scaled(Tensor self, Scalar alpha, Tensor other)", lambda a, alpha, b: a + alpha * b,
                            inplace=True, self=lambda d: d, other=lambda d, alpha: alpha * d)
    x = torch.arange(3.)
    row.inplace(x, 2., x)
    assert x.tolist() == [0., 3., 6.]
    is_right(lambda x, y: row.inplace(x * 1, 3., y), X, Y)


def test_a_write_inside_a_transform_has_a_derivative_or_says_that_it_has_none():
    row = kinds.general("times_in_place(Tensor self, Tensor other)", np.multiply, inplace=True,
                        self=lambda d, other: d * other)
    assert torch.func.grad(lambda x: row.inplace(x * 1, CONSTANT).sum())(X.detach()).tolist() == CONSTANT.tolist()
    with refuses(RuntimeError, "The function 'times_in_place' is not differentiable with respect to argument 'other'",
                 "MG212"):
        torch.func.grad(lambda y: row.inplace(torch.ones(3, dtype=f64), y).sum())(CONSTANT)


# ------------------------------------------------------------------------------ formulas of rare forms

def complex_pair(traceable):
    """z w and z w w, whose formulas know nothing of conj: rows of the kind elementwise need not."""
    return kinds.elementwise(
        "complex_pair(Tensor self, Tensor other)", lambda z, w: (z * w, z * w * w), outputs=("first", "second"),
        traceable=traceable, public=False,
        self=lambda ds, other: sum([d * c for d, c in zip(ds, (other, other * other)) if d is not None]),
        other=lambda ds, self, other: sum([d * c for d, c in zip(ds, (self, self * other * 2)) if d is not None]))


def complex_list():
    return kinds.elementwise(
        "complex_list(Tensor[] tensors, Tensor by)", lambda xs, w: [xs[0] * w, xs[1] * w * w], outputs="list",
        public=False,
        tensors=lambda ds, by: [None if d is None else d * c for d, c in zip(ds, (by, by * by))],
        by=lambda ds, tensors, by: sum([d * c for d, c in zip(ds, (tensors[0], tensors[1] * by * 2)) if d is not None]))


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("form", ["traced", "as text", "list"])
def test_complex_gradients_of_several_outputs(form, create_graph):
    """PyTorch's convention, conj(D(conj(d))), holds for each of them."""
    z = torch.tensor([1 + 2j, 0.5 - 1j], requires_grad=True)
    w = torch.tensor([2 - 1j, 1j], requires_grad=True)
    d = torch.tensor([3 - 1j, 1 + 1j])
    row = complex_list() if form == "list" else complex_pair(form == "traced")
    for which in ([0, 1], [0], [1]):
        outputs = row([z, z], w) if form == "list" else row(z, w)
        found = torch.autograd.grad([outputs[i] for i in which], (z, w), [d] * len(which), create_graph=create_graph)
        wanted = torch.autograd.grad([(z * w, z * w * w)[i] for i in which], (z, w), [d] * len(which))
        for g, expected in zip(found, wanted):
            torch.testing.assert_close(g.detach(), expected)


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_formula_of_very_many_steps(create_graph):
    def formula(d, self):
        for _ in range(100):
            d = d * self
        return d

    row = kinds.elementwise("to_the_101(Tensor self)", lambda x: x ** 101 / 101, self=formula, public=False)
    x = leaf(1.01, -0.99, 1.)
    g, = torch.autograd.grad(row(x).sum(), x, create_graph=create_graph)
    torch.testing.assert_close(g.detach(), x.detach() ** 100)


def test_the_last_step_of_a_formula_does_not_write_over_what_another_has_a_view_of():
    """Each row times the first one, which must still be there for the second."""
    row = kinds.general("times_its_first(Tensor self)", lambda x: x * 1, public=False,
                        self=lambda d: d * exports.ROWS["select"](d, 0, 0))
    x = torch.tensor([[1., 2.], [3., 4.]], dtype=torch.float64, requires_grad=True)
    g, = torch.autograd.grad((row(x * 1) * torch.tensor([[2., 3.], [5., 7.]])).sum(), x)
    assert g.tolist() == [[4., 9.], [10., 21.]]


def test_the_last_step_of_a_formula_may_have_an_option():
    row = kinds.elementwise("with_an_option(Tensor self)", lambda x: x + 1.5 * x * x, public=False,
                            self=lambda d, self: torch.add(d, d * self, alpha=3))
    x = leaf(1., 2.)
    assert torch.autograd.grad((row(x * 1) * torch.tensor([1., 10.])).sum(), x)[0].tolist() == [4., 70.]


def test_a_formula_computes_with_numbers_and_an_option():
    row = kinds.elementwise("times_two_more(Tensor self, float k)", lambda x, k: x * (k + 2 * 3), public=False,
                            self=lambda d, k: d * torch.add(k, 3, alpha=2))
    x = leaf(1., 2.)
    assert torch.autograd.grad(row(x, 0.5).sum(), x)[0].tolist() == [6.5, 6.5]


@pytest.mark.parametrize("make", [list, tuple])
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_formula_that_hands_its_gradient_on_to_several(make, create_graph):
    row = kinds.linear("sum_of_all(Tensor[] tensors)", lambda xs: sum(xs[1:], xs[0]), public=False,
                       tensors=lambda d: make([d, d, d]))
    x, y, z = leaf(1., 2.), leaf(3., 4.), leaf(5., 6.)
    for g in torch.autograd.grad((row([x, y, z]) * torch.tensor([2., 3.])).sum(), (x, y, z),
                                 create_graph=create_graph):
        assert g.tolist() == [2., 3.]


@pytest.mark.parametrize("plain", [None, lambda x: x * 2.], ids=["one kernel", "two kernels"])
def test_an_option_of_a_formula_that_runs_as_text(plain):
    row = kinds.elementwise("scaled_by(Tensor self, *, float k=2.0)", lambda x, k: x * k, traceable=False, public=False,
                            plain=plain, self=lambda d, k: d * k)
    x = leaf(1., 2.)
    assert torch.autograd.grad(row(x).sum(), x)[0].tolist() == [2., 2.]
    assert torch.autograd.grad(row(x, k=5.).sum(), x)[0].tolist() == [5., 5.]


def test_a_dim_in_a_formula_is_given_to_an_overloaded_function():
    """Half the squares of the sums, whose formula sums over a dim that it only knows as a symbol."""
    row = kinds.general("half_squared_sums(Tensor self, Dim dim)", lambda x, dim: x.sum(dim) ** 2 / 2, public=False,
                        self=lambda d, self, dim: (self * 0 + 1) * torch.unsqueeze(d * torch.sum(self, dim), dim))
    x = torch.tensor([[1., 2.], [3., 4.]], dtype=f64, requires_grad=True)
    assert row.program("self") is not None
    for dim, sums in ((0, [[4., 6.], [4., 6.]]), (1, [[3., 3.], [7., 7.]])):
        assert torch.autograd.grad(row(x, dim).sum(), x)[0].tolist() == sums


def test_a_dtype_in_a_formula_is_given_to_an_overloaded_function():
    row = kinds.general("three_times(Tensor self)", lambda x: np.array([x, x, x]), public=False,
                        self=lambda d, self_dtype: torch.sum(d, dtype=self_dtype))
    x = torch.tensor(2., dtype=f64, requires_grad=True)
    assert row.program("self") is not None
    g, = torch.autograd.grad(row(x).sum(), x)
    assert g == 3 and g.dtype is f64


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_formula_may_give_nothing_for_a_complex_input(create_graph):
    row = kinds.elementwise("forgetful(Tensor self, Tensor other)", lambda z, w: z * w, public=False, traceable=False,
                            self=lambda d, other: None, other=lambda d, self: d * self)
    z, w = torch.tensor([1 + 2j], requires_grad=True), torch.tensor([2 - 1j], requires_grad=True)
    g, h = torch.autograd.grad(row(z, w), (z, w), torch.tensor([1j]), create_graph=create_graph, allow_unused=True)
    assert g is None and h.tolist() == [1j * (1 - 2j)]


def test_the_tangents_of_a_linear_row_with_several_outputs():
    row = kinds.linear("two_halves(Tensor self)", lambda x: (x[..., :1] * 1, x[..., 1:] * 1),
                       outputs=("left", "right"), public=False, promote=None, batch="loop",
                       self=lambda ds: exports.ROWS["cat"]([d if d is not None else torch.zeros(n, dtype=f64)
                                                          for d, n in zip(ds, (1, 2))], -1), traceable=False)
    is_right(lambda x: row(x * x), X)
    values, tangents = torch.func.jvp(row, (X.detach(),), (CONSTANT,))
    assert tangents[0].tolist() == [0.7] and tangents[1].tolist() == [0.2, 0.5]


@pytest.mark.parametrize("other", [torch.int16, torch.float64])
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_formula_in_16_bits_beside_another_dtype(other, create_graph):
    """As text it runs in float32; what it gets in another dtype it leaves, and its result is cast."""
    row = kinds.general("by_another(Tensor self, Tensor other)", lambda x, y: (x * y).astype(x.dtype), public=False,
                        traceable=False, promote=None, no_gradient=("other",), self=lambda d, other: d * other)
    x = torch.tensor([1., 2.], dtype=torch.float16, requires_grad=True)
    g, = torch.autograd.grad(row(x, torch.tensor([3, 4], dtype=other)).sum(), x, create_graph=create_graph)
    assert g.dtype is torch.float16 and g.tolist() == [3., 4.]


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_program_for_a_list_in_16_bits(create_graph):
    """Its steps are in float32 and its results are not."""
    row = kinds.general("sum_by_square(Tensor[] tensors, Tensor by)", lambda xs, by: (xs[0] + xs[1]) * by * by,
                        public=False, no_gradient=("by",), tensors=lambda d, by: [d * by * by, d * by * by])
    x, y = [torch.tensor([1., 2.], dtype=torch.float16, requires_grad=True) for _ in range(2)]
    by = torch.tensor([1.001, 2.002], dtype=torch.float16)
    exact = (by.float() * by.float()).half().tolist()
    for g in torch.autograd.grad(row([x, y], by).sum(), (x, y), create_graph=create_graph):
        assert g.dtype is torch.float16 and g.tolist() == exact


@pytest.mark.parametrize("how", ["plain", "hooked", "create_graph"])
@pytest.mark.parametrize("gradients, got", [
    (lambda d: [d], "a list of 1"), (lambda d: [d, d, d], "a list of 3"), (lambda d: d, "no list"),
    (lambda d: [d, 2.5], "a list with an object of type float")])
def test_a_list_of_tensors_has_a_gradient_for_each(gradients, got, how):
    """With one too many, ``other`` got that of a tensor of the list."""
    row = kinds.general("sum_of_two(Tensor[] tensors, Tensor other)", lambda tensors, other: sum(tensors) * other,
                        tensors=lambda d: gradients(d), other=lambda d, tensors: d * sum(tensors))
    x = leaf(0.5, 1.5, 2.5)
    y = row([X, Y], x)
    if how == "hooked":
        y.grad_fn.register_hook(lambda given, taken: None)
    with refuses(RuntimeError, f"returned {got}", "MG107"):
        torch.autograd.grad(y.sum(), (X, x), create_graph=how == "create_graph")


@pytest.mark.parametrize("returned, dtype", [(object(), "object"), (np.zeros(3, "M8[s]"), "datetime64[s]"),
                                             ("a", "<U1")])
def test_a_kernel_that_returns_no_numbers_is_refused_by_name(returned, dtype):
    """Where such a result was put into an array of its own, as vmap does, the process ended."""
    row = kinds.general("no_numbers(Tensor self)", lambda self: returned, self=lambda d: d)
    both = kinds.general("no_numbers_among_two(Tensor self)", lambda self: (self, returned), outputs=("a", "b"),
                         self=lambda ds: ds[0])
    for name, call in ("no_numbers", row), ("no_numbers_among_two", both), ("no_numbers", torch.func.vmap(row)):
        with refuses(RuntimeError, f"{name}: its kernel returned an array of dtype {dtype}", "MG202"):
            call(X)


@pytest.mark.parametrize("how", [lambda y, x: torch.autograd.grad(y.sum(), x), lambda y, x: (y * 2).sum().backward(),
                                 lambda y, x: torch.autograd.grad(y.sum(), x, create_graph=True)])
@pytest.mark.parametrize("schema, argument, formula", [
    ("Tensor self, float p", 2.5, lambda d, p: p), ("Tensor self, str p", "a", lambda d, p: p),
    ("Tensor self, int[] p", [1, 2], lambda d, p: p), ("Tensor self, Any p", object(), lambda d, p: p),
    ("Tensor self, Tensor[] p", [CONSTANT, CONSTANT], lambda d, p: p),
    ("Tensor self, float p", 2.5, lambda d, self_shape: self_shape),
    ("Tensor self, float p", 2.5, lambda d, self_dtype: self_dtype), ("Tensor self, float p", 2.5, lambda d: [])])
def test_a_formula_that_hands_on_what_is_not_a_gradient_is_refused(schema, argument, formula, how):
    without = {"no_gradient": ("p",)} if "Tensor[]" in schema else {}
    row = kinds.general(f"handing_on({schema})", lambda self, p: self * 2.0, self=formula, **without)
    x = leaf(0.5, 1.5, 2.5)
    with refuses(RuntimeError, "the formula of the row handing_on for its input 'self' returned an object", "MG107"):
        how(row(x, argument), x)
