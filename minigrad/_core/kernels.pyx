"""The C kernels that rows name: ``fast=kernels.softmax``.

A row has a general kernel, which is written with NumPy and takes any layout and any dtype.  It may have a fast one
besides, in C, for plain arrays: native, aligned, C-contiguous, of float32 or float64.  The fast one is asked first, and
returns None where it does not apply.  Tests hold the two against each other.

Kernels are where they are for what they do: ``loops`` calls NumPy's inner loops, ``reductions`` sums, and ``one_pass``
does at once what takes NumPy several passes.  A row whose general kernel is a ufunc need not name one: the loops of
the ufunc are found here.
"""

cimport numpy as cnp
from minigrad._core.loops cimport Fast, Loop, resolve
from minigrad._core cimport loops, one_pass, reductions

import numpy as np


cdef class Kernel:
    """A C kernel, and the inner loops that it is called with."""


cdef Kernel made(Fast function, ufunc=None):
    cdef Kernel kernel = Kernel.__new__(Kernel)
    kernel.function = function
    if ufunc is not None:
        resolve(&kernel.loop, ufunc)
    return kernel


mm = made(loops.mm, np.matmul)
transpose = made(loops.transpose)
pow_number = made(loops.pow_number)
pow_slope = made(loops.pow_slope)

sum_all = made(reductions.sum_all)
sum_dim = made(reductions.sum_dim)
mean_all = made(reductions.mean_all)
mean_dim = made(reductions.mean_dim)

relu = made(one_pass.relu)
threshold_backward = made(one_pass.threshold_backward)
tanh_backward = made(one_pass.tanh_backward)
sigmoid_backward = made(one_pass.sigmoid_backward)
softmax = made(one_pass.softmax)
softmax_backward = made(one_pass.softmax_backward)
log_softmax = made(one_pass.log_softmax)
log_softmax_backward = made(one_pass.log_softmax_backward)
nll_loss = made(one_pass.nll_loss)
nll_loss_backward = made(one_pass.nll_loss_backward)


cdef Fast fast_for(object kernel, Kernel named, Loop* loop) except? NULL:
    """The fast kernel of a row, with its loops in `loop`: the named one, or what drives the loops of a ufunc; else NULL."""
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
