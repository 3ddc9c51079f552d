"""
Hessian-vector products
=======================

The gradient says which way to go, the Hessian how far. But the Hessian of a thousand parameters has a million entries,
and that of a million parameters fits into no machine. Often only its product with a vector is needed, and that costs
about as much as two gradients. On this page you compute such products in several ways, and minimize a function by
Newton's method without ever forming the matrix.

After this page you can multiply by a Hessian at the cost of two gradients, once or many times at the same point, and
read its diagonal off such products.

You need the Hessian, from :doc:`jacobians_and_hessians`.
"""

# %%
# The problem
# -----------
#
# We return to the digits, 1,797 images of 8 by 8 pixels, this time without a hidden layer: each of ten scores is a
# weighted sum of the pixels and a constant. That is *logistic regression*, with 650 parameters. To the cross entropy we
# add a small penalty for large parameters, :math:`\tfrac12 \lambda w^T w` with :math:`\lambda = 0.0001`.

import math
import time
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize
from sklearn.datasets import load_digits
from threadpoolctl import threadpool_limits

import minigrad as torch
from minigrad.teaching import expect_error

F = torch.nn.functional
torch.set_default_dtype(torch.float64)
torch.manual_seed(0)
one_core = threadpool_limits.wrap(limits=1)     # faster for matrices as small as these

digits = load_digits()
images = torch.tensor(digits.images.reshape(-1, 64) / 16)
images = torch.cat([images, torch.ones(1797, 1)], 1)
labels = torch.tensor(digits.target)
penalty = 1e-4


def loss(w):
    scores = images @ w.reshape(65, 10)
    return F.cross_entropy(scores, labels) + penalty / 2 * (w @ w)

# %%
# Gradient descent comes first. ``torch.func.grad`` makes the function that computes the gradient. We take 500 steps
# and try several learning rates.

gradient_of = torch.func.grad(loss)
zero = torch.zeros(650)


@one_core
def descend(w, rate, steps):
    norms = []
    for _ in range(steps):
        g = gradient_of(w)
        norms.append(g.norm().item())
        w = w - rate * g
    return w, norms


for rate in 2.0, 8.0, 16.0:
    w, norms = descend(zero, rate, 500)
    print(f"rate {rate:4}: loss {loss(w).item():.5f}, gradient of length {norms[-1]:.1e}")
    if rate == 8:
        descent = norms
assert descent[-1] > 1e-4

# %%
# At the minimum the gradient is 0, and none of the three has come close. A loss of 0.09 is not bad, but nothing tells
# us how far it is from the best one, and a larger rate makes it worse. The loss is a long, narrow valley: a step that
# suits its length is too long for its width.
#
# The Hessian is too large
# ------------------------
#
# Near a point :math:`w` the loss is almost a quadratic function, given by the gradient :math:`g` and the Hessian
# :math:`H`:
#
# .. math::
#
#    f(w + s) \approx f(w) + g^T s + \tfrac12 s^T H s
#
# *Newton's method* goes to the minimum of this function in one step, whatever the shape of the valley. The step solves
#
# .. math::
#
#    H s = -g
#
# Here :math:`H` is a matrix of 650 by 650, which is feasible. For larger models it is not:

for said, n in [
    ("this model", 650),
    ("the network of the digits page", 4810),
    ("a small language model", 100_000_000),
]:
    print(f"{said:30} {n:11,} parameters, a Hessian of {8 * n ** 2 / 1e6:15,.1f} MB")

# %%
# The idea
# --------
#
# How does the gradient change if we move from :math:`w` in the direction :math:`v`? The answer is the derivative of a
# vector in a direction, so it is a vector, and it equals the product :math:`H v`. We need no matrix to define it, and
# none to compute it.
#
# *Reverse over reverse.* The product :math:`g^T v` is a number. Its gradient is :math:`H v`.


def reverse_over_reverse(w, v):
    w = w.detach().requires_grad_()
    (g,) = torch.autograd.grad(loss(w), w, create_graph=True)
    return torch.autograd.grad(g @ v, w)[0]

