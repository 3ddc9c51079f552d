"""How PyTorch's files describe tensors, in both directions.

A file has two parts.  The pickle says what there is, and each tensor in it is a call of a function::

    torch._utils._rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks)

The numbers lie outside the pickle, in *storages*: a tensor's storage is named by ``("storage", torch.FloatStorage, key,
"cpu", how many elements)``, and tensors that share memory name the same key.

The one idea: in both directions a name such as ``torch._utils._rebuild_tensor_v2`` is only text.  :class:`TorchPickler`
writes such names, without any module called torch; reading, the table ``TORCH_NAMES`` gives each its own maker.
"""

import copyreg
import pickle
import sys
from collections import OrderedDict

import numpy as np

from minigrad import dtypes
from minigrad._core.errors import error
from minigrad._core.errors.refusals import damaged
from minigrad._core.graph import Tensor, wrap
from minigrad.dtypes.sizes_and_devices import DEVICE_TYPES, Size, device, layout, strided
from minigrad.nn.parameter import Parameter
from minigrad.serialization.constructors import are_sizes, is_index, wants
from minigrad.serialization.unpickler import Maker
from minigrad.tensors.copy_and_pickle import rebuild, rebuild_meta, warn_if_has_hooks, window_of
from minigrad.tensors.to_python import memory, values

__all__ = ["Storage", "StorageType", "TORCH_NAMES", "TorchPickler", "in_native_order"]

#: Names of storages, by the dtype of their elements; the storage of other dtypes has no type.
STORAGES = {dtypes.float64: "DoubleStorage", dtypes.float32: "FloatStorage", dtypes.float16: "HalfStorage",
            dtypes.bfloat16: "BFloat16Storage", dtypes.int64: "LongStorage", dtypes.int32: "IntStorage",
            dtypes.int16: "ShortStorage", dtypes.int8: "CharStorage", dtypes.uint8: "ByteStorage",
            dtypes.bool_: "BoolStorage", dtypes.complex64: "ComplexFloatStorage",
            dtypes.complex128: "ComplexDoubleStorage"}


# ------------------------------------------------------------------------------ writing

class Name:
    """A name that the file has and this process need not have.  (Pickle wants that it can be called.)"""

    def __init__(self, module, name):
        self.module, self.name = module, name

    def __call__(self):
        """Nothing: the library that reads the file calls what has this name there."""


TENSOR, TENSOR_OF_DTYPE, META = [
    Name("torch._utils", "_rebuild_" + name) for name in ("tensor_v2", "tensor_v3", "meta_tensor_no_storage")]
PARAMETER, PARAMETER_WITH_STATE = Name("torch._utils", "_rebuild_parameter"), Name("torch._utils",
                                                                                   "_rebuild_parameter_with_state")
OF_TYPE, TENSOR_TYPE = Name("torch._tensor", "_rebuild_from_type_v2"), Name("torch", "Tensor")
SIZE, DEVICE, LAYOUT = Name("torch", "Size"), Name("torch", "device"), Name("torch.serialization", "_get_layout")
STORAGE_TYPES = {kind: Name("torch", name) for kind, name in STORAGES.items()}
UNTYPED = Name("torch.storage", "UntypedStorage")


class Outside:
    """A storage on its way to a file."""

    def __init__(self, memory, kind, key):
        self.memory, self.kind, self.key = memory, kind, key

    @property
    def id(self):
        kind = STORAGE_TYPES.get(self.kind, UNTYPED)
        size = len(self.memory.bytes) // (1 if kind is UNTYPED else self.kind.itemsize)
        return "storage", kind, self.key, "cpu", size


class Reducers:
    """The table of functions that take objects apart, by class: the pickler asks for one where it has none itself.

    ``reducer_override`` would be asked of each string and number, too.
    """

    def __init__(self, reduced):
        self.reduced = reduced

    def get(self, cls):
        ours = cls in (Size, device, layout) or (
            issubclass(cls, Tensor) and cls.__reduce_ex__ in (Tensor.__reduce_ex__, Parameter.__reduce_ex__))
        return self.reduced if ours else copyreg.dispatch_table.get(cls)


