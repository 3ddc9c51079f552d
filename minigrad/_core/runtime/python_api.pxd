# What the core uses of Python's C API: what is declared here is declared nowhere else.
#
# Cython brings such declarations, as `cpython.ref` and so on.  Through them each module would be given most of that API
# and all of stdio.h, and would take a quarter longer to translate.  What a function does is in Python's documentation,
# docs.python.org/3/c-api.

cdef extern from "Python.h":
    # ---------------------------- references

    ctypedef struct PyObject:
        pass
    void Py_INCREF(object)
    void Py_DECREF(object)
    void Py_XDECREF(PyObject*)

    # ---------------------------- numbers

    bint PyBool_Check(object)
    bint PyIndex_Check(object)
    bint PyLong_Check(object)
    bint PyLong_CheckExact(object)
    long PyLong_AsLongAndOverflow(object, int*) except? -1
    long long PyLong_AsLongLongAndOverflow(object, int*) except? -1
    Py_ssize_t PyLong_AsSsize_t(object) except? -1
    double PyLong_AsDouble(object) except? -1
    bint PyFloat_CheckExact(object)
    double PyFloat_AS_DOUBLE(object)
    bint PyComplex_CheckExact(object)
    object PyComplex_FromDoubles(double, double)

    # ---------------------------- containers; what GET gives is borrowed

    bint PyTuple_CheckExact(object)
    Py_ssize_t PyTuple_GET_SIZE(object)
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    tuple PyTuple_New(Py_ssize_t)
    void PyTuple_SET_ITEM(object, Py_ssize_t, object)               # steals the item
    list PyList_New(Py_ssize_t)
    void PyList_SET_ITEM(object, Py_ssize_t, object)                # steals the item
    bint PyList_CheckExact(object)
    Py_ssize_t PyList_GET_SIZE(object)
    PyObject* PyList_GET_ITEM(object, Py_ssize_t)
    Py_ssize_t PySequence_Fast_GET_SIZE(object)
    PyObject** PySequence_Fast_ITEMS(object)
    PyObject* PyDict_GetItem(object, object)
    PyObject* PyDict_GetItemWithError(object, object) except? NULL
    int PyDict_SetItem(object, object, object) except -1
    int PyDict_DelItem(object, object) except -1
    bint PySlice_Check(object)
    bytes PyBytes_FromStringAndSize(char*, Py_ssize_t)
    char* PyBytes_AS_STRING(object)

    # ---------------------------- attributes and comparisons

    object PyObject_GenericGetDict(object, void*)
    int PyObject_GenericSetAttr(object, object, object) except -1
    enum:
        Py_LT, Py_LE, Py_EQ, Py_NE, Py_GT

    # ---------------------------- errors and signals

    PyObject* PyErr_Occurred()
    void PyErr_Clear()
    bint PyErr_ExceptionMatches(object)
    int PyErr_CheckSignals() except -1
    PyObject* error_of_thread "PyErr_Occurred"() noexcept nogil

    # ---------------------------- memory

    void* PyMem_Malloc(size_t)
    void* PyMem_Realloc(void*, size_t)
    void PyMem_Free(void*)
    void* PyMem_RawMalloc(size_t) nogil
    void PyMem_RawFree(void*) nogil
    void* PyObject_Malloc(size_t)
    void PyObject_Free(void*)

    # ---------------------------- calls with their arguments in an array

    Py_ssize_t PyVectorcall_NARGS(size_t)
    object PyVectorcall_Call(object, object, object)
    PyObject* PyObject_Vectorcall(PyObject*, PyObject**, size_t, PyObject*) except NULL

    # ---------------------------- classes: their fields, as far as we set them

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

    # ---------------------------- objects neither born nor freed in the usual way

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

    # ---------------------------- capsules, contexts, threads that Python does not know

    bint PyCapsule_IsValid(object, const char*)
    void* PyCapsule_GetPointer(object, const char*) except? NULL
    object PyCapsule_New(void*, const char*, void (*)(object) noexcept)
    int PyCapsule_SetName(object, const char*) except -1

    object PyContext_New()
    object PyContext_CopyCurrent()
    int PyContext_Enter(object) except -1
    int PyContext_Exit(object) except -1
    object PyContextVar_Set(object, object)

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


cdef inline int given(object x) except -1:
    """For functions that Python and C both call, where a parameter cannot be declared `not None`."""
    if x is None:
        raise TypeError("a tensor, a node or an array is needed here, and this is None")
    return 0
