"""matmul and linear: the nodes that PyTorch shows, and one result from C, from Python, with a graph and without."""

import itertools

import numpy as np
import pytest

import minigrad
from minigrad._core.errors import AutogradRuntimeError
from tests.checking import refuses

LEFT = [(3,), (2, 3), (5, 2, 3), (4, 5, 2, 3), (0, 2, 3)]
RIGHT = [(3,), (3, 6), (5, 3, 6), (4, 5, 3, 6), (4, 1, 3, 6), (3, 0)]
INPUTS = [(3,), (2, 3), (5, 2, 3), (4, 5, 2, 3), (5, 0, 3), (1, 3)]
BIASES = [None, (6,), (), (1,), (1, 6), (2, 6), (1, 1), (5, 2, 6)]


def chain(node):
    """The names of a node and of those behind it."""
    if node is None:
        return "-"
    name = node.name().replace("Backward0", "")
    if name.endswith("AccumulateGrad"):
        return "leaf"
    return f"{name}({', '.join([chain(before) for before, _ in node.next_functions])})"


def tensor(library, shape, grad, seed=0):
    numbers = np.random.default_rng(seed).uniform(-1, 1, shape)
    return library.tensor(numbers).requires_grad_(grad)


def turned(t):
    """The same numbers, the first dim last in memory."""
    return t.detach().permute(*range(1, t.ndim), 0).contiguous().permute(-1, *range(t.ndim - 1)).requires_grad_(
        t.requires_grad)


@pytest.mark.parametrize("left, right, expected", [
    ((3,), (3,), "Dot(leaf, leaf)"),
    ((2, 3), (3,), "Mv(leaf, leaf)"),
    ((3,), (3, 6), "SqueezeBackward4(Mm(Unsqueeze(leaf), leaf))"),
    ((2, 3), (3, 6), "Mm(leaf, leaf)"),
    ((5, 2, 3), (3, 6), "UnsafeView(Mm(View(leaf), leaf))"),
    ((5, 2, 3), (3,), "UnsafeView(Mv(View(leaf), leaf))"),
    ((3,), (5, 3, 6), "UnsafeView(Mv(UnsafeView(Clone(Transpose(leaf))), leaf))"),
    ((2, 3), (5, 3, 6), "Clone(Transpose(UnsafeView(Mm(UnsafeView(Clone(Transpose(leaf))), T(leaf)))))"),
    ((5, 2, 3), (5, 3, 6), "UnsafeView(Bmm(View(Expand(leaf)), View(Expand(leaf))))"),
    ((4, 5, 2, 3), (5, 3, 6), "UnsafeView(Bmm(View(Expand(leaf)), UnsafeView(Clone(Expand(leaf)))))"),
])
def test_the_nodes_of_matmul(torch, left, right, expected):
    a, b = tensor(torch, left, True), tensor(torch, right, True)
    out = a @ b
    assert sorted(chain(out.grad_fn)) == sorted(expected)


@pytest.mark.parametrize("shape, bias, expected", [
    ((2, 3), True, "Addmm(leaf, leaf, T(leaf))"),
    ((2, 3), False, "Mm(leaf, T(leaf))"),
    ((3,), True, "View(Addmm(leaf, View(leaf), T(leaf)))"),
    ((3,), False, "SqueezeBackward4(Mm(Unsqueeze(leaf), T(leaf)))"),
    ((5, 2, 3), True, "View(Addmm(leaf, View(leaf), T(leaf)))"),
    ((5, 2, 3), False, "UnsafeView(Mm(View(leaf), T(leaf)))"),
])
def test_the_nodes_of_linear(torch, shape, bias, expected):
    x, w, b = tensor(torch, shape, True), tensor(torch, (6, 3), True), tensor(torch, (6,), True)
    assert chain(torch.nn.functional.linear(x, w, b if bias else None).grad_fn) == expected


def test_a_layer_of_rows_that_do_not_lie_in_order_adds_its_bias_afterwards(torch):
    x, w, b = turned(tensor(torch, (5, 2, 3), True)), tensor(torch, (6, 3), True), tensor(torch, (6,), True)
    assert (chain(torch.nn.functional.linear(x, w, b).grad_fn)
            == "Add(UnsafeView(Mm(UnsafeView(Clone(leaf)), T(leaf))), leaf)")


