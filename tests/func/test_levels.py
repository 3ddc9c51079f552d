"""Levels nest: vmap of grad, jvp of grad, and deeper, against plain loops and reverse over reverse."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.func import grad, jvp, vmap

X = np.random.default_rng(0).normal(size=(5, 3))
W = np.random.default_rng(1).normal(size=(3, 4))
V = np.random.default_rng(2).normal(size=3)


def f(x, w=None):
    """mm, tanh, mul, sum, sin, exp, sub, add, neg, reshape."""
    w = torch.tensor(W) if w is None else w
    h = (x.reshape(1, 3) @ w).tanh()
    return (h * h).sum() + (x.sin() * x.exp()).sum() - (-x).sum() * 2


def by_reverse(x):
    x = torch.tensor(x, requires_grad=True)
    return torch.autograd.grad(f(x), x)[0].numpy()


def hessian(x):
    x = torch.tensor(x, requires_grad=True)
    g, = torch.autograd.grad(f(x), x, create_graph=True)
    return np.stack([torch.autograd.grad(g[i], x, retain_graph=True)[0].numpy() for i in range(3)])


def test_grad_is_the_gradient():
    np.testing.assert_allclose(grad(f)(torch.tensor(V)).numpy(), by_reverse(V))


def test_vmap_of_grad_is_a_loop_of_gradients():
    np.testing.assert_allclose(vmap(grad(f))(torch.tensor(X)).numpy(), [by_reverse(x) for x in X])


def test_jvp_of_grad_is_a_hessian_vector_product():
    value, product = jvp(grad(f), (torch.tensor(V),), (torch.tensor(V),))
    np.testing.assert_allclose(value.numpy(), by_reverse(V))
    np.testing.assert_allclose(product.numpy(), hessian(V) @ V)


def test_grad_of_jvp_is_the_same_product():
    product = grad(lambda x: jvp(f, (x,), (torch.tensor(V),))[1])(torch.tensor(V))
    np.testing.assert_allclose(product.numpy(), hessian(V) @ V)


def test_vmap_of_jvp_of_grad():
    products = vmap(lambda x: jvp(grad(f), (x,), (torch.tensor(V),))[1])(torch.tensor(X))
    np.testing.assert_allclose(products.numpy(), [hessian(x) @ V for x in X])


def test_vmap_of_grad_of_grad():
    products = vmap(grad(lambda x: (grad(f)(x) * torch.tensor(V)).sum()))(torch.tensor(X))
    np.testing.assert_allclose(products.numpy(), [hessian(x) @ V for x in X])


def test_level_0_is_recorded_through_a_transform():
    w = torch.tensor(W, requires_grad=True)
    vmap(lambda x: f(x, w))(torch.tensor(X)).sum().backward()
    u = torch.tensor(W, requires_grad=True)
    sum(f(torch.tensor(x), u) for x in X).backward()
    np.testing.assert_allclose(w.grad.numpy(), u.grad.numpy())


def test_no_perturbation_confusion():
    """d/dx x * (d/dy (x + y)) is 1, not 2: the inner derivative must not see the outer variable move."""
    outer = grad(lambda x: x * grad(lambda y: x + y)(x))
    assert outer(torch.tensor(3.0)).item() == 1.0


def test_a_tensor_used_after_its_level_ended_raises():
    kept = []
    vmap(lambda x: kept.append(x) or x)(torch.tensor(X))
    with pytest.raises(RuntimeError, match="already ended"):
        kept[0] + 1
