"""The two ways of each row: where its kernel in C gives a result, the general way gives the same.

No row is listed here.  The calls are those that the samples of the operations lead to (tests/ops/calling.py), and each
is varied: how its arrays lie in memory, their dtypes, sizes and special values, numbers in place of tensors, and other
values of its parameters, right and wrong.  A kernel may decline any of them; what it gives must be right, it never
raises, and of each row with a kernel it must take some.
"""

import itertools
import math
import random
import zlib

import numpy as np
import pytest

from minigrad import manual_seed
from minigrad._core.dispatch.compute import on_arrays_general, on_arrays_in_c
from minigrad._core.graph import wrap
from minigrad.ops.exports import INPLACE, ROWS
from tests.ops.calling import calls_of_rows
from tests.ops.sampling import replace

# Rows that draw random numbers do so in C only from a generator that they are given: tests/creation/test_made_in_c.py.
IN_C = sorted([name for name, op in ROWS.items() if op.computes_in_c and not op.draws])

DTYPES = ["float64", "float32", "float16", "complex64", "complex128", "int64", "int32", "uint8", "bool"]
SPECIAL = [0., -0., 1., -1., 0.5, np.inf, -np.inf, np.nan, 3., 2.]
NUMBERS = [0, 2, -1, True, 0.5, -0.0, np.inf, np.nan, 2 ** 53 + 1, 2 ** 62, 1j]
MOST = 3                    # calls of a row that are varied, or more where its kernel takes none of those
LONG = 120_000
ROUNDING = {"f": 5e-6, "F": 5e-6, "e": 4e-3}

# Rows that do nothing to numbers, or say yes or no: no bit may differ.
EXACT = ("view", "piecewise_constant", "not_differentiable")


def unaligned(a):
    return np.frombuffer(b"x" + a.tobytes(), a.dtype, offset=1).reshape(a.shape)


def every_other(a):
    wide = np.full(tuple(2 * n for n in a.shape), 1, a.dtype)
    part = wide[(..., *[slice(1, None, 2)] * a.ndim)]
    part[...] = a
    return part


def backwards(a):
    return backwards_view(np.array(backwards_view(a)))


def backwards_view(a):
    return a[(..., *[slice(None, None, -1)] * a.ndim)]


def frozen(a):
    a = np.array(a)
    a.flags.writeable = False
    return a


LAYOUTS = {
    "columns": np.asfortranarray,
    "backwards": backwards,
    "every other": every_other,
    "broadcast": lambda a: np.broadcast_to(a[:1], a.shape) if a.ndim else a,
    "one number": lambda a: np.broadcast_to(a[(..., *[slice(None, 1)] * a.ndim)], a.shape),
    "offset": lambda a: np.concatenate([np.ones(3, a.dtype), a.ravel()])[3:].reshape(a.shape),
    "unaligned": unaligned,
    "read-only": frozen,
    "swapped bytes": lambda a: a.astype(a.dtype.newbyteorder()),
}


# ------------------------------------------------------------------------------ what is tried

def variations(op, args):
    """What changed, and the arguments."""
    count = len(arrays_in(args))
    places = [range(count)] + [[k] for k in range(count)] * (count > 1)
    yield "as they are", args
    for (layout, lay), at in itertools.product(LAYOUTS.items(), places):
        yield f"{layout} at {list(at)}", changed(args, at, lay)
    for dtype, at in itertools.product(DTYPES, places):
        yield f"{dtype} at {list(at)}", changed(args, at, lambda a, dtype=dtype: in_dtype(a, dtype))
    for dtype, shift in itertools.product(["float64", "float32", "complex64"], range(3)):
        yield f"special values of {dtype}", changed(args, range(count),
                                                    lambda a, dtype=dtype, shift=shift: special(a, dtype, shift))
    yield from of_other_sizes(op, args)
    yield from with_other_parameters(op, args)


