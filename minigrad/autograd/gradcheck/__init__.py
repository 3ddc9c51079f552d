"""Check a derivative numerically: does `backward` agree with the function itself?

    x = torch.randn(3, dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(my_function, (x,))        # True, or GradcheckError with the likely cause

One idea: a derivative can be measured.  Move one entry of one input a little to each side, and see by how much each
output moves: this gives one row of the Jacobian, with an error of order eps^2 and without any calculus.  Reverse mode
computes the columns, forward mode the rows, and they must agree with the measurement within
`atol + rtol * |numerical|`.

- ``jacobians``: the three of them: measured by finite differences, pulled back, pushed forward
- ``contracts``: what does not depend on the numbers: no gradient in, no gradient out; a batch gives the same as its
  members; a second run gives the same again
- ``diagnosis``: if something is wrong, the usual mistakes (a factor, a sign, a transpose, a missing sum, float32)
- ``report``: what is wrong, where it is worst, and the likely cause
- ``old_names``: PyTorch's deprecated names for the measured and the pulled Jacobian

`gradgradcheck` does the same with the function "gradients of f", and so checks second derivatives.
"""

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import GradcheckError, error, warn
from minigrad._core.graph import Tensor
from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.autograd.gradcheck import contracts
from minigrad.autograd.gradcheck.jacobians import (Point, as_tuple, differentiable, directions, measured_jacobian,
                                                   outputs_of, part_of, pulled_jacobian, pushed_jacobian, same_twice)
from minigrad.autograd.gradcheck.diagnosis import Mismatch
from minigrad.autograd.gradcheck.report import describe, second_order
from minigrad.autograd.reverse import grad

_OLD_NAMES = ("get_numerical_jacobian", "get_analytical_jacobian", "get_numerical_jacobian_wrt_specific_input")

__all__ = ["gradcheck", "gradgradcheck", "GradcheckError", *_OLD_NAMES]

# What few programs need is loaded the first time that it is used.
__getattr__ = _incomplete(__name__, dict.fromkeys(_OLD_NAMES, "minigrad.autograd.gradcheck.old_names"))


