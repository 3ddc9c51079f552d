"""Public functions and methods of Tensor as Python sees them, and what users assign to the class Tensor."""

import dataclasses
import enum
import functools
import inspect
import pickle
import unittest
from unittest import mock

import pytest

import minigrad as torch
from minigrad import nn
from minigrad._core.graph.type_objects import Method

X = torch.tensor([-1., 2.])
#: a row, several rows, a composite, a question, a conversion, a form in place: in PyTorch all are builtins
BUILTINS = ["relu", "sum", "conv2d", "matmul", "is_floating_point", "relu_", "clamp", "special.ndtr", "linalg.norm"]


def found(path):
    return functools.reduce(getattr, path.split("."), torch)


# ------------------------------------------------------------------------------ functions

@pytest.mark.parametrize("path", BUILTINS)
def test_a_builtin_does_not_bind(path):
    function = found(path)
    assert not hasattr(function, "__get__")
    Holder = type("Holder", (), {"function": function})
    assert Holder().function is function


def test_a_class_attribute_is_called_without_the_instance():
    class Net(nn.Module):
        act, total, write = torch.relu, torch.sum, torch.relu_

        def forward(self, x):
            return self.act(x), self.total(x), self.write(x.clone())

    assert [each.tolist() for each in Net()(X)] == [[0, 2], 1, [0, 2]]


def test_functions_are_members_of_an_enum_and_fields_of_a_dataclass():
    class Activation(enum.Enum):
        RELU = torch.relu
        TANH = torch.tanh

    @dataclasses.dataclass
    class Config:
        act: object = torch.relu

    assert [each.value for each in Activation] == [torch.relu, torch.tanh]
    assert Config().act is Config.act is torch.relu and Config().act(X).tolist() == [0, 2]


def test_functions_in_a_test_case_and_a_partialmethod():
    class Case(unittest.TestCase):
        function = torch.relu
        shifted = functools.partialmethod(torch.add, 1)

        def __torch_function__(self, function, types, args, kwargs=None):
            return function, args

        def runTest(self):
            self.assertEqual(self.function(X).tolist(), [0, 2])

    case = Case()
    assert case.run().wasSuccessful()
    assert case.shifted() == (torch.add, (case, 1))


@pytest.mark.parametrize("path", BUILTINS)
def test_functions_say_where_they_are_and_are_pickled_so(path):
    function = found(path)
    assert pickle.loads(pickle.dumps(function)) is function
    assert function.__name__ and function.__qualname__
    assert inspect.signature(function).parameters


def test_a_function_of_python_in_pytorch_binds():
    class Wrapper:
        relu = nn.functional.relu

        def __torch_function__(self, function, types, args, kwargs=None):
            return function, args

    wrapper = Wrapper()
    assert wrapper.relu() == (nn.functional.relu, (wrapper,))


# ------------------------------------------------------------------------------ methods

@pytest.mark.parametrize("name", ["relu", "sum", "matmul", "is_floating_point", "relu_", "to", "item", "numel"])
def test_methods_bind_to_tensors(name):
    method = vars(torch.Tensor)[name]
    assert isinstance(method, Method) and inspect.ismethoddescriptor(method)
    function = getattr(torch.Tensor, name)
    assert method.function is function and method.__doc__ == function.__doc__
    bound = getattr(torch.tensor(1.), name)
    assert bound.__func__ is function and inspect.signature(function)


def test_a_method_and_the_function_are_one():
    """What ``__torch_function__`` is asked about is found under both names."""
    assert torch.Tensor.relu is torch.relu and torch.relu(X).equal(torch.Tensor.relu(X)) and X.relu().equal(X.clamp(0))


def test_a_subclass_has_methods_under_other_names():
    class Named(torch.Tensor):
        positive_part = torch.Tensor.relu

    Named.part = torch.relu
    assert X.as_subclass(Named).positive_part().tolist() == X.as_subclass(Named).part().tolist() == [0, 2]


# ------------------------------------------------------------------------------ what users assign

class Subclass(torch.Tensor):
    pass


TENSORS = [torch.ones(1), nn.Parameter(torch.ones(1)), torch.ones(1).as_subclass(Subclass)]


@pytest.mark.parametrize("x", TENSORS)
@pytest.mark.parametrize("name, call", [
    ("__repr__", repr), ("relu", lambda x: x.relu()), ("backward", lambda x: x.backward()),
    ("item", lambda x: x.item()),
    ("__add__", lambda x: x + 1), ("__getitem__", lambda x: x[0]), ("__len__", len), ("__eq__", lambda x: x == 1),
    ("__iadd__", lambda x: x.__iadd__(1)), ("add_", lambda x: x.add_(1)), ("__neg__", lambda x: -x),
    ("__bool__", bool), ("__matmul__", lambda x: x @ x), ("numpy", lambda x: x.numpy()),
    ("new_method", lambda x: x.new_method()),
])
def test_a_method_is_replaced_and_comes_back(x, name, call, monkeypatch):
    if name in vars(type(x)) and type(x) is nn.Parameter:
        pytest.skip("a Parameter has its own")
    answer = {"__repr__": "mine", "__len__": 7, "__bool__": False}.get(name, object())
    had, here = vars(torch.Tensor).get(name), hasattr(x, name)
    calls = []

    def mine(self, *args):
        calls.append(self)
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(torch.Tensor, name, mine, raising=False)
        assert call(x) is answer and calls[0] is x
    assert vars(torch.Tensor).get(name) is had and hasattr(x, name) == here
    with mock.patch.object(torch.Tensor, name, mine, create=not here):
        assert call(x) is answer
    assert vars(torch.Tensor).get(name) is had


def test_what_was_there_comes_back_when_it_is_deleted():
    torch.Tensor.relu = lambda self: "mine"
    assert X.relu() == "mine" and torch.relu(X).tolist() == [0, 2]
    del torch.Tensor.relu
    assert X.relu().tolist() == [0, 2]


def test_the_old_function_is_a_method_again():
    old, shown = torch.Tensor.relu, torch.Tensor.__repr__
    torch.Tensor.relu, torch.Tensor.__repr__ = lambda self: "mine", lambda self: f"{tuple(self.shape)}"
    try:
        assert X.relu() == "mine" and repr(X) == "(2,)"
    finally:
        torch.Tensor.relu, torch.Tensor.__repr__ = old, shown
    assert X.relu().tolist() == [0, 2] and repr(X) == "tensor([-1.,  2.])"


def test_attributes_of_the_class_are_new():
    torch.Tensor.double_it, torch.Tensor.unit = lambda self: 2 * self, "m"
    torch.Tensor.twice = property(lambda self: 2 * self)
    try:
        assert X.double_it().equal(X.twice) and nn.Parameter(X).unit == "m"
    finally:
        del torch.Tensor.double_it, torch.Tensor.unit, torch.Tensor.twice
    assert not hasattr(X, "double_it") and not hasattr(torch.Tensor, "unit")
    with pytest.raises(AttributeError):
        del torch.Tensor.double_it
