"""The part of a dataset that one rank sees."""

from math import ceil

from minigrad._core.errors import error
from minigrad.distributed.world import get_rank, get_world_size
from minigrad.random import Generator, randperm

from .samplers import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler[int]):
    """Every ``num_replicas``-th index, beginning with ``rank``: together the ranks see each sample once in an epoch.

    >>> [[*torch.utils.data.DistributedSampler(range(7), num_replicas=2, rank=rank, shuffle=False)] for rank in (0, 1)]
    [[0, 2, 4, 6], [1, 3, 5, 0]]

    All ranks get as many: the first indices come twice, or with ``drop_last`` the last ones not at all.  With
    ``shuffle`` the order is drawn from ``seed`` and the epoch, which a training loop sets with ``set_epoch(epoch)``
    before each; without that, all epochs have one order.  By default ``num_replicas`` and ``rank`` are those of the
    process.
    """

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        self.dataset, self.shuffle, self.seed, self.drop_last, self.epoch = dataset, shuffle, seed, drop_last, 0
        self.num_replicas = get_world_size() if num_replicas is None else num_replicas
        self.rank = get_rank() if rank is None else rank
        if not 0 <= self.rank < self.num_replicas:
            raise error("MG804", f"Invalid rank {self.rank}, rank should be in the interval [0, "
                                 f"{self.num_replicas - 1}]")
        n = len(dataset)
        self.num_samples = n // self.num_replicas if drop_last else ceil(n / self.num_replicas)
        self.total_size = self.num_samples * self.num_replicas

    def __iter__(self):
        n = len(self.dataset)
        order = [*range(n)]
        if self.shuffle:
            order = randperm(n, generator=Generator().manual_seed(self.seed + self.epoch)).tolist()
        if n:
            order = (order * ceil(self.total_size / n))[:self.total_size]
        return iter(order[self.rank::self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        """Draw another order, the same on all ranks."""
        self.epoch = epoch
