"""The slots of a node, which hold what it saved: small while it is needed, and emptied as soon as it is not.

A slot (``Saved`` in graph.pxd) is filled when an operation is recorded (call.pyx), or when a custom Function saves
something (function_node.pyx).  saved_tensors.pyx gives its content back to the formulas.

Note [Numbers in slots]
-----------------------
In a long chain of scalars, each node holds an array with one number, and the counter of the writes to it.  These take
as much memory as the node, and serve to notice a write, which is possible as long as somebody can reach the array.
When the tensor dies, mostly nobody can any more.  Then the number itself moves into the slot, to where the two pointers
were::

    y = x * w       y's tensor ----> array, Version <---- slot of z's node      a write through y is noticed
    z = y * w

    del y                            array, Version <---- slot                  each has references from slots only
                                              0.125  in the slot                so both can go

For this the Version knows, weakly, the node that has saved the tensor last, its `saver`.  The formulas are given an
array again, of the same dtype and with the same bits.  The saved *tensor*, which ``_saved_self`` and a double backward
give out, can be written to, and a write must be noticed; so for it the array and the Version come back into the slot,
and stay there until that tensor has died too.
"""

from libc.string cimport memcpy

from minigrad._core.graph cimport OUTPUT, PASSED, SPARE_SLOTS, spare_slots
from minigrad._core.runtime.array_freelist cimport leave
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_OWNDATA, NPY_ARRAY_WRITEABLE, NPY_CDOUBLE, PyArray_BASE,
                                               PyArray_CHKFLAGS, PyArray_DATA, PyArray_ISNOTSWAPPED, PyArray_ITEMSIZE,
                                               PyArray_NDIM, PyArray_TYPE, ndarray)
from minigrad._core.runtime.python_api cimport PyObject, PyObject_Free, Py_DECREF, Py_INCREF, Py_REFCNT


# ------------------------------------------------------------------------------ numbers

cdef void keep_numbers(Tensor t) noexcept:
    """`t`, which some node has saved, is dying: where nothing else has its number, let the slots have it themselves."""
    cdef PyObject* array = <PyObject*>t.payload
    cdef PyObject* version = <PyObject*>t.version
    cdef Node n = <Node>t.version.saver
    cdef Saved* s
    cdef int i, many = 0
    if not is_number(t.payload):
        return
    for i in range(n.n_saved if n.saved != NULL else 0):
        many += holds(&n.saved[i], array, t.version)
    if many == 0 or Py_REFCNT(array) != many + 1 or Py_REFCNT(version) != many + 1:     # one more is of `t`
        return
    for i in range(n.n_saved):
        s = &n.saved[i]
        if holds(s, array, t.version):
            s.number = PyArray_TYPE(<ndarray>array) + 1
            s.value = s.version = NULL
            memcpy(&s.value, PyArray_DATA(<ndarray>array), PyArray_ITEMSIZE(<ndarray>array))
            Py_DECREF(<object>array)
            Py_DECREF(<object>version)
    t.version.saver = NULL


cdef inline bint is_number(object payload) noexcept:
    """Is this an array of one number, of no dims, that has memory of its own and fits where the pointers were?"""
    cdef ndarray a
    if type(payload) is not ndarray:
        return False
    a = <ndarray>payload
    return (PyArray_NDIM(a) == 0 and PyArray_TYPE(a) <= NPY_CDOUBLE
            and PyArray_ITEMSIZE(a) <= <Py_ssize_t>(2 * sizeof(void*)) and PyArray_BASE(a) == NULL
            and PyArray_CHKFLAGS(a, NPY_ARRAY_OWNDATA | NPY_ARRAY_WRITEABLE) and PyArray_ISNOTSWAPPED(a))


cdef inline bint holds(Saved* s, PyObject* array, Version v) noexcept:
    """Does the slot hold this array, as it is now?"""
    return (not s.number and s.value == array and (s.kind == PASSED or s.kind == OUTPUT)
            and s.version == <PyObject*>v and s.at == v.value)


cdef object number_of(Saved* s):
    """The number in a slot, as an array."""
    cdef ndarray a = new_array(0, NULL, s.number - 1)
    memcpy(PyArray_DATA(a), &s.value, PyArray_ITEMSIZE(a))
    return a


cdef int bring_back(Node n, Saved* s) except -1:
    """Let the slot have an array and a Version again, if it has only a number."""
    cdef Version v
    cdef object array
    if s.number:
        array = number_of(s)
        v = Version.__new__(Version)
        v.value = s.at
        v.saver = <PyObject*>n
        Py_INCREF(array)
        Py_INCREF(v)
        s.number = 0
        s.value, s.version = <PyObject*>array, <PyObject*>v
    return 0


# ------------------------------------------------------------------------------ letting go

cdef void release_saved(Node n) noexcept:
    """Let go of everything that `n` saved."""
    cdef int i
    cdef Saved* s = n.saved
    n.saved = NULL
    for i in range(n.n_saved if s != NULL else 0):
        if not s[i].number:
            let_go_of_version(n, &s[i])
            if s[i].value != NULL:
                leave(s[i].value)
    if s != NULL:
        free_slots(s, n.n_saved)


cdef void let_go_of_version(Node n, Saved* s) noexcept:
    """Empty the field `version` of a slot of `n`."""
    cdef PyObject* version = s.version
    if version != NULL:
        s.version = NULL
        if (<Version>version).saver == <PyObject*>n:
            (<Version>version).saver = NULL
        Py_DECREF(<object>version)


cdef inline void free_slots(Saved* s, int n) noexcept:
    if KEEPS and n <= 2 and spare_slots.n[n - 1] < SPARE_SLOTS:
        spare_slots.blocks[n - 1][spare_slots.n[n - 1]] = s
        spare_slots.n[n - 1] += 1
    else:
        PyObject_Free(s)
