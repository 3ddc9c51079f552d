"""`minimize` by three methods, and `curve_fit`."""

import numpy as np

#: the slope along the line must fall below the second of these, the value by the first times the slope (Wolfe)
ENOUGH, FLAT = 1e-4, 0.9
PRECISION = "Desired error not necessarily achieved due to precision loss."
DONE = "Optimization terminated successfully."
TOO_MANY = "Maximum number of iterations has been exceeded."


class OptimizeResult(dict):
    """A dict whose entries are attributes too."""

    __getattr__ = dict.__getitem__


def minimize(fun, x0, *, method="BFGS", jac, hessp=None, options=None):
    """The x at which ``fun`` is smallest, from x0 (n) on.

    ``jac`` is its gradient, or True where ``fun`` returns both; ``hessp(x, v)`` is the Hessian times v.
    """
    if method not in METHODS:
        raise NotImplementedError(f"the small scipy of the page has no method {method!r}: {', '.join(METHODS)}")
    asked = {}

    def both(x):
        if asked.get("x") is None or not np.array_equal(asked["x"], x):
            value, slope = fun(x) if jac is True else (fun(x), jac(x))
            asked.update(x=x.copy(), said=(float(value), np.array(slope, dtype=float)))
        return asked["said"]

    return METHODS[method](both, np.array(x0, dtype=float), hessp, **options or {})


def result(both, x, steps, message, **more):
    value, slope = both(x)
    return OptimizeResult(x=x, fun=value, jac=slope, nit=steps, message=message, success=message == DONE, **more)


def along(both, x, direction, first):
    """A step that lowers the value enough and flattens the slope; None if none is found.

    Nocedal and Wright, Numerical Optimization, algorithms 3.5 and 3.6.
    """
    def at(step):
        value, slope = both(x + step * direction)
        return value, float(slope @ direction)

    (value, slope), low, high, step = at(0.0), None, None, first
    before = 0.0, value, slope
    for _ in range(60):
        here, rise = at(step)
        too_high = not here <= value + ENOUGH * step * slope
        if not too_high and abs(rise) <= -FLAT * slope:
            return step
        if high is None:                    # larger steps, until a minimum lies between two
            if too_high or (before[0] and here >= before[1]):
                low, high = before, (step, here, rise)
            elif rise >= 0:
                low, high = (step, here, rise), before
            else:
                before, step = (step, here, rise), 2 * step
                continue
        elif too_high or here >= low[1]:
            high = step, here, rise
        else:
            if rise * (high[0] - low[0]) >= 0:
                high = low
            low = step, here, rise
        # The lowest point of a parabola through the lower end, its slope and the other end, kept off both ends.
        width = high[0] - low[0]
        bend = 2 * (high[1] - low[1] - low[2] * width)
        part = -low[2] * width / bend if np.isfinite(bend) and bend > 0 else 0.5
        step = low[0] + min(max(part, 0.1), 0.9) * width
        if abs(width) < 1e-14:
            return None
    return None


def first_step(value, before, falling):
    """As long as would repeat the last gain, and at most 1."""
    return min(1.0, 2.02 * (before - value) / falling) if falling > 0 and before > value else 1.0


def bfgs(both, x, hessp, gtol=1e-5, maxiter=None):
    inverse, steps = np.eye(len(x)), 0
    value, slope = both(x)
    before = value + np.linalg.norm(slope) / 2
    while abs(slope).max() > gtol:
        if steps == (maxiter or 200 * len(x)):
            return result(both, x, steps, TOO_MANY)
        direction = -inverse @ slope
        step = along(both, x, direction, first_step(value, before, -float(slope @ direction)))
        if step is None:
            return result(both, x, steps, PRECISION)
        moved = step * direction
        x, old, before, steps = x + moved, slope, value, steps + 1
        value, slope = both(x)
        change = slope - old
        across = float(change @ moved)
        if across > 0:
            left = np.eye(len(x)) - np.outer(moved, change) / across
            inverse = left @ inverse @ left.T + np.outer(moved, moved) / across
    return result(both, x, steps, DONE)