def long_ones(op, args):
    """Arrays that are long enough for the interpreter lock to be let go, or for several threads.

    Only where the result has no more elements than an operand, and grows with it: a matrix that has them on its
    diagonal, or the pairs of all rows, would be huge.
    """
    arrays = arrays_in(args)
    result = outcome(on_arrays_general, op, args)
    longest = max([a.size for a in arrays] or [0])
    if not longest or not isinstance(result, np.ndarray) or result.size > longest:
        return
    axis = max([n for a in arrays for n in a.shape] or [1])
    grown = outcome(on_arrays_general, op, changed(args, range(len(arrays)), lambda a: np.resize(
        a, [8 * axis if n == axis else n for n in a.shape])))
    if isinstance(grown, np.ndarray) and grown.size > 16 * max(1, result.size):
        return
    to = LONG * axis // longest
    shapes = [[to if n == axis else n for n in a.shape] for a in arrays]
    if max(map(math.prod, shapes)) > 2 * LONG:
        return
    for dtype in ("float64", "float32"):
        long = changed(args, range(len(arrays)), lambda a: in_dtype(
            np.resize(a, [to if n == axis else n for n in a.shape]), dtype))
        yield f"long arrays of {dtype}", long
        yield f"long arrays of {dtype}, by columns", changed(long, range(len(arrays)), np.asfortranarray)


def of_other_sizes(op, args):
    """Empty arrays, of one element, longer, with fewer dims; sizes that were equal remain so."""
    arrays = arrays_in(args)
    everything = range(len(arrays))
    dims = {n: max([a.shape.count(n) for a in arrays]) for a in arrays for n in a.shape}
    longer = {size: min(35, int(LONG ** (1 / count))) for size, count in dims.items()}     # 35 ** 5 would be 400 MB
    for size, to in [(size, to) for size in sorted(dims) for to in (0, 1, longer[size])]:
        def resized(a, size=size, to=to):
            return np.resize(a, [to if n == size else n for n in a.shape]) if a.size else a

        new = changed(args, everything, resized)
        yield f"{to} in place of {size}", new
        yield f"{to} in place of {size}, in sizes too", [
            tuple(to if n == size else n for n in x) if type_.startswith("Sizes") and type(x) is tuple else x
            for x, type_ in zip(new, op.types)]
    for k, a in enumerate(arrays):
        yield f"one number for {k}", changed(args, [k], lambda a: a.ravel()[0] if a.size else a)
        yield f"{k} with another dim", changed(args, [k], lambda a: a[None])
        if a.ndim:
            yield f"{k} with a dim less", changed(args, [k], lambda a: np.resize(a, a.shape[1:]))
            yield f"{k} transposed", changed(args, [k], lambda a: a.T)


def with_other_parameters(op, args):
    """Other values for what is not a tensor, of its type and of others; and numbers for tensors."""
    for i, x in enumerate(args):
        others = []
        if isinstance(x, np.ndarray):
            others = NUMBERS if op.promote else []
        elif isinstance(x, bool):
            others = [not x]
        elif isinstance(x, int):
            others = [0, 1, -1, 2, -2, -x, x + 1, 7, -9]
        elif isinstance(x, float):
            others = [0., -0., -x, 0.5, 2, np.inf, np.nan]
        elif isinstance(x, tuple) and x and all([type(n) is int for n in x]):
            others = [(), x[::-1], x[1:], x[1:] + x[:1], (*x, 1), (1, *x), (*x[1:], -1), (*x[1:], 9), (*x, x[-1]),
                      x[:1] * len(x)]
        if op.types[i].startswith(("Dims", "Dim[", "Dim.")):
            others = [*others, None, (), 0, -1, (0,), (-1,), (1, 0), (0, 1), (0, -1), (0, 0), 5]
        if "?" in op.types[i]:
            others = [*others, None]
        for other in others:
            yield f"{op.params[i]}={other!r}", [*args[:i], other, *args[i + 1:]]


def arrays_in(args):
    found = []
    replace(args, found.append)
    return found


def changed(args, places, change):
    """The arguments, with a change to the arrays with these numbers; one that cannot be made is none."""
    numbers = itertools.count()

    def one(a):
        return np.asarray(change(a)) if next(numbers) in places else a

    with np.errstate(all="ignore"):
        return replace(args, one)


def in_dtype(a, dtype):
    if a.dtype.kind not in "fc" or (a.dtype.kind == "c" and dtype[0] != "c"):
        return a
    return np.abs(a).astype(dtype) if dtype[0] == "u" else a.astype(dtype)


