"""The kernels that move elements and that choose them by number, against the general way: the same values, dtypes and
shapes for every layout and dtype; the same errors; and what they leave to the general way."""

import itertools
import tracemalloc

import numpy as np
import pytest

import minigrad as torch
from minigrad._core.dispatch.compute import on_arrays, on_arrays_general
from minigrad.ops.exports import ROWS

DTYPES = ["float32", "float64", "float16", "complex64", "complex128", "int64", "int32", "int16", "int8", "uint8",
          "bool"]
BITS = np.iinfo(np.intp).bits
ADDED = [dtype for dtype in DTYPES if dtype != "bool"]


def numbers(shape, dtype="float64", seed=0):
    rng = np.random.default_rng([seed, *shape])
    a = np.asarray(rng.integers(0, 3, shape) if dtype == "bool" or dtype[0] in "iu" else rng.uniform(-2, 2, shape))
    if dtype.startswith("complex"):
        a = a + 1j * rng.uniform(-2, 2, shape)
    return np.asarray(a).astype(dtype)


def layouts(a):
    """The same array in all the orders in which its elements can lie."""
    yield a
    if a.ndim:
        yield np.asfortranarray(a)
        yield np.repeat(a, 2, axis=-1)[..., ::2]
        yield a[::-1].copy()[::-1]
        yield np.concatenate([a, a])[:len(a)]
    yield np.frombuffer(b"x" + a.tobytes(), dtype=a.dtype, offset=1).reshape(a.shape)
    if a.dtype != bool:
        yield a.astype(a.dtype.newbyteorder())


def outcome(way, name, args):
    try:
        return way(ROWS[name], *args)
    except Exception as e:
        return type(e), str(e)


def check(name, *args, close=False):
    """Both ways give the same, and neither changes what it is given nor returns a part of it."""
    before = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    fast, slow = outcome(on_arrays, name, args), outcome(on_arrays_general, name, args)
    if isinstance(slow, tuple) or isinstance(fast, tuple):
        assert isinstance(slow, tuple) and isinstance(fast, tuple) and fast == slow, (name, args, fast, slow)
        return
    for one, other in zip(fast if isinstance(fast, list) else [fast], slow if isinstance(slow, list) else [slow]):
        assert one.dtype == other.dtype and one.shape == other.shape, (name, args)
        if close:
            np.testing.assert_allclose(one, other, rtol=2e-3 if one.dtype == np.float16 else 1e-5)
        else:
            np.testing.assert_array_equal(one, other, err_msg=f"{name}{args}")
            if one.dtype.kind == "f":
                np.testing.assert_array_equal(np.signbit(one), np.signbit(other))
    for a, b in zip(args, before):
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b)
            assert isinstance(fast, list) or not np.shares_memory(a, fast)


def check_all(name, shape, *rest, dtypes=("float32", "complex128", "int8", "bool", "float16"), **how):
    """With the first argument of this shape, in every layout and of these dtypes."""
    for dtype in dtypes:
        for a in layouts(numbers(shape, dtype)):
            check(name, a, *rest, **how)


# ------------------------------------------------------------------------------ moving

@pytest.mark.parametrize("shape", [(), (5,), (3, 4), (2, 3, 4), (1, 4), (3, 0), (0, 3), (1, 1, 1)], ids=str)
@pytest.mark.drawn
def test_elements_moved(shape):
    every = range(-len(shape), len(shape))
    check_all("clone", shape, None)
    for dims in [(), *[(k,) for k in every], *itertools.combinations(range(len(shape)), 2), (0, 0), (7,)]:
        check_all("flip", shape, dims)
        for by in ([1] * len(dims), [-5] * len(dims), [7] * (len(dims) + 1)):
            check_all("roll", shape, tuple(by), dims, dtypes=("float32",))
            check_all("unroll", shape, tuple(by), dims, dtypes=("int16",))
    for shift in (0, 2, -1, 100, 2 ** 70):
        check_all("roll", shape, (shift,), None, dtypes=("int64",))
        check_all("roll", shape, (shift,), ())
    for turns, dims in itertools.product([0, 1, 2, 3, -1, 6], [(0, 1), (1, 0), (-1, 0), (0, 0), (0, 2)]):
        check_all("rot90", shape, turns, dims, dtypes=("float64", "bool"))
    for repeats in [(), (2,), (2, 3), (0, 2), (1, 1), (2, 1, 3), (2, 1, 3, 2), (-1, 2)]:
        check_all("repeat", shape, repeats)
    for diagonal in (0, 1, -2, 9, -9):
        check_all("tril", shape, diagonal)
        check_all("triu", shape, diagonal)
        for i, j in [(-2, -1), (0, 1), (1, 0), (0, -1), (2, 2), (0, 9)]:
            check_all("diag_embed", shape, diagonal, i, j, dtypes=("float32", "bool"))
            check_all("diagonal_copy", shape, diagonal, i, j, dtypes=("float32", "bool"))


