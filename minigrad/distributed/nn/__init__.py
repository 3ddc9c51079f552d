"""The collectives that can be differentiated."""

from . import functional
from .functional import *
from .functional import __all__
