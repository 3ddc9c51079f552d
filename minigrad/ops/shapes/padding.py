"""Padding: more elements around a tensor, which are a constant or copies of its own.

``F.pad(x, (left, right, top, bottom, ...))`` counts dims from the last; a negative number cuts.

With a constant the new elements depend on nothing, and the transpose just cuts them off again.  The
other modes copy: along each padded dim, the result is the input read at a list of indices::

    size 4, pad (2, 3)      reflect    2 1 0 1 2 3 2 1 0
                            replicate  0 0 0 1 2 3 3 3 3
                            circular   2 3 0 1 2 3 0 1 2

Their transpose adds each gradient where its value was read, one dim after the other.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels import table as kernels

from .. import kinds
from ..composites import composite
from ..arguments import at, ints, number_for


def per_axis(pad, ndim):
    """``pad`` as [(axis, before, after)], in the order of PyTorch: the last axis first."""
    return [(ndim - 1 - i, pad[2 * i], pad[2 * i + 1]) for i in range(len(pad) // 2)]


# ------------------------------------------------------------------------------ a constant

def regions(shape, pad):
    """The padded shape, and the NumPy index of the old elements that are kept: in the padded tensor, and in the old."""
    new, inside, kept = list(shape), [slice(None)] * len(shape), [slice(None)] * len(shape)
    for axis, before, after in per_axis(pad, len(shape)):
        size = shape[axis]
        new[axis] = size + before + after
        left = size + min(before, 0) + min(after, 0)
        if left < 0:
            raise more_than_there_is(before, after, left, size, axis, shape)
        start, stop = max(0, -before), max(0, -before, size - max(0, -after))
        kept[axis] = slice(start, stop)
        inside[axis] = slice(start + before, stop + before)
    return new, tuple(inside), tuple(kept)


def check_pairs(op, pad, ndim):
    """Refuse what are not pairs of numbers, for the last dims."""
    if len(pad) % 2:
        raise odd_padding(op, pad)
    if len(pad) > 2 * ndim:
        raise too_many_dims(op, pad, ndim)


def constant_kernel(self, pad, value):
    check_pairs("constant_pad_nd", pad, self.ndim)
    shape, inside, kept = regions(self.shape, pad)
    if max(pad, default=0) <= 0:                # nothing is written, whatever the value
        return self[kept].copy()
    out = np.full(shape, number_for("pad", value, self.dtype))
    out[inside] = self[kept]
    return out


constant_pad_nd = kinds.linear("constant_pad_nd(Tensor self, int[] pad, Scalar value=0)", constant_kernel,
                               self=lambda d, pad: constant_unpad(d, pad),
                               method=False, out=False, fast=kernels.pad, doc="""
``pad`` with a constant: ``pad`` is (before, after) of the last dim, then of the one before it, and so on.

