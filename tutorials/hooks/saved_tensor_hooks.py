"""
Saved-tensor hooks
==================

In the forward pass, a computation keeps what it needs for the backward pass. In a deep network this is most of the
memory. Must it be kept as it is? Two functions of yours can decide: one is called when a tensor is about to be kept,
the other when it is needed again. On this page you use them to halve the memory of a network that reads digits, to
compress it without losing a bit, and to put it on the disk.

After this page you can measure what a graph keeps, and have something smaller kept in its place, with exact gradients
or with nearly exact ones.

You need the network from :doc:`/tutorials/first_gradients/reading_digits`;
:doc:`/tutorials/the_graph/reading_the_graph` explains what is kept.
"""

# %%
# The problem
# -----------
#
# We read all 1,797 digits at once, with the network of :doc:`/tutorials/first_gradients/reading_digits`, only deeper:
# eight hidden layers of 128 numbers each.

import json
import math
import time
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from threadpoolctl import threadpool_limits

import minigrad as torch
from minigrad.teaching import expect_error

F = torch.nn.functional
torch.manual_seed(0)

digits = load_digits()
images = torch.tensor(digits.images.reshape(-1, 64) / 16, dtype=torch.float32)
labels = torch.tensor(digits.target)

sizes = [64] + 8 * [128] + [10]
pairs = list(zip(sizes, sizes[1:]))
matrices = [(torch.randn(i, o) * math.sqrt(2 / i)).requires_grad_() for i, o in pairs]
biases = [torch.zeros(o, requires_grad=True) for _, o in pairs]
parameters = matrices + biases


def compute_loss():
    h = images
    for matrix, bias in zip(matrices[:-1], biases[:-1]):
        h = torch.relu(h @ matrix + bias)
    return F.cross_entropy(h @ matrices[-1] + biases[-1], labels)

# %%
# How much memory does a training step take? Python's ``tracemalloc`` counts every byte that Python and NumPy ask for
# while it is on. We switch it on before the forward pass, so the images and the parameters, which exist anyway, do
# not count. Two numbers matter: what is *held* when the forward pass is done, and the *peak*, the most that was in
# use at any time. The time is the best of three, measured without ``tracemalloc``, which slows things down. All of it
# runs on one core, for steady times.


def clear():
    for parameter in parameters:
        parameter.grad = None


@threadpool_limits.wrap(limits=1)
def measure(said, compute_loss):
    times = []
    for _ in range(3):
        clear()
        start = time.perf_counter()
        compute_loss().backward()
        times.append(time.perf_counter() - start)
    clear()
    tracemalloc.start()
    loss = compute_loss()
    held, _ = tracemalloc.get_traced_memory()
    loss.backward()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    memory = f"held {held / 1e6:5.2f} MB   peak {peak / 1e6:5.2f} MB"
    print(f"{said:18} {memory}   {min(times) * 1e3:4.0f} ms")
    return held, peak, [parameter.grad for parameter in parameters]


held, peak, gradients = measure("as it is", compute_loss)

hidden = 8 * 1797 * 128 * 4
print(f"the hidden layers:        {hidden / 1e6:5.2f} MB")
assert abs(held - hidden) < 0.02 * hidden

# %%
# It holds the results of the eight layers: 8 layers, 1,797 images, 128 numbers, 4 bytes each. Without recording, each
# of them is let go as soon as the next is computed:


def peak_of_reading():
    tracemalloc.start()
    with torch.no_grad():
        compute_loss()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


print(f"only to read the digits: peak {peak_of_reading() / 1e6:5.2f} MB")
print(f"to learn from them:      peak {peak / 1e6:5.2f} MB")
assert 2 * peak_of_reading() < peak

# %%
# This is why a model may fit into memory when it is evaluated, and not when it is trained. The deeper it is, the
# further the two numbers are apart.
#
# Pack and unpack
# ---------------
#
# ``saved_tensors_hooks(pack, unpack)`` is for a ``with`` statement. In its block, each tensor that would be kept is
# handed to ``pack``, and what ``pack`` returns is kept instead: a tensor, a string, anything. Later ``unpack``
# receives it and must return the tensor. For the program that we are about to watch:

