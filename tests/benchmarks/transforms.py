"""Transforms: the gradients of 256 samples, one for each, and a Jacobian of 50 by 50; float64.

The networks have tanh and the sizes 2-16-16-1, where a step is hardly more than the calls, and 64-128-10, that of the
digits.

`vmap(grad(loss))` is what a user writes.  By hand the batch goes through the network at once, and the gradient of a
weight is an outer product for each sample.  The lines "x batched by hand" compare with that done in minigrad itself,
recording nothing: the rest is the price of the transforms.  The Jacobian is computed row by row, and with
`vectorize=True`. """

import numpy as np

from .contestants import require_agreement
from .mlp import MOONS, parameters
from .timing import calls, compare

SAMPLES = 256
DIGITS = (64, 128, 10)


def loss(lib, params, x, target):
    *hidden, w, b = params
    for i in range(0, len(hidden), 2):
        x = lib.tanh(x @ hidden[i] + hidden[i + 1])
    return ((x @ w + b - target) ** 2).sum()


def by_hand(lib, params, x, target):
    """The gradients for all samples, with the operations of ``lib``: NumPy's or minigrad's."""
    layers = list(zip(params[::2], params[1::2]))
    h, trail = x, []
    for w, b in layers[:-1]:
        trail.append(h)
        h = lib.tanh(h @ w + b)
    trail.append(h)
    d = 2 * (h @ layers[-1][0] + layers[-1][1] - target)
    gradients = []
    for (w, _), h in zip(reversed(layers), reversed(trail)):
        gradients += [d, h[:, :, None] * d[:, None, :]]
        d = (d @ w.T) * (1 - h * h)
    return gradients[::-1]


def arrays(sizes):
    rng = np.random.default_rng(7)
    return parameters(sizes, np.float64, rng), [rng.standard_normal((SAMPLES, sizes[0])),
                                                rng.standard_normal((SAMPLES, sizes[-1]))]


def make(contestants, sizes=MOONS):
    params, data = arrays(sizes)
    steps = {}
    for name in ("numpy", "minigrad", "torch"):
        if name == "numpy" and name in contestants:
            steps[name] = lambda: by_hand(np, params, *data)
        elif name in contestants:
            steps[name] = per_sample(contestants[name], params, data)
    require_agreement("per-sample gradients", {name: [np.asarray(g) for g in step()] for name, step in steps.items()})
    return steps


def per_sample(lib, params, data):
    func = lib.torch.func
    gradients = func.vmap(func.grad(lambda params, x, target: loss(lib, params, x, target)), in_dims=(None, 0, 0))
    params, data = tuple([lib.constant(a) for a in params]), [lib.constant(a) for a in data]
    return lambda: gradients(params, *data)


def batched_by_hand(lib, sizes):
    params, data = [[lib.constant(a) for a in each] for each in arrays(sizes)]
    return lambda: by_hand(lib, params, *data)


def jacobian(lib, vectorize):
    torch = lib.torch
    x, w = lib.constant(np.linspace(-1, 1, 50)), lib.constant(np.random.default_rng(8).standard_normal((50, 50)))
    return lambda: torch.autograd.functional.jacobian(lambda x: (w @ x).tanh() * x, x, vectorize=vectorize)


def ratio(session, case, above, below, bound):
    """Minigrad's own figures: how many times as long ``above`` takes as ``below``."""
    samples, disturbed = compare({"above": calls(above), "below": calls(below)}, session.plan)
    samples = [a / b for a, b in zip(samples["above"], samples["below"])]
    session.emit(case, {"minigrad": samples}, unit="x", bound=bound,
                 disturbed={"minigrad": max(disturbed.values(), default=0)})


def run(session):
    minigrad = session.contestants.get("minigrad")
    for sizes in (MOONS, DIGITS):
        steps, case = make(session.contestants, sizes), f"256 gradients, {'-'.join(map(str, sizes))}"
        session.race(case, {name: calls(step) for name, step in steps.items()}, targets={"torch": 1})
        if minigrad:
            ratio(session, f"{case} : by hand", steps["minigrad"], batched_by_hand(minigrad, sizes), 2)
    torchs = {name: lib for name, lib in session.contestants.items() if name in ("minigrad", "torch")}
    session.race("Jacobian 50 x 50, vectorized", {name: calls(jacobian(lib, True)) for name, lib in torchs.items()},
                 targets={"torch": 1})
    if minigrad:
        ratio(session, "Jacobian 50 x 50, vectorized : by rows", jacobian(minigrad, True), jacobian(minigrad, False),
              0.2)
