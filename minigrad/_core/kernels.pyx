"""The C kernels that rows name: ``fast=kernels.softmax``.

A row has a general kernel, which is written with NumPy and takes any layout and any dtype.  It may also have a fast
one, in C, for the usual arrays, which always means native and aligned ones, and in some of these files contiguous ones
of float32 or float64.  The fast one is called first, and returns None where it does not apply.  Tests compare the two.

The kernels are sorted by what they do: ``loops`` calls NumPy's inner loops, ``products`` multiplies matrices,
``convolving`` and ``correlating`` windows with weights, ``folding`` writes windows down, ``solving`` divides by
matrices, ``decomposing``, ``eliminating`` and ``least_squares`` take them apart, ``transforming`` has the Fourier
transforms, ``along`` works along dims (sums, extremes, sorting, softmax), ``distances`` measures how far points are
apart, ``normalizing`` brings lines to mean 0 and variance 1, ``spreading`` gives dims back, ``geometry`` makes views,
``losses`` adds up what elements cost, ``joining`` puts arrays together, ``moving`` makes arrays of the elements of
others, ``padding`` gives them a margin, ``putting_back`` has the gradients of views, ``chosen_blocks`` and
``chosen_elements`` read and write at indices, ``bags`` adds up rows, ``pooling`` pools and resizes by windows, and
``one_pass`` does in one pass what takes NumPy several. A row whose general kernel is a ufunc need not name a fast one:
the loops of the ufunc are found here.
"""

from minigrad._core.loops cimport Fast, Into, Loop, resolve
from minigrad._core.one_pass cimport OnDoubles, OnFloats
from minigrad._core cimport (activations, bags, binning, chosen_blocks, chosen_elements, convolving, correlating, ctc,
                             decomposing, distances as between, eliminating, filling, folding, geometry, grids,
                             joining, least_squares, lines, loops, losses, margins, moving, normalizing, one_pass,
                             padding, pooling, products, putting_back, randomness, reductions, shuffling, solving,
                             spreading, transforming)
from minigrad._core.along cimport along, form
from minigrad._core.lines cimport What

import numpy as np

from minigrad._core import losses as elements


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


cdef Kernel of_planes(Fast function, Py_ssize_t ndim):
    """One whose windows move over planes of ``ndim`` dims."""
    cdef Kernel kernel = made(function)
    kernel.loop.data[0] = <void*>ndim
    return kernel


cdef Kernel of_both(OnFloats single, OnDoubles double_):
    cdef Kernel kernel = made(one_pass.by_dtype)
    kernel.loop.data[0], kernel.loop.data[1] = <void*>single, <void*>double_
    return kernel


cdef Kernel of_lines(What what, str arguments, str results="values"):
    """One that works along dims: what it computes, where its arguments are, and which of two results it returns."""
    cdef Kernel kernel = made(along)
    kernel.loop.data[0] = form(what, arguments, results)
    return kernel


cdef Kernel of_matrices(str loop):
    """What a loop of numpy.linalg gives of a matrix."""
    cdef Kernel kernel = made(decomposing.by_loop)
    kernel.loop.data[0] = decomposing.form(loop)
    return kernel


cdef Kernel of_elements(object ufunc, str arguments, bint promotes=False):
    """A loss: what it computes of each element, and where its arguments are."""
    cdef Kernel kernel = made(losses.loss)
    losses.read_loss(&kernel.loop, ufunc, arguments, promotes)
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
embedding_bags = made(bags.embedding_bags)
bag_sums = made(bags.bag_sums)
bag_spread = made(bags.bag_spread)
bag_products = made(bags.bag_products)
largest_in_bags = made(bags.largest_in_bags)
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

convolve = made(convolving.convolve)
convolve_back = made(convolving.convolve_back)
convolve_weight = made(correlating.convolve_weight)
columns_of = made(folding.columns_of)
image_of = made(folding.image_of)

inverse = made(solving.inverse)
determinant = made(solving.determinant)
sign_and_logarithm = made(solving.sign_and_logarithm)
complex_logarithm = made(solving.complex_logarithm)
cofactors = made(solving.cofactors)
solution = made(solving.solution)
cholesky = made(solving.cholesky)
singular_values = made(solving.singular_values)
spectral = made(decomposing.spectral)
svd = of_matrices("svd_s")
svd_full = of_matrices("svd_f")
eigh_lower = of_matrices("eigh_lo")
eigh_upper = of_matrices("eigh_up")
eigvalsh_lower = of_matrices("eigvalsh_lo")
eigvalsh_upper = of_matrices("eigvalsh_up")
eig = of_matrices("eig")
eigvals = of_matrices("eigvals")
qr = made(decomposing.qr)
reflectors = made(decomposing.reflectors)
lu = made(eliminating.lu)
solve_triangular = made(eliminating.solve_triangular)
plu = made(eliminating.plu)
unpacked = made(eliminating.unpacked)
unit_lower = made(eliminating.unit_lower)
permutation = made(eliminating.permutation)
exchanged = made(eliminating.exchanged)
exchanged_back = made(eliminating.exchanged_back)
ldl = made(eliminating.ldl)
qr_r = made(decomposing.qr_r)
reflected = made(decomposing.reflected)
pinv = made(decomposing.pinv)
least_squares_ = made(least_squares.least_squares)
inverse_ex = made(solving.inverse_ex)
cholesky_ex = made(solving.cholesky_ex)
solution_ex = made(solving.solution_ex)

