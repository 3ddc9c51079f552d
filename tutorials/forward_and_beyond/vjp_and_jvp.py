"""
vjp and jvp
===========

The derivative of a function with several inputs and outputs is a whole matrix, the Jacobian. Most programs never need
it: they need its product with one vector. On this page you learn to compute the two products, ``vjp`` and ``jvp``,
which of the functions of that name to take, and how one of them can be made from the other.

After this page you can find the slope of a function in any direction, and multiply by a Jacobian and by its transpose
without building either.

You need gradients, from :doc:`/tutorials/first_gradients/gradients_of_one_expression`, and tangents, from
:doc:`forward_mode_and_dual_numbers`.
"""

# %%
# The problem
# -----------
#
# A robot's arm has three joints. Their angles decide where the hand is:

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)
lengths = torch.tensor([1.0, 0.8, 0.4])
calls = 0


def hand(angles):
    """The position of the hand: three angles in, two coordinates out."""
    global calls
    calls += 1
    directions = angles.cumsum(0)
    x, y = lengths * directions.cos(), lengths * directions.sin()
    return torch.stack([x.sum(), y.sum()])


angles = torch.tensor([0.4, 0.7, -0.5])
print("the hand is at", hand(angles))

# %%
# Two questions. The joints turn at given speeds: how fast does the hand move? And something pulls at the hand with a
# given force: what torque does each joint feel? Both answers are in the Jacobian :math:`J`, whose entry
# :math:`J_{ik}` is the derivative of output :math:`i` with respect to input :math:`k`:
#
# - the velocity of the hand is :math:`J \dot x`, a combination of columns, with one speed for each joint;
# - the torques are :math:`\bar y \, J`, a combination of rows, with one component of the force for each coordinate.
#
# The idea
# --------
#
# Forward mode computes a combination of columns in one pass, and reverse mode a combination of rows. So neither
# question needs the matrix. ``jvp`` multiplies the Jacobian with a vector from the right, *Jacobian times vector*;
# ``vjp`` from the left, *vector times Jacobian*. Both also return the function's value. To check them, ``jacobian``
# builds the whole matrix, which costs a pass for each of its rows:

speeds = torch.tensor([0.5, -0.3, 1.0])
force = torch.tensor([0.0, -2.0])
# teaches: functional.jvp, functional.vjp, functional.jacobian
position, velocity = torch.autograd.functional.jvp(hand, angles, speeds)
position, torques = torch.autograd.functional.vjp(hand, angles, force)
print("velocity", velocity)
print("torques ", torques)

jacobian = torch.autograd.functional.jacobian(hand, angles)
print("Jacobian", jacobian, sep="\n")
assert torch.allclose(velocity, jacobian @ speeds)
assert torch.allclose(torques, force @ jacobian)

# %%
# The shapes help to remember which is which. The vector of ``jvp`` looks like the inputs, and its result like the
# outputs; for ``vjp`` it is the other way round.

assert speeds.shape == angles.shape and velocity.shape == position.shape
assert force.shape == position.shape and torques.shape == angles.shape

turned = angles.cumsum(0)
across, up = (lengths * turned.cos()).cumsum(0), (lengths * turned.sin()).cumsum(0)
# alt: The arm, three straight pieces from the origin to the hand, up and to the right. At the hand begin two
#      arrows: its velocity, and the force, which points straight down.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.plot([0, *across.tolist()], [0, *up.tolist()], "o-", color="gray", linewidth=5)
arrows = (velocity, "tab:blue", "velocity"), (force / 4, "tab:orange", "force")
for arrow, color, label in arrows:
    axes.quiver(*position.tolist(), *arrow.tolist(), color=color, label=label,
                angles="xy", scale_units="xy", scale=1)
axes.set(xlim=(-0.2, 2.4), ylim=(-0.2, 2.5), aspect="equal")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# The power that the force spends on the moving hand is the power that the torques spend on the turning joints:
# :math:`\bar y \cdot (J \dot x) = (\bar y J) \cdot \dot x`. It holds for every function and every pair of vectors,
# whatever they mean. This is the cheapest test of a pair of products that belong together:

print(f"{(force @ velocity).item():.6f} = {(torques @ speeds).item():.6f}")
assert torch.allclose(force @ velocity, torques @ speeds)

# %%
# Tensors in, tensors out
# -----------------------
#
# The function may take several tensors, as a tuple, and return several. Then there is one vector for each. What it
# may not do is take or return anything else:


