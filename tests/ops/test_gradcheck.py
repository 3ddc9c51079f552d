"""Every operation in every mode: its sample rows pass gradcheck forward, batched, and forward over reverse.

First and second derivatives of reverse mode are measured entry by entry in test_ops.py, and test_forward_mode.py holds
forward mode, and forward over reverse, against them in random directions, to nine digits.  So here a projection of
each Jacobian is measured, and what is about batches is compared with one by one, which needs no measuring.
"""

import functools

import pytest

from minigrad.autograd import gradcheck, gradgradcheck
from tests.ops.test_ops import DIFFERENTIABLE, TWICE, check_derivatives, each

FORWARD = functools.partial(gradcheck, check_backward_ad=False, check_forward_ad=True, check_batched_forward_grad=True,
                            fast_mode=True)
BATCHED = functools.partial(gradcheck, check_batched_grad=True, fast_mode=True)
FORWARD_OVER_REVERSE = functools.partial(gradgradcheck, check_fwd_over_rev=True, check_rev_over_rev=False,
                                         check_undefined_grad=False, fast_mode=True)
BATCHED_TWICE = functools.partial(gradgradcheck, check_batched_grad=True, fast_mode=True)


@each(DIFFERENTIABLE)
def test_forward_mode(row):
    check_derivatives(row, FORWARD)


@each(DIFFERENTIABLE)
def test_batched_gradients(row):
    check_derivatives(row, BATCHED)


@each(TWICE)
@pytest.mark.drawn
def test_forward_over_reverse(row):
    check_derivatives(row, FORWARD_OVER_REVERSE)


@each(TWICE)
def test_batched_second_derivatives(row):
    check_derivatives(row, BATCHED_TWICE)
