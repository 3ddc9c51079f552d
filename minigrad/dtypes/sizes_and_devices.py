"""The attributes of a tensor besides its dtype: sizes, devices, memory formats, layouts.

``Size`` is the type of ``x.shape``: a tuple that prints as ``torch.Size``.  The others are names in programs written
for PyTorch: there are two devices, the CPU and ``"meta"``, where tensors have no numbers, and one layout; other devices
can be named (``torch.device("cuda:1")``), but using them is an error.

The names print with PyTorch's module name, because programs write ``import minigrad as torch``.
Dtypes are in dtypes.py, which also exports the names of this module.
"""

import sys
from _thread import _local
from math import prod
from operator import index as as_int

from minigrad._core.errors import error
from minigrad._core.runtime.thread_state import WithinDevice, other_device

__all__ = ["Size", "broadcast_shapes", "channels_last", "channels_last_3d", "contiguous_format", "device", "layout",
           "memory_format", "preserve_format", "strided"]


class ShownAtTheTop(type):
    """The class of classes that print as names of the top module: ``<class 'torch.Size'>`` under PyTorch's name."""

    def __repr__(cls):
        if not cls.__module__.startswith("minigrad."):
            return type.__repr__(cls)                   # derived in a program
        return f"<class '{sys.modules['minigrad'].__name__}.{cls.__qualname__}'>"


# --- Sizes -------------------------------------------------------------------------------------

class Size(tuple, metaclass=ShownAtTheTop):
    """A shape: a tuple of ints that prints as ``torch.Size``.

    >>> torch.zeros(2, 3).shape
    torch.Size([2, 3])
    >>> torch.Size([2, 3]).numel(), torch.Size([2, 3])[:1] + (4,)
    (6, torch.Size([2, 4]))
    """

    __slots__ = ()

    def __new__(cls, iterable=()):
        entries = []
        for i, entry in enumerate(iterable):
            try:
                entries.append(as_int(entry))
            except TypeError:
                raise error("MG205", "torch.Size() takes an iterable of 'int' "
                                     f"(item {i} is '{type(entry).__name__}')") from None
        return tuple.__new__(cls, entries)

    def numel(self):
        """The number of elements of a tensor of this size.

        >>> torch.Size([2, 3]).numel()
        6
        """
        return prod(self)

    def __repr__(self):
        return f"torch.Size({list(self)})"

    def __getitem__(self, key):
        found = tuple.__getitem__(self, key)
        return tuple.__new__(Size, found) if type(key) is slice else found

    def __add__(self, other):
        if not isinstance(other, tuple):
            answer = other.__radd__(self) if hasattr(other, "__radd__") else NotImplemented
            if answer is not NotImplemented:
                return answer
            raise error("MG205", f'can only concatenate tuple (not {type(other).__name__}) to torch.Size')
        return Size(tuple.__add__(self, other))

    def __radd__(self, other):
        return Size(tuple.__add__(other, self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times):
        product = tuple.__mul__(self, times)
        return product if product is NotImplemented else tuple.__new__(Size, product)

    __rmul__ = __mul__


def broadcast_shapes(*shapes):
    """The shape to which tensors of these shapes broadcast; an int is the shape of a vector.

    >>> torch.broadcast_shapes((2, 1), (1, 3), 3)
    torch.Size([2, 3])
    """
    shapes = [shape if isinstance(shape, (tuple, list)) else (shape,) for shape in shapes]
    common = [1] * max(map(len, shapes), default=0)
    for number, shape in enumerate(shapes):
        for place in range(-1, -1 - len(shape), -1):
            size = Size(shape)[place]
            if size < 0:
                raise error("MG207", "Attempting to broadcast a dimension with negative length! The shape is "
                                     f"{tuple(shape)}")
            if common[place] not in (1, size) and size != 1:
                raise not_broadcastable(place, number, shape, common)
            common[place] = size if common[place] == 1 else common[place]
    return Size(common)


def not_broadcastable(place, number, shape, common):
    return error("MG201", f"Attempting to broadcast a dimension of length {shape[place]} at {place}! Mismatching "
                          f"argument at index {number} had {tuple(shape)}; but expected shape should be broadcastable "
                          f"to {common}")


# --- Devices and memory formats ----------------------------------------------------------------

DEVICE_TYPES = ("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia",
                "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone")


class device(WithinDevice, metaclass=ShownAtTheTop):
    """Where a tensor lives: on the CPU, or nowhere, which is the device ``"meta"``: such a tensor has a shape, a dtype
    and a history, and no numbers.  Other devices can be named but not used.

    ``with torch.device("meta"):`` makes tensors there.

    >>> torch.device("cuda:1")
    device(type='cuda', index=1)
    >>> torch.zeros(2).device
    device(type='cpu')
    """

    __slots__ = ("type", "index")

    def __init__(self, type, index=None):
        if isinstance(type, device):
            type, index = type.type, type.index
        if not isinstance(type, str):
            raise _no_accelerator() if isinstance(type, int) else error(
                "MG205", f"device() takes a name such as 'cpu' or 'cuda:0', not {type.__class__.__name__}")
        name, colon, number = type.partition(":")
        if name not in DEVICE_TYPES:
            raise error("MG404", f"Expected one of {', '.join(DEVICE_TYPES)} device type "
                                 f"at start of device string: {name}")
        if colon and index is not None:
            raise error("MG404", f"type (string) must not include an index because index was passed explicitly: {type}")
        if colon and not (number.isascii() and number.isdigit()):
            raise error("MG404", f"Invalid device string: '{type}'")
        if index is not None and index < 0:
            raise error("MG404", f"Device index must not be negative (got {index})")
        self.type = name
        self.index = int(number) if colon else index

    def __eq__(self, other):
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self):
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{number})"

    def __reduce__(self):
        return device, (self.type, self.index)

    def _placed(self):
        return placed(self, "device")


