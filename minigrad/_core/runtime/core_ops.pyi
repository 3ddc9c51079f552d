"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Vocabulary:
    """One attribute for each operation; ``core_ops.pxd`` says what they are."""

    add: Any
    addmm: Any
    addmm_by_columns: Any
    addmv: Any
    alias: Any
    as_strided: Any
    as_strided_again: Any
    as_strided_backward: Any
    bitwise_and: Any
    bitwise_left_shift: Any
    bitwise_or: Any
    bitwise_right_shift: Any
    bitwise_xor: Any
    bmm: Any
    cat: Any
    clone: Any
    conj: Any
    constant_pad_nd: Any
    contiguous: Any
    copy: Any
    div: Any
    dot: Any
    eq: Any
    expand: Any
    fft_c2c: Any
    fft_c2r: Any
    fft_r2c: Any
    fill: Any
    floor_divide: Any
    ge: Any
    gt: Any
    index: Any
    index_put: Any
    laid_out: Any
    le: Any
    lt: Any
    matmul: Any
    mm: Any
    mm_by_columns: Any
    mul: Any
    mv: Any
    ne: Any
    neg: Any
    permute: Any
    pow: Any
    pow_number: Any
    pow_tensor: Any
    rdiv: Any
    real: Tensor
    remainder: Any
    reshape: Any
    rsub: Any
    select: Any
    slice_: Any
    split: Any
    split_with_sizes: Any
    squeeze_dim: Any
    sub: Any
    sum_to: Any
    t: Any
    to_device: Any
    to_dtype: Any
    transpose: Any
    unsafe_view: Any
    unsqueeze: Any
    view: Any
    view_as_complex: Any
    view_as_real: Any
    where: Any
    without_dim: Any
    zeros_of: Any

def learn(**ops: Any) -> Any:
    """Tell the core its operations, all of them at once and nothing else."""

def meaning(word: Any) -> Any:
    """The operation behind a word, for Python code; in the core it is an attribute of ``words``."""
