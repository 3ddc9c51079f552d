"""Properties of every derivative, whatever its numbers: gradcheck's other checks.

    nothing in, nothing out     a cotangent of zeros, or a missing one, gives gradients of zeros
    no tangent means zero       an input without a tangent counts as an input whose tangent is zero
    many at once                a batch of cotangents (vmap) gives the same gradients as each cotangent alone
    constant is constant        an output that does not require grad does not depend on the inputs

Each check raises GradcheckError with the expected result, the actual one, and what to write instead.
"""

import warnings

import numpy as np

from minigrad import creation
from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.runtime.provided import provisions
from minigrad.autograd import forward_ad
from minigrad.autograd.function import Function
from minigrad.autograd.gradcheck.jacobians import differentiable, measured_jacobian, outputs_of
from minigrad.autograd.gradcheck.report import describe_batched
from minigrad.autograd.reverse import grad
from minigrad.ops.exports import REGISTRY

__all__ = ["check_batched_gradients", "check_batched_tangents", "check_constant", "check_undefined_gradients",
           "check_undefined_tangents", "check_zeros"]


# ------------------------------------------------------------------------------ nothing in, nothing out


def check_constant(point, fast):
    """No output requires grad, so none may depend on the inputs."""
    for number, target in enumerate(point.targets):
        changes = point.measured(target, np.ones(target._array.size)) if fast else measured_jacobian(point, number)
        if any(np.any(change) for change in changes):
            raise constant_that_moves(number)


def check_zeros(point):
    """A cotangent of zeros must give gradients of zeros."""
    outputs = differentiable(point.outputs)
    zeros = [creation.zeros_like(y) for y in outputs]
    for number, gradient in enumerate(grad(outputs, point.targets, zeros, retain_graph=True, allow_unused=True)):
        if gradient is not None and np.any(gradient._array):
            raise gradient_from_nothing(number)


class _Undefine(Function):
    """The identity, whose backward says "no gradient" instead of handing one on."""

    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, d):
        return None


def check_undefined_gradients(point):
    """A missing gradient of an output must count as zeros: missing for all outputs, and for each one alone."""
    count = len(point.places)
    choices = [set(range(count))] + ([{i} for i in range(count)] if count > 1 else [])
    for undefined in choices:
        outputs = differentiable(outputs_of(point.func, point.inputs))
        outputs = tuple([_Undefine.apply(x) if i in undefined else x for i, x in enumerate(outputs)])
        zeros = [creation.zeros_like(y) for y in outputs]
        try:
            gradients = grad(outputs, point.targets, zeros, allow_unused=True)
        except RuntimeError as problem:
            raise missing_gradient_raises(problem) from problem
        if any(g is not None and np.any(g._array) for g in gradients):
            raise missing_gradient_counts()


def check_undefined_tangents(point):
    """An input without a tangent must count as an input whose tangent is zero, whatever the others' tangents."""
    random = np.random.default_rng(1)
    tangents = [_random(random, x._array) for x in point.targets]
    for number, x in enumerate(point.targets):
        with_zeros, with_none = [tangents[:number] + [nothing] + tangents[number + 1:]
                                 for nothing in (np.zeros(x._array.shape), None)]
        for place, (zero, none) in enumerate(zip(point.pushed_all(with_zeros), point.pushed_all(with_none))):
            if not np.allclose(zero, none):
                i = np.argmax(np.abs(zero - none))
                raise missing_tangent_counts(place, number, none, i, zero)


# ------------------------------------------------------------------------------ many at once


def check_batched_gradients(point):
    """A batch of two cotangents must give the gradients of each."""
    random = np.random.default_rng(2)
    for number, output in enumerate(differentiable(point.outputs)):

        def pull_back(cotangent):
            found = grad((output,), point.targets, (cotangent,), retain_graph=True, allow_unused=True)
            return tuple([creation.zeros_like(x) if g is None else g for x, g in zip(point.targets, found)])

        pairs = _alone_and_together(pull_back, output, random)
        for i, (alone, together) in enumerate(pairs):
            if not np.allclose(alone, together):
                raise error("MG501", describe_batched(point, "gradient", number, i, alone, together))


def check_batched_tangents(point):
    """A batch of two tangents must give the tangents of each."""
    random = np.random.default_rng(3)
    for number, target in enumerate(point.targets):

        def push_forward(tangent):
            with forward_ad.dual_level():
                inputs = [_dual(x, tangent) if x is target else x.detach() if isinstance(x, Tensor) else x
                          for x in point.inputs]
                unpacked = [forward_ad.unpack_dual(y) for y in outputs_of(point.func, inputs)]
            return tuple([creation.zeros_like(primal) if tangent is None else tangent for primal, tangent in unpacked])

        for place, (alone, together) in enumerate(_alone_and_together(push_forward, target, random)):
            if not np.allclose(alone, together):
                raise error("MG501", describe_batched(point, "tangent", place, number, alone, together))


def _dual(x, tangent):
    return forward_ad.make_dual(x.detach(), tangent)


def _alone_and_together(linear, like, random):
    """The results of ``linear`` for two random arguments: computed one by one and stacked, and as one batch."""
    batch = [constant(_random(random, like._array), like) for _ in range(2)]
    alone = [np.stack([np.array(x._array) for x in results]) for results in zip(*[linear(x) for x in batch])]
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="There is a performance drop")    # speed does not matter here
            together = provisions.vmap(linear)(REGISTRY["stack"](batch))
    except RuntimeError as problem:
        raise not_mappable(problem) from problem
    return [(one, np.array(both._array)) for one, both in zip(alone, together)]


def _random(random, array):
    values = random.standard_normal(array.shape)
    if array.dtype.kind == "c":
        values = values + 1j * random.standard_normal(array.shape)
    return np.asarray(values).astype(array.dtype)


# ------------------------------------------------------------------------------ errors


def constant_that_moves(number):
    return error("MG501", "Numerical gradient for function expected to be zero: no output requires grad, yet "
                          f"the outputs change with input {number}. The graph was cut on the way: by detach(), "
                          ".data, .item(), numpy() or no_grad.")


def gradient_from_nothing(number):
    return error("MG501", "backward not multiplied by grad_output: for incoming gradients of zeros it returns "
                          f"something other than zeros for input {number}. Multiply what it returns by the "
                          "gradient that it receives.")


def missing_gradient_raises(problem):
    return error("MG501", "Expected backward function to handle undefined output grads, but it raised: "
                          f"{problem}. An output that nothing uses has the gradient None where "
                          "set_materialize_grads(False) is set: test for it.")


def missing_gradient_counts():
    return error("MG501", "Expected all input grads to be undefined or zero when all output grads are undefined "
                          "or zero. A missing gradient must count as zeros.")


def missing_tangent_counts(place, number, none, i, zero):
    return error("MG501", f"Mismatch in tangent values for output with index: {place} when input: {number} "
                          f"has an undefined tangent value. Got: {none[i]:.8g} at its entry {i} but "
                          f"expected: {zero[i]:.8g}, as for a tangent of zeros. In jvp the tangent of an "
                          "input that has none is None where set_materialize_grads(False) is set: count it "
                          "as zeros.")


def not_mappable(problem):
    return error("MG501", f"While computing batched gradients, got: {problem}. One at a time the derivative works; "
                          "in a batch (vmap) something in it cannot be mapped: in a custom "
                          "Function, a branch on values, .item(), numpy(), or no rule "
                          "(generate_vmap_rule).")