CPU = device("cpu")
META = device("meta")
#: the devices that are pretended (minigrad/cuda/pretending.py), and the number of the one that "cuda" means
PRETENDED, CURRENT = [], [0]


class _Default(_local):
    """Where this thread makes tensors if a call does not say: by ``set_default_device``, and in ``with`` blocks."""

    def __init__(self):
        self.set, self.within = CPU, ()             # within: (the innermost, (the next one, ...))


device._of_thread = _default = _Default()


def default_device():
    """Where tensors are made if a call does not say."""
    return _default.within[0] if _default.within else _default.set


def set_default(chosen):
    """From now on, tensors of this thread are made there if a call does not say."""
    if chosen is not _default.set:
        other_device(chosen is not CPU)
    _default.set = chosen


def placed(x, function="tensor", like=None):
    """The device that ``device=x`` names; if that is None, where the tensor ``like`` is, or the default."""
    if x is None:
        return default_device() if like is None else like.device
    if x is CPU:
        return CPU
    if x is META or isinstance(x, (str, device)) and device(x).type == "meta":
        return META
    if PRETENDED and (isinstance(x, (str, device)) and device(x).type == "cuda" or type(x) is int):
        return pretended(x)
    return as_device(x, function)


def pretended(x):
    """The pretended device that ``x``, a number or the name of one of CUDA's devices, stands for."""
    number = x if type(x) is int else device(x).index
    number = CURRENT[0] if number is None else number
    if not 0 <= number < len(PRETENDED):
        raise error("MG404", f"CUDA error: invalid device ordinal: there is no device cuda:{number}, since "
                             f"{len(PRETENDED)} {'is' if len(PRETENDED) == 1 else 'are'} pretended")
    return PRETENDED[number]


def _no_accelerator():
    return error("MG404", "Cannot access accelerator device when none is available: minigrad computes on the CPU. "
                          "Leave device= out, or write device='cpu'")


def as_device(x, function="tensor"):
    """The device named by the argument ``device=x``; an error unless it is the CPU, where there are numbers."""
    if x is None or x is CPU:
        return CPU
    if isinstance(x, (str, device)):
        x = device(x)
    elif isinstance(x, int):
        raise _no_accelerator()
    else:
        raise error("MG205", f"{function}(): argument 'device' must be torch.device, not {type(x).__name__}")
    if x.type != "cpu":
        raise not_available(function, x)
    return CPU


class _Constant(metaclass=ShownAtTheTop):
    """A name that arguments such as ``memory_format=`` and ``layout=`` accept."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return "torch." + self.name

    def __reduce__(self):
        return self.name                # pickle finds it in this module by its name


class memory_format(_Constant):
    """How the dimensions of a tensor are laid out; accepted by creation and conversion functions."""

    __slots__ = ()


class layout(_Constant):
    """How a tensor is stored; every tensor here is ``torch.strided``."""

    __slots__ = ()


channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
strided = layout("strided")


# ------------------------------------------------------------------------------ errors


def not_available(function, x):
    if x.type == "meta":
        return error("MG404", f"{function}(): the device 'meta' has no numbers, and {function}() works on numbers: "
                              "leave device= out")
    return error("MG404", f"{function}(): no device '{x}' is available: minigrad computes on the CPU "
                          f"(PyTorch: Torch not compiled with {x.type.upper()} enabled). "
                          "Leave device= out, or choose with torch.cuda.is_available()")
