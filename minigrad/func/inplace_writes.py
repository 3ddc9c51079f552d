"""Writes in place to tensors of a level: ``y.mul_(x)``, ``y[0] = x`` inside a transform.

A write goes down to the payload, and from there to memory, so every alias sees the new numbers.  Everything else that
the level keeps must follow:

=======  ===================================================================================================
Batch    nothing else; but a tensor that is the same for all examples has no room for B different values
Jvp      the tangent is written in place too; views share its memory as they share that of the primal
Tape     the target gets the history of the result; for views see Note [Writing through recorded views]
=======  ===================================================================================================
"""

import numpy as np

from minigrad._core.dispatch import levels
from minigrad._core.dispatch.levels import place_of, replayed, wrap_level
from minigrad._core.errors import MinigradError, error
from minigrad._core.forward import differentials
from minigrad._core.graph import Tensor, view_history, wrap
from minigrad._core.inplace.inplace_methods import write_bound
from minigrad._core.inplace.write_checks import check, check_result
from minigrad._core.kernels.shapes.memory_overlap import meets_itself
from minigrad._core.runtime import thread_state
from minigrad._core.runtime.scopes import Scope
from minigrad.func.level_below import lowered
from minigrad.func.pytree import leaves
from minigrad.ops.copying import copy, zeros_of
from minigrad.ops.positions.masking import choose
from minigrad.ops.shapes.reshaping import clone, first_array


# ------------------------------------------------------------------------------ refusals

def captured(written, instead):
    """The target has a lower level than the written value."""
    return error("MG117", f"{written}: During a grad (vjp, jvp, grad, etc) transform, the function provided "
                          f"attempted to call in-place operation ({written}) that would mutate a captured Tensor. "
                          "This is not supported; please rewrite the function being transformed to explicitly accept "
                          "the mutated Tensor(s) as inputs: the tensor comes from outside, or had another view before "
                          "this write, or was saved for a gradient, and the written value depends on the transform's "
                          f"inputs. Use the {instead}, torch.stack or torch.where, or a clone() of the tensor.")


def without_room(op):
    """The target is the same for all examples, but the written value is not."""
    return error("MG117", "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor "
                          "`other` in extra_args that has more elements than `self`. This happened due to `other` "
                          "being vmapped over but `self` not being vmapped over in a vmap. Please try to use "
                          f"out-of-place operators instead of inplace arithmetic. ({op.written}: the tensor on the "
                          "left is the same for all examples, with no room for different values. Make it from a mapped "
                          "tensor, as in torch.zeros_like(x) or x.new_zeros(3).)")


def check_fit(op, target, result):
    """Check that the target keeps its shape and its dtype."""
    check_result(op, tuple(target.shape), target.dtype.numpy, tuple(result.shape), result.dtype.numpy)


def to_save(memory, op):
    """What a node may save of the target: a copy, if a formula needs the value that is about to be overwritten."""
    return clone(memory) if op.params[0] in op.slots else memory


# ------------------------------------------------------------------------------ lifting

# Note [Lifting]
# --------------
# A function may write values of its transform to what it has made itself on a lower level:
#
#     grad(f), level 1:   y = c.clone()       y, level 0, born in level 1            y, level 1, and its history
#                         y[0] += x[0]        |                             ->       |
#                                             array                                  payload, level 0
#                                                                                    |
#                                                                                    array
#
# It is y itself that becomes a tensor of level 1, so all who have it see the write with its derivative.  Another tensor
# on that memory would see the numbers alone.  So nothing else may know the memory, which its Version tells (`is_alone`
# in graph.pyx); only the view that is written through may, as y[0] here: it is read again from what y is now.
#
# A tensor of level 2 may take values of level 1 in the same way, if its payload is of level 0: then that is lifted.
#
# An argument that is not differentiated is lent to the transform: it is lifted when it is first written to, and what it
# was becomes its payload; when the transform ends it is that again, with the new numbers.

def raised(x, level):
    """``x``, a tensor made inside, now at this level: its memory may receive values of any level up to it."""
    for each in up_to(level)[len(up_to(x._level)):]:
        each.lift(x)
    return x


def raised_with_its_view(base, view, level):
    """The same for the base of a view that is written to, as in ``y[0] += x``: the view is read from it again."""
    if not can_be_read_again(view, base):
        return
    raised(base, level)
    with Scope((thread_state.set_grad_enabled, True)):
        again = replayed(view, base)
    levels.become(view, again)
    if hasattr(again, "_viewed"):
        view._viewed = True


