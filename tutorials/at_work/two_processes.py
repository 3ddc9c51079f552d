"""
Two processes
=============

The gradient of a batch is a mean over its samples, and a mean can be computed in parts. So two processes can each take
half of every batch, and agree on the gradient before each step. On this page they train the classifier of digits, and
end with the weights of one process. You will see what processes say to each other, why the transpose of each of these
sentences is another one of them, and what happens to one process when the other fails.

After this page you can combine the gradients of shares of any sizes into that of the whole batch, and build an
all-reduce from messages between neighbours.

You need modules and optimizers: :doc:`/tutorials/first_gradients/a_network_from_modules`. The processes talk through
MPI, a library that ``pip install 'minigrad-autograd[mpi]'`` brings. Where it is missing, the programs of this page
are shown but do not run.
"""

# %%
# The problem
# -----------
#
# Here are the digits, the network, and the gradient of one batch of 32.

import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import minigrad as torch
from minigrad import nn
from minigrad.utils.data import DistributedSampler

torch.manual_seed(1797)
digits = load_digits()
images = torch.tensor(digits.images.reshape(-1, 64) / 16, dtype=torch.float32)
labels = torch.tensor(digits.target)
order = torch.randperm(len(images))
held_out, training = order[:357], order[357:]

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))


def gradients(samples):
    model.zero_grad()
    nn.functional.cross_entropy(model(images[samples]), labels[samples]).backward()
    return [p.grad.clone() for p in model.parameters()]


def farthest(some, others):
    return max((a - b).abs().max().item() for a, b in zip(some, others))


batch = training[:32]
whole = gradients(batch)
print("largest entry of the gradient:", f"{max(g.abs().max().item() for g in whole):.3f}")

# %%
# A second process could do half of that work. But processes share no memory: each has its own weights, its own
# gradients, and its own place in the program. What one of them knows, the other must be sent.
#
# Why the mean is right
# ---------------------
#
# The loss is a mean over samples, and so the mean of two means, of 16 samples each. Differentiation is linear, and the
# gradient inherits that:
#
# .. math::
#
#    L = \frac{1}{32} \sum_{i=1}^{32} \ell_i
#      = \frac{1}{2} \Bigl( \frac{1}{16} \sum_{i=1}^{16} \ell_i + \frac{1}{16} \sum_{i=17}^{32} \ell_i \Bigr)
#      = \frac{L_0 + L_1}{2},
#    \qquad
#    \nabla L = \frac{\nabla L_0 + \nabla L_1}{2}
#
# Floating-point numbers add this up in another order, so the last digits may differ. No more does:

first, second = gradients(batch[:16]), gradients(batch[16:])
mean = [(a + b) / 2 for a, b in zip(first, second)]
print(f"the mean of two halves differs by {farthest(mean, whole):.0e}")
assert farthest(mean, whole) < 1e-6

# %%
# This needs halves of equal size. With 8 samples in one part and 24 in the other, the mean gives each of the 8 three
# times the weight of each of the 24. Weights proportional to the sizes make it right again:

few, many = gradients(batch[:8]), gradients(batch[8:])
mean = [(a + b) / 2 for a, b in zip(few, many)]
weighted = [(8 * a + 24 * b) / 32 for a, b in zip(few, many)]
print(f"8 and 24: the mean differs by {farthest(mean, whole):.3f},",
      f"the weighted mean by {farthest(weighted, whole):.0e}")
assert farthest(mean, whole) > 1e-3 and farthest(weighted, whole) < 1e-6

# %%
# A rank
# ------
#
# All processes run *the same program*. The one thing in which they differ is a number, counted from 0, that each is
# told when it is started: its *rank*. ``mpiexec -n 2 python program.py`` starts two, and so does
#
# .. code-block:: console
#
#    $ python -m minigrad.distributed.run --nproc-per-node 2 program.py
#
# All our programs begin with the same lines. ``init_process_group`` comes first: it finds the other processes. Then
# come ``rank`` and ``size``, the number of ranks; ``say``, which prints; and ``network`` and ``loss``, as above. Our
# ``run`` adds these lines to a program, writes it into a file, starts it that way, and prints what the ranks write,
# each rank in a column of its own.
#
# .. folded:: These lines, and ``run``
#
# ``run_and_fail`` is for the end of the page: it prints those lines of an error that have certain words. Where
# ``torch.distributed.is_available()`` is false, or ``is_mpi_available()``, nothing is run.

