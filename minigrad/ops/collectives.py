"""Collectives: what the ranks of a group, each a process with a model of its own, compute together.

Together, the ranks' inputs are one long vector and their outputs another, and a collective is a matrix between the two.
That matrix is linear and made of zeros and ones, so its transpose is again a collective, and each row names the other::

    all_reduce   every rank gets the sum          <-->  all_reduce
    broadcast    every rank gets that of one      <-->  reduce           one rank gets the sum
    all_gather   every rank gets all              <-->  reduce_scatter   every rank gets its piece of the sum
    gather       one rank gets all                <-->  scatter          every rank gets its piece of one
    all_to_all   every rank gets a piece of each  <-->  all_to_all

    all_gather of 2 ranks           its transpose: reduce_scatter

     y0  | 1 0 |                     x0     | 1 0  1 0 |  d0
     y0' | 0 1 |  x0                 x1  =  | 0 1  0 1 |  d0'
     y1  | 1 0 |  x1                                      d1
     y1' | 0 1 |                                          d1'

The gradient is that of the sum of all ranks' losses.  Every rank must come to the same collectives in the same order,
on its way back too.  What is rank r's piece lies at place r of the dim that a row is given.

A group moves arrays between processes (minigrad/distributed/process_group.py); these rows need only its methods.
"""

from .kinds import linear

all_reduce = linear("all_reduce(Tensor self, Any group)", lambda self, group: group.all_reduce(self),
                    self=lambda d, group: all_reduce(d, group),
                    node="_AllReduceBackward", public=False, last_dims=0,
                    doc="The sum of the ranks' tensors, on every rank.")

broadcast = linear("broadcast(Tensor self, int src, Any group)", lambda self, src, group: group.broadcast(self, src),
                   self=lambda d, src, group: reduce(d, src, group),
                   node="_BroadcastBackward", public=False, last_dims=0,
                   doc="The tensor of the rank ``src``, on every rank.")

reduce = linear("reduce(Tensor self, int dst, Any group)", lambda self, dst, group: group.reduce(self, dst),
                self=lambda d, dst, group: broadcast(d, dst, group),
                node="_ReduceBackward", public=False, last_dims=0,
                doc="The sum of the ranks' tensors on the rank ``dst``, and zeros on the others.")

all_gather = linear("all_gather(Tensor self, NewDim dim, Any group)",
                    lambda self, dim, group: group.all_gather(self, dim),
                    self=lambda d, dim, group: reduce_scatter(d, dim, group),
                    node="_AllGatherBackward", public=False,
                    doc="The ranks' tensors along a new dim, on every rank.")

reduce_scatter = linear("reduce_scatter(Tensor self, Dim dim, Any group)",
                        lambda self, dim, group: group.reduce_scatter(self, dim),
                        self=lambda d, dim, group: all_gather(d, dim, group),
                        node="_ReduceScatterBackward", public=False,
                        doc="Of the sum of the ranks' tensors each rank's piece along a dim, which goes.")

gather_ranks = linear("gather_ranks(Tensor self, NewDim dim, int dst, Any group)",
                      lambda self, dim, dst, group: group.gather(self, dim, dst),
                      self=lambda d, dim, dst, group: scatter_ranks(d, dim, dst, group),
                      node="_GatherBackward", public=False,
                      doc="The ranks' tensors along a new dim on the rank ``dst``, and zeros on the others.")

scatter_ranks = linear("scatter_ranks(Tensor self, Dim dim, int src, Any group)",
                       lambda self, dim, src, group: group.scatter(self, dim, src),
                       self=lambda d, dim, src, group: gather_ranks(d, dim, src, group),
                       node="_ScatterBackward", public=False,
                       doc="Of the tensor of the rank ``src`` each rank's piece along a dim, which goes.")

all_to_all = linear("all_to_all(Tensor self, Dim dim, Any group)",
                    lambda self, dim, group: group.all_to_all(self, dim),
                    self=lambda d, dim, group: all_to_all(d, dim, group),
                    node="_AlltoAllBackward", public=False,
                    doc="Along a dim the pieces that the ranks have for this one, in the order of the ranks.")
