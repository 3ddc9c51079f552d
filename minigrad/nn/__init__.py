"""Neural networks: so far only their functions, in ``minigrad.nn.functional``.

Layers and containers are classes that hold parameters and call these functions.  The tutorials do without
them: a network is a function of tensors.
"""

from minigrad._core.absent import answering as _answering
from minigrad.nn import functional

__all__ = ["functional"]

__getattr__ = _answering(__name__)