def special(a, dtype, shift):
    """Zeros of both signs, infinities and nan, in an order that is not the same for each array."""
    if a.dtype.kind not in "fc":
        return a
    values = random.Random(a.size + shift).sample(SPECIAL, len(SPECIAL))
    return np.resize(np.array(values, dtype), a.shape)


# ------------------------------------------------------------------------------ what must be the same

def outcome(way, op, args):
    """The result, or the error; random numbers are the same for both ways."""
    if op.draws:
        manual_seed(0)
    try:
        return way(op, *args)
    except Exception as error:
        return error


def difference(op, actual, expected, args):
    """What is wrong with the result of the kernel, or an empty string."""
    if isinstance(expected, Exception):
        return f"the general way refuses: {expected!r}"
    several = isinstance(expected, (list, tuple))
    if several != isinstance(actual, (list, tuple)) or several and len(actual) != len(expected):
        return f"{actual}"
    for a, b in zip(*((actual, expected) if several else ([actual], [expected]))):
        wrong = difference_of(op, a, b, arrays_in(args))
        if wrong:
            return wrong
    return ""


def difference_of(op, a, b, arrays):
    if type(a) is not np.ndarray:
        return f"a {type(a).__name__}"
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype} {a.shape} in place of {b.dtype} {b.shape}"
    if strides_of(a) != strides_of(b) and not (op.loops_in_c and strides_of(a) == strides_of(by_one_ufunc(a, arrays))):
        return f"strides {a.strides} in place of {b.strides}"
    for operand in arrays:
        if np.may_share_memory(a, operand) != np.may_share_memory(b, operand) and a.size:
            return f"shares memory with an operand: {np.may_share_memory(a, operand)}"
    if op.is_view and np.may_share_memory(a, arrays[0]) and a.size and address(a) != address(b):
        return "begins elsewhere"
    if not same_numbers(op, a, b, arrays):
        at = np.flatnonzero(~((a == b) | ((a != a) & (b != b))).ravel())[:5]
        return f"{a.ravel()[at].tolist()} in place of {b.ravel()[at].tolist()} at {at.tolist()} of {a.size}"
    return ""


def by_one_ufunc(a, operands):
    """An array like `a`, laid out as a ufunc lays out its result; several ufuncs after each other may do otherwise."""
    with np.nditer([*operands, None], ["zerosize_ok"], [["readonly"]] * len(operands) + [["writeonly", "allocate"]],
                   [None] * len(operands) + [a.dtype]) as walk:
        return walk.operands[-1]


def strides_of(a):
    """Those that matter: of dims with more than one element."""
    return [stride for stride, n in zip(a.strides, a.shape) if n > 1] if a.size else []


def address(a):
    return a.__array_interface__["data"][0]


def same_numbers(op, a, b, arrays):
    if a.dtype.kind not in "fc":
        return np.array_equal(a, b)
    if a.dtype.kind == "c":
        return all(same_numbers(op, x, y, arrays) for x, y in [(a.real, b.real), (a.imag, b.imag)])
    if op.kind in EXACT:
        return np.array_equal(a, b, equal_nan=True) and np.array_equal(sign_of_zeros(a), sign_of_zeros(b))
    rounding = ROUNDING.get(a.dtype.char, 1e-13)
    if a.dtype.char == "d" and any([x.dtype.char in "fFe" for x in arrays]):
        rounding = 1e-6
    if op.elementwise:
        return np.allclose(a, b, rtol=rounding, atol=rounding * 1e-3, equal_nan=True)
    floats = [x[np.isfinite(x)] for x in [b, *arrays] if x.dtype.kind in "fc"]
    largest = max([float(np.abs(x).max(initial=0)) for x in floats])
    rounding *= 1 + max([x.size for x in floats]) / 1000            # a sum, in another order
    return np.allclose(a, b, rtol=rounding, atol=rounding * largest, equal_nan=True)


def sign_of_zeros(a):
    return np.signbit(a) & (a == 0)


# ------------------------------------------------------------------------------ the test

