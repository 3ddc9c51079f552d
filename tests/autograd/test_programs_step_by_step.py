"""Random programs, run on minigrad and on PyTorch: after every step both must have the same values, flags and
gradients.

A program draws tensors from a pool, of several shapes and dtypes, and does to them what users do: operations
of one and two arguments, custom Functions, in-place writes, detach, no_grad, hooks, retained gradients,
backward and grad with and without create_graph, and it goes on where something was refused.  What is not
drawn: writes through views, which have a test file of their own.
"""

import random
import warnings

import numpy as np
import pytest

import minigrad

PROGRAMS, STEPS, AT_ONCE = 400, 25, 20
SHAPES = [(), (3,), (2, 3), (1, 3), (2, 1), (3, 3)]
DTYPES = ["float64", "float64", "float32", "complex128"]


# ------------------------------------------------------------------------------ what a program can do

def is_real(a):
    return not a.dtype.is_complex


def no_grad(torch, f):
    with torch.no_grad():
        return f()


UNARY = {
    "sin": lambda t, a: a.sin(),
    "exp": lambda t, a: (a * 0.3).exp(),
    "tanh": lambda t, a: a.tanh(),
    "negative": lambda t, a: -a,
    "square": lambda t, a: a * a,
    "sum": lambda t, a: a.sum(),
    "sum of columns": lambda t, a: a.sum(0) if a.ndim else a.sum(),
    "mean": lambda t, a: a.mean(-1, keepdim=True) if a.ndim else a.mean(),
    "transpose": lambda t, a: a.t() if a.ndim == 2 else a.reshape(-1),
    "expand": lambda t, a: a.expand(3, *a.shape) if a.ndim < 2 else a.unsqueeze(0)[0],
    "power": lambda t, a: a ** 2,
    "1 - a": lambda t, a: 1 - a,
    "1 / a": lambda t, a: 1 / (a * a + 2),
    "detach": lambda t, a: a.detach(),
    "clone": lambda t, a: a.clone(),
    "real part": lambda t, a: a.abs() if is_real(a) else a.real,
    "double": lambda t, a: a.to(t.float64) if is_real(a) else a * (1 + 1j),
    "first": lambda t, a: a[0] if a.ndim else a * 1,
    "slice": lambda t, a: a[..., :2] if a.ndim and a.shape[-1] > 2 else a * 2,
    "cumsum": lambda t, a: a.cumsum(0) if a.ndim else a * 3,
    "unbind": lambda t, a: a.unbind(0)[-1] if a.ndim else a + 1,
    "max": lambda t, a: a.max(0).values if a.ndim and is_real(a) else a * 1,
    "sort": lambda t, a: a.sort(0)[0] if a.ndim and is_real(a) else a * 1,
    "softmax": lambda t, a: a.softmax(-1) if a.ndim and is_real(a) else a * 1,
    "flip": lambda t, a: a.flip(0) if a.ndim else a * 1,
    "where": lambda t, a: t.where(a > 0 if is_real(a) else a.real > 0, a, a * 0.5),
    "under no_grad": lambda t, a: no_grad(t, lambda: a * 2),
}
BINARY = {
    "+": lambda t, a, b: a + b,
    "-": lambda t, a, b: a - b,
    "*": lambda t, a, b: a * b,
    "/": lambda t, a, b: a / (b * b + 3),
    "@": lambda t, a, b: a @ b if a.ndim == b.ndim == 2 and a.dtype is b.dtype else a + b,
    "stack": lambda t, a, b: t.stack([a, b]) if a.shape == b.shape and a.dtype is b.dtype else a * b,
    "cat": lambda t, a, b: t.cat([a, b]) if a.ndim and a.shape == b.shape and a.dtype is b.dtype else a * b,
    "maximum": lambda t, a, b: t.maximum(a, b) if is_real(a) and is_real(b) else a * b,
    "alpha": lambda t, a, b: t.add(a, b, alpha=2),
    "complex": lambda t, a, b: t.complex(a, b) if a.dtype is b.dtype and is_real(a) and a.shape == b.shape else a - b,
}
WRITES = {
    "add_": lambda t, a, b: a.add_(b),
    "mul_": lambda t, a, b: a.mul_(b),
    "sub_": lambda t, a, b: a.sub_(b),
    "div_": lambda t, a, b: a.div_(b * b + 2),
    "exp_": lambda t, a, b: a.mul_(0.3).exp_(),
    "copy_": lambda t, a, b: a.copy_(b),
    "zero_": lambda t, a, b: a.zero_(),
    "sin_": lambda t, a, b: a.sin_(),
    "neg_": lambda t, a, b: a.neg_(),
    "pow_": lambda t, a, b: a.pow_(2),
    "+=": lambda t, a, b: a.__iadd__(b),
    "under no_grad": lambda t, a, b: no_grad(t, lambda: a.mul_(1.5)),
    "through .data": lambda t, a, b: a.data.mul_(1.0),
}


