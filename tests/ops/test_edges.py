"""Rare arguments of functions; what PyTorch refuses in the same words is in tests/parity/printed_programs."""

import math
import warnings

import numpy as np
import pytest

import minigrad
from minigrad.nn import functional as F
from minigrad.ops import kinds
from minigrad.ops.statistics.distances import distances_kernel
from tests.checking import refuses, the_table_as_it_was


def large(*shape):
    """So large that its data is not asked for."""
    return minigrad.empty(shape, device="meta")


@pytest.mark.parametrize("name", ["one_hot", "pad", "unfold", "group_norm"])
def test_the_shapes_of_large_results_are_known_without_data(torch, name):
    x = torch.empty(100, 60, 80, 90, device="meta")
    shape = {"one_hot": lambda: torch.nn.functional.one_hot(torch.empty(9000, device="meta").long(), 70000).shape,
             "pad": lambda: torch.nn.functional.pad(x, (30, 20, 7, 5), mode="circular").shape,
             "unfold": lambda: torch.nn.functional.unfold(x, (3, 5), dilation=2, padding=(0, 7), stride=(4, 3)).shape,
             "group_norm": lambda: torch.native_group_norm(x, None, None, 100, 60, 7200, 15, 1e-5)[1].shape}[name]()
    assert tuple(shape) == {"one_hot": (9000, 70000), "pad": (100, 60, 92, 140), "unfold": (100, 900, 19 * 32),
                            "group_norm": (100, 15)}[name]


def test_channels_that_do_not_divide_are_refused_without_data():
    with refuses(RuntimeError, "num_groups", "MG204"):
        minigrad.native_group_norm(large(100, 60, 80, 90), None, None, 100, 60, 7200, 7, 1e-5)


def test_a_number_may_be_taken_along_the_dim_that_it_does_not_have():
    """As gather lets it; PyTorch refuses it."""
    x = minigrad.tensor(5., requires_grad=True)
    y = minigrad.take_along_dim(x, minigrad.tensor(0), -1)
    y.sum().backward()
    assert y.tolist() == 5. and x.grad == 1


def test_arrays_of_numpy_that_do_not_index_are_named():
    x = minigrad.ones(2)
    for wrong, words in ((np.array(["a"]), "tensors used as indices must be long"),
                         (np.array([None, 3]), "only integers, slices"), (np.array([1., 0.]), "must be long")):
        with refuses(IndexError, words, "MG206"):
            x[wrong]
    assert x[np.bool_(True)].shape == (1, 2) and minigrad.tensor(3.)[np.bool_(False)].shape == (0,)
    with refuses(IndexError, "invalid index of a 0-dim tensor", "MG206"):
        minigrad.tensor(1.)[minigrad.tensor(0)]


def test_the_middle_of_no_integers_is_refused():
    """PyTorch gives the smallest integer."""
    for function in (minigrad.median, minigrad.nanmedian):
        with refuses(RuntimeError, "no entry is in the middle", "MG204"):
            function(minigrad.zeros(0, dtype=minigrad.int64))


