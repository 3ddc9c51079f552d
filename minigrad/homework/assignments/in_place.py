"""Operations in place, and the versions that guard saved tensors."""

import numpy as np

import minigrad as torch
from minigrad.homework.spec import Assignment

STARTER = '''
"""In-place operations and versions.

Part one, in NumPy alone: the version counter that every tensor has. Part two: a Function that works in
place.
"""

import minigrad as torch
from minigrad.autograd import Function


class Versioned:
    """An array whose writes are counted. Views share the counter of their base; copies have their own.

    `array` is the array, and `version` is $version.
    """

    def __init__(self, array):
        raise NotImplementedError

    def $write(self, index, value):
        """array[index] = value, counted."""
        raise NotImplementedError

    def view(self, index):
        """A Versioned of array[index], a basic index: it shares the memory, and the counter."""
        raise NotImplementedError

    def copy(self):
        raise NotImplementedError


class Saved:
    """A Versioned that is kept for the backward pass."""

    def __init__(self, versioned):
        raise NotImplementedError

    def unpack(self):
        """The array as it was saved; raises $error if it has been written to since."""
        raise NotImplementedError


class Clip(Function):
    """Set all entries of x that are $side than bound (a number) to $target, in place.

    The gradient of the entries that were changed is zero.
    """

    @staticmethod
    def forward(ctx, x, bound):
        raise NotImplementedError

    @staticmethod
    def backward(ctx, d):
        raise NotImplementedError
'''

#: what Clip does: the entries on this side of the bound become so many times the bound
SIDES = tuple([{"side": side, "sign": sign, "target": target, "times": times} for target, times, side, sign in (
    ("bound", 1, "larger", 1), ("bound", 1, "smaller", -1), ("2 * bound", 2, "smaller", -1),
    ("3 * bound", 3, "smaller", -1), ("-bound", -1, "smaller", -1))])

#: what a version counts: writes, or the entries that they change; from which number on
COUNTED = tuple([{"version": f"{'1 plus ' * first}the number of {what} so far", "counted": counted, "first": first}
                 for what, counted, first in (("writes", "writes", 0), ("entries written", "entries", 0),
                                              ("writes", "writes", 1), ("entries written", "entries", 1))])

homework = Assignment("In place, and versions", starter=STARTER,
                      forbidden=("autograd.grad", "autograd.backward", "func.vjp", "func.grad", "func.jvp",
                                 "func.jet", "func.taylor", "autograd.functional.vjp", "clamp", "clamp_", "clamp_max",
                                 "clamp_max_", "clip",
                                 "clip_", "nn.functional.hardtanh", "nn.functional.hardtanh_", "_foreach_clamp_max_",
                                 "from_numpy", "as_tensor"),
                      varies={"side": SIDES, "version": COUNTED, "write": ("write", "put", "assign", "store"),
                              "error": ("RuntimeError", "ValueError", "BufferError", "LookupError")})


def writes(submission, a, value, write):
    kept = submission.Versioned(a)
    versions = [kept.version]
    getattr(kept, write)((0, 1), value)
    versions.append(kept.version)
    getattr(kept, write)((slice(None), 0), value)
    versions.append(kept.version)
    others = []
    for _ in range(4):              # an array may lie where one lay that is gone
        another = submission.Versioned(a * 2)
        others.append(another.version)
        getattr(another, write)((0, 1), value)
        del another
    return versions, kept.array, others


@homework.item(2, "writes are counted", numpy_only=True)
def counting(judge):
    a, value = judge.draw(3, 4), float(judge.draw(1)[0])
    first, rows = judge.variant["first"], 3 if judge.variant["counted"] == "entries" else 1
    versions, array, others = judge.run(writes, a, value, judge.variant["write"])
    judge.require(others == 4 * [first], f"the version of another array must begin at {first}, whatever has been "
                                         "written elsewhere")
    judge.require(versions == [first, first + 1, first + 1 + rows], f"the version must begin at {first}, grow by 1 "
                  f"with a write to one entry, and by {rows} with one to a column of three")
    wanted = a.copy()
    wanted[0, 1] = wanted[:, 0] = value
    judge.same(array, wanted, "the array after two writes")


def shares(submission, a, value, write):
    base = submission.Versioned(a)
    row = base.view(1)
    getattr(row, write)(0, value)
    inner = row.view(slice(1, 3))
    getattr(base, write)((0, 0), value)
    getattr(base, write)((0, 0), value)
    apart = base.copy()
    before = base.version
    getattr(apart, write)((0, 0), 2 * value)
    return {"view": row.version, "base": base.version, "inner": inner.version, "before": before,
            "copy": apart.version, "array": base.array, "seen": inner.array}


@homework.item(3, "views share a counter, copies do not", numpy_only=True)
def sharing(judge):
    a, value = judge.draw(3, 4), float(judge.draw(1)[0])
    seen, version = judge.run(shares, a, value, judge.variant["write"]), judge.variant["first"] + 3
    with judge.part(2, "views"):
        judge.require(seen["base"] == seen["view"] == seen["inner"] == version, "after one write to a view and two to "
                      "one entry of its base, which the second leaves as it is, the base, the view and a view of the "
                      f"view must all have version {version}")
        wanted = a.copy()
        wanted[1, 0] = wanted[0, 0] = value
        judge.same(seen["array"], wanted, "the base after a write to its view")
        judge.same(seen["seen"], wanted[1, 1:3], "a view of a view")
    with judge.part(1, "copies"):
        judge.require(seen["base"] == seen["before"], "a write to a copy must not count for the original")


