"""Sampling at positions in C against that in NumPy, where there are many points, many channels and several threads."""

import itertools

import numpy as np
import pytest

import minigrad as torch
from minigrad._core.dispatch.compute import on_arrays_general, on_arrays_in_c
from minigrad.ops.windows.grids import sample_back, sample_order, sample_slope


@pytest.fixture(params=[1, 3])
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(3, 9, 7, 11, 61, 71), (1, 2, 5, 1, 1, 65), (2, 1, 1, 4, 64, 1)], ids=str)
def test_images_between_their_elements(threads, shape, dtype):
    n, channels, rows, columns, high, wide = shape
    rng = np.random.default_rng(0)
    a, d = [rng.standard_normal((n, channels, *each)).astype(dtype) for each in ((rows, columns), (high, wide))]
    grid = rng.uniform(-1.6, 1.6, (n, high, wide, 2)).astype(dtype)
    grid[0, 0, :4, 0] = [-1, 1, 1e12, np.inf][:wide] if wide > 1 else -1
    close = {"rtol": 1e-4 if dtype == "float32" else 1e-12, "atol": 1e-4 if dtype == "float32" else 1e-12}
    for padding, corners in itertools.product(range(3), (False, True)):
        options = 0, padding, corners, (0, 0)
        for op, arguments in ((sample_order, (a, grid, *options)), (sample_back, (d, a.shape, grid, *options)),
                              (sample_slope, (d, a, grid, *options))):
            with np.errstate(invalid="ignore"):
                expected = on_arrays_general(op, *arguments)
            np.testing.assert_allclose(on_arrays_in_c(op, *arguments), expected, **close)