def faults(op, calls, in_c=on_arrays_in_c, enough=5):
    """What is wrong, in words; and how many variations the kernel took until then."""
    wrong, taken, long = [], 0, False
    for number, args in enumerate(chosen(op, calls)):
        if number >= MOST and taken:
            break
        long_calls = [] if long else [*long_ones(op, args)]
        long = long or bool(long_calls)
        for what, varied in itertools.chain(variations(op, args), long_calls):
            before = [(a, a.copy()) for a in arrays_in(varied)]
            actual = outcome(in_c, op, varied)
            if actual is None:
                continue
            taken += 1
            if isinstance(actual, Exception):
                fault = f"the kernel raises {actual!r}"
            else:
                fault = difference(op, actual, outcome(on_arrays_general, op, varied), varied)
            if any([not np.array_equal(a, b, equal_nan=a.dtype.kind in "fc") for a, b in before]):
                fault = "an operand was written to"
            if fault:
                wrong.append(f"{what}: {shown(varied)}: {fault}")
            if len(wrong) == enough:
                return wrong, taken
    return wrong, taken


def chosen(op, calls):
    """The calls in an order of chance, that of most dims first; all arguments have places."""
    rng = random.Random(zlib.crc32(op.name.encode()))
    complete = [list(args) + list(op.defaults[len(args):]) for args in calls]
    rng.shuffle(complete)
    complete.sort(key=lambda args: -max([a.ndim for a in arrays_in(args)], default=0))
    return complete[:1] + rng.sample(complete[1:], len(complete) - 1)


def shown(args):
    return replace(args, lambda a: f"{a.dtype}{list(a.shape)} by {list(a.strides)}")


@pytest.mark.parametrize("name", IN_C)
@pytest.mark.drawn
@pytest.mark.filterwarnings("ignore:.*degrees of freedom is <= 0")
def test_the_kernel_in_c_gives_what_the_general_way_gives(name):
    calls = calls_of_rows().get(name)
    assert calls, f"no sample leads to a call of {name}: write one in tests/ops/samples"
    wrong, taken = faults(ROWS[name], calls)
    assert not wrong, f"{name}: {len(wrong)} of {taken} differ, and then nothing more was tried\n" + "\n".join(wrong)
    assert taken, f"the kernel of {name} takes none of the calls that the samples lead to"


# ------------------------------------------------------------------------------ writes

# Fills draw in the order of memory, so that the layout decides which number goes where (test_random_streams.py).
WRITTEN = sorted({op.name for rows in INPLACE.values() for op in getattr(rows, "rows", [rows])
                  if not op.is_view and not op.draws and calls_of_rows().get(op.name)})


def in_place(op, *args):
    """The in-place form; what has no place in the schema goes by its name."""
    n = op.n_positional
    return op.inplace(*args[:n], **dict(zip(op.params[n:], args[n:])))


def writes(op, calls, write=in_place):
    """What is wrong with the in-place form, in words; it may refuse what overlaps itself or may not be written to."""
    wrong = []
    for args in chosen(op, calls)[:MOST]:
        if not isinstance(args[0], np.ndarray):
            continue
        for what, varied in itertools.chain(variations(op, args), overlapping(args)):
            if not isinstance(varied[0], np.ndarray) or varied[0].dtype.byteorder == ">":
                continue
            target, before = varied[0], varied[0].copy()
            expected = outcome(on_arrays_general, op, [x.copy() if isinstance(x, np.ndarray) else x for x in varied])
            tensors = [replace(x, wrap) for x in varied]
            with np.errstate(all="ignore"):
                done = outcome(write, op, tensors)
            if isinstance(done, Exception):
                refusable = isinstance(expected, Exception) or not target.flags.writeable or any(
                    [stride == 0 and n > 1 for n, stride in zip(target.shape, target.strides)]) or (
                    expected.shape != target.shape or not np.can_cast(expected.dtype, target.dtype, "same_kind")
                    or "overlap" in what or any([a.shape != target.shape and np.may_share_memory(a, target)
                                                 for a in arrays_in(varied)])       # PyTorch refuses it, too
                    or op.apart and "is the target" in what
                    or "must be Tensor" in str(done))       # a number for which there is no form
                fault = "" if refusable else f"refused: {done!r}"
                if not np.array_equal(target, before, equal_nan=target.dtype.kind in "fc"):
                    fault = f"refused, and yet the target was written to: {done!r}"
            elif isinstance(expected, Exception):
                fault = f"the general way refuses: {expected!r}"
            else:
                with np.errstate(all="ignore"):
                    fault = difference(op, target.copy(), expected.astype(target.dtype), varied)
                fault = "" if fault.startswith("strides") else fault
            if fault:
                wrong.append(f"{what}: {shown(varied)}: {fault}")
            if len(wrong) == 5:
                return wrong
    return wrong


