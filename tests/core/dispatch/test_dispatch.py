"""From a call to a result: binding, what is accepted as an operand, promotion, wrapping, and what is recorded."""

import itertools
import pickle

import numpy as np
import pytest

import minigrad
from minigrad._core.dispatch import op
from minigrad._core.dispatch.op import Op
from minigrad.ops.exports import ROWS
from tests.checking import refuses

DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
          "complex128"]


@pytest.fixture
def x(torch):
    return torch.tensor([1., 2., 3.])


# ------------------------------------------------------------------------------ binding

def test_positions_and_keywords(torch, x):
    for y in (torch.mul(x, x), torch.mul(x, other=x), torch.mul(input=x, other=x), torch.mul(other=x, input=x),
              x.mul(x), x.mul(other=x)):
        assert y.tolist() == [1., 4., 9.]


def test_our_own_name_of_the_first_argument():
    x = minigrad.tensor([1., 2.])
    assert minigrad.mul(self=x, other=2).tolist() == [2., 4.]


def test_defaults(torch, x):
    assert torch.add(x, x).tolist() == [2., 4., 6.] and torch.add(x, x, alpha=2).tolist() == [3., 6., 9.]


def test_numpys_names_of_dim_and_keepdim(torch):
    m = torch.ones(2, 3)
    assert torch.sum(m, axis=0).tolist() == [2., 2., 2.] and m.sum(axis=1, keepdims=True).shape == (2, 1)


@pytest.mark.parametrize("call", [lambda t, x: t.mul(), lambda t, x: t.mul(x), lambda t, x: x.mul(),
                                  lambda t, x: t.mul(x, x, x), lambda t, x: t.exp(x, x),
                                  lambda t, x: t.mul(x, x, wrong=1), lambda t, x: t.mul(x, x, other=x),
                                  lambda t, x: t.mul(x, input=x), lambda t, x: t.exp(), lambda t, x: t.exp(x, x=1)])
def test_wrong_arguments(torch, x, call):
    with pytest.raises(TypeError) as e:
        call(torch, x)
    assert torch is not minigrad or e.value.code == "MG205"


def test_the_messages_show_the_call():
    x = minigrad.tensor([1.])
    with refuses(TypeError, "mul() missing 1 required positional argument: 'other'; it is mul(Tensor self, "
                 "Tensor other)", "MG205"):
        ROWS["mul"](x)
    with refuses(TypeError, "mul() takes 2 positional arguments but 3 were given", "MG205"):
        ROWS["mul"](x, x, x)
    with refuses(TypeError, "mul() got an unexpected keyword argument 'wrong'", "MG205"):
        ROWS["mul"](x, x, wrong=1)
    with refuses(TypeError, "mul() got multiple values for argument 'other'", "MG205"):
        ROWS["mul"](x, x, other=x)
    with refuses(TypeError, "mul() got multiple values for argument 'input'", "MG205"):
        ROWS["mul"](x, other=x, input=x)


# ------------------------------------------------------------------------------ operands

@pytest.mark.parametrize("wrong", ["a", [1, 2], (1,), {}, object()])
def test_other_objects_are_not_operands(torch, x, wrong):
    for call in (lambda: torch.mul(x, wrong), lambda: torch.mul(wrong, x), lambda: x.mul(wrong),
                 lambda: torch.exp(wrong)):
        with pytest.raises(TypeError) as e:
            call()
        assert torch is not minigrad or e.value.code == "MG205"


def test_the_message_names_the_argument(torch, x):
    with refuses(TypeError, "argument 'other' (position 2) must be Tensor, not str", "MG205"):
        torch.mul(x, "a")
    with refuses(TypeError, "(position 1) must be Tensor, not str", "MG205"):
        torch.exp("a")


def test_none_is_not_an_operand(torch, x):
    with pytest.raises(TypeError):
        torch.exp(None)
    with pytest.raises(TypeError):
        torch.mul(x, None)


def test_numbers(torch, x):
    assert torch.mul(x, 2).tolist() == torch.mul(x, 2.).tolist() == [2., 4., 6.]
    assert torch.mul(x, True).dtype is torch.float32 and torch.mul(x, 1j).dtype is torch.complex64


def test_numpy_scalars_are_numbers(torch, x):
    n = torch.tensor([1, 2])
    for kind in (np.float64, np.float32, np.int64):
        assert (x * kind(2)).dtype is torch.float32 and (x * kind(2)).tolist() == [2., 4., 6.]
        assert (kind(2) * x).dtype is torch.float32
    assert (n * np.int32(3)).dtype is torch.int64 and (n * np.float64(0.5)).dtype is torch.float32


