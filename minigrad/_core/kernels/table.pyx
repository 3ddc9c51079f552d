"""The C kernels that rows name: ``fast=kernels.softmax``.

A row has a general kernel, which is written with NumPy and takes any layout and any dtype.  It may also have a fast
one, in C, for the usual arrays, which always means native and aligned ones, and in some of these files contiguous ones
of float32 or float64.  The fast one is called first, and returns None where it does not apply.  Tests compare the two.

The overview of this folder says which kernel is where.  A row whose general kernel is a ufunc need not name a fast one:
the loops of the ufunc are found here.

Those of neural networks, and those that take matrices apart, are loaded when they are needed first; they have tables of
their own, ``table_of_networks`` and ``table_of_matrices``.

All of them can be turned off: Note [Without kernels] in _core/dispatch/op.pyx.
"""

import os

from minigrad._core.errors import error

from minigrad._core.kernels.algebra cimport matrix_products
from minigrad._core.kernels.loops cimport fill_and_copy, numpy_loops
from minigrad._core.kernels.loops.numpy_loops cimport Fast, Into, Loop, resolve
from minigrad._core.kernels.positions cimport block_indexing, element_indexing
from minigrad._core.kernels.random cimport random_arrays
from minigrad._core.kernels.reductions cimport array_sums, lines, reduction_gradients
from minigrad._core.kernels.reductions.along_dims cimport LineOperation, along
from minigrad._core.kernels.reductions.lines cimport What
from minigrad._core.kernels.shapes cimport concatenation, data_movement, padding, strided_views, view_gradients
from minigrad._core.kernels.statistics cimport search_and_histograms
from minigrad._core.runtime.python_api cimport PyObject, Py_INCREF

import numpy as np


cdef object used_at_first():
    """What the environment says: MINIGRAD_KERNELS=0 turns kernels off."""
    said = os.environ.get("MINIGRAD_KERNELS", "1")
    if said not in ("0", "1"):
        raise error("MG204", f"MINIGRAD_KERNELS={said}: it may be 1, which is the default, or 0: then every operation "
                             "runs the general way of its row, which is written with NumPy")
    return said == "1"


USED_AT_FIRST = used_at_first()
cdef bint in_use = USED_AT_FIRST


cdef class Kernel:
    """A C kernel, and the inner loops that it is called with."""


cdef Kernel made(Fast function, ufunc=None):
    cdef Kernel kernel = Kernel.__new__(Kernel)
    kernel.function = function
    if ufunc is not None:
        resolve(&kernel.loop, ufunc)
    return kernel


cdef Kernel told(Kernel kernel, what):
    """Such a kernel that knows this object besides its arguments."""
    Py_INCREF(what)                         # for ever, as kernels live
    kernel.loop.told = <PyObject*>what
    return kernel


cdef Kernel writing(Into into):
    """A kernel that is written for given memory."""
    cdef Kernel kernel = made(fill_and_copy.in_new_memory)
    kernel.loop.into = kernel.into = into
    return kernel


cdef Kernel with_options(Fast function):
    """A kernel that takes calls with options too."""
    cdef Kernel kernel = made(function)
    kernel.reads_options = True
    return kernel


cdef Kernel of_lines(What what, str arguments, str results="values"):
    """One that works along dims: what it computes, where its arguments are, and which of two results it returns."""
    return told(made(along), LineOperation(what, arguments, results))


cdef Kernel of_view(Fast function, Fast view):
    """One that copies or changes what a view shows."""
    cdef Kernel kernel = made(function)
    kernel.loop.view = view
    return kernel


