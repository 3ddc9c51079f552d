"""``torch.library``: functions of your own that are operators by name.

A :func:`custom_op` is called as the function it is made of.  What it computes is hidden from autograd, as in PyTorch:
its derivative is what ``register_autograd`` is told, and without one there is none.
"""

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.runtime.thread_state import is_grad_enabled
from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.autograd.function import Function
from minigrad.autograd.grad_mode import no_grad

__all__ = ["CustomOpDef", "custom_op", "register_autograd"]

#: {name: the operator}
_DEFINED = {}


class CustomOpDef:
    """An operator of your own: see :func:`custom_op`."""

    def __init__(self, name, function):
        _DEFINED[name] = self
        self._qualname, self._function, self._backward, self._setup = name, function, None, None
        self.__name__, self.__doc__, self.__wrapped__ = function.__name__, function.__doc__, function

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"

    def __call__(self, *args, **kwargs):
        needs = is_grad_enabled() and any(isinstance(x, Tensor) and x.requires_grad for x in (*args, *kwargs.values()))
        if not needs:
            with no_grad():
                return self._function(*args, **kwargs)
        if kwargs:
            raise error("MG204", f"{self._qualname}: pass the arguments by their places where a gradient is needed, as "
                                 "register_autograd's backward returns a gradient for each place")
        return self._differentiable().apply(*args)

    def _differentiable(self):
        definition = self

        class Differentiable(Function):
            @staticmethod
            def forward(ctx, *args):
                output = definition._function(*args)
                if definition._setup is not None:
                    definition._setup(ctx, args, output)
                return output

            @staticmethod
            def backward(ctx, *grads):
                if definition._backward is None:
                    raise error("MG305", f"Trying to backward through {definition._qualname} but no autograd formula "
                                         "was registered. Please use register_autograd to add one.")
                return definition._backward(ctx, *grads)

        Differentiable.__name__ = Differentiable.__qualname__ = self.__name__
        return Differentiable

    def register_autograd(self, backward, /, *, setup_context=None):
        """The derivative: ``backward(ctx, *grads)`` returns a gradient for each argument, and ``setup_context(ctx,
        inputs, output)`` saves for it what it needs."""
        self._backward, self._setup = backward, setup_context

    def register_fake(self, fn, /):
        """The function itself: shapes are known when an operator has run, and nobody asks for them before."""
        return fn

    register_vmap = register_autocast = register_torch_dispatch = register_fake

    def register_kernel(self, device_types, fn=None, /):
        """The function for some devices; that for the CPU is used from now on."""
        def register(function):
            if device_types is None or "cpu" in ([device_types] if isinstance(device_types, str) else device_types):
                self._function = function
            return function
        return register if fn is None else register(fn)


def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    """Make a function of tensors an operator called ``"namespace::name"``: a decorator, or at once.

    >>> import numpy as np
    >>> @torch.library.custom_op("mine::sine", mutates_args=())
    ... def sine(x: torch.Tensor) -> torch.Tensor:
    ...     return torch.from_numpy(np.sin(x.numpy()))
    >>> sine.register_autograd(lambda ctx, grad: grad * ctx.saved_tensors[0].cos(),
    ...                        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))
    >>> x = torch.zeros(1, requires_grad=True)
    >>> sine(x).backward()
    >>> x.grad
    tensor([1.])
    """
    if name.count("::") != 1:
        raise error("MG207", f"custom_op: the name is 'namespace::name', not {name!r}")
    return CustomOpDef(name, fn) if fn is not None else lambda function: CustomOpDef(name, function)


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """The derivative of a :func:`custom_op`, which is named, or given.

    That of an operator of PyTorch's core is not asked for: a call of ``torch.ops`` raises.
    """
    definition = op if isinstance(op, CustomOpDef) else _DEFINED.get(op)
    if definition is not None:
        definition.register_autograd(backward, setup_context=setup_context)


__getattr__ = _incomplete(__name__, {})