def gradcheck(
    func,
    inputs,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_batched_forward_grad=False,
    check_forward_ad=False,
    check_backward_ad=True,
    fast_mode=False,
    masked=None,
):
    """Compare the derivatives of `func` with numerical ones; return True, or raise `GradcheckError`.

    Parameters
    ----------
    func : deterministic; takes `inputs`, returns a tensor or a tuple of tensors
    inputs : a tensor or a tuple; those that require grad are checked, and should be float64 or complex128
    eps : the step of the finite differences
    atol, rtol : the tolerance, absolute and relative to the numerical value
    raise_exception : if False, return False instead of raising `GradcheckError`
    nondet_tol : by how much two runs of the same backward may differ
    check_undefined_grad : also check that a missing gradient of an output, or tangent of an input, counts as zeros
    check_grad_dtypes : also check that each gradient has the dtype of its input
    check_batched_grad : also check that a batch of cotangents (vmap) gives the same gradients as each one alone
    check_batched_forward_grad : the same for tangents
    check_forward_ad : check the tangents of forward mode
    check_backward_ad : check the gradients of reverse mode
    fast_mode : compare one random projection of the Jacobian instead of all of it: two calls and one pass, whatever
        the sizes.  An error in a few of very many entries may be lost in the tolerance.  If the projection
        differs, the report shows the whole Jacobian
    masked : accepted for compatibility; it is about sparse tensors, which minigrad does not have

    Errors
    ------
    GradcheckError : a derivative is wrong.  The report names the input, the worst entry and the likely cause.
    RuntimeError : an input overlaps itself in memory, so that a single entry cannot be moved alone.

    >>> x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.sin, (x,), check_forward_ad=True, check_batched_grad=True)
    True

    See also: `gradgradcheck`.
    """
    _demand(check_forward_ad or check_backward_ad,
            "Expected at least one of check_forward_ad or check_backward_ad to be True")
    _demand(check_backward_ad or not check_batched_grad,
            "Setting check_batched_grad=True requires check_backward_ad to be True")
    _demand(check_forward_ad or not check_batched_forward_grad,
            "Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    inputs = as_tuple(inputs)
    _check_inputs(inputs, eps)
    try:
        point = Point(func, inputs, eps, check_grad_dtypes)
        compare = _compare_projections if fast_mode else _compare_jacobians
        if not point.places:
            contracts.check_constant(point, fast_mode)
        if check_backward_ad:
            compare(point, atol, rtol, nondet_tol, "reverse")
        if check_forward_ad:
            compare(point, atol, rtol, nondet_tol, "forward")
            if check_undefined_grad:
                contracts.check_undefined_tangents(point)
        if check_batched_forward_grad:
            contracts.check_batched_tangents(point)
        if check_backward_ad and point.places:
            if check_batched_grad:
                contracts.check_batched_gradients(point)
            contracts.check_zeros(point)
            if check_undefined_grad:
                contracts.check_undefined_gradients(point)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    gen_non_contig_grad_outputs=False,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_fwd_over_rev=False,
    check_rev_over_rev=True,
    fast_mode=False,
    masked=False,
):
    """Compare the second derivatives of `func` with numerical ones; return True, or raise `GradcheckError`.

    It checks the function from `(inputs, grad_outputs)` to the gradients of `func`.

    Parameters
    ----------
    func, inputs : as for `gradcheck`
    grad_outputs : a tensor or a tuple, like the outputs that require grad; by default random, but the same in each run
    gen_non_contig_grad_outputs : make the random `grad_outputs` non-contiguous
    check_fwd_over_rev : check the tangents of the gradients, forward over reverse
    check_rev_over_rev : check the gradients of the gradients, reverse over reverse

    The other parameters are the same as for `gradcheck`.

    >>> x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.sin, (x,), check_fwd_over_rev=True)
    True

    See also: `gradcheck`.
    """
    _demand(check_fwd_over_rev or check_rev_over_rev,
            "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    _demand(check_rev_over_rev or not check_undefined_grad,
            "Setting check_undefined_grad=True requires check_rev_over_rev to be True")
    _demand(check_rev_over_rev or not check_batched_grad,
            "Setting check_batched_grad=True requires check_rev_over_rev to be True")
    inputs = as_tuple(inputs)
    if grad_outputs is None:
        grad_outputs = _random_like(differentiable(outputs_of(func, inputs)), gen_non_contig_grad_outputs)
    else:
        grad_outputs = as_tuple(grad_outputs)
    arguments = inputs + grad_outputs
    recorded = [isinstance(x, Tensor) and x.requires_grad for x in arguments]

    def gradients(*given):
        # forward mode passes tensors that do not require grad, and here they must
        given = [x.requires_grad_() if needed else x for x, needed in zip(given, recorded)]
        primals, cotangents = given[: len(inputs)], given[len(inputs) :]
        outputs = differentiable(outputs_of(func, primals))
        wanted = [x for x, needed in zip(primals, recorded) if needed]
        return tuple([g for g in grad(outputs, wanted, cotangents, create_graph=True, allow_unused=True)
                      if g is not None])

    try:
        return gradcheck(
            gradients,
            arguments,
            eps=eps,
            atol=atol,
            rtol=rtol,
            nondet_tol=nondet_tol,
            check_undefined_grad=check_undefined_grad,
            check_grad_dtypes=check_grad_dtypes,
            check_batched_grad=check_batched_grad,
            check_forward_ad=check_fwd_over_rev,
            check_backward_ad=check_rev_over_rev,
            fast_mode=fast_mode,
            masked=masked,
        )
    except GradcheckError as mismatch:
        if not raise_exception:
            return False
        raise error("MG501", second_order(str(mismatch), func, inputs, grad_outputs)) from None


def _demand(condition, message):
    if not condition:
        raise error("MG502", message + ".")


def _random_like(outputs, apart):
    """Cotangents between -1 and 1, from a generator of our own: the user's generator does not advance."""
    random = np.random.default_rng(0)
    cotangents = []
    for x in outputs:
        shape = x._array.shape + (2,)  # use every second number if they must lie apart
        values = random.uniform(-1, 1, shape)
        if x.is_complex():
            values = values + 1j * random.uniform(-1, 1, shape)
        values = values.astype(x._array.dtype)[..., 0]
        cotangents.append(constant(values if apart else values.copy(), x).requires_grad_())
    return tuple(cotangents)


# ------------------------------------------------------------------------------ the inputs


def _check_inputs(inputs, eps):
    if not differentiable(inputs):
        raise nothing_to_check()
    for position, x in enumerate(inputs):
        if not (isinstance(x, Tensor) and x.requires_grad):
            continue
        array = x._array
        if array.dtype not in (np.float64, np.complex128):
            warn(
                f"Input #{position} requires gradient and is not a double precision floating point or complex. This "
                f"check will likely fail: a step of {eps:g} is lost in the rounding of {x.dtype}. Pass x.double().",
            )
        if _overlaps_itself(array):
            what = "has a dimension with stride 0" if 0 in _strides_that_count(array) else "overlaps itself in memory"
            raise overlapping_input(position, what)
        if not array.flags.writeable:
            raise read_only_input(position)


def _strides_that_count(array):
    return [stride for stride, size in zip(array.strides, array.shape) if size > 1]


