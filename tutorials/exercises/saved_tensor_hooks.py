"""Exercises of "Saved-tensor hooks"."""

# %% Exercise: How much does a graph keep?
# ``kept_bytes(f, *inputs)`` calls ``f(*inputs)`` and returns the number of bytes that its graph keeps. The memory of
# the inputs does not count, and no memory counts twice. (A tensor has ``data_ptr()``, ``numel()`` and
# ``element_size()``. In this exercise no view of a part is kept.)

# %% Starter
import minigrad as torch


def kept_bytes(f, *inputs):
    ...


# %% Check
x = torch.linspace(0, 1, 1000).requires_grad_()
found = kept_bytes(torch.exp, x)
assert found is not None, "kept_bytes returns nothing."
assert found == 4000, f"exp keeps its result, 1000 numbers of 4 bytes: 4000 bytes, and yours are {found}."
found = kept_bytes(torch.sin, x)
assert found == 0, f"sin keeps its argument, which is the input and exists anyway; yours are {found} bytes."
found = kept_bytes(lambda x: torch.exp(x) ** 2, x)
assert found == 4000, f"exp and the square keep the same memory. It counts once: 4000 bytes, and yours are {found}."
found = kept_bytes(lambda x: torch.exp(torch.exp(x)) * 3, x)
assert found == 8000, f"Two results of exp are kept: 8000 bytes, and yours are {found}."
double = x.detach().double().requires_grad_()
found = kept_bytes(torch.tanh, double)
assert found == 8000, f"A float64 has 8 bytes: 8000 bytes, and yours are {found}."


def many(x):
    for _ in range(50):
        x = torch.tanh(x)
    return x


found = kept_bytes(many, x)
assert found == 200_000, f"50 results are 200000 bytes, and yours are {found}: can two have got the same address?"
assert torch.equal(torch.autograd.grad(torch.exp(x).sum(), x)[0], torch.exp(x)), "Hooks are still on after the call."

# %% Hint
# ``pack`` receives each tensor that is kept. Collect the sizes in a dictionary by address, and return the tensor as it
# is.

# %% Hint
# An address means something only while its tensor lives. Keep the result of ``f`` until the function is done: the graph
# then keeps the tensors.


# %% Exercise: One byte for each number
# A byte holds 256 values. Write the parcel ``InBytes``: it keeps the smallest and the largest number of a tensor, and
# of each number how many 255ths of the way between them it is, rounded, as ``torch.uint8``. ``tensor()`` gives the
# tensor back, with its shape and dtype. Mind tensors whose numbers are all equal.

# %% Starter
import minigrad as torch


class InBytes:
    def __init__(self, tensor):
        self.bytes = tensor.to(torch.uint8)

    def tensor(self):
        return self.bytes


# %% Check
import tracemalloc

torch.manual_seed(0)
for made in torch.randn(40, 50), 3 + torch.rand(7, dtype=torch.float64), -torch.rand(3, 4, 5):
    back = InBytes(made).tensor()
    assert back.shape == made.shape, f"The shape {tuple(made.shape)} became {tuple(back.shape)}."
    assert back.dtype == made.dtype, f"{made.dtype} became {back.dtype}."
    assert not torch.equal(back, made), "No digit is lost, so more than a byte is kept for each number."
    step = ((made.max() - made.min()) / 255).item()
    error = (back - made).abs().max().item()
    assert error <= 0.501 * step, (f"An entry is off by {error / step:.2f} steps, and half a step is the most if it is "
                                   "rounded to the nearest (uint8 alone cuts off).")
same = InBytes(torch.full((3,), 2.5)).tensor()
assert same.isfinite().all(), "When all numbers are equal, their range is 0, and you divide by it."
assert torch.equal(same, torch.full((3,), 2.5)), f"Three times 2.5 became {same.tolist()}."

