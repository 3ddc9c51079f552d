"""NumPy's functions whose results are elements of their arguments in other places: ``np.pad``, ``np.insert`` ...

The one idea: NumPy rearranges the *numbers* of the elements, and ``take`` fetches those::

    np.delete(x, 1)          numbers         [0, 1, 2, 3]
                             np.delete of it [0, 2, 3]          ->  torch.take(x, [0, 2, 3])

So each function has NumPy's meaning to the last argument, and the derivative of ``take``.
"""

import numpy as np

from minigrad import creation
from minigrad._core.graph import Tensor, wrap
from minigrad.numpy_interface.functions import LeftToNumPy, operand, otherwise
from minigrad.ops.arguments import in_int64, own
from minigrad.ops.exports import REGISTRY
from minigrad.tensors.to_python import values


def numbers(a, start=0):
    """The numbers of the elements, in the shape of ``a``."""
    return np.arange(start, start + a.numel()).reshape(tuple(a.shape))


def fetched(a, places):
    """The elements of ``a`` with those numbers."""
    return REGISTRY["take"](a, wrap(np.ascontiguousarray(places, np.int64)))


def constant(a):
    """The values of an argument, through which no gradient can flow: it says where, how often, or whether."""
    return own(values(a, "NumPy's function")) if isinstance(a, Tensor) else a


def together(a, others):
    """The elements of ``a``, then those of ``others``, in the dtype of ``a``."""
    return REGISTRY["cat"]([a.flatten(), others.to(a.dtype).flatten()])


@otherwise
def append(arr, values, axis=None):
    values = values if isinstance(values, Tensor) else creation.as_tensor(values)
    return REGISTRY["cat"]([arr.flatten(), values.flatten()] if axis is None else [arr, values], axis or 0)


@otherwise
def delete(arr, obj, axis=None):
    return fetched(arr, np.delete(numbers(arr), constant(obj), axis))


@otherwise
def insert(arr, obj, values, axis=None):
    values = values if isinstance(values, Tensor) else arr.new_tensor(values)
    return fetched(together(arr, values), np.insert(numbers(arr), constant(obj), numbers(values, arr.numel()), axis))


@otherwise
def resize(a, new_shape):
    return fetched(a, np.resize(numbers(a), new_shape)) if a.numel() else a.new_zeros(new_shape)


@otherwise
def rollaxis(a, axis, start=0):
    order = np.rollaxis(np.empty(range(1, a.ndim + 1), np.bool_), axis, start).shape
    return a.permute([each - 1 for each in order])


@otherwise
def pad(array, pad_width, mode="constant", *, constant_values=0, reflect_type="even"):
    if mode == "constant":
        places = np.pad(numbers(array), pad_width, constant_values=-1)
        border = np.pad(np.zeros(tuple(array.shape), array.dtype.numpy), pad_width,
                        constant_values=constant(constant_values))
        if array.numel() == 0:
            return wrap(border)
        return REGISTRY["where"](wrap(places < 0), wrap(border), fetched(array, np.maximum(places, 0)))
    if mode not in ("edge", "reflect", "symmetric", "wrap") or reflect_type != "even":
        raise LeftToNumPy
    return fetched(array, np.pad(numbers(array), pad_width, mode))


@otherwise
def extract(condition, arr):
    return fetched(arr, np.extract(constant(condition), numbers(arr)))


@otherwise
def compress(condition, a, axis=None):
    return fetched(a, np.compress(constant(condition), numbers(a), axis))


@otherwise
def partition(a, kth, axis=-1):
    order = np.argpartition(own(values(a, "np.partition()")), kth, axis)
    return fetched(a, np.take_along_axis(numbers(a) if axis is not None else np.arange(a.numel()), order, axis))


@otherwise
def trim_zeros(filt, trim="fb", axis=None):
    places = np.argwhere(own(values(filt, "np.trim_zeros()")))
    axes = range(filt.ndim) if axis is None else [each % filt.ndim for each in np.atleast_1d(axis)]
    for each in axes:
        first, last = (places[:, each].min(), places[:, each].max() + 1) if len(places) else (filt.shape[each],) * 2
        start, stop = first if "f" in trim.lower() else 0, last if "b" in trim.lower() else filt.shape[each]
        filt = filt.narrow(each, int(start), max(int(stop) - int(start), 0))
    return filt


@otherwise
def choose(a, choices):
    several = REGISTRY["broadcast_tensors"](*[operand(each) for each in choices])
    which, *_ = np.broadcast_arrays(own(values(a, "np.choose()")), np.empty(tuple(several[0].shape)))
    chosen = np.choose(which, [numbers(each, i * each.numel()) for i, each in enumerate(several)])
    return fetched(REGISTRY["stack"](list(several)), chosen)


@otherwise
def select(condlist, choicelist, default=0):
    result = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        result = REGISTRY["where"](operand(condition), operand(choice), result)
    return result


@otherwise
def block(nested):
    deepest = _depth(nested)
    return _joined(nested, deepest, max(deepest, _most_dims(nested)))


def _depth(arrays):
    return 1 + max(map(_depth, arrays)) if isinstance(arrays, list) else 0


def _most_dims(arrays):
    return max(map(_most_dims, arrays)) if isinstance(arrays, list) else np.ndim(constant(arrays))


def _joined(arrays, depth, ndim):
    if not isinstance(arrays, list):
        part = operand(arrays)
        part = part if isinstance(part, Tensor) else wrap(np.asarray(part))
        return part.reshape((1,) * (ndim - part.ndim) + tuple(part.shape))
    return REGISTRY["cat"]([_joined(each, depth - 1, ndim) for each in arrays], -depth)


# ------------------------------------------------------------------------------ sets

@otherwise
def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True):
    _, *places = np.unique(values(ar, "np.unique()"), True, True, True, axis, equal_nan=equal_nan)
    index, inverse, counts = map(in_int64, places)
    found = fetched(ar, index) if axis is None else ar.index_select(axis, wrap(index))
    wanted = [wrap(each) for each, is_wanted in ((index, return_index), (inverse, return_inverse),
                                                 (counts, return_counts)) if is_wanted]
    return (found, *wanted) if wanted else found


@otherwise
def union1d(ar1, ar2):
    both = REGISTRY["cat"]([ar1.flatten(), ar2.flatten()])
    return fetched(both, np.unique(values(both, "np.union1d()"), return_index=True)[1])


@otherwise
def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    _, first, second = np.intersect1d(constant(ar1), constant(ar2), assume_unique, return_indices=True)
    common = fetched(ar1, first)
    return (common, wrap(in_int64(first)), wrap(in_int64(second))) if return_indices else common


@otherwise
def setdiff1d(ar1, ar2, assume_unique=False):
    flat = constant(ar1).ravel()
    places = np.arange(flat.size) if assume_unique else np.unique(flat, return_index=True)[1]
    return fetched(ar1, places[~np.isin(flat[places], constant(ar2))])


@otherwise
def setxor1d(ar1, ar2, assume_unique=False):
    both = REGISTRY["cat"]([ar1.flatten(), ar2.flatten()])
    flat = values(both, "np.setxor1d()")
    parts = np.split(np.arange(flat.size), [ar1.numel()])
    if not assume_unique:
        parts = [part[np.unique(flat[part], return_index=True)[1]] for part in parts]
    places = np.concatenate(parts)
    _, first, counts = np.unique(flat[places], return_index=True, return_counts=True)
    return fetched(both, places[first[counts == 1]])
