"""What arrives from the process of a submission: data, or no answer at all."""

import json

import numpy as np
import pytest

from minigrad.homework.process import Process, Stopped
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
