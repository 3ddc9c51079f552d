"""Adding up gradients: on the way, in the buffers of nodes, and at the end, in ``.grad``.

Where a tensor was used twice, two gradients arrive, and its node sees their sum (`sum_two`).  The gradient of a leaf is
added to ``.grad`` (`accumulate`), and so is a copy of the gradient of a tensor for which ``retain_grad()`` was called
(`retain_all`).

It is faster to add into an array that is there than to make a new one, and to keep an array than to copy it.  The first
note says when that is allowed, and the last section which strides ``.grad`` has.

Note [What may be written to]
-----------------------------
A formula may hand on the array that it received (add sends it along both edges), or a part of what was saved.  So a
buffer is added to in place only if nothing else can see the array, and its reference count tells that::

    buffer of n ---1---> array <---1--- the variable that looks at it (`old` of deliver, or `mine` of put_away)

Likewise the last formula of a node may write its result over the gradient that the node received, if the variable of
`execute` is all that refers to it (`only_here` in engine.pyx).

A third reference is another buffer, a hook's tensor, or a saved tensor; and a view shares memory whatever its count is,
unless it shows the whole of an array that nothing else refers to (the gradient of W in x @ W.t() is one).  The count
depends on the variables that hold the array in `deliver`, `deliver_to_list` and `execute` (engine.pyx), and in
`put_away`: change these only with tests/autograd/test_layouts.py at hand.

Note [The lock of .grad]
------------------------
Adding to .grad means reading it, computing, and writing it back; meanwhile NumPy and Python let other threads run.  So
each tensor has a lock, its field `adding`: the number of the thread that adds to its .grad, or 0::

    thread 1   lock   read .grad = g ... g + 1 ... write   unlock
    thread 2   wait ........................................... lock   read .grad = g + 1 ...

* Hooks run without the lock, so they may wait for other threads that come to the same leaf.
* A thread that has the lock gets it again: a pass that a destructor begins meanwhile does not wait for itself.
* A waiting thread has released the GIL, and handles signals.
* In a forked process, the locks of threads that are not there do not count (Note [Numbers of threads] in
  thread_state.pyx).
"""

import math

import numpy as np

from minigrad._core.backward.hooks cimport after_accumulating
from minigrad._core.backward.pass_state cimport Pass
from minigrad._core.errors import error
from minigrad._core.graph cimport (Node, Tensor, TensorHooks, Version, check_inference, count_write, new_tensor,
                                   version_of)
from minigrad._core.graph.listener cimport OP
from minigrad._core.graph.saved_tensor_hooks cimport before_write
from minigrad._core.kernels.loops.numpy_loops cimport same_shape
from minigrad._core.kernels.loops.strided cimport add, add_into
from minigrad._core.kernels.shapes.memory_overlap cimport dense, repeats_itself
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_F_CONTIGUOUS, NPY_ARRAY_OWNDATA,
                                               NPY_ARRAY_WRITEABLE, PyArray_BASE, PyArray_CHKFLAGS, PyArray_DESCR,
                                               PyArray_DIMS, PyArray_ITEMSIZE, PyArray_NDIM, PyArray_SIZE,
                                               PyArray_STRIDES, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyErr_CheckSignals, PyObject, Py_REFCNT
from minigrad._core.runtime.thread_state cimport is_alive, state, thread_number

cdef extern from "runtime/platform.h":
    void mg_sleep(int microseconds) nogil

# ------------------------------------------------------------------------------ in a buffer

# The first gradient that arrives at a node is kept as it is; from the second on there are sums. In a pass on Tensors
# they are operations of the table, which create_graph records; in a pass on arrays, one call of NumPy's loop.

cdef inline bint ours(object g) noexcept:
    """True if only one holder besides the caller has a reference to the array.  See Note [What may be written to]."""
    cdef PyObject* owner
    if type(g) is not ndarray or Py_REFCNT(<PyObject*>g) > 2 or not PyArray_CHKFLAGS(<ndarray>g,
                                                                                    NPY_ARRAY_WRITEABLE):
        return False
    owner = PyArray_BASE(<ndarray>g)
    if owner == NULL:
        return PyArray_CHKFLAGS(<ndarray>g, NPY_ARRAY_OWNDATA)
    return (type(<object>owner) is ndarray and Py_REFCNT(owner) == 1
            and PyArray_CHKFLAGS(<ndarray>owner, NPY_ARRAY_OWNDATA | NPY_ARRAY_WRITEABLE)
            and PyArray_SIZE(<ndarray>owner) == PyArray_SIZE(<ndarray>g)
            and PyArray_ITEMSIZE(<ndarray>owner) == PyArray_ITEMSIZE(<ndarray>g)
            and (PyArray_CHKFLAGS(<ndarray>g, NPY_ARRAY_C_CONTIGUOUS)
                 or PyArray_CHKFLAGS(<ndarray>g, NPY_ARRAY_F_CONTIGUOUS)))


