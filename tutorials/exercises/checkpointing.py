"""Exercises of "Checkpointing: memory for time"."""

# %% Exercise: Leave out the last one
# The last segment is computed again immediately after its forward pass, so its checkpoint saves nothing. ``run`` calls
# the layers one after the other, ``length`` at a time, with ``checkpoint`` around every segment except the last.

# %% Starter
import minigrad as torch


def checkpoint(segment, h):
    return torch.utils.checkpoint.checkpoint(segment, h, use_reentrant=False)


def run(layers, length, h):
    for layer in layers:
        h = layer(h)
    return h


# %% Check
torch.manual_seed(0)
weights = [torch.randn(4, 4, requires_grad=True) for _ in range(7)]
calls = []


def layer_of(number):
    def layer(h):
        calls.append(number)
        return torch.tanh(h @ weights[number])
    return layer


layers, data = [layer_of(number) for number in range(7)], torch.randn(3, 4)
wanted = data
for layer in layers:
    wanted = layer(wanted)
gradients = torch.autograd.grad(wanted.sum(), weights)
for length, plain in ((3, 1), (2, 1), (7, 7), (4, 3)):
    calls.clear()
    result = run(layers, length, data)
    assert result is not None and torch.equal(result, wanted), f"In segments of {length} the result is wrong."
    assert calls == list(range(7)), f"In segments of {length} the forward pass ran the layers {calls}."
    found = torch.autograd.grad(result.sum(), weights)
    assert all(map(torch.equal, found, gradients)), f"In segments of {length} the gradients are wrong."
    again = 7 - plain
    assert len(calls) != 14, f"In segments of {length} all layers ran twice: the last segment needs no checkpoint."
    assert len(calls) == 7 + again, (
        f"In segments of {length}, {again} layers should run again in backward; {len(calls) - 7} did.")

# %% Hint
# ``layers[i:i + length]`` is a segment, and it is the last one if ``i + length >= len(layers)``.

# %% Hint
# A function made in a loop must get its segment as a default argument: ``lambda h, part=part: ...``. When it runs
# again, the loop has moved on.


# %% Exercise: Several inputs
# Let ``Checkpoint.apply(segment, *inputs)`` take several tensors. ``backward`` must return a gradient for each, and
# ``None`` for the segment and for every input that does not require grad.

# %% Starter
import minigrad as torch


class Checkpoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, segment, *inputs):
        ctx.segment = segment
        ctx.save_for_backward(*inputs)
        return segment(*inputs)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        return None, gradient


# %% Check
torch.manual_seed(0)
runs = 0


def segment(a, b, c):
    global runs
    runs += 1
    return torch.sin(a @ b) * c


def inputs(*flags):
    torch.manual_seed(1)
    return [torch.randn(3, 3, requires_grad=flag) for flag in flags]


for flags in (True, True, True), (True, False, True), (False, False, True):
    plain, mine = inputs(*flags), inputs(*flags)
    segment(*plain).sum().backward()
    runs = 0
    result = Checkpoint.apply(segment, *mine)
    try:
        result.sum().backward()
    except RuntimeError as problem:
        raise AssertionError(f"With requires_grad {flags} backward fails: {problem}") from None
    assert runs == 2, f"The segment should run once in each direction; it ran {runs} times."
    for number, (one, other) in enumerate(zip(mine, plain)):
        if other.grad is None:
            assert one.grad is None, f"Input {number} requires no grad, and has got one."
        else:
            assert one.grad is not None, f"With requires_grad {flags}, input {number} has no gradient."
            assert torch.equal(one.grad, other.grad), f"With requires_grad {flags}, gradient {number} is wrong."

seen = []


class Watching(Checkpoint):
    @staticmethod
    def backward(ctx, gradient):
        seen.append(Checkpoint.backward(ctx, gradient))
        return seen[-1]


Watching.apply(segment, *inputs(True, False, True)).sum().backward()
assert len(seen[0]) == 4, f"backward must return 4 values, for the segment and 3 inputs, not {len(seen[0])}."
assert seen[0][0] is None and seen[0][2] is None, "Return None for the segment, and for what requires no grad."

