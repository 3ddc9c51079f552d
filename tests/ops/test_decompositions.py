"""What the sample rows cannot say of decompositions: signs, phases, equal values, failures, large matrices."""

import numpy as np
import pytest

import minigrad
from minigrad.autograd import grad, gradcheck, gradgradcheck

linalg = minigrad.linalg


def random(*shape, complex=False, seed=0, dtype=None):
    rng = np.random.default_rng(seed)
    drawn = rng.normal(size=shape) + (1j * rng.normal(size=shape) if complex else 0)
    return minigrad.tensor(drawn, requires_grad=True, dtype=dtype)


def weights(n, like):
    return minigrad.arange(1, n + 1, dtype=minigrad.float64).to(like.dtype)


SHAPES = pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 2)], ids=str)
DTYPES = pytest.mark.parametrize("complex", [False, True])

# ------------------------------------------------------------------------------ vectors, whatever their phase


def spaces_of_svd(a):
    U, S, Vh = linalg.svd(a, full_matrices=False)
    w = weights(S.shape[-1], a)
    return (U * w) @ U.mH, (Vh.mH * w) @ Vh, (U * w) @ Vh


def spaces_of_whole_svd(a):
    U, S, Vh = linalg.svd(a)
    w = weights(S.shape[-1], a)
    rest = U[..., S.shape[-1]:]
    return (U[..., :S.shape[-1]] * w) @ Vh[..., :S.shape[-1], :], rest @ rest.mH


def spaces_of_eigh(a):
    values, vectors = linalg.eigh(a + a.mH)
    return (vectors * weights(values.shape[-1], a)) @ vectors.mH, values


def spaces_of_eig(a):
    values, vectors = linalg.eig(a)
    return (vectors * values.exp().unsqueeze(-2)) @ vectors.mH, (values ** 3).sum(-1)


@DTYPES
@SHAPES
@pytest.mark.parametrize("function", [spaces_of_svd, spaces_of_whole_svd])
def test_both_derivatives_of_singular_vectors(function, shape, complex):
    a = random(*shape, complex=complex)
    assert gradcheck(function, a, check_forward_ad=True) and gradgradcheck(function, a)


@DTYPES
@pytest.mark.parametrize("shape", [(3, 3), (2, 2, 2), (1, 1), (0, 0), (2, 0, 0)], ids=str)
@pytest.mark.parametrize("function", [spaces_of_eigh, spaces_of_eig])
def test_both_derivatives_of_eigenvectors(function, shape, complex):
    a = random(*shape, complex=complex)
    assert gradcheck(function, a, check_forward_ad=True, atol=1e-4) and gradgradcheck(function, a, atol=1e-4)


@pytest.mark.parametrize("loss, message", [
    (lambda a: linalg.svd(a, full_matrices=False)[0].sum().real, "svd_backward: The singular vectors in the complex"),
    (lambda a: linalg.eigh(a)[1].sum().real, "linalg_eigh_backward: The eigenvectors in the complex case"),
    (lambda a: linalg.eig(a)[1].sum().real, "linalg_eig_backward: The eigenvectors in the complex case"),
])
def test_a_loss_that_depends_on_the_phase_is_refused(loss, message):
    with pytest.raises(RuntimeError, match=message):
        loss(random(3, 3, complex=True)).backward()


def test_a_loss_that_depends_on_how_a_basis_is_completed_is_refused():
    with pytest.raises(RuntimeError, match="depends on which basis"):
        linalg.svd(random(5, 2))[0][:, 2:].sum().backward()


def test_vmap_and_a_gradient_of_each_example():
    a = random(4, 3, 3)
    loss = lambda a: sum([(x * weights(3, x)).sum() for x in spaces_of_svd(a)])
    together = minigrad.func.vmap(minigrad.func.grad(loss))(a.detach())
    for i in range(4):
        np.testing.assert_allclose(together[i].numpy(), minigrad.func.grad(loss)(a[i].detach()).numpy(), atol=1e-10)


def test_qr_is_linear_in_no_columns_and_in_no_rows():
    for shape in ((0, 3), (3, 0), (0, 2, 3), (2, 2, 0)):
        a = random(*shape)
        Q, R = linalg.qr(a)
        assert Q.shape[-2:] == (shape[-2], min(shape[-2:])) and R.shape[-2:] == (min(shape[-2:]), shape[-1])
        assert grad(Q.sum() + R.sum(), a)[0].shape == a.shape


