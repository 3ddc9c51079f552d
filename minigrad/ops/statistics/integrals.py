"""Integrals and slopes of functions that are known at some points.

The trapezoidal rule joins neighbouring points by straight lines::

    integral = sum of (y[i] + y[i + 1]) / 2 * (x[i + 1] - x[i])

``gradient`` is the way back: at each point the slope of the parabola through it and its two neighbours, which at the
borders is that of a straight line (``edge_order=1``) or of the parabola through the next two points.  All of it is made
of other rows.
"""

from minigrad._core.errors import error
from minigrad._core.graph import Tensor

from ..elementwise.division import true_divide
from ..composites import composite
from ..reductions.cumulative import cumsum, diff
from ..reductions.totals import sum_dim
from ..shapes.joining import cat
from ..shapes.reshaping import reshaped, view
from ..shapes.slicing import END, select, slice_
from ..arguments import many_dims, must_be_tensors, one_dim

# ------------------------------------------------------------------------------ the trapezoidal rule


def part(y, dim, start, end):
    return slice_(y, dim, start, end, 1)


def check_points(op, y, x, dx):
    if dx is not None and (isinstance(dx, bool) or not isinstance(dx, (int, float))):
        raise error("MG204", f"{op}: Currently, we only support dx as a real number.")
    if x is None:
        if y.dtype.category == 0:
            raise error("MG202", f"{op}: received a bool input for `y`, but bool is not supported")
    elif y.dtype.category == 0 or x.dtype.category == 0:
        raise error("MG202", f"{op}: received a bool input for `x` or `y`, but bool is not supported")


def spacing_of(op, y, x, axis):
    """The distances between the points, in a shape that broadcasts against ``y``."""
    if x.ndim == 1:
        if x.shape[0] != y.shape[axis]:
            raise error("MG201", f"{op}: There must be one `x` value for each sample point: there are {x.shape[0]}, "
                                 f"and {y.shape[axis]} points along dim {axis}")
        x = view(x, tuple([-1 if i == axis else 1 for i in range(y.ndim)]))
    elif x.ndim < y.ndim:
        x = view(x, (1,) * (y.ndim - x.ndim) + tuple(x.shape))
    return part(x, axis, 1, END) - part(x, axis, 0, -1)


def read_points(op, y, x, dx, dim):
    """The axis, and the distances between the points: a number or a tensor."""
    if not isinstance(y, Tensor) or not (x is None or isinstance(x, Tensor)):
        raise must_be_tensors(op, y=y, x=y if x is None else x)
    if x is not None and dx is not None:
        raise error("MG205", f"{op}() received an invalid combination of arguments: it takes either x or dx, the "
                             "points or the distance between them")
    if not y.ndim:
        raise error("MG203", f"{op}(): Dimension specified as {dim} but tensor has no dimensions")
    axis = one_dim(dim, y.ndim, op)
    if not y.shape[axis]:
        return axis, None
    dx = 1 if x is None and dx is None else dx
    check_points(op, y, x, dx)
    return axis, float(dx) if x is None else spacing_of(op, y, x, axis)


def integral(op, y, x, dx, dim):
    axis, distance = read_points(op, y, x, dx, dim)
    if distance is None:
        return sum_dim(y, axis).detach()
    if isinstance(distance, Tensor):
        return sum_dim((part(y, axis, 0, -1) + part(y, axis, 1, END)) * distance, axis) / 2.0
    return (sum_dim(y, axis) - (select(y, axis, 0) + select(y, axis, -1)) * 0.5) * distance


@composite(method=False, out=False, types="Tensor Tensor? Scalar? Dim")
def trapezoid(y, x=None, *, dx=None, dim=-1):
    """The integral by the trapezoidal rule of ``y`` along ``dim``, at the points ``x``, or ``dx`` apart (1 by default).

    >>> torch.trapezoid(torch.tensor([1., 5., 10.]))
    tensor(10.5000)
    >>> torch.trapezoid(torch.tensor([1., 5., 10.]), torch.tensor([1., 3., 6.]))
    tensor(28.5000)
    """
    return integral("trapezoid", y, x, dx, dim)


@composite(method=False, out=False, types="Tensor Tensor? Scalar? Dim")
def trapz(y, x=None, *, dx=None, dim=-1):
    """Another name of ``trapezoid``.

    >>> torch.trapz(torch.tensor([1., 5., 10.]), dx=2)
    tensor(21.)
    """
    return integral("trapezoid", y, x, dx, dim)


@composite(method=False, out=False, types="Tensor Tensor? Scalar? Dim")
def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    """The integrals by the trapezoidal rule from the first point to each of the others.

    >>> torch.cumulative_trapezoid(torch.tensor([1., 5., 10.]))
    tensor([ 3.0000, 10.5000])
    """
    axis, distance = read_points("cumulative_trapezoid", y, x, dx, dim)
    if distance is None:
        return part(y, axis, 0, 0)
    both = part(y, axis, 0, -1) + part(y, axis, 1, END)
    if isinstance(distance, Tensor):
        return cumsum(both * distance, axis) / 2.0
    return cumsum(both * (distance / 2.0), axis)


