"""Taylor mode: derivatives of every order along a curve, by one more interpreter of operations.

A curve x(t) = x0 + x1 t + x2 t^2 + ... goes through a function one operation after the other, and what comes out is the
curve y(t).  A tensor of this level has its value, x0, as payload, and carries a *series*: the coefficients x0, x1 ...,
each of them a tensor of the level below.

Note [One rule for every order]
-------------------------------
A row of the table has its differential, y' = D(x') at x and y.  That is an equation between series, since everything in
it moves with t; and it says of each coefficient what the ones before it are::

    x = x0 + x1 t + x2 t^2            x'  = x1 + 2 x2 t + ...
    y = y0 + ?                        y'  = D(x') at x and y   = y1 + 2 y2 t + ...

    y0 = op(x0)    y1 = (y')_0        needs x1, and what D computes from x0 and y0
                   y2 = (y')_1 / 2    needs x2, and what D computes from x0, x1, y0 and y1
                   ...

The operations in D are rows again, and run on this level.  So a series is *lazy*: D may use y when no more of it is
known than y0, since its coefficient k asks only for those below k.  Series are *shared*: sin asks for cos of the same
argument, and cos for sin, so what has been made of a row and its arguments is not made again.

What follows from the kind of a row is shorter than D:

linear, view            the row itself, applied to each coefficient
multilinear, windows    Cauchy's product: the coefficient k of x y is the sum of x_i y_j with i + j = k
elementwise             D multiplies by numbers, so y' = x' G, a product of series, where G = D(1)
general                 D as it stands

(M. D. McIlroy, "Power Series, Power Serious", 1999; A. Griewank and A. Walther, "Evaluating Derivatives", 2008,
ch. 13.)

Note [One argument at a time]
-----------------------------
In y = a / b the formula of b has y / b in it: a quotient by b of something else that moves, whose formula has another
one.  But the row is linear in a, whatever b is, and says so (``linear_in``)::

    f(a, b) = a f(1, b)              a / b = a (1 / b)

That leaves a row with one argument less that moves, and a product of series.

Note [Steps and equations]
--------------------------
The same happens where the differential of a row has the row in it, with other arguments: then each coefficient is that
of a new row, which has new rows in its own differential.  Such rows say more of themselves (Orders in ops/columns.py).
A row that does several steps in one pass names the *steps*; they have series of their own, which refer to each other::

    softmax_backward(d, y) = y (d - sum(d y))               two products, each of order n^2

A row that solves an *equation* names it.  All but one term of each of its coefficients is known::

    A X = B         A0 Xk = Bk - (A1 X(k-1) + ... + Ak X0)          the same row, with A0 each time

Note [The first two orders]
---------------------------
Series pay from the third order on.  The first derivative is that of a level of ``jvp``, and the second that of two of
them: the tangent of (x0, x1) is (x1, 2 x2).  With the same rules, since these levels are small, and nothing is kept.
"""

from itertools import accumulate
from operator import mul

from minigrad._core.dispatch.levels import apply, note_view, wrap_level
from minigrad._core.errors import error, located
from minigrad._core.forward import differentials
from minigrad._core.graph import Tensor
from minigrad._core.runtime import thread_state
from minigrad.creation import beside, full
from minigrad.func import custom_functions
from minigrad.func.inplace_writes import own, tangent_of
from minigrad.func.interpreters import dual
from minigrad.func.level_below import lowered
from minigrad.func.pytree import unflatten
from minigrad.func.transforms import (change_of, check_moves, jvp, outside, own_direction, tensors_of,
                                      without_output)
from minigrad.ops.columns import ORDERS
from minigrad.ops.copying import to_copy, zeros_of
from minigrad.ops.shapes.broadcasting import expand

__all__ = ["jet", "taylor"]


# ------------------------------------------------------------------------------ series

