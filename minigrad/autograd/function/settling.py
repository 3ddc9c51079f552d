"""Give each output of a custom `forward` its place in the graph.

`Function.apply` has run forward without recording it, and `ctx` has forward's declarations.  `finish` first
checks everything, then attaches the outputs to the node:

    ======================================  ==========================================================
    a new tensor                            becomes output number i of the node
    an argument, declared with mark_dirty   the same object, now with this node as its history
    an argument, returned unchanged         another tensor on the same memory, so that both keep their histories
    a tensor in mark_non_differentiable,    no history; `backward` receives zeros for it
    or one of integers
    anything else                           left as it is; `backward` receives None for it
    ======================================  ==========================================================

Three mistakes that PyTorch does not notice are noticed here: writing to an argument without `mark_dirty`, keeping
tensors on `ctx` as attributes, and (found here, reported in context.py) differentiating through saved intermediates.

Tensors are recognized by identity, `id(x)`, since `==` compares their numbers.
"""


from minigrad._core.errors import error, located, warn
from minigrad._core.forward.dual_tensors import put_tangent, remember, tangent_of
from minigrad._core.graph import Tensor
from minigrad._core.graph.function_node import as_view_of_input
from minigrad._core.graph.shared_memory import bump_version, last_written_at, same_memory
from minigrad._core.graph.view_history import rebase_in_function
from minigrad._core.inplace.write_checks import check
from minigrad.autograd.function.context import DONE, argument_names, attributes_of, is_intermediate
from minigrad.ops.exports import ROWS

__all__ = ["finish", "first_places", "tangents_of", "versions_of"]

zeros_of = ROWS["zeros_of"]


def versions_of(args):
    """The version of each tensor among the arguments, which will show what forward has written to."""
    try:
        return [x._version if isinstance(x, Tensor) else None for x in args]
    except RuntimeError:  # inference tensors have none
        return [x._version if isinstance(x, Tensor) and not x.is_inference() else None for x in args]


def tangents_of(args):
    """The tangent of each argument, as a list; or None if no argument has a tangent."""
    tangents = [tangent_of(x) if isinstance(x, Tensor) else None for x in args]
    return tangents if any(t is not None for t in tangents) else None


def finish(ctx, args, versions, output, tangents):
    """Check everything that forward returned and declared, then build the graph.

    With `tangents`, forward mode asks the author's `jvp` for the tangents of the outputs.
    """
    ctx._stage = DONE
    results = output if isinstance(output, tuple) else (output,)
    arguments, returned = {*map(id, args)}, first_places(results)
    saved, dirty = ctx.to_save or (), ctx.dirty_tensors or ()
    records = versions is not None
    if records:
        _check_levels(ctx, results)
    if records and versions != versions_of(args):
        _check_undeclared_writes(ctx, args, versions, dirty)
    if dirty:
        _check_dirty(ctx, dirty, results, arguments, returned)
    if (saved or ctx.saved_for_forward) and ctx._forward_cls._is_separate():
        _check_saved_beside_setup_context(ctx, (*saved, *(ctx.saved_for_forward or ())), dirty, arguments, returned)

    for tensor in dirty:
        bump_version(tensor)
    if records:
        ctx._arguments = tuple([_shape_and_dtype(x) for x in args])
        ctx._results = tuple([_shape_and_dtype(x) for x in results])
        ctx._set_n_outputs(len(results))
        if saved:
            known = {*arguments, *returned, *map(id, ctx.constants or ())}
            ctx._intermediates = [i for i, x in enumerate(saved) if id(x) not in known and is_intermediate(x)]
    constant, modified = {*map(id, ctx.non_differentiable or ())}, {*map(id, dirty)}
    tensors = first_places([x for x in args if isinstance(x, Tensor)])
    settled = []
    for nr, x in enumerate(results):
        if isinstance(x, Tensor):
            differentiable = records and x._array.dtype.kind in "fcV" and id(x) not in constant
            which = tensors.get(id(x), -1) if id(x) in modified else -1
            x = _settle(ctx, x, nr, id(x) in arguments, which, differentiable)
        settled.append(x)
    if records:
        views = {id(x): ctx._own(x, returned[id(x)]) for x in dirty if x._is_view() and id(x) in tensors}
        ctx._save(tuple([views.get(id(x), x) for x in saved]))
        if ctx.__dict__:
            look_at_attributes(ctx, arguments, returned)
    if tangents is not None:
        _carry_tangents(ctx, args, tangents, settled, constant, modified)
    ctx.to_save = ctx.saved_for_forward = ctx.dirty_tensors = ctx.non_differentiable = ctx.constants = None
    return tuple(settled) if isinstance(output, tuple) else settled[0]