def test_results_are_of_the_subclass(torch):
    class Mine(torch.Tensor):
        pass

    mine = torch.Tensor._make_subclass(Mine, torch.ones(2), True)
    y = mine * 2
    assert type(mine) is type(y) is Mine and y.requires_grad
    y.sum().backward()
    assert mine.grad.tolist() == [2., 2.]


def test_a_list_of_tensors(torch, x):
    for make in (list, tuple):
        assert torch.stack(make([x, x])).shape == (2, 3)
    with pytest.raises(TypeError):
        torch.stack([x, "a"])
    with pytest.raises(TypeError):
        torch.cat(5)
    with pytest.raises((RuntimeError, ValueError)):
        torch.stack([])


def test_ops_are_methods_and_attributes_of_the_class(torch, x):
    assert torch.Tensor.exp(x).tolist() == x.exp().tolist() == torch.exp(x).tolist()
    bound = x.exp
    assert bound().tolist() == x.exp().tolist()


def test_an_op_by_itself():
    mul = ROWS["mul"]
    assert isinstance(mul, Op) and mul.__name__ == "mul" and "mul" in repr(mul) and mul.params == ("self", "other")
    assert op.signature(mul) == "mul(Tensor self, Tensor other)" and mul.__doc__


@pytest.mark.parametrize("call", [lambda torch, x, a: torch.add(x, x, alpha=a), lambda torch, x, a: x.sub_(x, alpha=a),
                                  lambda torch, x, a: torch.nn.functional.elu(x, a)], ids=["add", "sub_", "elu"])
@pytest.mark.parametrize("recording", [True, False])
def test_a_number_whose_gradient_would_be_lost_is_refused(torch, x, call, recording):
    with torch.set_grad_enabled(recording):
        assert call(torch, x.clone(), torch.tensor(2.)).shape == x.shape
        with refuses(TypeError, "must be Number, not Tensor", "MG205"):
            call(torch, x, torch.tensor(2., requires_grad=True))
    assert x.tolist() == [1., 2., 3.]


@pytest.mark.parametrize("call", [
    lambda x, a: minigrad.add(x, x, alpha=a), lambda x, a: x.clamp(0, a), lambda x, a: minigrad.full((2,), a),
    lambda x, a: minigrad.nn.functional.softplus(x, beta=a)], ids=["add", "clamp", "full", "softplus"])
def test_it_may_be_a_view_that_got_its_gradient_from_a_later_write(call):
    """PyTorch asks the view before it has caught up, and loses the gradient."""
    base = minigrad.zeros(2)
    a, constant = base[0], minigrad.zeros(2)[0]
    base.copy_(minigrad.ones(2, requires_grad=True) * 3)
    call(minigrad.ones(3), constant)
    with refuses(TypeError, "", "MG205"):
        call(minigrad.ones(3), a)


# ------------------------------------------------------------------------------ promotion

def operands(torch, kind, tier):
    dtype = getattr(torch, kind)
    return torch.ones(2, dtype=dtype) if tier == "dims" else torch.tensor(1, dtype=dtype)


def has_no_place_here(a, b):
    """half and complex together are complex32 in PyTorch, a dtype that NumPy does not have; here complex64."""
    return "float16" in (a, b) and "complex" in a + b


@pytest.mark.parity
@pytest.mark.parametrize("tiers", itertools.product(["dims", "0-d"], repeat=2), ids="-".join)
@pytest.mark.parametrize("name", ["add", "mul", "div", "sub", "maximum", "eq", "where", "pow"])
def test_promotion_of_two_tensors(name, tiers):
    torch = pytest.importorskip("torch")
    pytest.importorskip("ml_dtypes")

    def result(library, a, b):
        x, y = (operands(library, k, t) for k, t in zip((a, b), tiers))
        try:
            if name == "where":
                return str(library.where(library.tensor([True, False]), x, y).dtype)
            return str(getattr(library, name)(x, y).dtype)
        except RuntimeError:
            return "refused"

    wrong = [(a, b, ours, theirs) for a in DTYPES for b in DTYPES if (ours := result(minigrad, a, b))
             != (theirs := result(torch, a, b))]
    assert not [w for w in wrong if not has_no_place_here(w[0], w[1])]


