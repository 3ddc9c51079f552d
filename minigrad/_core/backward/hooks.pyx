"""The user's code in a backward pass: hooks, and signal handlers.

A gradient on its way through a node meets hooks in this order::

      the cast to .grad_dtype   before_tensors
    hooks on the tensor                             tensor.register_hook
      retain_grad                                   (accumulate_grad.pyx)
    prehooks of the node        before_node         node.register_prehook
      the formulas, or the addition to .grad
    after .grad has grown       after_accumulating  leaf.register_post_accumulate_grad_hook
    hooks on the node           after_node          node.register_hook

Any of them may look at the gradient, and most may return another one, which the next hook then receives.

In a plain pass gradients are arrays, and in that of a transform tensors one level down; but hooks see Tensors of
the level.  So a gradient is put into a Tensor for them (`boxed`), and what they return is checked and taken out again
(`unboxed`): nothing of a wrong type, shape, dtype or transform gets into the pass.  The errors name the hook, and the
line where it is defined.

Here hooks are run.  autograd/graph/hooks.py registers them, and graph/hook_lists.pyx keeps them until then.
"""

from minigrad._core.backward.fitting cimport cast, fit_tensor
from minigrad._core.backward.nested_passes cimport heed_sender
from minigrad._core.backward.pass_state cimport Pass, each_output, wanted
from minigrad._core.errors import error, located
from minigrad._core.graph cimport Node, Tensor, TensorHooks, new_tensor
from minigrad._core.runtime.errstate cimport pause, resume
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyErr_CheckSignals, PyObject
from minigrad._core.runtime.thread_state cimport State, interpreter_of, state


# ------------------------------------------------------------------------------ calling it

cdef object ask(Pass p, object function, tuple arguments):
    """Call the user's code with NumPy's warnings as the user has them, and restore the grad mode afterwards."""
    pause(p.quiet)
    try:
        return function(*arguments)
    finally:
        resume(p.quiet)
        state().grad_off = p.grad_off


cdef object ask_hook(Pass p, str where, object hook, tuple received):
    """Call a hook, and tell a story of it."""
    cdef object returned = ask(p, hook, received)
    if p.story is not None:
        p.story.hook(p.running, where, hook, received, returned)
    return returned


cdef int hear_signals(Pass p, int grad_off) except -1:
    """Let Python's signal handlers run, so that Ctrl-C ends a pass between two nodes.

    They run in the modes of the code that called backward.
    """
    cdef State* st = state()
    pause(p.quiet)
    st.grad_off = grad_off
    try:
        PyErr_CheckSignals()
        if st.errand != NULL:
            heed_sender(st)
    finally:
        resume(p.quiet)
        st.grad_off = p.grad_off
    return 0


# ------------------------------------------------------------------------------ as Tensors, and back

cdef object boxed(Pass p, object x):
    """A gradient as hooks see it: a Tensor, of the same level as those on which they are."""
    cdef Tensor t
    if p.tensors and not p.on_payloads:
        return x
    t = new_tensor(x)
    t.level = p.level
    return t


cdef object unboxed(Pass p, object x):
    """A Tensor that has passed `check_level`, in the form in which gradients flow."""
    cdef Tensor t = <Tensor?>x
    return t.payload if not p.tensors or (p.on_payloads and t.level == p.level) else t


cdef tuple all_boxed(Pass p, object gradients):
    return tuple([None if x is None else boxed(p, x) for x in gradients])


cdef list all_unboxed(Pass p, object tensors):
    return [None if x is None else unboxed(p, x) for x in tensors]


cdef tuple arrived(Pass p, Node n, object g):
    """What has arrived at a node, as hooks see it: a tuple with one entry for each output."""
    return all_boxed(p, each_output(n, g))


# ------------------------------------------------------------------------------ before the node

cdef object tensor_hooks(Pass p, object hooks, object g):
    """The hooks of one tensor, in the order of registration, each on the result of the one before.

    A missing gradient is None, and they see that too.
    """
    cdef object t, changed
    if not hooks:
        return g
    t = None if g is None else boxed(p, g)
    for hook in list(hooks.values()):
        changed = ask_hook(p, "tensor", hook, (t,))
        if changed is not None:
            check_replacement(p, hook, changed, t, of_a_tensor)
            t = changed
    return None if t is None else unboxed(p, t)


