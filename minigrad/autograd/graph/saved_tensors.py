"""Decide how the graph keeps tensors for backward: pack them when they are saved, unpack them when they are needed.

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        loss = model(x)              # every tensor that a node saves goes through pack ...
    loss.backward()                  # ... and comes back through unpack, wherever this line is

Most of the memory in training goes not to the model but to the tensors that nodes save.  These can be kept in another
form instead: on disk, compressed, in half precision, or as a recipe for computing them again.

    ===================================  ==========================================================================
    ``saved_tensors_hooks``              pack and unpack with two functions of your own
    ``save_on_cpu``                      kept in the CPU's memory until backward
    ``disable_saved_tensors_hooks``      refuse hooks inside the block: for code that would not work with them
    ``allow_mutation_on_saved_tensors``  keep the tensor itself, and copy it just before it is written to
    ===================================  ==========================================================================

One idea: a thread has a stack of pairs of functions (kept in `minigrad._core.runtime.thread_state`), and a node that
saves a tensor uses the innermost pair.  An unpacked tensor returns to its old place in the graph, so that it can be
differentiated twice although a file on disk has no history: Note [Packed tensors] in
`minigrad/_core/graph/saved_tensor_hooks.pyx`.  docs/notes/order describes when hooks run, and in which order.

`minigrad.autograd.graph` exports these names.
"""

import weakref
from _thread import _local           # the same as threading.local, without the rest of threading

from minigrad._core.errors import error
from minigrad._core.runtime.scopes import Block
from minigrad._core.runtime.thread_state import SavedHooks, disable_saved_hooks, saved_hooks_alone

