"""Whatever a function of the user's returns, and whatever is given for a tensor: an error, or a result.

The core calls back into Python in some forty places.  Each of them is given each of some forty objects in all ways in
which a function can be used.  Nothing may end the process, leave a mode behind, or change a gradient that is asked for
afterwards.
"""

import warnings

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import Function, forward_ad, grad
from minigrad.autograd.graph import saved_tensors_hooks
from minigrad.func import jacfwd, jacrev, jvp, vjp, vmap
from minigrad.ops import kinds
from minigrad.utils.checkpoint import checkpoint
from tests.checking import the_table_as_it_was

func_grad = torch.func.grad
f64 = torch.float64

# ------------------------------------------------------------------------------ objects


class Index:
    def __index__(self):
        return 1


class Array(np.ndarray):
    pass


OBJECTS = {
    "None": lambda: None, "float": lambda: 2.5, "int": lambda: 1, "large": lambda: 10 ** 400, "bool": lambda: True,
    "nan": lambda: float("nan"), "str": lambda: "a", "bytes": lambda: b"a", "object": object, "index": Index,
    "error": lambda: ValueError("it"), "class": lambda: torch.Tensor, "dtype": lambda: f64, "dict": dict,
    "generator": lambda: (x for x in [tensor()]), "no list": list, "list": lambda: [tensor()],
    "two": lambda: (tensor(), tensor()), "of None": lambda: (None,), "size": lambda: torch.Size([3]),
    "array": lambda: np.ones(3), "number of NumPy": lambda: np.float64(1), "array of no dims": lambda: np.zeros(()),
    "objects": lambda: np.array([object()] * 3), "strings": lambda: np.array(["a", "b", "c"]),
    "fields": lambda: np.zeros(3, [("a", "f8")]), "dates": lambda: np.zeros(3, "M8[s]"),
    "long double": lambda: np.zeros(3, np.longdouble), "swapped": lambda: np.ones(3, ">f8"),
    "read only": lambda: np.broadcast_to(np.float64(1), (3,)), "backwards": lambda: np.arange(3.0)[::-1],
    "unaligned": lambda: np.frombuffer(bytes(25), np.uint8)[1:].view(np.float64),
    "subclass": lambda: np.ones(3).view(Array), "masked": lambda: np.ma.ones(3),
    "tensor": lambda: tensor(), "leaf": lambda: tensor().requires_grad_(), "empty": lambda: torch.ones(0),
    "without data": lambda: torch.Tensor.__new__(torch.Tensor), "of two dims": lambda: torch.ones(2, 2),
    "parameter": lambda: torch.nn.Parameter(tensor()), "integers": lambda: torch.ones(3, dtype=torch.int64),
    "mask": lambda: torch.ones(3, dtype=torch.bool), "complex": lambda: tensor() * 1j,
    "half": lambda: torch.ones(3, dtype=torch.float16), "meta": lambda: torch.ones(3, device="meta"),
}


def tensor():
    return torch.ones(3, dtype=f64)

# ------------------------------------------------------------------------------ places


def places(it):
    """Yield functions of a tensor of three numbers; each has another use for the object."""
    for where in ("forward", "backward", "jvp", "vmap"):
        yield custom(it, where)
    yield MarksAndSaves.of(it)
    for kind in ("general", "elementwise", "linear", "view"):
        yield row(kind, f"returned_by_{kind}(Tensor self)", lambda self: it, self=lambda d: d * 2)
        yield row(kind, f"gradient_of_{kind}(Tensor self)", lambda self: self * 2.0, self=lambda d: it)
        yield row(kind, f"text_of_{kind}(Tensor self)", lambda self: self * 2.0, self=lambda d: it, traceable=False)
    two = row("general", "two_of_it(Tensor self)", lambda self: (self * 1.0, it), outputs=("a", "b"),
              self=lambda ds: ds[1] if ds[0] is None else ds[0] * 2)
    yield lambda x: two(x)[0] + two(x)[1]
    for add in (lambda y: y.register_hook(lambda g: it), lambda y: y.grad_fn.register_prehook(lambda g: it),
                lambda y: y.grad_fn.register_prehook(lambda g: (it,)),
                lambda y: y.grad_fn.register_hook(lambda taken, given: it),
                lambda y: y.grad_fn.register_hook(lambda taken, given: (it,))):
        yield hooked(add)
    yield under(saved_tensors_hooks(lambda saved: it, lambda packed: packed))
    yield under(saved_tensors_hooks(lambda saved: saved, lambda packed: it))
    yield lambda x: checkpoint(lambda x: it, x, use_reentrant=False)
    yield lambda x: x.as_subclass(overriding(it)) * 2
    yield lambda x: x * it
    yield lambda x: torch.where(x > 0, x, it)
    yield lambda x: torch.cat([x, it])
    yield lambda x: x.sum(it)
    yield lambda x: x[it]
    yield lambda x: changed(x * 1, lambda y: y.__setitem__(0, it))
    yield lambda x: changed(x * 1, lambda y: y.__setitem__(it, 1))
    yield lambda x: changed(x * 1, lambda y: setattr(y, "data", it))
    yield lambda x: changed(x.detach().clone().requires_grad_(), lambda y: setattr(y, "grad", it)) * x
    yield lambda x: grad(x * 2, x, it)[0]
    yield lambda x: forward_ad.make_dual(x, it)
    yield lambda x: vjp(lambda x: x * 2, x)[1](it)[0]
    yield lambda x: jvp(lambda x: x * 2, (x,), (it,))[1]
    for transform in (vmap, func_grad, jacrev, jacfwd):
        yield transform(lambda x: it)


