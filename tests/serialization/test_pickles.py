"""Files from strangers: whatever the bytes, ``load`` returns plain data or raises MG403, and runs nothing.

The hostile files are written by hand, instruction by instruction; what honest files hold is in test_conversions.py.
"""

import collections
import io
import pickle
import pickletools
import random
import struct
import sys
import tracemalloc
import zipfile

import numpy as np
import pytest

import minigrad
from minigrad import dtypes, serialization
from minigrad._core.graph import wrap
from minigrad.serialization import unpickler
from tests.checking import refuses

MEMORY, REBUILD, TENSOR = (
    b"cminigrad.serialization\nMemory\n",
    b"cminigrad.serialization\nrebuild\n",
    b"cminigrad._core.graph\nTensor\n",
)
ORDERED = b"ccollections\nOrderedDict\n"


def load(program, **options):
    return minigrad.load(io.BytesIO(serialization.SIGNATURE + program), **options)


def refused(program, phrase=""):
    with refuses(ValueError, phrase, "MG403") as caught:
        load(program)
    return str(caught.value)


def data(obj):
    """The instructions that put plain data on the stack."""
    return pickle.dumps(obj, 2)[2:-1]


def call(maker, *arguments):
    return maker + b"(" + b"".join(arguments) + b"tR"


def kind(name):
    return call(b"cminigrad.dtypes\nnamed\n", data(name))


def blob(content):
    return b"B" + struct.pack("<I", len(content)) + content


def window(content=b"\0" * 32, dtype=None, offset=0, shape=(2,), strides=(8,), requires_grad=False):
    """A tensor on a memory of ``content``, with nothing said that is not said here."""
    return (
        call(
            REBUILD,
            TENSOR,
            call(MEMORY, blob(content)),
            kind("float64") if dtype is None else dtype,
            data(offset),
            data(shape),
            data(strides),
            data(requires_grad),
        )
        + b"."
    )


def save(obj, file, protocol=5):
    """The older format, which minigrad wrote."""
    file.write(serialization.SIGNATURE + pickle.dumps(obj, protocol))


def honest(protocol=5):
    x = minigrad.arange(6.0).reshape(2, 3)
    x.note = {"epoch": [1, 2.5, None, True]}
    file = io.BytesIO()
    save(
        {
            "w": x,
            "row": x[0],
            "on": minigrad.tensor([True, False]),
            "z": minigrad.tensor([1j]),
            "shape": x.shape,
            "dtype": x.dtype,
            "more": (
                (1, "é"),
                {2, 3},
                frozenset({4}),
                1j,
                range(3),
                slice(1, None),
                b"abc",
                bytearray(b"d"),
                1 << 70,
                -1,
                ...,
            ),
            "ordered": collections.OrderedDict(a=1),
            "counts": collections.Counter("aab"),
        },
        file,
        protocol,
    )
    return file.getvalue()


# ------------------------------------------------------------------------------ honest files

def test_a_class_is_known_by_the_name_that_it_had():
    assert b"minigrad\nTensor\n" in honest(0)
    older = honest(0).replace(b"minigrad\nTensor\n", b"minigrad._core.graph\nTensor\n")
    assert minigrad.load(io.BytesIO(older))["w"].tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("protocol", range(6))
def test_every_protocol_comes_back(protocol):
    back = minigrad.load(io.BytesIO(honest(protocol)))
    assert back["w"].tolist() == [[0, 1, 2], [3, 4, 5]] and back["w"].note == {"epoch": [1, 2.5, None, True]}
    back["row"][0] = 7
    assert back["w"][0, 0] == 7 and back["on"].tolist() == [True, False] and back["z"].tolist() == [1j]
    assert type(back["shape"]) is minigrad.Size and back["dtype"] is minigrad.float32
    assert back["more"] == (
        (1, "é"),
        {2, 3},
        frozenset({4}),
        1j,
        range(3),
        slice(1, None),
        b"abc",
        bytearray(b"d"),
        1 << 70,
        -1,
        ...,
    )
    assert type(back["ordered"]) is collections.OrderedDict and back["counts"] == collections.Counter("aab")


