"""L-BFGS: Newton's method with an estimate of the inverse Hessian, made of the latest steps.

Liu and Nocedal, "On the limited memory BFGS method for large scale optimization" (1989).  With s the steps so far and
y the changes of the gradient along them,

    direction  =  - H * gradient            H: the two loops of Nocedal and Wright, "Numerical Optimization", 7.4
    param     <-  param + t * direction     t: lr, or by a line search that asks for Wolfe's conditions

All parameters together are one long vector here, real and imaginary parts of complex ones apart.  One ``step`` makes up
to ``max_iter`` iterations, and calls the closure for each loss and gradient that it needs.
"""

from minigrad._core.errors import error
from minigrad.autograd.grad_mode import enable_grad, no_grad
from minigrad.creation import zeros_like
from minigrad.ops.exports import REGISTRY as table
from minigrad.optim.optimizer import Optimizer
from minigrad.optim.rules import check_lr, parts

__all__ = ["LBFGS"]


class LBFGS(Optimizer):
    """Newton's method with an estimate of the curvature; ``step`` needs a closure, and there is one group.

    Parameters
    ----------
    params : tensors, or pairs (name, tensor)
    lr : the length of a step, or where the line search begins
    max_iter, max_eval : how many iterations, and calls of the closure, a step makes at most
    tolerance_grad, tolerance_change : it ends if no element of the gradient, or of a change, is larger
    history_size : how many steps the estimate is made of
    line_search_fn : ``"strong_wolfe"``, or None for steps of length ``lr``

    >>> w = torch.tensor([-1.5, 2.], requires_grad=True)
    >>> optimizer = torch.optim.LBFGS([w], max_iter=50, line_search_fn="strong_wolfe")
    >>> def rosenbrock():
    ...     optimizer.zero_grad()
    ...     loss = (1 - w[0]) ** 2 + 100 * (w[1] - w[0] ** 2) ** 2
    ...     loss.backward()
    ...     return loss
    >>> for _ in range(3):
    ...     before = optimizer.step(rosenbrock)
    >>> w
    tensor([1.0000, 1.0000], requires_grad=True)
    """

    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9,
                 history_size=100, line_search_fn=None):
        check_lr(lr)
        super().__init__(params, dict(
            lr=lr, max_iter=max_iter, max_eval=max_iter * 5 // 4 if max_eval is None else max_eval,
            tolerance_grad=tolerance_grad, tolerance_change=tolerance_change, history_size=history_size,
            line_search_fn=line_search_fn))
        if len(self.param_groups) != 1:
            raise error("MG711", "LBFGS doesn't support per-parameter options (parameter groups)")

    @no_grad()
    def step(self, closure):
        """Make up to ``max_iter`` iterations; returns the loss before the first.

        ``closure`` sets the gradients to None, computes the loss and its gradients, and returns the loss.
        """
        group, = self.param_groups
        state = self.state[group["params"][0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        closure = enable_grad()(closure)
        first_loss = closure()
        loss, grad, calls = float(first_loss), self._gradient(), 1
        state["func_evals"] += 1
        if grad.abs().max() <= group["tolerance_grad"]:
            return first_loss
        for i in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            d = self._direction(state, grad, group)
            state["prev_flat_grad"], state["prev_loss"] = grad.clone(), loss
            first = state["n_iter"] == 1
            t = float(min(1.0, 1.0 / grad.abs().sum()) * group["lr"] if first else group["lr"])
            state["d"], state["t"] = d, t
            slope = grad.dot(d)
            if slope > -group["tolerance_change"]:
                break
            if group["line_search_fn"] is not None:
                loss, grad, t, new_calls = self._searched(closure, group, loss, grad, d, t, slope, calls)
                self._move(t, d)
            else:
                self._move(t, d)
                new_calls = int(i != group["max_iter"])         # after the last move nothing is computed
                if new_calls:
                    loss, grad = float(closure()), self._gradient()
            state["t"] = t
            calls += new_calls
            state["func_evals"] += new_calls
            if (calls >= group["max_eval"] or grad.abs().max() <= group["tolerance_grad"]
                    or (d * t).abs().max() <= group["tolerance_change"]
                    or abs(loss - state["prev_loss"]) < group["tolerance_change"]):
                break
        return first_loss

    def _direction(self, state, grad, group):
        """- H * grad; the state learns from the latest step."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return grad.neg()
        y, s = grad - state["prev_flat_grad"], state["d"] * state["t"]
        ys = y.dot(s)
        if ys > 1e-10:                              # the curvature along the step is positive
            for name, value in (("old_dirs", y), ("old_stps", s), ("ro", 1.0 / ys)):
                if len(state[name]) == group["history_size"]:
                    state[name].pop(0)
                state[name].append(value)
            state["H_diag"] = ys / y.dot(y)
        history = list(zip(state["old_dirs"], state["old_stps"], state["ro"]))
        d, along = grad.neg(), []
        for y, s, ro in reversed(history):
            along.append(s.dot(d) * ro)
            d.add_(y, alpha=-along[-1].item())
        d = d * state["H_diag"]
        for (y, s, ro), a in zip(history, reversed(along)):
            d.add_(s, alpha=(a - y.dot(d) * ro).item())
        return d

    def _searched(self, closure, group, loss, grad, d, t, slope, calls):
        if group["line_search_fn"] != "strong_wolfe":
            raise error("MG713", "only 'strong_wolfe' is supported")
        begin = [param.clone() for param in group["params"]]

        def at(t):
            self._move(t, d)
            found = float(closure()), self._gradient()
            for param, value in zip(group["params"], begin):
                param.copy_(value)
            return found

        return strong_wolfe(at, t, d, loss, grad, slope, group["max_eval"] - calls)

    # ------------------------------------------------------------------------------ all parameters as one vector

    def _gradient(self):
        grads = [zeros_like(param) if param.grad is None else param.grad for param in self.param_groups[0]["params"]]
        return table["cat"]([parts(grad).reshape(-1) for grad in grads])

    def _move(self, t, d):
        """params += t * d"""
        begin = 0
        for param in self.param_groups[0]["params"]:
            param = parts(param)
            param.add_(d[begin:begin + param.numel()].view_as(param), alpha=float(t))
            begin += param.numel()


# ------------------------------------------------------------------------------ the line search

# Note [Strong Wolfe]
# -------------------
# A step t along a direction is accepted if the loss has fallen enough (c1), and its slope is flat enough (c2):
#
#     loss(t) <= loss(0) + c1 * t * slope(0)          |slope(t)| <= c2 * |slope(0)|
#
# First t grows until a minimum lies between two points, the bracket; then the bracket shrinks around it.  A new point
# is the minimum of the cubic through both ends with their slopes.  Nocedal and Wright, algorithms 3.5 and 3.6.

def strong_wolfe(at, t, d, loss, grad, slope, most, c1=1e-4, c2=0.9, tolerance_change=1e-9):
    """(loss, gradient, t, number of calls); ``at(t)`` computes the loss and the gradient of a step t along d."""
    start = (0, loss, grad, slope)
    bracket, calls, tries, done = bracketed(at, t, d, start, c1, c2, most)
    longest, stuck = d.abs().max(), False
    low = 0 if bracket[0][1] <= bracket[-1][1] else 1
    while not done and tries < most:
        if abs(bracket[1][0] - bracket[0][0]) * longest < tolerance_change:
            break
        left, right = sorted((bracket[0][0], bracket[1][0]))
        t, stuck = inside(cubic_minimum(*bracket), left, right, stuck)
        point = evaluated(at, t, d)
        calls, tries = calls + 1, tries + 1
        if point[1] > loss + c1 * t * slope or point[1] >= bracket[low][1]:
            bracket[1 - low] = point
            low = 0 if bracket[0][1] <= bracket[1][1] else 1
        else:
            if abs(point[3]) <= -c2 * slope:
                done = True
            elif point[3] * (bracket[1 - low][0] - bracket[low][0]) >= 0:
                bracket[1 - low] = bracket[low]
            bracket[low] = point
    t, loss, grad, _ = bracket[low if len(bracket) > 1 else 0]
    return loss, grad, t, calls


def _strong_wolfe(obj_func, x, t, d, f, g, gtd, c1=1e-4, c2=0.9, tolerance_change=1e-9, max_ls=25):
    """The line search by its private name in PyTorch, which published optimizers import."""
    return strong_wolfe(lambda t: obj_func(x, t, d), t, d, f, g, gtd, max_ls, c1, c2, tolerance_change)


def _cubic_interpolate(x1, f1, g1, x2, f2, g2, bounds=None):
    """Where a cubic is least, by the private name that goes with ``_strong_wolfe``."""
    return cubic_minimum((x1, f1, None, g1), (x2, f2, None, g2), bounds)


def evaluated(at, t, d):
    """A point of the search: (t, loss, gradient, slope)."""
    loss, grad = at(t)
    return t, loss, grad, grad.dot(d)


def bracketed(at, t, d, start, c1, c2, most):
    """([two points with a minimum between them, or one that is good], calls, tries, whether it is good)."""
    _, loss, _, slope = before = start
    point, tries = evaluated(at, t, d), 0
    while tries < most:
        if point[1] > loss + c1 * point[0] * slope or tries > 1 and point[1] >= before[1]:
            return [before, point], tries + 1, tries, False
        if abs(point[3]) <= -c2 * slope:
            return [point], tries + 1, tries, True
        if point[3] >= 0:
            return [before, point], tries + 1, tries, False
        t = cubic_minimum(before, point, (point[0] + 0.01 * (point[0] - before[0]), point[0] * 10))
        before, point = point, evaluated(at, t, d)
        tries += 1
    return [start, point], tries + 1, tries, False


def cubic_minimum(one, two, bounds=None):
    """Where the cubic with the losses and slopes of two points is least, within bounds; or in their middle."""
    (x1, f1, _, g1), (x2, f2, _, g2) = (one, two) if one[0] <= two[0] else (two, one)
    low, high = bounds or (x1, x2)
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1 ** 2 - g1 * g2
    if not square >= 0:
        return (low + high) / 2.0
    root = square.sqrt()
    return min(max(float(x2 - (x2 - x1) * ((g2 + root - d1) / (g2 - g1 + 2 * root))), low), high)


def inside(t, left, right, stuck):
    """t, moved away from the ends of the bracket if it comes too near for the second time; and whether it is near."""
    margin = 0.1 * (right - left)
    if min(right - t, t - left) >= margin:
        return t, False
    if stuck or t >= right or t <= left:
        return (right - margin if abs(t - right) < abs(t - left) else left + margin), False
    return t, True
