# minigrad homework: grade_the_tests
import minigrad as torch
from minigrad.autograd import gradcheck, gradgradcheck

torch.manual_seed(0)


def numbers(*shape, complex=False):
    kind = torch.complex128 if complex else torch.float64
    return torch.randn(*shape, dtype=kind).requires_grad_()


def positive():
    return torch.tensor([0.001, 0.2, 1.5, 50.0], dtype=torch.float64, requires_grad=True)


def test_elementwise():
    for f in (torch.exp, torch.tanh, torch.sigmoid, torch.abs):
        assert gradcheck(f, (numbers(2, 3),))
        assert gradgradcheck(f, (numbers(2, 3),))


def test_positive():
    for f in (torch.sqrt, torch.log):
        assert gradcheck(f, (positive(),))


def test_two_inputs():
    for f in (torch.mul, torch.div):
        assert gradcheck(f, (numbers(2, 3), numbers(3)))


def test_kink():
    x = torch.tensor([0.0, -2.0], dtype=torch.float64, requires_grad=True)
    x.abs().sum().backward()
    assert x.grad.tolist() == [0, -1]


def test_equal_numbers():
    x = numbers(3)
    assert gradcheck(torch.div, (x, x.detach().clone().requires_grad_()))


def test_sizes():
    assert gradcheck(lambda x: x.sum(1), (numbers(2, 1),))
    for sizes in ((2, 3, 1), (0, 3, 4), (2, 0, 4)):
        m, n, k = sizes
        assert gradcheck(torch.mm, (numbers(m, n), numbers(n, k)))


def test_sums():
    assert gradcheck(lambda x: x.sum(1), (numbers(2, 3),))
    assert gradcheck(lambda x: x.cumsum(1), (numbers(2, 3),))


def test_products():
    for complex in (False, True):
        assert gradcheck(torch.mm, (numbers(2, 3, complex=complex), numbers(3, 4, complex=complex)))


def test_in_place():
    x = numbers(3)
    y = x * 1
    y.copy_(torch.ones(3))
    y.sum().backward()
    assert not x.grad.any()


def test_overwritten():
    y = torch.tanh(numbers(3))
    y.add_(1)
    try:
        y.sum().backward()
    except RuntimeError:
        return
    raise AssertionError("the backward pass uses numbers that are no longer those of the forward pass")
