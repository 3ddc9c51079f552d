"""Every check of every operation, driven by the sample rows (see sampling.py).

For each row and each of its cases: the values against a reference on NumPy arrays, and everything
that a user can see against PyTorch; the first and the second derivatives against finite differences;
the loops of the core against the general way of doing the same.  In-place forms are in test_inplace_forms.py,
``out=`` in test_out.py.  Then the table of derivatives itself: its formulas can be traced, and stay within the table.

The checks are checked too: operations with planted faults must be caught.
"""

import math
import types

import numpy as np
import pytest

import minigrad
from minigrad._core.dispatch.compute import on_arrays, on_arrays_general
from minigrad._core.dispatch.op import Op
from minigrad._core.graph import Tensor, wrap
from minigrad.autograd import GradcheckError, gradcheck, gradgradcheck
from minigrad.ops import exports, kinds
from minigrad.ops.schema import taken_apart
from minigrad.ops.elementwise.elementary import cos, sin
from tests.checking import the_table_as_it_was
from tests.ops.samples import ROWS
from tests.ops.sampling import T, arrays_of, case, replace, row

DIFFERENTIABLE = [row for row in ROWS if row.grad and not row.kink]
TWICE = [row for row in DIFFERENTIABLE if row.gradgrad]
SINGLE = (np.dtype("float32"), np.dtype("complex64"))


def each(rows):
    return pytest.mark.parametrize("row", rows, ids=str)


# ------------------------------------------------------------------------------ calling


def place(row):
    """Where the operation is found: in a module, as a method, or (for what is not public) in the table."""
    if row.where:
        return row.where
    head = row.name.split(".")[0]
    if head in exports.REGISTRY or "." in row.name:
        return "torch"
    return "nn.functional" if head in exports.NN_REGISTRY or hasattr(minigrad.nn.functional, head) else "method"


def call(library, row, args, kwargs):
    where = place(row)
    if isinstance(kwargs.get("dtype"), str):
        kwargs = {**kwargs, "dtype": getattr(library, kwargs["dtype"])}
    name = row.torch if library is not minigrad and isinstance(row.torch, str) else row.name
    if where == "row":
        return exports.ROWS[name](*args, **kwargs)
    if where == "method":
        return getattr(args[0], name)(*args[1:], **kwargs)
    function = library.nn.functional if where == "nn.functional" else library
    for part in name.split("."):
        function = getattr(function, part)
    return function(*args, **kwargs)


def ours(array, requires_grad):
    return wrap(array.copy(), requires_grad)


def bound(make, row, case, dtype):
    """A function of the tensors that want a gradient, those tensors, and all arguments: args, kwargs.

    ``make(array, requires_grad)`` makes a tensor.
    """
    args, kwargs, wanted = arrays_of(row, case, dtype)
    tensors = {}

    def tensor_for(array):
        return tensors.setdefault(id(array), make(array, id(array) in wanted and row.grad))

    # Kept alive until here, so that no two arrays share an id.
    new_args = [replace(a, tensor_for) for a in args]
    new_kwargs = {k: replace(v, tensor_for) for k, v in kwargs.items()}
    inputs = [tensors[i] for i in tensors if i in wanted]
    return inputs, new_args, new_kwargs, (args, kwargs)


def flat(result):
    """The outputs of a call as a list."""
    if isinstance(result, (tuple, list)):
        return [y for x in result for y in flat(x)]
    return [result]


def array(x):
    return x.numpy(force=True) if hasattr(x, "numpy") else np.asarray(x)


def dtypes(row):
    return ["float64", "float32"] + ["complex128"] * row.complex + ["int64"] * row.ints


def agree(actual, expected, row, dtype, what):
    rtol, atol = row.rtol, row.atol
    if dtype == "float32" or actual.dtype in SINGLE or expected.dtype in SINGLE:
        rtol, atol = max(rtol, 5e-5), max(atol, 2e-6)
    assert actual.shape == expected.shape, f"{what}: shape {actual.shape}, and not {expected.shape}"
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol, err_msg=what)


# ------------------------------------------------------------------------------ the checks


