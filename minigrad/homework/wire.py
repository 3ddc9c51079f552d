"""How the judge and a submission's process talk: frames of JSON, in which arrays are written out as bytes.

A submission may be hostile, so that nothing it sends is ever unpickled or evaluated: what arrives is a number, a
string, a list, a dictionary or an array of numbers, and anything else is only named by its type.

Each answer begins with the nonce of its question.  A submission that writes on the channel itself does not know it.

The submission runs in the interpreter that writes its answers, and may replace functions of Python's library.  So what
is called here was looked up when this file was loaded, and is written in C.
"""

import re
from binascii import a2b_base64, b2a_base64
from json.decoder import JSONDecoder
from json.encoder import encode_basestring_ascii as quoted
from struct import pack, unpack

from numpy import asarray, dtype as dtype_of, frombuffer, generic, ndarray

from minigrad._core.profiling.instruments import Calls

__all__ = ["Garbled", "NONCE", "Other", "decoded", "dictionary", "encoded", "read_frame", "write_data", "write_frame",
           "numbers_of", "written"]

NONCE = 16                      # bytes
LARGEST = 64 << 20              # bytes in a frame
KINDS = "biufc"                 # NumPy's letters for the kinds of arrays that may travel
#: NumPy itself hands other texts to Python's parser
is_dtype = re.compile(f"[<>|]?[{KINDS}][0-9]{{1,2}}").fullmatch
scanned = JSONDecoder().scan_once
#: functions that make arrays of tensors, as they were before a submission ran: child.py has its own
numbers_of = []


class Garbled(Exception):
    """What arrived on the channel is not an answer."""


def packed(value):
    """The value as JSON has it; what is not data becomes the name of its type."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Calls):                        # as it is when all before it has been written
        return [value.count, value.points]
    if isinstance(value, complex):
        return packed(asarray(value))
    if isinstance(value, (list, tuple)):
        return [packed(each) for each in value]
    if isinstance(value, dict):
        return dictionary(value.items())
    for numbers in numbers_of:
        value = numbers(value)
    if hasattr(value, "detach") and hasattr(value, "numpy"):
        value = value.detach().numpy()
    if isinstance(value, (ndarray, generic)) and asarray(value).dtype.kind in KINDS:
        array = asarray(value)
        return {"!": "array", "dtype": array.dtype.str, "shape": [*array.shape],
                "data": b2a_base64(array.tobytes(), newline=False).decode("ascii")}
    return {"!": "other", "type": type(value).__name__}


def dictionary(pairs):
    """A dictionary as JSON has it; each value is packed before the next pair is asked for."""
    return {"!": "dict", "items": [[str(key), packed(each)] for key, each in pairs]}


def unpacked(value):
    """The reverse; an object that could not travel comes out as an `Other`."""
    if isinstance(value, list):
        return [unpacked(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value["!"] == "dict":
        return {key: unpacked(each) for key, each in value["items"]}
    if value["!"] == "other":
        return Other(f"an object of type {value['type']}")
    if not is_dtype(value["dtype"]):
        raise Garbled("an array of something other than numbers")
    return frombuffer(a2b_base64(value["data"]), dtype_of(value["dtype"])).reshape(value["shape"]).copy()


class Other(str):
    """Something that is not data; only the name of its type has arrived."""

    __repr__ = str.__str__


def written(value):
    """JSON for what `packed` returns."""
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        text = float.__repr__(value)
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(text, text)
    if isinstance(value, list):
        return f"[{', '.join([written(each) for each in value])}]"
    return "{" + ", ".join([f"{quoted(name)}: {written(each)}" for name, each in value.items()]) + "}"


def encoded(value):
    """A value as bytes."""
    return written(packed(value)).encode("utf-8")


def decoded(data):
    """The value; raises `Garbled` if these bytes are not what `encoded` writes."""
    try:
        text = data.decode("utf-8")
        value, end = scanned(text, 0)
        if end != len(text):
            raise Garbled("more than one value")
        return unpacked(value)
    except (ValueError, TypeError, KeyError, RecursionError, StopIteration) as failure:
        raise Garbled(type(failure).__name__) from None


def write_frame(file, nonce, value):
    write_data(file, nonce, encoded(value))


def write_data(file, nonce, data):
    data = nonce + data
    if len(data) > LARGEST:
        raise ValueError(f"more than {LARGEST >> 20} MiB of data")
    file.write(pack("<Q", len(data)) + data)
    file.flush()


def read_frame(file):
    """(nonce, bytes of the value), or None at the end of the file; raises `Garbled` if the frame is none."""
    head = file.read(8)
    if len(head) < 8:
        return None
    size, = unpack("<Q", head)
    if not NONCE <= size <= LARGEST:
        raise Garbled("a frame of an impossible size")
    data = file.read(size)
    return (data[:NONCE], data[NONCE:]) if len(data) == size else None
