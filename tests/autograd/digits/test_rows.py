"""Every differentiable row beside float32: it has a way in float64, its shadow is what float64 gives, and not a bit
changes.

The numbers are those of the sample rows (tests/ops/samples), results and gradients.
"""

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import Tensor
from minigrad.autograd.digits import HAS_EXTENDED
from tests.autograd.digits.failures import FUNCTIONS_OF_EXTENDED
from tests.ops.test_ops import DIFFERENTIABLE, bound, call, each, flat, ours

#: What float64 would give is something else: numbers that depend on the dtype (an epsilon, a quantile that is rounded
#: to float32 first), random numbers, ties that rounding makes or breaks, and gradients that are 0 but for rounding.
OTHERWISE = {"rms_norm", "quantile", "nanquantile", "rrelu", "norm", "linalg.vector_norm", "softmax", "softmin",
             "cosine_similarity", "gelu_backward", "lstm_cell", "native_group_norm"}

DOUBLE = {minigrad.float32: minigrad.float64, minigrad.complex64: minigrad.complex128}


def in_double(x, made):
    """An argument with its numbers in float64; ``made`` has those that were made already, by their ids."""
    if isinstance(x, Tensor) and x.dtype in DOUBLE:
        return made.setdefault(id(x), x.detach().to(DOUBLE[x.dtype]).requires_grad_(x.requires_grad))
    if type(x) in (list, tuple):
        return type(x)(in_double(y, made) for y in x)
    return DOUBLE.get(x, x) if isinstance(x, minigrad.dtype) else x


def run(row, args, kwargs, inputs):
    """The tensors that a call returns, and the gradients of the inputs."""
    minigrad.manual_seed(3)
    outputs = [y for y in flat(call(minigrad, row, args, kwargs)) if isinstance(y, Tensor)]
    recorded = [y for y in outputs if y.requires_grad]
    if not recorded or not inputs:
        return outputs
    return outputs + list(minigrad.autograd.grad(recorded, inputs, [minigrad.ones_like(y) for y in recorded],
                                                 allow_unused=True))


def runs(row, dtype):
    """For each sample: the report, and what the row gives watched, plainly, and in float64."""
    for case in row.cases:
        inputs, args, kwargs, _ = bound(ours, row, case, dtype)
        made = {}
        wider = [in_double(list(args), made), {k: in_double(v, made) for k, v in kwargs.items()},
                 [in_double(x, made) for x in inputs]]
        plain = run(row, args, kwargs, inputs)
        with minigrad.autograd.digits() as report:
            watched = run(row, args, kwargs, inputs)
        yield case, report, watched, plain, run(row, *wider)


def numbers(x):
    return x.numpy(force=True)


@each(DIFFERENTIABLE)
@pytest.mark.drawn
def test_shadows_are_what_float64_gives(row):
    for dtype in ["float32"] + ["complex64"] * row.complex:
        for case, report, watched, plain, wide in runs(row, dtype):
            if report._watching.unknown and not FUNCTIONS_OF_EXTENDED:      # what is asked for in double
                continue
            assert not report._watching.unknown, f"{row}({case}): {report.table()}"
            for x, y, z in zip(watched, plain, wide, strict=True):
                if x is None:
                    continue
                np.testing.assert_array_equal(numbers(x), numbers(y))
                if x.dtype not in DOUBLE or row.name in OTHERWISE or x.dtype is z.dtype:
                    continue
                found = report._watching.shadows.read(x._array)
                high = found.high
                assert not found.unknown
                scale = np.abs(numbers(z)[np.isfinite(numbers(z))]).max(initial=0)
                np.testing.assert_allclose(numbers(x) if high is None else high, numbers(z), rtol=1e-9,
                                           atol=1e-13 + 1e-13 * scale, err_msg=f"{row}({case}) of {dtype}")


@each([row for row in DIFFERENTIABLE if not row.complex])
@pytest.mark.drawn
def test_nothing_changes_in_double(row):
    for _, _, watched, plain, _ in runs(row, "float64"):
        for x, y in zip(watched, plain, strict=True):
            if x is not None:
                np.testing.assert_array_equal(numbers(x), numbers(y))


def test_most_rows_have_a_way_beside_float64():
    if not HAS_EXTENDED:
        return
    known = [row for row in DIFFERENTIABLE[::5]
             if all([not report._watching.unknown for _, report, *_ in runs(row, "float64")])]
    assert len(known) > 0.7 * len(DIFFERENTIABLE[::5])
