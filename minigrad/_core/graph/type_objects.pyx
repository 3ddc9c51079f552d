"""Properties of classes that Cython has no syntax for: set in C, once the class exists.

A compiled class refuses new attributes, and Cython has no syntax for a call without an argument tuple.
"""

from functools import cache

from minigrad._core.graph cimport Tensor
from minigrad._core.runtime.python_api cimport (PyDict_DelItem, PyDict_SetItem, PyObject, PyObject_Vectorcall,
                                                PyTypeObject, PyType_Modified, Py_DECREF, Py_INCREF,
                                                Py_SET_TYPE, Py_TPFLAGS_HEAPTYPE,
                                                Py_TPFLAGS_HAVE_VECTORCALL, Py_TPFLAGS_METHOD_DESCRIPTOR)

cdef extern from *:
    """
    typedef PyObject *(*mg_vectorcall_of)(PyObject *, PyObject *const *, size_t, PyObject *);
    #define mg_binds(x) (Py_TYPE(x)->tp_descr_get != NULL)
    """
    bint binds "mg_binds"(PyObject*)
    ctypedef PyObject* (*vectorcall_of_t "mg_vectorcall_of")(PyObject*, PyObject**, size_t, PyObject*) noexcept
    vectorcall_of_t vectorcall_of "PyVectorcall_Function"(PyObject*)
    unsigned long Py_TPFLAGS_IMMUTABLETYPE


# ------------------------------------------------------------------------------ attributes

def attach(str name, value, cls=Tensor):
    """Make ``value`` an attribute of Tensor, or of ``cls`` (a compiled class refuses plain assignment)."""
    PyDict_SetItem(<object>(<PyTypeObject*>cls).tp_dict, name, as_method(value))
    PyType_Modified(<PyTypeObject*>cls)


def unattach(str name, cls=Tensor):
    """Take away what :func:`attach` gave."""
    PyDict_DelItem(<object>(<PyTypeObject*>cls).tp_dict, name)
    PyType_Modified(<PyTypeObject*>cls)


# ------------------------------------------------------------------------------ calls

# That instances are called by vectorcall (PEP 590) spares the argument tuple.

#: the classes of public functions
cdef tuple function_classes = ()


cdef int declare_vectorcall(PyObject* cls, Py_ssize_t offset) except -1:
    global function_classes
    cdef PyTypeObject* c = <PyTypeObject*>cls
    c.tp_vectorcall_offset = offset
    c.tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL
    PyType_Modified(c)
    function_classes += (<object>cls,)
    return 0


# Note [Functions and methods]
# ----------------------------
# Like a builtin, a public function does not bind where a class has it as an attribute:
#
#     class Net(nn.Module):
#         act = torch.relu                        # self.act(x) is relu(x)
#
# So `torch.relu` has no `__get__`, and what Tensor has in its dict is a Method, which binds the function:
#
#     Tensor.__dict__["relu"]  ---> Method ---> torch.relu <--- Tensor.relu
#     x.relu()    calls the Method (it is a "method descriptor", which spares the bound method),
#                 which jumps to what `torch.relu` itself would be called by
#
# What is a function of Python in PyTorch binds as one, F.softmax for one: it is of a subclass that has `__get__`
# (`binding`).  `Tensor.relu` is the function itself, so that there is one object that `__torch_function__` is asked
# about.  Whatever is assigned to Tensor, or to a subclass, becomes a Method in the same way (TensorMeta below).

cdef class Method:
    """A public function as a method of Tensor."""
    cdef vectorcall_of_t vectorcall
    cdef vectorcall_of_t jump               # what calls the function
    cdef readonly object function

    def __init__(self, function):
        self.function = function
        self.vectorcall = <vectorcall_of_t>first_call

    def __get__(self, instance, owner):
        return self.function if instance is None else bound_method(self.function, instance)

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self.function, name)

    @property
    def __doc__(self):
        return self.function.__doc__