def first_places(several):
    """Where each of several objects is first: ``{id: position}``."""
    return {id(several[i]): i for i in reversed(range(len(several)))}


def _carry_tangents(ctx, args, tangents, outputs, constant, modified):
    """Give the outputs the tangents that the author's `jvp` computes."""
    name, see = ctx._forward_cls.__name__, f"See {located(ctx._forward_cls.jvp)}."
    given = [zeros_of(x) if t is None and isinstance(x, Tensor) and x._array.dtype.kind in "fcV"
             and ctx.materialize_grads else t
             for x, t in zip(args, tangents)]
    versions = [t._version if isinstance(t, Tensor) and not t.is_inference() else None
                for t in given] if modified else []
    ctx.saved_for_forward = ctx.saved_for_forward or ()         # and not what is saved for backward
    returned = ctx.apply_jvp(*given)
    returned = returned if isinstance(returned, tuple) else (returned,)
    levels = {0, *[t._level for t in tangents if t is not None]}        # tangents may be mapped, as in jacobian
    places = first_places(args) if modified else {}
    if len(returned) != len(outputs):
        raise other_number_of_tangents(outputs, returned, name, see)
    for nr, (output, tangent) in enumerate(zip(outputs, returned)):
        if tangent is not None and not isinstance(tangent, Tensor):
            raise tangent_of_wrong_type(tangent, nr, name, see)
        if tangent is not None and (tangent._level not in levels or tangent._array is None):
            raise tangent_of_a_transform(name, nr, see)
        differentiable = isinstance(output, Tensor) and output._array.dtype.kind in "fcV" and id(output) not in constant
        if not differentiable:
            if tangent is not None:
                raise tangent_of_no_tensor(nr, see)
            continue
        if tangent is not None and tuple(tangent.shape) != tuple(output.shape):
            raise tangent_of_another_size(output, tangent, nr, name, see)
        if tangent is not None and tangent_of(tangent) is not None:
            raise dual_tangent(nr, name, see)
        if id(output) in modified:
            before, version = tangents[places[id(output)]], versions[places[id(output)]]
            if before is not None and (tangent is not before or version is not None and version == before._version):
                raise tangent_not_modified(see)
        elif output._is_view():
            if (tangent is None or not any(t is not None and tangent is not t and same_memory(tangent, t)
                                           for t in given)):
                raise tangent_is_no_view(name, see, tangent, args)
            remember(ctx, nr, tangent)
            continue                    # a view reads its tangent from its base
        tangent = zeros_of(output) if tangent is None else tangent
        put_tangent(output, tangent)
        remember(ctx, nr, tangent)


def _shape_and_dtype(x):
    """The shape and the NumPy dtype of a tensor; None for anything else."""
    if not isinstance(x, Tensor):
        return None
    array = x._array
    return array.shape, array.dtype


def _settle(ctx, output, nr, is_argument, which, is_differentiable):
    """Give one output of forward its place in the graph, and return the tensor that the caller receives.

    `which` is its index among the tensor arguments if it was modified in place, else -1.
    """
    is_dirty = which >= 0
    if is_differentiable:
        if is_dirty:
            rebase_in_function(output, ctx, nr, which)
            return output
        if is_argument:
            output = as_view_of_input(output)
        ctx._attach(output, nr)
        return output
    if not output.requires_grad:
        return as_view_of_input(output) if is_argument and not is_dirty else output
    if is_argument:
        return output.detach()
    return output if output._is_view() else output.detach_()


