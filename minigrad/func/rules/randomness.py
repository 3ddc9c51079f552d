"""Draw random numbers under vmap: the same for all examples, or different ones for each.

A row that takes a Generator draws random numbers.  If they are "different", it is elementwise like any other; where no
argument is mapped, each is repeated, and drawn for as often.  If they are the "same", it draws for one example and
repeats the result; if the parameters of the distribution are themselves mapped, one draw cannot serve all, which is an
error, as in PyTorch.
"""

from minigrad._core.dispatch.levels import apply
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.ops.shapes.slicing import select

from .batch_rule import front, rank_of, ranked


def drawn_for(op, mapped, payloads, size, randomness):
    """The payload of the result: a batch of random numbers."""
    if randomness == "different":
        rank = max([rank_of(x, m) for x, m in zip(payloads, mapped) if isinstance(x, Tensor)])
        each = [ranked(front(x, m, size), rank) if isinstance(x, Tensor) else x for x, m in zip(payloads, mapped)]
        # What fills a tensor draws in the order of its memory, nearly all else in that of its elements.
        if not (mapped[0] and (op.fills or op.batch == "as it lies")):
            each = [x.contiguous() if isinstance(x, Tensor) else x for x in each]
        return apply(op, each)
    if not op.fills or any(mapped[1:]):
        raise of_several_distributions(op)
    return front(apply(op, [select(payloads[0], 0, 0).contiguous(), *payloads[1:]]), False, size)


def of_several_distributions(op):
    return error("MG117", "Vmap does not currently support same randomness with a batched tensor input "
                          f"({op.shown}): every example has its own distribution. Draw uniform numbers with "
                          "torch.rand, and compute the others from them.")
