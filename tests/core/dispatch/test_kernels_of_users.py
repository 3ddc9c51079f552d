"""Kernels as users may write them in rows of their own: their results come out as a row promises."""

import numpy as np
import pytest

import minigrad as torch
from minigrad._core.dispatch.compute import on_arrays_general
from minigrad.ops import exports, kinds
from tests.checking import the_table_as_it_was


@pytest.fixture(autouse=True)
def table():
    with the_table_as_it_was():
        yield


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_a_kernel_that_computes_in_double_precision_gives_the_dtype_of_its_operands(dtype):
    row = kinds.elementwise("thrice(Tensor self)", lambda a: a * np.float64(3), self=lambda d: d * 3)
    x = torch.ones(2, dtype=getattr(torch, dtype), requires_grad=True)
    y = row(x)
    y.sum().backward()
    assert y.dtype is x.dtype and y.tolist() == [3., 3.] and x.grad.tolist() == [3., 3.]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("made", [list, tuple])
def test_several_results_of_16_bits_are_each_rounded(dtype, made):
    row = kinds.general("both(Tensor self)", lambda a: made([a / 3, a.max(), a.astype(np.int64), 7]),
                        outputs=("third", "most", "whole", "seven"), self=lambda d: d)
    x = torch.tensor([1., 2.], dtype=getattr(torch, dtype))
    third, most, whole, seven = row(x)
    assert third.dtype is most.dtype is x.dtype and torch.equal(third, x / 3) and most.item() == 2
    assert whole.dtype is torch.int64 and whole.tolist() == [1, 2] and seven.item() == 7


def test_a_list_of_tensors_may_be_a_tuple():
    a, b = np.ones(2, np.float16), np.ones(3, np.float32)
    assert np.array_equal(on_arrays_general(exports.ROWS["cat"], (a, b), 0), np.ones(5, np.float32))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_one_condition_for_all_elements(dtype):
    a, b = np.ones(2, dtype), np.zeros(2, dtype)
    for condition, expected in ((np.True_, a), (np.False_, b), (np.array([True, False]), [1, 0])):
        result = on_arrays_general(exports.ROWS["where.self"], condition, a, b)
        assert result.dtype == dtype and np.array_equal(result, expected)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_parameter_between_two_tensors_takes_no_part_in_promotion(dtype):
    row = kinds.elementwise("between(Tensor self, int n, Tensor other)", lambda a, n, b: a * n + b,
                            self=lambda d, n: d * n, other=lambda d: d)
    x, y = torch.ones(2, dtype=torch.int64), torch.tensor(np.ones(2, dtype))
    assert row(x, 3, y).dtype is y.dtype and row(x, 3, y).tolist() == [4., 4.]


def test_a_tensor_behind_many_others_counts_too():
    row = kinds.general("sum_of_all(Tensor[] several, Tensor other)", lambda several, b: sum(several) + b,
                        promote="common", several=lambda d, several_shape: [d] * len(several_shape), other=lambda d: d)
    ones = [torch.ones(2)] * 32
    assert row(ones, torch.ones(2, dtype=torch.float64)).dtype is torch.float64
    assert row(ones[1:], torch.ones(2, dtype=torch.float64)).tolist() == [32., 32.]


def test_16_bits_of_two_kinds_are_not_computed_with_as_one():
    row = kinds.general("dtypes_of(Tensor self, Tensor other)", lambda a, b: np.float64(a.itemsize + b.itemsize),
                        self=lambda d: d, other=lambda d: d)
    half, brain = torch.ones(2, dtype=torch.float16), torch.ones(2, dtype=torch.bfloat16)
    assert row(half, half).item() == row(brain, brain).item() == 8          # both come in single precision
    assert row(half, brain).item() == row(brain, half).item() == 4


def test_an_option_is_given_to_the_in_place_form_too():
    row = kinds.elementwise("multiplied(Tensor self, *, Scalar by=2)", lambda a, by: a * by, plain=lambda a: a * 2,
                            self=lambda d, by: d * by, inplace=True)
    x = torch.ones(2)
    assert row.inplace(x, by=3) is x and x.tolist() == [3., 3.]
    assert row.inplace(x).tolist() == [6., 6.] and x._version == 2


def test_a_dim_of_a_tensor_that_is_none_stays_as_it_is_given():
    row = kinds.general("with_a_dim(Tensor? self, Dim dim)", lambda a, dim: np.array(float(dim)), self=None)
    assert row(None, -1).item() == -1 and row(torch.ones(2, 3), -1).item() == 1


@pytest.mark.parametrize("weight", [0.5, np.float32(0.5), np.full(2, 0.5, np.float16), np.full(2, 0.5)])
@pytest.mark.parametrize("type_", ["Tensor", "Tensor?"])
def test_an_operand_that_does_not_count_in_promotion_may_be_a_number(type_, weight):
    row = kinds.elementwise(f"weighed(Tensor self, {type_} weight)", lambda a, weight: (a * weight).astype(a.dtype),
                            self=lambda d, weight: d * weight, promote_args=("self",))
    result = on_arrays_general(row, np.full(2, 3, np.float16), weight)
    assert result.dtype == np.float16 and result.tolist() == [1.5, 1.5]
