"""Where windows are: for each dim, which elements a position of the result reads.

A plane is what windows move over: the last one, two or three dims.  The dims before it are channels and examples, and
only say how many planes there are.  Along each dim windows are a list, and a window of the plane is the product of one
from each list::

    size 5, kernel_size 3, stride 2, padding 1         first    count
    . 0 1 2 3 4 .
    [ 0 1 ]                                            0        2
        [ 1 2 3 ]                                      1        3
            [ 3 4 ]                                    3        2

``weighed`` adds up what lies in windows, dim after dim, each element with a weight if there are any.  Means, and all
modes of ``interpolate`` but the nearest, are that.  It is linear, and its transpose is the same with other windows: for
each element those that it is in (``turned``).
"""

from math import prod
from typing import NamedTuple

import numpy as np

from minigrad._core.errors import error

from ..arguments import at


class Windows(NamedTuple):
    """The windows along one dim."""

    size: int                           # elements along the dim
    first: np.ndarray                   # of each window
    count: np.ndarray                   # how many elements it has
    step: int = 1                       # from one to the next
    weights: np.ndarray | None = None   # a row for each window; None where all are 1

    def places(self):
        """The elements of each window, a row for each; -1 where there are fewer than in others."""
        member = np.arange(self.count.max(initial=0))
        return np.where(member < self.count[:, None], self.first[:, None] + self.step * member, -1)


# ------------------------------------------------------------------------------ lists of windows