# %% Hint
# ``h.detach().requires_grad_(h.requires_grad)`` makes a leaf that requires grad only if ``h`` does.


# %% Exercise: Notice a weight that has changed
# The Function of the page computes the segment again with the weights of *now*. Take the weights as further inputs, so
# that autograd can watch them: a write to one of them before ``backward`` must raise. Their gradients are returned, and
# no longer written into ``.grad``.

# %% Starter
import minigrad as torch


class Careful(torch.autograd.Function):
    @staticmethod
    def forward(ctx, segment, h, *weights):
        ctx.run, ctx.count = lambda h: segment(h, *weights), len(weights)
        ctx.save_for_backward(h)
        return segment(h, *weights)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        (h,) = ctx.saved_tensors
        h = h.detach().requires_grad_()
        with torch.enable_grad():
            result = ctx.run(h)
        torch.autograd.backward(result, gradient)
        return None, h.grad, *[None] * ctx.count


# %% Check
torch.manual_seed(0)
data = torch.randn(3, 4)


def segment(h, first, second):
    return torch.tanh(torch.tanh(h @ first) @ second)


def fresh():
    torch.manual_seed(1)
    return torch.randn(4, 4, requires_grad=True), torch.randn(4, 2, requires_grad=True)


weights = fresh()
segment(data, *weights).sum().backward()
mine = fresh()
result = Careful.apply(segment, data, *mine)
assert result.requires_grad, "The data require no grad, but the weights do."
by_name = torch.autograd.grad(result.sum(), mine, allow_unused=True)
assert all(g is not None for g in by_name), "backward returns no gradients for the weights."
assert all(map(torch.equal, by_name, [w.grad for w in weights])), "The gradients of the weights are wrong."
assert all(w.grad is None for w in mine), "The inner pass has written into .grad: differentiate copies of the weights."
for number in (0, 1):
    changed = fresh()
    result = Careful.apply(segment, data, *changed)
    with torch.no_grad():
        changed[number].mul_(2)
    try:
        result.sum().backward()
    except RuntimeError:
        continue
    raise AssertionError(f"Weight {number} was written to before backward, and there is no error.")

# %% Hint
# What ``save_for_backward`` keeps is watched: reading ``ctx.saved_tensors`` raises if one of them was written to.

# %% Hint
# ``torch.autograd.grad(result, [h, *weights], gradient)`` on detached copies gives all gradients, and touches no
# ``.grad``.


# %% Project: 1
# 10 points: 4 for the lengths, 3 for the formula, 3 for a measurement that agrees up to a few arrays. With outer
# segments of :math:`k` layers, cut into inner ones of :math:`m`, there are :math:`n/k + k/m + m` arrays: fewest for
# :math:`m = \sqrt[3]{n}` and :math:`k = m^2`, which makes :math:`3 \sqrt[3]{n}`. For 1000 layers that is 30, where two
# levels need 64.


# %% Project: 2
# 10 points: 4 for a function that gives the memory of any cuts, 4 for good cuts, 2 for the rule behind them. The memory
# is that of the kept inputs and of the largest segment, in numbers for each row. For 64 layers whose widths grow by the
# same factor from 8 to 512 it is 7,898 without cuts. Segments of 6 layers, the best equal ones, need 3,192; the best
# cuts of all need about 2,680, with six segments whose lengths fall from 25 to 3. All but the first hold about the
# same, some 1,500 numbers for each row. So early segments are long and late ones short. The usual mistake is to count
# layers where the arrays differ: equally long segments save little where most of the memory is.


# %% Project: 3
# 10 points: 4 for ``pack`` and ``unpack``, 3 for recording the segment again only once, 3 for the test. The second run
# is made under another pair of hooks, whose ``pack`` puts each tensor into a list; the number is the place in the list.
# Gradients agree with the plain run to the last bit, each segment runs twice, and after the forward pass the graph
# keeps no array but the inputs. The input need not require grad, and ``torch.autograd.grad`` works for the weights:
# both fail with the Function of this page. The usual mistakes are to run the segment once for each ``unpack``, and to
# let the first pair of hooks see the second run, which only makes more numbers.