@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4), (1, 4), (3, 0), (0, 3)], ids=str)
@pytest.mark.drawn
def test_elements_put_among_zeros_and_others(shape):
    for dim, index in itertools.product(range(-len(shape) - 1, len(shape) + 1), (0, -1, 1, 9)):
        axis = dim % len(shape)
        part = shape[:axis] + shape[axis + 1:]
        check_all("select_backward", part, shape, dim, index)
        check_all("select_backward", shape, shape, dim, index, dtypes=("float32",))
        check_all("select_keep", shape, dim, index)
        check_all("select_scatter", shape, numbers(part, "float32", 1), dim, index)
    for dim, (start, end, step) in itertools.product(range(len(shape)), [(0, 2, 1), (1, 2 ** 63 - 1, 2), (-2, -1, 1),
                                                                         (4, 1, 1), (0, 9, 3)]):
        part = numbers(shape)[(slice(None),) * dim + (slice(start, end, step),)].shape
        check_all("slice_backward", part, shape, dim, start, end, step)
    for offset in (0, 1, -1, 3, -3):
        for i, j in itertools.permutations(range(len(shape)), 2):
            part = numbers(shape).diagonal(offset, i, j).shape
            check_all("diagonal_backward", part, shape, offset, i, j)


def test_windows_added_up():
    for shape, dim, size, step in [((7,), 0, 3, 1), ((7,), 0, 3, 2), ((7,), 0, 3, 5), ((7,), 0, 1, 1), ((7,), 0, 0, 1),
                                   ((3, 6), 1, 4, 1), ((6, 3), 0, 2, 1), ((2, 5, 3), -2, 2, 2), ((7,), 0, 9, 1)]:
        windows = on_arrays(ROWS["unfold"], numbers(shape), dim, min(size, shape[dim]), step)
        for dtype in ("float32", "float64", "float16", "int64"):
            for a in layouts(numbers(windows.shape, dtype)):
                check("unfold_backward", a, shape, dim, size, step, close=True)


PADS = [(0, 0), (1, 2), (2, 0), (3, 3), (-1, 0), (1, -2), (-1, -1), (9, 0), (1, 0, 0, 2), (1, 1, 1, 1), (2, 1, -1, 1),
        (1, 1, 1, 1, 1, 1), (1,), (0, 1, 0, 1, 1, 0, 2, 2), (-9, 0), (-9, 20)]


@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 4), (1, 4), (0, 4)], ids=str)
@pytest.mark.drawn
def test_padding(shape):
    for pad in PADS:
        if len(pad) > 2 * len(shape):
            continue
        for value in (0, 1, 1.5, -0.0, True, 1e300, float("nan"), 2 ** 60):
            check_all("constant_pad_nd", shape, pad, value, dtypes=("float32", "int8") if value == 1 else ("float32",))
        check_all("constant_unpad", shape, pad)
        for mode in ("reflect", "replicate", "circular"):
            if 0 in shape or len(pad) % 2:
                continue
            check_all("pad_again", shape, pad, mode)
            grown = outcome(on_arrays_general, "pad_again", (numbers(shape), pad, mode))
            if isinstance(grown, np.ndarray):
                for dtype in ("float32", "float64", "float16", "int64"):
                    for a in layouts(numbers(grown.shape, dtype)):
                        check("pad_backward", a, pad, mode, shape, close=True)


