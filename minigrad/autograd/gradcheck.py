"""Check a derivative against the numbers: does `backward` agree with what the function itself does?

    x = torch.randn(3, dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(my_function, (x,))        # True, or GradcheckError with the likely cause

One idea: a derivative can be measured.  Move one entry of one input a little to each side and see by how much each
output moves; that is one row of the Jacobian, with an error of the order of eps^2 and without any calculus:

    numerical   J[i, j] = (f(x + eps e_i) - f(x - eps e_i))[j] / (2 eps)
    analytical  J[:, j] = the gradient that backward gives for the cotangent e_j

Both must agree within `atol + rtol * |numerical|`.  Where they do not, diagnosis.py looks for what is usual: a
factor, a sign, a transpose, a sum that is missing, float32.

A complex input is moved along both axes, x and iy; PyTorch's gradient convention combines them as
`d/dx + i d/dy` for a real output.  A complex output counts as two real ones: the cotangent 1 asks for its
real part, the cotangent i for its imaginary part.

`gradgradcheck` does the same to the function "gradients of f", so it checks second derivatives.
"""

import warnings

import numpy as np

from minigrad._core.errors import CATALOGUE, MinigradError, error
from minigrad._core.graph import Tensor, wrap
from minigrad.autograd.reverse import grad
from minigrad.autograd.context import BackwardCFunction
from minigrad.autograd.diagnosis import Jacobian, describe
from minigrad.autograd.function import Function

__all__ = ["gradcheck", "gradgradcheck", "GradcheckError"]


class GradcheckError(MinigradError, RuntimeError):
    """Raised where a derivative is found to be wrong; the message says where, by how much and why, if it can."""


