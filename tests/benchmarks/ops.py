"""One recorded operation and one backward node: what the machinery costs when there is next to nothing to compute.

*One recorded op* is `a * b` (or `a + b`) with both operands requiring grad and the result dropped at once: compute,
allocate, wrap, record, free.  The loop around it (about 10 ns) is not subtracted.

*One backward node* is the N-th part of `y.backward(g, retain_graph=True)` over a chain `y = y * c` (or `y + c`) of
N = 1000 nodes, where c needs no gradient: a node of `mul` computes one product, a node of `add` passes the gradient on
unchanged.  The chain is built once and is not part of the time; what a call costs before its first node is spread over
all.  The line *by grad()* asks for the same gradient as `grad(y, x, g)`: the engine must first find out which nodes
lead to x, and that has its price too.  MyGrad frees a graph as it walks it, so its chain is built anew, outside the
time.

By hand, an op is the NumPy expression, and the backward pass of `mul` a loop `g = g * c` over the saved factors; for
`add` nothing is left to do, so the column stays empty.
"""

import operator
from itertools import repeat
from time import perf_counter_ns

import numpy as np

from .contestants import require_agreement
from .timing import calls

SHAPES = {"0-d": (), "8": (8,), "1000": (1000,)}
NODES = 1000
RECORDED = {"0-d": {"torch": 0.12}, "8": {"torch": 0.12}, "1000": {"torch": 0.3}}
BACKWARD = {"mul": {"torch": 0.08}, "add": {"torch": 0.03}}


def mul_loop(a, b):
    """The loop written out for each operator: a call per repetition would cost as much as what we want to see."""

    def loop(count):
        start = perf_counter_ns()
        for _ in repeat(None, count):
            a * b
        return perf_counter_ns() - start

    return loop


def add_loop(a, b):
    def loop(count):
        start = perf_counter_ns()
        for _ in repeat(None, count):
            a + b
        return perf_counter_ns() - start

    return loop


def backward_loop(lib, combine, start, constant):
    """A loop over backward passes of a chain of NODES nodes (None: nothing is left to do), and the gradient."""
    seed = np.ones_like(start)
    if lib.name == "numpy":
        if combine is operator.add:
            return None, seed
        saved = [constant] * NODES

        def walk():
            g = seed
            for c in saved:
                g = g * c
            return g

    elif lib.name == "autograd":
        from autograd.core import backward_pass

        end = chain(combine, lib.leaf(start), constant)._node

        def walk():
            return backward_pass(seed, end)

    elif lib.name == "mygrad":
        return mygrad_backward(lib, combine, start, constant, seed)
    else:
        x, g = lib.leaf(start), lib.constant(seed)
        y = chain(combine, x, lib.constant(constant))

        def walk():
            x.grad = None
            y.backward(g, retain_graph=True)
            return x.grad

    return calls(walk), np.asarray(walk())


def grad_loop(lib, combine, start, constant):
    """The same for minigrad and torch through `grad`, which walks only what leads to x."""
    x, g, grad = lib.leaf(start), lib.constant(np.ones_like(start)), lib.torch.autograd.grad
    y = chain(combine, x, lib.constant(constant))
    return calls(lambda: grad(y, x, g, retain_graph=True))


def mygrad_backward(lib, combine, start, constant, seed):
    x = lib.leaf(start)

    def loop(count):
        spent = 0
        for _ in repeat(None, count):
            y = chain(combine, x, constant)
            begin = perf_counter_ns()
            y.backward(seed)
            spent += perf_counter_ns() - begin
        return spent

    loop(1)
    return loop, x.grad.copy()


def chain(combine, x, c):
    for _ in repeat(None, NODES):
        x = combine(x, c)
    return x


def run(session):
    contestants = session.contestants
    rng = np.random.default_rng(0)
    for op, combine, make in (("mul", operator.mul, mul_loop), ("add", operator.add, add_loop)):
        for label, shape in SHAPES.items():
            # Factors near 1 keep a product of 1000 of them an ordinary number.
            a, b = (np.asarray(1 + 1e-4 * rng.standard_normal(shape)) for _ in range(2))
            loops, results = {}, {}
            for name, lib in contestants.items():
                loops[name], results[name] = backward_loop(lib, combine, a, b)
            require_agreement(f"{op} {label}", {name: [g] for name, g in results.items()})
            recorded = {
                name: make(a, b) if name == "numpy" else make(lib.leaf(a), lib.leaf(b))
                for name, lib in contestants.items()
            }
            session.race(f"{op}, {label}: recorded op", recorded, targets=RECORDED[label])
            loops = {name: loop for name, loop in loops.items() if loop}
            session.race(f"{op}, {label}: backward per node", loops, per=NODES, targets=BACKWARD[op])
        both = [lib for name, lib in contestants.items() if name in ("minigrad", "torch")]
        by_grad = {lib.name: grad_loop(lib, combine, a, b) for lib in both}
        session.race(f"{op}, {label}: backward per node, by grad()", by_grad, per=NODES)
