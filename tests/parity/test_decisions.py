"""A decision on every name of PyTorch: it is here, or inert, or absent, and left_out.txt says why."""

import importlib
import inspect
import re
from pathlib import Path

import pytest

import minigrad
from minigrad import stand_ins
from tests.checking import refuses
from minigrad._core.errors import absent
from minigrad._core.errors.absent import Absent, left_out, pytorchs, why

#: The namespaces whose names are recorded.
NAMESPACES = sorted(absent.recorded())


def home(namespace):
    """What minigrad has for a namespace of PyTorch: a module, a class, or None."""
    if namespace == "torch.Tensor":
        return minigrad.Tensor
    try:
        return importlib.import_module(namespace.replace("torch", "minigrad", 1))
    except ModuleNotFoundError:
        return None


def is_inert(namespace, name):
    """Whether the name is there, and computes nothing; a module that minigrad has is more than what is inert in it."""
    ours = namespace.replace("torch", "minigrad", 1)
    found = getattr(home(namespace), name, None) if home(namespace) else None
    return name in stand_ins.names_in(ours) and getattr(getattr(found, "__spec__", None), "origin", None) is None


def is_here(namespace, name):
    if is_inert(namespace, name):
        return False
    found = home(namespace)
    if found is minigrad.Tensor:
        return not isinstance(inspect.getattr_static(found, name, Absent(name)), Absent)
    return hasattr(found, name)


def undecided(namespace):
    """The names that are neither here nor left out; inert ones are left out, too."""
    return [name for name in sorted(pytorchs(namespace)) if not is_here(namespace, name) and not why(namespace, name)]


def test_the_namespaces_are_those_that_programs_use():
    assert {"torch", "torch.Tensor", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft",
            "torch.autograd", "torch.func"} <= {*NAMESPACES}


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_every_name_is_decided(namespace):
    assert undecided(namespace) == []


def test_a_forgotten_name_is_found(monkeypatch):
    monkeypatch.setitem(absent.recorded(), "torch.func", frozenset({"grad", "forgotten"}))
    assert undecided("torch.func") == ["forgotten"]


def patterns():
    """But of torch.ops, which is minigrad's own package: its placeholder is there while the name is lent; and of
    torch.utils.tensorboard, which is an attribute once it is imported, where TensorBoard is installed."""
    return [pattern for each in left_out().values() for pattern in each
            if not pattern.startswith("torch.ops") and pattern != "torch.utils.tensorboard"]


def test_what_is_left_out_by_name_is_not_here():
    exact = [pattern.rpartition(".") for pattern in patterns() if "*" not in pattern]
    assert [f"{namespace}.{name}" for namespace, _, name in exact if is_here(namespace, name)] == []


def test_every_pattern_is_of_use():
    """It is of a name that PyTorch has and minigrad has not; and none is there twice."""
    def matches(pattern):
        namespace, _, name = pattern.rpartition(".")
        return any(re.fullmatch(name.replace("*", ".*"), each) and not is_here(each_of, each)
                   for each_of in (NAMESPACES if namespace == "*" else [namespace])
                   for each in {*pytorchs(each_of), *stand_ins.surface().get(each_of, ())})

    assert [pattern for pattern in patterns() if not matches(pattern)] == []
    assert sorted({*patterns()}) == sorted(patterns())


PUBLISHED = Path(__file__).with_name("packages") / "names.txt"


def test_what_published_packages_name_is_here_or_inert_or_has_a_reason():
    """Private names of three packages and more too."""
    lines = [line.split() for line in PUBLISHED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert len(lines) > 1000
    names = [name for name, number in lines if not is_found(name) and not absent.because(f"{name}.")
             and (int(number) > 2 or "._" not in name)]
    assert [name for name in names if name not in NOT_YET] == []


#: modules of Python, names of files that are others here, what a compiler would write, and the memory of a device
NOT_YET = {"torch.accelerator.get_memory_info", "torch.accelerator.max_memory_allocated",
           "torch.accelerator.reset_peak_memory_stats",
           "torch.compiler.load_compiled_function", "torch.distributed.run.get_args_parser",
           "torch.distributed.run.run"}


def is_found(full):
    """Whether a program that says this name finds something."""
    found, path = minigrad, "minigrad"
    for part in full.split(".")[1:]:
        path = f"{path}.{part}"
        try:
            found = getattr(found, part) if hasattr(found, part) else importlib.import_module(path)
        except ImportError:
            return False
    return True


@pytest.mark.parametrize(("name", "reason"), [("sparse_coo_tensor", "sparse tensors are left out"),
                                              ("quantize_per_tensor", "quantized tensors are left out"),
                                              ("cudnn_convolution", "minigrad computes on the CPU")])
def test_the_error_says_why(name, reason):
    with refuses(AttributeError, f"torch.{name} is in PyTorch, and not in minigrad: {reason}", "MG602") as refused:
        getattr(minigrad, name)
    assert "docs/notes/decisions.rst" in str(refused.value)


def test_names_of_other_namespaces_do_not_match():
    assert why("torch", "sparse_coo_tensor") and not why("torch.linalg", "sparse_coo_tensor")
    assert not why("torch", "quantile") and not why("torch.nn.functional", "nothing")
