"""Arguments that are not tensors: what the schema says is taken, and anything else refused in PyTorch's words."""

import inspect

import numpy as np
import pytest

import minigrad
from minigrad._core.op import Op
from minigrad.ops.schema import taken_apart
from tests.checking import refuses
from tests.ops.samples import ROWS
from tests.ops.sampling import arrays_of
from tests.ops.test_no_gradient_is_lost import function_of, tensors
from tests.ops.test_ops import call

WORDS = {"int": "int", "Dim": "int", "NewDim": "int", "float": "float", "Scalar": "Number", "bool": "bool",
         "str": "str",
         "Dims": "tuple of ints", "Sizes": "tuple of ints", "NewDims": "tuple of ints"}

#: for each type what it does not take, and how PyTorch goes on after "must be int"
REFUSED = {
    "int": [(0.5, ", not float"), ("a", ", not str"), (True, ", not bool"), ((0,), ", not tuple"),
            (None, ", not NoneType")],
    "float": [("a", ", not str"), ([0.5], ", not list"), (1j, ", not complex")],
    "Number": [("a", ", not str"), ([0.5], ", not list"), ((), ", not tuple")],
    "bool": [(1, ", not int"), ("yes", ", not str"), (None, ", not NoneType"), (0.0, ", not float")],
    "str": [(1, ", not int")],
    "tuple of ints": [(0.5, ", not float"), ("a", ", not str"), (True, ", not bool"),
                      ((0, 0.5), ", but found element of type float at pos 1"),
                      ([True], ", but found element of type bool at pos 0"),
                      (("a",), ", but found element of type str at pos 0")],
}


def parameters():
    """(row of samples, parameter, its type) for each parameter of a public row that is not a tensor."""
    known = set()
    for row in ROWS:
        function = function_of(row)
        op = function if isinstance(function, Op) else getattr(function, "row", None)
        if op is None or op.name in known:
            continue
        known.add(op.name)
        for name, type_ in zip(op.params, op.types):
            if taken_apart(type_).base in WORDS:
                yield row, name, type_


PARAMETERS = list(parameters())


def refusals():
    for row, name, type_ in PARAMETERS:
        type_ = taken_apart(type_)
        for wrong, phrase in REFUSED["tuple of ints" if type_.many else WORDS[type_.base]]:
            if not (wrong is None and type_.optional):
                word = "tuple of ints" if type_.many else WORDS[type_.base]
                yield pytest.param(row, name, wrong, word + phrase, id=f"{row}-{name}-{wrong}")


def called(library, row, name, value):
    """The first sample of the row with this argument instead of its own."""
    function = function_of(row)
    args, kwargs, _ = arrays_of(row, row.cases[0], "float64")
    make = tensors if library is minigrad else lambda x: library.from_numpy(np.array(x)) if isinstance(
        x, np.ndarray) else type(x)(map(make, x)) if type(x) in (list, tuple) else x
    args, kwargs = [make(x) for x in args], {k: make(x) for k, x in kwargs.items()}
    at = list(inspect.signature(function).parameters).index(name)
    if at < len(args):
        args[at] = value
    else:
        kwargs[name] = value
    return call(library, row, args, kwargs)


def test_there_are_parameters_of_each_type():
    assert len(PARAMETERS) > 100
    assert {"int", "Dim", "NewDim", "float", "Scalar", "bool", "Dims"} <= {taken_apart(type_).base
                                                                            for _, _, type_ in PARAMETERS}


@pytest.mark.parametrize(("row", "name", "wrong", "phrase"), [*refusals()])
def test_what_the_type_does_not_take_is_refused(row, name, wrong, phrase):
    with refuses(TypeError, f"argument '{name}' must be {phrase}", "MG205"):
        called(minigrad, row, name, wrong)


@pytest.mark.parity
@pytest.mark.parametrize(("row", "name", "wrong", "phrase"), [*refusals()])
def test_pytorch_refuses_it_too(row, name, wrong, phrase):
    torch = pytest.importorskip("torch")
    if row.torch:
        with pytest.raises((TypeError, RuntimeError, ValueError)):
            called(torch, row, name, wrong)


def test_the_error_shows_the_schema():
    with refuses(TypeError, "it is cumsum(Tensor self, Dim dim, *, DType? dtype=None)", "MG205"):
        minigrad.ones(2).cumsum("0")


def test_a_write_is_refused_by_its_own_name_and_changes_nothing():
    x = minigrad.ones(2, 2)
    with refuses(TypeError, "cumsum_(): argument 'dim' must be int, not float", "MG205"):
        x.cumsum_(0.5)
    assert x.tolist() == [[1, 1], [1, 1]] and x._version == 0


class Index:
    def __index__(self):
        return 1


@pytest.mark.parametrize("dim", [np.int64(1), Index(), minigrad.tensor(1), minigrad.tensor(1.), np.array(1)], ids=repr)
def test_an_int_is_whatever_python_takes_for_an_index(dim):
    if isinstance(dim, minigrad.Tensor) and dim.is_floating_point():
        with refuses(TypeError, "argument 'dim' must be int, not float", "MG205"):
            minigrad.ones(2, 3).cumsum(dim)
    else:
        assert minigrad.ones(2, 3).cumsum(dim)[0].tolist() == [1, 2, 3]


@pytest.mark.parametrize("dims", [1, [1], (np.int64(1),), (Index(),), minigrad.Size([1])], ids=repr)
def test_dims_are_one_or_several(dims):
    assert minigrad.ones(2, 3).amax(dims).tolist() == [1, 1]


@pytest.mark.parametrize("number", [2, 2.0, True, np.float32(2), np.array(2.0), minigrad.tensor(2.0)], ids=repr)
def test_a_number_is_of_any_kind(number):
    x = minigrad.ones(1, dtype=minigrad.float64)
    expected = np.log1p(np.exp(float(number))) / float(number)
    assert minigrad.nn.functional.softplus(x, number).item() == pytest.approx(expected)


def test_what_may_be_none_is_given_as_none():
    assert minigrad.ones(2, 3).argmax(None).item() == 0
    assert minigrad.ones(2, 3).count_nonzero(dim=None).item() == 6


def test_the_signature_shows_the_types():
    assert str(inspect.signature(minigrad.cumsum)) == "(self: Tensor, dim: Dim, *, dtype: DType? = None)"
