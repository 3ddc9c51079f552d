"""Look at the graph, and stand beside a backward pass: nodes and hooks.

``y.grad_fn`` is a :class:`Node`; ``next_functions`` leads from it towards the leaves.  A hook is a
function that a backward pass calls with a gradient on its way:

=============================================  ============================================================
``tensor.register_hook(f)``                    ``f(grad)`` before the gradient of ``tensor`` is used
``leaf.register_post_accumulate_grad_hook(f)`` ``f(leaf)`` after ``leaf.grad`` was added to
``node.register_prehook(f)``                   ``f(grad_outputs)`` before the node runs
``node.register_hook(f)``                      ``f(grad_inputs, grad_outputs)`` after it has run
=============================================  ============================================================

At one node they run in this order: the tensors' hooks, in the order of the output numbers and then of
registration; what ``retain_grad`` asks for; the node's prehooks; the node; its hooks.  A hook that
returns a tensor (or a tuple of them, for nodes) replaces what it received.
"""

import weakref

from minigrad._core.errors import error
from minigrad._core.graph import Node, Tensor, accumulator_of, attach, node_hooks, tensor_hooks

__all__ = ["GradientEdge", "Node", "RemovableHandle", "get_gradient_edge"]


class RemovableHandle:
    """What registering a hook returns: ``remove()`` takes the hook away again; leaving a ``with`` block does too."""

    _next_id = 0

    def __init__(self, hooks, owner, hook):
        self.id = RemovableHandle._next_id
        RemovableHandle._next_id += 1
        self._hooks = hooks
        self._owner = weakref.ref(owner) if isinstance(owner, Tensor) else None
        hooks[self.id] = hook

    def remove(self):
        """Take the hook away; a second call does nothing."""
        self._hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()


def register_hook(self, hook):
    """Call ``hook(grad)`` in every backward pass, when the gradient of this tensor is known and before it is used.

    What the hook returns, if it is not None, takes the gradient's place.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> handle = x.register_hook(lambda grad: grad * 10)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([20., 40.])
    >>> handle.remove()
    """
    if not self.requires_grad:
        raise error("MG103", "cannot register a hook on a tensor that doesn't require gradient: no gradient will ever come by")
    return RemovableHandle(tensor_hooks(self).before, self, hook)


def register_post_accumulate_grad_hook(self, hook):
    """Call ``hook(tensor)`` after a backward pass has added to ``.grad`` of this leaf.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> handle = x.register_post_accumulate_grad_hook(lambda leaf: print("grad is", leaf.grad))
    >>> (x * x).sum().backward()
    grad is tensor([2., 4.])
    """
    if not self.requires_grad:
        raise error("MG103", "cannot register a hook on a tensor that doesn't require gradient: no gradient will ever come by")
    if not self.is_leaf:
        raise error("MG119", "post accumulate grad hooks cannot be registered on non-leaf tensors: only leaves accumulate. Use register_hook.")
    return RemovableHandle(tensor_hooks(self).after, self, hook)


def _node_register_hook(self, hook):
    """Call ``hook(grad_inputs, grad_outputs)`` after this node has run; a tuple that it returns replaces ``grad_inputs``."""
    return RemovableHandle(node_hooks(self).after, self, hook)


def _node_register_prehook(self, hook):
    """Call ``hook(grad_outputs)`` before this node runs; a tuple that it returns replaces them."""
    return RemovableHandle(node_hooks(self).before, self, hook)


class GradientEdge(tuple):
    """Where the gradient of a tensor goes: ``(node, output_nr)``."""

    __slots__ = ()
    node = property(lambda self: self[0])
    output_nr = property(lambda self: self[1])


def get_gradient_edge(tensor):
    """The :class:`GradientEdge` of a tensor that requires grad.

    >>> x = torch.tensor(1., requires_grad=True)
    >>> torch.autograd.graph.get_gradient_edge(x * 2).node.name()
    'MulBackward0'
    """
    if not tensor.requires_grad:
        raise error("MG103", "It is not possible to get the gradient edge for a Tensor that does not require gradients.")
    return GradientEdge(accumulator_of(tensor))


for _function in (register_hook, register_post_accumulate_grad_hook):
    _function.__qualname__ = f"Tensor.{_function.__name__}"
    attach(_function.__name__, _function)
attach("register_hook", _node_register_hook, Node)
attach("register_prehook", _node_register_prehook, Node)