cdef object sum_two(Pass p, object a, object b):
    """The sum of two gradients of one tensor; `a` is in a buffer."""
    cdef int event
    if p.tensors:
        if not of_one_shape(a, b):
            raise differ(a, b)
        return words.add(a, b)
    if not same_shape(<ndarray>a, <ndarray>b):
        raise differ(a, b)
    if p.listener is not None:
        event = p.listener.begin("add", OP, 0, [a, b])
        try:
            return add(a, b)
        finally:
            p.listener.end(event)
    if ours(a) and PyArray_DESCR(<ndarray>a) is PyArray_DESCR(<ndarray>b):
        return add_into(a, b)
    return add(a, b)


cdef inline bint of_one_shape(Tensor t, object g) except -1:
    """Has `g`, an array or a tensor, the shape of `t`; in a transform, that of one example?"""
    cdef object a = (<Tensor>g).payload if isinstance(g, Tensor) else g
    if isinstance(t.payload, ndarray) and isinstance(a, ndarray):
        return same_shape(<ndarray>t.payload, <ndarray>a)
    return t.shape == g.shape


# ------------------------------------------------------------------------------ the lock

cdef int lock_grad(Tensor t) except -1:
    """Keep other threads from adding to .grad of `t`: Note [The lock of .grad].

    Returns whether this thread had the lock already, for `unlock_grad`.
    """
    cdef unsigned long me = thread_number()
    cdef int microseconds = 10
    while t.adding != 0 and t.adding != me and is_alive(t.adding):
        PyErr_CheckSignals()
        with nogil:
            mg_sleep(microseconds)
        microseconds = min(2 * microseconds, 1000)
    if t.adding == me:
        return 1
    t.adding = me
    return 0


cdef inline void unlock_grad(Tensor t, int held) noexcept:
    if not held:
        t.adding = 0


# ------------------------------------------------------------------------------ in .grad of a leaf

# With create_graph the sum is recorded, and .grad is a new tensor. Otherwise gradients are written into the one that is
# there, and everything that holds it, an optimizer for instance, sees the sum: Tensors of a dual level or of another
# device by an operation, arrays by NumPy's loop. A gradient of a transform has no memory of its own to write into.

cdef int accumulate(Pass p, Tensor leaf, object g) except -1:
    """leaf.grad += g; then a story is told, and the hooks that wait for .grad run."""
    cdef TensorHooks h = None
    cdef object before = None
    if leaf.hooks is not None:
        h = <TensorHooks>leaf.hooks
    if g is None or not leaf.requires_grad_:
        return 0
    if p.story is not None and leaf.grad_ is not None:
        before = leaf.grad_.detach().clone()
    add_to_grad(p, leaf, g)
    if p.story is not None:
        p.story.accumulate(p.running, leaf, before, g, leaf.grad_)
    if h is not None and h.after:
        after_accumulating(p, leaf, h)
    return 0


cdef int add_to_grad(Pass p, Tensor leaf, object g) except -1:
    """leaf.grad += g, under the lock."""
    cdef int event
    cdef int held = lock_grad(leaf)
    try:
        if p.tensors:
            add_tensor(p, leaf, g)
        elif p.listener is not None and leaf.grad_ is not None:
            event = p.listener.begin("add_", OP, 0, [leaf.grad_, g])
            try:
                put_away(leaf, g)
            finally:
                p.listener.end(event)
        else:
            put_away(leaf, g)
    finally:
        unlock_grad(leaf, held)
    return 0


cdef inline int check_fits(Tensor t, object g) except -1:
    """May `g` become .grad of `t`, or be added to it?  Addition would broadcast, silently."""
    if not of_one_shape(t, g):
        raise wrong_shape(t, g)
    if t.grad_ is not None and not of_one_shape(t.grad_, g):
        raise does_not_match(t.grad_, g)
    return 0


cdef int add_tensor(Pass p, Tensor leaf, Tensor g) except -1:
    """leaf.grad += g, by operations."""
    cdef object total
    check_fits(leaf, g)
    if not p.create_graph and takes(leaf.grad_, g):
        leaf.grad_.add_(g)
        return 0
    total = words.laid_out(g, leaf if leaf.grad_ is None else leaf.grad_)
    if leaf.grad_ is not None:
        total = words.add(leaf.grad_, total)
    leaf.grad_ = total
    return 0


cdef bint takes(Tensor grad, Tensor g) noexcept:
    """Can `g` be added in the memory of .grad: are both arrays, of the device that they may be on?"""
    return (grad is not None and isinstance(grad.payload, ndarray) and isinstance(g.payload, ndarray)
            and PyArray_CHKFLAGS(<ndarray>grad.payload, NPY_ARRAY_WRITEABLE))


cdef int put_away(Tensor leaf, object g) except -1:
    """leaf.grad += g, for an array: it is kept if nothing else refers to it, copied, or added to what is there."""
    cdef Tensor grad
    cdef Version v
    cdef object mine
    check_fits(leaf, g)
    if leaf.grad_ is None:
        mine = g                        # one of the two references that `ours` allows; the other is in `execute`
        if ours(mine) and same_layout(<ndarray>g, leaf):
            leaf.grad_ = new_tensor(mine)
        else:
            leaf.grad_ = new_tensor(laid_out_as(<ndarray>g, leaf))
        return 0
    grad = <Tensor>leaf.grad_
    if type(grad.payload) is ndarray and PyArray_CHKFLAGS(<ndarray>grad.payload, NPY_ARRAY_WRITEABLE):
        if grad.inference:
            check_inference(grad, state())
        if repeats_itself(<ndarray>grad.payload):
            raise expanded()
        v = version_of(grad)
        if v.keepers != NULL:
            before_write(v)
        add_into(grad.payload, g)
        count_write(v)
    else:
        leaf.grad_ = words.add(grad, new_tensor(g))
    return 0