>>> torch.constant_pad_nd(torch.tensor([[1, 2]]), (1, 2), 9)
tensor([[9, 1, 2, 9, 9]])
""")

constant_unpad = kinds.linear("constant_unpad(Tensor self, int[] pad)",
                              lambda self, pad: constant_kernel(self, [-n for n in pad], 0),
                              self=lambda d, pad: constant_pad_nd(d, pad),
                              node="ConstantPadNdBackward0", public=False,
                              fast=kernels.unpad,
                              doc="Added elements are cut off, and elements that were cut off become zero.")


# ------------------------------------------------------------------------------ copies

def sources(shape, pad, mode):
    """For each padded axis, the indices at which the old axis is read."""
    for axis, before, after in per_axis(pad, len(shape)):
        size = shape[axis]
        i = np.arange(-before, size + after)
        if mode == "reflect":
            i = size - 1 - np.abs(size - 1 - np.abs(i))
        elif mode == "replicate":
            i = i.clip(0, size - 1)
        else:                       # around what is left after cutting
            start, stop = max(0, -before), size - max(0, -after)
            i = start + (i - start) % (stop - start)
        yield axis, i


def copies_kernel(self, pad, mode):
    for axis, before, after in per_axis(pad, self.ndim):
        size = self.shape[axis]
        if mode == "reflect" and max(before, after) >= size:
            raise beyond_the_mirror(before, after, axis, self.shape)
        if mode == "circular" and max(before, after) > size:
            raise around_twice(before, after, axis, self.shape)
        if size + before + after < 1:
            raise nothing_left(before, after, axis, self.shape)
        if size + before + after >= 2 ** 60:
            raise too_large(before, after, axis, self.shape)
    for axis, source in sources(self.shape, pad, mode):
        self = self.take(source, axis)
    return self


def copies_shapes(self, pad, mode):
    shape = list(self.shape)
    for axis, before, after in per_axis(pad, self.ndim):
        shape[axis] += before + after
    return np.broadcast_to(np.zeros((), self.dtype), shape)


copies_kernel.shapes = copies_shapes


def copies_backward_kernel(grad, pad, mode, input_sizes):
    for axis, source in sources(input_sizes, pad, mode):
        shape = list(grad.shape)
        shape[axis] = input_sizes[axis]
        out = np.zeros(shape, grad.dtype)
        _, first = np.unique(source, return_index=True)
        out[at(axis, source[first])] = grad[at(axis, first)]
        for again in np.setdiff1d(np.arange(len(source)), first):
            out[at(axis, source[again])] += grad[at(axis, again)]
        grad = out
    return grad


def copies(node):
    """The row of one mode and number of dims; PyTorch has a node for each."""
    name = node.lower().replace("reflectionpad", "reflection_pad").replace("replicationpad", "replication_pad") \
        .replace("circularpad", "circular_pad")
    return kinds.linear(f"{name}(Tensor self, int[] padding, str mode)", copies_kernel,
                        self=lambda d, padding, mode, self_shape: pad_backward(d, padding, mode, self_shape),
                        node=f"{node}Backward0", public=False, fast=kernels.pad_copies,
                        doc="``pad`` with copies of elements.")


COPIES = {(mode, n): copies(f"{title}Pad{n}D")
          for mode, title in (("reflect", "Reflection"), ("replicate", "Replication"), ("circular", "Circular"))
          for n in (1, 2, 3)}

pad_backward = kinds.linear("pad_backward(Tensor grad, int[] padding, str mode, Sizes input_sizes)",
                            copies_backward_kernel,
                            grad=lambda d, padding, mode: pad_again(d, padding, mode),
                            public=False, wide=True, fast=kernels.pad_copies_backward,
                            doc="Each gradient added where its value was read.")

pad_again = kinds.linear("pad_again(Tensor self, int[] padding, str mode)", copies_kernel,
                         self=lambda d, padding, mode, self_shape: pad_backward(d, padding, mode, self_shape),
                         public=False, fast=kernels.pad_copies,
                         shown="pad", doc="The transpose of the transpose of ``pad``, in any number of dims.")


@composite(nn=True)
def pad(input, pad, mode="constant", value=None):
    """More elements around a tensor: ``pad`` is (before, after) of the last dim, then of the one before it, and so on.

    ``mode`` is "constant" (with ``value``, 0 by default; negative numbers cut), "reflect", "replicate"
    or "circular".  The last three pad the last one, two or three dims, and leave batch and channels alone.

    >>> torch.nn.functional.pad(torch.tensor([[1, 2]]), (1, 2))
    tensor([[0, 1, 2, 0, 0]])
    >>> torch.nn.functional.pad(torch.tensor([[1., 2., 3.]]), (2, 2), mode="reflect")
    tensor([[3., 2., 1., 2., 3., 2., 1.]])
    """
    pad, ndim = ints("pad", "pad", (pad,)), len(input.shape)
    check_pairs("pad", pad, ndim)
    if mode == "constant":
        return constant_pad_nd(input, pad, 0 if value is None else float(value) if isinstance(value, int) else value)
    if mode not in ("reflect", "replicate", "circular"):
        raise error("MG305", f"pad(): Unrecognised padding mode {mode}: it is constant, reflect, replicate or circular")
    if value:
        raise error("MG204", f'pad(): Padding mode "{mode}" doesn\'t take in value argument')
    n = len(pad) // 2
    if n not in (1, 2, 3) or ndim not in (n + 1, n + 2):
        raise unsupported(pad, ndim)
    if mode != "circular" and 0 in input.shape[ndim == n + 2:]:
        raise nothing_to_copy(n, input.shape)
    return COPIES[mode, n](input, pad, mode)


# ------------------------------------------------------------------------------ errors

def more_than_there_is(before, after, left, size, axis, shape):
    return error("MG204", f"pad(): narrow(): length must be non-negative: padding ({before}, {after}) would leave "
                          f"{left} of the {size} elements of dim {axis}, of shape {list(shape)}")


def nothing_to_copy(n, shape):
    return error("MG204", f"pad(): Expected {n + 1}D or {n + 2}D (batch mode) tensor with possibly 0 batch size and "
                          f"other non-zero dimensions for input, but got: {list(shape)}: no element can be copied")


def beyond_the_mirror(before, after, axis, shape):
    return error("MG204", "pad(): Padding size should be less than the corresponding input dimension, but got: "
                          f"padding ({before}, {after}) at dimension {axis} of input {list(shape)}: a reflection does "
                          "not repeat the border")


def around_twice(before, after, axis, shape):
    return error("MG204", f"pad(): Padding value causes wrapping around more than once: padding ({before}, {after}) "
                          f"at dimension {axis} of input {list(shape)}")


def nothing_left(before, after, axis, shape):
    return error("MG204", f"pad(): padding ({before}, {after}) leaves nothing of dimension {axis} of input "
                          f"{list(shape)}")


def too_large(before, after, axis, shape):
    return error("MG204", f"pad(): Storage size calculation overflowed: padding ({before}, {after}) at dimension "
                          f"{axis} of input {list(shape)} makes more elements than memory can be addressed for")


def odd_padding(op, pad):
    return error("MG204", f"{op}(): Length of pad must be even: Padding length must be divisible by 2, but is "
                          f"{len(pad)}: (before, after) for each dim")


def too_many_dims(op, pad, ndim):
    return error("MG204", f"{op}(): Length of pad should be no more than twice the number of dimensions of the input. "
                          "Padding length should be less than or equal to two times the input dimension but "
                          f"got padding length {len(pad)} and input of dimension {ndim}")


def unsupported(pad, ndim):
    return error("MG305", f"pad(): Padding size {len(pad)} is not supported for {ndim}D input tensor.\n"
                          "Supported combinations for non-constant padding:\n"
                          "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
                          "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
                          "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)")
