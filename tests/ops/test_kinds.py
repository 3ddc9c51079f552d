"""The table refuses rows that are wrong: when they are made, or,
where the kernel has to run for it, at the first call."""

import re
import sys

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import wrap
from minigrad._core.kernels.loops import new_ufuncs
from minigrad.func import grad, jvp, vmap
from minigrad.ops import columns, composites, exports, kinds, schema
from minigrad.ops.schema import parse, taken_apart
from tests.checking import of_kernels, refuses, the_table_as_it_was


@pytest.fixture(autouse=True)
def as_before():
    """What a test adds to the table is taken away again."""
    with the_table_as_it_was():
        yield


def through(d):
    return d


# ------------------------------------------------------------------------------ where a row is exported


def test_a_row_named_after_a_module_is_exported_there():
    twice = kinds.general("linalg_twice(Tensor A)", lambda A: 2 * A, A=lambda d: 2 * d, aliases=("linalg_double",))
    assert exports.EXPORTS["minigrad.linalg"]["twice"] is exports.EXPORTS["minigrad.linalg"]["double"] is twice
    assert twice.takes_out and not {"linalg_twice", "twice"} & {*exports.REGISTRY, *exports.METHODS, *exports.INPLACE}


def test_an_elementwise_row_of_a_module_has_no_in_place_form():
    kinds.elementwise("linalg_negated(Tensor self)", np.negative, self=lambda d: -d)
    assert not {"linalg_negated_", "negated_"} & {*exports.INPLACE, *exports.INPLACE_FUNCTIONS}


def test_several_rows_of_one_name_are_one_function_of_the_module():
    for line in ("linalg_shift.by(Tensor A, Scalar by)", "linalg_shift.tensor(Tensor A, Tensor by)"):
        kinds.general(line, lambda A, by: A + by, A=through, no_gradient=("by",) * ("Tensor by" in line))
    shift = exports.EXPORTS["minigrad.linalg"]["shift"]
    assert len(shift.rows) == 2 and shift(minigrad.ones(2), minigrad.ones(2)).tolist() == [2, 2]
    assert "linalg_shift" not in exports.REGISTRY.keys() | exports.METHODS.keys()


def test_an_alias_in_another_module_is_not_a_method():
    for line in ("bend(Tensor self)", "bend.by(Tensor self, Tensor by)"):
        kinds.elementwise(line, lambda self, by=0: self + by, self=through, aliases=("curve", "special_bend"),
                          no_gradient=("by",) * ("by" in line))
    bend = exports.EXPORTS["minigrad.special"]["bend"]
    assert bend is exports.REGISTRY["bend"] is exports.REGISTRY["curve"] is exports.METHODS["curve"]
    assert len(bend.rows) == 2
    assert {"bend_", "curve_"} < {*exports.INPLACE}
    assert not {"special_bend", "special_bend_"} & {*exports.REGISTRY, *exports.METHODS, *exports.INPLACE}


@pytest.mark.parametrize("module", exports.EXPORTS)
def test_a_module_exports_all_that_the_table_has_for_it(module):
    assert exports.EXPORTS[module].items() <= vars(sys.modules[module]).items()


@pytest.mark.parametrize(("types", "fault"), [
    ("Tensor", "must have a type for each of ['self', 'dim']"),
    ("Tensor Dim Dim", "must have a type for each of ['self', 'dim']"),
    ("Tensor Dimension", "'Dimension' is not a type"),
])
def test_the_types_of_a_composite_are_checked(types, fault):
    with pytest.raises(ValueError, match=re.escape(fault)):
        composites.composite(types=types)(lambda self, dim: self)


# ------------------------------------------------------------------------------ schemas


def test_a_schema_is_read():
    assert parse("f(Tensor self, Tensor? weight=None, int[] dim=(0, 1), *, Scalar p=2.0, str mode='x')") == ("f", [
        ("self", "Tensor", Ellipsis, False), ("weight", "Tensor?", None, False), ("dim", "int[]", (0, 1), False),
        ("p", "Scalar", 2.0, True), ("mode", "str", "x", True)])
    assert parse("f()") == ("f", [])