@pytest.mark.parametrize("pad", [(-5, 6), (6, -5), (-3, -2), (-5, 1), (1, -4), (-4, 1)], ids=str)
def test_no_more_is_cut_than_there_is(pad):
    check("constant_pad_nd", numbers((4,), "float32"), pad, 0)
    check("constant_unpad", numbers((4,), "float32"), tuple(-n for n in pad))
    if min(pad) < -4 or sum(pad) < -4:
        with pytest.raises(RuntimeError, match="length must be non-negative"):
            on_arrays(ROWS["constant_pad_nd"], numbers((4,), "float32"), pad, 0)


def test_sizes_beyond_all_memory():
    """Their product does not fit into a place, of 64 bits or of 32, and what wraps around is small."""
    root, quarter = 2 ** (BITS // 2), 2 ** (BITS - 2)
    for repeats in ((quarter,), (quarter, 1), (root, root)):
        check("repeat", numbers((4,)), repeats)
    rows, columns = (np.broadcast_to(np.zeros(1, np.int64), shape) for shape in ((root, 1), (1, root)))
    check("index", numbers((3, 3)), [rows, columns])
    check("index_put_at", numbers((3, 3)), [rows, columns], numbers(()), False)
    check("stack", [numbers((1,) * 64)], 0)


@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4), (3, 0), (0, 3)], ids=str)
def test_gradients_joined_and_taken_apart(shape):
    for dim in range(-len(shape), len(shape)):
        axis = dim % len(shape)
        size = shape[axis]
        for sizes in [(size,), (1, size - 1), (0, size), (size, 1), (-1, size + 1), ()]:
            parts = [shape[:axis] + (size,) + shape[axis + 1:] for size in sizes]
            if min(sizes, default=0) < 0:
                continue
            whole = shape[:axis] + (sum(sizes),) + shape[axis + 1:]
            for a in layouts(numbers(whole)):
                check_parts("cat_backward", a, parts, dim)
                check_parts("split_with_sizes", a, sizes, dim)
            check_parts("split_with_sizes", numbers(shape), sizes, dim)
            for dtype, missing in itertools.product(("float32", "complex64", "float16"), [0, 1, 2]):
                grads = [None if missing & 1 << i else numbers(part, dtype, i) for i, part in enumerate(parts)]
                if any(grad is not None for grad in grads):
                    check("split_with_sizes_backward", grads, sizes, dim, whole)
                    check("split_with_sizes_backward", grads, sizes, dim, shape)
        for size in (1, 2, 3, 7):
            pieces = [min(size, shape[axis] - start) for start in range(0, shape[axis], size)] or [0]
            parts = [shape[:axis] + (n,) + shape[axis + 1:] for n in pieces]
            for missing in (0, 1, 6):
                grads = [None if missing & 1 << i else numbers(part) for i, part in enumerate(parts)]
                if any(grad is not None for grad in grads):
                    check("split_backward", grads, size, dim, shape)
        for grads in ([numbers(shape), None, numbers(shape, seed=1)], [None, numbers(shape).T.copy().T]):
            check("unbind_backward", grads, axis)


def check_parts(name, *args):
    """Lists of parts of an array."""
    fast, slow = outcome(on_arrays, name, args), outcome(on_arrays_general, name, args)
    if isinstance(slow, tuple):
        assert fast == slow
        return
    assert len(fast) == len(slow)
    for one, other in zip(fast, slow):
        assert one.dtype == other.dtype and (one.strides == other.strides or not one.size)
        np.testing.assert_array_equal(one, other)
        assert np.shares_memory(one, args[0]) or not one.size


# ------------------------------------------------------------------------------ choosing by number

WRONG = [np.array([5]), np.array([-6]), np.array([0.0]), np.array([[0]]), np.array(0, np.int16), np.zeros(0)]


def indices(shape, size, negative=False):
    """Index arrays of this shape with numbers below `size`: of both dtypes, in several layouts."""
    rng = np.random.default_rng([size, *shape])
    found = rng.integers(-size if negative else 0, size, shape) if size else np.zeros(shape, np.int64)
    yield from layouts(np.asarray(found, np.int64))
    yield np.asarray(found, np.int32)


