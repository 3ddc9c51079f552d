"""The short ways into a backward pass (`_core/frontends/start_backward.pyx`) do what the long way does, and refuse what
it refuses."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import reverse


class Program:
    """Two leaves, a few results; each is made anew for each way."""

    def __init__(self):
        self.x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
        self.w = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
        self.h = self.x * self.w
        self.y = self.h.sin()
        self.s = self.y.sum()
        self.constant = torch.ones(3, dtype=torch.float64)
        self.unused = torch.ones(3, requires_grad=True)
        with torch.no_grad():
            self.cut = self.x[1:]

    def grads(self):
        return [None if t.grad is None else (t.grad.tolist(), t.grad.requires_grad, t.grad._array.flags.writeable)
                for t in (self.x, self.w)]


v = torch.tensor([1.0, 0.5, -1.0], dtype=torch.float64)

BACKWARD = {
    "a scalar": lambda p: p.s.backward(),
    "a gradient": lambda p: p.y.backward(v),
    "a gradient by name": lambda p: p.y.backward(gradient=v),
    "a scalar with a gradient": lambda p: p.s.backward(torch.tensor(2.0, dtype=torch.float64)),
    "a gradient of another dtype": lambda p: p.y.backward(v.float()),
    "a gradient of zero stride": lambda p: p.y.backward(torch.tensor(2.0, dtype=torch.float64).expand(3)),
    "a gradient that requires grad": lambda p: p.y.backward(v.clone().requires_grad_()),
    "twice with retain_graph": lambda p: (p.s.backward(retain_graph=True), p.s.backward()),
    "twice without": lambda p: (p.s.backward(), p.s.backward()),
    "retain_graph is 1": lambda p: (p.s.backward(None, 1), p.s.backward()),
    "retain_graph is an array": lambda p: p.s.backward(None, np.ones(2)),
    "create_graph": lambda p: p.s.backward(create_graph=True),
    "inputs": lambda p: p.s.backward(inputs=[p.x]),
    "no inputs": lambda p: p.s.backward(inputs=[]),
    "a leaf": lambda p: p.x.backward(v),
    "a scalar leaf": lambda p: p.x.detach().sum().requires_grad_().backward(),
    "one element": lambda p: p.y[:1].backward(),
    "not a scalar": lambda p: p.y.backward(),
    "without history": lambda p: p.constant.sum().backward(),
    "a view made in no_grad": lambda p: p.cut.backward(v[1:]),
    "a gradient of another shape": lambda p: p.y.backward(v[:2]),
    "a gradient to be broadcast": lambda p: p.y.backward(v[:1]),
    "a complex gradient": lambda p: p.y.backward(v + 1j),
    "an integer gradient": lambda p: p.y.backward(torch.ones(3, dtype=torch.int64)),
    "a number": lambda p: p.s.backward(1.0),
    "an array": lambda p: p.y.backward(v.numpy()),
    "a complex scalar": lambda p: (p.s * 1j).backward(),
    "a half": lambda p: p.s.half().backward(),
    "a bfloat16": lambda p: p.s.bfloat16().backward(),
    "in no_grad": lambda p: torch.no_grad()(p.s.backward)(),
    "in inference mode": lambda p: torch.inference_mode()(p.s.backward)(),
}

GRAD = {
    "one": lambda p: torch.autograd.grad(p.s, p.x),
    "a list": lambda p: torch.autograd.grad([p.s], [p.x, p.w]),
    "a tuple": lambda p: torch.autograd.grad((p.s, p.y), (p.w,), (None, v)),
    "an input twice": lambda p: torch.autograd.grad(p.s, [p.x, p.x]),
    "not a leaf": lambda p: torch.autograd.grad(p.s, [p.h, p.x]),
    "the result itself": lambda p: torch.autograd.grad(p.s, p.s),
    "outputs twice": lambda p: torch.autograd.grad([p.s, p.s], p.x),
    "gradients": lambda p: torch.autograd.grad(p.y, p.x, v),
    "a list of gradients": lambda p: torch.autograd.grad(p.y, p.x, [v]),
    "create_graph": lambda p: torch.autograd.grad(torch.autograd.grad(p.s, p.x, create_graph=True)[0].sum(), p.w),
    "create_graph is 1": lambda p: torch.autograd.grad(p.s, p.x, create_graph=1),
    "retain_graph": lambda p: (torch.autograd.grad(p.s, p.x, retain_graph=True), torch.autograd.grad(p.s, p.x)),
    "twice without": lambda p: (torch.autograd.grad(p.s, p.x), torch.autograd.grad(p.s, p.x)),
    "retain_graph is off for create_graph": lambda p: torch.autograd.grad(p.s, p.x, create_graph=True,
                                                                          retain_graph=False),
    "unused": lambda p: torch.autograd.grad(p.s, [p.x, p.unused]),
    "unused, allowed": lambda p: torch.autograd.grad(p.s, [p.x, p.unused], allow_unused=True),
    "unused, zeros": lambda p: torch.autograd.grad(p.s, [p.x, p.unused], materialize_grads=True),
    "inputs without grad": lambda p: torch.autograd.grad(p.s, p.constant),
    "no inputs": lambda p: torch.autograd.grad(p.s, []),
    "no outputs": lambda p: torch.autograd.grad([], p.x),
    "outputs without history": lambda p: torch.autograd.grad(p.constant.sum(), p.x),
    "another number of gradients": lambda p: torch.autograd.grad([p.s, p.s], p.x, [None]),
    "not a scalar": lambda p: torch.autograd.grad(p.y, p.x),
    "a gradient of another shape": lambda p: torch.autograd.grad(p.y, p.x, v[:2]),
    "something else": lambda p: torch.autograd.grad(p.s, [p.x, "x"]),
    "a generator": lambda p: torch.autograd.grad(p.s, (t for t in (p.x, p.w))),
    "a view made in no_grad": lambda p: torch.autograd.grad(p.s, p.cut),
    "batched": lambda p: torch.autograd.grad(p.y, p.x, torch.eye(3, dtype=torch.float64), is_grads_batched=True),
}


def shown(x):
    if isinstance(x, torch.Tensor):
        return x.tolist(), x.dtype, x.requires_grad, x.is_leaf, x._version
    return [shown(y) for y in x] if isinstance(x, (tuple, list)) else x


def observed(call):
    p = Program()
    try:
        result = shown(call(p))
    except Exception as problem:
        result = type(problem), str(problem)
    return result, p.grads(), torch.is_grad_enabled()


CALLS = {**{f"backward, {name}": call for name, call in BACKWARD.items()},
         **{f"grad, {name}": call for name, call in GRAD.items()}}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_a_short_way_does_what_the_long_way_does(monkeypatch, name):
    short = observed(CALLS[name])
    for way in ("start_backward", "start_grad"):
        monkeypatch.setattr(reverse, way, lambda *arguments: None)
    assert short == observed(CALLS[name])


@pytest.mark.parametrize("name, call", [("start_backward", BACKWARD["a scalar"]),
                                        ("start_backward", BACKWARD["a gradient"]),
                                        ("start_grad", GRAD["a list"]), ("start_grad", GRAD["create_graph"])])
def test_the_usual_calls_go_a_short_way(monkeypatch, name, call):
    """Without this the test above would compare the long way with itself."""
    taken, way = [], getattr(reverse, name)
    monkeypatch.setattr(reverse, name, lambda *arguments: taken.append(way(*arguments)) or taken[-1])
    call(Program())
    assert taken and None not in taken


# ------------------------------------------------------------------------------ gradients of zero stride

SPREAD = {
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "sum over a dim": lambda x: x.sum(0).sum(),
    "sum of a sum": lambda x: (x + 0).sum(),
    "expand": lambda x: x.expand(4, 2, 3).sum(),
}


@pytest.mark.parametrize("name", SPREAD)
def test_a_spread_gradient_becomes_a_grad_that_can_be_written_to(torch, name):
    x = torch.ones(2, 3, requires_grad=True)
    SPREAD[name](x).backward()
    assert x.grad.is_contiguous() and x.grad.stride() == (3, 1)
    x.grad[0, 0] = 7.0
    assert x.grad[0, 0] == 7.0 and x.grad[0, 1] != 7.0
    before = x.grad.data_ptr()
    SPREAD[name](x).backward()
    assert x.grad.data_ptr() == before


def test_two_leaves_do_not_share_a_spread_gradient(torch):
    x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    (x + y).sum().backward()
    x.grad.zero_()
    assert y.grad.tolist() == [1.0, 1.0, 1.0]


def test_a_spread_gradient_stays_one_number_on_its_way(torch):
    strides = []
    x = torch.ones(100, 100, requires_grad=True)
    h = x * 2
    h.register_hook(lambda g: strides.append(g.stride()))
    (h + 1).sum().backward()
    assert strides == [(0, 0)] and x.grad.stride() == (100, 1) and bool((x.grad == 2).all())


def test_sums_of_spread_gradients_do_not_write_into_one_number(torch):
    x = torch.ones(2, 3, requires_grad=True)
    h = x * 2
    (h.sum() + h.mean() + (h + h).sum()).backward()
    assert torch.allclose(x.grad, torch.full((2, 3), 6 + 2 / 6))
