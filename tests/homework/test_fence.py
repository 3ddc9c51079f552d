"""What a submission may not do is noticed whoever does it for it, and what it may do is left alone."""

import os
from pathlib import Path

import pytest

import minigrad
from minigrad.homework.captured import paths
from minigrad.homework.process import Failed, Process, Stopped

NUMPY = ("minigrad", "torch", "jax")
#: in a process that has NumPy only: what is tried, and a part of what the judge says
NUMPY_ALONE = {
    "importlib": ("import importlib\nimportlib.import_module('mini' + 'grad')", "imports minigrad"),
    "__import__": ("__import__('mini' + 'grad')", "imports minigrad"),
    "sys.modules": ("import sys\nsys.modules['mini' + 'grad']", "KeyError"),
    "a module among all classes": (
        "judges = [c for c in object.__subclasses__() if c.__module__.startswith('minigrad.homework')]\n"
        "assert not [f for c in judges for f in vars(c).values() if hasattr(f, '__globals__')]", None),
    "eval": ("eval(\"__import__('mini' 'grad')\")", "imports minigrad"),
    "a package that is installed": ("import sys\nsys.path.append('/')\n__import__('cyth' + 'on')", "imports cython"),
    "a loader": ("import importlib.machinery, numpy, os\npath = os.path.dirname(os.path.dirname(numpy.__file__))\n"
                 "importlib.machinery.SourceFileLoader('cython', path + '/cython.py').load_module()", "imports cython"),
    "a library in C": ("import ctypes\nctypes.CDLL(None)", "calls machine code"),
    "frames": ("import sys\nsys._getframe().f_back", "frames"),
    "frames by inspect": ("import inspect\ninspect.stack()", "frames"),
    "frames by traceback": ("import traceback\ntry:\n    1 / 0\nexcept Exception as e:\n"
                            "    list(traceback.walk_tb(e.__traceback__))", "frames"),
    "all frames": ("import sys\nsys._current_frames()", "frames"),
    "gc": ("import gc\ngc.get_objects()", "memory of the process"),
    "the code of a function": ("f = lambda: 1\nf.__code__", "code of a function"),
    "another code": ("f = lambda: 1\ng = lambda: 2\nsetattr(f, '__code__', getattr(g, '__co' 'de__'))", "code of a"),
    "code from bytes": ("import marshal\nmarshal.loads(marshal.dumps(compile('1', 'a', 'eval')))", "code from bytes"),
    "a function from code": ("import types\ntypes.FunctionType((lambda: 1).__code__, {})", "code of a function"),
    "exec around the fence": ("import numpy\nnumpy.exp.__class__\nimport builtins\n"
                              "builtins.exec('x = 1')", "text as code"),
    "the private maker of dataclasses": ("import dataclasses\ndataclasses._create_fn('f', ['x'], ['return x'])",
                                         "text as code"),
    "the name of the judge": ("import builtins\nbuiltins.compile('1', '<the judge>', 'eval')", "the name of the judge"),
    "a thread": ("import threading\nthreading.Thread(target=print).start()", "starts a thread"),
    "another process": ("import subprocess\nsubprocess.run(['ls'])", "starts a process"),
    "a fork": ("import os\nos.fork()", "reaches outside"),
    "setprofile": ("import sys\nsys.setprofile(print)", "watches the process"),
    "functions of the path that are replaced": (
        "import posixpath, os\nposixpath._joinrealpath = lambda *a: (os.getcwd() + '/mine', True)\n"
        "posixpath.realpath = os.path.realpath = lambda *a, **k: os.getcwd() + '/mine'\nopen('/etc/passwd')",
        "outside its own folder"),
}
#: in a process with minigrad, where autograd.grad and clamp_ are forbidden: how they are called
CALLS = {
    "getattr": "getattr(torch.autograd, 'gr' + 'ad')(y, x)",
    "vars": "vars(torch.autograd)['gr' 'ad'](y, x)",
    "from import": "from minigrad.autograd import grad as g\ng(y, x)",
    "eval": "eval('torch.autograd.gr' + 'ad(y, x)')",
    "map": "list(map(torch.autograd.grad, [y], [x]))",
    "sorted": "sorted([y], key=lambda y: torch.autograd.grad(y, x)[0].item())",
    "singledispatch": "import functools\nf = functools.singledispatch(torch.autograd.grad)\nf(y, x)",
    "partial": "import functools\nfunctools.partial(torch.autograd.grad, y)(x)",
    "copy": "import copy\nclass A:\n    def __copy__(self):\n        torch.autograd.grad(y, x)\ncopy.copy(A())",
    "a descriptor": "class A:\n    g = property(lambda self: torch.autograd.grad(y, x))\nA().g",
    "another function of minigrad": "torch.autograd.functional.vjp(lambda x: x * x, x)",
    "a method": "getattr(x.detach(), 'cla' + 'mp_')(max=1)",
    "a method of the class": "torch.Tensor.clamp_(x.detach(), max=1)",
    "a function of NumPy": "import numpy as np\nnp.clip(x.detach(), None, 1)",
    "a table of the library": "from minigrad.ops import exports\nexports.REGISTRY['cla' + 'mp'](x, max=1)",
    "a closure": "torch.autograd.grad.__closure__[0].cell_contents(y, x)",
}
#: how the judge is led to call autograd.grad or clamp_, without a line of the submission in between
LED = {
    "the function itself": "f = getattr(torch.autograd, 'gr' + 'ad')",
    "a partial": "import functools\nf = functools.partial(torch.autograd.grad)",
    "a method of no object": "f = getattr(torch.Tensor, 'cla' + 'mp_')",
    "a methodcaller": "import operator\nf = torch.nn.Module()\nf.forward = operator.methodcaller('cla' + 'mp_')\n"
                      "f.register_forward_pre_hook(lambda m, a: a[:1])",
    "an object that is called": "class A:\n    __call__ = staticmethod(torch.autograd.grad)\nf = A()",
    "a class": "class A:\n    __new__ = torch.autograd.grad\nf = A.__new__",
    "a module": "f = torch.nn.Module()\nf.forward = torch.autograd.grad\n"
                "f.register_forward_pre_hook(lambda m, a: a)\nf.register_forward_hook(lambda m, a, out: out[0])",
    "a backward pass of the judge": "class A(torch.autograd.Function):\n"
                                    "    forward = staticmethod(lambda ctx, y: y * 1)\n"
                                    "    backward = staticmethod(torch.autograd.grad)\n"
                                    "f = lambda y, x: A.apply(y)",
    "a hook": "def f(y, x):\n    z = y * 1\n    z.register_hook(torch.autograd.grad)\n    return z",
    "a hook on saved tensors": "def f(y, x):\n"
                               "    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, torch.autograd.grad):\n"
                               "        return y * y",
}
BESIDE = """
import minigrad as torch

a = torch.tensor([[2.0, 1.0], [1.0, 3.0]], requires_grad=True)
b, functional = torch.ones(2, 1), torch.nn.functional
for found in (torch.linalg.eigh(a)[0], torch.linalg.lstsq(a, b)[0], torch.linalg.pinv(a), torch.linalg.det(a),
              torch.linalg.solve_triangular(a, b, upper=True), torch.linalg.cholesky(a), torch.linalg.lu_factor(a)[0],
              functional.hardswish(a), functional.relu6(a), torch.clamp_min(a, 0), torch.atan2(a, a),
              torch.maximum(a, b), torch.linalg.vector_norm(a), torch.logaddexp(a, b), a.sigmoid(), a.norm()):
    found.sum().backward()
"""
JUDGES_OWN = """
def probe(submission):
    x = torch.tensor(2., requires_grad=True)
    y = submission.f(x * x, x)
    return torch.autograd.grad(y, x)
"""
HONEST = '''
import collections, contextlib, copy, enum, functools, itertools, logging, math, operator, random, sys, typing, warnings
from abc import ABC, abstractmethod
from collections import namedtuple
from dataclasses import dataclass, field
from typing import NamedTuple

Point = namedtuple("Point", "x y")


class Pair(NamedTuple):
    a: int = 1


@dataclass(frozen=True)
class Record:
    x: float
    more: list = field(default_factory=list)


class Colour(enum.Enum):
    RED = 1


@functools.singledispatch
def f(x):
    return x


@f.register
def _(x: int):
    return x + 1


@functools.lru_cache(None)
def g(x):
    return eval("x + 1") + eval("1", {})


exec("h = 3")
sys.setrecursionlimit(5000)
warnings.warn("be careful")
assert (Point(1, 2).y, Pair().a, Record(1.).x, f(1), g(1), h, copy.copy(Record(2.)).x) == (2, 1, 1., 2, 3, 3, 2.)
try:
    raise ValueError("a")
except ValueError as failure:
    logging.getLogger("a").debug("noticed", exc_info=failure)
with open("mine.txt", "w") as file:
    file.write("notes")
import inspect
def h(x: "dict[str, typing.Sequence[int]] | None" = None): pass
assert list(typing.get_type_hints(h)) == ["x"]
assert list(inspect.signature(lambda a, b=1: a).parameters) == ["a", "b"] and not inspect.isgeneratorfunction(g)
'''
#: what honest work with minigrad needs besides, and minigrad looks at for it
WITH_MINIGRAD = {
    "a decorator": "@torch.no_grad()\ndef f(x):\n    return x\nf(1)",
    "a decorator without a call": "@torch.no_grad\ndef f(x):\n    return x\nf(1)",
    "a decorator of a generator": "@torch.enable_grad()\ndef f(x):\n    yield x\nlist(f(1))",
    "a closure": "x = torch.ones(2, requires_grad=True)\ntorch.optim.LBFGS([x]).step(lambda: x.sum() * 0)",
    "tracebacks of the forward pass": ("with torch.autograd.detect_anomaly():\n"
                                       "    torch.ones(2, requires_grad=True) * 2"),
}


