"""The layers and containers of ``minigrad.nn``, one file for each family.

The base class comes first (module.py and the four files that it names), then the modules that hold others
(containers.py).  A layer is a few options or parameters, and one call of ``nn.functional``: see layer.py.
"""

import sys as _sys

from minigrad._core.absent import answering as _answering
from minigrad.nn.modules import activation, batchnorm, containers, conv, dropout, flatten, linear, normalization, sparse
from minigrad.nn.modules.activation import *
from minigrad.nn.modules.batchnorm import *
from minigrad.nn.modules.containers import *
from minigrad.nn.modules.conv import *
from minigrad.nn.modules.dropout import *
from minigrad.nn.modules.flatten import *
from minigrad.nn.modules.linear import *
from minigrad.nn.modules.module import Module
from minigrad.nn.modules.normalization import *
from minigrad.nn.modules.sparse import *

_FAMILIES = (activation, batchnorm, containers, conv, dropout, flatten, linear, normalization, sparse)

__all__ = ["Module", *(name for family in _FAMILIES for name in family.__all__)]

# PyTorch's names of files that are called otherwise here
instancenorm = _sys.modules[f"{__name__}.instancenorm"] = batchnorm
container = _sys.modules[f"{__name__}.container"] = containers

__getattr__ = _answering(__name__)
