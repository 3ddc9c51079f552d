"""Three ways to find the derivative of a function at a point: measure it, pull cotangents back, push tangents forward.

    measured    (f(x + eps u) - f(x - eps u)) / 2 eps      approximately J u; two calls and no calculus
    pulled      v^T J                                      a backward pass
    pushed      J u                                        a call with dual numbers

If u and v are unit vectors, each gives one row or one column of J, and J is compared entry by entry.  If they are
random, each gives a projection, and comparing v^T (J u) with (v^T J) u costs two calls and one pass, whatever the
sizes.

All matrices here have a row for each entry of the input and a column for each entry of the output, so the measured
and the pushed J are computed row by row, the pulled one column by column.

A complex number counts as a pair of real ones.  A complex input is moved along both axes, in the directions 1 and i;
reverse mode gives the gradient `d/dx + i d/dy` of a real number.  So a complex output counts as two real ones:
the cotangent 1 selects its real part, the cotangent i its imaginary part.  Forward mode has one tangent for
each direction of the input, and gives the complex change of the output directly.
"""

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import error, located
from minigrad._core.graph import Tensor
from minigrad._core.runtime.errstate import quiet
from minigrad.autograd import forward_ad
from minigrad.autograd.reverse import grad

__all__ = ["Point", "as_tuple", "differentiable", "directions", "measured_jacobian", "outputs_of", "part_of",
           "pulled_jacobian", "pushed_jacobian", "same_twice"]


class Point:
    """A function, and the inputs at which its derivative is checked.

    targets     the inputs that require grad
    outputs     the floating and complex outputs: others have no derivative
    places      the indices of the outputs that require grad
    """

    def __init__(self, func, inputs, eps, check_dtypes=False):
        self.func, self.inputs, self.eps, self.check_dtypes = func, inputs, eps, check_dtypes
        self.targets = differentiable(inputs)
        self.outputs = outputs_of(func, inputs)
        self.places = [place for place, y in enumerate(self.outputs) if y.requires_grad]
        self.known = {}     # measured Jacobians, by the index of the target

    def values(self):
        """The outputs for the current inputs, as flat copies in double precision."""
        outputs = outputs_of(self.func, self.inputs)
        before, now = ([(list(y.shape), y.dtype) for y in each] for each in (self.outputs, outputs))
        if before != now:
            what = "shape" if [shape for shape, _ in before] != [shape for shape, _ in now] else "dtype"
            raise error("MG502", f"Expected `func` to return outputs with the same {what} when inputs are perturbed by "
                                 f"{self.eps}, but got: {before} and then {now}. There is no derivative where the form "
                                 "of the outputs depends on the values of the inputs.")
        return [np.array(y._array, _wide(y._array.dtype)).reshape(-1) for y in outputs]

    def measured(self, target, u, eps=None):
        """J u for each output, approximated by central differences.

        The target is moved in place, hidden from autograd, so a function that reads the tensor from elsewhere (a
        closure, a module's parameter) is measured as well.
        """
        array, eps = target._array, eps or self.eps
        start, step = array.copy(), eps * u.reshape(array.shape)
        try:
            array[...] = start + step
            above = self.values()
            array[...] = start - step
            below = self.values()
        finally:
            array[...] = start
        with quiet():
            return [(high - low) / (2 * eps) for high, low in zip(above, below)]

    def pulled(self, place, v):
        """v^T J for each target, by a backward pass from the output at ``place``."""
        output = self.outputs[place]
        cotangent = constant(v.reshape(output._array.shape).astype(output._array.dtype), output)
        gradients = grad((output,), self.targets, (cotangent,), retain_graph=True, allow_unused=True)
        return [self._fitting(number, x, g) for number, (x, g) in enumerate(zip(self.targets, gradients))]

    def _fitting(self, number, target, gradient):
        if gradient is None:
            return np.zeros(target._array.size, _wide(target._array.dtype))
        if gradient.shape != target.shape or (self.check_dtypes and gradient.dtype is not target.dtype):
            what = ("Analytical gradient has incorrect size" if gradient.shape != target.shape
                    else "Gradient has dtype mismatch")
            raise of_another_form(what, number, target, gradient)
        return np.array(gradient._array, _wide(target._array.dtype)).reshape(-1)

    def pushed(self, number, u):
        """J u for each output, by forward mode; the other inputs have tangents of zeros."""
        return self.pushed_all([u if i == number else np.zeros(x._array.size) for i, x in enumerate(self.targets)])

    def pushed_all(self, tangents):
        """The tangent of each output, given a tangent, or None, for each target."""
        tangents = iter(tangents)
        with forward_ad.dual_level():
            inputs = [_dual(x, next(tangents)) if _is_target(x) else x for x in self.inputs]
            outputs = outputs_of(self.func, inputs)
            unpacked = [forward_ad.unpack_dual(y) for y in outputs]
        if len(outputs) != len(self.outputs):
            raise error("MG502", f"gradcheck: func returned {len(self.outputs)} outputs, and {len(outputs)} when it "
                                 "was called with dual tensors, which do not require grad: the number of outputs must "
                                 "not depend on requires_grad.")
        return [self._flat(*each) for each in unpacked]

    def _flat(self, primal, tangent):
        if tangent is None:
            return np.zeros(primal.numel(), _wide(primal._array.dtype))
        if self.check_dtypes and tangent.is_complex() != primal.is_complex():
            raise error("MG501", f"Forward AD gradient has dtype mismatch: the tangent is {tangent.dtype}, its primal "
                                 f"{primal.dtype}.")
        return np.array(tangent._array, _wide(tangent._array.dtype)).reshape(-1)