@pytest.mark.parity
@pytest.mark.parametrize("grads", [(True, True), (True, False), (False, True)])
def test_every_node_is_that_of_pytorch(grads):
    """But for ReshapeAlias, which is a View here."""
    torch = pytest.importorskip("torch")
    for left, right, turn in itertools.product(LEFT, RIGHT, [False, True]):
        made = []
        for library in (torch, minigrad):
            a, b = tensor(library, left, grads[0], 1), tensor(library, right, grads[1], 2)
            if turn:
                a, b = turned(a), turned(b)
            try:
                out = library.matmul(a, b)
            except RuntimeError:
                made.append(None)
                continue
            made.append((chain(out.grad_fn).replace("ReshapeAlias", "View"), out.stride(), out._is_view(),
                         out.detach().numpy()))
        theirs, ours = made
        assert (theirs is None) == (ours is None)
        if ours is not None:
            assert ours[:3] == theirs[:3], (left, right, turn)
            np.testing.assert_allclose(ours[3], theirs[3], rtol=1e-12)
    for shape, bias, turn, weight in itertools.product(INPUTS, BIASES, [False, True], [True, False]):
        made = []
        for library in (torch, minigrad):
            x, w = tensor(library, shape, grads[0], 1), tensor(library, (6, 3), weight, 2)
            b = None if bias is None else tensor(library, bias, grads[1], 3)
            try:
                out = library.nn.functional.linear(turned(x) if turn else x, w, b)
            except RuntimeError:
                made.append(None)
                continue
            made.append((chain(out.grad_fn).replace("ReshapeAlias", "View"), out.stride(), out.detach().numpy()))
        theirs, ours = made
        assert (theirs is None) == (ours is None), (shape, bias, turn)
        if ours is not None:
            assert ours[:2] == theirs[:2], (shape, bias, turn)
            np.testing.assert_allclose(ours[2], theirs[2], rtol=1e-12)


@pytest.mark.parametrize("grads", list(itertools.product([True, False], repeat=2)))
def test_c_and_python_and_numpy_agree(grads):
    """A call of ordinary tensors begins in C; under a listener, in a transform or with keywords it does not."""
    for left, right, turn in itertools.product(LEFT, RIGHT, [False, True]):
        a, b = tensor(minigrad, left, grads[0], 1), tensor(minigrad, right, grads[1], 2)
        if turn:
            a, b = turned(a), turned(b)
        try:
            expected = np.matmul(a.detach().numpy(), b.detach().numpy())
        except ValueError:
            for call in (minigrad.matmul, minigrad.matmul.__wrapped__, lambda a, b: a @ b):
                with pytest.raises(AutogradRuntimeError):
                    call(a, b)
            continue
        ways = [a @ b, minigrad.matmul(a, b), minigrad.matmul.__wrapped__(a, b), minigrad.matmul(a, other=b)]
        for out in ways:
            np.testing.assert_allclose(out.detach().numpy(), expected, rtol=1e-12, atol=1e-15)
            assert out.shape == expected.shape and chain(out.grad_fn) == chain(ways[0].grad_fn)
            assert out.requires_grad == any(grads) and out.is_contiguous() and not out._is_view()


def test_a_layer_in_c_and_in_python():
    linear = minigrad.nn.functional.linear
    for shape, bias, turn, grad in itertools.product(INPUTS, BIASES, [False, True], [False, True]):
        x, w = tensor(minigrad, shape, grad, 1), tensor(minigrad, (6, 3), grad, 2)
        b = None if bias is None else tensor(minigrad, bias, grad, 3)
        x = turned(x) if turn else x
        outcomes = []
        for call in (lambda: linear(x, w, b), lambda: linear(x, w, bias=b), lambda: linear.__wrapped__(x, w, b),
                     lambda: linear(input=x, weight=w, bias=b)):
            try:
                out = call()
                outcomes.append((chain(out.grad_fn), out.shape, out.tolist()))
            except AutogradRuntimeError as e:
                outcomes.append(str(e))
        assert all([each == outcomes[0] for each in outcomes[1:]]) or np.allclose(outcomes[0][2], outcomes[2][2])


