"""The fast loops against the general way: the same values, dtypes and shapes, and fresh memory, for every layout.

``on_arrays`` takes a C loop where the operands are plain; ``on_arrays_general`` never does.  Every op
whose kernel is a ufunc may have such a loop; and there are the kernels that rows name, ``fast=kernels.softmax``.
"""

import itertools
import math
import pathlib
import re
import warnings

import numpy as np
import pytest

import minigrad
from minigrad._core.dispatch.compute import on_arrays, on_arrays_general, on_arrays_in_c
from minigrad._core.graph import wrap
from minigrad._core.kernels import table as kernels, table_of_matrices, table_of_networks
from minigrad._core.kernels.loops import patched_ufuncs
from minigrad.ops.exports import ROWS

from tests.core.kernels.layouts import DTYPES, LAYOUTS, assert_same, numbers, outcome

UFUNCS = sorted([name for name, op in ROWS.items() if isinstance(op.kernel, np.ufunc)])
UNARY = [*[name for name in UFUNCS if ROWS[name].kernel.nin == 1], "square"]      # which names its loop
BINARY = [name for name in UFUNCS if ROWS[name].kernel.nin == 2]
BITS = {"bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "bitwise_left_shift", "bitwise_right_shift"}
# In these NumPy itself may differ in the last bit between its vector and its scalar loop, and takes the
# scalar one for some layouts (one element, for example).
ROUNDED = {"exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
           "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"}
SPECIAL_VALUES = [0., -0., 1., -1., 0.5, np.inf, -np.inf, np.nan, 1e30, -1e-30, 3., 2.]

SHAPES = [(), (1,), (5,), (0,), (3, 4), (1, 4), (3, 1), (0, 4), (3, 0), (2, 3, 4), (17,), (64,)]


def check(name, *args, close=False, view=False):
    op = ROWS[name]
    before = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    fast, slow = outcome(on_arrays, op, *args), outcome(on_arrays_general, op, *args)
    assert_same(fast, slow, close or name in ROUNDED)
    for a, b in zip(args, before):
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b)
            if isinstance(fast, np.ndarray):
                assert view or name in ("conj", "real") or not np.shares_memory(a, fast)
    return fast


# ------------------------------------------------------------------------------ one operand

@pytest.mark.parametrize("name", UNARY)
@pytest.mark.drawn
def test_unary(name):
    for shape, (layout, dtype) in itertools.product(SHAPES, itertools.product(LAYOUTS, DTYPES)):
        check(name, LAYOUTS[layout](numbers(shape, dtype)))


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_unary_at_special_values(name, dtype):
    with np.errstate(all="ignore"):
        a = np.array(SPECIAL_VALUES).astype(dtype)
    check(name, a)
    for x in a:
        check(name, np.array(x))


@pytest.mark.parametrize("name", ["exp", "sin", "sqrt", "neg", "tanh"])
def test_unary_of_every_length(name):
    """The vector instructions take 4, 8 or 16 elements at a time, and then the rest."""
    for n in range(40):
        for dtype in ("float32", "float64"):
            check(name, np.abs(numbers((n,), dtype)))


# ------------------------------------------------------------------------------ two operands

PAIRS = [
    ((), ()), ((5,), (5,)), ((5,), ()), ((), (5,)), ((1,), (5,)), ((5,), (1,)), ((3, 4), (4,)), ((4,), (3, 4)),
    ((3, 4), (3, 1)), ((3, 1), (1, 4)),
    ((3, 4), (1, 4)), ((2, 3, 4), (4,)), ((2, 3, 4), (3, 4)), ((0, 4), (4,)), ((3, 0), (0,)), ((0,), ()),
    ((1, 1), (5,)), ((1,), ()), ((3, 4), (3, 4)), ((3,), (4,)), ((3, 4), (3,)), ((0,), (3,)), ((2, 3), (3, 2)),
]


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.drawn
def test_binary_shapes_and_layouts(name):
    dtypes = ("int64",) if name in BITS else ("float32", "float64")
    for (left, right), dtype in itertools.product(PAIRS, dtypes):
        a, b = numbers(left, dtype, 1), numbers(right, dtype, 2)
        if "shift" in name:
            b = np.asarray(np.abs(b))
        for la, lb in [("rows", l) for l in LAYOUTS] + [(l, "rows") for l in LAYOUTS] + [("columns", "columns"), (
            "broadcast", "broadcast")]:
            check(name, LAYOUTS[la](a), LAYOUTS[lb](b))


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.drawn
def test_binary_dtypes(name):
    for (left, right), da, db in itertools.product([((3, 4), (4,)), ((3,), ()), ((), (3,)), ((), ())], DTYPES, DTYPES):
        b = numbers(right, db, 2)
        check(name, numbers(left, da, 1), np.asarray(np.abs(b)) if "shift" in name and b.dtype.kind != "b" else b)


