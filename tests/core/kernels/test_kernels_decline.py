"""Calls of kernels in C that no row makes: each is declined before memory is read.

The rows check what users give them, and give the kernels what fits.  These are the questions that a kernel asks
nevertheless, since the formula of another row could be wrong.
"""

import sys

import numpy as np
import pytest

from minigrad._core.dispatch.compute import on_arrays_in_c
from minigrad.ops.exports import ROWS

LAYER, BATCH = 0, 2         # over what a norm is computed


def numbers(*shape, dtype=np.float64):
    return np.arange(1., np.prod(shape, dtype=int) + 1).reshape(shape).astype(dtype)


def targets(*values):
    return np.array(values, np.int64)


FOLDED = numbers(1, 1, 4, 4), (2, 2), (1, 1), (0, 0), (1, 1)
DECLINED = [
    ("distances", numbers(3), numbers(3), 2.),
    *([("distances_of_pairs", np.empty((2**31 + 1, 0)), 2.)] if sys.maxsize > 2**32 else []),   # not in WebAssembly
    ("distances_backward", numbers(2, 4), numbers(2, 5), numbers(3, 5), numbers(2, 3), 2.),
    ("distances_backward", numbers(2, 3), numbers(2, 5), numbers(3, 5), numbers(2, 4), 2.),
    ("pairs_of_square", numbers(2, 3)),

    ("columns_of", numbers(*[1] * 64), *FOLDED[1:]),
    *[("columns_of", *FOLDED[:i], (0, 1), *FOLDED[i + 1:]) for i in (1, 2, 4)],

    ("multi_margin_slope", numbers(2, 3), targets(0, -1), 1, 1., None),
    ("multilabel_margin_slope", numbers(2, 3), targets([0, -2, 1], [1, -1, 0])),
    ("multilabel_margin_slope", numbers(2, 3), targets([0, 1], [1, -1], [0, -1])),

    ("unpacked", numbers(3, 3), np.ones(2, np.int32)),
    ("unpacked", numbers(2, 3, 3), np.ones((3, 3), np.int32)),
    ("permutation", numbers(2, 3, 3), np.ones((3, 3), np.int32)),
    ("permutation", numbers(3, 3), np.ones(0, np.int32)),

    ("repeat", numbers(2), (1,) * 32),
    ("diag_embed", numbers(60_000), 0, -2, -1),

    ("native_batch_norm.fixed", numbers(2, 3), None, None, None, numbers(3), 1e-5),
    ("native_batch_norm.fixed", numbers(2, 3), None, None, numbers(3), None, 1e-5),
    ("norm_backward", numbers(2, 3), numbers(2, 3), numbers(0), numbers(0), None, LAYER),
    ("norm_backward", numbers(2, 3), numbers(2, 3), numbers(4), numbers(4), None, LAYER),
    ("norm_backward", numbers(2, 6), numbers(2, 6), numbers(3), numbers(3), None, BATCH),
    ("parameter_sum", numbers(2, 3), LAYER, (0,)),
    ("parameter_sum", numbers(6), LAYER, (2, 3)),

    ("avg_pool2d", numbers(1, 4, 4), 2**70, None, 0, False, True, None),
]


@pytest.mark.parametrize("name, args", [pytest.param(name, args, id=f"{name}-{i}")
                                        for i, (name, *args) in enumerate(DECLINED)])
def test_what_does_not_fit_is_declined(name, args):
    assert on_arrays_in_c(ROWS[name], *args) is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_columns_and_their_image(dtype):
    """Each element is in as many windows as it is counted in the sum."""
    image = numbers(2, 3, 4, 5, dtype=dtype)
    columns = on_arrays_in_c(ROWS["columns_of"], image, (2, 3), (1, 1), (0, 0), (1, 1))
    assert columns.shape == (2, 18, 9) and columns.dtype == dtype
    windows = np.lib.stride_tricks.sliding_window_view(image, (2, 3), (2, 3))
    np.testing.assert_array_equal(columns, windows.transpose(0, 1, 4, 5, 2, 3).reshape(2, 18, 9))
    back = on_arrays_in_c(ROWS["image_of"], columns, (2, 3, 4, 5), (2, 3), (1, 1), (0, 0), (1, 1))
    times = np.outer([1, 2, 2, 1], [1, 2, 3, 2, 1])
    np.testing.assert_array_equal(back, image * times)


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_large_arrays_of_a_dtype_that_came_late_to_numpy():
    """float16 is behind all others in its list."""
    a = np.arange(2_000_000).astype(np.float16)
    np.testing.assert_array_equal(on_arrays_in_c(ROWS["roll"], a, (3,), (0,)), np.roll(a, 3))
    matrix = on_arrays_in_c(ROWS["diag_embed"], a[:1500], 0, -2, -1)
    np.testing.assert_array_equal(matrix, np.diag(a[:1500]))


def test_planes_that_are_worth_letting_the_interpreter_go_but_no_thread():
    a = numbers(1, 55_000)
    np.testing.assert_array_equal(on_arrays_in_c(ROWS["avg_pool1d"], a, 1, 1, 0, False, True), a)


def test_rows_that_begin_between_two_elements():
    """Aligned, but at a distance of two and a half elements, which BLAS cannot be told."""
    a = np.ndarray((2, 2), np.complex128, np.arange(40.), 0, (40, 16))
    b = numbers(2, 2, dtype=np.complex128)
    for x, y in ((a, b), (b, a), (a.T, b), (b, a.T)):
        np.testing.assert_allclose(on_arrays_in_c(ROWS["mm"], x, y), x.copy() @ y.copy())
