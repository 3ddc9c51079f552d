# What the core needs of Python's C API and the declarations that come with Cython leave out, or give with checked
# objects where we have bare pointers.  All the rest comes from there, and is declared nowhere else:
# `from cpython.float cimport PyFloat_CheckExact`.

from cpython.ref cimport PyObject

cdef extern from "Python.h":
    # Classes: the fields that we set beside those that Cython lets us declare.
    ctypedef struct PyTypeObject:
        const char* tp_name
        PyObject* tp_dict
        unsigned long tp_flags
        void* tp_traverse
        void* tp_clear
        void* tp_free
        void* tp_dealloc
        void* tp_call
        void* tp_new
        void* tp_vectorcall
        PyTypeObject* tp_base
        Py_ssize_t tp_dictoffset, tp_weaklistoffset, tp_basicsize, tp_vectorcall_offset
    PyTypeObject PyType_Type
    unsigned long Py_TPFLAGS_HAVE_GC
    unsigned long Py_TPFLAGS_HEAPTYPE
    unsigned long Py_TPFLAGS_HAVE_VECTORCALL
    unsigned long Py_TPFLAGS_METHOD_DESCRIPTOR
    void PyType_Modified(PyTypeObject*)

    # Objects that are neither born nor freed in the usual way: lifetimes.pyx.
    ctypedef void (*destructor_t "destructor")(PyObject*) noexcept
    Py_ssize_t Py_REFCNT(PyObject*)
    void Py_SET_REFCNT(PyObject*, Py_ssize_t)
    void _Py_NewReference(PyObject*)
    PyTypeObject* Py_TYPE(PyObject*)
    void Py_SET_TYPE(PyObject*, PyTypeObject*)
    int PyObject_IS_GC(PyObject*)
    void PyObject_GC_Track(PyObject*)
    void PyObject_GC_UnTrack(PyObject*)
    int PyObject_GC_IsTracked(PyObject*)
    void PyObject_ClearWeakRefs(PyObject*)

    # Calls with their arguments in an array.
    Py_ssize_t PyVectorcall_NARGS(size_t)
    object PyVectorcall_Call(object, object, object)
    PyObject* PyObject_Vectorcall(PyObject*, PyObject**, size_t, PyObject*) except NULL

    # Threads that Python does not know: transforming.pyx.
    ctypedef struct PyInterpreterState:
        pass
    ctypedef struct PyThreadState:
        pass
    PyInterpreterState* PyInterpreterState_Get()
    PyThreadState* PyGILState_GetThisThreadState() noexcept nogil
    PyThreadState* PyThreadState_New(PyInterpreterState*) noexcept nogil
    void PyEval_RestoreThread(PyThreadState*) noexcept nogil
    void PyThreadState_Clear(PyThreadState*) noexcept nogil
    void PyThreadState_DeleteCurrent() noexcept nogil
    PyObject* error_of_thread "PyErr_Occurred"() noexcept nogil
