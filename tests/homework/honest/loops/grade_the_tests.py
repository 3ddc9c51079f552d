# minigrad homework: grade_the_tests
"""Tests of derivatives: finite differences, written out, at points of all sizes and signs."""

import minigrad as torch


def gradient(f, inputs, d):
    leaves = [t.detach().clone().requires_grad_() for t in inputs]
    (f(*leaves) * d).sum().real.backward()
    return [leaf.grad for leaf in leaves]


def compare(f, inputs, name, tolerance=1e-5):
    """The gradient of the real part of sum(d * f), entry by entry, and for complex entries in both directions."""
    generator = torch.Generator().manual_seed(4)
    y = f(*inputs)
    d = torch.randn(y.shape, generator=generator, dtype=torch.float64).to(y.dtype)
    if y.is_complex():
        d = d + 1j * torch.randn(y.shape, generator=generator, dtype=torch.float64)
    found = gradient(f, inputs, d)

    def loss(which, index, step):
        moved = [t.clone() for t in inputs]
        moved[which][index] = moved[which][index] + step
        return (f(*moved) * d).sum().real.item()

    for which, t in enumerate(inputs):
        for flat in range(t.numel()):
            index, rest = [], flat
            for n in reversed(t.shape):
                index.insert(0, rest % n)
                rest //= n
            index = tuple(index)
            size = abs(t[index].item())
            h = 1e-5 * size if size > 0 else 1e-5
            slope = (loss(which, index, h) - loss(which, index, -h)) / (2 * h)
            got = found[which][index].item()
            expected = slope
            if t.is_complex():
                slope_i = (loss(which, index, 1j * h) - loss(which, index, -1j * h)) / (2 * h)
                expected = complex(slope, slope_i)
            error = abs(got - expected)
            what = f"{name}, input {which} at {index}: {got}, not {expected}"
            assert error <= tolerance * max(abs(expected), 1e-6), what


def real(*numbers):
    return torch.tensor(list(numbers), dtype=torch.float64)


SOME = (-2.5, -0.9, -0.2, 0.3, 1.1, 2.2)
POSITIVE = (1e-10, 1e-6, 1e-3, 0.05, 0.5, 1.0, 3.0, 40.0, 1e3, 1e6, 1e10)


def test_pointwise():
    for name in ("exp", "tanh", "sigmoid", "abs"):
        for number in SOME:
            compare(getattr(torch, name), [real(number)], f"{name}({number})")


def test_roots_and_logarithms():
    for name in ("sqrt", "log"):
        for number in POSITIVE:
            compare(getattr(torch, name), [real(number)], f"{name}({number})")


def test_large_and_small():
    for number in (-30.0, -8.0, -1e-4, 1e-4, 8.0, 30.0):
        compare(torch.exp, [real(number)], f"exp({number})", 1e-4)
        compare(torch.abs, [real(number)], f"abs({number})")


def test_pairs():
    for a in (-3.0, 0.4, 2.0):
        for b in (-1.5, 0.7, 5.0):
            compare(lambda x, y: x * y, [real(a), real(b)], f"{a} * {b}")
            compare(lambda x, y: x / y, [real(a), real(b)], f"{a} / {b}")


def test_complex():
    for a in (0.5 + 0.8j, -0.7 + 0.3j, 0.2 - 1.1j):
        z = torch.tensor([a], dtype=torch.complex128)
        w = torch.tensor([1.5 - 0.4j], dtype=torch.complex128)
        for name in ("exp", "tanh", "sigmoid", "sqrt", "log", "abs"):
            compare(getattr(torch, name), [z], f"{name}({a})")
        compare(lambda x, y: x * y, [z, w], f"{a} * w")
        compare(lambda x, y: x / y, [z, w], f"{a} / w")


def random(*shape, complex=False):
    generator = torch.Generator().manual_seed(sum(shape))
    re = torch.randn(*shape, generator=generator, dtype=torch.float64)
    return re + 1j * torch.randn(*shape, generator=generator, dtype=torch.float64) if complex else re


def test_mm():
    for is_complex in (False, True):
        a, b = random(2, 3, complex=is_complex), random(3, 4, complex=is_complex)
        compare(torch.mm, [a, b], "mm")


def test_sums():
    x = random(2, 3, 2)
    for dims in (0, 1, 2, (0, 1), (0, 2), (1, 2), (0, 1, 2)):
        for keep in (False, True):
            compare(lambda t: t.sum(dims, keepdim=keep), [x], f"sum {dims} {keep}")
    compare(lambda t: t.sum(), [x], "sum")
    for dim in range(3):
        compare(lambda t: t.cumsum(dim), [x], f"cumsum {dim}")


def test_second_derivatives():
    for name in ("exp", "tanh", "sigmoid", "sqrt", "log"):
        f = getattr(torch, name)
        for number in (0.2, 0.8, 1.5):

            def slope(t):
                leaf = t if t.requires_grad else t.detach().clone().requires_grad_()
                (g,) = torch.autograd.grad(f(leaf).sum(), leaf, create_graph=True)
                return g

            x = real(number).requires_grad_()
            (second,) = torch.autograd.grad(slope(x).sum(), x)
            h = 1e-5
            expected = (slope(real(number + h)) - slope(real(number - h))).item() / (2 * h)
            assert abs(second.item() - expected) < 1e-5 * max(1, abs(expected)), f"{name}'' at {number}"


def test_kink():
    for number, slope in ((-2.0, -1.0), (0.0, 0.0), (3.0, 1.0)):
        (got,) = gradient(torch.abs, [real(number)], real(1.0))
        assert got.item() == slope, f"abs at {number}: {got.item()}, not {slope}"


def test_equal_numbers():
    for number in SOME:
        compare(lambda x, y: x / y, [real(number), real(number)], f"{number} / {number}")


def test_small_shapes():
    for shape in ((1, 3), (3, 1), (1, 1), (2, 1, 3)):
        for dim in range(len(shape)):
            compare(lambda t: t.sum(dim), [random(*shape)], f"sum of {shape} over {dim}")
    for n in (0, 1, 2):
        for m in (0, 1, 3):
            for k in (0, 1, 2):
                compare(torch.mm, [random(n, m), random(m, k)], f"mm of {n}, {m}, {k}")


def test_writes():
    for start in (0, 1, 2):
        x = real(1.0, 2.0, 3.0).requires_grad_()
        y = x * 1
        y[start:].copy_(real(5.0).expand(3 - start))
        y.sum().backward()
        for place in range(3):
            kept = 1.0 if place < start else 0.0
            assert x.grad[place].item() == kept, f"entry {place}, where all from {start} on are overwritten"


def test_saved_and_overwritten():
    for name in ("exp", "tanh", "sigmoid", "sqrt"):
        for number in (0.3, 0.9):
            x = real(number).requires_grad_()
            y = getattr(torch, name)(x)
            y += 1
            refused = False
            try:
                y.backward()
            except RuntimeError:
                refused = True
            assert refused, f"the result of {name} is overwritten, and the gradient is {x.grad}"


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name, "passes")
