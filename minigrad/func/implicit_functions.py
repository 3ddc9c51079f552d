"""Implicit functions: y makes residual(y, *params) zero, and has the same derivatives however it is found.

Note [The derivative of a solution]
-----------------------------------
F(y, p) = 0 makes y a function of p.  As p moves, F stays zero, and so does its differential::

    F(y(p), p) = 0                      A = dF/dy, which is square
    A dy + B dp = 0                     B = dF/dp

    forward     dy = -A^-1 (B dp)       a jvp of F in p, then a system with A
    reverse     gp = -B^T (A^-T gy)     a system with its transpose, then a vjp of F in p

That is the implicit function theorem; the solver that has found y does not occur in it.  (A. Griewank and A. Walther,
"Evaluating Derivatives", 2008, ch. 15; M. Blondel et al., "Efficient and Modular Implicit Differentiation", 2022.)

Note [Every order]
------------------
The right-hand sides consist of rows.  So further derivatives need only that of the solution of a system, and this is
again the solution of one with the same matrix::

    x = A^-1 b                          A x is a jvp of F in y; A^T x a vjp
    dx = A^-1 (db - dA x)               dA x is the differential of that product, while x stays as it is

Thus two Functions, ``Root`` and ``Solution``, have derivatives in terms of each other, in both modes.

Note [One real vector]
----------------------
The unknowns, a tree of tensors, are one vector of real numbers here, and so is the residual; a complex number is two.
F need not be holomorphic then: its differential is linear over the real numbers, and vjp multiplies by the transpose of
this real matrix, as follows from the convention for complex gradients.
"""

import functools
from collections import namedtuple

import numpy as np

from minigrad._core.dispatch.levels import wrap_level
from minigrad._core.errors import error, located
from minigrad._core.forward.dual_tensors import tangent_of
from minigrad._core.graph import Tensor
from minigrad._core.runtime.scopes import Block
from minigrad._core.runtime.thread_state import interpreter, swap_saved_hooks
from minigrad.autograd.function import Function
from minigrad.autograd.grad_mode import no_grad
from minigrad.creation import as_tensor, zeros_like
from minigrad.dtypes import finfo, float32, get_default_dtype, promote_types
from minigrad.func.jacobians import jacrev
from minigrad.func.linear_systems import conjugate_gradients, dense_solution, gmres
from minigrad.func.pytree import flatten, unflatten
from minigrad.func.transforms import jvp, tensors_of, vjp
from minigrad.ops.elementwise.complex import view_as_complex, view_as_real
from minigrad.ops.shapes.joining import cat, stack

__all__ = ["implicit"]

#: up to this many unknowns the Jacobian is formed, a matrix of at most 8 MB
DENSE = 1000

Options = namedtuple("Options", "residual solver linear_solver symmetric rtol atol generate_vmap_rule")


