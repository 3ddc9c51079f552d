"""Solutions of the exercises of "Hooks on tensors and nodes"."""

# %% Solution: Where the nan begins
import minigrad as torch


def first_not_finite(tensors, result):
    found = []

    def look(name, gradient):
        if not gradient.isfinite().all():
            found.append(name)

    handles = [tensor.register_hook(lambda gradient, name=name: look(name, gradient))
               for name, tensor in tensors.items()]
    try:
        result.backward()
    finally:
        for handle in handles:
            handle.remove()
    return found[0] if found else None


# %% Solution: Freeze some rows
import minigrad as torch


def freeze_rows(matrix, rows):
    def hook(gradient):
        gradient = gradient.clone()
        gradient[rows] = 0
        return gradient

    return matrix.register_hook(hook)


# %% Solution: One path, scaled
import minigrad as torch


def scaled_path(x, factor):
    path = x.view_as(x)
    path.register_hook(lambda gradient: factor * gradient)
    return path


# %% Project: 1
import minigrad as torch

torch.manual_seed(0)
parameters = [torch.randn(3, requires_grad=True), torch.randn(2, 2, requires_grad=True)]


def fill():
    for parameter, scale in zip(parameters, (10.0, 0.1)):
        parameter.grad = scale * parameter.detach().clone()


def together(parameters, longest=1.0):
    length = torch.stack([(parameter.grad ** 2).sum() for parameter in parameters]).sum().sqrt()
    for parameter in parameters:
        parameter.grad *= min(1.0, longest / length.item())
    return length


def one_by_one(parameters):
    for parameter in parameters:
        together([parameter])


def clipped(clip):
    fill()
    clip(parameters)
    return torch.cat([parameter.grad.flatten() for parameter in parameters])


whole = clipped(lambda parameters: None)
assert torch.allclose(clipped(together), clipped(lambda all: torch.nn.utils.clip_grad_norm_(all, 1.0)), atol=1e-5)
assert abs(clipped(together).norm().item() - 1) < 1e-5
cosine = torch.nn.functional.cosine_similarity
assert cosine(whole, clipped(together), 0) > 0.99999 > cosine(whole, clipped(one_by_one), 0)


# %% Project: 2
import minigrad as torch

w, called = torch.tensor(2.0, requires_grad=True), []


def step_now(weight):
    called.append(weight.grad.item())
    with torch.no_grad():
        weight -= 0.01 * weight.grad
    weight.grad = None


w.register_post_accumulate_grad_hook(step_now)
y = w * 3 * w
y.backward(retain_graph=True)
assert called == [12.0]
try:
    y.backward(retain_graph=True)
    raised = False
except RuntimeError as problem:
    raised = "modified by an inplace operation" in str(problem)
assert raised


# %% Project: 3
import minigrad as torch

torch.manual_seed(0)
h = torch.randn(32, 64)
for _ in range(20):
    h = torch.tanh(h @ (0.7 / 8 * torch.randn(64, 64)).requires_grad_())
loss = (h * h).mean()

medians, seen, waiting = {}, set(), [loss.grad_fn]
while waiting:
    node = waiting.pop()
    if node is None or node in seen:
        continue
    seen.add(node)
    waiting += [following for following, _ in node.next_functions]
    node.register_prehook(lambda grads, node=node: medians.update({node: grads[0].abs().median().item()}))
loss.backward()

assert len(medians) == len(seen) == 2 + 2 * 20 + 20
by_depth = [median for node, median in medians.items() if node.name() == "TanhBackward0"]
assert len(by_depth) == 20 and 100 < by_depth[0] / by_depth[-1] < 1e5
assert 0.5 < (by_depth[-1] / by_depth[0]) ** (1 / 19) < 0.9


# %% Project: 4
import time

import minigrad as torch

torch.manual_seed(0)
weights = [(torch.randn(400, 400) / 20).requires_grad_() for _ in range(4)]


def clocked():
    """The seconds of a backward pass, and those of its nodes by name."""
    h = torch.randn(200, 400)
    for weight in weights:
        h = torch.tanh(h @ weight)
    loss, begun, spent, handles = h.sum(), {}, {}, []
    seen, waiting = {loss.grad_fn}, [loss.grad_fn]
    while waiting:
        node = waiting.pop()
        name = node.name()

        def before(grads, node=node):
            begun[node] = time.thread_time()

        def after(given, received, node=node, name=name):
            spent[name] = spent.get(name, 0) + time.thread_time() - begun[node]

        handles += [node.register_prehook(before), node.register_hook(after)]
        new = {following for following, _ in node.next_functions} - seen - {None}
        seen |= new
        waiting += new
    start = time.thread_time()
    loss.backward()
    whole = time.thread_time() - start
    for handle in handles:
        handle.remove()
    return whole, spent


clocked()
whole, spent = min((clocked() for _ in range(3)), key=lambda each: each[0])
assert sum(spent.values()) < whole
assert max(spent, key=spent.get) == "MmBackward0" and spent["MmBackward0"] > 0.3 * whole
