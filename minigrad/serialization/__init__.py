"""Files of tensors: ``save`` and ``load``, in PyTorch's format.

    save:   objects -> pickle (serialization/torch_format.py) + storages -> records of a zip archive
            (serialization/archive.py)
    load:   records of the archive -> storages + pickle -> objects, by our own machine (serialization/unpickler.py)

The one idea: a file from a stranger cannot run code.  ``load`` knows a list of names, and what each makes; nothing that
a file names is imported or called, except what was allowed with :func:`add_safe_globals`.  ``weights_only=False``
trusts the file.

Two older formats are read too: a pickle after a signature, which minigrad wrote, and several pickles and then the
storages, which PyTorch writes with ``_use_new_zipfile_serialization=False``.
"""

import itertools
import os
import pickle
import pickletools
import struct
import sys
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO

import numpy as np

from minigrad import dtypes
from minigrad._core.errors import MinigradError, error
from minigrad._core.errors.refusals import damaged
from minigrad._core.graph import Tensor
from minigrad._core.runtime.scopes import Scope
from minigrad.dtypes.sizes_and_devices import DEVICE_TYPES, device
from minigrad.nn.parameter import Parameter
from minigrad.serialization import constructors, torch_format
from minigrad.serialization.archive import Archive, Writer
from minigrad.serialization.constructors import LEAVES
from minigrad.serialization.torch_format import Storage, StorageType, TorchPickler, in_native_order
from minigrad.serialization.unpickler import Machine
from minigrad.tensors.copy_and_pickle import Memory, rebuild, rebuild_meta

__all__ = ["StorageType", "add_safe_globals", "clear_safe_globals", "get_safe_globals",
           "get_unsafe_globals_in_checkpoint", "load", "safe_globals", "save"]

#: PyTorch's type of ``map_location``, and the protocol of its pickles
MAP_LOCATION, DEFAULT_PROTOCOL = Callable | device | str | dict[str, str] | None, 2

#: Everything that a file may name.
NAMES = {**constructors.NAMES, **torch_format.TORCH_NAMES}

SIGNATURE = b"minigrad\x01"                         # of minigrad's older format
MAGIC, PROTOCOL = 0x1950A86A20F9469CFC6C, 1001      # of PyTorch's older format

#: the errors that Python raises for a file that is not a pickle
FAULTS = (LookupError, TypeError, ValueError, OverflowError, struct.error)


# ------------------------------------------------------------------------------ names that the user allows

_parts_written = itertools.count()
_allowed = {}                                       # id of the object -> (its full name, what was given)


def add_safe_globals(safe_globals):
    """Let files name these classes and functions, and call them: :func:`load` imports nothing else.

    Each is a class or function, or a pair of one and the full name that it has in the files.

    >>> import fractions
    >>> torch.serialization.add_safe_globals([fractions.Fraction])
    >>> torch.serialization.get_safe_globals()
    [<class 'fractions.Fraction'>]
    >>> torch.serialization.clear_safe_globals()
    """
    _allowed.update(entries(safe_globals))


def entries(safe_globals):
    """What `_allowed` says of them."""
    named = [given if isinstance(given, tuple) else (given, f"{given.__module__}.{given.__qualname__}")
             for given in safe_globals]
    return {name: (found, given) for (found, name), given in zip(named, safe_globals)}


def get_safe_globals():
    """What :func:`add_safe_globals` was given."""
    return [given for _, given in _allowed.values()]


def clear_safe_globals():
    """Take back what :func:`add_safe_globals` allowed."""
    _allowed.clear()


class safe_globals(Scope):
    """:func:`add_safe_globals` for a block.

    >>> import fractions
    >>> with torch.serialization.safe_globals([fractions.Fraction]):
    ...     len(torch.serialization.get_safe_globals())
    1
    """

    def __init__(self, safe_globals):
        self.safe_globals = safe_globals

    def _changes(self):
        return [(globals(), "_allowed", {**_allowed, **entries(self.safe_globals)})]


