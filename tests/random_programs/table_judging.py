"""Did a library do right what a program of the table says?

Without PyTorch the program is run in other ways that must give the same (``other_ways``), and its passes are held
against finite differences.  With PyTorch everything is compared that can be seen.

What is ill-conditioned proves nothing: where two results differ, the leaves are moved by a rounding error, and what
then moves as much does not count.
"""

import dataclasses
import re

import numpy as np

from .examining import Examination
from .nested import Nested
from .other_ways import (with_differences, with_loops, with_modes_exchanged, with_moved_arguments,
                         with_moved_duals)
from .program import NAME
from .table_running import Look, run_table

__all__ = ["examine_table"]

#: dtype -> how much results may differ from each other, relative to the largest of them
CLOSE = {"torch.float64": 1e-8, "torch.complex128": 1e-8, "torch.float32": 2e-4, "torch.complex64": 2e-4,
         "torch.bfloat16": 0.1, "torch.float16": 0.02}
ROUNDING = {"float64": 1e-13, "float32": 3e-6, "16": 3e-2}
STEP = 1e-6


def examine_table(program, minigrad, torch=None):
    mine = run_table(program, minigrad)
    called = [inner.calls for statement in program.statements for inner in statement.within() if inner.calls]
    examination = Examination(program, "", sorted(program.features), called)
    examination.wrong = (accidents(program, mine) or torch is not None and against_pytorch(program, mine, minigrad,
                                                                                          torch, examination)
                         or otherwise(program, mine, minigrad, examination)
                         or passes(program, mine, minigrad, examination)
                         or levels(program, mine, minigrad, examination) or "")
    return examination


def accidents(program, mine):
    for statement, outcome in zip(program.statements, mine.outcomes):
        if outcome.accident:
            return f"{shown(statement)} raises {outcome.failure}, from {outcome.accident}"
    return ""


def shown(statement):
    return f"{str(statement)!r}"


# ------------------------------------------------------------------------------ closeness


def precision(text):
    """The worst precision that occurs in a program."""
    return "16" if re.search(r"float16", text) else "float32" if re.search(r"float32|complex64", text) else "float64"


