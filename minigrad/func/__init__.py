"""Transforms of functions, under the names of ``torch.func``."""

from minigrad._core.errors.absent import answering as _answering

from . import rules
from .jacobians import hessian, jacfwd, jacrev
from .stateless import functional_call, replace_all_batch_norm_modules_, stack_module_state
from .transforms import grad, grad_and_value, jvp, linearize, vjp
from .vmap import vmap
from .debug import debug_unwrap, functionalize

__all__ = ["debug_unwrap", "functional_call", "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev",
           "jvp", "linearize", "replace_all_batch_norm_modules_", "stack_module_state", "vjp", "vmap"]

__getattr__ = _answering(__name__)