class TorchPickler(pickle._Pickler):
    """Python's own pickler, in Python, with PyTorch's names for tensors; ``storages`` are those that it met."""

    def __init__(self, file, protocol):
        super().__init__(file, protocol)
        self.storages = {}                                  # id of the Memory -> Outside
        self.dispatch_table = Reducers(self.reduced)

    def reduced(self, obj):
        """How an object of one of our classes is made again."""
        cls = type(obj)
        if cls is Size:
            return SIZE, (tuple(obj),)
        if cls is device:
            return DEVICE, (obj.type,) if obj.index is None else (obj.type, obj.index)
        if cls is layout:
            return LAYOUT, (repr(obj),)
        warn_if_has_hooks(obj)
        state = dict(vars(obj))
        if isinstance(obj, Parameter):
            arguments = obj.data, obj.requires_grad, OrderedDict()
            return (PARAMETER_WITH_STATE, (*arguments, state)) if state else (PARAMETER, arguments)
        function, arguments = self.tensor(obj)
        if cls is Tensor and not state:
            return function, arguments
        return OF_TYPE, (function, TENSOR_TYPE if cls is Tensor else cls, arguments, state)

    def tensor(self, x):
        kind, size = x.dtype, tuple(x.shape)
        if x.is_meta:
            steps = [step // kind.itemsize for step in memory(x, "save").strides]
            return META, (kind, size, tuple(steps), x.requires_grad)
        array = values(x, "save")
        if any([step % kind.itemsize for step in array.strides]):
            array = array.copy()                            # a field of larger records, in foreign memory
        behind, offset, steps = window_of(array)
        if offset % kind.itemsize:
            behind, offset, steps = window_of(array.copy())
        storage = self.storages.setdefault(id(behind), Outside(behind, kind, str(len(self.storages))))
        if storage.kind is not kind:
            raise of_two_dtypes(storage.kind, kind)
        steps = x.stride() if 0 in size else [step // kind.itemsize for step in steps]
        window = storage, offset // kind.itemsize, size, tuple(steps)
        if kind in STORAGES:
            return TENSOR, (*window, x.requires_grad, OrderedDict())
        return TENSOR_OF_DTYPE, (*window, x.requires_grad, OrderedDict(), kind)

    def write_name(self, obj):
        module, name = (obj.module, obj.name) if type(obj) is Name else ("torch", obj.name)
        self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
        self.memoize(obj)

    def write_storage(self, obj):
        self.save_pers(obj.id)

    dispatch = {**pickle._Pickler.dispatch, Name: write_name, dtypes.dtype: write_name, Outside: write_storage}


# ------------------------------------------------------------------------------ reading

class Storage:
    """A storage in a file: the memory of tensors, the dtype that the file says it has, and where it was.

    A function given as ``map_location`` gets one.  If the numbers are still to come, ``later`` is a list of functions
    that are called when they are there.
    """

    __slots__ = ("memory", "dtype", "device", "later")

    def __init__(self, memory, kind, later=None):
        self.memory, self.dtype, self.device, self.later = memory, kind, None, later

    def nbytes(self):
        return len(self.memory.bytes)

    def cpu(self):
        self.device = device("cpu")
        return self


class StorageType:
    """The meaning of ``torch.FloatStorage`` in a file: the dtype of the elements, uint8 if the storage has no type."""

    __slots__ = ("dtype", "typed")

    def __init__(self, kind, typed=True):
        self.dtype, self.typed = kind, typed


def in_native_order(data, kind, order):
    """The bytes of a storage that was written on a machine with the byte order ``order``."""
    if order == sys.byteorder:
        return data
    whole = len(data) // kind.itemsize * kind.itemsize
    data[:whole] = data[:whole].view(kind.numpy).byteswap().view(np.uint8)
    return data


def _are_hooks(x):
    return x is None or type(x) in (OrderedDict, dict)


def _is_storage(x):
    return type(x) is Storage


def _is_state(x):
    return type(x) is dict


def _of(storage, kind, offset, size, stride, requires_grad):
    if min(stride, default=0) < 0 or offset < 0:
        raise damaged(f"no tensor has strides {list(stride)} and offset {offset}")
    if storage.device.type == "meta":
        return _meta(None, kind, size, stride, requires_grad)
    width = kind.itemsize
    steps = tuple([n * width for n in stride])
    return rebuild(Tensor, storage.memory, kind, offset * width, size, steps, requires_grad)


def _meta(machine, kind, size, stride, requires_grad):
    if len(size) != len(stride) or min((*size, *stride), default=0) < 0:
        raise damaged(f"no tensor has shape {list(size)} and strides {list(stride)}")
    return rebuild_meta(Tensor, kind, tuple(size), tuple([n * kind.itemsize for n in stride]), requires_grad)


@wants(_is_storage, int, are_sizes, are_sizes)
def _tensor_v1(machine, storage, offset, size, stride):
    return _of(storage, storage.dtype, offset, size, stride, False)


@wants(_is_storage, int, are_sizes, are_sizes, bool, _are_hooks, _is_state, optional=1)
def _tensor_v2(machine, storage, offset, size, stride, requires_grad, hooks, lazily=None):
    tensor = _of(storage, storage.dtype, offset, size, stride, requires_grad)
    return _resolved(tensor, lazily, storage) if lazily else tensor


@wants(_is_storage, int, are_sizes, are_sizes, bool, _are_hooks, dtypes.dtype, _is_state, optional=1)
def _tensor_v3(machine, storage, offset, size, stride, requires_grad, hooks, kind, lazily=None):
    tensor = _of(storage, kind, offset, size, stride, requires_grad)
    return _resolved(tensor, lazily, storage) if lazily else tensor


def _resolved(tensor, lazily, storage):
    """PyTorch marks a tensor as to be conjugated or negated when it is used; here that is done at once, in a copy."""
    if tensor.is_meta:
        return tensor
    array = values(tensor, "load")
    made = np.empty_like(array)

    def fill():
        made[...] = np.conjugate(array) if lazily.get("conj") else array
        if lazily.get("neg"):
            np.negative(made, out=made)

    fill() if storage.later is None else storage.later.append(fill)
    return wrap(made, tensor.requires_grad)


@wants(Tensor, bool, _are_hooks)
def _parameter(machine, data, requires_grad, hooks):
    return Parameter(data, requires_grad)


@wants(Tensor, bool, _are_hooks, _is_state)
def _parameter_with_state(machine, data, requires_grad, hooks, state):
    return _with_state(machine, Parameter(data, requires_grad), state)


def _is_rebuilding(x):
    return type(x) is Maker and x in REBUILDING


def _is_tensor_class(x):
    return type(x) is Maker and x.type in (Tensor, Parameter) or isinstance(x, type) and issubclass(x, Tensor)


@wants(_is_rebuilding, _is_tensor_class, tuple, _is_state)
def _of_type(machine, rebuilding, cls, arguments, state):
    made = rebuilding.make(arguments, machine)
    cls = cls.type if type(cls) is Maker else cls
    return _with_state(machine, made if type(made) is cls else made.as_subclass(cls), state)


def _with_state(machine, tensor, state):
    if machine is None or type(tensor) not in machine.bearers:      # the file is trusted, or the class approved
        vars(tensor).update(state)
    else:
        machine.give(tensor, state)
    return tensor


@wants(are_sizes)
def _size(machine, sizes):
    return Size(sizes)


@wants(DEVICE_TYPES.__contains__, is_index, optional=1)
def _device(machine, name, index=None):
    return device(name, index)


@wants(lambda name: name == repr(strided))
def _layout(machine, name):
    return strided


@wants()
def _not_called(machine):
    raise damaged("a type is called")


REBUILDING = [Maker(make) for make in (
    _tensor_v1, _tensor_v2, _tensor_v3, wants(dtypes.dtype, are_sizes, are_sizes, bool)(_meta), _parameter,
    _parameter_with_state)]

#: PyTorch's names in files.
TORCH_NAMES = {
    **{("torch._utils", "_rebuild_" + name): maker for name, maker in zip(
        ("tensor", "tensor_v2", "tensor_v3", "meta_tensor_no_storage", "parameter", "parameter_with_state"),
        REBUILDING)},
    ("torch._tensor", "_rebuild_from_type_v2"): Maker(_of_type),
    ("torch", "Tensor"): Maker(_not_called, Tensor),
    ("torch.nn.parameter", "Parameter"): Maker(_not_called, Parameter),
    ("torch", "Size"): Maker(_size, Size),
    ("torch", "device"): Maker(_device),
    ("torch.serialization", "_get_layout"): Maker(_layout),
    **{("torch", kind.name): kind for kind in dtypes.DTYPES},
    **{("torch", name): StorageType(kind) for kind, name in STORAGES.items()},
    ("torch.storage", "UntypedStorage"): StorageType(dtypes.uint8, typed=False),
}


# ------------------------------------------------------------------------------ errors

def of_two_dtypes(one, other):
    return error("MG741", "Cannot save multiple tensors or storages that view the same data as different types: "
                          f"here {one!r} and {other!r}. Save one of them, or a clone() of it.")