def custom(it, where):
    class Twice(Function):
        @staticmethod
        def forward(ctx, x):
            return it if where == "forward" else x * 2

        @staticmethod
        def backward(ctx, g):
            return it if where == "backward" else g * 2

        @staticmethod
        def jvp(ctx, t):
            return it if where == "jvp" else t * 2

        @staticmethod
        def vmap(info, dims, x):
            return it if where == "vmap" else (x * 2, 0)

    return Twice.apply


class MarksAndSaves(Function):
    @classmethod
    def of(cls, it):
        return lambda x: cls.apply(x, it)

    @staticmethod
    def forward(ctx, x, it):
        ctx.save_for_backward(it)
        ctx.save_for_forward(it)
        ctx.mark_dirty(it)
        ctx.mark_non_differentiable(it)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0], None


def row(kind, schema, kernel, **columns):
    return getattr(kinds, kind)(schema, kernel, **columns)


def hooked(add):
    def function(x):
        y = x * 2
        if y.grad_fn is not None:
            add(y)
        return y * 1
    return function


def under(hooks):
    def function(x):
        with hooks:
            return x * x
    return function


def overriding(it):
    class Overriding(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return it
    return Overriding


def changed(y, change):
    change(y)
    return y

# ------------------------------------------------------------------------------ ways


def in_dual_level(f, x):
    with forward_ad.dual_level():
        forward_ad.unpack_dual(f(forward_ad.make_dual(x.detach(), tensor())))


def in_anomaly_mode(f, x):
    with torch.autograd.detect_anomaly():
        f(x).sum().backward()


def squared(f, x):
    y = f(x)
    (y * y).exp().sum().backward()


WAYS = [
    lambda f, x: repr(f(x)), lambda f, x: f(x).sum().backward(), lambda f, x: f(f(x)).sum().backward(),
    lambda f, x: grad(f(x), x, torch.ones_like(x), create_graph=True),
    lambda f, x: grad(grad((f(x) ** 2).sum(), x, create_graph=True)[0].sum(), x),
    lambda f, x: func_grad(lambda x: f(x).sum())(x), lambda f, x: jvp(f, (x,), (tensor(),)),
    lambda f, x: vmap(f)(torch.stack([x, x])), lambda f, x: vmap(func_grad(lambda x: f(x).sum()))(torch.stack([x, x])),
    lambda f, x: f(x.clone().mul_(2)).add_(1).sum().backward(), in_dual_level, in_anomaly_mode, squared,
]


@pytest.mark.drawn
@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_in_every_place_in_every_way(name):
    with the_table_as_it_was(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, function in enumerate(places(OBJECTS[name]())):
            for way in WAYS:
                x = torch.tensor([1.0, 2.0, 3.0], dtype=f64, requires_grad=True)
                try:
                    way(function, x)
                except (SystemError, AssertionError) as fault:
                    pytest.fail(f"place {number}: {type(fault).__name__}: {fault}")
                except Exception:
                    pass
                assert torch.is_grad_enabled() and not torch.is_inference_mode_enabled()
                with forward_ad.dual_level():
                    assert grad((x * x).sum(), x)[0].tolist() == [2.0, 4.0, 6.0]