NUMBERS = [0, 1, 2, -1, 7, True, False, 0.5, -0.0, 1e300, -1e-300, np.inf, np.nan, 2 ** 53, 2 ** 53 + 1, -2 ** 53 - 1,
           2 ** 62, 1j, 2.5 + 1j]


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.drawn
def test_binary_with_a_number(name):
    for dtype, shape, value in itertools.product(DTYPES, [(5,), (), (0,), (3, 4)], NUMBERS):
        if "shift" in name and (isinstance(value, (float, complex)) or not 0 <= value < 8):
            continue
        a = numbers(shape, dtype)
        for layout in ("rows", "backwards"):
            check(name, LAYOUTS[layout](a), value)
            if "shift" not in name:
                check(name, value, LAYOUTS[layout](a))


@pytest.mark.parametrize("name", [n for n in BINARY if n not in BITS])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_binary_at_special_values(name, dtype):
    with np.errstate(all="ignore"):
        a = np.array(SPECIAL_VALUES).astype(dtype)
    x, y = np.repeat(a, len(a)), np.tile(a, len(a))
    check(name, x, y)
    for value in SPECIAL_VALUES:
        check(name, a, value)
        check(name, value, a)


@pytest.mark.parametrize("name", ["fmax", "fmin", "remainder.Tensor"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_which_zero_it_is_depends_on_no_layout(name, dtype):
    """Dense, with gaps, broadcast, into an operand: always the number that the formula says, and of zeros the sign."""
    with np.errstate(all="ignore"):
        a = np.array(SPECIAL_VALUES).astype(dtype)
    x, y = np.tile(np.repeat(a, len(a)), 9), np.tile(np.tile(a, len(a)), 9)
    expected = np.array([settled(name, *pair) for pair in zip(x.tolist(), y.tolist(), strict=True)], dtype)
    for la, lb in itertools.product(["rows", "every other", "unaligned", "read-only"], repeat=2):
        assert_same(on_arrays(ROWS[name], LAYOUTS[la](x), LAYOUTS[lb](y)), expected)
    assert_same(on_arrays(ROWS[name], x[::-1], y[::-1]), expected[::-1])
    left, right, wanted = [np.repeat(each[expected != 0], 2)[::2] for each in (x, y, expected)]
    assert_same(on_arrays(ROWS[name], left, right), wanted)
    ufunc = getattr(patched_ufuncs, name.partition(".")[0])
    with np.errstate(all="ignore"):
        for target in (0, 1):
            for layout in ("rows", "every other"):
                pair = [np.array(x), np.array(y)] if layout == "rows" else [np.repeat(x, 2)[::2], np.repeat(y, 2)[::2]]
                assert_same(ufunc(*pair, out=pair[target]), expected)
        for value in SPECIAL_VALUES:
            some = np.array([settled(name, each, float(np.dtype(dtype).type(value))) for each in a.tolist()], dtype)
            assert_same(on_arrays(ROWS[name], a, np.array(value, dtype)), some)
            some = np.array([settled(name, float(np.dtype(dtype).type(value)), each) for each in a.tolist()], dtype)
            assert_same(on_arrays(ROWS[name], np.array(value, dtype), a), some)


def settled(name, x, y):
    """fmax, fmin and remainder of two Python numbers."""
    if name == "remainder.Tensor":
        if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
            return math.nan
        rest = math.fmod(x, y)
        return rest + y if rest and (rest < 0) != (y < 0) else rest
    if math.isnan(x):
        return y
    return y if (y > x if name == "fmax" else y < x) else x


def test_an_array_with_itself():
    a = numbers((6,), "float64")
    for name in ("add", "mul", "sub", "div"):
        check(name, a, a)
        check(name, a, a[::-1])


def test_nothing_warns():
    """Overflow, 0/0 and log of a negative number are values, not warnings; on both ways."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for layout in LAYOUTS.values():
            a = layout(np.array([0., -1., 1e300, np.nan, np.inf]))
            for name in ("div", "add", "mul"):
                check(name, a, a)
                check(name, a, 0)
                check(name, layout(np.array([0., 1e30, -1.], dtype=np.float32)), 1e300)
            for name in ("log", "sqrt", "reciprocal", "exp", "acos"):
                check(name, a)


# ------------------------------------------------------------------------------ kernels of their own

@pytest.mark.parametrize("shape, size", [((3, 4), (4,)), ((3, 4), ()), ((2, 3, 4), (4,)), ((2, 3, 4), (3, 4)),
                                         ((4,), (4,)), ((2, 3, 4), (1, 4)), ((0, 4), (4,)), ((3, 0), (0,)),
                                         ((3, 4), (3,)), ((4,), (3, 4)), ((3, 1), (3, 1)), ((5, 1), (1,)), ((), ())])
def test_sums_that_undo_broadcasting(shape, size):
    for layout, dtype in itertools.product(LAYOUTS, DTYPES):
        check("sum_to", LAYOUTS[layout](numbers(shape, dtype)), size, close=True, view=True)


@pytest.mark.parametrize("exponent", [2, 3, 4, 1, 0, -1, 0.5, 2.0])
def test_powers(exponent):
    for shape, layout, dtype in itertools.product(SHAPES, LAYOUTS, ["float32", "float64", "float16", "complex64"]):
        a = LAYOUTS[layout](numbers(shape, dtype))
        with np.errstate(all="ignore"):
            check("pow.Tensor_Scalar", a, exponent, close=True)
            for order in (1, 2):
                check("pow_slope", a, exponent, order, close=True)


VIEWS = {
    "select": [(dim, index) for dim in (0, 1, -1, 3) for index in (0, 1, -1, 2, -9)],
    "slice": [(dim, start, end, step) for dim in (0, -1, 5) for start in (0, 1, -2, -9, 9) for end in (0, 2, -1, 9)
              for step in (1, 2, 0, -1)],
    "unsqueeze": [(0,), (1,), (-1,), (-2,), (9,)],
    "squeeze": [()],
    "squeeze.dim": [(0,), (1,), (-1,), (9,)],
    "squeeze.dims": [((0,),), ((0, 1),), ((-1, 0),), ((),), ((0, 0),), ((9,),)],
    "expand": [((3, 4), False), ((-1, -1), False), ((2, -1, -1), False), ((2, 3, 4), True), ((5,), False),
               ((), False), ((0,), False), ((-1, 2, 2), False)],
    "view": [((-1,),), ((12,),), ((4, 3),), ((2, -1),), ((1, 3, 4),), ((0, -1),), ((-1, -1),), ((5,),), ((),),
             ((-2, 3),)],
    "diagonal": [(offset, *dims) for offset in (0, 1, -1, 5, -5) for dims in ((0, 1), (1, 0), (-1, 0), (0, 0), (0, 5))],
    "unfold": [(dim, size, step) for dim in (0, -1, 5) for size in (0, 1, 2, 9, -1) for step in (1, 2, 0)],
    "transpose": [(0, 1), (1, 0), (-1, 0), (0, 0), (0, 5)],
    "permute": [((1, 0),), ((0, 1),), ((-1, 0),), ((0,),), ((),), ((2, 0, 1),), ((0, 0),), ((0, 5),)],
    "unpermute": [((1, 0),), ((0, 1),), ((-1, 0),), ((0,),), ((),), ((2, 0, 1),)],
    "alias": [()],
    "unbind": [(0,), (1,), (-1,), (5,)],
    "split_equal": [(size, dim) for size in (1, 2, 3, 9, 0, -1) for dim in (0, 1, -1, 5)],
}
# For one that is wrong, the two ways call different things in NumPy, and the text is made above them.
REFUSED = (IndexError, RuntimeError, ValueError, TypeError)


@pytest.mark.parametrize("name", VIEWS)
def test_views(name):
    """The same place in memory, the same strides, and writable where the array is."""
    for shape, layout in itertools.product([(3, 4), (1, 4), (3, 1), (0, 4), (5,), (), (2, 3, 4), (1, 1)], LAYOUTS):
        a = LAYOUTS[layout](numbers(shape, "float32"))
        for params in VIEWS[name]:
            try:
                expected = on_arrays_general(ROWS[name], a, *params)
            except REFUSED as e:
                with pytest.raises(type(e)):
                    on_arrays(ROWS[name], a, *params)
                continue
            out = on_arrays(ROWS[name], a, *params)
            for one, other in zip(*([x] if isinstance(x, np.ndarray) else x for x in (out, expected)), strict=True):
                np.testing.assert_array_equal(one, other)
                assert one.shape == other.shape and one.flags.writeable in (a.flags.writeable, other.flags.writeable)
                if other.size:
                    assert [s for s, n in zip(one.strides, one.shape) if n > 1] \
                        == [s for s, n in zip(other.strides, other.shape) if n > 1]
                    assert one.ctypes.data == other.ctypes.data


@pytest.mark.parametrize("name", ["cat", "stack"])
def test_joined(name):
    for shape, layout, dtype in itertools.product([(3, 4), (1, 4), (0, 4), (5,), (), (2, 3, 4)], LAYOUTS, DTYPES):
        a = LAYOUTS[layout](numbers(shape, dtype, 1))
        for others in ([], [a], [numbers(shape, dtype, 2), a], [numbers(shape[:-1] + (2,), dtype, 3)],
                       [numbers((0,), dtype)], [numbers(shape, "float64", 2)]):
            for dim in (0, 1, -1, len(shape), 9):
                check(name, [a, *others], dim)


@pytest.mark.parametrize("name", ["t", "adjoint"])
def test_transposes(name):
    for shape, layout, dtype in itertools.product([(2, 3), (1, 1), (0, 2), (5,), ()], LAYOUTS, DTYPES):
        if name == "adjoint" and len(shape) < 2:
            continue
        a = LAYOUTS[layout](numbers(shape, dtype))
        out = check(name, a, view=True)
        if a.size and not dtype.startswith("complex") and isinstance(out, np.ndarray):
            assert np.shares_memory(a, out)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_activations(shape, dtype):
    a, b = numbers(shape, dtype, 1), numbers(shape, dtype, 2)
    for la, lb in itertools.product(LAYOUTS, ["rows", "columns", "backwards"]):
        x, y = LAYOUTS[la](a), LAYOUTS[lb](b)
        check("relu", x)
        if x.shape == y.shape:
            check("threshold_backward", x, y, 0)
            check("threshold_backward", x, y, 0.5)
            check("tanh_backward", x, y, close=True)
            check("sigmoid_backward", x, y, close=True)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_activations_at_special_values(dtype):
    with np.errstate(all="ignore"):
        a = np.array(SPECIAL_VALUES).astype(dtype)
    x, y = np.repeat(a, len(a)), np.tile(a, len(a))
    check("relu", a)
    check("threshold_backward", x, y, 0)
    check("threshold_backward", x, y, 1)
    d, y = np.repeat(a, 5), np.tile(np.array([0., 1., 0.5, np.nan, -1.], dtype), len(a))
    check("tanh_backward", d, y, close=True)
    check("sigmoid_backward", d, y, close=True)


def test_softmax_of_long_rows_is_accurate():
    a = numbers((1, 200_000), "float32")
    exact = np.exp(a.astype(np.float64) - a.max())
    exact /= exact.sum()
    np.testing.assert_allclose(on_arrays(ROWS["softmax"], a, 1), exact, rtol=1e-4)


@pytest.mark.parametrize("name, most", [("softmax", 3e-7), ("log_softmax", 2e-7), ("logsumexp", 2e-7)])
def test_exponentials_of_floats_are_exact_to_a_unit_in_the_last_place(name, most):
    """Each line has two numbers, the larger of which is 0 (or 1, where that of logsumexp would be 0)."""
    gap = np.concatenate([np.linspace(0, 87.3, 100_001), np.geomspace(1e-6, 1, 1001)]).astype(np.float32)
    a = np.stack([-gap, np.zeros_like(gap)], 1) + np.float32(name == "logsumexp")
    x = a.astype(np.float64)
    exact = np.log(np.exp(x).sum(1, keepdims=True))
    exact = exact[:, 0] if name == "logsumexp" else x - exact
    exact = np.exp(exact) if name == "softmax" else exact
    found = on_arrays_in_c(ROWS[name], a, 1, *[False] * (name == "logsumexp"))
    assert found.dtype == np.float32
    large = np.abs(exact) > (1e-3 if name == "log_softmax" else 0)      # where the last digits are those of 1 - 1
    assert np.max(np.abs(found - exact)[large] / np.abs(exact)[large]) < most


def test_what_a_softmax_of_floats_cannot_hold_is_nothing():
    a = np.float32([[0, -87.3], [0, -87.4], [0, -104], [0, -np.inf], [np.inf, 0], [np.nan, 0]])
    found = on_arrays_in_c(ROWS["softmax"], a, 1)
    np.testing.assert_array_equal(found[1:4], [[1, 0]] * 3)
    assert found[0, 1] > 0 and np.isnan(found[4:]).any(axis=1).all()


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("reduction", [0, 1, 2])                # none, mean, sum
@pytest.mark.parametrize("target", [[0, 2, 1], [1, 1, 1], [-100, 2, -100], [0, 3, 1], [0, -1, 1], [0, 1]], ids=str)
def test_the_loss_of_classes(dtype, reduction, target):
    a, weight = numbers((3, 3), dtype), numbers((3,), dtype, 1)
    g = numbers((3,) if reduction == 0 else (), dtype, 2)
    for target in (np.array(target), np.array(target)[::-1], np.array(target, np.int32)):
        for layout, w in itertools.product(["rows", "columns", "read-only"], [None, weight]):
            check("nll_loss", LAYOUTS[layout](a), target, w, reduction, -100, close=True)
            check("nll_loss_backward", g, target, w, (3, 3), reduction, -100, close=True)


# ------------------------------------------------------------------------------ in place

@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.drawn
def test_fills_and_copies(dtype):
    for layout, shape in itertools.product(LAYOUTS, SHAPES):
        a = LAYOUTS[layout](numbers(shape, dtype))
        check("zero", a)
        for value in (2, -1, 300, 0.5, True, 1e300, 2**70, 1j):
            check("fill.Scalar", a, value)
            check("fill.Tensor", a, np.asarray(value if isinstance(value, float) else 2))
        check("fill.Tensor", a, np.ones(2))
        for other in DTYPES[:-2] if dtype == "float32" else [dtype, "float64"]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")         # of the imaginary parts that are lost
                check("copy", a, LAYOUTS[layout](numbers(shape, other, 1)), False)
                check("_to_copy", a, getattr(minigrad, other), None)
                check("copy", a, numbers((4,), other, 1), False)


@pytest.mark.parametrize("name", ["add_", "sub_", "mul_", "div_"])
def test_in_place_on_fast_and_slow_ways(name):
    """A write may go through the loop straight into the target, or through a result of its own."""
    ufunc = {"add_": np.add, "sub_": np.subtract, "mul_": np.multiply, "div_": np.divide}[name]
    for (left, right), la, lb in itertools.product(PAIRS, ["rows", "columns", "backwards", "every other"],
                                                   ["rows", "backwards", "broadcast"]):
        a, b = numbers(left, "float64", 1), np.asarray(numbers(right, "float64", 2) + 3)
        try:
            fits = np.broadcast_shapes(left, right) == left
        except ValueError:
            fits = False
        a = LAYOUTS[la](a)
        t, y = wrap(a), wrap(LAYOUTS[lb](b))
        a = a.copy()
        if fits:
            expected = ufunc(a, LAYOUTS[lb](b))
            getattr(t, name)(y)
            np.testing.assert_array_equal(t.numpy(), expected)
        else:
            with pytest.raises(RuntimeError):
                getattr(t, name)(y)
            np.testing.assert_array_equal(t.numpy(), a)
            assert t._version == 0


# ------------------------------------------------------------------------------ sums of gradients

def test_gradients_summed_over_rows():
    """The gradient of a bias: a loop for plain arrays, np.add.reduce for others."""
    for shape, dtype in itertools.product([(3, 4), (1, 4), (0, 4), (3, 1), (3, 0), (64, 10)],
                                          ["float32", "float64", "float16", "complex64"]):
        g = numbers(shape, dtype)
        for layout in ("rows", "columns", "backwards"):
            bias = minigrad.zeros(shape[1], dtype=getattr(minigrad, dtype), requires_grad=True)
            x = minigrad.zeros(shape, dtype=getattr(minigrad, dtype))
            (x + bias).backward(wrap(LAYOUTS[layout](g)))
            tolerance = 0.2 if dtype == "float16" else 1e-5
            exact = g.astype(np.complex128 if dtype[0] == "c" else np.float64).sum(0)
            np.testing.assert_allclose(bias.grad.numpy(), exact, rtol=tolerance, atol=tolerance)


def is_kernel(x):
    """A kernel, or several, for each number of dims."""
    return isinstance(x, kernels.Kernel) or isinstance(x, dict) and {*map(type, x.values())} == {kernels.Kernel}


def test_every_kernel_is_named_by_a_row():
    """One that no row names is never asked, and nobody would notice but for the time."""
    rows = pathlib.Path(minigrad.__file__).parent
    named = {name for path in rows.rglob("*.py") for name in re.findall(r"fast=kernels\.(\w+)", path.read_text())}
    tables = kernels, table_of_matrices, table_of_networks
    assert named == {name for table in tables for name, kernel in vars(table).items() if is_kernel(kernel)}
    assert len(UNARY) > 25 and len(BINARY) > 15
