"""The numbers of ``arange`` and ``linspace`` are PyTorch's to the last digit."""

import random
from fractions import Fraction
from math import ceil

import numpy as np
import pytest

DTYPES = {"float32": np.float32, "float64": np.float64}


def rounded(exact, dtype):
    """The number of this dtype that is nearest to a fraction."""
    near = dtype(float(exact))
    around = [near, np.nextafter(near, dtype(np.inf)), np.nextafter(near, dtype(-np.inf))]
    return min(around, key=lambda x: abs(Fraction(float(x)) - exact))


def arange(start, end, step, dtype):
    """As _core/frontends/ranges.h says, in fractions."""
    n, lanes = ceil((end - start) / step), 32 // dtype().itemsize
    whole = n - n % (2 * lanes)
    numbers = []
    for i in range(n):
        first = i // lanes * lanes if i < whole else i
        number = rounded(rounded(Fraction(step) * first + Fraction(start), np.float64), dtype)
        if first < i:
            number = rounded(rounded(Fraction(step) * (i - first) + Fraction(float(number)), np.float64), dtype)
        numbers.append(number)
    return numbers


def linspace(start, end, steps, dtype):
    """In the dtype of the result, from the nearer end."""
    start, end = dtype(start), dtype(end)
    step = Fraction(float((end - start) / dtype(max(steps - 1, 1))))
    near, far = Fraction(float(start)), Fraction(float(end))
    return [rounded(near + step * i if i < steps // 2 or steps == 1 else far - step * (steps - 1 - i), dtype)
            for i in range(steps)]


def drawn(seed, n):
    """[the arguments of arange], [the arguments of linspace]"""
    rng = random.Random(seed)
    ranges, ends = [], []
    for _ in range(n):
        start, step = rng.uniform(-10, 10), rng.choice([0.1, 0.01, 0.3, -0.7, rng.uniform(0.01, 1)])
        ranges.append((start, start + step * rng.uniform(0, 80), step))
        ends.append((start, rng.uniform(-10, 10), rng.randint(0, 80)))
    return ranges, ends


@pytest.mark.parametrize("dtype", DTYPES)
def test_as_written_down(torch, dtype):
    ranges, ends = drawn(0, 60)
    for arguments in ranges:
        expected = arange(*arguments, DTYPES[dtype])
        assert torch.arange(*arguments, dtype=getattr(torch, dtype)).tolist() == expected, arguments
        general = torch.arange(*map(torch.tensor, np.float64(arguments)), dtype=getattr(torch, dtype))
        assert general.tolist() == expected, arguments
    for arguments in ends:
        expected = linspace(*arguments, DTYPES[dtype])
        assert torch.linspace(*arguments, dtype=getattr(torch, dtype)).tolist() == expected, arguments


@pytest.mark.parity
@pytest.mark.parametrize("dtype", DTYPES)
def test_as_pytorch(dtype):
    import minigrad
    torch = pytest.importorskip("torch")
    ranges, ends = drawn(1, 2000)
    for name, calls in (("arange", ranges), ("linspace", ends)):
        for arguments in calls:
            ours, theirs = [getattr(library, name)(*arguments, dtype=getattr(library, dtype)).tolist()
                            for library in (minigrad, torch)]
            assert ours == theirs, (name, arguments)
