"""What PyTorch's tests need: its name, lent to minigrad; its own tools for tests; substitutes for everything else.

The tests import ``torch.testing._internal``, which is written in Python, and imports ``torch._C`` and much else that is
not here.  So three kinds of modules are found under PyTorch's name: those that minigrad has; the few files of PyTorch
that are executed as they are, with minigrad as torch (``EXECUTED``); and substitutes.

While files are imported, a substitute has every attribute and may be called, so that decorators and tables can be made.
Afterwards a call raises `Inside`, with the name: the test needs what only PyTorch has.
"""

import contextlib
import functools
import importlib
import random
import re
import sys
import unittest
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from types import ModuleType, SimpleNamespace

import numpy as np

import minigrad
from minigrad._as_torch import _SHARED, _is_shared
from minigrad._core.errors.absent import Absent, because
from minigrad._core.forward.dual_tensors import level_is_open
from minigrad._core.graph.type_objects import attach
from minigrad.nn.modules.calls import all_modules

__all__ = ["Inside", "leave_imports", "reset", "set_stage", "simplify_cases"]

#: executed as they are, with all modules below them
EXECUTED = ("torch.testing._internal", "torch.testing._comparison", "torch.testing._utils",
            "torch.utils._import_utils", "torch._utils_internal", "torch.nn.utils._named_member_accessor",
            "torch._functorch.make_functional")

#: another name for PyTorch's gradcheck.py, from which its tools take two private functions
GRADCHECK = "torch.autograd._gradcheck"

#: other packages that the tools import
PACKAGES = ("functorch", "torchgen", "torchvision")

#: what a substitute is replaced by where a test needs an answer
ANSWERS = {
    "torch._C._get_privateuse1_backend_name": lambda: "privateuse1",
    "torch._C._debug_only_are_vmap_fallback_warnings_enabled": lambda: False,
    "torch._C._debug_only_display_vmap_fallback_warnings": lambda shown: None,
    "torch._C._DisableFuncTorch": contextlib.nullcontext,
    "torch.utils._mode_utils.no_dispatch": contextlib.nullcontext,
    "torch.autograd.kineto_available": lambda: False,
    "torch.cuda.is_tf32_supported": lambda: False,
}

#: private values of PyTorch that change
LIVE = {"torch.autograd.forward_ad._current_level": lambda: 0 if level_is_open() else -1}

#: what the tables ask for, and PyTorch does not have either
NOWHERE = {"torch._foreach_copy", "torch._foreach_zero", "torch.copy", "torch.zero"}

#: marks on the methods of test classes, which a substitute among them does not have
MARKS = {"parametrize_fn", "slow_test"}

#: what is asked in an `if`: all of it is off
SWITCHES = re.compile(r"\._?(has|is|built_with)_?\w*(\(\))*$|enabled|available|\.(hip|rocm|xpu|cuda|debug)$")

#: what must pass for a dtype
DTYPES = re.compile(r"torch\.(complex32|chalf|float[48]_\w+|q?u?int\d+(x\d)?|bits\w+)")

#: methods that PyTorch's tensors keep from Python 2
OLD_METHODS = ("__div__", "__rdiv__", "__idiv__", "__long__", "__nonzero__")

importing = [True]


class Inside(Exception):
    """A test used what only PyTorch has."""


# ------------------------------------------------------------------------------------------------- substitutes

class Substitute(type):
    """A class, so that it can be subclassed and asked for with `isinstance`; it contains nothing."""

    def __getattr__(cls, name):
        if name in MARKS or is_dunder(name):
            raise AttributeError(name)
        return substitute(f"{cls.__name__}.{name}")

    def __call__(cls, *args, **kwargs):
        if not importing[0]:
            raise Inside(cls.__name__)
        decorates = len(args) == 1 and not kwargs and callable(args[0]) and not isinstance(args[0], Substitute)
        return args[0] if decorates and "torch.library" not in cls.__name__ else substitute(cls.__name__ + "()")

    def __enter__(cls):
        if not importing[0]:
            raise Inside(cls.__name__)

    def __exit__(cls, *problem):
        pass

    def __bool__(cls):
        return not SWITCHES.search(cls.__name__)

    def __iter__(cls):
        return iter(())

    def __len__(cls):
        return 0

    def __contains__(cls, value):
        return False

    def __getitem__(cls, key):
        return cls

    def __or__(cls, other):
        return other

    __ror__ = __or__

    def __lt__(cls, other):
        return False

    __gt__ = __le__ = __ge__ = __lt__


class SubstituteDtype(Substitute):
    """It passes for a dtype."""

    __class__ = property(lambda cls: minigrad.dtype)

    def __str__(cls):
        return cls.__name__


