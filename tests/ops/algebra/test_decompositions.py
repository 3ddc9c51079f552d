"""What the sample rows cannot say of decompositions: signs, phases, equal values, failures, large matrices."""

import numpy as np
import pytest

import minigrad
from minigrad.autograd import grad, gradcheck, gradgradcheck
from minigrad.ops.algebra import solving
from minigrad.ops.algebra.functions import cheapest
from minigrad.ops.algebra.pseudoinverses import lstsq_kernel
from tests.checking import refuses
from tests.ops.algebra.of_matrices import FUNCTIONS, random, spaces_of_svd, weights

linalg = minigrad.linalg
DTYPES = pytest.mark.parametrize("complex", [False, True])

# ------------------------------------------------------------------------------ vectors, whatever their phase


CASES = [pytest.param(function, shape, id=f"{function.__name__} {shape}")
         for function, shapes in FUNCTIONS for shape in shapes]


@DTYPES
@pytest.mark.parametrize("function, shape", CASES)
@pytest.mark.drawn
def test_both_derivatives(function, shape, complex):
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


ITERATED = [linalg.svd, linalg.svdvals, linalg.eigvalsh, linalg.eigh, linalg.pinv, linalg.matrix_rank, linalg.cond,
            lambda A: linalg.matrix_norm(A, "nuc"), lambda A: linalg.pinv(A, hermitian=True),
            lambda A: linalg.lstsq(A, A, driver="gelsd"), lambda A: minigrad.lobpcg(A.abs(), 1)]


@pytest.mark.parametrize("at", [(0, 0), (2, 0)])
@pytest.mark.parametrize("dtype", [minigrad.float32, minigrad.float64, minigrad.complex128])
@pytest.mark.parametrize("function", ITERATED)
def test_lapack_never_looks_for_values_among_numbers_that_are_not_finite(function, dtype, at, capfd):
    """It goes on for ever with an inf, and complains of a nan."""
    A = (3 * minigrad.eye(3, dtype=dtype)).repeat(2, 1, 1)
    A[1][at] = minigrad.inf
    found = function(A)
    for each in found if isinstance(found, tuple) else (found,):
        if each.is_floating_point() and each.numel():
            assert each[0].isfinite().all() and each[1].isnan().all()
    A[1][at] = minigrad.nan
    with pytest.raises(linalg.LinAlgError, match="Batch element 1.*non-finite"):
        function(A)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("complex", [False, True])
def test_what_is_not_read_may_be_nan(complex):
    A = minigrad.tensor([[2, minigrad.nan], [1, 2]], dtype=minigrad.complex64 if complex else minigrad.float64)
    assert linalg.eigvalsh(A).tolist() == pytest.approx([1, 3], rel=1e-6)
    assert linalg.eigh(A.mT, "U").eigenvalues.tolist() == pytest.approx([1, 3], rel=1e-6)
    assert linalg.cholesky(A).isfinite().all()


@pytest.mark.parametrize("n", [1, 3, 6, 70])
@pytest.mark.parametrize("at", [(0, 0), (-1, 0), (0, -1), (-1, -1)])
def test_nan_spreads_over_an_inverse_and_a_solution(n, at):
    A = 3 * minigrad.eye(n).repeat(2, 1, 1)
    A[1][at] = minigrad.nan
    for found in (linalg.inv(A), linalg.solve(A, minigrad.eye(n)), linalg.inv_ex(A).inverse,
                  linalg.solve_ex(A, minigrad.eye(n)).result):
        assert found[1].isnan().all() and found[0].equal(minigrad.eye(n) / 3)


def test_a_factor_of_infinities_is_refused():
    assert linalg.cholesky_ex(minigrad.full((3, 3), minigrad.inf)).info == 2
    assert linalg.cholesky(minigrad.tensor([[minigrad.inf, 0], [0, 4]])).tolist() == [[minigrad.inf, 0], [0, 2]]


def test_the_slope_of_the_determinant_of_an_infinite_matrix_is_nan():
    A = minigrad.tensor([[minigrad.inf, 1.], [1., 2.]], requires_grad=True)
    linalg.det(A).backward()
    assert A.grad.isnan().all()