def slid(size, kernel, stride, padding, dilation, ceil_mode):
    """Windows that slide by ``stride``; with ``ceil_mode`` the last one may have less than the others."""
    n = out_size(size, kernel, stride, padding, dilation, ceil_mode)
    start = np.arange(n) * stride - padding
    end = np.minimum(start + (kernel - 1) * dilation + 1, size)
    first = np.where(start < 0, start + -(start // dilation) * dilation, start)
    return Windows(size, first, np.maximum(-((first - end) // dilation), 0), dilation)


def out_size(size, kernel, stride, padding, dilation, ceil_mode):
    n = (size + 2 * padding - dilation * (kernel - 1) - 1 + (stride - 1 if ceil_mode else 0)) // stride + 1
    if ceil_mode and (n - 1) * stride >= size + padding:        # it would begin in the padding
        n -= 1
    return n


def adapted(size, n):
    """As many windows as are wanted: they cover everything, and are as equal as can be."""
    number = np.arange(n)
    first = number * size // max(n, 1)
    return Windows(size, first, -(-(number + 1) * size // max(n, 1)) - first)


def turned(windows):
    """The transpose: for each element, the windows in which it is.  They have no gaps, and so follow each other."""
    element = np.arange(windows.size)
    first = np.searchsorted(windows.first + windows.count, element, "right")
    count = np.maximum(np.searchsorted(windows.first, element, "right") - first, 0)
    found = Windows(len(windows.first), first, count)
    if windows.weights is None:
        return found
    window = found.places()
    member = np.where(window < 0, 0, element[:, None] - windows.first[window])
    return found._replace(weights=np.where(window < 0, 0, windows.weights[window, member]))


# ------------------------------------------------------------------------------ what is in them

def weighed(array, windows):
    """The sums over windows of the last dims, one after the other."""
    for axis, along in enumerate(windows, array.ndim - len(windows)):
        array = weighed_along(array, axis, along)
    return array


def weighed_along(array, axis, windows):
    places, shape = windows.places(), [-1] + [1] * (array.ndim - axis - 1)
    total = np.zeros([*array.shape[:axis], len(places), *array.shape[axis + 1:]], array.dtype)
    for k in range(places.shape[1]):                    # the k-th element of all windows at once
        here = np.flatnonzero(places[:, k] >= 0)
        part = array.take(places[here, k], axis)
        if windows.weights is not None:
            part = part * windows.weights[here, k].astype(array.dtype).reshape(shape)
        if len(here) == len(places):
            total += part
        else:
            total[at(axis, here)] += part
    return total


def members(windows):
    """For each window of a plane, the places of its elements in the flat plane, row by row; -1 where there is none."""
    ndim, flat, missing = len(windows), 0, False
    for k, along in enumerate(windows):
        places = along.places()
        places = places.reshape([len(places) if i == k else places.shape[1] if i == ndim + k else 1
                                 for i in range(2 * ndim)])
        flat, missing = flat * along.size + places, missing | (places < 0)
    flat = np.where(missing, -1, flat)
    return flat.reshape(*flat.shape[:ndim], prod(flat.shape[ndim:]))


# ------------------------------------------------------------------------------ arguments

def each_dim(op, argument, given, ndim, unless=None):
    """One number for each dim of a plane, of one for all or as many."""
    if given is None or given == () and unless is not None:
        given = unless
    given = given if isinstance(given, tuple) else (given,)
    if len(given) not in (1, ndim):
        raise not_one_for_each(op, argument, given, ndim)
    return given * ndim if len(given) == 1 else given


def checked(op, shape, ndim, kernel_size, stride, padding, dilation, ceil_mode, any_number=False):
    """[(size, kernel, stride, padding, dilation, ceil_mode)] for each dim of a plane, refused as PyTorch does.

    Before the planes a public function takes one or two dims; a formula takes any number, and empty ones.
    """
    kernel = each_dim(op, "kernel_size", kernel_size, ndim)
    stride = each_dim(op, "stride", stride, ndim, unless=kernel)
    padding, dilation = each_dim(op, "padding", padding, ndim), each_dim(op, "dilation", dilation, ndim)
    check_positive(op, kernel, stride, dilation)
    for pad, size, step in zip(padding, kernel, dilation):
        if pad < 0:
            raise error("MG204", f"{op}(): pad must be non-negative, but got pad: {pad}")
        if pad > ((size - 1) * step + 1) // 2:
            raise too_much_padding(op, pad, size, step)
        if pad > size // 2:
            raise more_padding_than_half(op, pad, size)
    if not any_number:
        check_windowed(op, shape, ndim)
    planes = [(*each, ceil_mode) for each in zip(shape[-ndim:], kernel, stride, padding, dilation)]
    sizes = [out_size(*each) for each in planes]
    if min(sizes) < 1:
        raise too_small(op, shape, ndim, sizes, kernel)
    return planes


def check_positive(op, kernel, stride, dilation):
    """Is each number at least 1?  The max_pool of lines has words of its own for it, as in PyTorch."""
    if op == "max_pool1d":
        words, ours = "{} must be greater than zero, but got {}", "kernel_size"
    else:
        words, ours = "{} should be greater than zero, but got {}", "kernel size"
        if 0 in stride:
            raise error("MG204", f"{op}(): stride should not be zero, but got {list(stride)} for windows of "
                                 f"{list(kernel)}")
    for what, given in (ours, kernel), ("stride", stride), ("dilation", dilation):
        if min(given) <= 0:
            raise error("MG204", f"{op}(): {words.format(what, given[0] if len(given) == 1 else list(given))}")


def check_windowed(op, shape, ndim):
    """``check_planes`` for windows that slide, in PyTorch's words for them."""
    dims = f"{ndim + 1}D or {ndim + 2}D (batch mode) tensor"
    if len(shape) not in (ndim + 1, ndim + 2):
        raise not_windowed(op, shape, ndim, dims)
    first = len(shape) - ndim - 1
    if 0 in shape[first:]:
        raise empty_windowed(op, shape, first + shape[first:].index(0), dims)


def check_planes(op, shape, ndim, may_be_empty=None):
    """Are there channels, perhaps examples, and planes?  Of the dims, so many may be empty: usually the examples."""
    if len(shape) not in (ndim + 1, ndim + 2):
        raise not_planes(op, shape, ndim)
    first = len(shape) - ndim - 1 if may_be_empty is None else may_be_empty
    if 0 in shape[first:]:
        raise empty_planes(op, shape, first + shape[first:].index(0))


# ------------------------------------------------------------------------------ errors

def not_one_for_each(op, argument, given, ndim):
    if ndim == 1:
        return error("MG204", f"{op}(): argument '{argument}' should contain one int (got {len(given)}): windows move "
                              "along one dim")
    return error("MG204", f"{op}(): {argument} must either be a single int, or a tuple of {ndim} ints, one for each "
                          f"dim that the windows move along, but got {given}")


def too_much_padding(op, pad, kernel, dilation):
    return error("MG204", f"{op}(): pad should be at most half of effective kernel size, but got pad={pad}, "
                          f"kernel_size={kernel} and dilation={dilation}: a window could lie in the padding")


def more_padding_than_half(op, pad, kernel):
    return error("MG204", f"{op}(): pad should be smaller than or equal to half of kernel size, but got pad={pad} and "
                          f"kernel_size={kernel}")


def too_small(op, shape, ndim, sizes, kernel):
    if op == "max_pool1d":
        return error("MG204", f"{op}(): Invalid computed output size: {sizes[0]}. Windows of {list(kernel)} do not fit "
                              f"into lines of {shape[-1]}, which are too small")
    inner = shape[len(shape) - ndim - 1:]
    return error("MG204", f"{op}(): Given input size: ({'x'.join(map(str, inner))}). Calculated output size: "
                          f"({'x'.join(map(str, (inner[0], *sizes)))}). Output size is too small: windows of "
                          f"{list(kernel)} do not fit")


def not_planes(op, shape, ndim):
    return error("MG201", f"{op}(): Expected {ndim + 1}D or {ndim + 2}D (batch mode) tensor for input, but got: "
                          f"{list(shape)}, which has {len(shape)} dims. It takes (channels, {DIMS[ndim]}), or "
                          f"(examples, channels, {DIMS[ndim]})")


def not_windowed(op, shape, ndim, dims):
    return error("MG201", f"{op}(): non-empty {dims} expected for input. Expected {dims} with optional 0 dim batch "
                          f"size for input, but got: {list(shape)}, which has {len(shape)} dims. It takes (channels, "
                          f"{DIMS[ndim]}), or (examples, channels, {DIMS[ndim]})")


def empty_windowed(op, shape, axis, dims):
    return error("MG201", f"{op}(): Expected input's non-batch dimensions to have positive length. Expected {dims} "
                          f"with optional 0 dim batch size for input, but got: {list(shape)}, with dimension {axis} "
                          "being empty")


DIMS = {1: "length", 2: "height, width", 3: "depth, height, width"}


def empty_planes(op, shape, axis):
    return error("MG201", f"{op}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
                          f"{list(shape)} with dimension {axis} being empty")