@pytest.mark.drawn
@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4), (1, 4), ()], ids=str)
def test_parts_along_a_dim(shape):
    for dim in range(-len(shape), len(shape)) if shape else (0,):
        axis = dim % len(shape) if shape else 0
        size = shape[axis] if shape else 1
        for count in (0, 3):
            part = shape[:axis] + (count,) + shape[axis + 1:]
            for index in indices((count,), size):
                check("index_select", numbers(shape), dim, index)
                check("index_copy", numbers(shape, "bool"), dim, index, numbers(part, "bool", 1))
                check("index_add", numbers(shape), dim, index, numbers(part, seed=1), 1)
            index = next(indices((count,), size))
            for dtype in ADDED:
                check("index_select_backward", numbers(part, dtype), shape, dim, index)
                check("index_add", numbers(shape, dtype), dim, index, numbers(part, dtype, 1), 1)
            check_all("index_select", shape, dim, index)
            check("index_add", numbers(shape), dim, index, numbers(part), 2)
            check("index_add", numbers(shape, "bool"), dim, index, numbers(part, "bool"), 1)
            for source in layouts(numbers(part, "float32", 1)):
                check("index_add", numbers(shape, "float32"), dim, index, source, 1)
                check("index_copy", numbers(shape, "float32"), dim, index, source)
            for index in indices((count,), size, negative=True):
                check("index_fill.int_Scalar", numbers(shape), dim, index, 2)
            for value in (0, 2, -1.5, True, float("nan"), 1e300, 2 ** 70):
                for dtype in ("float32", "int64", "bool") if value in (0, 2) else ("float32",):
                    check("index_fill.int_Scalar", numbers(shape, dtype), dim, index, value)
            check("index_fill.int_Tensor", numbers(shape), dim, index, numbers(()))
            check("index_fill.int_Tensor", numbers(shape), dim, index, numbers((1,)))
        for index in [np.array(0), *WRONG]:
            check("index_select", numbers(shape), dim, index)
            check("index_copy", numbers(shape), dim, index, numbers(shape))
            check("index_add", numbers(shape), dim, index, numbers(shape), 1)
            check("index_fill.int_Scalar", numbers(shape), dim, index, 1)
    check("index_select", numbers(shape), 7, np.array([0]))


@pytest.mark.drawn
@pytest.mark.parametrize("shape, index_shape", [((5,), (5,)), ((5,), (9,)), ((3, 4), (3, 4)), ((3, 4), (2, 2)),
                                                ((3, 4), (3, 0)), ((2, 3, 4), (2, 3, 4)), ((2, 3, 4), (1, 2, 3)),
                                                ((3, 4), (4, 4)), ((3, 4), (3,)), ((), ()), ((3,), ())], ids=str)
def test_elements_along_a_dim(shape, index_shape):
    for dim in range(len(shape)) if shape else (0,):
        size = shape[dim] if shape else 1
        for index in indices(index_shape, size):
            check("gather", numbers(shape), dim, index, False)
            check("scatter.src", numbers(shape), dim, index, numbers(shape, seed=1))
            check("scatter_add", numbers(shape), dim, index, numbers(index_shape, seed=1))
        index = next(indices(index_shape, size))
        for dtype in ("float32", "bool", "complex128"):
            for a in layouts(numbers(shape, dtype)):
                check("gather", a, dim, index, False)
                check("gather_into", a, dim, index, index_shape)
                check("scatter.src", a, dim, index, numbers(index_shape, dtype, 1))
            check("gather_into", numbers(shape, dtype), dim, index, shape)
            check("scatter.value", numbers(shape, dtype), dim, index, 1)
        for dtype in ADDED:
            for source in (index_shape, shape):
                check("scatter_add", numbers(shape, dtype), dim, index, numbers(source, dtype, 1))
                check("gather_backward", numbers(source, dtype), shape, dim, index)
            for how in ("add", "multiply", "max"):
                check("scatter.reduce", numbers(shape, dtype), dim, index, numbers(index_shape, dtype, 1), how)
                check("scatter.value_reduce", numbers(shape, dtype), dim, index, 2, how)
        for source in layouts(numbers(index_shape, "float32", 1)):
            check("scatter_add", numbers(shape, "float32"), dim, index, source)
            check("scatter.src", numbers(shape, "float32"), dim, index, source)
            check("gather_backward", source, shape, dim, index)
        for wrong in (index - 1 - size, index + size, index.astype(float), index.astype(np.int16)):
            check("gather", numbers(shape), dim, wrong, False)
            check("scatter.value", numbers(shape), dim, wrong, 1)
            check("scatter_add", numbers(shape), dim, wrong, numbers(index_shape))
        check("gather", numbers(shape), 5, index, False)
        check("scatter.src", numbers(shape), dim, index, numbers(index_shape, "float32"))
        check("scatter_add", numbers(shape, "bool"), dim, index, numbers(index_shape, "bool"))


