"""Solutions of the exercises of "Hessian-vector products"."""

# %% Solution: The function once, the product often
import minigrad as torch


def linearized(f, w):
    return torch.func.linearize(torch.func.grad(f), w)


# %% Solution: The diagonal, by products
import minigrad as torch


def diagonal(f, w, count):
    total = torch.zeros_like(w)
    for _ in range(count):
        v = (2 * torch.randint(0, 2, w.shape) - 1).to(w.dtype)
        total += v * torch.autograd.functional.vhp(f, w, v)[1]
    return total / count


# %% Solution: A curvature that is never negative
import minigrad as torch


def gauss_newton(f, loss, p, v):
    z, Jv = torch.func.jvp(f, (p,), (v,))
    _, BJv = torch.func.jvp(torch.func.grad(loss), (z,), (Jv,))
    _, times_J_transposed = torch.func.vjp(f, p)
    return times_J_transposed(BJv)[0]


# %% Project: 1
import math

from sklearn.datasets import load_digits

import minigrad as torch

digits, penalty = load_digits(), 1e-4
X = torch.tensor(digits.images.reshape(-1, 64) / 16)
X = torch.cat([X, torch.ones(1797, 1, dtype=torch.float64)], 1)
labels = torch.tensor(digits.target)


def loss(w):
    return torch.nn.functional.cross_entropy(X @ w.reshape(65, 10), labels) + penalty / 2 * (w @ w)


def probabilities(w):
    return torch.softmax(X @ w.reshape(65, 10), 1)


def gradient(w):
    return (X.T @ (probabilities(w) - torch.nn.functional.one_hot(labels, 10)) / 1797).reshape(-1) + penalty * w


def product(w, v):
    return torch.autograd.functional.vhp(loss, w, v)[1]


def diagonal(w):
    P = probabilities(w)
    return (X.square().T @ (P * (1 - P)) / 1797).reshape(-1) + penalty


def solve(w, b, tolerance, scaled):
    """Conjugate gradients for D^(-1/2) H D^(-1/2) y = D^(-1/2) b; s is D^(-1/2) y, and the residual D^(1/2) r."""
    root = diagonal(w).sqrt() if scaled else torch.ones_like(w)
    y, products = torch.zeros_like(w), 0
    r = p = b / root
    while (r * root).norm() > tolerance:
        Hp = product(w, p / root) / root
        products += 1
        length, old = (r @ r) / (p @ Hp), r
        y, r = y + length * p, r - length * Hp
        p = r + (r @ r) / (old @ old) * p
    return y / root, products


def newton(scaled):
    w, total = torch.zeros(650, dtype=torch.float64), 0
    while (norm := gradient(w).norm()) >= 1e-8:
        g = gradient(w)
        s, products = solve(w, -g, min(0.5, math.sqrt(norm)) * norm, scaled)
        total, length = total + products, 1.0
        while loss(w + length * s) > loss(w) + 1e-4 * length * (g @ s):
            length /= 2
        w = w + length * s
    return w, total


def hessian(w):
    """Block by block: the scores of digits k and l, each with the pixels."""
    P = probabilities(w)
    H = torch.zeros(65, 10, 65, 10, dtype=torch.float64)
    for k in range(10):
        for i in range(10):
            H[:, k, :, i] = X.T @ ((P[:, k] * (int(k == i) - P[:, i]))[:, None] * X) / 1797
    return H.reshape(650, 650) + penalty * torch.eye(650, dtype=torch.float64)


def condition(H):
    eigenvalues = torch.linalg.eigvalsh(H)
    return eigenvalues[-1] / eigenvalues[0]


zero = torch.zeros(650, dtype=torch.float64)
g = gradient(zero)
plain, scaled = (solve(zero, -g, 1e-8 * g.norm(), each)[1] for each in (False, True))
assert 90 <= plain <= 102 and 70 <= scaled <= 80
(best, plain), (_, scaled) = newton(False), newton(True)
assert 175 <= plain <= 215 and 290 <= scaled <= 360
H, root = hessian(best), diagonal(best).sqrt()
assert torch.allclose(H.diagonal(), diagonal(best))
assert 2100 < condition(H) < 2150 and 3250 < condition(H / root / root[:, None]) < 3300


