"""Tables of vectors: what is written to them, and what is refused."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import func
from minigrad._core.dispatch.compute import on_arrays_general, on_arrays_in_c
from minigrad.ops.exports import ROWS
from tests.checking import of_kernels, refuses

F = torch.nn.functional
NUMBERS = torch.tensor([1, 2, 1])


def table():
    return torch.tensor([[30., 40.], [3., 4.], [0.3, 0.4]])


def test_rows_that_are_read_become_no_longer_than_max_norm():
    weight = table()
    out = F.embedding(NUMBERS, weight, max_norm=1.)
    assert torch.allclose(weight, torch.tensor([[30., 40.], [0.6, 0.8], [0.3, 0.4]]))
    assert torch.equal(out, weight[NUMBERS])
    weight = table()
    F.embedding_bag(NUMBERS.unsqueeze(0), weight, max_norm=1., norm_type=1.)
    assert torch.allclose(weight.abs().sum(1), torch.tensor([70., 1., 0.7]))


def test_the_write_is_counted_and_not_recorded():
    weight = table().requires_grad_()
    out = F.embedding(NUMBERS, weight, max_norm=1.)
    assert weight._version == 1 and weight.is_leaf
    out.sum().backward()
    assert weight.grad.tolist() == [[0, 0], [2, 2], [1, 1]]
    saved = weight * weight
    F.embedding(NUMBERS, weight, max_norm=0.1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        saved.sum().backward()


def test_embedding_renorm_is_not_differentiable():
    weight = table()
    assert torch.embedding_renorm_(weight, NUMBERS, 1., 2.) is weight and weight._version == 1
    leaf = table().requires_grad_()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        torch.embedding_renorm_(leaf, NUMBERS, 1., 2.)
    with pytest.raises(RuntimeError, match="not differentiable"):
        torch.embedding_renorm_(leaf * 1, NUMBERS, 1., 2.)
    with torch.no_grad():
        torch.embedding_renorm_(leaf, NUMBERS, 1., 2.)
    assert leaf._version == 1


def test_sparse_gradients_are_refused():
    for call in (lambda: F.embedding(NUMBERS, table(), sparse=True),
                 lambda: torch.embedding(table(), NUMBERS, sparse=True),
                 lambda: F.embedding_bag(NUMBERS, table(), torch.tensor([0]), sparse=True),
                 lambda: F.embedding_bag(NUMBERS.unsqueeze(0), table(), sparse=True)):
        with pytest.raises(NotImplementedError, match="all tensors are dense here"):
            call()


def test_max_norm_inside_a_transform_is_refused():
    with pytest.raises(RuntimeError, match="max_norm= inside a transform"):
        func.vmap(lambda w: F.embedding(NUMBERS, w, max_norm=1.))(torch.randn(2, 3, 2))


# ------------------------------------------------------------------------------ bags

def test_an_empty_bag_is_zero_and_has_no_gradient():
    weight = table().requires_grad_()
    for mode in ("sum", "mean", "max"):
        out = F.embedding_bag(NUMBERS, weight, torch.tensor([0, 0, 3]), mode=mode)
        assert not out[0].any() and not out[2].any() and out[1].any()
        assert not torch.autograd.grad(out[0].sum(), weight)[0].any()


def test_numbers_behind_the_last_offset_belong_to_no_bag():
    weight = table().requires_grad_()
    for mode, expected in (("sum", [2., 1.]), ("mean", [1., 1.]), ("max", [1., 1.])):
        out = F.embedding_bag(torch.tensor([1, 1, 2, 0]), weight, torch.tensor([0, 2, 3]), mode=mode,
                              include_last_offset=True)
        assert out.shape == (2, 2)
        grad, = torch.autograd.grad(out.sum(), weight)
        assert grad[:, 0].tolist() == [0., *expected]


def test_padding_does_not_count():
    weight = table()
    out = F.embedding_bag(torch.tensor([[0, 1], [0, 0]]), weight, padding_idx=0)
    assert torch.allclose(out, torch.tensor([[3., 4.], [0., 0.]]))
    assert torch.allclose(F.embedding_bag(torch.tensor([[0, 1]]), weight, mode="max", padding_idx=-3), weight[1:2])


def test_a_gradient_is_divided_by_the_uses_of_its_own_row():
    weight = table().requires_grad_()
    for numbers, starts in ((NUMBERS.unsqueeze(0), None), (NUMBERS, torch.tensor([0, 1]))):
        out = F.embedding_bag(numbers, weight, starts, mode="sum", scale_grad_by_freq=True)
        assert torch.autograd.grad(out.sum(), weight)[0].tolist() == [[0, 0], [1, 1], [1, 1]]


def test_bags_under_vmap():
    weights, starts = torch.randn(2, 3, 2), torch.tensor([0, 1])
    for mode in ("sum", "mean", "max"):
        out = func.vmap(lambda w: F.embedding_bag(NUMBERS, w, starts, mode=mode))(weights)
        for k in range(2):
            assert torch.allclose(out[k], F.embedding_bag(NUMBERS, weights[k], starts, mode=mode))


@pytest.mark.parametrize("options, slopes", [({}, [1, 1, 1]), ({"scale_grad_by_freq": True}, [0.5, 1, 0.5]),
                                             ({"padding_idx": 1}, [0, 1, 0])])
def test_the_second_derivative_is_the_transpose_of_the_first(options, slopes):
    """grad[numbers] times a share for each use; PyTorch forgets the shares."""
    weight = torch.zeros(3, 1, requires_grad=True)
    d = torch.ones(3, 1, requires_grad=True)
    grad, = torch.autograd.grad(F.embedding(NUMBERS, weight, **options), weight, d, create_graph=True)
    again, = torch.autograd.grad(grad, d, torch.ones(3, 1))
    assert again.ravel().tolist() == slopes


def test_one_offset_that_is_the_end_makes_no_bag():
    for numbers in (NUMBERS, NUMBERS[:0]):
        out = F.embedding_bag(numbers, table(), torch.tensor([0]), include_last_offset=True)
        assert out.shape == (0, 2)


@pytest.mark.parametrize("wrong", [-1, 3])
@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_the_number_of_a_row_that_does_not_exist_is_refused(mode, wrong):
    with refuses(RuntimeError, f"found idx to be {wrong}, which is not in the valid range [0, 3)", "MG204"):
        F.embedding_bag(torch.tensor([1, wrong]), table(), torch.tensor([0]), mode=mode)


# A bag of rows 0 and 2, and one of row 1.
GIVEN = {"weight": np.ones((3, 2)), "grad": np.ones((2, 2)), "per_sample_weights": np.ones(3), "mean": True,
         "padding_idx": -1, "weight_sizes": (3, 2), "indices": np.array([0, 2, 1]), "bags": np.array([0, 0, 1]),
         "sizes": np.array([2, 1])}
WRONG = [("indices", np.array([0, -1, 1])), ("indices", np.array([0, 3, 1])), ("bags", np.array([0, -1, 1])),
         ("bags", np.array([0, 2, 1])), ("bags", np.array([0, 0])), ("grad", np.ones((3, 2))),
         ("grad", np.ones((2, 3))), ("grad", np.ones((2, 2), np.float32)), ("per_sample_weights", np.ones(2)),
         ("per_sample_weights", np.ones((3, 1))), ("per_sample_weights", np.ones(3, np.float32)),
         ("weight_sizes", (-1, 2)), ("weight_sizes", (3, 3)), ("weight_sizes", (1, 2))]


@of_kernels
@pytest.mark.parametrize("name", ["bag_sums", "bag_spread", "bag_products", "largest_in_bags"])
def test_a_kernel_in_c_follows_no_number_out_of_range(name):
    op = ROWS[name]
    right = [GIVEN[parameter] for parameter in op.params]
    assert np.array_equal(on_arrays_in_c(op, *right), on_arrays_general(op, *right))
    for parameter, wrong in WRONG:
        if parameter in op.params and not (name == "bag_spread" and parameter == "grad" and wrong.dtype == np.float32):
            given = {**GIVEN, parameter: wrong}
            assert on_arrays_in_c(op, *[given[each] for each in op.params]) is None, (parameter, wrong)


@of_kernels
def test_offsets_that_make_no_bags_are_left_to_the_general_way():
    op, numbers = ROWS["embedding_bags"], np.array([0, 2, 1])
    for offsets, last in (([1, 2], False), ([0, 2, 1], False), ([0, 4], False), ([0, 2], True), ([0, 4, 3], True),
                          ([0], True)):
        assert on_arrays_in_c(op, numbers, np.array(offsets), 3, last, -1) is None
    for padding, sizes in ((-1, [2, 1]), (2, [1, 1]), (1, [2, 0])):
        found = on_arrays_in_c(op, numbers, np.array([0, 2]), 3, False, padding)
        assert found[0].tolist() == [0, 0, 1] and found[1].tolist() == sizes