# %%
# *Forward over reverse.* Compute the gradient, and let :math:`w` move in the direction :math:`v` meanwhile. The tangent
# of the gradient is :math:`H v`.


def forward_over_reverse(w, v):
    return torch.func.jvp(gradient_of, (w,), (v,))[1]

# %%
# The first of these is ready-made. ``vhp`` returns the value of the function and the product :math:`v^T H`, which is
# the same as :math:`H v` because :math:`H` is symmetric. (``hvp`` is called in the same way and returns the
# same pair. It does not rely on the symmetry, and takes one more pass.)

vhp, hvp = torch.autograd.functional.vhp, torch.autograd.functional.hvp


def product(w, v):
    return vhp(loss, w, v)[1]

# %%
# Are they right? For this model the product can be derived on paper. The gradient with respect to the parameters
# :math:`W`, as a matrix, is :math:`X^T (P - Y) / n + \lambda W`, with the images :math:`X`, the probabilities :math:`P`
# and the right answers :math:`Y`. If :math:`W` moves in the direction :math:`V`, the scores move by :math:`Z = X V`,
# and the probabilities, element by element, by
#
# .. math::
#
#    (\dot P)_{ik} = P_{ik} \left( Z_{ik} - \sum_j P_{ij} Z_{ij} \right)


def on_paper(w, v):
    P = torch.softmax(images @ w.reshape(65, 10), 1)
    Z = images @ v.reshape(65, 10)
    P_dot = P * (Z - (P * Z).sum(1, keepdim=True))
    return (images.T @ P_dot / 1797).reshape(-1) + penalty * v


w, v = torch.randn(650), torch.randn(650)
right = on_paper(w, v)


def difference(w, v, h=1e-5):
    return (gradient_of(w + h * v) - gradient_of(w - h * v)) / (2 * h)


@one_core
def milliseconds(compute):
    best = float("inf")
    for _ in range(7):
        start = time.perf_counter()
        compute()
        best = min(best, time.perf_counter() - start)
    return 1000 * best


# teaches: functional.hvp
one_gradient = milliseconds(lambda: gradient_of(w))
print("                      error  time, in gradients")
for said, compute in [
    ("reverse over reverse", reverse_over_reverse),
    ("forward over reverse", forward_over_reverse),
    ("vhp", product),
    ("hvp", lambda w, v: hvp(loss, w, v)[1]),
    ("finite difference", difference),
]:
    error = ((compute(w, v) - right).norm() / right.norm()).item()
    cost = milliseconds(lambda: compute(w, v)) / one_gradient
    print(f"{said:20} {error:.0e}  {cost:.1f}")
    assert error < (1e-8 if compute is difference else 1e-13)

# %%
# The finite difference also costs two gradients, but it loses six digits, and leaves us to choose :math:`h`.
#
# .. folded:: And the matrix itself?
#
# It consists of 650 products. ``hessian`` computes its rows one by one or, with
# ``vectorize=True``, all at once. The matrix is the same, and the memory is not:

hessian = torch.autograd.functional.hessian


@one_core
def measure(said, compute):
    start = time.perf_counter()
    result = compute()
    seconds = time.perf_counter() - start
    tracemalloc.start()
    compute()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"{said:25} {seconds * 1000:6.1f} ms, {peak / 1e6:6.1f} MB")
    return result, peak


one, one_peak = measure("one product", lambda: product(w, v))
rows, rows_peak = measure("the Hessian, row by row", lambda: hessian(loss, w))
whole, whole_peak = measure(
    "the Hessian, at once", lambda: hessian(loss, w, vectorize=True)
)
assert torch.allclose(rows, whole) and torch.allclose(rows @ v, one)
assert one_peak < 3e6 < rows_peak < whole_peak / 5