# alt: Three rows. Above, the forward pass from left to right: x, then x times x, then relu. Below, the backward
#      pass from right to left: relu's node, mul's node, x.grad. Between them lie the parcels: an arrow labelled
#      pack leads from each operation down to its parcels, two for the product and one for relu, and an arrow
#      labelled unpack leads from them to its node.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(7.2, 3.1), layout="constrained")
box = {"boxstyle": "round,pad=0.45", "edgecolor": "none"}
places = {"x": 0, "x * x": 2, "relu": 4.4}
nodes = {"x.grad": 0, "MulBackward0": 2, "ReluBackward0": 4.4}
rows = (places, 2, "#cfe3f5", "<-"), (nodes, 0, "#fbdcc0", "->")
for names, height, color, style in rows:
    for name, place in names.items():
        axes.text(place, height, name, ha="center", va="center",
                  bbox=box | {"facecolor": color})
    for left, right in (0.45, 1.35), (2.75, 3.75):
        axes.annotate("", (left, height), (right, height), arrowprops={"arrowstyle": style})
parcels = {2: (1.55, 2.45), 4.4: (4.4,)}
for middle, each in parcels.items():
    for place in each:
        axes.text(place, 1, "parcel", ha="center", va="center", fontsize=9,
                  bbox={"boxstyle": "square,pad=0.35", "facecolor": "#e3e3e3",
                        "edgecolor": "gray"})
    for height, words in (1.5, "pack"), (0.5, "unpack"):
        axes.annotate("", (middle, height - 0.22), (middle, height + 0.22),
                      arrowprops={"arrowstyle": "->", "color": "tab:green"})
        axes.text(middle + 0.1, height, words, va="center", color="tab:green")
axes.text(5.5, 2, "forward", va="center", color="gray")
axes.text(5.5, 1, "what is kept", va="center", color="gray")
axes.text(5.5, 0, "backward", va="center", color="gray")
axes.set(xlim=(-0.6, 6.6), ylim=(-0.35, 2.35))
axes.axis("off")
# sphinx_gallery_end_ignore
plt.show()

# %%
# And the program itself, with a ``pack`` and an ``unpack`` that tell:

# sphinx_gallery_thumbnail_path = '_static/thumbnails/saved_tensor_hooks.svg'
# teaches: saved_tensors_hooks
saved_tensors_hooks = torch.autograd.graph.saved_tensors_hooks


def show_pack(tensor):
    print("    pack", tensor.tolist())
    return json.dumps(tensor.tolist())


def show_unpack(packed):
    print("    unpack", packed)
    return torch.tensor(json.loads(packed))


x = torch.tensor([1.0, 2.0], requires_grad=True)
with saved_tensors_hooks(show_pack, show_unpack):
    print("forward")
    y = x * x
    z = 3 * torch.relu(y)
print("backward")
z.sum().backward()
assert x.grad.tolist() == [6, 12]

# %%
# ``pack`` was called as soon as a step was recorded: twice for the product, which keeps both factors (although both
# are ``x``), and once for ``relu``, which keeps its result. ``unpack`` was called in ``backward``, after the end of
# the block: what was packed by one pair of functions is unpacked by the same pair. (:doc:`The order
# </notes/order>` in which a node packs and unpacks several tensors is fixed.)
#
# Half the digits
# ---------------
#
# A float32 has seven digits. A gradient is only the direction of the next small step, so three digits may be enough.
# That is a float16, and should take half of the memory. Does it?


def halve(tensor):
    return tensor.half() if tensor.dtype == torch.float32 else tensor


def double(packed):
    return packed.float() if packed.dtype == torch.float16 else packed


def compute_loss_halved():
    with saved_tensors_hooks(halve, double):
        return compute_loss()


held_halved, *_ = measure("halved, first try", compute_loss_halved)
assert held_halved > held           # more!

