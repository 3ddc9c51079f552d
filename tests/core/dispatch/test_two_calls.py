"""The two ways of a call: the short one of every day, and the full one, which is taken while a mode is on.

A dual level is open and nothing has a tangent: then no result may differ, and neither may its history.  The front ends
in C, for subscripts, factories and backward, are not taken there either, so that they are compared with what is
behind them.
"""

import contextlib
import warnings

import numpy as np
import pytest

import minigrad
from minigrad import autograd
from minigrad._core.graph import Node, Tensor, wrap
from tests.ops.samples import ROWS
from tests.ops.test_ops import bound, call, flat

LAYOUTS = {
    "rows": lambda a: a,
    "columns": np.asfortranarray,
    "stepped": lambda a: np.repeat(a, 2, axis=-1)[..., ::2] if a.ndim else a,
}


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def described(x, depth=2):
    """Everything about a result that a user sees."""
    if isinstance(x, (list, tuple)):
        return type(x).__name__, [described(y, depth) for y in x]
    if not isinstance(x, Tensor):
        return repr(x)
    whole = [x.dtype, x.shape, x.stride(), x.storage_offset(), x.requires_grad, x.is_leaf, x._version, x._is_view(),
             x.detach().resolve_conj().numpy().tobytes()]
    base = x._base
    if depth and base is not None:
        whole.append(described(base, 0))
    node = x.grad_fn
    if node is not None:
        whole += [Node.name(node), x.output_nr, [None if f is None else (Node.name(f), nr) for f, nr in
                                                 node.next_functions]]
        if depth:
            for name in dir(type(node)):
                if name.startswith("_saved_"):
                    saved = getattr(node, name)
                    whole.append((name, numbers(saved.detach()) if isinstance(saved, Tensor) else repr(saved)))
    return whole


def numbers(gradient):
    """A gradient by its numbers: whether it is a view, and how it lies in memory, is the engine's own affair."""
    if gradient is None:
        return None
    with np.errstate(all="ignore"):
        return gradient.dtype, gradient.shape, np.array2string(gradient.numpy() + 0, precision=4, threshold=10_000)


def outcome(way, make):
    """What comes of a call, and of its backward pass; or the error."""
    with way():
        try:
            inputs, result = make()
            found = described(result)
            outputs = [y for y in flat(result) if isinstance(y, Tensor) and y.requires_grad]
            if outputs and inputs:
                seeds = [minigrad.ones_like(y) for y in outputs]
                found = [found, *map(numbers, autograd.grad(outputs, inputs, seeds, allow_unused=True))]
            return found
        except Exception as error:
            return type(error), str(error)


def same_both_ways(make):
    assert outcome(contextlib.nullcontext, make) == outcome(autograd.forward_ad.dual_level, make)


@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.drawn
def test_a_call_gives_the_same_while_a_mode_is_on(row):
    for case in row.cases:
        for layout, dtype in [("rows", "float64"), ("columns", "float32"), ("stepped", "float64")]:
            def make(case=case, lay=LAYOUTS[layout], dtype=dtype):
                minigrad.manual_seed(0)
                inputs, args, kwargs, _ = bound(lambda a, grad: wrap(lay(a), grad), row, case, dtype)
                return inputs, call(minigrad, row, args, kwargs)

            same_both_ways(make)


INDICES = np.s_[
    0, -1, 1:, ::2, None, ..., (0, 1), (slice(None), 1), (Ellipsis, 0), (None, 1), (slice(1, None), slice(None, -1)),
    (0, None, Ellipsis), slice(5, 1), (slice(None), slice(0, 3, 2), None), (2, 0), True, (0, slice(-2, 9)), [0, 1], 7,
    (0, 0, 0), (0, 9), 1.5, "a", (slice(None, None, -1),), (), (slice(True, 2),), np.int64(1), (np.int32(0), 1)]


@pytest.mark.parametrize("index", INDICES, ids=repr)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_subscript_gives_the_same_while_a_mode_is_on(index, layout):
    a = LAYOUTS[layout](np.arange(12.).reshape(3, 4))

    def read():
        x = wrap(a, True)
        return [x], x[index]

    def read_of_a_view():
        x = wrap(a, True)
        return [x], (x * 1).t()[index]

    def read_by_a_tensor():
        x = wrap(a, True)
        return [x], x[minigrad.tensor(index)]

    def write(value=lambda: 2., requires_grad=False):
        x = wrap(a, requires_grad)
        y = x * 1
        y[index] = value()
        return [x], y

    def augmented():
        x = wrap(a, True)
        y = x * 1
        y[index] *= 3
        return [x], y

    for make in (read, read_of_a_view, read_by_a_tensor, write, lambda: write(requires_grad=True), augmented,
                 lambda: write(lambda: minigrad.tensor(5.), True), lambda: write(lambda: minigrad.ones(4).double())):
        same_both_ways(make)