@pytest.mark.parity
@pytest.mark.parametrize("number", [True, 1, 1.5, 1j])
@pytest.mark.parametrize("tier", ["dims", "0-d"])
@pytest.mark.parametrize("name", ["add", "mul", "div", "pow", "rsub", "le"])
def test_promotion_with_a_number(name, tier, number):
    torch = pytest.importorskip("torch")
    pytest.importorskip("ml_dtypes")

    def result(library, a, swapped):
        x = operands(library, a, tier)
        try:
            if name == "rsub":
                y = number - x if swapped else x - number
            elif name == "pow":
                y = number ** x if swapped else x ** number
            elif name == "div":
                y = number / x if swapped else x / number
            elif name == "le":
                y = number <= x if swapped else x <= number
            else:
                y = getattr(library, name)(x, number)
            return str(y.dtype)
        except (RuntimeError, TypeError):
            return "refused"

    wrong = [(a, s, ours, theirs) for a in DTYPES for s in (False, True) if (ours := result(minigrad, a, s))
             != (theirs := result(torch, a, s))]
    assert not [w for w in wrong if not has_no_place_here(w[0], "complex64" if number == 1j else "float32")]


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_the_default_dtype_counts(torch, kind):
    before = torch.get_default_dtype()
    torch.set_default_dtype(getattr(torch, kind))
    try:
        n = torch.tensor([1, 2])
        assert (n / 2).dtype is getattr(torch, kind) and (n * 0.5).dtype is getattr(torch, kind)
        assert n.exp().dtype is getattr(torch, kind)
        assert torch.tensor(1.).dtype is getattr(torch, kind)
    finally:
        torch.set_default_dtype(before)


def test_three_operands(torch):
    x, s = torch.ones(2), torch.tensor(2., dtype=torch.float64)
    assert torch.addcmul(x, x, x).dtype is torch.float32
    assert torch.where(torch.tensor([True, False]), x, s).dtype is torch.float32
    assert torch.cat([x, x.double()]).dtype is torch.float64


def test_results_are_arrays_of_a_native_dtype():
    for name in ("exp", "neg", "isnan"):
        for shape in ((), (2,), (0,)):
            y = ROWS[name](minigrad.ones(shape))
            assert type(y._array) is np.ndarray and y._array.dtype.isnative and y.shape == shape


# ------------------------------------------------------------------------------ shapes

def test_shapes_that_do_not_broadcast(torch):
    with refuses(RuntimeError, "The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
                 "dimension 1", "MG201"):
        torch.ones(2, 3) + torch.ones(4)
    with refuses(RuntimeError, "The size of tensor a (2) must match the size of tensor b (3) at non-singleton "
                 "dimension 0", "MG201"):
        torch.ones(2, 1) * torch.ones(3, 4)


def test_the_message_shows_the_shapes():
    with refuses(RuntimeError, "self [2, 3], other [4]", "MG201"):
        minigrad.ones(2, 3) + minigrad.ones(4)


def test_a_failed_call_records_nothing(torch):
    x = torch.ones(2, 3, requires_grad=True)
    for call in (lambda: x + torch.ones(4), lambda: x @ x, lambda: x.sum(5), lambda: x.reshape(5)):
        with pytest.raises((RuntimeError, IndexError)):
            call()
    (x * 2).sum().backward()
    assert x.grad.tolist() == [[2.] * 3] * 2


# ------------------------------------------------------------------------------ several outputs

def test_named_results(torch):
    r = torch.tensor([[3., 1., 2.]]).max(1)
    values, indices = r
    assert values.tolist() == [3.] and indices.tolist() == [0] and r.values is r[0] and r.indices is r[1]
    assert len(r) == 2
    assert isinstance(r, tuple) and repr(r) == "torch.return_types.max(\nvalues=tensor([3.]),\nindices=tensor([0]))"
    assert type(torch.ones(1, 2).max(1)) is type(r)


def test_named_results_can_be_pickled():
    r = minigrad.tensor([[3., 1., 2.]]).max(1)
    values, indices = pickle.loads(pickle.dumps(r))
    assert values.tolist() == [3.] and indices.tolist() == [0]


def test_lists_of_outputs_are_tuples(torch):
    assert type(torch.ones(4).split(2)) is tuple and type(torch.ones(2, 2).unbind(0)) is tuple
    assert type(torch.ones(4).chunk(2)) is tuple
    assert torch.zeros(0, 3, requires_grad=True).unbind(0) == ()


# ------------------------------------------------------------------------------ what is recorded

def test_recorded_where_an_input_requires_grad(torch):
    x, w = torch.ones(2), torch.ones(2, requires_grad=True)
    assert not (x * x).requires_grad and (x * w).requires_grad and (w * 2).requires_grad and (2 - w).requires_grad
    assert not (w > 0).requires_grad and not w.long().requires_grad and not w.argmax().requires_grad
    assert not w.isnan().requires_grad
    assert w.floor().requires_grad and w.sign().requires_grad


