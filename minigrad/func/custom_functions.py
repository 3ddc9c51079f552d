"""Custom Functions (``torch.autograd.Function``) inside transforms.

Each level runs the Function one level down, again with ``apply``, until the tensors are ordinary and ``forward``
runs; and adds its own part:

=======  =====================================================================================================
Tape     a node for its outputs; ``backward`` will run on payloads, as formulas do
Jvp      the tangents of the outputs, by the author's ``jvp``, on primals
Batch    the author's ``vmap``; or, with ``generate_vmap_rule = True``, the same Function with each of its methods
         mapped, which is another Function, one level down
=======  =====================================================================================================

So ``forward`` knows nothing of levels, and everything that belongs to a level, such as saved tensors, must be declared
separately: inside transforms a Function needs a ``setup_context`` staticmethod.
"""

from collections import namedtuple

from minigrad._core.dispatch.levels import may_be_lifted, wrap_level
from minigrad._core.errors import error, located
from minigrad._core.graph import Tensor
from minigrad._core.graph.view_history import rebase_in_function
from minigrad._core.inplace.write_checks import check
from minigrad._core.runtime import thread_state
from minigrad._core.runtime.scopes import Scope
from minigrad.autograd.function.context import DONE, FunctionCtx
from minigrad.autograd.function import Function
from minigrad.autograd.function.settling import first_places, tangent_not_modified
from minigrad.func.inplace_writes import captured, own, raised, roomy_zeros, with_room
from minigrad.func.level_below import lowered, set_aside
from minigrad.func.pytree import flatten, leaves, leaves_like, unflatten
from minigrad.func.rules.batch_rule import front
from minigrad.ops.reductions.totals import sum_dim
from minigrad.ops.shapes.reshaping import clone
from minigrad.ops.shapes.broadcasting import sum_to
from minigrad.ops.shapes.transposing import movedim

#: the information about the batch for a ``vmap`` staticmethod
VmapInfo = namedtuple("VmapInfo", "batch_size randomness")


def as_tuple(x):
    return x if isinstance(x, tuple) else (x,)


def like(results, output):
    """The results in the form in which ``forward`` returned them: a tuple, or a single one."""
    return tuple(results) if isinstance(output, tuple) else results[0]


def check_separate(cls):
    if not cls._is_separate():
        raise not_separate(cls)


def not_separate(cls):
    return error("MG302", "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, "
                          f"...), it must override the setup_context staticmethod. {cls.__name__} has one "
                          "forward(ctx, ...) for everything: write forward(...) without ctx, and what it did with ctx "
                          f"in setup_context(ctx, inputs, output). See {located(cls.forward)}.")


def differentiable(x):
    return isinstance(x, Tensor) and (x.dtype.is_floating_point or x.dtype.is_complex)


class Written:
    """The arguments that forward has written to: the level below gives their payloads back, the same objects.

    What forward writes to may be a tensor of a lower level that the transformed function has made itself.  It is lifted
    when forward has run, but whether it could be seen elsewhere must be asked before: forward may have saved it.
    """

    def __init__(self, args, level):
        self.level = level
        self.of_payload = {id(lowered(x, level)): x for x in args if isinstance(x, Tensor)}
        self.made_inside = [x for x in args if isinstance(x, Tensor) and may_be_lifted(x, level)]

    def owner(self, result):
        """The argument whose payload this is, or None."""
        return self.of_payload.get(id(result))

    def at_level(self, result, hidden=0):
        """The argument whose payload this is, or a new tensor of the level."""
        owner = self.owner(result)
        return wrap_level(result, self.level, hidden) if owner is None else owner

    def lift(self, x, cls):
        """Bring a result to this level, if it is an argument of a lower one."""
        if x._level == self.level:
            return
        if not any([x is made for made in self.made_inside]):
            raise captured(f"{cls.__name__}.apply", "a Function that returns a new tensor")
        raised(x, self.level)


def shape_and_dtype(x):
    """The shape and the NumPy dtype of a tensor; None for anything else."""
    return (tuple(x.shape), x.dtype.numpy) if isinstance(x, Tensor) else None


# ------------------------------------------------------------------------------ reverse mode

