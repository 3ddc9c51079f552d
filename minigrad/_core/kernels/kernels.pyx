"""The C kernels that rows name: ``fast=kernels.softmax``.

A row has a general kernel, which is written with NumPy and takes any layout and any dtype.  It may also have a fast
one, in C, for the usual arrays, which always means native and aligned ones, and in some of these files contiguous ones
of float32 or float64.  The fast one is called first, and returns None where it does not apply.  Tests compare the two.

The kernels are sorted by what they do: ``loops`` calls NumPy's inner loops, ``products`` multiplies matrices, ``along``
works along dims (sums, extremes, sorting, softmax), ``spreading`` gives dims back, ``geometry`` makes views,
``joining`` puts arrays together, ``moving`` makes arrays of the elements of others, ``padding`` gives them a margin,
``putting_back`` has the gradients of views, ``chosen_blocks`` and ``chosen_elements`` read and write at indices, and
``binning`` sorts into bins.  A row whose general kernel is a ufunc need not name a fast one: the loops of the ufunc are
found here.

Those of neural networks, and those that take matrices apart, are loaded when they are needed first; they have tables of
their own, ``kernels_of_networks`` and ``kernels_of_matrices``.
"""

from minigrad._core.kernels.algebra cimport products
from minigrad._core.kernels.loops cimport filling, loops
from minigrad._core.kernels.loops.loops cimport Fast, Into, Loop, resolve
from minigrad._core.kernels.positions cimport chosen_blocks, chosen_elements
from minigrad._core.kernels.random cimport randomness
from minigrad._core.kernels.reductions cimport lines, reductions, spreading
from minigrad._core.kernels.reductions.along cimport along, form
from minigrad._core.kernels.reductions.lines cimport What
from minigrad._core.kernels.shapes cimport geometry, joining, moving, padding, putting_back
from minigrad._core.kernels.statistics cimport binning

import numpy as np


cdef class Kernel:
    """A C kernel, and the inner loops that it is called with."""


cdef Kernel made(Fast function, ufunc=None):
    cdef Kernel kernel = Kernel.__new__(Kernel)
    kernel.function = function
    if ufunc is not None:
        resolve(&kernel.loop, ufunc)
    return kernel


cdef Kernel writing(Into into):
    """A kernel that is written for given memory."""
    cdef Kernel kernel = made(filling.in_new_memory)
    kernel.loop.data[0] = <void*>into
    kernel.into = into
    return kernel


cdef Kernel with_options(Fast function):
    """A kernel that takes calls with options too."""
    cdef Kernel kernel = made(function)
    kernel.reads_options = True
    return kernel


cdef Kernel of_lines(What what, str arguments, str results="values"):
    """One that works along dims: what it computes, where its arguments are, and which of two results it returns."""
    cdef Kernel kernel = made(along)
    kernel.loop.data[0] = form(what, arguments, results)
    return kernel


cdef Kernel of_view(Fast function, Fast view):
    """One that copies or changes what a view shows."""
    cdef Kernel kernel = made(function)
    kernel.loop.data[0] = <void*>view
    return kernel


