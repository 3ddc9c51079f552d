"""``out=``: where the result goes, instead of into a new tensor.

Which functions take it is compared with PyTorch for the whole table; that each puts there what it would
have returned is checked with the sample rows (see sampling.py).  Nothing that is written so is recorded.
"""

import warnings

import numpy as np
import pytest

import minigrad
from minigrad._core.dispatch.torch_function import DisableTorchFunctionSubclass
from minigrad._core.graph import Tensor, wrap
from minigrad.ops import exports
from tests.checking import refuses
from tests.ops.samples import ROWS
from tests.ops.test_ops import agree, array, bound, call, flat, ours, place

PUBLIC = [row for row in ROWS if place(row) == "torch" and row.name in exports.REGISTRY]
TAKES = [row for row in PUBLIC if exports.REGISTRY[row.name].takes_out]


def each(rows):
    return pytest.mark.parametrize("row", rows, ids=str)


def calls(row, dtype="float64"):
    """(args, kwargs, the result as a list) for each sample call whose result is a tensor, or named ones; nothing
    requires grad."""
    for case in row.cases:
        _, args, kwargs, _ = bound(lambda array, grad: ours(array, False), row, case, dtype)
        result = call(minigrad, row, args, kwargs)
        if isinstance(result, Tensor) or hasattr(result, "_fields"):
            yield args, kwargs, flat(result)


def x(*values, **options):
    return minigrad.tensor(values, **options)


# ------------------------------------------------------------------------------ all rows


@each(TAKES)
def test_the_result_goes_into_out(row):
    for args, kwargs, expected in calls(row):
        out = [minigrad.zeros_like(e) for e in expected]
        given = out[0] if len(out) == 1 else tuple(out)
        result = call(minigrad, row, args, {**kwargs, "out": given})
        for a, o, e in zip(flat(result), out, expected):
            assert a is o and o._version == 1 and o.is_leaf and not o.requires_grad
            assert np.array_equal(array(o), array(e), equal_nan=True)


@each(TAKES)
def test_an_argument_that_requires_grad_is_refused(row):
    for case in row.cases:
        inputs, args, kwargs, _ = bound(ours, row, case, "float64")
        plain = flat(call(minigrad, row, args, kwargs))
        if not all(isinstance(e, Tensor) for e in plain) or not any(e.requires_grad for e in plain):
            continue
        out = [minigrad.zeros(e.shape, dtype=e.dtype) for e in plain]
        given = out[0] if len(out) == 1 else tuple(out)
        with pytest.raises(RuntimeError, match="functions with out=... arguments don't support automatic "
                                               "differentiation") as caught:
            call(minigrad, row, args, {**kwargs, "out": given})
        assert caught.value.code == "MG210" and all(o._version == 0 and not array(o).any() for o in out)
        with minigrad.no_grad():
            call(minigrad, row, args, {**kwargs, "out": given})
        # To rounding: where no gradient is asked for, singular values come without their vectors.
        assert all(np.allclose(array(o), array(e), rtol=1e-12, atol=1e-12, equal_nan=True) for o, e in zip(out, plain))
        break


@each([row for row in PUBLIC if row not in TAKES])
def test_out_is_unknown_elsewhere(row):
    for args, kwargs, result in calls(row):
        with pytest.raises(TypeError, match="out"):
            call(minigrad, row, args, {**kwargs, "out": minigrad.zeros(0)})
        break


@pytest.mark.parity
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", sorted(exports.REGISTRY))
def test_out_is_taken_where_pytorch_takes_it(name):
    """By one of its signatures at least: torch.sum(x, dim) does, torch.sum(x) does not."""
    torch = pytest.importorskip("torch")
    names = {other for other, function in exports.REGISTRY.items() if function is exports.REGISTRY[name]}
    answers = set()
    for row in [row for row in PUBLIC if row.name in names and hasattr(torch, name)]:
        for case in row.cases:
            _, args, kwargs, _ = bound(lambda array, grad: torch.from_numpy(array.copy()), row, case, "float64")
            try:
                result = call(torch, row, args, kwargs)
                out = tuple(torch.empty_like(e) for e in result) if isinstance(result,
                                                                               (tuple, list)) else torch.empty_like(
                                                                                   result)
                call(torch, row, args, {**kwargs, "out": out})
                answers.add(True)
            except (TypeError, AttributeError):
                answers.add(False)
    if answers:
        assert exports.REGISTRY[name].takes_out == (True in answers)


# ------------------------------------------------------------------------------ the tensor that is written to


