"""Complex numbers: parts, conjugates, absolute values, angles.

The absolute value, the angle, the real part and the conjugate are not holomorphic (they have no complex
derivative), so none of them is of the elementwise kind.  They do have a derivative as maps of two real
numbers.  As in PyTorch, the gradient is the one with respect to the conjugate, whose negative is the
direction of steepest descent: for a real loss L,

    grad of z = dL/d(Re z) + i dL/d(Im z)

``conj`` copies (PyTorch only sets a flag, which only its own kernels read): ``is_conj`` is always False and
``resolve_conj`` has nothing to do.  ``real``, ``imag`` and ``view_as_*`` share memory.

Neighbours: elementary.py (functions that are holomorphic, and take complex numbers as they are).
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.loops import new_ufuncs as loops

from ..formats import strided
from ..composites import composite, in_place
from ..kinds import general, linear, view
from .arithmetic import divide_or_zero
from .elementary import cos, sin
from ..arguments import common_shape, scalar_name

# ------------------------------------------------------------------------------ parts


def imag_kernel(self):
    if self.dtype.kind != "c":
        raise no_imaginary_part(self.dtype)
    return self.imag


real = view("real(Tensor self)", lambda self: self.real,
            self=lambda d: d,
            node="SelectBackward0", last_dims=0, doc="""
The real part: a view of the same memory (of a real tensor: all of it).

>>> torch.real(torch.tensor([1 + 2j, 3 - 4j]))
tensor([1., 3.])
""")

imag = view("imag(Tensor self)", imag_kernel,
            self=lambda d: d * 1j,
            node="SelectBackward0", last_dims=0, doc="""
The imaginary part: a view of the same memory.

>>> torch.imag(torch.tensor([1 + 2j, 3 - 4j]))
tensor([ 2., -4.])
""")


def complex_kernel(real, imag):
    if real.dtype != imag.dtype or real.dtype.kind != "f":
        raise complex_of_two_dtypes(real.dtype, imag.dtype)
    out = np.empty(common_shape("complex", [real.shape, imag.shape]),
                   np.complex128 if real.dtype == np.float64 else np.complex64)
    out.real, out.imag = real, imag
    return out


complex = linear("complex(Tensor real, Tensor imag)", complex_kernel,
                 real=lambda d: real(d),
                 imag=lambda d: imag(d),
                 method=False, last_dims=0, fast=loops.complex, doc="""
The complex tensor with these real and imaginary parts.

>>> torch.complex(torch.tensor([1., 2.]), torch.tensor([3., 4.]))
tensor([1.+3.j, 2.+4.j])
""")


def polar_kernel(abs, angle):
    if abs.dtype != angle.dtype or abs.dtype.kind != "f":
        raise polar_of_two_dtypes(abs.dtype, angle.dtype)
    common_shape("polar", [abs.shape, angle.shape])
    return complex_kernel(abs * np.cos(angle), abs * np.sin(angle))


polar = general("polar(Tensor abs, Tensor angle)", polar_kernel,
                abs=lambda d, angle: real(conj(d) * complex(cos(angle), sin(angle))),
                angle=lambda d, result: real(conj(d) * (1j * result)),
                method=False, last_dims=0, fast=loops.polar, doc="""
The complex tensor with these absolute values and angles (in radians).

>>> torch.polar(torch.tensor([1., 2.]), torch.tensor([0., 0.]))
tensor([1.+0.j, 2.+0.j])
""")

# ------------------------------------------------------------------------------ pairs of real numbers


def view_as_real_kernel(self):
    if self.dtype.kind != "c":
        raise not_complex(self.dtype)
    part = self.real.dtype
    return strided(self, self.shape + (2,), self.strides + (part.itemsize,), part)


def view_as_complex_kernel(self):
    if self.dtype.kind != "f" or self.itemsize == 2:
        raise no_complex_form(self.dtype)
    if not self.ndim or self.shape[-1] != 2:
        raise no_last_dim_of_two(self.shape)
    # A dim with one element may have any stride.
    apart = self.strides[-1] != self.itemsize or any([
        stride % (2 * self.itemsize) for stride, size in zip(self.strides, self.shape[:-1]) if size != 1])
    if apart and self.size:
        raise pairs_apart()
    return self.view(np.result_type(self.dtype, np.complex64))[..., 0]


def pairs_to_complex_kernel(self):
    pairs = np.empty(self.shape, self.dtype)
    pairs[...] = self
    return view_as_complex_kernel(pairs)


view_as_real = view("view_as_real(Tensor self)", view_as_real_kernel,
                    self=lambda d: pairs_to_complex(d), last_dims=0, fast=kernels.view_as_real, doc="""
