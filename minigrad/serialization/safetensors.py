"""Files of the package safetensors, with the functions of ``safetensors.torch``: names and tensors, and nothing else.

    length of the header, 8 bytes | header, a JSON text | the numbers of all tensors, one after another

    {"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {"made by": "a program"}}

The one idea of the format: nothing in it can be run, and each byte belongs to exactly one tensor.  So a tensor is
written as a whole and without gaps, and two tensors do not share memory.  The package itself is not needed; where it is
installed, ``from safetensors.torch import load_file`` leads here under :class:`minigrad.as_torch`.

Source: the format's description, https://github.com/huggingface/safetensors
"""

import json
import struct

import numpy as np

from minigrad import dtypes
from minigrad._core.errors import error
from minigrad._core.errors.refusals import damaged
from minigrad._core.graph import Tensor, wrap
from minigrad._core.graph.view_geometry import address
from minigrad.dtypes import as_device
from minigrad.serialization import replacing
from minigrad.tensors.copy_and_pickle import GREATEST, MOST_DIMS
from minigrad.tensors.to_python import values

__all__ = ["load", "load_file", "load_model", "save", "save_file", "save_model", "storage_ptr", "storage_size"]

#: The narrow ones first, in the order of the package.
NAMES = {dtypes.bool_: "BOOL", dtypes.uint8: "U8", dtypes.int8: "I8", dtypes.int16: "I16", dtypes.uint16: "U16",
         dtypes.float16: "F16", dtypes.bfloat16: "BF16", dtypes.int32: "I32", dtypes.uint32: "U32",
         dtypes.float32: "F32", dtypes.complex64: "C64", dtypes.float64: "F64", dtypes.int64: "I64",
         dtypes.uint64: "U64"}
DTYPES = {name: kind for kind, name in NAMES.items()}
ORDER = {kind: place for place, kind in enumerate(NAMES)}
LONGEST = 100_000_000                       # of a header, as in the package
METADATA = "__metadata__"


def save_file(tensors, filename, metadata=None):
    """Write a dictionary of tensors to a file; ``metadata`` is a dictionary of texts.

    Raises: RuntimeError (MG741) for tensors that share memory, ValueError (MG742) for one that is not contiguous.
    """
    parts = _parts(tensors, metadata)
    with replacing(filename) as file:
        for part in parts:
            file.write(part)


def save(tensors, metadata=None):
    """The same as bytes.

    >>> from minigrad.serialization.safetensors import load, save
    >>> load(save({"w": torch.ones(2)}))
    {'w': tensor([1., 1.])}
    """
    return b"".join([bytes(part) for part in _parts(tensors, metadata)])


def load_file(filename, device="cpu"):
    """The dictionary of tensors in a file.

    Raises: ValueError (MG403) for a file that is damaged or is not one.
    """
    as_device(device, "load_file")
    with open(filename, "rb") as file:
        return load(file.read())


def load(data):
    """The dictionary of tensors in the bytes of a file."""
    try:
        return _tensors(memoryview(data))
    except (ValueError, LookupError, TypeError, struct.error, RecursionError) as problem:
        raise problem if getattr(problem, "code", None) == "MG403" else damaged(problem) from None


# ------------------------------------------------------------------------------ the format

def save_model(model, filename, metadata=None, force_contiguous=True):
    """Write the state dict of a module; of tensors that share memory, such as tied weights, the first by name."""
    kept, seen = {}, {}
    metadata = dict(metadata or {})
    for name, tensor in sorted(model.state_dict().items()):
        first = seen.setdefault((tensor.data_ptr(), tensor.shape, tensor.stride()) if tensor.numel() else name, name)
        if first == name:
            kept[name] = tensor.contiguous() if force_contiguous else tensor
        else:
            metadata[name] = first
    save_file(kept, filename, metadata or None)


