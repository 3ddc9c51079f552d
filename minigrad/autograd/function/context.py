"""`ctx`, the node of a custom Function: it takes the declarations of `forward`, and later runs `backward`.

Its two halves, in the order in which they are used:

- `FunctionCtx`: in forward, the author declares what to save and how to treat outputs and arguments.
  These declarations take effect when forward has returned, in `Function.apply`.
- `BackwardCFunction`: in backward, the engine asks the node for its gradients (`_gradients`).  It fills in zeros for
  unused outputs, calls the author's `backward`, and checks the number, types and shapes of its results.  Its errors
  name the arguments as forward does.
"""


import numpy as np

from minigrad._core.errors import error, located, warn
from minigrad._core.graph import Node, Tensor, wrap
from minigrad._core.graph.function_node import PyNode
from minigrad._core.graph.saved_tensor_hooks import held_by

__all__ = ["DONE", "BackwardCFunction", "FunctionCtx", "argument_names"]

# The states of a ctx (function_node.pxd): open in forward, closed afterwards; `TWICE`, while a backward runs that is
# itself recorded, is known only there.
FORWARD, DONE = range(2)


# ------------------------------------------------------------------------------ the declarations of forward


class FunctionCtx:
    """The methods of `ctx`, with which `forward` (or `setup_context`) declares what `backward` will need.

    Each may be called once, and only there.  Anything but a tensor may be kept as an attribute: `ctx.k = 3`.
    """

    _stage = FORWARD

    def save_for_backward(self, *tensors):
        """Keep tensors, or None, for `backward`, which finds them in `ctx.saved_tensors`.

        Tensors saved this way are checked for in-place writes in between (MG101) and freed after backward, and a saved
        output makes no reference cycle.  Arguments and outputs may always be saved.  For second derivatives, an
        intermediate result must be recomputed in `backward`, or be an output as well.

        >>> class Exp(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         result = x.exp()
        ...         ctx.save_for_backward(result)
        ...         return result
        ...     @staticmethod
        ...     def backward(ctx, d):
        ...         result, = ctx.saved_tensors
        ...         return d * result
        >>> x = torch.zeros(2, requires_grad=True)
        >>> Exp.apply(x).sum().backward()
        >>> x.grad
        tensor([1., 1.])
        """
        _check_tensors(tensors, "MG303", "save_for_backward can only save variables", or_none=True)
        _declare(self, "save_for_backward", "to_save", tensors)

    def save_for_forward(self, *tensors):
        """Keep tensors, or None, for `jvp`, the derivative of forward mode."""
        _check_tensors(tensors, "MG303", "save_for_forward expects all arguments to be tensors", or_none=True)
        _declare(self, "save_for_forward", "saved_for_forward", tensors)

    def mark_dirty(self, *tensors):
        """Declare which arguments `forward` modifies in place; each must also be returned.

        >>> class AddOne(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.mark_dirty(x)
        ...         return x.add_(1)
        ...     @staticmethod
        ...     def backward(ctx, d):
        ...         return d
        >>> a = torch.zeros(2, requires_grad=True).clone()
        >>> AddOne.apply(a) is a
        True
        """
        _check_tensors(tensors, "MG301", "mark_dirty can only accept variables")
        _declare(self, "mark_dirty", "dirty_tensors", tensors)

    def mark_non_differentiable(self, *tensors):
        """Declare outputs that carry no gradient, such as the indices of a sort.

        `backward` still takes an argument for each, and receives zeros.

        >>> class Sort(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         values, order = x.sort()
        ...         ctx.mark_non_differentiable(order)
        ...         ctx.save_for_backward(order)
        ...         return values, order
        ...     @staticmethod
        ...     def backward(ctx, d, _):
        ...         order, = ctx.saved_tensors
        ...         return torch.zeros_like(d).index_add(0, order, d)
        >>> x = torch.tensor([3., 1., 2.], requires_grad=True)
        >>> Sort.apply(x)[0][0].backward()
        >>> x.grad
        tensor([0., 1., 0.])
        """
        _check_tensors(tensors, "MG301", "mark_non_differentiable only accepts variable arguments")
        _declare(self, "mark_non_differentiable", "non_differentiable", tensors)

    def mark_constant(self, *tensors):
        """Declare that saved tensors do not depend on the arguments (a dropout mask): no gradient flows through them.

        If a saved floating-point tensor is neither an argument nor an output, first derivatives are right; second
        derivatives are right only if it is such a constant.  Without this declaration, differentiating backward
        itself gives a warning.

        >>> class Mask(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         mask = torch.tensor([1., 0.])
        ...         ctx.save_for_backward(mask)
        ...         ctx.mark_constant(mask)
        ...         return x * mask
        ...     @staticmethod
        ...     def backward(ctx, d):
        ...         mask, = ctx.saved_tensors
        ...         return d * mask
        >>> x = torch.ones(2, requires_grad=True)
        >>> torch.autograd.grad(Mask.apply(x).sum(), x, create_graph=True)[0].detach()
        tensor([1., 0.])
        """
        _check_tensors(tensors, "MG301", "mark_constant only accepts tensors")
        _declare(self, "mark_constant", "constants", tensors)

    def mark_shared_storage(self, *pairs):
        """Deprecated, and without effect: shared memory is recognized without it."""
        warn("`mark_shared_storage` is deprecated. Tensors with shared storages are automatically tracked. Note that "
             "calls to `set_()` are not tracked",
             FutureWarning)

    def set_materialize_grads(self, value):
        """Choose what `backward` receives for an output that nothing used: zeros (True, the default) or None.

        >>> class Both(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.set_materialize_grads(False)
        ...         return x * 2, x * 3
        ...     @staticmethod
        ...     def backward(ctx, first, second):
        ...         print(first, second)
        ...         return first * 2
        >>> Both.apply(torch.tensor(1., requires_grad=True))[0].backward()
        tensor(1.) None
        """
        if value is not True and value is not False:
            raise error("MG303", f"set_materialize_grads: expected (bool), but got {type(value).__name__}")
        _check_open(self, "set_materialize_grads")
        self.materialize_grads = value


