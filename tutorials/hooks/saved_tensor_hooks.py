"""
Saved-tensor hooks
==================

In the forward pass, a computation keeps what it needs for the backward pass. In a deep network that is most of the
memory. Must it be kept as it is? Two functions of yours can decide: one is called when a tensor is about to be kept,
the other when it is needed again. On this page they halve the memory of a network that reads digits, compress it
without losing a bit, and put it on the disk.

You need the network from :doc:`/tutorials/first_gradients/reading_digits`;
:doc:`/tutorials/the_graph/reading_the_graph` explains what is kept.
"""

# %%
# The problem
# -----------
#
# The digits again, all 1,797 at once. The network is that of the digits page, only deeper: eight hidden layers of 128
# numbers each.

import json
import math
import time
import tracemalloc

import numpy as np
from sklearn.datasets import load_digits
from threadpoolctl import threadpool_limits

import minigrad as torch

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
# while it is on. We switch it on before the forward pass, so images and parameters do not count; they are there anyway.
# Two numbers matter: what is *held* when the forward pass is done, and the *peak*, the most that was in use at any
# time. The time is the best of three, without ``tracemalloc``, which costs some itself. All of it runs on one core, for
# steady times.


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
# It holds the results of the eight layers: 8 layers, 1,797 images, 128 numbers, 4 bytes each.
#
# Pack and unpack
# ---------------
#
# ``saved_tensors_hooks(pack, unpack)`` is for a ``with`` statement. In the block, each tensor that would be kept goes
# to ``pack`` instead. What that returns is kept: a tensor, a string, anything. Later ``unpack`` receives it and gives
# the tensor back. Look:

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
# ``pack`` was called at once, when a step was recorded. Twice for the product, which keeps both factors (that both
# are ``x`` does not matter), and once for ``relu``, which keeps its result. ``unpack`` was called in ``backward``,
# long after the block had ended. A pair stays with what it has packed. The player
# (:doc:`/tutorials/first_gradients/watch_a_backward_pass`) says at each step what a hook has given back:

with saved_tensors_hooks(lambda tensor: tensor.tolist(), torch.tensor):
    z = 3 * torch.relu(x * x)
torch.viz.play(z.sum())

# %%
# Half the digits
# ---------------
#
# A float32 has seven digits. For a gradient that is only the direction of the next small step, three may be enough.
# That is a float16, and half of the memory. Is it?


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
# It has become *more*. What went wrong? Let ``pack`` tell what it receives, with its address in memory:

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
# Two things:
#
# - Images and matrices are kept as well. They exist anyway. Keeping them costs nothing; keeping a copy does.
# - Every hidden layer comes twice. ``relu`` keeps its result, and the product that follows keeps its factor, which is
#   the same tensor. Kept as it is, it is one memory. Packed twice, it is two: twice the half is the whole.
#
# So ``pack`` has to be smarter. It leaves alone what exists anyway. And it remembers what it has packed last. If the
# same memory, at the same version, comes again, it returns the same parcel. (It holds on to that tensor so that no
# other can get its address.)
#
# We will try several kinds of parcels. Each is a class: made from a tensor, and with a method that gives it back.

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
# That is half. The loss itself is the same, bit for bit, since the forward pass computes with the tensors and not with
# the parcels. Only the gradients have lost some digits.
#
# No digit lost
# -------------
#
# What do we know about these tensors? They come from ``relu``, so a good part of the numbers is 0. Keep for each number
# one *bit*, whether it is there, and then only those that are there. NumPy packs eight bits in a byte.


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
# The gradients of the first are the same, bit for bit. In exchange there is work to do for every layer, forward and
# backward.
#
# On the disk
# -----------
#
# A parcel may be a file. It is written in the forward pass and read in the backward pass. And then it should go. When
# will nobody ask for it any more? When the nodes that kept the parcel let go of it, and that is when Python calls its
# ``__del__``.

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
# Hardly anything is held. The peak is higher: the layer at work is in memory, with its gradient, and so are the
# gradients of the parameters.
#
# No file is left. They go one after the other, while ``backward`` is at work. If ``backward`` is never called, they
# go with the graph:

loss = with_parcels(OnDisk)()
print(f"{len(files())} files, {sum(os.path.getsize(f) for f in files()) / 1e6:.2f} MB")
assert len(files()) == 8 + 1
del loss
assert files() == []

# %%
# Eight layers of a megabyte do not test a disk: the operating system keeps such files in its own memory. With gigabytes
# it would be slow, and worth it only if the alternative is not to run at all. Or keep nothing, and compute it again:
# that is :doc:`checkpointing <checkpointing>`.
#
# If you compute on a graphics card, ``torch.autograd.graph.save_on_cpu()`` is the ready-made pair: it keeps everything
# in the memory of the CPU. What is there already, it leaves as it is.
#
# The rules
# ---------
#
# **Of nested pairs, the innermost is asked**, and no other:

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
# **Some code does not work with hooks**, for instance because it keeps addresses. It says so, and then nobody can
# switch any on inside:

# teaches: disable_saved_tensors_hooks
disable = torch.autograd.graph.disable_saved_tensors_hooks
with disable("this kernel needs the tensors themselves"):
    try:
        with_parcels(Halved)()
    except RuntimeError as problem:
        print(problem)
    else:
        raise AssertionError("no error?")

# %%
# One tensor only
# ---------------
#
# A pair can also be put on one kept tensor of one node. It packs at once.

# teaches: Node._raw_saved_*
y = torch.exp(x)
y.grad_fn._raw_saved_result.register_hooks(show_pack, show_unpack)
y.sum().backward()

# %%
# A second derivative
# -------------------
#
# A parcel has no history: an array of NumPy, or a file, does not know where it came from. But to differentiate twice,
# the derivative has to depend on what was kept. So minigrad remembers the place in the graph at which the tensor was
# packed, and puts what ``unpack`` returns there. Take :math:`y = \sin^3 x`. Its second derivative is
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
# **Unpacking must give back what was packed.** Nobody can check the numbers without keeping them. A wrong shape is
# noticed here (PyTorch does not check), and so is something that is not a tensor. Wrong numbers are not:

# teaches: zeros_like
import textwrap


def pack_with(pack, unpack=lambda packed: packed):
    x.grad = None
    with saved_tensors_hooks(pack, unpack):
        y = torch.sin(x)
    y.sum().backward()
    return x.grad


for pack in lambda tensor: tensor[:1], lambda tensor: tensor.tolist():
    try:
        pack_with(pack)
    except (RuntimeError, TypeError) as problem:
        print(textwrap.fill(str(problem), 76, break_on_hyphens=False))
    else:
        raise AssertionError("no error?")

print("nothing is packed:", pack_with(lambda tensor: tensor))
print("zeros are packed: ", pack_with(lambda tensor: torch.zeros_like(tensor)))
assert x.grad.tolist() == [1, 1]        # the cosine of 0

# %%
# The judge is ``gradcheck``. If we ask for more digits than it does by itself, it sees those that a float16 loses:


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
# **Pack may look, not write.** What it receives is the memory that everything else computes with:

try:
    pack_with(lambda tensor: tensor.detach().mul_(2))
except RuntimeError as problem:
    print(textwrap.fill(str(problem), 76, break_on_hyphens=False))
else:
    raise AssertionError("no error?")

# %%
# **Versions still count, where the memory is the same.** If ``pack`` returns its tensor as it is, a later write is
# caught, as without hooks. (PyTorch trusts the pair and does not check.) If it returns a copy, the write does not
# matter.


def write_after(pack):
    with saved_tensors_hooks(pack, lambda packed: packed):
        y = x * 1
        z = torch.sin(y)
    y.mul_(100)
    return torch.autograd.grad(z.sum(), x)[0]


try:
    write_after(lambda tensor: tensor)
except RuntimeError as problem:
    print(textwrap.fill(str(problem).partition(":")[0], 76))
else:
    raise AssertionError("no error?")
assert torch.equal(write_after(lambda tensor: tensor.clone()), torch.cos(x))

# %%
# There is a ready-made form of the second. In the block of ``allow_mutation_on_saved_tensors``, whatever is kept may
# be written to. A copy is made at the first write, and only of what is written to. Here is the program that failed in
# :doc:`/tutorials/trust/in_place_operations`. The forward and the backward pass both belong in the block:


# teaches: allow_mutation_on_saved_tensors, _AllowMutationOnSavedContext
def softplus(x):
    y = torch.exp(x)
    y += 1
    return torch.log(y)


with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
    result = softplus(x)
    print("copies:", len(context.cloned))
    (gradient,) = torch.autograd.grad(result.sum(), x)
assert torch.allclose(gradient, torch.sigmoid(x))

# %%
# Exercises
# ---------
#
# ``gradcheck`` and the measured bytes are the judges.
#
# 1. A byte holds 256 values. Write a parcel that keeps the largest number of the tensor, and of each number how many
#    255ths of that it is, as ``uint8``. How much is held, and by how much do the gradients differ?
# 2. Train the network of the digits page with ``HalvedWithoutZeros``, and with exercise 1. Does it read fewer digits
#    correctly?
# 3. Files take time to write. Let a thread write them while the computation continues. What has to happen if
#    ``backward`` wants one that is not yet written?
# 4. Make ``Packer`` leave small tensors alone. At which size does a file begin to pay?
# 5. Replace ``relu`` by ``sin``. Why does ``Packer`` no longer find anything that comes twice, and how much more is
#    held as it is? Which of the parcels are still of use?
# 6. ``Packer`` remembers one tensor. Write one that remembers all of them, without holding on to them. What can go
#    wrong with addresses? (A dictionary of weak references is not enough: each time, ``pack`` gets a new tensor on
#    the same memory.)