__all__ = ["allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "save_on_cpu", "saved_tensors_hooks"]


class saved_tensors_hooks(SavedHooks):
    """Pack each tensor that is saved for backward inside the block, and unpack it when a backward pass needs it.

    ``pack_hook(tensor)`` returns any object, which the graph keeps. ``unpack_hook`` receives this object and returns a
    tensor equal to the one that was packed. They apply to the tensors saved by a node, or by a custom Function with
    ``save_for_backward``, and to those shown by ``node._saved_...``; packing runs once for each saved tensor, and
    unpacking once for each use. Numbers are not packed.

    Only the innermost of nested blocks counts, and blocks of other threads have no effect here. A pack hook is
    called without recording. It receives a leaf that requires grad itself, and for any other tensor a proxy on the same
    memory: returning its argument is safe, but it must not write to it.

    >>> def pack_hook(x):
    ...     print("Packing", x)
    ...     return x.detach()
    >>> def unpack_hook(x):
    ...     print("Unpacking", x)
    ...     return x
    >>> a = torch.ones(5, requires_grad=True)
    >>> b = torch.ones(5, requires_grad=True) * 2
    >>> with torch.autograd.graph.saved_tensors_hooks(pack_hook, unpack_hook):
    ...     y = a * b
    Packing tensor([1., 1., 1., 1., 1.], requires_grad=True)
    Packing tensor([2., 2., 2., 2., 2.], grad_fn=<MulBackward0>)
    >>> y.sum().backward()
    Unpacking tensor([1., 1., 1., 1., 1.])
    Unpacking tensor([2., 2., 2., 2., 2.])

    Raises: TypeError if a hook is not callable, or ``unpack_hook`` does not return a tensor; RuntimeError if it returns
    one of another shape, or if ``pack_hook`` writes to its input.
    """

    def __init__(self, pack_hook, unpack_hook):
        for name, hook in (("pack_hook", pack_hook), ("unpack_hook", unpack_hook)):
            if not callable(hook):
                raise error("MG123", f"{type(self).__name__}(): {name} must be a function of one argument, not "
                                     f"{type(hook).__name__}")
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook


class save_on_cpu(saved_tensors_hooks):
    """Keep tensors saved inside the block in the memory of the CPU, and return them to their device for backward.

    A tensor that is already on the CPU is not copied, except with ``pin_memory=True``: PyTorch then copies to pages
    that a device can read directly, and minigrad makes an ordinary copy.
    ``device_type`` names the kind of device for which memory is pinned.

    >>> a, b = torch.ones(5, requires_grad=True), torch.ones(5, requires_grad=True)
    >>> with torch.autograd.graph.save_on_cpu():
    ...     y = a * b
    >>> y.sum().backward()
    >>> a.grad
    tensor([1., 1., 1., 1., 1.])
    """

    def __init__(self, pin_memory=False, device_type="cuda"):
        if not isinstance(device_type, str):
            raise error("MG205", f"save_on_cpu(): device_type must be a str, not {type(device_type).__name__}")

        def pack_to_cpu(tensor):
            on_cpu = tensor.cpu()
            return tensor.device, on_cpu.clone() if pin_memory and on_cpu is tensor else on_cpu

        def unpack_from_cpu(packed):
            device, tensor = packed
            return tensor.to(device, non_blocking=pin_memory)

        super().__init__(pack_to_cpu, unpack_from_cpu)


def disable_saved_tensors_hooks(error_message):
    """Refuse saved-tensor hooks inside the block: entering one raises RuntimeError with ``error_message``.

    Use it for code that does not work with such hooks. If hooks are already active, it raises an error itself.

    >>> message = "saved tensors default hooks are disabled"
    >>> with torch.autograd.graph.disable_saved_tensors_hooks(message):
    ...     with torch.autograd.graph.save_on_cpu():
    ...         pass
    Traceback (most recent call last):
    minigrad._core.errors.AutogradRuntimeError: saved tensors default hooks are disabled [MG122]
    """
    if not isinstance(error_message, str):
        raise error("MG205", f"disable_saved_tensors_hooks(): error_message must be a str, not "
                    f"{type(error_message).__name__}")
    return Block(lambda: [(disable_saved_hooks, error_message)])


class _AllowMutationOnSavedContext:
    """The tensors kept by an ``allow_mutation_on_saved_tensors`` block, for inspection.

    ``original`` holds saved tensors that have not been written to, ``cloned`` the copies made before a write. Both
    drop tensors that the graph has freed; ``clear()`` drops the rest, and a backward pass that needs them raises.
    """

    def __init__(self):
        self.original = weakref.WeakSet()
        self.cloned = weakref.WeakSet()

    def clear(self):
        """Free everything that is kept."""
        for kept in (*self.original, *self.cloned):
            kept.let_go()
        self.original.clear()
        self.cloned.clear()

    # The core calls the first when a node saves a tensor, and the second when a write has made it copy the tensor.

    def _keep(self, kept):
        self.original.add(kept)

    def _copied(self, kept):
        self.original.discard(kept)
        self.cloned.add(kept)


def allow_mutation_on_saved_tensors():
    """Allow writes to tensors that were saved for backward: a copy is made before the first write to each.

    Without it such a write makes the backward pass raise. Inside the block the pass uses the old values, even if the
    write goes through a view of the memory, at any offset. Forward and backward both belong inside the block, which
    frees the copies when it ends.

    Returns an object with the state (``original``, ``cloned``), which is cleared at the end.

    Writes that are not counted as versions, through ``.data`` or NumPy, go unnoticed here too.

    Raises: RuntimeError if blocks are nested; AssertionError (here also a RuntimeError) for a backward pass after
    the end.

    >>> with torch.autograd.graph.allow_mutation_on_saved_tensors():
    ...     a = torch.ones(2, 3, requires_grad=True)
    ...     b = a.clone()
    ...     out = (b ** 2).sum()
    ...     _ = b.sin_()
    ...     out.backward()
    >>> a.grad
    tensor([[2., 2., 2.],
            [2., 2., 2.]])
    """
    return _Allowing(_AllowMutationOnSavedContext())


class _Allowing(Block):
    """The block of ``allow_mutation_on_saved_tensors``."""

    def __init__(self, context):
        self.value = context

    def _recreate_cm(self):
        return type(self)(_AllowMutationOnSavedContext())

    def _changes(self):
        if getattr(_thread, "open", False):
            raise error("MG122", "allow_mutation_on_saved_tensors contexts cannot be nested: the outer one already "
                        "allows it")
        return [(saved_hooks_alone, self.value), (_thread.__dict__, "open", True)]

    def _left(self):
        self.value.clear()


_thread = _local()