def test_dtypes_other_than_those_of_floats():
    linear = minigrad.nn.functional.linear
    for dtype in (minigrad.float16, minigrad.complex64, minigrad.int64, minigrad.bfloat16):
        x, w, b = [tensor(minigrad, shape, False).mul(4).to(dtype) for shape in ((5, 2, 3), (6, 3), (6,))]
        expected = x.reshape(10, 3) @ w.t() + b
        assert linear(x, w, b).dtype == dtype and minigrad.allclose(linear(x, w, b).reshape(10, 6), expected, 5e-2)
        assert minigrad.allclose(x @ w.t(), (x.reshape(10, 3) @ w.t()).reshape(5, 2, 6), 5e-2)


@pytest.mark.parametrize("shapes, message", [
    (((), (6, 3)), "both arguments to linear need to be at least 1D, but they are 0D and 2D"),
    (((3,), ()), "both arguments to linear need to be at least 1D, but they are 1D and 0D"),
    (((2, 4), (6, 3)), "mat1 and mat2 shapes cannot be multiplied"),
    (((3,), (6, 3), (2, 6)), r"output with shape \[6\] doesn't match the broadcast shape \[2, 6\]"),
])
def test_layers_that_do_not_fit(shapes, message):
    for grad in (False, True):
        with pytest.raises(AutogradRuntimeError, match=message):
            minigrad.nn.functional.linear(*[tensor(minigrad, shape, grad) for shape in shapes])


def test_batches_that_do_not_fit():
    for grad in (False, True):
        with pytest.raises(AutogradRuntimeError, match=r"matmul\(\): The size of tensor a \(4\) must match"):
            tensor(minigrad, (4, 2, 3), grad) @ tensor(minigrad, (5, 3, 2), grad)


def test_nothing_is_recorded_under_no_grad():
    a, b = tensor(minigrad, (4, 2, 3), True), tensor(minigrad, (6, 3), True)
    with minigrad.no_grad():
        for out in (a @ b.t(), minigrad.nn.functional.linear(a, b)):
            assert out.grad_fn is None and not out.requires_grad
    with minigrad.inference_mode():
        assert (a @ b.t()).is_inference()


def test_a_view_of_what_requires_grad_is_recorded():
    base = tensor(minigrad, (4, 2, 3), False)
    view = base[:]
    base.mul_(tensor(minigrad, (), True))
    assert (view @ tensor(minigrad, (3, 2), False)).requires_grad
    assert minigrad.nn.functional.linear(view, tensor(minigrad, (2, 3), False)).requires_grad


@pytest.mark.parametrize("bias", [None, (6,), (1,), ()])
@pytest.mark.parametrize("in_dims", [(0, None, None), (0, 0, None), (None, 0, None), (0, None, 0), (None, None, 0),
                                     (0, 0, 0)])
def test_layers_of_single_examples_in_transforms(bias, in_dims):
    """There one product takes the place of PyTorch's nodes."""
    linear = minigrad.nn.functional.linear
    if bias is None and in_dims[:2] == (None, None) or bias == () and in_dims[2] == 0:
        return
    sizes = [(3,), (6, 3), bias]
    tensors = [None if shape is None else tensor(minigrad, shape if dim is None else (4, *shape), False, seed)
               for seed, (shape, dim) in enumerate(zip(sizes, in_dims))]
    given = [(t, dim) for t, dim in zip(tensors, in_dims) if t is not None]
    mapped = minigrad.func.vmap(linear, tuple([dim for _, dim in given]))(*[t for t, _ in given])
    one_by_one = minigrad.stack([linear(*[t if dim is None else t[i] for t, dim in given]) for i in range(4)])
    assert minigrad.allclose(mapped, one_by_one)

    def loss(*args):
        return linear(*args).sin().sum()

    every = tuple(range(len(given)))
    gradients = minigrad.func.vmap(minigrad.func.grad(loss, every), tuple([dim for _, dim in given]))(
        *[t for t, _ in given])
    for i in range(4):
        one = minigrad.func.grad(loss, every)(*[t if dim is None else t[i] for t, dim in given])
        assert all([minigrad.allclose(g[i], h) for g, h in zip(gradients, one)])