def outcome(source, forbidden):
    try:
        process = Process(source, forbidden=forbidden)
    except Stopped as stopped:
        return stopped.reason
    except Failed as failed:
        return failed.reason
    process.close()
    return None


@pytest.mark.parametrize("way", NUMPY_ALONE)
@pytest.mark.drawn
def test_a_process_has_only_what_is_allowed(way):
    source, said = NUMPY_ALONE[way]
    found = outcome(source, NUMPY)
    assert found is None if said is None else said in (found or ""), found


@pytest.mark.parametrize("way", CALLS)
@pytest.mark.drawn
def test_a_forbidden_function_is_called_by_nobody_for_the_submission(way):
    found = outcome("import minigrad as torch\nx = torch.tensor(2., requires_grad=True)\ny = x * x\n" + CALLS[way],
                    ("autograd.grad", "clamp_", "clamp"))
    assert found and ("which this assignment forbids" in found or "__closure__" in found), found


@pytest.mark.parametrize("way", LED)
@pytest.mark.drawn
def test_the_judge_is_not_led_to_call_a_forbidden_function(way):
    process = Process(f"import minigrad as torch\n{LED[way]}\n", forbidden=("autograd.grad", "clamp_"))
    try:
        with pytest.raises(Stopped, match="which this assignment forbids"):
            process.ask(JUDGES_OWN, "probe", [])
    finally:
        process.close()


