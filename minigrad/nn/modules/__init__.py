"""The layers and containers of ``minigrad.nn``, one file for each family.

The base class comes first (module.py and the four files that it names), then the modules that hold others
(containers.py).  A layer is a few options or parameters, and one call of ``nn.functional``: see layer.py.
"""

from minigrad._core.errors.absent import answering as _answering
from minigrad._paths import below as _below
from minigrad.nn.modules import (activation, adaptive, attention, batchnorm, containers, conv, distance, dropout,
                                 flatten, fold, linear, loss, normalization, padding, pooling, rnn, shuffling, sparse,
                                 transformer, upsampling)
from minigrad.nn.modules.activation import *
from minigrad.nn.modules.adaptive import *
from minigrad.nn.modules.attention import *
from minigrad.nn.modules.batchnorm import *
from minigrad.nn.modules.containers import *
from minigrad.nn.modules.conv import *
from minigrad.nn.modules.distance import *
from minigrad.nn.modules.dropout import *
from minigrad.nn.modules.flatten import *
from minigrad.nn.modules.fold import *
from minigrad.nn.modules.linear import *
from minigrad.nn.modules.loss import *
from minigrad.nn.modules.module import Module
from minigrad.nn.modules.normalization import *
from minigrad.nn.modules.padding import *
from minigrad.nn.modules.pooling import *
from minigrad.nn.modules.rnn import *
from minigrad.nn.modules.shuffling import *
from minigrad.nn.modules.sparse import *
from minigrad.nn.modules.transformer import *
from minigrad.nn.modules.upsampling import *

_FAMILIES = (activation, adaptive, attention, batchnorm, containers, conv, distance, dropout, flatten, fold, linear,
             loss, normalization, padding, pooling, rnn, shuffling, sparse, transformer, upsampling)

__all__ = ["Module", *(name for family in _FAMILIES for name in family.__all__)]

globals().update(_below(__name__))       # PyTorch's modules that have another name here
activation.MultiheadAttention = MultiheadAttention

__getattr__ = _answering(__name__)
