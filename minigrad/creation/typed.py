"""The constructors of the first PyTorch: ``torch.FloatTensor(2, 3)``, ``torch.LongTensor([1, 2])``, ``x.new(3)``.

Old programs make tensors with them, and ask ``isinstance(x, torch.FloatTensor)``.  They are not classes of tensors:
each stands for one dtype, and calling it makes an ordinary tensor.  New programs write ``torch.tensor`` and
``torch.empty`` with ``dtype=``.
"""

from typing import Union

import numpy as np

from minigrad import dtypes
from minigrad._core.dispatch.operands import unmasked
from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor, wrap
from minigrad.creation import sizes
from minigrad.creation.arrays import array_of
from minigrad.ops.exports import ROWS

__all__ = ["set_default_tensor_type"]

alias = ROWS["alias"]

#: What PyTorch calls the tensors of each dtype.
TYPE_NAMES = {"float32": "Float", "float64": "Double", "float16": "Half", "bfloat16": "BFloat16", "int64": "Long",
              "int32": "Int", "int16": "Short", "int8": "Char", "uint8": "Byte",
              "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64", "bool": "Bool",
              "complex64": "ComplexFloat", "complex128": "ComplexDouble"}


class tensortype:
    """The type of ``torch.FloatTensor`` and the others.

    >>> torch.FloatTensor([1, 2])
    tensor([1., 2.])
    >>> torch.LongTensor(2, 3).shape
    torch.Size([2, 3])
    >>> isinstance(torch.ones(2), torch.FloatTensor), isinstance(torch.ones(2), torch.LongTensor)
    (True, False)
    """

    __slots__ = ("__name__", "dtype")
    __bases__ = ()                  # what issubclass asks of anything that is like a class
    is_cuda = is_sparse = False
    layout = dtypes.strided

    def __init__(self, kind):
        self.__name__ = f"{TYPE_NAMES[kind.name]}Tensor"
        self.dtype = kind

    def __call__(self, *args, data=None, size=None, other=None, device=None):
        on_the_cpu(device, self.__name__)
        return made(self.dtype, positional(args, data=data, size=size, other=other))

    def __instancecheck__(self, instance):
        return isinstance(instance, Tensor) and instance.dtype is self.dtype and not instance.is_meta

    def __or__(self, other):
        """``LongTensor | None``, as an annotation says it."""
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __repr__(self):
        return f"<class 'torch.{self.__name__}'>"

    def __reduce__(self):
        return self.__name__


def positional(args, **named):
    """The arguments of an old constructor, whose only one may have a name: ``data``, ``size`` or ``other``."""
    named = {key: value for key, value in named.items() if value is not None}
    if not named:
        return args
    if args or len(named) > 1 or not named.keys() <= {"data", "size", "other"}:
        raise not_of_a_constructor(args, named)
    (key, value), = named.items()
    return (dtypes.Size(value),) if key == "size" else (value,)


def on_the_cpu(device, function):
    """Refuse ``device=`` of an old constructor, unless it is the CPU."""
    if device is not None and dtypes.placed(device, function) is not dtypes.CPU:
        raise error("MG404", f"legacy constructor expects device type: cpu but device type: {device} was passed: write "
                             "torch.tensor(..., device=...), or torch.empty(size, device=...)")


def made(kind, args):
    """The tensor for the arguments of an old constructor: nothing, sizes, one sequence, or one tensor of that dtype."""
    if len(args) == 1 and isinstance(args[0], Tensor):
        if args[0].dtype is not kind:
            raise of_another_dtype(kind, args[0])
        return alias(args[0])
    return wrap(array_for(kind, args), False)


def array_for(kind, args):
    """The array of such a tensor: empty, with those sizes, or of those numbers."""
    if not args:
        return np.empty(0, kind.numpy)
    first = args[0]
    if len(args) > 1 or isinstance(first, (int, dtypes.Size)):
        return np.zeros(sizes("new", args), kind.numpy)
    if isinstance(first, str):
        raise error("MG205", "new(): invalid data type 'str'")
    if not isinstance(first, np.ndarray) and not hasattr(first, "__len__"):
        raise error("MG205", f"new(): data must be a sequence (got {type(first).__name__}): torch.tensor "
                             "makes a tensor of a number")
    return array_of(unmasked(first, "new()") if isinstance(first, np.ndarray) else first, kind)


def new(self, *args, data=None, size=None, other=None, device=None):
    """A tensor of the same dtype: ``x.new(2, 3)`` of that size, ``x.new([1, 2])`` of these numbers.

    New programs write ``x.new_empty`` and ``x.new_tensor``.

    >>> torch.arange(2).new([1, 2, 3])
    tensor([1, 2, 3])
    """
    args = positional(args, data=data, size=size, other=other)
    if self.is_cpu:
        on_the_cpu(device, "new")
    return made(self.dtype, args).to(self.device if device is None else device)


#: Where PyTorch has a constructor: there is none for complex numbers.
CONSTRUCTORS = {constructor.__name__: constructor
                for constructor in [tensortype(kind) for kind in dtypes.DTYPES
                                    if not kind.is_complex and kind not in dtypes.RARE]}
globals().update(CONSTRUCTORS)
__all__ += CONSTRUCTORS


def of_name(name):
    """The dtype that ``"torch.FloatTensor"``, or that object, stands for; for ``torch.Tensor``, the default dtype."""
    if isinstance(name, tensortype):
        return name.dtype
    if name is Tensor or name == "torch.Tensor":
        return dtypes.get_default_dtype()
    name = name.__name__ if isinstance(name, type) else name
    for kind, ours in TYPE_NAMES.items():
        if name == f"torch.{ours}Tensor":
            return dtypes.NAMES[kind]
    raise error("MG207", f"invalid type: '{name}'. A type has a name such as 'torch.DoubleTensor'; a dtype "
                         "does as well, x.type(torch.float64)")


def set_default_tensor_type(t, /):
    """The old name of ``set_default_dtype``, for ``torch.DoubleTensor`` or ``"torch.DoubleTensor"``.

    >>> torch.set_default_tensor_type(torch.FloatTensor)
    """
    warn("torch.set_default_tensor_type() is deprecated: use torch.set_default_dtype()")
    kind = dtypes.as_dtype(t) if isinstance(t, (dtypes.dtype, type)) else of_name(t)
    if not kind.is_floating_point:
        raise error("MG205", "only floating-point types are supported as the default type")
    dtypes.set_default_dtype(kind)


# ------------------------------------------------------------------------------ errors


def not_of_a_constructor(args, keywords):
    names = ", ".join([*map(repr, args), *[f"{key}=..." for key in keywords]])
    return error("MG205", f"new() received an invalid combination of arguments - got ({names}): the old constructors "
                          "take sizes, or data, and have one dtype; torch.tensor(data, dtype=...) and "
                          "torch.empty(size, dtype=...) have more")


def of_another_dtype(kind, given):
    return error("MG205", f"expected a tensor of {kind!r} (got {given.dtype!r}): torch.{TYPE_NAMES[kind.name]}Tensor "
                          f"takes a tensor of its own dtype; given.to({kind!r}) converts one")