A view with a last dim of size 2 for the real and the imaginary part.

>>> torch.view_as_real(torch.tensor([1 + 2j, 3 - 4j]))
tensor([[ 1.,  2.],
        [ 3., -4.]])
""")

view_as_complex = view("view_as_complex(Tensor self)", view_as_complex_kernel,
                       self=lambda d: view_as_real(d), last_dims=1, fast=kernels.view_as_complex, doc="""
A complex view of a real tensor whose last dim, of size 2, holds real and imaginary parts.

>>> torch.view_as_complex(torch.tensor([[1., 2.], [3., -4.]]))
tensor([1.+2.j, 3.-4.j])
""")

pairs_to_complex = linear("pairs_to_complex(Tensor self)", pairs_to_complex_kernel,
                          self=lambda d: view_as_real(d),
                          public=False, fast=kernels.pairs_to_complex,
                          last_dims=1, doc="``view_as_complex`` for any layout: it copies.")

# ------------------------------------------------------------------------------ conjugates

conj = linear("conj(Tensor self)", np.conjugate,
              self=lambda d: conj(d),
              public=False,
              last_dims=0, doc="The complex conjugate: linear over the real numbers, and its own transpose.")

conj_copied = linear("conj_physical(Tensor self)", np.conjugate,
                     self=lambda d: conj(d),
                     inplace_node="ConjPhysicalBackward1", public=False, inplace=True, inplace_function=True,
                     last_dims=0, shown="conj_physical", doc="The same, under the name that PyTorch gives to the copy.")


@composite(name="conj", out=False)
def conjugate(self):
    """The complex conjugate; a real tensor is returned as it is. It copies, where PyTorch makes a lazy view.

    >>> torch.conj(torch.tensor([1 + 2j, 3 - 4j]))
    tensor([1.-2.j, 3.+4.j])
    """
    return conj(self) if self.dtype.is_complex else self


@composite(out="exact")
def conj_physical(self):
    """The complex conjugate, as a copy; a real tensor is returned as it is.

    >>> torch.conj_physical(torch.tensor([1 + 2j]))
    tensor([1.-2.j])
    """
    return conj_copied(self) if self.dtype.is_complex else self


@composite(out=False)
def resolve_conj(self):
    """``self``: conjugates are never lazy here.

    >>> torch.resolve_conj(torch.tensor([1 + 2j]))
    tensor([1.+2.j])
    """
    return self


@composite(out=False)
def resolve_neg(self):
    """``self``: negations are never lazy here.

    >>> torch.resolve_neg(torch.tensor([1 + 2j]))
    tensor([1.+2.j])
    """
    return self


@composite(out=False)
def is_conj(self):
    """False: conjugates are never lazy here.

    >>> torch.is_conj(torch.tensor([1 + 2j]))
    False
    """
    return False


@composite(out=False)
def is_neg(self):
    """False: negations are never lazy here.

    >>> torch.is_neg(torch.tensor([1 + 2j]))
    False
    """
    return False

times_i = linear("times_i(Tensor self)", lambda self: self * 1j if self.dtype.kind == "c" else np.zeros_like(self),
                 self=lambda d: -times_i(d),
                 public=False, last_dims=0,
                 doc="The part of ``1j * self`` that its dtype can hold: of a real tensor, zeros.")

# ------------------------------------------------------------------------------ absolute value and angle


def sgn_kernel(self):
    """z / |z|, and 0 at 0; for real numbers also 0 at nan, as in PyTorch."""
    if self.dtype.kind == "b":
        return self.copy()
    out = np.asarray(np.sign(self))
    if self.dtype.kind not in "iuc":
        out[out != out] = 0
    return out


sgn = general("sgn(Tensor self)", sgn_kernel,
              self=lambda d, self, result:
                  times_i(divide_or_zero(result * real(times_i(-d * conj(result))), abs(self))),
              inplace=True, last_dims=0, fast=loops.sign, doc="""
