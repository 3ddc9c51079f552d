"""Rows and formulas with more precision: what an operation gives when its inputs have more digits.

Beside 16 and 32 bits a row runs as it is, on tensors of float64: twice the digits and more, so what it returns is exact
for our purpose.

Note [Beside float64]
---------------------
There is no tensor of more than 64 bits.  But the kernel that a row shows is NumPy, for any dtype, and where
``numpy.longdouble`` has more bits than a double (x86-64: 64 instead of 53, which shows rounding errors to three
digits) it runs on such arrays.  Double-double numbers (T. J. Dekker, "A floating-point technique for extending the
available precision", 1971; D. E. Knuth, "The Art of Computer Programming", vol. 2, 4.2.2) would need a second
definition of each row, which is what this table is there to avoid.

Some kernels pass through a double on the way, by a function in C or a cast, and return a longdouble all the same.  That
is found by a trial: the arguments move by less than a double can hold, and the result must feel it::

    x (1 + 2^-60)    ->  kernel  ->    another number      it has a way
                                       the same number     it passes through double, or is not made for this: unknown

What has no way is *unknown*, and so is everything computed from it.
"""

from functools import cache

import numpy as np

from minigrad import dtypes
from minigrad._core.dispatch.axes import many_dims, one_dim
from minigrad._core.dispatch.levels import apply
from minigrad._core.graph import Tensor, wrap
from minigrad._core.profiling.shadow_memory import Operand, all_in_double, computed, in_double, jumps, same_bits, widest
from minigrad.autograd.digits.shadow_memory import HAS_EXTENDED, is_inexact, wider

__all__ = ["Doubles", "Extended", "NoWay", "array_of", "engine_for", "gradient"]

#: what differs by this part of itself, because a number moved by its rounding error, has jumped
JUMP = 0.1
#: the kinds of rows whose results jump: the other precision may jump elsewhere, and does not get its way
DECIDING = ("piecewise_constant", "not_differentiable")


class NoWay(Exception):
    """This cannot be computed with more precision."""


def array_of(x):
    return x._array if isinstance(x, Tensor) else x


class Doubles:
    """Tensors of float64, beside fewer bits.

    Arrays of float32 are raised when they are computed with.  Where a row is a ufunc, that happens block by block, in
    the cache, and what the program has computed is measured against it there.
    """

    def up(self, array, now=False):
        """The array as an operand: floating-point numbers with more digits, others as they are."""
        return in_double(array, now)

    def parameter(self, x):
        if isinstance(x, dtypes.dtype):
            return dtypes.complex128 if x.is_complex else dtypes.float64 if x.is_floating_point else x
        return x

    def dtype(self, numpy):
        return dtypes.complex128 if numpy.kind == "c" else dtypes.float64

    def measuring(self, op, operands, low):
        """(the array that the row gives, the largest relative error of ``low``), where that takes one pass; or None."""
        return in_one_pass(op, operands, shadow_of, low)

    def call(self, op, args):
        found = in_one_pass(op, args, array_of, None)
        return apply(op, all_in_double(args)) if found is None else wrap(found[0], False)

    def formula(self, f, d, values):
        """A formula that cannot be traced as a program."""
        return f.text(*all_in_double([d, *values]))


def in_one_pass(op, args, numbers_of, low):
    function, n = ufunc_of(op)
    if function is None or len(args) > n and any([x is not d for x, d in zip(args[n:], op.defaults[n:])]):
        return None
    return computed(function, [*map(numbers_of, args[:n])], low)


def shadow_of(x):
    """The array with the most digits that there is of an argument."""
    return x if type(x) is not Operand else x.array if x.high is None else x.high


@cache
def ufunc_of(op):
    """(the ufunc that computes the row, how many arguments it takes when the others are left out); or None, and 0."""
    if not op.elementwise or op.promote not in (None, "common", "float"):
        return None, 0
    for kernel, n in ((op.kernel, op.n_params), (op.plain, op.n_positional)):
        if isinstance(kernel, np.ufunc):
            return kernel, n
    return None, 0


