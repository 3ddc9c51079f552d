"""``torch.masked``: reductions and normalizations of the elements that a mask chooses.

    mean(x, 1, mask=m)          of each row, the mean of the elements where m is True

An element that is masked out is replaced by what changes nothing (0 in a sum, 1 in a product, -inf in a maximum), so
that its gradient is 0, even where it is nan.  Where a mask leaves nothing, the result is that of no elements.
"""

import minigrad
from minigrad import nn
from minigrad._core.errors import error
from minigrad._core.errors.absent import answering as _answering

__all__ = ["amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean",
           "median", "norm", "normalize", "prod", "softmax", "softmin", "std", "sum", "var"]


# ------------------------------------------------------------------------------ masks and dims

def _mask(input, mask):
    """The mask as booleans in the shape of ``input``."""
    if mask.ndim > input.ndim:
        raise too_many_dims(input, mask)
    return mask.expand(input.shape).to(minigrad.bool)


def _filled(input, mask, value):
    """``input``, with ``value`` where it is masked out."""
    return input if mask is None else minigrad.where(_mask(input, mask), input, input.new_full((), value))


def _lowest(input, function):
    """What changes no maximum."""
    return -minigrad.inf if input.is_floating_point() else _limits(input, function).min


def _highest(input, function):
    """What changes no minimum."""
    return minigrad.inf if input.is_floating_point() else _limits(input, function).max


def _limits(input, function):
    if input.is_complex() or input.dtype is minigrad.bool:
        raise no_identity(function, input.dtype)
    return minigrad.iinfo(input.dtype)


def _dims(dim, ndim):
    """All dims that are meant, in ascending order."""
    if dim is None or dim == ():
        return (*range(ndim),)
    found, size = [], max(ndim, 1)
    for each in (dim,) if isinstance(dim, int) else dim:
        if not -size <= each < size:
            raise out_of_range(each, size)
        if each % size in found:
            raise twice(each)
        found.append(each % size)
    return (*sorted(found),)


# ------------------------------------------------------------------------------ sums and products

def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The sum of the elements that are chosen, over all dims or over ``dim``.

    >>> x = torch.tensor([[1., 2.], [3., 4.]])
    >>> torch.masked.sum(x, 1, mask=torch.tensor([[True, False], [True, True]]))
    tensor([1., 7.])
    """
    return minigrad.sum(_filled(input, mask, 0), _dims(dim, input.ndim), bool(keepdim),
                        dtype=dtype or _of_a_sum(input))


def prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The product of the elements that are chosen."""
    result = _filled(input, mask, 1).to(dtype or _of_a_sum(input))
    for each in reversed(_dims(dim, input.ndim)):
        result = result.prod(each, keepdim=bool(keepdim))
    return result


def _of_a_sum(input):
    return input.dtype if input.is_floating_point() or input.is_complex() else minigrad.int64


def cumsum(input, dim, *, dtype=None, mask=None):
    """Running totals, to which what is masked out adds nothing."""
    return minigrad.cumsum(_filled(input, mask, 0), _dims(dim, input.ndim)[0], dtype=dtype or input.dtype)


def cumprod(input, dim, *, dtype=None, mask=None):
    """Running products, in which what is masked out counts as 1."""
    return minigrad.cumprod(_filled(input, mask, 1), _dims(dim, input.ndim)[0], dtype=dtype or input.dtype)


# ------------------------------------------------------------------------------ extremes

def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The largest of the elements that are chosen; -inf where there is none.

    >>> torch.masked.amax(torch.tensor([1., 5., 3.]), mask=torch.tensor([True, False, True]))
    tensor(3.)
    """
    filled = input if mask is None else _filled(input, mask, _lowest(input, "amax"))
    return minigrad.amax(filled, _dims(dim, input.ndim), bool(keepdim)).to(dtype or input.dtype)


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The smallest of the elements that are chosen; inf where there is none."""
    filled = input if mask is None else _filled(input, mask, _highest(input, "amin"))
    return minigrad.amin(filled, _dims(dim, input.ndim), bool(keepdim)).to(dtype or input.dtype)


def argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Where the largest of the elements that are chosen is, as a number of ``dtype``, which is that of ``input``."""
    filled = input if mask is None else _filled(input, mask, _lowest(input, "argmax"))
    return minigrad.argmax(filled, dim, bool(keepdim)).to(dtype or input.dtype)


def argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Where the smallest of the elements that are chosen is."""
    filled = input if mask is None else _filled(input, mask, _highest(input, "argmin"))
    return minigrad.argmin(filled, dim, bool(keepdim)).to(dtype or input.dtype)


def logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The logarithm of the sum of the exponentials of the elements that are chosen."""
    filled = input if mask is None else _filled(input, mask, -minigrad.inf if input.is_complex()
                                                else _lowest(input, "logsumexp"))
    return minigrad.logsumexp(filled, _dims(dim, input.ndim), keepdim=keepdim).to(dtype or input.dtype)


def logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    """``torch.logaddexp`` of two tensors, each with a mask."""
    both = [x if mask is None else _filled(x, mask, _lowest(x, "logaddexp"))
            for x, mask in ((input, input_mask), (other, other_mask))]
    return minigrad.logaddexp(*both).to(dtype or input.dtype)


# ------------------------------------------------------------------------------ statistics

def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The mean of the elements that are chosen; nan where there is none.

    >>> x = torch.tensor([[1., 2.], [3., 4.]])
    >>> torch.masked.mean(x, 1, mask=torch.tensor([[True, False], [True, True]]))
    tensor([1.0000, 3.5000])
    """
    named, dtype = dtype is not None, dtype or input.dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise no_mean(named, dtype)
    return sum(input, dim, keepdim=keepdim, dtype=dtype, mask=mask) / _count(input, dim, keepdim, mask)


def _count(input, dim, keepdim, mask):
    """How many elements are chosen."""
    chosen = minigrad.ones(input.shape, dtype=minigrad.bool) if mask is None else _mask(input, mask)
    return chosen.sum(_dims(dim, input.ndim), keepdim=bool(keepdim))


def var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """The variance of the elements that are chosen; from their number ``correction`` is subtracted, 1 by default."""
    if unbiased is not None and correction is not None:
        raise error("MG502", "Only one of unbiased and correction may be given")
    correction = float(correction if correction is not None else 1 if unbiased is None else bool(unbiased))
    given = dtype or input.dtype
    inner = given if given.is_floating_point or given.is_complex else minigrad.float32
    dtype = given if dtype is not None else inner
    count = _count(input, dim, True, mask)
    from_mean = _filled(input - sum(input, dim, keepdim=True, dtype=dtype, mask=mask) / count, mask, 0)
    total = sum(from_mean * from_mean.conj(), dim, keepdim=keepdim, dtype=inner)
    return (total / (count.reshape(total.shape) - correction).clamp(min=0)).to(dtype)


def std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """The square root of the variance of the elements that are chosen."""
    return var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask).sqrt()


def median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    """The median of the elements that are chosen, along one dim; nan where there is none."""
    real = input if input.is_floating_point() else input.to(minigrad.float32)
    result = minigrad.nanmedian(_filled(real, mask, minigrad.nan), _dims(dim, input.ndim)[0], keepdim).values
    if input.is_floating_point():
        return result
    if result.isnan().any():
        raise error("MG207", "masked median expects no fully masked out rows if dtype is not floating point")
    return result.to(dtype or input.dtype)


def norm(input, ord=2., dim=None, *, keepdim=False, dtype=None, mask=None):
    """``torch.linalg.vector_norm`` of the elements that are chosen."""
    filled = _filled(input, mask, minigrad.inf if ord == -minigrad.inf else 0)
    return minigrad.linalg.vector_norm(filled, ord, _dims(dim, input.ndim), bool(keepdim), dtype=dtype or input.dtype)


# ------------------------------------------------------------------------------ normalizations

def softmax(input, dim, *, dtype=None, mask=None):
    """The softmax of the elements that are chosen; 0 elsewhere.

    >>> torch.masked.softmax(torch.zeros(3), 0, mask=torch.tensor([True, False, True]))
    tensor([0.5000, 0.0000, 0.5000])
    """
    return _normalized(nn.functional.softmax, _lowest, input, dim, dtype, mask)


def log_softmax(input, dim, *, dtype=None, mask=None):
    """Its logarithm; -inf elsewhere."""
    return _normalized(nn.functional.log_softmax, _lowest, input, dim, dtype, mask)


def softmin(input, dim, *, dtype=None, mask=None):
    """The softmax of the negative elements that are chosen; 0 elsewhere."""
    return _normalized(nn.functional.softmin, _highest, input, dim, dtype, mask)


def _normalized(function, beyond, input, dim, dtype, mask):
    filled = input if mask is None else _filled(input, mask, beyond(input, function.__name__))
    return function(filled, _dims(dim, input.ndim)[0], dtype=dtype or input.dtype)


def normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    """The elements that are chosen, divided by their norm, or by ``eps`` if it is smaller; 0 elsewhere."""
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _filled(input, mask, 0) / length.clamp(min=eps)


__getattr__ = _answering(__name__)


# ------------------------------------------------------------------------------ errors

def too_many_dims(input, mask):
    return error("MG206", "_input_mask expected broadcastable mask (got mask dimensionality higher than of the input): "
                          f"a mask of shape {[*mask.shape]} for an input of shape {[*input.shape]}")


def no_identity(function, dtype):
    return error("MG503", f"identity of {function} on {dtype} input: there is no number that changes nothing")


def out_of_range(dim, size):
    return error("MG203", f"Dimension out of range (expected to be in range of [{-size}, {size - 1}], but got {dim})")


def twice(dim):
    return error("MG204", f"dim={dim} appears multiple times in the list of dims")


def no_mean(named, dtype):
    return error("MG207", f"mean(): Could not infer output dtype. {'Optional' if named else 'Input'} dtype must be "
                          f"either a floating point or complex dtype. Got: {dtype}")