# ------------------------------------------------------------------------------ slopes


def slope_evenly(self, axis, distance, edge_order):
    """The slopes along an axis, of points that are ``distance`` apart: a number, or a tensor without dims."""
    def at(start, end):
        return part(self, axis, start, END if end == 0 else end)

    middle = true_divide(at(2, 0) - at(0, -2), distance) / 2
    if edge_order == 1:
        first, last = at(1, 2) - at(0, 1), at(-1, 0) - at(-2, -1)
    else:
        first = -1.5 * at(0, 1) + 2 * at(1, 2) - 0.5 * at(2, 3)
        last = 0.5 * at(-3, -2) - 2 * at(-2, -1) + 1.5 * at(-1, 0)
    return cat([true_divide(first, distance), middle, true_divide(last, distance)], axis)


def slope_unevenly(self, axis, points, edge_order):
    """The same at given points; a, b and c are the derivatives of Lagrange's polynomials through three of them."""
    def at(start, end):
        return part(self, axis, start, END if end == 0 else end)

    def three(a, b, c, start):
        return a * at(start, start + 1) + b * at(start + 1, start + 2) + c * at(start + 2, start + 3)

    def in_line(x):
        return reshaped(x, tuple([-1 if i == axis else 1 for i in range(self.ndim)]))

    distance = diff(points)
    left, right = part(distance, 0, 0, -1), part(distance, 0, 1, END)
    middle = (in_line(-right / (left * (left + right))) * at(0, -2)
              + in_line((right - left) / (left * right)) * at(1, -1)
              + in_line(left / (right * (left + right))) * at(2, 0))
    if edge_order == 1:
        first = true_divide(at(1, 2) - at(0, 1), select(distance, 0, 0))
        last = true_divide(at(-1, 0) - at(-2, -1), select(distance, 0, -1))
        return cat([first, middle, last], axis)
    p, q = select(distance, 0, 0), select(distance, 0, 1)
    first = three(-(2.0 * p + q) / (p * (p + q)), (p + q) / (p * q), -p / (q * (p + q)), 0)
    p, q = select(distance, 0, -2), select(distance, 0, -1)
    last = three(q / (p * (q + p)), -(q + p) / (q * p), (2.0 * q + p) / (q * (q + p)), -3)
    return cat([first, middle, last], axis)


@composite(method=False, out=False, types="Tensor Any Dims? int")
def gradient(input, *, spacing=1, dim=None, edge_order=1):
    """The slopes of ``input`` along all dims or those in ``dim``, as a tuple of tensors of its shape.

    ``spacing`` is the distance between the points, or a list: for each dim the distance, or a vector of the points.

    >>> torch.gradient(torch.tensor([1., 4., 9., 16.]))
    (tensor([3., 4., 6., 7.]),)
    """
    spacing = 1 if spacing is None else spacing
    several = isinstance(spacing, (tuple, list))
    if isinstance(spacing, Tensor) and spacing.ndim:
        raise error("MG205", "gradient() received an invalid combination of arguments: the points along a dim are "
                             "given in a list, as in spacing=[points]")
    axes = tuple(range(input.ndim)) if dim is None else () if dim == () else many_dims(dim, input.ndim, "gradient")
    if several and len(spacing) != len(axes):
        raise other_number_of_spacings(len(spacing), len(axes), dim is None, input.ndim)
    if edge_order not in (1, 2):
        raise error("MG204", "torch.gradient only supports edge_order=1 and edge_order=2.")
    for each in spacing if several else (spacing,):
        if isinstance(each, Tensor) and each.device != input.device:
            raise error("MG407", "torch.gradient expected each tensor to be on the same device, but got devices "
                                 f"{each.device} and {input.device}: the points are on the device of the values")
    for axis in axes:
        if input.shape[axis] < edge_order + 1:
            raise error("MG204", "torch.gradient expected each dimension size to be at least edge_order+1: dim "
                                 f"{axis} has {input.shape[axis]}")
    found = []
    for axis, each in zip(axes, spacing if several else (spacing,) * len(axes)):
        slope = slope_unevenly if isinstance(each, Tensor) and each.ndim else slope_evenly
        found.append(slope(input, axis, each, edge_order))
    return tuple(found)


# ------------------------------------------------------------------------------ errors


def other_number_of_spacings(given, wanted, all_dims, ndim):
    if all_dims:
        return error("MG201", "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal "
                              f"to 'self.dim() = {ndim}', since dim argument was not given, but got a list of length "
                              f"{given}")
    return error("MG201", "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim "
                          f"arguments to have the same length, but got a spacing argument of length {given} and a dim "
                          f"argument of length {wanted}.")