def implicit(residual, solver, *, linear_solver=None, symmetric=False, rtol=None, atol=0.0, generate_vmap_rule=False):
    """The function ``root(*params)`` that returns what ``solver`` finds, the y with ``residual(y, *params)`` = 0.

    It is differentiated by the implicit function theorem: in reverse and forward mode, to any order, under ``vmap``.
    The solver may be anything, of SciPy or of C, say: its steps are neither recorded nor differentiated.  A fixed point
    y = f(y, p) has the residual f(y, p) - y.

    Parameters
    ----------
    residual : takes y and the parameters, and returns a tree of tensors like y, made of differentiable operations.  A
        tensor that it uses otherwise and that requires grad raises, since it would get no gradient.
    solver : takes the parameters, detached, and returns y: a tensor or a tree of tensors, arrays, or numbers.  Arrays
        and numbers become tensors of the parameters' floating-point dtype.  What it returns is copied.
    linear_solver : ``linear_solver(multiply, b)`` returns the vector x with ``multiply(x)`` = b, for the Jacobian or
        its transpose, in real numbers.  Without it, the Jacobian is formed for up to 1,000 unknowns; above that, GMRES
        uses products only
    symmetric : the Jacobian is symmetric, and has eigenvalues of one sign: conjugate gradients instead of GMRES
    rtol, atol : y is refused if a tensor of the residual has an element larger than ``atol + rtol * scale``, where the
        scale is about how large the terms are that cancel in it.  ``rtol`` is the root of the dtype's epsilon if not
        given; the linear systems must be solved up to it, too
    generate_vmap_rule : under vmap, call the solver once with the tensors of vmap; otherwise once for each example

    The parameters are trees of tensors and of anything else.  The solver must not write to them.  Complex unknowns may
    have residuals that are not holomorphic.

    The root of 2, by bisection, as a function of 2: its derivatives are 1 / (2 y), and -1 / (4 y^3).

    >>> def bisect(x):
    ...     low, high = 0.0, 1.0 + x.item()
    ...     while (middle := (low + high) / 2) not in (low, high):
    ...         low, high = (middle, high) if middle ** 2 < x.item() else (low, middle)
    ...     return low
    >>> root = torch.func.implicit(lambda y, x: y * y - x, bisect)
    >>> slope = torch.func.grad(root)
    >>> x = torch.tensor(2.)
    >>> root(x), slope(x), torch.func.grad(slope)(x)
    (tensor(1.4142), tensor(0.3536), tensor(-0.0884))

    Raises MG141 if the residual is not zero, MG142 for a tensor that it captures, MG143 if its Jacobian is singular or
    a linear system is not solved.
    """
    for name, function in ("residual", residual), ("solver", solver), ("linear_solver", linear_solver or solver):
        if not callable(function):
            raise error("MG205", f"implicit(): argument '{name}' must be a function, not {type(function).__name__}")
    options = Options(residual, solver, linear_solver, symmetric, rtol, atol, generate_vmap_rule)

    def root(*params):
        problem = Problem(options, params)
        tensors = [x for x in flatten(params)[0] if isinstance(x, Tensor)]
        y = Root.apply(problem, *tensors)
        problem.check(*map(constant, (y, *tensors)))
        return problem.unknowns(y)

    return root


