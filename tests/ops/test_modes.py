"""Every operation in every mode: its sample rows pass gradcheck forward, batched, and forward over reverse.

First and second derivatives of reverse mode are checked entry by entry in test_ops.py.  Here the whole Jacobian is
measured once more for forward mode; what is about batches is compared with one by one, and needs no measuring, so the
measured part is the fast one.
"""

import functools

import pytest

from minigrad.autograd import GradcheckError, gradcheck, gradgradcheck
from tests.ops.test_ops import DIFFERENTIABLE, TWICE, bound, each, function_of, ours

FORWARD = functools.partial(gradcheck, check_backward_ad=False, check_forward_ad=True, check_batched_forward_grad=True)
BATCHED = functools.partial(gradcheck, check_batched_grad=True, fast_mode=True)
FORWARD_OVER_REVERSE = functools.partial(gradgradcheck, check_fwd_over_rev=True, check_rev_over_rev=False, check_undefined_grad=False)
BATCHED_TWICE = functools.partial(gradgradcheck, check_batched_grad=True, fast_mode=True)


def check(row, checker):
    for case in row.cases:
        for dtype in ["float64"] + ["complex128"] * row.complex:
            inputs, args, kwargs, _ = bound(ours, row, case, dtype)
            if not inputs:
                continue
            function = function_of(row, inputs, args, kwargs)
            if not function(*inputs):
                continue
            try:
                assert checker(function, tuple(inputs))
            except GradcheckError as e:
                pytest.fail(f"{row}({case}) of {dtype}: {e}")


@each(DIFFERENTIABLE)
def test_forward_mode(row):
    check(row, FORWARD)


@each(DIFFERENTIABLE)
def test_batched_gradients(row):
    check(row, BATCHED)


@each(TWICE)
def test_forward_over_reverse(row):
    check(row, FORWARD_OVER_REVERSE)


@each(TWICE)
def test_batched_second_derivatives(row):
    check(row, BATCHED_TWICE)
