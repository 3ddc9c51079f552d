"""Calling a module: ``forward`` between its hooks.

    module(x)  =  forward pre-hooks, forward(x), forward hooks

A pre-hook sees, and may replace, the arguments; a hook the result.  Hooks on the backward pass see the gradients of the
results and of the arguments: see backward_hooks.py.  A module without any hook is called as directly as can be.

Hooks that concern all modules are kept here, and come first.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from minigrad._core.errors import error, warn
from minigrad.autograd.graph import RemovableHandle
from minigrad.nn.modules.backward_hooks import BackwardHooks, hook_node
from minigrad.nn.modules.states import registered

__all__ = ["Calls", "register_module_backward_hook", "register_module_forward_hook", "register_module_forward_pre_hook",
           "register_module_full_backward_hook", "register_module_full_backward_pre_hook"]


class AllModules:
    """The hooks that concern every module, in the places in which a module has its own."""

    def __init__(self):
        begin_hooks(self.__dict__)


def begin_hooks(own):
    """The dictionaries of hooks: from the number of a hook to the hook, and to whether it is called in some way."""
    for name in ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks",
                 "_forward_pre_hooks_with_kwargs", "_forward_hooks_with_kwargs", "_forward_hooks_always_called"):
        own[name] = OrderedDict()
    own["_is_full_backward_hook"] = None


all_modules = AllModules()
hooks_of_all = (all_modules._forward_hooks, all_modules._forward_pre_hooks, all_modules._backward_hooks,
                all_modules._backward_pre_hooks)


def without_forward(self, *args):
    """The error for a class that does not say what it computes."""
    raise error("MG305", f"Module [{type(self).__name__}] is missing the required \"forward\" function")


class Calls:
    """The part of Module that runs it."""

    #: what the module computes; every class defines it, with the arguments that it likes
    forward: Callable[..., Any] = without_forward

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        own = self.__dict__
        if (self._forward_hooks or own["_forward_pre_hooks"] or own["_backward_hooks"] or own["_backward_pre_hooks"]
                or any(hooks_of_all)):
            return self._call_with_hooks(args, kwargs)
        return self.forward(*args, **kwargs)

    def _call_with_hooks(self, args, kwargs):
        result, called = None, set()
        try:
            for owner, key, hook in each(self, "_forward_pre_hooks"):
                args, kwargs = after_pre_hook(self, hook, args, kwargs, key in owner._forward_pre_hooks_with_kwargs)
            watch, partial = self._backward_watch()
            if watch is not None:
                args = watch.inputs(args)
            result = self.forward(*args, **kwargs)
            for owner, key, hook in each(self, "_forward_hooks"):
                called.add(key)
                answer = hook(self, args, *([kwargs] if key in owner._forward_hooks_with_kwargs else []), result)
                result = result if answer is None else answer
            if watch is not None:
                result = watch.outputs(result)
            if partial:
                hook_node(self, partial, args, result)
            return result
        except Exception:
            self._call_the_always_called(called, args, kwargs, result)
            raise

    def _call_the_always_called(self, called, args, kwargs, result):
        """After an error: the forward hooks that are to run in any case, and have not."""
        for owner, key, hook in each(self, "_forward_hooks"):
            if key in owner._forward_hooks_always_called and key not in called:
                try:
                    answer = hook(self, args, *([kwargs] if key in owner._forward_hooks_with_kwargs else []), result)
                    result = result if answer is None else answer
                except Exception as second:
                    warn("module forward hook with ``always_call=True`` raised an exception that was silenced as "
                         f"another error was raised in forward: {second}")

    def _backward_watch(self):
        """What watches the gradients of this call, or None; and the hooks of the older kind."""
        full, partial = [], []
        for owner in (all_modules, self):
            (full if owner._is_full_backward_hook else partial).extend(owner._backward_hooks.values())
        before = [hook for _, _, hook in each(self, "_backward_pre_hooks")]
        return BackwardHooks(self, full, before) if full or before else None, partial

    # ------------------------------------------------------------------------------ registration

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Call ``hook(module, args)`` before each ``forward``; what it returns replaces the arguments.

        With ``with_kwargs`` it is ``hook(module, args, kwargs)``, and returns both.  Returns a handle to remove it.

        >>> relu = torch.nn.ReLU()
        >>> with relu.register_forward_pre_hook(lambda module, args: (-args[0],)):
        ...     relu(torch.tensor([-1., 2.]))
        tensor([1., 0.])
        """
        return register_forward_pre_hook(self, hook, prepend, with_kwargs)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        """Call ``hook(module, args, output)`` after each ``forward``; what it returns replaces the output.

        With ``with_kwargs`` it is ``hook(module, args, kwargs, output)``; with ``always_call`` it runs even after an
        error.  Returns a handle to remove it.

        >>> relu = torch.nn.ReLU()
        >>> with relu.register_forward_hook(lambda module, args, output: output * 10):
        ...     relu(torch.tensor([-1., 2.]))
        tensor([ 0., 20.])
        """
        return register_forward_hook(self, hook, prepend, with_kwargs, always_call)

    def register_full_backward_pre_hook(self, hook, prepend=False):
        """Call ``hook(module, grad_output)`` when the gradients of the module's results are known; it may return
        others."""
        return registered(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        """Call ``hook(module, grad_input, grad_output)`` when the gradients of the module's arguments are known; it
        may return other gradients of the arguments.

        >>> double = torch.nn.Identity()
        >>> handle = double.register_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 2,))
        >>> x = torch.ones(2, requires_grad=True)
        >>> double(x).sum().backward()
        >>> x.grad
        tensor([2., 2.])
        """
        return register_backward(self, hook, True, prepend)

    def register_backward_hook(self, hook):
        """The older form, on the last node only: prefer :meth:`register_full_backward_hook`."""
        return register_backward(self, hook, False)


# ------------------------------------------------------------------------------ how hooks are kept and called

def each(module, name):
    """(whose it is, its number, the hook): those of all modules, then the module's own."""
    return [(owner, key, hook) for owner in (all_modules, module) for key, hook in getattr(owner, name).items()]


def after_pre_hook(module, hook, args, kwargs, with_kwargs):
    """The arguments as the hook leaves them."""
    if not with_kwargs:
        answer = hook(module, args)
        if answer is None:
            return args, kwargs
        return answer if isinstance(answer, tuple) else (answer,), kwargs
    answer = hook(module, args, kwargs)
    if answer is None:
        return args, kwargs
    if not (isinstance(answer, tuple) and len(answer) == 2):
        raise error("MG119", "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got "
                             f"{answer}.")
    return answer


def register_forward_pre_hook(owner, hook, prepend, with_kwargs):
    handle = registered_with(owner._forward_pre_hooks, hook, prepend, owner._forward_pre_hooks_with_kwargs)
    if with_kwargs:
        owner._forward_pre_hooks_with_kwargs[handle.id] = True
    return handle


def register_forward_hook(owner, hook, prepend, with_kwargs, always_call):
    handle = registered_with(owner._forward_hooks, hook, prepend, owner._forward_hooks_with_kwargs,
                             owner._forward_hooks_always_called)
    if with_kwargs:
        owner._forward_hooks_with_kwargs[handle.id] = True
    if always_call:
        owner._forward_hooks_always_called[handle.id] = True
    return handle


def registered_with(hooks, hook, prepend, *ways):
    """The handle of a hook: it also removes what is known of the way in which the hook is called."""
    handle = RemovableHandle(hooks, extra_dict=[*ways])
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_backward(owner, hook, full, prepend=False):
    if owner._is_full_backward_hook is not None and owner._is_full_backward_hook != full and owner._backward_hooks:
        raise error("MG119", "Cannot use both regular backward hooks and full backward hooks on a single Module. "
                             "Please use only one of them.")
    owner._is_full_backward_hook = full
    return registered(owner._backward_hooks, hook, prepend)


# ------------------------------------------------------------------------------ hooks on all modules

def register_module_forward_pre_hook(hook):
    """Call ``hook(module, args)`` before the ``forward`` of any module."""
    return register_forward_pre_hook(all_modules, hook, False, False)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """Call ``hook(module, args, output)`` after the ``forward`` of any module."""
    return register_forward_hook(all_modules, hook, False, with_kwargs, always_call)


def register_module_full_backward_pre_hook(hook):
    """Call ``hook(module, grad_output)`` when the gradients of the results of any module are known."""
    return registered(all_modules._backward_pre_hooks, hook)


def register_module_full_backward_hook(hook):
    """Call ``hook(module, grad_input, grad_output)`` when the gradients of the arguments of any module are known."""
    return register_backward(all_modules, hook, True)


def register_module_backward_hook(hook):
    """The older form of :func:`register_module_full_backward_hook`."""
    return register_backward(all_modules, hook, False)
