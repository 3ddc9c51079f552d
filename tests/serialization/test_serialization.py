"""``save`` and ``load`` in PyTorch's format: what PyTorch wrote, what it reads, and what neither may do.

Files of PyTorch are in parity/records (made by make_files.py).  Hostile pickles are in test_pickles.py.
"""

import copy
import io
import os
import pickle
import random
import struct
import threading
import zipfile
from collections import OrderedDict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import minigrad
from minigrad import nn, serialization
from minigrad.serialization import archive as archives
from tests.checking import refuses
from tests.serialization.test_pickles import used

RECORDED = Path(__file__).resolve().parents[1] / "parity" / "records"


def saved(obj, **options):
    file = io.BytesIO()
    minigrad.save(obj, file, **options)
    return file.getvalue()


def back(content, **options):
    return minigrad.load(io.BytesIO(content), **options)


def contents(torch):
    """The same objects in minigrad and in PyTorch."""
    x = torch.arange(6.0).reshape(2, 3)
    named = OrderedDict(w=x, row=x[1], turned=x.t(), step=torch.tensor(3.5), none=torch.empty(0, 3),
                        p=torch.nn.Parameter(torch.ones(2)))
    named._metadata = OrderedDict({"": {"version": 1}})
    noted, of_row = torch.ones(2), torch.nn.Parameter(torch.ones(2), requires_grad=False)
    noted.note = of_row.note = ["kept"]
    dtypes = [torch.tensor([0, 1], dtype=getattr(torch, name)) for name in (
        "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64",
        "complex128", "uint16", "uint32", "uint64")]
    return [named, noted, of_row, dtypes, torch.ones(2, requires_grad=True), x.shape, torch.float64, torch.strided,
            torch.device("cuda:1"), x.expand(4, 2, 3), torch.empty(2, 3, device="meta"),
            [1, 2.5, 1j, None, True, "é", b"ab", (1, {2}), 1 << 70, bytearray(b"c")]]


# ------------------------------------------------------------------------------ what PyTorch wrote

@pytest.mark.parametrize("name", ["pytorch.pt", "pytorch_before_zip.pt"])
@pytest.mark.parametrize("weights_only", [True, False])
def test_files_that_pytorch_wrote(name, weights_only):
    found = minigrad.load(RECORDED / name, weights_only=weights_only)
    state = found["state"]
    assert type(state) is OrderedDict and state._metadata[""] == {"version": 1}
    assert state["w"].tolist() == [[0, 1, 2], [3, 4, 5]] and state["step"].item() == 3.5
    assert state["turned"].stride() == (1, 3) and state["none"].shape == (0, 3)
    state["w"][1, 0] = 9
    assert state["row"].tolist() == [9, 4, 5] and state["turned"][0, 1] == 9
    assert type(state["p"]) is nn.Parameter and state["p"].requires_grad and not state["frozen"].requires_grad
    assert found["noted"].note == ["kept"] and found["leaf"].requires_grad and found["conj"].tolist() == [1 - 2j]
    assert [str(x.dtype) for x in found["dtypes"]][-3:] == (
        ["torch.uint16", "torch.uint32", "torch.uint64"] if name == "pytorch.pt" else
        ["torch.float64", "torch.complex64", "torch.complex128"])
    assert all(x.tolist() == [0, 1] for x in found["dtypes"])
    assert type(found["size"]) is minigrad.Size and found["dtype"] is minigrad.float64
    assert found["device"] == minigrad.device("cuda:1")
    assert found["plain"] == [1, 2.5, 1j, None, True, "é", b"ab", (1, {2}), 1 << 70]


def test_a_checkpoint_of_a_training():
    found = minigrad.load(RECORDED / "pytorch_training.pt")
    assert found["model"]["weight"].ravel().tolist() == pytest.approx([0.9, 1.9])
    assert found["optimizer"]["state"][0]["step"].item() == 1 and found["optimizer"]["param_groups"][0]["lr"] == 0.1


def test_a_file_from_before_the_archives():
    found = minigrad.load(RECORDED / "before_zip.mg")
    state = found["state"]
    state["w"].data[0, 1] = 7
    assert state["row"].tolist() == [0, 7, 2] and state["w"].requires_grad and state._metadata == {"": {"version": 1}}
    assert (found["step"], found["dtype"], found["note"]) == (3, minigrad.float32, ("é", {2, 3}, None, True))