def test_what_lies_in_the_same_files_as_a_forbidden_function_is_allowed():
    assert outcome(BESIDE, ("linalg.solve", "linalg.inv", "clamp", "clamp_", "clip", "hypot", "nn.functional.hardtanh",
                            "from_numpy", "as_tensor")) is None


def test_answers_are_written_out_where_the_methods_for_it_are_forbidden():
    process = Process("import minigrad as torch\nf = lambda: [torch.ones(2)]\n", forbidden=("detach", "numpy"))
    try:
        assert process.ask("", "f", ["f"])[0][0].tolist() == [1.0, 1.0]
    finally:
        process.close()


def test_the_judge_may_call_what_is_forbidden_and_a_partial_is_allowed():
    process = Process("import functools\nf = functools.partial(lambda n, y, x: n * y, 3)\n",
                      forbidden=("autograd.grad", "clamp_"))
    try:
        assert process.ask(JUDGES_OWN, "probe", [])[0] == [12.0]
    finally:
        process.close()


@pytest.mark.parametrize("name", ["recorded", "CheckpointFunction", "CheckpointFunction.apply",
                                  "checkpoint_sequential"])
def test_a_module_is_forbidden_with_everything_in_it(name):
    found = outcome("import minigrad as torch\nimport minigrad.utils.checkpoint as c\n"
                    f"c.{name}(lambda x: x, True, torch.ones(3, requires_grad=True))", ("utils.checkpoint",))
    assert found and f"it calls utils.checkpoint.{name.removesuffix('.apply')}, which" in found


@pytest.mark.parametrize("way", [
    "import minigrad._core.profiling.instruments",
    "import importlib\nimportlib.import_module('minigrad._core.profiling.' + 'instruments')",
    "import importlib.util, minigrad._core as c\nfrom importlib.machinery import ExtensionFileLoader as L\n"
    "importlib.util.module_from_spec(importlib.util.spec_from_loader('a.instruments', L('a.instruments', c._LIBRARY)))",
])
def test_the_instruments_are_not_imported_again(way):
    assert "imports the judge" in (outcome(way, ()) or "")
    assert "KeyError" in outcome("import sys\nsys.modules['minigrad._core.profiling.instruments']", ())
    assert "AttributeError" in outcome("import minigrad._core.profiling as p\np.instruments", ())


USES = """
import numpy as np
import minigrad as torch, minigrad.nn as nn
from minigrad import Tensor
from minigrad.autograd import Function

HALF, PAIR = -torch.tensor(0.5) * 2 + 1, dict[str, Tensor | None]


@torch.no_grad()
def g(x: Tensor) -> torch.Tensor:
    return x


class Clip(Function, nn.Module):
    pass


try:
    list(torch.ones(3))
except TypeError as failure:
    assert "not iterable" in str(failure)


def f(x):
    return Clip.__mro__[1] is object and not isinstance(x, torch.Tensor) and float(np.sum(g(x)))


def h(x):
    return torch.tensor(x)
"""


