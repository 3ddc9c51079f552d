"""Without kernels in C every row runs its general way, forward and back, in NumPy; what has none is listed.

All tests of this folder run so too: ``MINIGRAD_KERNELS=0 python -m pytest tests/ops``.
"""

import dis
import functools
import importlib
import os
import pkgutil
import subprocess
import sys
import threading
import types

import numpy as np
import pytest

import minigrad as torch
from minigrad._core import kernels
from minigrad._core.dispatch.compute import on_arrays_in_c
from minigrad._core.frontends import optimizer_steps
from minigrad._core.kernels.loops import new_ufuncs, special_functions
from minigrad._core.kernels.reductions import array_sums
from minigrad.ops import kinds
from minigrad.ops.exports import ROWS
from minigrad.teaching import without_kernels
from tests.checking import of_kernels, the_table_as_it_was
from tests.ops.only_in_c import ONLY_IN_C

HOME = kernels.__name__ + "."
#: Functions of these packages are read; those of NumPy are NumPy.
READ = "minigrad", __name__.partition(".")[0]


# ------------------------------------------------------------------------------ what is only in C

def names_in_c():
    """{identity: name} of what is defined in the folder of kernels, and can be called from Python."""
    found = {}
    for each in pkgutil.walk_packages(kernels.__path__, HOME):
        for name, x in vars(importlib.import_module(each.name)).items():
            if isinstance(x, np.ufunc) and getattr(np, x.__name__, None) is not x or (
                    callable(x) and getattr(x, "__module__", None) == each.name):
                found[id(x)] = f"{each.name}.{name}".removeprefix(HOME)
    return found


NAMES = names_in_c()


def called_in_c(function, seen):
    """The names of what a kernel in NumPy may call of the folder of kernels, by itself or by other functions."""
    if id(function) in seen:
        return
    seen[id(function)] = function
    if id(function) in NAMES:
        yield NAMES[id(function)]
    elif isinstance(function, functools.partial):
        for part in (function.func, *function.args, *function.keywords.values()):
            yield from called_in_c(part, seen)
    elif isinstance(function, types.FunctionType) and function.__module__.partition(".")[0] in READ:
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        for part in (*cells, *(function.__defaults__ or ()), *named_in(function.__code__, function.__globals__)):
            yield from called_in_c(part, seen)


def named_in(code, names):
    """What code refers to by a global name, or as an attribute of a module."""
    before = None
    for each in dis.get_instructions(code):
        if each.opname == "LOAD_GLOBAL":
            before = names.get(each.argval)
        elif each.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(before, types.ModuleType):
            before = getattr(before, each.argval, None)
        else:
            before = None
        if before is not None:
            yield before
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from named_in(inner, names)


def only_in_c():
    """{what is in C: the rows that have no other way}, as the table has it."""
    found = {}
    for name in sorted(ROWS):
        for way in (ROWS[name].kernel, ROWS[name].plain):
            for each in called_in_c(way, {}):
                found.setdefault(each, {})[name] = None
    return {each: " ".join(rows) for each, rows in sorted(found.items())}


def test_rows_run_in_numpy_alone_or_are_listed():
    found = only_in_c()
    changed = {each: (found.get(each), ONLY_IN_C.get(each)) for each in {*found, *ONLY_IN_C}
               if found.get(each) != ONLY_IN_C.get(each)}
    assert not changed, f"what the table has, and what only_in_c.py lists: {changed}"


def test_what_calls_c_is_found():
    def deep(self):
        return [array_sums.total(x) for x in self]

    erf = special_functions.erf
    for function, name in ((erf, "erf"), (lambda self: erf(self), "erf"), (functools.partial(deep, erf), "total"),
                           (deep, "total"), (lambda self: deep(self), "total"), (lambda self, by=erf: by(self), "erf"),
                           (lambda self: special_functions.erf(self), "erf")):
        assert name in [each.rpartition(".")[2] for each in called_in_c(function, {})], function
    assert not [*called_in_c(lambda self: np.exp(self).sum(), {})]


# ------------------------------------------------------------------------------ the switch

@pytest.fixture
def told():
    """A row with a kernel in C that is not what it says, so that a result tells which of the two has run."""
    with the_table_as_it_was():
        yield a_row()


def a_row():
    return kinds.elementwise("negative_to_zero(Tensor self)", lambda self: self + 100, public=False,
                             fast=new_ufuncs.relu, self=lambda d, self: negative_to_zero_of(d))


def negative_to_zero_of(d):
    return ROWS["negative_to_zero"](d)


def in_c(row):
    return row(torch.tensor([-1.])).tolist() == [0]