def lend(target, base, level):
    """Lift ``target``, or the base of which it is a view, if that is an argument of the functions of all levels
    between, or was made inside them."""
    owner = target if base is None else base
    between = up_to(level)[len(up_to(owner._level)):]
    if not (levels.may_be_lent(owner, level, None if base is None else target)
            and all([each.maps or levels.was_made_inside(owner, each.level) or is_given(owner, each)
                     for each in between])):
        return
    if base is None:
        raised(owner, level)
    else:
        raised_with_its_view(base, target, level)
    if owner._level == level:
        for each in between:
            if not each.maps:
                each.lent = (*each.lent, owner, *([] if base is None else [target]))


def kept(x, lender):
    """``x``, or what it is on the level of ``lender``, if it is given back when that closes."""
    if not any([x is each for each in lender.lent]):
        return x
    other = wrap_level(x._array, lender.level)
    if x.grad_fn is not None:
        view_history.rebase_in_function(other, x.grad_fn, x.output_nr, 0)
    return other


def is_given(x, lender):
    """Is ``x`` an argument of the function of this level that is not differentiated?"""
    args, argnums, kwargs = lender.given
    chosen = [n % len(args) for n in (argnums if isinstance(argnums, tuple) else (argnums,))] if args else ()
    others = [each for n, each in enumerate(args) if n not in chosen]
    return any([each is x for each in leaves((others, kwargs))])


def can_be_read_again(view, base):
    """Not if the base has another layout since (``base.t_()``): then its array is a view of that which it was."""
    array = first_array(base)
    if not (array.base is None or isinstance(array.base, np.ndarray) and laid(array) == laid(array.base)):
        return False
    try:
        return place_of(replayed(view, base)) == place_of(view)
    except MinigradError:
        return False


def laid(array):
    return array.__array_interface__["data"], array.shape, array.strides


def make_room(target, value):
    """Before ``value`` is written to the payload of ``target``: lift that to the levels which the value has.

    So a tensor of this level may take values of the levels between it and its payload, if the function has made it.
    """
    base = target._base
    if levels_of(value) <= levels_of(target):
        return
    if not (levels.is_known_alone(target) if base is None else levels.is_known_alone(base, target)):
        return
    while isinstance(value, Tensor) and value._level and isinstance(target._array, Tensor):
        level = value._level
        if levels.payload_may_be_lifted(target if base is None else base, level):
            if base is None:
                raised(target._array, level)
            else:
                raised_with_its_view(base._array, target._array, level)
        target, base = target._array, None if base is None else base._array
        if target._level == level:
            value = value._array


def up_to(level):
    """The open levels from the outermost to this one, as they lie in each other.

    That is in the order of their numbers, but for one that is open again for a pass: it is inside younger ones.
    """
    # A tape of the core, which transposes a formula, has no number: it is inside all that have.
    numbered = [each for each in thread_state.levels() if hasattr(each, "level")]
    return numbered[:[each.level for each in numbered].index(level) + 1] if level else []


def is_integral_and_inside(x, jvp):
    """Such a tensor takes values of the level without a tangent."""
    if x._level == jvp.level or x.dtype.is_floating_point or x.dtype.is_complex:
        return False
    owner = x._base if x._is_view() else x
    return levels.was_made_inside(owner, jvp.level) or is_given(owner, jvp)


# ------------------------------------------------------------------------------ the three levels

def into_mapped(batch, op, args, level):
    """A write at a Batch level."""
    target = args[0]
    if target._level != level:
        batch.refuse_to_draw(op)
        raise without_room(op)
    memory = target._array
    result = batch.process(op, [wrap_level(to_save(memory, op), level, 1), *args[1:]], level)
    check_fit(op, target, result)
    make_room(target, result._array)
    copy.inplace(memory, result._array)
    return target


