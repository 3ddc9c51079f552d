"""Writes that read their own target again, as y.mul_(y): right where hooks keep what was saved, refused elsewhere."""

import contextlib

import pytest

import minigrad as torch
from minigrad.autograd import forward_ad, grad
from minigrad.autograd.graph import allow_mutation_on_saved_tensors, save_on_cpu, saved_tensors_hooks
from minigrad.utils.checkpoint import checkpoint
from tests.checking import refuses

X = torch.tensor([0.4, -0.9, 1.3], dtype=torch.float64)
T = torch.tensor([0.7, 0.2, -0.5], dtype=torch.float64)
#: (the write, the same out of place)
WRITES = {
    "mul": (lambda y: y.mul_(y), lambda y: y * y),
    "mul of a view": (lambda y: y.mul_(y.view(3)), lambda y: y * y),
    "div": (lambda y: y.div_(y * y), lambda y: y / (y * y)),
    "addcmul": (lambda y: y.addcmul_(y, y), lambda y: y + y * y),
    "addcdiv": (lambda y: y.addcdiv_(y, y * y + 1), lambda y: y + y / (y * y + 1)),
    "lerp": (lambda y: y.lerp_(y * 2, y), lambda y: y.lerp(y * 2, y)),
    "a part": (lambda y: y[:2].mul_(y[:2]), lambda y: torch.cat([y[:2] * y[:2], y[2:]])),
    "twice": (lambda y: y.mul_(y).mul_(y), lambda y: y ** 4),
}
KEEPING = {
    "copies": lambda: saved_tensors_hooks(lambda t: t.clone(), lambda t: t),
    "copies without history": lambda: saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t),
    "allow_mutation_on_saved_tensors": allow_mutation_on_saved_tensors,
}


def program(write):
    def function(x):
        y = x * x
        after = write(y)
        y = y if after is None or after.shape != y.shape else after
        return (y * y.sin()).sum()
    return function


def first(function, surrounding):
    x = X.clone().requires_grad_()
    with surrounding():
        return grad(function(x), x)[0]


def second(function, surrounding):
    x = X.clone().requires_grad_()
    with surrounding():
        g, = grad(function(x), x, create_graph=True)
        return grad(g, x, T)[0]


def tangent_of_gradient(function, surrounding):
    with forward_ad.dual_level(), surrounding():
        x = forward_ad.make_dual(X.clone().requires_grad_(), T)
        return forward_ad.unpack_dual(grad(function(x), x)[0]).tangent


MODES = [first, second, tangent_of_gradient]


@pytest.mark.parametrize("derive", MODES)
@pytest.mark.parametrize("keeping", KEEPING)
@pytest.mark.parametrize("name", WRITES)
def test_it_is_right_where_hooks_keep_copies(name, keeping, derive):
    write, out_of_place = WRITES[name]
    expected = derive(program(out_of_place), contextlib.nullcontext)
    assert torch.allclose(derive(program(write), KEEPING[keeping]), expected)


@pytest.mark.parametrize("derive", MODES)
@pytest.mark.parametrize("surrounding", [contextlib.nullcontext, save_on_cpu])
@pytest.mark.parametrize("run", [lambda f, x: f(x), lambda f, x: checkpoint(f, x, use_reentrant=False),
                                 lambda f, x: checkpoint(f, x, use_reentrant=False, early_stop=False)])
@pytest.mark.parametrize("name", WRITES)
def test_it_is_refused_where_nothing_keeps_the_old_value(name, run, surrounding, derive):
    function = program(WRITES[name][0])
    with refuses(RuntimeError, "has been modified by an inplace operation", "MG101"):
        derive(lambda x: run(function, x), surrounding)
