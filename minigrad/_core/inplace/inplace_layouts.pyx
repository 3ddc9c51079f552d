"""In-place forms of views: ``x.t_()``, ``x.unsqueeze_(0)``, ``x.resize_(2, 2)``.

No number is written, so this is not the protocol of write.pyx: a tensor gets another view of its own memory.  As with
a write, the history gets a node, and the version is counted, as it is in PyTorch: what was saved of the tensor is no
longer what it was.

::

    x            [[0, 1, 2],        memory  0 1 2 3 4 5,  shape (2, 3),  strides (3, 1)
                  [3, 4, 5]]
    x.t_()       [[0, 3],           memory  0 1 2 3 4 5,  shape (3, 2),  strides (1, 3)
                  [1, 4],
                  [2, 5]]

Note [Another layout for the same tensor]
-----------------------------------------
The layout of a tensor is not a value, so it is recorded even under `no_grad`: otherwise a gradient would arrive in the
new layout and be taken for one in the old.  What happens depends on where the history of the tensor is::

    a view        its history is that of its base: where grad mode is on it gets the node of the operation; under
                  no_grad it gets none, and catches up when it is next used (Note [Views] in view_history.pyx)
    a result      it gets the node of the operation, under no_grad too
    a leaf        it has no history; a graph that leads to it from before can no longer be differentiated

In a transform there may be no memory to look at: func/inplace_layouts.py.
"""

from minigrad._core.dispatch.call cimport record, the_interpreter
from minigrad._core.dispatch.compute cimport run_anywhere
from minigrad._core.dispatch.op cimport MAX_PARAMS, Op
from minigrad._core.forward.dual_tensors import set_tangent
from minigrad._core.graph cimport (Node, Tensor, View, catch_up, check_inference, count_write, lay_otherwise,
                                   may_require, new_tensor, new_view, version_of)
from minigrad._core.graph.hook_lists cimport replace_history
from minigrad._core.graph.saved_tensor_hooks cimport before_write
from minigrad._core.graph.view_geometry cimport part_of_tensor, shows
from minigrad._core.inplace.write_checks cimport check_history
from minigrad._core.runtime.python_api cimport PyObject, PyTuple_GET_ITEM
from minigrad._core.runtime.thread_state cimport State, records, state


cdef object alter(Op op, Tensor target, tuple args):
    """`target` becomes `op(target, *args)`, where `op` is a view row, and stays the same object."""
    cdef State* st = state()
    cdef tuple full = (target,) + args
    cdef PyObject* raw[MAX_PARAMS]
    cdef View v
    cdef int i
    cdef bint dual
    cdef bint recorded
    cdef object tangent = None, array
    if target.level:
        check_inference(target, st)
        return the_interpreter(op, target.level).alter(op, [target, *args], target.level)
    check_target(op, target, st)
    array = target.payload              # Note [Operands are owned] in call.pyx
    for i in range(op.n_params):
        raw[i] = PyTuple_GET_ITEM(full, i)
    raw[0] = <PyObject*>array
    result = run_anywhere(op, raw)
    dual = target.view is not None and (<View>target.view).dual
    if st.forward and target.tangent is not None and (target.view is None or dual):
        # By where it lies, as for a view: the tangent may lie in memory in another way.
        tangent = part_of_tensor(target.tangent, result, target.payload)

    # The history, and what others keep of the tensor as it is.
    recorded = target.requires_grad_ and (records(st) if target.view is not None else target.node is not None)
    if recorded:
        record_layout(op, target, full, result)
        if target.view is None and not shows(result, target.payload):
            target.holes_have_history = True    # elements in holes have one: Note [Holes] in view_history.pyx
    if target.version is not None and target.version.keepers != NULL:
        before_write(target.version)
    lay_otherwise(target)

    # The tensor itself: its tangent, its array, and how it is a view of its base.
    if tangent is not None:
        set_tangent(target, tangent)
    target.payload = result
    if target.view is not None:
        v = new_view(target, op, full[1:], "")
        if dual:
            v.owner = None              # it owns its tangent as before
            v.dual = True
        target.view = v
    count_write(version_of(target))
    if target.view is not None and recorded:
        v.at = target.version.value
    return target


cdef Tensor old_self(Tensor target, object payload):
    """`target` as it is before the write."""
    cdef Tensor t = new_tensor(payload)
    t.node = target.node
    t.nr = target.nr
    t.requires_grad_ = target.requires_grad_
    t.version = version_of(target)
    return t


cdef int check_target(Op op, Tensor target, State* st) except -1:
    """Raise if `target` cannot get another layout."""
    check_inference(target, st)
    if records(st) and may_require(target):
        check_history(op.written, target)
        catch_up(target)
    return 0


cdef int record_layout(Op op, Tensor target, tuple full, object result) except -1:
    """Record the view, from the tensor as it is to the tensor as it will be."""
    cdef PyObject* bound[MAX_PARAMS]
    cdef Tensor before = old_self(target, target.payload)
    cdef Tensor out = new_tensor(result)
    cdef int i
    for i in range(op.n_params):
        bound[i] = PyTuple_GET_ITEM(full, i)
    bound[0] = <PyObject*>before
    record(op, bound, 1, out, None, True)
    (<Node>out.node).in_place = True
    return replace_history(target, <Node>out.node, 0)
