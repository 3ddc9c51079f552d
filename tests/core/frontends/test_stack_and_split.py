"""What is cut and joined in C, by split, hsplit, vstack and their kin, is what their Python functions give."""

import itertools

import pytest

import minigrad
from minigrad._core.graph import Node, Tensor

TENSORS = [minigrad.ones(()), minigrad.arange(5.), minigrad.arange(6), minigrad.arange(12.).reshape(4, 3),
           minigrad.arange(12.).reshape(3, 4).t(), minigrad.ones(2, 0, 4),
           minigrad.arange(48.).reshape(2, 4, 6)[:, ::2]]
WAYS = [2, 3, 1, 0, -1, 7, True, "a", None, 1.5, 2**62, (), (1,), [1, 3], (3, 1), (-1, 9), (0, True), [2, 3], (1, 1),
        minigrad.tensor(2)]


def outcome(function, *args, **keywords):
    try:
        results = function(*args, **keywords)
    except Exception as e:
        return type(e), str(e)
    assert isinstance(results, (tuple, Tensor))
    return [(y.tolist(), tuple(y.shape), y.stride(), y._base is not None, y.dtype,
             None if y.grad_fn is None else (Node.name(y.grad_fn), {name: repr(getattr(y.grad_fn, name))
                                                                    for name in dir(type(y.grad_fn))
                                                                    if name.startswith("_saved")}))
            for y in (results if isinstance(results, tuple) else [results])]


def same(function, *args, **keywords):
    """While a mode is on, the function in Python answers."""
    in_c = outcome(function, *args, **keywords)
    with minigrad.autograd.forward_ad.dual_level():
        assert outcome(function, *args, **keywords) == in_c


@pytest.mark.parametrize("x", TENSORS, ids=str)
@pytest.mark.parametrize("name", ["split", "chunk", "tensor_split"])
def test_cut_along_any_dim(name, x):
    function = getattr(minigrad, name)
    for y in (x, x.double().requires_grad_()):
        for how, dim in itertools.product(WAYS, [(), (0,), (1,), (-1,), (5,), (True,), ("a",)]):
            if how != 2**62 or name == "split":             # nobody waits for as many pieces as that
                same(function, y, how, *dim)
        same(function, y, 2, dim=0)
        same(function, y)


@pytest.mark.parametrize("x", TENSORS, ids=str)
@pytest.mark.parametrize("name", ["hsplit", "vsplit", "dsplit"])
def test_cut_evenly(name, x):
    for y in (x, x.double().requires_grad_()):
        for how in WAYS:
            if how != 2**62:
                same(getattr(minigrad, name), y, how)
        same(getattr(minigrad, name), y, 2, 0)


@pytest.mark.parametrize("name", ["hstack", "vstack", "dstack", "column_stack"])
def test_joined(name):
    function = getattr(minigrad, name)
    several = [[x, y] for x, y in itertools.product(TENSORS, TENSORS)]
    for tensors in [*several, *map(tuple, several), [], (), [TENSORS[0]], [TENSORS[1], 1], TENSORS[3], [None],
                    [TENSORS[1].double().requires_grad_(), TENSORS[0]], 3]:
        same(function, tensors)
    same(function, TENSORS[:1], out=None)
    same(function, TENSORS[:1], wrong=1)


def test_joined_into_a_tensor_of_the_user():
    out = minigrad.zeros(2, 3)
    assert minigrad.vstack([minigrad.ones(3), minigrad.ones(3)], out=out) is out and out.tolist() == [[1] * 3] * 2


def test_a_view_of_each_piece():
    x = minigrad.arange(6.)
    for y in x.chunk(2):
        y.zero_()
    assert x.tolist() == [0] * 6
