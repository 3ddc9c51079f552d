"""A model that several processes train: each computes the gradients of its own samples, and all get the mean."""

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.runtime.scopes import Block
from minigrad._core.runtime.thread_state import is_grad_enabled
from minigrad.distributed.collectives import broadcast
from minigrad.distributed.objects import all_gather_object
from minigrad.distributed.world import chosen
from minigrad.func.pytree import leaves
from minigrad.nn.modules.module import Module

from .buckets import Buckets, listed

__all__ = ["DistributedDataParallel"]

_MB = 1 << 20


class DistributedDataParallel(Module):
    """A module that calls ``module``, and averages its gradients over the ranks while each backward pass runs.

    Every rank makes it of a model of the same shape, and trains it with its own part of the data
    (:class:`~minigrad.utils.data.DistributedSampler`)::

        # train.py, started with: mpiexec -n 2 python train.py
        dist.init_process_group("mpi")
        model = torch.nn.parallel.DistributedDataParallel(make_model())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            loss_fn(model(x), y).backward()     # .grad: the mean over all ranks
            optimizer.step()                    # so all ranks take the same step

    To begin with, all ranks get the parameters and buffers of rank 0, and with ``broadcast_buffers`` its buffers again
    before every call.  If each rank's loss is a mean over as many samples, the gradients are those of one process with
    all of them, to rounding.

    ``bucket_cap_mb`` is how much is sent at once (Note [Buckets] in buckets.py), by default 25.
    ``find_unused_parameters=True`` allows a loss that does not use all parameters on every rank; else the next call
    raises (MG805).  The names in ``state_dict()`` begin with "module.".  The other arguments have no effect here.
    Only ``backward()`` averages; ``torch.autograd.grad`` returns the gradients of this rank.
    """

    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, init_sync=True,
                 process_group=None, bucket_cap_mb=None, find_unused_parameters=False, check_reduction=False,
                 gradient_as_bucket_view=False, static_graph=False):
        super().__init__()
        group = chosen(process_group)
        if group is None:
            raise error("MG804", "DistributedDataParallel: this process is not in process_group")
        trained = {name: each for name, each in module.named_parameters() if each.requires_grad}
        if not trained:
            raise error("MG804", "DistributedDataParallel is not needed when a module doesn't have any parameters that "
                                 "require a gradient.")
        self.module, self.process_group, self.broadcast_buffers = module, group, broadcast_buffers
        self.find_unused_parameters = find_unused_parameters
        self.require_backward_grad_sync = True
        same_on_all_ranks(module, group)
        if init_sync:
            from_rank_0([*module.parameters(), *module.buffers()], group)
        capacity = 25 * _MB if bucket_cap_mb is None else int(bucket_cap_mb * _MB)
        self._trained = trained
        self._buckets = Buckets(trained, group, capacity, min(_MB, capacity), find_unused_parameters)

    def forward(self, *inputs, **kwargs):
        synchronized = is_grad_enabled() and self.require_backward_grad_sync
        if synchronized:
            self._buckets.expect_pass()
        if self.broadcast_buffers and self.require_backward_grad_sync:
            from_rank_0([*self.module.buffers()], self.process_group)
        outputs = self.module(*inputs, **kwargs)
        if synchronized and self.find_unused_parameters:
            reached = leaves_below([each for each in leaves(outputs) if isinstance(each, Tensor)])
            self._buckets.expect_nothing_of([each for each in self._trained.values() if id(each) not in reached])
        return outputs

    def no_sync(self):
        """A block in which gradients are added up on each rank alone; the next pass outside averages what has come.

        ``model`` must be called in the block too, not only ``backward()``::

            with model.no_sync():
                for x, y in batches[:-1]:
                    loss_fn(model(x), y).backward()
            loss_fn(model(batches[-1][0]), batches[-1][1]).backward()
        """
        return Block(lambda: [(vars(self), "require_backward_grad_sync", False)])


def same_on_all_ranks(module, group):
    """Check that the models have the same parameters and buffers: what names, shapes and dtypes."""
    mine = {name: (str(each.dtype), [*each.shape], each.requires_grad)
            for name, each in [*module.named_parameters(), *module.named_buffers()]}
    everyone = [None] * group.size()
    all_gather_object(everyone, mine, group)
    for rank, theirs in enumerate(everyone):
        if theirs != everyone[0]:
            names = [name for name in {**everyone[0], **theirs} if everyone[0].get(name) != theirs.get(name)]
            raise error("MG802", f"DistributedDataParallel expects the same model on all ranks, but that of rank "
                                 f"{group.ranks[rank]} differs from that of rank {group.ranks[0]} in {listed(names)}")


def from_rank_0(tensors, group):
    """Give all ranks the numbers of the first."""
    for work in [broadcast(each, group=group, group_src=0, async_op=True) for each in tensors]:
        work.wait()


def leaves_below(outputs):
    """The ids of the leaves from which the outputs are computed."""
    found, seen = set(), set()
    below = [each.grad_fn for each in outputs if each.grad_fn is not None]
    found.update(id(each) for each in outputs if each.is_leaf)
    while below:
        node = below.pop()
        if node in seen:
            continue
        seen.add(node)
        leaf = getattr(node, "variable", None)
        if leaf is not None:
            found.add(id(leaf))
        below.extend(each for each, _ in node.next_functions if each is not None)
    return found