def test_defaultdicts_devices_layouts_and_types_of_their_own_attributes():
    named = collections.OrderedDict(w=1)
    named._metadata = {"version": 2}
    file = io.BytesIO()
    save(
        [
            collections.defaultdict(list, a=[1]),
            minigrad.device("cuda:1"),
            minigrad.strided,
            minigrad.contiguous_format,
            named,
        ],
        file,
    )
    file.seek(0)
    lists, device, strided, order, again = minigrad.load(file)
    assert lists["new"] == [] and lists["a"] == [1] and device == minigrad.device("cuda:1")
    assert strided is minigrad.strided and order is minigrad.contiguous_format and again._metadata == {"version": 2}


def test_what_holds_itself_and_what_is_held_twice():
    ring = [1]
    ring.append(ring)
    file = io.BytesIO()
    save([ring, ring], file)
    file.seek(0)
    a, b = minigrad.load(file)
    assert a is b and a[1] is a


def test_a_large_tensor_comes_in_pieces(monkeypatch):
    monkeypatch.setattr(unpickler, "PIECE", 1000)
    x = minigrad.arange(10000)
    file = io.BytesIO()
    save(x, file)
    file.seek(0)
    assert minigrad.equal(minigrad.load(file), x)


def test_a_tensor_that_lies_backwards_is_written_as_a_copy():
    file = io.BytesIO()
    save(wrap(np.arange(3.0)[::-1], False), file)
    file.seek(0)
    assert minigrad.load(file).tolist() == [2, 1, 0]


# ------------------------------------------------------------------------------ forged windows


def test_an_honest_window_written_by_hand():
    assert load(window(struct.pack("<4d", 1, 2, 3, 4), offset=8, shape=(2,), strides=(16,))).tolist() == [2, 4]


WINDOWS = {
    "an object dtype by way of a container": {"dtype": call(ORDERED)},
    "an object dtype by name": {"dtype": kind("object")},
    "a dtype that is a text": {"dtype": data("float64")},
    "a dtype that is a number": {"dtype": data(12)},
    "beyond the end": {"shape": (5,)},
    "beyond the end by its strides": {"strides": (32,)},
    "beyond the end by its offset": {"offset": 24},
    "before the beginning": {"offset": -8},
    "strides backwards": {"offset": 8, "strides": (-8,)},
    "strides without a shape": {"strides": (8, 8)},
    "a shape without strides": {"strides": ()},
    "a size that is negative": {"shape": (-2,)},
    "two sizes that are negative": {"shape": (-2, -2), "strides": (8, 8)},
    "sizes whose product overflows": {"shape": (2**32, 2**32), "strides": (0, 0)},
    "sizes whose product overflows beside a 0": {"shape": (0, 2**62, 2**62), "strides": (0, 0, 0)},
    "a size beyond 64 bits": {"shape": (2**70,), "strides": (0,)},
    "strides beyond 64 bits": {"shape": (1,), "strides": (2**64 + 8,)},
    "an offset beyond 64 bits": {"offset": 2**64},
    "an offset that is a float": {"offset": 0.0},
    "a size that is a bool": {"shape": (True,)},
    "sizes that are floats": {"shape": (2.0,)},
    "sizes in a list": {"shape": [2]},
    "too many dims": {"shape": (1,) * 65, "strides": (8,) * 65},
    "no memory": {"content": b""},
    "requires_grad that is a number": {"requires_grad": 1},
    "integers that require grad": {"dtype": kind("int64"), "requires_grad": True},
    "a bool of 2": {"content": b"\x01\x02", "dtype": kind("bool"), "strides": (1,)},
}


@pytest.mark.parametrize("placed", [{"offset": 4}, {"strides": (12,)}, {"offset": 4, "strides": (12,)}])
def test_a_window_that_lies_between_elements_is_written_as_a_copy(placed):
    content, step = bytearray(32), placed.get("strides", (8,))[0]
    for i in range(2):
        struct.pack_into("<d", content, placed.get("offset", 0) + i * step, 1.5 + i)
    found, file = load(window(bytes(content), **placed)), io.BytesIO()
    assert found.tolist() == [1.5, 2.5]
    minigrad.save(found, file)
    file.seek(0)
    assert minigrad.load(file).tolist() == [1.5, 2.5]