# %%
# It takes *more*. To find out why, let ``pack`` record what it receives, with its address in memory:

packed_addresses = []


def note(tensor):
    packed_addresses.append(tensor.data_ptr())
    return tensor


with saved_tensors_hooks(note, lambda packed: packed):
    compute_loss()

names = {images.data_ptr(): "the images", labels.data_ptr(): "the labels"}
names |= {parameter.data_ptr(): "a parameter" for parameter in parameters}
for address in packed_addresses[:7]:
    print(f"{address:#x}", names.get(address, "a result"))
print("...")
results = [address for address in packed_addresses if address not in names]
assert len(results) == 2 * 8 + 1 and len(set(results)) == 8 + 1

# %%
# Two things are wrong:
#
# - The images and matrices are packed as well. They exist anyway: keeping them costs nothing, but keeping a copy
#   does.
# - Every hidden layer comes twice. ``relu`` keeps its result, and the product that follows keeps its factor, which is
#   the same tensor. Kept as it is, it occupies its memory once. Packed twice, it occupies two halves, which is as
#   much.
#
# So ``pack`` has to be smarter. It leaves alone what exists anyway, and it remembers what it packed last: if the same
# memory comes again, at the same version, it returns the same parcel. (It also holds on to that tensor, so that no
# other tensor can get its address.)
#
# We will try several kinds of parcels. Each is a class that is made from a tensor, and has a method that returns it.

exists_anyway = {tensor.data_ptr() for tensor in [images, labels, *parameters]}


class Packer:
    def __init__(self, kind):
        self.kind = kind
        self.last = self.parcel = None

    def pack(self, tensor):
        if tensor.data_ptr() in exists_anyway:
            return tensor
        if self.last is None or self.identity(tensor) != self.identity(self.last):
            self.last, self.parcel = tensor, self.kind(tensor)
        return self.parcel

    def identity(self, tensor):
        return tensor.data_ptr(), tensor._version, tensor.shape, tensor.stride()

    def unpack(self, parcel):
        return parcel if isinstance(parcel, torch.Tensor) else parcel.tensor()


def with_parcels(kind):
    def compute():
        packer = Packer(kind)
        with saved_tensors_hooks(packer.pack, packer.unpack):
            return compute_loss()
    return compute


class Halved:
    def __init__(self, tensor):
        self.dtype, self.half = tensor.dtype, tensor.half()

    def tensor(self):
        return self.half.to(self.dtype)


def largest_difference(others):
    """Of two lists of gradients, relative to the length of each."""
    return max(((a - b).norm() / a.norm()).item() for a, b in zip(gradients, others))


held_halved, peak_halved, gradients_halved = measure("halved", with_parcels(Halved))
print(f"gradients differ by {largest_difference(gradients_halved):.1e}")

assert held_halved < 0.55 * held
assert 0 < largest_difference(gradients_halved) < 1e-3

# %%
# Now it is half. The loss itself is the same, bit for bit, since the forward pass computes with the tensors and not
# with the parcels. Only the gradients have lost some digits.
#
# .. folded:: If ``unpack`` returns another dtype
#
# ``Halved`` remembers the dtype, and restores it. If ``unpack`` forgets to, minigrad converts between floating-point
# types by itself. (In PyTorch the tensor stays a float16, and the derivative is computed in it.) The digits are lost
# all the same. A conversion that cannot be meant, to integers, is an error:

w = torch.tensor([1.1, 2.0], requires_grad=True)
with saved_tensors_hooks(lambda tensor: tensor.half(), lambda packed: packed):
    y = torch.sin(w)
print("saved:", y.grad_fn._saved_self.detach())
assert y.grad_fn._saved_self.dtype == torch.float32

with saved_tensors_hooks(lambda tensor: tensor, lambda packed: packed.long()):
    y = torch.sin(w)
with expect_error(RuntimeError):
    y.sum().backward()

# %%
# No digit lost
# -------------
#
# What do we know about these tensors? They come from ``relu``, so many of the numbers are 0. For each number we keep
# one *bit*, which says whether it is different from 0, and then only the numbers that are. NumPy packs eight bits
# into a byte.


