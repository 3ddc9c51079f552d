# minigrad homework: grade_the_tests
"""Tests of derivatives, with gradcheck and gradgradcheck."""

import minigrad as torch
from minigrad.autograd import gradcheck, gradgradcheck


def leaf(values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype, requires_grad=True)


def noise(*shape, dtype=torch.float64):
    torch.manual_seed(len(shape) + 10)
    return torch.randn(*shape, dtype=dtype).requires_grad_()


def check(f, *inputs):
    assert gradcheck(f, inputs)
    assert gradgradcheck(f, inputs)


def test_smooth_functions():
    x = leaf([[-3.0, -1.2, -0.1], [0.4, 1.0, 2.5]])
    for f in (torch.exp, torch.tanh, torch.sigmoid):
        check(f, x)


def test_smooth_functions_complex():
    z = noise(5, dtype=torch.complex128)
    for f in (torch.exp, torch.tanh, torch.sigmoid, torch.sqrt, torch.log):
        check(f, z)


def test_abs():
    check(torch.abs, leaf([-4.0, -0.5, 0.5, 4.0]))
    assert gradcheck(torch.abs, (noise(4, dtype=torch.complex128),))


def test_two_operands():
    for dtype in (torch.float64, torch.complex128):
        x, y = noise(3, 1, dtype=dtype), noise(1, 3, 4, dtype=dtype)
        check(torch.mul, x, noise(4, dtype=dtype))
        check(torch.mul, x, y)
        check(torch.div, x, y)


def test_mm():
    for dtype in (torch.float64, torch.complex128):
        check(torch.mm, noise(2, 3, dtype=dtype), noise(3, 2, dtype=dtype))


def test_reductions():
    x = noise(2, 3, 2)
    for dim in (0, -1, (0, 2), (1, 2), None):
        for keepdim in (True, False):
            check(lambda t: t.sum(dim, keepdim=keepdim), x)
    for dim in (0, 1, 2):
        check(lambda t: torch.cumsum(t, dim), x)


def _at_many_scales(f, derivative):
    x = torch.logspace(-12, 12, 97, dtype=torch.float64).requires_grad_()
    f(x).sum().backward()
    exact = derivative(x.detach())
    assert torch.allclose(x.grad / exact, torch.ones_like(exact), rtol=1e-9)


def test_sqrt_and_log_at_many_scales():
    _at_many_scales(torch.sqrt, lambda x: 0.5 * x**-0.5)
    _at_many_scales(torch.log, torch.reciprocal)


def test_sqrt_and_log():
    x = leaf([0.3, 1.0, 7.0])
    check(torch.sqrt, x)
    check(torch.log, x)


def test_kink_of_abs():
    x = leaf([-2.0, -0.0, 0.0, 2.0])
    x.abs().sum().backward()
    assert torch.equal(x.grad, torch.tensor([-1.0, 0.0, 0.0, 1.0], dtype=torch.float64))


def test_ties():
    x = noise(6)
    check(torch.div, x, x.detach().clone().requires_grad_())


def test_degenerate_shapes():
    for n, m, k in ((1, 3, 2), (2, 1, 3), (2, 3, 1), (1, 1, 1), (0, 2, 3), (2, 0, 3), (2, 3, 0)):
        assert gradcheck(torch.mm, (noise(n, m), noise(m, k)))
    for shape in ((1, 3), (3, 1), (2, 0), (1,)):
        check(lambda t: t.sum(-1), noise(*shape))


def test_copy_():
    x, source = noise(2, 3), noise(3)
    y = x.clone()
    y[0].copy_(source)
    y.sum().backward()
    assert torch.equal(x.grad, torch.tensor([[0.0] * 3, [1.0] * 3], dtype=torch.float64))
    assert torch.equal(source.grad, torch.ones(3, dtype=torch.float64))


def test_versions_of_saved_results():
    for f in (torch.exp, torch.tanh, torch.sigmoid, torch.sqrt):
        y = f(leaf([0.2, 0.7]))
        y.zero_()
        try:
            y.sum().backward()
        except RuntimeError as failure:
            assert "modified by an inplace operation" in str(failure)
        else:
            raise AssertionError(f"{f} uses a result that was overwritten")
