"""How the judge and a submission's process talk: frames of JSON, in which arrays are written out as bytes.

A submission may be hostile, so that nothing it sends is ever unpickled or evaluated: what arrives is a number, a
string, a list, a dictionary or an array of numbers, and anything else is only named by its type.

Each answer begins with the nonce of its question.  A submission that writes on the channel itself does not know it.
"""

import base64
import json
import re
import struct

import numpy as np

__all__ = ["Garbled", "NONCE", "decoded", "encoded", "read_frame", "write_frame"]

NONCE = 16                      # bytes
LARGEST = 64 << 20              # bytes in a frame
KINDS = "biufc"                 # NumPy's letters for the kinds of arrays that may travel
DTYPE = re.compile(f"[<>|]?[{KINDS}][0-9]{{1,2}}")     # NumPy itself hands other texts to Python's parser


class Garbled(Exception):
    """What arrived on the channel is not an answer."""


def packed(value):
    """The value as JSON has it; what is not data becomes the name of its type."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, complex):
        return packed(np.array(value))
    if isinstance(value, (list, tuple)):
        return [packed(each) for each in value]
    if isinstance(value, dict):
        return {"!": "dict", "items": [[str(key), packed(each)] for key, each in value.items()]}
    if hasattr(value, "detach") and hasattr(value, "numpy"):
        value = value.detach().numpy()
    if isinstance(value, (np.ndarray, np.generic)) and np.asarray(value).dtype.kind in KINDS:
        array = np.asarray(value)
        return {"!": "array", "dtype": array.dtype.str, "shape": array.shape,
                "data": base64.b64encode(array.tobytes()).decode("ascii")}
    return {"!": "other", "type": type(value).__name__}


def unpacked(value):
    """The reverse; an object that could not travel comes out as an `Other`."""
    if isinstance(value, list):
        return [unpacked(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value["!"] == "dict":
        return {key: unpacked(each) for key, each in value["items"]}
    if value["!"] == "other":
        return Other(str(value["type"]))
    if not DTYPE.fullmatch(value["dtype"]):
        raise Garbled("an array of something other than numbers")
    return np.frombuffer(base64.b64decode(value["data"]), np.dtype(value["dtype"])).reshape(value["shape"]).copy()


class Other:
    """Something that is not data; only the name of its type has arrived."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"an object of type {self.name}"


def encoded(value):
    """A value as bytes."""
    return json.dumps(packed(value)).encode("utf-8")


def decoded(data):
    """The value; raises `Garbled` if these bytes are not what `encoded` writes."""
    try:
        return unpacked(json.loads(data))
    except (ValueError, TypeError, KeyError, RecursionError) as failure:
        raise Garbled(type(failure).__name__) from None


def write_frame(file, nonce, value):
    data = nonce + encoded(value)
    if len(data) > LARGEST:
        raise ValueError(f"more than {LARGEST >> 20} MiB of data")
    file.write(struct.pack("<Q", len(data)) + data)
    file.flush()


def read_frame(file):
    """(nonce, bytes of the value), or None at the end of the file; raises `Garbled` if the frame is none."""
    head = file.read(8)
    if len(head) < 8:
        return None
    size, = struct.unpack("<Q", head)
    if not NONCE <= size <= LARGEST:
        raise Garbled("a frame of an impossible size")
    data = file.read(size)
    return (data[:NONCE], data[NONCE:]) if len(data) == size else None