def into_dual(jvp, op, args, level):
    """A write at a Jvp level: primal and tangent."""
    target = args[0]
    if thread_state.is_inference() or is_integral_and_inside(target, jvp):
        write_bound(op, tuple([lowered(x, level) for x in args]))       # without a tangent, below
        return target
    had_none = target._level != level
    jvp.adopt(target)
    if target._level != level:
        raise captured(op.written, f"out-of-place {op.shown}")
    primals = [to_save(target._array, op), *[lowered(x, level) for x in args[1:]]]
    result = levels.apply(op, primals)
    check_fit(op, target, result)
    tangents = [tangent_of(x, level) for x in args]
    # A recorded node may save it, and it is written to.  That of a lifted tensor is zero, and need not be asked for.
    tangents[0] = None if had_none or tangents[0] is None else clone(tangents[0])
    change = differentials.differential(op, primals, tangents, result)
    if change is None:
        change = zeros_of(target._array)
    make_room(target, result)
    copy.inplace(target._array, result)
    if levels_of(change) <= levels_of(target._tangent) or hasattr(target, "_viewed"):
        copy.inplace(target._tangent, change)
    else:                               # this tangent has no other readers, and no room for the change
        target._tangent = own(change, tangents)
    return target


# A view's tangent is a view of the tangent of its source, so that the other sees a write to either.  This has three
# requirements.  A tangent has memory of its own: x + 1 does not share the tangent of x.  It has room for any later
# write, for as many examples as the primal.  And it lies in memory as the primal does, so that what is a view of one,
# and no copy, is so of the other.

def own(tangent, given):
    """The tangent of a result, in memory that it does not share with the tangents ``given`` to the operation."""
    if isinstance(tangent, tuple):
        return tuple([own(t, given) for t in tangent])
    if tangent is None:
        return None
    array = first_array(tangent)
    if array.base is not None or any([array is first_array(t) for t in given if isinstance(t, Tensor)]):
        return clone(tangent)
    return tangent


def will_be_viewed(x):
    """Prepare for a view of ``x`` and of its tangent: from now on, each must see writes to the other."""
    if not hasattr(x, "_viewed"):
        x._viewed = True
        if x._tangent is None:          # it was detached
            x._tangent = roomy_zeros(x, x._level)
        elif not laid_alike(x._array, with_room(x)):
            x._tangent = copy(roomy_zeros(x, x._level), x._tangent)


def with_room(x):
    """The tangent of ``x``, or None; from now on it has room for all examples that ``x`` has."""
    if x._tangent is not None and not levels_of(x._array) <= levels_of(x._tangent):
        x._tangent = copy(roomy_zeros(x, x._level), x._tangent)
    return x._tangent


def laid_alike(x, t):
    """Can the same be viewed in both?"""
    return first_array(x).strides == first_array(t).strides or layout_of(x) == layout_of(t)


