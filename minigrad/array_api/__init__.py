"""``minigrad.array_api``: the functions of the array API standard, 2024.12, with gradients.

    https://data-apis.org/array-api/2024.12/

A library that is written for the standard asks its arrays for their functions, ``xp = x.__array_namespace__()``, and
for tensors of minigrad this is what it gets.  The arrays are Tensors: results are recorded like any others.  Names,
arguments, promotion and shapes are the standard's; each function is a composite of minigrad's own.

The operators and methods of Tensor stay PyTorch's, which is the better known of the two; docs/reference/neighbours.rst
says where they differ.
"""

from math import e, inf, nan, pi

from minigrad.array_api import fft, linalg
from minigrad.array_api.creation import *
from minigrad.array_api.dtypes import *
from minigrad.array_api.dtypes import KINDS as _KINDS
from minigrad.array_api.elementwise import *
from minigrad.array_api.info import __array_namespace_info__
from minigrad.array_api.linalg import matmul, tensordot, vecdot
from minigrad.array_api.manipulation import *
from minigrad.array_api.statistics import *

__array_api_version__ = "2024.12"

newaxis = None
globals().update({kind.name: kind for kind in _KINDS})
