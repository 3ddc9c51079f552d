"""Solutions of the exercises of "The table at every order"."""

# %% Solution: Sine and cosine together
import math


def sin_and_cos(x):
    sine, cosine = [math.sin(x[0])], [math.cos(x[0])]
    for k in range(1, len(x)):
        up = sum(j * x[j] * cosine[k - j] for j in range(1, k + 1)) / k
        down = -sum(j * x[j] * sine[k - j] for j in range(1, k + 1)) / k
        sine.append(up)
        cosine.append(down)
    return sine, cosine


# %% Solution: A mixed derivative
import minigrad as torch
from minigrad.func import taylor


def mixed(f, x, v, w):
    along = [taylor(f, x, direction, 2)[2] for direction in (v + w, v, w)]
    return (along[0] - along[1] - along[2]) / 2


# %% Solution: A step of a differential equation
import minigrad as torch
from minigrad.func import jet


def step(f, y, h, order):
    terms = []
    for k in range(order):
        value, rest = jet(f, (y,), (tuple(terms),), factorial_scaled=False)
        terms.append((value, *rest)[k] / (k + 1))
    return y + sum(term * h ** k for k, term in enumerate(terms, start=1))


# %% Project: 1
import minigrad as torch
from minigrad.func import jet


def pendulum(y):
    return torch.stack([y[1], -torch.sin(y[0])])


def terms_of(y, order):
    found = []
    for k in range(order):
        value, rest = jet(pendulum, (y,), (tuple(found),), factorial_scaled=False)
        found.append((value, *rest)[k] / (k + 1))
    return found


def energy(y):
    return (y[1] ** 2 / 2 - torch.cos(y[0])).item()


y = torch.tensor([1.0, 0.0], dtype=torch.float64)
before, order, time, sizes = energy(y), 16, 0.0, []
while time < 7:
    terms = terms_of(y, order)
    h = min([(1e-16 / terms[k - 1].norm().item()) ** (1 / k) for k in (order - 1, order)])
    y = y + sum(term * h ** k for k, term in enumerate(terms, start=1))
    sizes.append(h)
    time += h
assert 10 < len(sizes) < 100 and max(sizes) < 4 * min(sizes) and abs(energy(y) - before) < 1e-13


# %% Project: 2
import minigrad as torch
from minigrad.autograd import profiler
from minigrad.func import jvp, taylor

torch.manual_seed(0)
network = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
x, v = torch.rand(2, 1, 3)


def nested(order):
    function = network
    for _ in range(order):
        function = lambda x, f=function: jvp(f, (x,), (v,))[1]
    return function(x)


def operations(run):
    with profiler.profile() as found:
        run()
    return sum([event.count for event in found.key_averages()])


counts = [operations(lambda: taylor(network, x, v, order)) for order in range(3, 21)]
first = [b - a for a, b in zip(counts, counts[1:])]
second = [b - a for a, b in zip(first, first[1:])]
assert len({*second[3:]}) <= 2 and 0 < second[-1] < 10
assert counts[1] < operations(lambda: nested(4)) and counts[2] < operations(lambda: nested(5)) / 2
