"""
Hessian-vector products
=======================

The gradient says where to go, the Hessian how far. But the Hessian of a thousand parameters has a million entries,
and that of a million parameters does not fit into any machine. Often it is not needed: what is needed is its product
with a vector, and that costs about as much as two gradients. On this page we fit a model by Newton's method without
ever forming the matrix, and let SciPy check the result.

You need the Hessian, from :doc:`jacobians_and_hessians`.
"""

# %%
# The problem
# -----------
#
# The digits again, 1,797 images of 8 by 8 pixels. This time without a hidden layer: each of ten scores is a weighted
# sum of the pixels and a constant. That is *logistic regression*, with 650 parameters. To the cross entropy we add a
# small penalty for large parameters, :math:`\tfrac12 \lambda w^T w` with :math:`\lambda = 0.0001`.

import math
import textwrap
import time
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize
from sklearn.datasets import load_digits
from threadpoolctl import threadpool_limits

import minigrad as torch

F = torch.nn.functional
torch.set_default_dtype(torch.float64)
torch.manual_seed(0)
one_core = threadpool_limits(limits=1)      # quicker for matrices as small as these

digits = load_digits()
images = torch.tensor(digits.images.reshape(-1, 64) / 16)
images = torch.cat([images, torch.ones(1797, 1)], 1)
labels = torch.tensor(digits.target)
penalty = 1e-4


def loss(w):
    scores = images @ w.reshape(65, 10)
    return F.cross_entropy(scores, labels) + penalty / 2 * (w @ w)


# %%
# First down the gradient. ``torch.func.grad`` makes the function that computes it. We take 500 steps, with the best of
# several rates.

gradient_of = torch.func.grad(loss)
zero = torch.zeros(650)


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
# At the minimum the gradient is 0, and we are not there. A loss of 0.09 is not bad, but how far it is from the best
# nobody can tell. With a larger rate it gets worse. The valley is long and narrow: a step that is right for its length
# is too long for its width.
#
# What is too much
# ----------------
#
# Near a point :math:`w` the loss is nearly a quadratic function, made of the gradient :math:`g` and the Hessian
# :math:`H`:
#
# .. math::
#
#    f(w + s) \approx f(w) + g^T s + \tfrac12 s^T H s
#
# *Newton's method* goes to the minimum of that, in one step, whatever the shape of the valley:
#
# .. math::
#
#    H s = -g
#
# Here :math:`H` is a matrix of 650 by 650. For this model that is feasible. In general it is too much:

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
# If we go from :math:`w` in the direction :math:`v`, how does the gradient change? That is the product :math:`H v`: a
# derivative of a vector in a direction, and so a vector. No matrix is needed to say it, and none to compute it.
#
# *Backwards through backwards.* The product :math:`g^T v` is a number. Its gradient is :math:`H v`.


def reverse_over_reverse(w, v):
    w = w.detach().requires_grad_()
    (g,) = torch.autograd.grad(loss(w), w, create_graph=True)
    return torch.autograd.grad(g @ v, w)[0]


# %%
# *Forwards through backwards.* Compute the gradient, and push :math:`w` in the direction :math:`v` meanwhile. (PyTorch
# 2.13 refuses this for ``F.cross_entropy``, whose derivative it cannot push through. Written with ``logsumexp`` it
# can.)


def forward_over_reverse(w, v):
    return torch.func.jvp(gradient_of, (w,), (v,))[1]


# %%
# The first of these is ready-made. ``vhp`` returns the value of the function and the product :math:`v^T H`, which is
# the same, since :math:`H` is symmetric. (There is ``hvp`` too. It does not rely on the symmetry, and takes one more
# pass for that.)

vhp, hvp = torch.autograd.functional.vhp, torch.autograd.functional.hvp


def product(w, v):
    return vhp(loss, w, v)[1]


# %%
# Are they right? For this model the product can be found on paper. The gradient with respect to the parameters
# :math:`W`, as a matrix, is :math:`X^T (P - Y) / n + \lambda W`, with the images :math:`X`, the probabilities :math:`P`
# and the right answers :math:`Y`. If :math:`W` moves in the direction :math:`V`, the scores move by :math:`Z = X V`,
# and the probabilities, element by element, by
#
# .. math::
#
#    (\dot P)_{ik} = P_{ik} \left( Z_{ik} - \sum_j P_{ij} Z_{ij} \right)