def test_the_exponential_of_a_number():
    assert minigrad.matrix_exp(minigrad.tensor([[-minigrad.inf]])).item() == 0


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (2, 0, 0), (2, 3, 0), (0, 0, 0)], ids=str)
def test_norms_of_matrices_without_entries(shape):
    A = minigrad.zeros(shape)
    for ord in ("fro", "nuc", 1, 2, minigrad.inf):
        assert linalg.matrix_norm(A, ord).equal(minigrad.zeros(shape[:-2]))
    with pytest.raises(IndexError, match="Expected reduction dim"):
        linalg.matrix_norm(A, -2)
    for p in (None, 2, -2, 1, -1, minigrad.inf, -minigrad.inf):
        assert linalg.cond(A, p).equal(minigrad.zeros(shape[:-2]))
    assert linalg.matrix_rank(A, hermitian=True).equal(minigrad.zeros(shape[:-2], dtype=minigrad.int64))


@pytest.mark.parametrize("call, message", [
    (lambda t: linalg.norm(t(()), 2), "the input must be 1D or 2D. Got 0D"),
    (lambda t: linalg.matrix_norm(t(3), 0), "Order 0 not supported"),
    (lambda t: linalg.cond(t(0, 3), "fro"), "must be batches of square matrices"),
    (lambda t: minigrad.lobpcg(t(3, 3), 1, t(0, 0)), "A and B must have same shape"),
    (lambda t: minigrad.lobpcg(t(3, 3).int(), 1), "Expected a floating point"),
    (lambda t: minigrad.ormqr(t(2, 3, 3), t(2, 3), t(3, 3)), "the same number of dimensions as input"),
    (lambda t: minigrad.ormqr(t(2, 3, 3), t(2, 3), t(4, 3, 3)), "Expected batch dimensions of other"),
    (lambda t: linalg.lstsq(t(3, 3).bfloat16(), t(3, 3).bfloat16()), "doesn't handle types other than float"),
    (lambda t: linalg.svd(t(3, 3).half()), "not implemented for 'Half'"),
])
def test_arguments_that_do_not_fit_are_refused(call, message):
    with pytest.raises(RuntimeError, match=message):
        call(minigrad.zeros)


@pytest.mark.parametrize("function", [
    linalg.pinv, linalg.cond, linalg.matrix_rank, lambda A, **out: linalg.tensorinv(A, 1, **out),
    lambda A, **out: linalg.tensorsolve(A, A[0], **out), lambda A, **out: minigrad.cholesky_solve(A, A, **out),
    lambda A, **out: linalg.householder_product(A, A[0], **out)])
def test_an_out_of_another_precision_is_cast_to(function):
    A = minigrad.tensor([[4, 1], [1, 3]], dtype=minigrad.float64)
    out = minigrad.empty(0, dtype=minigrad.float32)
    assert function(A, out=out) is out and out.equal(function(A).float())


def test_solve_ex_reports_on_each_matrix_once():
    assert linalg.solve_ex(minigrad.eye(3), minigrad.ones(5, 3, 2)).info.shape == ()


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

# ------------------------------------------------------------------------------ what need not be regular


@DTYPES
def test_both_derivatives_of_hermitian_functions(complex):
    a, b = random(3, 3, complex=complex), random(3, 2, complex=complex, seed=1)
    for function in (lambda a: linalg.pinv(a + a.mH, hermitian=True), lambda a: linalg.eigvalsh(a + a.mH, "U"),
                     lambda a: linalg.cholesky_ex(a @ a.mH).L, lambda a: minigrad.cholesky_inverse(a),
                     lambda a: minigrad.cholesky_solve(b.detach(), a, upper=True), linalg.matrix_exp):
        assert gradcheck(function, a, check_forward_ad=True, atol=1e-4) and gradgradcheck(function, a, atol=1e-4)


