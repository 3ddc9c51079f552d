"""minigrad: learn automatic differentiation by reading it.

``import minigrad as torch`` and the examples of the documentation of ``torch.autograd`` run as written.
"""

__version__ = "0.1.0"

from minigrad._core.graph import Tensor
from minigrad import dtypes, ops, tensor as _tensor
from minigrad.ops.kinds import REGISTRY
globals().update(REGISTRY)
globals().update(dtypes.NAMES)
from minigrad.dtypes import Size, device, finfo, iinfo, promote_types, can_cast, get_default_dtype, set_default_dtype
from minigrad.creation import *
from minigrad import autograd
from minigrad.autograd import enable_grad, inference_mode, no_grad, set_grad_enabled
from minigrad._core.modes import is_grad_enabled