def node_class(cls):
    """The class of the Function's nodes, for a level.

    ``backward`` must find payloads in ``saved_tensors``, since gradients are payloads there.
    """
    if "_class_in_levels" not in vars(cls):
        above = cls._backward_cls

        def gradients(ctx, *arrived):
            return set_aside(thread_state.interpreter(ctx._level), above._gradients, ctx, *arrived)

        saved = property(lambda ctx: tuple([lowered(x, ctx._level) for x in above.saved_tensors.__get__(ctx)]))
        body = {"saved_tensors": saved, "_gradients": gradients, "__slots__": (), "__module__": above.__module__}
        cls._class_in_levels = type(above.__name__, (above,), body)
    return cls._class_in_levels


def recorded(tape, cls, args, level):
    """``cls.apply(*args)`` at a Tape level."""
    check_separate(cls)
    ctx = node_class(cls)()
    ctx._begin(args)
    written = Written(args, level)
    with Scope((thread_state.set_grad_enabled, thread_state.is_grad_enabled() and tape.outside)):
        output = cls.apply(*[lowered(x, level) for x in args])
    results = [written.at_level(x) if isinstance(x, Tensor) else x for x in as_tuple(output)]
    if ctx._records:
        for x in results:
            if differentiable(x):
                written.lift(x, cls)
    prepare(cls, ctx, args, like(results, output))
    return like(attached(ctx, args, results), output)


def prepare(cls, ctx, inputs, output):
    """Run the author's ``setup_context`` without recording it."""
    with Scope((thread_state.set_grad_enabled, False)):
        cls.setup_context(ctx, inputs, output)


def attached(ctx, args, results):
    """The outputs, with their places in the graph."""
    ctx._stage = DONE
    saved, dirty = ctx.to_save or (), ctx.dirty_tensors or ()
    constant = {*map(id, ctx.non_differentiable or ())}
    if not ctx._records:
        return results
    tensors = first_places([x for x in args if isinstance(x, Tensor)])
    for x in dirty:
        check(f"{ctx._forward_cls.__name__}.apply", x)
        if x._is_view():
            raise error("MG117", f"{ctx._forward_cls.__name__}: mark_dirty of a view, inside func.grad, vjp or jacrev, "
                                 "is not supported. clone() it first.")
    ctx._arguments = tuple([shape_and_dtype(x) for x in args])
    ctx._results = tuple([shape_and_dtype(x) for x in results])
    ctx._set_n_outputs(len(results))
    for nr, x in enumerate(results):
        if differentiable(x) and id(x) not in constant:
            if id(x) in tensors:
                rebase_in_function(x, ctx, nr, tensors[id(x)])
            else:
                ctx._attach(x, nr)
    ctx._save(tuple(saved))
    ctx.to_save = ctx.saved_for_forward = ctx.dirty_tensors = ctx.non_differentiable = ctx.constants = None
    return results


# ------------------------------------------------------------------------------ forward mode

def carried(cls, args, level):
    """``cls.apply(*args)`` at a Jvp level.

    The output; and for each of its tensors a tangent, or None, and the argument that it is, if forward has written to
    it: that has its new tangent already.
    """
    check_separate(cls)
    written = Written(args, level)
    primals = tuple([lowered(x, level) for x in args])
    output = cls.apply(*primals)
    results = as_tuple(output)
    ctx = cls._backward_cls()
    ctx.needs_input_grad = tuple([isinstance(x, Tensor) and x._level == level for x in args])
    prepare(cls, ctx, primals, output)
    ctx._stage = DONE
    tangents = [with_room(x) if isinstance(x, Tensor) and x._level == level else None for x in args]
    given = tangents
    if ctx.materialize_grads:
        given = [roomy_zeros(x, level) if t is None and differentiable(x) else t for t, x in zip(tangents, primals)]
    ctx.saved_for_forward = ctx.saved_for_forward or ()
    returned = as_tuple(ctx.apply_jvp(*given))
    if len(returned) != len(results):
        raise other_number_of_tangents(cls, len(results), len(returned))
    for x, t in zip(results, returned):
        if t is not None and (not isinstance(t, Tensor) or not isinstance(x, Tensor) or t.shape != x.shape):
            raise error("MG107", f"{cls.__name__}.jvp: a tangent must be a tensor of the shape of its output, or None. "
                                 f"See {located(cls.jvp)}.")
    constant = [id(x) for x in ctx.non_differentiable or ()]
    changes = [t if differentiable(x) and id(x) not in constant else None for x, t in zip(results, returned)]
    owners = [written.owner(x) for x in results]
    for owner, change in zip(owners, changes):
        if owner is not None and differentiable(owner):
            give_tangent(owner, change, tangents, written, cls)
    return output, changes, owners