@pytest.mark.parity
def test_pytorch_and_minigrad_write_the_same_bytes():
    torch = pytest.importorskip("torch")
    theirs = io.BytesIO()
    torch.save(contents(torch), theirs)
    ours, theirs = saved(contents(minigrad)), theirs.getvalue()
    named = ours.index(b"serialization_id")                 # what follows is a number made at random
    assert ours[:named] == theirs[:named] and len(ours) == len(theirs)


@pytest.mark.parity
def test_pytorch_reads_what_minigrad_wrote(tmp_path):
    torch = pytest.importorskip("torch")
    minigrad.save(contents(minigrad), tmp_path / "x.pt")
    for options in ({}, {"mmap": True}, {"weights_only": False}):
        found = torch.load(tmp_path / "x.pt", **options)
        assert str(found) == str(contents(torch)) and found[0]["p"].requires_grad and found[1].note == ["kept"]
        found[0]["w"][1, 0] = 9
        assert found[0]["row"][0] == 9


# ------------------------------------------------------------------------------ there and back

@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_there_and_back(protocol):
    given = contents(minigrad)
    assert str(back(saved(given, pickle_protocol=protocol))) == str(given)


def test_a_record_begins_at_a_multiple_of_64_and_views_share_one():
    x = minigrad.arange(1000.0)
    content = saved([x, x[3:5], minigrad.ones(3)])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        assert [name for name in archive.namelist() if "/data/" in name] == ["archive/data/0", "archive/data/1"]
        assert archive.read("archive/byteorder") == b"little" and archive.read("archive/version") == b"3\n"
    found = archives.Archive(io.BytesIO(content))
    assert all(found.find(name)[0] % 64 == 0 for name in found.records if found.find(name)[1])


def test_long_sizes(monkeypatch):
    """Numbers that four bytes do not hold are in an extra field; here two bytes stand for the four."""
    monkeypatch.setattr(archives, "LONG", 1000)
    x = minigrad.arange(1000.0)
    content = saved([x, x.clone()])
    assert archives._long_sizes(2000, 3000) and all(minigrad.equal(x, each) for each in back(content))


def test_a_file_in_the_middle_of_another():
    content = b"before" + saved(minigrad.ones(2))
    file = io.BytesIO(content)
    file.seek(6)
    assert minigrad.load(file).tolist() == [1, 1]


class InPieces:
    """A file that gives a few bytes at a time, and none behind ``end``."""

    def __init__(self, content, end=None):
        self.file, self.end = io.BytesIO(content), len(content) if end is None else end
        self.seek, self.tell = self.file.seek, self.file.tell

    def read(self, n=-1):
        return self.file.read(max(0, min(n, 100, self.end - self.file.tell())))


def test_a_file_that_is_read_in_pieces():
    content = saved(minigrad.arange(1000.0))
    assert minigrad.equal(minigrad.load(InPieces(content)), minigrad.arange(1000.0))
    with refuses(ValueError, "it ends too early", "MG403"):
        minigrad.load(InPieces(content, end=len(content) - 10))


def test_a_stream_that_cannot_go_back():
    class Pipe:
        def __init__(self, content):
            self.file = io.BytesIO(content)

        def read(self, n=-1):
            return self.file.read(n)

    assert minigrad.load(Pipe(saved(minigrad.ones(2)))).tolist() == [1, 1]


def test_modules_and_their_state():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(minigrad.ones(2))
            self.register_buffer("mean", minigrad.zeros(1))

    net = Net()
    net.w.data[0] = 5
    state = back(saved(net.state_dict()))
    other = Net()
    other.load_state_dict(state)
    assert other.w.tolist() == [5, 1] and state._metadata == net.state_dict()._metadata
    twin = copy.deepcopy(net)
    assert twin.w.tolist() == [5, 1] and twin.w is not net.w and type(twin.w) is nn.Parameter
    assert back(saved(nn.Buffer(minigrad.ones(1)))).persistent


def test_whole_modules_need_trust():
    net = nn.Sequential()
    content = saved(net)
    with refuses(ValueError, "Weights only load failed", "MG403") as caught:
        back(content)
    assert "add_safe_globals" in str(caught.value) and "Sequential" in str(caught.value)
    assert type(back(content, weights_only=False)) is nn.Sequential
    with refuses(ValueError, "torch.nn.modules.linear.Linear", "MG403"):
        minigrad.load(RECORDED / "pytorch_module.pt")