CATALOGUE["MG501"] = (GradcheckError, "gradcheck found a wrong derivative")


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
    """Compare the gradients of `func` with numerical ones; return True, or raise `GradcheckError`.

    Parameters
    ----------
    func : takes `inputs`, returns a tensor or a tuple of tensors; deterministic
    inputs : a tensor or a tuple; checked are those that require grad, which should be float64 or complex128
    eps : the step of the finite differences
    atol, rtol : what may differ, absolutely and relative to the numerical value
    raise_exception : with False, return False where it would raise `GradcheckError`
    nondet_tol : by how much two runs of the same backward may differ
    check_undefined_grad : check also that outputs which receive no gradient are treated as receiving zeros
    check_grad_dtypes : check also that each gradient has the dtype of its input
    masked : accepted for compatibility; it concerns sparse tensors, which minigrad does not have

    The remaining arguments ask for forward mode, batched gradients or the fast mode; they are accepted with
    PyTorch's defaults.

    >>> x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.sin, (x,))
    True

    See also: `gradgradcheck`.
    """
    if not (check_forward_ad or check_backward_ad):
        raise error("MG207", "Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise error("MG207", "Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    _refuse(check_batched_grad=check_batched_grad, check_forward_ad=check_forward_ad, fast_mode=fast_mode)
    try:
        _check(func, _as_tuple(inputs), eps, atol, rtol, nondet_tol, check_undefined_grad, check_grad_dtypes)
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

    What is checked is the function from `(inputs, grad_outputs)` to the gradients of `func`.  Without
    `grad_outputs` it is given random ones, the same in each run.  The other arguments are those of `gradcheck`.

    >>> x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.sin, (x,))
    True
    """
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise error("MG207", "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    _refuse(check_batched_grad=check_batched_grad, check_fwd_over_rev=check_fwd_over_rev, fast_mode=fast_mode)
    inputs = _as_tuple(inputs)
    if grad_outputs is None:
        outputs = _differentiable(_outputs_of(func, inputs))
        grad_outputs = _random_like(outputs, gen_non_contig_grad_outputs)
    else:
        grad_outputs = _as_tuple(grad_outputs)

    def gradients(*arguments):
        arguments, cotangents = arguments[: len(inputs)], arguments[len(inputs) :]
        outputs = _differentiable(_outputs_of(func, arguments))
        found = grad(outputs, _differentiable(arguments), cotangents, create_graph=True, allow_unused=True)
        return tuple([g for g in found if g is not None])

    try:
        arguments = inputs + grad_outputs
        _check(gradients, arguments, eps, atol, rtol, nondet_tol, check_undefined_grad, check_grad_dtypes)
    except GradcheckError as mismatch:
        if not raise_exception:
            return False
        blamed = _functions_with_intermediates(_differentiable(_outputs_of(func, inputs)))
        if not blamed:
            raise
        report = str(mismatch).split("\n  likely cause")[0].removesuffix(" [MG501]")
        raise error("MG501", f"{report}\n  likely cause  {blamed}") from None
    return True


def _refuse(**wanted):
    """Refuse, in so many words, what this version cannot check: silence would be taken for agreement."""
    for argument, value in wanted.items():
        if value:
            raise error(
                "MG117",
                f"gradcheck({argument}=True): this version of minigrad checks reverse mode only, with the whole "
                f"Jacobian. Leave {argument} out.",
            )


# ------------------------------------------------------------------------------ the check


def _check(func, inputs, eps, atol, rtol, nondet_tol, check_undefined_grad, check_grad_dtypes):
    _check_inputs(inputs)
    outputs = _outputs_of(func, inputs)
    targets = _differentiable(inputs)
    numerical = [_numerical_jacobian(func, inputs, target, outputs, eps) for target in targets]
    for number, output in enumerate(_differentiable(outputs)):
        place = next(i for i, x in enumerate(outputs) if x is output)
        for direction in (1j, 1) if output.is_complex() else (1,):
            analytical = _analytical_jacobian(output, targets, direction, nondet_tol, check_grad_dtypes)
            measured = [_component(jacobians[place], direction) for jacobians in numerical]
            for i, target in enumerate(targets):
                if np.isclose(analytical[i], measured[i], rtol, atol).all():
                    continue
                jacobian = Jacobian(func, inputs, target, outputs, place, direction, analytical[i], measured, i)
                raise error("MG501", describe(jacobian, number, atol, rtol, eps))
    if not _differentiable(outputs):
        _check_constant(numerical)
        return
    _check_proportional(_differentiable(outputs), targets)
    if check_undefined_grad:
        _check_undefined(func, inputs, targets)


def _check_inputs(inputs):
    for position, x in enumerate(inputs):
        if not (isinstance(x, Tensor) and x.requires_grad):
            continue
        array = x._array
        if array.dtype not in (np.float64, np.complex128):
            warnings.warn(
                f"Input #{position} requires gradient and is not a double precision floating point or complex. This "
                f"check will likely fail: a step of 1e-6 is lost in the rounding of {x.dtype}. Pass x.double().",
                stacklevel=4,
            )
        if array.size and any(stride == 0 and size > 1 for stride, size in zip(array.strides, array.shape)):
            raise error(
                "MG204",
                f"The {position}th input has a dimension with stride 0. gradcheck only supports inputs that are "
                "non-overlapping to be able to compute the numerical gradients correctly: a step at one entry would "
                "move others too. You should call .contiguous on the input before passing it to gradcheck.",
            )
        if not array.flags.writeable:
            raise error(
                "MG204",
                f"gradcheck moves the entries of its inputs, but the memory of input {position} is read-only. Pass x.clone().",
            )
    if not _differentiable(inputs):
        raise error(
            "MG207",
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True.",
        )


def _numerical_jacobian(func, inputs, target, outputs, eps):
    """For each output, the matrix of d output[j] / d target[i], measured by central differences.

    The target is moved in place, below autograd's sight, and the function is called as it is: so a function that
    reads the tensor from elsewhere (a closure, a module's parameter) is measured as well.  A complex target gives
    two matrices, d/dx and d/dy, stacked along the first axis.
    """
    array = target._array
    steps = (eps, eps * 1j) if target.is_complex() else (eps,)
    jacobians = [np.zeros((len(steps), array.size, x._array.size), _wide(x._array.dtype)) for x in outputs]
    for axis, step in enumerate(steps):
        for i, index in enumerate(np.ndindex(array.shape)):
            start = array[index]
            try:
                array[index] = start + step
                above = _values(func, inputs, outputs)
                array[index] = start - step
                below = _values(func, inputs, outputs)
            finally:
                array[index] = start
            for jacobian, high, low in zip(jacobians, above, below):
                jacobian[axis, i] = (high - low) / (2 * eps)
    return jacobians


def _component(jacobian, direction):
    """From the measured changes of a (complex) output, the Jacobian of its real (1) or imaginary (1j) part."""
    part = jacobian.imag if direction == 1j else jacobian.real
    return part[0] if len(part) == 1 else part[0] + 1j * part[1]


def _values(func, inputs, expected):
    """The outputs as flat arrays of their own, in double precision."""
    outputs = _outputs_of(func, inputs)
    if [(x.shape, x.dtype) for x in outputs] != [(x.shape, x.dtype) for x in expected]:
        raise error(
            "MG204",
            "Expected `func` to return outputs with the same shape and dtype when inputs are perturbed by eps, but got "
            f"{[(list(x.shape), x.dtype) for x in expected]} and then {[(list(x.shape), x.dtype) for x in outputs]}.",
        )
    return [np.array(x._array, _wide(x._array.dtype)).reshape(-1) for x in outputs]


def _wide(dtype):
    return np.complex128 if dtype.kind == "c" else np.float64


def _analytical_jacobian(output, targets, direction, nondet_tol, check_grad_dtypes):
    """For each target, the matrix whose column j is the gradient for the cotangent `direction` at entry j."""
    first, second = (_columns(output, targets, direction, check_grad_dtypes) for _ in range(2))
    for position, (one, other) in enumerate(zip(first, second)):
        with np.errstate(invalid="ignore"):
            difference = np.abs(one - other).max(initial=0)
        if difference > nondet_tol:
            raise error(
                "MG501",
                "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
                f"different values: two runs for input {position} differ by {difference:.3g}. "
                f"The tolerance for nondeterminism was {nondet_tol}. A random number, or a value that backward changes "
                "from run to run, is in it; if that is meant, pass nondet_tol.",
            )
    return first


def _columns(output, targets, direction, check_grad_dtypes):
    size = output._array.size
    jacobians = [np.zeros((x._array.size, size), _wide(x._array.dtype)) for x in targets]
    for j in range(size):
        cotangent = np.zeros(output._array.shape, output._array.dtype)
        cotangent.reshape(-1)[j] = direction
        gradients = grad((output,), targets, (wrap(cotangent),), retain_graph=True, allow_unused=True)
        for position, (jacobian, gradient, target) in enumerate(zip(jacobians, gradients, targets)):
            if gradient is None:
                continue
            form, wanted = (gradient.shape, gradient.dtype), (target.shape, target.dtype)
            if form[0] != wanted[0] or check_grad_dtypes and form[1] != wanted[1]:
                what = "Analytical gradient has incorrect size" if form[0] != wanted[0] else "Gradient has dtype mismatch"
                raise error(
                    "MG501",
                    f"{what}: for input {position}, of shape {list(wanted[0])} and dtype {wanted[1]}, it has shape "
                    f"{list(form[0])} and dtype {form[1]}.",
                )
            jacobian[:, j] = gradient._array.reshape(-1)
    return jacobians


# ------------------------------------------------------------------------------ what else must hold


def _check_constant(numerical):
    """No output requires grad, so none may depend on the inputs."""
    if any(np.any(jacobian) for jacobians in numerical for jacobian in jacobians):
        raise error(
            "MG501",
            "Numerical gradient for function expected to be zero: no output requires grad, yet the outputs change with "
            "the inputs. The graph was cut on the way: by detach(), .data, .item(), numpy() or no_grad.",
        )


def _check_proportional(outputs, targets):
    """A cotangent of zeros must give gradients of zeros, in the form of their inputs."""
    zeros = [wrap(np.zeros(x._array.shape, x._array.dtype)) for x in outputs]
    for gradient in grad(outputs, targets, zeros, retain_graph=True, allow_unused=True):
        if gradient is not None and np.any(gradient._array):
            raise error(
                "MG501",
                "backward not multiplied by grad_output: for incoming gradients of zeros it returns something else "
                "than zeros. Multiply what it returns by the gradient that it receives.",
            )


class _Undefine(Function):
    """The identity, whose backward says "no gradient" instead of handing one on."""

    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, d):
        return None


def _check_undefined(func, inputs, targets):
    """Outputs without gradient must count as outputs with a gradient of zeros: all of them, and each one alone."""
    count = len(_differentiable(_outputs_of(func, inputs)))
    choices = [set(range(count))] + ([{i} for i in range(count)] if count > 1 else [])
    for undefined in choices:
        outputs = _differentiable(_outputs_of(func, inputs))
        outputs = tuple([_Undefine.apply(x) if i in undefined else x for i, x in enumerate(outputs)])
        zeros = [wrap(np.zeros(x._array.shape, x._array.dtype)) for x in outputs]
        try:
            gradients = grad(outputs, targets, zeros, allow_unused=True)
        except RuntimeError as problem:
            raise error(
                "MG501",
                f"Expected backward function to handle undefined output grads, but it raised: {problem}. An output that "
                "nothing uses has the gradient None where set_materialize_grads(False) is set: test for it.",
            ) from problem
        if any(g is not None and np.any(g._array) for g in gradients):
            raise error(
                "MG501",
                "Expected all input grads to be undefined or zero when all output grads are undefined or zero. "
                "A missing gradient must count as zeros.",
            )


def _functions_with_intermediates(outputs):
    """The custom Functions in the graph that saved an intermediate, named, with what to do; "" if there are none."""
    found, seen = {}, set()
    waiting = [x.grad_fn for x in outputs]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if isinstance(node, BackwardCFunction) and node._intermediates:
            found[node.name()] = ", ".join(f"saved_tensors[{i}]" for i in node._intermediates)
        waiting.extend(following for following, _ in node.next_functions)
    return "; ".join(
        f"{name} saved an intermediate of forward ({places}), through which no second derivative flows: recompute it "
        "in backward or return it as an output."
        for name, places in found.items()
    )


# ------------------------------------------------------------------------------ tuples of tensors


def _as_tuple(x):
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def _differentiable(tensors):
    return tuple([x for x in tensors if isinstance(x, Tensor) and x.requires_grad])


def _outputs_of(func, inputs):
    outputs = _as_tuple(func(*inputs))
    for position, x in enumerate(outputs):
        if not isinstance(x, Tensor):
            raise error(
                "MG205",
                f"gradcheck: func must return a tensor or a tuple of tensors, but output {position} is of type "
                f"{type(x).__name__}.",
            )
    return tuple([x for x in outputs if x.is_floating_point() or x.is_complex()])


def _random_like(outputs, apart):
    """Cotangents between -1 and 1 from a generator of our own: the user's random numbers are not touched."""
    random = np.random.default_rng(0)
    cotangents = []
    for x in outputs:
        shape = x._array.shape + (2,)  # every second number is used where they are to lie apart
        values = random.uniform(-1, 1, shape)
        if x.is_complex():
            values = values + 1j * random.uniform(-1, 1, shape)
        values = values.astype(x._array.dtype)[..., 0]
        cotangents.append(wrap(values if apart else values.copy(), True))
    return tuple(cotangents)
