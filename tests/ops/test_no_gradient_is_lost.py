"""No gradient is silently lost, whichever argument it would have to go to.

Every sample of every operation (see sampling.py) is called again and again, each time with one of its arguments as
the only tensor that requires grad: its tensors, also those that other tests hold constant (weights, targets), its
numbers, as tensors without dims, and the numbers that it would have by default.  Then either the gradient is that of
finite differences; or the call is refused, by an error that names the argument.  The same with ``func.grad``, with
``func.jvp`` and with dual numbers, and for the in-place forms.

An operation without a formula for an argument, or one that reads a number out of a tensor, fails here, as will any
that is added: each has samples, which test_ops.py checks.
"""

import contextlib
import inspect
import warnings

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import Tensor, wrap
from minigrad.autograd import forward_ad
from minigrad.func import grad, jvp
from minigrad.ops import exports
from tests.ops.samples import ROWS
from tests.ops.sampling import arrays_of, replace
from tests.ops.test_ops import call, flat, place

STEP = 1e-6


# ------------------------------------------------------------------------------ which arguments


def function_of(row):
    """The function that a sample calls; None for what is found elsewhere (linalg, properties)."""
    name = row.name
    return {"row": exports.ROWS, "method": exports.METHODS, "nn.functional": {**vars(minigrad.nn.functional)}}.get(
        place(row), exports.REGISTRY).get(name)


def names_of(row):
    """The parameters of the function of a row, as far as Python can tell."""
    function = function_of(row)
    if function is None:
        return {}
    return dict(inspect.signature(getattr(function, "__wrapped__", function)).parameters)


def sites(row, args, kwargs):
    """(name, how to put a tensor there, the array to be put) for each argument that could be a tensor that requires
    grad."""
    parameters = names_of(row)
    order = list(parameters)
    for i, x in enumerate(args):
        name = (order[i] if i < len(order) and parameters[order[i]].kind is not inspect.Parameter.VAR_POSITIONAL
                else None)
        yield from inside(name, x, lambda y, i=i: ([*args[:i], y, *args[i + 1:]], kwargs))
    for name, x in kwargs.items():
        yield from inside(name, x, lambda y, name=name: (args, {**kwargs, name: y}))
    for name in order[len(args):]:
        default = parameters[name].default
        if (name not in kwargs and type(default) in (int, float)
            and parameters[name].kind is not inspect.Parameter.POSITIONAL_ONLY):
            yield name, lambda y, name=name: (args, {**kwargs, name: y}), np.asarray(default, np.float64)


def inside(name, x, put):
    if isinstance(x, np.ndarray):
        if x.dtype.kind in "fc":
            yield name, put, x
    elif isinstance(x, (list, tuple)):
        for i, y in enumerate(x):
            yield from inside(name, y, lambda z, i=i: put(type(x)([*x[:i], z, *x[i + 1:]])))
    elif type(x) in (int, float):
        yield name, put, np.asarray(x, np.float64)


# ------------------------------------------------------------------------------ what becomes of a gradient


def tensors(x):
    return replace(x, lambda array: wrap(array.copy()))


def weighted_sum(result):
    """A real number made of all floating outputs, which moves with each of their elements; None where there is none."""
    total = None
    for k, x in enumerate(flat(result)):
        if not isinstance(x, Tensor) or x.dtype.category < 2:
            continue
        weights = 1 + np.cos(np.arange(x.numel()) + k).reshape(tuple(x.shape))
        real = [x.real, x.imag] if x.dtype.is_complex else [x]
        for part in real:
            term = (part.to(minigrad.float64) * wrap(weights)).sum()
            total = term if total is None else total + term
    return total


def finite_difference(function, array, step=STEP):
    """The derivative of ``function`` along all elements of ``array`` together;
    where it jumps, it depends on the step."""
    with minigrad.no_grad():
        ahead, behind = function(wrap(array + step)), function(wrap(array - step))
    return (ahead - behind).item() / (2 * step)


def by_backward(function, array):
    x = wrap(array.copy(), True)
    out = function(x)
    if not out.requires_grad:
        return 0.0
    d, = minigrad.autograd.grad(out, x, allow_unused=True)
    return 0.0 if d is None else d.real.sum().item() if d.dtype.is_complex else d.sum().item()


def by_func_grad(function, array):
    d = grad(function)(wrap(array.copy()))
    return (d.real if d.dtype.is_complex else d).sum().item()


def by_func_jvp(function, array):
    return jvp(function, (wrap(array.copy()),), (wrap(np.ones_like(array)),))[1].item()


def by_dual_numbers(function, array):
    with forward_ad.dual_level():
        out = function(forward_ad.make_dual(wrap(array.copy()), wrap(np.ones_like(array))))
        tangent = forward_ad.unpack_dual(out).tangent
        return 0.0 if tangent is None else tangent.item()


MODES = {"backward": by_backward, "func.grad": by_func_grad, "func.jvp": by_func_jvp, "dual": by_dual_numbers}


def losses(row, call_it):
    """(mode, argument, what is wrong) for every gradient of a row's samples that is lost or wrong."""
    for each in row.cases:
        args, kwargs, _ = arrays_of(row, each, "float64")
        for name, put, array in sites(row, args, kwargs):
            function = function_with(put, call_it)
            for mode, derivative in MODES.items():
                wrong = verdict(function, derivative, name, array)
                if wrong:
                    yield f"{mode} of {row}({each}) in {name}: {wrong}"


def function_with(put, call_it):
    def function(x):
        args, kwargs = put(x)
        minigrad.manual_seed(0)
        out = weighted_sum(call_it([tensors(y) for y in args], {k: tensors(y) for k, y in kwargs.items()}))
        return minigrad.zeros((), dtype=minigrad.float64) if out is None else out
    return function


def verdict(function, derivative, name, array):
    """None, or what is wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = derivative(function, array)
        except Exception as refused:
            if not str(getattr(refused, "code", "")).startswith("MG"):
                return f"not from the catalogue: {refused!r}"
            if (name in (None, "input", "self") or name in str(refused) or isinstance(refused, TypeError)
                or refused.code == "MG117"):
                return None             # a transform has its own reasons not to write
            with contextlib.suppress(Exception), minigrad.no_grad():
                function(wrap(array))
                return f"the error does not name it: {refused}"
            return None
        with contextlib.suppress(Exception):        # a number that may be no tensor, or no fraction
            expected, again = finite_difference(function, array), finite_difference(function, array, STEP / 2)
            if (np.isclose(expected, again, rtol=1e-3, atol=1e-4)
                and not np.isclose(found, expected, rtol=1e-4, atol=1e-5)):
                return f"{found}, and not {expected}"
    return None


# ------------------------------------------------------------------------------ every argument


SAMPLES = [row for row in ROWS if not row.kink]


@pytest.mark.parametrize("row", SAMPLES, ids=str)
def test_no_gradient_is_lost(row):
    wrong = list(losses(row, lambda args, kwargs: call(minigrad, row, args, kwargs)))
    assert not wrong, "\n".join(wrong)


def in_place(row):
    """The in-place form of what a sample calls, on a copy of its first argument."""
    def write(args, kwargs):
        return getattr(args[0].clone(), row.name + "_")(*args[1:], **kwargs)
    return write


@pytest.mark.parametrize("row", [row for row in SAMPLES if row.inplace and place(row) != "row" and row.name
                                 + "_" in {**exports.METHODS, **exports.INPLACE}], ids=str)
def test_no_gradient_is_lost_in_place(row):
    wrong = list(losses(row, in_place(row)))
    assert not wrong, "\n".join(wrong)
