"""Types to annotate your own functions with, under the names of ``torch.types`` and a few more.

    from minigrad.types import Number, TensorOrTensors

    def scaled(x: Tensor, by: Number) -> Tensor:
        return x * by

They say what the library's own functions accept, so that an editor or a type checker reports a mistake before
the program runs.  Nothing here is used when a program runs.
"""

import builtins
import os
from collections.abc import Sequence
from types import EllipsisType
from typing import IO, Any, TypeAlias, Union

import numpy as np

from minigrad._core.graph import Tensor
from minigrad.dtypes import dtype
from minigrad.dtypes.sizes_and_devices import Size, device, layout, memory_format
from minigrad.random import Generator

__all__ = ["Device", "Dims", "FileLike", "Index", "Number", "Operand", "Scalar", "Sizes", "TensorLike",
           "TensorOrTensors", "Tensors"]

# torch.types writes these with an underscore: ``int`` and ``dtype`` are names of other things inside Tensor.
_int: TypeAlias = builtins.int
_float: TypeAlias = builtins.float
_bool: TypeAlias = builtins.bool
_complex: TypeAlias = builtins.complex
_dtype: TypeAlias = dtype
_device: TypeAlias = device
_layout: TypeAlias = layout
_memory_format: TypeAlias = memory_format
_Generator: TypeAlias = Generator

#: A real number.
Number: TypeAlias = Union[builtins.int, builtins.float, builtins.bool]
#: Any Python number.
Scalar: TypeAlias = Union[builtins.bool, builtins.int, builtins.float, builtins.complex]
#: The other operand of a tensor in ``x * y``.
Operand: TypeAlias = Union[Tensor, Scalar, np.generic, np.ndarray[Any, Any]]
#: The data for :func:`torch.tensor`.
TensorLike: TypeAlias = Union[Operand, Sequence[Any]]
#: A shape.
Sizes: TypeAlias = Union[Size, Sequence[builtins.int]]
_size: TypeAlias = Sizes
#: One dim or several; negative ones count from the last.
Dims: TypeAlias = Union[builtins.int, Sequence[builtins.int]]
#: An index in brackets: ``x[index]``.
Index: TypeAlias = Union[None, builtins.int, slice, EllipsisType, Tensor, np.ndarray[Any, Any], np.generic,
                         Sequence[Any]]
#: The device of a tensor.
Device: TypeAlias = Union[device, str, builtins.int, None]
#: An open file, or its name.
FileLike: TypeAlias = Union[str, "os.PathLike[str]", IO[bytes]]
#: Several tensors; and one or several tensors.
Tensors: TypeAlias = Sequence[Tensor]
TensorOrTensors: TypeAlias = Union[Tensor, Sequence[Tensor]]
_TensorOrTensors: TypeAlias = TensorOrTensors
