"""Solutions of the exercises of "Why reverse mode costs a small multiple"."""

# %% Solution: Counting paths
def paths(graph, start, end):
    known = {end: 1}
    waiting = [start]
    while waiting:
        place = waiting[-1]
        missing = [after for after in graph[place] if after not in known]
        if place in known:
            waiting.pop()
        elif missing:
            waiting.extend(missing)
        else:
            known[place] = sum(known[after] for after in graph[place])
    return known[start]


# %% Solution: The best order of a product
import functools


def cheapest(shapes):
    @functools.cache
    def best(first, last):
        if first == last:
            return 0
        return min(best(first, split) + best(split + 1, last) + shapes[first][0] * shapes[split][1] * shapes[last][1]
                   for split in range(first, last))

    return best(0, len(shapes) - 1)


# %% Solution: A backward that is cheap enough
import minigrad as torch


def unit_vjp(x, g):
    length = x.norm()
    y = x / length
    return (g - y * (y * g).sum()) / length


# %% Project: 1
import minigrad as torch


class Counted:
    operations = 0

    def __init__(self, value):
        self.value = value

    def result(self, value):
        Counted.operations += 1
        return Counted(value)

    def __add__(self, other):
        return self.result(self.value + other.value)

    def __sub__(self, other):
        return self.result(self.value - other.value)

    def __mul__(self, other):
        return self.result(self.value * other.value)

    def __truediv__(self, other):
        return self.result(self.value / other.value)

    def __neg__(self):
        return self.result(-self.value)


def sub(x, y, z, z_bar, x_bar, y_bar):
    return x_bar + z_bar, y_bar - z_bar


def div(x, y, z, z_bar, x_bar, y_bar):
    t = z_bar / y
    return x_bar + t, y_bar - t * z


def div_by_partials(x, y, z, z_bar, x_bar, y_bar):
    to_x, to_y = Counted(1.0) / y, -(z / y)
    return x_bar + z_bar * to_x, y_bar + z_bar * to_y


quotient = Counted.__truediv__
for back, forward, cost in (sub, Counted.__sub__, 3), (div, quotient, 5), (div_by_partials, quotient, 8):
    Counted.operations = 0
    x, y, z_bar, x_bar, y_bar = map(Counted, (3.0, 2.0, 0.5, 1.0, 4.0))     # both have been reached before
    found = back(x, y, forward(x, y), z_bar, x_bar, y_bar)
    a, b = (torch.tensor(each, requires_grad=True) for each in (3.0, 2.0))
    wanted = torch.autograd.grad(a - b if back is sub else a / b, (a, b), torch.tensor(0.5))
    assert [each.value for each in found] == [1.0 + wanted[0], 4.0 + wanted[1]]
    assert Counted.operations == cost


# %% Project: 2
import minigrad as torch
from minigrad.autograd import profiler

nn = torch.nn
network = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))


def profiled(images):
    x, labels = torch.randn(images, 64), torch.randint(10, (images,))
    network.zero_grad()
    with profiler.profile(with_flops=True) as there:
        loss = nn.functional.cross_entropy(network(x), labels)
    with profiler.profile(with_flops=True) as back:
        loss.backward()
    return [prof.function_events for prof in (there, back)]


def products(events):
    return [event for event in events if event.name in ("mm", "addmm")]


for images in 1, 10, 1000:
    there, back = profiled(images)
    arithmetic = [sum(event.flops for event in products(events)) for events in (there, back)]
    assert [len(products(events)) for events in (there, back)] == [2, 3]
    assert abs(sum(arithmetic) / arithmetic[0] - 2.1) < 0.05
    assert 2 < len(back) / len(there) < 3
