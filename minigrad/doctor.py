"""What `python -m minigrad doctor` says: what is installed, how fast it is, and whether its gradients are right."""

import json
import os
import platform
import sys
import time

import numpy as np

import minigrad
from minigrad._core.runtime.thread_pool import built_with
from minigrad.autograd import gradcheck

_SAMPLE = {  # an expression of each kind of derivative: elementwise, product, sum, order, view, linear algebra
    "sin(x) * exp(x)": lambda x: minigrad.sin(x) * minigrad.exp(x),
    "x / (1 + x * x)": lambda x: x / (1 + x * x),
    "x @ x.T": lambda x: x @ x.T,
    "logsumexp": lambda x: minigrad.logsumexp(x, 1),
    "cumsum": lambda x: minigrad.cumsum(x, 0),
    "max": lambda x: x.max(1).values,
    "views": lambda x: x.T[1:] * 2,
    "inverse": lambda x: minigrad.linalg.inv(x @ x.T + 2 * minigrad.eye(3, dtype=x.dtype)),
}


def report():
    """All findings as a dict that JSON can hold; what is wrong has a text other than "OK" under ``checks``."""
    blas = np.show_config(mode="dicts").get("Build Dependencies", {}).get("blas", {})
    return {
        "installed": {
            "minigrad": f"{minigrad.__version__} ({os.path.dirname(os.path.abspath(minigrad.__file__))})",
            "built with": built_with(),
            "Python": f"{platform.python_version()} ({sys.executable})",
            "NumPy": f"{np.__version__} ({os.path.dirname(np.__file__)})",
            "BLAS": " ".join(str(blas[key]) for key in ("name", "version") if key in blas) or "unknown",
            "platform": platform.platform(),
            "threads": minigrad.get_num_threads(),
        },
        "speed": _speed(),
        "checks": _checks(),
    }


def _best(function, repeats):
    """Seconds of the fastest of the calls."""
    took = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        took.append(time.perf_counter() - start)
    return min(took)


def _speed():
    x = minigrad.ones(4, requires_grad=True)
    matrix = minigrad.ones(512, 512)
    return {
        "a small operation, microseconds": round(_best(lambda: x * x, 2000) * 1e6, 2),
        "a small backward pass, microseconds": round(
            _best(lambda: minigrad.autograd.grad((x * x).sum(), x), 500) * 1e6, 2),
        "matrix product of 512, GFLOP/s": round(2 * 512 ** 3 / _best(lambda: matrix @ matrix, 8) / 1e9, 1),
    }


def _checks():
    values = np.random.default_rng(0).uniform(0.5, 1.5, (3, 3))
    checks = {f"gradient of {name}": _outcome(lambda f=f: gradcheck(
        f, (minigrad.tensor(values, requires_grad=True),))) for name, f in _SAMPLE.items()}
    checks["gradient descent"] = _outcome(_descent)
    checks["in-place changes are noticed"] = _outcome(_stale)
    return checks


def _outcome(check):
    try:
        return "OK" if check() else "wrong result"
    except Exception as problem:  # whatever it is, it is what the doctor was asked for
        return f"{type(problem).__name__}: {problem}"


def _descent():
    """On (w - 3)**2 with the rate 0.1 the distance to 3 shrinks by 0.8 a step: the loss after 10 is 9 * 0.64**10."""
    w = minigrad.zeros((), dtype=minigrad.float64, requires_grad=True)
    optimizer = minigrad.optim.SGD([w], lr=0.1)
    for _ in range(10):
        optimizer.zero_grad()
        ((w - 3) ** 2).backward()
        optimizer.step()
    return abs(((w - 3) ** 2).item() - 9 * 0.64 ** 10) < 1e-12


def _stale():
    x = minigrad.ones(3, requires_grad=True)
    y = x * 1
    z = (y * y).sum()
    y.add_(1)
    try:
        z.backward()
    except RuntimeError:
        return True
    return False


def main(arguments):
    """Print the report; return 0 where all checks are OK, 1 where one is not, 2 for an unknown option."""
    if arguments not in ([], ["--json"]):
        print("minigrad doctor: the only option is --json", file=sys.stderr)
        return 2
    found = report()
    if arguments:
        print(json.dumps(found, indent=2))
    else:
        for title, lines in found.items():
            print(f"{title}:")
            for name, value in lines.items():
                print(f"  {name}: {value}")
    return 0 if all(each == "OK" for each in found["checks"].values()) else 1
