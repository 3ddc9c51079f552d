"""functional: what its functions promise beside their values, which test_functional_parity.py compares with
PyTorch's."""

import numpy as np
import pytest

import minigrad

from tests.autograd.gradcheck.test_gradcheck import double


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_tensor_reached_by_a_closure_is_a_constant(torch, create_graph):
    x = double(torch, 3)
    _, product = torch.autograd.functional.vjp(lambda y: x * y, x, torch.ones(3, dtype=torch.float64),
                                               create_graph=create_graph)
    assert product.tolist() == x.tolist()


def test_nothing_is_left_behind(torch):
    x = double(torch, 3)
    functional = torch.autograd.functional
    for func in (functional.jacobian, functional.hessian):
        func(lambda x: (x**3).sum(), x, create_graph=True)
    for func in (functional.vjp, functional.jvp, functional.vhp, functional.hvp):
        func(lambda x: (x**3).sum(), x, None if func is functional.vjp else torch.ones(3, dtype=torch.float64))
    assert x.grad is None and x.requires_grad and x.is_leaf


@pytest.mark.parametrize("vectorize", [False, True])
def test_no_grad_does_not_stop_it(torch, vectorize):
    with torch.no_grad():
        matrix = torch.autograd.functional.jacobian(lambda x: x * x, torch.tensor([1.0, 2.0]), vectorize=vectorize)
        second = torch.autograd.functional.hessian(lambda x: (x**3).sum(), torch.tensor([1.0, 2.0]),
                                                   vectorize=vectorize)
        _, product = torch.autograd.functional.hvp(lambda x: (x**3).sum(), torch.tensor([1.0, 2.0]),
                                                   torch.tensor([1.0, 1.0]))
    assert matrix.tolist() == [[2, 0], [0, 4]] and second.tolist() == [[6, 0], [0, 12]] and product.tolist() == [6, 12]


@pytest.mark.parametrize("strategy", ["reverse-mode", "forward-mode"])
def test_all_ways_give_the_same_matrix(strategy):
    functional = minigrad.autograd.functional
    w = double(minigrad, 4, 3).detach()

    def func(x, y):
        return (w @ x).tanh() * y, (x * y.sum()).softmax(0)

    inputs = double(minigrad, 3).detach(), double(minigrad, 4).detach()
    loop = functional.jacobian(func, inputs)
    once = functional.jacobian(func, inputs, vectorize=True, strategy=strategy)
    for by_input, other in zip(loop, once):
        for a, b in zip(by_input, other):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-10, atol=1e-14)
    hessian = functional.hessian(lambda x, y: func(x, y)[0].sum(), inputs)
    other = functional.hessian(lambda x, y: func(x, y)[0].sum(), inputs, vectorize=True,
                               outer_jacobian_strategy=strategy)
    for i, row in enumerate(hessian):
        for j, block in enumerate(row):
            np.testing.assert_allclose(block.numpy(), other[i][j].numpy(), rtol=1e-10, atol=1e-14)


def counted():
    """exp, and how often it runs forward and backward."""
    counts = {"forward": 0, "backward": 0}

    class Counted(minigrad.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return x.exp()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output)

        @staticmethod
        def backward(ctx, d):
            counts["backward"] += 1
            return d * ctx.saved_tensors[0]

    def func(x):
        counts["forward"] += 1
        return Counted.apply(x)

    return func, counts


def test_vectorize_runs_backward_once():
    func, counts = counted()
    x = double(minigrad, 5).detach()
    loop = minigrad.autograd.functional.jacobian(func, x)
    assert counts == {"forward": 1, "backward": 5}
    once = minigrad.autograd.functional.jacobian(func, x, vectorize=True)
    assert counts == {"forward": 2, "backward": 6}
    np.testing.assert_allclose(loop.numpy(), once.numpy())


def test_forward_mode_runs_the_function_once():
    calls = []
    x = double(minigrad, 5).detach()
    matrix = minigrad.autograd.functional.jacobian(lambda x: calls.append(1) or x.exp(), x, vectorize=True,
                                                   strategy="forward-mode")
    assert len(calls) == 1
    np.testing.assert_allclose(matrix.numpy(), np.diag(np.exp(x.numpy())))


