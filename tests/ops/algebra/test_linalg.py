"""What the sample rows cannot say of linear algebra:
singular matrices, equal singular values, a sign that is recorded."""

import math

import numpy as np
import pytest

import minigrad
from minigrad.autograd import grad, gradcheck, gradgradcheck

SINGULAR = [[1.0, 2.0], [2.0, 4.0]]


def x(values, **options):
    return minigrad.tensor(values, dtype=minigrad.float64, **options)


def random(*shape, complex=False, seed=0):
    rng = np.random.default_rng(seed)
    drawn = rng.normal(size=shape) + (1j * rng.normal(size=shape) if complex else 0)
    return minigrad.tensor(drawn, requires_grad=True)


# ------------------------------------------------------------------------------ determinants


def test_the_sign_keeps_requires_grad():
    sign, size = minigrad.slogdet(random(3, 3))
    assert sign.requires_grad and size.requires_grad and sign.grad_fn is size.grad_fn
    assert (sign.output_nr, size.output_nr) == (0, 1)


def test_a_real_sign_has_gradient_zero():
    a = random(3, 3)
    assert not grad(minigrad.slogdet(a).sign, a)[0].any()


@pytest.mark.parametrize("function", [lambda a: minigrad.slogdet(a)[1], minigrad.logdet,
                                      lambda a: minigrad.linalg.slogdet(a).logabsdet])
@pytest.mark.parametrize("dtype", [minigrad.float64, minigrad.complex128], ids=repr)
def test_a_singular_matrix_has_an_infinite_gradient_and_raises_nothing(function, dtype):
    a = minigrad.tensor(SINGULAR, dtype=dtype, requires_grad=True)
    size = function(a)
    assert size.detach().real == -math.inf
    gradient, = grad(size.real if dtype.is_complex else size, a)
    assert not minigrad.isfinite(gradient).any() and (dtype.is_complex or minigrad.isinf(gradient).all())


def test_a_singular_matrix_in_a_batch_leaves_the_others_alone():
    a = x([SINGULAR, [[2.0, 0.0], [0.0, 4.0]]], requires_grad=True)
    gradient, = grad(minigrad.slogdet(a)[1].sum(), a)
    np.testing.assert_allclose(gradient[1].numpy(), [[0.5, 0.0], [0.0, 0.25]], rtol=1e-12)
    assert minigrad.isinf(gradient[0]).all()


@pytest.mark.parametrize("function", [minigrad.slogdet, minigrad.logdet, minigrad.linalg.slogdet])
def test_of_complex_matrices(function):
    for shape in ((2, 2), (3, 2, 2)):
        a = random(*shape, complex=True)
        assert gradcheck(function, a, check_forward_ad=True) and gradgradcheck(function, a)


def test_the_sign_of_a_complex_determinant_turns():
    a = random(2, 2, complex=True)
    sign, size = minigrad.slogdet(a)
    np.testing.assert_allclose((sign * size.exp()).detach().numpy(), np.linalg.det(a.detach().numpy()))
    assert abs(abs(sign.item()) - 1) < 1e-12 and grad(sign.real, a)[0].any()
    assert minigrad.slogdet(minigrad.zeros(2, 2, dtype=minigrad.complex128)).sign == 0


# ------------------------------------------------------------------------------ powers


def test_powers_0_and_1_are_recorded_and_have_memory_of_their_own():
    a = random(2, 2)
    one = minigrad.matrix_power(a, 0)
    assert one.requires_grad and one.tolist() == [[1, 0], [0, 1]] and not grad(one.sum(), a)[0].any()
    same = minigrad.matrix_power(a, 1)
    assert same.data_ptr() != a.data_ptr() and grad(same.sum(), a)[0].tolist() == [[1, 1], [1, 1]]


# ------------------------------------------------------------------------------ Cholesky


@pytest.mark.parametrize("complex", [False, True])
@pytest.mark.parametrize("upper", [False, True])
def test_both_triangles(upper, complex):
    def factor(a):
        return minigrad.linalg.cholesky(a @ a.mH + 3 * minigrad.eye(3, dtype=a.dtype), upper=upper)
    a = random(3, 3, complex=complex)
    found = factor(a).detach()
    product = found.mH @ found if upper else found @ found.mH
    np.testing.assert_allclose(product.numpy(), (a @ a.mH).detach().numpy() + 3 * np.eye(3))
    assert not np.tril(found.numpy(), -1).any() if upper else not np.triu(found.numpy(), 1).any()
    assert gradcheck(factor, a, check_forward_ad=True) and gradgradcheck(factor, a)


@pytest.mark.parametrize("complex", [False, True])
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("factor", [minigrad.linalg.cholesky, lambda a, upper: minigrad.linalg.cholesky_ex(
    a, upper=upper).L], ids=["cholesky", "cholesky_ex"])
def test_the_other_triangle_is_not_read(factor, upper, complex):
    a = random(3, 3, complex=complex).detach()
    a = a @ a.mH + 3 * minigrad.eye(3, dtype=a.dtype)
    with_rubbish = a.triu() + 50 * a.tril(-1) if upper else a.tril() + 50 * a.triu(1)
    np.testing.assert_allclose(factor(with_rubbish, upper=upper).numpy(), factor(a, upper=upper).numpy())


# ------------------------------------------------------------------------------ norms of singular values