class Series:
    """The coefficients of a tensor, each computed when it is first asked for; None is zero."""

    def __init__(self, known, following):
        self.known = list(known)
        self.following = following              # k -> the coefficient k, where those below it are known
        self.slope = None                       # its derivative, a tensor of the level, once that was asked for

    def __getitem__(self, k):
        while len(self.known) <= k:
            self.known.append(self.following(len(self.known)))
        return self.known[k]


def nothing(k):
    """What follows the last coefficient of a polynomial."""


def plus(total, term):
    return term if total is None else total if term is None else total + term


def minus(total, term):
    return total if term is None else -term if total is None else total - term


def splits(total, parts):
    """All tuples of ``parts`` numbers from 0 up that add up to ``total``."""
    if parts == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1) for rest in splits(total - first, parts - 1)]


# ------------------------------------------------------------------------------ the levels

class Curves:
    """What the levels of this file have in common: nothing is written on them."""

    maps = aside = False

    def adopt(self, tensor):
        """Do nothing: a tensor made inside does not move."""

    lift = adopt

    def write(self, op, args, level):
        raise writes(op)

    alter = write

    def beside(self, tensor, array, alike):
        """It does not move."""
        return beside(tensor._array, array, alike=alike)


class Slope(Curves):
    """The derivative alone: Note [The first two orders]."""

    def process(self, op, args, level):
        values = [lowered(x, level) for x in args]
        result = apply(op, values)
        change = differentials.differential(op, values, [tangent_of(x, level) for x in args], result)
        if op.is_view:
            return note_view(op, args, dual(result, change, level))
        return dual(result, own(change, ()), level)         # kernels in C are made for what lies in one piece

    def apply_function(self, cls, args, level):
        output, tangents, written = custom_functions.carried(cls, args, level)
        if any([owner is not None for owner in written]):
            raise written_by(cls)
        each = [dual(y, t, level) for y, t in zip(custom_functions.as_tuple(output), tangents)]
        return custom_functions.like(each, output)