def test_a_tensor_without_numbers_comes_back():
    file = io.BytesIO()
    save(minigrad.empty(2, 3, device="meta", requires_grad=True), file)
    file.seek(0)
    back = minigrad.load(file)
    assert back.is_meta and back.shape == (2, 3) and back.stride() == (3, 1) and back.requires_grad


@pytest.mark.parametrize("shape, strides", [((2,), (8, 8)), ((-1,), (8,)), ((2,), (-8,))])
def test_nor_has_one_any_shape_or_strides(shape, strides):
    refused(call(b"cminigrad.serialization\nrebuild_meta\n", TENSOR, kind("float64"), data(shape), data(strides),
                 data(False)) + b".", "no tensor has shape")


def test_the_oldest_protocols_make_nothing_but_a_size_of_a_class():
    refused(call(b"ccopy_reg\n_reconstructor\n", b"c__builtin__\ndict\n", b"c__builtin__\ntuple\n", data((1,))) + b".",
            "no such object")


@pytest.mark.parametrize("forgery", WINDOWS)
def test_a_window_shows_nothing_but_its_memory(forgery):
    refused(window(**WINDOWS[forgery]))


@pytest.mark.parametrize(
    "forgery", [name for name, options in WINDOWS.items() if not isinstance(options.get("dtype"), bytes)]
)
def test_nor_does_one_that_python_itself_unpickles(forgery):
    options = {"offset": 0, "shape": (2,), "strides": (8,), "requires_grad": False, "content": b"\0" * 32} | WINDOWS[
        forgery
    ]
    try:
        tensor = serialization.rebuild(
            minigrad.Tensor,
            serialization.Memory(options["content"]),
            minigrad.float64,
            options["offset"],
            options["shape"],
            options["strides"],
            options["requires_grad"],
        )
    except ValueError as problem:
        assert problem.code == "MG403"
    else:  # a list for a tuple, a number for a bool
        assert tensor.tolist() == [0, 0]


def test_a_pickle_that_python_reads_has_no_forged_window():
    program = window(shape=(1000,))
    with refuses(ValueError, "reaches beyond its memory of 32 bytes", "MG403"):
        pickle.loads(program)
    with refuses(ValueError, "reaches beyond its memory of 32 bytes", "MG403"):
        load(program, weights_only=False)


@pytest.mark.parametrize(
    "program",
    [
        call(REBUILD) + b".",
        call(REBUILD, data(1)) + b".",
        call(MEMORY) + b".",
        call(MEMORY, data("text")) + b".",
        call(MEMORY, data(1 << 40)) + b".",
        call(MEMORY, call(MEMORY, blob(b"x"))) + b".",
        call(TENSOR) + b".",
        call(TENSOR, data([1.0])) + b".",
        TENSOR + b")\x81.",
        call(
            REBUILD, MEMORY, call(MEMORY, blob(b"12345678")), kind("float64"), data(0), data(()), data(()), data(False)
        )
        + b".",
        call(REBUILD, TENSOR, blob(b"12345678"), kind("float64"), data(0), data(()), data(()), data(False)) + b".",
    ],
)
def test_makers_of_tensors_with_wrong_arguments(program):
    refused(program)


def test_no_number_is_made_of_a_tensor():
    """``complex(tensor)`` and ``range(tensor)`` would run ours, inside the loader, on a tensor that is not finished."""
    for maker in (
        b"cbuiltins\ncomplex\n",
        b"cbuiltins\nrange\n",
        b"cbuiltins\nslice\n",
        b"cbuiltins\nset\n",
        b"cbuiltins\nbytearray\n",
        b"ccollections\nCounter\n",
        b"cminigrad.sizes_and_devices\nSize\n",
    ):
        refused(call(maker, window()[:-1]) + b".")


# ------------------------------------------------------------------------------ foreign code

FOREIGN = [
    "os system",
    "builtins eval",
    "builtins exec",
    "builtins getattr",
    "builtins __import__",
    "builtins open",
    "posix system",
    "subprocess Popen",
    "minigrad load",
    "minigrad.serialization load",
    "minigrad.serialization Machine",
    "minigrad.serialization np.load",
    "minigrad.serialization pickle.loads",
    "minigrad.__main__ main",
    "minigrad.viz play",
    "minigrad.autograd.function Function",
    "numpy ndarray",
    "numpy.core.multiarray _reconstruct",
    "minigrad._core.graph wrap",
    "minigrad.no_such_module x",
    "builtins type",
    "collections namedtuple",
    "functools partial",
    "operator attrgetter",
    "copyreg __newobj__",
    "_pickle Unpickler",
]


