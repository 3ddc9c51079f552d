"""Write a batch rule: the decorator that registers it for a row, the shapes that the user sees, the batch in front."""

from math import prod

from minigrad._core.graph import Tensor
from minigrad.ops.shapes.broadcasting import expand
from minigrad.ops.shapes.reshaping import reshape_to

#: row -> the rule written for it
OWN = {}


def rule(*rows):
    """Decorator: the batch rule of these rows, for which none follows from their kinds and types."""
    def register(function):
        OWN.update(dict.fromkeys(rows, function))
        return function
    return register


# ------------------------------------------------------------------------------ shapes

def shape_of(x, mapped):
    """The shape of one example, which is what the user sees."""
    return tuple(x.shape)[1:] if mapped else tuple(x.shape)


def rank_of(x, mapped):
    return x.ndim - 1 if mapped else x.ndim


def ranks_of(mapped, payloads):
    """The ranks of all tensors among the arguments, including those in lists."""
    ranks = []
    for x, m in zip(payloads, mapped):
        if isinstance(x, Tensor):
            ranks.append(x.ndim - 1 if m else x.ndim)
        elif isinstance(m, list):
            ranks += [rank_of(y, n) for y, n in zip(x, m) if y is not None]
    return ranks


def front(x, mapped, size):
    """``x`` with the batch axis: a tensor that is the same for all examples is repeated, without a copy."""
    return x if mapped or x is None else expand(x, (size, *x.shape))


def front_all(mapped, payloads, size):
    """The same for all tensors among the arguments, including those in lists."""
    return [front(x, m, size) if isinstance(x, Tensor) else
            [front(y, n, size) for y, n in zip(x, m)] if isinstance(m, list) else x for x, m in zip(payloads, mapped)]


def ranked(x, rank):
    """The batch axis first, then ones, so that broadcasting from the right against ``rank`` dims leaves it alone."""
    if x.ndim == rank + 1:
        return x
    shape = tuple(x.shape)
    return reshape_to(x, shape[:1] + (1,) * (rank + 1 - len(shape)) + shape[1:])


def in_rows(x, size):
    """The elements of each example as a row."""
    return reshape_to(x, (size, prod(x.shape[1:])))