class Taylor(Curves):
    """Computes coefficients along with values, up to those of an ``order``.

    Every tensor of this level has a series; others do not move.  Where the function has a kink, the curve is taken to
    stay on the side on which its value is.
    """

    def __init__(self, order):
        self.order = order
        # While one operation of the function is worked on: {a row and its arguments: (what was made, the arguments)}
        self.made = {}
        self.constants = {}         # {number, dtype, shape: a tensor of that number}
        self.depth = 0

    def moving(self, value, known, following):
        """A tensor of this level with this series."""
        out = wrap_level(value, self.level)
        out._series = Series(known, following)
        return out

    def series(self, x):
        """The series of a tensor, or None if it does not move."""
        return getattr(x, "_series", None) if isinstance(x, Tensor) and x._level == self.level else None

    def coefficient(self, x, k):
        """That of an argument: None if it is zero, or ``x`` no tensor; for a list of tensors, a list."""
        if type(x) is list:
            each = [self.coefficient(y, k) for y in x]
            return each if any([y is not None for y in each]) else None
        series = self.series(x)
        return None if series is None else series[k]

    def slope(self, x):
        """x', as a tensor of this level; None if it does not move."""
        if type(x) is list:
            each = [self.slope(y) for y in x]
            return each if any([y is not None for y in each]) else None
        series = self.series(x)
        if series is None:
            return None
        if series.slope is None:
            first = zeros_of(series[0]) if series[1] is None else series[1]
            series.slope = self.moving(first, [first],
                                       lambda k: None if series[k + 1] is None else series[k + 1] * (k + 1))
        return series.slope

    def constant(self, number, like):
        """A tensor of one number, the same one each time, so that what is made of it is shared."""
        key = number, like.dtype, tuple(like.shape)
        if key not in self.constants:
            one = full((), number, dtype=like.dtype, device=like.device)
            self.constants[key] = expand(one, tuple(like.shape)) if like.ndim else one
        return self.constants[key]

    # -------------------------------------------------------------------------- operations

    def process(self, op, args, level):
        return self.complete(self.through, op, args)

    def complete(self, through, op, args):
        """``through(op, args)``, or what was made of them; of an operation of the function itself, all coefficients."""
        if self.made:
            known = self.made.get(named(op, args))
            if known is not None:
                return known[0]
        self.depth += 1
        try:
            out = through(op, args)
            if self.depth > 1:
                self.made[named(op, args)] = out, args
            else:
                for y in out if isinstance(out, tuple) else [out]:
                    if self.series(y) is not None:
                        self.series(y)[self.order]
            return out
        finally:
            self.depth -= 1
            if not self.depth:
                self.made.clear()

    def through(self, op, args):
        """``op`` on values, and the series of its result by the kind of the row."""
        values = [lowered(x, self.level) for x in args]
        result = apply(op, values)
        if op.kind in ("piecewise_constant", "not_differentiable"):
            return result
        moving = [i for i, x in enumerate(args) if self.moves(x)]
        if op.kind in ("linear", "view") or op.elementwise and is_straight(op, moving):
            out = self.given(result, self.of_linear(op, args, values, result))
            return note_view(op, args, out) if op.is_view else out
        more = ORDERS.get(op)
        if more is not None:
            steps = more.steps and more.steps(*args)
            if steps is not None:
                return self.given(result, self.of_steps(steps, result))
            if more.equation:
                return self.of_equation(op, args, values, result, *more.equation)
        factors = [i for i in moving if op.kind == "multilinear" or op.params[i] in op.linear_in]
        if isinstance(result, Tensor):
            if factors == moving or op.kind == "windows":
                return self.given(result, self.of_product(op, args, values, result, moving))
            if factors:
                return self.given(result, self.of_line(op, args, result, factors[0]))
            if op.elementwise:
                return self.of_elementwise(op, args, result, moving)
        return self.by_slope(op, args, result, lambda out: differentials.differential(
            op, args, [self.slope(x) for x in args], out))

    def moves(self, x):
        return any([self.moves(y) for y in x]) if type(x) is list else self.series(x) is not None

    def given(self, result, following):
        """``result`` with the series whose coefficients ``following`` gives, for several results a tuple of them."""
        if isinstance(result, Tensor):
            return self.moving(result, [result], following) if differentiable(result) else result
        together = Series([None], following)
        parts = [self.moving(y, [y], lambda k, i=i: together[k] and together[k][i]) if differentiable(y) else y
                 for i, y in enumerate(result)]
        return type(result)(*parts) if hasattr(result, "_fields") else tuple(parts)

    def of_linear(self, op, args, values, result):
        """The differential, which is the same for each coefficient."""
        return lambda k: differentials.differential(op, values, [self.coefficient(x, k) for x in args], result)

    def of_product(self, op, args, values, result, moving):
        """Cauchy's product of the factors that move.  What windows add rides along with the first term."""
        factors = [i for i in moving if op.kind != "windows" or i < 2]
        if not factors:
            return self.of_linear(op, args, values, result)

        def following(k):
            total = None
            added = self.coefficient(args[2], k) if op.kind == "windows" else None
            for split in splits(k, len(factors)):
                parts = [self.coefficient(args[i], j) for i, j in zip(factors, split)]
                if any([part is None for part in parts]):
                    continue
                row = list(values)
                for i, part in zip(factors, parts):
                    row[i] = part
                if op.kind == "windows":
                    row[2], added = added, None
                total = plus(total, apply(op, row))
            if added is not None:
                total = plus(total, differentials.differential(op, values, alone(args, 2, added), result))
            return None if total is None else fitted(total, result)

        return following

    def of_line(self, op, args, result, i):
        """a f(1, rest), for the argument a that has this place: Note [One argument at a time]."""
        rest = self.process(op, [self.constant(1, x) if k == i else x for k, x in enumerate(args)], self.level)
        product = args[i] * rest

        def following(k):
            total = self.coefficient(product, k)
            return None if total is None else fitted(total, result)

        return following

    def of_steps(self, steps, result):
        """The coefficients of the same in other rows: Note [Steps and equations]."""
        def following(k):
            total = self.coefficient(steps, k)
            return None if total is None else fitted(total, result)

        return following

    def of_equation(self, op, args, values, result, side, product):
        """What the equation says of a coefficient, once those below it are known: Note [Steps and equations]."""
        i, several = op.params.index(side), not isinstance(result, Tensor)
        solution = self.moving(result[0] if several else result, [result[0] if several else result], nothing)
        known = solution._series.known
        other = product(solution, *args)

        def following(k):
            row = list(values)
            row[i] = minus(self.coefficient(args[i], k), self.coefficient(other, k))
            del known[k:]                       # it counted as zero up to now
            found = None if row[i] is None else apply(op, row)
            known.append(found[0] if several and found is not None else found)
            return found

        return self.given(result, following)

    def of_elementwise(self, op, args, result, moving):
        """y' = x' G, summed over the arguments x that move."""
        gains = {}

        def gain(i):
            if i not in gains:
                gains[i] = differentials.differential(op, args, alone(args, i, self.constant(1, result)), out)
            return gains[i]

        def following(k):
            total = None
            for i in moving:
                total = plus(total, self.convolved(self.slope(args[i])._series, gain(i), k - 1))
            if total is None:
                return None
            return fitted(total if k == 1 else total / k, result)

        out = self.given(result, following)
        self.made[named(op, args)] = out, args          # which the gains refer to
        return out

    def convolved(self, series, gain, k):
        """The coefficient ``k`` of the product of a series and a gain, which need not move."""
        if gain is None:
            return None
        if self.series(gain) is None:
            return None if series[k] is None else series[k] * lowered(gain, self.level)
        total = None
        for i in range(k + 1):
            if series[i] is not None and self.series(gain)[k - i] is not None:
                total = plus(total, series[i] * self.series(gain)[k - i])
        return total

    def by_slope(self, op, args, result, slope_of):
        """The series of a result whose slope is ``slope_of(out)``, a tensor of this level, or a tuple."""
        slopes = []

        def following(k):
            if not slopes:
                slopes.append(slope_of(out))
            slope = slopes[0]
            if isinstance(slope, tuple):
                return tuple([self.divided(each, k) for each in slope])
            return self.divided(slope, k)

        out = self.given(result, following)
        self.made[named(op, args)] = out, args          # which the slope refers to
        return out

    def divided(self, slope, k):
        """The coefficient ``k``, from that below it of the slope."""
        if slope is None:
            return None
        if self.series(slope) is None:
            return None if k > 1 else lowered(slope, self.level)
        part = self.series(slope)[k - 1]
        return part if part is None or k == 1 else part / k

    # -------------------------------------------------------------------------- what is not an operation

    def apply_function(self, cls, args, level):
        """A Function of the user's is like a general row: a Jvp level inside this one asks its ``jvp`` for the slope.
        """
        return self.complete(self.through_function, cls, args)

    def through_function(self, cls, args):
        result = cls.apply(*[lowered(x, self.level) for x in args])
        moving = [i for i, x in enumerate(args) if self.moves(x)]
        if any([y is lowered(x, self.level) for x in args for y in custom_functions.as_tuple(result)]):
            raise written_by(cls)

        def slope_of(out):
            def along(*inputs):
                row = list(args)
                for i, x in zip(moving, inputs):
                    row[i] = x
                return cls.apply(*row)

            return jvp(along, tuple([args[i] for i in moving]), tuple([self.slope(args[i]) for i in moving]))[1]

        return self.by_slope(cls, args, result, slope_of) if moving else result