def _overlaps_itself(array):
    """Do two entries have the same address?"""
    if not array.size or array.flags.forc:
        return False
    addresses = sum(np.ix_(*[stride * np.arange(size) for stride, size in zip(array.strides, array.shape)]))
    return np.unique(addresses).size < array.size


# ------------------------------------------------------------------------------ the comparison


def _compare_jacobians(point, atol, rtol, nondet_tol, mode):
    """All of J, entry by entry."""
    measured = [measured_jacobian(point, number) for number in range(len(point.targets))]

    def judge(number, place, direction, computed, numerical):
        if not np.isclose(computed, numerical[number][place], rtol, atol).all():
            raise error("MG501", describe(Mismatch(point, mode, number, place, direction, computed, numerical), atol,
                                          rtol))

    if mode == "reverse":
        for place in point.places:
            for direction in reversed(directions(point.outputs[place])):
                gradients = same_twice(lambda: pulled_jacobian(point, place, direction), nondet_tol)
                numerical = [[part_of(jacobian, direction) for jacobian in jacobians] for jacobians in measured]
                for number, gradient in enumerate(gradients):
                    judge(number, place, direction, gradient, numerical)
        return
    for direction in (1j, 1):
        numerical = [[jacobian[-1 if direction == 1j else 0] for jacobian in jacobians] for jacobians in measured]
        for number, target in enumerate(point.targets):
            if direction in directions(target):
                tangents = pushed_jacobian(point, number, direction)
                for place in point.places:
                    judge(number, place, direction, tangents[place], numerical)


def _compare_projections(point, atol, rtol, nondet_tol, mode):
    """A random u for each (direction of an) input, and v for each output: v^T J u in reverse mode, J u in forward mode.

    Every entry may be wrong by atol.  In a projection these errors may add up to atol times the sum of the absolute
    weights; the weights are positive, so this is simply their sum.
    """
    random = np.random.default_rng(0)
    us = [[_weights(random, x._array.size) for _ in directions(x)] for x in point.targets]
    vs = [_weights(random, y._array.size) for y in point.outputs]
    measured = [[point.measured(x, direction * u) for direction, u in zip(directions(x), each)]
                for x, each in zip(point.targets, us)]

    def judge(number, computed, numerical, weight):
        if not np.isclose(computed, numerical, rtol, atol * weight).all():
            _compare_jacobians(point, atol, rtol, nondet_tol, mode)
            i = np.argmax(np.abs(computed - numerical))
            raise only_together(number, mode, computed, i, numerical, atol, rtol)

    if mode == "reverse":
        for place in point.places:
            v = vs[place]
            for direction in reversed(directions(point.outputs[place])):
                part = np.imag if direction == 1j else np.real
                gradients = same_twice(lambda: point.pulled(place, direction * v), nondet_tol)
                for number, (gradient, each) in enumerate(zip(gradients, us)):
                    computed = [side @ u for side, u in zip((gradient.real, gradient.imag), each)]
                    numerical = [part(changes[place]) @ v for changes in measured[number]]
                    judge(number, np.array(computed), np.array(numerical), v.sum() * sum([u.sum() for u in each]))
        return
    for number, (x, each) in enumerate(zip(point.targets, us)):
        for direction, u, changes in zip(directions(x), each, measured[number]):
            tangents = point.pushed(number, direction * u)
            for place in point.places:
                judge(number, tangents[place], changes[place], u.sum())


def _weights(random, size):
    """A random vector of length 1 with positive entries."""
    weights = random.uniform(0.1, 1, size)
    return weights / np.linalg.norm(weights) if size else weights


# ------------------------------------------------------------------------------ errors


def nothing_to_check():
    return error("MG207", "gradcheck expects at least one input tensor to require gradient, but none of them have "
                          "requires_grad=True.")


def overlapping_input(position, what):
    return error(
        "MG204",
        f"The {position}th input {what}. gradcheck only supports inputs that are non-overlapping to be able to "
        "compute the numerical gradients correctly: a step in one entry would move others too. You should call "
        ".contiguous on the input before passing it to gradcheck.",
    )


def read_only_input(position):
    return error("MG204", f"gradcheck moves the entries of its inputs, but the memory of input {position} is "
                          "read-only. Pass x.clone().")


def only_together(number, mode, computed, i, numerical, atol, rtol):
    return error("MG501", f"Fast gradcheck failed but element-wise differences are small: for input {number} "
                          f"the projection of the Jacobian in {mode} mode is {computed[i]:.8g}, and "
                          f"{numerical[i]:.8g} numerically, while no entry of the whole Jacobian differs by "
                          f"more than {atol:g} + {rtol:g} * |numerical|. Small errors have added up, or "
                          "the function is steep or noisy. Check with fast_mode=False, or with larger atol and "
                          "rtol.")