# teaches: functional.hvp
def on_paper(w, v):
    P = torch.softmax(images @ w.reshape(65, 10), 1)
    Z = images @ v.reshape(65, 10)
    P_dot = P * (Z - (P * Z).sum(1, keepdim=True))
    return (images.T @ P_dot / 1797).reshape(-1) + penalty * v


w, v = torch.randn(650), torch.randn(650)
right = on_paper(w, v)


def difference(w, v, h=1e-5):
    return (gradient_of(w + h * v) - gradient_of(w - h * v)) / (2 * h)


def milliseconds(compute):
    best = float("inf")
    for _ in range(7):
        start = time.perf_counter()
        compute()
        best = min(best, time.perf_counter() - start)
    return 1000 * best


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
# The finite difference costs two gradients, loses six digits, and leaves us to choose :math:`h`. The exact products
# cost about the same.
#
# And the matrix itself? Its columns are 650 products. ``hessian`` computes them one by one, or all at once:

hessian = torch.autograd.functional.hessian


def measure(said, compute):
    start = time.perf_counter()
    compute()
    seconds = time.perf_counter() - start
    tracemalloc.start()
    compute()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"{said:25} {seconds * 1000:6.1f} ms, {peak / 1e6:6.1f} MB")
    return seconds, peak


one, one_peak = measure("one product", lambda: product(w, v))
rows, rows_peak = measure("the Hessian, row by row", lambda: hessian(loss, w))
whole, whole_peak = measure(
    "the Hessian, at once", lambda: hessian(loss, w, vectorize=True)
)
assert one_peak < 3e6 < rows_peak < whole_peak / 5
assert rows > 10 * one and whole > rows / 3

# %%
# On the last page it paid to do everything at once. Here there is little to gain, since with matrices of this size the
# time does not go into getting started; and 650 of everything must be held.
#
# Conjugate gradients
# -------------------
#
# How can :math:`H s = -g` be solved if all we can do with :math:`H` is to multiply by it? Go downhill on
#
# .. math::
#
#    q(s) = g^T s + \tfrac12 s^T H s
#
# but cleverly. Its gradient is :math:`g + H s`; what is left of it, with the sign turned, is the *residual*
# :math:`r = -g - H s`. Along a direction :math:`p` the lowest point is known, since :math:`q` is a parabola there: go
# :math:`r^T r / p^T H p` times :math:`p`. And choose the directions so that none spoils what an earlier one has
# achieved. These are called *conjugate*, :math:`p_i^T H p_j = 0`, and follow from the residuals by a small correction.
# Each step takes one product.


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
# On paper it takes at most as many steps as there are parameters. In fact it took far fewer, for seven digits, and a
# rough step is cheap. While we are far away from the minimum, nobody needs more: the quadratic function is not the
# loss.
#
# Newton's method without a matrix
# --------------------------------
#
# So solve roughly at first, and better as the gradient gets smaller. And since the quadratic function may be wrong, try
# the step before taking it. If the loss does not fall as it should, try half of it.


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
# From 0.4 to a hundred millionth. In the end the gradient shrinks faster and faster, as expected of Newton's method.
#
# Compare the cost. Counted in gradients, let a product be two of them:

steps = range(len(history))
cost = [2 * products + i for i, (products, _) in zip(steps, history)]
norms = [norm for _, norm in history]

figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.semilogy(descent, color="tab:orange", label="gradient descent, rate 8")
axes.semilogy(cost, norms, "o-", color="tab:blue", label="Newton-CG")
axes.set(xlabel="cost, in gradients", ylabel="length of the gradient")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
plt.show()

# %%
# For a hundred gradients there is little between them. After that only one of them arrives.
#
# SciPy as the judge
# ------------------
#
# SciPy has this method as well, and another that limits the length of a step instead of halving it, a *trust region*.
# Both ask for three functions, of arrays: the loss, its gradient, and the product.


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
# What else a product shows
# -------------------------
#
# Why was gradient descent so slow? The curvature of the loss in a direction :math:`v` of length 1 is :math:`v^T H v`.
# The largest one belongs to an eigenvector, which products alone can find: multiply by :math:`H` again and again, and
# the vector ends up along it.


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
# The smallest one we know without computing. Add the same number to all ten scores, and the probabilities are what they
# were; along these directions only the penalty curves.