class WithoutZeros:
    def __init__(self, tensor):
        array = tensor.detach().numpy()
        there = array != 0
        self.shape, self.dtype = array.shape, array.dtype
        self.bits = np.packbits(there)
        self.values = array[there]

    def tensor(self):
        array = np.zeros(self.shape, self.dtype)
        there = np.unpackbits(self.bits, count=array.size).astype(bool)
        array.reshape(-1)[there] = self.values
        return torch.from_numpy(array)


class HalvedWithoutZeros(WithoutZeros):
    def __init__(self, tensor):
        super().__init__(tensor)
        self.values = self.values.astype(np.float16)


with torch.no_grad():
    first_layer = torch.relu(images @ matrices[0])
    print(f"zeros in the first layer: {(first_layer == 0).float().mean().item():.0%}")

held_exact, _, gradients_exact = measure("without zeros", with_parcels(WithoutZeros))
held_both, _, gradients_both = measure("both", with_parcels(HalvedWithoutZeros))

assert held_exact < 0.7 * held and held_both < 0.4 * held
assert all(torch.equal(a, b) for a, b in zip(gradients, gradients_exact))
assert 0 < largest_difference(gradients_both) < 1e-3

# %%
# Without zeros, the gradients are the same, bit for bit. In exchange there is work to do for every layer, forward and
# backward.
#
# On the disk
# -----------
#
# A parcel may be a file. It is written in the forward pass, read in the backward pass, and should then be deleted.
# When can that be done? When the nodes that kept the parcel let go of it: that is when Python calls its ``__del__``.

import os
import tempfile

folder = tempfile.TemporaryDirectory()


class OnDisk:
    written = 0

    def __init__(self, tensor):
        OnDisk.written += 1
        self.path = os.path.join(folder.name, f"{OnDisk.written}.npy")
        np.save(self.path, tensor.detach().numpy())

    def tensor(self):
        return torch.from_numpy(np.load(self.path))

    def __del__(self):
        os.remove(self.path)


def files():
    return [os.path.join(folder.name, name) for name in os.listdir(folder.name)]


held_disk, peak_disk, gradients_disk = measure("on the disk", with_parcels(OnDisk))

assert held_disk < 0.2 * held and peak_disk < 0.6 * peak
assert files() == []
assert all(torch.equal(a, b) for a, b in zip(gradients, gradients_disk))

# %%
# Hardly anything is held. The peak is higher, because the layer at work is in memory with its gradient, and so are
# the gradients of the parameters.
#
# No file is left. They are deleted one after the other, while ``backward`` is at work.
#
# Eight layers of a megabyte do not strain a disk: the operating system keeps such files in its own memory. With
# gigabytes it would be slow, and worthwhile only if the program could not run otherwise. Or keep nothing, and compute
# it again: that is :doc:`checkpointing <checkpointing>`.
#
# .. folded:: If ``backward`` is never called
#
# Then the files are deleted with the graph:

loss = with_parcels(OnDisk)()
print(f"{len(files())} files, {sum(os.path.getsize(f) for f in files()) / 1e6:.2f} MB")
assert len(files()) == 8 + 1
del loss
assert files() == []

# %%
# A ready-made pair
# -----------------
#
# With a graphics card, the memory of the CPU is a good place for parcels. ``torch.autograd.graph.save_on_cpu()`` is
# this pair: it keeps everything on the CPU, and copies it back when ``backward`` needs it. Use it where a model does
# not fit into the memory of the card. What is on the CPU already is not copied, and here there is no other device. But
# ``pin_memory=True``, which asks for page-locked memory from which a card can copy while it computes, always makes a
# copy, and a copy shows what belongs to the block: only what is kept inside it.

# teaches: save_on_cpu
save_on_cpu = torch.autograd.graph.save_on_cpu
before = torch.exp(x)
with save_on_cpu(pin_memory=True):
    inside = torch.exp(x)
