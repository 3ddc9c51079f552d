"""Arguments that programs give now and then: empty tensors, a bool of NumPy's, ``out=`` in another shape."""

import numpy as np
import pytest

import minigrad


@pytest.mark.parametrize("shape, old, new, expected", [
    ((0,), "float32", "float64", (0,)), ((0,), "float64", "float32", (0,)),
    ((3, 0), "float64", "uint8", (3, 0)),
    ((0, 4), "float32", "float64", (0, 2)), ((0, 2), "float32", "complex64", (0, 1)),
    ((0, 3), "int16", "int8", (0, 6))])
def test_empty_tensors_are_viewed_as_another_dtype(torch, shape, old, new, expected):
    x = torch.empty(shape, dtype=getattr(torch, old))
    y = x.view(getattr(torch, new))
    assert tuple(y.shape) == expected and y.dtype is getattr(torch, new)
    with pytest.raises(RuntimeError, match="must be divisible by 2"):
        torch.empty(0, 3).view(torch.float64)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "int64", "bool", "float32"])
def test_an_empty_index_has_any_dtype(torch, dtype):
    x = torch.arange(6.).view(2, 3).requires_grad_(True)
    y = x.gather(1, torch.empty(2, 0, dtype=getattr(torch, dtype)))
    assert y.shape == (2, 0)
    y.sum().backward()
    assert not x.grad.any()
    assert x.gather(0, torch.empty(0, dtype=getattr(torch, dtype))).shape == (0,)


def test_take_along_dim_still_takes_integers_only(torch):
    for dtype in (torch.uint8, torch.bool, torch.float32):
        with pytest.raises(RuntimeError, match="dtype of indices should be Long"):
            torch.ones(2, 3).take_along_dim(torch.empty(2, 0, dtype=dtype), 1)


@pytest.mark.parametrize("call, expected", [
    (lambda t, out: t.linspace(0, 3, 4, out=out), [[0, 1], [2, 3]]),
    (lambda t, out: t.arange(4, out=out), [[0, 1], [2, 3]]),
    (lambda t, out: t.arange(0, 2, .5, out=out), [[0, .5], [1, 1.5]]),
    (lambda t, out: t.logspace(0, 3, 4, out=out), [[1, 10], [100, 1000]])], ids=range(4))
def test_an_out_of_as_many_elements_keeps_its_shape(torch, call, expected):
    out = torch.empty(2, 2)
    assert call(torch, out) is out and out.tolist() == expected
    wide = torch.zeros(2, 4)
    call(torch, wide[:, ::2])
    assert wide.tolist() == [[a, 0, b, 0] for a, b in expected]


@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@pytest.mark.filterwarnings("ignore:The number of elements in the out tensor")
def test_an_out_of_another_number_of_elements_is_resized(torch):
    for out in (torch.empty(0), torch.empty(2, 3)):
        assert torch.linspace(0, 3, 4, out=out).tolist() == torch.arange(4, out=out).tolist() == [0, 1, 2, 3]


def test_the_bool_of_numpy_is_subtracted_as_a_number(torch):
    x = torch.tensor([1., 2.], requires_grad=True)
    one = np.bool_(True)
    assert (x - one).tolist() == torch.sub(x, one).tolist() == [0, 1]
    assert (one - x).tolist() == [0, -1]
    assert (torch.tensor([3, 4]) - one).tolist() == [2, 3]
    (x - one).sum().backward()
    assert x.grad.tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="with a bool tensor is not supported"):
        x - True
    with pytest.raises(RuntimeError, match="with a bool tensor is not supported"):
        torch.tensor([True]) - one


def test_einsum_of_numpy_with_lists_of_dims():
    a, b = minigrad.arange(6.).view(2, 3).requires_grad_(True), minigrad.arange(12.).view(3, 4)
    expected = a.detach() @ b
    for found in (np.einsum(a, [0, 1], b, [1, 2], [0, 2]), np.einsum(a, [0, 1], b, [1, 2]),
                  np.einsum(a, [0, 1], b.numpy(), [1, 2]), np.einsum(a, [..., 1], b, [1, 2], [..., 2])):
        assert found.tolist() == expected.tolist() and found.requires_grad


@pytest.mark.parametrize("options", [
    {}, {"axis": 0}, {"axis": (0, 1)}, {"axis": (-1, 0), "keepdims": True}, {"axis": ()}, {"keepdims": True},
    {"axis": (1,), "dtype": np.float64}], ids=str)
def test_products_of_numpy_over_axes(options):
    x = np.arange(1., 7, dtype=np.float32).reshape(2, 3)
    found, expected = np.prod(minigrad.from_numpy(x), **options), np.prod(x, **options)
    assert found.shape == expected.shape and found.tolist() == expected.tolist()
    assert found.dtype.numpy == expected.dtype
    leaf = minigrad.tensor(x, requires_grad=True)
    np.prod(leaf, axis=(0, 1)).backward()
    assert leaf.grad.tolist() == (720 / x).tolist()
    out = minigrad.empty(3)
    assert np.prod(minigrad.from_numpy(x), axis=0, out=out) is out and out.tolist() == [4, 10, 18]


def test_a_table_of_integers(torch):
    table = torch.tensor([[1, 2], [3, 4]])
    layer = torch.nn.Embedding.from_pretrained(table)
    assert layer(torch.tensor([1, 0])).tolist() == [[3, 4], [1, 2]]
    assert not layer.weight.requires_grad and layer.weight.dtype is torch.int64
    with pytest.raises(RuntimeError, match="floating point"):
        torch.nn.Embedding.from_pretrained(table, freeze=False)