def get_unsafe_globals_in_checkpoint(f):
    """The names in a file that :func:`load` would refuse.

    >>> from io import BytesIO
    >>> import fractions
    >>> file = BytesIO()
    >>> torch.save(fractions.Fraction(1, 2), file)
    >>> torch.serialization.get_unsafe_globals_in_checkpoint(file)
    ['fractions.Fraction']
    """
    with _opened(f) as file:
        with _faults():
            file.seek(0)
            pickled = BytesIO(Archive(file).read("data.pkl").tobytes())
            names, texts = set(), []
            for instruction, argument, _ in pickletools.genops(pickled):
                if instruction.name == "GLOBAL":
                    names.add(tuple(argument.split(" ", 1)))
                elif instruction.name == "STACK_GLOBAL":
                    names.add(tuple(texts[-2:]))
                elif isinstance(argument, str):
                    texts.append(argument)
            machine = Machine(pickled, NAMES)
            return sorted([".".join(each) for each in map(machine.renamed, names)
                           if each not in NAMES and ".".join(each) not in _allowed])


# ------------------------------------------------------------------------------ save

def save(obj, f, pickle_module=pickle, pickle_protocol=2, _use_new_zipfile_serialization=True,
         _disable_byteorder_record=False):
    """Write tensors, or containers of them, to a file that PyTorch reads too.

    ``f`` is a path or a file open for writing bytes.  Tensors that share memory will share it again when
    they are loaded; gradients and history are not written.  A file that exists is replaced when the new one is whole:
    if something goes wrong before, it stays as it was.

    Raises: RuntimeError (MG741) for tensors of different dtypes on the same memory, which the format does not have.

    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> torch.save({"w": torch.ones(2), "step": 3}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'w': tensor([1., 1.]), 'step': 3}
    """
    if not _use_new_zipfile_serialization:
        raise format_of_before()
    if pickle_module is not pickle or pickle_protocol < 2:
        raise other_format(pickle_module, pickle_protocol)
    pickled = BytesIO()                         # first, so that what cannot be pickled leaves the file as it was
    pickler = TorchPickler(pickled, pickle_protocol)
    pickler.dump(obj)
    if hasattr(f, "write"):
        _write(f, "archive", pickled, pickler, not _disable_byteorder_record)
        return
    if not isinstance(f, (str, os.PathLike)):
        raise not_a_place(f)
    name = os.fsdecode(os.path.splitext(os.path.basename(f))[0])
    with replacing(f) as file:
        _write(file, name if name.isascii() else "archive", pickled, pickler, not _disable_byteorder_record)


def _write(file, name, pickled, pickler, with_order):
    archive = Writer(file, name)
    archive.add("data.pkl", pickled.getbuffer())
    archive.add(".format_version", b"1")
    archive.add(".storage_alignment", b"64")
    if with_order:
        archive.add("byteorder", sys.byteorder.encode())
    for storage in pickler.storages.values():
        archive.add(f"data/{storage.key}", storage.memory.bytes)
    archive.add("version", b"3\n")
    archive.add(".data/serialization_id", b"%040d" % archive.checksum)
    archive.close()


@contextmanager
def replacing(path):
    """A file beside ``path`` that takes its place at the end of the block, unless the block raises."""
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:          # a device or a pipe: there is nothing to keep
            yield file
        return
    beside = f"{path}.{os.getpid()}.{next(_parts_written)}.part"    # one that could not be removed is not in the way
    try:
        with open(beside, "xb") as file:
            yield file
        if os.path.exists(path):
            os.chmod(beside, os.stat(path).st_mode & 0o7777)
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise


# ------------------------------------------------------------------------------ load

