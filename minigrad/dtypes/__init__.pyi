from typing import Any, Never

import numpy as np

from minigrad.dtypes.sizes_and_devices import (CPU as CPU, Size as Size, as_device as as_device,
                                               contiguous_format as contiguous_format, device as device,
                                               layout as layout, memory_format as memory_format,
                                               preserve_format as preserve_format, strided as strided)

class dtype:
    name: str
    code: int
    category: int
    itemsize: int
    is_floating_point: bool
    is_complex: bool
    is_signed: bool
    numpy: np.dtype[Any]
    def __new__(cls, *args: Any, **kwargs: Any) -> Never: ...
    def to_real(self) -> dtype: ...
    def to_complex(self) -> dtype: ...

_dtype = dtype

class finfo:
    bits: int
    dtype: str
    eps: float
    max: float
    min: float
    resolution: float
    smallest_normal: float
    tiny: float
    def __init__(self, type: _dtype | None = None) -> None: ...

class iinfo:
    bits: int
    dtype: str
    max: int
    min: int
    def __init__(self, type: _dtype) -> None: ...

def result_type(tensor1: Any, tensor2: Any) -> dtype: ...
def promote_types(type1: dtype, type2: dtype) -> dtype: ...
def can_cast(from_: dtype, to: dtype) -> bool: ...
def get_default_dtype() -> dtype: ...
def set_default_dtype(d: dtype) -> None: ...

# The dtypes themselves and the tables that the library works with.
def __getattr__(name: str) -> Any: ...
