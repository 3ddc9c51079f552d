"""One public name, several rows: which of them a call goes to; and options, which cost nothing if they are left out."""

import inspect
import itertools
import pickle

import numpy as np
import pytest

import minigrad
from minigrad._core.dispatch.overloads import Overloads, row_in_full
from minigrad.ops.elementwise import arithmetic
from minigrad.ops.exports import REGISTRY, ROWS
from tests.checking import refuses

X = minigrad.tensor([[1., -2., 3.]])


# ------------------------------------------------------------------------------ overloads

@pytest.mark.parametrize(("name", "arguments", "keywords", "row"), [
    ("sum", (X,), {}, "sum"), ("sum", (X, 0), {}, "sum.dim_IntList"),
    ("sum", (X,), {"axis": (0, 1)}, "sum.dim_IntList"),
    ("sum", (X,), {"dtype": minigrad.float64}, "sum"), ("sum", (X, None), {}, "sum.dim_IntList"),
    ("remainder", (X, 2), {}, "remainder.Scalar"), ("remainder", (X, X), {}, "remainder.Tensor"),
    ("remainder", (2, X), {}, "remainder.Tensor"), ("remainder", (X, np.float32(2)), {}, "remainder.Scalar"),
    ("remainder", (X, np.ones(3)), {}, "remainder.Tensor"),
    ("pow", (X, 2), {}, "pow.Tensor_Scalar"), ("pow", (2, X), {}, "pow.Scalar"),
    ("pow", (X, X), {}, "pow.Tensor_Tensor"),
    ("max", (X,), {}, "max"), ("max", (X, 1), {}, "max.dim"), ("max", (X, X), {}, "maximum"),
    ("max", (X,), {"other": X}, "maximum"), ("max", (X, 1, True), {}, "max.dim"),
    ("div", (X, 2), {}, "div"), ("div", (X, 2), {"rounding_mode": None}, "div"),
    ("div", (X, 2), {"rounding_mode": "floor"}, "div.mode"),
    ("squeeze", (X,), {}, "squeeze"), ("squeeze", (X, 0), {}, "squeeze.dim"),
    ("squeeze", (X, (0, 1)), {}, "squeeze.dims"),
    ("squeeze", (X, minigrad.tensor(0)), {}, "squeeze.dim"), ("max", (X, minigrad.tensor(0)), {}, "maximum"),
    ("index_fill", (X, minigrad.tensor(0), minigrad.tensor([0]), 3.), {}, "index_fill.int_Scalar"),
    ("clamp", (X, 0, 1), {}, "clamp"), ("clamp", (X,), {"max": X}, "clamp.Tensor"),
    ("clip", (X, None, X), {}, "clamp.Tensor"),
    ("clamp", (X, minigrad.tensor(0.), 1), {}, "clamp"), ("clamp", (X, np.array(0.), 1), {}, "clamp"),
    ("remainder", (X, False), {}, "remainder.Scalar"), ("remainder", (X, True), {}, "remainder.Scalar"),
    ("clamp_min", (X, 0), {}, "clamp_min"), ("clamp_max", (X, X), {}, "clamp_max.Tensor"),
    ("remainder", (2, minigrad.tensor(3)), {}, "remainder.Tensor"),
    ("masked_fill", (X, X > 0, 1.), {}, "masked_fill.Scalar"),
    ("masked_fill", (X, X > 0, minigrad.tensor(1.)), {}, "masked_fill.Tensor"),
    ("scatter", (X, 1, minigrad.tensor([[0]]), X), {}, "scatter.src"),
    ("scatter", (X, 1, minigrad.tensor([[0]]), 2), {}, "scatter.value"),
    ("scatter", (X, 1, minigrad.tensor([[0]])), {"value": minigrad.tensor(2.)}, "scatter.value"),
    ("scatter", (X, 1, minigrad.tensor([[0]]), X), {"reduce": "add"}, "scatter.reduce"),
    ("scatter", (X, 1, minigrad.tensor([[0]]), 2), {"reduce": "add"}, "scatter.value_reduce"),
    ("where", (X > 0,), {}, "where"), ("where", (X > 0, X, 0.), {}, "where.self"),
    ("where", (X > 0, 1, 2), {}, "where.self"),
    ("round", (X,), {}, "round"), ("round", (X,), {"decimals": 1}, "round.decimals"),
])
def test_a_call_goes_to_the_first_row_that_takes_its_arguments(name, arguments, keywords, row):
    assert getattr(minigrad, name).row_for(*arguments, **keywords) is ROWS[row]