class Problem:
    """One call of ``root``: how its parameters and unknowns become trees and lists."""

    def __init__(self, options, params):
        self.options = options
        flat, self.spec = flatten(params)
        self.others = [None if isinstance(x, Tensor) else (x,) for x in flat]
        dtypes = [x.dtype for x in flat if differentiable(x)]
        #: of unknowns that the solver returns as arrays or numbers
        self.number = functools.reduce(promote_types, dtypes) if dtypes else get_default_dtype()
        #: the tree of the unknowns, and their shapes and dtypes, when the solver has returned them
        self.unknown_spec = self.kinds = None

    def params(self, tensors):
        tensors = iter(tensors)
        return unflatten([next(tensors) if other is None else other[0] for other in self.others], self.spec)

    # -------------------------------------------------------------------------- the unknowns

    def solved(self, tensors):
        """What the solver returns, as a vector."""
        versions = [x._version for x in tensors]
        flat, spec = flatten(self.options.solver(*self.params(tensors)))
        if versions != [x._version for x in tensors]:
            raise written(self.options.solver, "solver")
        flat = [self.as_unknown(x) for x in flat]
        kinds = [(tuple(x.shape), x.dtype) for x in flat]
        if not flat:
            raise error("MG204", f"func.implicit: the solver returned no unknowns. See {located(self.options.solver)}.")
        if self.kinds is not None and (spec, kinds) != (self.unknown_spec, self.kinds):
            raise other_unknowns(self.options.solver, self.kinds, kinds)
        self.unknown_spec, self.kinds = spec, kinds
        return vector(flat).clone()         # the solver may keep its memory, and write to it again

    def as_unknown(self, x):
        """A tensor of floating-point or complex dtype."""
        if isinstance(x, Tensor):
            if not differentiable(x):
                raise integers(self.options.solver, x)
            return x.detach()
        array = x if hasattr(x, "dtype") else np.asarray(x) if isinstance(x, (int, float, complex)) else None
        if getattr(array, "dtype", np.dtype(object)).kind not in "iufc":
            raise not_numbers(self.options.solver, x)
        as_complex = array.dtype.kind == "c" and not self.number.is_complex
        return as_tensor(np.array(array)).to(self.number.to_complex() if as_complex else self.number)

    def unknowns(self, v):
        """The tree of the unknowns that are the parts of a vector."""
        flat, start = [], 0
        for shape, dtype in self.kinds:
            size = int(np.prod(shape)) * (2 if dtype.is_complex else 1)
            part = v if len(self.kinds) == 1 else v.narrow(0, start, size)
            real = dtype.to_real() if dtype.is_complex else dtype
            part = part if part.dtype is real else part.to(real)
            shape = (*shape, 2) if dtype.is_complex else shape
            part = part if tuple(part.shape) == shape else part.reshape(shape)
            flat.append(view_as_complex(part) if dtype.is_complex else part)
            start += size
        return unflatten(flat, self.unknown_spec)

    # -------------------------------------------------------------------------- the residual

    def values(self, v, tensors):
        """The residual as a list of tensors, which fit the unknowns."""
        value = self.options.residual(self.unknowns(v), *self.params(tensors))
        flat, spec = tensors_of(value, "func.implicit: expected the residual")
        if spec != self.unknown_spec or any([
                tuple(x.shape) != shape or x.dtype.is_complex != dtype.is_complex or not differentiable(x)
                for x, (shape, dtype) in zip(flat, self.kinds)]):
            raise other_equations(self.options.residual, self.kinds, flat)
        return flat

    def equations(self, v, *tensors):
        """The residual as a vector, of the unknowns as a vector."""
        return vector(self.values(v, tensors)).to(v.dtype)

    def of_unknowns(self, tensors):
        """The same as a function of the unknowns alone."""
        return lambda v: self.equations(v, *tensors)

    def check(self, v, *tensors):
        """Raise if the residual uses a tensor that gets no gradient, or if it is not zero."""
        versions = [x._version for x in (v, *tensors)]
        with without_hooks():
            values = self.values(v, tensors)
        if versions != [x._version for x in (v, *tensors)]:
            raise written(self.options.residual, "residual")
        known = {level for x in (v, *tensors) for level in levels_of(x)}
        if any([is_captured(x, known) for x in values]):
            raise captured(self.options.residual)
        with no_grad():
            # Mostly the first is enough.  But unknowns may be 0 and parameters not, and a step may leave the domain.
            for shaken, direction in ((v,), 1.0), ((v, *tensors), 1.0), ((v, *tensors), -1.0):
                failed = self.failure(v, tensors, values, len(shaken), direction)
                if not failed:
                    return
        raise not_a_solution(self.options, len(values), *failed)

    def failure(self, v, tensors, values, many, direction):
        """None, or which tensor of the residual is too large, how large it is, and its limit and scale.

        The scale is how much the residual changes with a small change of the unknowns, and of the parameters if
        ``many`` says so, about in proportion to their size, but unevenly, so that not even the changes cancel.
        """
        moving = [x for x in (v, *tensors)[:many] if differentiable(x)]
        step = direction * max([finfo(x.dtype).eps for x in moving]) ** 0.5
        moved, *others = [x * (1 + step * uneven(x)) if i < many and differentiable(x) else x
                          for i, x in enumerate((v, *tensors))]
        for i, (value, other, (_, dtype)) in enumerate(zip(values, self.values(moved, others), self.kinds)):
            rtol = finfo(dtype).eps ** 0.5 if self.options.rtol is None else self.options.rtol
            if not value.numel():
                continue
            size = value.abs().amax()
            scale = ((other - value).abs() / abs(step)).nan_to_num(0.0, 0.0, 0.0).amax()
            limit = self.options.atol + rtol * scale
            for numbers in zip(*[listed(x, size) for x in (size, limit, scale)]):
                if not numbers[0] <= numbers[1]:
                    return i, *numbers
        return None