def is_straight(op, moving):
    """Is the derivative of this elementwise row the same all along the curve?  Its formulas name nothing that moves."""
    changing = {"result", *[op.params[i] for i in moving]}
    return not any([f.of in changing and changing & {*f.names} for f in op.formulas])


def named(op, args):
    """What is made of these arguments is shared under this name, as long as they live."""
    return op, *[tuple(map(id, x)) if type(x) is list else id(x) if isinstance(x, Tensor) else repr(x) for x in args]


def alone(args, i, x):
    """``x`` as the change of the argument ``i``, where no other changes."""
    return [x if k == i else None for k in range(len(args))]


def differentiable(x):
    return isinstance(x, Tensor) and (x.dtype.is_floating_point or x.dtype.is_complex)


def fitted(total, result):
    """A coefficient in the shape and the dtype of the result that it is for."""
    if total.shape != result.shape:
        total = expand(total, tuple(result.shape))
    return total if total.dtype is result.dtype else to_copy(total, result.dtype)


# ------------------------------------------------------------------------------ the functions

def jet(fun, primals, series, factorial_scaled=True):
    """The curve on which ``fun`` lies, when its arguments lie on curves: its value, and its derivatives.

    Parameters
    ----------
    primals : a tuple of tensors, the values of the arguments at t = 0
    series : a tuple with a tuple for each argument: its first derivative in t, its second, and so on; the same number
        for each
    factorial_scaled : with False, ``series`` and the result have Taylor coefficients, which are the derivatives divided
        by 1!, 2!, 3! ...

    Returns the value of ``fun`` and the list of its derivatives, like those that were given; if it returns a tree of
    tensors, a tree of lists.  The arguments and results are those of ``jax.experimental.jet``.  A derivative of order n
    costs about n^2 evaluations; of nested ``jvp`` it would be 2^n.  A write in place, inside, raises.

    The derivatives of the sine of 2 t, at t = 0:

    >>> zero, one = torch.tensor(0.), torch.tensor(1.)
    >>> torch.func.jet(torch.sin, (zero,), ((2 * one, zero, zero),))
    (tensor(0.), [tensor(2.), tensor(0.), tensor(-8.)])
    """
    where = "jet(fun, primals, series)"
    series = read_series(primals, series, where)
    value, terms, spec = derivatives(fun, primals, series, factorial_scaled, where)
    return value, unflatten(terms, spec)


