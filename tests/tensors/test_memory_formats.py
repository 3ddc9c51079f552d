"""``memory_format=``, and the forms of ``to``."""

import pytest

import minigrad as torch

LAST = torch.channels_last
X = torch.arange(120.).reshape(2, 3, 4, 5)


@pytest.mark.parametrize("make", [
    lambda: X.contiguous(memory_format=LAST), lambda: X.clone(memory_format=LAST), lambda: X.to(memory_format=LAST),
    lambda: X.to(torch.float64, memory_format=LAST), lambda: X.cpu(memory_format=LAST),
    lambda: X.double(memory_format=LAST), lambda: X.contiguous(memory_format=LAST).clone(),
], ids=["contiguous", "clone", "to", "cast", "cpu", "double", "preserved"])
def test_channels_last_has_its_strides_and_the_same_elements(make):
    y = make()
    assert y.stride() == (60, 1, 15, 3) and (y == X).all() and not y.is_contiguous()
    assert y.is_contiguous(memory_format=LAST)


def test_what_is_made_takes_a_format_too():
    for made in (torch.empty(2, 3, 4, 5, memory_format=LAST), torch.zeros_like(X, memory_format=LAST),
                 torch.rand_like(X, memory_format=LAST)):
        assert made.stride() == (60, 1, 15, 3)
    assert torch.ones(2, 3, 4, 5, 6).contiguous(memory_format=torch.channels_last_3d).stride() == (360, 1, 90, 18, 3)


def test_gradients_pass():
    x = torch.ones(1, 2, 2, 2, requires_grad=True)
    (x.contiguous(memory_format=LAST) * 2).sum().backward()
    assert (x.grad == 2).all()


def test_other_ranks_and_other_names_are_refused():
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        torch.ones(2, 3).contiguous(memory_format=LAST)
    with pytest.raises(TypeError, match="argument 'memory_format' must be torch.memory_format, not int"):
        X.clone(memory_format=3)


@pytest.mark.parametrize("call", [
    lambda: X.to(torch.float32, False, True), lambda: X.to("cpu", torch.float32, False, True),
    lambda: X.to(X, False, True), lambda: X.to(torch.float32, copy=True), lambda: X.to("cpu", None, False, True),
    lambda: X.to(copy=True),
])
def test_a_copy_that_is_asked_for_is_made(call):
    y = call()
    assert y is not X and y.data_ptr() != X.data_ptr() and (y == X).all()


@pytest.mark.parametrize("call", [lambda: X.to(), lambda: X.to(None), lambda: X.to("cpu", torch.float32, True, False),
                                  lambda: X.to(X, True)])
def test_what_changes_nothing_is_the_tensor_itself(call):
    assert call() is X
