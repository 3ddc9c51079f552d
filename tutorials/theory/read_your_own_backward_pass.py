"""
Read your own backward pass
===========================

``backward`` returns numbers. How it came to them is a computation like any other, and can be written down: as the
equations that you would write on paper, and as a program. On this page you derive the gradients of a network by hand
beside its own equations, read its backward pass as a program that needs nothing but NumPy, change that program, and
find a wrong line in it.

After this page you can read a pass at three levels of detail, turn it into a program and change that, and find a fault
in a backward pass from the numbers alone.

You need the gradients of a layer, from :doc:`/tutorials/first_gradients/from_numbers_to_tensors`, sums over what was
broadcast, from :doc:`/tutorials/theory/broadcasting_and_its_transpose`, and rows, from
:doc:`/tutorials/theory/the_table_itself`.
"""

# %%
# The problem
# -----------
#
# Here is a network with two layers that sorts five points into three classes. After ``backward`` its four parameters
# have gradients. Would you notice if one of them were wrong?
#
# A graph knows the nodes of its pass, but not all of the forward pass: for ``x + 3`` nothing has to be saved. So the
# cell computes inside ``viz.recording()``, which writes down every operation with its arguments, its results, and the
# line of yours that called it.

import minigrad as torch
from minigrad import viz
from minigrad.nn import functional as F
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)
x, t = torch.randn(5, 4), torch.tensor([0, 1, 2, 1, 0])
W, b = torch.randn(4, 8, requires_grad=True), torch.zeros(8, requires_grad=True)
V, c = torch.randn(8, 3, requires_grad=True), torch.zeros(3, requires_grad=True)
with viz.recording():
    y = x @ W + b
    h = torch.tanh(y)
    z = h @ V + c
    loss = F.cross_entropy(z, t)
    loss.backward()
print(f"loss {loss.item():.4f}; the gradient of b begins with {b.grad[0].item():.6f}")

# %%
# By hand
# -------
#
# Write :math:`\bar z` for the gradient of the loss L with respect to z. We begin at the end. In row i, cross entropy is
# minus the logarithm of the probability of the right class :math:`t_i`, and the loss is the mean over the n rows:
#
# .. math::
#
#    L = \frac{1}{n} \sum_i \Bigl( \ln \sum_j e^{z_{ij}} - z_{i t_i} \Bigr) .
#
# The derivative of the logarithm is :math:`e^{z_{ij}} / \sum_k e^{z_{ik}}`, which is the softmax. That of
# :math:`z_{i t_i}` is 1 in the column of the right class, and 0 elsewhere: a row of zeros with one 1, called *onehot*.
# So
#
# .. math::
#
#    \bar z = \frac{1}{n} \bigl( \mathrm{softmax}(z) - \mathrm{onehot}(t) \bigr) .
#
# The rest are rules that you know. A product of matrices sends back its cotangent times the other factor, transposed; a
# bias that was broadcast over the rows gets their sum; and :math:`\tanh' = 1 - \tanh^2`:
#
# .. math::
#
#    \bar c = \sum_i \bar z_{ij}, \quad \bar V = h^{\mathsf T} \bar z, \quad \bar h = \bar z V^{\mathsf T}, \quad
#    \bar y = \bar h \, (1 - h^2), \quad \bar b = \sum_i \bar y_{ij}, \quad \bar W = x^{\mathsf T} \bar y .

with torch.no_grad():
    z_bar = (torch.softmax(z, 1) - torch.eye(3)[t]) / 5
    c_bar, V_bar, h_bar = z_bar.sum(0), h.T @ z_bar, z_bar @ V.T
    y_bar = h_bar * (1 - h ** 2)
    b_bar, W_bar = y_bar.sum(0), x.T @ y_bar
for leaf, mine in ((c, c_bar), (V, V_bar), (b, b_bar), (W, W_bar)):
    assert torch.allclose(leaf.grad, mine)
print("All four gradients agree.")

# %%
# The pass as equations
# ---------------------
#
# ``viz.derive`` writes the recorded pass in the same way. First comes each quantity of the forward pass by the name of
# your variable, with its shape on the right; then each gradient, in the order in which the pass computed it. Compare
# them with yours:

derivation = viz.derive(loss)
print(derivation)
assert "W̅ = xᵀ @ y̅" in str(derivation)

