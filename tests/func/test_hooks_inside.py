"""Hooks that are added inside a transform run while its level is open; edges there know the form of their tensors."""

import pytest

from tests.checking import refuses


def hooked(x):
    """2 x where the hook sets the factor of the gradient: cos(x) x instead of cos(x)."""
    y = x.sin()
    y.register_hook(lambda g: g * x)
    return y.sum()


def test_a_hook_computes_with_the_argument_of_the_function(torch):
    func, x = torch.func, torch.tensor([1., 2.])
    expected = torch.cos(x) * x
    assert torch.allclose(func.grad(hooked)(x), expected)
    y, pull = func.vjp(hooked, x)
    assert torch.allclose(pull(torch.tensor(1.))[0], expected)
    assert torch.allclose(pull(torch.tensor(2.))[0], 2 * expected)
    assert torch.allclose(func.jacrev(hooked)(x), expected)
    assert torch.allclose(func.vmap(func.grad(hooked))(x.reshape(2, 1)), expected.reshape(2, 1))


def test_a_hook_is_differentiated_with_the_pass(torch):
    """d/dx (x cos x) = cos x - x sin x"""
    func, x = torch.func, torch.tensor([1., 2.])
    expected = torch.cos(x) - x * torch.sin(x)
    assert torch.allclose(func.grad(lambda x: func.grad(hooked)(x).sum())(x), expected)
    assert torch.allclose(func.jvp(func.grad(hooked), (x,), (torch.ones(2),))[1], expected)
    assert torch.allclose(func.jacfwd(func.jacrev(hooked))(x), torch.diag(expected))
    w = x.clone().requires_grad_()
    func.grad(hooked)(w).sum().backward()
    assert torch.allclose(w.grad, expected)
    with torch.no_grad():
        assert not func.grad(hooked)(w).requires_grad


def test_a_hook_writes_to_a_tensor_that_it_makes(torch):
    def f(x):
        def hook(g):
            doubled = torch.zeros(2)
            doubled.add_(g * x)
            return doubled.mul_(2)

        y = x.sin()
        y.register_hook(hook)
        return y.sum()

    x = torch.tensor([1., 2.])
    assert torch.allclose(torch.func.grad(f)(x), 2 * torch.cos(x) * x)
    assert torch.allclose(torch.func.vjp(f, x)[1](torch.tensor(1.))[0], 2 * torch.cos(x) * x)


def test_a_hook_on_a_node(torch):
    def f(x):
        y = x.sin()
        y.grad_fn.register_prehook(lambda gradients: (gradients[0] * x,))
        y.grad_fn.register_hook(lambda gradients, outputs: (gradients[0] * x,))
        return y.sum()

    x = torch.tensor([1., 2.])
    assert torch.allclose(torch.func.grad(f)(x), torch.cos(x) * x * x)


def test_an_edge_inside_a_transform_knows_its_shape(torch):
    edge = torch.autograd.graph.get_gradient_edge

    def f(x):
        return torch.autograd.grad(edge((x * x).sum()), x, create_graph=True)[0].sum()

    def too_many(x):
        return torch.autograd.grad(edge(x * x), x, torch.ones(3), create_graph=True)[0].sum()

    def implicit(x):
        return torch.autograd.grad(edge(x * x), x, create_graph=True)[0].sum()

    x = torch.tensor([1., 2.])
    assert torch.func.grad(f)(x).tolist() == [2., 2.]
    assert torch.func.vmap(torch.func.grad(f))(torch.ones(3, 2)).tolist() == [[2., 2.]] * 3
    with refuses(RuntimeError, "Mismatch in shape: grad_output[0] has a shape of torch.Size([3])", "MG109"):
        torch.func.grad(too_many)(x)
    with refuses(RuntimeError, "grad can be implicitly created only for scalar outputs", "MG104"):
        torch.func.grad(implicit)(x)


@pytest.mark.parametrize("when", ["forward", "pass"])
def test_an_error_in_a_hook_leaves_no_level_open(torch, when):
    def f(x):
        y = x.sin()
        y.register_hook(lambda g: 1 / 0)
        if when == "forward":
            raise ZeroDivisionError
        return y.sum()

    x = torch.tensor([1., 2.])
    for transformed in (torch.func.grad(f), lambda x: torch.func.vjp(f, x)[1](torch.tensor(1.))):
        with pytest.raises(ZeroDivisionError):
            transformed(x)
    assert torch.func.grad(hooked)(x).shape == (2,) and (x + 1).tolist() == [2., 3.]


def writing(torch):
    """A Function whose backward, and a function whose hook writes to a tensor that it makes: 2 v and cos(x) x v."""
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, d):
            out = torch.zeros(3)
            out[0] = d[0] * 2
            out[1:].add_(d[1:] * 2)
            return out

    def with_hook(x):
        def hook(d):
            out = torch.zeros(3)
            out[0] = d[0] * x[0]
            out[1:].add_(d[1:] * x[1:])
            return out

        y = x.sin()
        y.register_hook(hook)
        return y

    return {"backward": (Doubled.apply, lambda x: torch.full((3,), 2.)), "hook": (with_hook, lambda x: x * x.cos())}


@pytest.mark.parametrize("where", ["backward", "hook"])
def test_what_a_pass_makes_is_written_to_in_younger_levels(torch, where):
    """The level of the pass is open again, inside that of the transform around the pass."""
    f, slope = writing(torch)[where]
    func, x, v = torch.func, torch.tensor([1., 2., 3.]), torch.tensor([3., 4., 5.])
    pull = func.vjp(f, x)[1]
    value, change = func.jvp(lambda v: pull(v)[0], (v,), (x,))
    assert torch.allclose(value, slope(x) * v) and torch.allclose(change, slope(x) * x)
    assert torch.allclose(func.grad(lambda v: pull(v)[0].sum())(v), slope(x))
    assert torch.allclose(func.jacfwd(lambda v: pull(v)[0])(v), torch.diag(slope(x)))
    assert torch.allclose(func.grad(lambda x: func.vjp(f, x)[1](v)[0].sum())(x), func.grad(
        lambda x: (slope(x) * v).sum())(x))