def test_a_schema_may_name_an_overload():
    assert parse("f.dim(Dims dim)") == ("f.dim", [("dim", "Dims", Ellipsis, False)])


def test_a_type_is_taken_apart():
    assert taken_apart("Tensor") == ("Tensor", False, False, False, False)
    assert taken_apart("Dims?") == ("Dims", True, False, False, False)
    assert taken_apart("Tensor?[]") == ("Tensor", False, True, True, False)
    assert taken_apart("int[]?") == ("int", True, True, False, False)
    assert taken_apart("int...") == taken_apart("int[1]") == ("int", False, True, False, True)
    assert taken_apart("Sizes...") == ("Sizes", False, False, False, True)
    assert taken_apart("Tensor...") is taken_apart("Dims...") is taken_apart("Sizes[1]") is None
    assert taken_apart("Tensor[") is taken_apart("Dims??") is taken_apart("") is None
    assert taken_apart("Tensor?").is_tensor and not taken_apart("Scalar").is_tensor


def test_every_type_that_there_is_is_explained():
    assert all(re.search(rf"^(\w+, )?{name}\b", schema.__doc__, re.MULTILINE) for name in schema.TYPES)


@pytest.mark.parametrize(("schema", "fault"), [
    ("f(Tensor self", "a schema is written name"),
    ("f Tensor self)", "a schema is written name"),
    ("(Tensor self)", "a schema is written name"),
    ("f.(Tensor self)", "a schema is written name"),
    ("f.dim.int(Tensor self)", "a schema is written name"),
    ("f(Tensor self, Dims dim=(0, 1)", "its brackets do not match"),
    ("f(Tensor self, Dim dim=0])", "its brackets do not match"),
    ("f(Tensr self)", "'Tensr' is not a type"),
    ("f(tensor self)", "'tensor' is not a type"),
    ("f(Tensor self, dim)", "the parameter 'dim' has no type"),
    ("f(Tensor self, dim=0)", "the parameter 'dim' has no type"),
    ("f(Tensor [] self)", "is not a parameter"),
    ("f(Tensor? self?)", "is not a parameter"),
    ("f(Tensor self,, Dim dim)", "'' is not a parameter"),
    ("f(Tensor self, Dim dim, )", "'' is not a parameter"),
    ("f(Tensor self, *, Dim dim, *)", "'*' is not a parameter"),
    ("f(Tensor self, Tensor self)", "there are two parameters 'self'"),
    ("f(Tensor self, Dim dim=Nome)", "'Nome' is not a default"),
    ("f(Tensor self, Dim dim=)", "'' is not a default"),
    ("f(Tensor self, str mode='mean)", "is not a default"),
    ("f(Tensor self, Dim dim=None)", "'dim' may be None, so its type is written 'Dim[?]'"),
    ("f(Tensor self, Dim? dim=None, bool keepdim)", "'keepdim' has no default"),
])
def test_a_slip_in_a_schema_is_refused(schema, fault):
    with pytest.raises(ValueError, match="(?s)" + fault.replace("*", r"\*")):
        kinds.general(schema, np.negative, public=False)


# ------------------------------------------------------------------------------ rows


def faulty(kind=kinds.general, schema="faulty(Tensor self)", kernel=np.negative, public=False, **keywords):
    return lambda: kind(schema, kernel, public=public, **keywords)


