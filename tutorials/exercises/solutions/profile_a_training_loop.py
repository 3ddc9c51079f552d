"""Solutions of the exercises of "Profile a training loop, and make it faster"."""

# %% Solution: Count the calls
import minigrad as torch


def calls(function):
    with torch.autograd.profiler.profile() as prof:
        function()
    averages = prof.key_averages()
    return {each.key: each.count for each in averages if "Backward" not in each.key and "::" not in each.key}


# %% Solution: All points at once
import minigrad as torch


def slow(points, centres, weights):
    rows = []
    for point in points:
        rows.append(torch.stack([(weights * (point - centre) ** 2).sum() for centre in centres]))
    return torch.stack(rows)


def fast(points, centres, weights):
    return (weights * (points[:, None] - centres) ** 2).sum(2)


# %% Solution: A step without waste
import minigrad as torch


@torch.no_grad()
def step(parameters, rate):
    for p in parameters:
        p.add_(p.grad, alpha=-rate)


# %% Project: 1
import minigrad as torch
from minigrad.autograd.profiler import profile

nn = torch.nn
network = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))


def share_of_products(images):
    """The median over nine steps, and the products of a step."""
    x, labels, shares = torch.randn(images, 64), torch.randint(10, (images,)), []
    for _ in range(9):
        network.zero_grad()
        with profile() as prof:
            nn.functional.cross_entropy(network(x), labels).backward()
        products = [event for event in prof.function_events if event.name in ("mm", "addmm")]
        shares.append(sum(event.self_cpu_time_total for event in products) / prof.self_cpu_time_total)
    return sorted(shares)[4], [event.name for event in products]


few, products = share_of_products(32)
many, same = share_of_products(1024)
assert products == same == ["addmm"] * 2 + ["mm"] * 3
assert few < many and many > 0.5


# %% Project: 2
import minigrad as torch
from minigrad.autograd.profiler import profile, record_function

x = torch.linspace(-3, 3, 100)[:, None]
W1, b1, W2, b2 = (torch.randn(shape, requires_grad=True) for shape in ((1, 16), 16, (16, 1), 1))


def network(x):
    with record_function("first"):
        hidden = torch.tanh(x @ W1 + b1)
    with record_function("second"):
        return hidden @ W2 + b2


def label_of(event):
    while event.cpu_parent is not None:
        event = event.cpu_parent
    return event.name


with profile() as prof:
    network(x).square().mean().backward()
layers, nodes = {}, {"first": [], "second": []}
for event in prof.function_events:
    if event.scope == 0 and event.sequence_nr > 0 and label_of(event) in nodes:
        layers[event.sequence_nr] = label_of(event)
for event in prof.function_events:
    if event.scope == 1 and event.sequence_nr in layers:
        nodes[layers[event.sequence_nr]].append(event.name)
assert nodes == {"first": ["TanhBackward0", "AddBackward0", "MmBackward0"], "second": ["AddBackward0", "MmBackward0"]}
