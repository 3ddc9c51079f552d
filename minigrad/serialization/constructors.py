"""What the names in a file mean: a maker for each, which checks its arguments and makes one kind of object.

A file names what it consists of: ``collections.OrderedDict``, ``torch._utils._rebuild_tensor_v2``.  The tables here
say what these names make; serialization/unpickler.py runs the file with them.  Nothing is imported, whatever a file
names.

``NAMES`` has the containers of Python, and what minigrad wrote before it wrote PyTorch's format; PyTorch's names are in
serialization/torch_format.py.
"""

from collections import Counter, OrderedDict, defaultdict

from minigrad._core.errors.refusals import damaged
from minigrad import dtypes
from minigrad._core.graph import Tensor
from minigrad.dtypes import sizes_and_devices
from minigrad.dtypes.sizes_and_devices import DEVICE_TYPES, Size, device
from minigrad.serialization.unpickler import Maker
from minigrad.tensors.copy_and_pickle import Memory, rebuild, rebuild_meta

__all__ = ["LEAVES", "NAMES", "wants"]


def wants(*tests, optional=0):
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


def is_index(x):
    return x is None or type(x) is int


def _is_type(x):
    return type(x) is Maker and x.type is not None


def _is_tensor_type(x):
    return _is_type(x) and x.type is Tensor


def are_sizes(x):
    return type(x) in (tuple, Size) and all([type(n) is int for n in x])


def _is_latin(x):
    return x in ("latin1", "latin-1")


def _is_raw(x):
    return type(x) in (bytes, bytearray)


@wants(_is_raw)
def _memory(machine, data):
    return Memory(data)


@wants(_is_tensor_type, Memory, dtypes.dtype, int, are_sizes, are_sizes, bool)
def _tensor(machine, cls, *window):
    return rebuild(Tensor, *window)


@wants(_is_tensor_type, dtypes.dtype, are_sizes, are_sizes, bool)
def _meta_tensor(machine, cls, kind, shape, strides, requires_grad):
    if len(shape) != len(strides) or min((*shape, *strides), default=0) < 0:
        raise damaged(f"no tensor has shape {list(shape)} and strides {list(strides)}")
    return rebuild_meta(Tensor, kind, shape, strides, requires_grad)


@wants(dtypes.NAMES.__contains__)
def _dtype(machine, name):
    return dtypes.named(name)


@wants(are_sizes)
def _size(machine, sizes):
    return Size(sizes)


@wants(DEVICE_TYPES.__contains__, is_index)
def _device(machine, name, index):
    return device(name, index)


@wants(float, float)
def _complex(machine, real, imaginary):
    return complex(real, imaginary)


@wants(int, int, int)
def _range(machine, *ends):
    return range(*ends)


@wants(is_index, is_index, is_index)
def _slice(machine, *ends):
    return slice(*ends)


@wants(list)
def _set(machine, elements):
    return set(machine.keys(elements))


@wants(list)
def _frozenset(machine, elements):
    return frozenset(machine.keys(elements))


@wants()
def _ordered_dict(machine):
    return OrderedDict()


@wants(dict, optional=1)
def _counter(machine, counts=()):
    return Counter(counts)


@wants(lambda x: x is None or _is_type(x), optional=1)
def _defaultdict(machine, factory=None):
    made = defaultdict(factory and factory.type)
    machine.fragile.append(made)
    return made


@wants(lambda x: type(x) in (bytes, str), _is_latin, optional=2)
def _bytearray(machine, data=b"", latin="latin1"):
    return bytearray(data if type(data) is bytes else data.encode(latin))


@wants()
def _bytes(machine):
    return b""


@wants(str, _is_latin)
def _encoded(machine, text, latin):
    return text.encode("latin1")


@wants()
def _not_made(machine):
    """A type that instructions make is only named: as the factory of a defaultdict, or the class of a tensor."""
    raise damaged("a type is called")


@wants(_is_type, _is_type, tuple)
def _reconstructed(machine, cls, base, sizes):
    """A Size in protocols 0 and 1."""
    if cls.type is not Size:
        raise damaged("no such object")
    return _size((sizes,), machine)


#: Python's own types that a file may name, with their makers for files that call them.
TYPES = {complex: _complex, set: _set, frozenset: _frozenset, bytearray: _bytearray, slice: _slice, range: _range,
         bytes: _bytes, **dict.fromkeys((list, dict, tuple, int, float, str, bool), _not_made)}

#: Everything that a file may name; some of it had another path when older files were written.
NAMES = {
    **{(module, name): Maker(make) for module in ("minigrad.tensors.copy_and_pickle", "minigrad.memories",
                                                  "minigrad.serialization")
       for name, make in (("Memory", _memory), ("rebuild", _tensor), ("rebuild_meta", _meta_tensor))},
    **{(module, "Tensor"): Maker(_not_made, Tensor) for module in ("minigrad", "minigrad._core.graph")},
    ("minigrad.dtypes", "named"): Maker(_dtype),
    **{(module, name): made for module in ("minigrad.dtypes.sizes_and_devices", "minigrad.sizes_and_devices")
       for name, made in (("Size", Maker(_size, Size)), ("device", Maker(_device)),
                          *((name, getattr(sizes_and_devices, name))
                            for name in ("contiguous_format", "preserve_format", "strided")))},
    ("collections", "OrderedDict"): Maker(_ordered_dict, OrderedDict),
    ("collections", "Counter"): Maker(_counter, Counter),
    ("collections", "defaultdict"): Maker(_defaultdict),
    ("copyreg", "_reconstructor"): Maker(_reconstructed),
    ("_codecs", "encode"): Maker(_encoded),
    ("builtins", "Ellipsis"): ...,
    **{("builtins", made.__name__): Maker(make, made) for made, make in TYPES.items()},
}

#: Types, besides numbers and text, that are data.
LEAVES = (dtypes.dtype, device, Size, sizes_and_devices.memory_format, sizes_and_devices.layout)
