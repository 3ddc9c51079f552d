"""contiguous, flatten, unflatten and as_strided in C give what their Python functions give."""

import itertools

import pytest

import minigrad
from minigrad._core.errors import MinigradError

TENSORS = [minigrad.ones(()), minigrad.ones(3), minigrad.ones(2, 3), minigrad.ones(2, 3).t(), minigrad.ones(2, 0, 3),
           minigrad.arange(24.).reshape(2, 3, 4), minigrad.arange(24.).reshape(2, 3, 4)[:, ::2], minigrad.ones(1, 1)]


def outcome(function, *args):
    try:
        y = function(*args)
    except MinigradError as e:
        return type(e), str(e)
    return y is args[0], tuple(y.shape), y.stride(), y.tolist(), y._base is None, y.requires_grad


@pytest.mark.parametrize("x", TENSORS, ids=str)
def test_flatten_in_c_and_in_python(x):
    for dims in [(), *itertools.product(range(-4, 4)), *itertools.product(range(-4, 4), repeat=2), (True,)]:
        assert outcome(minigrad.flatten, x, *dims) == outcome(minigrad.flatten.__wrapped__, x, *dims)


@pytest.mark.parametrize("x", TENSORS, ids=str)
def test_contiguous_in_c_and_in_python(x):
    assert outcome(minigrad.Tensor.contiguous, x) == outcome(minigrad.Tensor.contiguous.__wrapped__, x)


@pytest.mark.parametrize("x", TENSORS, ids=str)
def test_unflatten_in_c_and_in_python(x):
    for dim, sizes in itertools.product((-4, -1, 0, 1, True), [(), (1,), (3,), (1, 3), [3, 1], (3, -1), (0, 3), (2, 0),
                                                               (-3, -1), (2**62, 8, 3), (2, True), (4,), "a", 3]):
        in_c = outcome(minigrad.unflatten, x, dim, sizes)
        with minigrad.autograd.forward_ad.dual_level():         # while a mode is on, the function in Python answers
            assert outcome(minigrad.unflatten, x, dim, sizes) == in_c


@pytest.mark.parametrize("x", TENSORS, ids=str)
def test_as_strided_in_c_and_in_python(x):
    for args in itertools.product([(), (2,), (2, 1), [1]], [(), (1,), (0, 1), (-1,), "a"], [None, 0, 1, -1, 2**62]):
        assert outcome(minigrad.as_strided, x, *args) == outcome(minigrad.as_strided.__wrapped__, x, *args)
        assert (outcome(minigrad.as_strided, x, *args[:2])
                == outcome(minigrad.as_strided.__wrapped__, x, *args[:2]))


def test_gradients_flow_through_the_view():
    x = minigrad.ones(2, 3, requires_grad=True)
    y = x.flatten()
    y.backward(minigrad.arange(6.))
    assert type(y.grad_fn).__name__ == "ViewBackward0"
    assert x.grad.tolist() == [[0., 1., 2.], [3., 4., 5.]]