large = torch.randn(100_000)
InBytes(large)
tracemalloc.start()
parcel = InBytes(large)
held = tracemalloc.get_traced_memory()[0]
tracemalloc.stop()
assert held < 110_000, f"The parcel of 100000 numbers holds {held} bytes. One for each number is enough."

x = torch.randn(30, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(InBytes, InBytes.tensor):
    y = torch.sin(x)
y.sum().backward()
assert torch.allclose(x.grad, torch.cos(x), atol=0.02), "As a pair of hooks it gives another gradient of the sine."

# %% Hint
# ``((tensor - low) / step).round().to(torch.uint8)``, where ``step`` is a 255th of the range.


# %% Exercise: A bit is enough for relu
# For its gradient, ``relu`` keeps its result, and all that matters is where that is positive. Write ``pack`` and
# ``unpack`` so that they keep a *bit* for each number, with ``np.packbits``, and the gradient is still exact.

# %% Starter
import numpy as np

import minigrad as torch


def pack(tensor):
    return tensor


def unpack(kept):
    return kept


# %% Check
import tracemalloc

torch.manual_seed(0)
weights = torch.randn(5, 7)
x = torch.randn(5, 7, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
    y = torch.relu(x)
(y * weights).sum().backward()
assert torch.equal(x.grad, weights * (x > 0)), "The gradient is not exact."
try:
    (unpack(pack(x.detach())) > 0).tolist()
except (TypeError, RuntimeError, AttributeError):
    raise AssertionError("unpack must return a tensor that is positive where the packed one was.") from None

x = torch.randn(100, 1000, requires_grad=True)
tracemalloc.start()
with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
    y = torch.relu(x).sum()
held = tracemalloc.get_traced_memory()[0]
tracemalloc.stop()
assert held < 20_000, f"The graph of 100000 numbers holds {held} bytes. A bit for each are 12500."
(gradient,) = torch.autograd.grad(y, x)
assert torch.equal(gradient, (x > 0).float()), "With 100000 bits the gradient differs."

# %% Hint
# Keep a tuple: ``np.packbits(array > 0)`` and the shape. ``np.unpackbits(bits, count=...)`` takes the number of bits,
# which need not be a multiple of eight.


# %% Project: 1
# 10 points: 4 for a training with both kinds of parcels, which leaves the parameters and the labels alone, 3 for more
# than one seed, 3 for the answer. It reads as many: after ten epochs 92 to 99 % of the held-out images in each of the
# three runs, which for the same seed differ by less than three percentage points, and the error of such a measurement
# is one point. A gradient that is off by a thousandth, or by a 500th of its largest entry, still points downhill. The
# usual mistake is to compare one run with each: two seeds differ by more than the parcels do.


# %% Project: 2
# 10 points: 4 for a writer that the forward pass does not wait for, 3 for waiting in ``tensor()``, 3 for files that are
# all deleted, even if ``backward`` never comes. The parcel holds a ``Future``. Before it reads the file, ``tensor()``
# waits for it with ``result()``, which also raises there what went wrong while writing; before it deletes the file, so
# does ``__del__``. The tensor must not be written to until it is on the disk, and until then it is in memory, twice if
# it was copied: a queue without a limit saves nothing. Gradients are the same, bit for bit. The usual mistake is a
# pause that is long enough on one's own computer, instead of ``result()``.


# %% Project: 3
# 10 points: 4 for a dictionary that keeps nothing alive, 4 for what goes wrong with addresses, 2 for a test that shows
# it. If parcels are found by address, version, shape and strides, a parcel may outlive the memory it was made from: its
# node needs it. The memory is given to the next tensor of this size, which has the same address and version 0, and gets
# the parcel of another. There is no error, only a wrong gradient; a chain of 20 layers is enough. So a parcel also
# remembers weakly *whose* memory it was. The tensor that ``pack`` receives is new each time, but the NumPy array that
# owns the memory lives as long as the memory: follow ``base`` of ``tensor.numpy()`` to its end. The usual mistake is to
# keep the tensor, which makes the addresses safe and holds all of the memory.
