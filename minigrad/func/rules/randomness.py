"""Random numbers under vmap: the same for all examples, or for each its own.

With "different" numbers a row that draws is elementwise like any other.  With the "same" it draws for one example, and
the result is repeated; where the parameters of the distribution are themselves mapped, one drawing cannot serve all, and
that is refused, as in PyTorch.
"""

from minigrad._core import levels
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from .common import front, rank_of, ranked
from minigrad.ops.kinds import ROWS
from minigrad.ops.shapes.slicing import select

#: rows that draw, and of whose first argument only the shape and the dtype count
FILLS = {ROWS[name] for name in ("uniform", "normal", "log_normal", "exponential", "cauchy", "random_between", "random_below", "random_any", "geometric",
                                 "bernoulli", "bernoulli_by", "bernoulli_one")}
#: all rows that draw
RANDOM = FILLS | {ROWS[name] for name in ("normal_mean", "normal_std", "normal_both", "bernoulli_each")}


def drawn_for(op, mapped, payloads, size, randomness):
    """The payload of a batch of random numbers."""
    if randomness == "different":
        rank = max([rank_of(x, m) for x, m in zip(payloads, mapped) if isinstance(x, Tensor)])
        return levels.apply(op, [ranked(front(x, m, size), rank) if isinstance(x, Tensor) else x for x, m in zip(payloads, mapped)])
    if op not in FILLS or any(mapped[1:]):
        raise error("MG117", f"Vmap does not currently support same randomness with a batched tensor input ({op.shown}): every example has a distribution "
                             "of its own. Draw uniform numbers with torch.rand and compute the others from them.")
    return front(levels.apply(op, [select(payloads[0], 0, 0), *payloads[1:]]), False, size)
