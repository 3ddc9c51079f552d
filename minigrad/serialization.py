"""Copies of tensors and files of tensors: deepcopy, pickle, ``save`` and ``load``.

The one idea: tensors that share memory still share it afterwards.  The *memory* of the tensors is copied or written
once, and for each tensor its window on the memory: offset, shape, strides.

    memory  [0 1 2 3 4 5]        x = the memory seen as 2 x 3
                                 y = x[:, 0], seen from offset 0 in steps of 3

So a small view of a large tensor takes the large one with it; ``view.clone()`` does not.

A file is a signature and a pickle.  ``load`` reads only tensors, numbers, text and containers of these, with its own
machine (pickles.py), so that a file from a stranger cannot run code; ``weights_only=False`` trusts the file.

Wrong numbers in a window would show foreign memory as a tensor.  So every window is checked against its memory,
however it is reached.
"""

import numpy as np
import pickle
import struct
from collections import Counter, OrderedDict, defaultdict
from copy import deepcopy as deep_copy
from io import BytesIO
from math import prod
from weakref import WeakValueDictionary

from minigrad import dtypes, sizes_and_devices
from minigrad._core.errors import MinigradError, error
from minigrad._core.graph import Node, Tensor, wrap
from minigrad._core.meta import unbacked
from minigrad._core.parts import address
from minigrad.conversions import memory as array_behind, values
from minigrad.pickles import Machine, Maker, damaged
from minigrad.sizes_and_devices import DEVICE_TYPES, Size, device

__all__ = ["load", "save"]

SIGNATURE = b"minigrad\x01"


# --- Memory and windows ------------------------------------------------------------------------

class Memory:
    """The bytes behind one or more tensors."""

    __slots__ = ("bytes", "owner", "__weakref__")

    def __init__(self, data, owner=None):
        self.bytes = data if owner is not None else np.array(np.frombuffer(data, np.uint8))
        self.owner = self.bytes if owner is None else owner

    def window(self, kind, offset, shape, strides):
        """An array of elements in this memory, from ``offset``, ``strides`` bytes apart."""
        size = kind.numpy.itemsize
        counts = all([type(n) is int and n >= 0 for n in (*shape, *strides, offset)])
        fits = counts and len(shape) == len(strides) <= MOST_DIMS
        if not fits or size * prod([n for n in shape if n]) > GREATEST or max(strides, default=0) > GREATEST:
            raise damaged(f"no tensor has shape {list(shape)} and strides {list(strides)}")
        if 0 in shape:
            return np.empty(shape, kind.numpy)
        end = offset + sum([(n - 1) * stride for n, stride in zip(shape, strides)]) + size
        if end > len(self.bytes):
            raise damaged(f"a tensor of shape {list(shape)} reaches beyond its memory of {len(self.bytes)} bytes")
        if kind is dtypes.bool_ and self.bytes[offset:end].max() > 1:
            raise damaged("a bool is neither 0 nor 1")      # NumPy relies on 0 and 1
        return np.ndarray(shape, kind.numpy, self.bytes, offset, strides)

    def __reduce_ex__(self, protocol):
        return Memory, (pickle.PickleBuffer(self.bytes) if protocol >= 5 else self.bytes.tobytes(),)

    def __deepcopy__(self, memo):
        return Memory(self.bytes)


GREATEST = 2 ** 63 - 1      # of all counts of bytes
MOST_DIMS = 64              # NumPy's

#: id of the array that owns the bytes -> its Memory, as long as a pickler or a memo holds it
_memories = WeakValueDictionary()


def _window_of(array):
    """The memory of an array, and the offset of its first element."""
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if not (owner.flags.c_contiguous or owner.flags.f_contiguous) or min(array.strides, default=0) < 0:
        array = owner = np.array(array, order="K")      # scattered in foreign memory, or backwards: copy it
    memory = _memories.get(id(owner))
    if memory is None:
        flat = owner.reshape(-1, order="A")             # no copy: owner is contiguous in either order
        memory = _memories[id(owner)] = Memory(flat.view(np.uint8), owner)
    start, offset = (address(a) for a in (owner, array))
    return memory, offset - start, array.strides


def rebuild(cls, memory, kind, offset, shape, strides, requires_grad):
    """The tensor of this window; pickles and copies are restored through here."""
    if requires_grad and kind.category < dtypes.FLOAT:
        raise damaged(f"a tensor of {kind} requires grad")
    tensor = wrap(memory.window(kind, offset, shape, strides), requires_grad and cls is Tensor)
    return tensor if cls is Tensor else Tensor._make_subclass(cls, tensor, requires_grad)


def rebuild_meta(cls, kind, shape, strides, requires_grad):
    """The same for a tensor of the device "meta", which has no memory."""
    tensor = wrap(unbacked(shape, kind.numpy, strides), requires_grad and cls is Tensor)
    return tensor if cls is Tensor else Tensor._make_subclass(cls, tensor, requires_grad)


