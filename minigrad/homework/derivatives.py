"""Derivatives of a submission against measured ones.

The submission's derivative is wrapped in a `Function` of the judge, whose backward asks the submission, and which
`gradcheck` checks like any other: it measures the derivative of the judge's own forward pass at the same point, and
knows the usual mistakes by their fingerprints (a factor, a sign, a transpose, a missing sum).  So no assignment needs
an answer key, and the submission's process never holds one.
"""

import re

import numpy as np

import minigrad
from minigrad.autograd import Function, gradcheck
from minigrad.autograd.gradcheck import GradcheckError
from minigrad.homework.spec import Wrong

__all__ = ["check_at", "check_digits", "check_pullback", "check_pushforward", "check_tangent_digits", "directional",
           "same"]

UNEXPLAINED = "it differs from the measured derivative, and none of the usual mistakes explains how"
EXTREME = ("it is not right for entries that are large, or differ by many powers of ten, where steps and fits fail: "
           "the derivative is an exact formula")
#: the most that the errors of a derivative are, in units of the last digit: a formula makes one to three of them
UNITS = 6
ROUNDED = ("{} loses digits: its errors are {:,.0f} units of the last digit, where a formula makes one to three, and "
           "differences of close numbers, such as finite differences, make more")
IMPRECISE = ("it is right to few digits only, as a finite difference is: the derivative is an exact formula")


def arrays_of(answer, inputs, names, what):
    """The answer as one array for each input, of its shape and kind; raises `Wrong`."""
    answer = answer if isinstance(answer, list) else [answer]
    if len(answer) != len(inputs):
        raise Wrong(f"it returns {len(answer)} {what}s for {len(inputs)} inputs")
    shapes = [getattr(each, "shape", None) for each in answer]
    if len(shapes) == 2 and shapes[0] != shapes[1] and shapes == [inputs[1].shape, inputs[0].shape]:
        raise Wrong(f"the {what}s of {names[0]} and {names[1]} are swapped: each has the shape of the other")
    return [fitting(each, x, f"the {what} of {name}", f"{name} has")
            for each, x, name in zip(answer, inputs, names)]


def fitting(array, like, what, other):
    """The array, if it has the shape and the kind of ``like``; raises `Wrong`."""
    if isinstance(array, (int, float)):
        array = np.array(float(array))
    if not isinstance(array, np.ndarray):
        found = "None" if array is None else f"{array!r}" if not isinstance(array, (str, list, dict)) else type(
            array).__name__
        raise Wrong(f"{what} is {found}, not an array")
    if array.shape != like.shape:
        broadcast = array.ndim > like.ndim or array.ndim == like.ndim and array.size > like.size
        hint = (": a reduction is missing, the sum over the axes along which the input was broadcast" if broadcast
                else ": a transpose?" if array.shape == like.shape[::-1] else "")
        raise Wrong(f"{what} has shape {list(array.shape)}, where {other} {list(like.shape)}{hint}")
    if array.dtype.kind == "c" and like.dtype.kind != "c":
        raise Wrong(f"{what} is complex, where {other} real numbers")
    return array


def same(found, wanted, what, tolerance=1e-9):
    """Raise `Wrong` unless these are the same numbers, of the same shape."""
    wanted = np.asarray(wanted)
    if isinstance(found, list) and all([isinstance(each, (int, float)) for each in found]):
        found = np.array(found, float)
    found = fitting(found, wanted, what, "it must have shape")
    if not np.isfinite(found).all() and np.isfinite(wanted).all():
        raise Wrong(f"{what} has nan or inf in it")
    if not np.allclose(found, wanted, tolerance, tolerance * max(1, np.abs(wanted).max(initial=0))):
        ratio = np.vdot(wanted, found) / max(np.vdot(wanted, wanted).real, 1e-300)
        near = np.allclose(found, ratio * wanted, 1e-6, 1e-9)
        hint = f": every entry is {np.real(ratio):.4g} times what it should be" if near and found.any() else ""
        raise Wrong(f"{what} is not right{hint}")


def explained(failure, names):
    """The cause that gradcheck found, in the words of the assignment, without the numbers of the point."""
    report = str(failure).removesuffix("[MG501]")
    number = re.search(r"input (\d+)", report)
    cause = re.search(r"likely cause  (.*?)(?=\n  \w|\Z)", report, re.DOTALL)
    of = f" of {names[int(number[1])]}" if number and int(number[1]) < len(names) else ""
    return of, " ".join(cause[1].split()) if cause else UNEXPLAINED