@pytest.mark.parametrize(("make", "fault"), [
    (faulty(schema="exp(Tensor self)"), "there is a row 'exp' already"),
    (faulty(schema="faulty(Tensor number)", number=through), "may not be called 'number', which is an option"),
    (faulty(kinds.elementwise, "faulty(Tensor promote)", promote=through),
     "may not be called 'promote', which is an option"),
    (faulty(schema="faulty(Tensor out)", out=through), "may not be called 'out', which is an option"),
    (faulty(other=through), "a formula for 'other', which is not an input"),
    (faulty(schema="faulty(Tensor self, Dim dim)", kernel=lambda self, dim: self, dim=through),
     "a formula for 'dim', which is not a tensor"),
    (faulty(self=lambda d, other: d * other), "its formulas name \\['other'\\]"),
    (faulty(kinds.piecewise_constant, self=through), "there is nothing to write"),
    (faulty(kinds.not_differentiable, self=through), "there is nothing to write"),
    (faulty(no_gradient=("other",)), "names what is not a tensor"),
    (faulty(self=through, no_gradient=("self",)), "or has a formula"),
    (faulty(read_first=("other",)), "read_first=\\('other',\\) names what is not a tensor"),
    (faulty(kernel=np.frexp, outputs=("a", "b"), differentiable=("c",)), "differentiable=\\('c',\\)"),
    (faulty(kinds.elementwise, promote="flaot"), "promote='flaot'"),
    (faulty(kinds.elementwise, promote_args=("other",)), "promote_args=\\('other',\\)"),
    (faulty(kinds.view, "faulty(Dim dim, Tensor self)", kernel=lambda dim, self: self),
     "the first parameter of a view"),
    (faulty(outputs="list", self=lambda d, result: d), "a formula that names result, which is not saved of a list"),
    (faulty(fast="softmax"), "fast='softmax' is not a kernel in C"),
    (faulty(kernel=np.add), "does not take 1 arguments"),
    (faulty(kernel=lambda self, other: self), "does not take 1 arguments"),
    (faulty(schema="exp2(Tensor self)", public=True), "there is a row 'exp2' already"),
    (faulty(schema="matmul(Tensor self)", public=True), "there is a function of this name already"),
])
def test_a_faulty_row_is_refused(make, fault):
    with pytest.raises(ValueError, match=fault):
        make()


def test_a_second_composite_of_one_name_is_refused():
    with pytest.raises(ValueError, match="there is a function of this name already"):
        composites.composite(name="matmul")(lambda self: self)


def test_errors_call_a_row_by_a_function_that_users_call():
    """Or by its own name, where it says nothing: then it is a part of formulas, which nobody calls."""
    known = {*dir(minigrad.Tensor), *dir(minigrad), *dir(minigrad.nn.functional)}
    for module in ("linalg", "fft"):
        for name in dir(getattr(minigrad, module)):
            known |= {f"{module}.{name}", f"{module}_{name}", name}
    shown = {name: exports.ROWS[name].shown for name in [*exports.ROWS]}
    assert {name for name, each in shown.items() if each not in known and each != exports.ROWS[name].function} == set()
    assert shown["pow_slope"] == "pow" and shown["uniform"] == "uniform_" and shown["unroll"] == "unroll"


def test_every_option_of_a_row_is_guarded():
    assert {"promote", "number", "outputs", "constants", "node"} <= columns.NAMES


@of_kernels
def test_a_row_has_the_fast_kernel_that_it_names():
    """Whatever the row is called: it is asked first, and the general one has what it leaves."""
    row = kinds.elementwise("negative_to_zero(Tensor self)", lambda self: self + 100, public=False,
                            fast=new_ufuncs.relu)
    assert row(minigrad.tensor([-1., 2.])).tolist() == [0, 2]
    assert row(minigrad.tensor([-1, 2])).tolist() == [99, 102]


# ------------------------------------------------------------------------------ what only the kernel knows


