"""Transforms of functions, under the names of ``torch.func``.

A transform opens a *level* and wraps the function's inputs as tensors of that level.  Such a tensor carries a
*payload*, which is a tensor of the level below, so transforms nest.

- ``transforms``: grad, vjp, jvp: derivatives as functions of functions
- ``jacobians``: matrices of derivatives: jacrev, jacfwd, hessian
- ``taylor_mode``: derivatives of every order along a curve: jet, taylor
- ``implicit_functions``: derivatives of what a solver finds, without its steps: implicit
- ``linear_systems``: the systems that these lead to, dense, by GMRES or by conjugate gradients
- ``vmap``: a function of one example becomes a function of a batch
- ``interpreters``: levels, and what grad, jvp and vmap do with an operation
- ``level_below``: tensors as the next lower level sees them
- ``rules``: how vmap runs each operation on a whole batch
- ``custom_functions``: ``torch.autograd.Function`` inside transforms
- ``inplace_writes``: ``y.mul_(x)``, ``y[0] = x`` inside transforms
- ``inplace_layouts``: ``x.t_()`` and its relatives inside transforms: another shape for the same tensor
- ``stateless``: functions made from modules: functional_call, stack_module_state
- ``pytree``: arguments and results that are trees of tensors
- ``debug``: a look inside a tensor of a transform
"""

from minigrad._core.errors.absent import answering as _answering

from . import rules
from .implicit_functions import implicit
from .jacobians import hessian, jacfwd, jacrev
from .stateless import functional_call, replace_all_batch_norm_modules_, stack_module_state
from .taylor_mode import jet, taylor
from .transforms import grad, grad_and_value, jvp, linearize, vjp
from .vmap import vmap
from .debug import debug_unwrap, functionalize

__all__ = ["debug_unwrap", "functional_call", "functionalize", "grad", "grad_and_value", "hessian", "implicit",
           "jacfwd", "jacrev", "jet", "jvp", "linearize", "replace_all_batch_norm_modules_", "stack_module_state",
           "taylor", "vjp", "vmap"]

__getattr__ = _answering(__name__)
