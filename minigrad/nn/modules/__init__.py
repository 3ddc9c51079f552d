"""The layers and containers of ``minigrad.nn``, one file for each family.

The base class comes first (module.py and the four files that it names), then the modules that hold others; a layer is a
few parameters and one call of ``nn.functional``.
"""

from minigrad._core.absent import answering as _answering
from minigrad.nn.modules import containers
from minigrad.nn.modules.containers import *
from minigrad.nn.modules.module import Module

__all__ = [*containers.__all__, "Module"]

__getattr__ = _answering(__name__)