``z / |z|``, and 0 at 0: the sign of real numbers, the direction of complex ones.

A step along z leaves the direction as it is, and a step across z turns it by 1/|z|. So the gradient is the part
of ``d`` across z, divided by |z|: i result Im(d conj(result)) / |z|. Real numbers have no such part.

>>> torch.sgn(torch.tensor([3 + 4j, 0j]))
tensor([0.6000+0.8000j, 0.0000+0.0000j])
""")


abs = general("abs(Tensor self)", np.absolute,
              self=lambda d, self: d * sgn(self),
              refuse="b", aliases=("absolute",), last_dims=0, doc="""
The absolute value; for complex numbers, the distance from 0. Its slope at 0 is 0.

>>> x = torch.tensor([-2., 0., 3.], requires_grad=True)
>>> torch.abs(x).sum().backward(); x.grad
tensor([-1.,  0.,  1.])
""")


@in_place("abs_", function_too=True)
@in_place("absolute_")
def abs_into(self):
    """``self`` takes its absolute value; not for complex numbers, whose absolute values are real.

    >>> torch.tensor([-1., 2.]).abs_()
    tensor([1., 2.])
    """
    if self.dtype.is_complex:
        raise abs_is_real()
    return abs.inplace(self)


def angle_kernel(self):
    if self.dtype.kind == "c":
        return np.angle(self)
    return np.where(self != self, self, np.where(self < 0, np.pi, 0).astype(self.dtype))


# Of a real number `times_i` makes 0.  Inside, that is before 1/|x| can overflow; outside, where x is nan.  -i i is 1.

angle = general("angle(Tensor self)", angle_kernel,
                self=lambda d, self: -d * times_i(times_i(divide_or_zero(times_i(sgn(self)), abs(self)))),
                promote="float", last_dims=0, fast=loops.angle, doc="""
The angle of complex numbers in radians, between -pi and pi; for real ones 0, or pi if they are negative.

It is atan2(y, x), so the slopes are -y/r^2 and x/r^2: together i z / |z|^2, written without a square that overflows.

>>> torch.angle(torch.tensor([1j, -1 + 0j, 1 + 1j]))
tensor([1.5708, 3.1416, 0.7854])
""")


# ------------------------------------------------------------------------------ errors


def no_imaginary_part(dtype):
    return error("MG202", "imag is not implemented for tensors with non-complex dtypes. This one is of dtype "
                          f"{scalar_name(dtype)}, so its imaginary part would be zero everywhere")


def complex_of_two_dtypes(real, imag):
    return not_of_one_dtype("complex", "Half, Float or Double", real, imag)


def polar_of_two_dtypes(abs, angle):
    return not_of_one_dtype("polar", "Float or Double", abs, angle)


def not_of_one_dtype(op, allowed, first, second):
    if first.kind == second.kind == "f":
        return error("MG202", f"{op}(): Expected object of scalar type {scalar_name(first)} but got scalar type "
                              f"{scalar_name(second)} for second argument. Convert it with .to(dtype)")
    return error("MG202", f"{op}(): Expected both inputs to be {allowed} tensors but got {scalar_name(first)} and "
                          f"{scalar_name(second)}. Convert with .to(dtype)")


def not_complex(dtype):
    return error("MG202", "view_as_real is only supported for complex tensors, but this one is of dtype "
                          f"{scalar_name(dtype)}")


def no_complex_form(dtype):
    return error("MG202", "view_as_complex is only supported for half, float and double tensors, "
                          f"but got a tensor of scalar type: {scalar_name(dtype)}")


def no_last_dim_of_two(shape):
    if not shape:
        return error("MG204", "view_as_complex: Input tensor must have one or more dimensions: the last one, of size "
                              "2, has the real and the imaginary part")
    return error("MG204", "view_as_complex: Tensor must have a last dimension of size 2, but its shape is "
                          f"{list(shape)}")


def pairs_apart():
    return error("MG204", "view_as_complex: Tensor must have a last dimension with stride 1, and the other strides "
                          "even: the two parts of a number lie side by side in memory. Write x.contiguous() first")


def abs_is_real():
    return error("MG202", "abs_: In-place abs is not supported for complex tensors, because the result is real. "
                          "Use abs()")