def test_out_of_another_dtype():
    out = minigrad.zeros(2, dtype=minigrad.float64)
    assert minigrad.exp(x(0.0, 1.0), out=out) is out and out.dtype is minigrad.float64
    assert minigrad.eq(x(1.0, 2.0), 1, out=minigrad.zeros(2)).tolist() == [1, 0]
    for result, wrong in ((minigrad.float32, minigrad.int64), (minigrad.complex64, minigrad.float64),
                          (minigrad.int64, minigrad.bool)):
        out = minigrad.zeros(2, dtype=wrong)
        with pytest.raises(RuntimeError, match="can't be cast to the desired output type") as caught:
            minigrad.add(x(1, 2, dtype=result), x(1, 2, dtype=result), out=out)
        assert caught.value.code == "MG202" and out._version == 0 and not out.any()


def test_an_empty_out_takes_the_shape():
    out = minigrad.empty(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert minigrad.exp(x(0.0, 0.0), out=out) is out
    assert out.tolist() == [1, 1] and out._version == 1


def test_an_out_of_another_shape_is_resized_with_a_warning():
    out = minigrad.zeros(2, 3)
    with pytest.warns(UserWarning, match="An output with one or more elements was resized since it had shape"):
        minigrad.exp(x(0.0, 0.0), out=out)
    assert out.tolist() == [1, 1] and out._version == 1


def test_a_view_takes_the_result_for_its_base():
    base = minigrad.zeros(2, 4)
    minigrad.exp(x(0.0, 0.0), out=base[1, ::2])
    assert base.tolist() == [[0] * 4, [1, 0, 1, 0]] and base._version == 1
    with pytest.raises(RuntimeError, match="a view cannot be resized") as caught:
        minigrad.exp(x(0.0, 0.0), out=base[0])
    assert caught.value.code == "MG210" and base._version == 1


def test_an_argument_may_be_out():
    y = x(1.0, 2.0)
    assert minigrad.mul(y, y, out=y) is y and y.tolist() == [1, 4] and y._version == 1


def test_a_saved_tensor_that_is_overwritten_is_noticed():
    w, y = x(1.0, 2.0, requires_grad=True), x(3.0, 4.0)
    z = w * y
    minigrad.exp(x(0.0, 0.0), out=y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


@pytest.mark.parametrize("out", [lambda: minigrad.zeros(2, requires_grad=True),
                                 lambda: minigrad.zeros(2, requires_grad=True) * 1])
def test_an_out_that_requires_grad_is_refused(out):
    out = out()
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        minigrad.exp(x(0.0, 0.0), out=out)
    assert out._version == 0 and out.tolist() == [0, 0]
    with minigrad.no_grad():
        assert minigrad.exp(x(0.0, 0.0), out=out).tolist() == [1, 1] and out.requires_grad


def test_what_is_not_differentiable_may_have_arguments_that_require_grad():
    y = x(1.0, 2.0, requires_grad=True)
    assert minigrad.eq(y, 1, out=minigrad.zeros(2)).tolist() == [1, 0]
    assert minigrad.argmax(y, out=minigrad.zeros((), dtype=minigrad.int64)).item() == 1


def test_memory_that_cannot_be_written_to_is_refused():
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        minigrad.exp(x(0.0, 0.0), out=minigrad.zeros(1).expand(2))
    with minigrad.inference_mode():
        out = minigrad.zeros(2)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode") as caught:
        minigrad.exp(x(0.0, 0.0), out=out)
    assert caught.value.code == "MG112"


@pytest.mark.parametrize("out", [3, "x", [1.0], (minigrad.zeros(1), minigrad.zeros(1))],
                         ids=["int", "str", "list", "too many"])
def test_other_objects_than_tensors_are_refused(out):
    with pytest.raises(TypeError, match="argument 'out' must be"):
        minigrad.exp(x(0.0, 0.0), out=out)


def test_none_means_no_out():
    y = x(0.0, requires_grad=True)
    assert minigrad.exp(y, out=None).grad_fn.name() == "ExpBackward0"
    assert minigrad.add(y, y, out=None).grad_fn.name() == "AddBackward0"


# ------------------------------------------------------------------------------ several results


def test_several_results():
    values, indices = minigrad.zeros(3), minigrad.zeros(3, dtype=minigrad.int64)
    result = minigrad.sort(x(3.0, 1.0, 2.0), out=(values, indices))
    assert result.values is values and result.indices is indices
    assert values.tolist() == [1, 2, 3] and indices.tolist() == [1, 2, 0] and values._version == indices._version == 1
    assert minigrad.max(x(3.0, 1.0), 0,
                        out=[minigrad.empty(0), minigrad.empty(0, dtype=minigrad.int64)]).values.item() == 3


def test_several_results_are_written_together_or_not_at_all():
    values, indices = minigrad.zeros(3), minigrad.zeros(3, dtype=minigrad.bool)
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype"):
        minigrad.sort(x(3.0, 1.0, 2.0), out=(values, indices))
    assert values.tolist() == [0, 0, 0] and values._version == 0
    for wrong in (values, (values,), (values, indices, values)):
        with pytest.raises(TypeError, match="must be a tuple of 2 Tensors"):
            minigrad.sort(x(3.0, 1.0, 2.0), out=wrong)


# ------------------------------------------------------------------------------ PyTorch


@pytest.mark.parity
@pytest.mark.filterwarnings("ignore::UserWarning")
@each([row for row in TAKES if row.torch])
def test_out_has_what_pytorch_puts_there(row):
    torch = pytest.importorskip("torch")
    for case in row.cases:
        results = []
        for library, make in ((minigrad, lambda array, grad: wrap(array.copy())),
                              (torch, lambda array, grad: torch.from_numpy(array.copy()))):
            _, args, kwargs, _ = bound(make, row, case, "float64")
            plain = call(library, row, args, kwargs)
            if type(plain) is tuple or isinstance(plain, list):
                break
            plain = flat(plain)
            out = [library.empty(0, dtype=e.dtype) for e in plain]
            try:
                call(library, row, args, {**kwargs, "out": out[0] if len(out) == 1 else tuple(out)})
            except TypeError:
                assert library is torch, f"{row}({case})"
                break
            results.append(out)
        for a, e in zip(*results) if len(results) == 2 else ():
            assert repr(a.dtype) == repr(e.dtype) and a._version == 1, f"{row}({case})"
            agree(array(a), array(e), row, "float64", f"{row}({case})")


# ------------------------------------------------------------------------------ what may be given as out


#: these take the dtype of ``out`` for that of the sum if none is given; where one is given, PyTorch wants the same
LENIENT = {"sum", "prod", "mean", "cumsum", "cumprod", "nansum", "nanmean", "std", "var"}


def torch_tensor(array, requires_grad):
    return pytest.importorskip("torch").from_numpy(array.copy())


def written(library, make, row, case, dtype):
    """(the result, what ``out`` of this dtype holds after the call), or the error that it raises;
    None where there is nothing to compare."""
    _, args, kwargs, _ = bound(make, row, case, "float64")
    result = flat(call(library, row, args, kwargs))
    if not all(hasattr(e, "dtype") for e in result) or repr(result[0].dtype) == f"torch.{dtype}":
        return None
    out = [library.zeros(tuple(e.shape), dtype=getattr(library, dtype) if e is result[0] else e.dtype) for e in result]
    try:
        call(library, row, args, {**kwargs, "out": out[0] if len(out) == 1 else tuple(out)})
    except TypeError:
        return None
    except Exception as refusal:
        assert not any([array(o).any() for o in out]) or library is not minigrad, f"{row}({case}) raised and wrote"
        return refusal
    return [array(o) for o in out]


@pytest.mark.parity
@pytest.mark.filterwarnings("ignore")
@each([row for row in TAKES if row.torch])
def test_an_out_of_another_dtype_is_cast_to_or_refused_as_in_pytorch(row):
    torch = pytest.importorskip("torch")
    for case in row.cases:
        for dtype in ("float32", "complex128", "bool"):
            theirs = written(torch, torch_tensor, row, case, dtype)
            if theirs is None:
                continue
            mine = written(minigrad, lambda array, grad: wrap(array.copy()), row, case, dtype)
            what = f"{row}({case}) with out of {dtype}: {mine}, and not {theirs}"
            if row.name in LENIENT | ONLY_THEIRS_CASTS:
                continue
            if row.name in CAST_TOO and isinstance(theirs, Exception):
                continue
            assert isinstance(mine, Exception) == isinstance(theirs, Exception), what
            if not isinstance(mine, Exception):
                for a, e in zip(mine, theirs):
                    np.testing.assert_allclose(a, e, rtol=1e-6, atol=1e-7, err_msg=what)


#: PyTorch casts for some of their arguments (a tensor as bound) and not for others; here it is cast for all
CAST_TOO = {"clamp", "clamp_min", "clamp_max", "lerp", "max", "min", "matrix_power", "inner"}
#: PyTorch casts all pieces to whatever dtypes, and refuses that where it splits by sizes
ONLY_THEIRS_CASTS = {"split_copy", "lu"}


@pytest.mark.parametrize("call", [minigrad.neg, minigrad.abs, minigrad.sort,
                                  lambda y, out: minigrad.mm(y[None], y[:, None], out=out), minigrad.tril])
def test_what_computes_in_one_dtype_wants_an_out_of_it(call):
    y = x(1.0, 2.0)
    out = minigrad.zeros(2, dtype=minigrad.float64)
    given = (out, minigrad.zeros(2, dtype=minigrad.int64)) if call is minigrad.sort else out
    with pytest.raises(RuntimeError,
                       match="Expected out tensor to have dtype torch.float32, but got torch.float64") as caught:
        call(minigrad.stack([y, y]) if call is minigrad.tril else y, out=given)
    assert caught.value.code == "MG202" and out._version == 0 and not out.any()


def test_an_out_that_overlaps_an_input_is_refused():
    base = x(1.0, 2.0, 3.0)
    for call in (lambda: minigrad.exp(base[:2], out=base[1:]), lambda: minigrad.add(1, base[:2], out=base[1:]),
                 lambda: minigrad.cat([x(1.0), base[:1]], out=base[:2])):
        with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor refer to "
                                               "a single memory location") as caught:
            call()
        assert caught.value.code == "MG116" and base.tolist() == [1, 2, 3] and base._version == 0


@pytest.mark.parametrize("call", [lambda a, i: minigrad.gather(a, 0, i, out=a), lambda a, i: minigrad.take(a, i, out=a),
                                  lambda a, i: minigrad.index_select(a, 0, i, out=a),
                                  lambda a, i: minigrad.index_select(a.clone(), 0, i, out=i),
                                  lambda a, i: minigrad.cat([a], out=a),
                                  lambda a, i: minigrad.masked_select(a, a < 9, out=a)])
def test_an_out_that_is_an_input_is_refused_where_elements_change_places(call):
    a, i = minigrad.tensor([5, 6, 7]), minigrad.tensor([2, 1, 0])
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor refer to "
                                           "a single memory location") as caught:
        call(a, i)
    assert caught.value.code == "MG116" and a.tolist() == [5, 6, 7] and a._version == 0