# %%
# (As the last line of a cell, ``viz.derive(loss)`` shows the equations as formulas.)
#
# These equations were not looked up under "cross entropy". At the first level every step is there, as the rows of the
# table compute it. ``v₁``, ``v₂`` and ``v₃`` are quantities to which your program gives no name:

print(derivation.at(1))
assert len(derivation.at(1).backward) == 11

# %%
# Cross entropy is two rows, ``log_softmax`` and ``nll_loss``, and the table has a formula for each. Look at the second
# line of the backward pass: :math:`\bar v_3` is :math:`-\mathrm{onehot}(t)/5`. And the third:
# :math:`\bar z = \bar v_3 - e^{v_3} \sum \bar v_3`. The sum of each row of :math:`\bar v_3` is :math:`-1/5`, and the
# exponential of a log-softmax is a softmax. Put together, that is your formula.
#
# The second level puts the quantities without a name into the equations that use them. The third, which you get if you
# ask for nothing else, also applies such identities:

for level in (2, 3):
    print(f"level {level}:  ", derivation.at(level).backward[1])

# %%
# Level 2 still has a :math:`\bar v_3`, since the next line uses it twice, and would become too long.
#
# An equation that merely looks right is worth little. ``check`` computes them one after the other from the inputs
# alone, and compares each with the numbers of the pass:

for level in (1, 2, 3):
    derivation.at(level).check()

# %%
# **Where paths meet**, what arrives is added. Below, ``b`` is used twice: in the product, which sends back
# :math:`\bar y a`, and in the sum. In which term of :math:`\bar a` is the path through ``b``?


def f(a):
    b = a * 2
    y = a * b + b
    return y


print(viz.derive(f, torch.tensor(3.0)))

# %%
# ``viz.derive(f, ...)`` records for itself. The second term is the path through ``b``.
#
# The pass as a program
# ---------------------
#
# Equations leave out what a machine must know: which sum comes first, what is kept, how a number is computed without
# overflow. ``viz.code`` writes the pass as a program. It has four parts: rows of the table whose computation takes more
# than a line, as functions; the inputs; the forward pass; the backward pass. Here are the last two:

program = viz.code(loss)
text = str(program)
print(text[text.index("# ---- forward"):text.index("# ---- the results")])
assert "import minigrad" not in text and "d_y = d_h * (1 - h * h)" in text

# %%
# ``d_h`` is :math:`\bar h`. Read the backward pass from its top. Each node has a comment with its name, the line of
# yours that made it, and its rule in the words of the table: ``d`` is what arrives, ``self`` and ``mat2`` are the
# inputs, ``result`` is the output. Below come the lines that apply the rule:
#
# - ``AddBackward0`` passes on what arrives, and the bias needs its sum over the rows, ``axis=0``;
# - ``MmBackward0`` has two rules, and so two products; ``adjoint`` is a transposed matrix;
# - ``TanhBackward0`` uses ``h``, the *result* of the forward pass: no tanh is computed twice.
#
# ``program.save("pass.py")`` writes a file that any Python with NumPy runs: it prints the loss and each gradient with
# all its digits. ``program.run()`` runs it here, and returns its variables:

variables = program.run()
for name, leaf in (("d_c", c), ("d_V", V), ("d_b", b), ("d_W", W)):
    print(name, "differs by", abs(variables[name] - leaf.grad.numpy()).max())
    assert abs(variables[name] - leaf.grad.numpy()).max() < 1e-14

# %%
# Change it
# ---------
#
# The program is a text, and yours. Let us replace tanh by ``relu``, which is ``np.maximum(y, 0)`` in NumPy. The
# function ``run`` executes a text like this one, without the part that prints, and returns its variables.


def run(text):
    names = {}
    exec(text[:text.index("# ---- the results")], names)
    return names


W.grad = None
loss = F.cross_entropy(torch.relu(x @ W + b) @ V + c, t)
loss.backward()
assert W.grad is not None and text.count("np.tanh(y)") == 1
changed = text.replace("np.tanh(y)", "np.maximum(y, 0)")
print("the loss agrees:", abs(run(changed)["loss"] - loss.item()) < 1e-14)
print("the gradient of W is off by", abs(run(changed)["d_W"] - W.grad.numpy()).max())
assert abs(run(changed)["d_W"] - W.grad.numpy()).max() > 0.01

# %%
# The loss is right, and the gradient is wrong, without any error. The backward pass is still that of tanh. A program of
# this kind has every derivative written beside what it is the derivative of: where one changes, the other must, too.
# Here that is one more line; which one?