ANY_ARGUMENTS = [X, X[0, 0], X > 0, minigrad.tensor(0), minigrad.tensor(1., requires_grad=True), 0, -1, 2.5, True, 1j,
                 None, "floor", (0, 1), [0], (), (0., 1), np.ones(3), np.float32(1), np.int64(0),
                 minigrad.float64, (X, X)]


@pytest.mark.parametrize("function", [each for each in REGISTRY.values() if isinstance(each, Overloads)],
                         ids=lambda function: function.__name__)
def test_what_the_classes_of_the_arguments_say_is_what_a_look_at_all_rows_says(function):
    names = sorted({name for row in function.rows for name in row.params})
    calls = [(first, *rest) for first in (X, X[0, 0], 2) for n in range(3)
             for rest in itertools.product(ANY_ARGUMENTS, repeat=n)]
    calls = [(arguments, {}) for arguments in calls]
    calls += [((X,), {name: x, **more}) for name in names for x in ANY_ARGUMENTS
              for more in ({}, {"out": X}, {"dim": 0}, {names[0]: X}) if name not in more]
    for arguments, keywords in calls:
        try:
            row = row_in_full(function, *arguments, **keywords)
        except TypeError as error:
            with pytest.raises(type(error)):
                function.row_for(*arguments, **keywords)
        else:
            assert function.row_for(*arguments, **keywords) is row, (arguments, keywords)


@pytest.mark.parametrize(("call", "words"), [
    (lambda: minigrad.remainder(X, "two"), ["got (Tensor, str)", "(Tensor self, Scalar other)"]),
    (lambda: minigrad.max(X, 2.5), ["got (Tensor, float)", "(Tensor self, Dim dim, bool keepdim=False)"]),
    (lambda: X.squeeze(0, 1), ["squeeze() received an invalid combination of arguments"]),
    (lambda: X.sum(foo=1), ["sum() received an invalid combination of arguments", "foo=int"]),
    (lambda: X.sum(1.5), ["sum(): argument 'dim' must be tuple of ints, not float"]),
    (lambda: minigrad.lerp(X), ["missing 1 required positional argument: 'end'"]),
    (lambda: X.sum(dim=0, axis=0), ["multiple values for argument"]),
    (lambda: X.clamp("two"), ["clamp() received an invalid combination of arguments"]),
    (lambda: X.clamp(X, 1), ["clamp() received an invalid combination of arguments"]),
    (lambda: X.masked_fill(X > 0, "two"), ["masked_fill() received an invalid combination of arguments"]),
    (lambda: minigrad.where(True, X, X), ["where() received an invalid combination of arguments", "not bool"]),
    (lambda: minigrad.where(X > 0, X), ["where() missing 1 required positional argument: 'other'"]),
    (lambda: X.fill_("two"), ["fill_() received an invalid combination of arguments"]),
])
def test_what_no_row_takes_is_refused(call, words):
    with pytest.raises(TypeError) as refused:
        call()
    assert all([word in str(refused.value) for word in words]), refused.value


def test_keywords_are_bound_to_the_row():
    x = minigrad.tensor([-1., 2.], requires_grad=True)
    assert x.clamp(max=1, min=0).tolist() == [0, 1] == x.detach().clone().clamp_(max=1, min=0).tolist()
    assert x.clamp(min=0).grad_fn.name() == "ClampBackward1"
    assert x.clamp(min=minigrad.zeros(2)).grad_fn.name() == "ClampBackward0"


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_number_is_its_own_bound_in_16_bits(dtype):
    x = minigrad.tensor([0.1], dtype=getattr(minigrad, dtype), requires_grad=True)
    for clamped in (x.clamp(0.1), x.clamp(max=0.1), x.clamp_min(0.1), x.clamp_max(0.1)):
        assert minigrad.autograd.grad(clamped.sum(), x, retain_graph=True)[0].tolist() == [1]
        assert minigrad.autograd.grad(clamped.sum(), x, create_graph=True)[0].tolist() == [1]