# %% Project: 2
import math

from sklearn.datasets import load_digits

import minigrad as torch

digits, penalty = load_digits(), 1e-4
X = torch.tensor(digits.images.reshape(-1, 64) / 16)
X = torch.cat([X, torch.ones(1797, 1, dtype=torch.float64)], 1)
labels = torch.tensor(digits.target)


def loss(w, some=slice(None)):
    scores = X[some] @ w.reshape(65, 10)
    return torch.nn.functional.cross_entropy(scores, labels[some]) + penalty / 2 * (w @ w)


def after_twenty_steps(anew):
    """The length of the gradient; images are drawn for each step, or anew for each product."""
    torch.manual_seed(0)
    w = torch.zeros(650, dtype=torch.float64)
    for _ in range(20):
        g, some = torch.func.grad(loss)(w), torch.randperm(1797)[:200]
        s, r, p = torch.zeros_like(w), -g, -g
        tolerance = min(0.5, math.sqrt(g.norm())) * g.norm()
        for _ in range(60):
            if anew:
                some = torch.randperm(1797)[:200]
            Hp = torch.autograd.functional.vhp(lambda w: loss(w, some), w, p)[1]
            length, old = (r @ r) / (p @ Hp), r
            s, r = s + length * p, r - length * Hp
            if r.norm() <= tolerance:
                break
            p = r + (r @ r) / (old @ old) * p
        length = 1.0
        while length > 1e-6 and loss(w + length * s) > loss(w) + 1e-4 * length * (g @ s):
            length /= 2
        w = w + length * s
    return torch.func.grad(loss)(w).norm()


assert 0.0005 < after_twenty_steps(anew=False) < 0.006
assert 0.02 < after_twenty_steps(anew=True) < 0.08


# %% Project: 3
import math

from sklearn.datasets import load_digits

import minigrad as torch

digits, penalty = load_digits(), 1e-4
X = torch.tensor(digits.images.reshape(-1, 64) / 16)
X = torch.cat([X, torch.ones(1797, 1, dtype=torch.float64)], 1)
labels = torch.tensor(digits.target)


def loss(w):
    return torch.nn.functional.cross_entropy(X @ w.reshape(65, 10), labels) + penalty / 2 * (w @ w)


def step_in_ball(times_H, g, radius, tolerance):
    s, products = torch.zeros_like(g), 0
    r = p = -g
    while r.norm() > tolerance:
        Hp = times_H(p)
        products += 1
        length, old = (r @ r) / (p @ Hp), r
        if p @ Hp <= 0 or (s + length * p).norm() >= radius:
            a, b, c = p @ p, s @ p, s @ s - radius ** 2
            return s + ((b * b - a * c).sqrt() - b) / a * p, products
        s, r = s + length * p, r - length * Hp
        p = r + (r @ r) / (old @ old) * p
    return s, products


def minimize(w, radius=1.0):
    steps = total = 0
    while (norm := torch.func.grad(loss)(w).norm()) >= 1e-8:
        g, now = torch.func.grad_and_value(loss)(w)

        def times_H(v):
            return torch.autograd.functional.vhp(loss, w, v)[1]

        s, products = step_in_ball(times_H, g, radius, min(0.5, math.sqrt(norm)) * norm)
        share = (now - loss(w + s)) / -(g @ s + s @ times_H(s) / 2)
        if share < 0.25:
            radius /= 4
        elif share > 0.75 and s.norm() > 0.99 * radius:
            radius *= 2
        if share > 0:
            w = w + s
        steps, total = steps + 1, total + products + 1
    return w, steps, total


torch.manual_seed(0)
best, steps, products = minimize(torch.zeros(650, dtype=torch.float64))
assert 10 <= steps <= 12 and 180 <= products <= 220
again, steps, _ = minimize(3 * torch.randn(650, dtype=torch.float64))
assert 15 <= steps <= 25 and torch.allclose(again, best, atol=1e-4)
