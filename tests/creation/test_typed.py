"""The constructors of the first PyTorch.  Each test states what both libraries do."""

import pickle

import pytest

import minigrad
from tests.checking import refuses
from minigrad.creation import typed

NAMES = {"FloatTensor": "float32", "DoubleTensor": "float64", "HalfTensor": "float16", "BFloat16Tensor": "bfloat16",
         "LongTensor": "int64", "IntTensor": "int32", "ShortTensor": "int16", "CharTensor": "int8",
         "ByteTensor": "uint8", "BoolTensor": "bool"}


@pytest.mark.parametrize("name", [name for name in NAMES if name != "BFloat16Tensor"])
def test_each_makes_tensors_of_its_dtype(torch, name):
    constructor, kind = getattr(torch, name), getattr(torch, NAMES[name])
    assert constructor.dtype is kind and repr(constructor) == f"<class 'torch.{name}'>"
    for made in (constructor([[1, 0], [0, 1]]), constructor(2, 2), constructor(torch.Size([2, 2]))):
        assert type(made) is torch.Tensor and made.dtype is kind and made.shape == (2, 2)
        assert isinstance(made, constructor) and made.type() == f"torch.{name}"
    assert constructor([[1, 0], [0, 1]]).tolist() == [[1, 0], [0, 1]] and constructor().shape == (0,)
    assert constructor((2, 3)).shape == (2,) and torch.ones(2).type(constructor).dtype is kind
    assert not isinstance(torch.ones(2, dtype=torch.cfloat), constructor) and not isinstance([1.], constructor)


def test_there_are_ten():
    assert {*typed.CONSTRUCTORS} == {*NAMES}
    assert pickle.loads(pickle.dumps(minigrad.LongTensor)) is minigrad.LongTensor


def test_floats_become_integers(torch):
    assert torch.LongTensor([1.7, -2]).tolist() == [1, -2]


def test_a_tensor_of_the_same_dtype_is_shared(torch):
    x = torch.tensor([1, 2])
    torch.LongTensor(x)[0] = 7
    assert x.tolist() == [7, 2]
    with refuses(TypeError, "expected", "MG205"):
        torch.LongTensor(torch.ones(2))
    w = torch.ones(2, requires_grad=True)
    torch.FloatTensor(w).sum().backward()
    assert w.grad.tolist() == [1, 1] and torch.Tensor(torch.tensor([1])).dtype is torch.int64


@pytest.mark.parametrize(("given", "phrase"), [
    ((3.5,), "new(): data must be a sequence (got float)"), (("ab",), "new(): invalid data type 'str'")])
def test_what_is_neither_a_size_nor_data_is_refused(torch, given, phrase):
    for constructor in (torch.FloatTensor, torch.Tensor, torch.ones(1).new):
        with refuses(TypeError, phrase, "MG205"):
            constructor(*given)


def test_a_negative_size_is_refused(torch):
    with pytest.raises(RuntimeError, match="negative"):
        torch.FloatTensor(-1)


def test_numbers_that_do_not_fit_are_refused(torch):
    with pytest.raises(RuntimeError, match="cannot be converted to type .* without overflow"):
        torch.IntTensor([2 ** 40])


def test_new_has_the_dtype_of_the_tensor(torch):
    x = torch.arange(2)
    assert x.new(2, 3).shape == (2, 3) and x.new(2, 3).dtype is torch.int64
    assert x.new([1, 2]).tolist() == [1, 2] and x.new().shape == (0,)
    with pytest.raises(TypeError):
        x.new(torch.ones(1))


