"""Teach autograd an operation of your own: its value in `forward`, its derivative in `backward`.

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 3

        @staticmethod
        def backward(ctx, d):            # d = the gradient of the loss with respect to the output
            x, = ctx.saved_tensors
            return 3 * x ** 2 * d        # one gradient for each argument of forward

    y = Cube.apply(x)

One idea: `ctx` *is* the node of the graph.  `apply` makes the node, runs `forward` without recording it, and attaches
the outputs to the node; later the engine calls the node, and the node calls `backward`:

    x ----> forward(ctx, x) ----> y            y.grad_fn is ctx
    gx <--- backward(ctx, d) <--- d            ctx.next_functions leads on to x

- ``context``: the methods of `ctx`, and how it runs `backward`
- ``settling``: the outputs of `forward` get their place in the graph

`gradcheck` tells whether a derivative is right.
"""

import functools
import inspect

from minigrad._core.errors import error, located, warn
from minigrad._core.forward.dual_tensors import is_open, paused
from minigrad._core.frontends.function_apply import usual
from minigrad._core.graph import Node, Tensor
from minigrad._core.graph.function_node import PyNode, run_forward
from minigrad._core.runtime.provided import provide
from minigrad._core.runtime.thread_state import interpreter, is_grad_enabled, levels
from minigrad.autograd.function.context import BackwardCFunction, FunctionCtx
from minigrad.autograd.function.settling import finish, look_at_attributes, tangents_of, versions_of
from minigrad.autograd.grad_mode import no_grad

__all__ = [
    "FunctionCtx",
    "BackwardCFunction",
    "FunctionMeta",
    "Function",
    "once_differentiable",
    "InplaceFunction",
    "NestedIOFunction",
]


# ------------------------------------------------------------------------------ Function and apply


class FunctionMeta(type):
    """Gives each Function the class of its nodes, `_backward_cls`, named `<Name>Backward`."""

    def __init__(cls, name, bases, namespace):
        super().__init__(name, bases, namespace)
        cls._backward_cls = type(name + "Backward", (BackwardCFunction,), {"_forward_cls": cls})


