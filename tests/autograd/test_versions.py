"""Versions: every write is counted, and a tensor that was saved and then written to is found out."""

import pytest

from tests.autograd.programs import leaf
from tests.checking import refuses


def test_every_write_counts(torch):
    x = torch.ones(2)
    for write in (lambda: x.add_(1), lambda: x.zero_(), lambda: x.copy_(torch.ones(2)), lambda: x[0].mul_(2),
                  lambda: x.detach().fill_(1)):
        before = x._version
        write()
        assert x._version == before + 1


def test_writes_under_no_grad_count(torch):
    x = leaf(torch, 1., 2.)
    with torch.no_grad():
        x.add_(1)
        x -= 0.5
    assert x._version == 2 and x.is_leaf and x.requires_grad and x.tolist() == [1.5, 2.5]


CHANGES = {
    "a factor": lambda torch, x, w, y: w.add_(1),
    "a view of it": lambda torch, x, w, y: w[1:].mul_(5),
    "a part that was not used": lambda torch, x, w, y: w.detach()[:0].add_(1),
    "its detached alias": lambda torch, x, w, y: w.detach().zero_(),
    "under no_grad": lambda torch, x, w, y: no_grad(torch, lambda: w.zero_()),
    "the leaf, under no_grad": lambda torch, x, w, y: no_grad(torch, lambda: x.sub_(0.1)),
}


def no_grad(torch, f):
    with torch.no_grad():
        f()


@pytest.mark.parametrize("name", CHANGES)
def test_a_saved_tensor_that_changed(torch, name):
    x, w = leaf(torch, 1., 2.), torch.tensor([3., 4.])
    y = (x * w).sin()
    z = y.sum() + (x * x).sum()
    CHANGES[name](torch, x, w, y)
    with refuses(RuntimeError, "one of the variables needed for gradient computation has been modified by an inplace "
                 "operation", "MG101"):
        z.backward()


def test_a_saved_result_that_changed(torch):
    x = leaf(torch, 1., 2.)
    y = x.exp()
    y.add_(1)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.sum().backward()
    assert x.grad is None


def test_a_saved_result_of_an_in_place_op_that_changed(torch):
    x = leaf(torch, 1., 2.)
    y = x * 1
    y.exp_()
    y.add_(1)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.sum().backward()


def test_a_product_with_itself_in_place(torch):
    x = leaf(torch, 1., 2.)
    y = x * 1
    y.mul_(y)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.sum().backward()


def test_a_disjoint_write_to_shared_memory(torch):
    """PyTorch counts versions by memory, not by element: this raises although nothing is wrong."""
    x, b = leaf(torch, 1., 2.), torch.ones(4)
    y = x * b[:2]
    b[2:].mul_(5)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.sum().backward()


def test_writes_that_nobody_minds(torch):
    x, w = leaf(torch, 1., 2.), torch.tensor([3., 4.])
    y = x + w
    w.add_(1)
    y.mul_(1)
    s = x.sum()
    s.add_(1)
    (y.sum() + s).backward()
    assert x.grad.tolist() == [2., 2.]


def test_data_goes_unnoticed(torch):
    x, w = leaf(torch, 1., 2.), torch.tensor([3., 4.])
    y = x * w
    w.data.mul_(5)
    y.sum().backward()
    assert x.grad.tolist() == [15., 20.]


def test_the_message_tells_versions(torch):
    x, w = leaf(torch, 1., 2.), torch.tensor([3., 4.])
    w.add_(1)
    y = x * w
    w.add_(1).add_(1)
    with refuses(RuntimeError, "is at version 3; expected version 1 instead", "MG101"):
        y.sum().backward()


def test_the_message_names_who_saved_what():
    import minigrad as torch

    x, w = leaf(torch, 1., 2.), leaf(torch, 3., 4.)
    inner = w * 1
    y = x * inner
    inner.add_(1)
    with refuses(RuntimeError, "MulBackward0 saved it (its argument 'other')", "MG101"):
        y.sum().backward()


def test_reading_a_saved_attribute_checks_too(torch):
    x, w = leaf(torch, 1., 2.), torch.tensor([3., 4.])
    y = x * w
    w.add_(1)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.grad_fn._saved_other


def test_optimizer_steps(torch):
    w = leaf(torch, 1., 2.)
    for step in range(3):
        w.grad = None
        (w * w).sum().backward()
        with torch.no_grad():
            w -= 0.25 * w.grad
    assert w.tolist() == [0.125, 0.25] and w._version == 3


@pytest.mark.parametrize("function", [
    lambda torch, x, w: x @ w, lambda torch, x, w: x[0] @ w, lambda torch, x, w: torch.bmm(x[None], w[None]),
    lambda torch, x, w: torch.linalg.solve(w, x.mT), lambda torch, x, w: torch.linalg.solve_triangular(
        w, x.mT, upper=True),
    lambda torch, x, w: torch.nn.functional.conv1d(x[None], w[None, :2]),
    lambda torch, x, w: torch.nn.functional.linear(x, w)],
    ids=["mm", "mv", "bmm", "solve", "solve_triangular", "conv1d", "linear"])
def test_factors_of_a_recorded_backward_pass_are_guarded(torch, function):
    """The gradient of one factor is a product with the transpose of the other, which lies in the same memory."""
    x = torch.tensor([[1., 2., 3.], [4., 5., 6.]], requires_grad=True)
    w = torch.tensor([[3., 1., 0.], [1., 4., 1.], [0.5, 1., 5.]])
    y = function(torch, x, w)
    d = torch.ones_like(y, requires_grad=True)
    dx, = torch.autograd.grad(y, x, d, create_graph=True)
    w.mul_(0.5)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        dx.sum().backward()


def test_gradients_spread_by_a_recorded_backward_pass_are_guarded(torch):
    x = torch.tensor([[1., 2., 3.], [4., 5., 6.]], requires_grad=True)
    d = torch.ones(2)
    dx, = torch.autograd.grad(x.logsumexp(1), x, d, create_graph=True)
    d.mul_(0.5)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        dx.square().sum().backward()


def test_the_factors_of_a_system_are_guarded(torch):
    LU = torch.tensor([[2., 1.], [0.5, 3.]])
    B = torch.ones(2, 2, requires_grad=True)
    X = torch.linalg.lu_solve(LU, torch.tensor([1, 2], dtype=torch.int32), B, adjoint=True)
    LU.zero_()
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        X.sum().backward()


def test_the_second_index_that_changed_is_noticed(torch):
    x = torch.ones(3, 3, requires_grad=True)
    rows, columns = torch.tensor([0, 1]), torch.tensor([1, 2])
    y = x[rows, columns]
    columns.sub_(1)
    with refuses(RuntimeError, "is at version 1; expected version 0 instead", "MG101"):
        y.sum().backward()
