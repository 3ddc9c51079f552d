"""A Hessian-vector product: the gradient of (gradient . v), for a 2-16-16-1 network with tanh, batch 100, float64.

The first gradient is itself recorded, so here the formulas run on tensors, not on bare arrays: this is the slow path of
every engine.  MyGrad cannot differentiate twice and is absent.

By hand we take the shorter way, Pearlmutter's R-operator (*Fast exact multiplication by the Hessian*, 1994): carry the
derivative along v (`r...`) through forward and backward pass.  It never forms what the others compute on the way.
"""

import numpy as np

from .contestants import require_agreement
from .mlp import MOONS, parameters
from .timing import calls


def loss(lib, params, x, target):
    *hidden, w, b = params
    for i in range(0, len(hidden), 2):
        x = lib.tanh(x @ hidden[i] + hidden[i + 1])
    return ((x @ w + b - target) ** 2).mean()


def by_hand(params, vectors, x, target):
    layers = list(zip(params[::2], params[1::2], vectors[::2], vectors[1::2]))
    h, rh, trail = x, None, []
    for w, b, v, c in layers:
        z, rz = h @ w, h @ v
        z += b
        rz += c
        if rh is not None:
            rz += rh @ w
        trail.append((h, rh))
        if len(trail) < len(layers):
            h = np.tanh(z, out=z)
            slope = h * h
            rz *= np.subtract(1, slope, out=slope)  # tanh' = 1 - tanh^2
            rh = rz
    d, rd = z, rz
    d -= target
    d *= 2 / d.size
    rd *= 2 / d.size
    products = []
    for (w, _, v, _), (h, rh) in zip(reversed(layers), reversed(trail)):
        product = h.T @ rd
        if rh is None:  # the first layer: its input does not depend on the parameters
            products += [np.add.reduce(rd, 0), product]
            break
        product += rh.T @ d
        products += [np.add.reduce(rd, 0), product]
        d, rd, slope = d @ w.T, rd @ w.T + d @ v.T, 1 - h * h
        rd *= slope
        rd -= 2 * h * rh * d  # d/dt (1 - h^2) = -2 h rh
        d *= slope
    return products[::-1]


def product(lib, arrays, vectors, data):
    """A function that computes the product, as each contestant spells it."""
    if lib.name == "numpy":
        return lambda: by_hand(arrays, vectors, *data)
    if lib.name == "autograd":
        gradient = lib.autograd.grad(lambda params: loss(lib, params, *data))

        def along(params):
            return sum(lib.anp.sum(g * v) for g, v in zip(gradient(params), vectors))

        again = lib.autograd.grad(along)
        return lambda: again(arrays)
    params, grad = [lib.leaf(a) for a in arrays], lib.torch.autograd.grad
    vectors, data = [lib.constant(v) for v in vectors], [lib.constant(a) for a in data]

    def step():
        return grad(grad(loss(lib, params, *data), params, create_graph=True), params, vectors)

    return step


def make(contestants):
    rng = np.random.default_rng(6)
    params, vectors = (parameters(MOONS, np.float64, rng) for _ in range(2))
    data = [rng.standard_normal((100, 2)), rng.standard_normal((100, 1))]
    steps = {n: product(lib, params, vectors, data) for n, lib in contestants.items() if n != "mygrad"}
    require_agreement("hvp", {name: [np.asarray(p) for p in step()] for name, step in steps.items()})
    return steps


def run(session):
    loops = {name: calls(step) for name, step in make(session.contestants).items()}
    session.race("Hessian-vector product, MLP", loops, targets={"torch": 0.4})