def leaves(inputs):
    """The arrays as tensors that require grad; integers as they are."""
    return [minigrad.tensor(x).requires_grad_() if x.dtype.kind in "fc" else minigrad.tensor(x) for x in inputs]


def check_pullback(forward, pull, inputs, names):
    """Hold ``pull(d, inputs)``, one gradient for each floating input, against the measured derivative.

    Parameters
    ----------
    forward : callable
        Takes tensors and returns a tensor: the judge's own operation.
    pull : callable
        ``pull(d, inputs)`` returns what the submission answers, on arrays.
    inputs : list of numpy.ndarray
    names : list of str
        What the floating inputs are called in a reason.

    Raises
    ------
    Wrong
        With the cause.
    """
    floating = [x for x in inputs if x.dtype.kind in "fc"]

    class Asked(Function):
        @staticmethod
        def forward(ctx, *tensors):
            ctx.save_for_backward(*tensors)
            return forward(*tensors)

        @staticmethod
        def backward(ctx, d):
            arrays = [x.detach().numpy() for x in ctx.saved_tensors]
            found = arrays_of(pull(d.detach().numpy(), arrays), floating, names, "gradient")
            found = iter([minigrad.tensor(np.asarray(g, x.dtype)) for g, x in zip(found, floating)])
            return tuple([next(found) if x.dtype.kind in "fc" else None for x in arrays])

    tensors = leaves(inputs)
    value = forward(*tensors).detach().numpy()
    random = np.random.default_rng()
    v = drawn(random, value.shape, value.dtype)
    gradients = arrays_of(pull(v, [x.detach().numpy() for x in tensors]), floating, names, "gradient")
    refuse_swapped(forward, tensors, v, gradients, names)
    try:
        gradcheck(Asked.apply, tuple(tensors))
    except GradcheckError as failure:
        of, cause = explained(failure, names)
        raise Wrong(f"the gradient{of}: {cause}") from None
    us = [drawn(random, x.shape, x.dtype) for x in floating]
    measured = directional(forward, inputs, us, v)
    computed = sum([np.vdot(g, u).real for g, u in zip(gradients, us)])
    scale = sum([np.abs(g * u).sum() for g, u in zip(gradients, us)]) + np.abs(value * v).sum()
    if abs(measured - computed) > 1e-11 * scale:
        raise Wrong(f"the gradient: {IMPRECISE}")


def refuse_swapped(forward, tensors, d, found, names):
    """Raise `Wrong` if two gradients are right, each where the other should be."""
    if len(found) != 2:
        return
    floating = [x for x in tensors if x.requires_grad]
    wanted = [g.numpy() for g in minigrad.autograd.grad(forward(*tensors), floating, minigrad.tensor(d))]
    if not np.allclose(found[0], wanted[0]) and all([
            g.shape == w.shape and np.allclose(g, w) for g, w in zip(found, reversed(wanted))]):
        raise Wrong(f"the gradients of {names[0]} and {names[1]} are swapped: return them in the order of the inputs")


def check_at(forward, pull, inputs, names):
    """Hold ``pull(d, inputs)`` against the derivative that minigrad computes for these inputs; raises `Wrong`."""
    tensors = leaves(inputs)
    value = forward(*tensors)
    d = drawn(np.random.default_rng(), tuple(value.shape), value.detach().numpy().dtype)
    floating = [x for x in tensors if x.requires_grad]
    wanted = [g.numpy() for g in minigrad.autograd.grad(value, floating, minigrad.tensor(d))]
    found = arrays_of(pull(d, inputs), wanted, names, "gradient")
    for g, w, name in zip(found, wanted, names):
        if not np.allclose(g, w, 1e-9, 1e-9 * np.abs(w).max(initial=0)):
            raise Wrong(f"the gradient of {name}: {EXTREME}")


def check_digits(forward, pull, inputs, names):
    """The same to nearly all digits that a float has: a formula keeps them, and a difference loses some.

    The inputs have one shape, and many entries: their errors count together, as a part of what they are together.
    """
    tensors = leaves(inputs)
    value = forward(*tensors)
    d = drawn(np.random.default_rng(), tuple(value.shape), value.detach().numpy().dtype)
    floating = [x for x in tensors if x.requires_grad]
    wanted = [g.numpy() for g in minigrad.autograd.grad(value, floating, minigrad.tensor(d))]
    for g, w, name in zip(arrays_of(pull(d, inputs), wanted, names, "gradient"), wanted, names):
        require_digits(g, w, f"the gradient of {name}")