def layout_of(x):
    """The strides of an example, as multiples of the smallest, in the dims that have more than one element."""
    steps = [step for step, n in zip(example_strides(x), x.shape) if n > 1]
    unit = min([abs(step) for step in steps if step], default=1)
    return [step // unit for step in steps]


def example_strides(x):
    """Those of the last dims: the batches come first."""
    strides = first_array(x).strides
    return strides[len(strides) - x.ndim:]


def has_own_memory(result, source):
    """Did a view row have to copy?"""
    return not np.may_share_memory(first_array(result), first_array(source))


def roomy_zeros(x, level):
    """Writable zeros as a tangent of ``x``, their dims in its order, with room for what the levels outside have.

    A level that is ``aside`` is open, but computes its own part of a Function, from tensors of the levels below it.
    """
    outside = [each for each in up_to(level)[:-1] if not each.aside]
    batches = [each.size for each in outside if each.maps]
    strides = example_strides(x)
    order = sorted(range(x.ndim), key=lambda dim: -abs(strides[dim]))
    zeros = np.zeros((*batches, *[x.shape[dim] for dim in order]), x.dtype.numpy)
    if order != sorted(order):
        zeros = np.moveaxis(zeros, range(len(batches), zeros.ndim), [len(batches) + dim for dim in order])
    zeros = wrap(zeros)
    for each in outside:
        if each.maps:
            zeros = wrap_level(zeros, each.level, 1)
        else:
            each.lift(zeros)
    return zeros


def levels_of(x):
    """The levels of a tensor, of its payload, and so on."""
    found = set()
    while isinstance(x, Tensor):
        found.add(x._level)
        x = x._array
    return found


def tangent_of(x, level):
    """The tangent of an argument at this level, or None; for a list of tensors, a list."""
    if isinstance(x, Tensor):
        return x._tangent if x._level == level else None
    if type(x) is list:
        tangents = [tangent_of(y, level) for y in x]
        return tangents if any([t is not None for t in tangents]) else None
    return None


def into_recorded(tape, op, args, level):
    """A write at a Tape level: the payload, and the history."""
    target = args[0]
    tape.adopt(target)
    if target._level != level:
        raise captured(op.written, f"out-of-place {op.shown}")
    inside = thread_state.is_grad_enabled()
    memory = target._array
    base = target._base if target._is_view() else target
    if not inside:
        result = tape.process(op, args, level)
        check_fit(op, target, result)
    else:
        result = tape.process(op, [before(target, op, level), *args[1:]], level)
        check_fit(op, target, result)
        if result.requires_grad or base.requires_grad:
            check(op.written, target)
            check_shared(op, target, base)
            if not result.requires_grad or result.dtype is not target.dtype:
                result = tape.process(copy, [target, result, False], level)
            whole = put_back(op, base, levels.steps_to(target, base), target, result)
            view_history.rebase_in_function(base, whole.grad_fn, whole.output_nr, 0)
    with Scope((thread_state.set_grad_enabled, inside and tape.outside)):
        make_room(target, lowered(result, level))
        copy.inplace(memory, lowered(result, level))
    return target


def before(target, op, level):
    """The target before the write, with its history."""
    old = wrap_level(to_save(target._array, op), level)
    if target.grad_fn is not None:
        view_history.rebase_in_function(old, target.grad_fn, target.output_nr, 0)
    return old


# Note [Writing through recorded views]
# -------------------------------------
# Outside transforms, a write to a view becomes a CopySlices of its base, which finds the place of the view in memory
# (Note [Views] in _core/graph/view_history.pyx).  Inside there may be no memory; but views know the operations that
# made them, whose backward formulas put a gradient, or any other value, back where the view reads:
#
#     y = x.clone();  v = y[1:].t();  v.mul_(w)
#
#     base      y                                          y, with the new numbers in place of the old
#               | slice(1:)                                ^ where(in the slice, slice_backward(...), y)
#               |                                          |
#               | t                                        | t
#               v                                          |
#     view      v ----------- mul(v, w) -------------------+
#
# So the new history of the base consists of ordinary recorded operations.  Views catch up the next time they are
# used, when they are read from the base again (``replayed``).

def put_back(op, base, chain, target, new):
    """The base with ``new`` at the place of ``target``, the view to which ``chain`` leads; recorded."""
    seen = [base]
    for made, arguments in chain[:-1]:
        seen.append(levels.apply(made, [seen[-1], *arguments]))
    seen.append(target)
    for k, (made, arguments) in reversed(list(enumerate(chain))):
        source, whole = seen[k], shows_all(made, seen[k], seen[k + 1])
        if whole is None:
            raise beyond(op, made)
        known = {**dict(zip(made.params[1:], arguments)), f"{made.params[0]}_shape": tuple(source.shape)}
        formula = made.formulas[0]
        values = [known[name] for name in formula.names]
        part = formula.text(new, *values)
        if whole:
            new = part
        else:
            inside = formula.text(wrap(np.ones(tuple(new.shape))), *values) != 0
            new = choose(inside, part, source)
    return new


def shows_all(made, source, view):
    """Does the view show its whole source, in another order?  False if it shows a part; None for other views.

    A view of everything has as many bytes as its source.  The other views are those in which several elements share a
    place (``expand``), and those that show a part of each element (``real``).
    """
    below, above = first_array(source), first_array(view)
    if made.list_output or meets_itself(above) and not meets_itself(below):
        return None
    if above.nbytes == below.nbytes:
        return True
    return False if above.dtype == below.dtype else None


def beyond(op, made):
    return error("MG117", f"{op.written} on a view made by {made.shown}, inside func.grad, vjp or jacrev, is not "
                          f"supported: use the out-of-place {op.shown}, or clone() the view first.")


def check_shared(op, target, base):
    """Check that the payload of a view shares the memory of its base, which it does not if ``reshape`` had to copy."""
    array = first_array(target)
    if target is not base and array.size and not np.may_share_memory(array, first_array(base)):
        raise reshape_had_to_copy(op)


# ------------------------------------------------------------------------------ errors


def reshape_had_to_copy(op):
    return error("MG117", f"{op.written} on the result of reshape, inside func.grad, vjp or jacrev: reshape had to "
                          "copy here, so its result is not a view. Use the out-of-place "
                          f"{op.shown}, or clone() first.")
