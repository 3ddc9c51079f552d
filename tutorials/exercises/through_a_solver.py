"""Exercises of "Through a solver"."""

# %% Exercise: The gradient from the equation
# ``gradient(residual, z, p, g)`` gets a solution, ``residual(z, p)`` = 0, where :math:`z` and :math:`p` are vectors,
# and the gradient ``g`` of a loss with respect to :math:`z`. It returns the gradient with respect to :math:`p`. Use
# ``torch.func.jacrev`` or ``vjp``, and ``torch.linalg.solve``; the solver is not known here, so do not call
# ``torch.func.implicit``.

# %% Starter
import minigrad as torch


def gradient(residual, z, p, g):
    return ...


# %% Check
from unittest import mock


def refuse(*arguments, **keywords):
    raise AssertionError("Derive it from the two Jacobians, without torch.func.implicit.")


def two_equations(z, p):
    return torch.stack([z[0] + p[0] * z[1] - p[1], z[1] ** 3 + z[0] * p[2] - 1])


def solution(p):
    z = torch.tensor([0.5, 0.8], dtype=torch.float64)
    for _ in range(30):
        z = z - torch.linalg.solve(torch.func.jacrev(two_equations)(z, p), two_equations(z, p))
    return z


p, g = torch.tensor([0.3, 0.9, 0.7], dtype=torch.float64), torch.tensor([1.0, -2.0], dtype=torch.float64)
z = solution(p)
A, B = torch.func.jacrev(two_equations, (0, 1))(z, p)
right = -B.T @ torch.linalg.solve(A.T, g)
with mock.patch.object(torch.func, "implicit", refuse):
    found = gradient(two_equations, z, p, g)
assert isinstance(found, torch.Tensor) and found.shape == p.shape, "The gradient has an entry for each of p."
assert not torch.allclose(found, -right), "The sign is wrong: both terms of the change add up to 0."
assert not torch.allclose(found, -B.T @ torch.linalg.solve(A, g)), "The system has the transpose of the Jacobian."
assert torch.allclose(found, right), "This is not the gradient with respect to p."
unrolled = torch.func.vjp(solution, p)[1](g)[0]
assert torch.allclose(found, unrolled), "Through the steps of Newton's method the gradient is another one."

# %% Hint
# ``torch.func.jacrev(residual, (0, 1))(z, p)`` returns both Jacobians.

# %% Hint
# First solve :math:`A^T w = g`, then multiply: the gradient is :math:`-B^T w`.


# %% Exercise: A function that returns a minimum
# ``f(w, p)`` is a number, and ``solver(p)`` finds the vector ``w`` that makes it as small as possible. Write
# ``minimum(f, solver)``, which returns the function of ``p`` that returns this ``w`` and can be differentiated.

# %% Starter
import minigrad as torch


def minimum(f, solver):
    return ...


# %% Check
matrix = torch.tensor([[2.0, 0.5], [0.5, 1.0]], dtype=torch.float64)


def valley(w, p):
    return w @ matrix @ w / 2 - p @ w


def bottom(p):
    return torch.linalg.solve(matrix, p)


p = torch.tensor([1.0, -1.0], dtype=torch.float64)
lowest = minimum(valley, bottom)
assert callable(lowest), "minimum must return a function of p."
assert torch.allclose(lowest(p), bottom(p)), "The function must return what the solver finds."
assert torch.allclose(torch.func.jacrev(lowest)(p), torch.linalg.inv(matrix)), "Its Jacobian is wrong."


def by_numpy(p):
    return torch.linalg.solve(matrix, p).numpy()


try:
    jacobian = torch.func.jacrev(minimum(valley, by_numpy))(p)
except RuntimeError as problem:
    raise AssertionError(f"With a solver that returns arrays it fails: {problem}")
assert torch.allclose(jacobian, torch.linalg.inv(matrix)), "The derivative must not depend on the solver."
steep = minimum(lambda w, p: (w ** 4).sum() / 4 - p @ w, lambda p: p.sign() * p.abs() ** (1 / 3))
second = torch.func.hessian(lambda p: steep(p).sum())(p)
assert torch.allclose(second, torch.diag(-2 / 9 * p.sign())), "The second derivative is wrong."

# %% Hint
# What is 0 at a minimum? That is the residual.

# %% Hint
# ``torch.func.grad(f)`` is a function of ``w`` and ``p``.


# %% Exercise: An equation too few
# From state :math:`i` a chain goes to state :math:`j` with probability :math:`P_{ij}`. The *stationary* distribution
# does not change: :math:`\pi P = \pi`. With ``pi @ P - pi`` as the residual the Jacobian is singular, since any
# multiple of :math:`\pi` satisfies the equations. Write ``residual(pi, P)`` with :math:`n` equations that leave
# nothing open.

# %% Starter
import minigrad as torch


def residual(pi, P):
    return ...


# %% Check
def power(P):
    return torch.linalg.matrix_power(P, 200)[0]


P = torch.tensor([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.4, 0.5]], dtype=torch.float64)
pi = power(P)
value = residual(pi, P)
assert isinstance(value, torch.Tensor) and value.shape == (3,), "There must be an equation for each of three states."
assert value.abs().max() < 1e-12, "At the stationary distribution the residual must be 0."
assert residual(2 * pi, P).abs().max() > 1e-6, "Twice the distribution satisfies it as well: say what the sum must be."
assert residual(torch.full_like(pi, 1 / 3), P).abs().max() > 1e-6, "The uniform distribution satisfies it as well."
stationary = torch.func.implicit(residual, power)
direction = torch.tensor([[0.0, 1.0, -1.0], [1.0, -1.0, 0.0], [0.0, 0.0, 0.0]], dtype=torch.float64)
try:
    _, change = torch.func.jvp(stationary, (P,), (direction,))
except torch.linalg.LinAlgError:
    raise AssertionError("The Jacobian with respect to pi is singular.")
difference = (power(P + 1e-5 * direction) - power(P - 1e-5 * direction)) / 2e-5
assert torch.allclose(change, difference, atol=1e-8), "The derivative does not agree with a difference."

# %% Hint
# One of the equations follows from the others, so it can be given up for another one.

# %% Hint
# The sum of the probabilities is 1. ``torch.cat`` joins :math:`n - 1` equations and this one.


# %% Project: 1
# 10 points: 4 for a residual with a penalty for each weight, 3 for the descent, 3 for what it finds.
#
# The solver puts :math:`e^{p_i}` on the diagonal. From the best single penalty, 300 steps at a rate of 1 bring the
# outer error from 2.40 down to 1.24. The two largest weights of the truth are punished least, and those that are 0 more
# than ten times as much, on average: so the descent has found which weights matter. But the 200 other samples have
# chosen 20 numbers, so a third set is needed to say how good the weights are.
#
# The usual mistake: to differentiate with respect to the penalties themselves, which then turn negative.


# %% Project: 2
# 10 points: 3 for the steps, 3 for Newton's method, 4 for the derivative.
#
# With the factors 0.03, 0.09, 0.12 and 0.13 in front of the random matrix, the iteration takes about 20, 94, 600 and
# 2,700 steps for ten digits; with 0.15 it does not end. The error shrinks in each step by the largest eigenvalue of the
# Jacobian of a step, which is 0.96 in size at 0.12, 0.99 at 0.13, and more than 1 at 0.15. Newton's method takes 3 to
# 12 steps throughout. The derivative does not notice: its length stays between 9 and 21. It would end where 1 is an
# eigenvalue, and a large eigenvalue that is complex or negative does no harm to it.
#
# The usual mistake: to take a solution that Newton's method finds for the only one. Beyond 1 there may be several.
