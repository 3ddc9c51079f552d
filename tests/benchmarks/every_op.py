"""Every public operation, one call at a time, against PyTorch: a distribution, not a selection.

The calls are those of the sample rows that test the operations (tests/ops/sampling.py).  Where all tensors of a call
have one shape, it is made with the four shapes of `SMALL` in turn, as far as PyTorch takes it; where the shapes
belong together, as in a matrix product, it is made as it stands.  Each is timed twice: *forward*, recorded where it
can be, and *forward + backward*, with a gradient of ones.

With ``--large`` the tensors of a call have 2^20 elements instead, of the dtype that ``--dtype`` names; calls whose
shapes belong together are left out, and those that take more than a tenth of a second, or gigabytes.

There are well over a thousand calls, so each gets little time: a loop of some 200 us, the best of several, in turn
with PyTorch's, on one thread, by the clock of the thread.  A single line of the list may be off by a tenth; the
distribution is not.  `--itself` times PyTorch against itself, which shows how much is noise::

    $ python -m tests.benchmarks.every_op [--itself] [--only mul,linalg.*] [--rounds 5] [--json FILE]
    $ python -m tests.benchmarks.every_op --large --dtype float16
"""

import argparse
import json
import resource
import warnings
from fnmatch import fnmatch
from statistics import median, quantiles
from time import thread_time_ns

import numpy as np

import minigrad

from tests.ops.samples import ROWS
from tests.ops.sampling import Case, T, arrays_of, replace

SMALL = {"0-d": (), "8": (8,), "16x16": (16, 16), "100x16": (100, 16)}
LARGE = {"1024x1024": (1024, 1024)}
DTYPES = ("float32", "float64", "float16", "bfloat16", "int64", "uint8", "bool")
#: Numbers of these are drawn in another dtype, since NumPy has none or would draw but one of them.
DRAWN = {"float16": "float32", "bfloat16": "float32", "bool": "uint8"}
LOOP_NS = 200_000
TOO_LONG_NS = 100_000_000
MEMORY = 2 << 30


class Call:
    """One call of one operation, to be made with either library."""

    def __init__(self, row, case, label, dtype="float32"):
        self.row, self.case, self.label, self.dtype = row, case, label, dtype
        self.name = f"{row.name} {label}"

    def prepared(self, library):
        """The call as a function without arguments, and the tensors that want its gradient."""
        drawn = DRAWN.get(self.dtype, self.dtype)
        args, kwargs, wanted = arrays_of(self.row, self.case, drawn)
        tensors = {}

        def tensor_for(array):
            if id(array) not in tensors:
                tensor = library.tensor(array % 2 if self.dtype == "bool" and array.dtype == drawn else array)
                if array.dtype == drawn:
                    tensor = tensor.to(getattr(library, self.dtype))
                if id(array) in wanted and self.row.grad:
                    tensor.requires_grad_()
                tensors[id(array)] = tensor
            return tensors[id(array)]

        given = [replace(x, tensor_for) for x in args]
        named = {name: replace(x, tensor_for) for name, x in kwargs.items()}
        if isinstance(named.get("dtype"), str):
            named["dtype"] = getattr(library, named["dtype"])
        function = public(library, self.row, given[0] if given else None)
        inputs = [tensor for tensor in tensors.values() if tensor.requires_grad]
        return lambda: function(*given, **named), inputs


def public(library, row, first):
    """The operation as users write it: a function, one of `nn.functional`, or a method of its first argument."""
    name = row.torch if library is not minigrad and isinstance(row.torch, str) else row.name
    homes = {"torch": [library], "nn.functional": [library.nn.functional], "method": [type(first)]}
    for home in homes.get(row.where, [library, library.nn.functional, type(first)]):
        found = home
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is not None:
            return found
    raise LookupError(name)


def all_calls(torch, only=(), dtype="float32", shapes=SMALL):
    """The calls that both libraries make."""
    for row in ROWS:
        if row.where == "row" or row.torch is False or (only and not any(fnmatch(row.name, each) for each in only)):
            continue
        for label, case in variants(row, shapes):
            call = Call(row, case, label, dtype)
            try:
                spent = [loop(call.prepared(library)[0], 1) for library in (torch, minigrad)]
            except Exception:       # whatever the shape or dtype is refused with, there is nothing to time
                continue
            if max(spent) < TOO_LONG_NS:
                yield call


def variants(row, shapes):
    """The first case of a row in these shapes where its tensors have one shape; where they are small, as it stands."""
    if not row.cases:           # a function that is only ever refused
        return []
    first = row.cases[0]
    tensors = tensors_in([first.args, list(first.kwargs.values())])
    as_it_stands = [("as it stands", first)] if shapes is SMALL else []
    if not tensors or len({t.shape for t in tensors}) > 1 or any(t.values is not None for t in tensors):
        return as_it_stands
    shaped = [(label, Case([reshaped(x, shape) for x in first.args],
                           {name: reshaped(x, shape) for name, x in first.kwargs.items()}))
              for label, shape in shapes.items()]
    return shaped + as_it_stands


