"""Hooks on tensors and nodes: how a program registers them, and the handles that remove them.

A hook is a function that a backward pass calls with the gradients that it computes:

=============================================  ============================================================
``tensor.register_hook(f)``                    ``f(grad)`` before the gradient of ``tensor`` is used
``leaf.register_post_accumulate_grad_hook(f)`` ``f(leaf)`` after ``leaf.grad`` was added to
``node.register_prehook(f)``                   ``f(grad_outputs)`` before the node runs
``node.register_hook(f)``                      ``f(grad_inputs, grad_outputs)`` after it has run
``register_multi_grad_hook(tensors, f)``       ``f(grads)`` when the gradients of all of ``tensors`` are known
=============================================  ============================================================

A hook that returns a tensor (for nodes, a tuple of tensors) replaces what it received.  Each registration
returns a :class:`~minigrad.autograd.graph.RemovableHandle`.  :doc:`/notes/order` describes the order in which hooks
run.

Registered here, hooks are kept with their tensors and nodes in ``_core/graph/hook_lists.pyx``, and
``_core/backward/hooks.pyx`` calls them in a pass.
"""

import weakref
from collections import OrderedDict

from minigrad._core.backward.hooks import hooks_to_run, pass_notes
from minigrad._core.errors import error
from minigrad._core.graph import Node, Tensor
from minigrad._core.graph.hook_lists import node_hooks, tensor_hooks
from minigrad._core.graph.type_objects import attach

__all__ = ["RemovableHandle", "register_hook", "register_multi_grad_hook", "register_post_accumulate_grad_hook"]


# ------------------------------------------------------------------------------ handles

class RemovableHandle:
    """The handle of a registered hook: ``remove()`` removes the hook, and so does the end of a ``with`` block.

    The handle refers to the dictionary of hooks weakly, so keeping a handle keeps neither the hook nor a graph alive.
    A second ``remove()``, or one after the tensor has been freed, does nothing.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> with x.register_hook(lambda grad: grad * 10):
    ...     (x * x).sum().backward()
    >>> (x * x).sum().backward()
    >>> x.grad                                        # 10 * 2x, then 2x
    tensor([22., 44.])
    """

    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        extra = [] if extra_dict is None else extra_dict if isinstance(extra_dict, list) else [extra_dict]
        self.extra_dict_ref = tuple(map(weakref.ref, extra))
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    def __getstate__(self):
        """What a copy or a pickle of an object with hooks and handles takes along: the dictionaries themselves."""
        return self.id, *(reference() for reference in (self.hooks_dict_ref, *self.extra_dict_ref))

    def __setstate__(self, state):
        self.id, hooks, *extra = state
        self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
        self.extra_dict_ref = tuple(weakref.ref(each) for each in extra if each is not None)
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)

    def remove(self):
        """Remove the hook; a second call does nothing."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.remove()


class _MultiHandle(RemovableHandle):
    """Several handles as one."""

    def __init__(self, handles):
        self.handles = handles

    def remove(self):
        for handle in self.handles:
            handle.remove()


def _register(hooks, hook, where):
    if not callable(hook):
        raise hook_not_callable(where, hook)
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


# ------------------------------------------------------------------------------ hooks on tensors

def _check_requires_grad(tensor):
    if not tensor.requires_grad:
        raise hook_without_gradient()


def register_hook(self, hook):
    """Call ``hook(grad)`` in every backward pass, when the gradient of this tensor is known and before it is used.

    The hook may return a tensor of the same shape and dtype, which replaces the gradient, or None.  It should not write
    to the gradient that it receives, which may belong to other tensors too.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> handle = x.register_hook(lambda grad: grad * 10)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([20., 40.])
    >>> handle.remove()
    """
    _check_requires_grad(self)
    return _register(tensor_hooks(self).before, hook, "register_hook")


def register_post_accumulate_grad_hook(self, hook):
    """Call ``hook(tensor)`` after a backward pass has added to ``.grad`` of this leaf.  The hook returns None.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> handle = x.register_post_accumulate_grad_hook(lambda leaf: print("grad is", leaf.grad))
    >>> (x * x).sum().backward()
    grad is tensor([2., 4.])
    """
    _check_requires_grad(self)
    if not self.is_leaf:
        raise not_a_leaf()
    return _register(tensor_hooks(self).after, hook, "register_post_accumulate_grad_hook")


# ------------------------------------------------------------------------------ hooks on nodes

def _node_register_hook(self, fn):
    """Call ``fn(grad_inputs, grad_outputs)`` after this node has run; if ``fn`` returns a tuple, it replaces
    ``grad_inputs``.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = x.clone()
    >>> handle = y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: (grad_outputs[0] * 2,))
    >>> y.sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """
    return _register(node_hooks(self).after, fn, "register_hook")


def _node_register_prehook(self, fn):
    """Call ``fn(grad_outputs)`` before this node runs; if ``fn`` returns a tuple, it replaces ``grad_outputs``.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = x.clone()
    >>> handle = y.grad_fn.register_prehook(lambda grad_outputs: (grad_outputs[0] * 2,))
    >>> y.sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """
    return _register(node_hooks(self).before, fn, "register_prehook")


def _register_hook_dict(self, tensor):
    """Let the hooks of ``tensor`` see the gradients that arrive at this node for the tensor's output number."""
    if not isinstance(tensor, Tensor):
        raise error("MG205", f"_register_hook_dict(): the argument must be a Tensor, not {type(tensor).__name__}")
    own = tensor_hooks(tensor)
    known = node_hooks(self).tensors.setdefault(tensor.output_nr, own)
    if known is not own:
        known.before.update(own.before)