@pytest.mark.parametrize("driver", ["gels", "gelsy", "gelsd", "gelss"])
def test_least_squares_are_those_of_numpy(driver):
    a, b = random(5, 3).detach(), random(5, 2, seed=1).detach()
    found = linalg.lstsq(a, b, driver=driver)
    solution, residuals, rank, values = np.linalg.lstsq(a.numpy(), b.numpy())
    np.testing.assert_allclose(found.solution.numpy(), solution)
    if driver != "gelsy":
        np.testing.assert_allclose(found.residuals.numpy(), residuals)
    assert found.rank.tolist() == ([] if driver == "gels" else rank)
    if driver in ("gelsd", "gelss"):
        np.testing.assert_allclose(found.singular_values.numpy(), values)


@DTYPES
@pytest.mark.parametrize("shape", [(3, 3), (5, 2), (2, 5), (2, 3, 4), (48, 60), (60, 50)], ids=str)
@pytest.mark.parametrize("driver", ["gels", "gelsy"])
def test_least_squares_by_reflections_are_those_by_singular_values(driver, shape, complex):
    A, B = random(*shape, complex=complex), random(*shape[:-1], 3, complex=complex, seed=1)
    found = linalg.lstsq(A, B, driver=driver)
    expected = lstsq_kernel(A.detach().numpy(), B.detach().numpy(), 1e-9, driver)
    for ours, theirs in zip(found, expected):
        np.testing.assert_allclose(ours.detach().numpy(), theirs, rtol=1e-8, atol=1e-10)
        assert ours.numpy(force=True).dtype == theirs.dtype


@DTYPES
def test_least_squares_of_any_rank(complex):
    A, B = random(5, 2, complex=complex) @ random(2, 4, complex=complex, seed=1), random(5, 2, complex=complex, seed=2)
    found = linalg.lstsq(A, B)
    assert found.rank == 2 and minigrad.allclose(found.solution, linalg.pinv(A, rtol=1e-9) @ B)
    with pytest.raises(linalg.LinAlgError, match="does not have full rank .error code: 3"):
        linalg.lstsq(minigrad.tensor([[1., 0., 0.], [0., 1., 1.], [0., 2., 2.]]), minigrad.ones(3, 1), driver="gels")


def test_least_squares_of_sizes_whose_squares_overflow():
    A = 1e200 * minigrad.eye(2, dtype=minigrad.float64)
    assert linalg.lstsq(A, A).solution.equal(minigrad.eye(2, dtype=minigrad.float64))


def test_tolerances_may_be_tensors():
    pair = minigrad.stack([minigrad.eye(2), 2 * minigrad.eye(2)])
    assert linalg.matrix_rank(pair, atol=minigrad.tensor([1.5, 1.5])).tolist() == [0, 2]
    assert linalg.pinv(pair, atol=minigrad.tensor([1.5, 1.5])).tolist() == [[[0, 0], [0, 0]], [[0.5, 0], [0, 0.5]]]
    assert linalg.matrix_rank(pair, tol=1.5).tolist() == [0, 2] and linalg.matrix_rank(minigrad.ones(3, 3)) == 1


def test_the_condition_of_what_is_zero_or_not_finite_is_infinite():
    for A in (minigrad.zeros(3, 3), minigrad.full((3, 3), minigrad.nan)):
        assert linalg.cond(A, 1) == linalg.cond(A, "fro") == linalg.cond(A, -minigrad.inf) == minigrad.inf


def test_the_condition_of_a_singular_matrix_is_infinite():
    for p in ("fro", 1, float("inf")):
        assert linalg.cond(minigrad.ones(2, 2), p) == float("inf")

# ------------------------------------------------------------------------------ symmetric matrices


@DTYPES
@pytest.mark.parametrize("hermitian", [False, True])
@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_symmetric_factors_solve(n, hermitian, complex):
    a, b = random(2, n, n, complex=complex).detach(), random(2, n, 3, complex=complex, seed=1).detach()
    a = a + (a.mH if hermitian else a.mT)
    LD, pivots = linalg.ldl_factor(a, hermitian=hermitian)
    assert n < 7 or (pivots < 0).any()
    solution = linalg.ldl_solve(LD, pivots, b, hermitian=hermitian)
    np.testing.assert_allclose((a @ solution).numpy(), b.numpy(), atol=1e-8)