class Extended:
    """Arrays of longdouble, beside float64: Note [Beside float64]."""

    def __init__(self):
        self.tried = set()              # the rows that have a way

    def up(self, array, now=True):
        if is_inexact(array):
            return array.astype(np.clongdouble if array.dtype.kind == "c" else np.longdouble, copy=False)
        return array

    def measuring(self, op, operands, low):
        return None

    def parameter(self, x):
        return x

    def dtype(self, numpy):
        raise NoWay

    def call(self, op, args):
        out = self.run(op, args)
        if op not in self.tried and any([y.size for y in arrays_in(out)]):
            if not self.feels(op, args):
                raise NoWay
            self.tried.add(op)
        return out

    def run(self, op, args):
        optional = [isinstance(x, dtypes.dtype) and op.defaults[i] is None for i, x in enumerate(args)]
        if any(optional):
            args = [None if left_out else with_fraction(x) for x, left_out in zip(args, optional)]
        if any([isinstance(x, dtypes.dtype) for x in args]):
            if op.one_operand and op.is_linear:         # a cast
                return args[0]
            raise NoWay
        out = self.plainly(op, args)
        for y in out if isinstance(out, (tuple, list)) else [out]:
            if isinstance(y, np.ndarray | np.generic) and y.dtype.kind in "fc" and y.dtype.itemsize < 16:
                raise NoWay
        return out

    def plainly(self, op, args):
        args = [np.asarray(x, np.longdouble) if isinstance(x, (int, float)) and type(x) is not bool and (
                    type_.startswith("Tensor") or type_ == "Scalar" and i == 0) else x
                for i, (x, type_) in enumerate(zip(args, op.types))]
        if op.promote == "float":
            args = [with_fraction(x) for x in args]
        rank = max([*[x.ndim for x in arrays_in(args)],
                    *[len(x) for x, type_ in zip(args, op.types) if type_ == "Sizes"]], default=0)
        args = [(x,) if name in op.int_lists and type(x) is int else x for x, name in zip(args, op.params)]
        args = [with_axes(x, type_, rank, op.shown) for x, type_ in zip(args, op.types)]
        with np.errstate(all="ignore"):
            if op.plain is not None and all([x is d for x, d in zip(args[op.n_positional:],
                                                                    op.defaults[op.n_positional:])]):
                out = of_longdouble(op.plain)(*args[:op.n_positional])
            else:
                out = of_longdouble(op.kernel)(*args)
        return np.asarray(out) if isinstance(out, np.generic) else out

    def feels(self, op, args):
        """Does the result move when the arguments do, by less than a double could hold?

        Where it is flat, as cos is near 0, it is tried at other numbers.
        """
        if op.promote == "float":
            args = [with_fraction(x) for x in args]
        if op.fills or op.same_everywhere or not any([is_inexact(x) for x in arrays_in(args)]):
            return True                 # there is nothing to lose
        def differs(at, by):
            here, there = [self.run(op, [moved(x, at, by, i + 1) for i, x in enumerate(args)]) for by in (by, 0)]
            pairs = zip(arrays_in(here), arrays_in(there))
            return any([np.any(a != b) for a, b in pairs if is_inexact(a)])

        little = np.longdouble(2) ** -60
        return differs(as_it_is, little) or differs(usual_numbers, little) or not differs(usual_numbers, 0.1)

    def formula(self, f, d, values):
        raise NoWay


def with_fraction(x):
    """Integers as numbers of more precision."""
    return x.astype(np.longdouble) if isinstance(x, np.ndarray) and x.dtype.kind in "biu" else x


def arrays_in(x):
    if isinstance(x, (list, tuple)):
        return [a for y in x for a in arrays_in(y)]
    return [x] if isinstance(x, np.ndarray) else []


def with_axes(x, type_, rank, name):
    """Dims as kernels take them: axes from 0, several of them as a tuple, None for all."""
    if x is None or type_.rstrip("?") not in ("Dim", "Dims"):
        return x
    if type_.startswith("Dims"):
        axes = many_dims(x, rank, name)
        return None if x == () else axes
    return one_dim(x, rank, name)


def as_it_is(array, i):
    return array


def usual_numbers(array, i):
    """Numbers in [0.2, 0.8) in place of those of the argument ``i``."""
    golden = (np.arange(array.size) + i) * 0.6180339887 % 1
    return (0.2 + 0.6 * golden).reshape(array.shape).astype(array.dtype)


def moved(x, at, by, i):
    """The argument ``i``, or what ``at`` puts in its place, larger by this part of it, times i."""
    if isinstance(x, list):
        return [moved(y, at, by, i + k) for k, y in enumerate(x)]
    if not isinstance(x, np.ndarray) or x.dtype.kind not in "fc":
        return x
    return at(x, i) * (1 + i * np.longdouble(by))


def of_longdouble(kernel):
    """The kernel; NumPy's own function where the library has one in its place that is made for floats and doubles."""
    if isinstance(kernel, np.ufunc) and not any(["g" in types.partition("->")[0] for types in kernel.types]):
        return getattr(np, kernel.__name__, kernel)
    return kernel


_doubles, _extended = Doubles(), Extended()


def engine_for(operands, arrays):
    """What computes with more precision than any of these has."""
    if widest(operands, arrays) < 8:
        return _doubles
    if not HAS_EXTENDED:
        raise NoWay
    return _extended


# ------------------------------------------------------------------------------ formulas

