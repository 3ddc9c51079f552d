"""Programs with rounds that are alike: each returns a loss that was computed in a recording."""

import minigrad as torch
from minigrad import viz
from minigrad.nn import functional as F
from tests.viz.test_program import GPT, Block

__all__ = ["PROGRAMS", "random_loop", "run_random_loop"]


def cell(n=24):
    W, U = torch.randn(3, 3, requires_grad=True), torch.randn(2, 3, requires_grad=True)
    b, x, h = torch.zeros(3, requires_grad=True), torch.randn(n, 4, 2), torch.zeros(4, 3)
    with viz.recording():
        for k in range(n):
            z = x[k] @ U + h @ W + b
            h = torch.tanh(z)
        loss = (h * h).sum()
    return loss


def outputs(n=20):
    W, U = torch.randn(3, 3, requires_grad=True), torch.randn(2, 3, requires_grad=True)
    x, h, y = torch.randn(n, 4, 2), torch.zeros(4, 3), torch.randn(n, 4, 3)
    with viz.recording():
        all_h = []
        for x_t in x:
            h = torch.tanh(x_t @ U + h @ W)
            all_h.append(h)
        loss = ((torch.stack(all_h) - y) ** 2).mean()
    return loss


def a_loss_each_round(n=20):
    W, h, y = torch.randn(3, 3, requires_grad=True), torch.zeros(4, 3), torch.randn(n, 4, 3)
    with viz.recording():
        loss = 0
        for k in range(n):
            h = torch.tanh(h @ W + 1)
            loss = loss + ((h - y[k]) ** 2).sum()
    return loss


def gradient_descent(n=20):
    A, y = torch.randn(5, 3), torch.randn(5)
    w, rate = torch.zeros(3, requires_grad=True), torch.tensor(0.01, requires_grad=True)
    with viz.recording():
        for _ in range(n):
            r = A @ w - y
            g, = torch.autograd.grad((r * r).sum(), w, create_graph=True)
            w = w - rate * g
        loss = ((A @ w - y) ** 2).sum()
    return loss


def two_before(n=20):
    a, b = torch.tensor([1.], requires_grad=True), torch.tensor([0.9], requires_grad=True)
    with viz.recording():
        for _ in range(n):
            a, b = b, 0.5 * a + b.sin()
        loss = (a * b).sum()
    return loss


def layers(n=12):
    model = torch.nn.Sequential(*[each for _ in range(n) for each in (torch.nn.Linear(4, 4), torch.nn.Tanh())],
                                torch.nn.Linear(4, 1))
    x = torch.randn(6, 4)
    with viz.recording():
        loss = (model(x) ** 2).mean()
    return loss


def euler(n=30):
    k, x, dt = torch.tensor(1.5, requires_grad=True), torch.tensor([1., 0.], requires_grad=True), 0.05
    with viz.recording():
        p, v = x[0], x[1]
        for _ in range(n):
            a = -k * p
            p = p + dt * v
            v = v + dt * a
        loss = p * p
    return loss


def transformer(n=4):
    model = GPT()
    model.blocks = torch.nn.ModuleList([Block(8) for _ in range(n)])
    tokens, t = torch.randint(0, 11, (2, 6)), torch.randint(0, 11, (12,))
    with viz.recording():
        loss = F.cross_entropy(model(tokens).reshape(-1, 11), t)
    return loss


PROGRAMS = [cell, outputs, a_loss_each_round, gradient_descent, two_before, layers, euler, transformer]


# ------------------------------------------------------------------------------ random loops

EXPRESSIONS = ["torch.sin({p})", "{p} * {q}", "{p} + 0.5 * {q}", "{p} - {q} * {w}", "torch.tanh({p} * {w})",
               "{p} * x[k]", "{q} + each[k] * {p}", "{p} * x[n - 1 - k] + {w}", "torch.maximum({p}, {q})",
               "{p} + {p}.sum()", "torch.cos({p} + x[2 * k])"]


def random_loop(random):
    """The text of a program with a loop: some names are carried, some shared, some are another in each round."""
    names = ["a", "b", "c"]
    lines = ["all_of_them = []", f"for k in range({random.randrange(3, 7)}):"]
    for _ in range(random.randrange(1, 5)):
        p, q, target = [random.choice(names) for _ in range(3)]
        w = random.choice(["w", "v", "0.5", "start"])
        expression = random.choice(EXPRESSIONS).format(p=p, q=q, w=w)
        if random.random() < 0.15:
            expression = f"(1 * ({expression})).mul_({w})"
        other = random.choice(names)
        if other != target and random.random() < 0.25:
            lines.append(f"    {other}, {target} = {target}, {expression}")
        else:
            lines.append(f"    {target} = {expression}")
    if random.random() < 0.4:
        lines.append(f"    all_of_them.append({random.choice(names)})")
    lines.insert(random.choice([1, len(lines)]), "a = a * w")
    end = random.choice(["sum(all_of_them, a).sum()", "(torch.stack([*all_of_them, a]) * b).sum()",
                         "(a * b + c).sum()"])
    return "\n".join([*lines, f"loss = {end}"])


def run_random_loop(text):
    """The loss of a random loop, in a recording."""
    drawn = torch.Generator().manual_seed(len(text))

    def leaf(*shape):
        return torch.randn(*shape, generator=drawn, dtype=torch.float64).requires_grad_()

    start = leaf(3)
    names = {"torch": torch, "n": 7, "a": start, "b": torch.ones(3, dtype=torch.float64), "c": leaf(3), "w": leaf(3),
             "v": leaf(3), "start": start, "x": leaf(16, 3), "each": [leaf(3) for _ in range(7)]}
    with viz.recording():
        exec(text, names)
    return names["loss"]