@pytest.mark.drawn
@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4), (1,), ()], ids=str)
def test_elements_of_the_flat_array(shape):
    size = int(np.prod(shape))
    for index_shape in [(), (3,), (2, 2), (0,)]:
        for index in indices(index_shape, size, negative=True):
            check("take", numbers(shape), index)
            check("put", numbers(shape), index, numbers(index_shape, seed=1), True)
        for index in [next(indices(index_shape, size, negative=True))]:
            check_all("take", shape, index)
            for dtype in ADDED:
                check("take_backward", numbers(index_shape, dtype), shape, index)
                for accumulate, source in itertools.product([False, True], [index_shape, (1, *index_shape), (7,)]):
                    check("put", numbers(shape, dtype), index, numbers(source, dtype, 1), accumulate)
                    check("put_backward", numbers(shape, dtype), index, accumulate)
    for index in (np.array([size]), np.array([-size - 1]), np.array([0.0])):
        check("take", numbers(shape), index)
        check("put", numbers(shape), index, numbers((1,)), False)


# ------------------------------------------------------------------------------ index arrays and masks

def positions(shape):
    """Lists of indices, as the rows of a subscript get them."""
    a, b = np.array([0, 2, -1, 0]) % shape[0], np.array([[1], [0]]) % shape[-1]
    yield [a]
    yield [a.astype(np.int32)]
    yield [np.array([], np.int64)]
    yield [a[::2]]
    yield [a - shape[0]]
    yield [np.array(0)]
    yield [numbers(shape, "bool")]
    yield [numbers(shape[:1], "bool")]
    yield [np.zeros(shape, bool)]
    yield [a.astype(np.uint8)]
    yield [np.array([99])]
    yield [np.array([0.5])]
    yield [numbers((9,), "bool")]
    if len(shape) > 1:
        yield [None, b]
        yield [a, b]
        yield [a, None, b] if len(shape) > 2 else [b, a]
        yield [None, numbers(shape[1:2], "bool")]
        yield [a, numbers(shape[1:2], "bool")]
        yield [numbers(shape, "bool").T.copy().T]
        yield [np.array([0, 0, 0]), np.array([0, 1])]
    if len(shape) > 2:
        yield [None, a % shape[1], b]
        yield [None, numbers(shape[1:], "bool")]
    yield [None] * len(shape) + [a]


@pytest.mark.parametrize("shape", [(5,), (3, 4), (4, 3, 2), (1, 4)], ids=str)
@pytest.mark.drawn
def test_subscripts_with_index_arrays(shape):
    for at in positions(shape):
        check_all("index", shape, at)
        check("index_erase", numbers(shape), at, False)
        check("index_erase", numbers(shape), at, True)
        read = outcome(on_arrays_general, "index", (numbers(shape), at))
        part = read.shape if isinstance(read, np.ndarray) else (2,)
        for dtype in ("float32", "complex128", "int8", "int64", "float16"):
            check("index_backward", numbers(part, dtype), shape, at)
            for source in {part, (), (1,), part[-1:], (1,) * len(part), (1, *part), (7,)}:
                for accumulate in (False, True):
                    check("index_put_at", numbers(shape, dtype), at, numbers(source, dtype, 1), accumulate)
        for values in layouts(numbers(part, "float32", 1)):
            check("index_put_at", numbers(shape, "float32"), at, values, False)
            check("index_put_at", numbers(shape, "float32"), at, values, True)
            check("index_backward", values, shape, at)


def test_a_subscript_of_many_places():
    """More than fit into the table on the stack."""
    a, i = numbers((300, 7)), np.random.default_rng(0).integers(-300, 300, (50, 40))
    check("index", a, [i])
    check("index", a, [a > 0])
    check("index_put_at", a, [i], numbers((50, 40, 7)), True)
    check("index_backward", numbers((50, 40, 7)), (300, 7), [i])
    check("index", a.T, [None, i])
    check("gather", a, 0, np.abs(i[:, :7]), False)
    check("index", a.T.reshape(7, 30, 10), [None, np.array([3, 1])])