def product_and_sum(torch):
    def fitted(g, x):
        return g if x.dtype.is_complex else g.real

    class ProductAndSum(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b, a + b

        @staticmethod
        def backward(ctx, g, h):
            a, b = ctx.saved_tensors
            return fitted(g * b + h, a), fitted(g * a + h, b)

    return ProductAndSum.apply


# ------------------------------------------------------------------------------ running one

class Program:
    """One random program; the same seed draws the same steps, as long as the results are the same."""

    def __init__(self, torch, seed):
        self.torch = torch
        self.draw = random.Random(seed)
        self.function = product_and_sum(torch)
        self.leaves = [self.leaf(i < 3) for i in range(4)]
        self.pool = list(self.leaves)

    def leaf(self, requires_grad):
        shape, dtype = self.draw.choice(SHAPES), getattr(self.torch, self.draw.choice(DTYPES))
        values = [self.draw.uniform(-1, 1) for _ in range(int(np.prod(shape)))]
        if dtype.is_complex:
            values = [complex(v, self.draw.uniform(-1, 1)) for v in values]
        return self.torch.tensor(values, dtype=dtype).reshape(shape).clone().requires_grad_(requires_grad)

    def partner(self, a):
        for _ in range(6):
            b = self.draw.choice(self.pool)
            try:
                np.broadcast_shapes(tuple(a.shape), tuple(b.shape))
                break
            except ValueError:
                pass
        return b

    def compute(self, log):
        if self.draw.random() < 0.55:
            name = self.draw.choice(list(UNARY))
            result = UNARY[name](self.torch, self.draw.choice(self.pool))
        else:
            name = self.draw.choice([*BINARY, "function 0", "function 1"])
            a = self.draw.choice(self.pool)
            b = self.partner(a)
            result = self.function(a, b)[int(name[-1])] if name.startswith("function") else BINARY[name](self.torch, a,
                                                                                                         b)
        if result.numel() <= 200 and result.ndim <= 4:
            self.pool.append(result)
        log.append((name, seen(result)))

    def write(self, log):
        name = self.draw.choice(list(WRITES))
        a = self.draw.choice(self.pool)
        b = self.partner(a)
        if not a._is_view() and not any([p._base is a for p in self.pool]):
            log.append((name, seen(WRITES[name](self.torch, a, b))))

    def observe(self, log):
        a = self.draw.choice(self.pool)
        factor, retain = self.draw.choice([2., 0.5]), self.draw.random() < 0.6
        if a.requires_grad:
            if retain:
                a.retain_grad()
            else:
                a.register_hook(lambda g: g * factor)

    def differentiate(self, log):
        y = self.draw.choice(self.pool)
        how, retain = self.draw.choice(["backward", "grad", "create_graph"]), self.draw.random() < 0.6
        inputs = [p for p in self.draw.sample(self.pool, 3) if p.requires_grad]
        if not y.requires_grad:
            return
        loss = y.sum() if is_real(y) else y.real.sum()
        if how == "backward":
            loss.backward(retain_graph=retain)
        elif inputs:
            gradients = self.torch.autograd.grad(loss, inputs, allow_unused=True, create_graph=how == "create_graph",
                                                 retain_graph=retain)
            log += [(how, None if g is None else seen(g)[:3]) for g in gradients]
            self.pool += [g * 1 for g in gradients if g is not None and g.numel() <= 200]

    def run(self):
        log = []
        for _ in range(STEPS):
            step = self.draw.choices([self.compute, self.write, self.observe, self.differentiate], [72, 12, 6, 10])[0]
            try:
                step(log)
            except RuntimeError as e:
                log.append((step.__name__, str(e)))
            log += [("grad", seen(t.grad)[:3]) for t in self.leaves if t.grad is not None]
        return log


def seen(t):
    """The values, and all that a user can ask."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.array(t.detach().resolve_conj().numpy()), tuple(t.shape), str(
            t.dtype), t.requires_grad, t.is_leaf, t._version


def same(mine, yours):
    if isinstance(mine, str) or isinstance(yours, str) or mine is None or yours is None:
        return isinstance(mine, str) == isinstance(yours, str) and (mine is None) == (yours is None)
    # float32 results may be part of a float64 one
    tolerance = 3e-4 if mine[0].dtype in (np.float32, np.complex64) else 1e-6
    return mine[1:] == yours[1:] and np.allclose(mine[0], yours[0], rtol=tolerance, atol=tolerance, equal_nan=True)


def refused_by_pytorch_alone(mine, yours):
    """PyTorch unpacks everything that a node saved; we unpack what the needed formulas name, and save less to begin
    with."""
    return (isinstance(yours, str) and not isinstance(mine, str)
            and ("modified by an inplace operation" in yours or "a second time" in yours))


@pytest.mark.parity
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("start", range(0, PROGRAMS, AT_ONCE))
def test_programs_agree(start):
    torch = pytest.importorskip("torch")
    with np.errstate(all="ignore"):
        for seed in range(start, start + AT_ONCE):
            ours, theirs = Program(minigrad, seed).run(), Program(torch, seed).run()
            for i, ((name, mine), (_, yours)) in enumerate(zip(ours, theirs)):
                if refused_by_pytorch_alone(mine, yours):
                    break
                assert same(mine, yours), (f"program {seed}, entry {i} ({name}), after {[n for n, _ in ours[:i]]}:\n"
                                           f"minigrad {mine}\nPyTorch  {yours}")
            else:
                assert len(ours) == len(theirs)


@pytest.mark.filterwarnings("ignore")
def test_programs_do_things():
    """They would agree, too, if nothing ever worked."""
    names = {}
    with np.errstate(all="ignore"):
        for seed in range(100):
            for name, entry in Program(minigrad, seed).run():
                names.setdefault(name, []).append(not isinstance(entry, str))
    wanted = {*UNARY, *BINARY, *WRITES, "function 0", "function 1", "grad", "create_graph"}
    assert wanted <= set(names) and all([any(names[name]) for name in wanted]) and sum(map(len, names.values())) > 3000


def test_a_planted_difference_is_found(monkeypatch):
    reference = Program(minigrad, 3).run()
    monkeypatch.setitem(UNARY, "sin", lambda t, a: a.sin() * 1.001)
    changed = [Program(minigrad, seed).run() for seed in range(10)]
    monkeypatch.undo()
    assert any([any([not same(a[1], b[1]) for a, b in zip(run, Program(minigrad, seed).run())])
                for seed, run in enumerate(changed)])
    assert all([same(a[1], b[1]) for a, b in zip(reference, Program(minigrad, 3).run())])
