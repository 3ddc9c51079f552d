"""
Memory and checkpointing
========================

Reverse mode pays for its speed with memory: it keeps what the forward pass computed until the backward pass needs it.
On this page we find out how little memory is enough, if we are willing to compute some things twice: a square root of
it for one more forward pass, and a logarithm of it for a few.

After this page you can choose the length of segments for which memory is least, and tell how often the steps of a chain
must run when only some checkpoints fit into memory.

You need checkpoints, from :doc:`/tutorials/hooks/checkpointing`.
"""

# %%
# The problem
# -----------
#
# A chain of :math:`n` steps, :math:`x_{i+1} = f_i(x_i)`: the layers of a network, or the days of a weather forecast.
# To differentiate step :math:`i`, the backward pass needs :math:`x_i`, and it needs the last one first. Keeping all
# of them takes memory for :math:`n` states. Keeping only :math:`x_0`, and computing each :math:`x_i` anew from there,
# takes memory for two and :math:`n (n-1) / 2` steps. For a forecast of a thousand steps, the first takes too much
# memory, and the second is 500 times too slow:

import functools
import math

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad.utils.checkpoint import checkpoint

n = 1000
print(f"keep all:  {n:6} states, {n:6} steps forward")
print(f"keep none: {2:6} states, {n * (n - 1) // 2:6} steps forward")

# %%
# What lies between?
#
# Segments
# --------
#
# Keep every :math:`k`-th state: the *checkpoints*. The backward pass takes the segments from the last to the first.
# It runs each forward again from its checkpoint, now keeping all its states, and then goes back through it.
#
# **Theorem** (Chen et al., 2016). With segments of length :math:`\sqrt n`, the memory is about :math:`2 \sqrt n`
# states, and each step runs forward at most twice.
#
# *Proof.* There are :math:`n / k` checkpoints, and at any time the states of one segment, :math:`k`. The sum
# :math:`n/k + k` is smallest where its derivative is 0, which is at :math:`k = \sqrt n`. Each step runs once to get
# to the checkpoints and once in its segment. ∎
#
# We count, with a chain that reports what it does.


class Chain:
    """A chain that counts the steps it makes and the states that are held at one time."""

    def __init__(self, n):
        self.n, self.steps, self.held, self.peak = n, 0, 0, 0

    def forward(self, x, i):
        self.steps += 1
        return torch.sin(x) + 0.1 * x

    def backward(self, x, g, i):
        return g * (torch.cos(x) + 0.1)

    def hold(self, states):
        self.held += states
        self.peak = max(self.peak, self.held)


def keep_all(chain, x, first, last, g):
    """Pull ``g`` back through some of the steps, keeping the state before each."""
    states = []
    for i in range(first, last):
        states.append(x)
        chain.hold(1)
        x = chain.forward(x, i)
    for i in reversed(range(first, last)):
        g = chain.backward(states.pop(), g, i)
        chain.hold(-1)
    return g


def segments(chain, x, g, k):
    checkpoints = []
    for i in range(chain.n):
        if i % k == 0:
            checkpoints.append((i, x))
            chain.hold(1)
        x = chain.forward(x, i)
    for first, x in reversed(checkpoints):
        g = keep_all(chain, x, first, min(first + k, chain.n), g)
        chain.hold(-1)
    return g


start, one = torch.tensor(0.3, dtype=torch.float64), torch.tensor(1.0, dtype=torch.float64)
reference = Chain(n)
wanted = keep_all(reference, start, 0, n, one)
for k in (1, 10, 32, 100, n):
    chain = Chain(n)
    assert segments(chain, start, one, k) == wanted
    print(f"segments of {k:4}: {chain.peak:4} states, {chain.steps / n:.2f} n steps")
    if k == 32:
        assert chain.peak <= 2 * math.sqrt(n) + 2 and chain.steps <= 2 * n

# %%
# A thousand steps with 63 states, for one more forward pass. The result is the same number, to the last bit.
#
# Segments of segments
# --------------------
#
# A segment is a chain itself, so it can have checkpoints of its own. Cut in half, and do the same with each half:


def halves(chain, x, first, last, g):
    """Pull ``g`` back, holding one state for each level of the recursion."""
    if last - first == 1:
        return chain.backward(x, g, first)
    middle = (first + last) // 2
    chain.hold(1)
    state = x
    for i in range(first, middle):
        state = chain.forward(state, i)
    g = halves(chain, state, middle, last, g)
    g = halves(chain, x, first, middle, g)
    chain.hold(-1)
    return g