@pytest.mark.parametrize("shape, mask_shape", [((5,), (5,)), ((3, 4), (3, 4)), ((3, 4), (4,)), ((4,), (3, 4)),
                                               ((3, 4), (3, 1)), ((), (3,)), ((3,), ()), ((), ()), ((0, 3), (3,)),
                                               ((3,), (4,)),
                                               ((2, 1), (1, 3)), ((200,), (200,))], ids=str)
@pytest.mark.drawn
def test_masks(shape, mask_shape):
    for mask in (numbers(mask_shape, "bool"), np.zeros(mask_shape, bool), np.ones(mask_shape, bool)):
        check_all("masked_select", shape, mask)
        for mask in layouts(mask):
            check("masked_select", numbers(shape), mask)
            try:
                count = np.count_nonzero(np.broadcast_to(mask, np.broadcast_shapes(shape, mask_shape)))
            except ValueError:
                count = 1
            check_all("masked_select_backward", (count,), mask, shape, dtypes=("float32",))
            for dtype in ("float32", "int16"):
                for source in ((count,), (count + 2,), (0,), (2, count)):
                    check("masked_scatter", numbers(shape, dtype), mask, numbers(source, dtype, 1))
                    check("masked_write", numbers(source, dtype), mask, shape)
                    if len(mask_shape) <= len(shape):
                        check("masked_read", numbers(shape, dtype), mask, source)
    check("masked_select", numbers(shape), numbers(mask_shape, "uint8"))
    check("masked_scatter", numbers(shape), numbers(mask_shape, "uint8"), numbers((9,)))
    check("masked_scatter", numbers(shape), numbers(mask_shape, "bool"), numbers((9,), "float32"))


@pytest.mark.parametrize("shape", [(), (5,), (3, 4), (2, 3, 4), (3, 0), (0,), (200,)], ids=str)
def test_numbers_of_elements(shape):
    for dtype in DTYPES:
        for a in layouts(numbers(shape, dtype)):
            check("argwhere", a)
            check("where", a)
    check("argwhere", np.array([np.nan, -0.0, np.inf]))
    for classes in (-1, 0, 3, 7):
        for a in layouts(numbers(shape, "int64")):
            check("one_hot", a, classes)
    check("one_hot", numbers(shape, "int64") - 1, 3)
    check("one_hot", numbers(shape, "int32"), 3)
    for a in layouts(numbers(shape, "int64") - 2):
        check("counted_from_start", a, 5)
    check("counted_from_start", numbers(shape, "int32") - 1, 5)


# ------------------------------------------------------------------------------ rows of a matrix

@pytest.mark.drawn
@pytest.mark.parametrize("index_shape", [(), (4,), (2, 3), (0,), (200,)], ids=str)
def test_rows_of_a_matrix(index_shape):
    for index in indices(index_shape, 5):
        check("embedding_rows", numbers((5, 3)), index, -1, False)
        check("embedding_backward", numbers((*index_shape, 3)), index, (5, 3), -1, False)
    for dtype in ("float32", "float64", "complex64", "float16"):
        for weight in layouts(numbers((5, 3), dtype)):
            check("embedding_rows", weight, index, -1, False)
        for padding, scale in itertools.product([-1, 0, 4], [False, True]):
            for grad in layouts(numbers((*index_shape, 3), dtype)):
                check("embedding_backward", grad, index, (5, 3), padding, scale)
    check("embedding_rows", numbers((5, 3)), np.array([5]), -1, False)
    check("embedding_rows", numbers((5, 3)), np.array([-1]), -1, False)
    check("embedding_rows", numbers((5,)), np.array([0]), -1, False)
    check("embedding_rows", numbers((5, 3)), np.array([0.0]), -1, False)


def test_the_padding_row_receives_zero_even_where_gradients_are_infinite():
    grad = np.array([[np.inf, np.nan], [1.0, 2.0]])
    for way in (on_arrays, on_arrays_general):
        out = way(ROWS["embedding_backward"], grad, np.array([0, 1]), (2, 2), 0, False)
        np.testing.assert_array_equal(out, [[0, 0], [1, 2]])


