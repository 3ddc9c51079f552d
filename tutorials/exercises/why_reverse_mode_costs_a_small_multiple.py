"""Exercises of "Why reverse mode costs a small multiple"."""

# %% Exercise: Counting paths
# ``paths(graph, start, end)`` counts the ways from ``start`` to ``end`` in a graph without cycles; ``graph[v]`` lists
# the places that ``v`` leads to (twice, if two edges do). The number may be astronomic, so visit each place once.

# %% Starter
def paths(graph, start, end):
    return ...


# %% Check
diamond = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}
assert paths(diamond, "a", "d") == 2, "In the diamond there are two ways."
assert paths(diamond, "b", "c") == 0, "From b no way leads to c."
assert paths(diamond, "a", "a") == 1, "From a place to itself there is one way, of no steps."
ladder = {i: [i + 1, i + 1] for i in range(300)} | {300: []}
assert paths(ladder, 0, 300) == 2**300, "In a ladder of 300 rungs there are 2**300 ways."

# %% Hint
# Reverse mode on a graph whose partial derivatives are all 1 does this. Remember what is known of a place.


# %% Exercise: The best order of a product
# For matrices :math:`A` of 1000 × 2, :math:`B` of 2 × 1000 and a vector :math:`v`, the product :math:`ABv` costs very
# different amounts in different orders. ``cheapest(shapes)`` returns the least number of multiplications that a chain
# of matrices takes; ``shapes`` is a list of pairs.

# %% Starter
def cheapest(shapes):
    return ...


# %% Check
assert cheapest([(3, 4)]) == 0, "One matrix needs no product."
assert cheapest([(3, 4), (4, 5)]) == 60, "A product of m x k and k x n takes m * k * n multiplications."
assert cheapest([(1000, 2), (2, 1000), (1000, 1)]) == 4000, "From the right: 2 * 1000 + 1000 * 2."
assert cheapest([(1, 1000), (1000, 2), (2, 1000)]) == 4000, "From the left: 1000 * 2 + 2 * 1000."
assert cheapest([(10, 1), (1, 10), (10, 1), (1, 10)]) == 120, "Neither from the left nor from the right."

# %% Hint
# The last product splits the chain into two parts. Try every split, and remember what is known of each part
# (``functools.cache``).


# %% Exercise: A backward that is cheap enough
# The derivative of ``y = x / x.norm()`` is the matrix :math:`(1 - y y^{\mathsf T}) / \|x\|`. Write ``unit_vjp(x, g)``
# without making any matrix.

# %% Starter
import minigrad as torch


def unit_vjp(x, g):
    return ...


# %% Check
x = torch.randn(7, dtype=torch.float64, requires_grad=True)
g = torch.randn(7, dtype=torch.float64)
wanted, = torch.autograd.grad(x / x.norm(), x, g)
answer = unit_vjp(x.detach(), g)
assert isinstance(answer, torch.Tensor) and answer.shape == (7,), "A cotangent of x has the shape of x."
assert torch.allclose(answer, wanted), "This is not the product of the matrix with g."
large = torch.ones(2_000_000)
along = unit_vjp(large, large)  # a matrix of this size would take more memory than there is
assert along.abs().max() < 1e-3, "Along x itself the direction of x does not change, so the result is 0."

# %% Hint
# :math:`y y^{\mathsf T} g` is :math:`y` times a number.


# %% Project: 1
# 10 points: 4 for the two methods, 3 for the counts, 3 for the answer.
#
# Back through ``z = x - y`` there are an addition and a subtraction, 2 in all. Back through ``z = x / y`` the quotient
# :math:`t = \bar z / y` is what arrives at :math:`x`, and :math:`t z` is taken away from what is at :math:`y`: a
# division, a product, an addition and a subtraction, so 4. The bound of 5 holds. It does not if each partial derivative
# is computed by itself, as the page's ``partials`` are: :math:`1 / y` and :math:`-z / y` take three operations, the
# products with :math:`\bar z` two, the sums two, and together with the division itself that is 8. What counts is the
# program on the way back, and not the formula. In the worst case something has arrived at both inputs already.
#
# The usual mistake: to count where nothing has arrived yet, which saves the additions.


# %% Project: 2
# 10 points: 4 for the measurement, 3 for the comparison with the arithmetic, 3 for the profile.
#
# Divide the time of a step, forward, loss and backward, by that of the loss alone under ``no_grad``, both the least of
# many runs, on one core. It is about 3.3 for one image, 2.5 for ten, and 2 from a hundred on. The arithmetic says 2.1
# for every batch: of the four products that a pass back through two layers could have, it has three, because the images
# need no gradient. Above that, with few images, the profile shows nodes and calls: ``AccumulateGrad``,
# ``AddmmBackward0`` and ``linear`` take more time than the products, and the pass back has two and a half times as many
# events as the way forward.
#
# The usual mistake: several threads. Products this small then wait for each other, and the quotient is anything between
# 1 and 5.