@pytest.mark.parametrize("call, words", [
    (lambda: F.embedding_bag(minigrad.zeros(2, 2).long(), minigrad.ones(3, 2), mode="max", scale_grad_by_freq=True),
     "max mode does not support"),
    (lambda: minigrad.embedding_bag(minigrad.ones(3, 2), minigrad.tensor([0]), minigrad.tensor([0]), mode=7),
     "`mode` must be sum, mean, or max"),
    (lambda: minigrad.embedding_bag(minigrad.ones(3, 2), minigrad.tensor([0]), minigrad.tensor([0]), mode=1,
                                    per_sample_weights=minigrad.ones(1)), "only"),
    (lambda: minigrad.embedding_bag(minigrad.ones(3, 2), minigrad.tensor([0]), minigrad.tensor([0]),
                                    per_sample_weights=minigrad.ones(2)), "expected per_sample_weights to be 1D"),
    (lambda: F.linear_cross_entropy(minigrad.ones(2), minigrad.ones(3, 4, 2), minigrad.tensor([0])), "K-dimensional"),
    (lambda: F.linear_cross_entropy(minigrad.ones(3, 2), minigrad.ones(4, 2), minigrad.ones(3, 4), ignore_index=1),
     "ignore_index cannot be specified"),
    (lambda: F.avg_pool3d(minigrad.ones(1, 1, 2, 4, 4), (4, 1, 1), padding=(1, 0, 0)), "smaller than kernel size"),
    (lambda: F.max_pool2d(minigrad.ones(1, 4, 4), 3, padding=2), "pad should be"),
    (lambda: F.interpolate(minigrad.ones(1, 1, 4), size=2, mode="lanczos"), "lanczos|Lanczos"),
    (lambda: F.interpolate(minigrad.ones(1, 1, 4, 4), size=2, mode="lanczos", align_corners=True), "align_corners"),
    (lambda: F.interpolate(minigrad.ones(1, 1, 4, 4), size=2, mode="lanczos"), "anti"),
    (lambda: minigrad.as_strided_copy(minigrad.ones(2), (2,), (1, 1)), "mismatch in length of strides"),
    (lambda: minigrad.lu_solve(minigrad.ones(2, 2), minigrad.ones(2, 2),
                               minigrad.tensor([[1, 2]], dtype=minigrad.int32)), "pivots"),
    (lambda: minigrad.linalg.ldl_solve(minigrad.eye(2), minigrad.tensor([0, 1], dtype=minigrad.int32),
                                       minigrad.ones(2, 1)), "must all satisfy"),
    (lambda: minigrad.linalg.ldl_solve(minigrad.eye(2), minigrad.tensor([1, -2], dtype=minigrad.int32),
                                       minigrad.ones(2, 1)), "those of a block"),
    (lambda: minigrad.func.vmap(lambda y: y.apply_(lambda z: z))(minigrad.ones(2)), "inside a transform"),
    (lambda: F.max_pool2d(minigrad.ones(1, 9, 9), 3, padding=2, dilation=2), "pad should be smaller than or equal"),
    (lambda: minigrad.func.vmap(lambda x: minigrad.as_strided_copy(x, (2,), (1, 1)))(minigrad.ones(2, 2)), "mismatch"),
    (lambda: F.threshold(minigrad.ones(2), "a", 1), "must be Number"),
    (lambda: np.matmul(minigrad.ones(2), object()), "matmul|Tensor|operand"),
    (lambda: minigrad.cat([]), "non-empty list"),
    (lambda: F.conv2d(3, minigrad.ones(1, 1, 1, 1)), "input"),
    (lambda: minigrad.convolution(minigrad.ones(1, 1, 1), 3, None, [1], [0], [1], False, [0], 1), "weight"),
])
def test_refused(call, words):
    with pytest.raises((RuntimeError, TypeError, ValueError), match=words), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call()


def test_tensordot_takes_out_by_position(torch):
    out = torch.zeros(2, 2)
    assert torch.tensordot(torch.ones(2, 3), torch.ones(3, 2), 1, out) is out and out.tolist() == [[3., 3.]] * 2
    x = torch.ones(2, 3)
    assert torch.tensordot(x, x, torch.tensor([[0], [0]])).tolist() == [[2.] * 3] * 3
    assert torch.tensordot(x, x, torch.tensor([0])).shape == (2, 3, 2, 3)


@pytest.mark.parametrize("dtype", ["float64", "bfloat16"])
def test_a_name_that_was_put_together_is_that_of_the_usual_way(torch, dtype):
    x = torch.tensor([1., -2.], dtype=getattr(torch, dtype), requires_grad=True)
    y = torch.nn.functional.gelu(x, approximate="".join(["no", "ne"]))
    y.sum().backward()
    usual = torch.nn.functional.gelu(x)
    assert torch.allclose(y, usual) and torch.allclose(x.grad, torch.autograd.grad(usual.sum(), x)[0])


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_no_classes_have_no_slopes(torch, dtype):
    x = torch.zeros(0, 0, dtype=getattr(torch, dtype), requires_grad=True)
    torch.nn.functional.nll_loss(x, torch.zeros(0, dtype=torch.int64), reduction="sum").backward()
    assert tuple(x.grad.shape) == (0, 0)


@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("name", ["solve_triangular", "from the right", "batch", "lstsq"])
def test_large_systems_are_solved_in_other_threads_too(torch, name, upper):
    random = np.random.default_rng(5)
    a = torch.tensor(random.normal(size=(30, 60, 60) if name == "batch" else (300, 300))) / 20
    a = a + 3 * torch.eye(a.shape[-1], dtype=torch.float64)
    b = torch.tensor(random.normal(size=(*a.shape[:-1], 90)))
    triangle = a.triu() if upper else a.tril()
    if name == "lstsq":
        assert torch.allclose(a @ torch.linalg.lstsq(a, b).solution, b)
    elif name == "from the right":
        x = torch.linalg.solve_triangular(a, b.mT.contiguous(), upper=upper, left=False)
        assert torch.allclose(x @ triangle, b.mT)
    else:
        assert torch.allclose(triangle @ torch.linalg.solve_triangular(a, b, upper=upper), b)