class SubstituteModule(ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if is_dunder(name):
            raise AttributeError(name)
        return substitute(f"{self.__name__}.{name}")


def is_dunder(name):
    return name.startswith("__") and name.endswith("__")


@functools.cache
def substitute(name):
    made = SubstituteDtype if DTYPES.fullmatch(name) else Substitute
    return ANSWERS[name] if name in ANSWERS else made(name, (), {})


# --------------------------------------------------------------------------------------------------- imports

class Finder:
    """Finds what is executed in PyTorch's folder, and a substitute for each module that minigrad does not have."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        root = name.partition(".")[0]
        if name == GRADCHECK:
            return spec_from_file_location(name, self.folder / "autograd" / "gradcheck.py")
        if any(name == each or name.startswith(each + ".") for each in EXECUTED):
            return PathFinder.find_spec(name, [str(self.folder.joinpath(*name.split(".")[1:-1]))])
        left_out = root == "minigrad" and importing[0] and because(name.replace("minigrad", "torch", 1))
        if root == "torch" and not is_here(name) or root in PACKAGES or left_out:
            return ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return SubstituteModule(spec.name)

    def exec_module(self, module):
        """A substitute has nothing to execute; functorch is the old name of torch.func."""
        if module.__name__ == "functorch":
            vars(module).update({name: getattr(minigrad.func, name) for name in minigrad.func.__all__})
            old = importlib.import_module("torch._functorch.make_functional")
            for name in ("make_functional", "make_functional_with_buffers", "combine_state_for_ensemble"):
                setattr(module, name, getattr(old, name))
        if module.__name__ == "functorch.experimental":
            module.replace_all_batch_norm_modules_ = minigrad.func.replace_all_batch_norm_modules_


def is_here(name):
    ours = "minigrad" + name.removeprefix("torch")
    if not _is_shared(ours):
        return False
    try:
        complete(importlib.import_module(ours))
    except ModuleNotFoundError:
        return False
    return True


completed = set()


def complete(module):
    """While files are imported, names that a module, or one below it, does not have are substitutes.

    For PyTorch's own tools they are substitutes later, too.
    """
    if module.__name__ in completed or module.__name__ != "minigrad.ops" and not _is_shared(module.__name__):
        return
    completed.add(module.__name__)
    theirs = module.__name__.replace("minigrad", "torch", 1)
    contents = ModuleType.__dict__["__dict__"].__get__(module)

    def without(name):
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}", name=name, obj=module)

    inner = contents.get("__getattr__", without)

    def __getattr__(name):
        if f"{theirs}.{name}" in LIVE:
            return LIVE[f"{theirs}.{name}"]()
        try:
            found = inner(name)
        except AttributeError:
            asking = sys._getframe(1).f_globals.get("__name__", "")
            inside = importing[0] or asking.startswith(EXECUTED) or theirs == "torch._C"
            if not inside or is_dunder(name) or f"{theirs}.{name}" in NOWHERE:
                raise
            return substitute(f"{theirs}.{name}")
        if isinstance(found, ModuleType):
            complete(found)
        return found

    contents["__getattr__"] = functools.update_wrapper(__getattr__, inner)
    if theirs == "torch._C":
        contents["__path__"] = []                   # PyTorch's has modules below it
    for below in list(contents.values()):
        if isinstance(below, ModuleType):
            complete(below)


# ----------------------------------------------------------------------------------------------- begin and end

finfo = minigrad.finfo
refuse = Absent.__get__


def set_stage(folder):
    """Lend the name; ``folder`` is the one called torch, in a clone of PyTorch or where it is installed."""
    minigrad.as_torch()
    sys.meta_path.insert(0, Finder(folder))
    complete(minigrad)
    complete(minigrad.ops)
    for name in sorted(_SHARED):
        is_here(f"torch.{name}")
    for name in [name for name in sys.modules if name.startswith("minigrad.") and _is_shared(name)]:
        complete(sys.modules[name])
    minigrad.finfo = lambda *dtype: (
        substitute("torch.finfo") if dtype and isinstance(dtype[0], Substitute) else finfo(*dtype))
    minigrad.__future__ = SimpleNamespace(get_swap_module_params_on_conversion=lambda: False,
                                          set_swap_module_params_on_conversion=only_off)
    attach("is_nested", False)
    attach("_grad", property(lambda x: x.grad, lambda x, value: setattr(x, "grad", value)))
    for name in OLD_METHODS:
        attach(name, Absent(name))
    Absent.__get__ = lambda self, instance, owner: (
        substitute(f"torch.Tensor.{self.name}") if importing[0] else refuse(self, instance, owner))
    importlib.import_module("torch.testing._utils")
    importlib.import_module("torch.utils._mode_utils")
    theirs = importlib.import_module(GRADCHECK)
    for name in ("_get_numerical_jacobian", "_iter_tensors"):
        setattr(importlib.import_module("minigrad.autograd.gradcheck"), name, getattr(theirs, name))


def only_off(value):
    if value:
        raise Inside("torch.__future__.set_swap_module_params_on_conversion(True)")


def simplify_cases():
    """Let PyTorch's class of test cases ask nothing of its insides before and after each test."""
    cases = importlib.import_module("torch.testing._internal.common_utils").TestCase

    def setUp(self):
        for seed in (minigrad.manual_seed, random.seed, np.random.seed):
            seed(1234)                                          # as PyTorch's does
        self.grad_mode, self.default = minigrad.is_grad_enabled(), minigrad.get_default_dtype()

    def tearDown(self):
        minigrad.set_grad_enabled(self.grad_mode)
        minigrad.set_default_dtype(self.default)

    cases.run, cases.setUp, cases.tearDown = unittest.TestCase.run, setUp, tearDown


def leave_imports():
    """From now on a substitute that is called is an error."""
    importing[0] = False
    minigrad.finfo = finfo


def reset():
    """Remove the hooks of all modules: some tests leave them, or remove them under a private name of PyTorch."""
    for hooks in vars(all_modules).values():
        if isinstance(hooks, dict):
            hooks.clear()