def _check_tensors(values, code, complaint, or_none=False):
    for i, value in enumerate(values):
        if not (isinstance(value, Tensor) or or_none and value is None):
            raise not_a_tensor(code, complaint, i, value)


def _check_open(ctx, method):
    if ctx._stage != FORWARD:
        raise called_too_late(method)


def _declare(ctx, method, attribute, tensors):
    _check_open(ctx, method)
    if getattr(ctx, attribute, None) is not None:
        raise declared_twice(method)
    setattr(ctx, attribute, tensors)


# ------------------------------------------------------------------------------ the node, in backward


class BackwardCFunction(PyNode, FunctionCtx):
    """The node of a custom Function and its `ctx`; each Function has a subclass of its own, `<Name>Backward`.

    Its fields, and what every call uses, are in `minigrad._core.graph.function_node`; here is what is rare, and what
    goes wrong.
    """

    _save_for_backward = FunctionCtx.save_for_backward

    def _once_saved(self):
        if self._looked:
            raise read_twice()
        saved = self._saved()
        self._looked = True
        self._let_go()
        return saved

    @property
    def saved_variables(self):
        """Deprecated: `saved_tensors`."""
        warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning)
        return self.saved_tensors

    def maybe_clear_saved_tensors(self):
        """Do nothing: the saved tensors are freed at the end of the pass, or at once with
        `clear_saved_tensors_on_access`."""

    def apply(self, *args):
        """Call the author's `backward` with these gradients, and return what it returns."""
        return self._forward_cls._get_user_fn()(self, *args)

    def _with_zeros(self, gradients):
        """The gradients that arrive, with zeros for those that are missing."""
        return tuple([wrap(np.zeros(*result)) if gradient is None and result is not None else gradient
                      for gradient, result in zip(gradients, self._results)])

    def _note_if_nothing_was_saved(self, failure, backward):
        """Backward has failed to unpack something: add a note if that was `saved_tensors`, and nothing was saved."""
        if not self._looked and not held_by(self) and reads_saved_tensors(backward):
            failure.add_note(f"({Node.name(self)}: ctx.saved_tensors is empty, because forward did not call "
                             f"ctx.save_for_backward(...). See {located(self._forward_cls.forward)}.)")

    def apply_jvp(self, *tangents):
        """Run the author's `jvp`; return the tangents of the outputs."""
        jvp = self._forward_cls.jvp
        try:
            return jvp(self, *tangents)
        except (ValueError, IndexError) as failure:
            if not self.saved_for_forward and reads_saved_tensors(jvp):
                failure.add_note(f"({Node.name(self)}: ctx.saved_tensors is empty in jvp, because forward did not call "
                                 f"ctx.save_for_forward(...). See {located(self._forward_cls.forward)}.)")
            raise

    def _checked(self, gradients):
        """Check the results of `backward` against the arguments of `forward`; keep those that belong to tensors."""
        if not isinstance(gradients, tuple):
            gradients = (gradients,)
        arguments = self._arguments
        if len(gradients) > len(arguments) and all(g is None for g in gradients[len(arguments) :]):
            gradients = gradients[: len(arguments)]
        if len(gradients) != len(arguments):
            raise _wrong_count(self, gradients)
        fitting = []
        for position, (argument, gradient) in enumerate(zip(arguments, gradients)):
            if argument is None:  # not a tensor
                if gradient is not None:
                    complaint = f"returned a gradient different than None at position {position + 1}"
                    raise _wrong_gradient(self, position,
                                          f"{complaint}, but the corresponding forward input was not a Variable")
                continue
            if gradient is not None and not self._needs[position]:
                if not isinstance(gradient, Tensor):
                    raise _wrong_gradient(self, position, f"expected Variable or None (got {type(gradient).__name__})")
                gradient = None                 # not needed: its shape does not matter
            if gradient is not None:
                _check_gradient(self, position, len(fitting), argument, gradient)
            fitting.append(gradient)
        return tuple(fitting)

    def _intermediates_kept(self):
        """The attributes that hold a tensor through which no second derivative flows."""
        return [*dict.fromkeys([f"ctx.{name}" for name, x in attributes_of(self)
                                if is_intermediate(x) and id(x) not in (self._innocent or ())])]

    def _warn_of_attributes(self, backward):
        kept = [] if hasattr(backward, "differentiates_once") else self._intermediates_kept()
        if kept:
            self._warn_of_intermediates(", ".join(kept))

    def _warn_of_intermediates(self, places=None):
        places = places or ", ".join(f"saved_tensors[{i}]" for i in self._intermediates)
        warn(
            f"{Node.name(self)}: backward is being differentiated itself, and {places} is neither an input nor an "
            "output of forward. No derivative flows through it, so second derivatives silently lack that part. "
            "Recompute it from the inputs in backward, or return it as an output of forward; if it does not depend on "
            "the inputs (a dropout mask), say so in forward with ctx.mark_constant(t); if there should be no second "
            "derivatives, decorate backward with @once_differentiable.",
        )