@pytest.mark.parametrize("make", [
    lambda x: minigrad.tensor([[1, 2.5], [3, 4]]), lambda x: minigrad.tensor(True), lambda x: minigrad.tensor([]),
    lambda x: minigrad.tensor([1, 2], dtype=minigrad.float64, requires_grad=True), lambda x: minigrad.zeros(2, 3),
    lambda x: minigrad.ones((2, 0)), lambda x: minigrad.full((2,), 3), lambda x: minigrad.empty(0, 3),
    lambda x: minigrad.zeros_like(x), lambda x: minigrad.ones_like(x.t()), lambda x: minigrad.full_like(x, 2),
    lambda x: minigrad.arange(5), lambda x: minigrad.eye(3), lambda x: minigrad.zeros(2, -1),
    lambda x: minigrad.zeros("a"), lambda x: x + [1], lambda x: x < 0.5, lambda x: 2 % x, lambda x: x // 2,
    lambda x: x == "a", lambda x: 1 - x, lambda x: 2 / x, lambda x: 2 ** x, lambda x: x ** 2, lambda x: x @ x.t(),
    lambda x: abs(x), lambda x: -x, lambda x: ~(x > 0), lambda x: (x > 0) & (x < 1), lambda x: x.long() << 1,
    lambda x: x.long() ^ True, lambda x: x > np.float32(1), lambda x: x.sum(0).sum(), lambda x: list(x),
    lambda x: x.T, lambda x: x.mT, lambda x: x.max(1), lambda x: x.chunk(2, 1), lambda x: minigrad.add(x, x, alpha=2),
    lambda x: minigrad.cat((x, x), dim=1), lambda x: x.view(4, 3), lambda x: x.view(-1),
    lambda x: minigrad.cat([x, 1]), lambda x: minigrad.stack([x, None]), lambda x: x.sum(dim=5),
    lambda x: x.sum(axis=0), lambda x: minigrad.nn.functional.linear(x, x, x[:, 0]),
    lambda x: minigrad.einsum("ij,kj->ik", x, x), lambda x: (x * 1).mul_(2).add_(x), lambda x: (x * 1).clamp_(0, 1),
    lambda x: (x * 1).view(-1).zero_(), lambda x: x.mul_(2), lambda x: (x * 1).t_(),
    lambda x: (x * 1).add_(minigrad.ones(2)), lambda x: x.data.mul_(2), lambda x: x.detach().exp_(),
])
def test_what_users_write_most_gives_the_same_while_a_mode_is_on(make):
    def made():
        x = wrap(np.arange(12.).reshape(3, 4), True)
        return [x], make(x)

    same_both_ways(made)


