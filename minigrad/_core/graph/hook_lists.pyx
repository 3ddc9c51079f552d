"""What tensors and nodes carry besides the graph: hooks, retained gradients, the notes of anomaly mode.

The hooks of a tensor that is not a leaf run when its gradient is complete.  Only its node sees that, so the node knows
them too, by the number of the output::

    y.register_hook(f)      y.hooks  TensorHooks  <-----+
                            y.grad_fn.hooks.tensors[0] -+

A node that saved its own output makes a new Tensor of it for a formula; that one finds the same hooks there.  The
classes are in graph.pyx.

Here hooks are kept.  autograd/graph/hooks.py registers them, and backward/hooks.pyx runs them in a pass.
"""

import weakref

from minigrad._core.graph cimport (Node, NodeHooks, Tensor, TensorHooks, catch_up, grad_dtype_of, hooks_of,
                                   later)
from minigrad._core.runtime.source_lines cimport users_stack
from minigrad._core.runtime.thread_state cimport State, state


def node_hooks(Node node not None):
    """The hooks of ``node``, made if there are none; the dictionaries are live."""
    return hooks_of(node)


def tensor_hooks(Tensor t not None):
    """The hooks of ``t``, made if there are none; its node, if any, is told of them."""
    return hooks_of_tensor(t)


def gradient_hooks(Tensor t not None):
    """The functions that ``t.register_hook`` was given."""
    return () if t.hooks is None else tuple((<TensorHooks>t.hooks).before.values())


cdef TensorHooks hooks_of_tensor(Tensor t):
    cdef dict known
    catch_up(t)
    if t.hooks is None:
        if t.node is None:
            t.hooks = TensorHooks.__new__(TensorHooks)
        else:                           # another object may be the same output: a saved one, put together again
            known = hooks_of(<Node>t.node).tensors
            t.hooks = known.get(t.nr) or TensorHooks.__new__(TensorHooks)
            known[t.nr] = t.hooks
    return <TensorHooks>t.hooks


cdef int replace_history(Tensor t, Node n, int nr) except -1:
    """`t` was written to: its value is now output `nr` of `n`.

    Hooks registered so far belong to the old value; a retained gradient follows the new one.
    """
    cdef bint retain = t.node is not None and t.hooks is not None and (<TensorHooks>t.hooks).retain
    if retain:
        hooks_of(<Node>t.node).retained.pop(t.nr, None)
    t.node = n
    t.nr = nr
    t.level = n.level
    t.requires_grad_ = True
    t.hooks = None
    if retain:
        keep_grad(t)
    return 0


# ------------------------------------------------------------------------------ retained gradients

cdef int keep_grad(Tensor t) except -1:
    """The node of `t` must keep the gradient of `t` in its .grad."""
    hooks_of_tensor(t).retain = True
    hooks_of(<Node>t.node).retained[t.nr] = weakref.ref(t)
    return 0


later.keep_grad = keep_grad


# ------------------------------------------------------------------------------ the dtype of a gradient

def get_grad_dtype(Tensor t not None):
    """The dtype of .grad of a leaf; None if that may be any."""
    return grad_dtype_of(t, None)


def set_grad_dtype(Tensor t not None, dtype):
    """Gradients of the leaf ``t`` are cast to ``dtype`` from now on; None leaves them as they are."""
    cdef TensorHooks hooks = hooks_of_tensor(t)
    hooks.casts, hooks.grad_dtype = dtype is not t.dtype, dtype


# ------------------------------------------------------------------------------ anomaly mode

cdef int note_origin(Node n) except -1:
    """In anomaly mode: remember where the user's program made the node, and which node's backward it was made in."""
    cdef State* st = state()
    cdef dict metadata = hooks_of(n).metadata
    metadata["traceback_"] = users_stack()
    if st.evaluating != NULL:
        metadata["parent_"] = <object>st.evaluating
    return 0


def noted_traceback(Node n not None):
    """The lines that anomaly mode noted when the node was made, or None; the node itself does not change."""
    return None if n.hooks is None else n.hooks.metadata.get("traceback_")