def test_in_place_forms_choose_too():
    x = minigrad.tensor([5., 7.], requires_grad=True)
    assert (x * 1).remainder_(4).grad_fn.name() == "RemainderBackward0"
    assert (x * 1).remainder_(x.detach()).grad_fn.name() == "RemainderBackward1"
    assert minigrad.tensor([2.5]).div_(2, rounding_mode="floor").tolist() == [1.]
    assert minigrad.zeros(2).fill_(minigrad.tensor(3)).tolist() == [3, 3] == minigrad.zeros(2).fill_(3).tolist()


def test_an_overload_set_is_a_function():
    assert isinstance(minigrad.sum, Overloads) and minigrad.sum.__name__ == "sum" and "The sum" in minigrad.sum.__doc__
    assert list(inspect.signature(minigrad.sum).parameters) == ["self", "dim", "keepdim", "dtype"]
    assert minigrad.Tensor.sum(X).tolist() == X.sum().tolist() == minigrad.sum(input=X).tolist() == 2
    out = minigrad.zeros(3)
    assert minigrad.sum(X, 0, out=out) is out and out.tolist() == [1, -2, 3]


def test_a_number_promotes_as_an_operand():
    assert minigrad.remainder(minigrad.tensor([5, 7]), 2.5).dtype is minigrad.float32
    assert (minigrad.tensor([2, 3]) ** 0.5).dtype is minigrad.float32
    assert minigrad.tensor([1.5], requires_grad=True).pow(2).grad_fn._saved_exponent == 2


# ------------------------------------------------------------------------------ options

def test_the_row_is_the_function():
    assert arithmetic.add is minigrad.add and arithmetic.sub is minigrad.sub


def test_an_option_that_is_left_out_costs_no_slot_and_no_step():
    x = minigrad.ones(2, requires_grad=True)
    plain, scaled = minigrad.add(x, x), minigrad.add(x, x, alpha=3)
    add = ROWS["add"]
    assert add.program("other", plain.grad_fn).steps == [] and len(add.program("other", scaled.grad_fn).steps) == 1
    assert (plain.grad_fn._saved_alpha, scaled.grad_fn._saved_alpha) == (1, 3)
    assert minigrad.autograd.grad(scaled.sum(), x)[0].tolist() == [4, 4]
    assert minigrad.autograd.grad(plain.sum(), x)[0].tolist() == [2, 2]


@pytest.mark.parametrize("alpha", [1, 1.0, 2, -0.5, True])
@pytest.mark.parametrize("name", ["add", "sub", "rsub"])
def test_alpha_in_every_direction(name, alpha):
    def f(a, b):
        return getattr(minigrad, name)(a, b, alpha=alpha)

    a, b = minigrad.tensor([0.5, 2.], dtype=minigrad.float64), minigrad.tensor([3., -1.], dtype=minigrad.float64)
    if alpha is True:
        with pytest.raises(RuntimeError, match="Boolean alpha only supported for Boolean"):
            f(a, b)
        return
    factor = {"add": (1, alpha), "sub": (1, -alpha), "rsub": (-alpha, 1)}[name]
    np.testing.assert_allclose(f(a, b).numpy(), factor[0] * a.numpy() + factor[1] * b.numpy())
    inputs = (a.clone().requires_grad_(), b.clone().requires_grad_())
    assert minigrad.autograd.gradcheck(f, inputs, check_forward_ad=True, check_batched_grad=True)
    assert minigrad.autograd.gradgradcheck(f, inputs)
    assert minigrad.func.vmap(f)(a, b).tolist() == f(a, b).tolist()
    if name != "rsub":
        written = a.clone()
        assert getattr(written, name + "_")(b, alpha=alpha).tolist() == f(a, b).tolist() == written.tolist()


