"""Copies of tensors and files of tensors: deepcopy, pickle, ``save`` and ``load``.

The one idea: tensors that share memory still share it afterwards.  What is copied or written is the
*memory* at which tensors look, once, and for each tensor its window on it: offset, shape, strides.

    memory  [0 1 2 3 4 5]        x = the memory seen as 2 x 3
                                 y = x[:, 0], seen from offset 0 in steps of 3

So a small view of a large tensor takes the large one along; ``view.clone()`` does not.

A file is a signature and a pickle.  ``load`` reads nothing but tensors, numbers, text and containers
of them, so that a file from a stranger cannot run code; ``weights_only=False`` trusts the file.
"""

import numpy as np
import pickle
from copy import deepcopy as deep_copy
from io import BytesIO
from weakref import WeakValueDictionary

from minigrad import dtypes
from minigrad._core.errors import error
from minigrad._core.graph import Node, Tensor, wrap
from minigrad.conversions import values

__all__ = ["load", "save"]

SIGNATURE = b"minigrad\x01"


# --- Memory and windows ------------------------------------------------------------------------

class Memory:
    """The bytes at which one or more tensors look."""

    __slots__ = ("bytes", "owner", "__weakref__")

    def __init__(self, data, owner=None):
        self.bytes = data if owner is not None else np.array(np.frombuffer(data, np.uint8))
        self.owner = self.bytes if owner is None else owner

    def window(self, kind, offset, shape, strides):
        if 0 in shape:
            return np.empty(shape, kind.numpy)
        return np.ndarray(shape, kind.numpy, self.bytes, offset, strides)

    def __reduce_ex__(self, protocol):
        return Memory, (pickle.PickleBuffer(self.bytes) if protocol >= 5 else self.bytes.tobytes(),)

    def __deepcopy__(self, memo):
        return Memory(self.bytes)


#: id of the array that owns the bytes -> its Memory, as long as somebody (a pickler, a memo) holds that
_memories = WeakValueDictionary()


def _window_of(array):
    """The memory at which an array looks, and the offset of its first element."""
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if not (owner.flags.c_contiguous or owner.flags.f_contiguous):
        array = owner = np.array(array, order="K")      # scattered in foreign memory: a copy stands for it
    memory = _memories.get(id(owner))
    if memory is None:
        flat = owner.reshape(-1, order="A")             # no copy: owner is contiguous in one of both orders
        memory = _memories[id(owner)] = Memory(flat.view(np.uint8), owner)
    start, offset = (a.__array_interface__["data"][0] for a in (owner, array))
    return memory, offset - start, array.strides


def rebuild(cls, memory, kind, offset, shape, strides, requires_grad):
    """The tensor that looks through this window; pickles and copies come back through here."""
    tensor = wrap(memory.window(kind, offset, shape, strides), requires_grad and cls is Tensor)
    return tensor if cls is Tensor else Tensor._make_subclass(cls, tensor, requires_grad)


def _parts(tensor):
    memory, offset, strides = _window_of(values(tensor, "copy"))
    return type(tensor), memory, tensor.dtype, offset, tuple(tensor.shape), strides, tensor.requires_grad


def reduce_ex(tensor, protocol):
    """``Tensor.__reduce_ex__``: values, dtype, ``requires_grad`` and attributes, without history or gradient."""
    return rebuild, _parts(tensor), tensor.__dict__ or None


def __deepcopy__(tensor, memo):
    """``copy.deepcopy(tensor)``: a leaf with its gradient and attributes, on new memory."""
    if id(tensor) in memo:
        return memo[id(tensor)]
    if not tensor.is_leaf:
        raise error("MG120", "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
                             f"the moment: this one is the result of {Node.name(tensor.grad_fn)}. "
                             "Use tensor.clone(), or copy.deepcopy(tensor.detach()).")
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

HARMLESS = {"builtins": ("complex", "set", "frozenset", "bytearray", "slice", "range"),
            "collections": ("OrderedDict", "defaultdict", "Counter"),
            "minigrad.dtypes": ("named",), "minigrad.sizes_and_devices": ("Size", "device"),
            "minigrad.serialization": ("Memory", "rebuild")}


class SafeUnpickler(pickle.Unpickler):
    """Reads tensors and plain data; refuses whatever else a pickle could import."""

    def find_class(self, module, name):
        if name in HARMLESS.get(module, ()):
            return super().find_class(module, name)
        if module.partition(".")[0] == "minigrad" and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and issubclass(found, Tensor):
                return found
        raise error("MG401", f"Weights only load failed: the file wants to import {module}.{name}, which is neither a "
                             "tensor nor plain data, and could run any code. Load it with weights_only=False "
                             "only if you trust where the file comes from.")


def save(obj, f, pickle_protocol=5):
    """Write tensors, or containers of them, to a file.

    ``f`` is a path or a file open for writing bytes.  Tensors that share memory share it again when
    they are loaded; gradients and history are not written.

    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> torch.save({"w": torch.ones(2), "step": 3}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'w': tensor([1., 1.]), 'step': 3}
    """
    if not hasattr(f, "write"):
        written = BytesIO()                     # so that an object that cannot be pickled leaves no half a file
        save(obj, written, pickle_protocol)
        with open(f, "wb") as file:
            file.write(written.getbuffer())
        return
    f.write(SIGNATURE)
    pickle.dump(obj, f, protocol=pickle_protocol)


def load(f, map_location=None, *, weights_only=True):
    """Read what ``save`` wrote.

    Files are read as plain data: numbers, text, containers and tensors.  ``weights_only=False`` also
    imports and calls what the file names; do that only with files that you trust.
    """
    dtypes.as_device(map_location, "load")
    if not hasattr(f, "read"):
        with open(f, "rb") as file:
            return load(file, map_location, weights_only=weights_only)
    start = f.read(len(SIGNATURE))
    if start != SIGNATURE:
        whose = ": it looks like PyTorch's own format" if start[:2] in (b"PK", b"\x80\x02") else ""
        raise error("MG403", f"load(): this is no file of minigrad.save{whose}")
    try:
        return (SafeUnpickler if weights_only else pickle.Unpickler)(f).load()
    except (EOFError, pickle.UnpicklingError) as problem:
        raise error("MG403", f"load(): the file is damaged or cut short ({problem})") from None