OVERLAPS = {
    "itself": lambda a: a,
    "itself, turned: an overlap": backwards_view,
    "itself, transposed: an overlap": np.transpose,
    "its first row: an overlap": lambda a: a[:1],
}


def overlapping(args):
    """The target is among the operands, as it is or otherwise."""
    for k, (what, view) in itertools.product(range(1, len(arrays_in(args))), OVERLAPS.items()):
        mine = args[0].copy()
        if mine.ndim and arrays_in(args)[k].dtype == mine.dtype:
            yield f"operand {k} is the target {what}", changed([mine, *args[1:]], [k], lambda a: view(mine))


@pytest.mark.drawn
@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.filterwarnings("ignore:Casting complex values")
def test_the_in_place_form_writes_what_the_general_way_gives(name):
    wrong = writes(ROWS[name], calls_of_rows()[name])
    assert not wrong, f"{name}:\n" + "\n".join(wrong)


# ------------------------------------------------------------------------------ the test, tested

def planted(mistake, when=lambda arrays: True):
    """A kernel with a mistake; ``when`` says for which arrays."""
    def in_c(op, *args):
        result = on_arrays_in_c(op, *args)
        if not isinstance(result, np.ndarray) or not when(arrays_in(args)):
            return result
        with np.errstate(all="ignore"):
            return mistake(result, arrays_in(args))
    return in_c


def last_number_changed(result, arrays):
    changed = result.copy("K")
    if result.size:
        changed.flat[-1] = not result.flat[-1]
    return changed


def written_to(result, arrays):
    for a in arrays:
        if a.size and a.flags.writeable:
            a.flat[0] = not a.flat[0]
    return result


def raising(result, arrays):
    raise ValueError("a kernel that does not decline")


MISTAKES = {
    "a wrong number": last_number_changed,
    "another dtype": lambda result, arrays: result.astype(object),
    "another layout": lambda result, arrays: result.copy("F" if result.flags.c_contiguous else "C"),
    "a dim too many": lambda result, arrays: result[None],
    "a write to an operand": written_to,
    "an error": raising,
}
MISTAKES_OF_VIEWS = {
    "a copy": lambda result, arrays: result.copy("K"),
    "another beginning": lambda result, arrays: result[::-1] if result.ndim else result,
}


@pytest.mark.parametrize("name, mistake", [
    *itertools.product(["exp", "add", "sum.dim_IntList", "slice"], MISTAKES),
    *itertools.product(["transpose", "slice"], MISTAKES_OF_VIEWS)])
def test_a_mistake_is_noticed(name, mistake):
    kernel = planted((MISTAKES | MISTAKES_OF_VIEWS)[mistake])
    assert faults(ROWS[name], calls_of_rows()[name], kernel, enough=1)[0]


RARE = {
    "0-d": lambda a: a.ndim == 0,
    "empty": lambda a: a.size == 0,
    "transposed": lambda a: a.flags.f_contiguous and not a.flags.c_contiguous,
    "backwards": lambda a: min(a.strides, default=0) < 0,
    "stepped": lambda a: a.size > 1 and a.strides[-1] == 2 * a.itemsize,
    "broadcast": lambda a: a.size > 1 and 0 in a.strides,
    "nan": lambda a: a.dtype.kind == "f" and np.isnan(a).any(),
    "float32": lambda a: a.dtype == np.float32,
    "int32": lambda a: a.dtype == np.int32,
    "long": lambda a: a.size > 100_000,
}


@pytest.mark.parametrize("rare", RARE)
def test_a_mistake_in_a_rare_case_is_noticed(rare):
    kernel = planted(lambda result, arrays: result.astype(np.float16), lambda arrays: any(map(RARE[rare], arrays)))
    assert faults(ROWS["maximum"], calls_of_rows()["maximum"], kernel, enough=1)[0]