cdef PyObject* first_call(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    """The function may wait for its content until now."""
    cdef Method method = <Method>self
    cdef PyObject* result = PyObject_Vectorcall(<PyObject*>method.function, args, nargsf, kwnames)
    method.jump = vectorcall_of(<PyObject*>method.function)
    if method.jump != NULL:
        method.vectorcall = <vectorcall_of_t>call_of_function
    return result


cdef PyObject* call_of_function(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) noexcept:
    return (<Method>self).jump(<PyObject*>(<Method>self).function, args, nargsf, kwnames)


def as_method(value):
    """What a class has in its dict for this attribute."""
    return Method(value) if not binds(<PyObject*>value) and issubclass(type(value), function_classes) else value


bound_method = type((lambda: None).__get__(0))
def bind(self, instance, owner=None):
    """``__get__`` of a function that binds."""
    return self if instance is None else bound_method(self, instance)


@cache
def binding(type cls not None):
    """The class of those functions that are functions of Python in PyTorch: they bind."""
    # An Op works out where it is, and has its own documentation; a class that says nothing would hide both.
    own = {name: vars(cls).get(name, getattr(cls, name)) for name in ("__module__", "__doc__")}
    bound = type(cls.__name__, (cls,), {"__slots__": (), "__get__": bind, **own})
    (<PyTypeObject*>bound).tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL
    return bound


cdef Method a_method = Method.__new__(Method)
(<PyTypeObject*>Method).tp_vectorcall_offset = <char*>&a_method.vectorcall - <char*><PyObject*>a_method
(<PyTypeObject*>Method).tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR
PyType_Modified(<PyTypeObject*>Method)


# ------------------------------------------------------------------------------ attributes that users assign

cdef extern from *:
    """
    static PyTypeObject mg_slots;
    static PyNumberMethods mg_numbers;
    static PySequenceMethods mg_sequence;
    static PyMappingMethods mg_mapping;

    static void mg_keep_slots(PyTypeObject *t) {
        mg_slots = *t;
        mg_numbers = *t->tp_as_number;
        mg_sequence = *t->tp_as_sequence;
        mg_mapping = *t->tp_as_mapping;
    }

    static void mg_give_slots_back(PyTypeObject *t) {
        t->tp_repr = mg_slots.tp_repr; t->tp_str = mg_slots.tp_str; t->tp_hash = mg_slots.tp_hash;
        t->tp_richcompare = mg_slots.tp_richcompare; t->tp_call = mg_slots.tp_call;
        t->tp_iter = mg_slots.tp_iter; t->tp_iternext = mg_slots.tp_iternext;
        t->tp_getattro = mg_slots.tp_getattro; t->tp_setattro = mg_slots.tp_setattro;
        t->tp_init = mg_slots.tp_init; t->tp_new = mg_slots.tp_new;
        t->tp_descr_get = mg_slots.tp_descr_get; t->tp_descr_set = mg_slots.tp_descr_set;
        *t->tp_as_number = mg_numbers;
        *t->tp_as_sequence = mg_sequence;
        *t->tp_as_mapping = mg_mapping;
    }
    """
    void keep_slots "mg_keep_slots"(PyTypeObject*)
    void give_slots_back "mg_give_slots_back"(PyTypeObject*)


cdef object nothing = object()
cdef dict own = {}          # name that was assigned -> what Tensor had in its dict, and as an attribute; or nothing
cdef set special = set()    # those of these names that have a slot


class TensorMeta(type):
    """The class of Tensor: it takes new attributes, and other methods in place of its own.

    Python sees to the rest: operators and special methods that are replaced are called by Python then, in subclasses
    too, and a class that nobody has changed knows nothing of it.  What Tensor had itself comes back when it is deleted,
    or assigned again, and with it the functions in C.
    """
    __slots__ = ()

    def __setattr__(cls, name, value):
        if cls is Tensor:
            had = Tensor.__dict__.get(name, nothing), getattr(Tensor, name, nothing)
            entry, attribute = own.setdefault(name, had)
            if value is entry or value is attribute:
                return restore(name)
            if name.startswith("__"):
                if not special:
                    keep_slots(<PyTypeObject*>Tensor)
                special.add(name)
        type.__setattr__(cls, name, as_method(value))

    def __delattr__(cls, name):
        if cls is Tensor and name in own:
            restore(name)
        else:
            type.__delattr__(cls, name)


def restore(name):
    """Tensor has under this name what it had."""
    entry, _ = own.pop(name)
    if entry is not nothing:
        type.__setattr__(Tensor, name, entry)
    elif name in Tensor.__dict__:
        type.__delattr__(Tensor, name)
    if name in special:
        special.remove(name)
        if not special:                 # Python would call them by their names from now on
            give_slots_back(<PyTypeObject*>Tensor)
            PyType_Modified(<PyTypeObject*>Tensor)


Py_SET_TYPE(<PyObject*>Tensor, <PyTypeObject*>TensorMeta)
Py_INCREF(TensorMeta)
(<PyTypeObject*>Tensor).tp_flags &= ~Py_TPFLAGS_IMMUTABLETYPE
PyType_Modified(<PyTypeObject*>Tensor)


# ------------------------------------------------------------------------------ names

# A compiled class is named after its file, and users know Tensor as `minigrad.Tensor`: so it is printed, and pickled.

(<PyTypeObject*>Tensor).tp_name = "minigrad.Tensor"
attach("__module__", "minigrad")            # or its metaclass would say where that is


# ------------------------------------------------------------------------------ rows

def become(x, type after=None):
    """Let ``x``, of a class that adds nothing but methods to another, be of that one, or of ``after``, which adds no
    more: see ops/lazy.py."""
    cdef type before = type(x)
    if after is None:
        after = before.__base__
    if (before.__basicsize__ != after.__basicsize__ or before.__dictoffset__ != after.__dictoffset__
            or before.__weakrefoffset__ != after.__weakrefoffset__):    # a __dict__ is not in the size since 3.12
        raise TypeError(f"{before} has fields of its own, and cannot become {after}")
    if (<PyTypeObject*>after).tp_flags & Py_TPFLAGS_HEAPTYPE:       # an instance owns its class, if Python made that
        Py_INCREF(after)
    Py_SET_TYPE(<PyObject*>x, <PyTypeObject*>after)
    if (<PyTypeObject*>before).tp_flags & Py_TPFLAGS_HEAPTYPE:
        Py_DECREF(before)