@pytest.mark.parametrize("name", FOREIGN)
def test_no_name_is_imported(name):
    module, name = name.split(" ")
    loaded = set(sys.modules)
    for program in (
        f"c{module}\n{name}\n(S'1'\ntR.".encode(),
        f"c{module}\n{name}\n)R.".encode(),
        f"c{module}\n{name}\n)\x81.".encode("latin1"),
        data(module) + data(name) + b"\x93)R.",
        f"c{module}\n{name}\n.".encode(),
    ):
        assert "Weights only load failed: the file wants to import" in refused(program)
    assert set(sys.modules) == loaded


def test_a_module_beside_the_program_is_not_imported(tmp_path, monkeypatch):
    (tmp_path / "planted.py").write_text("import pathlib; pathlib.Path('it ran').touch()")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    refused(b"cplanted\nTensor\n.", "planted.Tensor")
    refused(b"cminigrad.planted\nTensor\n.", "minigrad.planted.Tensor")
    assert "planted" not in sys.modules and not (tmp_path / "it ran").exists()


@pytest.mark.parametrize("code", [code for code in range(256) if bytes([code]) not in unpickler._STEPS])
def test_other_instructions_are_unknown(code):
    """INST, OBJ, NEWOBJ_EX, PERSID, EXT1, NEXT_BUFFER, what only Python 2 wrote, and what is none."""
    refused(b"(cbuiltins\nlist\n)" + bytes([code]) + b"\0" * 8 + b"\n.", f"no instruction {bytes([code])!r}")


def test_the_instructions_that_are_known_are_pythons():
    ours, pythons = set(unpickler._STEPS), {op.code.encode("latin1") for op in pickletools.opcodes}
    assert pythons >= ours and {
        next(op.name for op in pickletools.opcodes if op.code.encode("latin1") == code) for code in pythons - ours
    } == {
        "INST",
        "OBJ",
        "NEWOBJ_EX",
        "PERSID",
        "EXT1",
        "EXT2",
        "EXT4",
        "NEXT_BUFFER",
        "READONLY_BUFFER",
        "STRING",
        "BINSTRING",
        "SHORT_BINSTRING",
        "DUP",
    }


MAKERS = [
    f"c{module}\n{name}\n".encode()
    for (module, name), made in serialization.NAMES.items()
    if type(made) is unpickler.Maker
]
ARGUMENTS = [
    b"",
    data(1),
    data("float32"),
    data([1]),
    data({"a": 1}),
    data(b"x"),
    data((1, 2)),
    data(None),
    TENSOR,
    MEMORY,
    window()[:-1],
    data([[1]]),
    data("x" * 3) + data("latin1"),
    data(1) + data(2) + data(3),
    call(ORDERED),
    b"cbuiltins\nlist\n",
]


@pytest.mark.parametrize("maker", MAKERS)
def test_each_maker_with_all_kinds_of_arguments(maker):
    for arguments in ARGUMENTS:
        for program in (
            call(maker, arguments) + b".",
            maker + b"(" + arguments + b"t\x81.",
            maker + arguments + b"R.",
            maker + arguments + b"b.",
            b"]" + maker + b"a.",
            b"}" + maker + b"K\x01s.",
        ):
            usable_or_refused(serialization.SIGNATURE + program)


# ------------------------------------------------------------------------------ attributes, elements, entries


@pytest.mark.parametrize(
    "state",
    [
        {"_array": 1},
        {"grad": None},
        {"data": 1},
        {"requires_grad": True},
        {"sum": 1},
        {"backward": 1},
        {"__class__": 1},
        {"__dict__": {}},
        {"__reduce_ex__": 1},
        {1: 2},
        {"not a name": 1},
        [1],
        "text",
        (None, {"data": 1}),
        None,
        5,
    ],
)
def test_attributes_of_a_tensor_hide_nothing(state):
    refused(window()[:-1] + data(state) + b"b.")


