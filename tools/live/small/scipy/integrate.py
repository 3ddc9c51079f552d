"""`solve_ivp`, by the method of Dormand and Prince."""

from types import SimpleNamespace

import numpy as np

NODES = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1])
STAGES = [np.array(row) for row in (
    [], [1 / 5], [3 / 40, 9 / 40], [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84])]
#: what the fifth order has over the fourth
DOUBT = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])


def solve_ivp(fun, t_span, y0, *, t_eval, rtol=1e-3, atol=1e-6):
    """y' = fun(t, y) from y0 (n) on, at the times t_eval (m), which rise from the start of t_span: ``y`` is (n, m)."""
    t, y, step, found = float(t_span[0]), np.array(y0, dtype=float), 1e-3, []
    for wanted in np.asarray(t_eval, dtype=float):
        while t < wanted:
            taken = min(step, wanted - t)
            slopes = []
            for node, row in zip(NODES, STAGES):
                at = y + taken * sum((part * slope for part, slope in zip(row, slopes)), np.zeros_like(y))
                slopes.append(np.asarray(fun(t + node * taken, at), dtype=float))
            off = taken * (DOUBT @ slopes) / (atol + rtol * np.maximum(abs(y), abs(at)))
            error = np.sqrt((off ** 2).mean())
            if error <= 1:                  # the last stage is at the end of the step
                t, y = (wanted if taken == wanted - t else t + taken), at
            larger = 10.0 if error == 0 else min(10.0, max(0.2, 0.9 * error ** -0.2))
            # A step that was cut short says nothing against a longer one.
            step = max(step, taken * larger) if error <= 1 else taken * larger
        found.append(y)
    return SimpleNamespace(t=np.asarray(t_eval, dtype=float), y=np.array(found).T, success=True)
