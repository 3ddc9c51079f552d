"""What the stubs say of arguments and results: types by the names of the parameters, and the exceptions.

A parameter means the same wherever it occurs (``dim`` is an axis, ``keepdim`` a flag), so its name says its type.
What differs is listed for the function; and functions whose result depends on their arguments have overloads.
The names of the types are those of ``minigrad.types``.
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
    "Tensor": "index input mat1 mat2 mat vec vec1 vec2 batch1 batch2 mask source_tensor tensor1 tensor2 tensor x1 x2 "
              "a b boundaries sorted_sequence target condition_tensor the_template A B",
    "Tensor | None": "sorter bias prepend append pos_weight running_mean running_var",
    "Operand": "other exponent value_or_tensor",
    "Scalar": "alpha beta value fill_value",
    "_float": "eps rtol atol median sigma lambd label_smoothing negative_slope delta base smooth",
    "_int": "dim dim0 dim1 dim2 axis0 axis1 dimension start_dim end_dim n k diagonal offset decimals minlength chunks "
            "length row col ignore_index num_classes bins steps storage_offset _stacklevel",
    "_int | None": "output_size padding_idx m",
    "_bool": "keepdim descending stable largest sorted as_tuple accumulate equal_nan inplace training out_int32 right "
             "wrap pin_memory return_inverse return_counts sparse_grad scale_grad_by_freq requires_grad non_blocking "
             "implicit force create_graph only_inputs upper sparse",
    "_bool | None": "unbiased size_average reduce retain_graph copy",
    "_dtype | None": "dtype",
    "Device": "device",
    "_layout | None": "layout",
    "_memory_format | None": "memory_format",
    "_Generator | None": "generator",
    "Tensor | tuple[Tensor, ...] | None": "out",
    "Sizes": "size shape stride split_sizes sizes pad normalized_shape",
    "Dims": "dims source destination shifts repeats",
    "_int | Sequence[_int]": "split_size_or_sections",
    "_int | Sequence[_int] | Tensor": "indices_or_sections",
    "Number": "p min max start end threshold min_val max_val low high to mean std step norm_type",
    "Scalar | None": "nan posinf neginf max_norm",
    "Number | None": "correction",
    "str": "reduction approximate equation indexing mode side",
    "Literal['floor', 'trunc'] | None": "rounding_mode",
    "TensorLike": "data obj",
    "Tensors": "tensors",
    "Callable[..., Any]": "callable hook fn",
    "np.ndarray[Any, Any]": "ndarray",
}

#: parameter -> its type, wherever nothing else is said
PARAMETERS = {name: kind for kind, names in _TYPES.items() for name in names.split()}

#: (function, parameter) -> its type there
EXCEPTIONS = {
    ("copy_", "src"): "Tensor | Scalar",
    **{(name, "weight"): "Tensor | None" for name in ("binary_cross_entropy", "binary_cross_entropy_with_logits",
                                                      "cross_entropy", "huber_loss", "l1_loss", "mse_loss",
                                                    "nll_loss")},
    **{(name, "ord"): "Number | str | None" for name in ("norm", "matrix_norm", "vector_norm")},
    ("solve", "A"): "Tensor", ("solve", "B"): "Tensor", ("solve", "left"): "_bool",
    ("norm", "p"): "Number | str | None", ("renorm", "p"): "Number",
    ("bernoulli", "p"): "Tensor | _float | None", ("bernoulli_", "p"): "Tensor | _float",
    ("clamp", "min"): "Tensor | Number | None", ("clamp", "max"): "Tensor | Number | None",
    ("lerp", "weight"): "Tensor | _float", ("clip", "min"): "Tensor | Number | None",
    ("clip", "max"): "Tensor | Number | None", ("clamp_min", "min"): "Tensor | Number",
    ("clamp_max", "max"): "Tensor | Number", ("lerp", "end"): "Tensor", ("masked_fill", "value"): "Tensor | Scalar",
    ("index_fill", "value"): "Tensor | Scalar", ("fill_", "value"): "Tensor | Scalar",
    ("pad", "value"): "Number | None", ("linear", "weight"): "Tensor",
    ("embedding", "weight"): "Tensor", ("scatter", "src"): "Tensor | Scalar | None",
    ("scatter", "value"): "Scalar | None", ("scatter", "reduce"): "str | None", ("where", "condition"): "Tensor",
    ("isin", "elements"): "Operand", ("isin", "test_elements"): "Operand",
    ("index_put", "indices"): "Sequence[Tensor | None]", ("index_put", "values"): "Tensor | Scalar",
    ("take_along_dim", "indices"): "Tensor", ("repeat_interleave", "repeats"): "Tensor | _int",
    ("normal", "mean"): "Tensor | _float", ("normal", "std"): "Tensor | _float", ("pow", "self"): "Operand",
    ("float_power", "self"): "Operand", ("set_", "source"): "Tensor | None", ("unfold", "size"): "_int",
    ("unfold", "step"): "_int", ("narrow", "start"): "Tensor | _int", ("bincount", "weights"): "Tensor | None",
    ("backward", "gradient"): "Tensor | None", ("backward", "inputs"): "TensorOrTensors | None",
    ("register_hook", "hook"): "Callable[..., Any]",
    ("tensordot", "dims"): "_int | Sequence[Sequence[_int]] | Sequence[_int]", ("map_", "tensor"): "Tensor",
    ("why_no_grad", "result"): "Tensor | None", ("where", "input"): "Operand",
    ("bucketize", "input"): "Tensor | Scalar", ("searchsorted", "input"): "Tensor | Scalar | None",
    ("as_strided", "storage_offset"): "_int | None", ("set_", "storage_offset"): "_int",
    ("set_", "size"): "Sizes | None", ("set_", "stride"): "Sizes | None",
    ("searchsorted", "side"): "Literal['left', 'right'] | None", ("logit", "eps"): "_float | None",
    ("tile", "dims"): "Sizes", ("permute", "dims"): "Sizes", ("repeat", "repeats"): "Sizes", ("kthvalue", "k"): "_int",
    ("resize_as_", "the_template"): "Tensor", ("is_tensor", "obj"): "Any", ("dist", "p"): "Number",
    ("topk", "k"): "_int", ("polygamma", "n"): "_int", ("eye", "m"): "_int | None",
    ("repeat_interleave", "input"): "Tensor", ("randint_like", "high"): "_int | None",
    ("randint", "high"): "_int | None", ("randint", "low"): "_int",
    ("randint_like", "low"): "_int", ("random_", "to"): "_int | None", ("random_", "low"): "_int | None",
    ("arange", "start"): "Number", ("arange", "step"): "Number", ("manual_seed", "seed"): "_int",
    ("einsum", "operands"): "Tensor | Sequence[Tensor] | Sequence[_int]",
}

#: parameters that are given one by one: ``x.view(2, 3)`` or ``x.view((2, 3))``
SPREAD = {
    "shape": "_int | Sizes", "sizes": "_int | Sizes", "times": "_int | Sizes", "order": "_int | Sizes",
    "axes": "_int | Sizes", "dims": "_int | Sizes", "tensors": "Tensor | Tensors", "operands": "Any",
    "bounds": "_int | Sizes", "args": "Any", "kwargs": "Any", "size": "_int | Sizes",
}

#: ops over one dim or several
MANY_DIMS = {"sum", "nansum", "mean", "nanmean", "std", "var", "std_mean", "var_mean", "amax", "amin", "all", "any",
             "logsumexp", "norm", "count_nonzero", "squeeze", "flip", "unflatten_", "vector_norm", "matrix_norm"}

#: methods that write to ``self`` and return it are those with this ending; others return what is said here
RETURNS = {
    "is_inference": "_bool", "is_floating_point": "_bool", "is_complex": "_bool", "is_contiguous": "_bool",
    "item": "Number", "tolist": "list[Any]", "numpy": "np.ndarray[Any, Any]", "storage_offset": "_int",
    "data_ptr": "_int", "numel": "_int", "nelement": "_int", "dim": "_int", "ndimension": "_int",
    "element_size": "_int", "backward": "None", "retain_grad": "None", "why_no_grad": "str",
    "register_hook": "RemovableHandle", "register_post_accumulate_grad_hook": "RemovableHandle", "get_device": "_int",
    "name": "str", "register_prehook": "RemovableHandle", "is_conj": "_bool", "is_neg": "_bool",
    "is_tensor": "_bool", "is_nonzero": "_bool", "equal": "_bool", "allclose": "_bool", "is_same_size": "_bool",
    "is_signed": "_bool", "result_type": "_dtype", "aminmax": "MinMax", "slogdet": "SignLogabsdet",
    "std_mean": "tuple[Tensor, Tensor]", "var_mean": "tuple[Tensor, Tensor]",
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
NAMED = {("values", "indices"): "ValuesIndices", ("min", "max"): "MinMax", ("sign", "logabsdet"): "SignLogabsdet"}

#: attributes of Tensor and Node; a pair where they are written to with another type than they are read with
#: (``.grad`` may be None when read too, but a type that said so would make every reader ask)
ATTRIBUTES = {
    "data": "Tensor", "grad": ("Tensor", "Tensor | None"), "grad_fn": "Node | Any", "requires_grad": "_bool",
    "is_leaf": "_bool", "retains_grad": "_bool", "shape": "Size", "dtype": "_dtype", "ndim": "_int",
    "output_nr": "_int", "variable": "Tensor", "device": "_device",
    "next_functions": "tuple[tuple[Node | Any, _int], ...]", "metadata": "dict[Any, Any]", "layout": "_layout",
    "names": "Any", "is_cpu": "_bool", "T": "Tensor", "mT": "Tensor",
    "H": "Tensor", "mH": "Tensor", "real": "Tensor", "imag": "Tensor", "name": "Any", "is_meta": "_bool",
    "nbytes": "_int", "itemsize": "_int", "is_cuda": "_bool", "is_sparse": "_bool", "is_quantized": "_bool",
    "_version": "_int", "_base": "Tensor | None", "volatile": "_bool",
}