@of_kernels
def test_the_general_way_runs_in_the_block(told):
    assert in_c(told) and told.computes_in_c
    with without_kernels():
        assert not in_c(told) and not told.computes_in_c and not told.loops_in_c
        with without_kernels():
            assert not in_c(told)
        assert not in_c(told)
    assert in_c(told) and told.computes_in_c


@of_kernels
def test_so_it_does_in_a_backward_pass(told):
    x = torch.tensor([-1.], requires_grad=True)
    assert torch.autograd.grad(told(x), x, torch.tensor([-5.]))[0].tolist() == [0]
    with without_kernels():
        assert torch.autograd.grad(told(x), x, torch.tensor([-5.]))[0].tolist() == [95]


@of_kernels
def test_an_error_in_the_block_turns_them_on_again(told):
    with pytest.raises(ZeroDivisionError):
        with without_kernels():
            1 / 0
    assert in_c(told)


@of_kernels
def test_blocks_of_several_threads_may_overlap(told):
    opened, close = threading.Event(), threading.Event()

    def other():
        with without_kernels():
            opened.set()
            close.wait(60)

    thread = threading.Thread(target=other)
    thread.start()
    opened.wait(60)
    assert not in_c(told)
    with without_kernels():
        pass
    assert not in_c(told)
    close.set()
    thread.join()
    assert in_c(told)


@of_kernels
def test_each_kernel_comes_back_to_its_row():
    def state():
        return {name: (ROWS[name].computes_in_c, ROWS[name].loops_in_c) for name in ROWS}

    before = state()
    x = np.ones(3)
    with without_kernels():
        assert not any(in_c for each in state().values() for in_c in each)
        assert on_arrays_in_c(ROWS["mul"], x, x) is None
    assert state() == before and sum(in_c for in_c, _ in before.values()) > 500
    assert on_arrays_in_c(ROWS["mul"], x, x) is not None


@of_kernels
def test_rows_that_are_made_in_the_block():
    with the_table_as_it_was():
        with without_kernels():
            row = a_row()
            assert not in_c(row)
        assert in_c(row)


def test_kernels_without_a_row_of_their_own_are_off_too():
    """Products of batches, steps of optimizers and writes at chosen places are what the operations give."""
    generator = np.random.default_rng(1)
    a, b, weight = [torch.tensor(generator.normal(size=size)) for size in ((2, 3, 4), (2, 4, 5), (5, 4))]

    def found():
        moved = torch.ones(4, requires_grad=True)
        optimizer = torch.optim.Adam([moved], lr=0.1)
        for _ in range(3):
            moved.grad = torch.arange(4.)
            optimizer.step()
        written = torch.zeros(4)
        written[torch.tensor([0, 2])] = torch.tensor([1., 2.])
        with torch.no_grad():
            products = a @ b, torch.nn.functional.linear(a, weight, weight[:, 0]), torch.inner(a, weight)
        return [x.detach().numpy() for x in (*products, moved, written)]

    expected = found()
    with without_kernels(), torch.no_grad():
        assert optimizer_steps.sgd(torch.nn.Parameter, [a], {}, 0.1, 0, 0, 0, False, False) == [a]
        for x, y in zip(found(), expected):
            np.testing.assert_allclose(x, y, 1e-6, 1e-6)


# ------------------------------------------------------------------------------ the environment

def says(value, code):
    return subprocess.run([sys.executable, "-c", code], text=True, capture_output=True,
                          env={**os.environ, "MINIGRAD_KERNELS": value})


def test_the_environment_turns_them_off_and_a_block_does_not_turn_them_on():
    done = says("0", "from minigrad.ops.exports import ROWS; from minigrad.teaching import without_kernels\n"
                     "with without_kernels(): pass\n"
                     "print(sum(ROWS[name].computes_in_c for name in ROWS))")
    assert done.stdout == "0\n", done.stderr


def test_rows_that_wait_for_their_files_are_filled_without_kernels_in_a_block():
    done = says("1", "from minigrad.ops.exports import ROWS; from minigrad.ops.lazy import is_awaited\n"
                     "from minigrad.teaching import without_kernels\n"
                     "row = ROWS.waiting('median'); print(is_awaited(row))\n"
                     "with without_kernels(): print(ROWS['median'].computes_in_c)\n"
                     "print(ROWS['median'].computes_in_c)")
    assert done.stdout == "True\nFalse\nTrue\n", done.stderr


@pytest.mark.parametrize("value", ["", "2", "off"])
def test_another_value_is_refused(value):
    done = says(value, "import minigrad")
    assert done.returncode and f"MINIGRAD_KERNELS={value}: it may be 1, which is the default, or 0" in done.stderr