class Function(FunctionCtx, metaclass=FunctionMeta):
    """Base class of operations with a hand-written derivative.

    Subclass it, write `forward` and `backward` as static methods, and call `MyFunction.apply(...)`.

    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     def backward(ctx, d):
    ...         x, = ctx.saved_tensors
    ...         return 2 * x * d
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = Square.apply(x)
    >>> y
    tensor([1., 4.], grad_fn=<SquareBackward>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([2., 4.])

    See also: `FunctionCtx` (what `ctx` can do), `once_differentiable`, `gradcheck`.
    """

    generate_vmap_rule = False

    #: Free the saved tensors as soon as `backward` has read `ctx.saved_tensors`, which it may then do only once.
    clear_saved_tensors_on_access = False

    def __init__(self, *args, **kwargs):
        warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future "
            "version of PyTorch.",
            DeprecationWarning,
        )

    def __call__(self, *args, **kwargs):
        name = type(self).__name__
        raise legacy_call(name)

    @staticmethod
    def forward(*args, **kwargs):
        """Compute the value: `forward(ctx, *arguments)`, or `forward(*arguments)` if there is a `setup_context`.

        It is not recorded.  It returns a tensor or a tuple, in which anything that is not a tensor is left as it is.
        """
        raise error("MG305", "You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Prepare `ctx` after a `forward` that does not take it; `inputs` is the tuple of forward's arguments.

        >>> class Square(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(x):
        ...         return x * x
        ...     @staticmethod
        ...     def setup_context(ctx, inputs, output):
        ...         ctx.save_for_backward(*inputs)
        ...     @staticmethod
        ...     def backward(ctx, d):
        ...         x, = ctx.saved_tensors
        ...         return 2 * x * d
        >>> torch.func.grad(Square.apply)(torch.tensor(3.))
        tensor(6.)
        """
        raise error("MG305", "setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *gradients):
        """Compute the gradients: one argument for each output of `forward`, one result for each of its arguments.

        Return None for an argument that is not a tensor or needs no gradient (see `ctx.needs_input_grad`).  A gradient
        may have the shape to which its input was broadcast: it is summed to the input's shape.
        """
        raise without_backward(ctx)

    vjp = backward  # another name for it: a Function defines one of the two

    @staticmethod
    def jvp(ctx, *tangents):
        """Compute the tangents of the outputs: one argument for each argument of `forward`, one result for each output.

        It is called right after `forward`; `ctx.saved_tensors` then holds the tensors given to `ctx.save_for_forward`.
        If a tensor has no tangent, jvp receives zeros (None after `ctx.set_materialize_grads(False)`); for any other
        argument it receives None.  If forward modifies an argument in place, jvp must modify its tangent in place; if
        forward returns a view of an argument, jvp must return a view of its tangent.

        >>> class Cube(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_forward(x)
        ...         return x ** 3
        ...     @staticmethod
        ...     def jvp(ctx, t):
        ...         x, = ctx.saved_tensors
        ...         return 3 * x ** 2 * t
        >>> fwAD = torch.autograd.forward_ad
        >>> with fwAD.dual_level():
        ...     fwAD.unpack_dual(Cube.apply(fwAD.make_dual(torch.tensor(2.), torch.tensor(1.)))).tangent
        tensor(12.)
        """
        raise without_jvp()

    @staticmethod
    def vmap(info, in_dims, *args):
        """Compute the operation for a whole batch at once, and return `(output, out_dims)`.

        `info` has vmap's `batch_size` and `randomness`; `in_dims` has the batch axis of each argument, or None.

        >>> class Flipped(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(x):
        ...         return x.flip(0)
        ...     @staticmethod
        ...     def setup_context(ctx, inputs, output):
        ...         pass
        ...     @staticmethod
        ...     def vmap(info, in_dims, x):
        ...         return x.movedim(in_dims[0], 0).flip(1), 0
        >>> torch.vmap(Flipped.apply)(torch.tensor([[1., 2.], [3., 4.]]))
        tensor([[2., 1.],
                [4., 3.]])
        """
        raise without_vmap()

    @classmethod
    def _is_separate(cls):
        """Is forward written without ctx, and accompanied by a setup_context?"""
        return cls.setup_context is not Function.setup_context

    @classmethod
    def _get_user_fn(cls):
        """The author's `backward`, or `vjp`."""
        backward, vjp = cls.backward, cls.vjp
        if vjp is Function.vjp:
            return backward
        if backward is Function.backward:
            return vjp
        raise two_backwards(cls, backward, vjp)

    @classmethod
    def apply(cls, *args, **kwargs):
        """Run the operation and record it.  Keyword arguments take their places in forward's signature."""
        separate = cls.setup_context is not Function.setup_context
        if kwargs or separate:
            args = _positional(cls.forward, args, kwargs, separate)
        output = usual(cls, args, separate)
        if output is not NotImplemented:
            return output
        ctx = cls._backward_cls()
        ctx._begin(args)
        level = max([ctx._level, *_mapped_in(args)]) if levels() else ctx._level
        if level:
            return interpreter(level).apply_function(cls, args, level)
        if is_open() and (tangents := tangents_of(args)):
            with paused():
                return cls._run(ctx, args, separate, tangents)
        return cls._run(ctx, args, separate, None)

    # What `usual` leaves to Python (function_apply.pyx).
    _finish = staticmethod(finish)
    _look_at_attributes = staticmethod(look_at_attributes)

    @classmethod
    def _run(cls, ctx, args, separate, tangents):
        """Run forward without recording it, and settle its outputs."""
        versions = versions_of(args) if ctx._records else None
        return finish(ctx, args, versions, run_forward(cls, ctx, args, separate), tangents)


provide(no_vjp=Function.vjp)


def _mapped_in(tree):
    """The levels of ``vmap`` of tensors, also in lists: there they get no gradient, but each example has its own."""
    for x in tree.values() if isinstance(tree, dict) else tree:
        if isinstance(x, (list, tuple, dict)):
            yield from _mapped_in(x)
        elif isinstance(x, Tensor) and x._level and interpreter(x._level).maps:
            yield x._level


def _positional(forward, args, kwargs, separate):
    """Put keyword arguments in their places; a forward without ctx also gets its default values (as in PyTorch)."""
    code = getattr(forward, "__code__", None)
    if not kwargs and code is not None and len(args) == code.co_argcount and not code.co_kwonlyargcount:
        return args
    try:
        bound = inspect.signature(forward).bind(*(args if separate else (None, *args)), **kwargs)
    except TypeError as mismatch:
        text = f"forward() {mismatch}."
        if (separate and code is not None and code.co_varnames[:1] == ("ctx",)
                and code.co_argcount == len(args) + len(kwargs) + 1):
            text += (" If there is a setup_context, forward takes no ctx: drop it here, and move what it does with ctx "
                     "to setup_context(ctx, inputs, output).")
        raise error("MG303", f"{text} See {located(forward)}.") from None
    if separate:
        bound.apply_defaults()
    if any(isinstance(x, Tensor) and x._level for x in (*bound.args, *bound.kwargs.values())) and bound.kwargs:
        raise keyword_in_a_transform(bound, forward)
    if bound.kwargs:
        raise unexpected_keyword(bound, forward)
    return bound.args if separate else bound.args[1:]


# ------------------------------------------------------------------------------ differentiating only once


def once_differentiable(fn):
    """Decorate a `backward` that computes the right values but must not be differentiated itself.

    It then runs without being recorded, and a second derivative raises MG110 instead of being silently wrong.  Use it
    if backward computes with NumPy, or from saved intermediate results.

    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     @torch.autograd.function.once_differentiable
    ...     def backward(ctx, d):
    ...         return d * 2
    """

    @functools.wraps(fn)
    def wrapper(ctx, *gradients):
        refusing = _refusing_node(ctx, gradients) if is_grad_enabled() else None
        with no_grad():
            results = fn(ctx, *gradients)
        return results if refusing is None else _behind(refusing, results)

    wrapper.differentiates_once = True
    return wrapper


def _refusing_node(ctx, gradients):
    """A node that refuses to run, on the way to all that the results of `backward` may depend on; None if nothing."""
    depends = _any_requires_grad(gradients)
    if ctx._level:                          # the gradients are payloads, and what they depend on is on their level
        saved = ctx.saved_tensors
        if not depends and not _any_requires_grad(saved):
            return None
        node = Error()
        node._begin((*gradients, *saved))
    else:
        if not depends and not ctx._saves_history and not ctx._intermediates and not (
                ctx._intermediates_kept()):
            return None
        node = Error()
        node._begin_after(ctx, gradients)
    node.function, node.backward = Node.name(ctx), ctx._forward_cls._get_user_fn()
    return node


def _any_requires_grad(tensors):
    return any(isinstance(x, Tensor) and x.requires_grad for x in tensors)


def _behind(node, results):
    """The gradients, as outputs of the node."""
    outputs = results if isinstance(results, tuple) else (results,)
    outputs = [x.detach() if isinstance(x, Tensor) else x for x in outputs]
    node._set_n_outputs(len(outputs))
    for i, output in enumerate(outputs):
        if isinstance(output, Tensor):
            node._attach(output, i)
    return tuple(outputs) if isinstance(results, tuple) else outputs[0]


class Error(PyNode):
    """The node behind a gradient that must not be differentiated; it has PyTorch's name."""

    def _gradients(self, *gradients):
        """Refuse."""
        raise error(
            "MG110",
            "trying to differentiate twice a function that was marked with @once_differentiable: "
            f"{self.function} computes its gradient in a way that autograd does not record. Remove create_graph=True, "
            "or write that backward with differentiable operations and remove the decorator. See "
            f"{located(self.backward)}.",
        )


# ------------------------------------------------------------------------------ writes that were not declared


class UndeclaredWrite(Function):
    """A write to an argument without `mark_dirty`: a gradient that arrives here would be wrong.

    Note [Undeclared writes] in settling.py.
    """

    @staticmethod
    def forward(ctx, x, message):
        ctx.mark_dirty(x)
        ctx.message = message
        return x

    @staticmethod
    def backward(ctx, gradient):
        raise error("MG301", ctx.message)


Function._undeclared_write = UndeclaredWrite


# ------------------------------------------------------------------------------ for old programs


class InplaceFunction(Function):
    """`Function` with an `inplace` flag, for old programs; use `Function` itself."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """A Function whose arguments and results are nested lists, tuples and dicts of tensors, for old programs.

    Write `forward_extended(ctx, *arguments)` and `backward_extended(ctx, *gradients)` as static methods; the latter
    receives gradients that are nested like the result, and returns one (nested) gradient for each argument.

    >>> class Doubled(torch.autograd.NestedIOFunction):
    ...     @staticmethod
    ...     def forward_extended(ctx, pair):
    ...         return {"first": pair[0] * 2, "second": pair[1] * 2}
    ...     @staticmethod
    ...     def backward_extended(ctx, gradients):
    ...         return [gradients["first"] * 2, gradients["second"] * 2]
    >>> x = torch.ones(2, requires_grad=True)
    >>> Doubled.apply([x, x])["first"].sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """

    @classmethod
    def apply(cls, *arguments):
        """Run the operation and record it."""
        *flat, shape = super().apply(arguments, *_tensors(arguments))
        return _fill(shape, iter(flat))

    @staticmethod
    def forward(ctx, arguments, *flat):
        """Call `forward_extended` and flatten its result; the last output holds the structure."""
        result = ctx._forward_cls.forward_extended(ctx, *arguments)
        ctx._nesting = _hollow(arguments), _hollow(result)
        return *_tensors(result), ctx._nesting[1]

    @staticmethod
    def backward(ctx, *gradients):
        """Nest the gradients like the result, and call `backward_extended`."""
        arguments, result = ctx._nesting
        nested = _fill(result, iter(gradients))
        nested = ctx._forward_cls.backward_extended(ctx, *(nested if isinstance(result, tuple) else (nested,)))
        return None, *_aligned(arguments, nested if isinstance(nested, tuple) else (nested,))

    @staticmethod
    def forward_extended(ctx, *arguments):
        """Compute the value."""
        raise error("MG305", "You must implement forward_extended for a NestedIOFunction.")

    @staticmethod
    def backward_extended(ctx, *gradients):
        """Compute the gradients."""
        raise error("MG305", "You must implement backward_extended for a NestedIOFunction.")


_HOLE = object()  # marks the place of a tensor in a structure without its tensors


def _map(change, nested):
    """Apply `change` to everything that is not a list, tuple or dict."""
    if isinstance(nested, dict):
        return {key: _map(change, value) for key, value in nested.items()}
    if isinstance(nested, (list, tuple)):
        values = [_map(change, value) for value in nested]
        return type(nested)(*values) if hasattr(nested, "_fields") else type(nested)(values)
    return change(nested)


def _tensors(nested):
    found = []
    _map(lambda leaf: found.append(leaf) if isinstance(leaf, Tensor) else None, nested)
    return found


def _hollow(nested):
    return _map(lambda leaf: _HOLE if isinstance(leaf, Tensor) else leaf, nested)


def _fill(hollow, leaves):
    return _map(lambda leaf: next(leaves) if leaf is _HOLE else leaf, hollow)


def _aligned(hollow, gradients):
    """The gradients at the holes, in order; one None is enough for a whole branch."""
    if hollow is _HOLE:
        return [gradients]
    if isinstance(hollow, dict):
        gradients = None if gradients is None else [gradients.get(key) for key in hollow]
        hollow = list(hollow.values())
    if not isinstance(hollow, (list, tuple)):
        return []
    gradients = [None] * len(hollow) if gradients is None else gradients
    return [leaf for branch, gradient in zip(hollow, gradients) for leaf in _aligned(branch, gradient)]


# ------------------------------------------------------------------------------ errors


def legacy_call(name):
    return error(
        "MG302",
        "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
        f"function with static forward method: write {name}.apply(...) instead of {name}()(...).",
    )


def without_backward(ctx):
    return error(
        "MG305",
        "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
        f"backward mode AD: {ctx._forward_cls.__name__} has neither. See {located(ctx._forward_cls.forward)}.",
    )


def without_jvp():
    return error(
        "MG305",
        "You must implement the jvp function for custom autograd.Function to use it with forward mode AD.",
    )


def without_vmap():
    return error(
        "MG305",
        "To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
        "generate_vmap_rule=True.",
    )


def two_backwards(cls, backward, vjp):
    return error(
        "MG302",
        "Implementing both 'backward' and 'vjp' for a custom Function is not allowed: they are two names for the "
        f"same thing. You should only implement one of them in {cls.__name__}. See {located(backward)}, and "
        f"{located(vjp)}.",
    )


def keyword_in_a_transform(bound, forward):
    return error("MG305", "Run vmap on autograd.Function with kwarg-only Tensor args. Please do not pass kwarg-only "
                          f"Tensors to autograd.Function. Got: {bound.kwargs}. See {located(forward)}.")


def unexpected_keyword(bound, forward):
    return error(
        "MG303",
        f"forward() got an unexpected keyword argument {next(iter(bound.kwargs))!r}: backward returns one gradient "
        "for each positional argument, so apply takes only arguments that forward can take by position. See "
        f"{located(forward)}.",
    )