# %%
# For the small network of :doc:`jacobians_and_hessians` it paid to compute everything at once. Here there is less to
# gain, since each product already keeps the processor busy, and 650 of everything must be held.
#
# Conjugate gradients
# -------------------
#
# How can we solve :math:`H s = -g` if all we can do with :math:`H` is multiply by it? By walking down
#
# .. math::
#
#    q(s) = g^T s + \tfrac12 s^T H s
#
# cleverly. The gradient of :math:`q` is :math:`g + H s`; with its sign turned it is the *residual*
# :math:`r = -g - H s`. Along a direction :math:`p` the function is a parabola, so its lowest point is known: go
# :math:`r^T r / p^T H p` times :math:`p`. The directions are chosen so that no step spoils what an earlier one has
# achieved. Such directions are called *conjugate*, :math:`p_i^T H p_j = 0`, and each follows from the residual by a
# small correction. A step takes one product.


def conjugate_gradients(times_H, b, tolerance):
    """Solve H s = b up to the tolerance; return s and the number of products."""
    s, products = torch.zeros_like(b), 0
    r = p = b
    rr = r @ r
    while rr.sqrt() > tolerance:
        Hp = times_H(p)
        products += 1
        length = rr / (p @ Hp)
        s = s + length * p
        r = r - length * Hp
        rr, old = r @ r, rr
        p = r + rr / old * p
    return s, products


g = gradient_of(zero)
solved = torch.linalg.solve(hessian(loss, zero), -g)
for tolerance in 1e-1, 1e-2, 1e-4, 1e-8:
    s, products = conjugate_gradients(lambda v: product(zero, v), -g, tolerance * g.norm())
    error = ((s - solved).norm() / solved.norm()).item()
    print(f"to {tolerance:.0e}: {products:2} products, error of the step {error:.0e}")
assert products < 150 and error < 1e-5

# %%
# In theory the method needs at most as many steps as there are parameters. In practice it took far fewer for six
# digits of the step, and a rough step is cheap. Far from the minimum a rough step is enough, because there the
# quadratic function is not the loss anyway.
#
# Newton's method without a matrix
# --------------------------------
#
# So we solve roughly at first, and more precisely as the gradient gets smaller. And since the quadratic function may be
# far from the loss, we try a step before taking it: as long as the loss does not fall as it should, we halve the step.


@one_core
def newton_cg(w, enough=1e-8):
    history, products = [], 0
    while True:
        g = gradient_of(w)
        norm = g.norm().item()
        history.append((products, norm))
        if norm < enough:
            return w, history
        tolerance = min(0.5, math.sqrt(norm)) * norm
        s, count = conjugate_gradients(lambda v: product(w, v), -g, tolerance)
        products += count
        length = 1.0
        while loss(w + length * s) > loss(w) + 1e-4 * length * (g @ s):
            length /= 2
        w = w + length * s


best, history = newton_cg(zero)
for i, (products, norm) in enumerate(history):
    print(f"{i:2}: length of the gradient {norm:.1e} after {products:3} products")
print(f"loss {loss(best).item():.5f}")

assert len(history) < 20 and history[-1][1] < 1e-8

# %%
# The length of the gradient falls from 0.4 to less than :math:`10^{-8}`, faster and faster, as is typical of Newton's
# method.
#
# To compare the costs, we count gradients, and let a product be two of them:

steps = range(len(history))
cost = [2 * products + i for i, (products, _) in zip(steps, history)]
norms = [norm for _, norm in history]

# alt: The length of the gradient, on a logarithmic axis, against the cost in gradients. Gradient descent swings up
#      and down and levels off at about one thousandth. Newton-CG falls faster and faster, and is below one
#      billionth after about 400 gradients.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.semilogy(descent, color="tab:orange", label="gradient descent, rate 8")
axes.semilogy(cost, norms, "o-", color="tab:blue", label="Newton-CG")
axes.set(xlabel="cost, in gradients", ylabel="length of the gradient")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# Up to a hundred gradients there is little between the two. Beyond that, only Newton's method arrives.
#
# .. folded:: The same with SciPy
#
# SciPy has this method too, and another one that limits the length of a step instead of halving it, by a *trust
# region*. Both take three functions of arrays: the loss, its gradient, and the product.


def of_arrays(f):
    def g(*arrays):
        return f(*map(torch.from_numpy, arrays)).numpy()

    return g