def test_linear_passes_a_view_whose_history_is_out_of_date_where_nothing_is_recorded():
    base = minigrad.ones(2, 3)
    first, second = base.chunk(2)
    second.mul_(2)
    base.requires_grad_()
    with minigrad.no_grad():
        assert minigrad.nn.functional.linear(second, second).item() == 12
    with pytest.raises(RuntimeError, match="MG116"):
        minigrad.nn.functional.linear(second, second)


# ------------------------------------------------------------------------------ inner and tensordot

def nodes(node):
    """The names of a node and of those behind it."""
    return [type(node).__name__, *[nodes(each) for each, _ in node.next_functions if each is not None]]


@pytest.mark.parametrize("left, right", [((3,), (3,)), ((2, 3), (4, 3)), ((2, 3), (3,)), ((3,), (4, 3)),
                                         ((2, 5, 3), (4, 3)), ((2, 3), (5, 4, 3)), ((0, 3), (4, 3)), ((2, 0), (4, 0))])
def test_inner_is_that_of_numpy_recorded_or_not(left, right):
    rng = np.random.default_rng(1)
    for dtype in ("float32", "float64", "complex128", "int64"):
        a, b = [(rng.normal(size=shape) * 4).astype(dtype) for shape in (left, right)]
        expected = np.inner(a, b)
        results = [minigrad.inner(minigrad.tensor(a), minigrad.tensor(b))]
        if dtype != "int64":
            results.append(minigrad.inner(minigrad.tensor(a, requires_grad=True), minigrad.tensor(b)))
        for result in results:
            assert result.shape == expected.shape and result.numpy(force=True).dtype == expected.dtype
            np.testing.assert_allclose(result.numpy(force=True), expected, rtol=1e-5, atol=1e-5)


def test_inner_and_tensordot_are_recorded_as_products_of_views():
    leaf = ["ViewBackward0", ["PermuteBackward0", ["AccumulateGrad"]]]
    x, y = minigrad.ones(2, 3, requires_grad=True), minigrad.ones(4, 3, requires_grad=True)
    for result in (minigrad.inner(x, y), minigrad.tensordot(x, y, ([1], [1]))):
        assert nodes(result.grad_fn) == ["ViewBackward0", ["MmBackward0", leaf, leaf]]
    v = minigrad.ones(3, requires_grad=True)
    permuted = ["PermuteBackward0", ["AccumulateGrad"]]
    assert nodes(minigrad.inner(v, v).grad_fn) == ["ViewBackward0", ["DotBackward0", permuted, permuted]]


def test_what_inner_does_not_take():
    with pytest.raises(RuntimeError, match="last dimension must match"):
        minigrad.inner(minigrad.ones(2, 3), minigrad.ones(2))
    assert minigrad.inner(minigrad.ones(()), minigrad.ones(2, 2)).shape == (2, 2)


@pytest.mark.parametrize("more, options, phrase", [
    ((), ("foo",), "unexpected keyword argument 'foo'"),
    ((), ("bias", "foo"), "unexpected keyword argument 'foo'"),
    ((), ("weight",), "multiple values for argument 'weight'"),
    ((1, 1), (), "takes from 2 to 3 positional arguments but 4 were given"),
])
def test_linear_names_the_argument_that_it_does_not_have(torch, more, options, phrase):
    x, w, b = tensor(torch, (2, 3), False), tensor(torch, (6, 3), False), tensor(torch, (6,), False)
    with refuses(TypeError, phrase, "MG205"):
        torch.nn.functional.linear(x, w, *[b for _ in more], **dict.fromkeys(options, b))


def test_linear_asks_for_its_weight(torch):
    with refuses(TypeError, "missing 1 required positional argument", "MG205"):
        torch.nn.functional.linear(tensor(torch, (2, 3), False))


def test_linear_refuses_numbers_for_a_weight_and_a_bias(torch):
    x, w = tensor(torch, (2, 3), False), tensor(torch, (6, 3), False)
    for given in ((3.0,), (w, 3.0)):
        with refuses(TypeError, "float", "MG205"):
            torch.nn.functional.linear(x, *given)


def test_linear_with_a_bias_refuses_a_weight_that_is_a_vector(torch):
    x, w, b = tensor(torch, (2, 3), False), tensor(torch, (3,), True), tensor(torch, (1,), False)
    with refuses(RuntimeError, "mat2 must be a matrix", "MG201"):
        torch.nn.functional.linear(x, w, b)