def test_what_the_user_allows():
    content = saved([Fraction(1, 3)])
    for options in ([Fraction], [(Fraction, "fractions.Fraction")]):
        with serialization.safe_globals(options):
            assert back(content) == [Fraction(1, 3)] and serialization.get_safe_globals() == options
            assert serialization.get_unsafe_globals_in_checkpoint(io.BytesIO(content)) == []
    assert serialization.get_unsafe_globals_in_checkpoint(io.BytesIO(content)) == ["fractions.Fraction"]
    with refuses(ValueError, "fractions.Fraction", "MG403"):
        back(content)


class Settings:
    def __init__(self):
        self.lr = 0.1


class InSlots:
    __slots__ = ("lr",)

    def __init__(self):
        self.lr = 0.1


class Careful(Settings):
    def __setstate__(self, state):
        minigrad.ones(2) @ minigrad.ones(3)


def test_an_allowed_class_gets_its_state():
    with serialization.safe_globals([Settings, InSlots, Careful]):
        for made in (Settings, InSlots):
            assert back(saved({"settings": made()}))["settings"].lr == 0.1
        with refuses(ValueError, "is damaged", "MG403"):
            back(saved(Careful()))


def test_numpys_scalars_and_arrays_when_they_are_allowed():
    content = saved([np.float64(2.5), np.arange(3)])
    with refuses(ValueError, "Weights only load failed", "MG403"):
        back(content)
    scalar, array = np.float64(1).__reduce__()[0], np.arange(1).__reduce__()[0]
    names = serialization.get_unsafe_globals_in_checkpoint(io.BytesIO(content))
    wanted = {name: {"scalar": scalar, "_reconstruct": array, "ndarray": np.ndarray, "dtype": np.dtype}[
        name.rpartition(".")[2]] for name in names}
    with serialization.safe_globals([(found, name) for name, found in wanted.items()]):
        number, numbers = back(content)
    assert number == 2.5 and numbers.tolist() == [0, 1, 2]


def test_os_is_never_allowed():
    class Evil:
        def __reduce__(self):
            return os.getcwd, ()

    content = saved(Evil())
    with serialization.safe_globals([(os.getcwd, "posix.getcwd")]), refuses(ValueError, "posix.getcwd", "MG403"):
        back(content)


# ------------------------------------------------------------------------------ where tensors go

def test_map_location():
    content = saved(minigrad.ones(2))
    for place in (None, "cpu", minigrad.device("cpu"), {"cuda:0": "cpu"}, lambda storage, name: storage,
                  lambda storage, name: None, lambda storage, name: storage.cpu()):
        assert back(content, map_location=place).tolist() == [1, 1]
    for place in ("meta", minigrad.device("meta"), {"cpu": "meta"}):
        assert back(content, map_location=place).is_meta
    seen = []
    back(content, map_location=lambda storage, name: seen.append((name, storage.nbytes(), storage.dtype)))
    assert seen == [("cpu", 8, minigrad.float32)]
    with refuses(RuntimeError, "map_location=torch.device('cpu')", "MG404"):
        back(content, map_location="cuda")


def on_cuda():
    """The file that a machine with a GPU writes."""
    pickled = zipfile.ZipFile(io.BytesIO(saved(minigrad.ones(2)))).read("archive/data.pkl")
    return archive({"data.pkl": pickled.replace(b"X\3\0\0\0cpu", b"X\6\0\0\0cuda:0"), "data/0": b"\0" * 8})


def test_tensors_of_a_gpu_ask_for_map_location():
    with refuses(RuntimeError, "Attempting to deserialize object on", "MG404"):
        back(on_cuda())
    for place in ("cpu", {"cuda:0": "cpu"}, lambda storage, name: storage):
        assert back(on_cuda(), map_location=place).tolist() == [0, 0]


def test_a_mapped_file_is_read_and_not_written(tmp_path):
    path = tmp_path / "x.pt"
    minigrad.save({"w": minigrad.ones(3), "none": minigrad.empty(0)}, path)
    before = path.read_bytes()
    w = minigrad.load(path, mmap=True)["w"]
    w[0] = 7
    assert w.tolist() == [7, 1, 1] and path.read_bytes() == before
    assert minigrad.load(str(path), mmap=True)["w"].tolist() == [1, 1, 1]
    assert len(saved(w)) < 2000                             # its own record, not the file
    with refuses(ValueError, "f must be a file path in order to use the mmap argument", "MG742"):
        back(before, mmap=True)
    with refuses(ValueError, "mmap can only be used with files saved with", "MG742"):
        minigrad.load(RECORDED / "pytorch_before_zip.pt", mmap=True)


# ------------------------------------------------------------------------------ nothing half done

