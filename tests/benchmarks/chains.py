"""Chains of 1,000 to 1,000,000 nodes: is the time per node the same, and how many bytes does a node hold?

A library that recurses over the graph crashes on the long ones; one whose bookkeeping grows faster than the graph, or
whose nodes are walked by the garbage collector again and again, gets slower per node.  Every chain starts at one leaf
of 8 float64 numbers (views: 2 x 4), is built, differentiated once, and freed by dropping its end; the three are timed
apart.

    add         y = y + c                nothing is saved: nodes alone, intermediate values die at once
    sin         y = sin(y)               every value is saved
    mul         y = y * w                both operands are saved; the gradient of w is a sum over all nodes
    view        y = y.transpose(0, 1)    no arithmetic; every value is a view of the leaf
    function    y = Half.apply(y)        a `Function` of the user: Python in forward and backward

Short chains are repeated for as long as a timed loop takes elsewhere, and a turn is the median of its chains; long ones
run once a turn.  The lines "1e6 : 1e3" are the ratio of the times per node: 1 is perfectly linear.  Memory touched for
the first time is part of building a long chain, and stays in.  Slower contestants are spared the longest chains, and
MyGrad the lines "free", since its backward pass frees the graph as it goes.

Bytes per node are the growth of resident memory over one chain, each in a process of its own
(`python -m tests.benchmarks.chains minigrad add 1000000`).
"""

import gc
import subprocess
import sys
from itertools import repeat
from statistics import median
from time import perf_counter_ns

import numpy as np

from .contestants import installed, require_agreement
from .memory import resident
from .timing import calibrate, disturbed, interleave, watched

PHASES = ("build", "backward", "free")
SIZES = (1_000, 10_000, 100_000, 1_000_000)
TARGETS = {("add", "build"): {"torch": 0.15}, ("add", "backward"): {"torch": 0.03}}
LINEAR = {"build": 2, "backward": 1.3, "free": 2}
BYTES = 150


def add(y, c, n):
    for _ in repeat(None, n):
        y = y + c
    return y


def sin(y, sine, n):
    for _ in repeat(None, n):
        y = sine(y)
    return y


def mul(y, w, n):
    for _ in repeat(None, n):
        y = y * w
    return y


def view(y, _, n):
    for _ in repeat(None, n):
        y = y.transpose(0, 1)
    return y


def function(y, apply, n):
    for _ in repeat(None, n):
        y = apply(y)
    return y


KINDS = {kind.__name__: kind for kind in (add, sin, mul, view, function)}


