"""Have a say in what the graph keeps for backward: pack tensors when they are saved, unpack them when they are needed.

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        loss = model(x)              # every tensor that a node saves goes through pack ...
    loss.backward()                  # ... and comes back through unpack, wherever this line is

Most of the memory that training takes is not the model: it is what the nodes save.  What is saved can be kept in
another form instead, on disk, compressed, in half precision, or as a note of how to compute it again.

    ===================================  ==========================================================================
    ``saved_tensors_hooks``              the two functions are yours
    ``save_on_cpu``                      kept in the CPU's memory until backward
    ``disable_saved_tensors_hooks``      refuse hooks inside the block: for code that would not work with them
    ``allow_mutation_on_saved_tensors``  keep as it is, and copy when somebody is about to write to it
    ===================================  ==========================================================================

One idea: a thread has a stack of pairs of functions (kept in `minigrad._core.modes`), and a node that saves a tensor
asks the innermost pair.  What comes back from unpacking is put at the old place in the graph again, so that it can be
differentiated twice although a file on disk knows no history: Note [Packed tensors] in `minigrad/_core/packing.pyx`.
When hooks run, and in which order, is said in docs/notes/order.

The names are offered in `minigrad.autograd.graph`.
"""

import contextlib
import weakref
from _thread import _local           # what threading.local is, without the rest of threading

from minigrad._core.errors import error
from minigrad._core.modes import disable_saved_hooks, pop_saved_hooks, push_saved_hooks, saved_hooks_depth

__all__ = ["allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "save_on_cpu", "saved_tensors_hooks"]


class saved_tensors_hooks:
    """Pack each tensor that is saved for backward inside the block, and unpack it when a backward pass needs it.

    ``pack_hook(tensor)`` returns anything; that is what the graph keeps. ``unpack_hook`` is given it and returns the
    tensor again, equal to the one that was packed. Both run once for each saved tensor and each use: what a node saves,
    what a custom Function saves with ``save_for_backward``, and what ``node._saved_...`` shows. Numbers are not packed.

    Only the innermost pair of nested blocks is asked; blocks of other threads have no effect here. A pack hook is
    called without recording, and receives a leaf that requires grad as it is, and a proxy on the same memory for
    anything else: returning what came in is safe. It must not write to it.

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

    Raises: TypeError where a hook is not callable, or ``unpack_hook`` returns no tensor; RuntimeError where it returns
    one of another shape, or ``pack_hook`` writes to its input.
    """

    def __init__(self, pack_hook, unpack_hook):
        for name, hook in (("pack_hook", pack_hook), ("unpack_hook", unpack_hook)):
            if not callable(hook):
                raise error("MG123", f"{type(self).__name__}(): {name} must be a function of one argument, not "
                                     f"{type(hook).__name__}")
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self):
        push_saved_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, kind, value, traceback):
        if not saved_hooks_depth():
            raise error("MG122", f"{type(self).__name__}: this thread leaves a block of saved-tensor hooks that it has "
                                 "not entered")
        pop_saved_hooks()


class save_on_cpu(saved_tensors_hooks):
    """Keep what is saved inside the block in the memory of the CPU, and bring it back to its device for backward.

    A tensor that is on the CPU already is kept as it is, without a copy. With ``pin_memory=True`` it is copied all the
    same, as in PyTorch, which copies to pages that a device can read directly; there are no such pages here.
    ``device_type`` names the kind of device that pinned memory is for.

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


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message):
    """Refuse saved-tensor hooks inside the block: entering one raises RuntimeError with ``error_message``.

    It is for code that could not work with them. Under hooks that are active already, it raises itself.

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
    before = disable_saved_hooks(error_message)
    try:
        yield
    finally:
        disable_saved_hooks(before)


class _AllowMutationOnSavedContext:
    """What one ``allow_mutation_on_saved_tensors`` block keeps: it is there to be looked at.

    ``original`` holds what nodes saved and nobody has written to, ``cloned`` what was copied before a write. Both
    forget what the graph has let go of; ``clear()`` lets go of the rest, and a backward pass that needs it raises.
    """

    def __init__(self):
        self.original = weakref.WeakSet()
        self.cloned = weakref.WeakSet()

    def clear(self):
        """Let go of everything that is kept."""
        for kept in (*self.original, *self.cloned):
            kept.let_go()
        self.original.clear()
        self.cloned.clear()

    # The core calls these two: when a node saves a tensor, and when it was copied because of a write.

    def _keep(self, kept):
        self.original.add(kept)

    def _copied(self, kept):
        self.original.discard(kept)
        self.cloned.add(kept)


_thread = _local()


@contextlib.contextmanager
def allow_mutation_on_saved_tensors():
    """Allow writes to tensors that were saved for backward: a copy is made before the first write to each.

    Otherwise such a write makes the backward pass raise. Inside the block the pass sees the values of before, also
    where the write goes through a view of the memory, at any offset. Forward and backward both belong inside the block:
    what it kept is let go of when it ends.

    Returns an object with the state (``original``, ``cloned``), cleared at the end.

    Writes that have no version, through ``.data`` or NumPy, go unnoticed here too.

    Raises: RuntimeError where blocks are nested; AssertionError (here a RuntimeError as well) for a backward pass after
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
    if getattr(_thread, "open", False):
        raise error("MG122", "allow_mutation_on_saved_tensors contexts cannot be nested: the outer one already "
                    "allows it")
    context = _AllowMutationOnSavedContext()
    push_saved_hooks(context, None)
    _thread.open = True
    try:
        yield context
    finally:
        _thread.open = False
        pop_saved_hooks()
        context.clear()