def _meta_parts(tensor):
    return type(tensor), tensor.dtype, tuple(tensor.shape), array_behind(tensor, "copy").strides, tensor.requires_grad


def _parts(tensor):
    memory, offset, strides = _window_of(values(tensor, "copy"))
    return type(tensor), memory, tensor.dtype, offset, tuple(tensor.shape), strides, tensor.requires_grad


def reduce_ex(tensor, protocol):
    """``Tensor.__reduce_ex__``: values, dtype, ``requires_grad`` and attributes, without history or gradient."""
    if tensor.is_meta:
        return rebuild_meta, _meta_parts(tensor), tensor.__dict__ or None
    return rebuild, _parts(tensor), tensor.__dict__ or None


def __deepcopy__(tensor, memo):
    """``copy.deepcopy(tensor)``: a leaf with its gradient and attributes, on new memory."""
    if id(tensor) in memo:
        return memo[id(tensor)]
    if not tensor.is_leaf:
        raise not_a_leaf(tensor)
    if tensor.is_meta:
        copy = memo[id(tensor)] = rebuild_meta(*_meta_parts(tensor))
    else:
        cls, memory, *rest = _parts(tensor)
        copy = memo[id(tensor)] = rebuild(cls, deep_copy(memory, memo), *rest)
    if tensor.grad is not None:
        copy.grad = deep_copy(tensor.grad, memo)
    if tensor.__dict__:
        copy.__dict__.update(deep_copy(tensor.__dict__, memo))
    return copy


SLOTS = {"reduce_ex": reduce_ex}
METHODS = {"__deepcopy__": __deepcopy__}


# --- Files -------------------------------------------------------------------------------------

def _wants(*tests, optional=0):
    """Check the arguments of a maker: each test is an exact type or a function; the last may be absent."""
    def decorated(make):
        def checked(arguments, machine):
            if not len(tests) - optional <= len(arguments) <= len(tests):
                raise damaged(f"{make.__name__.strip('_')} of {len(arguments)} arguments")
            for test, argument in zip(tests, arguments):
                if not (type(argument) is test if isinstance(test, type) else test(argument)):
                    raise damaged(f"{make.__name__.strip('_')} of a {type(argument).__name__}")
            return make(machine, *arguments)
        return checked
    return decorated


def _is_index(x):
    return x is None or type(x) is int


def _is_type(x):
    return type(x) is Maker and x.type is not None


def _is_tensor_type(x):
    return _is_type(x) and x.type is Tensor


def _are_sizes(x):
    return type(x) in (tuple, Size) and all([type(n) is int for n in x])


def _is_latin(x):
    return x in ("latin1", "latin-1")


def _is_raw(x):
    return type(x) in (bytes, bytearray)


@_wants(_is_raw)
def _memory(machine, data):
    return Memory(data)


@_wants(_is_tensor_type, Memory, dtypes.dtype, int, _are_sizes, _are_sizes, bool)
def _tensor(machine, cls, *window):
    return rebuild(Tensor, *window)


@_wants(_is_tensor_type, dtypes.dtype, _are_sizes, _are_sizes, bool)
def _meta_tensor(machine, cls, kind, shape, strides, requires_grad):
    if len(shape) != len(strides) or min((*shape, *strides), default=0) < 0:
        raise damaged(f"no tensor has shape {list(shape)} and strides {list(strides)}")
    return rebuild_meta(Tensor, kind, shape, strides, requires_grad)


@_wants(dtypes.NAMES.__contains__)
def _dtype(machine, name):
    return dtypes.named(name)


@_wants(_are_sizes)
def _size(machine, sizes):
    return Size(sizes)


@_wants(DEVICE_TYPES.__contains__, _is_index)
def _device(machine, name, index):
    return device(name, index)


@_wants(float, float)
def _complex(machine, real, imaginary):
    return complex(real, imaginary)


@_wants(int, int, int)
def _range(machine, *ends):
    return range(*ends)


@_wants(_is_index, _is_index, _is_index)
def _slice(machine, *ends):
    return slice(*ends)


@_wants(list)
def _set(machine, elements):
    return set(machine.keys(elements))


@_wants(list)
def _frozenset(machine, elements):
    return frozenset(machine.keys(elements))


@_wants()
def _ordered_dict(machine):
    return OrderedDict()


@_wants(dict, optional=1)
def _counter(machine, counts=()):
    return Counter(counts)


@_wants(lambda x: x is None or _is_type(x), optional=1)
def _defaultdict(machine, factory=None):
    made = defaultdict(factory and factory.type)
    machine.fragile.append(made)
    return made


@_wants(lambda x: type(x) in (bytes, str), _is_latin, optional=2)
def _bytearray(machine, data=b"", latin="latin1"):
    return bytearray(data if type(data) is bytes else data.encode(latin))


@_wants()
def _bytes(machine):
    return b""