after = torch.exp(x)
same = [y.grad_fn._saved_result.data_ptr() == y.data_ptr() for y in (before, inside, after)]
print("same memory as the result:", same)
assert same == [True, False, True]
assert torch.equal(torch.autograd.grad(inside.sum(), x)[0], inside)

# %%
# The rules
# ---------
#
# Of nested pairs, the innermost is used. A pair packs for the operations of its block only, and unpacks whenever their
# nodes run. What ``unpack`` returns gets the history of what was packed, so second derivatives are right.
#
# .. folded:: Nested pairs
#
# The innermost is used, and no other:

asked = []


def asking(name):
    def pack(tensor):
        asked.append(name)
        return tensor

    return saved_tensors_hooks(pack, lambda packed: packed)


with asking("outer"):
    y = torch.sin(x)
    with asking("inner"):
        y = torch.sin(y)
    y = torch.sin(y)
assert asked == ["outer", "inner", "outer"]

# %%
# .. folded:: Code that does not work with hooks
#
# Some code keeps addresses, for instance. It can say so, and then nothing can switch hooks on inside it, neither our
# pairs nor ``save_on_cpu``:

# teaches: disable_saved_tensors_hooks
disable = torch.autograd.graph.disable_saved_tensors_hooks
with disable("this kernel needs the tensors themselves"):
    for refused in with_parcels(Halved), save_on_cpu().__enter__:
        with expect_error(RuntimeError):
            refused()

# %%
# .. folded:: One tensor only
#
# A pair can also be attached to a single kept tensor of one node. It packs at once.

# teaches: Node._raw_saved_*
y = torch.exp(x)
y.grad_fn._raw_saved_result.register_hooks(show_pack, show_unpack)
y.sum().backward()

# %%
# .. folded:: A second derivative
#
# A parcel has no history: a NumPy array, or a file, does not know where its numbers came from. But a second
# derivative depends on the history of what was kept. So minigrad remembers the place in the graph at which the tensor
# was packed, and puts what ``unpack`` returns there. For :math:`y = \sin^3 x` the second derivative is
#
# .. math::
#
#    y'' = 6 \sin x \cos^2 x - 3 \sin^3 x

packer = Packer(WithoutZeros)
with saved_tensors_hooks(packer.pack, packer.unpack):
    y = torch.sin(x) ** 3
(slope,) = torch.autograd.grad(y.sum(), x, create_graph=True)
(second,) = torch.autograd.grad(slope.sum(), x)

s, c = torch.sin(x), torch.cos(x)
print(second)
assert torch.allclose(second, 6 * s * c ** 2 - 3 * s ** 3)

# %%
# What goes wrong
# ---------------
#
# **Unpacking something other than what was packed.** The numbers cannot be checked without keeping them. A wrong
# shape is noticed here (PyTorch does not check it), and so is something that is not a tensor. Wrong numbers are not:

# teaches: zeros_like


def pack_with(pack, unpack=lambda packed: packed):
    x.grad = None
    with saved_tensors_hooks(pack, unpack):
        y = torch.sin(x)
    y.sum().backward()
    return x.grad


for pack in lambda tensor: tensor[:1], lambda tensor: tensor.tolist():
    with expect_error((RuntimeError, TypeError)):
        pack_with(pack)

print("nothing is packed:", pack_with(lambda tensor: tensor))
print("zeros are packed: ", pack_with(lambda tensor: torch.zeros_like(tensor)))
assert x.grad.tolist() == [1, 1]        # the cosine of 0

# %%
# ``gradcheck`` finds them. With a tighter tolerance than its own, it even sees the digits that a float16 loses:


def checked(kind):
    packer = Packer(kind)

    def f(x):
        with saved_tensors_hooks(packer.pack, packer.unpack):
            return torch.relu(x) ** 3

    return torch.autograd.gradcheck(f, (points,), rtol=1e-6, raise_exception=False)


points = torch.tensor([-1.1, 0.3, 1.7], dtype=torch.float64, requires_grad=True)
for kind in WithoutZeros, OnDisk, Halved:
    print(f"{kind.__name__:13} {checked(kind)}")
