"""vmap over numbers: each example is a tensor without dims, for which PyTorch takes dim 0 and -1 as if it had one.

What ``vmap`` gives is what the loop over the examples gives; and what that is, PyTorch says.
"""

import numpy as np
import pytest

import minigrad
from minigrad.func import grad, vmap

DATA = [1., 2., 3.]
DIMS = (0, -1, 1, -2, (0,), [-1], (0, -1), ())
ONE = ("sum", "mean", "amax", "amin", "logsumexp", "nansum", "nanmean", "all", "any", "count_nonzero", "squeeze",
       "prod", "argmax", "argmin", "max", "min", "median", "nanmedian", "mode", "cumsum", "cumprod", "logcumsumexp",
       "cummax", "cummin", "sort", "argsort", "softmax", "log_softmax", "unsqueeze", "unbind")
KEPT = ("sum", "mean", "amax", "logsumexp", "all", "argmax", "max", "median", "prod", "mode")


def programs():
    """name -> (torch, x) -> result; the same for every library."""
    for dim in DIMS:
        for name in ONE:
            yield f"{name} {dim}", lambda t, x, name=name, dim=dim: getattr(t, name)(x, dim)
        for name in KEPT:
            yield f"{name} {dim} kept", lambda t, x, name=name, dim=dim: getattr(t, name)(x, dim, keepdim=True)
        yield f"var {dim}", lambda t, x, dim=dim: t.var(x, dim=dim, correction=0)
        yield f"norm {dim}", lambda t, x, dim=dim: t.norm(x, 2, dim)
    for dim in (0, -1, 1):
        for name, program in AT.items():
            yield f"{name} {dim}", lambda t, x, program=program, dim=dim: program(t, x, dim)
    yield from WHOLE.items()


def zero(t):
    return t.tensor(0)


AT = {
    "gather": lambda t, x, d: t.gather(x, d, zero(t)),
    "gather one": lambda t, x, d: t.gather(x, d, t.tensor([0])),
    "gather mapped": lambda t, x, d: t.gather(x, d, (x * 0).long()),
    "gather from one": lambda t, x, d: t.gather(t.tensor(2.), d, (x * 0).long()),
    "scatter": lambda t, x, d: t.scatter(x, d, zero(t), x * 2),
    "scatter a number": lambda t, x, d: t.scatter(x, d, zero(t), 3.),
    "scatter into one": lambda t, x, d: t.scatter(t.tensor(2.), d, (x * 0).long(), x),
    "scatter_add": lambda t, x, d: t.scatter_add(x, d, zero(t), x * 2),
    "index_select": lambda t, x, d: t.index_select(x, d, t.tensor([0])),
    "index_add": lambda t, x, d: t.index_add(x, d, t.tensor([0]), x * 2),
    "index_copy": lambda t, x, d: t.index_copy(x, d, t.tensor([0]), x * 2),
    "index_fill": lambda t, x, d: t.index_fill(x, d, zero(t), 2.),
    "movedim": lambda t, x, d: t.movedim(x, d, 0),
    "movedim to": lambda t, x, d: t.movedim(x, (0,), (d,)),
    "transpose": lambda t, x, d: t.transpose(x, 0, d),
    "select": lambda t, x, d: t.select(x, d, 0),
    "narrow": lambda t, x, d: t.narrow(x, d, 0, 1),
    "split": lambda t, x, d: t.split(x, 1, d),
    "unfold": lambda t, x, d: x.unfold(d, 1, 1),
    "roll": lambda t, x, d: t.roll(x, 1, d),
    "flip": lambda t, x, d: t.flip(x, (d,)),
    "flatten": lambda t, x, d: t.flatten(x, d, -1),
    "stack": lambda t, x, d: t.stack([x, x], d),
    "cat": lambda t, x, d: t.cat([x, x], d),
    "topk": lambda t, x, d: t.topk(x, 1, d),
    "kthvalue": lambda t, x, d: t.kthvalue(x, 1, d),
    "repeat_interleave": lambda t, x, d: t.repeat_interleave(x, 2, d),
    "diff": lambda t, x, d: t.diff(x, dim=d),
    "normalize": lambda t, x, d: t.nn.functional.normalize(x, dim=d),
    "cosine_similarity": lambda t, x, d: t.nn.functional.cosine_similarity(x, x * 2, dim=d),
}

WHOLE = {
    "permute": lambda t, x: x.permute(()),
    "t": lambda t, x: x.t(),
    "roll all": lambda t, x: t.roll(x, 1),
    "flatten all": lambda t, x: x.flatten(),
    "take": lambda t, x: t.take(x, zero(t)),
    "take mapped": lambda t, x: t.take(t.arange(3.), x.long() - 1),
    "squeeze all": lambda t, x: x.squeeze(),
    "expand": lambda t, x: x.expand(2),
    "repeat": lambda t, x: x.repeat(2),
    "view": lambda t, x: x.view(1),
    "a new dim": lambda t, x: x[None].sum(0),
    "index_select mapped": lambda t, x: t.index_select(t.arange(3.), 0, x.long() - 1),
    "one_hot": lambda t, x: t.nn.functional.one_hot(x.long() - 1, 3),
}
PROGRAMS = dict(programs())


def arrays(result):
    if isinstance(result, (tuple, list)):
        return [a for x in result for a in arrays(x)]
    return [result.detach().numpy()]


def outcome(compute):
    """The arrays, or None where it is refused."""
    try:
        return compute()
    except (RuntimeError, IndexError, TypeError, ValueError):
        return None


def looped(t, program):
    return outcome(lambda: [np.stack(each) for each in zip(*[arrays(program(t, t.tensor(number))) for number in DATA])])


def agree(a, b):
    assert (a is None) == (b is None), (a, b)
    for x, y in zip(a or (), b or (), strict=True):
        assert x.dtype == y.dtype
        np.testing.assert_allclose(x, y, rtol=1e-6)


@pytest.mark.parametrize("name", PROGRAMS)
def test_vmap_is_the_loop(name):
    program = PROGRAMS[name]
    agree(outcome(lambda: arrays(vmap(lambda x: program(minigrad, x))(minigrad.tensor(DATA)))),
          looped(minigrad, program))


@pytest.mark.parametrize("name", PROGRAMS)
def test_so_are_the_gradients(name):
    def loss(x):
        result = PROGRAMS[name](minigrad, x)
        first = result[0] if isinstance(result, tuple) else result
        return (first * first).sum()

    def wanted():
        return [np.stack([grad(loss)(minigrad.tensor(number)).numpy() for number in DATA])]
    if outcome(wanted) is not None:
        agree(arrays(vmap(grad(loss))(minigrad.tensor(DATA))), wanted())


@pytest.mark.parity
@pytest.mark.parametrize("name", PROGRAMS)
def test_and_the_loop_is_pytorchs(name):
    torch = pytest.importorskip("torch")
    agree(looped(minigrad, PROGRAMS[name]), looped(torch, PROGRAMS[name]))


@pytest.mark.parametrize("name", ["gather 0", "gather one -1", "squeeze 0", "squeeze [-1]", "movedim -1"])
def test_dim_0_is_there(name):
    found = arrays(vmap(lambda x: PROGRAMS[name](minigrad, x))(minigrad.tensor(DATA)))[0]
    assert found.tolist() == ([[1.], [2.], [3.]] if "one" in name else DATA)
