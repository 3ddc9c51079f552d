"""What PyTorch's own tests expect to be refused is refused here: the same class, and the key phrase in the message.

records/make_error_inputs.py wrote the calls down.  ``KNOWN`` has those in which minigrad differs, each with its reason.
"""

import builtins
import json
import re
import warnings

import pytest

import minigrad
from tests.parity.error_inputs import attempt
from tests.parity.records import make_error_inputs

CASES = [json.loads(line) for line in make_error_inputs.FILE.read_text().splitlines()]

ONE_SENTENCE = "out= of another dtype is refused in the same sentence for all operations"
OF_PYTHON = "the sentence is the one that Python has for its own classes"

#: (name, the beginning of PyTorch's phrase) -> why minigrad has another class or phrase
KNOWN = {
    ("complex", "Expected object of scalar type ComplexDouble"): ONE_SENTENCE,
    ("aminmax", "Expected out tensor to have dtype float"): ONE_SENTENCE,
    ("amax", "Expected the dtype for input and out to match"): ONE_SENTENCE,
    ("amin", "Expected the dtype for input and out to match"): ONE_SENTENCE,
    ("multinomial", "multinomial expects Long tensor out"): ONE_SENTENCE,
    ("nn.functional.adaptive_max_pool2d", "internal error"): "the message names output_size",
    ("nn.functional.adaptive_max_pool3d", "internal error"): "the message names output_size",
    ("narrow_copy", "Expected dim < static_cast"): "an IndexError that names the dim, as from narrow",
    ("narrow_copy", r"start \(0\) \+ length \(-1\)"): "the length is what is wrong, as narrow says",
    ("nn.functional.poisson_nll_loss", r"(Attempting to"): "the sizes come in the order of the arguments",
    ("_chunk_cat", ""): "a private function, which minigrad does not have",
    ("Tensor.__rdiv__", ""): "an operator of Python 2, which minigrad does not have",
    ("optim.SparseAdam", ""): "refused whatever it is given: there are no sparse gradients",
} | {(f"Tensor.__r{op}__", "descriptor"): OF_PYTHON for op in ("add", "mul", "and", "or", "xor")}


def reason(name, phrase):
    return next((why for (known, start), why in KNOWN.items() if known == name and phrase.startswith(start)), None)


def difference(name, args, kwargs, class_name, phrase):
    """What differs, in words; None if nothing does."""
    raised = attempt(minigrad, name, args, kwargs)
    if raised is None:
        return "does not raise"
    if not issubclass(raised[0], getattr(builtins, class_name)):
        return f"raises {raised[0].__name__}, not {class_name}: {raised[1]}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        found = re.search(phrase, raised[1])
    return None if found else f"says {raised[1]!r}, without {phrase!r}"


@pytest.mark.parametrize("case", CASES, ids=[f"{i}-{case[0]}" for i, case in enumerate(CASES, 1)])
def test_as_in_pytorch(case):
    differs = difference(*case)
    why = reason(case[0], case[4])
    assert differs is None if why is None else differs is not None, f"{case[0]}: {differs}; known: {why}"


@pytest.mark.parametrize("case", [case for case in CASES if not case[0].startswith(("Tensor.__r", "_chunk", "optim"))
                                  and case[1] and case[1][0] != "made"][::7], ids=lambda case: case[0])
def test_errors_have_codes(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        raised = attempt(minigrad, *case[:3])
    assert issubclass(raised[0], Warning) or re.search(r"\[MG\d{3}\]", raised[1]), raised


def test_each_known_difference_is_met():
    met = {key for key in KNOWN for case in CASES if case[0] == key[0] and case[4].startswith(key[1])}
    assert met == {*KNOWN}