def test_what_qr_cannot_differentiate_is_refused():
    with pytest.raises(RuntimeError, match="depends on Q, which is not computed"):
        linalg.qr(random(3, 2), "r").R.sum().backward()
    with pytest.raises(RuntimeError, match="mode='complete' and nrows > ncols"):
        linalg.qr(random(3, 2), "complete").R.sum().backward()

# ------------------------------------------------------------------------------ equal values


def test_equal_singular_values_are_fine_where_the_loss_treats_them_alike():
    a = (2 * minigrad.eye(3, dtype=minigrad.float64)).requires_grad_()
    np.testing.assert_allclose(grad(linalg.svdvals(a).sum(), a)[0].numpy(), np.eye(3))
    np.testing.assert_allclose(grad(linalg.eigvalsh(a).sum(), a)[0].numpy(), np.eye(3))


@pytest.mark.parametrize("vectors", [lambda a: linalg.svd(a)[0], lambda a: linalg.eigh(a)[1]])
def test_vectors_of_equal_values_have_no_gradient(vectors):
    a = minigrad.eye(2, dtype=minigrad.float64).requires_grad_()
    w = minigrad.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=minigrad.float64)
    assert not minigrad.isfinite(grad((vectors(a) * w).sum(), a)[0]).all()


def test_zero_singular_values():
    a = minigrad.tensor([[1.0, 2.0], [2.0, 4.0], [0.0, 0.0]], dtype=minigrad.float64, requires_grad=True)
    gradient, = grad(linalg.svdvals(a)[0], a)
    np.testing.assert_allclose(gradient.numpy(), np.array([[1, 2], [2, 4], [0, 0]]) / 5, atol=1e-12)
    vectors = grad(linalg.svd(a, full_matrices=False)[0].sum(), a)[0]       # where 0 is rounded, nearly infinite
    assert not vectors.abs().max() < 1e8

# ------------------------------------------------------------------------------ failures


@pytest.mark.parametrize("call, message", [
    (lambda: linalg.inv(minigrad.ones(2, 2)),
     r"linalg.inv: The diagonal element 2 is zero, the inversion could not be completed because the input matrix is "
     r"singular"),
    (lambda: linalg.inv(minigrad.stack([minigrad.eye(2), minigrad.zeros(2, 2)])),
     r"linalg.inv: \(Batch element 1\): The diagonal element 1 is zero"),
    (lambda: minigrad.inverse(minigrad.zeros(1, 1)), "linalg.inv: The diagonal element 1 is zero"),
    (lambda: linalg.solve(minigrad.ones(2, 2), minigrad.ones(2, 1)),
     "torch.linalg.solve: The solver failed because the input matrix is singular"),
    (lambda: linalg.cholesky(minigrad.tensor([[[1.0]], [[-1.0]]])),
     r"linalg.cholesky: \(Batch element 1\): The factorization could not be completed because the input is not "
     r"positive-definite \(the leading minor of order 1 is not positive-definite\)"),
    (lambda: linalg.inv_ex(minigrad.ones(2, 2), check_errors=True), "linalg.inv_ex: The diagonal element 2 is zero"),
    (lambda: linalg.solve_ex(minigrad.ones(2, 2), minigrad.ones(2), check_errors=True),
     "torch.linalg.solve_ex: The solver failed"),
    (lambda: linalg.cholesky_ex(-minigrad.eye(2), check_errors=True),
     "linalg.cholesky_ex: The factorization could not"),
    (lambda: linalg.svd(minigrad.full((2, 2), minigrad.nan)),
     "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values"),
    (lambda: linalg.svdvals(minigrad.full((2, 2), minigrad.nan)), "failed to converge"),
    (lambda: linalg.eig(minigrad.full((2, 2), minigrad.inf)), "should not contain infs or NaNs"),
])
def test_failures_are_linalg_errors_in_pytorchs_words(call, message):
    with pytest.raises(linalg.LinAlgError, match=message) as caught:
        call()
    assert caught.value.code == "MG220" and isinstance(caught.value, RuntimeError)