def half(torch):
    """A `Function` that multiplies by 0.5, and saves its input as a real one would."""

    class Half(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 0.5

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 0.5

    return Half.apply


def values():
    return np.linspace(0.5, 1.5, 8)


def torch_chain(lib, kind):
    """A chain for minigrad and torch: `build(n)`, and `backward(y)`, which returns the gradients."""
    start = values().reshape(2, 4) if kind == "view" else values()
    x, w, seed = lib.leaf(start), lib.leaf(np.full(8, 0.99999)), lib.constant(np.ones_like(start))
    second = {"add": lib.constant(start), "sin": lib.sin, "mul": w, "view": None, "function": half(lib.torch)}[kind]
    leaves, make = [x, w] if kind == "mul" else [x], KINDS[kind]

    def backward(y):
        for leaf in leaves:
            leaf.grad = None
        y.backward(seed)
        return [leaf.grad for leaf in leaves]

    return lambda n: make(x, second, n), backward


def numpy_chain(kind):
    """By hand: what must be computed and kept, for the kinds with arithmetic in both directions."""
    w = np.full(8, 0.99999)

    def build_sin(n):
        saved, y = [], values()
        for _ in repeat(None, n):
            saved.append(y)
            y = np.sin(y)
        return saved

    def backward_sin(saved):
        g = np.ones(8)
        for y in reversed(saved):
            g = g * np.cos(y)
        return [g]

    def build_mul(n):
        saved, y = [], values()
        for _ in repeat(None, n):
            saved.append(y)
            y = y * w
        return saved

    def backward_mul(saved):
        g, total = np.ones(8), np.zeros(8)
        for y in reversed(saved):
            total += g * y
            g = g * w
        return [g, total]

    return {"sin": (build_sin, backward_sin), "mul": (build_mul, backward_mul)}[kind]


def mygrad_chain(lib):
    x = lib.leaf(values())

    def backward(y):
        y.backward(np.ones(8))
        return [x.grad]

    return lambda n: add(x, values(), n), backward


def autograd_chain(lib):
    from autograd.core import backward_pass

    x = lib.leaf(values())
    return lambda n: add(x, values(), n), lambda y: [backward_pass(np.ones(8), y._node)]


def chains(contestants, kind):
    """Everybody who takes part in chains of this kind: a dict of (build, backward), checked against each other."""
    made = {}
    for name, lib in contestants.items():
        if name in ("minigrad", "torch"):
            made[name] = torch_chain(lib, kind)
        elif name == "numpy" and kind in ("sin", "mul"):
            made[name] = numpy_chain(kind)
        elif name == "mygrad" and kind == "add":
            made[name] = mygrad_chain(lib)
        elif name == "autograd" and kind == "add":
            made[name] = autograd_chain(lib)
    gradients = {name: [np.asarray(g) for g in backward(build(10))] for name, (build, backward) in made.items()}
    require_agreement(f"chain of {kind}", gradients)
    return made


def sizes(name, kind, quick):
    """The lengths that a contestant runs: everything for minigrad, what the ratios need for the others."""
    longest = 100_000 if quick else 1_000_000
    if kind == "add":
        longest = longest if name in ("minigrad", "torch") else 10_000
        return [n for n in SIZES if n <= longest]
    return [1_000, longest] if name in ("minigrad", "numpy") else [1_000]


def turn(build, backward, n, goal_ns):
    """A function for `interleave`: the nanoseconds per node of each phase, and whether nobody cut in."""

    def run(times):
        spent = []
        for _ in repeat(None, times):
            t0 = perf_counter_ns()
            y = build(n)
            t1 = perf_counter_ns()
            backward(y)
            t2 = perf_counter_ns()
            del y
            t3 = perf_counter_ns()
            spent.append((t1 - t0, t2 - t1, t3 - t2))
        return spent

    times = calibrate(lambda count: sum(map(sum, run(count))), 4 * goal_ns) if n <= 10_000 else 1

    def take():
        spent, clean = watched(lambda: run(times))
        return [median(phase) / n for phase in zip(*spent)], clean

    return take


def race(session, kind):
    turns = {
        (name, n): turn(build, backward, n, session.plan.loop_ns)
        for name, (build, backward) in chains(session.contestants, kind).items()
        for n in sizes(name, kind, session.plan.quick)
    }
    rounds = interleave(turns, 3 if session.plan.quick else 5)
    cut = disturbed(rounds)
    lengths = sorted({n for _, n in turns})
    shortest, longest = lengths[0], lengths[-1]
    for i, phase in enumerate(PHASES):
        shown = {
            key: [phases[i] for phases, _ in taken]
            for key, taken in rounds.items()
            if phase != "free" or key[0] not in ("numpy", "mygrad")
        }
        for n in lengths:
            here = {name: taken for (name, size), taken in shown.items() if size == n}
            if here:
                targets = TARGETS.get((kind, phase)) if n == longest else None
                case = f"{kind} chain {label(n)}: {phase} per node"
                session.emit(case, here, targets=targets, disturbed={name: cut[name, n] for name in here})
        growth = {
            name: [median(taken) / median(shown[name, shortest])]
            for (name, size), taken in shown.items()
            if size == longest > shortest
        }
        if growth:
            case = f"{kind} chain {label(longest)} : {label(shortest)}, {phase}"
            spoilt = {name: max(cut[name, shortest], cut[name, longest]) for name in growth}
            session.emit(case, growth, "x", bound=LINEAR[phase], disturbed=spoilt)


def label(n):
    return f"1e{len(str(n)) - 1}"


def bytes_per_node(name, kind, n):
    """In this process: the growth of resident memory while a chain of n nodes is built, per node."""
    build, backward = chains(installed([name]), kind)[name]
    backward(build(1000))
    gc.collect()
    before = resident()
    y = build(n)
    grown = resident() - before
    del y
    return grown / n


def run(session):
    for kind in KINDS:
        race(session, kind)
    n = 100_000 if session.plan.quick else 1_000_000
    for kind in ("add", "mul"):
        samples = {}
        for name in session.contestants.keys() & {"minigrad", "torch"}:
            command = [sys.executable, "-m", __name__, name, kind, str(n)]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            samples[name] = [float(done.stdout)]
        session.emit(f"{kind} chain: bytes per node", samples, "bytes", bound=BYTES if kind == "add" else None)


if __name__ == "__main__":
    print(bytes_per_node(sys.argv[1], sys.argv[2], int(sys.argv[3])))