def test_an_out_that_is_an_input_is_taken_where_elements_are_written_into_it():
    a, i = minigrad.tensor([5, 6, 7]), minigrad.tensor([2, 1, 0])
    assert minigrad.scatter(a, 0, i, minigrad.tensor([1, 2, 3]), out=a) is a and a.tolist() == [3, 2, 1]


def test_an_out_beside_an_input_in_one_memory_is_none_of_its_business():
    base = x(1.0, 2.0, 3.0, 4.0)
    assert minigrad.neg(base[:2], out=base[2:]).tolist() == [-1, -2] and base.tolist() == [1, 2, -1, -2]


@pytest.mark.parametrize("make", [lambda out: minigrad.zeros(3, out=out), lambda out: minigrad.arange(3, out=out),
                                  lambda out: minigrad.full((3,), 1.5, out=out),
                                  lambda out: minigrad.linspace(0, 2, 3, out=out),
                                  lambda out: minigrad.randperm(3, out=out)])
def test_functions_that_make_tensors_take_the_dtype_of_out(make):
    for dtype in (minigrad.float64, minigrad.int64):
        out = minigrad.full((3,), 7, dtype=dtype)
        assert make(out) is out and out.dtype is dtype and (out != 7).any() and out._version == 1


def test_a_dtype_that_is_not_that_of_out_is_refused():
    out = minigrad.ones(2)
    with pytest.raises(RuntimeError, match="does not match dtype of out parameter") as caught:
        minigrad.zeros(2, dtype=minigrad.int64, out=out)
    assert caught.value.code == "MG202" and out.tolist() == [1, 1]