def give_tangent(x, change, tangents, written, cls):
    """Make ``change`` the tangent of an argument that forward has written to."""
    before = x._tangent if x._level == written.level else None
    if before is not None and change is not before:
        raise tangent_not_modified(f"See {located(cls.jvp)}.")
    if before is None and change is not None:
        written.lift(x, cls)
        x._tangent = own(change, tangents)


def other_number_of_tangents(cls, expected, got):
    return error("MG107", f"Function's jvp returned an invalid number of forward gradients (expected {expected} but "
                          f"got {got}): {cls.__name__}.jvp must return one for each output of forward. See "
                          f"{located(cls.jvp)}.")


# ------------------------------------------------------------------------------ vmap

def mapped(batch, cls, args, level):
    """``cls.apply(*args)`` at a Batch level: the output, made of payloads, and for each whether it has a batch axis."""
    check_separate(cls)
    own = cls.vmap is not Function.vmap
    if own and cls.generate_vmap_rule:
        raise ambiguous(cls)
    if not own and not cls.generate_vmap_rule:
        raise without_vmap(cls)
    flat, spec = flatten(args)              # tensors may be in lists, too
    of_level = [isinstance(x, Tensor) and x._level == level for x in flat]
    if not own:
        in_dims = unflatten([0 if mine else None for mine in of_level], spec)
        output = Mapping(cls, batch, in_dims).function.apply(*unflatten([lowered(x, level) for x in flat], spec))
        return output, [isinstance(x, Tensor) for x in as_tuple(output)]
    given = [batch.as_given(x._array) if mine else (x, None) for x, mine in zip(flat, of_level)]
    returned = cls.vmap(VmapInfo(batch.size, batch.randomness), unflatten([dim for _, dim in given], spec),
                        *unflatten([x for x, _ in given], spec))
    if not isinstance(returned, tuple) or len(returned) != 2:
        raise without_out_dims(cls, returned)
    output, out_dims = returned
    flat, spec = flatten(output)
    dims = leaves_like(out_dims, spec)
    if dims is None:
        raise incompatible(cls, out_dims, spec)
    of_batch = [dim is not None and isinstance(x, Tensor) for x, dim in zip(flat, dims)]
    moved = [movedim(x, dim, 0) if has_axis else x for x, dim, has_axis in zip(flat, dims, of_batch)]
    return like(moved, output), of_batch


def ambiguous(cls):
    return error("MG302", f"You tried to vmap over {cls.__name__}, but it has both generate_vmap_rule=True and an "
                          "overridden vmap staticmethod. Please set generate_vmap_rule=False or delete the overridden "
                          f"vmap staticmethod to avoid ambiguity. See {located(cls.vmap)}.")


def without_vmap(cls):
    return error("MG302", f"You tried to vmap over {cls.__name__}, but it does not have vmap support. Please override "
                          "and implement the vmap staticmethod or set generate_vmap_rule=True. See "
                          f"{located(cls.forward)}.")


def without_out_dims(cls, returned):
    got = f"{len(returned)} returns" if isinstance(returned, tuple) else f"a {type(returned)}"
    return error("MG302", "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree "
                          f"structure compatible with the output. Got {got} instead. See {located(cls.vmap)}.")


def incompatible(cls, out_dims, spec):
    return error("MG302", "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) "
                          f"tuple. Expected out_dims={out_dims} to be compatible with the structure of `output`. "
                          f"out_dims has structure {flatten(out_dims)[1]} but output has structure {spec}. See "
                          f"{located(cls.vmap)}.")


class StandInCtx(FunctionCtx):
    """A ctx that only records the author's declarations, and returns the values given to it."""

    to_save = saved_for_forward = dirty_tensors = non_differentiable = constants = None
    materialize_grads = True


