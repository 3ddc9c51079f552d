"""Exercises of "When not to record"."""

# %% Exercise: An average that does not leak
# ``Average`` keeps the mean of the losses it was given. Write ``add`` so that it keeps no graph alive. The sum stays a
# tensor: ``item`` and ``float`` would make a program on a GPU wait for the number, so do without them.

# %% Starter
import minigrad as torch


class Average:
    def __init__(self):
        self.sum, self.count = torch.tensor(0.0), 0

    def add(self, loss):
        ...

    def mean(self):
        return self.sum / self.count


# %% Check
class NoItem(torch.Tensor):
    def item(self, *args):
        raise AssertionError("add must not wait for a number.")

    __float__ = __int__ = __bool__ = tolist = numpy = item


average, w = Average(), torch.tensor(1.0, requires_grad=True)
for number in range(1, 5):
    loss = (w * number) ** 2
    average.add(loss)
    loss.backward()
assert average.count == 4, "add must count what it was given."
assert average.mean().item() == 7.5, f"The mean of 1, 4, 9 and 16 is 7.5, and yours is {average.mean().item()}."
assert average.mean().grad_fn is None, "The mean has a history: the graphs of all losses are alive."
assert w.grad.item() == 60.0, "The losses themselves must stay as they were."
average.add((w * 2).as_subclass(NoItem))

# %% Hint
# ``detach`` returns the same numbers without the history.


# %% Exercise: A network that follows another
# A network is given as the list of its parameters. ``follow(target, source, rate)`` moves every parameter of ``target``
# a little towards that of ``source``: ``target = (1 - rate) * target + rate * source``, in place. The parameters of
# both still require gradients afterwards, and are leaves.

# %% Starter
import minigrad as torch


def follow(target, source, rate):
    ...


# %% Check
torch.manual_seed(0)
source, target = ([torch.randn(3, 2).requires_grad_(), torch.randn(2).requires_grad_()] for _ in range(2))
expected = [0.9 * t.detach() + 0.1 * s.detach() for t, s in zip(target, source)]
places = [p.data_ptr() for p in target]
(torch.ones(1, 3) @ source[0] + source[1]).sum().backward()
follow(target, source, 0.1)
for p, wanted in zip(target, expected):
    assert torch.allclose(p, wanted), "A parameter of the target has not moved a tenth of the way."
    assert p.is_leaf and p.requires_grad, "The target's parameters must stay leaves that require gradients."
assert places == [p.data_ptr() for p in target], "Write in place: others hold these tensors."
assert torch.is_grad_enabled(), "Recording was on before the call, and must be on after it."

# %% Hint
# Under ``no_grad`` a leaf may be written to: ``t.mul_(...)`` and ``t.add_(...)``, or ``t.lerp_(s, rate)``.


# %% Exercise: Chunks of a long sequence
# The state of a recurrent network goes through a long sequence: ``state = torch.tanh(w * state + x)``. ``chunked``
# treats ``size`` steps at a time: it adds up the squares of the states of a chunk, runs ``backward``, and goes on
# from the last state so that no gradient flows into an earlier chunk. It returns ``w.grad``.

# %% Starter
import minigrad as torch


def chunked(w, xs, size):
    w.grad = None
    state = torch.tensor(0.0)
    ...
    return w.grad


# %% Check
def by_hand(w, xs, size):
    total, state = torch.tensor(0.0), torch.tensor(0.0)
    for begin in range(0, len(xs), size):
        fresh = w.detach().clone().requires_grad_()
        now, loss = state.clone(), torch.tensor(0.0)
        for x in xs[begin:begin + size]:
            now = torch.tanh(fresh * now + x)
            loss = loss + now ** 2
        total += torch.autograd.grad(loss, fresh)[0]
        state = now.detach()
    return total


torch.manual_seed(0)
xs, w = torch.randn(12), torch.tensor(0.7, requires_grad=True)
for size in (1, 3, 5, 12):
    answer, wanted = chunked(w, xs, size), by_hand(w, xs, size)
    assert answer is not None, "w.grad is None: backward was never called, or not on a loss that depends on w."
    assert torch.allclose(answer, wanted), f"In chunks of {size}: {wanted.item():.4f}, and yours {answer.item():.4f}."

# %% Hint
# After a chunk the state is the result of a graph that ``backward`` has freed. ``state.detach_()`` makes it a leaf.


# %% Project: 1
# 10 points: 4 for a walk over the graph that visits each node once, 3 for counting each piece of memory once, 3 for the
# numbers. A reading leaves three numbers of 4 bytes: the result of the sigmoid, the difference that it is multiplied
# by, and what is squared. For the 199 losses of the first loop that is 2,388 bytes; the second keeps the 12 of its last
# step. ``torch.autograd.graph.saved_bytes`` says the same. One usual mistake is a function that calls itself: the graph
# is as deep as the loop is long, and 1,000 readings are too deep for it. Another is to remember addresses and let go of
# the tensors: the next one may get the same address.


# %% Project: 2
# 10 points: 2 for each of the three ways, 4 for what happens without them. All three give the same numbers, and a
# target that requires no grad. If it is forgotten, the new target is a result: its graph grows by three nodes with each
# update and holds on to everything before it, and ``backward`` through the target reaches the source. Written in place,
# as ``target.mul_(0.99).add_(0.01 * source)``, it is the same if the target is a plain tensor, and no error says so. If
# the target is a parameter, the write is refused (MG105). The cut must be at the source: ``0.99 * target.data + 0.01 *
# source`` is recorded. The usual mistake is to say that the loss would be wrong. Its value is right; what goes wrong is
# the memory, and then the gradient of the source.