def test_the_factors_are_lapacks():
    LD, pivots = linalg.ldl_factor(minigrad.tensor([[1.0, 5.0, 1.0], [2.0, 0.0, 1.0], [4.0, 1.0, 0.0]]))
    np.testing.assert_allclose(LD.numpy(), [[1, 0, 0], [4, 0, 0], [0.25, 0.4375, -0.9375]])
    assert pivots.tolist() == [-3, -3, 3]


def test_pivots_that_lead_out_of_the_matrix_are_refused():
    for pivots in ([9, 1, 1], [-1, 2, 3], [1, 2, -3], [0, 1, 2], [-9, -9, 1], [-1, -9, 1]):
        with pytest.raises((RuntimeError, ValueError), match="pivot"):
            linalg.ldl_solve(minigrad.eye(3), minigrad.tensor(pivots, dtype=minigrad.int32), minigrad.ones(3, 1))


def test_a_zero_in_d_is_reported():
    assert linalg.ldl_factor_ex(minigrad.zeros(2, 2)).info == 1
    with pytest.raises(RuntimeError, match="is zero"):
        linalg.ldl_factor(minigrad.zeros(2, 2))
    with pytest.raises(RuntimeError, match="is not implemented"):
        linalg.ldl_factor(minigrad.eye(2, requires_grad=True)).LD.sum().backward()

# ------------------------------------------------------------------------------ functions of matrices


@pytest.mark.parametrize("size", [1e-8, 0.1, 1, 7, 60])
def test_the_exponential_of_small_and_large_matrices(size):
    a = size * np.array([[0.0, -1.0], [1.0, 0.0]])
    c, s = np.cos(size), np.sin(size)
    np.testing.assert_allclose(linalg.matrix_exp(minigrad.from_numpy(a)).numpy(), [[c, -s], [s, c]], atol=1e-12)


def test_each_matrix_of_a_batch_is_halved_as_often_as_it_needs():
    a = minigrad.stack([random(3, 3).detach() * size for size in (1e-5, 1.0, 20.0)])
    for i in range(3):
        assert (linalg.matrix_exp(a)[i] == linalg.matrix_exp(a[i])).all()
    assert minigrad.isnan(linalg.matrix_exp(minigrad.full((2, 2), minigrad.nan))).all()
    assert linalg.matrix_exp(minigrad.zeros(2, 0, 0)).shape == (2, 0, 0)


def test_a_chain_is_multiplied_in_the_cheapest_order():
    """The example of Cormen et al.: ((A1 (A2 A3)) ((A4 A5) A6))."""
    split = cheapest((30, 35, 15, 5, 10, 20, 25))
    assert [split[part] for part in ((0, 6), (0, 3), (3, 6), (3, 5))] == [3, 1, 5, 4]


@pytest.mark.parametrize("name", ["symeig", "eig", "lstsq", "solve", "matrix_rank"])
def test_removed_functions_say_what_to_write(name):
    arguments = [minigrad.eye(2)] * (2 if name in ("lstsq", "solve") else 1)
    with pytest.raises(RuntimeError, match="was deprecated since version 1.9 and is now removed.*(.|\n)*torch.linalg"):
        getattr(minigrad, name)(*arguments)


def test_a_gradient_has_the_dtype_of_its_input_whichever_output_it_comes_from():
    a = random(2, 2, complex=True)
    assert grad(linalg.svdvals(a).sum(), a)[0].dtype is minigrad.complex128
    assert grad(linalg.matrix_norm(a, "nuc"), a)[0].imag.any()