def derivatives(fun, primals, series, factorial_scaled, where):
    """The value of ``fun``, for each tensor in it the list of its derivatives, and the tree that it is.

    A derivative of an argument that is None is zero.
    """
    order = len(series[0])
    if order in (1, 2):
        return slopes(fun, primals, series, factorial_scaled, where)
    scales = list(accumulate(range(1, order + 1), mul)) if factorial_scaled else [1] * order
    rule = Taylor(order)
    with thread_state.Level(rule) as level:
        inner = [rule.moving(x, [x, *[c if scale == 1 or c is None else c / scale for c, scale in zip(terms, scales)]],
                             nothing) for x, terms in zip(primals, series)]
        out, outputs, spec = called(fun, inner, where)
        terms = [[scaled(rule.coefficient(y, k), scale, lowered(y, level)) for k, scale in enumerate(scales, start=1)]
                 for y in outputs]
        return outside(out, level), terms, spec


def slopes(fun, primals, series, factorial_scaled, where):
    """``derivatives`` of order 1 or 2: Note [The first two orders]."""
    if len(series[0]) == 1:
        with thread_state.Level(Slope()) as level:
            out, outputs, spec = called(fun, [dual(x, first, level) for x, (first,) in zip(primals, series)], where)
            return outside(out, level), [[change_of(y, level, False)] for y in outputs], spec
    factor = 1 if factorial_scaled else 2
    with thread_state.Level(Slope()) as outer, thread_state.Level(Slope()) as level:
        inner = []
        for x, (first, second) in zip(primals, series):
            bend = second if factor == 1 or second is None else second * factor
            inner.append(dual(dual(x, first, outer), dual(first, bend, outer), level))
        out, outputs, spec = called(fun, inner, where)
        firsts = [change_of(y, level, False) for y in outputs]
        seconds = [change_of(y, outer, False) for y in firsts]
        terms = [[lowered(first, outer), second if factor == 1 else second / factor]
                 for first, second in zip(firsts, seconds)]
        return outside(outside(out, level), outer), terms, spec