# ------------------------------------------------------------------------------ the two Functions

def without_hooks():
    """A block, or a decorator: saved-tensor hooks of the program, which transforms refuse, are not in force."""
    return Block(lambda: ((swap_saved_hooks, None),))


class Root(Function):
    """The solution, as a vector: Note [The derivative of a solution]."""

    generate_vmap_rule = True

    @staticmethod
    def forward(problem, *tensors):
        tensors = [constant(x) for x in tensors]
        level = max([0, *[x._level for x in tensors]])
        if level and not problem.options.generate_vmap_rule:
            return each_example(Root.forward, level, (problem, *tensors))
        return problem.solved(tensors)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.problem, *tensors = inputs
        ctx.save_for_backward(output, *tensors)
        ctx.save_for_forward(output, *tensors)
        ctx.set_materialize_grads(False)

    @staticmethod
    @without_hooks()
    def backward(ctx, gradient):
        y, *tensors = ctx.saved_tensors
        wanted = [i for i, needed in enumerate(ctx.needs_input_grad[1:]) if needed]
        found = [None] * len(tensors)
        if gradient is not None and wanted:
            w = Solution.apply(ctx.problem, True, gradient, y, *tensors)
            along = partly(lambda *q: ctx.problem.equations(y, *q), tensors, wanted)
            _, pull = vjp(along, *[tensors[i] for i in wanted])
            for i, part in zip(wanted, pull(-w)):
                found[i] = part
        return None, *found

    @staticmethod
    @without_hooks()
    def jvp(ctx, _, *tangents):
        y, *tensors = ctx.saved_tensors
        moving = [i for i, t in enumerate(tangents) if t is not None]
        along = partly(lambda *q: ctx.problem.equations(y, *q), tensors, moving)
        _, change = jvp(along, tuple([tensors[i] for i in moving]), tuple([tangents[i] for i in moving]))
        return Solution.apply(ctx.problem, False, -change, y, *tensors)


class Solution(Function):
    """x with A x = b, or A^T x = b: Note [Every order]."""

    generate_vmap_rule = True

    @staticmethod
    def forward(problem, transposed, b, y, *tensors):
        b, y, *tensors = [constant(x) for x in (b, y, *tensors)]
        if not b.numel():
            return zeros_like(b)
        if problem.options.linear_solver is None and b.numel() <= DENSE:
            A = jacrev(problem.of_unknowns(tensors))(y)
            return dense_solution(A.mT if transposed else A, b[:, None])[:, 0].clone()
        level = max([x._level for x in (b, y, *tensors)])
        if level:
            return each_example(Solution.forward, level, (problem, transposed, b, y, *tensors))
        return by_products(problem, transposed, b, y, tensors)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.problem, ctx.transposed, _, *tensors = inputs
        ctx.save_for_backward(output, *tensors)
        ctx.save_for_forward(output, *tensors)
        ctx.set_materialize_grads(False)

    @staticmethod
    @without_hooks()
    def backward(ctx, gradient):
        x, *tensors = ctx.saved_tensors
        found = [None] * len(tensors)
        if gradient is None:
            return None, None, None, *found
        w = Solution.apply(ctx.problem, not ctx.transposed, gradient, *tensors)
        wanted = [i for i, needed in enumerate(ctx.needs_input_grad[3:]) if needed]
        if wanted:                              # of w^T A x, or of x^T A w
            left, right = (x, w) if ctx.transposed else (w, x)
            along = partly(lambda *q: product(ctx.problem, True, left, *q), tensors, wanted)
            _, pull = vjp(along, *[tensors[i] for i in wanted])
            for i, part in zip(wanted, pull(-right)):
                found[i] = part
        return None, None, w if ctx.needs_input_grad[2] else None, *found

    @staticmethod
    @without_hooks()
    def jvp(ctx, _, __, change, *tangents):
        x, *tensors = ctx.saved_tensors
        moving = [i for i, t in enumerate(tangents) if t is not None]
        if moving:
            along = partly(lambda *q: product(ctx.problem, ctx.transposed, x, *q), tensors, moving)
            _, turned = jvp(along, tuple([tensors[i] for i in moving]), tuple([tangents[i] for i in moving]))
            change = -turned if change is None else change - turned
        return zeros_like(x) if change is None else Solution.apply(ctx.problem, ctx.transposed, change, *tensors)