def test_jvp_and_hvp_agree_with_the_matrices(torch):
    functional = torch.autograd.functional
    x, v = double(torch, 4).detach(), double(torch, 4, low=-1, high=1).detach()

    def func(x):
        return (x * x.sum()).sin()

    matrix = functional.jacobian(func, x)
    np.testing.assert_allclose(functional.jvp(func, x, v)[1].numpy(), matrix.numpy() @ v.numpy())
    np.testing.assert_allclose(functional.vjp(func, x, v)[1].numpy(), v.numpy() @ matrix.numpy())
    second = functional.hessian(lambda x: func(x).sum(), x)
    for product in (functional.hvp, functional.vhp):
        np.testing.assert_allclose(product(lambda x: func(x).sum(), x, v)[1].numpy(), second.numpy() @ v.numpy())


def test_a_hessian_that_is_not_symmetric_tells_hvp_from_vhp():
    """With a derivative that is none: the gradient is said to be (x1, 0), so that H = [[0, 1], [0, 0]]."""

    class Odd(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x[0] * 0

        @staticmethod
        def backward(ctx, d):
            x, = ctx.saved_tensors
            return minigrad.stack([x[1] * d, x[0] * 0])

    x, v = minigrad.tensor([1.0, 2.0]), minigrad.tensor([3.0, 5.0])
    assert minigrad.autograd.functional.hessian(Odd.apply, x).tolist() == [[0, 1], [0, 0]]
    assert minigrad.autograd.functional.hvp(Odd.apply, x, v)[1].tolist() == [5, 0]
    assert minigrad.autograd.functional.vhp(Odd.apply, x, v)[1].tolist() == [0, 3]


@pytest.mark.parametrize("vectorize", [False, True])
def test_empty_inputs_and_outputs(vectorize):
    """PyTorch raises here."""
    jacobian = minigrad.autograd.functional.jacobian
    assert jacobian(lambda x: x * 2, minigrad.ones(0), vectorize=vectorize).shape == (0, 0)
    assert jacobian(lambda x: x[:0], minigrad.ones(3), vectorize=vectorize).shape == (0, 3)
    assert jacobian(lambda x: x.sum() * minigrad.ones(2), minigrad.ones(0, 4), vectorize=vectorize).shape == (2, 0, 4)
    if vectorize:
        assert jacobian(lambda x: x.sum() * minigrad.ones(2), minigrad.ones(0, 4), vectorize=True,
                        strategy="forward-mode").shape == (2, 0, 4)


def test_an_input_is_named_in_strict_mode():
    """PyTorch gives the number of the output here."""
    with pytest.raises(RuntimeError, match="The jacobian of the user-provided function is independent of input 1. This "
                                           "is not allowed in strict mode"):
        minigrad.autograd.functional.jacobian(lambda x, y: x * x + 3 * y, (minigrad.ones(2), minigrad.ones(2)),
                                              create_graph=True, strict=True)


def test_codes():
    functional = minigrad.autograd.functional
    x = minigrad.ones(2)
    for code, call in {
        "MG205": lambda: functional.jacobian(lambda x: x, [x]),
        "MG201": lambda: functional.vjp(lambda x: x, x, minigrad.ones(3)),
        "MG204": lambda: functional.vjp(lambda x: x, x),
        "MG106": lambda: functional.jacobian(lambda x, y: x, (x, x), strict=True),
        "MG103": lambda: functional.hessian(lambda x: x.sum(), x, strict=True),
        "MG502": lambda: functional.jacobian(lambda x: x, x, strategy="sideways"),
        "MG503": lambda: functional.jacobian(lambda x: x, x, strategy="forward-mode"),
    }.items():
        with pytest.raises(minigrad._core.errors.MinigradError) as caught:
            call()
        assert caught.value.code == code and str(caught.value).endswith(f"[{code}]")
