"""Several processes that compute together, as ``torch.distributed``, on MPI.

Every process runs the same program, and is told which one it is, its *rank*::

    # mean.py, started with: mpiexec -n 2 python mean.py
    import minigrad as torch
    import minigrad.distributed as dist

    dist.init_process_group("mpi")
    x = torch.tensor([1., 2.]) * (dist.get_rank() + 1)
    dist.all_reduce(x, op=dist.ReduceOp.AVG)
    print(x)                                # on both: tensor([1.5000, 3.0000])
    dist.destroy_process_group()

``pip install 'minigrad-autograd[mpi]'`` brings what it needs.  The parts, from below: what a reduction computes
(reductions.py), how ranks agree and wait (work.py, agreement.py, roll_call.py), the arrays of a group
(process_group.py), all processes (world.py), and what users call: the collectives that write into tensors, those that
can be differentiated (nn/functional.py), and objects.  A model whose gradients are averaged over the ranks is
:class:`torch.nn.parallel.DistributedDataParallel`.
"""

from minigrad._core.errors import CATALOGUE as _CATALOGUE
from minigrad._lazy_modules import incomplete as _incomplete

from . import nn
from .collectives import *
from .objects import *
from .process_group import ProcessGroup
from .reductions import ReduceOp
from .work import Work
from .world import *

DistError = DistBackendError = _CATALOGUE["MG802"][0]

__getattr__ = _incomplete(__name__, {})
