"""Files of the package safetensors, which need not be installed; it wrote tests/parity/records/tensors.safetensors."""

import json
import random
import struct
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import minigrad
from tests.checking import refuses
from minigrad.serialization import safetensors

RECORDED = Path(__file__).resolve().parents[1] / "parity" / "records" / "tensors.safetensors"


def contents():
    return {
        **{name: minigrad.tensor([[0, 1], [1, 0]], dtype=getattr(minigrad, name)) for name in (
            "bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "float32",
            "float64", "complex64")},
        "number": minigrad.tensor(2.5), "none": minigrad.empty(0, 3)}


def forged(header, numbers=b"\0" * 8):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + numbers


def entry(dtype="F32", shape=(2,), offsets=(0, 8)):
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


def test_a_file_that_the_package_wrote_is_read_and_written_again(tmp_path):
    found = safetensors.load_file(RECORDED)
    assert list(found) == sorted(contents())
    for name, x in contents().items():
        assert minigrad.equal(found[name], x) and found[name].dtype is x.dtype and found[name].shape == x.shape
    safetensors.save_file(found, tmp_path / "x.safetensors", metadata={"format": "pt"})
    assert (tmp_path / "x.safetensors").read_bytes() == RECORDED.read_bytes()


def test_loaded_tensors_can_be_written_to():
    found = safetensors.load(safetensors.save({"a": minigrad.ones(2), "b": minigrad.ones(1, dtype=minigrad.int8)}))
    found["a"][0] = 3
    assert found["a"].tolist() == [3, 1] and found["b"].tolist() == [1]


def test_neighbours_in_one_memory_are_written_and_overlaps_are_refused():
    x = minigrad.arange(4.0)
    assert safetensors.load(safetensors.save({"a": x[:2], "b": x[2:]}))["b"].tolist() == [2, 3]
    with refuses(RuntimeError, "Some tensors share memory", "MG741"):
        safetensors.save({"a": x[:3], "b": x[2:]})
    with refuses(ValueError, "You are trying to save a non contiguous tensor: `t`", "MG742"):
        safetensors.save({"t": minigrad.ones(2, 3).t()})
    with refuses(RuntimeError, "no dtype torch.complex128", "MG741"):
        safetensors.save({"z": minigrad.ones(1, dtype=minigrad.complex128)})
    with refuses(TypeError, "Expected a dict of [str, torch.Tensor]", "MG205"):
        safetensors.save([x])


@pytest.mark.parametrize("content", [
    b"", b"1234567", struct.pack("<Q", 2**62) + b"{}", forged({"a": entry()})[:-1], forged({"a": entry()}) + b"0",
    forged({"a": entry(shape=(3,))}), forged({"a": entry(offsets=(0, 4))}), forged({"a": entry(offsets=(-8, 0))}),
    forged({"a": entry(shape=(-2,))}), forged({"a": entry(shape=(-1, -2))}), forged({"a": entry(dtype="F99")}),
    forged({"a": entry(shape=(2.0,))}), forged({"a": entry(shape=(2**62, 2**62))}), forged({"a": {}}), forged([1]),
    forged(5), forged("a"), forged(None),
    forged({"a": entry(), "b": entry()}), forged({"a": entry(offsets=(8, 0))}), forged({"a": 1}), forged(b"{"),
    forged(b"[" * 100_000), forged(b'{"a":1,"a":2}'), forged({"a": entry("BOOL", (8,))}, b"\2" * 8), forged(b"\xff"),
    forged({"a": entry(shape=2)}), forged({"a": entry("F32", (0,) * 80, (0, 0))}, b"")])
def test_what_is_not_such_a_file(content):
    with refuses(ValueError, "", "MG403"):
        safetensors.load(content)


def test_damaged_files_give_tensors_or_an_error():
    content, dice = RECORDED.read_bytes(), random.Random(3)
    for _ in range(300):
        altered = bytearray(content)
        altered[dice.randrange(900)] ^= 1 << dice.randrange(8)
        try:
            repr(safetensors.load(bytes(altered)))
        except ValueError as problem:
            assert problem.code == "MG403"


def test_programs_that_import_the_package():
    """In a process of its own, since PyTorch may be loaded in this one."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent("""
        import sys, types
        import minigrad
        package = sys.modules["safetensors"] = types.ModuleType("safetensors")
        package.__path__ = []
        with minigrad.as_torch():
            from safetensors.torch import load_file, save_file
        from minigrad import safetensors
        assert load_file is safetensors.load_file and save_file is safetensors.save_file
        assert "safetensors.torch" not in sys.modules
    """)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