class Stops:
    def __reduce__(self):
        raise KeyboardInterrupt


def test_a_save_that_stops_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x.pt"
    minigrad.save(1, path)
    with pytest.raises(KeyboardInterrupt):
        minigrad.save([minigrad.ones(2), Stops()], path)
    assert minigrad.load(path) == 1

    def full(self):
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(archives.Writer, "close", full)
        with pytest.raises(OSError, match="no space"):
            minigrad.save(2, path)
    assert minigrad.load(path) == 1 and os.listdir(tmp_path) == ["x.pt"]
    os.chmod(path, 0o640)
    minigrad.save(3, path)
    assert minigrad.load(path) == 3 and path.stat().st_mode & 0o777 == 0o640
    with pytest.raises(FileNotFoundError):
        minigrad.save(4, tmp_path / "nowhere" / "x.pt")
    with pytest.raises(IsADirectoryError):
        minigrad.save(4, tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_written_and_not_replaced(tmp_path):
    path, got = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    minigrad.save(minigrad.ones(2), path)
    reader.join()
    assert back(got[0]).tolist() == [1, 1] and path.is_fifo() and os.listdir(tmp_path) == ["pipe"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.pt").symlink_to(tmp_path / "x.pt")
    minigrad.save(1, tmp_path / "link.pt")
    assert (tmp_path / "link.pt").is_symlink() and minigrad.load(tmp_path / "x.pt") == 1


def test_what_save_refuses():
    z = minigrad.zeros(2, dtype=minigrad.complex64)
    with refuses(RuntimeError, "Cannot save multiple tensors or storages that view the same data as different types",
                 "MG741"):
        saved([z, minigrad.view_as_real(z)])
    with refuses(TypeError, "expected 'f' to be string, path, or a file-like object", "MG205"):
        minigrad.save(1, 5)
    for options in ({"pickle_protocol": 0}, {"pickle_module": random}):
        with refuses(ValueError, "Python's own pickle", "MG742"):
            saved(1, **options)
    with refuses(ValueError, "format", "MG742"):
        saved(1, _use_new_zipfile_serialization=False)
    with refuses(ValueError, "Python's own pickle", "MG742"):
        back(saved(1), pickle_module=random)


# ------------------------------------------------------------------------------ altered files

def archive(records, method=zipfile.ZIP_STORED, top="archive/"):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as made:
        for name, content in records.items():
            made.writestr(top + name, content)
    return file.getvalue()


def pickled(size=(2,), stride=(1,), offset=0, numel=2, kind="FloatStorage", key="0", lazily=None):
    put = lambda obj: pickle.dumps(obj, 2)[2:-1]
    storage = (b"(" + put("storage") + b"ctorch\n" + kind.encode() + b"\n" + put(key) + put("cpu") + put(numel) + b"tQ")
    return (b"\x80\2ctorch._utils\n_rebuild_tensor_v2\n(" + storage + put(offset) + put(size) + put(stride) + b"\x89"
            + b"ccollections\nOrderedDict\n)R" + (b"" if lazily is None else put(lazily)) + b"tR.")


def test_an_archive_by_other_hands():
    content = archive({"data.pkl": pickled(), "data/0": struct.pack("<2f", 1, 2)})
    assert back(content).tolist() == [1, 2]
    big = archive({"data.pkl": pickled(), "data/0": struct.pack(">2f", 1, 2), "byteorder": b"big"})
    assert back(big).tolist() == [1, 2]


def test_a_file_does_not_say_in_which_order_bytes_are():
    content = saved(minigrad.ones(2), _disable_byteorder_record=True)
    assert "archive/byteorder" not in zipfile.ZipFile(io.BytesIO(content)).namelist()
    assert back(content).tolist() == [1, 1]


@pytest.mark.parametrize("lazily, found", [
    ({"conj": True}, [1 - 2j]), ({"neg": True}, [-1 - 2j]), ({"conj": True, "neg": True}, [-1 + 2j]), ({}, [1 + 2j])])
def test_what_pytorch_left_to_be_done_when_a_tensor_is_used(lazily, found):
    content = archive({"data.pkl": pickled((1,), numel=1, kind="ComplexFloatStorage", lazily=lazily),
                       "data/0": struct.pack("<2f", 1, 2)})
    assert back(content).tolist() == found
    assert back(content, map_location="meta").is_meta


def test_the_function_that_made_tensors_in_the_first_files():
    program = pickled().replace(b"_rebuild_tensor_v2", b"_rebuild_tensor").replace(
        b"\x89ccollections\nOrderedDict\n)R", b"")
    assert back(archive({"data.pkl": program, "data/0": struct.pack("<2f", 1, 2)})).tolist() == [1, 2]


def test_a_trusted_file_may_name_what_is_elsewhere_in_pytorch():
    content = archive({"data.pkl": b"\x80\2ctorch.nn.modules.linear\nLinear\n."})
    assert back(content, weights_only=False) is nn.Linear
    with refuses(ValueError, "torch.nn.modules.linear.Linear", "MG403"):
        back(content)


def test_a_storage_has_one_dtype():
    first, other = pickled(), pickled(kind="IntStorage")
    both = b"\x80\2" + first[2:-1] + other[2:-1] + b"\x86."
    with refuses(ValueError, "storage 0 has two dtypes", "MG403"):
        back(archive({"data.pkl": both, "data/0": b"\0" * 8}))
    put = lambda obj: pickle.dumps(obj, 2)
    start = put(0x1950a86a20f9469cfc6c) + put(1001) + put({"little_endian": True})
    older = both.replace(b"tQ", b"NtQ")
    with refuses(ValueError, "storage 0 has two dtypes", "MG403"):
        back(start + older + put(["0"]) + struct.pack("<q", 2) + b"\0" * 8)


def test_storages_of_the_older_format_are_in_the_file():
    """So that a few bytes do not ask for gigabytes."""
    put = lambda obj: pickle.dumps(obj, 2)
    start = put(0x1950a86a20f9469cfc6c) + put(1001) + put({"little_endian": True})
    end = put(["0"]) + struct.pack("<q", 2) + struct.pack("<2f", 1, 2)
    assert back(start + pickled().replace(b"tQ", b"NtQ") + end).tolist() == [1, 2]
    with refuses(ValueError, "its storages are larger than the file", "MG403"):
        back(start + pickled(numel=1 << 40).replace(b"tQ", b"NtQ") + end)


@pytest.mark.parametrize("forgery", [{"stride": (1, 1)}, {"size": (-2,)}, {"size": (2, 2)}, {"stride": (-1,)}])
def test_a_tensor_without_numbers_has_a_shape_and_strides(forgery):
    with refuses(ValueError, "no tensor has", "MG403"):
        back(archive({"data.pkl": pickled(**forgery), "data/0": b"\0" * 8}), map_location="meta")


@pytest.mark.parametrize("forgery", [
    {"size": (3,)}, {"size": (2,), "stride": (2,)}, {"offset": 1}, {"offset": -1}, {"offset": 1, "stride": (-1,)},
    {"size": (-2,)}, {"size": (2**62, 2**62), "stride": (0, 0)}, {"size": (2**40,)}, {"stride": (2**61,)},
    {"stride": (1, 1)}, {"numel": 3}, {"numel": 1}, {"numel": 2**60}, {"numel": -1}, {"numel": 2.0}, {"key": "1"},
    {"key": "../x"}, {"kind": "DoubleStorage"}, {"kind": "float32"}, {"kind": "Tensor"}, {"kind": "HalfStorage"},
    {"size": [2]}, {"offset": 2**70}])
def test_a_tensor_shows_nothing_but_its_storage(forgery):
    with refuses(ValueError, "", "MG403"):
        back(archive({"data.pkl": pickled(**forgery), "data/0": b"\0" * 8}))


def test_an_expanded_scalar_is_not_a_bomb_until_it_is_used():
    found = back(archive({"data.pkl": pickled(size=(2**40,), stride=(0,)), "data/0": b"\0" * 8}))
    assert found.shape == (2**40,)


def test_archives_that_are_not_pytorchs():
    good = {"data.pkl": pickled(), "data/0": b"\0" * 8}
    for content in (
        archive(good, zipfile.ZIP_DEFLATED), archive({"data/0": b""}), archive({}), archive(good, top="/"),
        archive(good, top=""), archive(good, top="a/../"), archive(good, top="../a/"),
        archive({**good, "constants.pkl": b""}), archive({**good, "byteorder": b"middle"}),
    ):
        with refuses(ValueError, "", "MG403"):
            back(content)
    with pytest.warns(UserWarning, match="Duplicate name"):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as made:
            for _ in range(2):
                made.writestr("a/data.pkl", pickled())
    with refuses(ValueError, "two records", "MG403"):
        back(file.getvalue())


def test_directories_of_archives():
    content = archive({"data.pkl": pickled(), "data/0": bytes(8)})
    end = content.rindex(b"PK\5\6")
    size, place = struct.unpack_from("<II", content, end + 12)
    with refuses(ValueError, "the directory of the archive is longer than its records", "MG403"):
        back(content[:end] + b"more" + content[end:end + 12] + struct.pack("<II", size + 4, place) + content[end + 20:])
    with refuses(ValueError, "there is no record 'data.pkl'", "MG403"):
        back(b"PK\3\4PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 0, 0, 0, 4, 0))


def test_long_sizes_are_behind_other_fields():
    sizes = struct.pack("<HHQQQ", archives.LONG_SIZES, 24, 5 << 32, 5 << 32, 6 << 32)
    long = [archives.LONG] * 3
    for before in (b"", struct.pack("<HHI", 1234, 4, 0)):
        assert archives._long_numbers(before + sizes, *long) == (5 << 32, 5 << 32, 6 << 32)
        with refuses(ValueError, "a long size is missing", "MG403"):
            archives._long_numbers(before, *long)


def test_a_changed_number_is_noticed():
    content = bytearray(saved(minigrad.ones(100)))
    content[content.index(struct.pack("<f", 1)) + 40] ^= 1
    with refuses(ValueError, "was altered", "MG403"):
        back(bytes(content))


def test_files_of_pytorch_without_checksums():
    """``torch.serialization.set_crc32_options(False)`` writes 0."""
    content = saved(minigrad.ones(2))
    for part in zipfile.ZipFile(io.BytesIO(content)).infolist():
        content = content.replace(struct.pack("<I", part.CRC), bytes(4))
    assert back(content).tolist() == [1, 1]


def test_records_do_not_overlap():
    """Entries that name the same bytes would make much from little."""
    content = saved(minigrad.ones(2))
    entry = content.rindex(b"archive/data/0") - 46          # in the directory
    assert struct.unpack_from("<II", content, entry + 20) == (8, 8)
    with refuses(ValueError, "overlaps what follows it", "MG403"):
        back(content[:entry + 20] + struct.pack("<II", 200, 200) + content[entry + 28:])


def usable(content):
    try:
        used(back(content))
    except ValueError as problem:
        assert getattr(problem, "code", None) == "MG403", repr(problem)
        return False
    except RuntimeError as problem:                         # the name of another device
        assert getattr(problem, "code", None) == "MG404", repr(problem)
        return False
    return True


@pytest.mark.parametrize("make", [
    lambda: saved(contents(minigrad)), lambda: (RECORDED / "pytorch_before_zip.pt").read_bytes()],
    ids=["archive", "before archives"])
def test_damaged_files_give_data_or_an_error(make):
    content, dice = make(), random.Random(5)
    assert usable(content)
    for end in [dice.randrange(len(content)) for _ in range(60)]:
        assert not usable(content[:end])
    for _ in range(200):
        altered = bytearray(content)
        for _ in range(dice.choice((1, 1, 2, 8))):
            altered[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
        usable(bytes(altered))


def test_a_damaged_pickle_with_a_right_checksum():
    content, dice = saved(contents(minigrad)), random.Random(6)
    with zipfile.ZipFile(io.BytesIO(content)) as whole:
        records = {name.removeprefix("archive/"): whole.read(name) for name in whole.namelist()}
    for _ in range(200):
        altered = bytearray(records["data.pkl"])
        for _ in range(dice.choice((1, 1, 2, 8))):
            altered[dice.randrange(len(altered))] = dice.randrange(256)
        usable(archive({**records, "data.pkl": bytes(altered)}))


def test_no_memory_for_a_record_is_not_taken_for_a_damaged_file():
    """NumPy asks for memory when it lends an array's; of an array itself, readinto says then that it is none."""
    class Lending(io.BytesIO):
        def readinto(self, into):
            lent.append(type(into))
            return super().readinto(into)

    lent, file = [], Lending()
    minigrad.save({"w": minigrad.arange(6.)}, file)
    file.seek(0)
    assert minigrad.load(file)["w"].tolist() == [0., 1., 2., 3., 4., 5.]
    assert lent and {*lent} == {memoryview}


@pytest.mark.parametrize("protocol", [2, 4])
def test_unsafe_names_are_found_in_every_protocol(protocol):
    file = io.BytesIO()
    minigrad.save({"half": Fraction(1, 2)}, file, pickle_protocol=protocol)
    assert minigrad.serialization.get_unsafe_globals_in_checkpoint(file) == ["fractions.Fraction"]