flat = torch.ones(65, 10).reshape(-1)
assert torch.allclose(product(best, flat), penalty * flat)
assert math.isclose(penalty, eigenvalues[0], rel_tol=1e-4)
print(f"largest by smallest: {steep / penalty:.0f}")

# %%
# A step of gradient descent multiplies the error along an eigenvector by :math:`1 - \eta c`, with the rate :math:`\eta`
# and the curvature :math:`c`. Where that is below :math:`-1`, the error grows. So no rate above :math:`2 / c` is of any
# use, for the largest :math:`c`, and with that rate the flat directions take thousands of steps. Try it near the
# minimum:

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
try:
    torch.autograd.grad(g @ v, w)
except RuntimeError as problem:
    print(textwrap.fill(str(problem), 76))
else:
    raise AssertionError("no error?")

# %%
# **Too far.** Newton's step is right for the quadratic function. Start somewhere else, and take it whole:

far = 3 * torch.randn(650)
g = gradient_of(far)
s, _ = conjugate_gradients(lambda v: product(far, v), -g, 1e-3 * g.norm())
print(f"loss {loss(far).item():.1f}, after the step {loss(far + s).item():.1f}")
assert loss(far + s) > 10 * loss(far)
from_far, _ = newton_cg(far)
assert torch.allclose(from_far, best, atol=1e-4)

# %%
# Far out nearly all probabilities are 0 or 1, and the loss hardly curves, so the step becomes huge. Halving helps.
#
# **Negative curvature.** The loss of logistic regression is *convex*, its curvature is nowhere negative. With a hidden
# layer that is over. Here is a small one, of eight numbers:


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
# Along such a direction the parabola is open below. Its "lowest point", where conjugate gradients go, is the highest. A
# step made of these may lead uphill, however short. The cure is one test. Where the curvature is not positive, stop,
# and make do with the step so far; and if that was the first direction, go down the gradient. Here are both, for twenty
# steps:


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
        assert losses[-1] > 1

# %%
# The careless one comes near a saddle, where the gradient is small and the loss is what guessing would give. That is
# where Newton's method goes if we let it.
#
# **No curvature at all.** The *hinge* loss is 0 where a score is large enough, and rises in a straight line where it is
# not. The second derivative of straight pieces is 0, wherever there is one. Nothing complains, until something divides
# by it:


# teaches: functional.vhp
def hinge(w):
    return torch.relu(1 - images[:, :3] @ w).mean()


w = torch.zeros(3)
s, _ = conjugate_gradients(lambda v: vhp(hinge, w, v)[1], torch.ones(3), 0.1)
print("products", vhp(hinge, w, torch.ones(3))[1], "step", s)
assert not s.isfinite().any()

# %%
# Exercises
# ---------
#
# The closed form, SciPy, and the loss are the judges.
#
# 1. ``gradient, push = torch.func.linearize(gradient_of, w)`` gives the gradient at a point, and a function that
#    computes products there. Use it in ``newton_cg``. How much time does it save, and what does it keep in memory?
# 2. *Precondition*: solve for :math:`D^{1/2} s` instead, where :math:`D` is the diagonal of :math:`H`. Find it on
#    paper. How many products are saved?
# 3. An estimate of the diagonal needs no paper: it is the mean of ``v * product(w, v)`` over vectors of random signs.
#    Why? How many are needed for two digits?
# 4. Use only 200 images for each product, chosen again for each Newton step. Why must they not be chosen again for each
#    product? How far does it get?
# 5. Write the trust region: stop conjugate gradients where they leave a ball around :math:`w`. Make it larger when the
#    loss falls as predicted, and smaller when it does not.
# 6. With the Jacobian :math:`J` of the scores and the Hessian :math:`B` of the cross entropy with respect to the
#    scores,
#    :math:`J^T B J` has no negative curvature. Compute its product with a vector with one ``jvp`` and one ``vjp``, and
#    fit the network with it.