square = made(numpy_loops.unary, np.square)
cat = made(concatenation.cat)
stack = made(concatenation.stack)
unbind = made(concatenation.unbind)
split = made(concatenation.split)
split_with_sizes = made(concatenation.split_with_sizes)
split_backward = made(concatenation.split_backward)
unbind_backward = made(concatenation.unbind_backward)
cat_backward = made(concatenation.cat_backward)
transpose = made(strided_views.transpose)
permute = made(strided_views.permute)
unpermute = made(strided_views.unpermute)
select = made(strided_views.select)
slice_ = made(strided_views.slice_)
unsqueeze = made(strided_views.unsqueeze)
squeeze = made(strided_views.squeeze)
squeeze_dim = made(strided_views.squeeze_dim)
squeeze_dims = made(strided_views.squeeze_dims)
expand = made(strided_views.expand)
view = made(strided_views.view)
diagonal = made(strided_views.diagonal)
unfold = made(strided_views.unfold)
as_strided = made(strided_views.as_strided)
view_as_real = made(strided_views.view_as_real)
view_as_complex = made(strided_views.view_as_complex)
pairs_to_complex = made(strided_views.pairs_to_complex)
alias = made(strided_views.alias)
reshape = made(data_movement.reshape)
clone = made(data_movement.clone)
flip = made(data_movement.flip)
rot90 = made(data_movement.rot90)
roll = made(data_movement.roll)
unroll = made(data_movement.unroll)
repeat = made(data_movement.repeat)
tril = made(data_movement.tril)
triu = made(data_movement.triu)
diag_embed = made(data_movement.diag_embed)
select_backward = made(view_gradients.select_backward)
slice_backward = made(view_gradients.slice_backward)
diagonal_backward = made(view_gradients.diagonal_backward)
unfold_backward = made(view_gradients.unfold_backward)
as_strided_backward = made(view_gradients.as_strided_backward)
select_scatter = of_view(view_gradients.written_where_shown, strided_views.select)
select_keep = of_view(view_gradients.erased_where_shown, strided_views.select)
slice_scatter = of_view(view_gradients.written_where_shown, strided_views.slice_)
slice_keep = of_view(view_gradients.erased_where_shown, strided_views.slice_)
diagonal_scatter = of_view(view_gradients.written_where_shown, strided_views.diagonal)
diagonal_keep = of_view(view_gradients.erased_where_shown, strided_views.diagonal)
alias_copy = of_view(data_movement.shown_copied, strided_views.alias)
diagonal_copy = of_view(data_movement.shown_copied, strided_views.diagonal)
expand_copy = of_view(data_movement.shown_copied, strided_views.expand)
permute_copy = of_view(data_movement.shown_copied, strided_views.permute)
select_copy = of_view(data_movement.shown_copied, strided_views.select)
slice_copy = of_view(data_movement.shown_copied, strided_views.slice_)
split_copy = of_view(data_movement.shown_copied, concatenation.split)
split_with_sizes_copy = of_view(data_movement.shown_copied, concatenation.split_with_sizes)
squeeze_copy = of_view(data_movement.shown_copied, strided_views.squeeze)
squeeze_dim_copy = of_view(data_movement.shown_copied, strided_views.squeeze_dim)
squeeze_dims_copy = of_view(data_movement.shown_copied, strided_views.squeeze_dims)
t_copy = of_view(data_movement.shown_copied, numpy_loops.transpose)
transpose_copy = of_view(data_movement.shown_copied, strided_views.transpose)
unbind_copy = of_view(data_movement.shown_copied, concatenation.unbind)
unfold_copy = of_view(data_movement.shown_copied, strided_views.unfold)
unsqueeze_copy = of_view(data_movement.shown_copied, strided_views.unsqueeze)
view_copy = of_view(data_movement.shown_copied, strided_views.view)
view_as_complex_copy = of_view(data_movement.shown_copied, strided_views.view_as_complex)
view_as_real_copy = of_view(data_movement.shown_copied, strided_views.view_as_real)
pad = made(padding.pad)
unpad = made(padding.unpad)
pad_copies = made(padding.pad_copies)
pad_copies_backward = made(padding.pad_copies_backward)
index_select = made(block_indexing.index_select)
index_select_backward = made(block_indexing.index_select_backward)
index_add = made(block_indexing.index_add)
index_copy = made(block_indexing.index_copy)
index_fill = made(block_indexing.index_fill)
index = made(block_indexing.index)
index_backward = made(block_indexing.index_backward)
index_put = made(block_indexing.index_put)
index_erase = made(block_indexing.index_erase)
gather = made(element_indexing.gather)
gather_backward = made(element_indexing.gather_backward)
gather_into = made(element_indexing.gather_into)
scatter = made(element_indexing.scatter)
scatter_reduce = made(element_indexing.scatter_reduce)
scatter_add = made(element_indexing.scatter_add)
take = made(element_indexing.take)
take_backward = made(element_indexing.take_backward)
put = made(element_indexing.put)
put_backward = made(element_indexing.put_backward)
embedding = made(block_indexing.embedding)
embedding_backward = made(block_indexing.embedding_backward)
masked_select = made(element_indexing.masked_select)
masked_select_backward = made(element_indexing.masked_select_backward)
masked_scatter = made(element_indexing.masked_scatter)
masked_read = made(element_indexing.masked_read)
masked_write = made(element_indexing.masked_write)
argwhere = made(element_indexing.argwhere)
indices_by_dim = made(element_indexing.indices_by_dim)
one_hot = made(element_indexing.one_hot)
counted_from_start = made(element_indexing.counted_from_start)
t = made(numpy_loops.transpose)
zero = writing(fill_and_copy.zero_into)
fill = writing(fill_and_copy.fill_into)
copy = writing(fill_and_copy.copy_into)
to_copy = made(fill_and_copy.to_copy)
uniform = writing(random_arrays.uniform_into)
normal = writing(random_arrays.normal_into)
exponential = writing(random_arrays.exponential_into)
bernoulli = writing(random_arrays.bernoulli_into)
bernoulli_each = writing(random_arrays.bernoulli_each_into)
integers = writing(random_arrays.integers_into)
pow_number = made(numpy_loops.pow_number)
pow_slope = made(numpy_loops.pow_slope)

