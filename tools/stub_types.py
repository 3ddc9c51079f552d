"""What the stubs say of arguments and results, where no schema says it.

The types of a row's parameters are in its schema, and a composite may say those of its own in the same words (its
option ``types``); SCHEMA gives the names of ``minigrad.types`` for them.  Other functions written in Python, such as
those that make tensors, have no schema, and annotations would come between a reader and what they compute.  A
parameter means the same in all of them (``keepdim`` is a flag), so that its name says its type; what differs is listed
with the function's name.  Functions whose result depends on their arguments have overloads.
"""

#: What a stub imports for its annotations; an underscore where Tensor has an attribute of that name.
IMPORTS = """\
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format
"""

_TYPES = {
    "Tensor": "index input vec2 batch1 batch2 mask tensor1 tensor2 tensor x1 x2 a b boundaries sorted_sequence target "
              "the_template A B lerp.end linear.weight embedding.weight take_along_dim.indices",
    "Tensor | None": "sorter bias prepend append pos_weight binary_cross_entropy.weight "
                     "binary_cross_entropy_with_logits.weight cross_entropy.weight huber_loss.weight l1_loss.weight "
                     "mse_loss.weight nll_loss.weight set_.source backward.gradient why_no_grad.result",
    "Operand": "other exponent pow.self float_power.self",
    "Scalar": "alpha beta fill_value",
    "_float": "eps rtol atol median sigma lambd label_smoothing delta base d hamming_window.alpha hamming_window.beta "
              "kaiser_window.beta lower upper",
    "_int": "dim dim0 dim1 axis0 axis1 start_dim end_dim n diagonal offset decimals chunks length row col "
            "ignore_index steps storage_offset _stacklevel randint.low randint_like.low frombuffer.count "
            "frombuffer.offset window_length multinomial.num_samples",
    "_int | None": "output_size padding_idx m as_strided.storage_offset randint_like.high randint.high random_.to "
                   "random_.low",
    "_bool": "keepdim accumulate equal_nan inplace training out_int32 right wrap pin_memory scale_grad_by_freq "
             "train requires_grad non_blocking implicit force create_graph sparse masked_grad periodic "
             "multinomial.replacement",
    "_bool | None": "unbiased size_average reduce retain_graph copy",
    "_dtype | None": "dtype",
    "Device": "device",
    "_layout | None": "layout",
    "_memory_format | None": "memory_format",
    "_Generator | None": "generator",
    "Tensor | tuple[Tensor, ...] | None": "out",
    "Sizes": "size shape stride sizes pad physical_layout tile.dims permute.dims repeat.repeats",
    "Dims": "dims source destination shifts sum.dim mean.dim nanmean.dim std.dim var.dim std_mean.dim var_mean.dim "
            "norm.dim squeeze.dim vector_norm.dim matrix_norm.dim",
    "_int | Sequence[_int]": "split_size_or_sections",
    "_int | Sequence[_int] | Tensor": "indices_or_sections",
    "Number": "s p start end low to mean std step norm_type",
    "Scalar | None": "max_norm scatter.value",
    "Number | None": "correction pad.value",
    "str": "reduction approximate equation indexing mode",
    "Literal['floor', 'trunc'] | None": "rounding_mode",
    "TensorLike": "data obj",
    "Any": "buffer to_device.stream as_subclass.cls",
    "_bool | Sequence[_memory_format]": "ambiguity_check",
    "Tensors": "tensors",
    "Callable[..., Any]": "callable hook fn",
    "np.ndarray[Any, Any]": "ndarray",
    "Tensor | Scalar": "copy_.src masked_fill.value index_fill.value fill_.value index_put.values bucketize.input",
    "Number | str | None": "norm.ord matrix_norm.ord vector_norm.ord norm.p",
    "Tensor | _float | None": "bernoulli.p",
    "Tensor | _float": "bernoulli_.p lerp.weight normal.mean normal.std",
    "Tensor | Number | None": "clamp.min clamp.max clip.min clip.max",
    "Tensor | Number": "clamp_min.min clamp_max.max",
    "Tensor | Scalar | None": "scatter.src searchsorted.input",
    "str | None": "scatter.reduce __array_namespace__.api_version",
    "Sequence[Tensor | None]": "index_put.indices",
    "Tensor | _int": "repeat_interleave.repeats narrow.start",
    "TensorOrTensors | None": "backward.inputs",
    "_int | Sequence[Sequence[_int]] | Sequence[_int]": "tensordot.dims",
    "Sizes | None": "set_.size set_.stride",
    "Literal['left', 'right'] | None": "searchsorted.side",
}

#: parameter, or function.parameter, of what has no schema -> its type
PARAMETERS = {name: kind for kind, names in _TYPES.items() for name in names.split()}

#: a type in the schema of a row -> the type of what may be given for it
SCHEMA = {
    "Tensor": "Tensor", "int": "_int", "float": "_float", "bool": "_bool", "str": "str", "Scalar": "Scalar",
    "Dim": "_int", "Dims": "Dims", "NewDim": "_int", "NewDims": "Dims", "Sizes": "Sizes", "DType": "_dtype",
    "Generator": "_Generator", "MemoryFormat": "_memory_format", "Any": "Any",
}

#: parameters that are given one by one: ``x.view(2, 3)`` or ``x.view((2, 3))``
SPREAD = {
    "shape": "_int | Sizes", "sizes": "_int | Sizes", "times": "_int | Sizes", "order": "_int | Sizes",
    "axes": "_int | Sizes", "tensors": "Tensor | Tensors", "operands": "Any",
    "bounds": "_int | Sizes", "args": "Any", "kwargs": "Any",
}

