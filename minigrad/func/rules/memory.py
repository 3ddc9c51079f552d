"""Map the derivative of ``as_strided`` and its transpose, which describe memory.

Each example gets its own stretch of memory, one after another, long enough for all its reads and writes::

    one example     size (2,)      stride (3,)        reaches to 3: a room of 4
    B examples      size (B, 2)    stride (4, 3)
"""

from minigrad._core.dispatch.levels import apply
from minigrad.ops.shapes.windows import as_strided_backward, as_strided_again

from .batch_rule import rule, shape_of


@rule(as_strided_again)
def strided_copy(op, mapped, payloads, size):
    x, sizes, stride, offset, own_stride, own_offset = payloads
    offset = own_offset if offset is None else offset
    room = max(reach(sizes, stride, offset), reach(shape_of(x, True), own_stride, own_offset))
    return apply(op, [x, (size, *sizes), (room, *stride), offset, (room, *own_stride), own_offset])


@rule(as_strided_backward)
def strided_backward(op, mapped, payloads, size):
    d, own_sizes, sizes, stride, offset, own_stride, own_offset = payloads
    offset = own_offset if offset is None else offset
    room = max(reach(sizes, stride, offset), reach(own_sizes, own_stride, own_offset))
    return apply(op, [d, (size, *own_sizes), (size, *sizes), (room, *stride), offset, (room, *own_stride), own_offset])


def reach(sizes, stride, offset):
    """The first place in memory after all elements."""
    return 1 + offset + sum([(n - 1) * step for n, step in zip(sizes, stride) if n])