c2c = made(transforming.c2c)
c2c_backward = made(transforming.c2c_backward)
r2c = made(transforming.r2c)
r2c_backward = made(transforming.r2c_backward)
c2r = made(transforming.c2r)
c2r_backward = made(transforming.c2r_backward)

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
distances = made(between.distances)
distances_of_pairs = made(between.distances_of_pairs)
distances_backward = made(between.distances_backward)
square_of_pairs = made(between.square_of_pairs)
pairs_of_square = made(between.pairs_of_square)
restore_dims = made(spreading.restore_dims)
expand_reduced = made(spreading.expand_reduced)
mean_backward = made(spreading.mean_backward)
put_along = made(spreading.put_along)
softmax = of_lines(lines.SOFTMAX, "dim")
softmax_backward = of_lines(lines.SOFTMAX_BACK, "other dim")
log_softmax = of_lines(lines.LOG_SOFTMAX, "dim")
log_softmax_backward = of_lines(lines.LOG_SOFTMAX_BACK, "other dim")

glu = made(activations.glu)
glu_backward = made(activations.glu_backward)
layer_norm = made(normalizing.layer_norm)
rms_norm = made(normalizing.rms_norm)
group_norm = made(normalizing.group_norm)
batch_norm = made(normalizing.batch_norm)
fixed_batch_norm = made(normalizing.fixed_batch_norm)
norm_backward = made(normalizing.norm_backward)
norm_weight_backward = made(normalizing.norm_weight_backward)
parameter_sum = made(normalizing.parameter_sum)
max_pool = {ndim: of_planes(pooling.max_pool, ndim) for ndim in (1, 2, 3)}
adaptive_max_pool = {ndim: of_planes(pooling.adaptive_max_pool, ndim) for ndim in (1, 2, 3)}
avg_pool = {ndim: of_planes(pooling.avg_pool, ndim) for ndim in (1, 2, 3)}
avg_pool_again = made(pooling.avg_pool_again)
avg_pool_backward = made(pooling.avg_pool_backward)
adaptive_avg_pool = {ndim: of_planes(pooling.adaptive_avg_pool, ndim) for ndim in (1, 2, 3)}
adaptive_avg_pool_again = made(pooling.adaptive_avg_pool_again)
adaptive_avg_pool_backward = made(pooling.adaptive_avg_pool_backward)
resize = made(pooling.resize)
resize_backward = made(pooling.resize_backward)
pixel_shuffle = made(shuffling.pixel_shuffle)
pixel_unshuffle = made(shuffling.pixel_unshuffle)
channel_shuffle = made(shuffling.channel_shuffle)
channel_unshuffle = made(shuffling.channel_unshuffle)
grid_sampler = {ndim: of_planes(grids.grid_sampler, ndim) for ndim in (2, 3)}
sample_order = made(grids.sample_order)
sample_back = made(grids.sample_back)
sample_slope = made(grids.sample_slope)
put_in_planes = made(pooling.put_in_planes)
read_in_planes = made(pooling.read_in_planes)
unpool = made(pooling.unpool)

share_of = made(losses.share_of)
mse_loss = of_elements(elements.squared_difference, "self target how", True)
smooth_l1_loss = of_elements(elements.smooth_l1, "self target how beta", True)
huber_loss = of_elements(elements.huber, "self target how delta", True)
binary_cross_entropy = of_elements(elements.binary_cross_entropy, "self target weight=1 how")
binary_cross_entropy_with_logits = of_elements(elements.binary_cross_entropy_with_logits,
                                               "self target weight=1 pos_weight=1 how")
soft_margin_loss = of_elements(elements.soft_margin, "self target how")
multi_margin_loss = made(margins.multi_margin_loss)
multi_margin_slope = made(margins.multi_margin_slope)
multilabel_margin_loss = made(margins.multilabel_margin_loss)
multilabel_margin_slope = made(margins.multilabel_margin_slope)
ctc_loss = made(ctc.ctc_loss)
ctc_slopes = made(ctc.ctc_slopes)
nll_loss = of_both(one_pass.nll_loss[float], one_pass.nll_loss[double])
nll_loss_backward = of_both(one_pass.nll_loss_backward[float], one_pass.nll_loss_backward[double])


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