def reads_saved_tensors(function):
    return "saved_tensors" in getattr(getattr(function, "__code__", None), "co_names", ())


def is_intermediate(x):
    """A floating-point tensor without history: in forward, this is the result of a computation."""
    return x is not None and not x.requires_grad and x._array.dtype.kind in "fcV"


def attributes_of(ctx):
    """(name, tensor) of the tensors that ctx has as attributes, or in lists, tuples and dicts there."""
    waiting = list(vars(ctx).items())
    for name, value in waiting:                 # which grows meanwhile
        if isinstance(value, Tensor):
            yield name, value
        elif isinstance(value, (tuple, list, dict)) and len(waiting) < MOST_VALUES:
            waiting.extend([(name, each) for each in (value.values() if isinstance(value, dict) else value)])


#: in lists of lists of an attribute, which may hold themselves
MOST_VALUES = 10_000


def _check_gradient(node, position, index, argument, gradient):
    if not isinstance(gradient, Tensor):
        raise _wrong_gradient(node, position, f"expected Variable or None (got {type(gradient).__name__})")
    shape, dtype = argument
    got = tuple(gradient.shape)
    if got != shape and not _sums_to(got, shape):
        hint = " Its axes are in another order: a transpose is missing." if sorted(got) == sorted(shape) else ""
        raise _wrong_gradient(
            node,
            position,
            f"returned an invalid gradient at index {index} - got {list(got)} but expected shape compatible with "
            f"{list(shape)}.{hint}",
        )
    if dtype.kind != "c" and gradient.is_complex():
        raise _wrong_gradient(
            node,
            position,
            f"returned a complex gradient at index {index} for a real input. The gradient of a real input is real: "
            "return its real part (g.real)",
        )


