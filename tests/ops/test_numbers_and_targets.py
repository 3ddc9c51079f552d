"""What a number may be, and what may be written where: refusals that PyTorch has, in either library."""

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