class Beside:
    """What something is with more digits, and, once that is asked for, what it is from the numbers that were there.

    ``there`` comes from the shadows, ``here()`` from the numbers; ``moved`` says whether these may differ.
    """

    __slots__ = ("there", "_here", "make")

    def __init__(self, there, make=None):
        self.there, self._here, self.make = there, there, make

    @property
    def moved(self):
        return self.make is not None or self._here is not self.there

    def here(self):
        if self.make is not None:
            self._here, self.make = self.make(), None
        return self._here


def gradient(engine, op, f, values, d, decide):
    """The formula ``f`` of ``op``, from the gradient ``d`` and what it names, all of them Beside; so is the result.

    Where the formula decides (a comparison, a sign), the numbers that were there decide for both, and ``decide(op)`` is
    told where the shadows would decide otherwise.  None if the gradient is zero.
    """
    if f.text is None:
        return None
    d = conjugate(engine, d) if op.conjugate else d
    program = op.program(f.of)
    if program is None:
        def of(side):
            out = engine.formula(f, side(d), [side(v) for v in values])
            return list(out) if isinstance(out, (tuple, list)) else out

        moved = d.moved or any([v.moved for v in values])
        out = Beside(of(lambda x: x.there), (lambda: of(Beside.here)) if moved else None)
    else:
        out = run(engine, program, [d, *values], decide)
    return conjugate(engine, out) if op.conjugate else out


def run(engine, program, registers, decide):
    """The steps of a program."""
    registers = registers + [Beside(engine.parameter(c)) for c in program.constants]
    for op, numbers in program.steps:
        registers.append(step(engine, op, [registers[k] for k in numbers], decide))
    if program.results is not None:
        results = [registers[k] for k in program.results]
        return Beside([r.there for r in results], lambda: [r.here() for r in results])
    return registers[program.result]


def step(engine, op, args, decide):
    if op.number is not None and all([isinstance(x.there, (int, float)) for x in args]):
        return Beside(op.number(*[x.there for x in args]))
    there = engine.call(op, complete(op, [x.there for x in args]))
    if not any([x.moved for x in args]):
        return Beside(there)
    out = Beside(there, lambda: engine.call(op, complete(op, [x.here() for x in args])))
    if op.kind in DECIDING:
        if not same(there, out.here()):
            decide(op)
        return Beside(out.here())
    out.there = on_the_same_side(engine, op, args, there, decide)
    return out


def is_zero(op, f):
    """Is it a formula that is zero everywhere: left out, or zeros_of?"""
    program = None if f.text is None else op.program(f.of)
    return f.text is None or program is not None and bool(program.steps) and program.steps[-1][0].kind in DECIDING


@cache
def deciders(op):
    """The tensors of a row in which it is constant, piece by piece: their formula is zero, and others have one."""
    named = {f.of for f in op.formulas if not is_zero(op, f)}
    if not named:
        return []
    return [i for i, type_ in enumerate(op.types) if type_.startswith("Tensor") and op.params[i] not in named]


def on_the_same_side(engine, op, args, there, decide):
    """``there``, with what the program had where a mask or a kink would lie on the other side: 0 and not d, say."""
    moving = [i for i in deciders(op) if i < len(args) and args[i].moved]
    if not moving or op.kind not in ("elementwise", "linear"):
        return there
    found = array_of(there)
    kept = array_of(engine.call(op, complete(op, [x.here() if i in moving else x.there for i, x in enumerate(args)])))
    if jumps(found, kept, JUMP) is False:
        return there
    otherwise = np.abs(found - kept) > JUMP * np.maximum(np.abs(found), np.abs(kept))
    if not otherwise.any():
        return there
    decide(op)
    return engine.up(np.where(otherwise, kept, found))


def complete(op, args):
    """The arguments of a step, with the defaults of those that it leaves out."""
    return [*args, *op.defaults[len(args):]]


def conjugate(engine, x):
    """The conjugate of what may be real, or a list."""
    def of(y):
        if isinstance(y, list):
            return [of(z) for z in y]
        a = array_of(y)
        return engine.up(np.asarray(np.conj(a))) if isinstance(a, np.ndarray) and a.dtype.kind == "c" else y

    if isinstance(x.there, Tensor) and x.there._array.dtype.kind != "c":
        return x
    return Beside(of(x.there), (lambda: of(x.here())) if x.moved else None)


def same(a, b):
    a, b = array_of(a), array_of(b)
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray):
        return a == b
    return same_bits(a, b) or np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def fitted(high, low):
    """A gradient in the shape and the kind of the one that it is for: summed where that was broadcast, and real."""
    extra = high.ndim - low.ndim
    if high.shape != low.shape and extra >= 0:
        axes = [i for i in range(high.ndim) if i < extra or low.shape[i - extra] == 1 != high.shape[i]]
        high = high.sum(tuple(axes), keepdims=True).reshape(low.shape)
    if high.dtype.kind == "c" and low.dtype.kind != "c":
        high = high.real
    return high if wider(low.dtype) == high.dtype else high.astype(wider(low.dtype))
