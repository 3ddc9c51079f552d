"""Singular values by chance: near the real ones where the rank is low, with gradients."""

import numpy as np
import pytest

import minigrad
from minigrad.autograd import grad


def of_rank(rank, *shape, dtype=minigrad.float64):
    minigrad.manual_seed(0)
    left = minigrad.randn(*shape[:-1], rank, dtype=dtype)
    return left @ minigrad.randn(*shape[:-2], rank, shape[-1], dtype=dtype)


@pytest.mark.parametrize("dtype", [minigrad.float64, minigrad.complex128], ids=repr)
@pytest.mark.parametrize("shape", [(20, 8), (8, 20), (2, 9, 7)], ids=str)
def test_a_matrix_of_low_rank_is_found_again(shape, dtype):
    A = of_rank(3, *shape, dtype=dtype)
    U, S, V = minigrad.svd_lowrank(A, q=3)
    np.testing.assert_allclose(((U * S.to(dtype).unsqueeze(-2)) @ V.mH).numpy(), A.numpy(), atol=1e-9)
    np.testing.assert_allclose(S.numpy(), minigrad.linalg.svdvals(A)[..., :3].numpy(), rtol=1e-9)
    mean = A.mean(-2, keepdim=True)
    np.testing.assert_allclose(minigrad.svd_lowrank(A, 3, M=mean)[1].numpy(),
                               minigrad.linalg.svdvals(A - mean)[..., :3].numpy(), rtol=1e-6, atol=1e-6)


def test_principal_components():
    A = of_rank(3, 30, 6) + 5
    _, S, V = minigrad.pca_lowrank(A, q=3)
    np.testing.assert_allclose(S.numpy(), minigrad.linalg.svdvals(A - A.mean(0))[:3].numpy(), rtol=1e-6)
    assert minigrad.pca_lowrank(A, center=False)[0].shape == (30, 6) and V.shape == (6, 3)


def test_the_gradient_is_that_of_the_singular_values():
    A = of_rank(3, 10, 6).requires_grad_()
    np.testing.assert_allclose(grad(minigrad.svd_lowrank(A, 3)[1].sum(), A)[0].numpy(),
                               grad(minigrad.linalg.svdvals(A)[:3].sum(), A)[0].numpy(), atol=1e-7)


@pytest.mark.parametrize("options", [{"q": 7}, {"q": -1}, {"niter": -1}])
def test_sizes_that_cannot_be_are_refused(options):
    with pytest.raises(ValueError, match="must be non-negative"):
        minigrad.pca_lowrank(minigrad.ones(5, 4), **options)