def called(fun, inner, where):
    """What the function returns, the tensors in it, and the tree that it is."""
    out = fun(*inner)
    outputs, spec = tensors_of(() if out is None else out, f"{where}: expected fun(*primals)")
    if not outputs:
        raise without_output(where, out, fun)
    return out, outputs, spec


def scaled(coefficient, scale, value):
    """A derivative from its coefficient, or zeros."""
    if coefficient is None:
        return zeros_of(value)
    return coefficient if scale == 1 else coefficient * scale


def read_series(primals, series, where):
    """Copies of the series, all of one order, in the dtypes of the arguments."""
    if not isinstance(primals, (tuple, list)) or not isinstance(series, (tuple, list)) or not primals:
        raise error("MG204", f"{where}: primals must be a tuple of tensors, and series a tuple with a tuple of "
                             "derivatives for each.")
    if len(primals) != len(series):
        raise error("MG204", f"{where}: {len(primals)} primals need as many series, and there are {len(series)}.")
    for x, terms in zip(primals, series):
        for given in (x, *(terms if isinstance(terms, (tuple, list)) else [terms])):
            if not isinstance(given, Tensor):
                raise error("MG207", f"{where}: primals and the terms of series must be tensors, got {type(given)}.")
        check_moves(x)
    if len({len(terms) for terms in series}) > 1:
        raise error("MG204", f"{where}: the series have {', '.join(str(len(terms)) for terms in series)} terms, and "
                             "must have the same number for all arguments.")
    return [[own_direction(x, term, where) for term in terms] for x, terms in zip(primals, series)]


def taylor(f, x, v, order):
    """``f(x + t v)`` and its derivatives in t at t = 0, up to this order: a tuple of ``order + 1`` of them.

    ``x`` and ``v`` are tensors of one shape.  The k-th of them is the k-th derivative of ``f`` in the direction ``v``;
    all together cost about ``order ** 2`` evaluations.  See :func:`jet`.

    >>> torch.func.taylor(torch.exp, torch.tensor(0.), torch.tensor(2.), 3)
    (tensor(1.), tensor(2.), tensor(4.), tensor(8.))

    The second one is v^T H v, here of x^2 y at (3, 5) along x:

    >>> torch.func.taylor(lambda p: p[0] ** 2 * p[1], torch.tensor([3., 5.]), torch.tensor([1., 0.]), 2)
    (tensor(45.), tensor(30.), tensor(10.))
    """
    if isinstance(order, bool) or not isinstance(order, int) or order < 0:
        raise error("MG204", f"taylor(f, x, v, order): order must be an int from 0 up, got {order!r}.")
    if not isinstance(v, Tensor):
        raise error("MG207", f"taylor(f, x, v, order): the direction v must be a tensor like x, got {type(v)}.")
    where = "taylor(f, x, v, order)"
    (first,), = read_series((x,), ((v,),), where)
    series = [first, *[None] * (order - 1)][:order]
    value, terms, spec = derivatives(f, (x,), (series,), True, where)
    return value, *[unflatten(list(each), spec) for each in zip(*terms)]


# ------------------------------------------------------------------------------ errors

def writes(op):
    return error("MG117", f"{op.written} inside jet or taylor: what moves along a curve cannot be written to in place. "
                          f"Use the out-of-place {op.shown}.")


def written_by(cls):
    return error("MG117", f"jet and taylor: {cls.__name__} returns one of its arguments, or writes to it, and what "
                          "moves along a curve cannot be written to in place. Return a new tensor. See "
                          f"{located(cls)}.")
