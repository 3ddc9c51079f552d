"""Levels nest: vmap of grad, jvp of grad, and deeper, against plain loops and reverse over reverse."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.func import grad, jvp, vmap
from tests.checking import refuses

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


def in_a_dual_level(f, x):
    """How ``f(x)`` changes as all numbers in ``x`` grow: the tangent of what it gives in a dual level."""
    with torch.autograd.forward_ad.dual_level():
        y = f(torch.autograd.forward_ad.make_dual(x, torch.ones_like(x)))
        return torch.autograd.forward_ad.unpack_dual(y).tangent


@pytest.mark.parametrize("function", [
    lambda x: x.exp(), lambda x: (x * x).relu(), lambda x: x.exp().abs(), lambda x: x.exp().max(), lambda x: x @ x,
    lambda x: torch.where(x > 0, x.exp(), x.sin()), lambda x: x.exp().cumsum(0), lambda x: x.logsumexp(0),
    lambda x: x.exp().unfold(0, 2, 1).prod(1), lambda x: x.sin().sort().values])
@pytest.mark.parametrize("transform", [
    lambda f, x: jvp(f, (x,), (torch.tensor(X[0]),))[1],
    lambda f, x: jvp(f, (torch.tensor(V),), (x,))[1],
    lambda f, x: jvp(lambda y: f(y) * f(x), (torch.tensor(V),), (torch.tensor(X[0]),))[1],
    lambda f, x: torch.func.jacfwd(f)(x), lambda f, x: torch.func.jacrev(f)(x), lambda f, x: torch.func.hessian(f)(x),
    lambda f, x: grad(lambda x: f(x).sum())(x), lambda f, x: vmap(f, 0)(x[None].expand(2, 3)),
    lambda f, x: torch.func.linearize(f, x)[1](torch.tensor(X[0]))])
def test_transforms_in_a_dual_level_have_tangents(function, transform):
    x = torch.tensor(V)
    expected = jvp(lambda x: transform(function, x), (x,), (torch.ones_like(x),))[1]
    found = in_a_dual_level(lambda x: transform(function, x), x)
    np.testing.assert_allclose(torch.zeros_like(expected) if found is None else found, expected, atol=1e-12)


@pytest.mark.parametrize("tangent", [torch.tensor(W).t(), torch.tensor(W)[0, 0].expand(4, 3)])
def test_a_tangent_may_lie_otherwise_than_its_primal(tangent):
    x = torch.zeros(4, 3, dtype=torch.float64)
    change = jvp(lambda x: (x * 2).view(-1), (x,), (tangent,))[1]
    np.testing.assert_array_equal(change, 2 * tangent.reshape(-1))
    both = vmap(lambda x, t: jvp(lambda x: x.view(-1), (x,), (t,))[1], in_dims=(None, 0))(
        x, torch.stack([tangent.t(), tangent.t()]).transpose(1, 2))
    np.testing.assert_array_equal(both[1], tangent.reshape(-1))


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


def test_a_cotangent_of_a_level_that_has_ended():
    """PyTorch takes it for the numbers in it."""
    kept = []
    _, pull = torch.func.vjp(lambda x: x * 2, torch.tensor(X))
    grad(lambda x: kept.append(x) or x.sum())(torch.tensor(X))
    with refuses(RuntimeError, "a tensor of a transform (vmap, grad, jvp) was given", "MG117"):
        pull(kept[0])


def test_a_tensor_without_data_is_refused():
    with refuses(TypeError, "a Tensor without data", "MG205"):
        grad(lambda x: x.sum())(torch.Tensor.__new__(torch.Tensor))


def test_what_an_outer_function_made_has_no_room_for_values_of_an_inner_one(torch):
    def outer(x):
        made = torch.zeros(2)
        return torch.func.grad(lambda y: (made.add_(y) * y).sum())(x).sum()

    with pytest.raises(RuntimeError, match="would mutate a captured Tensor"):
        torch.func.grad(outer)(torch.tensor([1., 2.]))


def test_a_missing_derivative_where_inference_mode_is_on_and_recording_too():
    """The level records, and what is outside does not."""
    x = torch.tensor([1., 2.])
    with torch.inference_mode(), torch.enable_grad():
        assert grad(lambda x: (x * x).sum())(x).tolist() == [2., 4.]
        with refuses(RuntimeError, "is not differentiable with respect to argument 'self'", "MG212"):
            grad(lambda x: torch.special.airy_ai(x).sum())(x)


def in_inference_mode(torch, f):
    def function(x):
        with torch.inference_mode():
            y = f(x)
        return (y * y * x).sum()

    return function


@pytest.mark.parametrize("f", [lambda x: x * x, lambda x: (x * 1).mul_(x), lambda x: x.sin() * x])
def test_inference_mode_inside_stops_tangents(torch, f):
    """As in a dual level; what it made is a constant."""
    x, t = torch.tensor([0.4, -0.9]), torch.tensor([0.7, 0.2])
    slope = torch.func.jvp(in_inference_mode(torch, f), (x,), (t,))[1]
    assert torch.allclose(slope, (f(x) ** 2 * t).sum())
    jacobian = torch.func.jacfwd(in_inference_mode(torch, f))(x)
    assert torch.allclose(jacobian, f(x) ** 2)
    curvature = torch.func.jvp(lambda x: torch.func.jvp(in_inference_mode(torch, f), (x,), (t,))[1], (x,), (t,))[1]
    assert curvature.item() == 0


def test_a_write_in_inference_mode_leaves_the_tangent(torch):
    def function(x):
        y = x * 1
        with torch.inference_mode():
            y.mul_(2)
        return (y * y).sum()

    x, t = torch.tensor([0.4, -0.9]), torch.tensor([0.7, 0.2])
    assert torch.allclose(torch.func.jvp(function, (x,), (t,))[1], (4 * x * t).sum())


def test_inference_mode_outside_does_not_reach_into_a_transform(torch):
    x, t = torch.tensor([0.4, -0.9]), torch.tensor([0.7, 0.2])
    seen = []

    def function(x):
        seen.append(torch.is_inference_mode_enabled())
        y = x * x
        return (y * y).sum()

    with torch.inference_mode():
        slope = torch.func.jvp(function, (x,), (t,))[1]
        gradient = torch.func.grad(function)(x)
        hessian = torch.func.hessian(function)(x)
        assert torch.is_inference_mode_enabled() and torch.ones(1).is_inference()
        torch.func.vmap(function)(x)                    # but into a map it does
    assert torch.allclose(slope, (4 * x ** 3 * t).sum()) and not slope.is_inference()
    assert torch.allclose(gradient, 4 * x ** 3) and not gradient.is_inference()
    assert torch.allclose(hessian, torch.diag(12 * x ** 2)) and seen == [False, False, False, True]


def test_a_function_in_inference_mode_has_no_tangent():
    class Double(torch.autograd.Function):
        forward = staticmethod(lambda x: x * 2)
        setup_context = staticmethod(lambda ctx, inputs, output: None)
        jvp = staticmethod(lambda ctx, t: t * 2)

    assert torch.func.jvp(in_inference_mode(torch, Double.apply), (torch.ones(1),), (torch.ones(1),))[1].item() == 4


def test_what_is_mapped_requires_no_grad_where_it_has_integers(torch):
    def f(x):
        (x > 0).requires_grad = True

    with refuses(RuntimeError, "only Tensors of floating point", "MG111"):
        torch.vmap(f)(torch.ones(3))


def test_an_argument_without_a_derivative_is_taken_where_nothing_is_recorded():
    def f(x):
        with torch.no_grad():
            factor = torch.special.airy_ai(x)
        return factor * x

    x = torch.tensor(2.)
    assert torch.func.grad(f)(x) == torch.special.airy_ai(x)
    with refuses(RuntimeError, "is not differentiable with respect to argument 'self'", "MG212"):
        torch.func.grad(torch.special.airy_ai)(x)