def test_points_may_have_fewer_dims_than_their_values(torch):
    y = torch.arange(12.).reshape(2, 2, 3)
    assert torch.trapezoid(y, torch.tensor([0., 1., 3.])).tolist() == torch.trapezoid(
        y, torch.tensor([0., 1., 3.]).expand(2, 2, 3)).tolist()
    assert torch.trapezoid(y, torch.tensor([[0., 1., 3.], [0., 2., 5.]])).shape == (2, 2)


@pytest.mark.parametrize("last", ["of its own", "in front"])
def test_no_steps_of_a_text_of_nothing_are_certain(torch, last):
    """A probability of one, whose logarithm is zero; and none for a text that has letters."""
    scores = torch.zeros(2, 2, 3).double() if last == "of its own" else torch.zeros(3, 2, 2).double().permute(1, 2, 0)
    losses = torch.nn.functional.ctc_loss(scores, torch.tensor([[1], [1]]), (0, 0), (0, 1), reduction="none")
    assert losses.tolist() == [0., math.inf]


def test_a_plain_kernel_takes_each_parameter_that_has_a_place():
    with the_table_as_it_was(), pytest.raises(ValueError, match="its plain kernel does not take one argument"):
        kinds.elementwise("with_plain(Tensor self, Tensor other, *, int by=2)", lambda a, b, by: a * b,
                          plain=lambda a: a, self=lambda d: d, other=lambda d: d)


def test_memory_with_gaps_is_laid_out_in_any_order():
    owner = np.zeros(10)[::3]
    x = minigrad.from_numpy(owner)
    assert minigrad.empty_like(x, memory_format=minigrad.preserve_format).shape == (4,)


# ------------------------------------------------------------------------------ sizes that are rare

def test_16_bit_floats_are_moved_in_large_tensors_too(torch):
    x = (torch.arange(5000.) % 7).half().requires_grad_()
    flipped, lower = x.flip(0), x.reshape(50, 100).tril()
    assert flipped[:4].tolist() == [1., 0., 6., 5.] and torch.equal(flipped.flip(0), x)
    assert torch.equal(lower.float(), x.detach().float().reshape(50, 100).tril())
    (slopes,) = torch.autograd.grad(lower.sum(), x)
    assert slopes.dtype == torch.float16 and torch.equal(slopes, torch.ones(50, 100).tril().half().reshape(-1))


def test_a_tensor_is_repeated_along_more_than_32_dims(torch):
    x = torch.tensor([1., 2.], requires_grad=True)
    repeated = x.repeat((2,) + (1,) * 38 + (3,))
    assert repeated.shape == (2,) + (1,) * 38 + (6,) and repeated.flatten().tolist() == [1., 2.] * 6
    (slopes,) = torch.autograd.grad((repeated.flatten() * torch.arange(12.)).sum(), x)
    assert slopes.tolist() == [30., 36.]


def test_no_diagonals_need_no_memory_however_long_they_are(torch):
    assert torch.zeros(0, 60_000).diag_embed().shape == (0, 60_000, 60_000)


def test_no_planes_need_no_memory_however_large_they_are(torch):
    x = torch.zeros(0, 1, 2 ** 16, 2 ** 16, requires_grad=True)
    means = torch.nn.functional.adaptive_avg_pool2d(x, (1, 2))
    assert means.shape == (0, 1, 1, 2)
    assert torch.autograd.grad(means.sum(), x)[0].shape == x.shape


