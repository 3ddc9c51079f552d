"""grad, vjp and jvp: derivatives as functions of functions.

    grad(f)             x -> the gradient of the scalar f(x)
    vjp(f, x)           f(x), and the function v -> v^T J          reverse mode, a Tape
    jvp(f, (x,), (t,))  f(x), and J t                              forward mode, a Jvp level
    linearize(f, x)     f(x), and the function t -> J t            recorded once, for many t

Each opens a level, wraps the tensors with respect to which it differentiates, calls the function, and reads the
derivatives off the level.
They nest, with each other and with ``vmap``: inside, only ordinary operations of the level below run.

Matrices of derivatives are in jacobians.py.
"""

import functools

import numpy as np

from minigrad._core.backward import engine
from minigrad._core.devices.device_arrays import made_on
from minigrad._core.dispatch.levels import wrap_level
from minigrad._core.errors import error, located
from minigrad._core.graph import Tensor, wrap
from minigrad._core.runtime import thread_state
from minigrad._core.runtime.scopes import Scope
from minigrad.autograd.forward_ad import imaginary_direction
from minigrad.autograd.reverse import gradient_of_another_dtype, gradient_on_another_device
from minigrad.func.inplace_writes import kept
from minigrad.func.interpreters import Jvp, Tape
from minigrad.func.level_below import lowered
from minigrad.func.pytree import flatten, leaves, map_tree, unflatten
from minigrad.ops.copying import laid_out, to_copy, zeros_of
from minigrad.ops.shapes.reshaping import clone

__all__ = ["grad", "grad_and_value", "jvp", "linearize", "vjp"]

NO_HOOKS = ("torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks: a transform saves tensors "
            "of its level, which a hook could not keep. Remove the hooks, or use backward().")


# ------------------------------------------------------------------------------ common parts

def taping():
    """A block beside that of a Tape's level: operations are recorded, and saved-tensor hooks raise."""
    return Scope((thread_state.disable_saved_hooks, NO_HOOKS), (thread_state.set_grad_enabled, True))


def traced(x, level):
    """``x`` as a recorded leaf of this level."""
    if not isinstance(x, Tensor):
        raise not_a_tensor(x)
    inner = wrap_level(x, level)
    if not differentiable(x):
        raise without_derivative(x)
    inner.requires_grad = True
    return inner


def differentiable(x):
    return x.dtype.is_floating_point or x.dtype.is_complex


def not_a_tensor(x):
    return error("MG207", f"Thing passed to transform API must be Tensor, got {type(x)}: derivatives are taken with "
                          "respect to tensors. Leave other arguments out of argnums, or convert them to tensors.")


def without_derivative(x):
    return error("MG111", "only Tensors of floating point dtype can require gradients, and this argument has dtype "
                          f"{x.dtype}: convert it first, for example x.float()")


def outside(tree, level):
    """A tree with its tensors one level down."""
    return map_tree(lambda x: lowered(x, level), tree)


def settled(outputs):
    """The outputs, after views have caught up with writes to their bases, which needs an open level."""
    for y in outputs:
        y.grad_fn
    return outputs


def pulled_back(outputs, cotangents, inputs, keep):
    """The gradients of the leaves ``inputs`` of a level, one level down, for ``cotangents`` of ``outputs``.

    The level is open, since hooks compute with its tensors.
    """
    roots = [(y, wrap_level(g, y._level)) for y, g in zip(outputs, cotangents) if y.requires_grad]
    found = [None] * len(inputs)
    if roots:
        found = engine.run([y for y, _ in roots], [g for _, g in roots], keep, False, inputs, False, True)
    return [zeros_of(x._array) if g is None else g for g, x in zip(found, inputs)]


def chosen(argnums, args):
    """``argnums`` as a list of positions, checked."""
    if isinstance(argnums, bool) or not isinstance(argnums, (int, tuple)):
        raise wrong_argnums(argnums)
    numbers = argnums if isinstance(argnums, tuple) else (argnums,)
    if not numbers:
        raise error("MG204", "argnums must be non-empty: it names the arguments with respect to which to differentiate")
    for n in numbers:
        if not isinstance(n, int):
            raise wrong_argnums(argnums)
        if not -len(args) <= n < len(args):
            raise error("MG204", f"Got argnum={n}, but only {len(args)} positional inputs")
    positions = [n % len(args) for n in numbers]
    if len(set(positions)) != len(positions):
        raise error("MG204", f"argnums elements must be unique, got {tuple(positions)}")
    return positions


