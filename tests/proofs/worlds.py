"""A world of ranks in one process: what the collectives mean.

The rows of minigrad/ops/collectives.py ask a group to move arrays between processes.  This group has the arrays of all
its ranks at once, along the first dim, and each of its methods is what the ranks do together, written down.  So a
collective is a matrix like any other, and its formula must be the transpose (exact.py).  That processes do the same is
what tests/distributed shows.
"""

import numpy as np


class World:
    """A group of ``size`` ranks, for arrays of shape (size, *shape of the array of a rank)."""

    def __init__(self, size):
        self.size = size

    def __repr__(self):
        return f"World({self.size})"

    def everywhere(self, x):
        return np.stack([x] * self.size)

    def only_at(self, rank, x):
        return np.stack([x if r == rank else np.zeros_like(x) for r in range(self.size)])

    def all_reduce(self, x):
        return self.everywhere(x.sum(0))

    def broadcast(self, x, src):
        return self.everywhere(x[src])

    def reduce(self, x, dst):
        return self.only_at(dst, x.sum(0))

    def all_gather(self, x, dim):
        return self.everywhere(np.stack(list(x), dim))

    def reduce_scatter(self, x, dim):
        return self.pieces(x.sum(0), dim)

    def gather(self, x, dim, dst):
        return self.only_at(dst, np.stack(list(x), dim))

    def scatter(self, x, dim, src):
        return self.pieces(x[src], dim)

    def all_to_all(self, x, dim):
        return np.stack([np.stack([theirs.take(rank, dim) for theirs in x], dim) for rank in range(self.size)])

    def pieces(self, x, dim):
        return np.stack([x.take(rank, dim) for rank in range(self.size)])
