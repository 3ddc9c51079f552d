"""The C kernels that rows name: ``fast=kernels.softmax``.

A row has a general kernel, which is written with NumPy and takes any layout and any dtype.  It may also have a fast
one, in C, for the usual arrays, which always means native and aligned ones, and in some of these files contiguous ones
of float32 or float64.  The fast one is called first, and returns None where it does not apply.  Tests compare the two.

The kernels are sorted by what they do: ``loops`` calls NumPy's inner loops, ``products`` multiplies matrices,
``reductions`` sums, ``geometry`` makes views, ``joining`` puts arrays together, and ``one_pass`` does in one pass what
takes NumPy several.  A row whose general kernel is a ufunc need not name a fast one: the loops of the ufunc
are found here.
"""

from minigrad._core.loops cimport Fast, Loop, resolve
from minigrad._core.one_pass cimport OnDoubles, OnFloats
from minigrad._core cimport geometry, joining, loops, one_pass, products, reductions

import numpy as np


cdef class Kernel:
    """A C kernel, and the inner loops that it is called with."""


cdef Kernel made(Fast function, ufunc=None):
    cdef Kernel kernel = Kernel.__new__(Kernel)
    kernel.function = function
    if ufunc is not None:
        resolve(&kernel.loop, ufunc)
    return kernel


cdef Kernel of_both(OnFloats single, OnDoubles double_):
    cdef Kernel kernel = made(one_pass.by_dtype)
    kernel.loop.data[0], kernel.loop.data[1] = <void*>single, <void*>double_
    return kernel


square = made(loops.unary, np.square)
cat = made(joining.cat)
stack = made(joining.stack)
unbind = made(joining.unbind)
split = made(joining.split)
transpose = made(geometry.transpose)
permute = made(geometry.permute)
unpermute = made(geometry.unpermute)
select = made(geometry.select)
slice_ = made(geometry.slice_)
unsqueeze = made(geometry.unsqueeze)
squeeze = made(geometry.squeeze)
squeeze_dim = made(geometry.squeeze_dim)
squeeze_dims = made(geometry.squeeze_dims)
expand = made(geometry.expand)
view = made(geometry.view)
diagonal = made(geometry.diagonal)
unfold = made(geometry.unfold)
alias = made(geometry.alias)
t = made(loops.transpose)
pow_number = made(loops.pow_number)
pow_slope = made(loops.pow_slope)

mm = made(products.mm)
bmm = made(products.bmm)
mv = made(products.mv)
dot = made(products.dot)
times = made(products.times)
outer = made(products.outer)
adjoint = made(products.adjoint)
addmm = made(products.addmm)
addmv = made(products.addmv)
baddbmm = made(products.baddbmm)
addr = made(products.addr)

sum_to = made(reductions.sum_to)
sum_all = made(reductions.sum_all)
sum_dim = made(reductions.sum_dim)
mean_all = made(reductions.mean_all)
mean_dim = made(reductions.mean_dim)

relu = of_both(one_pass.relu[float], one_pass.relu[double])
threshold_backward = of_both(one_pass.threshold_backward[float], one_pass.threshold_backward[double])
tanh_backward = of_both(one_pass.tanh_backward[float], one_pass.tanh_backward[double])
sigmoid_backward = of_both(one_pass.sigmoid_backward[float], one_pass.sigmoid_backward[double])
softmax = of_both(one_pass.softmax[float], one_pass.softmax[double])
softmax_backward = of_both(one_pass.softmax_backward[float], one_pass.softmax_backward[double])
log_softmax = of_both(one_pass.log_softmax[float], one_pass.log_softmax[double])
log_softmax_backward = of_both(one_pass.log_softmax_backward[float], one_pass.log_softmax_backward[double])
nll_loss = of_both(one_pass.nll_loss[float], one_pass.nll_loss[double])
nll_loss_backward = of_both(one_pass.nll_loss_backward[float], one_pass.nll_loss_backward[double])


cdef Fast fast_for(object kernel, Kernel named, Loop* loop) except? NULL:
    """The fast kernel of a row, with its loops in `loop`: the named one, or that for ufuncs; NULL if there is none."""
    loop.f[0] = loop.f[1] = NULL
    if named is not None:
        loop[0] = named.loop
        return named.function
    if not isinstance(kernel, np.ufunc) or kernel.nout != 1:
        return NULL
    resolve(loop, kernel)
    if loop.f[0] == NULL and loop.f[1] == NULL:
        return NULL
    return loops.unary if kernel.nin == 1 else loops.binary