@pytest.mark.parametrize("largest", [True, False])
def test_eigenpairs_of_two_matrices(largest):
    a, b = [random(7, 7, seed=seed) for seed in (0, 1)]

    def pairs(a, b):
        a, b = a + a.mT, b @ b.mT + minigrad.eye(7, dtype=b.dtype)
        values, vectors = minigrad.lobpcg(a, 2, b, largest=largest)
        return a, b, values, vectors
    a_, b_, values, vectors = pairs(a, b)
    np.testing.assert_allclose((a_ @ vectors).detach().numpy(), (b_ @ vectors * values).detach().numpy(), atol=1e-9)
    np.testing.assert_allclose((vectors.mT @ b_ @ vectors).detach().numpy(), np.eye(2), atol=1e-9)
    assert gradcheck(lambda a, b: (lambda v, x: (v, x.abs()))(*pairs(a, b)[2:]), (a, b), atol=1e-4)
    with pytest.raises(ValueError, match="is not applicable when the number of A rows"):
        minigrad.lobpcg(a, 3)


@DTYPES
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("function", [linalg.eig, linalg.eigvals], ids=["eig", "eigvals"])
def test_lapack_never_sees_a_matrix_whose_eigenvalues_it_cannot_find(function, value, complex, capfd):
    """Of inf and nan its work arrays come to sizes that are none, and it writes beyond them."""
    for n in (2, 3, 8):
        for place in range(n * n):
            a = np.arange(1., n * n + 1).reshape(n, n).astype(np.complex128 if complex else np.float64)
            a.flat[place] = value
            with pytest.raises(linalg.LinAlgError, match="should not contain infs or NaNs"):
                function(minigrad.tensor(a))
    assert not capfd.readouterr().out

# ------------------------------------------------------------------------------ sizes and numbers at the edge


def test_a_scale_that_is_nan_makes_a_product_of_reflections_nan(torch):
    A = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=torch.float64)
    Q = torch.linalg.householder_product(A, torch.tensor([float("nan"), 0.5], dtype=torch.float64))
    assert Q.shape == (3, 2) and Q.isnan().all()


@pytest.mark.parametrize("n, columns", [(48, 500), (60, 1200)])
def test_many_right_hand_sides_of_a_triangular_system(torch, n, columns):
    """The rows of X are 1, 1/2, 1/4, ...: a lower triangle of ones times that is what is summed up to each row."""
    X = (0.5 ** torch.arange(n, dtype=torch.float64))[:, None].expand(n, columns)
    found = torch.linalg.solve_triangular(torch.ones(n, n, dtype=torch.float64), X.cumsum(0), upper=False)
    assert torch.allclose(found, X, rtol=0, atol=1e-12)


def test_the_least_squares_of_many_rows_and_right_hand_sides(torch):
    """Each column of A is one where the number of the row leaves the same remainder, so X has the means of these."""
    A = torch.eye(40, dtype=torch.float64).repeat(10, 1)
    B = torch.arange(400, dtype=torch.float64)[:, None] + torch.arange(30, dtype=torch.float64)
    means = B.reshape(10, 40, 30).mean(0)
    assert torch.allclose(torch.linalg.lstsq(A, B, driver="gels").solution, means, rtol=0, atol=1e-10)


@pytest.mark.parametrize("driver", ["gels", "gelsy", "gelsd", "gelss"])
def test_the_least_squares_of_a_right_hand_side_with_nan_are_nan(driver):
    """PyTorch's LAPACK refuses it as a wrong parameter, in an error that asks for a report."""
    B = minigrad.tensor([[1.0], [np.nan], [2.0]])
    assert linalg.lstsq(minigrad.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), B, driver=driver).solution.isnan().all()


@pytest.mark.parametrize("shape", [(2,), (1, 2), (2, 2), (3, 1), (3, 3), (3, 0), (3, 3, 2)])
def test_pivots_of_another_shape_are_refused(shape):
    """PyTorch makes as many permutations as there are factors, and reads beyond the end of the pivots."""
    LU = minigrad.tensor([[2.0, 3.0], [4.0, 5.0]]).expand(3, 2, 2)
    pivots = minigrad.ones(shape, dtype=minigrad.int32)
    with refuses(RuntimeError, "LU_pivots must have the shape [3, 2], and it has " + str(list(shape)), "MG201"):
        minigrad.lu_unpack(LU, pivots)
    assert minigrad.lu_unpack(LU, pivots, unpack_pivots=False).L.tolist() == [[[1.0, 0.0], [4.0, 1.0]]] * 3