def load_model(model, filename, strict=True, device="cpu"):
    """Load such a file into a module: ``(missing, unexpected)``, the names that one of both lacks.

    Raises: RuntimeError (MG703) for missing or unexpected names, with ``strict``.
    """
    tensors, own = load_file(filename, device), model.state_dict()
    memory = {own[name].data_ptr() for name in tensors if name in own}
    missing = [name for name in own if name not in tensors and own[name].data_ptr() not in memory]
    unexpected = [name for name in tensors if name not in own]
    if strict and (missing or unexpected):
        raise error("MG703", f"Error(s) in loading state_dict for {type(model).__name__}:\n    Missing key(s): "
                             f"{missing}\n    Unexpected key(s): {unexpected}")
    model.load_state_dict(tensors, strict=False)
    return {*missing}, unexpected


def storage_ptr(tensor):
    """The address of the memory that a tensor shares."""
    return 0 if tensor.is_meta else tensor.untyped_storage().data_ptr()


def storage_size(tensor):
    """How many bytes it has."""
    return tensor.numel() * tensor.itemsize if tensor.is_meta else tensor.untyped_storage().nbytes()


def _parts(tensors, metadata):
    """The length, the header, and the numbers of each tensor: those of wide dtypes first, so that all are aligned."""
    if not isinstance(tensors, dict) or not all([isinstance(x, Tensor) for x in tensors.values()]):
        raise error("MG205", f"Expected a dict of [str, torch.Tensor] but received {type(tensors).__name__}")
    for name, x in tensors.items():
        if x.dtype not in NAMES:
            raise error("MG741", f"safetensors has no dtype {x.dtype!r}, which {name!r} has")
    arrays = {name: values(tensors[name], "save_file") for name in sorted(
        tensors, key=lambda name: (-ORDER[tensors[name].dtype], name))}
    _check(arrays)
    header, place = {METADATA: dict(metadata)} if metadata else {}, 0
    for name, array in arrays.items():
        header[name] = {"dtype": NAMES[tensors[name].dtype], "shape": list(array.shape),
                        "data_offsets": [place, place + array.nbytes]}
        place += array.nbytes
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return [struct.pack("<Q", len(text)), text, *[array.reshape(-1).view(np.uint8) for array in arrays.values()]]


def _check(arrays):
    for name, array in arrays.items():
        if not array.flags.c_contiguous:
            raise error("MG742", f"You are trying to save a non contiguous tensor: `{name}` which is not allowed: call "
                                 ".contiguous() on it before saving.")
    areas = sorted([(address(array), array.nbytes, name) for name, array in arrays.items() if array.nbytes])
    for (start, size, one), (following, _, other) in zip(areas, areas[1:]):
        if start + size > following:
            raise error("MG741", f"Some tensors share memory, this will lead to duplicate memory on disk: {one!r} and "
                                 f"{other!r}. Save one of them, or a clone(); torch.save keeps tensors shared.")


def _tensors(data):
    length, = struct.unpack_from("<Q", data)
    if length > min(LONGEST, len(data) - 8):
        raise damaged("its header is longer than the file")
    header = json.loads(str(data[8:8 + length], "utf-8"), object_pairs_hook=_once)
    if type(header) is not dict:
        raise damaged("its header is not an object")
    header.pop(METADATA, None)
    numbers = np.array(np.frombuffer(data, np.uint8)[8 + length:])      # a copy, aligned and writable
    found, place = {}, 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        kind, shape, (start, end) = DTYPES[entry["dtype"]], entry["shape"], entry["data_offsets"]
        if len(shape) > MOST_DIMS or not all([type(n) is int and 0 <= n <= GREATEST for n in (*shape, start, end)]):
            raise damaged(f"{name!r} has a size that is not one")
        size = kind.itemsize
        for n in shape:
            size *= n
        if start != place or end - start != size or end > len(numbers):
            raise damaged(f"{name!r} is not where it should be")
        part = numbers[start:end]
        if kind is dtypes.bool_ and size and part.max() > 1:
            raise damaged("a bool is neither 0 nor 1")
        if start % kind.itemsize:
            part = part.copy()
        found[name] = wrap(part.view(kind.numpy).reshape(shape))
        place = end
    if place != len(numbers):
        raise damaged("some of its bytes belong to no tensor")
    return {name: found[name] for name in sorted(found)}


def _once(pairs):
    """A JSON object whose names are different."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise damaged("a name is there twice")
    return found