def tensors_in(x):
    if isinstance(x, T):
        return [x]
    return [t for y in x for t in tensors_in(y)] if isinstance(x, (list, tuple)) else []


def reshaped(x, shape):
    if isinstance(x, T):
        return T(*shape, low=x.low, high=x.high, kind=x.kind, grad=x.grad)
    return type(x)(reshaped(y, shape) for y in x) if isinstance(x, (list, tuple)) else x


def forward_and_backward(library, call):
    """A function that makes the call and differentiates it; None where it has no gradient, of this dtype."""
    forward, inputs = call.prepared(library)
    result = forward()
    outputs = list(result) if isinstance(result, (tuple, list)) else [result]
    if not inputs or not outputs or not getattr(outputs[0], "requires_grad", False):
        return None
    several = isinstance(result, (tuple, list))
    seed = library.ones_like(outputs[0]).detach()

    def step():
        y = forward()
        (y[0] if several else y).backward(seed)
        for x in inputs:
            x.grad = None

    try:
        step()
    except NotImplementedError:
        return None
    return step


def loop(step, count):
    start = thread_time_ns()
    for _ in range(count):
        step()
    return (thread_time_ns() - start) / count


def ratio(ours, theirs, rounds):
    """The time of `ours` over that of `theirs`, and both in ns: the best of `rounds`, in turn."""
    counts = [max(1, int(LOOP_NS / max(loop(step, 3), 1))) for step in (ours, theirs)]
    pairs = [(loop(ours, counts[0]), loop(theirs, counts[1])) for _ in range(rounds)]
    a, b = (min(times) for times in zip(*pairs))
    return a / b, a, b


def measure(torch, first, only=(), rounds=5, dtype="float32", shapes=SMALL):
    """Ratios of `first` (minigrad, or PyTorch itself) to PyTorch: {"forward": {call: (ratio, ns, ns)}, ...}."""
    found = {"forward": {}, "forward + backward": {}}
    for call in all_calls(torch, only, dtype, shapes):
        steps = [call.prepared(library)[0] for library in (first, torch)]
        found["forward"][call.name] = ratio(*steps, rounds)
        steps = [forward_and_backward(library, call) for library in (first, torch)]
        if None not in steps:
            found["forward + backward"][call.name] = ratio(*steps, rounds)
    return found


def ratios_in(found):
    """What was measured, the ratios in order, and that below which 95 of 100 are."""
    for what, ratios in found.items():
        values = sorted(value for value, *_ in ratios.values())
        if len(values) > 1:
            yield what, values, values[int(0.95 * (len(values) - 1))]


def summary(found):
    """The distribution of the ratios, and the worst thirty, as text."""
    lines = []
    for what, values, most in ratios_in(found):
        q1, _, q3 = quantiles(values, n=4, method="inclusive")
        lines.append(f"{what}: {len(values)} calls; median {median(values):.3f}, quartiles {q1:.3f} and {q3:.3f}, "
                     f"95 % below {most:.2f}; {sum(value > 1 for value in values)} above 1")
        worst = sorted(found[what].items(), key=lambda item: -item[1][0])[:30]
        lines += [f"    {value:7.2f}  {name:42}{a / 1e3:9.2f} us {b / 1e3:9.2f} us" for name, (value, a, b) in worst]
    return "\n".join(lines)


#: What is wanted of the median, and of 95 of 100: forward, and forward and backward.
TARGETS = {"small": ((0.25, 0.6), (0.1, 0.25)), "large": ((0.7, 1.2), (0.55, 1.2))}


def run(session):
    """The group of the benchmark: one line for each distribution, PyTorch's times being 1."""
    if not {"minigrad", "torch"} <= session.contestants.keys():
        return
    torch = session.contestants["torch"].torch
    quiet(torch)
    for size, shapes, dtypes in (("small", SMALL, DTYPES[:1]), ("large", LARGE, DTYPES)):
        for dtype in dtypes[:1] if session.plan.quick else dtypes:
            found = measure(torch, minigrad, (), 1 if session.plan.quick else 5, dtype, shapes)
            for (what, values, most), targets in zip(ratios_in(found), TARGETS[size]):
                for text, value, target in zip(("median", "95 % below"), (median(values), most), targets):
                    session.emit(f"{size}, {dtype}, {what}: {text}", {"torch": [1.0], "minigrad": [value]}, unit="x",
                                 targets={"torch": target})


def quiet(torch):
    """One thread, no warnings of arguments that nobody has chosen, and no call that needs gigabytes."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    torch.set_num_threads(1)
    minigrad.set_num_threads(1)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.every_op", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--itself", action="store_true", help="PyTorch against PyTorch")
    parser.add_argument("--only", default="", help="these operations alone, e.g. mul,linalg.*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--large", action="store_true", help="tensors of 1024 x 1024 elements")
    parser.add_argument("--dtype", choices=DTYPES, default="float32")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    import torch

    quiet(torch)
    only = tuple(options.only.split(",")) if options.only else ()
    found = measure(torch, torch if options.itself else minigrad, only, options.rounds, options.dtype,
                    LARGE if options.large else SMALL)
    print(summary(found))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