def test_a_symmetric_system_of_no_rows_has_no_solution_to_write(torch):
    found = torch.linalg.ldl_solve(torch.zeros(0, 0), torch.zeros(0, dtype=torch.int32), torch.zeros(0, 2))
    assert found.shape == (0, 2)


@pytest.mark.parametrize("batch", [(1, 0), (2, 3), (0, 2)])
def test_matrices_without_entries_may_have_several_batch_dims(torch, batch):
    linalg = torch.linalg
    A, B = torch.zeros(*batch, 0, 0, requires_grad=True), torch.zeros(*batch, 0, 2)
    factors, pivots, info = linalg.lu_factor_ex(A)
    assert factors.shape == A.shape and pivots.shape == (*batch, 0) and info.shape == batch
    assert [each.shape for each in linalg.lu(A)] == [A.shape] * 3
    assert linalg.ldl_factor(A.detach()).LD.shape == torch.cholesky_inverse(A).shape == A.shape
    assert {linalg.lu_solve(factors, pivots, B).shape, linalg.solve_triangular(A, B, upper=True).shape,
            torch.cholesky_solve(B, A).shape} == {B.shape}
    (linalg.qr(A).R.sum() + linalg.lu_factor(A).LU.sum()).backward()
    assert A.grad.shape == A.shape


def pivots_that_fail(torch, n, dtype):
    """Matrices of which that of number k is not positive definite from pivot k on; the last of all is."""
    rng = np.random.default_rng(n)
    a = rng.normal(size=(n + 1, n, n)) + (1j * rng.normal(size=(n + 1, n, n)) if dtype.startswith("complex") else 0)
    a = a @ a.conj().swapaxes(-1, -2) + n * np.eye(n)
    a[range(n), range(n), range(n)] = -3.
    return torch.tensor(a).to(getattr(torch, dtype))


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_a_factor_that_fails_is_left_unfinished(torch, dtype, upper):
    """By columns, each of which counts the ones before it, as LAPACK does."""
    for n in (1, 2, 5):
        a = pivots_that_fail(torch, n, dtype)
        factor, info = torch.linalg.cholesky_ex(a, upper=upper)
        assert info.tolist() == [*range(1, n + 1), 0]
        lower, whole = [(x.mH.resolve_conj() if upper else x).numpy().astype(np.complex128) for x in (factor, a)]
        for k in range(n):
            done = lower[k, :, :k]
            left = whole[k] - done @ done.conj().T          # what the next columns start from
            np.testing.assert_allclose(np.tril(done), done)
            np.testing.assert_allclose(left[:k], 0, atol=1e-4)
            np.testing.assert_allclose(lower[k, k, k], left[k, k], rtol=1e-4)
            expected = np.tril(whole[k])
            expected[:, :k], expected[k, k] = done, lower[k, k, k]
            np.testing.assert_allclose(lower[k], expected)
        np.testing.assert_allclose(lower[n] @ lower[n].conj().T, whole[n], rtol=1e-4, atol=1e-4)


def test_a_factor_with_a_nan_is_left_unfinished(torch):
    for place, value, expected in [((1, 1), float("nan"), [[1, 0, 0], [0, float("nan"), 0], [0, 0, 1]]),
                                   ((1, 0), float("inf"), [[1, 0, 0], [float("inf"), -float("inf"), 0], [0, 0, 1]]),
                                   ((0, 0), 0., [[0, 0, 0], [0, 1, 0], [0, 0, 1]])]:
        a = torch.eye(3)
        a[place] = value
        factor, info = torch.linalg.cholesky_ex(a)
        assert info == place[0] + 1
        np.testing.assert_equal(factor.numpy(), np.float32(expected))