def reach(angles, scale):
    x = hand(angles) * scale
    return x, (x * x).sum()


vectors = torch.tensor([1.0, 0.0]), torch.tensor(0.5)
inputs = angles, torch.tensor(2.0)
outputs, products = torch.autograd.functional.vjp(reach, inputs, vectors)
print(*products)
assert products[0].shape == angles.shape and products[1].shape == ()

with expect_error(TypeError):
    torch.autograd.functional.vjp(reach, (angles, 2.0), vectors)  # type: ignore
with expect_error(TypeError):
    torch.autograd.functional.vjp(lambda angles: hand(angles).tolist(), angles, force)

# %%
# If an argument is not a tensor, or not one you want a derivative for, wrap the function in one that already has it.
# A ``lambda`` is the shortest way:

outputs, product = torch.autograd.functional.vjp(lambda a: reach(a, 2.0), angles, vectors)
assert torch.allclose(product, products[0])

# %%
# The vector may be left out where it can only be a 1: in ``vjp`` if there is one output, with one entry, and in
# ``jvp`` if there is one such input.

_, gradient = torch.autograd.functional.vjp(lambda a: reach(a, 2.0)[1], angles)
print("gradient of the squared distance:", gradient)
with expect_error(RuntimeError):
    torch.autograd.functional.vjp(hand, angles)

# %%
# Three more, in torch.func
# -------------------------
#
# ``torch.func`` has functions of the same names that compute the same numbers, in another way:
#
# - ``func.vjp(f, x)`` runs ``f`` once and returns a *function* that multiplies. Call it as often as you like.
# - ``func.jvp(f, (x,), (t,))`` pushes the tangent along with the values, in forward mode proper.
# - ``func.linearize(f, x)`` runs ``f`` ahead of all products (once here, twice in PyTorch 2.13) and returns a
#   function that multiplies from the right.
#
# Let us count how often each runs ``hand`` for ten vectors:


def runs(action):
    global calls
    calls = 0
    results = action()
    return calls, torch.stack(results)


forces, turns = torch.randn(10, 2), torch.randn(10, 3)
functional, func = torch.autograd.functional, torch.func


def by_func_vjp():
    _, multiply = func.vjp(hand, angles)
    return [multiply(v)[0] for v in forces]


def by_linearize():
    _, multiply = func.linearize(hand, angles)
    return [multiply(t) for t in turns]


left = [
    ("functional.vjp", lambda: [functional.vjp(hand, angles, v)[1] for v in forces], 10),
    ("func.vjp", by_func_vjp, 1),
]
right = [
    ("functional.jvp", lambda: [functional.jvp(hand, angles, t)[1] for t in turns], 10),
    ("func.jvp", lambda: [func.jvp(hand, (angles,), (t,))[1] for t in turns], 10),
    ("func.linearize", by_linearize, None),
]
for products_of, wanted in (left, forces @ jacobian), (right, turns @ jacobian.mT):
    for name, action, expected in products_of:
        count, results = runs(action)
        print(f"{name:15} runs the function {count:2} times")
        assert count == expected or (expected is None and count < 10)
        assert torch.allclose(results, wanted)

# %%
# So for one product it does not matter; for many at the same point take ``func.vjp`` or ``func.linearize``.
#
# A jvp from two vjps
# -------------------
#
# ``functional.jvp`` is older than forward mode. It uses reverse mode, twice, and the reason why that works is pretty.
# Let :math:`g(v) = v J` be what a backward pass computes from :math:`v`. It is a function of :math:`v`, and a linear
# one, so its derivative with respect to :math:`v` is the same everywhere: the matrix :math:`J` again, transposed. A
# vector from the left times *this* matrix is :math:`J` times the vector:


def jvp_by_hand(function, x, tangent):
    x = x.detach().requires_grad_()
    y = function(x)
    v = torch.zeros_like(y, requires_grad=True)                     # any value will do
    (g,) = torch.autograd.grad(y, x, v, create_graph=True)          # g = v J
    (product,) = torch.autograd.grad(g, v, tangent)  # how g moves with v
    return product


print(jvp_by_hand(hand, angles, speeds))
assert torch.allclose(jvp_by_hand(hand, angles, speeds), velocity)

# %%
# It costs a second backward pass and keeps the graph of the first. In return it needs no formula of forward mode. A
# Function with ``backward`` alone will do:


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return 2 * x * y_bar