def _sums_to(shape, smaller):
    """Does a sum over axes that broadcasting may have added or stretched lead from `shape` to `smaller`?"""
    added = len(shape) - len(smaller)
    return added >= 0 and all(n == m or n == 1 for n, m in zip(smaller, shape[added:]))


def argument_names(function, count):
    """The names of forward's arguments: `["x", "weight", "rest[0]", ...]`."""
    code = getattr(function.forward, "__code__", None)
    if code is None:
        return [f"argument {i}" for i in range(count)]
    first = 0 if function._is_separate() else 1  # without ctx
    names = list(code.co_varnames[first : code.co_argcount])
    rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount :][:1] or ("argument",)
    names += [f"{rest[0]}[{i}]" for i in range(count - len(names))]
    return names[:count]


def _wrong_count(node, gradients):
    names = argument_names(node._forward_cls, len(node._arguments))
    rest = [name for name, argument in zip(names, node._arguments) if argument is None]
    note = f" ({', '.join(rest)}: not a tensor, so None)" if rest else ""
    if len(gradients) == 1 and isinstance(gradients[0], list):
        note += ". It returned a list: write a tuple instead"
    return error(
        "MG107",
        f"function {Node.name(node)} returned an incorrect number of gradients (expected {len(names)}, got "
        f"{len(gradients)}): backward must return one for each argument of forward, in the same order: "
        f"{', '.join(names)}{note}. See {located(node._forward_cls._get_user_fn())}.",
    )


def _wrong_gradient(node, position, complaint):
    name = argument_names(node._forward_cls, len(node._arguments))[position]
    return error(
        "MG107",
        f"Function {Node.name(node)} {complaint.rstrip('.')}. It is the gradient for forward's argument {name!r}. See "
        f"{located(node._forward_cls._get_user_fn())}.",
    )


# ------------------------------------------------------------------------------ errors


def not_a_tensor(code, complaint, i, value):
    return error(
        code,
        f"{complaint}, but argument {i} is of type {type(value).__name__}. Pass each tensor as an "
        "argument of its own; anything else may be kept as an attribute: ctx.k = k",
    )


def called_too_late(method):
    return error(
        "MG301",
        f"ctx.{method}() was called after forward had returned, when it no longer has an effect. Call it inside "
        "forward() or setup_context().",
    )


def declared_twice(method):
    return error(
        "MG301",
        f"ctx.{method}() was called twice: the second call would replace the first. "
        "Call it once, with all tensors.",
    )


def read_twice():
    return error("MG301", "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is "
                          "set on the autograd.Function. Either access saved_tensors only once, or set "
                          "clear_saved_tensors_on_access=False.")