def far(a, b, tolerance, scale=None):
    """By how much two arrays are farther apart than they may be: 0 or a number; inf if nan or inf are elsewhere."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return np.inf
    if not a.size or a.dtype.kind not in "fc" and b.dtype.kind not in "fc":
        return 0 if np.array_equal(a, b) else np.inf
    finite = np.isfinite(a) & np.isfinite(b)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True) and not same_kind_of_infinite(a[~finite],
                                                                                               b[~finite]):
        return np.inf
    a, b = a[finite], b[finite]
    if not a.size:
        return 0
    apart = np.abs(a - b).max()
    return apart if apart > tolerance * max(1, np.abs(a).max(), np.abs(b).max()) else 0


def same_kind_of_infinite(a, b):
    """Complex infinities whose other part is nan in one library, and not in another, are all the same."""
    return a.dtype.kind == "c" and bool((~np.isfinite(a) & ~np.isfinite(b)).all())


def nudged(program, size):
    """The program with rounding errors: in each number that is written down, but for whole ones."""
    rng = np.random.default_rng(1)

    def moved(found):
        x = float(found[0])
        return repr(float(x * (1 + size * rng.choice([-1, 1]))))

    def changed(statement):
        text = re.sub(r"\b\d+\.\d*[1-9]\d*(e[+-]?\d+)?\b", moved, statement.text)
        return dataclasses.replace(statement, text=text, body=tuple(map(changed, statement.body)))

    return Nested(map(changed, program.statements))


def ill_conditioned(program, torch, find, apart, library=None):
    """Whether what ``find(done)`` gives moves as far when the numbers of the program have rounding errors."""
    size = ROUNDING[precision(str(program))]
    try:
        here = find(run_table(program, torch, library=library))
        for sign in (1, -1):
            there = find(run_table(nudged(program, sign * size), torch, library=library))
            if far(here, there, 0) * 50 >= apart:
                return True
    except (KeyError, IndexError, AttributeError, TypeError):
        return True
    return False


# ------------------------------------------------------------------------------ against PyTorch


class Free(Exception):
    """The same numbers with other signs: vectors of a decomposition, of which nothing that follows can be compared."""


#: What is refused here and not there: a gradient that would be lost, and what transforms do not support.
ALLOWED = re.compile(r"its gradient would be lost|MG117|more than one element of the written-to tensor")
#: What the page on differences from PyTorch has a paragraph about, and what rules cannot tell: copies that are views
#: there; histories that raise there when they are used; a vmap whose results have no shape there where they are not
#: mapped; factors of which one triangle is read, bases that are not determined, and a product with itself in place.
NOT_COMPARED = re.compile(r"unsafe_split|unsafe_chunk|resize|detach_copy|embedding_bag|out_dims=-1|slice_inverse|"
                          r"cholesky_(inverse|solve)|as_strided_scatter|polar|native_group_norm|\bsvd\(|"
                          r"(\b\w+) \*= \2\b")
#: PyTorch's ``linearize`` is not differentiated any further.
TWICE = re.compile(r"(grad|jac\w+|hessian|vjp|jvp|linearize|tangent|value)\(.*\bf\d")


def against_pytorch(program, mine, minigrad, torch, examination):
    text = str(program)
    if NOT_COMPARED.search(text) or text.count("linearize(") > 0 and TWICE.search(text):
        return ""
    try:
        return differs(program, mine, run_table(program, torch), minigrad, torch, examination)
    except Free:
        examination.features.append("not compared: signs that are free")
        return ""


def differs(program, mine, theirs, minigrad, torch, examination):
    missing, looks, other, held, freed = set(), {}, {}, "float('" not in str(program), False
    for place, (statement, a, b) in enumerate(zip(program.statements, mine.outcomes, theirs.outcomes)):
        if set(NAME.findall(str(statement))) & missing:
            if writes(statement):
                return ""
            missing.update(statement.made)
            continue
        if b.failure is not None and a.failure is None:
            examination.features.append(f"only PyTorch refused: {b.failure.reason}")
            if writes(statement):
                return ""
            freed |= statement.asks is not None
            missing.update(statement.made)
            continue
        if a.failure is not None:
            if b.failure is None and any([looks[n].values.size == 0 for n in statement.needs if n in looks]):
                return ""               # what cannot be computed with is taken where there are no numbers
            if b.failure is None and ALLOWED.search(a.failure.message):
                examination.features.append(f"only minigrad refused: {ALLOWED.search(a.failure.message)[0]}")
                if writes(statement):
                    return ""
                missing.update(statement.made)
                continue
            if b.failure is None and a.failure.reason == "second time" and freed:
                return ""               # by a pass that PyTorch did not finish
            if b.failure is None:
                return f"{shown(statement)} raises {a.failure}; PyTorch goes on"
            if statement.made[:1] and statement.made[0][0] == "r":
                missing.update(statement.made)      # of several reasons in a function either may come first
                continue
            if not (issubclass(a.failure.kind, kinds_like(b.failure.kind)) or ALLOWED.search(a.failure.message)):
                return f"{shown(statement)} raises {a.failure}\nPyTorch raises {b.failure}"
            if statement.asks or writes(statement):
                return ""           # some of it has happened, in an order that is not PyTorch's
            missing.update(statement.made)
            continue
        if statement.asks and not (finite(a.root) and finite(b.root)):
            missing.update(statement.made)
            continue
        alike = (not statement.body and len(statement.made) < 2 and not re.search(r"= r\d", statement.text)
                 and all([like(looks[name], other[name]) for name in statement.needs if name in looks]))
        for name, found in b.made.items():
            if len(found) == 1 and len(a.made[name]) == 1 and isinstance(found[0], Look) and isinstance(a.made[name][0],
                                                                                                      Look):
                looks[name], other[name] = a.made[name][0], found[0]
        # Where a number is not finite, a slope is a matter of convention.
        held = all([np.isfinite(x.values).all() for found in b.made.values() for x in found
                    if isinstance(x, Look) and x.values is not None and x.values.dtype.kind in "fc"]) and held
        slopes = statement.asks or "".join(statement.made).startswith("r")
        for name in b.made if held or not slopes else ():
            for i, (x, y) in enumerate(zip(a.made.get(name, ()), b.made[name], strict=False)):
                difference = looks_differ(name, x, y, lambda done: done.outcomes[place].made[name][i].values, program,
                                          torch, alike=alike)
                if difference and (rightly(program, minigrad, place, mine, theirs) if statement.asks
                                   else contradicts_itself(program, torch, place, name, i, y)):
                    examination.features.append("PyTorch was wrong")
                    return ""
                if difference:
                    return f"{shown(statement)}: {name}{f'[{i}]' * (len(b.made[name]) > 1)} {difference}"
            if len(a.made.get(name, ())) != len(b.made[name]):
                return f"{shown(statement)}: {name} has {len(a.made[name])} parts, PyTorch's {len(b.made[name])}"
    # What is laid out otherwise has views where the other has copies, and writes reach other tensors.
    laid_alike = all([strides(looks[name]) == strides(other[name]) for name in looks])
    return ends_differ(program, mine, theirs, torch, missing, "_norm(" not in str(program), held) if laid_alike else ""


def rightly(program, minigrad, place, mine, theirs):
    """Whether differences say that minigrad's gradients are right, and PyTorch's wrong."""
    if precision(str(program)) != "float64" or opaque(program.statements):
        return False
    leaves = set(leaves_of(program)) & set(program.statements[place].asks.leaves)
    slopes = differences(program, minigrad, place, leaves, STEP) if leaves else None
    if slopes is None:
        return False
    off = [abs(along(done, place, program.statements[place].asks, leaves)[0] - sum(slopes) / 2)
           for done in (mine, theirs)]
    return off[0] < 1e-3 * off[1]


def contradicts_itself(program, torch, place, name, i, look):
    """Whether PyTorch gives something else in the other mode."""
    if name[0] != "r" or not isinstance(look, Look):
        return False
    try:
        other = run_table(program, torch, library=with_modes_exchanged(torch)).outcomes[place].made[name][i].values
    except (KeyError, IndexError, AttributeError):
        return False
    return far(look.values, other, 1e-9) > 0


def finite(x):
    return x is None or bool(np.isfinite(x))


def writes(statement):
    return bool(statement.body) and not statement.text.startswith("def") or bool(
        re.search(r"\w_\(|\] [*+]?= |^\w+ [*+-]= |Shifted|backward\(", str(statement)))


def kinds_like(kind):
    return RuntimeError if issubclass(kind, NotImplementedError) else kind


def looks_differ(name, x, y, find, program, torch, ended=False, alike=True):
    if not isinstance(x, Look) or not isinstance(y, Look):
        if isinstance(x, Look) != isinstance(y, Look):
            # PyTorch knows of some zeros that nothing depends on them, and we of others.
            zero = [one for one in (x, y) if isinstance(one, Look)][0]
            if x is zero and y is None and np.isfinite(zero.values).all():
                return ""               # a gradient that PyTorch does not have
            if not np.any(zero.values) and not (x if zero is y else y):
                return ""
            return f"is {seen_as(x)}; PyTorch has {seen_as(y)}"
        return "" if x == y or x != x or isinstance(x, float) and abs(x - y) < 1e-8 * max(1, abs(x)) else (
            f"is {x}; PyTorch has {y}")
    # Whether gradients and tangents have a history where nothing depends on it is nobody's business.
    for what in ("dtype",) if name[0] in "gtrl" or not alike or not x.values.size or y.requires_grad is None else (
            "dtype", "requires_grad"):
        if getattr(x, what) != getattr(y, what):
            return f"{what} is {getattr(x, what)}; PyTorch has {getattr(y, what)}"
    is_named_view = name[0] == "v"      # of other results it is nobody's business whether they are views of something
    if is_named_view and alike and x.is_view != y.is_view:
        return f"is_view is {x.is_view}; PyTorch has {y.is_view}"
    if name[0] not in "gtrl" and alike and x.values.size and x.is_leaf != y.is_leaf:
        return f"is_leaf is {x.is_leaf}; PyTorch has {y.is_leaf}"
    if y.values is None:
        return ""                       # vmap of a result that is the same for all examples, with out_dims=-1
    if x.values.shape != y.values.shape:
        return f"has shape {x.values.shape}; PyTorch's {y.values.shape}"
    if is_named_view and alike and x.is_view is True and x.values.size > 1 and strides(x) != strides(y):
        return f"has strides {x.strides}; PyTorch's {y.strides}"
    if ended and "a refusal" not in (x.version, y.version) and x.version != y.version:
        return f"was written to {x.version} times; PyTorch has {y.version}"
    return values_differ(x, y, find, program, torch)


def values_differ(x, y, find, program, torch):
    if x.dtype != y.dtype:
        return f"dtype is {x.dtype}; PyTorch has {y.dtype}"
    close = max(CLOSE.get(y.dtype, 0), {"float64": 0, "float32": 2e-4, "16": 0.1}[precision(str(program))])
    apart = far(x.values, y.values, close)
    if apart and precision(str(program)) == "16" and not np.isfinite(y.values).all():
        return ""                       # what is larger than 16 bits can say is rounded at other places
    if apart and not far(np.abs(x.values), np.abs(y.values), close):
        raise Free
    if apart and not ill_conditioned(program, torch, find, apart):
        return f"is\n{x.values}\nPyTorch has\n{y.values}"
    return ""


def like(x, y):
    """Whether two tensors lie alike in memory and have histories alike, so that what is made of them does, too."""
    return strides(x) == strides(y) and x.requires_grad == y.requires_grad


def strides(x):
    return [] if x.values is None else [s for s, n in zip(x.strides, x.values.shape) if n > 1]


def seen_as(x):
    return x.values.tolist() if isinstance(x, Look) else x


def ends_differ(program, mine, theirs, torch, missing, counted, held):
    for name, y in theirs.end.items():
        if name in mine.end and name not in missing:
            difference = looks_differ(name, mine.end[name], y, lambda done: done.end[name].values, program, torch,
                                      counted, False)
            if difference:
                return f"in the end, {name} {difference}"
    if not held:
        return ""
    for name in mine.grads.keys() | theirs.grads.keys():
        if name in missing:
            continue
        a, b = mine.grads.get(name), theirs.grads.get(name)
        if a is None or b is None:
            if np.any((a or b).values):
                return f"in the end, {name}.grad is {seen_as(a)}; PyTorch has {seen_as(b)}"
            continue
        difference = values_differ(a, b, lambda done: done.grads[name].values, program, torch)
        if difference:
            return f"in the end, {name}.grad {difference}"
        if strides(a) != strides(b):
            return f"in the end, {name}.grad has strides {a.strides}; PyTorch's {b.strides}"
    if not missing and len(mine.seen) != len(theirs.seen):
        return f"the hooks saw {len(mine.seen)} gradients; PyTorch's saw {len(theirs.seen)}"
    for i, (a, b) in enumerate(zip(mine.seen, theirs.seen)) if not missing else ():
        apart = far(a, b, {"float64": 1e-8, "float32": 2e-4, "16": 0.1}[precision(str(program))])
        if apart and not ill_conditioned(program, torch, lambda done: done.seen[i], apart):
            return f"the hooks saw\n{mine.seen}\nPyTorch's saw\n{theirs.seen}"
    return ""


# ------------------------------------------------------------------------------ the same in other ways


def otherwise(program, mine, minigrad, examination):
    text = str(program)
    if precision(text) == "16" or "float('" in text:
        return ""
    inside = [s for s in program.statements if s.text.startswith("def ")]       # what transforms are applied to
    ways = {}
    if "torch.vmap(" in text and not any([RUNNING.search(str(s)) for s in inside]):
        ways["a loop in place of vmap"] = with_loops, 1e-8
    if re.search(r"torch\.func\.|return tangent\(", text) and not opaque(inside):
        if not any(["complex" in str(s) for s in inside]):
            ways["the other mode"] = with_modes_exchanged, 1e-7
        if precision(text) == "float64":
            ways["differences"] = with_differences, 1e-3
    for what, (way, close) in ways.items():
        if precision(text) != "float64":
            close = 2e-3
        library = way(minigrad)
        theirs = run_table(program, minigrad, library=library)
        compared = False
        for place, (statement, a, b) in enumerate(zip(program.statements, mine.outcomes, theirs.outcomes)):
            if compared and writes(statement):
                break                   # what is laid out otherwise has views where the other has copies
            if a.failure or b.failure:
                if a.failure and b.failure is None and statement.made and statement.made[0][0] == "r":
                    examination.features.append(f"refused, and not with {what}: {a.failure.message[:60]}")
                if a.failure and b.failure:
                    continue
                break
            for name in a.made:
                if name[0] != "r":
                    continue
                compared = True
                for i, (x, y) in enumerate(zip(a.made[name], b.made[name])):
                    if not isinstance(x, Look) or not isinstance(y, Look):
                        if (x is None or y is None) and not is_zero(x if y is None else y, close):
                            return f"{shown(statement)}: {name}[{i}] is {seen_as(x)}\nwith {what} it is {seen_as(y)}"
                        continue
                    if x.values.dtype.kind != y.values.dtype.kind:
                        continue        # in reverse mode, complex results of real arguments have real Jacobians
                    if not (np.isfinite(x.values).all() and np.isfinite(y.values).all()):
                        continue        # one of the ways multiplies an infinite slope by 0
                    apart = far(x.values, y.values, close)
                    if apart and not unsure(program, minigrad, way, place, name, i, apart, what):
                        return (f"{shown(statement)}: {name}[{i}] is\n{x.values}\nwith {what} it is\n{y.values}")
        if compared:
            examination.features.append(f"compared with {what}")
    return ""


def is_zero(x, close):
    """Whether a tangent, if it is one, is what no tangent is."""
    return not isinstance(x, Look) or not np.isfinite(x.values).all() or not far(x.values, 0 * x.values, close)


def unsure(program, minigrad, way, place, name, i, apart, what):
    def find(done):
        return done.outcomes[place].made[name][i].values

    if ill_conditioned(program, minigrad, find, apart):
        return True
    if what != "differences":
        return False
    # Another step, by which a wrong slope stays what it is, and a pole does not; and one to either side: at a kink the
    # slope jumps between them.
    try:
        here, there, after, before = [find(run_table(program, minigrad, library=with_differences(minigrad, *steps)))
                                      for steps in ((1e-5, 1e-5), (2e-6, 2e-6), (1e-5, 0), (0, 1e-5))]
    except (KeyError, IndexError, AttributeError):
        return True
    if not np.isfinite(here).all():
        return True
    return far(here, there, 0) * 20 >= apart or far(after, before, 0) * 2 >= apart or on_a_kink(
        program, minigrad, find, apart)


def on_a_kink(program, minigrad, find, apart):
    """Whether a function that has kinks is on one: its slope there is by convention, as that of ``|z * z|`` at 0.

    Nearby it has another one, and differences on both sides may agree with that.
    """
    if not KINKED.search(str(program)):
        return False
    try:
        here, there = find(run_table(program, minigrad)), find(
            run_table(program, minigrad, library=with_moved_arguments(minigrad, 1e-6)))
    except (KeyError, IndexError, AttributeError):
        return True
    return far(here, there, 0) * 2 >= apart


#: A modulus, or what is divided by one.
KINKED = re.compile(r"abs\(|norm|angle|sgn|sign\(|polar|dist\(|similarity|distance")


#: What differences see, and autograd must not: what is not recorded, gradients that are not those of the values, what
#: lies in memory beside a view, that the neighbour of a number moves with it where both arguments are one, and so does
#: one bound of a clamp with the other; and running statistics, which remember the input and have no gradient.
OPAQUE = re.compile(r"detach|no_grad\(|\(False\)|inference_mode|g \* 2|Passed|Once|slice_inverse|as_strided|nextafter|"
                    r"clamp\w*\(.*\b[a-z]\d+, [a-z]\d+\)|(batch|instance)_norm\([a-z]\d+, [a-z]\d+, [a-z]\d+")

#: What is not the same in a loop: writes to arguments, once for each example, and to windows that overlap.
RUNNING = re.compile(r"(batch|instance)_norm\(|unfold")


def opaque(statements):
    return any([not inner.smooth or OPAQUE.search(inner.text) for s in statements for inner in s.within()])


# ------------------------------------------------------------------------------ passes and differences


def passes(program, mine, minigrad, examination):
    """The gradients of each pass, along a random direction that moves all leaves."""
    asked = [(place, s.asks) for place, s in enumerate(program.statements) if s.asks]
    if not asked or precision(str(program)) != "float64" or opaque(program.statements):
        return ""
    if any([o.failure for o in mine.outcomes]):
        return ""
    free = set(leaves_of(program))
    for place, asks in asked:
        leaves = free & set(asks.leaves)
        slopes = differences(program, minigrad, place, leaves, STEP) if leaves else None
        if slopes is None:
            continue
        moved = sum(slopes) / 2
        said, size = along(mine, place, asks, leaves)
        size += 1 + abs(moved)
        tolerance = 1e-5 if asks.order == 1 else 1e-4
        apart = abs(said - moved)
        if apart > tolerance * size and not (
                bent(program, minigrad, place, leaves, slopes, said)
                or ill_conditioned(program, minigrad, lambda done: along(done, place, asks, leaves)[0], apart)):
            return (f"{shown(program.statements[place])}: a wrong gradient: along a random direction {asks.of} changes "
                    f"by {moved:.8g}, and they say {said:.8g}")
        examination.features.append("a gradient that was compared with differences")
    return ""


def along(done, place, asks, leaves):
    """What the gradients of these leaves say of the change in their directions; and the sum without signs."""
    parts = [np.real(np.conj(g) * direction(name, g)) for name, g in gradients(done, place, asks).items()
             if g is not None and name in leaves]
    return sum([part.sum() for part in parts]), sum([np.abs(part).sum() for part in parts])


def bent(program, minigrad, place, leaves, slopes, said):
    """Whether the slope is another one on the other side, or for other steps: at a kink, a pole or a jump."""
    moved = sum(slopes) / 2
    least = min(0.05 * abs(said - moved), 1e-6 + 0.01 * abs(moved))
    if abs(slopes[0] - slopes[1]) > 0.05 * abs(said - moved):
        return True
    for step in (STEP / 7, STEP * 20):
        again = differences(program, minigrad, place, leaves, step)
        if again is None or not abs(sum(again) / 2 - moved) <= least:
            return True
    return False


def leaves_of(program):
    return [s.made[0] for s in program.statements if s.leaf]


def direction(name, like):
    rng = np.random.default_rng(list(name.encode()))
    real = rng.uniform(0.5, 1.5, like.shape) * rng.choice([-1, 1], like.shape)
    return real + 1j * rng.uniform(-1, 1, like.shape) if like.dtype.kind == "c" else real


def differences(program, minigrad, place, leaves, step):
    """How the number that this pass began at changes on either side as these leaves move; None if nobody can say."""
    def moving(step):
        def moved(name, t):
            if name not in leaves:
                return t
            made = t.detach().clone()           # which lies in memory as t does
            made += minigrad.from_numpy(np.asarray(direction(name, numbers_of(t)) * step))
            return made.requires_grad_(t.requires_grad)
        return moved

    plus, here, minus = [run_table(program, minigrad, moving(h)).outcomes[place].root for h in (step, 0, -step)]
    if plus is None or here is None or minus is None or not np.isfinite([plus, here, minus]).all():
        return None
    return (plus - here) / step, (here - minus) / step


def numbers_of(t):
    return t.detach().numpy()


def gradients(mine, place, asks):
    outcome = mine.outcomes[place]
    if not asks.returned:
        return outcome.added
    looks = outcome.made.get(asks.returned, [])
    return {name: x.values if isinstance(x, Look) else None for name, x in zip(asks.leaves, looks)}


# ------------------------------------------------------------------------------ dual levels and differences


def levels(program, mine, minigrad, examination):
    """The tangents of each dual level, those of gradients too, against how the same moves with the duals."""
    places = []
    for place, statement in enumerate(program.statements):
        if "dual_level()" not in statement.text:
            continue
        if any([writes(inner) for inner in statement.within() if not inner.body]):
            break                       # what is moved does not lie in the memory of the tensor that it was made of
        if mine.outcomes[place].failure is None and not opaque([statement]):
            places.append(place)
    if not places or precision(str(program)) != "float64":
        return ""
    ends = [run_table(program, minigrad, library=with_moved_duals(minigrad, step)).outcomes
            for step in (0, STEP, -STEP, 7 * STEP, -7 * STEP)]
    for place in places:
        if any([end[place].failure for end in ends]):
            continue
        for name, looks in mine.outcomes[place].made.items():
            if name[0] != "t" or len(looks) != 1:               # a list of a split, which may be empty
                continue
            said, = looks
            slope = steady_slope(*[end[place].made[name][0].values for end in ends])
            if slope is None:
                continue
            examination.features.append("a tangent that was compared with differences")
            values = said.values if isinstance(said, Look) else 0 * slope
            apart = far(values, slope, 1e-4)
            if apart and not ill_conditioned(program, minigrad, lambda done: done.outcomes[place].made[name][0].values,
                                             apart):
                return f"{shown(program.statements[place])}: {name} is {seen_as(said)}\nwith differences it is\n{slope}"
    return ""


def steady_slope(here, plus, minus, far_plus, far_minus):
    """The slope; None where other steps, or steps to one side, give another one."""
    if here.dtype.kind not in "fc" or not all([np.isfinite(x).all() for x in (here, plus, minus, far_plus, far_minus)]):
        return None
    slope = (plus - minus) / (2 * STEP)
    wider = (far_plus - far_minus) / (14 * STEP)
    if far(slope, wider, 1e-5) or far((plus - here) / STEP, (here - minus) / STEP, 1e-3):
        return None
    return slope
