"""Tensors and the memory behind them: ``copy.deepcopy`` and ``pickle``.

The one idea: tensors that share memory still share it afterwards.  The *memory* of the tensors is copied or written
once, and for each tensor its window on the memory: offset, shape, strides.

    memory  [0 1 2 3 4 5]        x = the memory seen as 2 x 3
                                 y = x[:, 0], seen from offset 0 in steps of 3

So a small view of a large tensor takes the large one with it; ``view.clone()`` does not.

Wrong numbers in a window would show foreign memory as a tensor.  So every window is checked against its memory,
however it is reached: files (serialization) make their tensors here too.
"""

import pickle
import sys
from importlib import import_module
from importlib.machinery import PathFinder
from math import prod
from weakref import WeakValueDictionary

import numpy as np

from minigrad import dtypes
from minigrad._core.devices.device_arrays import array_on
from minigrad._core.devices.meta import unbacked
from minigrad._core.errors import error, warn
from minigrad._core.errors.refusals import damaged
from minigrad._core.graph import Node, Tensor, wrap
from minigrad._core.graph.hook_lists import gradient_hooks
from minigrad._core.graph.view_geometry import address
from minigrad.dtypes.sizes_and_devices import CPU
from minigrad.tensors.to_python import memory as array_behind, values

__all__ = ["Memory", "rebuild", "rebuild_meta"]


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


def window_of(array):
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


def rebuild(cls, memory, kind, offset, shape, strides, requires_grad, device=CPU):
    """The tensor of this window; pickles and copies are restored through here."""
    if requires_grad and kind.category < dtypes.FLOAT:
        raise damaged(f"a tensor of {kind} requires grad")
    tensor = wrap(array_on(device, memory.window(kind, offset, shape, strides)), requires_grad and cls is Tensor)
    return tensor if cls is Tensor else Tensor._make_subclass(cls, tensor, requires_grad)


def rebuild_meta(cls, kind, shape, strides, requires_grad):
    """The same for a tensor of the device "meta", which has no memory."""
    tensor = wrap(unbacked(shape, kind.numpy, strides), requires_grad and cls is Tensor)
    return tensor if cls is Tensor else Tensor._make_subclass(cls, tensor, requires_grad)


def _meta_parts(tensor):
    return type(tensor), tensor.dtype, tuple(tensor.shape), array_behind(tensor, "copy").strides, tensor.requires_grad


def _parts(tensor):
    memory, offset, strides = window_of(np.asarray(array_behind(tensor, "copy")))
    return type(tensor), memory, tensor.dtype, offset, tuple(tensor.shape), strides, tensor.requires_grad


def reduce_ex(tensor, protocol):
    """``Tensor.__reduce_ex__``: values, dtype, ``requires_grad`` and attributes, without history or gradient."""
    warn_if_has_hooks(tensor)
    if tensor.is_meta:
        return rebuild_meta, _meta_parts(tensor), tensor.__dict__ or None
    values(tensor, "pickle")            # raises where they are on another device
    return rebuild, _parts(tensor), tensor.__dict__ or None


def warn_if_has_hooks(tensor):
    """Warn of the hooks of a tensor that is written or sent, except those that ``unserializable_hook`` has marked."""
    for hook in gradient_hooks(tensor):
        if not hasattr(hook, "__torch_unserializable__"):
            warn(f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you can decorate the "
                 "function with @torch.utils.hooks.unserializable_hook to suppress this warning")


def __deepcopy__(tensor, memo):
    """``copy.deepcopy(tensor)``: a leaf with its gradient and attributes, on new memory."""
    if id(tensor) in memo:
        return memo[id(tensor)]
    if not tensor.is_leaf:
        raise not_a_leaf(tensor)
    deep_copy = import_module("copy").deepcopy      # whoever asks for a copy has loaded it
    if tensor.is_meta:
        copy = memo[id(tensor)] = rebuild_meta(*_meta_parts(tensor))
    else:
        cls, memory, *rest = _parts(tensor)
        copy = memo[id(tensor)] = rebuild(cls, deep_copy(memory, memo), *rest, tensor.device)
    if tensor.grad is not None:
        copy.grad = deep_copy(tensor.grad, memo)
    if tensor.__dict__:
        copy.__dict__.update(deep_copy(tensor.__dict__, memo))
    return copy


# ------------------------------------------------------------------------------ to other processes

def reduce_for_process(tensor):
    """How ``ForkingPickler`` takes a tensor apart."""
    return import_module("minigrad.tensors.processes").reduce_tensor(tensor)


class Announcement:
    """Tells ``ForkingPickler``, Python's pickler for other processes, of classes of tensors when it is imported.

    That may be before minigrad or after. To import it here would take longer than all of minigrad may.
    """

    place = "multiprocessing.reduction"
    classes = []

    def add(self, cls):
        self.classes.append(cls)
        if self.place in sys.modules:
            self.tell(sys.modules[self.place])
        elif self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def tell(self, module):
        for cls in self.classes:
            module.ForkingPickler.register(cls, reduce_for_process)

    def find_spec(self, name, path=None, target=None):
        if name != self.place:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            if module.__name__ == self.place:       # the modules of a zip file have one loader
                self.tell(module)

        spec.loader.exec_module = exec_module
        return spec


announcement = Announcement()
announcement.add(Tensor)

SLOTS = {"reduce_ex": reduce_ex}
METHODS = {"__deepcopy__": __deepcopy__}


# ------------------------------------------------------------------------------ errors


def not_a_leaf(tensor):
    return error("MG120", "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol "
                          f"at the moment: {_in_what()} is the result of {Node.name(tensor.grad_fn)}. Use "
                          "tensor.clone(), or copy.deepcopy(tensor.detach()).")


def _in_what():
    """Which tensor deepcopy has come to: an attribute, if it is within an object, as its frames tell."""
    frame, name = sys._getframe(2), None
    while frame is not None:
        function, inside = frame.f_code.co_name, frame.f_globals.get("__name__") == "copy"
        if inside and function == "_deepcopy_dict" and name is None:
            name = frame.f_locals.get("key")
        elif inside and function == "_reconstruct" and name is not None:
            return f"the attribute '{name}' of a {type(frame.f_locals.get('x')).__name__}"
        frame = frame.f_back
    return "this one"