@pytest.mark.parametrize("shape", [(1, 1, 220, 250), (55, 1, 20, 50)], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_pooling_of_enough_elements_to_let_other_threads_run(torch, shape, dtype):
    """Not yet so many that several threads share them."""
    a = np.random.default_rng(0).permutation(55_000).reshape(shape)
    x = torch.tensor(a, dtype=getattr(torch, dtype), requires_grad=True)
    quarters = a.reshape(*shape[:2], shape[2] // 2, 2, shape[3] // 2, 2)
    most, mean = torch.nn.functional.max_pool2d(x, 2), torch.nn.functional.avg_pool2d(x, 2)
    assert np.array_equal(most.detach().numpy(), quarters.max((3, 5)))
    assert np.array_equal(mean.detach().numpy(), quarters.mean((3, 5)))
    (slopes,) = torch.autograd.grad(most.sum() + 4 * mean.sum(), x)
    largest = quarters == quarters.max((3, 5), keepdims=True)
    assert np.array_equal(slopes.numpy(), 1 + largest.reshape(shape))


def test_no_dims_are_moved_to_no_places(torch):
    for x in (torch.ones(2, 3), torch.tensor(1.)):
        assert torch.movedim(x, (), ()).shape == torch.moveaxis(x, [], []).shape == x.shape
    with pytest.raises(RuntimeError, match=r"[Ii]nvalid source or destination dims"):
        torch.movedim(torch.ones(2, 3), (), (1,))


def test_points_without_a_spacing_are_at_distances_of_one(torch):
    x = torch.tensor([[0., 1.], [4., 9.]])
    for dim in (None, 0, 1):
        for ours, same in zip(torch.gradient(x, spacing=None, dim=dim), torch.gradient(x, dim=dim)):
            assert ours.tolist() == same.tolist()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("a,b", [("nan", "0"), ("nan", "nan"), ("inf", "inf"), ("inf", "-inf"), ("0", "inf"),
                                 ("3", "3")])
def test_the_number_of_differences_with_nan_is_nan(torch, a, b, dtype):
    a, b = [torch.tensor([[float(x), 1.]], dtype=getattr(torch, dtype)) for x in (a, b)]
    expected = 0. if float(a[0, 0]) == float(b[0, 0]) == 3 else 1.
    if math.isnan(a[0, 0] - b[0, 0]):
        expected = math.nan
    for found in (torch.cdist(a, b, p=0.), torch.nn.functional.pdist(torch.cat([a, b]), p=0.),
                  torch.cdist(a.T[:1].T, b.T[:1].T, p=0.)):
        np.testing.assert_equal(found.item(), expected)


def test_differences_are_counted_without_kernels():
    x = np.array([[math.nan, 1.], [2., 1.]])
    np.testing.assert_equal(distances_kernel(x, x, 0), [[math.nan, math.nan], [math.nan, 0.]])


@pytest.mark.parametrize("mode", ["reflect", "replicate"])
@pytest.mark.parametrize("shape", [(3, 0, 5), (0, 5), (3, 0), (3, 0, 4, 4), (1, 3, 0, 4), (0, 4, 4), (2, 0, 4, 4, 4)])
def test_where_there_is_no_element_to_copy(torch, shape, mode):
    n = {2: 1, 3: 1, 4: 2, 5: 3}[len(shape)] if shape != (0, 4, 4) else 2
    with pytest.raises(RuntimeError, match=rf"Expected {n + 1}D or {n + 2}D \(batch mode\) tensor with possibly 0 "
                                           "batch size and other non-zero dimensions for input"):
        torch.nn.functional.pad(torch.rand(shape), (1, 1) * n, mode=mode)
    assert torch.nn.functional.pad(torch.rand(0, 3, 5), (1, 1), mode=mode).shape == (0, 3, 7)


def test_the_bound_of_a_cosine_is_not_negative(torch):
    with pytest.raises(RuntimeError, match="eps must be non-negative, got: -1"):
        torch.nn.functional.cosine_similarity(torch.ones(2, 3), torch.ones(2, 3), eps=-1)


def test_numbers_of_rows_outside_a_table(torch):
    F, weight, offsets = torch.nn.functional, torch.zeros(3, 2), torch.tensor([0])
    with pytest.raises(RuntimeError, match="Expected idx >= 0 && idx < num_embeddings but found idx to be -1"):
        F.embedding_bag(torch.tensor([0, -1]), weight, offsets, mode="max", padding_idx=0)
    with pytest.raises(RuntimeError, match=r"not in the valid range \[0, 3\)"):
        F.embedding_bag(torch.tensor([0, 7]), weight, offsets, mode="sum")
    with pytest.raises(RuntimeError, match="have the same type as"):
        F.embedding_bag(torch.tensor([0, 1]), weight, offsets, mode="sum", per_sample_weights=torch.ones(2).double())


def test_one_sample_has_one_class(torch):
    with pytest.raises(RuntimeError, match="1D target tensor expected, multi-target not supported"):
        torch.nn.functional.nll_loss(torch.zeros(10, 3), torch.zeros(10, 2).long())


def test_a_value_with_an_attribute_dtype_is_refused_as_a_dtype():
    for function in (lambda x: minigrad.zeros(2, dtype=x), minigrad.finfo, lambda x: minigrad.ones(2).to("cpu", x)):
        with refuses(TypeError, "must be torch.dtype, not Tensor", "MG205"):
            function(minigrad.tensor(3))
