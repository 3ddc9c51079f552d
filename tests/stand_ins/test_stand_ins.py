"""Names that are inert: what can be called gives back what it got, or raises its sentence."""

import enum
import importlib
import pickle
import subprocess
import sys
import types

import pytest

import minigrad
from minigrad import stand_ins
from minigrad._core.errors import absent
from tests.checking import refuses

#: (namespace, name, kind, what the file says) of all of them
ALL = [(namespace.replace("torch", "minigrad", 1), name, kind, said)
       for namespace, names in stand_ins.surface().items() for name, (kind, said) in names.items()
       if not stand_ins.is_module(f"{namespace}.{name}".replace("torch", "minigrad", 1))]


def those(kind, *ends):
    """[(full name, the placeholder, what the file says)]"""
    return [(f"{namespace}.{name}", getattr(importlib.import_module(namespace), name), said)
            for namespace, name, each, said in ALL if each == kind and (not ends or said.endswith(ends))]


def raises_its_sentence(call, full):
    theirs = full.replace("minigrad", "torch", 1)
    with refuses(NotImplementedError, f"{theirs} is a name alone here: ", "MG603") as refused:
        call()
    reason = absent.because(theirs)
    assert reason in absent.left_out() and reason in str(refused.value)


def test_there_are_many_of_each_kind():
    counted = {kind: len([each for each in ALL if each[2] == kind]) for kind in stand_ins.KINDS}
    assert counted["named"] > 500 and counted["subclassed"] > 300 and counted["decorates"] > 30, counted
    assert counted["asks"] > 30 and counted["annotates"] > 5, counted


def test_a_function_raises_its_sentence():
    for full, function, said in those("named", "()"):
        assert isinstance(function, types.FunctionType) and function.__name__ == full.rpartition(".")[2], full
        raises_its_sentence(lambda: function(), full)
        raises_its_sentence(lambda: function(minigrad.ones(2), dim=1), full)


def test_a_constant_is_there_and_is_not_called():
    for full, value, said in those("named"):
        if not said.endswith("()"):
            assert not callable(value), full
            assert ("=" in said) != isinstance(value, stand_ins.Named), full


def test_a_dtype_that_is_a_name_alone_is_refused_by_its_name():
    reason = "which is a name alone here: these are dtypes that NumPy does not have"
    for use in (lambda dtype: minigrad.ones(2, dtype=dtype), lambda dtype: minigrad.ones(2).to(dtype),
                lambda dtype: minigrad.ones(2).to(dtype=dtype), lambda dtype: minigrad.ones(2).type(dtype)):
        with refuses(TypeError, f"not torch.float8_e4m3fn, {reason}", "MG205"):
            use(minigrad.float8_e4m3fn)


def test_a_class_has_no_objects_but_those_of_exceptions_and_enumerations():
    for full, cls, said in those("subclassed") + those("annotates"):
        assert isinstance(cls, type) and cls.__name__ == full.rpartition(".")[2], full
        if issubclass(cls, BaseException):
            assert str(cls("why")) == "why" or isinstance(cls("why"), KeyError), full
        elif issubclass(cls, enum.Enum):
            assert len(cls) and all(isinstance(member, cls) for member in cls), full
        else:
            derived = type("Derived", (cls,), {})
            raises_its_sentence(lambda: cls(), full)
            raises_its_sentence(lambda: cls(minigrad.ones(2), key=1), full)
            raises_its_sentence(lambda: derived(), full)
            assert not isinstance(minigrad.ones(2), cls) and not isinstance(minigrad.nn.Linear(1, 1), cls), full
            assert cls[int] is cls, full


def test_a_decorator_gives_back_what_it_got():
    def function():
        """Is what it was."""
    for full, decorate, said in those("decorates"):
        assert decorate(function) is function and decorate(minigrad.nn.Linear) is minigrad.nn.Linear, full
        assert decorate("a name", flag=True)(function) is function and decorate()(function) is function, full
        assert decorate("a name", function) is function, full
        with decorate():
            pass
        with pytest.raises(KeyError), decorate("a name"):
            raise KeyError


def test_a_question_has_its_answer():
    for full, ask, said in those("asks"):
        answer = ask()
        assert ask(minigrad.ones(2), dim=1) == answer and answer in (None, False, True, 0, [], {}, "privateuseone")
        assert repr(answer).replace(" ", "") == said.partition("=")[2], full


@pytest.mark.parametrize("namespace", sorted({each[0] for each in ALL}))
def test_each_name_is_found_in_all_ways(namespace):
    module = importlib.import_module(namespace)
    names = [name for each, name, *_ in ALL if each == namespace]
    assert [name for name in names if vars(module).get(name, module) is not getattr(module, name)] == []
    assert {*names} <= {*dir(module)}


def test_what_pickles_by_name_is_pickled():
    for kind in ("subclassed", "decorates", "asks"):
        for full, value, said in those(kind):
            assert pickle.loads(pickle.dumps(value)) is value, full
    for full, value, said in those("named"):
        assert pickle.loads(pickle.dumps(value)) == value, full


def test_a_module_says_what_it_lacks():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        minigrad.fx.nothing
    with pytest.raises(ImportError, match="nothing"):
        exec("from minigrad.fx import nothing")
    with pytest.raises(ModuleNotFoundError, match="minigrad.fx.nothing|torch.fx.nothing"):
        importlib.import_module("minigrad.fx.nothing")


def test_packages_name_them_under_pytorchs_name():
    program = """
import minigrad
minigrad.as_torch()
import torch, torch.fx.experimental.proxy_tensor
from torch._dynamo import allow_in_graph
from torch.fx import GraphModule, Tracer
from torch.jit.annotations import *
assert torch.fx is minigrad.fx and issubclass(GraphModule, torch.nn.Module)
assert torch.jit.ScriptModule is minigrad.jit.ScriptModule and torch._C._get_tracing_state() is None

class Leaf(Tracer):
    def is_leaf_module(self, module, name) -> "torch.fx.Node":
        return True
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_nothing_is_read_before_a_name_is_missing():
    subprocess.run([sys.executable, "-c", "import minigrad, sys\nassert 'minigrad.stand_ins' not in sys.modules"],
                   check=True)