def test_only_inputs_that_require_grad_have_an_edge(torch):
    x, w = torch.ones(2), torch.ones(2, requires_grad=True)
    node = (x * w).grad_fn
    assert [n is None for n, _ in node.next_functions] == [True, False]


def test_saved_is_what_the_needed_formulas_name(torch):
    x, w = torch.ones(2), torch.full((2,), 3., requires_grad=True)
    node = (x * w).grad_fn
    assert node._saved_self.tolist() == [1., 1.] and node._saved_other is None
    node = (w * x).grad_fn
    assert node._saved_self is None and node._saved_other.tolist() == [1., 1.]
    node = (w * w).grad_fn
    assert node._saved_self.tolist() == node._saved_other.tolist() == [3., 3.]
    assert w.exp().grad_fn._saved_result.tolist() == w.exp().tolist()
    assert tuple(w.sum().grad_fn._saved_self_sym_sizes) == (2,)


def test_node_names(torch):
    w = torch.ones(2, 2, requires_grad=True)
    for result, name in [(w * w, "MulBackward0"), (w + 1, "AddBackward0"), (w - w, "SubBackward0"),
                         (1 - w, "RsubBackward1"), (w / 2, "DivBackward0"),
                         (2 / w, "MulBackward0"), (-w, "NegBackward0"), (w @ w, "MmBackward0"),
                         (w ** 2, "PowBackward0"), (w ** w, "PowBackward1"),
                         (2 ** w, "PowBackward2"), (w.t(), "TBackward0"), (w.sum(), "SumBackward0"),
                         (w.sum(0), "SumBackward1"), (w.exp(), "ExpBackward0"),
                         (w[0], "SelectBackward0"), (w.mean(), "MeanBackward0"), (abs(w), "AbsBackward0"),
                         (w.double(), "ToCopyBackward0")]:
        assert result.grad_fn.name() == name == type(result.grad_fn).__name__, name
    assert (w * w).grad_fn.next_functions[0][0].name() == "torch::autograd::AccumulateGrad"


def test_nothing_is_recorded_in_no_grad_and_inference_mode(torch):
    w = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        assert not (w * w).requires_grad
    with torch.inference_mode():
        y = w * w
        assert not y.requires_grad and y.is_inference()
        with torch.enable_grad():
            z = w * 2
        assert not z.requires_grad and z.is_inference()
    assert not w.is_inference() and (w * w).requires_grad


def test_an_inference_tensor_cannot_be_saved(torch):
    with torch.inference_mode():
        t = torch.ones(2)
    w = torch.ones(2, requires_grad=True)
    with refuses(RuntimeError, "Inference tensors cannot be saved for backward.", "MG112"):
        w * t
    (w + t).sum().backward()
    assert w.grad.tolist() == [1., 1.]
    assert (w * t.clone()).requires_grad


@pytest.mark.parametrize("call", [
    lambda torch, x, t: torch.hypot(x, t), lambda torch, x, t: torch.hypot(t, x),
    lambda torch, x, t: torch.addcmul(x, t, t), lambda torch, x, t: torch.addcmul(t, x, torch.ones(2)),
    lambda torch, x, t: torch.addmv(x, torch.ones(2, 2), t), lambda torch, x, t: (x * 1).addcmul_(t, t)])
def test_an_inference_tensor_that_no_gradient_needs_may_take_part(torch, call):
    """A formula needs it, but not one that would run; or only the result is saved."""
    with torch.inference_mode():
        t = torch.tensor([0., 0.])
    x = torch.tensor([2., 3.], requires_grad=True)
    call(torch, x, t).sum().backward()
    assert x.grad.tolist() == [1., 1.]


def test_results_do_not_lie_in_their_inputs(torch):
    x = torch.ones(3)
    for y in (x + 0, x * 1, x.clone(), +x if torch is not minigrad else x.clone(), x ** 1, x.double().float()):
        before = y.tolist()
        x.add_(1)
        x.sub_(1)
        assert y.data_ptr() != x.data_ptr() or y is x and before == x.tolist()


@pytest.mark.parametrize("call", [lambda torch, a: torch.add(torch.ones(2), torch.ones(2), alpha=a),
                                  lambda torch, a: torch.ones(2).add_(1, alpha=a),
                                  lambda torch, a: torch.nn.functional.leaky_relu(torch.ones(2), a)])
def test_what_vmap_maps_over_does_not_count_as_a_number(torch, call):
    with refuses(RuntimeError, "vmap: It looks like you're calling .item() on a Tensor.", "MG117"):
        torch.vmap(lambda a: call(torch, a))(torch.ones(3))