def test_an_unfinished_factor_has_no_gradient():
    """PyTorch's is that of a factor, which it is not."""
    a = pivots_that_fail(minigrad, 2, "float64").requires_grad_()
    minigrad.linalg.cholesky_ex(a).L.sum().backward()
    alone = a.detach()[2].clone().requires_grad_()
    minigrad.linalg.cholesky(alone).sum().backward()
    assert a.grad[:2].isnan().all() and minigrad.equal(a.grad[2], alone.grad)


def test_the_size_of_a_step_costs_no_digits_of_the_exponential():
    A = random(6, 6)
    steps = random(6, 6).detach()
    expected, = minigrad.autograd.grad(linalg.matrix_exp(A), A, steps)
    for factor in (2.0 ** -60, 2.0 ** 30, 2.0 ** 60):          # which rounds nothing
        found, = minigrad.autograd.grad(linalg.matrix_exp(A), A, factor * steps)
        assert found.equal(factor * expected)


@pytest.mark.parametrize("shape, columns", [((60, 60), (60, 3)), ((2, 50, 50), (50, 3)), ((50, 50), (3, 50, 4))])
@pytest.mark.parametrize("left", [True, False])
def test_solutions_whose_factors_are_kept(shape, columns, left):
    """Both gradients, and theirs, are those by way of the inverse."""
    A, B = random(*shape), random(*columns)
    A = (A + 20 * minigrad.eye(shape[-1])).detach().requires_grad_()
    B = (B if left else B.mT).detach().requires_grad_()
    found = []
    for solve in (linalg.solve, lambda A, B, left: linalg.inv(A) @ B if left else B @ linalg.inv(A)):
        first = minigrad.autograd.grad(solve(A, B, left=left).pow(3).sum(), (A, B), create_graph=True)
        found.append([*first, *minigrad.autograd.grad(sum([each.sin().sum() for each in first]), (A, B))])
    for one, other in zip(*found):
        assert minigrad.allclose(one, other, rtol=1e-8, atol=1e-10)


def test_a_large_singular_matrix_has_no_solution():
    A, B = minigrad.ones(60, 60, dtype=minigrad.float64), random(60, 2)
    with pytest.raises(RuntimeError, match="singular"):
        linalg.solve(A, B)
    X, info = linalg.solve_ex(minigrad.stack([A, A + minigrad.eye(60)]), B)
    assert info.tolist() == [2, 0] and X[0].isnan().all() and X[1].isfinite().all()
    A[30, 59] = minigrad.nan
    assert linalg.solve(A + minigrad.eye(60), B).isnan().all()


def test_cofactors_of_large_matrices_by_their_factors_or_by_singular_values():
    A = random(60, 60).detach().numpy() + 12 * np.eye(60)
    for exchanges in range(3):
        found = solving.cofactors_of_regular(A)
        np.testing.assert_allclose(found, solving.cofactors_by_singular_values(A), rtol=1e-7)
        assert np.sign((found * A).sum()) == np.sign(np.linalg.det(A)) and found.flags.c_contiguous
        A[[exchanges, 59 - exchanges]] = A[[59 - exchanges, exchanges]]
    A[5] = 0                                    # singular: only the cofactors of this row are not 0
    assert solving.cofactors_of_regular(A) is None
    A = minigrad.from_numpy(A).requires_grad_()
    minigrad.linalg.det(A).backward()
    largest = A.grad.abs().amax(1)
    assert largest.argmax() == 5 and largest.sum() - largest[5] < 1e-9 * largest[5] < minigrad.inf


@pytest.mark.parametrize("complex", [False, True])
def test_inverses_of_large_matrices(complex):
    A = random(2, 70, 70, complex=complex).detach()
    assert minigrad.allclose(A @ linalg.inv(A), minigrad.eye(70, dtype=A.dtype).expand(2, 70, 70), atol=1e-9)
    assert linalg.inv(A.to(minigrad.complex64 if complex else minigrad.float32)).dtype.itemsize == A.dtype.itemsize // 2
    A[1, 3], A[0, 0, 0] = 0, minigrad.nan
    found, info = linalg.inv_ex(A)
    assert info[0] == 0 and info[1] > 0 and found.isnan().all()
    with pytest.raises(RuntimeError, match="singular"):
        linalg.inv(A[1])
