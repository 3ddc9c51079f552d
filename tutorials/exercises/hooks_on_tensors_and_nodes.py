"""Exercises of "Hooks on tensors and nodes"."""

# %% Exercise: Where the nan begins
# ``first_not_finite(tensors, result)`` runs a backward pass from ``result`` and returns the name of the first tensor,
# *in the order of the pass*, whose gradient has an entry that is not finite, or ``None``. ``tensors`` is a dictionary
# of names and tensors. No hook may remain.

# %% Starter
import minigrad as torch


def first_not_finite(tensors, result):
    ...


# %% Check
class Watched:
    """Passes hooks on to a tensor, and counts how often they are called."""

    calls = 0

    def __init__(self, tensor):
        self.tensor = tensor

    def register_hook(self, hook):
        def counted(gradient):
            Watched.calls += 1
            return hook(gradient)

        return self.tensor.register_hook(counted)


def answer_for(start):
    a = torch.tensor([start, 2.0], requires_grad=True)
    b = a * 3
    c = torch.sqrt(b)
    d = torch.exp(c)
    tensors = {"a": Watched(a), "b": Watched(b), "c": Watched(c), "d": Watched(d)}
    Watched.calls = 0
    answer = first_not_finite(tensors, d.sum())
    assert Watched.calls == 4, f"A hook on each of the 4 tensors runs once, yours ran {Watched.calls} times in all."
    (a * 1).sum().backward()
    assert Watched.calls == 4, "A hook is still there after the call: keep the handles, and remove them."
    return answer


answer = answer_for(1.0)
assert answer is None, f"Here all gradients are finite, and the answer was {answer!r}."
answer = answer_for(0.0)
assert answer != "a", "The gradient of a is not finite, but b comes before it in the pass."
assert answer == "b", f"The square root of 0 makes the gradient of b infinite, and the answer was {answer!r}."

# %% Hint
# ``tensor.register_hook(...)`` returns a handle. Let each hook append its name to a list if ``gradient.isfinite()`` is
# not true everywhere.

# %% Hint
# In a loop, a lambda must get the name as a default argument, ``lambda gradient, name=name: ...``, or all of them
# will use the last one.


# %% Exercise: Freeze some rows
# ``freeze_rows(matrix, rows)`` sees to it that these rows of a leaf get a zero gradient in every pass, while the others
# learn as before. It returns a handle that lifts this again.

# %% Starter
import minigrad as torch


def freeze_rows(matrix, rows):
    ...


# %% Check
torch.manual_seed(0)
W, V, x = torch.randn(3, 4, requires_grad=True), torch.randn(3, 4, requires_grad=True), torch.randn(3, 4)


def gradients():
    W.grad = V.grad = None
    ((W + V) * x).sum().backward()
    return W.grad.clone(), V.grad.clone()


handle = freeze_rows(W, [0, 2])
assert hasattr(handle, "remove"), "Return the handle of the hook."
of_W, of_V = gradients()
assert not of_W[[0, 2]].any(), "The gradient of rows 0 and 2 should be zero."
assert torch.equal(of_W[1], x[1]), "The gradient of row 1 should be as it was."
assert torch.equal(of_V, x), "V was not frozen, and its gradient has changed: the hook writes into its argument."
again, _ = gradients()
assert torch.equal(again, of_W), "In the second pass the result differs."
handle.remove()
assert torch.equal(gradients()[0], x), "After handle.remove() all rows should learn again."

# %% Hint
# A hook must not write into the gradient. Make a copy with ``clone``, set its rows to 0, and return it.


# %% Exercise: One path, scaled
# ``scaled_path(x, factor)`` returns a tensor with the values of ``x``. Whatever gradient arrives at it reaches ``x``
# multiplied by ``factor``. Other uses of ``x`` must not notice.

# %% Starter
import minigrad as torch


def scaled_path(x, factor):
    return x


# %% Check
for factor in (-1.0, 0.5):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    path = scaled_path(x, factor)
    assert torch.equal(path, x), "The values must be those of x."
    (x * x + 5 * path).sum().backward()
    wanted = 2 * x.detach() + 5 * factor
    assert not torch.allclose(x.grad, factor * (2 * x.detach() + 5)), "The other path was scaled too: the hook is on x."
    assert not torch.allclose(x.grad, 2 * x.detach()), "Nothing reaches x by this path: has it been detached?"
    assert torch.allclose(x.grad, wanted), f"With the factor {factor} x.grad should be {wanted.tolist()}."
    x.grad = None
    (7 * x).sum().backward()
    assert torch.equal(x.grad, torch.full((3,), 7.0)), "A later pass that does not use the path is scaled as well."

# %% Hint
# ``x.view_as(x)`` is a new tensor with the same numbers, one step away from ``x``.


# %% Project: 1
# 10 points: 4 for the reason, 4 for the function, 2 for a comparison with clipping one by one. The factor depends on
# the lengths of all gradients. A hook must return when its own gradient arrives; at that moment others are still
# unknown, and some have been passed on already. After ``backward`` all are there: the common length is the root of the
# sum of all squares, and each ``.grad`` is multiplied by ``min(1, 1 / length)``. ``torch.nn.utils.clip_grad_norm_``
# does the same. Clipped together, the direction stays (a cosine of 1); clipped one by one it changes if one of them is
# short. The usual mistake is to add up the lengths instead of their squares.


# %% Project: 2
# 8 points: 3 for the count, 2 for the error, 3 for its reason. The hook is called once in a pass, after both gradients
# were added. The second ``backward`` raises: ``step_now`` has written to the weight, which the graph has saved.


# %% Project: 3
# 10 points: 4 for a walk that reaches each node once and registers a prehook there, 3 for the median by depth, 3 for
# the picture and what it says. There are as many numbers as results, those without a name included. In a chain of 20
# layers with weights drawn from :math:`0.7 \cdot N(0, 1/64)`, the median falls from each layer to the one before it, by
# a factor between 0.55 and 0.85 and by 100 to 10,000 in all; the axis must be logarithmic. The usual mistake is to
# register hooks on named tensors only, or to register them on every step of the training, so that each pass calls more
# of them.


# %% Project: 4
# 10 points: 4 for the pairs on all nodes, 3 for a table by name, 3 for the comparison. The prehook starts the clock and
# the hook stops it. In a network with wide layers the products of matrices take most of the time, more than half for a
# width of 400, and the parts add up to less than the whole pass: what is missing is the engine, the hooks, and the sums
# where paths meet. The profiler shows the same order, with other shares, since neither measures for nothing. A clock
# that counts only what the thread has worked, ``time.thread_time``, is calmer than one on the wall. The usual mistake
# is to leave the hooks where they are: the node of a leaf stays, and in the next pass it calls the hooks of this one,
# too.