def test_a_gradient_that_is_one_number_is_not_spread_out():
    """That of a sum: added where its elements were chosen, without memory for each of them."""
    index = np.arange(100_000, dtype=np.int64) % 10
    ones = np.broadcast_to(np.float32(1), (100_000, 64))
    tracemalloc.start()
    try:
        found = on_arrays(ROWS["embedding_backward"], ones, index, (10, 64), -1, False)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
    np.testing.assert_array_equal(found, np.full((10, 64), 10_000, np.float32))


def test_several_index_arrays_with_a_whole_dim_between_them_and_many_places():
    rng = np.random.default_rng(0)
    a, i, j = rng.standard_normal((4, 3, 5)), rng.integers(-4, 4, (20, 30)), rng.integers(-5, 5, (20, 30))
    for several in ([i, None, j], (i, None, j)):
        assert np.array_equal(on_arrays(ROWS["index"], a, several), a[i, :, j])
        d = rng.standard_normal((20, 30, 3))
        added = np.zeros_like(a)
        np.add.at(added, (i, slice(None), j), d)
        np.testing.assert_allclose(on_arrays(ROWS["index_backward"], d, a.shape, several), added, rtol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.int64, torch.bool], ids=str)
def test_parts_are_added_with_a_factor(dtype):
    x, more, at = torch.arange(20).reshape(4, 5) % 3, torch.arange(15).reshape(3, 5) % 4, torch.tensor([2, 0, 2])
    x, more = x.to(dtype), more.to(dtype)
    for alpha in (2, 0, -3) if dtype is torch.int64 else (True,) if dtype is torch.bool else (2, -0.5, float("inf")):
        expected = x.clone()
        for k, place in enumerate(at.tolist()):
            expected[place] = expected[place] | more[k] if dtype is torch.bool else expected[place] + alpha * more[k]
        torch.testing.assert_close(x.index_add(0, at, more, alpha=alpha), expected, equal_nan=True)


def test_what_a_geometry_shows_is_written_as_in_memory():
    draw = np.random.default_rng(0)
    for self_size, self_stride, size, stride, offset in [
            ((4, 5), (5, 1), (2, 3), (7, 2), 1), ((4, 5), (1, 4), (4, 5), (1, 4), 0), ((6,), (1,), (), (), 3),
            ((3, 2, 2), (4, 1, 2), (3,), (4,), 2), ((5,), (2,), (3,), (2,), 2), ((2, 3), (3, 1), (2, 3), (1, 2), 0)]:
        memory = torch.tensor(draw.standard_normal(40))
        x = memory.as_strided(self_size, self_stride, 3).requires_grad_()
        part = torch.tensor(draw.standard_normal(size)).requires_grad_()
        expected = memory.clone()
        expected.as_strided(size, stride, 3 + offset).copy_(part.detach())
        found = torch.as_strided_scatter(x, part, size, stride, 3 + offset)
        assert torch.equal(found, expected.as_strided(self_size, self_stride, 3))
        weights = torch.tensor(draw.standard_normal(self_size))
        d_x, d_part = torch.autograd.grad((found * weights).sum(), [x, part])
        laid = torch.zeros(40, dtype=torch.float64)
        laid.as_strided(self_size, self_stride, 3).copy_(weights)
        assert torch.equal(d_part, laid.as_strided(size, stride, 3 + offset))
        laid.as_strided(size, stride, 3 + offset).zero_()
        assert torch.equal(d_x, laid.as_strided(self_size, self_stride, 3))


@pytest.mark.parametrize("dtype", ["float64", "int64", "bool"])
def test_an_alpha_that_is_true_is_one(dtype):
    a, index, source = np.array([1, 0, 1], dtype), np.array([0, 1]), np.array([0, 1], dtype)
    expected = a.copy()
    np.add.at(expected, index, source)
    assert np.array_equal(on_arrays(ROWS["index_add"], a, 0, index, source, True), expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_that_are_written(dtype):
    x, mask = numbers((2, 3), dtype), numbers((2, 3), "bool", 1)
    for number in (False, True, 0, 3, 2.5, -0.0, np.inf, 1j):
        check("masked_fill.Scalar", x, mask, number)
        check("where.self", mask, x, number)
        check("where.self", mask, number, x)