cdef object before_tensors(Pass p, Node n, object g):
    """The hooks of the tensors that are outputs of `n`, in the order of their numbers; or those of its leaf."""
    cdef list gradients
    if n.accumulates:
        if (<Tensor>n.op).hooks is None:
            return g
        if (<TensorHooks>(<Tensor>n.op).hooks).casts and g is not None:
            g = in_grad_dtype(p, g, (<TensorHooks>(<Tensor>n.op).hooks).grad_dtype)
        return tensor_hooks(p, (<TensorHooks>(<Tensor>n.op).hooks).before, g)
    if n.hooks is None:
        return g
    gradients = list(each_output(n, g))
    for nr in sorted(n.hooks.tensors):
        gradients[nr] = tensor_hooks(p, (<TensorHooks>n.hooks.tensors[nr]).before, gradients[nr])
    if g is None:
        return None                     # they have seen it, and cannot make a gradient where there is none
    return gradients if n.several or n.n_outputs > 1 else gradients[0]


cdef object in_grad_dtype(Pass p, object g, object dtype):
    """The gradient of a leaf whose .grad_dtype was set, in that dtype; as it is for None."""
    if dtype is None:
        return g
    return fit_tensor(g, None, dtype) if p.tensors else cast(g, dtype.numpy.num)


cdef object before_node(Pass p, Node n, object g):
    """The prehooks of a node, each on what the one before made of the arrived gradients."""
    cdef tuple boxes = arrived(p, n, g)
    cdef list gradients
    for hook in list(n.hooks.before.values()):
        changed = ask_hook(p, "prehook", hook, (boxes,))
        if changed is not None:
            boxes = checked(p, hook, changed, boxes)
    if g is None or all([box is None for box in boxes]):
        return None
    gradients = all_unboxed(p, boxes)
    return gradients if n.several or n.n_outputs > 1 else gradients[0]


def pass_notes():
    """A dict for hooks, which lives as long as the innermost backward pass of this thread; None outside one."""
    cdef PyObject* task = state().task
    cdef Pass p
    if task == NULL:
        return None
    p = <Pass>task
    if p.notes is None:
        p.notes = {}
    return p.notes


def reaches_all_leaves():
    """False in a pass for given inputs alone, such as that of ``grad()``: other leaves get nothing in it."""
    cdef PyObject* task = state().task
    return task == NULL or not (<Pass>task).pruned


def hooks_to_run():
    """The hooks of every tensor whose gradient the running pass will compute, one dict for each tensor with hooks."""
    cdef PyObject* task = state().task
    cdef Pass p
    cdef Node n
    cdef Py_ssize_t i
    cdef list found = []
    if task == NULL:
        return found
    p = <Pass>task
    for i in range(p.n_nodes):
        n = <Node>p.nodes[i]
        if not wanted(p, n):
            continue
        if n.accumulates:
            if (<Tensor>n.op).hooks is not None:
                found.append((<TensorHooks>(<Tensor>n.op).hooks).before)
        elif n.hooks is not None:
            found += [(<TensorHooks>h).before for h in n.hooks.tensors.values()]
    return found


# ------------------------------------------------------------------------------ after the node

cdef tuple after_node(Pass p, Node n, tuple outgoing, tuple incoming):
    """The hooks on a node that has run; each may replace the gradients of its inputs."""
    for hook in list(n.hooks.after.values()):
        changed = ask_hook(p, "posthook", hook, (outgoing, incoming))
        if changed is not None:
            outgoing = checked(p, hook, changed, outgoing)
    return outgoing


cdef int after_accumulating(Pass p, Tensor leaf, TensorHooks hooks) except -1:
    """The hooks on a leaf whose .grad has grown.

    They return None, or the leaf itself, as ``lambda p: p.add_(p.grad, alpha=-lr)`` does.
    """
    for hook in list(hooks.after.values()):
        returned = ask_hook(p, "post-accumulate", hook, (leaf,))
        if returned is None or returned is leaf:
            continue
        if not isinstance(returned, Tensor):
            raise wrong_kind(hook, "Variable", returned, of_a_leaf)
        raise returns_a_tensor(hook)
    return 0