assert checked(WithoutZeros) and checked(OnDisk) and not checked(Halved)

# %%
# .. folded:: A pack function that writes
#
# It receives the memory that everything else computes with, so it may look, but not write:

with expect_error(RuntimeError):
    pack_with(lambda tensor: tensor.detach().mul_(2))

# %%
# .. folded:: An unpack function that writes
#
# What it receives may be that memory too: if ``pack`` returned its tensor as it is, a write changes the leaf itself. It
# is noticed here. (PyTorch does not notice; the leaf and the gradient are both wrong.) If ``pack`` made a copy, the
# leaf is safe, but the gradient is computed from the changed copy, and nobody can know that this was not intended: the
# trap is silent.


def unpack_with_a_write(pack):
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    with saved_tensors_hooks(pack, lambda packed: packed.mul_(2)):
        y = torch.sin(leaf)
    y.sum().backward()
    print("leaf", leaf.tolist(), " gradient", leaf.grad, " right", torch.cos(leaf.detach()))
    return torch.allclose(leaf.grad, torch.cos(leaf.detach()))


with expect_error(RuntimeError):
    unpack_with_a_write(lambda tensor: tensor)
assert not unpack_with_a_write(lambda tensor: tensor.detach().clone())

# %%
# .. folded:: A write after packing
#
# If ``pack`` returns its tensor as it is, a later write is caught, as it is without hooks.
# (PyTorch trusts the pair and does not check.) If ``pack`` returns a copy, the write does no harm.


def write_after(pack):
    with saved_tensors_hooks(pack, lambda packed: packed):
        y = x * 1
        z = torch.sin(y)
    y.mul_(100)
    return torch.autograd.grad(z.sum(), x)[0]


with expect_error(RuntimeError):
    write_after(lambda tensor: tensor)
assert torch.equal(write_after(lambda tensor: tensor.clone()), torch.cos(x))

# %%
# .. folded:: What is kept may be written to
#
# A copy has a ready-made form. In the block of ``allow_mutation_on_saved_tensors``, whatever is kept may be
# written to. A copy is made at the first write, and only of what is written to. Here is the program that failed in
# :doc:`/tutorials/in_place/in_place_operations`. Both the forward and the backward pass belong in the block; at its end
# the copies are dropped.


# teaches: allow_mutation_on_saved_tensors, _AllowMutationOnSavedContext
def softplus(x):
    y = torch.exp(x)
    y += 1
    return torch.log(y)


with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
    result = softplus(x)
    print("copies:", len(context.cloned))
    (gradient,) = torch.autograd.grad(result.sum(), x)
print("after the block:", len(context.cloned))
assert torch.allclose(gradient, torch.sigmoid(x)) and not context.cloned

# %%
# So a ``backward`` that comes after the block finds nothing to compute with. It does not guess:

with torch.autograd.graph.allow_mutation_on_saved_tensors():
    result = softplus(x)
with expect_error((RuntimeError, AssertionError)):
    result.sum().backward()

# %%
# Summary
# -------
#
# - ``saved_tensors_hooks(pack, unpack)`` decides what is kept instead of each tensor that the block's operations
#   save.
# - A tensor may be packed several times, and so may parameters: recognize both, or you keep more than before.
# - What ``unpack`` returns must be what was packed; ``gradcheck`` tells.
# - ``save_on_cpu`` is a ready-made pair, ``disable_saved_tensors_hooks`` forbids them, and
#   ``allow_mutation_on_saved_tensors`` copies what is overwritten.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Train the network of the digits page with ``HalvedWithoutZeros``, and with parcels of one byte for each number.
#    Does it read fewer digits correctly?
# 2. Files take time to write. Let a thread write them while the computation continues. What has to happen if
#    ``backward`` needs one that is not yet written?
# 3. ``Packer`` remembers one tensor. Write one that remembers all of them, without keeping them alive. What can go
#    wrong with addresses? (A dictionary of weak references is not enough: each time, ``pack`` gets a new tensor on
#    the same memory.)