#: for each kind of conversion: what gives the tensor itself, what gives another, what is refused
CONVERSIONS = [
    lambda x: x.double(), lambda x: x.float(), lambda x: x.bool(), lambda x: x.bfloat16(), lambda x: x.cdouble(),
    lambda x: x.double(1), lambda x: x.float(memory_format=minigrad.preserve_format), lambda x: x.cpu(),
    lambda x: x.cpu(1), lambda x: x.to(minigrad.float64), lambda x: x.to(minigrad.float32), lambda x: x.to(float),
    lambda x: x.to("cpu"), lambda x: x.to(minigrad.device("cpu")), lambda x: x.to("cuda"), lambda x: x.to([]),
    lambda x: x.to("cpu", minigrad.float16), lambda x: x.to("cpu", None), lambda x: x.to(x.int()),
    lambda x: x.to(other=x.int()), lambda x: x.to(dtype=minigrad.int8), lambda x: x.to(dtype=None),
    lambda x: x.to(device="cpu"), lambda x: x.to(), lambda x: x.to(x.dtype, copy=True), lambda x: x.to(3),
    lambda x: x.type(), lambda x: x.type(minigrad.int64), lambda x: x.type("torch.DoubleTensor"), lambda x: x.type(1),
    lambda x: x.type_as(x.int()), lambda x: x.type_as(x), lambda x: x.type_as(3),
    lambda x: x.type_as(other=x.int()), lambda x: x.type(dtype=minigrad.int64), lambda x: minigrad.Tensor.type_as(3, x),
    lambda x: x.type(minigrad.int64, non_blocking=True), lambda x: minigrad.Tensor.type(3, minigrad.int64),
    lambda x: minigrad.Tensor.to(), lambda x: minigrad.Tensor.to(self=x), lambda x: x.type_as(x, x),
    lambda x: x.type_as(x.int(), unknown=1),
    lambda x: minigrad.from_numpy(np.ones(2), dtype=3),
    lambda x: minigrad.as_tensor([1.], dtype=minigrad.float64, device="cpu"),
    lambda x: minigrad.as_tensor([1.], minigrad.float64, device="cpu"),
    lambda x: minigrad.as_tensor([1.], minigrad.float64, dtype=minigrad.float64),
    lambda x: minigrad.as_tensor([1.], unknown=1),
    lambda x: x.new_tensor([1, 2]), lambda x: x.new_tensor([1.5], dtype=minigrad.int64), lambda x: x.new_tensor(x),
    lambda x: x.int().new_tensor([1.5]), lambda x: x.new_tensor([True], requires_grad=True), lambda x: x.new_tensor([]),
    lambda x: minigrad.as_tensor(x), lambda x: minigrad.as_tensor(x, minigrad.float16), lambda x: minigrad.as_tensor(2),
    lambda x: minigrad.as_tensor([1, 2], dtype=minigrad.float32), lambda x: minigrad.as_tensor([1, "a"]),
    lambda x: minigrad.as_tensor(np.ones(2)), lambda x: minigrad.as_tensor(np.ones(2), dtype=minigrad.float32),
    lambda x: minigrad.as_tensor(np.ones(2), requires_grad=True), lambda x: minigrad.as_tensor([1], device="cuda"),
    lambda x: minigrad.as_tensor(x, dtype="float32"), lambda x: minigrad.as_tensor(data=x),
    lambda x: minigrad.asarray(x), lambda x: minigrad.asarray([1]), lambda x: minigrad.asarray(np.ones(2)),
    lambda x: minigrad.asarray(x, requires_grad=False), lambda x: minigrad.asarray([1], copy=False),
    *[lambda x, make=make, array=array: make(array)
      for make in (minigrad.from_numpy, minigrad.as_tensor, minigrad.asarray)
      for array in (np.ones(2), np.ones(2)[::-1], np.ones(2, ">f8"), np.ones(2, "U1"), np.broadcast_to(1., (2, 3)),
                    np.ones(3, [("a", "i1"), ("b", "f4")])["b"], np.ones((2, 3)).T, np.ma.ones(2),
                    np.lib.stride_tricks.as_strided(np.zeros(12, "f4").view("c8"), (3,), (12,)), np.ones(2, "u4"),
                    np.ones((1, 2))[::-1], np.float64(1), [1])],
]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
@pytest.mark.parametrize("convert", CONVERSIONS)
@pytest.mark.drawn
def test_a_conversion_gives_the_same_while_a_mode_is_on(convert, dtype, layout):
    def made():
        x = wrap(LAYOUTS[layout](np.arange(12).reshape(3, 4).astype(dtype)), True)
        y = convert(x)
        return [x], [y, y is x, isinstance(y, Tensor) and y.numel() and y.data_ptr() == x.data_ptr()]

    same_both_ways(made)


@pytest.mark.parametrize("make", [minigrad.from_numpy, minigrad.as_tensor, minigrad.asarray])
def test_a_tensor_of_an_array_lies_in_its_memory(make):
    array = np.ones((2, 3)).T
    t = make(array)
    array[0, 1] = 5
    assert t[0, 1] == 5 and t.stride() == (1, 3)


@pytest.mark.parametrize("one, other", [
    (lambda x: x.t(), lambda x: x.t().clone()), (lambda x: x * 2, lambda x: x + x), (lambda x: x, lambda x: x.detach()),
    (lambda x: x.clone(), lambda x: x.t().contiguous().t()), (lambda x: x[0], lambda x: x[1]), (lambda x: x.sum(),
     lambda x: x.sum().float()), (lambda x: x.sum(0), lambda x: x.sum(0, True)), (lambda x: x.exp(), lambda x: x),
    (lambda x: x.view(12), lambda x: x.clone().view(12)), (lambda x: x[0], lambda x: x * 1 / 0),
])
def test_a_difference_is_noticed(one, other):
    x = wrap(np.arange(12.).reshape(3, 4), True)
    assert described(one(x)) != described(other(x))
    assert described(one(x)) == described(one(x))