@pytest.mark.parametrize("state", [{"items": 1}, {"keys": []}, {"__class__": 1}, {"__setitem__": 1}])
def test_nor_do_those_of_a_dict(state):
    refused(call(ORDERED) + data(state) + b"b.")


@pytest.mark.parametrize(
    "bearer",
    [
        data({}),
        data([]),
        data(1),
        TENSOR,
        MEMORY,
        REBUILD,
        ORDERED,
        kind("float32"),
        call(MEMORY, blob(b"x")),
        call(b"cminigrad.sizes_and_devices\nSize\n", data((1,))),
        b"cbuiltins\nlist\n",
    ],
)
def test_nothing_else_is_given_attributes(bearer):
    for state in ({"window": 1}, {"__code__": 1}, {"numpy": 1}, {"make": 1}, {}, (None, {"make": 1})):
        refused(bearer + data(state) + b"b.")


def test_a_file_leaves_the_library_as_it_was():
    before = {key: (made.make, made.type) for key, made in serialization.NAMES.items() if type(made) is unpickler.Maker}
    for program in (
        MEMORY + b"}Vwindow\nK\x01sb.",
        TENSOR + b"}Vsum\nK\x01sb.",
        b"cminigrad.dtypes\nnamed\n}V__code__\nNsb.",
        kind("float32") + b"}Vnumpy\nNsb.",
        b"cminigrad.sizes_and_devices\nstrided\n}Vname\nVx\nsb.",
    ):
        refused(program)
    assert before == {
        key: (made.make, made.type) for key, made in serialization.NAMES.items() if type(made) is unpickler.Maker
    }
    assert dtypes.float32.numpy == np.float32 and load(window()).sum() == 0


@pytest.mark.parametrize(
    "target",
    [window()[:-1], data(1), data((1,)), kind("float32"), TENSOR, call(b"cbuiltins\nbytearray\n"), b"\x8f", b"}"],
)
def test_elements_go_into_lists_only(target):
    refused(target + b"K\x01a.")
    refused(target + b"(K\x01e.")


@pytest.mark.parametrize("target", [window()[:-1], data(1), data([1]), kind("float32"), TENSOR, b"\x8f"])
def test_entries_go_into_dicts_only(target):
    refused(target + b"K\x00K\x01s.")
    refused(target + b"(K\x00K\x01u.")
    refused(b"}(K\x00u.", "a key without a value")


@pytest.mark.parametrize("target", [window()[:-1], data(1), data([1]), TENSOR, b"}"])
def test_members_go_into_sets_only(target):
    refused(target + b"(K\x00\x90.")


@pytest.mark.parametrize(
    "key",
    [
        b"]",
        b"}",
        TENSOR,
        call(MEMORY, blob(b"x")),
        call(ORDERED),
        b"]\x85",
        call(b"cbuiltins\nslice\n", data(1), data(1), data(1)),
    ],
)
def test_keys_are_plain(key):
    for program in (
        b"}" + key + b"K\x01s.",
        b"\x8f(" + key + b"\x90.",
        b"(" + key + b"\x91.",
        b"(" + key + b"K\x01d.",
        b"}" + key + b"K\x01s0K\x01.",
        call(b"cbuiltins\nset\n", b"](" + key + b"e") + b".",
    ):
        refused(program)


@pytest.mark.parametrize("rest", [TENSOR, MEMORY, b"cbuiltins\nlist\n", call(MEMORY, blob(b"x"))])
def test_the_rest_is_data(rest):
    for program in (
        rest + b".",
        b"]" + rest + b"a.",
        b"}K\x01" + rest + b"s.",
        rest + b"\x85.",
        call(ORDERED) + b"}Vx\n" + rest + b"sb.",
    ):
        refused(program, "is where data should be")


# ------------------------------------------------------------------------------ much from little


def peak_of(program):
    tracemalloc.start()
    try:
        usable_or_refused(serialization.SIGNATURE + program)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "claim",
    [
        b"\x8e" + struct.pack("<Q", 2**62) + b"x.",
        b"\x96" + struct.pack("<Q", 2**63 - 1) + b"x.",
        b"\x8d" + struct.pack("<Q", 2**40) + b"x.",
        b"B\xff\xff\xff\xffx.",
        b"X\xff\xff\xff\xffx.",
        b"\x8b\xff\xff\xff\xffx.",
        b"\x95" + b"\xff" * 8 + b"N.",
        b"r\xff\xff\xff\xff.",
        b"N" + b"r\xff\xff\xff\xff.",
        b"p999999999999999999999\n.",
        b"Np999999999999999999999\n.",
    ],
)
def test_a_length_is_not_believed(claim):
    assert peak_of(claim) < 2e6