def test_nan_gives_nan_where_nothing_has_to_converge():
    nan = minigrad.full((2, 2), minigrad.nan)
    for function in (linalg.det, linalg.inv, lambda a: linalg.qr(a).R[0, 0], lambda a: linalg.lu(a).U[0, 0]):
        assert minigrad.isnan(function(nan)).all()


def test_a_zero_pivot_is_refused_by_lu_factor_and_reported_by_lu_factor_ex():
    with pytest.raises(RuntimeError, match=r"torch.linalg.lu_factor: U\[2,2\] is zero and using it on lu_solve"):
        linalg.lu_factor(minigrad.ones(2, 2))
    assert linalg.lu_factor_ex(minigrad.stack([minigrad.eye(2), minigrad.ones(2, 2)])).info.tolist() == [0, 2]


def test_the_matrices_beside_a_singular_one_have_their_inverses():
    inverse, info = linalg.inv_ex(minigrad.stack([2 * minigrad.eye(2), minigrad.ones(2, 2)]))
    assert inverse[0].tolist() == [[0.5, 0], [0, 0.5]] and minigrad.isnan(inverse[1]).all() and info.tolist() == [0, 2]


def test_pivots_beyond_the_rows_are_refused():
    with pytest.raises((RuntimeError, ValueError), match="pivot"):
        linalg.lu_solve(minigrad.eye(2), minigrad.tensor([3, 1], dtype=minigrad.int32), minigrad.eye(2))


@pytest.mark.parametrize("function", [linalg.inv, linalg.qr, linalg.svd, linalg.lu])
def test_16_bits_are_refused(function):
    with pytest.raises(RuntimeError, match="Low precision dtypes not supported. Got Half"):
        function(minigrad.eye(2, dtype=minigrad.float16))

# ------------------------------------------------------------------------------ layouts and sizes


@pytest.mark.parametrize("function", [
    linalg.inv, linalg.det, linalg.svdvals, lambda a: linalg.qr(a).R, lambda a: linalg.lu(a).U,
    lambda a: linalg.solve_triangular(a, a, upper=True),
], ids=range(6))
def test_a_batch_dim_of_size_one_in_any_place(function):
    a = random(5, 3, 3).detach()
    one_by_one = minigrad.stack([function(x) for x in a])
    for dim in (0, 1):
        np.testing.assert_allclose(function(a.unsqueeze(dim)).squeeze(dim).numpy(), one_by_one.numpy(), rtol=1e-12)


@DTYPES
@pytest.mark.parametrize("shape", [(130, 130), (100, 170), (170, 100), (2, 60, 60)], ids=str)
def test_large_matrices_are_eliminated_in_parts(shape, complex):
    a = random(*shape, complex=complex).detach()
    P, L, U = linalg.lu(a)
    np.testing.assert_allclose((P @ L @ U).numpy(), a.numpy(), atol=1e-10)
    assert L.abs().max() <= 1.5
    LU, pivots = linalg.lu_factor(a[..., :60, :60])
    np.testing.assert_allclose((a[..., :60, :60] @ linalg.lu_solve(LU, pivots, a[..., :60, :])).numpy(),
                               a[..., :60, :].numpy(), atol=1e-8)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("left", [False, True])
def test_large_triangular_systems_are_solved_in_parts(upper, left):
    a = random(150, 150).detach() / 150 + minigrad.eye(150, dtype=minigrad.float64)
    b = random(150, 150, seed=1).detach()
    x = linalg.solve_triangular(a, b, upper=upper, left=left)
    t = a.triu() if upper else a.tril()
    np.testing.assert_allclose((t @ x if left else x @ t).numpy(), b.numpy(), atol=1e-10)


def test_deprecated_names_warn():
    eye = minigrad.eye(2)
    for call in (lambda: minigrad.qr(eye), lambda: minigrad.lu(eye), lambda: minigrad.cholesky(eye),
                 lambda: minigrad.triangular_solve(eye, eye),
                 lambda: minigrad.lu_solve(eye, eye, minigrad.tensor([1, 2], dtype=minigrad.int32))):
        with pytest.warns(UserWarning, match="is deprecated in favor of torch.linalg"):
            call()
