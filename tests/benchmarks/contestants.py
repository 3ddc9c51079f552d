"""The contestants, and the little that they must have in common for one source text to serve them all.

A program of the benchmark is written once, as `loss(lib, params, *data)`, with `lib.tanh`, `@`, `+` and so on, and runs
on every library.  minigrad and PyTorch need no translation between each other, that being the point of minigrad: they
share the class `TorchLike`, given one module or the other.  NumPy has no automatic differentiation; its version of each
program is written by hand, forward and backward, and is next to the program.

Every contestant turns a program into a *task*: a `step` to be timed, which computes the loss and all gradients and (for
a training task) updates the parameters by plain gradient descent, and `gradients()`, which is for checking only.
"""

import importlib
from itertools import repeat
from types import SimpleNamespace

import numpy as np


class Disagreement(Exception):
    """Two contestants do not compute the same gradients: there is nothing to time."""


class NumPy:
    """The limit: the same computation by hand.  Its program returns the loss and the list of the gradients."""

    name = "numpy"

    def task(self, by_hand, arrays, data, rate=None):
        params = [array.copy() for array in arrays]

        def step():
            _, grads = by_hand(params, *data)
            if rate is not None:
                for param, grad in zip(params, grads):
                    grad *= rate
                    param -= grad

        return SimpleNamespace(step=step, gradients=lambda: by_hand(params, *data)[1], params=lambda: params)


class TorchLike:
    """minigrad or PyTorch: one source text, because it is one interface."""

    def __init__(self, name, torch):
        self.name, self.torch = name, torch
        self.relu, self.tanh, self.sin, self.exp = torch.relu, torch.tanh, torch.sin, torch.exp
        self.softmax = torch.softmax

    def cross_entropy(self, z, labels):
        return self.torch.nn.functional.cross_entropy(z, labels)

    def leaf(self, array):
        return self.torch.tensor(array, requires_grad=True)

    def constant(self, array):
        return self.torch.tensor(array)

    @staticmethod
    def swap(x):
        """The last two dimensions exchanged."""
        return x.transpose(-1, -2)

    def task(self, loss, arrays, data, rate=None):
        torch = self.torch
        params, data = [self.leaf(a) for a in arrays], on_each(self.constant, data)

        def step():
            loss(self, params, *data).backward()
            if rate is None:
                for param in params:
                    param.grad = None
            else:
                with torch.no_grad():
                    for param in params:
                        param -= rate * param.grad
                        param.grad = None

        def gradients():
            return [g.numpy() for g in torch.autograd.grad(loss(self, params, *data), params)]

        return SimpleNamespace(step=step, gradients=gradients, params=lambda: [p.detach().numpy() for p in params])


class MyGrad:
    """MyGrad, with its guard against writes to recorded arrays off, as its documentation advises for speed."""

    name = "mygrad"

    def __init__(self, mygrad):
        from mygrad.nnet.activations import relu, softmax
        from mygrad.nnet.losses import softmax_crossentropy

        mygrad.turn_memory_guarding_off()
        self.mygrad = mygrad
        self.relu, self.tanh, self.sin, self.exp = relu, mygrad.tanh, mygrad.sin, mygrad.exp
        self.softmax, self.cross_entropy = softmax, softmax_crossentropy

    def leaf(self, array):
        return self.mygrad.tensor(array)

    def constant(self, array):
        return array

    @staticmethod
    def swap(x):
        return x.transpose(*range(x.ndim - 2), -1, -2)

    def task(self, loss, arrays, data, rate=None):
        params = [self.leaf(a) for a in arrays]

        def step():
            loss(self, params, *data).backward()
            for param in params:
                if rate is not None:
                    param.data -= rate * param.grad
                param.null_grad()

        def gradients():
            loss(self, params, *data).backward()
            grads = [p.grad for p in params]
            for param in params:
                param.null_grad()
            return grads

        return SimpleNamespace(step=step, gradients=gradients, params=lambda: [p.data for p in params])


class Autograd:
    """HIPS autograd: a function in, its gradient function out.  It has no softmax or losses; they are spelled out."""

    name = "autograd"

    def __init__(self, autograd):
        import autograd.numpy as anp

        self.autograd, self.anp = autograd, anp
        self.tanh, self.sin, self.exp = anp.tanh, anp.sin, anp.exp

    def relu(self, x):
        return self.anp.maximum(x, 0)

    def softmax(self, x, axis):
        e = self.anp.exp(x - self.anp.max(x, axis=axis, keepdims=True))
        return e / self.anp.sum(e, axis=axis, keepdims=True)

    def cross_entropy(self, z, labels):
        z = z - self.anp.max(z, axis=1, keepdims=True)
        return self.anp.mean(self.anp.log(self.anp.sum(self.anp.exp(z), axis=1)) - z[np.arange(len(labels)), labels])

    def leaf(self, array):
        """A box as `autograd.make_vjp` makes it, so that operations on it are recorded outside a function too."""
        from autograd.core import VJPNode
        from autograd.tracer import new_box

        return new_box(array, 0, VJPNode.new_root())

    def constant(self, array):
        return array

    @staticmethod
    def swap(x):
        return x.swapaxes(-1, -2)

    def task(self, loss, arrays, data, rate=None):
        params = [array.copy() for array in arrays]
        differentiate = self.autograd.value_and_grad(lambda params: loss(self, params, *data))

        def step():
            _, grads = differentiate(params)
            if rate is not None:
                for param, grad in zip(params, grads):
                    param -= rate * grad

        return SimpleNamespace(step=step, gradients=lambda: differentiate(params)[1], params=lambda: params)


MAKERS = {
    "numpy": lambda module: NumPy(),
    "minigrad": lambda module: TorchLike("minigrad", module),
    "torch": lambda module: TorchLike("torch", module),
    "mygrad": MyGrad,
    "autograd": Autograd,
}


def installed(only=None):
    """The contestants that can be imported, in the order of the table; `only` narrows them to some names.

    The others are optional; without minigrad there would be nothing to compare, so its absence is an error.
    """
    found = {}
    for name, make in MAKERS.items():
        if only is None or name in only:
            try:
                module = importlib.import_module(name)
            except ImportError:
                if name == "minigrad":
                    raise
                continue
            found[name] = make(module)
    return found


def on_each(function, data):
    """`function` on every array of `data`, which may hold lists of arrays."""
    return [[function(a) for a in item] if isinstance(item, list) else function(item) for item in data]


def require_agreement(case, results, dtype=np.float64):
    """Raise unless the contestants' lists of arrays (a dict by name) agree to the precision of `dtype`."""
    (first, expected), *others = results.items()
    rtol = 1e-9 if dtype == np.float64 else 2e-3
    for name, arrays in others:
        for number, (want, got) in enumerate(zip(expected, arrays, strict=True)):
            scale = np.abs(want).max()
            if np.shape(want) != np.shape(got) or not np.allclose(got, want, rtol=rtol, atol=rtol * scale):
                raise Disagreement(f"{case}: gradient {number} of {name} is not that of {first}")


def tasks(case, contestants, program, by_hand, arrays, data, rate=None):
    """Every contestant's task, after a check: the same gradients at the start and the same parameters after 3 steps."""
    made = {
        name: lib.task(by_hand if name == "numpy" else program, arrays, data, rate)
        for name, lib in contestants.items()
    }
    dtype = arrays[0].dtype
    require_agreement(case, {name: task.gradients() for name, task in made.items()}, dtype)
    for task in made.values():
        for _ in repeat(None, 3):
            task.step()
    require_agreement(case, {name: task.params() for name, task in made.items()}, dtype)
    return made
