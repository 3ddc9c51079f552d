"""What fft and its kin are made of in C is what their Python functions make; passes, in threads too, are right."""

import itertools

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import Node, Tensor
from tests.checking import refuses

ONE_DIM = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL_DIMS = [name + many for name in ONE_DIM for many in ("2", "n")]
TENSORS = [minigrad.ones(()), minigrad.arange(5.), minigrad.arange(4), minigrad.arange(6.).half(),
           minigrad.arange(12., dtype=minigrad.float64).reshape(3, 4).t(),
           minigrad.arange(12.).reshape(3, 4) * (1 + 2j),
           minigrad.arange(48.).reshape(2, 4, 6)[:, ::2], minigrad.ones(2, 0), minigrad.ones(0, 2),
           minigrad.ones(3, 1)]
ARGUMENTS = [(n, *dim, *norm) for n, dim, norm in itertools.product(
    [None, 3, 1, 0, -1, 7, True, 2.], [(), (0,), (-1,), (1,), (5,), (None,), (True,), ((0,),), ("a",)],
    [(), ("ortho",)])] + [(None, -1, norm) for norm in (None, "backward", "forward", "no", 1)]
MANY = [(s, *dim) for s, dim in itertools.product(
    [None, (), (3,), [2, 5], (2, -1), (-1, 3), (0, 2), (2, 2, 2), 3, (True, 2), "a"],
    [(), (0,), (None,), ((0, 1),), ([1, 0],), ((-1,),), ((0, 0),), ((0, 5),), ((),), ("a",)])] + [
    (None, (0, 1), norm) for norm in (None, "ortho", "forward", "no", 1)]


def outcome(function, *args, **keywords):
    try:
        y = function(*args, **keywords)
    except Exception as e:
        return type(e), str(e)
    assert isinstance(y, Tensor)
    return y.tolist(), tuple(y.shape), y.stride(), y.dtype, None if y.grad_fn is None else (
        Node.name(y.grad_fn), {name: repr(getattr(y.grad_fn, name)) for name in dir(type(y.grad_fn))
                               if name.startswith("_saved")})


def same(function, *args, **keywords):
    """While a mode is on, the function in Python answers."""
    in_c = outcome(function, *args, **keywords)
    with minigrad.autograd.forward_ad.dual_level():
        assert str(outcome(function, *args, **keywords)) == str(in_c)       # nan is not itself


def each_with_and_without_grad(x):
    yield x
    if x.dtype.is_floating_point or x.dtype.is_complex:
        yield (x * 1).requires_grad_()


@pytest.mark.parametrize("name", ONE_DIM)
def test_over_one_dim(name):
    function = getattr(minigrad.fft, name)
    for x in TENSORS:
        for y in each_with_and_without_grad(x):
            for args in ARGUMENTS:
                same(function, y, *args)
            for keywords in ({"n": 3}, {"dim": 0}, {"norm": "ortho", "n": 2}, {"s": 3}, {"dim": 0, "input": y}):
                same(function, y, **keywords)
    same(function, TENSORS[1], 3, n=3)
    same(function, input=TENSORS[1])
    same(function, [1., 2.])
    same(function)


@pytest.mark.parametrize("name", SEVERAL_DIMS)
def test_over_several_dims(name):
    function = getattr(minigrad.fft, name)
    for x in TENSORS:
        for y in each_with_and_without_grad(x):
            for args in MANY:
                same(function, y, *args)
            for keywords in ({"s": [3]}, {"dim": 0}, {"dim": (1, 0), "norm": "ortho"}, {"n": 3}):
                same(function, y, **keywords)


@pytest.mark.parametrize("threads", [1, 2])
def test_large_ones_are_what_numpy_computes(threads):
    before = minigrad.get_num_threads()
    minigrad.set_num_threads(threads)
    try:
        for shape, axis in (((60, 7, 50), 0), ((60, 7, 50), 1), ((50, 420), -1), ((30000,), 0)):
            x = np.random.default_rng(0).standard_normal(shape)
            z = (x + 1j * x[::-1])[..., ::-1]
            for name, array in (("rfft", x), ("fft", x), ("ifft", z), ("irfft", z)):
                ours = getattr(minigrad.fft, name)(minigrad.from_numpy(array.copy()), dim=axis)
                assert np.allclose(ours.numpy(), getattr(np.fft, name)(array, axis=axis))
            assert np.allclose(minigrad.fft.fftn(minigrad.from_numpy(z.copy())).numpy(), np.fft.fftn(z))
    finally:
        minigrad.set_num_threads(before)


def test_numbers_that_count_twice_stay_infinite():
    x = minigrad.zeros(4, dtype=minigrad.float64, requires_grad=True)
    half = minigrad.fft.rfft(x)
    d = minigrad.tensor([0, float("inf"), 0], dtype=minigrad.complex128)
    assert minigrad.autograd.grad(half, x, d)[0][0].item() == float("inf")


@pytest.mark.parametrize("transform", ["fft", "rfft", "fft2", "rfftn"])
def test_an_argument_too_many_is_refused(torch, transform):
    with refuses(TypeError, "takes from 1 to 4 positional arguments but 5 were given", "MG205"):
        getattr(torch.fft, transform)(torch.ones(3, 3), None, -1, None, None)