# ------------------------------------------------------------------------------ hooks on several tensors

class _Group:
    """The state that the tensors of one call of register_multi_grad_hook share.

    The progress of a pass is kept in the notes of the pass itself: they are freed with it however it ends, and nested
    passes and passes in other threads have their own.  Nothing here refers to a node, which would make a cycle.
    """

    def __init__(self, function, size):
        self.function = function
        self.size = size


class _All(_Group):
    def receive(self, place, grad):
        gathered = pass_notes().get(self)
        if gathered is None:
            gathered = pass_notes()[self] = _Gathered(self)
        gathered.grads[place] = grad
        gathered.missing -= 1
        if not gathered.missing:
            del pass_notes()[self]
            self.function(gathered.grads)


class _Any(_Group):
    def receive(self, place, grad):
        if self not in pass_notes():
            pass_notes()[self] = True
            self.function(grad)


class _Gathered:
    """The gradients that have arrived so far, and the number of hooks that this pass has yet to run."""

    def __init__(self, group):
        self.grads = [None] * group.size
        self.missing = sum(isinstance(hook, _Member) and hook.group is group for hooks in hooks_to_run()
                           for hook in hooks.values())


class _Member:
    """The hook of the tensor at ``place`` in a group."""

    def __init__(self, group, place):
        self.group = group
        self.place = place

    def __call__(self, grad):
        self.group.receive(self.place, grad)


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """Call ``fn`` once in every backward pass, for several tensors together.

    With ``mode="all"``, ``fn(grads)`` is called when the last of their gradients is known, with a list that has a
    gradient for each tensor, in order.  It does not wait for tensors that are not part of the pass, or not needed for
    its ``inputs``; their entry is None.  With ``mode="any"``, ``fn(grad)`` is called with the first gradient that
    arrives.  The result of ``fn`` is ignored, and it should not write to the gradients.

    Returns a handle whose ``remove()`` removes the hook from all the tensors.

    Raises: RuntimeError if a tensor does not require grad (``mode="any"`` ignores such tensors); ValueError for another
    mode.

    >>> a, b = torch.rand(2, 3, requires_grad=True), torch.rand(2, 3, requires_grad=True)
    >>> c = a * b
    >>> d = a * b
    >>> def fn(grads):
    ...     print([g is not None for g in grads])
    >>> handle = torch.autograd.graph.register_multi_grad_hook((a, b, c, d), fn)
    >>> c.sum().backward(retain_graph=True)
    [True, True, True, False]
    >>> c.sum().backward(inputs=(a,), retain_graph=True)
    [True, False, True, False]
    """
    if mode not in ("all", "any"):
        raise error("MG207", f"Expects mode to be one of ('all', 'any') but got {mode}")
    if not callable(fn):
        raise group_hook_not_callable(fn)
    tensors = list(tensors)
    for place, tensor in enumerate(tensors):
        if not isinstance(tensor, Tensor):
            raise not_a_tensor(place, tensor)
        if mode == "all" and not tensor.requires_grad:
            raise member_without_gradient(place)
    group = (_All if mode == "all" else _Any)(fn, len(tensors))
    return _MultiHandle(tuple([register_hook(tensor, _Member(group, place)) for place, tensor in enumerate(tensors)
                               if tensor.requires_grad]))


for _function in (register_hook, register_post_accumulate_grad_hook):
    _function.__qualname__ = f"Tensor.{_function.__name__}"
    attach(_function.__name__, _function)
for _name, _function in (("register_hook", _node_register_hook), ("register_prehook", _node_register_prehook),
                         ("_register_hook_dict", _register_hook_dict)):
    _function.__name__, _function.__qualname__ = _name, f"Node.{_name}"
    attach(_name, _function, Node)


# ------------------------------------------------------------------------------ errors


def hook_not_callable(where, hook):
    return error("MG121", f"{where}(): the hook is a '{type(hook).__name__}' object, and a '{type(hook).__name__}' "
                          "object is not callable")


def hook_without_gradient():
    return error("MG103", "cannot register a hook on a tensor that doesn't require gradient: no gradient will ever "
                          "come by")


def not_a_leaf():
    return error("MG119", "post accumulate grad hooks cannot be registered on non-leaf tensors: only leaves "
                          "accumulate. Use register_hook.")


def group_hook_not_callable(fn):
    return error("MG121", f"register_multi_grad_hook(): fn is a '{type(fn).__name__}' object, and a "
                          f"'{type(fn).__name__}' object is not callable")


def not_a_tensor(place, tensor):
    return error("MG205", f"register_multi_grad_hook(): tensors[{place}] must be a Tensor, not "
                          f"'{type(tensor).__name__}'")


def member_without_gradient(place):
    return error("MG103", f"Expected gradient function to be set: tensors[{place}] does not require grad, so no "
                          "gradient will ever arrive")