def keeps(submission, a, how, write):
    base = submission.Versioned(a)
    if how == "unchanged":
        return submission.Saved(base).unpack(), ""
    if how == "another one written":
        saved = submission.Saved(base)
        getattr(submission.Versioned(2 * a), write)((0, 0), 1.0)
        return saved.unpack(), ""
    getattr(base, write)((0, 0), 1.0)
    saved = submission.Saved(base.view(1) if how == "through the base" else base)
    if how == "written before":
        return saved.unpack(), ""
    if how == "with the same numbers":
        getattr(base, write)(0, base.array[0].copy())
    else:
        getattr(base if how in ("written", "through the base") else base.view(2), write)(0, 5.0)
    try:
        saved.unpack()
    except Exception as failure:
        return None, type(failure).__name__
    return None, "nothing"


@homework.item(3, "a saved array that was overwritten is refused", numpy_only=True)
def guarding(judge):
    a, write, error = judge.draw(3, 4), judge.variant["write"], judge.variant["error"]
    with judge.part(1, "arrays that are as they were"):
        judge.same(judge.run(keeps, a, "unchanged", write)[0], a, "what unpack returns")
        judge.run(keeps, a, "written before", write)
    with judge.part(2, "arrays that were overwritten"):
        judge.same(judge.run(keeps, a, "another one written", write)[0], a, "what unpack returns after a write to "
                                                                            "another array")
        for how in ("written", "through a view", "through the base", "with the same numbers"):
            _, raised = judge.run(keeps, a, how, write)
            judge.require(raised == error, f"{how}: unpack must raise {error}, and raises {raised}")


def clipped(submission, x, bound):
    leaf = torch.tensor(x, requires_grad=True)
    inner = leaf * 1
    before, memory = inner._version, inner.data_ptr()
    result = applied(submission.Clip, inner, bound)
    saved, end = [], result.sum()
    with torch.autograd.graph.saved_tensors_hooks(lambda x: saved.append(True) or x, lambda x: x):
        torch.autograd.backward(end)
    return {"values": result, "same": result is inner, "kept": inner.data_ptr() == memory, "written": inner,
            "versions": inner._version - before, "gradient": leaf.grad, "recorded": bool(saved)}


def clipped_gradient(submission, d, x):
    leaf = torch.tensor(x, requires_grad=True)
    result = applied(submission.Clip, leaf * 1, 0.25)
    return torch.autograd.grad(result, leaf, torch.tensor(d))


def overwritten(submission, x):
    leaf = torch.tensor(x, requires_grad=True)
    inner = leaf * 1
    squared = inner * inner
    applied(submission.Clip, inner, 0.0)
    try:
        torch.autograd.backward(squared.sum())
    except RuntimeError as failure:
        return "modified by an inplace operation" in str(failure)
    return False


@homework.item(6, "Clip, in place")
def clip(judge):
    sign, times = judge.variant["sign"], judge.variant["times"]
    x = np.where(abs(x := judge.draw(3, 4)) < 0.5, x + 1, x)
    x[judge.random.integers(3), :2] = 0.25                  # on the bound, and so not changed
    seen = judge.run(clipped, x, 0.25)
    with judge.part(1, "the values"):
        wanted = np.where(sign * x > sign * 0.25, times * 0.25, x)
        judge.same(seen["values"], wanted, "the result")
        judge.same(seen["written"], wanted, "the input afterwards")
    with judge.part(3, "the tensor, and what others have saved of it"):     # half: what part two is about
        judge.require((seen["written"] != x).any(), "nothing is written into the tensor")
        judge.require(seen["same"], "apply must return the tensor that it was given, not a new one: return it from "
                                    "forward, and tell autograd of the write with ctx.mark_dirty")
        judge.require(seen["kept"], "its memory must be the same as before: write into it, and do not exchange it")
        judge.require(seen["versions"] >= 1, "its version must grow: tell autograd with ctx.mark_dirty")
        judge.require(judge.run(overwritten, x), "an operation before Clip had saved the tensor, and its backward must "
                                                 "raise an error, not use the new numbers")
    with judge.part(2, "the gradient"):
        judge.require(not seen["recorded"], "backward records a history of its own, although nothing differentiates "
                                            "the gradient: say which entries of d remain")
        judge.same(seen["gradient"], np.where(sign * x > sign * 0.25, 0.0, 1.0), "the gradient, with entries that are "
                   "equal to the bound,")
        for shape in ((2, 3), (5,)):
            y = judge.draw(*shape, low=-2, high=2)
            y = np.where(abs(y - 0.25) < 0.1, 1.0, y)
            judge.probe_pullback(lambda y: torch.where(sign * y > sign * 0.25, times * 0.25, y), clipped_gradient, y)