def check_forward(row):
    for case in row.cases:
        for dtype in dtypes(row):
            _, args, kwargs, (arrays, keywords) = bound(ours, row, case, dtype)
            with np.errstate(all="ignore"):
                expected = flat(row.numpy(*arrays, **keywords))
            actual = flat(call(minigrad, row, args, kwargs))
            assert len(actual) == len(expected), f"{case}: {len(actual)} outputs, and not {len(expected)}"
            for a, e in zip(actual, expected):
                agree(array(a), np.asarray(e), row, dtype, f"{row}({case}) of {dtype}")


def function_of(row, inputs, args, kwargs):
    """The call as a function of its inputs, to the outputs that are differentiable in them."""
    slots = {id(x): i for i, x in enumerate(inputs)}
    differentiable = [isinstance(x, Tensor) and x.requires_grad for x in flat(call(minigrad, row, args, kwargs))]

    def function(*given):
        def swap(x):
            if isinstance(x, (list, tuple)):
                return type(x)(swap(y) for y in x)
            return given[slots[id(x)]] if id(x) in slots else x
        result = call(minigrad, row, [swap(x) for x in args], {k: swap(v) for k, v in kwargs.items()})
        return tuple(x for x, wanted in zip(flat(result), differentiable, strict=True) if wanted)

    return function


def check_derivatives(row, checker):
    for case in row.cases:
        for dtype in ["float64"] + ["complex128"] * row.complex:
            inputs, args, kwargs, _ = bound(ours, row, case, dtype)
            if not inputs:
                continue
            function = function_of(row, inputs, args, kwargs)
            if not function(*inputs):
                outputs = flat(call(minigrad, row, args, kwargs))
                moves = [x for x in outputs if isinstance(x, Tensor) and x.dtype.category > 1]
                assert not moves, f"{row}({case}) of {dtype}: no output requires grad"
                continue
            try:
                assert checker(function, tuple(inputs))
            except GradcheckError as e:
                raise AssertionError(f"{row}({case}) of {dtype}: {e}") from e


# ------------------------------------------------------------------------------ all rows


@each([row for row in ROWS if row.numpy is not None])
def test_values(row):
    check_forward(row)


@each(DIFFERENTIABLE)
def test_derivative(row):
    check_derivatives(row, gradcheck)


@each(TWICE)
@pytest.mark.drawn(first=0)         # others in test_gradcheck.py
def test_second_derivative(row):
    check_derivatives(row, gradgradcheck)


@each([row for row in ROWS if row.bad is not None])
def test_bad_input_is_refused_by_name(row):
    _, args, kwargs, _ = bound(ours, row, row.bad, "float64")
    with pytest.raises(Exception) as caught:
        call(minigrad, row, args, kwargs)
    assert str(getattr(caught.value, "code", "")).startswith("MG"), f"not from errors.py: {caught.value!r}"
    assert row.name.split(".")[-1] in str(caught.value), f"the message does not name the operation: {caught.value}"


def is_called_directly(row):
    """Is the sample a call of a row, and not of a composite of the same name?"""
    op = exports.ROWS.get(row.name)
    if op is None or place(row) == "row":
        return op is not None
    exported = exports.NN_REGISTRY if place(row) == "nn.functional" else exports.REGISTRY
    return op in exported.values()


@each([row for row in ROWS if is_called_directly(row)])
def test_the_fast_loops_and_the_general_way_agree(row):
    op = exports.ROWS[row.name]
    for case in row.cases:
        for dtype in ("float64", "float32"):
            args, kwargs, _ = arrays_of(row, case, dtype)
            if kwargs or len(args) > op.n_positional:
                continue
            args = [(x,) if isinstance(x, int) and taken_apart(type_).alone else x for x, type_ in zip(args, op.types)]
            for a, b in zip(flat(on_arrays(op, *args)), flat(on_arrays_general(op, *args))):
                assert a.dtype == b.dtype
                agree(a, b, row, dtype, f"{row}({case}) of {dtype}")


# ------------------------------------------------------------------------------ PyTorch