@pytest.mark.filterwarnings("ignore:torch.set_default_tensor_type")
def test_the_default_tensor_type_is_the_default_dtype(torch):
    try:
        for given in (torch.DoubleTensor, "torch.DoubleTensor"):
            torch.set_default_tensor_type(torch.FloatTensor)
            torch.set_default_tensor_type(given)
            assert torch.tensor(1.).dtype is torch.float64
        with pytest.raises(TypeError, match="only floating-point types are supported as the default type"):
            torch.set_default_tensor_type(torch.LongTensor)
        assert torch.get_default_dtype() is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_the_constructor_of_a_tensor_gives_another_on_its_memory(torch):
    for dtype in (torch.float32, torch.float64, torch.int64):
        x = torch.zeros(3, dtype=dtype)
        y = torch.Tensor(x)
        y[0] = 5
        assert y is not x and y.dtype == dtype and y.data_ptr() == x.data_ptr()
        assert x.tolist() == [5, 0, 0] and x._version == y._version == 1 and y._base is x

    class Named(torch.Tensor):
        pass
    x = torch.ones(2)
    assert type(Named(x)) is Named and Named(x).data_ptr() == x.data_ptr()
    assert type(torch.Tensor(Named(x))) is torch.Tensor


def test_its_history_too(torch):
    x = torch.ones(2, requires_grad=True)
    y = torch.Tensor(x)
    assert y.grad_fn.name() == "AliasBackward0" and not y.is_leaf
    (3 * y).sum().backward()
    assert x.grad.tolist() == [3., 3.]


class Wrapper:
    """What makes a class whose `__new__` wants more than it is given, and whose `__init__` must not be called."""

    def __new__(cls, *args, needed):
        raise AssertionError

    def __init__(self, *args):
        raise AssertionError


def test_make_subclass_calls_neither_new_nor_init(torch):
    kind = type("Wrapped", (Wrapper, torch.Tensor), {})
    x = torch.ones(2)
    y = torch.Tensor._make_subclass(kind, x, True)
    assert type(y) is kind and y.requires_grad and y.is_leaf and y.data_ptr() == x.data_ptr()
    with torch.no_grad():
        torch.Tensor.mul_(y, 2)
    assert x.tolist() == [2., 2.] and x._version == 1
    with pytest.raises(TypeError, match="from a class that does not inherit from Tensor is not possible"):
        torch.Tensor._make_subclass(int, x)
    with pytest.raises(RuntimeError, match="nly Tensors of floating point"):
        torch.Tensor._make_subclass(kind, torch.ones(2, dtype=torch.int64), True)


def test_what_new_has_made_is_not_made_again(torch):
    class Kept(torch.Tensor):
        def __new__(cls, elem):
            made = torch.Tensor._make_subclass(cls, elem + 1, elem.requires_grad)
            made.elem = elem
            return made
    x = torch.ones(2, requires_grad=True)
    assert Kept(x).tolist() == [2., 2.] and Kept(x).elem is x and Kept(x).is_leaf and Kept(x).requires_grad


def test_an_unknown_type_is_refused():
    with refuses(ValueError, "invalid type: 'torch.FlatTensor'", "MG207"):
        minigrad.ones(2).type("torch.FlatTensor")


def test_the_only_argument_may_have_a_name(torch):
    for make in (torch.Tensor, torch.FloatTensor, torch.ones(1).new):
        assert make(data=[1., 2.]).tolist() == [1., 2.] and make(size=(2, 0)).shape == (2, 0)
    for wrong in (lambda: torch.Tensor(2, dtype=torch.float64), lambda: torch.ones(1).new([1.], data=[2.])):
        with refuses(TypeError, "received an invalid combination of arguments", "MG205"):
            wrong()


def test_type_takes_names_and_dtypes(torch):
    x = torch.arange(2)
    assert x.type(torch.Tensor).dtype is x.type("torch.Tensor").dtype is torch.float32
    with refuses(ValueError, "invalid type: 'int'", "MG207"):
        x.type(int)
    with refuses(TypeError, "dtype must be a type, str, or dtype object", "MG205"):
        x.type(3)


def test_an_old_constructor_is_not_a_subclass_of_tensor(torch):
    assert not issubclass(torch.FloatTensor, torch.Tensor)
