"""Every operation in every mode: its sample rows pass gradcheck forward, batched, and forward over reverse.

First and second derivatives of reverse mode are measured entry by entry in test_ops.py, and test_forward_mode.py holds
forward mode, and forward over reverse, against them in random directions, to nine digits.  So here a projection of
each Jacobian is measured, and what is about batches is compared with one by one, which needs no measuring; batches of
every row are in tests/func too.  A share of the rows is drawn: of those with second derivatives another one for each
test, so that most of them meet one that measures them with each commit.
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
@pytest.mark.drawn(first=0)
def test_forward_mode(row):
    check_derivatives(row, FORWARD)


@each(DIFFERENTIABLE)
@pytest.mark.drawn(first=1)
def test_batched_gradients(row):
    check_derivatives(row, BATCHED)


@each(TWICE)
@pytest.mark.drawn(first=1)
def test_forward_over_reverse(row):
    check_derivatives(row, FORWARD_OVER_REVERSE)


@each(TWICE)
@pytest.mark.drawn(first=2)
def test_batched_second_derivatives(row):
    check_derivatives(row, BATCHED_TWICE)