def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    """Read what ``save`` wrote, or PyTorch's.

    Files are read as plain data: numbers, text, containers and tensors; nothing that a file names is imported or
    called, except what :func:`torch.serialization.add_safe_globals` allows.  ``weights_only=False`` imports and calls
    everything that the file names: use it only for files that you trust.

    ``map_location`` says where the tensors go: a device, a dictionary of devices, or a function of a storage and the
    name of its device.  With ``mmap=True`` the tensors of a path lie in the file, and are read when they are used; what
    is written to them stays in memory.

    Raises: ValueError (MG403) for a file that is damaged, cut short, or of another format, and for a file that names
    anything but tensors and plain data.

    >>> from io import BytesIO
    >>> torch.load(BytesIO(b"anything"))
    Traceback (most recent call last):
    minigrad._core.errors.AutogradValueError: load(): this is not a file of torch.save [MG403]
    """
    if pickle_module not in (None, pickle):
        raise other_format(pickle_module, 2)
    place = _places(map_location)
    trusted = weights_only is not None and not weights_only
    if mmap and not isinstance(f, (str, os.PathLike)):
        raise error("MG742", "load(): f must be a file path in order to use the mmap argument")
    with _opened(f) as file, _faults(trusted):
        begin = file.tell()
        start = file.read(len(SIGNATURE))
        file.seek(begin)
        kind = next((kind for kind in READERS if isinstance(start, bytes) and start.startswith(kind)), None)
        if kind is None:
            raise not_a_file()
        if mmap and kind != b"PK\3\4":
            raise error("MG742", "load(): mmap can only be used with files saved with torch.save(..., "
                                 "_use_new_zipfile_serialization=True), the present format")
        return READERS[kind](file, place, trusted, pickle_load_args, mmap)


@contextmanager
def _opened(f):
    """A file that can be read anywhere."""
    if not hasattr(f, "read"):
        if not isinstance(f, (str, os.PathLike)):
            raise not_a_place(f)
        with open(f, "rb") as file:
            yield file
    elif hasattr(f, "seek") and hasattr(f, "tell") and (not hasattr(f, "seekable") or f.seekable()):
        yield f
    else:
        yield BytesIO(f.read())


@contextmanager
def _faults(trusted=False):
    """Python's errors for bytes that are not what they should be become ours; others may come from trusted code."""
    try:
        yield
    except MinigradError as problem:
        if problem.code in ("MG202", "MG403", "MG404", "MG742"):    # our own, or a missing package for a dtype
            raise
        raise damaged(problem) from None
    except (EOFError, pickle.UnpicklingError, *(() if trusted else FAULTS)) as problem:
        raise damaged(problem) from None


def _run(file, trusted, options, outside=None):
    """The object that the pickle in ``file`` describes."""
    if trusted:
        return Trusting(file, outside, **options).load()
    approved = {name: found for name, (found, _) in _allowed.items()}
    return Machine(file, NAMES, LEAVES, (Tensor, Parameter), outside, approved).run()


class Trusting(pickle.Unpickler):
    """Python's own machine, which imports and calls what a file names, with PyTorch's names for ours."""

    def __init__(self, file, outside, **options):
        super().__init__(file, **options)
        self.outside = outside

    def persistent_load(self, named):
        return self.outside(named)

    def find_class(self, module, name):
        if (module, name) in torch_format.TORCH_NAMES:
            return torch_format.TORCH_NAMES[module, name]
        if module == "torch" or module.startswith("torch."):
            return getattr(import_module("minigrad" + module.removeprefix("torch")), name)
        return super().find_class(module, name)


def _read_archive(file, place, trusted, options, mapped):
    archive = Archive(file, mapped)
    if "constants.pkl" in archive:
        raise other_archive()
    order = archive.read("byteorder").tobytes().decode() if "byteorder" in archive else "little"
    if order not in ("little", "big"):
        raise damaged(f"the order of bytes {order!r} is unknown")
    found = {}

    def storage_of(named):
        kind, key, location, size = _parts(named, 5)
        if key not in found:
            data = archive.read(f"data/{key}")
            if not 0 <= len(data) - size * kind.dtype.itemsize < kind.dtype.itemsize:
                raise damaged(f"storage {key} has {len(data)} bytes, not {size} elements of {kind.dtype}")
            data = in_native_order(data, kind.dtype, order)
            found[key] = kind.dtype, place(Storage(Memory(data, data), kind.dtype), location)
        if found[key][0] is not kind.dtype:
            raise damaged(f"storage {key} has two dtypes")
        return found[key][1]

    return _run(BytesIO(archive.read("data.pkl").tobytes()), trusted, options, storage_of)


def _parts(named, length):
    """The parts of the id of a storage: its type, key, location and number of elements."""
    if len(named) != length or named[0] != "storage" or type(named[1]) is not StorageType:
        raise damaged("it asks for something outside that is not a storage")
    _, kind, key, location, size, *view = named
    if type(key) is not str or type(location) is not str or type(size) is not int or size < 0 or any(view):
        raise damaged("the id of a storage is not one")
    return kind, key, location, size