def product(problem, transposed, x, y, *tensors):
    """A x or A^T x, where A is the Jacobian of the residual at y."""
    function = problem.of_unknowns(tensors)
    return vjp(function, y)[1](x)[0] if transposed else jvp(function, (y,), (x,))[1]


def by_products(problem, transposed, b, y, tensors):
    """The solution of a system, and a check of it."""
    options, count = problem.options, None
    pull = vjp(problem.of_unknowns(tensors), y)[1] if transposed or options.symmetric else None

    def multiply(x):
        x = as_tensor(x).to(b.dtype)
        return pull(x)[0] if pull else product(problem, False, x, y, *tensors)

    size = b.norm().item()
    if not size:
        return zeros_like(b)
    if options.linear_solver is not None:
        x = as_tensor(options.linear_solver(multiply, b)).detach().to(b.dtype)
        if x.shape != b.shape:
            raise error("MG204", f"func.implicit: the linear_solver returned a tensor of shape {tuple(x.shape)}, and "
                                 f"the right-hand side has the shape {tuple(b.shape)}.")
        x = x.clone()
    else:
        method = conjugate_gradients if options.symmetric else gmres
        x, count = method(multiply, b, finfo(b.dtype).eps ** 0.75)
    r = b - multiply(x)
    allowed = finfo(b.dtype).eps ** 0.5 if options.rtol is None else options.rtol
    if not r.norm().item() <= allowed * size:
        back, usual = [product(problem, not transposed, x, y, *tensors).norm().item() / x.norm().item() for x in (r, b)]
        raise stalled(options, b.numel(), count, r.norm().item() / size, allowed, back, usual)
    return x


# ------------------------------------------------------------------------------ parts

def differentiable(x):
    return isinstance(x, Tensor) and (x.dtype.is_floating_point or x.dtype.is_complex)


def vector(flat):
    """Tensors as one vector of real numbers, of float32 at least."""
    real = [view_as_real(x.resolve_conj()) if x.dtype.is_complex else x for x in flat]
    dtype = functools.reduce(promote_types, [x.dtype for x in real], float32 if any(
        [x.dtype.itemsize < 4 for x in real]) else real[0].dtype)
    parts = [x.reshape(-1).to(dtype) for x in real]
    return parts[0] if len(parts) == 1 else cat(parts, 0)


def constant(x):
    """The same numbers without history and tangents; what vmap maps stays mapped."""
    if not x._level:
        return x.detach()
    below = constant(x._array)
    return wrap_level(below, x._level, 1) if interpreter(x._level).maps else below


def each_example(forward, level, args):
    """The results of ``forward`` for each example of a vmap, stacked."""
    size = next(x._array.shape[0] for x in args if isinstance(x, Tensor) and x._level == level)
    if not size:
        raise error("MG204", "func.implicit: vmap over no examples, so the shape of the unknowns is not known.")
    results = [forward(*[x._array[i] if isinstance(x, Tensor) and x._level == level else x for x in args])
               for i in range(size)]
    return wrap_level(stack(results, 0), level, 1)


def partly(function, args, places):
    """``function`` as one of the arguments in these places; the others are ``args``."""
    def of_some(*some):
        row = list(args)
        for i, x in zip(places, some):
            row[i] = x
        return function(*row)

    return of_some


