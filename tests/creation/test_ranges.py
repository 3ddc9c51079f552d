"""Ranges and patterns: which numbers, of which dtype, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from minigrad import dtypes
from minigrad.creation import ranges, tensor
from minigrad.creation.ranges import arange, eye, linspace, logspace, tril_indices, triu_indices
from minigrad.dtypes import NAMES
from tests.checking import is_tensor, refuses


class TestRanges:
    @pytest.mark.parametrize(("arguments", "expected", "name"), [
        ((5,), [0, 1, 2, 3, 4], "int64"), ((3.0,), [0, 1, 2], "float32"), ((1, 4), [1, 2, 3], "int64"),
        ((1, 2.5, 0.5), [1, 1.5, 2], "float32"),
        ((5, 1, -2), [5, 3], "int64"), ((3, 3), [], "int64"), ((True,), [0], "int64"),
        ((2 ** 53, 2 ** 53 + 2), [2 ** 53, 2 ** 53 + 1], "int64"),
        ((2 ** 53 + 1, 2 ** 53 + 3), [2 ** 53 + 1, 2 ** 53 + 2], "int64"),
        ((2 ** 63 - 3, 2 ** 63 - 1), [2 ** 63 - 3, 2 ** 63 - 2], "int64"),
        ((0, 5, float("inf")), [], "float32"),
        ((np.float64(3),), [0, 1, 2], "float32"), ((np.int32(2),), [0, 1], "int64")])
    def test_arange(self, arguments, expected, name):
        assert is_tensor(arange(*arguments), expected, NAMES[name])

    def test_arange_keywords_and_dtypes(self):
        assert is_tensor(arange(end=3), [0, 1, 2], dtypes.int64)
        assert is_tensor(arange(start=1, end=3), [1, 2], dtypes.int64)
        assert is_tensor(arange(2.5, dtype=dtypes.int64), [0, 1], dtypes.int64)
        assert is_tensor(arange(258, dtype=dtypes.uint8)[-2:], [0, 1], dtypes.uint8)
        # counted with fractions, then cast
        assert is_tensor(arange(0.5, 3, 0.9, dtype=dtypes.int32), [0, 0, 0], dtypes.int32)
        assert is_tensor(arange(5, 0, -1.5, dtype=dtypes.int16), [5, 4, 3, 2], dtypes.int16)
        assert is_tensor(arange(0, 1, 0.1)[3:4], np.float32([0.3]), dtypes.float32)
        assert is_tensor(arange(2**24, 2**24 + 4, dtype=dtypes.float64), [2**24, 2**24 + 1, 2**24 + 2, 2**24 + 3],
                         dtypes.float64)
        assert is_tensor(arange(tensor(3.0)), [0, 1, 2], dtypes.float32)

    @pytest.mark.parametrize(("arguments", "exception", "message"), [
        ((), TypeError, "arange"), ((1, 5, 0), RuntimeError, "step must be nonzero"),
        ((5, 1), RuntimeError, "inconsistent with step sign"),
        ((0, 1e-300, -1e-300), RuntimeError, "inconsistent with step sign"),
        ((float("nan"),), RuntimeError, "unsupported range: 0 -> nan"),
        ((float("inf"),), RuntimeError, "unsupported range: 0 -> inf"),
        ((float("-inf"), 5), RuntimeError, "unsupported range: -inf -> 5"),
        ((float("nan"), 5), RuntimeError, "unsupported range: nan -> 5"),
        ((0, 5, float("nan")), RuntimeError, "step"), (("a", 5), TypeError, "'start' must be Number, not str"),
        ((2 ** 60,), RuntimeError, "Storage size calculation overflowed"),
        (("a",), TypeError, "must be Number, not str"), ((1j,), RuntimeError, "without overflow")])
    def test_arange_refuses(self, arguments, exception, message):
        with pytest.raises(exception, match=message):
            arange(*arguments)
        with pytest.raises(RuntimeError, match="not implemented for torch.bool"):
            arange(2, dtype=bool)

    def test_linspace(self):
        assert is_tensor(linspace(0, 1, 5), [0, 0.25, 0.5, 0.75, 1], dtypes.float32)
        assert is_tensor(linspace(0, 1, 1), [0], dtypes.float32) and linspace(0, 1, 0).shape == (0,)
        assert is_tensor(linspace(0, 10, 5, dtype=dtypes.int64), [0, 2, 5, 7, 10], dtypes.int64)
        assert is_tensor(linspace(0, -10, 4, dtype=dtypes.int64), [0, -3, -6, -10], dtypes.int64)
        assert is_tensor(linspace(0, 1j, 3), [0, 0.5j, 1j], dtypes.complex64)
        with refuses(TypeError, "linspace(): argument 'start' must be Number, not Tensor", "MG205"):
            linspace(tensor(0.0, requires_grad=True), 1, 2)

    def test_linspace_refuses(self):
        with pytest.raises(RuntimeError, match="number of steps must be non-negative"):
            linspace(0, 1, -1)
        with pytest.raises(TypeError, match="'steps' must be int, not float"):
            linspace(0, 1, 2.5)
        with pytest.raises(RuntimeError, match="linspace only supports 0-dimensional start and end tensors"):
            linspace(tensor([0.0]), 1, 2)
        with pytest.raises(RuntimeError, match="without overflow"):
            linspace(0, 300, 3, dtype=dtypes.uint8)

    def test_logspace(self):
        assert is_tensor(logspace(0, 2, 3), [1, 10, 100], dtypes.float32)
        assert is_tensor(logspace(0, 2, 3, 2), [1, 2, 4], dtypes.float32)
        assert is_tensor(logspace(0, 2, 3, dtype=dtypes.int64), [1, 10, 100], dtypes.int64)
        np.testing.assert_array_equal(logspace(0, 1, 3, -2)._array, np.array([1, np.nan, -2], np.float32))
        with refuses(TypeError, "logspace(): argument 'base' must be float, not complex", "MG205"):
            logspace(0, 1, 3, 1j)

    @pytest.mark.parity
    @given(st.floats(-100, 100), st.floats(-100, 100), st.integers(0, 40),
           st.sampled_from(["float32", "float64", "int64", "int32", "float16"]))
    def test_linspace_as_in_pytorch(self, start, end, steps, name):
        torch = pytest.importorskip("torch")
        start, end = (float(np.float16(x)) for x in (start, end))
        if name.startswith("int"):
            start, end = int(start), int(end)
        ours = linspace(start, end, steps, dtype=NAMES[name])._array
        theirs = torch.linspace(start, end, steps, dtype=getattr(torch, name)).numpy()
        # where a step falls on an integer, torch's float32 steps may miss it by one
        if name.startswith("int"):
            assert np.abs(ours - theirs).max(initial=0) <= 1
            return
        eps, least = np.finfo(name).eps, np.finfo(name).smallest_subnormal
        # a step below the least number is 0 for PyTorch, which then jumps from the start to the end
        np.testing.assert_allclose(ours, theirs, rtol=2 * eps,
                                   atol=2 * eps * max(abs(start), abs(end)) + steps * least / 2)

    @pytest.mark.parity
    @given(st.integers(-50, 50), st.integers(-50, 50), st.sampled_from([1, -1, 3, -7, 0.5, -0.3, 0.1, 1.7, -2.5]),
           st.sampled_from([None, "float32", "int32", "int64", "float64", "uint8", "int16"]))
    def test_arange_as_in_pytorch(self, start, end, step, name):
        torch = pytest.importorskip("torch")
        if (end - start) * step < 0 or name == "int64" and abs(step) < 1:
            return
        ours = arange(start, end, step, dtype=name and NAMES[name])._array
        theirs = torch.arange(start, end, step, dtype=name and getattr(torch, name)).numpy()
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=5e-6)


class TestPatterns:
    def test_eye(self):
        assert is_tensor(eye(2), [[1, 0], [0, 1]], dtypes.float32) and is_tensor(eye(1, 3), [[1, 0, 0]], dtypes.float32)
        assert eye(0).shape == (0, 0) and eye(2, dtype=bool).dtype is NAMES["bool"]
        with pytest.raises(RuntimeError, match="n must be greater or equal to 0, got -1"):
            eye(-1)
        with pytest.raises(TypeError, match="'n' must be int, not float"):
            eye(2.0)

    @pytest.mark.parametrize("function", [tril_indices, triu_indices])
    def test_triangles(self, function):
        numpys = getattr(np, function.__name__)
        for row, col, offset in ((3, 3, 0), (3, 4, 1), (3, 4, -1), (0, 3, 0), (4, 2, 5)):
            assert is_tensor(function(row, col, offset), np.stack(numpys(row, offset, col)), dtypes.int64)
        assert function(2, 2, dtype=dtypes.int32).dtype is dtypes.int32
        with pytest.raises(RuntimeError, match="not implemented for torch.float32"):
            function(2, 2, dtype=dtypes.float32)
        with pytest.raises(RuntimeError, match="row must be greater or equal to 0"):
            function(-1, 2)


def test_the_public_names_are_there():
    for name in ranges.__all__:
        assert getattr(minigrad, name) is getattr(ranges, name)


@pytest.mark.filterwarnings("ignore:torch.range is deprecated")
@pytest.mark.parametrize(("args", "options", "expected"), [
    ((0, 3), {}, [0.0, 1.0, 2.0, 3.0]), ((1, 2.5, 0.5), {}, [1.0, 1.5, 2.0, 2.5]), ((5, 1, -2), {}, [5.0, 3.0, 1.0]),
    ((0.5, 5.7, 1.6), {"dtype": minigrad.int32}, [0, 1, 2, 3, 4, 5]),
    ((0, 5.7, 2), {"dtype": minigrad.float64}, [0, 2, 4])])
def test_range_reaches_its_end(args, options, expected):
    found = minigrad.range(*args, **options)
    assert found.tolist() == expected and found.dtype is options.get("dtype", minigrad.float32)


def test_range_warns_and_refuses():
    with pytest.warns(UserWarning, match="torch.range is deprecated"):
        minigrad.range(0, 1)
    with pytest.warns(UserWarning), refuses(RuntimeError, "upper bound and lower bound inconsistent", "MG204"):
        minigrad.range(0, -1)
    with pytest.warns(UserWarning), refuses(RuntimeError, "unsupported range: 0 -> inf", "MG204"):
        minigrad.range(0, float("inf"))
    with refuses(TypeError, "range() missing 1 required positional arguments: \"end\"", "MG205"):
        minigrad.range(3)