#: methods that write to ``self`` and return it are those with this ending; others return what is said here
RETURNS = {
    "__array_namespace__": "Any", "is_inference": "_bool",
    "is_floating_point": "_bool", "is_complex": "_bool", "is_contiguous": "_bool",
    "item": "Number", "tolist": "list[Any]", "numpy": "np.ndarray[Any, Any]", "storage_offset": "_int",
    "data_ptr": "_int", "numel": "_int", "nelement": "_int", "dim": "_int", "ndimension": "_int",
    "element_size": "_int", "backward": "None", "retain_grad": "None", "why_no_grad": "str",
    "register_hook": "RemovableHandle", "register_post_accumulate_grad_hook": "RemovableHandle", 
    "name": "str", "register_prehook": "RemovableHandle", "is_conj": "_bool", "is_neg": "_bool",
    "equal": "_bool", "allclose": "_bool", "const_data_ptr": "_int", "get_device": "_int", "is_pinned": "_bool",
    "is_shared": "_bool", "untyped_storage": "UntypedStorage", "is_set_to": "_bool", "dim_order": "tuple[_int, ...]",
    "aminmax": "MinMax", "slogdet": "SignLogabsdet",
    "std_mean": "tuple[Tensor, Tensor]", "var_mean": "tuple[Tensor, Tensor]",
    "dropout": "Tensor", "alpha_dropout": "Tensor", "feature_dropout": "Tensor", "feature_alpha_dropout": "Tensor",
}

#: function -> its overloads, (parameters after the first, result); the first one is ``self`` of the method, ``input``
#: of the function
_VALUE_OR_INDICES = [
    ("", "Tensor"),
    ("dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, Tensor] | None = None", "ValuesIndices"),
]


def _unique(first):
    """Each flag adds a result."""
    def flags(inverse, counts):
        return f"return_inverse: {inverse}, return_counts: {counts}, dim: _int | None = None"

    yes, no = "Literal[True]", "Literal[False] = False"
    return [(first + flags(no, no), "Tensor"), (first + "*, " + flags(yes, no), "tuple[Tensor, Tensor]"),
            (first + "*, " + flags(no, yes), "tuple[Tensor, Tensor]"),
            (first + "*, " + flags(yes, yes), "tuple[Tensor, Tensor, Tensor]")]


OVERLOADS = {
    "max": [*_VALUE_OR_INDICES, ("other: Tensor, *, out: Tensor | None = None", "Tensor")],
    "min": [*_VALUE_OR_INDICES, ("other: Tensor, *, out: Tensor | None = None", "Tensor")],
    "median": _VALUE_OR_INDICES, "nanmedian": _VALUE_OR_INDICES,
    "unique": _unique("sorted: _bool = True, "), "unique_consecutive": _unique(""),
    "nonzero": [("*, as_tuple: Literal[False] = False", "Tensor"),
                ("*, as_tuple: Literal[True]", "tuple[Tensor, ...]")],
    "size": [("", "Size"), ("dim: _int", "_int")],
    "stride": [("", "tuple[_int, ...]"), ("dim: _int", "_int")],
    "type": [("dtype: None = None", "str"), ("dtype: _dtype | str", "Tensor")],
    "where": [("", "tuple[Tensor, ...]"), ("input: Operand, other: Operand, *, out: Tensor | None = None", "Tensor")],
}

#: named results: the fields of a row's outputs -> the class
NAMED = {("values", "indices"): "ValuesIndices", ("min", "max"): "MinMax", ("sign", "logabsdet"): "SignLogabsdet",
         ("mantissa", "exponent"): "MantissaExponent",
         ("Q", "R"): "QR", ("a", "tau"): "Reflectors", ("U", "S", "Vh"): "SVD", ("U", "S", "V"): "OldSVD",
         ("eigenvalues", "eigenvectors"): "Eigen", ("P", "L", "U"): "PLU", ("LU", "pivots"): "LUFactor",
         ("LU", "pivots", "info"): "LUFactorEx", ("LD", "pivots"): "LDLFactor", ("LD", "pivots", "info"): "LDLFactorEx",
         ("inverse", "info"): "InvEx", ("result", "info"): "SolveEx", ("L", "info"): "CholeskyEx",
         ("solution", "cloned_coefficient"): "TriangularSolve",
         ("solution", "residuals", "rank", "singular_values"): "LeastSquares"}

#: attributes of Tensor and Node; a pair where they are written to with another type than they are read with
#: (``.grad`` may be None when read too, but a type that said so would make every reader ask)
ATTRIBUTES = {
    "data": "Tensor", "grad": ("Tensor", "Tensor | None"), "grad_fn": "Node | Any", "requires_grad": "_bool",
    "is_leaf": "_bool", "retains_grad": "_bool", "shape": "Size", "dtype": "_dtype", "ndim": "_int",
    "output_nr": "_int", "variable": "Tensor", "device": "_device",
    "next_functions": "tuple[tuple[Node | Any, _int], ...]", "metadata": "dict[Any, Any]", "layout": "_layout",
    "names": "Any", "T": "Tensor", "mT": "Tensor",
    "H": "Tensor", "mH": "Tensor", "real": "Tensor", "imag": "Tensor", "name": "Any", 
    "nbytes": "_int", "itemsize": "_int", **dict.fromkeys((
        "is_cpu", "is_cuda", "is_ipu", "is_maia", "is_meta", "is_mkldnn", "is_mps", "is_mtia", "is_quantized",
        "is_sparse", "is_sparse_csr", "is_vulkan", "is_xla", "is_xpu"), "_bool"),
    "_version": "_int", "_base": "Tensor | None", 
}