changed = changed.replace("d_h * (1 - h * h)", "np.where(h > 0, d_h, 0)")
print("the gradient of W is off by", abs(run(changed)["d_W"] - W.grad.numpy()).max())
assert abs(run(changed)["d_W"] - W.grad.numpy()).max() < 1e-14

# %%
# That is what minigrad does for you: it is told the operation, and the table has the rest.
#
# Find a fault
# ------------
#
# Somebody has changed one line of our program. It runs, and it prints four gradients of the right shapes.

faulty = text.replace("d_h * (1 - h * h)", "d_h * (1 - h)")

# %%
# We have two means. The first: a gradient predicts by how much the loss changes when a number moves. So we move one
# number of each parameter, by another line in the text, and measure. This needs no other gradient, only the forward
# pass:


def measured(text, name, eps=1e-6):
    losses = []
    for step in (eps, -eps):
        move = f"{name}.flat[0] += {step}\n# ---- forward"
        losses.append(run(text.replace("# ---- forward", move))["loss"])
    return (losses[0] - losses[1]) / (2 * eps)


computed = run(faulty)
for name in ("c", "V", "b", "W"):
    slope, claimed = measured(faulty, name), computed["d_" + name].flat[0]
    print(f"{name}: measured {slope:9.6f}, computed {claimed:9.6f}",
          "" if abs(slope - claimed) < 1e-6 else "  <- wrong")
assert abs(measured(faulty, "V") - computed["d_V"].flat[0]) < 1e-6
assert abs(measured(faulty, "b") - computed["d_b"].flat[0]) > 1e-4

# %%
# The second: the order of the pass. ``d_c`` and ``d_V`` are right, so everything above them is, ``d_z`` included.
# ``d_b`` and ``d_W`` are both wrong, and both are made of ``d_y``. What lies between is ``d_h`` and ``d_y``: two lines
# out of ten. To decide between them, move a number of ``h`` instead of a parameter, after it was computed. Its measured
# slope is what ``d_h`` should be:

losses = []
for step in (1e-6, -1e-6):
    line = "h = np.tanh(y)\n"
    losses.append(run(faulty.replace(line, line + f"h.flat[0] += {step}\n"))["loss"])
slope, claimed = (losses[0] - losses[1]) / 2e-6, computed["d_h"].flat[0]
print(f"h: measured {slope:.6f}, computed {claimed:.6f}")
assert abs(slope - claimed) < 1e-6

# %%
# ``d_h`` is right, so ``d_y`` is the wrong line; and the rule above it in the comment says ``1 - result²``.
#
# What goes wrong
# ---------------
#
# **A loss that was not recorded.** The graph alone doesn't know what was computed. The message has the two lines to
# write:

with expect_error(RuntimeError):
    viz.code((x @ W).sum())

# %%
# **A program of one run.** A recording has one side of each ``if``, so many rounds of a loop, and random numbers as
# they were drawn. With other inputs the program still takes the same side:


def g(x):
    return x * 2 if x > 0 else x * 5


frozen = str(viz.code(g, torch.tensor(3.0)))
print(run(frozen.replace("# ---- forward", "x[...] = -3.0"))["result"], "and g(-3) is -15")
assert run(frozen.replace("# ---- forward", "x[...] = -3.0"))["result"] == -6
torch.set_default_dtype(torch.float32)

# %%
# Summary
# -------
#
# - ``with viz.recording():`` writes down what is computed; ``viz.derive`` and ``viz.code`` tell it.
# - Level 1 of a derivation has every step, level 2 only what your program names, level 3 is simplified; ``check``
#   computes all of it.
# - A program has the forward pass and the backward pass side by side, and they must be changed together.
# - A fault lies between the last gradient that is right and the first that is wrong. Measured slopes tell which are.
#
# .. admonition:: Now in PyTorch
#
#    PyTorch has neither ``derive`` nor ``code``. ``torch.compile`` prints the backward pass that it compiles, with
#    ``TORCH_LOGS="aot_graphs"``, in PyTorch's own operations. The way to find a fault is the same everywhere:
#    ``gradcheck`` is the first means, on all numbers at once.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Train the network with the generated program alone: put its forward and backward pass into a function, and take a
#    hundred steps of gradient descent in NumPy. Compare the losses with those of minigrad.
# 2. Derive one step of Adam's second moment, ``v = 0.9 * v + 0.1 * g * g``, through two steps of a recurrence of your
#    choice, at all three levels. How many equations does each level have, and which identities shorten the third?