def _check_levels(ctx, results):
    for i, x in enumerate(results):
        if isinstance(x, Tensor) and (x._level != ctx._level or x._array is None):
            what = ("without data, made by __new__ alone" if x._array is None
                    else "of a transform (vmap, grad, jvp) to which no argument belongs")
            raise output_of_another_level(ctx, i, what)


def _check_undeclared_writes(ctx, args, versions, dirty):
    """Warn of each argument that forward has written to without `mark_dirty`."""
    declared = {*map(id, dirty)}
    for position, (argument, version) in enumerate(zip(args, versions)):
        if (version is None or argument._version == version or id(argument) in declared
                or any(same_memory(argument, x) for x in dirty)):
            continue
        name = argument_names(ctx._forward_cls, len(args))[position]
        text = (
            f"{ctx._forward_cls.__name__}.forward modified its argument {name!r} in place without declaring it, so it "
            f"is missing in the graph. It was written to at {last_written_at(argument)}. Work on a copy (x = "
            f"x.clone()), or call ctx.mark_dirty({name}) and return {name} as an output."
        )
        if not argument.requires_grad:
            text += (" (It requires no grad, so gradients are wrong only if the written values depend on arguments "
                     "that do.)")
        elif argument._level or tangent_of(argument) is not None:
            raise error("MG301", text)
        elif (argument._base if argument._is_view() else argument).is_leaf:
            text += f" (Gradients are right if backward takes what {name} was as a constant beside what it is.)"
        else:
            ctx._forward_cls._undeclared_write.apply(argument, text)
            text += f" (Gradients are right unless {name} is used again: then the backward pass raises.)"
        warn(text)


# Note [Undeclared writes]
# ------------------------
# The Function itself has the edge to what its argument was, and its author's `backward` says the gradient for that: so
# far all is well.  But for autograd the argument is still what it was, though its numbers are others:
#
#     y = Sloppy.apply(x)         writes to x
#     y.sum().backward()          right
#     (y * x).sum().backward()    x has the derivative of what it was before: wrong, and silently so in PyTorch
#
# So there is a warning, and the argument receives a history that ends in an error (UndeclaredWrite), which the second
# program meets and the first does not.  A leaf needs none: it is a variable, whose gradient is that for its new value,
# as after a write under `no_grad`.


def _check_dirty(ctx, dirty, results, arguments, returned):
    for tensor in dirty:
        if id(tensor) not in returned:
            raise dirty_but_not_returned(ctx)
        if not ctx._records:
            continue
        if id(tensor) not in arguments:
            warn(
                "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated "
                "should be passed to ctx.mark_dirty().",
            )
            continue
        if tensor._is_view():
            check(f"{ctx._forward_cls.__name__}.forward", tensor, locations=True)
        elif tensor.is_leaf and tensor.requires_grad:
            raise dirty_leaf(ctx)
        if tensor._is_view() and len(results) > 1:
            raise dirty_view_among_several(ctx)


def _check_saved_beside_setup_context(ctx, saved, dirty, arguments, returned):
    declared = {*map(id, dirty)}
    for tensor in saved:
        if id(tensor) in arguments and id(tensor) in returned and id(tensor) not in declared:
            raise input_saved_as_output(ctx)


def look_at_attributes(ctx, arguments, returned):
    """Warn, once for each Function and attribute, about arguments and outputs kept as attributes of ctx.

    Note, too, which of the tensors there are arguments or constant: no derivative is lost with them.
    """
    known = {*arguments, *map(id, ctx.constants or ())}
    ctx._innocent = frozenset([id(x) for _, x in attributes_of(ctx) if id(x) in known])
    warned = type(ctx).__dict__.get("_warned") or set()
    for name, value in vars(ctx).items():
        for tensor in value if isinstance(value, (tuple, list)) else (value,):
            if not isinstance(tensor, Tensor) or name in warned:
                continue
            if id(tensor) in returned:
                harm = "an output of forward: the two keep each other alive until the garbage collector runs"
            elif id(tensor) in arguments:
                harm = "an input of forward: it is not freed after backward, and in-place changes to it go unnoticed"
            else:
                continue
            warned.add(name)
            type(ctx)._warned = warned
            warn(
                f"{ctx._forward_cls.__name__}: ctx.{name} holds {harm}. Use ctx.save_for_backward(...) in forward and "
                "ctx.saved_tensors in backward.",
            )