_, product = functional.jvp(Square.apply, angles, speeds)
assert torch.allclose(product, 2 * angles * speeds)
with expect_error(RuntimeError):
    func.jvp(Square.apply, (angles,), (speeds,))

# %%
# The whole matrix after all
# --------------------------
#
# With a unit vector, ``vjp`` gives a row, and ``jvp`` a column. Two rows are cheaper than three columns here:
# a function with few outputs wants ``vjp``, one with few inputs ``jvp``.

rows = [functional.vjp(hand, angles, unit)[1] for unit in torch.eye(2)]
columns = [functional.jvp(hand, angles, unit)[1] for unit in torch.eye(3)]
print(len(rows), "rows or", len(columns), "columns")
assert torch.allclose(torch.stack(rows), jacobian)
assert torch.allclose(torch.stack(columns, dim=1), jacobian)

# %%
# What goes wrong
# ---------------
#
# **A lambda that captures a loop variable.** We want the derivative of each coordinate by itself, and make a list of
# functions:

coordinates = [lambda a: hand(a)[i] for i in range(2)]
gradients = [functional.vjp(coordinate, angles)[1] for coordinate in coordinates]
print(*gradients, sep="\n")
assert torch.equal(gradients[0], gradients[1])

# %%
# Both are the second row. A ``lambda`` does not keep the value that ``i`` has when it is written, it keeps the
# variable; and by the time anybody calls it, the loop is over and ``i`` is 1. There is no error, since each function
# is a perfectly good one. A default argument is evaluated at once, and cures it:

coordinates = [lambda a, i=i: hand(a)[i] for i in range(2)]
gradients = [functional.vjp(coordinate, angles)[1] for coordinate in coordinates]
print(*gradients, sep="\n")
assert torch.allclose(torch.stack(gradients), jacobian)

# %%
# **The vector of the other product.** Here the shapes differ, and the mistake is found. For a function with as many
# outputs as inputs nothing tells ``vjp`` from ``jvp``, except the test with two vectors above.

with expect_error(RuntimeError):
    functional.vjp(hand, angles, speeds)

# %%
# **A path that was cut.** Somebody calls ``detach`` along the way, and the product is silently 0. With
# ``strict=True`` that is an error:


def cut(angles):
    return hand(angles.detach())


print(functional.vjp(cut, angles, force)[1])
assert not functional.vjp(cut, angles, force)[1].any()
with expect_error(RuntimeError):
    functional.vjp(cut, angles, force, strict=True)

# %%
# **A product without a history.** By default what comes back is a constant, even if the input requires gradients. To
# differentiate the product again, ask for ``create_graph=True``. Here is how the torques change with the angles:

a = angles.clone().requires_grad_()
assert not functional.vjp(hand, a, force)[1].requires_grad
_, product = functional.vjp(hand, a, force, create_graph=True)
(change,) = torch.autograd.grad(product.sum(), a)
print(change)
assert torch.autograd.gradcheck(
    lambda a: functional.vjp(hand, a, force, create_graph=True)[1], a
)

# %%
# Summary
# -------
#
# - ``jvp`` is the Jacobian times a vector like the inputs; ``vjp`` is a vector like the outputs times the Jacobian.
# - :math:`\bar y \cdot (J \dot x) = (\bar y J) \cdot \dot x` checks one against the other.
# - ``functional.vjp`` and ``functional.jvp`` take tensors and return tensors; a ``lambda`` holds the other arguments,
#   and ``i=i`` holds a loop variable.
# - ``func.vjp`` and ``func.linearize`` run the function ahead, for many products; ``func.jvp`` is forward mode.
# - Two backward passes make a ``jvp``, since the product :math:`v J` is linear in :math:`v`.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Let the hand follow a circle of radius 0.3, which begins where it is: at each step find speeds of the joints with
#    :math:`J \dot x = v`, by conjugate gradients on :math:`J J^T` that only use ``vjp`` and ``jvp``. Draw the arm at
#    ten moments. How far does the hand stray from the circle?
# 2. Estimate the largest singular value of the Jacobian of a small network by power iteration on :math:`J^T J`. How
#    many products does it take for three digits?
# 3. A *vjp of a jvp* is a product with a second derivative. Compute the acceleration of the hand when the joints turn
#    at constant speeds, in two ways.