mm = made(matrix_products.mm)
bmm = made(matrix_products.bmm)
mv = made(matrix_products.mv)
dot = made(matrix_products.dot)
vdot = made(matrix_products.vdot)
vecdot = made(matrix_products.vecdot)
cross = made(matrix_products.cross)
trace = made(matrix_products.trace)
times = made(matrix_products.times)
outer = made(matrix_products.outer)
adjoint = made(matrix_products.adjoint)
addmm = with_options(matrix_products.addmm)
addmv = with_options(matrix_products.addmv)
baddbmm = with_options(matrix_products.baddbmm)
addr = with_options(matrix_products.addr)

sum_to = made(array_sums.sum_to)
sum_all = of_lines(lines.SUM, "dtype")
sum_dim = of_lines(lines.SUM, "dims keepdim dtype")
mean_all = of_lines(lines.MEAN, "dtype")
mean_dim = of_lines(lines.MEAN, "dims keepdim dtype")
nansum = of_lines(lines.NANSUM, "dims keepdim dtype")
prod_all = of_lines(lines.PRODUCT, "dtype")
prod_dim = of_lines(lines.PRODUCT, "dim keepdim dtype")
all_ = of_lines(lines.ALL, "some_dims keepdim")
any_ = of_lines(lines.ANY, "some_dims keepdim")
count_nonzero = of_lines(lines.COUNT, "dims")
norm = of_lines(lines.NORM, "number dims keepdim dtype")
variance = of_lines(lines.VARIANCE, "dims number keepdim")
deviation = of_lines(lines.DEVIATION, "dims number keepdim")
logsumexp = of_lines(lines.LOGSUMEXP, "dims keepdim")
largest = of_lines(lines.LARGEST, "dims keepdim")
least = of_lines(lines.LEAST, "dims keepdim")
largest_of_all = of_lines(lines.LARGEST, "")
least_of_all = of_lines(lines.LEAST, "")
largest_at = of_lines(lines.LARGEST_AT, "dim keepdim", "values places")
least_at = of_lines(lines.LEAST_AT, "dim keepdim", "values places")
place_of_largest = of_lines(lines.LARGEST_AT, "dim keepdim", "places")
place_of_least = of_lines(lines.LEAST_AT, "dim keepdim", "places")
sort = of_lines(lines.SORTED, "dim flag _", "values places")
argsort = of_lines(lines.SORTED, "dim flag _", "places")
topk = of_lines(lines.BEST, "k dim flag _", "values places")
kthvalue = of_lines(lines.KTH, "k dim keepdim", "values places")
median_all = of_lines(lines.MEDIAN, "")
median_dim = of_lines(lines.MEDIAN, "dim keepdim", "values places")
nanmedian_all = of_lines(lines.NANMEDIAN, "")
nanmedian_dim = of_lines(lines.NANMEDIAN, "dim keepdim", "values places")
mode = of_lines(lines.MODE, "dim keepdim", "values places")
cumsum = of_lines(lines.RUNNING_SUM, "dim dtype")
cumprod = of_lines(lines.RUNNING_PRODUCT, "dim dtype")
cummax = of_lines(lines.RUNNING_LARGEST, "dim", "values places")
cummin = of_lines(lines.RUNNING_LEAST, "dim", "values places")
reverse_cumsum = of_lines(lines.REST_SUM, "dim")
exclusive_cumprod = of_lines(lines.BEFORE, "dim k")
shift = of_lines(lines.SHIFTED, "dim k")
shift_in = of_lines(lines.SHIFTED, "dim k number")
scan = of_lines(lines.RECURRENCE, "other dim k")
scan_back = of_lines(lines.RECURRENCE_BACK, "other dim k")
logcumsumexp = of_lines(lines.RUNNING_LOGSUMEXP, "dim")
slope_of_variance = of_lines(lines.DISTANCES, "dims number")
spread_to_ties = of_lines(lines.SHARES, "result grad dims keepdim")
product_of_others = of_lines(lines.OTHERS, "result dim keepdim")
search = made(search_and_histograms.search)
isin = made(search_and_histograms.isin)
distinct = made(search_and_histograms.distinct)
distinct_runs = made(search_and_histograms.distinct_runs)
bincount = made(search_and_histograms.bincount)
histc = made(search_and_histograms.histc)
restore_dims = made(reduction_gradients.restore_dims)
expand_reduced = made(reduction_gradients.expand_reduced)
mean_backward = made(reduction_gradients.mean_backward)
put_along = made(reduction_gradients.put_along)
softmax = of_lines(lines.SOFTMAX, "dim")
softmax_backward = of_lines(lines.SOFTMAX_BACK, "other dim")
log_softmax = of_lines(lines.LOG_SOFTMAX, "dim")
log_softmax_backward = of_lines(lines.LOG_SOFTMAX_BACK, "other dim")


cdef Fast fast_for(object kernel, Kernel named, Loop* loop, Into* into) except? NULL:
    """The fast kernel of a row, with its loops in `loop`: the named one, or that for ufuncs; NULL if there is none."""
    loop.f[0] = loop.f[1] = NULL
    into[0] = NULL
    if named is not None:
        loop[0] = named.loop
        into[0] = named.into
        return named.function
    if not isinstance(kernel, np.ufunc) or kernel.nout != 1 or kernel.nin > 2 or kernel.signature is not None:
        return NULL                 # a loop with other operands, or, as that of matmul, over more than elements
    resolve(loop, kernel)
    if loop.f[0] == NULL and loop.f[1] == NULL:
        return NULL
    into[0] = numpy_loops.unary_into if kernel.nin == 1 else numpy_loops.write_binary
    return numpy_loops.unary if kernel.nin == 1 else numpy_loops.binary
