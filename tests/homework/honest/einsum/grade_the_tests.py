# minigrad homework: grade_the_tests
"""Tests of derivatives: the Jacobian by hand, contracted with the gradient of the result in an einsum."""

import string

import minigrad as torch
from minigrad import einsum

DOUBLE, COMPLEX = torch.float64, torch.complex128


def randn(*shape, dtype=DOUBLE, seed=8):
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def pull(f, d, *xs, create_graph=False):
    xs = [x.detach().clone().requires_grad_() for x in xs]
    return torch.autograd.grad(f(*xs), xs, d)


def same(a, b):
    torch.testing.assert_close(a, b, rtol=1e-9, atol=0.0)


def diagonal(f, derivative, x):
    """Entry by entry: the Jacobian is diagonal."""
    d = randn(*x.shape, dtype=x.dtype) + 2
    (g,) = pull(f, d, x)
    same(g, einsum("i,i->i", d, derivative(x).conj()))


def second(f, derivative, x):
    x = x.detach().clone().requires_grad_()
    d = (randn(*x.shape) + 3).requires_grad_()
    (g,) = torch.autograd.grad(f(x), x, d, create_graph=True)
    e = randn(*x.shape, seed=21) + 4
    hx, hd = torch.autograd.grad(g, (x, d), e)
    same(hx, einsum("i,i,i->i", d.detach(), e, derivative(x.detach())))


REAL = torch.tensor([-3.0, -1.4, -0.6, -0.05, 0.05, 0.6, 1.4, 3.0], dtype=DOUBLE)
PLANE = einsum("i,j->ij", REAL, torch.tensor([1.0, 0.6 + 0.8j, 1j * 0.7], dtype=COMPLEX).to(COMPLEX).abs()) + 0j
CIRCLE = torch.polar(
    torch.tensor([0.3, 0.8, 1.3, 2.0], dtype=DOUBLE), torch.tensor([0.5, 2.0, -1.0, -2.5], dtype=DOUBLE)
)
SIZES = torch.logspace(-15, 15, 61, dtype=DOUBLE)


def sech2(x):
    return 1 / torch.cosh(x) ** 2


def logistic(x):
    return 1 / (2 + torch.exp(x) + torch.exp(-x))


def test_functions():
    for x in (REAL, CIRCLE):
        diagonal(torch.exp, lambda t: torch.exp(t), x)
        diagonal(torch.tanh, sech2, x)
        diagonal(torch.sigmoid, logistic, x)


def test_functions_of_positive_numbers():
    for x in (SIZES, CIRCLE):
        diagonal(torch.sqrt, lambda t: 0.5 / t**0.5, x)
        diagonal(torch.log, lambda t: 1 / t, x)


def test_abs():
    diagonal(torch.abs, lambda t: t / (t * t) ** 0.5, REAL)


def test_second_derivatives():
    second(torch.exp, torch.exp, REAL)
    second(torch.tanh, lambda t: -2 * torch.sinh(t) / torch.cosh(t) ** 3, REAL)
    half = lambda t: (torch.exp(t / 2) - torch.exp(-t / 2)) / (torch.exp(t / 2) + torch.exp(-t / 2))
    second(torch.sigmoid, lambda t: -logistic(t) * half(t), REAL)
    second(torch.sqrt, lambda t: -0.25 * t**-1.5, SIZES)
    second(torch.log, lambda t: -(t**-2.0), SIZES)


def test_products():
    for dtype in (DOUBLE, COMPLEX):
        a, b, d = randn(3, 4, dtype=dtype), randn(4, dtype=dtype, seed=9) + 3, randn(3, 4, dtype=dtype, seed=10)
        ga, gb = pull(torch.mul, d, a, b)
        same(ga, einsum("ij,j->ij", d, b.conj()))
        same(gb, einsum("ij,ij->j", d, a.conj()))
        ga, gb = pull(torch.div, d, a, b)
        inverse = 1 / b.conj()
        same(ga, einsum("ij,j->ij", d, inverse))
        same(gb, einsum("ij,ij,j,j->j", -d, a.conj(), inverse, inverse))


def test_mm():
    for dtype in (DOUBLE, COMPLEX):
        a, b, d = randn(3, 4, dtype=dtype), randn(4, 2, dtype=dtype, seed=9), randn(3, 2, dtype=dtype, seed=10)
        ga, gb = pull(torch.mm, d, a, b)
        same(ga, einsum("ik,jk->ij", d, b.conj()))
        same(gb, einsum("ij,ik->jk", a.conj(), d))


def test_sums():
    x = randn(2, 3, 4)
    letters = string.ascii_lowercase[:3]
    for kept in ("", "a", "b", "c", "ab", "ac", "bc"):
        dims = tuple(i for i, letter in enumerate(letters) if letter not in kept)
        d = randn(*(x.shape[letters.index(letter)] for letter in kept))
        (g,) = pull(lambda t: torch.sum(t, dims), d, x)
        same(g, einsum(f"{kept},abc->abc", d, torch.ones_like(x)))


def test_cumsum():
    x, d = randn(3, 5), randn(3, 5, seed=77)
    same(pull(lambda t: t.cumsum(1), d, x)[0], einsum("ij,jk->ik", d, torch.tril(torch.ones(5, 5, dtype=DOUBLE))))
    same(pull(lambda t: t.cumsum(0), d, x)[0], einsum("ij,ik->kj", d, torch.tril(torch.ones(3, 3, dtype=DOUBLE))))


def test_kink():
    x = torch.tensor([-0.5, 0.0, 0.5], dtype=DOUBLE)
    same(pull(torch.abs, torch.ones(3, dtype=DOUBLE), x)[0], torch.tensor([-1.0, 0.0, 1.0], dtype=DOUBLE))


def test_quotient_of_equals():
    x, d = REAL, randn(len(REAL))
    same(pull(torch.div, d, x, x)[1], einsum("i,i->i", -d, 1 / x))


def test_thin_and_empty():
    for n, m, k in ((1, 2, 3), (3, 1, 2), (2, 3, 1), (0, 2, 3), (2, 3, 0)):
        a, b, d = randn(n, m), randn(m, k, seed=9), randn(n, k, seed=10)
        ga, gb = pull(torch.mm, d, a, b)
        same(ga, einsum("ik,jk->ij", d, b))
        same(gb, einsum("ij,ik->jk", a, d))
    for shape in ((1, 4), (4, 1)):
        d = randn(shape[1])
        same(pull(lambda t: t.sum(0), d, randn(*shape))[0], einsum("b,ab->ab", d, torch.ones(shape, dtype=DOUBLE)))


def test_written_over():
    d = randn(2, 3)
    mask = torch.tensor([0.0, 1.0], dtype=DOUBLE)

    def first_row_replaced(x, row):
        y = x.clone()
        y[0].copy_(row)
        return y

    gx, grow = pull(first_row_replaced, d, randn(2, 3), randn(3, seed=9))
    same(gx, einsum("ab,a->ab", d, mask))
    same(grow, einsum("ab,a->b", d, 1 - mask))


def test_results_that_are_gone():
    for f in (torch.exp, torch.tanh, torch.sigmoid, torch.sqrt):
        y = f(einsum("i,i->i", SIZES[30:33], SIZES[28:31]).requires_grad_())
        y.fill_(1.0)
        try:
            y.sum().backward()
        except RuntimeError:
            continue
        raise AssertionError("a gradient from numbers that were overwritten")