def test_out_and_other_options_of_functions_that_make_tensors(torch):
    out = torch.full((2,), 7.)
    assert torch.ones(2, out=out, requires_grad=True) is out and out.requires_grad and out.tolist() == [1, 1]
    out = torch.full((2,), 7.)
    assert torch.zeros(2, out=out, dtype=torch.float32) is out and out.tolist() == [0, 0]
    assert torch.zeros(2, out=out, device="cpu") is out
    assert torch.zeros(2, out=None, dtype=torch.float64).dtype is torch.float64
    assert torch.ones(2, out=None, requires_grad=True).requires_grad
    empty = torch.nn.UninitializedParameter()
    with pytest.raises(ValueError, match="uninitialized parameter"):
        torch.zeros(2, out=empty)
    with torch._C.DisableTorchFunctionSubclass() if torch is not minigrad else DisableTorchFunctionSubclass():
        with refuses(RuntimeError, "functions with out=... arguments don't support automatic differentiation", "MG210"):
            torch.zeros(2, out=empty)
    for wrong in (3, "out", np.zeros(2)):
        with refuses(TypeError, "argument 'out' must be Tensor, not", "MG205"):
            torch.zeros(2, out=wrong)
        with refuses(TypeError, "argument 'out' must be Tensor, not", "MG205"):
            torch.ones(2, out=wrong, requires_grad=True)


