"""Elementwise operations in C, on arrays of any layout and dtype, against the general way: real values to the last bit,
dtypes, and the errors of calls that are wrong.  How results lie in memory is compared in test_two_paths.py."""

import itertools

import numpy as np
import pytest

from minigrad._core.dispatch.compute import on_arrays, on_arrays_general
from minigrad._core.dispatch.op import Op
from minigrad.ops import exports

ROWS = [op for op in exports.ROWS.values() if isinstance(op, Op) and op.loops_in_c]
DTYPES = ["float32", "float64", "int64", "int32", "uint8", "bool", "complex64"]
NUMBERS = [2, 0.5, True, -1, 300]
# What NumPy computes in several steps.
SEVERAL_STEPS = {"sigmoid", "silu", "logsigmoid", "mish", "softplus", "softplus_slope", "elu", "elu_slope", "selu",
                 "celu", "gelu", "gelu_backward", "xlogy", "times_log", "logit", "logit_slope", "share",
                 "kl_div_of_logs", "poisson_of_rate", "soft_margin_slope", "lstm_output"}
# NumPy's vector instructions round otherwise than its scalar ones, and the axis that is walked decides which it takes.
IN_VECTORS = {"atan2", "pow.Tensor_Tensor"}
CANCELLING = {"sinc_derivative", "logaddexp", "poisson_of_log"}         # large terms, of which little may be left


def filled(rng, shape, dtype):
    numbers = rng.integers(0, 4, shape)
    if dtype.startswith("complex"):
        return (numbers * 0.5 + 0.25 + 1j * rng.random(shape)).astype(dtype)
    if dtype.startswith("float"):
        numbers = numbers * 0.5 + 0.25
        special = rng.random(shape)
        numbers = np.select([special < 0.1, special < 0.2, special < 0.3], [np.nan, np.inf, -0.0], numbers)
    return np.asarray(numbers).astype(dtype)


def layouts(rng, dtype):
    """Arrays of shapes that mostly broadcast against each other, in all the orders in which their elements can lie."""
    yield filled(rng, (3, 4), dtype)
    yield filled(rng, (4, 3), dtype).T
    yield filled(rng, (6, 8), dtype)[::2, ::2]
    yield filled(rng, (3, 4), dtype)[::-1]
    yield np.broadcast_to(filled(rng, (4,), dtype), (3, 4))
    yield filled(rng, (4,), dtype)
    yield filled(rng, (3, 1), dtype)
    yield filled(rng, (), dtype)
    yield filled(rng, (4, 2, 3), dtype).transpose(1, 2, 0)
    yield filled(rng, (0, 4), dtype)
    yield filled(rng, (1, 1, 1), dtype)
    yield filled(rng, (3, 4), dtype).astype(np.dtype(dtype).newbyteorder())


def outcome(way, op, args):
    try:
        return way(op, *args)
    except Exception as error:
        return type(error).__name__, str(error)


def same(op, a, b):
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray):
        return isinstance(a, tuple) and a == b
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        return False
    if a.dtype.kind == "c":         # NumPy has two loops for products, which round differently
        return np.allclose(a, b, rtol=1e-6, equal_nan=True)
    if op.name in SEVERAL_STEPS or op.name in IN_VECTORS and a.dtype.kind == "f":    # in C they are rounded once
        return np.allclose(a, b, rtol=8 * np.finfo(a.dtype).eps, atol=0, equal_nan=True)
    if op.name in CANCELLING and a.dtype.kind == "f":
        return np.allclose(a, b, rtol=0, atol=32 * np.finfo(a.dtype).eps, equal_nan=True)
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def calls(op, rng):
    operands = [i for i in range(len(op.params)) if op.types[i].startswith("Tensor")]
    rest = [default if isinstance(default, (int, float, str)) else 2 if type_ == "int" else 2.0
            for default, type_ in list(zip(op.defaults, op.types))[len(operands):]]
    if len(operands) == 1:
        for dtype in DTYPES:
            for a in layouts(rng, dtype):
                yield (a, *rest)
    if len(operands) == 2:
        for first, second in itertools.product(DTYPES, repeat=2):
            left, right = list(layouts(rng, first)), list(layouts(rng, second))
            if first == second:
                for a, number in itertools.product(left, NUMBERS):
                    yield (a, number, *rest)
                    yield (number, a, *rest)
            if op.name == "mul" or first == second or {first, second} & {"float32", "float64"}:
                for a, b in itertools.product(left, right):
                    yield (a, b, *rest)


@pytest.mark.parametrize("op", ROWS, ids=lambda op: op.name)
@pytest.mark.drawn
def test_the_way_in_c_gives_what_the_general_way_gives(op):
    rng = np.random.default_rng(0)
    taken = 0
    for args in calls(op, rng):
        expected, actual = outcome(on_arrays_general, op, args), outcome(on_arrays, op, args)
        taken += isinstance(actual, np.ndarray)
        assert same(op, actual, expected), f"{op.name}{[getattr(a, 'dtype', a) for a in args]} of shapes " \
                                       f"{[np.shape(a) for a in args]}: {actual}, and generally {expected}"
    assert taken or len(op.params) > 2