@pytest.mark.parametrize("complex", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2), (2, 3, 2)], ids=str)
@pytest.mark.parametrize("ord", ["nuc", 2, -2])
def test_both_derivatives_of_a_spectral_norm(ord, shape, complex):
    def norm(a):
        return minigrad.linalg.matrix_norm(a, ord)
    a = random(*shape, complex=complex)
    assert gradcheck(norm, a, check_forward_ad=True) and gradgradcheck(norm, a)


def test_the_nuclear_norm_where_singular_values_are_equal():
    """It is tr((A^T A)^(1/2)), and for A = Q (I + t S), Q orthogonal and S skew, A^T A = I - t^2 S^2:
    so it is n + t^2 |S|^2 / 2."""
    a = x([[0.0, -1.0], [1.0, 0.0]], requires_grad=True)
    step = a.detach() @ x([[0.0, 3.0], [-3.0, 0.0]])
    gradient, = grad(minigrad.linalg.matrix_norm(a, "nuc"), a, create_graph=True)
    np.testing.assert_allclose(gradient.detach().numpy(), a.detach().numpy(), atol=1e-12)
    second, = grad((gradient * step).sum(), a)
    np.testing.assert_allclose((second * step).sum().item(), 18)
    assert gradcheck(lambda a: minigrad.linalg.matrix_norm(a, "nuc"), a)
    assert gradgradcheck(lambda a: minigrad.linalg.matrix_norm(a, "nuc"), a)


def test_equal_greatest_values_share_the_gradient():
    a = minigrad.eye(2, dtype=minigrad.float64).requires_grad_()
    assert grad(minigrad.linalg.matrix_norm(a, 2), a)[0].tolist() == [[0.5, 0], [0, 0.5]]


def test_the_third_derivative_is_refused():
    a = random(2, 3)
    gradient, = grad(minigrad.linalg.matrix_norm(a, "nuc"), a, create_graph=True)
    second, = grad((gradient * gradient.detach() ** 2).sum(), a, create_graph=True)
    with pytest.raises(RuntimeError, match="can be differentiated twice") as caught:
        second.sum().backward()
    assert caught.value.code == "MG117"


def test_norms_of_matrices_without_entries():
    for ord in ("nuc", 2):
        assert minigrad.linalg.matrix_norm(minigrad.zeros(2, 0, 3), ord).tolist() == [0, 0]


@pytest.mark.parametrize("wrong", [3, "abc", float("nan")])
def test_other_orders_are_refused(wrong):
    with pytest.raises(RuntimeError, match="not supported"):
        minigrad.linalg.matrix_norm(minigrad.ones(2, 2), wrong)


# ------------------------------------------------------------------------------ numbers beside tensors


I = minigrad.arange(6).reshape(2, 3)


@pytest.mark.parametrize("call, expected", [
    (lambda: minigrad.addmv(I[:, 0], I, I[0], alpha=2.9), [10, 31]),
    (lambda: minigrad.addmm(I[:, :2], I, I.T, beta=0.9, alpha=1.5), [[5, 14], [14, 50]]),
    (lambda: minigrad.baddbmm(I[None, :, :2], I[None], I.T[None], beta=1.9, alpha=-1.9), [[[-5, -13], [-11, -46]]]),
    (lambda: minigrad.addbmm(I[:, :2], I[None], I.T[None], alpha=2.5), [[10, 29], [31, 104]]),
    (lambda: minigrad.addcmul(I, I, I, value=2.5), [[0, 3, 10], [21, 36, 55]]),
    (lambda: minigrad.add(I > 2, I > 4, alpha=2), [[False] * 3, [True] * 3]),
    (lambda: minigrad.add(I.byte(), I.byte(), alpha=-1), [[0] * 3] * 2),
])
def test_a_factor_on_integers_is_cut_off_and_changes_no_dtype(call, expected):
    assert call().tolist() == expected and not call().is_floating_point()


@pytest.mark.parametrize("call", [
    lambda: minigrad.addmm(minigrad.ones(2, 2), minigrad.ones(2, 2), minigrad.ones(2, 2), alpha=2j),
    lambda: minigrad.addcmul(minigrad.ones(2), minigrad.ones(2), minigrad.ones(2), value=2j),
])
def test_an_imaginary_factor_of_real_tensors_is_refused(call):
    with pytest.raises(RuntimeError, match="without overflow"):
        call()


def test_addr_promotes():
    assert minigrad.addr(minigrad.ones(2, 2, dtype=minigrad.int64), minigrad.tensor([0.5, 1]),
                         minigrad.tensor([1, 2])).tolist() == [[1.5, 2], [2, 3]]
    with pytest.raises(RuntimeError, match="must not be a floating point number"):
        minigrad.addr(I[:, :2], I[0, :2], I[0, :2], alpha=2.5)


@pytest.mark.parametrize("place", [(0, 0), (1, 0), (1, 1)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_a_factor_of_nan_is_refused(place, dtype):
    """LAPACK does not notice a nan."""
    a = minigrad.eye(2, dtype=getattr(minigrad, dtype)).repeat(3, 1, 1)
    a[(1, *place)] = float("nan")
    with pytest.raises(minigrad.linalg.LinAlgError, match=r"Batch element 1.*positive-definite"):
        minigrad.linalg.cholesky(a)
    assert minigrad.linalg.cholesky_ex(a).info.tolist() == [0, place[0] + 1, 0]
    assert minigrad.linalg.cholesky(a[2]).equal(a[2]) and minigrad.linalg.cholesky(a[:0]).shape == (0, 2, 2)