# ------------------------------------------------------------------------------ in .grad of a tensor that is not a leaf

# After retain_grad() a tensor gets its .grad when its gradient passes by: the hooks on the tensor have run, and its
# node has not. The gradient itself goes on to the node, so .grad is a copy.

cdef int retain_all(Pass p, Node n, object g) except -1:
    """Fill .grad of the tensors that asked for it with retain_grad."""
    cdef bint several = n.several or n.n_outputs > 1
    for nr, reference in n.hooks.retained.items():
        t = reference()
        x = g[nr] if several and g is not None else g
        if t is not None and x is not None:
            retain(p, <Tensor>t, x)
    return 0


cdef int retain(Pass p, Tensor t, object g) except -1:
    """t.grad += g, with a copy of g."""
    cdef int held = lock_grad(t)
    try:
        check_fits(t, g)
        if p.tensors:
            t.grad_ = words.clone(g) if t.grad_ is None else words.add(t.grad_, g)
        elif t.grad_ is None:
            t.grad_ = new_tensor(np.array(g))
        elif type((<Tensor>t.grad_).payload) is not ndarray:       # the user's, from a transform
            t.grad_ = words.add(t.grad_, new_tensor(g))
        else:
            t.grad_ = new_tensor(np.asarray((<Tensor>t.grad_).payload + g))
        if p.listener is not None and not p.tensors:
            p.listener.copied(g, t.grad_)
    finally:
        unlock_grad(t, held)
    return 0


# ------------------------------------------------------------------------------ how .grad lies in memory

# .grad of a leaf has the strides of the leaf if these are dense: then optimizers, which go through both at once, read
# both in the order of memory. Otherwise it is C-contiguous. docs/notes/layouts says when that can be seen.

cdef bint same_layout(ndarray g, Tensor leaf) except -1:
    """True if `g` has the strides that .grad of `leaf` should have."""
    cdef ndarray a
    cdef int i
    if type(leaf.payload) is not ndarray:
        return True
    a = <ndarray>leaf.payload
    if PyArray_CHKFLAGS(a, NPY_ARRAY_C_CONTIGUOUS) or not dense(a):
        return PyArray_CHKFLAGS(g, NPY_ARRAY_C_CONTIGUOUS)
    for i in range(PyArray_NDIM(a)):
        if PyArray_STRIDES(a)[i] != PyArray_STRIDES(g)[i] and PyArray_DIMS(a)[i] != 1:
            return False
    return True


cdef ndarray laid_out_as(ndarray g, Tensor leaf):
    """A copy of the gradient with these strides."""
    cdef ndarray new
    if type(leaf.payload) is ndarray and dense(<ndarray>leaf.payload):
        new = np.empty_like(leaf.payload, dtype=g.dtype, order="K", subok=False)
    else:
        new = np.empty((<object>g).shape, g.dtype)
    np.copyto(new, g)
    return new


def laid_out_kernel(g, like):
    """A copy of the gradient ``g`` with the strides that .grad of a tensor of the array ``like`` should have."""
    return laid_out_as(g, new_tensor(like))


# ------------------------------------------------------------------------------ what the errors say

cdef str A_FORMULA = ("a formula of an operation that received it returned a gradient of another shape. Only the "
                      "gradients of elementwise rows are summed to the shape of an argument that was broadcast; any "
                      "other formula does that itself, with sum_to.")


cdef object wrong_shape(Tensor t, object g):
    """The gradient does not have the shape of its tensor, and this says why."""
    if t.reshaped:
        why = "its .data was replaced by a tensor of another shape after the forward pass."
    else:
        why = A_FORMULA
    return error("MG109", f"the gradient has shape {list(g.shape)}, and the tensor that it is for {list(t.shape)}: "
                          f"{why}")


cdef object differ(object a, object b):
    return error("MG109", f"two gradients of one tensor have the shapes {list(a.shape)} and {list(b.shape)}, but each "
                          f"should have that of the tensor: {A_FORMULA}")


cdef object does_not_match(Tensor grad, object g):
    return error("MG201", f"The size of tensor a ({grad.numel()}) must match the size of tensor b "
                          f"({math.prod(g.shape)}): .grad has shape {list(grad.shape)} and the gradient to be added "
                          f"to it {list(g.shape)}. Set .grad to None after the shape of a leaf has changed.")


cdef object expanded():
    return error("MG116", "unsupported operation: more than one element of the written-to tensor refers to a single "
                          "memory location. Please clone() the tensor before performing the operation. It was "
                          "expanded, and is the .grad of a leaf, to which the pass would add a gradient.")
