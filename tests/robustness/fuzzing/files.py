"""Files of tensors from a grammar: programs of pickles, the archives around them, and headers of safetensors."""

import json
import pickle
import pickletools
import struct
from io import BytesIO

from minigrad.serialization import MAGIC, PROTOCOL
from minigrad.serialization.archive import END, ENTRY, HEADER, Writer

LIES = (0, 1, -1, 7, 255, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
GLOBALS = (("os", "system"), ("builtins", "exec"), ("builtins", "eval"), ("builtins", "getattr"), ("posix", "system"),
           ("subprocess", "Popen"), ("canary", "sing"), ("torch", "load"), ("torch.serialization", "add_safe_globals"),
           ("numpy", "load"), ("minigrad.__main__", "run"), ("torch", "FloatStorage"), ("torch", "Size"),
           ("torch._utils", "_rebuild_tensor_v2"), ("torch._utils", "_rebuild_parameter"), ("builtins", "bytearray"),
           ("collections", "OrderedDict"), ("collections", "defaultdict"), ("builtins", "set"), ("builtins", "range"),
           ("builtins", "complex"), ("torch.nn.parameter", "Parameter"), ("__builtin__", "xrange"), ("", ""),
           ("\u202e", "x"))


def lie(rng):
    return rng.choice(LIES) + rng.choice((0, 0, 0, 1, -1))


# ------------------------------------------------------------------------------ programs

def text(string):
    data = string.encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(data)) + data


def whole(n):
    return pickle.dumps(n, 2)[2:-1]


def named(module, name):
    return b"c" + f"{module}\n{name}\n".encode()


def plain(rng, depth=3):
    """The program of a value of numbers, text and containers."""
    rule = rng.randrange(5 if depth == 0 else 10)
    if rule < 5:
        return (whole(rng.choice((0, 1, -1, 1 << 70))), text(rng.choice(("", "a", "\ud800", "\u202e"))), b"N",
                b"G" + struct.pack(">d", rng.choice((0.5, -0.0, 1e300))), b"C\x01a")[rule]
    inside = [plain(rng, depth - 1) for _ in range(rng.randrange(4))]
    if rule < 7:
        return b"](" + b"".join(inside) + b"e"
    if rule < 9:
        return b"(" + b"".join(inside) + b"t"
    return b"}(" + b"".join([text(f"k{i}") + each for i, each in enumerate(inside)]) + b"u"


def tensor(rng, parts, lies):
    """The program of a tensor; ``parts`` is the length of the id of a storage, which differs between formats."""
    def said(n):
        return whole(lie(rng) if rng.random() < lies else n)

    key, size = rng.choice("01"), 6
    where = text(rng.choice(("cpu", "cpu", "cpu", "cuda:0", "../x")) if rng.random() < lies else "cpu")
    storage = (b"(" + text("storage") + named("torch", "FloatStorage") + text(key) + where + said(size)
               + b"N" * (parts == 6) + b"tQ")
    shape, stride = ((2, 3), (3, 1)) if rng.random() < 0.5 else ((3,), (2,))
    return (named("torch._utils", "_rebuild_tensor_v2") + b"(" + storage + said(0)
            + b"(" + b"".join(map(said, shape)) + b"t(" + b"".join(map(said, stride)) + b"t"
            + b"\x89" + named("collections", "OrderedDict") + b")RtR")


def hostile_step(rng):
    module, name = rng.choice(GLOBALS)
    return rng.choice((
        lambda: named(module, name), lambda: text(module) + text(name) + b"\x93",
        lambda: named(module, name) + b"(" + text("touch canary") + b"tR",
        lambda: named(module, name) + b")\x81", lambda: b"}b", lambda: b"(" + b"t" * 3,
        lambda: b"]" * 3000 + b"a" * 2999,
        lambda: b"(" * 2000, lambda: b")" + b"\x85" * 5000, lambda: b"r" + struct.pack("<I", 0xFFFFFFFF),
        lambda: b"X" + struct.pack("<I", 0xFFFFFFFF), lambda: b"\x8d" + struct.pack("<Q", 1 << 62),
        lambda: b"\x96" + struct.pack("<Q", 1 << 40), lambda: b"\x8b" + struct.pack("<I", 1 << 31),
        lambda: b"]" + b"q\x01" + b"h\x01" * 50 + b"\x86" * 49, lambda: b"2" * 100, lambda: b"I" + b"9" * 5000 + b"\n",
        lambda: b"(i" + f"{module}\n{name}\n".encode(), lambda: b"\x82\x01", lambda: b"Pid\n", lambda: b"Q",
        lambda: b"\x95" + struct.pack("<Q", 1 << 60), lambda: b"\x80\xff", lambda: b"h\xfe", lambda: b"0", lambda: b".",
        lambda: bytes([rng.randrange(256)])))()


def steps_of(program):
    places = [place for _, _, place in pickletools.genops(program)]
    return [program[begin:end] for begin, end in zip(places, [*places[1:], len(program)])]


def damaged(rng, program):
    """The program with some of its instructions removed, doubled, exchanged or replaced by hostile ones."""
    steps = steps_of(program)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(steps))
        change = rng.randrange(5)
        if change == 0:
            steps.insert(at, hostile_step(rng))
        elif change == 1:
            steps[at] = hostile_step(rng)
        elif change == 2 and len(steps) > 1:
            del steps[at]
        elif change == 3:
            steps.insert(at, steps[at])
        else:
            other = rng.randrange(len(steps))
            steps[at], steps[other] = steps[other], steps[at]
    return b"".join(steps)


