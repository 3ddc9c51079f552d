"""
Why reverse mode costs a small multiple
=======================================

The gradient of a function of a million inputs has a million entries, and yet it costs about as much as three or four
evaluations of the function. On this page we count: operation by operation, with a number that keeps a tally, until the
bound is proved. Then we look at what the bound does not say.

After this page you can count what a gradient costs without walking its paths one by one, and write a backward that
keeps to the bound because it makes no matrix.

You need the transpose of a linear map, from :doc:`the_chain_rule_as_linear_maps`.
"""

# %%
# The problem
# -----------
#
# How expensive is a gradient? By its definition, each entry is the answer to a question of its own: how does the
# result move if *this* input moves? A difference quotient for each of :math:`n` inputs takes :math:`n + 1`
# evaluations. Forward mode takes :math:`n` passes. So anyone who sees a network with a hundred million weights for
# the first time expects a training step to cost a hundred million forward passes. It costs three. Where did the
# factor go?
#
# Count everything
# ----------------
#
# We need a measure that does not depend on the machine. Let every addition, multiplication and call of a function
# such as ``sin`` cost one unit. This number does its arithmetic as Python does, and counts:

import math

import matplotlib.pyplot as plt

import minigrad as torch


class Counted:
    """A number that counts what is done with numbers of its kind."""

    operations = 0

    def __init__(self, value):
        self.value = value

    def result(self, value):
        Counted.operations += 1
        return Counted(value)

    def __add__(self, other):
        return self.result(self.value + other.value)

    def __mul__(self, other):
        return self.result(self.value * other.value)

    def sin(self):
        return self.result(math.sin(self.value))

    def cos(self):
        return self.result(math.cos(self.value))


# %%
# And this is reverse mode with it, in its barest form: a list of steps, and a walk back through the list. Each step
# knows which of the earlier values it used, and its partial derivatives with respect to them.


class Tape:
    def __init__(self, inputs):
        self.values = [Counted(x) for x in inputs]
        self.steps = []  # the place of a result, of its inputs, and the partials

    def write(self, value, used, partials):
        self.values.append(value)
        self.steps.append((len(self.values) - 1, used, partials))
        return len(self.values) - 1

    def add(self, i, j):
        return self.write(self.values[i] + self.values[j], (i, j), None)

    def mul(self, i, j):
        a, b = self.values[i], self.values[j]
        return self.write(a * b, (i, j), lambda: (b, a))

    def sin(self, i):
        a = self.values[i]
        return self.write(a.sin(), (i,), lambda: (a.cos(),))

    def gradient(self, result, n):
        cotangents = {result: Counted(1.0)}
        for place, used, partials in reversed(self.steps):
            if (g := cotangents.get(place)) is None:
                continue
            factors = partials() if partials else (None, None)
            for i, factor in zip(used, factors):
                arriving = g if factor is None else g * factor
                seen = cotangents.get(i)
                cotangents[i] = arriving if seen is None else seen + arriving
        return [cotangents[i].value for i in range(n)]

    def derivative(self, result, direction):
        """Forward mode on the same tape: the tangent of the result."""
        tangents = dict(enumerate(map(Counted, direction)))
        for place, used, partials in self.steps:
            parts = [tangents[i] for i in used]
            if partials:
                parts = [part * factor for part, factor in zip(parts, partials())]
            tangents[place] = parts[0] if len(parts) == 1 else parts[0] + parts[1]
        return tangents[result].value


# %%
# The function under test has as many inputs as we like, and uses each of them three times: the sum of
# :math:`\sin(x_i x_{i+1})\, x_i`, around a circle.


def total(tape, n):
    result = None
    for i in range(n):
        product = tape.mul(tape.sin(tape.mul(i, (i + 1) % n)), i)
        result = product if result is None else tape.add(result, product)
    return result


def costs(n):
    """The operations of an evaluation and those of the backward pass, and the gradient."""
    inputs = [0.1 + i / n for i in range(n)]
    Counted.operations = 0
    tape = Tape(inputs)
    result = total(tape, n)
    forward = Counted.operations
    gradient = tape.gradient(result, n)
    return forward, Counted.operations - forward, gradient


sizes = [2, 4, 10, 100, 1000, 10000]
for n in sizes:
    forward, backward, gradient = costs(n)
    ratio = backward / forward
    print(f"n = {n:6}: {forward:6} forward, {backward:6} back: {ratio:.2f} times")

x = torch.tensor([0.1 + i / n for i in range(n)], dtype=torch.float64, requires_grad=True)
((x * x.roll(-1)).sin() * x).sum().backward()
assert torch.allclose(x.grad, torch.tensor(gradient, dtype=torch.float64))

# %%
# The last line compares with ``backward``: the tape computes the right gradient. And the quotient does not grow with
# :math:`n` at all. In a picture, beside the two other ways:


def cost_of_tangent(n):
    """In evaluations of the function, and the tangent for the first input."""
    tape = Tape([0.1 + i / n for i in range(n)])
    Counted.operations = 0
    result = total(tape, n)
    forward, Counted.operations = Counted.operations, 0
    tangent = tape.derivative(result, [1.0] + [0.0] * (n - 1))
    return Counted.operations / forward, tangent


ratio, tangent = cost_of_tangent(n)
print(f"n = {n:6}: one tangent costs {ratio:.2f} evaluations")
assert abs(tangent - gradient[0]) < 1e-12