# ------------------------------------------------------------------------------ checking what comes back

cdef tuple checked(Pass p, object hook, object changed, tuple was):
    """What a hook on a node returned, if it may replace the gradients `was` that the hook received."""
    if not isinstance(changed, tuple):
        raise wrong_kind(hook, "tuple", changed, of_a_node)
    if len(changed) != len(was):
        raise wrong_value(hook, f" has returned an incorrect number of values (got {len(changed)}, but expected "
                                f"{len(was)})")
    for new, old in zip(changed, was):
        if new is not None:
            check_replacement(p, hook, new, old)
    return changed


cdef int check_replacement(Pass p, object hook, object new, object old, str advice="") except -1:
    """Raise if what the hook returned may not replace this one gradient."""
    if not isinstance(new, Tensor):
        raise wrong_kind(hook, "Variable", new, advice)
    if old is None:
        raise wrong_value(hook, ": can't replace a None gradient with a non-None value")
    if (<Tensor>new).payload is not None and new.device != old.device:
        raise wrong_value(hook, f" has changed the type of value (was {old.type()} got {new.type()})")
    check_level(p, new, hook)
    if tuple(new.shape) != tuple(old.shape):
        raise wrong_value(hook, f" has changed the size of value: the gradient had shape {list(old.shape)}, what the "
                                f"hook returned has {list(new.shape)}")
    if new.dtype is not old.dtype:
        raise wrong_value(hook, f" has changed the type of value (was {old.type()} got {new.type()})")
    return 0


cdef int check_level(Pass p, object gradient, object giver) except -1:
    """Raise if this pass cannot compute with a gradient that the user's code has returned.

    `giver` is a hook, or a node whose backward is the user's.  In a plain pass gradients are arrays, so a tensor that
    holds another tensor would be taken for something that it is not.
    """
    cdef Tensor t = <Tensor?>gradient
    if t.level == 0 and type(t.payload) is ndarray:
        return 0
    if t.payload is None or not p.tensors or (t.level != p.level and interpreter_of(t.level) is None):
        raise wrong_level(t, giver)
    return 0


# ------------------------------------------------------------------------------ what the errors say

# What each kind of hook is to return.
cdef str of_a_tensor = (": a hook on a tensor returns a Tensor that takes the gradient's place, or None to leave it as "
                        "it is")
cdef str of_a_node = ": a hook on a node returns None, or a tuple with one gradient (or None) for each that it received"
cdef str of_a_leaf = ": a post accumulate grad hook should return None"


cdef object called(object hook):
    return getattr(hook, "__name__", hook)


cdef object wrong_kind(object hook, str expected, object returned, str advice):
    return error("MG121", f"expected {expected}, but hook returned '{type(returned).__name__}'{advice}. "
                          f"See {located(hook)}.")


cdef object wrong_value(object hook, str what):
    return error("MG119", f"hook '{called(hook)}'{what}. See {located(hook)}.")


cdef object wrong_level(Tensor t, object giver):
    """Why the pass cannot compute with `t`."""
    if isinstance(giver, Node):
        who = f"{Node.name(giver)}: its backward"
    else:
        who = f"hook '{called(giver)}' (see {located(giver)})"
    if t.payload is None:
        return error("MG114", f"{who} has returned a Tensor without data, made by __new__ alone: use torch.tensor(...)")
    if t.level == 0:
        return error("MG407", f"{who} has returned a gradient on the device {t.device}, but the pass is on another one")
    if interpreter_of(t.level) is None:
        return error("MG117", f"{who} has returned a tensor that comes from a transform (vmap, grad, jvp ...) that has "
                              "already ended. Return it from the transformed function instead of storing it elsewhere.")
    return error("MG117", f"{who} has returned a tensor of a transform (vmap, grad, jvp), but the pass differentiates "
                          "ordinary tensors from outside it. Give that tensor to autograd.grad as grad_outputs, or "
                          "differentiate with torch.func.vjp.")


cdef object returns_a_tensor(object hook):
    return error("MG119", f"Tensor post accumulate grad hooks should return None. See {located(hook)}.")