def wrong_argnums(argnums):
    return error("MG204", f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")


def selected(args, argnums):
    """The arguments with respect to which to differentiate: one tree, or a tuple of trees if argnums is a tuple."""
    positions = chosen(argnums, args)
    return tuple([args[n] for n in positions]) if isinstance(argnums, tuple) else args[positions[0]]


def replaced(args, argnums, trees):
    """The arguments with ``trees`` in the places ``argnums``."""
    args = list(args)
    for n, tree in zip(chosen(argnums, args), trees if isinstance(argnums, tuple) else (trees,)):
        args[n] = tree
    return args


def called(func, args, argnums, trees, kwargs, lender=None):
    """``func`` with ``trees`` in the places ``argnums``; the other arguments are lent to the innermost level."""
    (lender or thread_state.levels()[-1]).given = args, argnums, kwargs
    return func(*replaced(args, argnums, trees), **kwargs)


def with_aux(out, has_aux, what):
    """The function's output, and aux."""
    if not has_aux:
        return out, None
    if not (isinstance(out, tuple) and len(out) == 2):
        raise error("MG204", f"{what}: output of function f should be a tuple: (output, aux) if has_aux is True")
    for each in flatten(out[1])[0]:
        if not isinstance(each, Tensor):
            raise error("MG204", f"{what}: Expected tensors, got unsupported type {type(each)}: with has_aux=True, aux "
                                 "is a tensor or a tree of tensors")
    return out


def tensors_of(out, what):
    """The leaves of an output, which must be tensors, and its tree."""
    flat, spec = flatten(out)
    for y in flat:
        if not isinstance(y, Tensor):
            raise error("MG204", f"{what} to return only tensors, got unsupported type {type(y)}")
    return flat, spec


# ------------------------------------------------------------------------------ reverse mode

def grad_and_value(func, argnums=0, has_aux=False):
    """The function that returns the gradient of the scalar function ``func``, and its value.

    The parameters are the same as for :func:`grad`.  With ``has_aux`` it returns ``(gradient, (value, aux))``.

    >>> torch.func.grad_and_value(lambda x: (x * x).sum())(torch.tensor([1., 2.]))
    (tensor([2., 4.]), tensor(5.))
    """
    @functools.wraps(func)
    def gradient_and_value(*args, **kwargs):
        where = "grad_and_value(f)(*args)"
        tape = Tape()
        with taping(), thread_state.Level(tape) as level, tape:
            flat, spec = flatten(selected(args, argnums))
            inner = [traced(x, level) for x in flat]
            y, aux = with_aux(called(func, args, argnums, unflatten(inner, spec), kwargs, tape), has_aux, where)
            if not isinstance(y, Tensor):
                raise error("MG204", f"{where}: Expected f(*args) to return a Tensor, got {type(y)}. "
                                     f"See {located(func)}.")
            if y.ndim:
                raise not_a_scalar(where, y, func)
            if y.dtype.is_complex:
                raise error("MG104", f"grad can be implicitly created only for real scalar outputs but got {y.dtype}")
            settled([y])
            thread_state.set_grad_enabled(tape.outside)
            one = wrap(made_on(y.device, np.ones)((), y.dtype.numpy))
            gradient = unflatten(pulled_back([y] if y._level == level else [], [one], inner, False), spec)
            y, aux = lowered(y, level), outside(aux, level)
        return gradient, (y, aux) if has_aux else y

    return gradient_and_value


def without_output(where, out, func):
    return error("MG204", f"{where}: Expected f to be a function that has non-empty output (got output = {out}). See "
                          f"{located(func)}.")


def not_a_scalar(where, y, func):
    return error("MG104", f"{where}: Expected f(*args) to return a scalar Tensor, got tensor with {y.ndim} dims. Maybe "
                          f"you wanted to use the vjp or jacrev APIs instead? See {located(func)}.")


def grad(func, argnums=0, has_aux=False):
    """The function that returns the gradient of the scalar function ``func``.

    Parameters
    ----------
    func : returns a tensor without dims; with ``has_aux``, a pair of this and other tensors
    argnums : the argument, or a tuple of arguments, with respect to which to differentiate; each is a tensor or a tree
    has_aux : return ``(gradient, aux)``

    The gradient is like the argument: a tensor of its shape, or a tree; and a tuple if ``argnums`` is a tuple.

    >>> torch.func.grad(torch.sin)(torch.tensor(0.))
    tensor(1.)
    >>> torch.func.grad(torch.func.grad(lambda x: x ** 3))(torch.tensor(2.))
    tensor(12.)
    >>> torch.func.grad(lambda x, p: (x * p["w"]).sum(), argnums=1)(torch.tensor([1., 2.]), {"w": torch.tensor(3.)})
    {'w': tensor(3.)}
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args, **kwargs):
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def vjp(func, *primals, has_aux=False):
    """The output of ``func`` at ``primals``, and the function that multiplies a vector by its Jacobian, v -> v^T J.

    This function takes a cotangent, a tree like the output, and returns a tuple with a gradient for each primal.  It
    may be called any number of times.  With ``has_aux`` the result is ``(output, function, aux)``.

    >>> y, pull = torch.func.vjp(lambda x: x * x, torch.tensor([1., 2.]))
    >>> y, pull(torch.tensor([1., 10.]))
    (tensor([1., 4.]), (tensor([ 2., 40.]),))
    """
    return pulling(func, primals, has_aux, of_differentiable)


def of_differentiable(outputs):
    """Raise for an output of integers or truth values: every cotangent of it would give zeros."""
    for y in outputs:
        if not differentiable(y):
            raise error("MG111", "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor "
                                 f"with dtype {y.dtype}. Return it as aux, with has_aux=True, if it is not to be "
                                 "differentiated.")


def pulling(func, primals, has_aux, check):
    """``vjp``, with a function that checks the outputs."""
    where = "vjp(f, *primals)"
    tape = Tape()                       # it remembers the grad mode, which taping() changes
    with taping(), thread_state.Level(tape) as level, tape:
        flat, spec = flatten(primals)
        inner = [traced(x, level) for x in flat]
        out, aux = with_aux(func(*unflatten(inner, spec)), has_aux, where)
        outputs, out_spec = tensors_of(() if out is None else out, f"{where}: expected f(*primals)")
        if not outputs:
            raise without_output(where, out, func)
        check(outputs)
        outputs = [kept(y, tape) for y in settled(outputs)]
        below, aux = outside(out, level), outside(aux, level)

    def pull(cotangents):
        given, given_spec = flatten(cotangents)
        if given_spec != out_spec:
            raise other_cotangents(given_spec, out_spec)
        given = [fitting(g, y, i) for i, (g, y) in enumerate(zip(given, leaves(below)))]
        pairs = [(y, g) for y, g in zip(outputs, given) if y._level == level]
        with thread_state.Level(Tape(), level):
            return unflatten(pulled_back([y for y, _ in pairs], [g for _, g in pairs], inner, True), spec)

    return (below, pull, aux) if has_aux else (below, pull)


def other_cotangents(given, outputs):
    return error("MG204", "Expected pytree structure of cotangents to be the same as pytree structure of outputs to "
                          f"the function. cotangents: {given}, primal output: {outputs}")


def fitting(g, y, i):
    """The cotangent ``g``, which must have the shape of the output ``y``, in the dtype of ``y``."""
    if not isinstance(g, Tensor):
        raise error("MG204", f"vjp(f, *primals): the cotangent of output {i} must be a Tensor, got {type(g)}")
    if g.shape != y.shape:
        raise error("MG204", f"Mismatch in shape: grad_output[{i}] has a shape of {g.shape} and output[{i}] has a "
                             f"shape of {y.shape}.")
    if g.device != y.device:
        raise gradient_on_another_device(i, g, y)
    if g.dtype.is_complex != y.dtype.is_complex:
        raise gradient_of_another_dtype(i, g, y)
    return g if g.dtype is y.dtype else to_copy(g, y.dtype)


# ------------------------------------------------------------------------------ forward mode

def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """The output of ``func`` at ``primals``, and how it changes when they move by ``tangents``: the product J t.

    Parameters
    ----------
    primals, tangents : tuples of tensors or trees, of the same structure
    strict : raise if an output does not depend on the primals, instead of returning zeros
    has_aux : return ``(output, tangent, aux)``

    >>> torch.func.jvp(lambda x: x * x, (torch.tensor([1., 2.]),), (torch.tensor([1., 10.]),))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    where = "jvp(f, primals, tangents)"
    flat, moves, spec = read_primals(primals, tangents, where)
    dual = Jvp()
    with thread_state.Level(dual) as level, dual:
        inner = [moved(x, t, level) for x, t in zip(flat, moves)]
        out, aux = with_aux(func(*unflatten(inner, spec)), has_aux, where)
        outputs, out_spec = tensors_of(() if out is None else out, f"{where}: expected f(*primals)")
        if not outputs:
            raise without_output(where, out, func)
        changes = [change_of(y, level, strict) for y in outputs]
        below, aux = outside(out, level), outside(aux, level)
    change = unflatten(changes, out_spec)
    return (below, change, aux) if has_aux else (below, change)


def read_primals(primals, tangents, where):
    """The leaves of primals and tangents, and their tree."""
    if not isinstance(primals, tuple):
        raise error("MG204", f"{where}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    flat, spec = flatten(primals)
    moves, other = flatten(tangents)
    if spec != other:
        raise other_tangents(where, spec, other)
    for name, given in (("primals", flat), ("tangents", moves)):
        if not given:
            raise error("MG204", f"{where}: Expected {name} to contain at least one Tensor.")
        for x in given:
            if not isinstance(x, Tensor):
                raise error("MG204", f"{where}: Expected {name} to only contain Tensors, got {type(x)}")
    return flat, moves, spec


def other_tangents(where, primals, tangents):
    return error("MG204", f"{where}: Expected primals and tangents to have the same python structure. For example, if "
                          "primals is a tuple of 3 tensors, tangents also must be. Got primals with structure "
                          f"{primals} and tangents with structure {tangents}")


def check_moves(x):
    """Raise for a primal that cannot have a tangent."""
    if not differentiable(x):
        raise error("MG207", f"Expected primal to be floating point or complex, but got: {x.dtype}. Integers have no "
                             "small changes.")


def moved(x, t, level):
    """The primal ``x`` with the tangent ``t``, as a tensor of the level."""
    tangent = own_direction(x, t, "jvp(f, primals, tangents)")
    inner = wrap_level(x, level)
    inner._tangent = tangent
    return inner


def own_direction(x, t, where):
    """The tangent ``t`` of the primal ``x``, checked: a copy of it, in the dtype of ``x``."""
    check_moves(x)
    if x.shape != t.shape:
        raise of_another_size(x, t)
    if not differentiable(t):
        raise error("MG207", f"Expected tangent to be floating point or complex, but got: {t.dtype}. Convert it with "
                             f"t.to({x.dtype}).")
    if t.dtype.is_complex and not x.dtype.is_complex:
        raise imaginary_direction(where, x, t)
    return copied(t if t.dtype is x.dtype else to_copy(t, x.dtype), x)


def copied(t, x):
    """A copy of a tangent, since a write to the primal writes to it too; laid out so that it can be viewed alike."""
    if t._level or x._level:
        return clone(t, memory_format="contiguous_format")
    return clone(t) if t._array.strides == x._array.strides else laid_out(t, x)


def of_another_size(x, t):
    return error("MG204", "Trying to set a forward gradient that has a different size than that of the original "
                          f"Tensor, this is not supported. Tensor is of size {list(x.shape)} while the given forward "
                          f"gradient is of size {list(t.shape)}.")


def change_of(y, level, strict):
    """The tangent of an output, or zeros if it has none."""
    if y._level == level and y._tangent is not None:
        return y._tangent
    if strict:
        raise error("MG204", INDEPENDENT)
    return zeros_of(lowered(y, level))


INDEPENDENT = ("jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is not "
               "allowed with strict=True.")


def linearize(func, *primals):
    """The output of ``func`` at ``primals``, and the function ``t -> J t``, which does not call ``func`` again.

    J t is found by transposing twice: v^T J is one backward pass, a linear function of v, whose own backward pass
    gives J t.  The first pass is recorded once; each call of the function then runs only the second.

    >>> y, push = torch.func.linearize(torch.sin, torch.tensor([0., 0.]))
    >>> y, push(torch.tensor([1., 2.]))
    (tensor([0., 0.]), tensor([1., 2.]))
    """
    flat, spec = flatten(primals)
    for x in flat:
        if isinstance(x, Tensor):
            check_moves(x)
    out, pull = pulling(func, primals, False, lambda outputs: None)
    outputs, out_spec = flatten(out)
    moving = [y for y in outputs if differentiable(y)]

    def with_zeros(changes):
        """The changes of the outputs that move, and zeros for those that cannot, which are integers."""
        changes = iter(changes)
        return unflatten([next(changes) if differentiable(y) else zeros_of(y) for y in outputs], out_spec)

    _, push_back = vjp(lambda *cotangents: pull(with_zeros(cotangents)), *[zeros_of(y) for y in moving])

    def push(*tangents):
        moves, given = flatten(tangents)
        if given != spec:
            raise error("MG204", f"Expected the tangents {given} to have the same argspec as the primals {spec}")
        for i, (x, t) in enumerate(zip(flat, moves)):
            check_tangent(x, t, i)
        return with_zeros(push_back(tangents))

    return out, push


def check_tangent(x, t, i):
    """Raise for a tangent that is not like its primal, number ``i``."""
    if not isinstance(t, Tensor):
        raise error("MG205", f"linearize: tangent:{i} must be a Tensor, not {type(t).__name__}")
    if x.shape != t.shape:
        raise error("MG204", f"tangent:{i} with shape {t.shape} in flattened pytree doesn't match the shape {x.shape} "
                             "of the corresponding primal.")
    if x.dtype is not t.dtype:
        raise error("MG204", f"tangent:{i} with dtype {t.dtype} in flattened pytree doesn't match the dtype {x.dtype} "
                             f"of the corresponding primal: convert it with t.to({x.dtype}).")
