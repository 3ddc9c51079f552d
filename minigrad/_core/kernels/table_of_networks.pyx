"""The C kernels of neural networks, of windows that move over images, of distances, and of what is brought together
at positions, as from the edges of a graph, for rows to name: see table.pyx.
"""

from minigrad._core.kernels.algebra cimport matrix_products
from minigrad._core.kernels.loops.numpy_loops cimport Fast
from minigrad._core.kernels.networks cimport (activations, ctc_loss as ctc, elementwise_losses, embedding_bags as bags,
                                              margin_losses, nll_loss as nll, normalization, recurrent_layer as steps)
from minigrad._core.kernels.reductions cimport at_positions
from minigrad._core.kernels.statistics cimport distances as between
from minigrad._core.kernels.table cimport Kernel, made, told
from minigrad._core.kernels.windows cimport (convolution, convolution_weight, grid_sample, pixel_shuffle as shuffles,
                                             pooling, resizing, unfold_fold, unpooling)

from minigrad._core.kernels.networks import elementwise_losses as elements


cdef Kernel of_planes(Fast function, int ndim):
    """One whose windows move over planes of ``ndim`` dims."""
    cdef Kernel kernel = made(function)
    kernel.loop.ndim = ndim
    return kernel


cdef Kernel of_halves_too(Fast function, bint rounded):
    """One of floats of 32 and 64 bits that takes those of 16 too; are results rounded to these?"""
    cdef Kernel kernel = made(normalization.of_halves_too)
    kernel.loop.view, kernel.loop.ndim = function, rounded
    return kernel


cdef Kernel of_elements(object ufunc, str arguments, bint promotes=False):
    """A loss: what it computes of each element, and where its arguments are."""
    return told(made(elementwise_losses.loss), elementwise_losses.Loss(ufunc, arguments, promotes))


embedding_bags = made(bags.embedding_bags)
bag_sums = made(bags.bag_sums)
bag_spread = made(bags.bag_spread)
bag_products = made(bags.bag_products)
largest_in_bags = made(bags.largest_in_bags)

convolve = made(convolution.convolve)
convolve_back = made(convolution.convolve_back)
convolve_weight = made(convolution_weight.convolve_weight)
columns_of = made(unfold_fold.columns_of)
image_of = made(unfold_fold.image_of)

reduce_at = made(at_positions.reduce_at)
targets_of_elements = made(at_positions.targets_of_elements)
targets_of_parts = made(at_positions.targets_of_parts)

distances = made(between.distances)
distances_of_pairs = made(between.distances_of_pairs)
distances_backward = made(between.distances_backward)
square_of_pairs = made(between.square_of_pairs)
pairs_of_square = made(between.pairs_of_square)

glu = made(activations.glu)
glu_backward = made(activations.glu_backward)
state_rows = made(matrix_products.state_rows)
recurrent_layer = made(steps.recurrent_layer)
recurrent_layer_backward = made(steps.recurrent_layer_backward)
layer_norm = of_halves_too(normalization.layer_norm, True)
rms_norm = of_halves_too(normalization.rms_norm, True)
group_norm = of_halves_too(normalization.group_norm, True)
batch_norm = of_halves_too(normalization.batch_norm, True)
fixed_batch_norm = of_halves_too(normalization.fixed_batch_norm, True)
norm_backward = of_halves_too(normalization.norm_backward, True)
norm_weight_backward = of_halves_too(normalization.norm_weight_backward, False)
parameter_sum = of_halves_too(normalization.parameter_sum, False)
max_pool = {ndim: of_planes(pooling.max_pool, ndim) for ndim in (1, 2, 3)}
adaptive_max_pool = {ndim: of_planes(pooling.adaptive_max_pool, ndim) for ndim in (1, 2, 3)}
avg_pool = {ndim: of_planes(pooling.avg_pool, ndim) for ndim in (1, 2, 3)}
avg_pool_again = made(pooling.avg_pool_again)
avg_pool_backward = made(pooling.avg_pool_backward)
adaptive_avg_pool = {ndim: of_planes(pooling.adaptive_avg_pool, ndim) for ndim in (1, 2, 3)}
adaptive_avg_pool_again = made(pooling.adaptive_avg_pool_again)
adaptive_avg_pool_backward = made(pooling.adaptive_avg_pool_backward)


def resizing_by(windows):
    """The kernels of resizing and of the way back; ``windows`` is the function that makes the windows along a dim."""
    return told(made(resizing.resize), windows), told(made(resizing.resize_backward), windows)


pixel_shuffle = made(shuffles.pixel_shuffle)
pixel_unshuffle = made(shuffles.pixel_unshuffle)
channel_shuffle = made(shuffles.channel_shuffle)
channel_unshuffle = made(shuffles.channel_unshuffle)
grid_sampler = {ndim: of_planes(grid_sample.grid_sampler, ndim) for ndim in (2, 3)}
sample_order = made(grid_sample.sample_order)
sample_back = made(grid_sample.sample_back)
sample_slope = made(grid_sample.sample_slope)
put_in_planes = made(unpooling.put_in_planes)
read_in_planes = made(unpooling.read_in_planes)
unpool = made(unpooling.unpool)

share_of = made(elementwise_losses.share_of)
mse_loss = of_elements(elements.squared_difference, "self target how", True)
smooth_l1_loss = of_elements(elements.smooth_l1, "self target how beta", True)
huber_loss = of_elements(elements.huber, "self target how delta", True)
binary_cross_entropy = of_elements(elements.binary_cross_entropy, "self target weight=1 how")
binary_cross_entropy_with_logits = of_elements(elements.binary_cross_entropy_with_logits,
                                               "self target weight=1 pos_weight=1 how")
soft_margin_loss = of_elements(elements.soft_margin, "self target how")
multi_margin_loss = made(margin_losses.multi_margin_loss)
multi_margin_slope = made(margin_losses.multi_margin_slope)
multilabel_margin_loss = made(margin_losses.multilabel_margin_loss)
multilabel_margin_slope = made(margin_losses.multilabel_margin_slope)
ctc_loss = made(ctc.ctc_loss)
ctc_slopes = made(ctc.ctc_slopes)
nll_loss = made(nll.nll_loss)
nll_loss_backward = made(nll.nll_loss_backward)