def test_an_option_of_the_wrong_category_is_refused():
    ints = minigrad.tensor([1, 2])
    with pytest.raises(RuntimeError, match="argument alpha must not be a floating point number"):
        minigrad.add(ints, ints, alpha=1.5)
    with pytest.raises(RuntimeError, match="argument alpha must not be a complex number"):
        minigrad.add(X, X, alpha=1j)


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_a_formula_that_asks_for_a_name_is_traced_for_each(approximate):
    x = minigrad.tensor([-1., 0.5, 2.], dtype=minigrad.float64, requires_grad=True)
    asked = "".join(list(approximate))                  # equal to the default, and another object
    y = minigrad.nn.functional.gelu(x, approximate=asked)
    program = ROWS["gelu"].program("self", y.grad_fn)
    assert program is not None and program is ROWS["gelu"].program("self", y.grad_fn)
    assert y.grad_fn._saved_approximate == approximate
    (slope,) = minigrad.autograd.grad(y, x, minigrad.ones_like(y), create_graph=True)
    second = ROWS["gelu_backward"].program("self", slope.grad_fn)
    assert ("tanh" in repr(second)) is (approximate == "tanh")
    assert minigrad.autograd.gradcheck(lambda x: minigrad.nn.functional.gelu(x, approximate=asked), x)
    assert minigrad.autograd.gradgradcheck(lambda x: minigrad.nn.functional.gelu(x, approximate=asked), x)


def test_what_is_told_of_a_node_is_its_own_formula(capsys):
    x = minigrad.tensor([1., 2.], requires_grad=True)
    minigrad.explain(minigrad.nn.functional.gelu(x, approximate="tanh").sum())
    assert "tanh(" in capsys.readouterr().out
    minigrad.explain(minigrad.add(x, 1).sum())
    assert "for self  d = [1., 1.]" in capsys.readouterr().out


# ------------------------------------------------------------------------------ against PyTorch

SETS = sorted({function.__name__ for function in REGISTRY.values() if isinstance(function, Overloads)})
#: PyTorch's older spelling, with alpha in a place of its own
REFUSED_HERE = {("rsub", 3)}


def arguments(lib):
    x = lib.tensor([[1., -2., 3.]])
    return [x, lib.tensor([[2, 3, 4]]), lib.tensor([[True, False, True]]), lib.tensor(2), lib.tensor([0]),
            2, 0, -1, 0.5, True, None, "floor", (0, 1), [0]]


def outcome(lib, name, chosen):
    given = arguments(lib)
    try:
        result = getattr(lib, name)(*[given[i] for i in chosen])
    except Exception:
        return None
    several = result if isinstance(result, tuple) else (result,)
    return [(str(each.dtype), np.nan_to_num(each.numpy().astype(float)).round(4).tolist()) for each in several]


@pytest.mark.parity
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("name", SETS)
def test_what_pytorch_takes_is_taken_with_the_same_result(name, count):
    torch = pytest.importorskip("torch")
    places = range(len(arguments(torch)))
    for chosen in itertools.product(places, repeat=count):
        if count == 3 and sum(chosen) % 5:
            continue
        expected = outcome(torch, name, chosen)
        if expected is not None and (name, count) not in REFUSED_HERE:
            assert outcome(minigrad, name, chosen) == expected, [arguments(minigrad)[i] for i in chosen]


@pytest.mark.parametrize("name", ["pow", "max", "sum"])
def test_a_function_of_several_rows_is_pickled_by_its_name(torch, name):
    assert pickle.loads(pickle.dumps(getattr(torch, name))) is getattr(torch, name)


def test_the_in_place_form_goes_to_the_row_that_is_chosen():
    x = minigrad.tensor([5., 7.])
    assert REGISTRY["remainder"].inplace(x, 3) is x and x.tolist() == [2, 1]
    assert REGISTRY["remainder"].inplace(x, minigrad.tensor([2., 2.])) is x and x.tolist() == [0, 1]


def test_sizes_one_by_one_and_a_dtype_are_refused_together(torch):
    with refuses(TypeError, "view() received an invalid combination of arguments", "MG205"):
        torch.ones(4).view(2, 2, dtype=torch.float32)


def test_no_out_is_as_if_nothing_was_said(torch):
    assert torch.pow(torch.tensor([3.]), 2, out=None).tolist() == [9]