def newton_cg(both, x, hessp, xtol=1e-5, maxiter=None):
    products, steps = 0, 0
    value, slope = both(x)
    for steps in range(maxiter or 200 * len(x)):
        size = abs(slope).sum()
        direction, left = np.zeros_like(x), slope.copy()
        search, length = -left, float(left @ left)
        for inner in range(20 * len(x)):            # conjugate gradients, as exactly as it pays
            if abs(left).sum() <= min(0.5, np.sqrt(size)) * size:
                break
            product, products = hessp(x, search), products + 1
            bend = float(search @ product)
            if bend <= 3 * np.finfo(float).eps:
                direction = direction if inner else -slope
                break
            far = length / bend
            direction, left = direction + far * search, left + far * product
            search, length = -left + float(left @ left) / length * search, float(left @ left)
        step = along(both, x, direction, 1.0)
        if step is None:
            return result(both, x, steps, PRECISION, nhev=products)
        x = x + step * direction
        value, slope = both(x)
        if abs(step * direction).sum() <= len(x) * xtol:
            return result(both, x, steps + 1, DONE, nhev=products)
    return result(both, x, steps, TOO_MANY, nhev=products)


def trust_ncg(both, x, hessp, gtol=1e-4, maxiter=None):
    """Newton's steps within a radius, which grows where the quadratic model was right (Steihaug)."""
    radius, steps, products = 1.0, 0, 0
    value, slope = both(x)
    while np.linalg.norm(slope) >= gtol:
        if steps == (maxiter or 200 * len(x)):
            return result(both, x, steps, TOO_MANY, nhev=products)
        move, bent, asked = within(lambda v: hessp(x, v), slope, radius)
        products += asked
        promised = -(slope @ move + 0.5 * move @ bent)
        kept = (value - both(x + move)[0]) / promised
        if kept < 0.25:
            radius /= 4
        elif kept > 0.75 and np.linalg.norm(move) > 0.999 * radius:
            radius = min(2 * radius, 1000.0)
        if kept > 0.15:
            x = x + move
            value, slope = both(x)
        steps += 1
    return result(both, x, steps, DONE, nhev=products)


def within(product, slope, radius):
    """(step, the Hessian times it, how many products): conjugate gradients that end at the radius."""
    size, count = np.linalg.norm(slope), 0
    move, bent, left = np.zeros_like(slope), np.zeros_like(slope), slope
    search = -left
    while np.linalg.norm(left) >= min(0.5, np.sqrt(size)) * size:
        along_search, count = product(search), count + 1
        bend, far = float(search @ along_search), None
        if bend > 0:
            far = float(left @ left) / bend
        if far is None or np.linalg.norm(move + far * search) >= radius:
            a, b, c = search @ search, 2 * move @ search, move @ move - radius ** 2
            far = (-b + np.sqrt(b * b - 4 * a * c)) / (2 * a)
            return move + far * search, bent + far * along_search, count
        move, bent, after = move + far * search, bent + far * along_search, left + far * along_search
        search = -after + float(after @ after) / float(left @ left) * search
        left = after
    return move, bent, count


METHODS = {"BFGS": bfgs, "Newton-CG": newton_cg, "trust-ncg": trust_ncg}


def curve_fit(f, xdata, ydata, p0):
    """The parameters with which f(xdata, *parameters) comes closest to ydata, and their covariance.

    Levenberg's and Marquardt's method, with derivatives by central differences.
    """
    p, y = np.array(p0, dtype=float), np.asarray(ydata, dtype=float)

    def residuals(p):
        return np.asarray(f(xdata, *p), dtype=float) - y

    def jacobian(p):
        steps = np.cbrt(np.finfo(float).eps) * np.maximum(abs(p), 1e-3)
        return np.stack([(residuals(p + step) - residuals(p - step)) / (2 * step.sum()) for step in np.diag(steps)], 1)

    damping, r = 1e-3, residuals(p)
    for _ in range(200 * (len(p) + 1)):
        J = jacobian(p)
        normal = J.T @ J
        move = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -J.T @ r)
        after = residuals(p + move)
        if not after @ after <= r @ r:
            damping *= 10
            if damping > 1e12:
                break
            continue
        p, r, damping = p + move, after, damping / 10
        if abs(move).max() <= 1e-10 * abs(p).max():
            break
    J = jacobian(p)
    return p, np.linalg.inv(J.T @ J) * (r @ r) / (len(y) - len(p))