#: numbers of both signs, from 1/2 to 1, in no special order
UNEVEN = np.cos(np.arange(1021.0) ** 2)
UNEVEN = np.copysign(0.5 + 0.5 * np.abs(UNEVEN), UNEVEN)


def uneven(x):
    """The same in the shape of ``x``, again and again."""
    return as_tensor(np.resize(UNEVEN, tuple(x.shape))).to(x.dtype.to_real() if x.dtype.is_complex else x.dtype)


def levels_of(x):
    while x._level:
        yield x._level
        x = x._array


def is_captured(x, known):
    """Does a value depend on more than tensors without history, of these levels?"""
    while x._level:
        if x._level not in known:
            return True
        x = x._array
    return x.requires_grad or tangent_of(x) is not None


def listed(x, size):
    """The numbers of all examples of a tensor that has one for each."""
    x = x + 0 * size
    while x._level:
        x = x._array
    return x.reshape(-1).tolist()


# ------------------------------------------------------------------------------ errors

def shown(kinds):
    return ", ".join([f"{dtype} of shape {shape}" for shape, dtype in kinds])


def written(function, name):
    return error("MG117", f"func.implicit: the {name} has written to a tensor that it was given, in place, and the "
                          f"solution would be that for other numbers. clone() it first. See {located(function)}.")


def integers(solver, x):
    return error("MG111", f"func.implicit: the solver returned a tensor with dtype {x.dtype}: unknowns move with the "
                          f"parameters, so they must be floating-point or complex. See {located(solver)}.")


def not_numbers(solver, x):
    return error("MG204", "func.implicit: the solver must return a tensor, an array or a number, or a tree of them, "
                          f"got {type(x)}: a result with more in it has them in an attribute, such as SciPy's .x. See "
                          f"{located(solver)}.")


def other_unknowns(solver, before, now):
    return error("MG204", "func.implicit: the solver returned other unknowns for another example of vmap: "
                          f"{shown(now)} after {shown(before)}. See {located(solver)}.")


def other_equations(residual, kinds, flat):
    found = shown([(tuple(x.shape), x.dtype) for x in flat])
    return error("MG204", "func.implicit: the residual must have an equation for each unknown, in the same tree: the "
                          f"unknowns are {shown(kinds)}, and the residual is {found}. See {located(residual)}.")


def captured(residual):
    return error("MG142", "func.implicit: the residual depends on a tensor that requires grad, or is differentiated or "
                          "mapped by a transform, but is not among the parameters. It would silently get no gradient: "
                          "pass it as a parameter, residual(y, *params), or detach() it. Parameters of a module can be "
                          f"passed as a dict, with func.functional_call. See {located(residual)}.")


def not_a_solution(options, count, i, size, limit, scale):
    which = f"tensor {i} of " if count > 1 else ""
    return error("MG141", f"func.implicit: what the solver returned is not a solution: an element of {which}the "
                          f"residual is {size:.1e}, and at most {limit:.1e} is allowed, where the terms in it are "
                          f"about {scale:.1e}. Its derivatives would be those of another point. Let the solver take "
                          "more steps; or allow more, with rtol= or, if all unknowns are nearly 0, with atol=. See "
                          f"{located(options.solver)}.")


def stalled(options, n, count, left, allowed, back, usual):
    who = f"{'conjugate gradients' if options.symmetric else 'GMRES'} after {count} products" if count else (
        "the linear_solver")
    return error("MG143", f"func.implicit: the linear system with the Jacobian of the residual, for {n} unknowns, was "
                          f"not solved: {who} left {left:.1e} of its right-hand side, and at most {allowed:.1e} is "
                          f"allowed. The transposed Jacobian makes {back:.1e} times as much of what is left, and "
                          f"{usual:.1e} times of the right-hand side. If the former is by far the smaller, the "
                          "Jacobian is singular, and there is no derivative here. Otherwise it is badly conditioned: "
                          "scale the unknowns and the equations, or pass a linear_solver= that suits it.")