def _read_pickles(file, place, trusted, options, mapped):
    """PyTorch's older format: four pickles, the keys of the storages, and the storages."""
    begin = file.tell()
    left = file.seek(0, 2) - begin
    file.seek(begin)
    if _run(file, trusted, {}) != MAGIC or _run(file, trusted, {}) != PROTOCOL:
        raise not_a_file()
    system = _run(file, trusted, {})
    order = "little" if type(system) is not dict or system.get("little_endian", True) else "big"
    found, claimed, later = {}, 0, []

    def storage_of(named):
        nonlocal claimed
        kind, key, location, size = _parts(named, 6)
        if key not in found:
            claimed += size * kind.dtype.itemsize
            if claimed > left:
                raise damaged("its storages are larger than the file")
            memory = Memory(bytes(size * kind.dtype.itemsize))          # filled below
            found[key] = kind.dtype, memory, place(Storage(memory, kind.dtype, later), location)
        if found[key][0] is not kind.dtype:
            raise damaged(f"storage {key} has two dtypes")
        return found[key][-1]

    result = _run(file, trusted, options, storage_of)
    keys = _run(file, trusted, {})
    if type(keys) is not list or sorted(keys) != sorted(found):
        raise damaged("its storages are not those that it lists")
    for key in keys:
        kind, memory, _ = found[key]
        size = struct.unpack("<q" if order == "little" else ">q", file.read(8))[0]
        data = np.frombuffer(bytearray(file.read(len(memory.bytes))), np.uint8)
        if size * kind.itemsize != len(memory.bytes) or len(data) != len(memory.bytes):
            raise damaged("a storage is cut short")
        memory.bytes[:] = in_native_order(data, kind, order)
        if kind is dtypes.bool_ and len(data) and data.max() > 1:
            raise damaged("a bool is neither 0 nor 1")
    for fill in later:
        fill()
    return result


def _read_signed(file, place, trusted, options, mapped):
    """minigrad's older format: one pickle after the signature."""
    file.read(len(SIGNATURE))
    return _run(file, trusted, options)


#: by the first bytes of a file
READERS = {SIGNATURE: _read_signed, b"PK\3\4": _read_archive, b"\x80": _read_pickles}


def _places(map_location):
    """A function of (storage, name of its device) that says where the storage is from now on."""
    def put(storage, location):
        kind = location.partition(":")[0]
        if kind not in DEVICE_TYPES:
            raise damaged(f"{location!r} is not a device")
        if kind not in ("cpu", "meta"):
            raise on_another_device(location)
        storage.device = dtypes.device(kind)
        return storage

    if map_location is None:
        return put
    if isinstance(map_location, Mapping):
        return lambda storage, location: put(storage, map_location.get(location, location))
    if isinstance(map_location, (str, dtypes.device)):
        target = str(dtypes.device(map_location))
        put(Storage(None, None), target)
        return lambda storage, location: put(storage, target)

    def asked(storage, location):
        storage.device = dtypes.device("cpu")
        answer = map_location(storage, location)
        return put(storage, location) if answer is None else answer
    return asked


# ------------------------------------------------------------------------------ errors

def not_a_file():
    return error("MG403", "load(): this is not a file of torch.save")


def other_archive():
    return error("MG403", "load(): this is a TorchScript archive, a compiled program; minigrad reads only what "
                          "torch.save wrote. Save model.state_dict() in PyTorch.")


def on_another_device(location):
    return error("MG404", f"Attempting to deserialize object on the device {location!r}, but torch.cuda.is_available() "
                          "is False: tensors live on the CPU. Please use torch.load with "
                          "map_location=torch.device('cpu') to map your storages to the CPU.")


def not_a_place(f):
    return error("MG205", "expected 'f' to be string, path, or a file-like object with a 'write' or 'read' "
                          f"attribute, not {type(f).__name__}")


def format_of_before():
    return error("MG742", "save() writes PyTorch's archive; with _use_new_zipfile_serialization=False it would be the "
                          "format of before, which load() reads")


def other_format(module, protocol):
    return error("MG742", "save() and load() take Python's own pickle, pickle_module=pickle, with pickle_protocol "
                          f"2 to 5, not {getattr(module, '__name__', module)} and {protocol}")