square = made(loops.unary, np.square)
cat = made(joining.cat)
stack = made(joining.stack)
unbind = made(joining.unbind)
split = made(joining.split)
split_with_sizes = made(joining.split_with_sizes)
split_backward = made(joining.split_backward)
unbind_backward = made(joining.unbind_backward)
cat_backward = made(joining.cat_backward)
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
as_strided = made(geometry.as_strided)
view_as_real = made(geometry.view_as_real)
view_as_complex = made(geometry.view_as_complex)
pairs_to_complex = made(geometry.pairs_to_complex)
alias = made(geometry.alias)
clone = made(moving.clone)
flip = made(moving.flip)
rot90 = made(moving.rot90)
roll = made(moving.roll)
unroll = made(moving.unroll)
repeat = made(moving.repeat)
tril = made(moving.tril)
triu = made(moving.triu)
diag_embed = made(moving.diag_embed)
select_backward = made(putting_back.select_backward)
slice_backward = made(putting_back.slice_backward)
diagonal_backward = made(putting_back.diagonal_backward)
unfold_backward = made(putting_back.unfold_backward)
as_strided_backward = made(putting_back.as_strided_backward)
select_scatter = of_view(putting_back.written_where_shown, geometry.select)
select_keep = of_view(putting_back.erased_where_shown, geometry.select)
slice_scatter = of_view(putting_back.written_where_shown, geometry.slice_)
slice_keep = of_view(putting_back.erased_where_shown, geometry.slice_)
diagonal_scatter = of_view(putting_back.written_where_shown, geometry.diagonal)
diagonal_keep = of_view(putting_back.erased_where_shown, geometry.diagonal)
alias_copy = of_view(moving.shown_copied, geometry.alias)
diagonal_copy = of_view(moving.shown_copied, geometry.diagonal)
expand_copy = of_view(moving.shown_copied, geometry.expand)
permute_copy = of_view(moving.shown_copied, geometry.permute)
select_copy = of_view(moving.shown_copied, geometry.select)
slice_copy = of_view(moving.shown_copied, geometry.slice_)
split_copy = of_view(moving.shown_copied, joining.split)
split_with_sizes_copy = of_view(moving.shown_copied, joining.split_with_sizes)
squeeze_copy = of_view(moving.shown_copied, geometry.squeeze)
squeeze_dim_copy = of_view(moving.shown_copied, geometry.squeeze_dim)
squeeze_dims_copy = of_view(moving.shown_copied, geometry.squeeze_dims)
t_copy = of_view(moving.shown_copied, loops.transpose)
transpose_copy = of_view(moving.shown_copied, geometry.transpose)
unbind_copy = of_view(moving.shown_copied, joining.unbind)
unfold_copy = of_view(moving.shown_copied, geometry.unfold)
unsqueeze_copy = of_view(moving.shown_copied, geometry.unsqueeze)
view_copy = of_view(moving.shown_copied, geometry.view)
view_as_complex_copy = of_view(moving.shown_copied, geometry.view_as_complex)
view_as_real_copy = of_view(moving.shown_copied, geometry.view_as_real)
pad = made(padding.pad)
unpad = made(padding.unpad)
pad_copies = made(padding.pad_copies)
pad_copies_backward = made(padding.pad_copies_backward)
index_select = made(chosen_blocks.index_select)
index_select_backward = made(chosen_blocks.index_select_backward)
index_add = made(chosen_blocks.index_add)
index_copy = made(chosen_blocks.index_copy)
index_fill = made(chosen_blocks.index_fill)
index = made(chosen_blocks.index)
index_backward = made(chosen_blocks.index_backward)
index_put = made(chosen_blocks.index_put)
index_erase = made(chosen_blocks.index_erase)
gather = made(chosen_elements.gather)
gather_backward = made(chosen_elements.gather_backward)
gather_into = made(chosen_elements.gather_into)
scatter = made(chosen_elements.scatter)
scatter_reduce = made(chosen_elements.scatter_reduce)
scatter_add = made(chosen_elements.scatter_add)
take = made(chosen_elements.take)
take_backward = made(chosen_elements.take_backward)
put = made(chosen_elements.put)
put_backward = made(chosen_elements.put_backward)
embedding = made(chosen_blocks.embedding)
embedding_backward = made(chosen_blocks.embedding_backward)
masked_select = made(chosen_elements.masked_select)
masked_select_backward = made(chosen_elements.masked_select_backward)
masked_scatter = made(chosen_elements.masked_scatter)
masked_read = made(chosen_elements.masked_read)
masked_write = made(chosen_elements.masked_write)
argwhere = made(chosen_elements.argwhere)
indices_by_dim = made(chosen_elements.indices_by_dim)
one_hot = made(chosen_elements.one_hot)
counted_from_start = made(chosen_elements.counted_from_start)
t = made(loops.transpose)
zero = writing(filling.zero_into)
fill = writing(filling.fill_into)
copy = writing(filling.copy_into)
to_copy = made(filling.to_copy)
uniform = writing(randomness.uniform_into)
normal = writing(randomness.normal_into)
exponential = writing(randomness.exponential_into)
bernoulli = writing(randomness.bernoulli_into)
bernoulli_each = writing(randomness.bernoulli_each_into)
integers = writing(randomness.integers_into)
pow_number = made(loops.pow_number)
pow_slope = made(loops.pow_slope)

mm = made(products.mm)
bmm = made(products.bmm)
mv = made(products.mv)
dot = made(products.dot)
vdot = made(products.vdot)
vecdot = made(products.vecdot)
cross = made(products.cross)
trace = made(products.trace)
times = made(products.times)
outer = made(products.outer)
adjoint = made(products.adjoint)
addmm = with_options(products.addmm)
addmv = with_options(products.addmv)
baddbmm = with_options(products.baddbmm)
addr = with_options(products.addr)

sum_to = made(reductions.sum_to)
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
search = made(binning.search)
distinct = made(binning.distinct)
distinct_runs = made(binning.distinct_runs)
bincount = made(binning.bincount)
histc = made(binning.histc)
restore_dims = made(spreading.restore_dims)
expand_reduced = made(spreading.expand_reduced)
mean_backward = made(spreading.mean_backward)
put_along = made(spreading.put_along)
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
    into[0] = loops.unary_into if kernel.nin == 1 else loops.write_binary
    return loops.unary if kernel.nin == 1 else loops.binary