folder = Path(tempfile.mkdtemp())
torch.save({"images": images, "labels": labels, "training": training, "held_out": held_out},
           folder / "digits.pt")

BEGINNING = '''
import minigrad as torch
import minigrad.distributed as dist
from minigrad import nn

dist.init_process_group()
rank, size = dist.get_rank(), dist.get_world_size()
digits = torch.load("digits.pt")


def say(*what):
    line = " ".join([f"rank {rank}:", *map(str, what)])
    print(line + "\\n", end="", flush=True)     # at once: the other rank writes too


def network():
    return nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))


def loss(model, samples):
    x, y = digits["images"][samples], digits["labels"][samples]
    return nn.functional.cross_entropy(model(x), y)
'''
END = '''
dist.destroy_process_group()
'''


def start(program, ranks):
    """Run it in so many processes. They share the cores, so each computes in one thread."""
    library = torch.__name__        # so that this page can be run with PyTorch as well
    path = folder / "program.py"
    path.write_text((BEGINNING + program + END).replace("minigrad", library))
    return subprocess.run(
        [sys.executable, "-m", f"{library}.distributed.run",
         "--nproc-per-node", str(ranks), path],
        cwd=folder, capture_output=True, text=True, timeout=300,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "",
                          "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})


def run(program, ranks=2):
    """Print what the ranks write, side by side; an error if one fails."""
    if not torch.distributed.is_available():
        print("not run: there is no MPI here (pip install 'minigrad-autograd[mpi]')")
        return
    done = start(program, ranks)
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.splitlines()
    columns = [[line for line in said if line.startswith(f"rank {rank}:")]
               for rank in range(ranks)]
    for lines in itertools.zip_longest(*columns, fillvalue=""):
        print("".join(line.ljust(42) for line in lines).rstrip())


def run_and_fail(program, *words, ranks=2):
    """Print those lines of the error that have one of these words."""
    if torch.distributed.is_mpi_available():        # PyTorch's ranks would wait instead
        done = start(program, ranks)
        assert done.returncode != 0
        shown = [line for line in done.stderr.splitlines()
                 if any(word in line for word in words)]
        print("\n".join(dict.fromkeys(shown)))

# %%
# Two tensors of one name
# -----------------------
#
# Here is the first of our programs, on two ranks:

run('''
say("I am one of", size)
x = torch.tensor([1., 2.]) * (rank + 1)
say("x is", x.tolist())
''')

# %%
# Two processes made two tensors, and each of them is called ``x``.
#
# What ranks say to each other
# ----------------------------
#
# One rank can send a tensor to another, with ``send``, and that one takes it with ``recv``. But most programs only ever
# use sentences that *all ranks say together*: the *collectives*. Here are those with one tensor on each rank, drawn for
# two ranks that have ``a`` and ``b``:
#
# .. code-block:: none
#
#                broadcast      reduce           all_reduce       all_gather        gather
#                from rank 0    to rank 0                                           to rank 0
#
#    rank 0:      a  ->  a       a  ->  a+b       a  ->  a+b       a  ->  [a, b]     a  ->  [a, b]
#    rank 1:      b  ->  a       b  ->            b  ->  a+b       b  ->  [a, b]     b  ->
#
# (Nothing comes to rank 1 where its place is empty; whatever it still holds does not count.)
#
# And these are those in which each rank has, or gets, a piece for each rank:
#
# .. code-block:: none
#
#                scatter            reduce_scatter          all_to_all
#                from rank 0
#
#    rank 0:      [a, b]  ->  a      [a, b]  ->  a+c         [a, b]  ->  [a, c]
#    rank 1:              ->  b      [c, d]  ->  b+d         [c, d]  ->  [b, d]
#
# A collective replaces the numbers of a tensor, or fills tensors that you give it. It ends on a rank only when that
# rank has everything it needs. So nobody runs ahead of the others for long, and a collective that one rank leaves out
# is a fault of the program.
#
# .. folded:: Each of them, with numbers
#
# Rank 0 has 1 and 2 at first, rank 1 has 10 and 20:

run('''
def mine():
    return torch.tensor([1, 2]) if rank == 0 else torch.tensor([10, 20])

say("at first       ", mine().tolist())

x = mine()
dist.broadcast(x, src=0)
say("broadcast      ", x.tolist())

x = mine()
dist.all_reduce(x)                          # the sum; op=dist.ReduceOp.MAX: the largest
say("all_reduce     ", x.tolist())

gathered = [torch.zeros_like(mine()) for _ in range(size)]
dist.all_gather(gathered, mine())
say("all_gather     ", *[each.tolist() for each in gathered])

piece = mine()[:1]                          # room for one number
dist.reduce_scatter_tensor(piece, mine())
say("reduce_scatter ", piece.tolist())

pieces = torch.zeros_like(mine())
dist.all_to_all_single(pieces, mine())
say("all_to_all     ", pieces.tolist())

dist.scatter(piece, [*mine().split(1)] if rank == 0 else None, src=0)
say("scatter        ", piece.tolist())

if rank == 0:
    dist.send(torch.tensor([7]), dst=1)
else:
    dist.recv(piece, src=0)
say("after a message", piece.tolist())
''')

# %%
# The transpose of a collective
# -----------------------------
#
# Suppose that a collective is part of a computation that we differentiate. Which gradient goes back?
#
# Join the numbers of all ranks into one long vector. Then a collective is a linear map of this vector, a matrix of
# zeros and ones, and the backward pass multiplies by its transpose. Here are the collectives once more, as functions of
# what the two ranks have. (A rank that receives nothing has zeros here: what it still holds does not count.) The
# Jacobian of each is its matrix.

collectives = {
    # name: what comes from a and b, and how many numbers each rank has
    "broadcast": (lambda a, b: (a, a), 1),
    "reduce": (lambda a, b: (a + b, 0 * b), 1),
    "all_gather": (lambda a, b: (torch.cat([a, b]), torch.cat([a, b])), 1),
    "reduce_scatter": (lambda a, b: (a[:1] + b[:1], a[1:] + b[1:]), 2),
    "gather": (lambda a, b: (torch.cat([a, b]), 0 * torch.cat([a, b])), 1),
    "scatter": (lambda a, b: (a[:1], a[1:]), 2),
    "all_reduce": (lambda a, b: (a + b, a + b), 1),
    "all_to_all": (lambda a, b: (torch.cat([a[:1], b[:1]]), torch.cat([a[1:], b[1:]])), 2),
}

matrices = {}
for name, (function, numbers) in collectives.items():
    def of_all_ranks(x, function=function):
        return torch.cat(function(*x.chunk(2)))

    x = torch.zeros(2 * numbers)
    matrices[name] = torch.autograd.functional.jacobian(of_all_ranks, x)

# alt: Eight matrices of light and dark squares in four pairs, one above the other: broadcast and reduce, all_gather
#      and reduce_scatter, gather and scatter, all_reduce and all_to_all. In the first three pairs each matrix is
#      the transpose of the other; each of the last two is its own.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(2, 4, figsize=(7.2, 4.2), layout="constrained")
for axis, (name, matrix) in zip(axes.T.flatten(), matrices.items()):
    axis.pcolormesh(matrix.numpy(), cmap="Blues", vmin=0, vmax=1.4,
                    edgecolors="white", linewidth=2)
    axis.invert_yaxis()
    axis.set_aspect("equal")
    axis.set_title(name, fontsize=10)
    axis.axis("off")
# sphinx_gallery_end_ignore
plt.show()

# %%
# Dark squares are ones. Above and below each other are two collectives, and each matrix is the other one's transpose;
# those on the right are their own:

transposes = {"broadcast": "reduce", "all_gather": "reduce_scatter", "gather": "scatter",
              "all_reduce": "all_reduce", "all_to_all": "all_to_all"}
for name, other in transposes.items():
    assert torch.equal(matrices[name].T, matrices[other])
    print(f"{name:12}{other}")

# %%
# To send is to copy. A value that is used twice gets the sum of both gradients, here as everywhere; only, here the two
# uses are in two processes, and to add the gradients up takes another message. This is why every ``all_gather`` in a
# forward pass costs a ``reduce_scatter`` in the backward pass.
#
# ``torch.distributed.nn.functional`` has the collectives as functions that can be differentiated. The gradient is that
# of the *sum of all ranks' losses*. Let the loss of rank 0 be :math:`10 y` and that of rank 1 :math:`20 y`:

run('''
from minigrad.distributed.nn import functional

x = torch.tensor([rank + 1.], requires_grad=True)
y = functional.broadcast(x, 0)
(10 * (rank + 1) * y).sum().backward()
say("broadcast ", y.tolist(), "gradient", x.grad.tolist())
assert x.grad.item() == (30 if rank == 0 else 0)        # reduced to rank 0

x = torch.tensor([rank + 1.], requires_grad=True)
y = functional.all_reduce(x)
(10 * (rank + 1) * y).sum().backward()
say("all_reduce", y.tolist(), "gradient", x.grad.tolist())
assert x.grad.item() == 30                              # reduced on all ranks
''')

# %%
# The ``x`` of rank 1 was never used: its gradient is 0. That of rank 0 was used on both, and rank 1 sent back its 20.
#
# A step by hand
# --------------
#
# Now we have all we need. Each rank takes every second sample of the batch. After its backward pass it has the gradient
# of its half, and an ``all_reduce`` of ``.grad``, divided by the number of ranks, makes that the gradient of the batch.
# No derivative is needed there: the gradients are added after they were computed.

run('''
torch.manual_seed(0)
model = network()
batch = digits["training"][:32]

loss(model, batch[rank::size]).backward()
say(f"{model[0].weight.grad.norm():.4f} of my {len(batch[rank::size])} samples")

for p in model.parameters():
    dist.all_reduce(p.grad)
    p.grad /= size
say(f"{model[0].weight.grad.norm():.4f} of all ranks together")

together = [p.grad.clone() for p in model.parameters()]
model.zero_grad()
loss(model, batch).backward()
say(f"{model[0].weight.grad.norm():.4f} of the batch, alone")
for p, grad in zip(model.parameters(), together):
    assert torch.allclose(p.grad, grad, atol=1e-6)
''')

# %%
# Both ranks now have the same weights and the same gradients. So they take the same step, and have the same weights
# again, without ever sending them.
#
# .. folded:: While the pass still runs
#
# That loop begins when the backward pass has ended. But the gradient of the last layer is complete long before that of
# the first. With a hook on each parameter we can send it at once, and let it travel while the pass goes on:
# ``async_op=True`` returns before the message has arrived, and ``wait`` waits for it. For this we take a network that
# has more to compute, and write down the times.

run('''
import json
from time import perf_counter

torch.manual_seed(0)
model = nn.Sequential(*[nn.Linear(600, 600, bias=False) for _ in range(8)])
x = torch.randn(400, 600)
events, works = {}, []


def send(p):
    """A gradient is complete: begin to add it to that of the other rank."""
    works.append(dist.all_reduce(p.grad, async_op=True))
    events[names[p]] = [perf_counter() - begin, None]
    look()


def look():
    """Write down which messages have arrived."""
    for work, event in zip(works, events.values()):
        if event[1] is None and work.is_completed():
            event[1] = perf_counter() - begin


names = {p: f"layer {i}" for i, p in enumerate(model.parameters(), 1)}
for p in names:
    p.register_post_accumulate_grad_hook(send)

for repetition in range(3):                 # the first are never typical
    events.clear(), works.clear()
    model.zero_grad()
    total = model(x).square().mean()
    dist.barrier()
    begin = perf_counter()
    total.backward()
    end = perf_counter() - begin
    for work in works:
        work.wait()
        look()

if rank == 0:
    with open("times.json", "w") as file:
        json.dump({"end": end, "events": events}, file)
say(len(events), "gradients were sent")
''')

# %%
# A dot is where a gradient was complete on rank 0, and the bar ends where its message was found to have arrived, at the
# earliest when the next gradient was complete. The messages of the last layers travel while the pass is still busy with
# the first ones: only what lies to the right of the line is time in which nobody computes.

# alt: Eight bars, one for the gradient of each layer, over the milliseconds of a backward pass. Each begins
#      with a dot, where the gradient was complete, layer 8 first and layer 1 last, and ends where its message
#      had arrived. The messages of the last layers arrive before the dashed line, at which the pass has ended,
#      and those of the first after it.
# sphinx_gallery_start_ignore
if (folder / "times.json").exists():
    times = json.loads((folder / "times.json").read_text())
    figure, axes = plt.subplots(figsize=(6.4, 3.0), layout="constrained")
    for height, (sent, arrived) in enumerate(times["events"].values()):
        axes.plot([1e3 * sent, 1e3 * arrived], [height, height], "-",
                  linewidth=5, color="tab:orange")
        axes.plot(1e3 * sent, height, "o", color="tab:blue")
    axes.axvline(1e3 * times["end"], color="gray", linestyle="--",
                 label="the pass has ended")
    axes.set(yticks=range(len(times["events"])), yticklabels=[*times["events"]])
    axes.set(xlabel="milliseconds", ylabel="gradient of")
    axes.legend(frameon=False)
# sphinx_gallery_end_ignore
plt.show()

# %%
# Training
# --------
#
# The gradient of the last layer is complete long before that of the first, and can be sent while the pass goes on. But
# a message costs time however short it is, and a network may have hundreds of small parameters. So gradients that
# become complete one after the other should travel together, in *buckets*. That, and a few precautions, is
# ``DistributedDataParallel``. It wraps a module. When it is made, all ranks get the weights of rank 0. In each backward
# pass it fills its buckets and sends each as soon as it is full; when ``backward`` returns, ``.grad`` is the mean over
# all ranks. The rest of the program does not change.
#
# Each rank needs samples of its own. A ``DistributedSampler`` deals the indices out like cards, in an order that is
# drawn anew for each epoch and is the same for all ranks, because all draw it from the same seed. Of an odd number of
# samples one is dealt twice, so that all ranks get equally many:

for rank in range(2):
    sampler = DistributedSampler(range(7), num_replicas=2, rank=rank, seed=5)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        print(f"rank {rank}, epoch {epoch}:", list(sampler))

# %%
# Here is the whole program. With two ranks each loads batches of 16, with one rank of 32: the steps are the same. The
# ranks begin with different weights, on purpose.

TRAIN = '''
from minigrad.nn.parallel import DistributedDataParallel
from minigrad.utils.data import DataLoader, DistributedSampler

torch.manual_seed(rank)
model = DistributedDataParallel(network())
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
sampler = DistributedSampler(digits["training"])
loader = DataLoader(digits["training"], batch_size=32 // size, sampler=sampler)

for epoch in range(15):
    sampler.set_epoch(epoch)
    for samples in loader:
        optimizer.zero_grad()
        loss(model, samples).backward()
        optimizer.step()

held_out = digits["held_out"]
with torch.no_grad():
    right = model(digits["images"][held_out]).argmax(1) == digits["labels"][held_out]
say(f"{len(sampler)} images an epoch")
say(f"{right.float().mean():.1%} of the others right")
assert right.float().mean() > 0.95
if rank == 0:
    torch.save(model.module.state_dict(), f"weights_of_{size}.pt")
'''
print("one process")
run(TRAIN, ranks=1)
print("two processes")
run(TRAIN, ranks=2)

# %%
# Are these the same weights? After 675 steps they differ in the last digits, since sums of 32 samples were added up in
# another order.

saved = [folder / f"weights_of_{ranks}.pt" for ranks in (1, 2)]
if all(path.exists() for path in saved):
    alone, together = (torch.load(path).values() for path in saved)
    largest = max(weights.abs().max().item() for weights in together)
    difference = farthest(alone, together)
    print(f"largest weight {largest:.1f}, largest difference {difference:.0e}")
    assert farthest(alone, together) < 1e-4

# %%
# .. folded:: Adding up before you average
#
# A batch that is too large for memory is computed in pieces whose gradients add up, as everywhere. Then the ranks need
# to talk only once, with the last piece. Inside ``no_sync()`` a pass only adds to the gradients of its own rank; the
# first pass outside averages all that has come together.

run('''
from minigrad.nn.parallel import DistributedDataParallel

torch.manual_seed(0)
model = DistributedDataParallel(network())
mine = digits["training"][:64][rank::size]

with model.no_sync():
    loss(model, mine[:16]).backward()
say(f"{model.module[0].weight.grad.norm():.4f} in the block")
loss(model, mine[16:]).backward()
say(f"{model.module[0].weight.grad.norm():.4f} after it")

grad = model.module[0].weight.grad.clone()
model.zero_grad()
(2 * loss(model.module, digits["training"][:64])).backward()
assert torch.allclose(model.module[0].weight.grad, grad, atol=1e-6)
''')

# %%
# What goes wrong
# ---------------
#
# **A rank fails.** The others would wait for it forever. So an exception that leaves the program of a rank ends all
# ranks, and the error says whose it was.

run_and_fail('''
if rank == 1:
    raise ValueError("the data of this rank are missing")
dist.barrier()
''', "ValueError:", "rank 1 of 2")

# %%
# **Every rank sees all of the data.** Nothing fails if you forget the sampler: both ranks compute the same gradients,
# their mean is one of them, and you pay for two processes and get the result of one. And without ``set_epoch`` all
# epochs have the order of the first.
#
# **Two processes are slower than one.** A message costs time however short it is, and a network as small as this one
# has little to compute between two messages. Only what computes for longer than it talks gains from more processes.
#
# .. folded:: The ranks disagree
#
# They must make the same calls in the same order, with tensors of the same shape. An ``if``
# that only one rank enters, or a last batch that is smaller on one, breaks that. Before any numbers move, the ranks
# compare what each is about to do, and all of them raise the same error:

run_and_fail('''
dist.all_reduce(torch.ones(4 - rank))
''', "Error:", "rank 0:", "rank 1:")

# %%
# .. folded:: All ranks wait
#
# Here each wants to receive before it sends. Messages have an order, and somebody must begin:

run_and_fail('''
theirs = torch.zeros(2)
dist.recv(theirs, src=1 - rank)
dist.send(torch.ones(2), dst=1 - rank)
''', "Error:", "rank 0:", "rank 1:")

# %%
# Summary
# -------
#
# - All ranks run one program; a rank differs from the others by its number, and shares no memory with them.
# - Collectives are linear maps of the numbers of all ranks. The transpose of each is a collective: of ``broadcast`` it
#   is ``reduce``, of ``all_gather`` it is ``reduce_scatter``, of ``all_reduce`` it is itself.
# - If all ranks have equally many samples, the mean of their gradients is the gradient of the whole batch.
# - ``DistributedDataParallel`` computes this mean while the backward pass runs, in buckets; ``DistributedSampler``
#   gives each rank its samples; ``no_sync`` adds up before it averages.
# - A rank that fails ends all ranks, with an error that names it.
#
# .. admonition:: Now in PyTorch
#
#    Cells with a badge print the same in PyTorch 2.13, from the same programs: they were started with ``python -m
#    torch.distributed.run``, also known as ``torchrun``, and sent their messages through *Gloo*. What differs:
#
#    - ``init_process_group()`` chooses the backend: ``"gloo"`` for the CPU and ``"nccl"`` for graphics cards there,
#      and always ``"mpi"`` here.
#    - Ranks that disagree are not noticed there unless you set ``TORCH_DISTRIBUTED_DEBUG=DETAIL``; they hang, or add up
#      what does not belong together.
#    - ``torch.distributed.nn.functional`` warns that it is deprecated there, and its ``reduce`` leaves the tensors of
#      the other ranks as they are, where minigrad returns zeros.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Start the training on three ranks. What must change for the steps to be those of one process?
# 2. Put ``nn.BatchNorm1d(64)`` into the network. Why are the weights no longer those of one process? Write a layer that
#    computes the mean over all ranks, with ``functional.all_reduce``, and check its gradient against one process.
# 3. Let each rank hold half of the *rows of a weight matrix* instead of half of the samples. Which collective joins the
#    outputs, and which one runs in the backward pass?