# ------------------------------------------------------------------------------ errors


def other_number_of_tangents(outputs, returned, name, see):
    return error("MG107", f"Function's jvp returned an invalid number of forward gradients (expected {len(outputs)} "
                          f"but got {len(returned)}): {name}.jvp must return one for each output of forward. {see}")


def tangent_of_wrong_type(tangent, nr, name, see):
    return error("MG107", f"expected Variable or None (got {type(tangent).__name__}) for grad output {nr}: "
                          f"{name}.jvp returns tensors. {see}")


def tangent_of_a_transform(name, nr, see):
    return error("MG117", f"{name}.jvp returned, for output {nr}, a tensor of a transform (vmap, grad, jvp) "
                          f"to which no argument belongs. {see}")


def tangent_of_no_tensor(nr, see):
    return error("MG107", f"Function's jvp returned a gradient at position {nr}, but the corresponding "
                          "forward output is not a differentiable Tensor. You should return None at that "
                          f"position instead. {see}")


def tangent_of_another_size(output, tangent, nr, name, see):
    return error("MG126", "Trying to set a forward gradient that has a different size than that of the original "
                          f"Tensor, this is not supported. Tensor is of size {list(output.shape)} while the "
                          f"given forward gradient is of size {list(tangent.shape)}: output {nr} of {name}.jvp. "
                          f"{see}")


def dual_tangent(nr, name, see):
    return error("MG126", "Setting a forward grad that itself has a forward gradient at the same level 0 is "
                          "not supported: output "
                          f"{nr} of {name}.jvp is a dual tensor. {see}")


def tangent_not_modified(see):
    return error("MG302", "An inplace custom Function is not modifying the forward mode gradients inplace. "
                          "If the forward is modifying an input inplace, then the jvp function must modify "
                          f"the corresponding gradient inplace. {see}")


def tangent_is_no_view(name, see, tangent, args):
    what = "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view"
    if tangent is not None and tangent._is_view():
        part = any(isinstance(x, Tensor) and x._is_view() and x._base.numel() != x.numel() for x in args)
        what = ("A custom Function is returning a view but the jvp is not returning a view of "
                f"{'the same base as ' if part else ''}the given grad input")
    return error("MG302", f"{what}. {name}.jvp must return a view of the tangent that it was given, such as "
                          f"t.view_as(t). {see}")


def output_of_another_level(ctx, i, what):
    return error("MG302", f"{ctx._forward_cls.__name__}.forward returned, as output {i}, a tensor {what}. "
                          f"Compute it from the arguments. See {located(ctx._forward_cls.forward)}.")


def dirty_but_not_returned(ctx):
    return error(
        "MG301",
        "Some elements marked as dirty during the forward method were not returned as output. The inputs that "
        f"are modified inplace must all be outputs of the Function. See {located(ctx._forward_cls.forward)}.",
    )


def dirty_leaf(ctx):
    return error(
        "MG105",
        "a leaf Variable that requires grad has been used in an in-place operation, by "
        f"{ctx._forward_cls.__name__}.forward. Give apply a copy: x.clone(). See "
        f"{located(ctx._forward_cls.forward)}.",
    )


def dirty_view_among_several(ctx):
    return error(
        "MG116",
        "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot "
        "return more than one Tensor. Give it a tensor of its own (.clone()), or split it into two Functions. "
        f"See {located(ctx._forward_cls.forward)}.",
    )


def input_saved_as_output(ctx):
    return error(
        "MG301",
        "An input that has been returned as-is as output is being saved for backward. This is not supported if "
        "you override setup_context. You should return and save a view of the input instead, e.g. with "
        "x.view_as(x) or setup ctx inside the forward function itself. See "
        f"{located(ctx._forward_cls.setup_context)}.",
    )