def program(rng, parts, harm):
    """A list of tensors and values."""
    lies = rng.choice((0, 0.1, 0.5)) * harm
    inside = [tensor(rng, parts, lies) if parts and rng.random() < 0.6 else plain(rng)
              for _ in range(rng.randrange(1, 4))]
    made = b"\x80\x02](" + b"".join(inside) + b"e."
    return damaged(rng, made) if harm and rng.random() < 0.6 else made


# ------------------------------------------------------------------------------ archives

RECORDS = ("../canary", "/canary", "data/../../canary", "C:\\canary", "data\\0", "", "data/0", "data.pkl", "a" * 70_000,
           "\0", "constants.pkl", "byteorder", "data/", "version", "\u202e", "data/0\0")


def archive(rng, harm):
    file = BytesIO()
    writer = Writer(file, "archive")
    records = [("data.pkl", program(rng, 5, harm)), ("byteorder", b"little"), ("data/0", bytes(24)),
               ("data/1", bytes(range(24))), ("version", b"3\n")]
    if harm and rng.random() < 0.3:
        name = rng.choice(RECORDS)
        records.insert(rng.randrange(len(records)), (name[:60_000], bytes(rng.choice((0, 5, 24)))))
    if harm and rng.random() < 0.2:
        at = rng.randrange(len(records))
        records[at] = rng.choice((lambda: (records[at][0], bytes(rng.randrange(30))),
                                  lambda: (rng.choice(RECORDS)[:60_000], records[at][1])))()
    for name, data in records:
        writer.add(name, data)
    writer.close()
    data = bytearray(file.getvalue())
    if harm and rng.random() < 0.5:
        lie_in_fields(rng, data)
    if harm and rng.random() < 0.1:
        del data[rng.randrange(len(data)):]
    return bytes(data)


def lie_in_fields(rng, data):
    """Numbers in the headers, the directory and its end: sizes, places, methods, flags, checksums, lengths."""
    kind, signature = rng.choice(((HEADER, b"PK\3\4"), (ENTRY, b"PK\1\2"), (END, b"PK\5\6")))
    places = [at for at in range(len(data) - kind.size) if data.startswith(signature, at)]
    at = rng.choice(places or [0])
    begin = rng.randrange(4, kind.size - 3)
    width = rng.choice((1, 2, 4))
    data[at + begin:at + begin + width] = (lie(rng) % (1 << 8 * width)).to_bytes(width, "little")


def several_pickles(rng, harm):
    """PyTorch's older format."""
    keys = ["0", "1"]
    main = program(rng, 6, harm)
    keys = [key for key in keys if text(key) + text("cpu") in main]
    if harm and rng.random() < 0.2:
        keys = rng.choice((["0", 1], ["1", "0"], [], "01", [[]], {"0": 1}))
    system = {"protocol_version": 1001, "little_endian": True, "type_sizes": {}}
    heads = [pickle.dumps(each, 2) for each in (MAGIC, PROTOCOL, system)]
    if harm and rng.random() < 0.2:
        at = rng.randrange(3)
        heads[at] = damaged(rng, heads[at])
    sizes = [struct.pack("<q", lie(rng) % (1 << 62) if harm and rng.random() < 0.2 else 6) + bytes(24) for _ in keys]
    data = b"".join([*heads, main, pickle.dumps(keys, 2), *sizes])
    return data[:rng.randrange(len(data))] if harm and rng.random() < 0.1 else data


# ------------------------------------------------------------------------------ safetensors

WIDTHS = {"F32": 4, "U8": 1, "I64": 8, "F64": 8, "I16": 2}


def headed(rng, harm):
    """A file of safetensors."""
    header, place = {}, 0
    for i in range(rng.randrange(4)):
        kind = rng.choice(sorted(WIDTHS))
        shape = [rng.randrange(4) for _ in range(rng.randrange(3))]
        size = WIDTHS[kind]
        for n in shape:
            size *= n
        header[f"t{i}"] = {"dtype": kind, "shape": shape, "data_offsets": [place, place + size]}
        place += size
    numbers = bytes([rng.randrange(256) for _ in range(place)])
    for _ in range(rng.randrange(3) * bool(harm)):
        header = changed(rng, header)
    said = json.dumps(header).encode()
    if harm and rng.random() < 0.2:
        said = rng.choice((said[:-1], said * 2, b"[" * 100_000, b"", b"\xff", b"NaN", said.replace(b"t1", b"t0"),
                           b'{"a":' * 5000, b" " * 100 + said, b"9" * 5000))
    length = lie(rng) % (1 << 64) if harm and rng.random() < 0.1 else len(said)
    numbers = numbers[:-1] if harm and rng.random() < 0.1 else numbers + b"x" * (harm and rng.random() < 0.1)
    return struct.pack("<Q", length) + said + numbers


def changed(rng, value):
    """A JSON value with one part, somewhere in it, replaced."""
    if value and type(value) is dict and rng.random() < 0.85:
        key = rng.choice(sorted(value))
        return {**value, key: changed(rng, value[key])}
    if value and type(value) is list and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], changed(rng, value[at]), *value[at + 1:]]
    return rng.choice((None, True, lie(rng), -1, 0.5, "", "F32", "BOOL", "\ud800", [], [[]], {}, [1] * 100, 1e999,
                       [0, 1 << 62], {"a": 1}, [lie(rng), lie(rng)]))