class Mapping:
    """The Function ``function``, whose methods are those of ``cls`` under vmap.

    Arguments are mapped if their entry in ``in_dims`` is 0; for a list of tensors it is a list.
    """

    def __init__(self, cls, batch, in_dims):
        self.cls, self.batch, self.in_dims = cls, batch, in_dims
        body = {name: staticmethod(getattr(self, name)) for name in ("forward", "setup_context", "backward", "jvp")}
        body |= {"__module__": cls.__module__, "generate_vmap_rule": True}
        self.function = type(cls.__name__, (Function,), body)

    def run(self, function):
        """``function(up, level)`` in a level like the caller's; ``up(x, dim)`` lifts ``x`` to this level."""
        def up(x, dim):
            flat, spec = flatten(x)
            return unflatten([wrap_level(y, level, 1) if isinstance(y, Tensor) and d == 0 else y
                              for y, d in zip(flat, leaves(dim))], spec)

        with thread_state.Level(type(self.batch)(self.batch.size, self.batch.randomness)) as level:
            return function(up, level)

    def given_back(self, results, level):
        """The results of the level as payloads with the batch axis; anything that is not a tensor is unchanged."""
        return [front(lowered(x, level), x._level == level, self.batch.size) if isinstance(x, Tensor) else x
                for x in results]

    def forward(self, *args):
        def inside(up, level):
            output = self.cls.forward(*[up(x, dim) for x, dim in zip(args, self.in_dims)])
            results = self.given_back(as_tuple(output), level)
            # What is the same for all examples has been expanded; but a view would be taken for one of an argument.
            return like([clone(y) if isinstance(x, Tensor) and x._level != level else y
                         for x, y in zip(as_tuple(output), results)], output)
        return self.run(inside)

    def setup_context(self, ctx, inputs, output):
        noted = StandInCtx()

        def inside(up, level):
            given = tuple([up(x, dim) for x, dim in zip(inputs, self.in_dims)])
            results = [up(x, 0) for x in as_tuple(output)]
            noted.needs_input_grad = ctx.needs_input_grad
            self.cls.setup_context(noted, given, like(results, output))
            ctx.shapes = [tuple(x.shape) if isinstance(x, Tensor) else None for x in given]
            for method, attribute in SAID.items():
                tensors = getattr(noted, attribute)
                if tensors is not None:
                    getattr(ctx, method)(*[lowered(x, level) for x in tensors])
                    setattr(ctx, "of_" + attribute, [isinstance(x, Tensor) and x._level == level for x in tensors])
            ctx.set_materialize_grads(noted.materialize_grads)
            kept, ctx.kept_spec = flatten({name: x for name, x in vars(noted).items() if name not in NOTED})
            mine = [isinstance(x, Tensor) and x._level == level for x in kept]
            ctx.kept = [(lowered(x, level), 0 if m else None) for x, m in zip(kept, mine)]
        self.run(inside)

    def context(self, ctx, up, flags):
        """The ctx for the author's backward or jvp."""
        noted = StandInCtx()
        vars(noted).update(unflatten([up(x, dim) for x, dim in ctx.kept], ctx.kept_spec))
        noted.needs_input_grad = ctx.needs_input_grad
        noted.saved_tensors = tuple([up(x, 0 if m else None) for x, m in zip(ctx.saved_tensors, flags)])
        return noted

    def backward(self, ctx, *gradients):
        def inside(up, level):
            noted = self.context(ctx, up, getattr(ctx, "of_to_save", ()))
            found = as_tuple(self.cls._get_user_fn()(noted, *[up(g, 0) for g in gradients]))
            n = len(self.in_dims)
            return [self.summed(g, shape, dim, level)
                    for g, shape, dim in zip(found, ctx.shapes, self.in_dims)] + list(found[n:])
        return tuple(self.run(inside))

    def summed(self, g, shape, dim, level):
        """The gradient of one argument; if the argument is the same for all examples, the sum over the batch."""
        if g is None or shape is None:
            return g
        g = g if tuple(g.shape) == shape else sum_to(g, shape)
        own = g._level == level
        if dim is not None:
            return front(lowered(g, level), own, self.batch.size)
        return sum_dim(g._array, 0) if own else g * self.batch.size

    def jvp(self, ctx, *tangents):
        def inside(up, level):
            noted = self.context(ctx, up, getattr(ctx, "of_saved_for_forward", ()))
            found = self.cls.jvp(noted, *[up(t, dim) for t, dim in zip(tangents, self.in_dims)])
            return like(self.given_back(as_tuple(found), level), found)
        return self.run(inside)


#: the declarations to a ctx, and where a StandInCtx keeps them
SAID = {"save_for_backward": "to_save", "save_for_forward": "saved_for_forward", "mark_dirty": "dirty_tensors",
        "mark_non_differentiable": "non_differentiable", "mark_constant": "constants"}
#: the attributes that a StandInCtx uses itself
NOTED = (*SAID.values(), "materialize_grads", "needs_input_grad", "_stage")
