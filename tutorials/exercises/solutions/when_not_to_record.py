"""Solutions of the exercises of "When not to record"."""

# %% Solution: An average that does not leak
import minigrad as torch


class Average:
    def __init__(self):
        self.sum, self.count = torch.tensor(0.0), 0

    def add(self, loss):
        self.sum += loss.detach()
        self.count += 1

    def mean(self):
        return self.sum / self.count


# %% Solution: A network that follows another
import minigrad as torch


@torch.no_grad()
def follow(target, source, rate):
    for t, s in zip(target, source):
        t.lerp_(s, rate)


# %% Solution: Chunks of a long sequence
import minigrad as torch


def chunked(w, xs, size):
    w.grad = None
    state = torch.tensor(0.0)
    for chunk in xs.split(size):
        loss = torch.tensor(0.0)
        for x in chunk:
            state = torch.tanh(w * state + x)
            loss = loss + state ** 2
        loss.backward()
        state.detach_()
    return w.grad


# %% Project: 1
import minigrad as torch

torch.manual_seed(0)
readings = 20 + torch.randn(200)
weight = torch.tensor(0.5, requires_grad=True)


def memory_of(result):
    pieces, seen, waiting = {}, set(), [result.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        waiting.extend(earlier for earlier, _ in node.next_functions)
        for name in dir(node):
            if name.startswith("_saved_") and isinstance(saved := getattr(node, name), torch.Tensor):
                pieces[saved.data_ptr()] = saved
    return sum(saved.nbytes for saved in pieces.values())


def run(recorded):
    total, before = torch.tensor(0.0), readings[0]
    for reading in readings[1:]:
        loss = (before + torch.sigmoid(weight) * (reading - before) - 20) ** 2
        with torch.set_grad_enabled(recorded):
            total = total + loss
        before = reading
    return total, loss


total, _ = run(recorded=True)
unrecorded, last = run(recorded=False)
assert unrecorded.grad_fn is None
assert memory_of(total) == torch.autograd.graph.saved_bytes(total).total == 199 * 12
assert memory_of(last) == 12


# %% Project: 2
import minigrad as torch

source = torch.tensor([1.0, 2.0], requires_grad=True)


def with_no_grad(target):
    with torch.no_grad():
        return 0.99 * target + 0.01 * source


def with_detach(target):
    return 0.99 * target + 0.01 * source.detach()


def with_data(target):
    return 0.99 * target + 0.01 * source.data


def forgotten(target):
    return 0.99 * target + 0.01 * source


def nodes(result):
    seen, waiting = set(), [result.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting += [earlier for earlier, _ in node.next_functions]
    return len(seen)


found, sizes = {}, []
for update in with_no_grad, with_detach, with_data, forgotten:
    target = torch.zeros(2)
    for _ in range(3):
        target = update(target)
        if update is forgotten:
            sizes.append(nodes(target))
    found[update.__name__] = target
assert all(torch.equal(target, found["forgotten"]) for target in found.values())
assert [target.requires_grad for target in found.values()] == [False, False, False, True]
assert sizes == [3, 6, 9]

found["forgotten"].sum().backward()
assert source.grad.abs().min() > 0
target = torch.zeros(2)
assert (0.99 * target.data + 0.01 * source).requires_grad
target.mul_(0.99).add_(0.01 * source)
assert target.requires_grad
target = torch.zeros(2, requires_grad=True)
try:
    target.mul_(0.99)
    raise AssertionError("This must be refused.")
except RuntimeError as problem:
    assert problem.code == "MG105"
