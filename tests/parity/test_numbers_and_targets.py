"""What a number may be, and what may be written where: refusals that PyTorch has, in either library."""

import warnings

import pytest

import minigrad


@pytest.mark.parametrize("torch", [minigrad, pytest.param("torch", marks=pytest.mark.parity)])
def test_an_exponent_that_does_not_fit_is_refused(torch):
    torch = pytest.importorskip("torch") if torch == "torch" else torch
    for dtype, exponent in ((torch.int8, 300), (torch.uint8, 300), (torch.int16, 70000), (torch.uint8, -1)):
        x = torch.tensor([1, 2, 3], dtype=dtype)
        with pytest.raises(RuntimeError):
            x ** exponent                       # modulo 256, 300 is 44
        with pytest.raises(RuntimeError):
            x.pow_(exponent)
        assert x.tolist() == [1, 2, 3]
    assert (torch.tensor([2, 3], dtype=torch.int8) ** 5).tolist() == [32, -13]


@pytest.mark.parametrize("torch", [minigrad, pytest.param("torch", marks=pytest.mark.parity)])
def test_a_divisor_is_rounded_to_16_bits_before_the_remainder_is_taken(torch):
    torch = pytest.importorskip("torch") if torch == "torch" else torch
    x = torch.tensor([1., 7.], dtype=torch.float16)
    for divisor in (0.1, torch.tensor(0.1), torch.tensor(0.1, dtype=torch.float64)):
        for function in (torch.remainder, torch.fmod):
            assert function(x, divisor).tolist() == [0.000244140625, 0.001708984375]


@pytest.mark.parametrize("torch", [minigrad, pytest.param("torch", marks=pytest.mark.parity)])
def test_empty_leaves_an_out_of_its_shape_alone(torch):
    torch = pytest.importorskip("torch") if torch == "torch" else torch
    out = torch.tensor([1., 2., 3.])
    assert torch.empty(3, out=out) is out and out.tolist() == [1, 2, 3]
    assert torch.empty((3,), out=out) is out and out.tolist() == [1, 2, 3]


@pytest.mark.parametrize("torch", [minigrad, pytest.param("torch", marks=pytest.mark.parity)])
def test_a_target_is_not_its_own_source(torch):
    torch = pytest.importorskip("torch") if torch == "torch" else torch
    i = torch.tensor([2, 1, 0])
    for write in (lambda x: x.scatter_(0, i, x), lambda x: x.scatter_add_(0, i, x), lambda x: x.index_add_(0, i, x),
                  lambda x: x.index_copy_(0, i, x), lambda x: x.put_(i, x), lambda x: x.scatter_(0, i[:2], x[1:]),
                  lambda x: x.index_copy_(0, i[:2], x[1:]), lambda x: x.scatter_(0, x, 1)):
        x = torch.tensor([2, 1, 0])
        with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor refer to a "
                                               "single memory location"):
            write(x)
        assert x.tolist() == [2, 1, 0]
    x = torch.tensor([2., 1., 0., 5.])
    assert x[:2].scatter_(0, torch.tensor([1, 0]), x[2:]).tolist() == [5, 0]
    assert x.index_fill_(0, i, x[1]).tolist() == [0, 0, 0, 5]


@pytest.mark.parametrize("reduce", ["prod", "mean", "amax", "amin"])
def test_a_source_that_does_not_lie_in_order_is_reduced_as_one_that_does(reduce):
    """A view of it with one dim does not exist, and it is copied."""
    source = minigrad.arange(6.).view(2, 3).t().requires_grad_()
    x, index = minigrad.ones(2, 2), minigrad.tensor([1, 1, 0])
    found = x.index_reduce(0, index, source, reduce)
    assert found.tolist() == x.index_reduce(0, index, source.detach().contiguous(), reduce).tolist()
    found.sum().backward()
    plain = source.detach().contiguous().requires_grad_()
    x.index_reduce(0, index, plain, reduce).sum().backward()
    assert source.grad.tolist() == plain.grad.tolist()


@pytest.mark.parametrize("reduce, initial, expected", [("max", 1., [0.5, 0.5, 1, 0]), ("max", 2., [0, 0, 1, 0]),
                                                       ("min", 1., [0.5, 0.5, 0, 1]), ("min", 0., [0, 0, 0, 1])])
def test_the_initial_extreme_of_a_segment_has_no_share_in_the_gradient(reduce, initial, expected):
    x = minigrad.tensor([1., 1., 3., 0.], requires_grad=True)
    minigrad.segment_reduce(x, reduce, lengths=minigrad.tensor([2, 2]), initial=initial).sum().backward()
    assert x.grad.tolist() == expected


@pytest.mark.parametrize("op", ["prod", "cumprod"])
def test_a_complex_tensor_multiplied_as_a_real_one_has_the_gradients_of_its_real_part(op):
    x = minigrad.tensor([1 + 2j, 3 - 1j, 2 + 0.5j], dtype=minigrad.complex128, requires_grad=True)
    weight = minigrad.tensor([1., 2., 3.], dtype=minigrad.float64)
    slopes = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for y in (getattr(x, op)(0, dtype=minigrad.float64), getattr(x.real, op)(0)):
            first, = minigrad.autograd.grad((weight * y).sum(), x, create_graph=True)
            second, = minigrad.autograd.grad((first.real * weight).sum(), x)
            slopes.append((first.tolist(), second.tolist()))
    assert slopes[0] == slopes[1]