def test_an_item_for_numpy_alone_finds_nothing_behind_the_name_minigrad():
    process = Process(USES, numpy_only=True)
    try:
        assert process.ask("", "f", ["f", [1.0, 2.0]])[0] == 3.0
        with pytest.raises(Failed) as failed:
            process.ask("", "h", ["h", 1.0])
        assert failed.value.reason == (
            "line 30: ImportError: minigrad.tensor is not there: this item is for NumPy alone")
    finally:
        process.close()
    for way in ("__import__('mini' + 'grad').ones(3)._version / 1", "import sys\nsys.modules['minigrad']",
                "import importlib\nimportlib.import_module('mini' + 'grad')", "import minigrad.ops\nimport scipy",
                "import minigrad\n[f.__globals__ for f in vars(type(minigrad)).values()]",
                "import minigrad\n[f.__closure__ for f in vars(type(minigrad)).values()]"):
        process = None
        try:
            process = Process(way, numpy_only=True)
        except (Failed, Stopped):
            pass
        assert process is None or process.close() or way.startswith("__import__"), way


@pytest.mark.parametrize("forbidden", [NUMPY, ()])
def test_what_honest_work_needs_is_allowed(forbidden):
    assert outcome(HONEST, forbidden) is None


def test_what_numpy_says_of_itself_can_be_read():
    assert outcome("import numpy as np\nnp.testing.assert_allclose([1.0], [1.0])", NUMPY) is None


@pytest.mark.parametrize("use", WITH_MINIGRAD)
def test_minigrad_itself_may_look(use):
    assert outcome(f"import minigrad as torch\n{WITH_MINIGRAD[use]}", ("autograd.grad",)) is None


@pytest.mark.parametrize("text", ["print(1)", "x + y", "[x for x in (1, 2)]", "lambda: 1", "x[-y]"])
def test_a_text_that_computes_is_not_an_annotation(text):
    source = f"import typing\nx = y = 1\ndef f(a: {text!r}): pass\ntyping.get_type_hints(f)"
    assert "runs text as code" in (outcome(source, NUMPY) or "nothing is refused")


@pytest.mark.parametrize("way", [
    "import inspect\ninspect.getmembers(lambda: 1)", "import inspect, json\ninspect.signature(json.dumps)",
    "import inspect, minigrad\ninspect.signature(minigrad.optim.Adam.__init__)",
    "import operator\noperator.attrgetter('__code__')(lambda: 1)"])
def test_the_code_of_a_function_is_handed_to_nobody(way):
    assert "looks at the code of a function" in (outcome(way, ("autograd.grad",)) or "nothing is refused")


def test_bytecode_that_is_kept_apart_is_as_open_as_its_source(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path))
    assert outcome("import numpy.typing, colorsys", NUMPY) is None
    ours = str(tmp_path) + str(Path(minigrad.__file__).with_name("linalg"))
    for file, forbidden, said in ((f"{ours}/low_rank.pyc", NUMPY, "imports minigrad"),
                                  (f"{ours}/../homework/judge.pyc", (), "opens a file of the judge")):
        assert said in outcome(f"open({file!r})", forbidden)


def test_numpy_is_hidden_where_it_is_forbidden():
    for source in ("__import__('num' + 'py')", "import sys\nsys.modules['numpy'].exp"):
        assert outcome(source, (*NUMPY, "numpy")) is not None
    assert outcome("import math\nmath.exp(1)", (*NUMPY, "numpy")) is None


@pytest.mark.parametrize("patch", [
    "import json\njson.dumps = json.encoder.JSONEncoder.encode = json.JSONEncoder.iterencode = lambda *a: '{}'",
    "import builtins\nbuiltins.isinstance = lambda *a: True\nbuiltins.len = lambda x: 0",
    "import numpy as np\nnp.asarray = np.allclose = np.abs = np.errstate = lambda *a, **k: 1 / 0",
    "import struct, base64, re, os\nstruct.pack = base64.b64encode = os.write = lambda *a: b''",
])
def test_functions_that_are_replaced_change_nothing_for_the_judge(patch):
    process = Process(f"{patch}\ndef f(x):\n    return x + 1e-6\n", forbidden=NUMPY)
    try:
        x = [0.25, 0.5, 1.0]
        answer, seen, work = process.ask("def probe(submission, x):\n    return [submission.f(each) for each in x]\n",
                                         "probe", [x], [0])
    finally:
        process.close()
    assert answer == [each + 1e-6 for each in x] and seen and min(work) > 0


def test_the_judges_paths_need_no_file(monkeypatch):
    """In a web page Python's library is an archive."""
    monkeypatch.setattr(os.path, "__file__", "/nowhere/posixpath.py")
    made = paths()
    assert made.join("a", "b") == os.path.join("a", "b") and made.join is not os.path.join