for method, options in ("Newton-CG", {"xtol": 1e-10}), ("trust-ncg", {"gtol": 1e-8}):
    found = minimize(
        lambda w: loss(torch.from_numpy(w)).item(), np.zeros(650), method=method,
        jac=of_arrays(gradient_of), hessp=of_arrays(product), options=options,
    )
    apart = np.abs(found.x - best.numpy()).max()
    counts = f"{found.nit} steps, {found.nhev} products"
    print(f"SciPy's {method}: {counts}, {apart:.0e} from ours")
    assert apart < 1e-3 and abs(found.fun - loss(best).item()) < 1e-9

print("ours:", len(history) - 1, "steps,", history[-1][0], "products")

# %%
# (``torch.from_numpy`` shares the memory of the array, so nothing is copied.)
#
# What else products tell
# -----------------------
#
# Why was gradient descent so slow? The curvature of the loss in a direction :math:`v` of length 1 is :math:`v^T H v`.
# It is largest along an eigenvector, and products alone can find that one: multiply by :math:`H` again and again, and
# the vector turns towards it.


def largest_curvature(w):
    v = torch.randn(650)
    for _ in range(100):
        v = v / v.norm()
        Hv = product(w, v)
        v, curvature = Hv, v @ Hv
    return curvature.item()


steep = largest_curvature(best)
print(f"largest curvature {steep:.4f}")
eigenvalues = np.linalg.eigvalsh(hessian(loss, best).numpy())
assert math.isclose(steep, eigenvalues[-1], rel_tol=1e-4)

# %%
# We know the smallest curvature without computing. If the same number is added to all ten scores, the probabilities do
# not change; along these directions only the penalty curves.

flat = torch.ones(65, 10).reshape(-1)
assert torch.allclose(product(best, flat), penalty * flat)
assert math.isclose(penalty, eigenvalues[0], rel_tol=1e-4)
print(f"largest by smallest: {steep / penalty:.0f}")

# %%
# .. folded:: The largest rate
#
# A step of gradient descent multiplies the error along an eigenvector by :math:`1 - \eta c`, where :math:`\eta` is the
# rate and :math:`c` the curvature. Below :math:`-1` the error grows, so the rate must stay under :math:`2 / c` for the
# largest :math:`c`; and then the flat directions take thousands of steps. We can see the limit near the minimum:

near = best + 1e-3 * torch.randn(650)
for factor in 1.9, 2.1:
    w, _ = descend(near, factor / steep, 100)
    print(f"rate {factor / steep:.2f}: distance {(w - best).norm():.4f} after 100 steps")
    assert ((w - best).norm() > (near - best).norm()) == (factor > 2)

# %%
# What goes wrong
# ---------------
#
# **The first gradient without a graph.** Then there is nothing to differentiate a second time. Luckily that is an
# error:

w = zero.clone().requires_grad_()
(g,) = torch.autograd.grad(loss(w), w)              # create_graph=True is missing
with expect_error(RuntimeError):
    torch.autograd.grad(g @ v, w)

# %%
# **A step that is too long.** Newton's step is right for the quadratic function. Start somewhere else, and take it
# whole:

far = 3 * torch.randn(650)
g = gradient_of(far)
s, _ = conjugate_gradients(lambda v: product(far, v), -g, 1e-3 * g.norm())
print(f"loss {loss(far).item():.1f}, after the step {loss(far + s).item():.1f}")
assert loss(far + s) > 10 * loss(far)
from_far, _ = newton_cg(far)
assert torch.allclose(from_far, best, atol=1e-4)

# %%
# Far out nearly all probabilities are 0 or 1, the loss hardly curves, and so the step becomes huge. Halving helps.
#
# **Negative curvature.** Newton's method goes to where the gradient is zero, to saddles as readily as to minima: where
# the curvature is negative, its step may lead uphill. Test the sign of :math:`p^T H p`, and stop conjugate gradients
# there.
#
# .. folded:: A network, without the test and with it
#
# The loss of logistic regression is *convex*: its curvature is nowhere negative. That of a
# network with a hidden layer is not, even if the layer has only eight numbers:


def loss_of_network(p):
    h = torch.tanh(images @ p[:520].reshape(65, 8))
    scores = torch.cat([h, torch.ones(1797, 1)], 1) @ p[520:].reshape(9, 10)
    return F.cross_entropy(scores, labels) + penalty / 2 * (p @ p)


start = 0.3 * torch.randn(610)
eigenvalues = np.linalg.eigvalsh(hessian(loss_of_network, start).numpy())
negative = (eigenvalues < 0).sum()
print(f"{negative} of 610 eigenvalues are negative, the lowest is {eigenvalues[0]:.2f}")
assert eigenvalues[0] < 0

# %%
# Along such a direction the parabola opens downwards. Its stationary point, to which conjugate gradients go, is its
# highest one, and the resulting step may lead uphill, however short it is. One test cures this: if the curvature is not
# positive, stop with the step so far; and if this was the first direction, go down the gradient. Here are twenty steps
# without the test and with it. (``torch.func.grad_and_value`` computes the loss along with its gradient.)


def truncated(times_H, b, tolerance, careful):
    s = torch.zeros_like(b)
    r = p = b
    rr = r @ r
    for i in range(100):
        Hp = times_H(p)
        if careful and p @ Hp <= 0:
            return s if i else b
        length = rr / (p @ Hp)
        s = s + length * p
        r = r - length * Hp
        rr, old = r @ r, rr
        if rr.sqrt() <= tolerance:
            break
        p = r + rr / old * p
    return s


def fit_network(careful):
    p, losses = start, []
    for _ in range(20):
        g, f = torch.func.grad_and_value(loss_of_network)(p)
        losses.append(f.item())
        s = truncated(
            lambda v: vhp(loss_of_network, p, v)[1], -g, 0.3 * g.norm(), careful
        )
        if g @ s >= 0:
            return losses, "the step leads uphill"
        length = 1.0
        while not loss_of_network(p + length * s) <= f + 1e-4 * length * (g @ s):
            length /= 2
        p = p + length * s
    return losses, "still going down"


for careful in False, True:
    losses, state = fit_network(careful)
    print(f"careful={careful!s:5}: {len(losses):2} steps, loss {losses[-1]:.3f}, {state}")
    if careful:
        assert losses[-1] < 0.5
    else:
        assert len(losses) == 1 and state == "the step leads uphill"

# %%
# The careless version does not get away from its start: the curvature is negative in the very first direction, and the
# step leads uphill.
#
# .. folded:: No curvature at all
#
# The *hinge* loss is 0 where a score is large enough, and rises in a straight line where it is
# not. The second derivative of straight pieces is 0, wherever it exists. Nothing complains until something divides by
# it:


# teaches: functional.vhp
def hinge(w):
    return torch.relu(1 - images[:, :3] @ w).mean()


w = torch.zeros(3)
s, _ = conjugate_gradients(lambda v: vhp(hinge, w, v)[1], torch.ones(3), 0.1)
print("products", vhp(hinge, w, torch.ones(3))[1], "step", s)
assert not s.isfinite().any()

# %%
# Summary
# -------
#
# - :math:`H v` is the derivative of the gradient in the direction :math:`v`. It costs about two gradients, and no
#   matrix is formed.
# - It comes from the gradient of :math:`g^T v` (reverse over reverse, ``vhp``), or from the tangent of the gradient
#   (forward over reverse, ``torch.func.jvp``).
# - Conjugate gradients solve :math:`H s = -g` by products; with step lengths that are tried first, this is a Newton
#   method for many parameters.
# - Repeated products find the largest curvature, which limits the rate of gradient descent.
# - Away from a minimum, test the curvature, and shorten a step that does not help.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. *Precondition*: solve for :math:`D^{1/2} s` instead of :math:`s`, where :math:`D` is the diagonal of :math:`H`,
#    which you can derive on paper. Does this save products at the start, and over the whole run?
# 2. Use only 200 images for the products, chosen anew for each Newton step. Why must they not be chosen anew for each
#    product? How far does it get?
# 3. Write the trust region: stop conjugate gradients where they leave a ball around :math:`w`. Enlarge the ball when
#    the loss falls as predicted, and shrink it when it does not.
