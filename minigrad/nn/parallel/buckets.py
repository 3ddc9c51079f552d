"""Gradients of all ranks, averaged while the backward pass still computes the others.

Note [Buckets]
--------------
To add up a gradient over the ranks costs a message, and a message costs time however short it is.  So gradients travel
together, in *buckets*: arrays that each have room for those of several parameters.  The last layers get their gradients
first, so the parameters fill the buckets in reverse.  As soon as a bucket is full it is sent, and the pass goes on::

    parameters     w1  b1  w2  b2  w3  b3        the pass:  b3 w3 | b2 w2 | b1 w1 |
    buckets       [w1, b1][w2, b2][w3, b3]       MPI:             [---3---][---2---][---1---]
                      1       2       3          wait:                              ========

All ranks send them in the same order.  A bucket that fills before its turn waits for those before it.  While the pass
computes, each gradient that arrives also helps along what is under way: MPI moves arrays while somebody asks it to.
"""

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.graph import wrap
from minigrad.autograd.graph import increment_version
from minigrad.distributed.reductions import ReduceOp

__all__ = ["Buckets"]


class Bucket:
    """Room for the gradients of some parameters of one dtype, in one array."""

    def __init__(self, parameters):
        self.parameters, self.missing, self.work = parameters, 0, None
        ends = np.cumsum([each.numel() for each in parameters])
        self.array = np.zeros(ends[-1], parameters[0]._array.dtype)
        self.pieces = [piece.reshape(each.shape) for piece, each in zip(np.split(self.array, ends[:-1]), parameters)]


class Buckets:
    """Averages the gradients of a model's parameters, {name: parameter}, over the ranks of a group.

    A bucket holds ``capacity`` bytes, the one that is sent first holds ``first``; a parameter that is larger has one to
    itself.  With ``some_unused`` the ranks also count which of them has reached which parameter.
    """

    def __init__(self, parameters, group, capacity, first, some_unused):
        self._parameters, self._group, self._some_unused = parameters, group, some_unused
        self._buckets = [Bucket(each) for each in shared_out([*parameters.values()][::-1], capacity, first)]
        self._places = {id(each): (bucket, piece) for bucket in self._buckets
                        for each, piece in zip(bucket.parameters, bucket.pieces)}
        self._expected, self._unused = False, []
        self._missing = None                # in a pass, the parameters whose gradients have not come, by id
        self._sent = 0                      # and how many buckets are under way
        for each in parameters.values():
            each.register_post_accumulate_grad_hook(self._arrived)

    def expect_pass(self):
        """Average the gradients of the next pass; an error if those of the last have not been."""
        if self._missing:
            names = [name for name, each in self._parameters.items() if id(each) in self._missing]
            raise error("MG805", "Expected to have finished reduction in the prior iteration before starting a new "
                                 f"one: the last backward pass did not reach {listed(names)}, and the ranks wait for "
                                 "their gradients. If the loss need not use them in every pass, write "
                                 "DistributedDataParallel(..., find_unused_parameters=True)")
        self._expected, self._unused = True, []

    def expect_nothing_of(self, parameters):
        """The next pass will not reach these on this rank, but on others it may."""
        self._unused = parameters

    # ------------------------------------------------------------------------------ in the pass

    def _arrived(self, parameter):
        """The hook of each parameter: its gradient is complete."""
        if not self._expected:
            return
        if self._missing is None:
            self._begin()
        self._put(parameter)
        self._group.calls.advance()
        if not self._missing:
            self._finish()

    def _begin(self):
        self._missing, self._sent = {*self._places}, 0
        for bucket in self._buckets:
            bucket.missing = len(bucket.parameters)
        for each in self._unused:
            self._put(each)

    def _put(self, parameter):
        """Copy a gradient into its bucket, and send what is full; one that is not there counts as zeros."""
        bucket, piece = self._places[id(parameter)]
        gradient = parameter.grad
        if gradient is not None and gradient.requires_grad:
            warn("DistributedDataParallel with create_graph=True averages the gradients of the ranks, but the graph of "
                 "a gradient holds this rank only: a second derivative will lack the others")
        piece[...] = 0 if gradient is None else gradient._array
        self._missing.remove(id(parameter))
        bucket.missing -= 1
        while self._sent < len(self._buckets) and not self._buckets[self._sent].missing:
            full = self._buckets[self._sent]
            full.work = self._group.post_all_reduce(full.array, ReduceOp.AVG, in_place=True)
            self._sent += 1

    def _finish(self):
        """Wait for the buckets, and put the mean in place of each gradient."""
        reached = self._reached_somewhere()
        for bucket in self._buckets:
            mean = bucket.work._result()
            if mean is not bucket.array:
                bucket.array[...] = mean
            for parameter, piece in zip(bucket.parameters, bucket.pieces):
                if id(parameter) not in reached:
                    continue
                if parameter.grad is None:
                    parameter.grad = wrap(piece.copy())
                else:
                    parameter.grad._array[...] = piece
                    increment_version(parameter.grad)
        self._expected, self._missing = False, None

    def _reached_somewhere(self):
        """The ids of the parameters that the pass has reached on some rank; a gradient of the others is left alone."""
        ids = [*self._places]
        if not self._some_unused:
            return {*ids}
        unused = {id(each) for each in self._unused}
        counts = self._group.post_all_reduce(np.array([each not in unused for each in ids], np.int32))._result()
        return {each for each, count in zip(ids, counts) if count}


def shared_out(parameters, capacity, first):
    """The parameters in groups of one dtype, of at most ``capacity`` bytes each, or of one parameter."""
    groups, room = [], 0
    for each in parameters:
        size = each.numel() * each.element_size()
        if not groups or size > room or groups[-1][0].dtype is not each.dtype:
            room = capacity if groups else first
            groups.append([])
        groups[-1].append(each)
        room -= size
    return groups


def listed(names):
    """Some names for a message."""
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