@pytest.mark.parametrize(("kernel", "outputs", "fault"), [
    (lambda self: (self, self), None, "one output, without outputs=, but its kernel returned a tuple of 2"),
    (lambda self: [self], None, "returned a list of 1"),
    (lambda self: (self, self, self), ("a", "b"), "returned a tuple of 3"),
    (lambda self: (self,), ("a", "b"), "returned a tuple of 1"),
    (lambda self: np.stack([self, self]), ("a", "b"), "returned a ndarray"),
    (lambda self: self, "list", "declares a list, but its kernel returned a ndarray"),
])
def test_a_kernel_that_returns_the_wrong_number_of_results_is_refused(kernel, outputs, fault):
    row = kinds.general("faulty(Tensor self)", kernel, outputs=outputs, public=False, self=lambda d: d)
    for x in (minigrad.ones(2), minigrad.ones(2, requires_grad=True)):
        with pytest.raises(ValueError, match=fault):
            row(x)
    with pytest.raises(ValueError, match=fault):
        vmap(row)(minigrad.ones(2, 2))


@pytest.mark.parametrize("kernel", [lambda self: self.copy(), lambda self: self + 0,
                                    lambda self: self[::-1].copy()[::-1],
                                    lambda self: np.concatenate([self, self])[:3]])
def test_a_view_that_copies_is_refused(kernel):
    row = kinds.view("faulty(Tensor self)", kernel, public=False, self=lambda d: d)
    for x in (minigrad.ones(3), minigrad.ones(5)[1:4]):
        with pytest.raises(ValueError, match="of the kind 'view', but its kernel copied"):
            row(x)
    assert kinds.view("allowed(Tensor self)", kernel, public=False, may_copy=True,
                      self=lambda d: d)(minigrad.ones(3))._base is None


@pytest.mark.parametrize("x", [np.arange(6.), np.arange(12.)[::2], np.arange(6.)[::-1], np.frombuffer(b"12345678" * 6),
                               np.zeros(0)])
def test_a_view_is_one_whoever_owns_the_memory(x):
    assert minigrad.Tensor.unsqueeze(wrap(x), 0)._base is not None or not x.size


# ------------------------------------------------------------------------------ gradients that would be lost


def test_a_tensor_without_a_formula_may_not_require_grad():
    row = kinds.general("faulty(Tensor self, Tensor other)", np.multiply, public=False, self=lambda d, other: d * other)
    x, y = minigrad.ones(2), minigrad.ones(2, requires_grad=True)
    assert row(y, x).requires_grad and not row(y.detach(), x).requires_grad
    phrase = ("The function 'faulty' is not differentiable with respect to argument 'other'. This input cannot have "
              "requires_grad True")
    with refuses(RuntimeError, phrase, "MG212"):
        row(x, y)
    with refuses(RuntimeError, phrase, "MG212"):
        grad(lambda y: row(x, y).sum())(x)
    with refuses(RuntimeError, phrase, "MG212"):
        jvp(lambda y: row(x, y), (x,), (x,))
    with refuses(RuntimeError, phrase, "MG212"):
        vmap(grad(lambda y: row(x[0], y)))(x)
    with refuses(RuntimeError, phrase.replace("'faulty'", "'faulty_'"), "MG212"):
        row.inplace(x, y)
    with minigrad.autograd.forward_ad.dual_level():
        dual = minigrad.autograd.forward_ad.make_dual(x, x)
        for call in (row, row.inplace):
            with refuses(RuntimeError, "is not differentiable with respect to argument 'other'", "MG212"):
                call(minigrad.ones(2), dual)
    with minigrad.no_grad():
        assert row(x, y).tolist() == [1., 1.]
    assert x.tolist() == [1., 1.]


def test_unless_the_row_says_that_nothing_is_lost():
    row = kinds.general("faulty(Tensor self, Tensor other)", np.multiply, public=False, no_gradient=("other",),
                        self=lambda d, other: d * other)
    assert not row(minigrad.ones(2), minigrad.ones(2, requires_grad=True)).requires_grad
    assert jvp(lambda y: row(minigrad.ones(2), y), (minigrad.ones(2),), (minigrad.ones(2),))[1].tolist() == [0., 0.]
