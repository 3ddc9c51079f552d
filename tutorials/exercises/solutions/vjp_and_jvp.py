"""Solutions of the exercises of "vjp and jvp"."""

# %% Solution: The slope in a direction
import minigrad as torch


def slope_along(f, x, direction):
    _, slope = torch.autograd.functional.jvp(f, x, direction / direction.norm())
    return slope


# %% Solution: A product with two Jacobians
import minigrad as torch


def gauss_newton_product(f, x, p):
    _, u = torch.autograd.functional.jvp(f, x, p)
    _, product = torch.autograd.functional.vjp(f, x, u)
    return product


# %% Solution: Functions made in a loop
import minigrad as torch


def powers(n):
    return [lambda x, k=k: x ** k for k in range(1, n + 1)]


def slopes(n, x):
    return [torch.autograd.functional.vjp(f, x)[1].item() for f in powers(n)]


# %% Project: 1
import math

import minigrad as torch

lengths = torch.tensor([1.0, 0.8, 0.4], dtype=torch.float64)
angles = torch.tensor([0.4, 0.7, -0.5], dtype=torch.float64)
products = 0


def hand(angles):
    directions = angles.cumsum(0)
    return torch.stack([(lengths * directions.cos()).sum(), (lengths * directions.sin()).sum()])


def speeds(x, v):
    """The shortest with J speeds = v."""
    global products
    _, pull = torch.func.vjp(hand, x)
    u, r, p = torch.zeros_like(v), v, v
    while r.norm() > 1e-10 * v.norm():
        JJp = torch.func.jvp(hand, (x,), pull(p))[1]
        products += 1
        length, old = (r @ r) / (p @ JJp), r
        u, r = u + length * p, r - length * JJp
        p = r + (r @ r) / (old @ old) * p
    return pull(u)[0]


def follow(steps, correct):
    """The greatest distance from the circle, and the angles at the end."""
    x, farthest = angles, 0.0
    centre = hand(x) - torch.tensor([0.3, 0.0], dtype=torch.float64)
    for i in range(steps):
        around = torch.tensor([math.cos(2 * math.pi * i / steps), math.sin(2 * math.pi * i / steps)],
                              dtype=torch.float64)
        astray = centre + 0.3 * around - hand(x)
        farthest = max(farthest, astray.norm().item())
        v = 0.6 * math.pi * torch.stack([-around[1], around[0]]) + (steps * astray if correct else 0)
        x = x + speeds(x, v) / steps
    return farthest, x


assert 0.011 < follow(200, False)[0] < 0.013 and products == 2 * 200
assert 0.0055 < follow(400, False)[0] < 0.0065
farthest, x = follow(200, True)
assert farthest < 0.0002 and (hand(x) - hand(angles)).norm() < 1e-4
assert 0.08 < (x - angles).abs().max() < 0.09


# %% Project: 2
import minigrad as torch

torch.manual_seed(0)
network = torch.nn.Sequential(torch.nn.Linear(20, 50), torch.nn.Tanh(), torch.nn.Linear(50, 20)).double()
x = torch.randn(20, dtype=torch.float64)
v = torch.randn(20, dtype=torch.float64)
largest, second = torch.linalg.svdvals(torch.func.jacrev(network)(x))[:2].tolist()
_, pull = torch.func.vjp(network, x)
estimates = []
for _ in range(40):
    _, Jv = torch.func.jvp(network, (x,), (v / v.norm(),))
    estimates.append(Jv.norm().item())
    (v,) = pull(Jv)
needed = 2 + max(i for i, estimate in enumerate(estimates) if round(estimate, 3) != 0.593)
assert round(largest, 3) == 0.593 and round(second, 4) == 0.5307 and 14 <= needed <= 16
shrinks = (largest - estimates[30]) / (largest - estimates[29])
assert abs(shrinks - (second / largest) ** 4) < 0.01 and round(shrinks, 2) == 0.64


# %% Project: 3
import minigrad as torch

lengths = torch.tensor([1.0, 0.8, 0.4], dtype=torch.float64)
angles = torch.tensor([0.4, 0.7, -0.5], dtype=torch.float64)
speeds = torch.tensor([0.5, -0.3, 1.0], dtype=torch.float64)


def hand(angles):
    directions = angles.cumsum(0)
    return torch.stack([(lengths * directions.cos()).sum(), (lengths * directions.sin()).sum()])


def velocity(angles):
    return torch.func.jvp(hand, (angles,), (speeds,))[1]


_, forwards = torch.func.jvp(velocity, (angles,), (speeds,))
_, pull = torch.func.vjp(velocity, angles)
backwards = torch.stack([pull(unit)[0] @ speeds for unit in torch.eye(2, dtype=torch.float64)])
turned, turning = angles.cumsum(0), speeds.cumsum(0)
by_hand = -torch.stack([(lengths * turning ** 2 * each).sum() for each in (turned.cos(), turned.sin())])
assert torch.allclose(forwards, by_hand) and torch.allclose(backwards, by_hand)
assert [round(a, 4) for a in by_hand.tolist()] == [-0.7202, -0.4511]