def check_tangent_digits(forward, push, inputs):
    """The same for ``push(tangents, inputs)``."""
    random = np.random.default_rng()
    us = [drawn(random, x.shape, x.dtype) for x in inputs]
    wanted = minigrad.func.jvp(forward, tuple(map(minigrad.tensor, inputs)), tuple(map(minigrad.tensor, us)))[1].numpy()
    require_digits(fitting(push(us, inputs), wanted, "the tangent", "the result has"), wanted, "the tangent")


def require_digits(found, wanted, what):
    """Raise `Wrong` unless the numbers agree to all digits but a few units of the last."""
    error = np.sqrt((np.abs(found - wanted) ** 2).mean() / (np.abs(wanted) ** 2).mean()) / np.finfo(float).eps
    if not error <= UNITS:
        raise Wrong(ROUNDED.format(what, error) if error < 1e6 else f"{what}: {IMPRECISE}")


def check_pushforward(forward, push, inputs, names):
    """The same for ``push(tangents, inputs)``, the tangent of the output for one tangent of each input."""
    class Asked(Function):
        @staticmethod
        def forward(*tensors):
            return forward(*tensors)

        @staticmethod
        def setup_context(ctx, tensors, output):
            ctx.save_for_forward(*tensors)
            ctx.save_for_backward(*tensors)
            ctx.like = output.detach().numpy()

        @staticmethod
        def backward(ctx, d):
            """The judge's own, to which a report on forward mode refers."""
            with minigrad.enable_grad():
                copies = [x.detach().requires_grad_() for x in ctx.saved_tensors]
                return minigrad.autograd.grad(forward(*copies), copies, d)

        @staticmethod
        def jvp(ctx, *tangents):
            arrays = [x.detach().numpy() for x in ctx.saved_tensors]
            given = [np.zeros_like(x) if t is None else t.detach().numpy() for x, t in zip(arrays, tangents)]
            found = fitting(push(given, arrays), ctx.like, "the tangent", "the result has")
            return minigrad.tensor(np.asarray(found, ctx.like.dtype))

    try:
        gradcheck(Asked.apply, tuple(leaves(inputs)), check_forward_ad=True, check_backward_ad=False)
    except GradcheckError as failure:
        of, cause = explained(failure, names)
        raise Wrong(f"the derivative with respect to{of.removeprefix(' of')}: {cause}" if of else cause) from None
    random = np.random.default_rng()
    us = [drawn(random, x.shape, x.dtype) for x in inputs]
    tangent = np.asarray(push(us, inputs))
    v = drawn(random, tangent.shape, tangent.dtype)
    measured, computed = directional(forward, inputs, us, v), np.vdot(v, tangent).real
    if abs(measured - computed) > 1e-11 * (np.abs(v * tangent).sum() + np.abs(v).sum()):
        raise Wrong(f"the tangent: {IMPRECISE}")


def drawn(random, shape, dtype):
    """Numbers between -1 and 1."""
    values = random.uniform(-1, 1, shape)
    return (values + 1j * random.uniform(-1, 1, shape) if dtype.kind == "c" else values).astype(dtype)


def directional(forward, inputs, us, v):
    """The derivative of ``Re <v, f(x + t u)>`` at t = 0, to about twelve digits: Richardson's extrapolation of central
    differences with three steps.

    >>> import numpy as np
    >>> from minigrad.homework.derivatives import directional
    >>> x = np.array([1., 2.])
    >>> print(f"{directional(torch.exp, [x], [np.array([1., 0.])], np.array([1., 1.])):.10f}")
    2.7182818285
    """
    def value(t):
        moved = iter(us)
        tensors = [minigrad.tensor(x + t * next(moved)) if x.dtype.kind in "fc" else minigrad.tensor(x)
                   for x in inputs]
        with minigrad.no_grad():
            return np.vdot(v, forward(*tensors).numpy()).real

    step = 2.0 ** -7
    slopes = [(value(h) - value(-h)) / (2 * h) for h in (step, step / 2, step / 4)]
    once = [(4 * fine - coarse) / 3 for coarse, fine in zip(slopes, slopes[1:])]
    return (16 * once[1] - once[0]) / 15