@pytest.mark.parity
@each([row for row in ROWS if row.torch and place(row) != "row"])
def test_parity(row):
    torch = pytest.importorskip("torch")

    def theirs(array, requires_grad):
        return torch.from_numpy(array.copy()).requires_grad_(requires_grad)

    for case in row.cases:
        for dtype in dtypes(row):
            what = f"{row}({case}) of {dtype}"
            mine, args, kwargs, _ = bound(ours, row, case, dtype)
            yours, torch_args, torch_kwargs, _ = bound(theirs, row, case, dtype)
            actual, expected = flat(call(minigrad, row, args, kwargs)), flat(call(torch, row, torch_args, torch_kwargs))
            assert len(actual) == len(expected), what
            for a, e in zip(actual, expected):
                assert isinstance(a, Tensor) == isinstance(e, torch.Tensor), what
                if isinstance(e, torch.Tensor):
                    assert repr(a.dtype) == repr(e.dtype), f"{what}: dtype {a.dtype}, and not {e.dtype}"
                    assert a.requires_grad == e.requires_grad, f"{what}: requires_grad {a.requires_grad}"
                agree(array(a), array(e), row, dtype, what)
            pairs = [(a, e) for a, e in zip(actual, expected) if isinstance(e, torch.Tensor) and e.requires_grad]
            for a, e in pairs:
                same_node(row, a.grad_fn, e.grad_fn, what)
            if pairs:
                same_gradients(torch, row, pairs, mine, yours, dtype, what)


def same_node(row, mine, yours, what):
    if not row.node or mine is None or yours is None:
        return
    assert mine.name() == yours.name(), f"{what}: grad_fn {mine.name()}, and not {yours.name()}"
    known = {name for name in dir(yours) if name.startswith("_saved_")} | {f"_saved_{name}" for name in row.extra_saved}
    for name in [name for name in dir(type(mine)) if name.startswith("_saved_")
                 and isinstance(getattr(type(mine), name), property)]:
        assert name in known, (f"{what}: PyTorch's {yours.name()} has no {name}: save what it saves, or say "
                               f"extra_saved=({name.removeprefix('_saved_')!r},) in the sample row")
        if hasattr(yours, name) and getattr(yours, name) is None:
            assert getattr(mine, name) is None, f"{what}: {name} is saved though nothing needs it"


def same_gradients(torch, row, pairs, mine, yours, dtype, what):
    rng = row.rng(None)
    ds = []
    for _, e in pairs:
        d = rng.normal(size=tuple(e.shape)) + (1j * rng.normal(size=tuple(e.shape)) if e.dtype.is_complex else 0)
        ds.append(np.asarray(d, array(e).dtype))
    actual = minigrad.autograd.grad([a for a, _ in pairs], mine, [wrap(d) for d in ds], allow_unused=True)
    expected = torch.autograd.grad([e for _, e in pairs], yours, [torch.from_numpy(d.copy()) for d in ds],
                                   allow_unused=True)
    for i, (a, e) in enumerate(zip(actual, expected)):
        assert (a is None) == (e is None), f"{what}: gradient {i} is {a}, and not {e}"
        if e is not None:
            assert repr(a.dtype) == repr(e.dtype), f"{what}: gradient {i} of dtype {a.dtype}"
            agree(array(a), array(e), row, dtype, f"{what}: gradient {i}")


@pytest.mark.parity
@each([row for row in ROWS if row.bad is not None and row.torch])
def test_bad_input_raises_what_pytorch_raises(row):
    torch = pytest.importorskip("torch")
    _, args, kwargs, _ = bound(lambda a, g: torch.from_numpy(a.copy()), row, row.bad, "float64")
    with pytest.raises(Exception) as expected:
        call(torch, row, args, kwargs)
    kind = RuntimeError if expected.type is NotImplementedError else expected.type
    _, args, kwargs, _ = bound(ours, row, row.bad, "float64")
    with pytest.raises(kind):
        call(minigrad, row, args, kwargs)


# ------------------------------------------------------------------------------ the table


FORMULAS = [(op, formula) for op in {id(op): op for op in exports.ROWS.values()}.values() for formula in op.formulas
            if formula.text is not None]


@pytest.mark.parametrize("op, formula", FORMULAS, ids=[f"{op.name}-{formula.of}" for op, formula in FORMULAS])
def test_a_formula_can_be_traced_unless_its_row_says_otherwise(op, formula):
    assert (op.program(formula.of) is not None) == op.traceable


@pytest.mark.parametrize("op, formula", FORMULAS, ids=[f"{op.name}-{formula.of}" for op, formula in FORMULAS])
def test_a_formula_stays_within_the_table(op, formula):
    if op.traceable:
        check_closed(formula.text, set())


