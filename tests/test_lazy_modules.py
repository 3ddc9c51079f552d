"""Modules that load a part of their names later."""

import pytest

from minigrad import _lazy_modules
from tests import starting

pytestmark = pytest.mark.usefixtures("interpreters")

#: nobody has asked for a layer yet
BEFORE = """
import sys
import minigrad as torch
from minigrad import nn
assert "minigrad.nn.modules" not in sys.modules
"""


@pytest.mark.parametrize("code", [
    "from minigrad.nn import *; Linear, MSELoss, functional, utils",
    "nn.__dict__['MSELoss']",
    "assert 'ReLU' in vars(nn)",
    "assert 'ReLU' in dir(nn)",
    "import inspect; assert nn.ReLU in dict(inspect.getmembers(nn, inspect.isclass)).values()",
    "assert hasattr(nn, 'ReLU') and not hasattr(nn, 'ReLUU')",
    "import pickle; pickle.loads(b'cminigrad.nn\\nReLU\\n.')",
    "import unittest.mock\nwith unittest.mock.patch('minigrad.nn.ReLU', 3):\n    assert nn.ReLU == 3",
    "nn.ReLU; assert type(nn.__dict__) is dict and type(nn) is type(sys)",
    "assert 'optim' in vars(torch)",
])
def test_it_is_as_if_everything_were_there(code):
    starting.run(BEFORE + code, check=True)


@pytest.mark.parametrize("code", ["nn.functional.relu", "nn.grad", "nn.Parameter if False else nn.__name__",
                                  "getattr(nn, '__wrapped__', None)"])
def test_what_needs_no_layers_loads_none(code):
    starting.run(f"{BEFORE}{code}\nassert 'minigrad.nn.modules' not in sys.modules", check=True)


@pytest.mark.parametrize("name", ["minigrad.cuda", "minigrad.random", "minigrad.autograd.gradcheck"])
def test_a_complete_module_is_like_any_other(name):
    starting.run(f"import sys, types, {name}\nmodule = sys.modules['{name}']\nvars(module)\n"
                 "assert type(module) is types.ModuleType, type(module)", check=True)


def test_the_rest_costs_nothing():
    """A class without ``__getattribute__``: names are found as in any module."""
    assert set(vars(_lazy_modules.Incomplete)) <= {"__dict__", "__all__", "__setattr__", "__doc__", "__module__",
                                                   "__static_attributes__", "__firstlineno__"}