@pytest.mark.parametrize("options", [{}, {"device": "cpu"}])
def test_an_empty_tensor_leaves_the_numbers_in_out(torch, options):
    out = torch.tensor([7., 8., 9.])
    assert torch.empty(3, out=out, **options) is out and out.tolist() == [7, 8, 9]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert torch.empty(2, out=out, **options) is out and out.shape == (2,)


@pytest.mark.parametrize("make", [minigrad.zeros, minigrad.empty])
def test_an_out_without_data_is_refused(make):
    with pytest.raises(TypeError):
        make(2, out=Tensor.__new__(Tensor))


@pytest.mark.parametrize("transformed", [
    lambda torch, t: torch.vmap(lambda a: torch.add(a, a, out=torch.empty(2)))(t),
    lambda torch, t: torch.vmap(lambda a: torch.exp(torch.ones(2), out=a))(t),
    lambda torch, t: torch.func.grad(lambda a: torch.cat([a, a], out=torch.empty(4, 2)).sum())(t),
], ids=["a mapped argument", "a mapped out", "grad"])
def test_no_result_goes_into_out_in_a_transform(torch, transformed):
    with refuses(RuntimeError, "out= inside a transform" if torch is minigrad else "out", "MG117"):
        transformed(torch, torch.ones(2, 2))


def test_an_out_made_in_inference_mode_is_refused_outside(torch):
    with torch.inference_mode():
        out = torch.zeros(2)
    with refuses(RuntimeError, "Inplace update to inference tensor outside InferenceMode is not allowed", "MG112"):
        torch.add(torch.ones(2), torch.ones(2), out=out)
    if torch is minigrad:                       # PyTorch has written by then
        assert out.tolist() == [0, 0]


def test_an_out_with_a_tangent_is_refused(torch):
    with torch.autograd.forward_ad.dual_level():
        out = torch.autograd.forward_ad.make_dual(torch.zeros(2), torch.ones(2))
        with pytest.raises((RuntimeError, NotImplementedError), match="forward"):
            torch.add(torch.ones(2), torch.ones(2), out=out)


def test_an_out_that_was_saved_is_copied_first_where_mutation_is_allowed(torch):
    x, factor = torch.tensor([1., 2.], requires_grad=True), torch.tensor([3., 4.])
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        y = (x * factor).sum()
        torch.add(torch.ones(2), torch.ones(2), out=factor)
        y.backward()
    assert x.grad.tolist() == [3, 4] and factor.tolist() == [2, 2]
    torch.add(torch.ones(2), torch.zeros(2), out=factor)
    assert factor.tolist() == [1, 1]


def test_an_out_without_numbers_keeps_its_shape_or_takes_that_of_the_result(torch):
    x = torch.ones(2, device="meta")
    for out in (torch.empty(2, device="meta"), torch.empty(0, device="meta")):
        assert torch.add(x, x, out=out) is out and out.shape == (2,) and out.device.type == "meta"


def test_tensors_without_a_tangent_are_written_in_a_dual_level():
    out = x(0.0, 0.0)
    with minigrad.autograd.forward_ad.dual_level() as level:
        dual = minigrad.autograd.forward_ad.make_dual(x(1.0, 2.0), x(1.0, 1.0), level=level)
        assert minigrad.add(x(1.0, 2.0), x(3.0, 4.0), out=out) is out and out.tolist() == [4.0, 6.0]
        assert minigrad.cumsum(out, 0, out=out) is out and out.tolist() == [4.0, 10.0]
        with refuses(RuntimeError, "does not support it because it is an out= function", "MG210"):
            minigrad.add(dual, 1.0, out=out)
    assert out.tolist() == [4.0, 10.0]


def test_a_tensor_of_inference_mode_is_written_in_it():
    with minigrad.inference_mode():
        out = x(0.0, 0.0)
        assert minigrad.mul(x(1.0, 2.0), x(3.0, 4.0), out=out) is out and out.tolist() == [3.0, 8.0]


@pytest.mark.parametrize("name, expected", [("add", 5.0), ("sub", 1.0), ("mul", 6.0), ("div", 1.5)])
def test_numbers_alone_go_into_out(name, expected):
    out = x(0.0)[0]
    assert getattr(minigrad, name)(3.0, 2.0, out=out) is out and out.item() == expected and out._version == 1
    assert getattr(minigrad, name)(3, 2, out=out).item() == expected