chain = Chain(n)
assert halves(chain, start, 0, n, one) == wanted
print(f"halves: {chain.peak} states, {chain.steps / n:.2f} n steps")
assert chain.peak <= math.ceil(math.log2(n)) and chain.steps <= n * math.log2(n)

# %%
# Ten states for a thousand steps, and twenty for a million: :math:`\log_2 n` levels, and on each level half of the
# steps run once more. So both the memory and the factor of time are logarithms.
#
# The best that can be done
# -------------------------
#
# How long a chain can be differentiated with :math:`s` checkpoints, if no step may run forward more than :math:`r`
# times? Griewank (1992) gave the answer: :math:`\binom{s + r}{s}`. The reason is the recursion of Pascal's triangle.
# Let :math:`\ell(s, r)` be the longest chain. Run forward to some state and hold it: what comes after has one
# checkpoint fewer, :math:`\ell(s - 1, r)`; what comes before has run once already, :math:`\ell(s, r - 1)`. So
# :math:`\ell(s, r) = \ell(s-1, r) + \ell(s, r-1)`.


@functools.cache
def longest(s, r):
    return 1 if s == 0 or r == 0 else longest(s - 1, r) + longest(s, r - 1)


for s, r in ((3, 3), (10, 2), (10, 5)):
    print(f"{s:2} checkpoints, {r} times: {longest(s, r):5} steps")
    assert longest(s, r) == math.comb(s + r, s)

assert longest(43, 2) < n <= longest(44, 2) and longest(7, 5) < n <= longest(8, 5)

# alt: Checkpoints against steps, both on logarithmic axes, with a curve for each number of times that a step may
#      run forward: 1, 2, 3 and 5. The first is the diagonal. The others are flatter and flatter; at a thousand
#      steps, two times need 44 checkpoints, and five times need eight.
# sphinx_gallery_start_ignore
fig, ax = plt.subplots(figsize=(6, 3.2))
for r in (1, 2, 3, 5):
    lengths = [longest(s, r) for s in range(1, 200)]
    ax.loglog(lengths, range(1, 200), label=f"{r} times forward")
ax.set(xlim=(1, 1e6), ylim=(1, 200), xlabel="steps", ylabel="checkpoints")
ax.axvline(n, color="grey", linewidth=0.8)
ax.legend()
# sphinx_gallery_end_ignore
plt.show()

# %%
# Read the figure at the grey line, a thousand steps. If each step may run twice, 44 checkpoints are enough; if five
# times, eight.
#
# What goes wrong
# ---------------
#
# **The second forward pass must be the first.** A step that draws random numbers, or counts its calls, differs the
# second time, and the gradient then belongs to another function. The library restores the random state for you; it
# does not know about a counter of your own.


class Counting:
    """A step that is not the same each time."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return x * self.calls


step, w = Counting(), torch.tensor(1.0, requires_grad=True)
y = checkpoint(lambda w: step(w) * w, w, use_reentrant=False)
(gradient,) = torch.autograd.grad(y, w)
print("value", y.item(), " gradient", gradient.item(), " right: 2.0")
assert gradient == 3.0

# %%
# The 3 is a 1 and a 2: the step multiplies by 1, as in the first pass, and the product has kept the value that the step
# had in the second.
#
# **Counting states instead of bytes.** The theorems assume that all states are of one size. A network has wide and
# narrow places. Put checkpoints at the narrow ones.
#
# **Memory that is not states.** Parameters, their gradients and the averages of an optimizer take three to four times
# the parameters, whatever the graph keeps. If these fill the memory, checkpoints do not help.
#
# Summary
# -------
#
# - Keeping every :math:`\sqrt n`-th state takes :math:`2 \sqrt n` states and one more forward pass.
# - Halving again and again takes :math:`\log_2 n` states, and at most :math:`\log_2 n` times the steps.
# - The best possible: :math:`\binom{s+r}{s}` steps with :math:`s` checkpoints and :math:`r` runs of each step.
# - The second computation must repeat the first exactly.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Write the schedule of Griewank, which reaches :math:`\binom{s + r}{s}`: where must the first checkpoint be?
#    Count, as the page does.
# 2. The steps of a forecast have an inverse, if they are chosen well: leapfrog can be run backward. Differentiate it
#    with memory for two states. What does rounding do to it, and what if there is friction?
