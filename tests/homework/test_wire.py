"""What arrives from the process of a submission: data, or no answer at all."""

import io
import json
import os
import time

import numpy as np
import pytest

from minigrad.homework import wire
from minigrad.homework.process import Failed, Process, Stopped
from minigrad.homework.wire import Garbled, decoded, encoded


@pytest.mark.parametrize("kind", ["?", "b", "i2", "u4", "i8", "f2", "f8", ">f4", "c16"])
def test_arrays_there_and_back(kind):
    array = np.arange(6).reshape(2, 3).astype(kind)
    found = decoded(encoded(array))
    assert found.dtype == array.dtype and np.array_equal(found, array)


@pytest.mark.parametrize("dtype", ["(", "f8,(", "O", "V8", "9223372036854775808", "b" * 999, "U9", "M8[s]", 5])
def test_no_text_is_parsed_as_a_dtype(dtype):
    with pytest.raises(Garbled):
        decoded(json.dumps({"!": "array", "dtype": dtype, "shape": [0], "data": ""}).encode())


@pytest.mark.parametrize("value", [5, None, "foul", "raised", [], {}, {"raised": 5}, {"raised": {}}, {"answer": 1}])
def test_an_answer_of_another_form_is_a_foul(value):
    with pytest.raises(Stopped) as stopped:
        Process._answer(encoded(value))
    assert stopped.value.verdict == "foul"


def test_an_answer_that_is_too_large_is_an_error_and_no_foul():
    process = Process("import numpy as np\ndef f():\n    return np.zeros(7_000_000)\n")
    try:
        with pytest.raises(Failed) as failed:
            process.ask("", "f", ["f"])
        assert failed.value.reason == "ValueError: more than 64 MiB of data"
    finally:
        process.close()


def test_what_is_too_large_is_not_written(monkeypatch):
    monkeypatch.setattr(wire, "LARGEST", 1 << 20)
    file, nonce = io.BytesIO(), b"n" * wire.NONCE
    with pytest.raises(ValueError, match="more than 1 MiB of data"):
        wire.write_frame(file, nonce, np.zeros(1 << 17))
    assert file.getvalue() == b""
    wire.write_frame(file, nonce, np.zeros(1 << 15))
    file.seek(0)
    found, data = wire.read_frame(file)
    assert found == nonce and decoded(data).shape == (1 << 15,)


@pytest.mark.skipif(not hasattr(os, "setsid"), reason="the system has no sessions")
def test_the_judge_does_not_wait_for_a_copy_that_has_left_its_session():
    process = Process("import os\nimport time\ndef f():\n    os.setsid()\n    time.sleep(20)\n", seconds=1)
    begun = time.monotonic()
    with pytest.raises(Stopped) as stopped:
        process.ask("def probe(submission):\n    return apart(submission.f)\n", "probe", [])
    process.close()
    assert stopped.value.verdict == "hang" and time.monotonic() - begun < 15