def check_closed(function, seen):
    """Every global name in the text is a row, a number (also of math or numpy), or a function that uses no others.

    A formula may ask for the type of a parameter: one that was left out has its default, and others are symbols.
    """
    if function in seen:
        return
    seen.add(function)
    assert function not in exports.REGISTRY.values(), f"{function.__name__} is a composite"
    for name in names_in(function.__code__):
        if name not in function.__globals__:        # an attribute
            assert (isinstance(getattr(np, name, None), float) or hasattr(math, name)
                    or name in ("type", "int")), f"{name} is not an operation of the table"
            continue
        value = function.__globals__[name]
        if isinstance(value, types.FunctionType):
            check_closed(value, seen)
        else:
            assert isinstance(value, (Op, int, float, complex)) or value in (math, np), (
                f"{name} is not an operation of the table")


def names_in(code):
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names += names_in(constant)
    return names


def in_samples(module, name):
    """What the samples call a function: ``linalg.det``, and those of nn.functional by their names alone."""
    return name if module == "minigrad.nn.functional" else f"{module}.{name}".removeprefix("minigrad.")


@pytest.mark.parametrize(("module", "name"), [(module, name) for module in exports.EXPORTS
                                              for name in sorted(exports.EXPORTS[module])])
def test_every_operation_has_a_sample(module, name):
    function = exports.EXPORTS[module][name]
    names = {in_samples(place, other) for place, functions in exports.EXPORTS.items()
             for other, known in functions.items() if known is function}
    assert names & {row.name for row in ROWS}, (
        f"no samples: add row({in_samples(module, name)!r}, case(...), numpy=...) to a file of tests/ops/samples")


def test_no_case_is_checked_twice():
    """A row of samples for a name that has one already has other cases, which want other options."""
    cases = [(row.name, row.where, repr(case)) for row in ROWS for case in row.cases]
    assert len(cases) == len({*cases}), {case for case in cases if cases.count(case) > 1}


# ------------------------------------------------------------------------------ planted faults


@pytest.fixture
def planted():
    """A place for rows that are wrong on purpose."""
    with the_table_as_it_was():
        yield kinds.elementwise


def fault(name, *arguments):
    return row(name, case(*(arguments or (T(3),))), numpy=np.sin, where="row")


def test_a_wrong_value_is_caught(planted):
    planted("faulty(Tensor self)", np.cos, self=lambda d, self: -d * sin(self), public=False)
    with pytest.raises(AssertionError, match="faulty"):
        check_forward(fault("faulty"))


@pytest.mark.parametrize("wrong", [
    lambda d, self: d * sin(self),
    lambda d, self: -d * cos(self),
    lambda d, self: 2 * d * cos(self),
    lambda d, self: d * cos(self) + 1e-3,
], ids=["function", "sign", "factor", "offset"])
def test_a_wrong_derivative_is_caught(planted, wrong):
    planted("faulty(Tensor self)", np.sin, self=wrong, public=False)
    check_forward(fault("faulty"))
    with pytest.raises(AssertionError, match="faulty"):
        check_derivatives(fault("faulty"), gradcheck)


def test_a_wrong_second_derivative_is_caught(planted):
    slope = planted("faulty_slope(Tensor self)", np.cos, self=lambda d, self: d * sin(self), public=False)
    planted("faulty(Tensor self)", np.sin, self=lambda d, self: d * slope(self), public=False)
    check_derivatives(fault("faulty"), gradcheck)
    with pytest.raises(AssertionError, match="faulty"):
        check_derivatives(fault("faulty"), gradgradcheck)


def test_a_missing_conjugate_is_caught(planted):
    kinds.general("faulty(Tensor self)", np.sin, self=lambda d, self: d * cos(self), public=False)
    check = row("faulty", case(T(3)), numpy=np.sin, where="row", complex=True)
    with pytest.raises(AssertionError, match="complex128"):
        check_derivatives(check, gradcheck)


def test_a_derivative_that_leaves_the_table_is_caught():
    with pytest.raises(AssertionError, match="not an operation"):
        check_closed(lambda d, self: d * np.sinc(self), set())
    with pytest.raises(AssertionError, match="composite"):
        check_closed(lambda d, self: d * composite_in_a_formula(self), set())


composite_in_a_formula = exports.REGISTRY["pow"]
