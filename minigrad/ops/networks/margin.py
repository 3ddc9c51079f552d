"""Losses that require a margin, and are zero where it is kept.

    hinge_embedding_loss    a distance: small where the target is 1, more than the margin where it is -1
    margin_ranking_loss     two scores: the one that the target says is the larger one, by the margin
    cosine_embedding_loss   two vectors: an angle of 0, or a cosine less than the margin
    triplet_margin_loss     three vectors: the first is nearer to the second than to the third, by the margin
    soft_margin_loss        a score of the sign of the target, with a soft bend

Beyond the bend the slope is 0; at the bend itself the gradient passes, as in ``clamp``.  The losses of the elements are
rows, and their mean or sum is a row of its own, as PyTorch makes them; soft_margin_loss is one row.

Neighbours: loss.py (reductions), multi_margin.py (a margin between classes).
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table_of_networks as kernels
from minigrad._core.kernels.networks import elementwise_losses
from minigrad.dtypes import float32

from ..algebra.norms import linalg_vector_norm
from ..algebra.products import vecdot
from ..copying import to_copy
from ..elementwise.arithmetic import mul
from ..elementwise.comparison import refuse
from ..elementwise.elementary import sigmoid
from ..elementwise.piecewise import minimum
from ..elementwise.powers import rsqrt
from ..composites import composite
from ..kinds import elementwise, general, piecewise_constant
from ..reductions.totals import sum_dim
from ..shapes.broadcasting import common_shape, expand
from .loss import FLOAT, NONE, check_reduction, reduce_loss, reduced, reduction_number, share_of
from ..arguments import must_be_tensors, number_for


def up(x):
    """``x`` where it is not below 0, and 0 elsewhere."""
    return np.where(x < 0, x.dtype.type(0), x)

# ------------------------------------------------------------------------------ a distance


# Targets are compared with -1.0: Note [A number that an array cannot hold] in comparison.py.

def hinge_embedding_kernel(self, target, margin):
    refuse(self, "bc", "hinge_embedding_loss")
    margin = number_for("hinge_embedding_loss", margin, self.dtype) if self.dtype.kind in "iu" else margin
    zero = self.dtype.type(0)
    return np.where(target != 1, up(margin - self), zero) + np.where(target != -1.0, self, zero)


def hinge_embedding_slope_kernel(self, target, margin):
    return ((target != -1.0) * 1 - ((target != 1) & (margin - self >= 0)) * 1).astype(self.dtype)


hinge_embedding_slope = piecewise_constant("hinge_embedding_slope(Tensor self, Tensor target, Scalar margin)",
                                           hinge_embedding_slope_kernel,
                                           promote_args=("self",), public=False,
                                           fast=elementwise_losses.hinge_embedding_slope,
                                           doc="The slope of the loss: 1, -1, or 0.")

hinge_embedding = elementwise("hinge_embedding(Tensor self, Tensor target, Scalar margin)", hinge_embedding_kernel,
                              self=lambda d, self, target, margin: d * hinge_embedding_slope(self, target, margin),
                              promote_args=("self",), no_gradient=("target",), shown="hinge_embedding_loss",
                              public=False, fast=elementwise_losses.hinge_embedding,
                              layout="target", doc="x where the target is 1, and max(margin - x, 0) where it is -1.")


def as_labels(target, like):
    """Integers as numbers of the dtype of the scores: the loops have one dtype."""
    if target.dtype.category < FLOAT <= like.dtype.category:
        return to_copy(target, like.dtype)
    return target


def embedded(input, target, margin, reduction):
    if not (isinstance(input, Tensor) and isinstance(target, Tensor)):
        raise must_be_tensors("hinge_embedding_loss", input=input, target=target)
    return reduce_loss(hinge_embedding(input, as_labels(target, input), margin), reduction)


@composite(types="Tensor Tensor float int", method=False, out=False)
def hinge_embedding_loss(input, target, margin=1.0, reduction=NONE):
    """``nn.functional.hinge_embedding_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum.

    >>> torch.hinge_embedding_loss(torch.tensor([0.25, 0.25]), torch.tensor([1, -1]), reduction=0)
    tensor([0.2500, 0.7500])
    """
    return embedded(input, target, margin, check_reduction("hinge_embedding_loss", reduction))


@composite(name="hinge_embedding_loss", types="Tensor Tensor float bool? bool? str", nn=True)
def functional_hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """``input``, a distance, where ``target`` is 1, and what it lacks to the margin where ``target`` is -1.

    >>> torch.nn.functional.hinge_embedding_loss(torch.tensor([0.25, 0.25]), torch.tensor([1, -1]))
    tensor(0.5000)
    """
    return embedded(input, target, margin, reduction_number("hinge_embedding_loss", reduction, size_average, reduce))

# ------------------------------------------------------------------------------ two scores


def lacking(input1, input2, target, margin):
    return -target * (input1 - input2) + margin


margin_ranking_reached = piecewise_constant(
    "margin_ranking_reached(Tensor input1, Tensor input2, Tensor target, Scalar margin)",
    lambda input1, input2, target, margin: (lacking(input1, input2, target, margin) >= 0).astype(input1.dtype),
    promote="float", public=False, fast=elementwise_losses.margin_ranking_reached,
    doc="1 where the margin is not kept, or just so, and 0 elsewhere.")

margin_ranking = elementwise(
    "margin_ranking(Tensor input1, Tensor input2, Tensor target, Scalar margin)",
    lambda input1, input2, target, margin: up(lacking(input1, input2, target, margin)),
    input1=lambda d, input1, input2, target, margin:
        -d * target * margin_ranking_reached(input1, input2, target, margin),
    input2=lambda d, input1, input2, target, margin:
        d * target * margin_ranking_reached(input1, input2, target, margin),
    target=lambda d, input1, input2, target, margin:
        d * (input2 - input1) * margin_ranking_reached(input1, input2, target, margin),
    promote="float", refuse="bc", shown="margin_ranking_loss", public=False, fast=elementwise_losses.margin_ranking,
    layout="target", doc="max(-t (x - y) + margin, 0).")


def ranked(input1, input2, target, margin, reduction):
    if not (isinstance(input1, Tensor) and isinstance(input2, Tensor) and isinstance(target, Tensor)):
        raise must_be_tensors("margin_ranking_loss", input1=input1, input2=input2, target=target)
    return reduce_loss(margin_ranking(input1, input2, target, margin), reduction)


@composite(types="Tensor Tensor Tensor float int", method=False, out=False)
def margin_ranking_loss(input1, input2, target, margin=0.0, reduction=NONE):
    """``nn.functional.margin_ranking_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum.

    >>> torch.margin_ranking_loss(torch.tensor([1., 1.]), torch.tensor([0., 2.]), torch.tensor([1., 1.]), reduction=0)
    tensor([0., 1.])
    """
    return ranked(input1, input2, target, margin, check_reduction("margin_ranking_loss", reduction))


@composite(name="margin_ranking_loss", types="Tensor Tensor Tensor float bool? bool? str", nn=True)
def functional_margin_ranking_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None,
                                   reduction="mean"):
    """What the larger score lacks: of ``input1`` where ``target`` is 1, and of ``input2`` where it is -1.

    >>> x, y, target = torch.tensor([1., 1.]), torch.tensor([0., 2.]), torch.tensor([1., 1.])
    >>> torch.nn.functional.margin_ranking_loss(x, y, target, margin=0.5)
    tensor(0.7500)
    """
    if isinstance(input1, Tensor) and isinstance(input2, Tensor) and isinstance(target, Tensor) and not (
            input1.ndim == input2.ndim == target.ndim):
        raise ranking_of_other_dims(input1.shape, input2.shape, target.shape)
    return ranked(input1, input2, target, margin,
                  reduction_number("margin_ranking_loss", reduction, size_average, reduce))

# ------------------------------------------------------------------------------ two vectors

#: what PyTorch adds to each square, so that the cosine of 0 and any vector is 0
LITTLE = 1e-12


def cosine_kernel(dot, square1, square2):
    return dot / np.sqrt((square1 + LITTLE) * (square2 + LITTLE))


cosine = elementwise("cosine(Tensor dot, Tensor square1, Tensor square2)", cosine_kernel,
                     dot=lambda d, square1, square2: d * rsqrt((square1 + LITTLE) * (square2 + LITTLE)),
                     square1=lambda d, square1, result: d * result * (-0.5 / (square1 + LITTLE)),
                     square2=lambda d, square2, result: d * result * (-0.5 / (square2 + LITTLE)),
                     promote="float", refuse="c", shown="cosine_embedding_loss", public=False,
                     fast=elementwise_losses.cosine,
                     doc="The cosine, from an inner product and two squares.")


def cosine_embedding_kernel(self, target, margin):
    return np.where(target == 1, 1 - self, np.where(target == -1.0, up(self - margin), self.dtype.type(0)))


def cosine_embedding_slope_kernel(self, target, margin):
    return np.where(target == 1, -1, (target == -1.0) & (self - margin >= 0)).astype(self.dtype)


cosine_embedding_slope = piecewise_constant("cosine_embedding_slope(Tensor self, Tensor target, Scalar margin)",
                                            cosine_embedding_slope_kernel,
                                            promote_args=("self",), public=False,
                                            fast=elementwise_losses.cosine_embedding_slope,
                                            doc="The slope of the loss: -1, 1, or 0.")

cosine_embedding = elementwise("cosine_embedding(Tensor self, Tensor target, Scalar margin)", cosine_embedding_kernel,
                               self=lambda d, self, target, margin: d * cosine_embedding_slope(self, target, margin),
                               promote_args=("self",), no_gradient=("target",), shown="cosine_embedding_loss",
                               public=False, fast=elementwise_losses.cosine_embedding,
                               doc="1 - c where the target is 1, and max(c - margin, 0) where it is -1.")


def inner(x, y, dim):
    """The inner products along a dim; of bools and integers they are integers."""
    if x.dtype is y.dtype and x.dtype.is_floating_point:
        shape = tuple(x.shape) if x.shape == y.shape else common_shape("cosine_embedding_loss",
                                                                       [tuple(x.shape), tuple(y.shape)])
        return vecdot(expand(x, shape), expand(y, shape), dim)
    return sum_dim(mul(x, y), dim)


def angled(input1, input2, target, margin, reduction):
    if not (isinstance(input1, Tensor) and isinstance(input2, Tensor) and isinstance(target, Tensor)):
        raise must_be_tensors("cosine_embedding_loss", input1=input1, input2=input2, target=target)
    if target.ndim > 1:
        raise many_targets(target.ndim)
    if input1.ndim != target.ndim + 1 or input2.ndim != target.ndim + 1:
        raise vectors_of_other_dims(target.ndim, input1.shape, input2.shape)
    dim = target.ndim
    kind = input1.dtype
    if kind.itemsize == 2 and kind.is_floating_point and input2.dtype is kind:  # the digits of three sums in a quotient
        single = angled(to_copy(input1, float32), to_copy(input2, float32), target, margin, reduction)
        return to_copy(single, kind)
    cosines = cosine(inner(input1, input2, dim), inner(input1, input1, dim), inner(input2, input2, dim))
    return reduce_loss(cosine_embedding(cosines, as_labels(target, cosines), margin), reduction)


@composite(types="Tensor Tensor Tensor float int", method=False, out=False)
def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=NONE):
    """``nn.functional.cosine_embedding_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum.

    >>> x, y = torch.tensor([[1., 0.], [1., 0.]]), torch.tensor([[1., 0.], [3., 4.]])
    >>> torch.cosine_embedding_loss(x, y, torch.tensor([1, -1]), reduction=0)
    tensor([0.0000, 0.6000])
    """
    return angled(input1, input2, target, margin, check_reduction("cosine_embedding_loss", reduction))


@composite(name="cosine_embedding_loss", types="Tensor Tensor Tensor float bool? bool? str", nn=True)
def functional_cosine_embedding_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None,
                                     reduction="mean"):
    """How far two vectors are from one direction where ``target`` is 1, or from different ones where it is -1.

    The inputs have shape (N, D), ``target`` (N), or (D) and () without a batch. With the cosine c of the angle, the
    loss is 1 - c, or max(c - margin, 0).

    >>> x, y = torch.tensor([[1., 0.], [1., 0.]]), torch.tensor([[1., 0.], [3., 4.]])
    >>> torch.nn.functional.cosine_embedding_loss(x, y, torch.tensor([1, -1]), margin=0.5)
    tensor(0.0500)
    """
    reduction = reduction_number("cosine_embedding_loss", reduction, size_average, reduce)
    return angled(input1, input2, target, margin, reduction)

# ------------------------------------------------------------------------------ three vectors


apart = elementwise("apart(Tensor x1, Tensor x2, Scalar eps)", lambda x1, x2, eps: x1 - x2 + eps,
                    x1=lambda d: d,
                    x2=lambda d: -d,
                    promote="float", refuse="b", shown="triplet_margin_loss", public=False,
                    fast=elementwise_losses.apart,
                    doc="x - y + eps, whose norm has a gradient where x and y are equal.")

triplet_reached = piecewise_constant(
    "triplet_reached(Tensor positive, Tensor negative, Scalar margin)",
    lambda positive, negative, margin: (margin + positive - negative >= 0).astype(positive.dtype),
    promote="float", public=False, fast=elementwise_losses.triplet_reached,
    doc="1 where the margin is not kept, or just so, and 0 elsewhere.")

triplet = elementwise(
    "triplet(Tensor positive, Tensor negative, Scalar margin)",
    lambda positive, negative, margin: up(margin + positive - negative),
    positive=lambda d, positive, negative, margin: d * triplet_reached(positive, negative, margin),
    negative=lambda d, positive, negative, margin: -d * triplet_reached(positive, negative, margin),
    promote="float", refuse="bc", shown="triplet_margin_loss", public=False, fast=elementwise_losses.triplet,
    doc="max(margin + p - n, 0), where p and n are distances.")


def check_triplet(op, anchor, positive, negative):
    if not (isinstance(anchor, Tensor) and isinstance(positive, Tensor) and isinstance(negative, Tensor)):
        raise must_be_tensors(op, anchor=anchor, positive=positive, negative=negative)
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise triplet_of_other_dims(op, anchor.ndim, positive.ndim, negative.ndim)


def farther(distance, anchor, positive, negative, margin, swap):
    """The losses, from a function that gives distances; with ``swap`` the negative may be near the positive instead."""
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return triplet(near, far, margin)


def tripled(anchor, positive, negative, margin, p, eps, swap, reduction):
    check_triplet("triplet_margin_loss", anchor, positive, negative)
    losses = farther(lambda x, y: linalg_vector_norm(apart(x, y, eps), p, -1), anchor, positive, negative, margin, swap)
    return reduce_loss(losses, reduction)


@composite(types="Tensor Tensor Tensor float float float bool int", method=False, out=False)
def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction=NONE):
    """``nn.functional.triplet_margin_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum.

    >>> a, p, n = torch.tensor([[0., 0.]]), torch.tensor([[0., 3.]]), torch.tensor([[0., 4.]])
    >>> torch.triplet_margin_loss(a, p, n, 3.0, reduction=0)
    tensor([2.])
    """
    reduction = check_reduction("triplet_margin_loss", reduction)
    return tripled(anchor, positive, negative, margin, p, eps, swap, reduction)


@composite(name="triplet_margin_loss", types="Tensor Tensor Tensor float float float bool bool? bool? str", nn=True)
def functional_triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False,
                                   size_average=None, reduce=None, reduction="mean"):
    """What ``anchor`` lacks in being nearer to ``positive`` than to ``negative``, by ``margin`` (Balntas et al., 2016).

    The distance is the ``p``-norm of the difference along the last dim, whose elements are first made larger by
    ``eps``. With ``swap``, ``negative`` has to be far from ``positive`` too.

    >>> a, p, n = torch.tensor([[0., 0.]]), torch.tensor([[0., 3.]]), torch.tensor([[0., 4.]])
    >>> torch.nn.functional.triplet_margin_loss(a, p, n, margin=3.0)
    tensor(2.)
    """
    reduction = reduction_number("triplet_margin_loss", reduction, size_average, reduce)
    if margin <= 0:
        raise margin_not_positive("triplet_margin_loss", margin)
    return tripled(anchor, positive, negative, margin, p, eps, swap, reduction)


def distance_of_two(x, y):
    return linalg_vector_norm(apart(x, y, 1e-6), 2, -1)


@composite(types="Tensor Tensor Tensor Any float bool str", nn=True)
def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False,
                                      reduction="mean"):
    """``triplet_margin_loss`` with a distance of your own, a function of two tensors.

    >>> a, p, n = torch.tensor([[0., 0.]]), torch.tensor([[0., 3.]]), torch.tensor([[0., 4.]])
    >>> def largest(x, y):
    ...     return (x - y).abs().amax(-1)
    >>> torch.nn.functional.triplet_margin_with_distance_loss(a, p, n, distance_function=largest, margin=3.0)
    tensor(2.)
    """
    reduction = reduction_number("triplet_margin_with_distance_loss", reduction)
    if margin <= 0:
        raise margin_not_positive("triplet_margin_with_distance_loss", margin)
    check_triplet("triplet_margin_with_distance_loss", anchor, positive, negative)
    distance = distance_of_two if distance_function is None else distance_function
    return reduce_loss(farther(distance, anchor, positive, negative, margin, swap), reduction)

# ------------------------------------------------------------------------------ a score, with a soft bend


def soft_margin_kernel(self, target, reduction):
    refuse(self, "biuc", "soft_margin_loss")
    x = -target * self
    return reduced(np.where(x < 0, 0, x) + np.log1p(np.exp(-np.abs(x))), reduction)


soft_margin_slope = elementwise(
    "soft_margin_slope(Tensor self, Tensor target)", lambda self, target: -target / (1 + np.exp(target * self)),
    self=lambda d, self, target: d * target * target * (sigmoid(target * self) * sigmoid(-target * self)),
    target=lambda d, self, target:
        d * sigmoid(-target * self) * (target * self * sigmoid(target * self) - 1),
    public=False, fast=elementwise_losses.soft_margin_slope,
    doc="-t sigmoid(-t x).")

soft_margin_row = general("soft_margin_loss(Tensor self, Tensor target, int reduction)", soft_margin_kernel,
                          self=lambda d, self, target, reduction:
                              soft_margin_slope(self, target) * share_of(d, self, reduction),
                          public=False, fast=kernels.soft_margin_loss,
                          layout="self", doc="log(1 + exp(-t x)).")


@composite(types="Tensor Tensor bool? bool? str", nn=True)
def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """``log(1 + exp(-target * input))``, where the targets are 1 or -1; without overflow.

    >>> torch.nn.functional.soft_margin_loss(torch.tensor([0., 1000.]), torch.tensor([1., -1.]), reduction="none")
    tensor([6.9315e-01, 1.0000e+03])
    """
    if not (isinstance(input, Tensor) and isinstance(target, Tensor)):
        raise must_be_tensors("soft_margin_loss", input=input, target=target)
    reduction = reduction_number("soft_margin_loss", reduction, size_average, reduce)
    if target.dtype.is_complex and not input.dtype.is_complex or input.dtype.category < 2:
        raise not_castable(target.dtype if target.dtype.category > 1 else "Float", input.dtype)
    if target.shape != input.shape:
        shape = common_shape("soft_margin_loss", [tuple(input.shape), tuple(target.shape)])
        if shape != tuple(input.shape):
            raise larger_target(shape, input.shape)
        target = expand(target, shape)
    if target.dtype is not input.dtype:
        target = to_copy(target, input.dtype)
    return soft_margin_row(input, target, reduction)


# ------------------------------------------------------------------------------ errors


def ranking_of_other_dims(input1, input2, target):
    return error("MG201", "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
                          f"input1: {input1}, input2: {input2}, target: {target} ")


def many_targets(ndim):
    return error("MG201", "cosine_embedding_loss: 0D or 1D target tensor expected, multi-target not supported: the "
                          f"target has {ndim} dims")


def vectors_of_other_dims(target_ndim, input1, input2):
    return error("MG201", f"cosine_embedding_loss: {target_ndim}D target tensor expects {target_ndim + 1}D input "
                          f"tensors, but found inputs with sizes {list(input1)} and {list(input2)}.")


def triplet_of_other_dims(op, anchor, positive, negative):
    return error("MG201", f"{op}: The anchor, positive, and negative tensors are expected to have the same number of "
                          f"dimensions, but got: anchor {anchor}D, positive {positive}D, and negative {negative}D "
                          "inputs")


def margin_not_positive(op, margin):
    return error("MG207", f"{op}: margin must be greater than 0, got {margin}")


def not_castable(target, input):
    return error("MG202", f"soft_margin_loss: result type {target} can't be cast to the desired output type {input}. "
                          "The scores are floating point numbers")


def larger_target(shape, input):
    return error("MG201", f"soft_margin_loss: output with shape {list(input)} doesn't match the broadcast shape "
                          f"{list(shape)}: the target is larger than the input")