def test_the_same_data_is_not_copied_again_and_again():
    large = blob(bytes(10**5)) + b"q\x00"
    program = b"](" + large + b"0" + (MEMORY + b"q\x010") + (b"h\x01h\x00\x85R") * 1000 + b"e."
    refused(program, "uses the same data again and again")
    assert peak_of(program) < 5e6
    for maker in (b"cbuiltins\nbytearray\n",):
        refused(b"](" + large + b"0" + (maker + b"q\x010") + (b"h\x01h\x00\x85R") * 1000 + b"e.", "again and again")


@pytest.mark.parametrize(
    "wrapping",
    [
        b"\x85",
        b"q\x000]h\x00a",
        b"q\x000}K\x01h\x00s",
        b"q\x000" + call(ORDERED) + b"K\x01h\x00s",
        b"q\x000ccollections\ndefaultdict\n)RK\x01h\x00s",
        b"q\xc80" + window()[:-1] + b"}Vnote\nh\xc8sb",
    ],
)
@pytest.mark.drawn
def test_nesting_has_an_end(wrapping):
    """Deep tuples are hashed, and some containers freed, by recursion:
    a hundred thousand levels would end the process."""
    assert load(b"]" + wrapping * 900 + b".") is not None
    refused(b"]" + wrapping * (20_000 if len(wrapping) > 50 else 100_000) + b".", "more than 1000 levels deep")
    refused(b"(" * 100_000 + b"]" + b"l" * 100_000 + b".", "more than 1000 levels deep")


def test_what_is_dropped_on_the_way_may_be_deep():
    for wrapping in (b"q\x000ccollections\ndefaultdict\n)RK\x01h\x00s", b"q\xc80" + window()[:-1] + b"}Vnote\nh\xc8sb"):
        assert load(b"]" + wrapping * 20_000 + b"0Nq\x00.") is None


def test_nesting_that_is_listed_from_the_inside_out():
    inside_out = (
        b"](]q\x00"
        + b"".join([b"]r" + struct.pack("<I", i + 1) + b"j" + struct.pack("<I", i) + b"a" for i in range(3000)])
        + b"e."
    )
    refused(inside_out, "more than 1000 levels deep")


def test_a_key_is_not_hashed_for_ever():
    """Thirty pairs of pairs have a billion leaves, and a tuple does not remember its hash."""
    refused(b"}K\x01" + b"q\x000h\x00h\x00\x86" * 60 + b"K\x01s.", "a key is a tuple too large")
    refused(b"}" + b")" + b"\x85" * 100_000 + b"K\x01s.", "a key is a tuple too large")
    refused(b"(" + b")" + b"\x85" * 100_000 + b"\x91.", "a key is a tuple too large")


# ------------------------------------------------------------------------------ the machine's own state


@pytest.mark.parametrize(
    "program",
    [
        b"",
        b".",
        b"N",
        b"(.",
        b"(N.",
        b"NN.",
        b"0.",
        b"1.",
        b"t.",
        b"a.",
        b"s.",
        b"R.",
        b"b.",
        b"\x94.",
        b"h\x00.",
        b"j\0\0\0\0.",
        b"g0\n.",
        b"gx\n.",
        b"Ix\n.",
        b"L1e5\n.",
        b"Fx\n.",
        b"I" + b"9" * 5000 + b"\n.",
        b"\x80\x09N.",
        b"\x86.",
        b"N\x86.",
        b"NN\x87.",
        b"Vx",
        b"cos\nsystem",
        b"X\x02\0\0\0\xff\xff.",
        b"V\\uD8\n.",
        b"K\x01K\x02\x93.",
        b"G\0\0.",
        b"(u.",
        b"(e.",
        b"(d",
        b"\x95\0.",
        b"(Nd.",
        b"NNR.",
        b"N)R.",
        b"N)\x81.",
    ],
)
def test_programs_that_are_none(program):
    refused(program)