# alt: Cost, in evaluations of the function, against the number of inputs, both axes logarithmic. With a difference
#      or a tangent for each input the cost grows in proportion to the inputs, to over ten thousand evaluations for
#      ten thousand inputs. With reverse mode it is a horizontal line at a few evaluations.
# sphinx_gallery_start_ignore
fig, ax = plt.subplots(figsize=(6, 3.2))
ax.loglog(sizes, [n + 1 for n in sizes], "^-", label="a difference for each input")
tangents = [1 + n * cost_of_tangent(n)[0] for n in sizes]
ax.loglog(sizes, tangents, "s-", label="a tangent for each input")
ax.loglog(sizes, [1 + costs(n)[1] / costs(n)[0] for n in sizes], "o-", label="reverse mode")
ax.set_xlabel("inputs")
ax.set_ylabel("cost, in evaluations")
ax.legend()
# sphinx_gallery_end_ignore
plt.show()

# %%
# The bound
# ---------
#
# **Theorem** (Linnainmaa 1970; Baur and Strassen 1983). Let a program compute one number with additions,
# multiplications and functions of one variable, in :math:`T` operations. Then all partial derivatives together take
# at most :math:`5T` operations, the evaluation included, whatever the number of inputs.
#
# *Proof.* Go through the steps of the program; the walk back visits each once.
#
# - ``z = x + y`` costs 1 forward. Back, the cotangent of ``z`` arrives at ``x`` and at ``y`` unchanged, and is added
#   to what is there: at most 2.
# - ``z = x * y`` costs 1 forward. Back, there are two products and at most two additions: 4.
# - ``z = f(x)`` costs 1 forward. Back, there is :math:`f'(x)`, one product and at most one addition: 3.
#
# No step costs more than 4 on the way back, so the sum is at most :math:`T + 4T`. ∎
#
# The whole secret is in the first words: the walk back visits each step *once*. It can, because it carries cotangents
# of one result. A step hands its cotangent to the values it used, and where several arrive at a value they are added
# before the value is left. Paths are not followed one by one, though there may be exponentially many. Let us have
# some: a chain in which each value is used twice by the next.


def doubling(tape, length):
    place = 0
    for _ in range(length):
        place = tape.add(place, place)
    return place


tape = Tape([1.0])
result = doubling(tape, 50)
before = Counted.operations
gradient, = tape.gradient(result, 1)
print(f"{gradient:,.0f} paths, {Counted.operations - before} operations")
assert gradient == 2.0**50 and Counted.operations - before <= 100

# %%
# The same for tensors
# --------------------
#
# An operation on tensors is many of these at once, and the bound holds for each of them by itself. The product of an
# :math:`m \times k` and a :math:`k \times n` matrix takes :math:`2mkn` operations, and its backward pass has two
# products of the same size, :math:`G B^{\mathsf T}` and :math:`A^{\mathsf T} G`: a factor of two. Networks are mostly
# such products, so a training step costs about three forward passes: one for the way forward, two for the way back.
# The profiler counts them for us.

from minigrad.autograd import profiler

A = torch.randn(20, 30, requires_grad=True)
B = torch.randn(30, 10, requires_grad=True)
with profiler.profile() as there:
    C = A @ B
with profiler.profile() as back:
    C.sum().backward()
products = [sum(event.count for event in each.key_averages() if event.key.endswith("mm"))
            for each in (there, back)]
print("products forward:", products[0], " backward:", products[1])
assert products == [1, 2]

# %%
# What goes wrong
# ---------------
#
# The theorem counts operations, not bytes and not seconds, and it is about one result.
#
# **Memory.** The walk back needs the partial derivatives, and so the values that they are made of. Forward mode can
# forget a value as soon as it has been used; the tape keeps them all. This is the price of reverse mode, and
# :doc:`/tutorials/hooks/checkpointing` shows how to bring it down.
#
# **Several results.** For :math:`m` results the walk is done :math:`m` times. A function of 3 inputs with 1000
# results is a case for forward mode: 3 passes instead of 1000.


def curve(t):
    return torch.stack([t[0] * torch.cos(k * t[1]) + t[2] for k in torch.arange(1000.0)])


t = torch.tensor([1.0, 0.5, 2.0])
by_columns = torch.func.jacfwd(curve)(t)
print("a Jacobian of", tuple(by_columns.shape), "from 3 tangents")
assert by_columns.shape == (1000, 3)

# %%
# **An operation whose backward is written badly.** The bound needs a backward of each step that costs a few times its
# forward. A formula that builds the whole Jacobian of a step breaks it. The derivative of ``softmax`` as a matrix,
# :math:`\operatorname{diag}(s) - s s^{\mathsf T}`, has :math:`n^2` entries for a function that costs about
# :math:`4n`; as a linear map, :math:`g \mapsto s\,(g - \langle g, s \rangle)`, it costs :math:`4n` again:

x, g = torch.randn(2, 500, dtype=torch.float64)
s = torch.softmax(x, 0)
as_matrix = (torch.diag(s) - torch.outer(s, s)) @ g
as_map = s * (g - (g * s).sum())
print(f"{s.numel() ** 2:,} entries or {4 * s.numel():,} operations, and the same result")
assert torch.allclose(as_matrix, as_map)

# %%
# Summary
# -------
#
# - A gradient costs at most five times the evaluation, counted in operations, for any number of inputs.
# - The reason is that the walk back visits each step once, however many paths lead through it.
# - For products of matrices, and so for networks, the factor is three.
# - The price is memory; and each further result costs a walk of its own.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Add division and subtraction to the tape, and find the worst case of each. Does the bound of 5 still hold?
# 2. How many times as long as the loss alone does a step take, forward and back, for the network of
#    :doc:`/tutorials/first_gradients/reading_digits` and batches of 1 to 1000? Where it is above three, find out with
#    the profiler what the time goes into.