@_wants(str, _is_latin)
def _encoded(machine, text, latin):
    return text.encode("latin1")


@_wants()
def _not_made(machine):
    """A type that instructions make is only named: as the factory of a defaultdict, or the class of a tensor."""
    raise damaged("a type is called")


@_wants(_is_type, _is_type, tuple)
def _reconstructed(machine, cls, base, sizes):
    """A Size in protocols 0 and 1."""
    if cls.type is not Size:
        raise damaged("no such object")
    return _size((sizes,), machine)


#: Python's own types that a file may name, with their makers for files that call them.
TYPES = {complex: _complex, set: _set, frozenset: _frozenset, bytearray: _bytearray, slice: _slice, range: _range,
         bytes: _bytes, **dict.fromkeys((list, dict, tuple, int, float, str, bool), _not_made)}

#: Everything that a file may name.
NAMES = {
    ("minigrad.serialization", "Memory"): Maker(_memory),
    ("minigrad.serialization", "rebuild"): Maker(_tensor),
    ("minigrad.serialization", "rebuild_meta"): Maker(_meta_tensor),
    ("minigrad._core.graph", "Tensor"): Maker(_not_made, Tensor),
    ("minigrad.dtypes", "named"): Maker(_dtype),
    ("minigrad.sizes_and_devices", "Size"): Maker(_size, Size),
    ("minigrad.sizes_and_devices", "device"): Maker(_device),
    **{("minigrad.sizes_and_devices", name): getattr(sizes_and_devices, name)
       for name in ("contiguous_format", "preserve_format", "strided")},
    ("collections", "OrderedDict"): Maker(_ordered_dict, OrderedDict),
    ("collections", "Counter"): Maker(_counter, Counter),
    ("collections", "defaultdict"): Maker(_defaultdict),
    ("copyreg", "_reconstructor"): Maker(_reconstructed),
    ("_codecs", "encode"): Maker(_encoded),
    ("builtins", "Ellipsis"): ...,
    **{("builtins", made.__name__): Maker(make, made) for made, make in TYPES.items()},
}
#: the errors that Python raises for a file that is not a pickle
FAULTS = (LookupError, TypeError, ValueError, OverflowError, struct.error)

LEAVES = (dtypes.dtype, device, Size, sizes_and_devices.memory_format, sizes_and_devices.layout)


def save(obj, f, pickle_protocol=5):
    """Write tensors, or containers of them, to a file.

    ``f`` is a path or a file open for writing bytes.  Tensors that share memory will share it again when
    they are loaded; gradients and history are not written.

    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> torch.save({"w": torch.ones(2), "step": 3}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'w': tensor([1., 1.]), 'step': 3}
    """
    if not hasattr(f, "write"):
        written = BytesIO()                     # so that an object that cannot be pickled does not leave half a file
        save(obj, written, pickle_protocol)
        with open(f, "wb") as file:
            file.write(written.getbuffer())
        return
    f.write(SIGNATURE)
    pickle.dump(obj, f, protocol=pickle_protocol)


def trusted(f):
    try:
        return pickle.Unpickler(f).load()
    except (EOFError, pickle.UnpicklingError) as problem:       # others may come from code that the file called
        raise damaged(problem) from None


def load(f, map_location=None, *, weights_only=True):
    """Read what ``save`` wrote.

    Files are read as plain data: numbers, text, containers and tensors; nothing that a file names is imported or
    called.  ``weights_only=False`` imports and calls everything that the file names: use it only for files that you
    trust.

    Raises: ValueError (MG403) for a file that is damaged, cut short, or not from :func:`save`, and for a file that
    names anything but tensors and plain data.

    >>> from io import BytesIO
    >>> torch.load(BytesIO(b"anything"))
    Traceback (most recent call last):
    minigrad._core.errors.AutogradValueError: load(): this is not a file of minigrad.save [MG403]
    """
    dtypes.as_device(map_location, "load")
    if not hasattr(f, "read"):
        with open(f, "rb") as file:
            return load(file, map_location, weights_only=weights_only)
    start = f.read(len(SIGNATURE))
    if start != SIGNATURE:
        whose = ": it looks like PyTorch's own format" if start[:2] in (b"PK", b"\x80\x02") else ""
        raise error("MG403", f"load(): this is not a file of minigrad.save{whose}")
    try:
        if not weights_only:
            return trusted(f)
        return Machine(f, NAMES, LEAVES, (Tensor,)).run()
    except MinigradError as problem:
        if problem.code in ("MG403", "MG202"):      # a bad file, or a missing package for a dtype
            raise
        raise damaged(problem) from None
    except FAULTS as problem:
        raise damaged(problem) from None


# ------------------------------------------------------------------------------ errors


def not_a_leaf(tensor):
    return error("MG120", "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol "
                          f"at the moment: this one is the result of {Node.name(tensor.grad_fn)}. Use "
                          "tensor.clone(), or copy.deepcopy(tensor.detach()).")
