"""What kernels in C gain: each row of the table with its kernel and without it, in one process, turn by turn.

The calls are those that the samples of the operations lead to (tests/ops/calling.py), with rows that occur only in
formulas among them, so backward passes are measured too.  Of each row the first call is taken whose arrays can be made
larger: the longest of them to 16, 10,000 and 1,000,000 elements of float32, contiguous, or every second element with
``--strided``.  The row is called on arrays, as a step of a formula is; both ways are given the same arguments::

    general way / kernel        1.0: the kernel gains nothing; 3.0: the general way takes three times as long

A figure is the median over rounds, of the time that the thread had the processor, and on one thread: other programs
disturb it least so.  A folder has the median over its rows, between the quartiles.  The folders are those of
``minigrad/ops``, whose rows find their kernels in the folder of the same name in ``_core/kernels``; those of
``elementwise`` are in ``loops``.

    $ python -m tests.benchmarks.kernels [--only softmax,"index*"] [--strided] [--rounds 7] [--least]

``--least`` lists the rows that gain less than a tenth at every size.
"""

import argparse
import os
import tracemalloc
import warnings
from fnmatch import fnmatch
from math import prod
from statistics import median, quantiles
from time import thread_time_ns

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")      # before NumPy is loaded

import numpy as np

import minigrad
from minigrad._core.dispatch.compute import on_arrays, on_arrays_in_c
from minigrad.ops import index
from minigrad.ops.exports import ROWS
from minigrad.teaching import without_kernels
from tests.ops.calling import calls_of_rows

SIZES = (16, 10_000, 1_000_000)
LOOP_NS, LONGEST_NS = 1_000_000, 200_000_000
GAINS = 1.1
TRIED, MOST = 1000, 50


def folders():
    """{row: the folder of its file}; "" where that is in none."""
    return {name: file.rpartition(".")[0] for file, names in index.FILES.items() for name in names[0].split()}


# ------------------------------------------------------------------------------ arguments

def arrays_in(x):
    if isinstance(x, np.ndarray):
        return [x]
    return [a for y in x for a in arrays_in(y)] if isinstance(x, (list, tuple)) else []


def grown(args, size, strided):
    """The arguments with the longest array of this size: dims as long as the longest one grow; None if none can, or
    another array would become far larger."""
    arrays, rng = arrays_in(args), np.random.default_rng(0)
    longest = max(arrays, key=lambda a: a.size, default=None)
    if longest is None or longest.size < 2:
        return None
    axis = max(longest.shape)
    to = max(1, round(axis * (size / longest.size) ** (1 / longest.shape.count(axis))))
    if max([prod([to if n == axis else n for n in a.shape]) for a in arrays]) > 4 * size:
        return None
    return [replaced(x, axis, to, strided, rng) for x in args]


def replaced(x, axis, to, strided, rng):
    if isinstance(x, (list, tuple)):
        return type(x)(replaced(y, axis, to, strided, rng) for y in x)
    if not isinstance(x, np.ndarray):
        return x
    shape = [to if n == axis else n for n in x.shape]
    a = np.resize(x, shape)                             # indices and masks are right everywhere; numbers are drawn
    if x.dtype.kind == "f":
        a = rng.uniform(0.1, 0.9, shape).astype(np.float32)
    elif x.dtype.kind == "c":
        a = (rng.uniform(0.1, 0.9, shape) * (1 + 0.5j)).astype(np.complex64)
    if not strided or not a.ndim:
        return a
    wide = np.empty([*a.shape[:-1], 2 * a.shape[-1]], a.dtype)
    wide[..., ::2] = a
    return wide[..., ::2]


def call_for(op, calls, size, strided):
    """The first call that can be made so large, that its kernel takes, and that the general way gives the same shape
    for; None if there is none."""
    for args in calls:
        given = grown(args, size, strided)
        if given is None or size > TRIED and memory_of(op, grown(args, TRIED, strided)) > MOST:
            continue
        try:
            found = on_arrays_in_c(op, *given)
            with without_kernels():
                expected = on_arrays(op, *given) if found is not None else None
        except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError):     # sizes that do not fit
            continue
        if found is not None and [a.shape for a in arrays_in(found)] == [a.shape for a in arrays_in(expected)]:
            return given
    return None


def memory_of(op, args):
    """How many times as much memory as its arguments a call takes, in the general way.  A call that makes the pairs of
    all elements, for example, must not be made of a million."""
    tracemalloc.start()
    try:
        with without_kernels():
            on_arrays(op, *args)
        return tracemalloc.get_traced_memory()[1] / max(1, sum([a.nbytes for a in arrays_in(args)]))
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError):
        return np.inf
    finally:
        tracemalloc.stop()


# ------------------------------------------------------------------------------ time

def loop(op, args, count):
    start = thread_time_ns()
    for _ in range(count):
        on_arrays(op, *args)
    return (thread_time_ns() - start) / count


def gain(op, args, rounds):
    """The time of the general way over that of the kernel; None where a call takes too long."""
    once = loop(op, args, 1)
    with without_kernels():
        once = min(loop(op, args, 1) for _ in range(2)), once
    if max(once) > LONGEST_NS:
        return None
    counts = [max(1, int(LOOP_NS / max(each, 1))) for each in once]
    ratios = []
    for _ in range(rounds):
        with without_kernels():
            general = loop(op, args, counts[0])
        ratios.append(general / max(loop(op, args, counts[1]), 1))
    return median(ratios)


def measured(only=(), strided=False, rounds=7, sizes=SIZES):
    """{row: {size: gain}}, of the rows that have a kernel in C and a call that it takes."""
    calls, found = calls_of_rows(), {}
    for name in sorted(calls):
        op = ROWS[name]
        if not op.computes_in_c or op.draws or (only and not any(fnmatch(name, each) for each in only)):
            continue
        for size in sizes:
            args = call_for(op, calls[name], size, strided)
            times = gain(op, args, rounds) if args is not None else None
            if times is not None:
                found.setdefault(name, {})[size] = times
    return found


# ------------------------------------------------------------------------------ figures

def table(found, sizes=SIZES):
    """A line for each folder."""
    of = folders()
    lines = [f"{'':14}{'rows':>5}" + "".join([f"{size:>24,}" for size in sizes])]
    for folder in sorted({of[name] for name in found}):
        rows = [gains for name, gains in found.items() if of[name] == folder]
        cells = [spread([gains[size] for gains in rows if size in gains]) for size in sizes]
        lines.append(f"{folder or 'others':14}{len(rows):>5}" + "".join([f"{cell:>24}" for cell in cells]))
    return "\n".join(lines)


def spread(values):
    """The median, between the quartiles."""
    if len(values) < 2:
        return f"{values[0]:.1f}" if values else "-"
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return f"{middle:.1f} ({low:.1f} to {high:.1f})"


def least(found):
    """The rows that gain less than a tenth at every size that was measured."""
    return {name: gains for name, gains in found.items() if max(gains.values()) < GAINS}


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.kernels", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="these rows alone, e.g. softmax,'index*'")
    parser.add_argument("--strided", action="store_true", help="every second element of an array, not all")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--least", action="store_true", help="list the rows that gain less than a tenth")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    minigrad.set_num_threads(1)
    found = measured([*filter(None, options.only.split(","))], options.strided, options.rounds)
    print(table(found))
    for name, gains in (least(found) if options.least else found if options.only else {}).items():
        print(f"{name:34}" + "".join([f"{size:>12,}: {value:.2f}" for size, value in gains.items()]))


if __name__ == "__main__":
    main()
