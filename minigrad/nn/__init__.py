"""Neural networks: so far only their functions, in ``minigrad.nn.functional``, and ``minigrad.nn.grad``.

Layers and containers are classes that hold parameters and call these functions.  The tutorials do without
them: a network is a function of tensors.
"""

from minigrad._core.absent import answering as _answering
from minigrad.nn import functional, grad

__all__ = ["functional", "grad"]

__getattr__ = _answering(__name__)