def test_the_memory_of_the_machine():
    assert load(b"]q\x00K\x050h\x00K\x05a0.") == [5]
    refused(b"h\x07.", "asks for an entry of its memory that is not there")
    refused(b"]q\x000]r\xff\xff\xff\x7f0h\x01.", "asks for an entry of its memory that is not there")


# ------------------------------------------------------------------------------ other files, and damage


def archive(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(name.replace("__", "/"), content)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        archive(data__pkl=b"cos\nsystem\n(Vtouch x\ntR."),
        archive(),
        archive(x=b"\0" * 10**6),
        archive(archive__data__pkl=pickle.dumps([1]))[:40],
        b"PK\x03\x04",
        b"\x80\x02].",
        pickle.dumps([1]),
    ],
    ids=["names a function", "holds nothing", "holds zeros", "cut", "four bytes", "pops nothing", "no archive"],
)
def test_archives_and_other_pickles_are_not_opened(content, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for options in ({}, {"weights_only": False}):
        with refuses(ValueError, "", "MG403"):
            minigrad.load(io.BytesIO(content), **options)
    assert not list(tmp_path.iterdir())


def test_a_file_open_for_text(tmp_path):
    (tmp_path / "x").write_text("minigrad and more")
    with (
        open(tmp_path / "x", encoding="utf-8") as file,
        refuses(ValueError, "this is not a file of torch.save", "MG403"),
    ):
        minigrad.load(file)


def used(x):
    """Touch all that came out, as a program might."""
    repr(x)
    pending, seen = [x], set()
    while pending:
        each = pending.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, minigrad.Tensor):
            assert each.numel() * each.element_size() < 2**63
            if each.numel() < 10**6:
                each.clone().sum()
            pending += vars(each).values()
        elif isinstance(each, dict):
            pending += [*each, *each.values()]
        elif isinstance(each, (list, tuple, set, frozenset)):
            pending += each
        else:
            assert (
                each is None
                or each is ...
                or type(each) in (bool, int, float, complex, str, bytes, bytearray, range, slice)
                or isinstance(
                    each, (minigrad.dtype, minigrad.device, type(minigrad.strided), type(minigrad.contiguous_format))
                )
            )


def usable_or_refused(content):
    try:
        back = minigrad.load(io.BytesIO(content))
    except ValueError as problem:
        assert getattr(problem, "code", None) == "MG403", repr(problem)
        return False
    used(back)
    return True


@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
def test_cut_short_at_every_byte(protocol):
    content = honest(protocol)
    assert usable_or_refused(content)
    for end in range(len(content)):
        assert not usable_or_refused(content[:end])


@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
@pytest.mark.drawn
def test_every_byte_changed(protocol):
    content, dice = honest(protocol), random.Random(protocol)
    for place in range(len(content)):
        for new in (content[place] ^ 1 << dice.randrange(8), dice.randrange(256)):
            usable_or_refused(content[:place] + bytes([new]) + content[place + 1 :])


@pytest.mark.parametrize("seed", range(4))
def test_programs_at_random(seed):
    """Instructions in any order, after a beginning that puts one of everything into the machine's memory."""
    dice = random.Random(seed)
    stock = [
        data(1),
        data("note"),
        data([1]),
        data({}),
        data((2,)),
        window()[:-1],
        TENSOR,
        MEMORY,
        REBUILD,
        ORDERED,
        blob(b"12345678"),
        kind("float64"),
        call(ORDERED),
        b"(",
        b")",
        data("latin1"),
        *MAKERS,
    ]
    fetch = [b"h" + bytes([i]) for i in range(len(stock))]
    beginning = b"".join(
        each + b"q" + bytes([i]) + (b"0" if each != b"(" else b"10") for i, each in enumerate(stock) if each != b"("
    )
    steps = [code for code in unpickler._STEPS if code not in b"XBCT\x8c\x8a\x8b\x8d\x8e\x96cgpVILF"]
    for _ in range(400):
        body = b"".join(
            (
                dice.choice(fetch)
                if dice.random() < 0.6
                else dice.choice(steps) + bytes([dice.randrange(len(stock))]) * (dice.random() < 0.2)
            )
            for _ in range(dice.randrange(1, 25))
        )
        usable_or_refused(serialization.SIGNATURE + beginning + body + b".")