def _dual(x, u):
    x = x.detach()
    return x if u is None else forward_ad.make_dual(x, constant(u.reshape(x._array.shape).astype(x._array.dtype), x))


# ------------------------------------------------------------------------------ whole matrices


def measured_jacobian(point, number):
    """For each output, an array indexed by [direction of the input, entry of the input, entry of the output]; it is
    measured once."""
    if number in point.known:
        return point.known[number]
    target = point.targets[number]
    size, ways = target._array.size, directions(target)
    found = [np.zeros((len(ways), size, y._array.size), _wide(y._array.dtype)) for y in point.outputs]
    for axis, direction in enumerate(ways):
        for i in range(size):
            for jacobian, row in zip(found, point.measured(target, _unit(size, i, direction))):
                jacobian[axis, i] = row
    point.known[number] = found
    return found


def part_of(jacobian, direction):
    """The gradient of the real (1) or imaginary (1j) part of a complex output, from its measured changes."""
    part = jacobian.imag if direction == 1j else jacobian.real
    return part[0] if len(part) == 1 else part[0] + 1j * part[1]


def pulled_jacobian(point, place, direction):
    """For each target, the matrix whose column j is the gradient for the cotangent ``direction`` at entry j."""
    size = point.outputs[place]._array.size
    columns = [point.pulled(place, _unit(size, j, direction)) for j in range(size)]
    found = [np.zeros((x._array.size, size), _wide(x._array.dtype)) for x in point.targets]
    for number, jacobian in enumerate(found):
        for j, column in enumerate(columns):
            jacobian[:, j] = column[number]
    return found


def pushed_jacobian(point, number, direction):
    """For each output, the matrix whose row i is its tangent for the tangent ``direction`` at entry i."""
    size = point.targets[number]._array.size
    rows = [point.pushed(number, _unit(size, i, direction)) for i in range(size)]
    found = [np.zeros((size, y._array.size), _wide(y._array.dtype)) for y in point.outputs]
    for place, jacobian in enumerate(found):
        for i, row in enumerate(rows):
            jacobian[i] = row[place]
    return found


def same_twice(compute, nondet_tol):
    """The result of ``compute``, after a check that a second run gives the same."""
    first, second = compute(), compute()
    for number, (one, other) in enumerate(zip(first, second)):
        with quiet():
            difference = np.abs(one - other).max(initial=0)
        if difference > nondet_tol:
            raise not_the_same_twice(number, difference, nondet_tol)
    return first


def _unit(size, i, direction):
    u = np.zeros(size, complex if direction == 1j else float)
    u[i] = direction
    return u


def directions(x):
    return (1, 1j) if x.is_complex() else (1,)


def _wide(dtype):
    return np.complex128 if dtype.kind == "c" else np.float64


# ------------------------------------------------------------------------------ tuples of tensors


def as_tuple(x):
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def _is_target(x):
    return isinstance(x, Tensor) and x.requires_grad


def differentiable(tensors):
    return tuple([x for x in tensors if _is_target(x)])


def outputs_of(func, inputs):
    """The floating and complex outputs of ``func``."""
    outputs = as_tuple(func(*inputs))
    for position, x in enumerate(outputs):
        if not isinstance(x, Tensor):
            raise error("MG205", f"gradcheck: func must return a tensor or a tuple of tensors, but output {position} "
                                 f"is of type {type(x).__name__}. See {located(func)}.")
    return tuple([x for x in outputs if x.is_floating_point() or x.is_complex()])


# ------------------------------------------------------------------------------ errors


def of_another_form(what, number, target, gradient):
    return error("MG501", f"{what}: for input {number}, of shape {list(target.shape)} and dtype {target.dtype}, "
                          f"it has shape {list(gradient.shape)} and dtype {gradient.dtype}.")


def not_the_same_twice(number, difference, nondet_tol):
    return error("MG501", "Backward is not reentrant, i.e., running backward with same input and grad_output "
                          f"multiple times gives different values: two runs for input {number} differ by "
                          f"{difference:.3g}. The tolerance for nondeterminism was {nondet_tol}. It uses "
                          "random numbers, or something that changes from run to run; if that is intended, pass "
                          "nondet_tol.")
