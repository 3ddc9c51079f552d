"""Op: from a call to a result, and from a row of the table to a program that runs on arrays.

A call goes through five steps, and this file is in their order::

    bind       arguments to the schema                          Op.__call__, bind
    look       which mode and level is this for?                 call
    compute    promote, run the kernel                           run
    record     node, edges, what the formulas need               record
    wrap       arrays into Tensors

Most calls take the fast path of `call`: all tensors are ordinary ones, no mode is on.  What it does
not know it leaves to `call_general` beside it, which does the same slowly for every case.

The second half turns formulas (Python functions of a few lines) into programs: see Note [Formulas
as programs].
"""

cimport cython
from cpython.ref cimport PyObject, Py_INCREF, Py_DECREF, Py_XDECREF
cimport numpy as cnp
from numpy cimport ndarray, npy_intp

import numpy as np

from minigrad._core.errors import error
from minigrad._core.modes cimport State, state
from minigrad._core.graph cimport (INPUT, OUTPUT, SEVERAL, VALUE, Node, Saved, PASSED, Tensor, Upward, Version, View, hooks_of, new_node, new_tensor, new_view, node_of,
                                   payload_of, publish, set_edge, set_fit, set_fit_to, unpack, upward, version_of)
from minigrad._core.kernels cimport Fast, Loop, binary as binary_loop, binary_into, fast_for
from minigrad._core import graph as _graph

cnp.import_array()

cdef extern from "Python.h":
    int PyFloat_CheckExact(object)
    int PyLong_CheckExact(object)
    int PyTuple_CheckExact(object)
    Py_ssize_t PyVectorcall_NARGS(size_t)
    object PyVectorcall_Call(object, object, object)
    object PyContextVar_Set(object, object)
    int PyContextVar_Reset(object, object) except -1
    PyObject* PyObject_Vectorcall(PyObject*, PyObject**, size_t, PyObject*) except NULL
    PyObject* PyTuple_GET_ITEM_ "PyTuple_GET_ITEM"(object, Py_ssize_t)
    void* PyObject_Malloc(size_t)
    void PyObject_Free(void*)
    ctypedef struct PyTypeObject:
        unsigned long tp_flags
        Py_ssize_t tp_vectorcall_offset
        void* tp_call
    unsigned long Py_TPFLAGS_HAVE_VECTORCALL
    unsigned long Py_TPFLAGS_METHOD_DESCRIPTOR
    void PyType_Modified(PyTypeObject*)

cdef extern from "numpy/arrayobject.h":
    int PyArray_NDIM(ndarray) nogil
    npy_intp* PyArray_DIMS(ndarray) nogil
    int PyArray_TYPE(ndarray) nogil
    void* PyArray_DATA(ndarray) nogil
    npy_intp* PyArray_STRIDES(ndarray) nogil
    int PyArray_ISWRITEABLE(ndarray) nogil
    PyObject* PyArray_BASE(ndarray) nogil
    int PyArray_CHKFLAGS(ndarray, int) nogil
    int NPY_HALF
    int NPY_USERDEF

cdef object required = object()     # the default of a parameter that has none
_bound_method = type((lambda: None).__get__(0))


# ------------------------------------------------------------------------------ what an op is

@cython.final
cdef class Formula:
    """The derivative of an op with respect to one of its inputs."""

    def __repr__(self):
        return f"<formula for {self.of} from {', '.join(('d',) + self.names)}>"


cdef class Op:
    """One primitive operation: a row of the table of derivatives, callable on Tensors."""

    def __init__(self, str name, str kind, list params, kernel, dict formulas, *, str node_name, outputs=None, differentiable=None,
                 promote=None, promote_args=None, number=None, str refuse="", bint recorded=True, bint zero_gradient=False, bint conjugate=False,
                 bint traceable=True, renamed=None, doc=None):
        cdef int i, k
        cdef Formula f
        if len(params) > MAX_PARAMS:
            raise ValueError(f"{name}: more than {MAX_PARAMS} parameters")
        self.name = name
        self.kind = kind
        self.kernel = kernel
        self.__doc__ = doc
        self.node_name = node_name
        self.params = tuple([p[0] for p in params])
        self.positions = {p[0]: i for i, p in enumerate(params)}
        for other, usual in _SYNONYMS.items():
            if usual in self.positions and other not in self.positions:
                self.positions[other] = self.positions[usual]
        self.n_params = len(params)
        self.n_positional = len([p for p in params if not p[3]])
        self.defaults = tuple([required if p[2] is Ellipsis else p[2] for p in params])
        self.list_output = outputs == "list"
        self.outputs = () if outputs is None or outputs == "list" else tuple(outputs)
        self.differentiable = 0
        for i, output in enumerate(self.outputs):
            if differentiable is None or output in differentiable:
                self.differentiable |= 1 << i
        if not self.outputs:
            self.differentiable = 1
        self.only = -1
        for i in range(len(self.outputs)):
            if self.differentiable == 1u << i:
                self.only = i
        self.promote = promote
        self.number = number
        self.refuse = refuse
        self.recorded = recorded
        self.zero_gradient = zero_gradient
        self.conjugate = conjugate
        self.traceable = traceable
        self.is_view = kind == "view"
        self.elementwise = kind in ("elementwise", "piecewise_constant", "not_differentiable")
        self.renamed = renamed or {}
        self.formulas = []
        self.n_tensors = 0
        for i, (parameter, type_, default, keyword_only) in enumerate(params):
            self.type_of[i] = {"Tensor": TENSOR, "Tensor?": OPTIONAL, "Tensor[]": TENSORS, "Tensor?[]": TENSORS}.get(type_, PLAIN)
            if self.type_of[i] != PLAIN:
                self.n_tensors = i + 1
            if self.type_of[i] == TENSORS:
                self.has_list = True
            self.promotes[i] = self.type_of[i] != PLAIN and (promote_args is None or parameter in promote_args)
            self.formula_of[i] = -1
            if parameter in formulas or (zero_gradient and type_ != "PLAIN" and self.type_of[i] != PLAIN):
                f = Formula.__new__(Formula)
                f.of = parameter
                f.text = formulas.get(parameter)
                f.names = () if f.text is None else f.text.__code__.co_varnames[1:f.text.__code__.co_argcount]
                self.formula_of[i] = len(self.formulas)
                self.formulas.append(f)
        self.n_formulas = len(self.formulas)
        unknown = set(formulas) - set(self.params)
        if unknown:
            raise ValueError(f"{name}: a formula for {unknown.pop()!r}, which is not an input")
        self._lay_out_slots()
        self.fast = fast_for(name, kernel, &self.loop)
        (<void**>&self.vectorcall)[0] = <void*>op_vectorcall

    cdef int _lay_out_slots(self) except -1:
        """Every name that a formula uses becomes a slot of the node: inputs first, in argument order, outputs last."""
        cdef Formula f
        cdef int i, k
        named = {name for f in self.formulas for name in f.names}
        order = [n for p in self.params for n in (p, p + "_shape", p + "_dtype") if n in named]
        order += [n for n in (self.outputs or ("result",)) if n in named and n not in self.positions]
        if named - set(order):
            raise ValueError(f"{self.name}: its formulas name {sorted(named - set(order))}, which it does not have")
        self.slots = tuple(order)
        self.n_slots = len(order)
        for k, slot_name in enumerate(order):
            self.slot[k].needed_by = 0
            if slot_name in self.positions:
                i = self.positions[slot_name]
                self.slot[k].index = i
                self.slot[k].source = FROM_PARAMETER if self.type_of[i] == PLAIN else FROM_INPUT
            elif slot_name.endswith("_shape"):
                self.slot[k].source = FROM_SHAPE
                self.slot[k].index = self.positions[slot_name[:-6]]
            elif slot_name.endswith("_dtype"):
                self.slot[k].source = FROM_DTYPE
                self.slot[k].index = self.positions[slot_name[:-6]]
            else:
                self.slot[k].source = FROM_OUTPUT
                self.slot[k].index = self.outputs.index(slot_name) if self.outputs else 0
        for i, f in enumerate(self.formulas):
            f.n = len(f.names)
            for k, slot_name in enumerate(f.names):
                f.slots[k] = order.index(slot_name)
                self.slot[f.slots[k]].needed_by |= 1u << i
        return 0

    @property
    def __name__(self):
        return self.name

    @property
    def node_class(self):
        """The public class of this op's nodes, with a property for everything that they may save."""
        if self.node_class_ is None:
            body = {"__slots__": (), "__module__": "minigrad._core.graph"}
            for i, slot_name in enumerate(self.slots):
                body[f"_saved_{self._attribute(slot_name)}"] = property(_saved_getter(i, self.slot[i].source == FROM_INPUT))
            self.node_class_ = _graph.make_node_class(self.node_name, body)
        return self.node_class_

    def _attribute(self, str slot_name):
        if slot_name in self.renamed:
            return self.renamed[slot_name]
        return slot_name[:-6] + "_sym_sizes" if slot_name.endswith("_shape") else slot_name

    def program(self, str of):
        """The formula for the input ``of`` as a Program; None where it cannot be traced."""
        cdef Formula f
        for f in self.formulas:
            if f.of == of:
                return program_of(f, self)
        raise KeyError(of)

    def __get__(self, instance, owner):
        return self if instance is None else _bound_method(self, instance)

    def __call__(self, *args, **kwargs):
        return PyVectorcall_Call(self, args, kwargs)

    def __repr__(self):
        return f"<op {self.name}>"

    def __reduce__(self):
        return self.name

    def inplace(self, Tensor target, *args, **kwargs):
        """The in-place form: ``target`` takes the value of ``op(target, *args)``."""
        cdef PyObject* bound[MAX_PARAMS]
        keep = bind_slowly(self, (target,) + args, kwargs)
        for i in range(self.n_params):
            bound[i] = PyTuple_GET_ITEM_(keep, i)
        return write_in_place(self, bound)

    def on_arrays(self, *args):
        """The kernel on arrays, with promotion: what a traced formula runs."""
        cdef PyObject* raw[MAX_PARAMS]
        keep = bind_slowly(self, args, {})
        for i in range(self.n_params):
            raw[i] = PyTuple_GET_ITEM_(keep, i)
        return run(self, raw, self.n_params)

    def on_arrays_general(self, *args):
        """The same without the fast loops; a test holds the two against each other."""
        cdef PyObject* raw[MAX_PARAMS]
        keep = bind_slowly(self, args, {})
        for i in range(self.n_params):
            raw[i] = PyTuple_GET_ITEM_(keep, i)
        return run_general(self, raw, self.n_params)


def _saved_getter(int i, bint tensor):
    def saved(self):
        value = self._slot(i)
        if tensor and isinstance(value, (int, float, complex)):
            return new_tensor(np.asarray(value))        # x * 2: PyTorch shows the number as a tensor
        return value
    return saved


# ------------------------------------------------------------------------------ bind

cdef PyObject* op_vectorcall(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    """`op(...)` from Python: the plain case without keywords, arguments on the C stack."""
    cdef Op op = <Op>self
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf), i
    cdef PyObject* bound[MAX_PARAMS]
    cdef object out
    if kwnames == NULL and n <= op.n_positional:
        for i in range(n):
            bound[i] = args[i]
        for i in range(n, op.n_params):
            bound[i] = PyTuple_GET_ITEM_(op.defaults, i)
            if <object>bound[i] is required:
                raise missing(op, i)
        out = call(op, bound)
    else:
        positional = tuple([<object>args[i] for i in range(n)])
        keywords = {}
        if kwnames != NULL:
            keywords = {name: <object>args[n + i] for i, name in enumerate(<tuple>kwnames)}
        keep = bind_slowly(op, positional, keywords)
        for i in range(op.n_params):
            bound[i] = PyTuple_GET_ITEM_(keep, i)
        out = call(op, bound)
    Py_INCREF(out)
    return <PyObject*>out


cdef tuple bind_slowly(Op op, tuple args, dict kwargs):
    """The arguments in schema order."""
    cdef list bound = list(op.defaults)
    cdef int i
    if len(args) > op.n_positional:
        raise error("MG205", f"{op.name}() takes {op.n_positional} positional arguments but {len(args)} were given; it is {signature(op)}")
    given = set()
    for i in range(len(args)):
        bound[i] = args[i]
        given.add(i)
    for name, value in kwargs.items():
        if name not in op.positions:
            raise error("MG205", f"{op.name}() got an unexpected keyword argument '{name}'; it is {signature(op)}")
        i = op.positions[name]
        if i in given:
            raise error("MG205", f"{op.name}() got multiple values for argument '{name}'; it is {signature(op)}")
        given.add(i)
        bound[i] = value
    for i in range(op.n_params):
        if bound[i] is required:
            raise missing(op, i)
    return tuple(bound)


def signature(Op op):
    """The call as a user would write it."""
    parts = []
    for i, name in enumerate(op.params):
        if i == op.n_positional:
            parts.append("*")
        parts.append(name if op.defaults[i] is required else f"{name}={op.defaults[i]!r}")
    return f"{op.name}({', '.join(parts)})"


cdef object missing(Op op, int i):
    return error("MG205", f"{op.name}() missing 1 required positional argument: '{op.params[i]}'; it is {signature(op)}")


# ------------------------------------------------------------------------------ look, and wrap

cdef object call(Op op, PyObject** bound):
    """The fast path: ordinary tensors and numbers, no mode on.  `bound` holds borrowed references."""
    cdef State* st = state()
    cdef PyObject* raw[MAX_PARAMS]
    cdef unsigned int mask = 0
    cdef int i
    cdef Tensor t, out
    cdef object x, r
    if st.active or op.list_output or op.outputs:
        return call_general(op, bound)
    for i in range(op.n_params):
        x = <object>bound[i]
        raw[i] = bound[i]
        if op.type_of[i] == PLAIN:
            continue
        if op.type_of[i] != TENSORS and isinstance(x, Tensor):
            t = <Tensor>x
            if type(t.data) is not ndarray:
                return call_general(op, bound)
            raw[i] = <PyObject*>t.data
            if t.requires_grad_ and op.formula_of[i] >= 0:
                mask |= 1u << op.formula_of[i]
        elif not (op.promote is not None and op.type_of[i] == TENSOR and (PyFloat_CheckExact(x) or PyLong_CheckExact(x))):
            return call_general(op, bound)
    r = run(op, raw, op.n_params)
    out = new_tensor(r)
    if mask and not st.grad_off and floating(<ndarray>r):
        record(op, bound, mask, out, None)
    if op.is_view:
        become_view(op, bound, out)
    return out


cdef inline bint floating(ndarray a) noexcept:
    """Can the dtype carry a gradient?  bfloat16 is a type from outside NumPy, with a number above its own."""
    cdef int t = PyArray_TYPE(a)
    return cnp.NPY_FLOAT <= t <= cnp.NPY_CLONGDOUBLE or t == NPY_HALF or t >= NPY_USERDEF


cdef object call_general(Op op, PyObject** bound):
    """Every other case: arrays and lists among the arguments, several outputs, symbols, modes and levels."""
    cdef State* st = state()
    cdef list keep = [<object>bound[i] for i in range(op.n_params)]     # owns what `full` borrows
    cdef list arrays = []
    cdef PyObject* full[MAX_PARAMS]
    cdef PyObject* raw[MAX_PARAMS]
    cdef unsigned int mask = 0
    cdef int i, level = 0
    cdef object x
    for i in range(op.n_params):
        x = keep[i]
        if op.type_of[i] == TENSORS:
            if not isinstance(x, (Symbol, list, tuple)):
                raise error("MG205", f"{op.name}(): argument '{op.params[i]}' must be a tuple or list of Tensors, not {type(x).__name__}")
            if type(x) is not Symbol:
                keep[i] = x = [None if y is None else as_operand(op, i, y, False) for y in x]
                for y in x:
                    if y is None:
                        continue
                    if isinstance(y, Symbol):
                        return trace_step(op, keep)
                    level = max(level, (<Tensor>y).level)
                    if (<Tensor>y).requires_grad_ and op.formula_of[i] >= 0:
                        mask |= 1u << op.formula_of[i]
        elif op.type_of[i] != PLAIN:
            if x is None and op.type_of[i] == OPTIONAL:
                continue
            keep[i] = x = as_operand(op, i, x, op.promote is not None)
            if isinstance(x, Tensor):
                level = max(level, (<Tensor>x).level)
                if (<Tensor>x).requires_grad_ and op.formula_of[i] >= 0:
                    mask |= 1u << op.formula_of[i]
        if type(x) is Symbol:
            return trace_step(op, keep)
    if level:
        return call_at_level(op, keep, level)
    for i in range(op.n_params):
        x = keep[i]
        full[i] = <PyObject*>x
        if op.type_of[i] == TENSORS:
            x = [None if y is None else (<Tensor>y).data for y in x]
        elif isinstance(x, Tensor) and op.type_of[i] != PLAIN:
            x = (<Tensor>x).data
        arrays.append(x)
        raw[i] = <PyObject*>x
    return wrap_outputs(op, full, run(op, raw, op.n_params), mask if not st.grad_off and not st.inference else 0, 0)


cdef object wrap_outputs(Op op, PyObject** bound, object r, unsigned int mask, int level):
    """Payloads into Tensors, recorded where `mask` names inputs that require grad."""
    cdef list outputs
    cdef Tensor out
    cdef int i
    cdef bint inference = state().inference
    if not op.list_output and not op.outputs:
        out = new_tensor(r)
        out.level = level
        if mask and differentiable(r):
            record(op, bound, mask, out, None)
        if op.is_view:
            become_view(op, bound, out)
        elif inference:
            out.inference = True
        return out
    outputs = []
    for payload in r:
        out = new_tensor(payload)
        out.level = level
        out.inference = inference and not op.is_view
        outputs.append(out)
    if mask and outputs and differentiable((<Tensor>outputs[0]).data):
        record(op, bound, mask, None, outputs)
    if op.is_view:
        for out in outputs:
            become_view(op, bound, out)
            (<View>out.view).made_in = "several"
    if op.list_output:
        return tuple(outputs)
    return result_type(op)(*outputs)


cdef object result_type(Op op):
    """The class of several named outputs, printed as PyTorch prints it."""
    if op.result_type is None:
        op.result_type = _make_result(op.name, op.outputs)
    return op.result_type


def _make_result(str name, tuple fields):
    body = {field: property(_item_getter(i)) for i, field in enumerate(fields)}
    body["__new__"] = lambda cls, *values: tuple.__new__(cls, values)
    body["__repr__"] = lambda self: f"torch.return_types.{name}(\n" + ",\n".join([f"{f}={v!r}" for f, v in zip(fields, self)]) + ")"
    body["__reduce__"] = lambda self: (tuple, (list(self),))
    body["_fields"] = fields
    body["__module__"] = "torch.return_types"
    return type(name, (tuple,), body)


def _item_getter(int i):
    def item(self):
        return self[i]
    return item


cdef bint differentiable(object payload):
    return floating(<ndarray>payload) if type(payload) is ndarray else differentiable((<Tensor>payload).data)


cdef object as_operand(Op op, int i, object x, bint number_allowed, bint inplace=False):
    """`x` as a Tensor (or number, or Symbol) for the tensor parameter `i`, or an error that names it."""
    cdef Tensor t
    if isinstance(x, Tensor):
        t = <Tensor>x
        if t.data is None:
            raise error("MG205", f"{op.name}(): argument '{op.params[i]}' is a Tensor without data")
        return x
    if isinstance(x, Symbol):
        return x
    if isinstance(x, (bool, int, float, complex)):
        if number_allowed:
            return x
    elif isinstance(x, np.generic):
        return x.item() if number_allowed else new_tensor(np.asarray(x))
    elif isinstance(x, np.ndarray) and number_allowed:
        return new_tensor(x if type(x) is ndarray else np.asarray(x))
    raise error("MG205", f"{op.name}{'_' if inplace else ''}(): argument '{op.params[i]}' (position {i + 1 - inplace}) must be Tensor, not {type(x).__name__}. "
                         "Make a tensor of it with torch.tensor(...).")


cdef int become_view(Op op, PyObject** bound, Tensor out) except -1:
    """`out` lies in the memory of its first argument: same version, same base, one more link in the chain."""
    cdef Tensor source = <Tensor>bound[0]
    if type(out.data) is ndarray and PyArray_BASE(<ndarray>out.data) == NULL:
        return 0                    # reshape had to copy
    out.view = new_view(source, op, tuple([<object>bound[i] for i in range(1, op.n_params)]), "no_grad" if state().grad_off else "")
    out.version = version_of(source)
    out.inference = source.inference
    return 0


# ------------------------------------------------------------------------------ levels

# Note [Levels]
# -------------
# A transform (vmap, func.grad, func.jvp) opens a level, wraps its inputs as tensors of that level, and
# calls the function.  The payload of a tensor of level n is a tensor of a lower level:
#
#     vmap(grad(f))(x):     level 2, tape     Tensor(level 2) -+
#                           level 1, batch                     +-> Tensor(level 1) -+
#                           level 0, arrays                                         +-> Tensor -> ndarray
#
# An operation belongs to the highest level among its arguments.  That level's interpreter handles it
# by calling ops on payloads, which are one level down, and so on until arrays are reached.  A tape
# level records exactly as level 0 does: the formulas then run on payloads, whatever those are.

cdef object call_at_level(Op op, list args, int level):
    opened = <list>state().levels if state().levels != NULL else []
    if level > len(opened):
        raise error("MG117", f"{op.name}(): an argument comes from a transform (vmap, grad, jvp ...) that has already ended. "
                             "Return it from the transformed function instead of storing it elsewhere.")
    return opened[level - 1].process(op, args, level)


def call_on_payloads(Op op, list args, int level, bint recording):
    """Run ``op`` one level down and wrap the result for ``level``, recorded there if ``recording``."""
    cdef PyObject* bound[MAX_PARAMS]
    cdef unsigned int mask = 0
    cdef int i
    cdef Tensor t
    cdef list payloads = []
    for i in range(op.n_params):
        bound[i] = <PyObject*>args[i]
        if op.type_of[i] == PLAIN or args[i] is None or not isinstance(args[i], (Tensor, list)):
            payloads.append(args[i])
            continue
        several = args[i] if op.type_of[i] == TENSORS else [args[i]]
        below = []
        for t in several:
            if t is None:
                below.append(None)
                continue
            below.append(t.data if t.level == level else t)
            if t.level == level and t.requires_grad_ and op.formula_of[i] >= 0:
                mask |= 1u << op.formula_of[i]
        payloads.append(below if op.type_of[i] == TENSORS else below[0])
    return wrap_outputs(op, bound, op(*payloads), mask if recording else 0, level)


# ------------------------------------------------------------------------------ compute

cdef list _categories = []          # by dtype code: 0 bool, 1 integer, 2 floating, 3 complex
cdef list _promotions = []          # [code][code] -> code
cdef list _numpy_types = []         # code -> np.dtype
cdef dict _codes = {}               # np.dtype -> code
cdef object _default_real = np.dtype(np.float32)
cdef object _default_complex = np.dtype(np.complex64)


def register_dtypes(list numpy_types, list categories, list promotions):
    """Tell dispatch about the dtypes: by code, their NumPy dtype and category, and the table of promotions."""
    _numpy_types[:] = numpy_types
    _categories[:] = categories
    _promotions[:] = promotions
    _codes.clear()
    _codes.update({t: i for i, t in enumerate(numpy_types) if t is not None})


def set_default_dtype(real, complex_):
    """The NumPy dtypes of Python floats and complex numbers."""
    global _default_real, _default_complex
    _default_real = real
    _default_complex = complex_


cdef int number_category(object x) except -1:
    if isinstance(x, bool):
        return 0
    if isinstance(x, int):
        return 1
    return 2 if isinstance(x, float) else 3


def result_dtype(values):
    """PyTorch's promotion: the NumPy dtype for arrays and Python numbers together.

    Three tiers: arrays with dimensions, 0-d arrays, Python numbers.  A lower tier matters only where
    it is of a higher category (bool < integer < floating < complex), and then the higher dtype wins.
    """
    cdef int best = -1, tier_best, category
    cdef list tiers = [[], [], []]          # dimensions, 0-d, numbers; joined from the lowest up
    for x in values:
        if isinstance(x, np.ndarray):
            tiers[0 if x.ndim else 1].append(code_of(x.dtype))
        else:
            category = number_category(x)
            tiers[2].append(code_of(np.dtype(bool) if category == 0 else np.dtype(np.int64) if category == 1 else
                                    _default_real if category == 2 else _default_complex))
    for tier in reversed(tiers):
        tier_best = -1
        for c in tier:
            tier_best = c if tier_best < 0 else _promotions[tier_best][c]
        if tier_best >= 0:
            best = tier_best if best < 0 else overrule(tier_best, best)
    return _numpy_types[best]


cdef int overrule(int high, int low) except -1:
    """The dtype of a higher and a lower tier: the lower counts only where its category is higher."""
    if _categories[low] <= _categories[high]:
        return high
    if _categories[high] < 2:
        return low
    return code_of(_complex_of(_numpy_types[high]))     # complex beside floats: their width is that of the parts


cdef object _complex_of(object numpy_type):
    return np.dtype(np.complex128 if numpy_type.itemsize == 8 else np.complex64)


cdef int code_of(object numpy_type) except -1:
    try:
        return _codes[numpy_type]
    except KeyError:
        raise error("MG202", f"arrays of dtype {numpy_type} have no place in PyTorch's type system; convert with .astype(...) first") from None


cdef object run(Op op, PyObject** raw, int n):
    """The op on arrays (and numbers and parameters): a fast loop where the layout is plain, else the general way."""
    cdef object r
    if op.fast != NULL:
        r = op.fast(&op.loop, raw, n)
        if r is not None:
            return r
    return run_general(op, raw, n)


cdef object run_general(Op op, PyObject** raw, int n):
    """Promote, run the kernel, and see to it that arrays come out."""
    cdef list args = [<object>raw[i] for i in range(n)]
    cdef object r
    if op.refuse:
        for r in args:
            if type(r) is ndarray and (<ndarray>r).dtype.kind in op.refuse:
                raise unsupported(op, args)
    if op.promote is not None:
        target = promote(op, args)
    else:
        target = None
        for i in range(op.n_tensors):
            if op.type_of[i] == TENSOR and type(args[i]) is not ndarray and not isinstance(args[i], np.ndarray):
                args[i] = np.asarray(args[i], None if not isinstance(args[i], float) else _default_real)
    before = silence()
    try:
        r = op.kernel(*args)
    except ValueError as e:
        if op.elementwise and "broadcast" in str(e) and not hasattr(e, "code"):
            raise not_broadcastable(op, args) from None
        raise
    except TypeError as e:
        if op.elementwise and not hasattr(e, "code"):
            raise unsupported(op, args) from None
        raise
    finally:
        unsilence(before)
    if op.list_output or op.outputs:
        return [x if type(x) is ndarray else np.asarray(x) for x in r]
    if type(r) is not ndarray:
        r = np.asarray(r)
    if target is not None and op.kind == "elementwise" and (<ndarray>r).dtype.itemsize > target.itemsize and target.kind in "fV":
        r = r.astype(target)            # a Python number in a kernel is weak for NumPy's own types, not for bfloat16
    return r


# Floating-point flags are ignored (1/0 is inf without a word, as in PyTorch).  np.errstate does that by
# setting a context variable, but in Python, which takes longer than most kernels; so it is set here.
try:
    from numpy._core.umath import _extobj_contextvar as _error_state
    with np.errstate(all="ignore"):
        _ignore = _error_state.get()
except ImportError:                     # a NumPy that keeps it elsewhere: the plain way
    _error_state = None


cdef object silence():
    if _error_state is None:
        before = np.errstate(all="ignore")
        before.__enter__()
        return before
    return PyContextVar_Set(_error_state, _ignore)


cdef int unsilence(object before) except -1:
    if _error_state is None:
        before.__exit__(None, None, None)
        return 0
    return PyContextVar_Reset(_error_state, before)


cdef object promote(Op op, list args):
    """Bring the operands to one dtype, in place in `args`; returns that dtype."""
    cdef int i
    cdef bint several
    values = []
    for i in range(op.n_tensors):
        if op.promotes[i] and args[i] is not None:
            if op.type_of[i] == TENSORS:
                values += args[i]
            else:
                values.append(args[i])
    target = result_dtype(values)
    if op.promote == "float" and target.kind in "biu":
        target = _default_real
    for i in range(op.n_tensors):
        if args[i] is None or op.type_of[i] == PLAIN:
            continue
        if op.promotes[i]:
            if op.type_of[i] == TENSORS:
                args[i] = [x.astype(target, copy=False) for x in args[i]]
            elif isinstance(args[i], np.ndarray):
                if (<object>args[i]).dtype is not target:
                    args[i] = args[i].astype(target, copy=False)
            else:
                args[i] = number_as(args[i], target, op)
        elif op.type_of[i] == TENSOR and not isinstance(args[i], np.ndarray):
            args[i] = np.asarray(args[i])
    return target


cdef object number_as(object x, object target, Op op):
    try:
        return np.asarray(x, dtype=target) if not (isinstance(x, int) and target.kind in "iu") else np.asarray(np.int64(x)).astype(target)
    except OverflowError:
        raise error("MG209", f"{op.name}: the number {x} does not fit into {target}: value cannot be converted to type {target} without overflow") from None


cdef object shapes_of(Op op, list args):
    return ", ".join([f"{op.params[i]} {list((<object>args[i]).shape)}" for i in range(op.n_tensors) if isinstance(args[i], np.ndarray)])


cdef object not_broadcastable(Op op, list args):
    """Name the first axis, from the right, on which two of the shapes disagree."""
    shapes = [(<object>args[i]).shape for i in range(op.n_tensors) if isinstance(args[i], np.ndarray)]
    for a in shapes:
        for b in shapes:
            for back in range(1, min(len(a), len(b)) + 1):
                if a[-back] != b[-back] and a[-back] != 1 and b[-back] != 1:
                    return error("MG201", f"The size of tensor a ({a[-back]}) must match the size of tensor b ({b[-back]}) at non-singleton dimension "
                                          f"{max(len(a), len(b)) - back}, in {op.name}({shapes_of(op, args)}): shapes are compared from the right, and two sizes fit "
                                          "if they are equal or one of them is 1. Use unsqueeze, reshape or transpose to line them up.")
    return error("MG201", f"{op.name}: the shapes do not broadcast: {shapes_of(op, args)}")


cdef object unsupported(Op op, list args):
    dtypes = ", ".join([f"{op.params[i]} {(<object>args[i]).dtype}" for i in range(op.n_tensors) if isinstance(args[i], np.ndarray)])
    return error("MG202", f'"{op.name}" not implemented for these dtypes: {dtypes}. Convert with .to(dtype) first.')


# ------------------------------------------------------------------------------ record

cdef int record(Op op, PyObject** bound, unsigned int mask, Tensor out, list outputs) except -1:
    """Make the node of a call: edges to the inputs, and what the needed formulas name.  `mask` has a bit for each input that requires grad."""
    cdef Node n
    cdef int i, e
    cdef Tensor t
    if not op.recorded:
        return 0
    refuse_inference(op, bound, mask)
    e = op.n_formulas
    for i in range(op.n_tensors):
        if op.type_of[i] == TENSORS and op.formula_of[i] >= 0:
            e += len(<list>bound[i]) - 1
    n = new_node(op, e, op.n_slots)
    e = 0
    for i in range(op.n_tensors):
        if op.formula_of[i] < 0:
            continue
        if op.type_of[i] == TENSORS:
            for t in <list>bound[i]:
                if t is not None:
                    link(op, n, e, t, out, outputs)
                e += 1
        else:
            if isinstance(<object>bound[i], Tensor):
                link(op, n, e, <Tensor>bound[i], out, outputs)
            e += 1
    if out is not None:
        n.level = out.level
        out.node = n
        out.requires_grad_ = True
    else:
        n.several = True
        n.n_outputs = len(outputs)
        for i in range(n.n_outputs):
            t = <Tensor>outputs[i]
            n.level = t.level
            if op.list_output or op.differentiable >> i & 1:
                t.node = n
                t.nr = i
                t.requires_grad_ = True
    save(op, n, bound, mask, out, outputs)
    return 0


cdef int refuse_inference(Op op, PyObject** bound, unsigned int mask) except -1:
    """An inference tensor counts no versions, so it cannot be saved; found out before anything is made."""
    cdef int i, k
    for i in range(op.n_tensors):
        if isinstance(<object>bound[i], Tensor) and (<Tensor>bound[i]).inference:
            for k in range(op.n_slots):
                if op.slot[k].source == FROM_INPUT and op.slot[k].index == i and op.slot[k].needed_by & mask:
                    raise error("MG112", "Inference tensors cannot be saved for backward. To work around you can make a clone to get a "
                                         f"normal tensor and use it in autograd: the argument '{op.params[i]}' of {op.name} was made in inference mode.")
    return 0


cdef inline int link(Op op, Node n, int e, Tensor t, Tensor out, list outputs) except -1:
    """The edge to the input `t`, and the form that its gradient must have if that is not the form it will come in."""
    cdef ndarray a, b
    cdef int k
    if not t.requires_grad_ or t.level != (out.level if out is not None else (<Tensor>outputs[0]).level):
        return 0                # a tensor of a lower level is a constant here; it is recorded at its own level
    set_edge(n, e, t)
    if type(t.data) is not ndarray:
        set_level_fit(n, e, t)
        return 0
    a = <ndarray>t.data
    if out is not None and type(out.data) is ndarray:
        b = <ndarray>out.data
    elif outputs is not None and len(outputs) and type((<Tensor>outputs[0]).data) is ndarray:
        b = <ndarray>(<Tensor>outputs[0]).data
    else:
        set_fit(n, e, a)
        return 0
    if PyArray_TYPE(a) != PyArray_TYPE(b):
        set_fit(n, e, a)
    elif op.elementwise:
        if PyArray_NDIM(a) != PyArray_NDIM(b):
            set_fit(n, e, a)
        else:
            for k in range(PyArray_NDIM(a)):
                if PyArray_DIMS(a)[k] != PyArray_DIMS(b)[k]:
                    set_fit(n, e, a)
                    break
    return 0


cdef int set_level_fit(Node n, int e, Tensor t) except -1:
    """Inside a transform the shape is that of the payload, which an inner batching may hide from its array."""
    cdef object payload = t.data
    set_fit_to(n, e, tuple(payload.shape), payload.dtype.numpy.num)
    return 0


cdef int save(Op op, Node n, PyObject** bound, unsigned int mask, Tensor out, list outputs) except -1:
    cdef int k
    cdef Slot* slot
    cdef Saved* s
    cdef object x
    cdef Tensor t
    cdef Version v
    for k in range(op.n_slots):
        slot = &op.slot[k]
        if not slot.needed_by & mask:
            continue
        s = &n.saved[k]
        if slot.source == FROM_OUTPUT:
            t = out if out is not None else <Tensor>outputs[slot.index]
            x = t.data
            s.kind = OUTPUT
            s.nr = slot.index
            v = version_of(t)
            Py_INCREF(v)
            s.version = <PyObject*>v
            s.at = v.value
            if not (op.list_output or op.differentiable >> slot.index & 1 or out is not None):
                x = t                       # an output without history, such as indices: the tensor itself
                s.kind = INPUT
                Py_DECREF(v)
                s.version = NULL
        else:
            x = <object>bound[slot.index]
            s.kind = VALUE
            if slot.source == FROM_INPUT:
                if isinstance(x, Tensor):
                    s.at = 0 if (<Tensor>x).version is None else (<Tensor>x).version.value
                    t = <Tensor>x
                    if t.node is not None and op.formula_of[slot.index] >= 0 and not op.has_list and t.level == n.level:
                        # Its history is at the end of our edge; so the payload is enough, and spares the
                        # cyclic collector a Tensor for each node of a long chain.
                        s.kind = PASSED
                        s.nr = op.formula_of[slot.index]
                        v = version_of(t)
                        Py_INCREF(v)
                        s.version = <PyObject*>v
                        x = t.data
                    else:
                        s.kind = INPUT
                elif isinstance(x, list):
                    s.kind = SEVERAL
                    x = [(y, 0 if y is None or (<Tensor>y).version is None else (<Tensor>y).version.value) for y in x]
            elif slot.source == FROM_SHAPE:
                x = shape_of_payload(x)
            elif slot.source == FROM_DTYPE:
                x = (<Tensor>x).dtype
        Py_INCREF(x)
        s.value = <PyObject*>x
    return 0


cdef object shape_of_payload(object x):
    if isinstance(x, Tensor):
        return tuple((<Tensor>x).data.shape)
    if isinstance(x, (list, tuple)):
        return [None if y is None else tuple((<Tensor>y).data.shape) for y in x]
    return ()


# ------------------------------------------------------------------------------ operators

cdef dict _operators = {}
cdef Op _mm = None
cdef object _matmul = None
cdef object _pow_number = None
cdef object _conj = None
cdef object _zeros_of = None
cdef object _rsub = None
cdef object _rdiv = None


def register_operators(dict operators, Op mm, pow_number, conj, zeros_of, rsub, rdiv):
    """The ops behind ``+ - * / @ ** -``; ``mm`` and ``pow_number`` are the short ways of ``@`` and ``**``, ``rsub`` and ``rdiv`` those of ``1 - x`` and ``1 / x``."""
    global _mm, _matmul, _pow_number, _conj, _zeros_of, _rsub, _rdiv
    _matmul = operators["matmul"]
    _zeros_of = zeros_of
    _rsub = rsub
    _rdiv = rdiv
    _operators.update(operators)
    _mm = mm
    _pow_number = pow_number
    _conj = conj
    _graph.register(operators=tuple([operators[k] for k in ("add", "sub", "mul", "div", "matmul", "pow", "neg")]))


cdef object binary_operator(object op, object a, object b):
    """`a op b` from a C slot of Tensor: at least one of them is a Tensor."""
    cdef PyObject* bound[MAX_PARAMS]
    if not acceptable(a) or not acceptable(b):
        return NotImplemented
    if op is _matmul and not (isinstance(a, (Tensor, Symbol)) and isinstance(b, (Tensor, Symbol))):
        return NotImplemented
    if type(op) is Op:
        if isinstance(a, (int, float, complex)):
            if op is _operators["sub"]:
                return _rsub(b, a)
            if op is _operators["div"]:
                return _rdiv(b, a)
        if (<Op>op).n_params != 2:
            return op(a, b)
        bound[0] = <PyObject*>a
        bound[1] = <PyObject*>b
        return call(<Op>op, bound)
    if type(a) is Tensor and type(b) is Tensor:
        if op is _matmul and is_matrix(<Tensor>a) and is_matrix(<Tensor>b):
            bound[0] = <PyObject*>a
            bound[1] = <PyObject*>b
            return call(_mm, bound)
    elif op is _operators["pow"] and type(_pow_number) is Op and type(a) is Tensor and (PyFloat_CheckExact(b) or PyLong_CheckExact(b)):
        bound[0] = <PyObject*>a
        bound[1] = <PyObject*>b
        return call(<Op>_pow_number, bound)
    return op(a, b)


cdef inline bint is_matrix(Tensor t) noexcept:
    return type(t.data) is ndarray and PyArray_NDIM(<ndarray>t.data) == 2


cdef bint acceptable(object x) except -1:
    return isinstance(x, (Tensor, Symbol)) or PyFloat_CheckExact(x) or PyLong_CheckExact(x) or isinstance(x, (bool, int, float, complex, np.generic, np.ndarray))


cdef object unary_operator(object op, object a):
    cdef PyObject* bound[MAX_PARAMS]
    if type(op) is Op and (<Op>op).n_params == 1:
        bound[0] = <PyObject*>a
        return call(<Op>op, bound)
    return op(a)


cdef object inplace_operator(object op, object a, object b):
    cdef PyObject* bound[MAX_PARAMS]
    if not acceptable(b):
        return NotImplemented
    if (<Op?>op).n_params != 2:
        return op.inplace(a, b)
    bound[0] = <PyObject*>a
    bound[1] = <PyObject*>b
    return write_in_place(<Op>op, bound)


upward.binary = binary_operator
upward.unary = unary_operator
upward.inplace = inplace_operator


# ------------------------------------------------------------------------------ in place

cdef object write_in_place(Op op, PyObject** bound):
    """target = op(target, ...), into the memory of target.  Every check comes before the first change."""
    cdef State* st = state()
    cdef Tensor target = <Tensor?><object>bound[0]
    cdef list args
    cdef PyObject* raw[MAX_PARAMS]
    cdef unsigned int mask = 0
    cdef int i
    cdef object x, result
    cdef Version version
    if type(target.data) is not ndarray:
        raise error("MG117", f"{op.name}_ on a tensor inside a transform (vmap, grad, jvp) is not supported yet: use the out-of-place {op.name}")
    args = [target] + [as_operand(op, i, <object>bound[i], True, True) if op.type_of[i] == TENSOR else <object>bound[i] for i in range(1, op.n_params)]
    for i in range(op.n_params):
        x = args[i]
        raw[i] = <PyObject*>x
        if isinstance(x, Tensor) and op.type_of[i] != PLAIN:
            if (<Tensor>x).requires_grad_ and op.formula_of[i] >= 0:
                mask |= 1u << op.formula_of[i]
            raw[i] = <PyObject*>(<Tensor>x).data
    if st.grad_off:
        mask = 0
    else:
        check_writable(op, target, mask)
    if target.inference and not st.inference:
        raise error("MG112", "Inplace update to inference tensor outside InferenceMode is not allowed. You can make a clone to get a normal tensor before doing inplace update.")
    if not PyArray_ISWRITEABLE(<ndarray>target.data):
        raise error("MG116", f"{op.name}_: the memory of this tensor is read-only (it came from a read-only NumPy array). Please clone() the tensor first.")
    if repeats_itself(<ndarray>target.data) and op.name not in ("zero", "fill"):
        raise error("MG116", "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
                             f"Please clone() the tensor before performing the operation. It was expanded: in {op.name}_ a write to one element would be a write to others.")
    version = version_of(target)
    if op.n_params < 2 or overlaps(op, target, args[1]) or mask or op.fast != binary_loop or binary_into(&op.loop, target.data, <object>raw[1], target.data) is None:
        result = run(op, raw, op.n_params)
        check_result(op, target, result)
        if mask:
            record_in_place(op, args, mask, target)
        np.copyto(target.data, result, casting="unsafe")
    version.value += 1
    return target


cdef int record_in_place(Op op, list args, unsigned int mask, Tensor target) except -1:
    """The target becomes the output of a new node, whose edge leads to the node that it had before.

    The write comes after: so what the node saves of the target's memory carries the version of before,
    and will be found modified (y.mul_(y)).  Only the target itself, where a formula needs its old
    value, is saved as a copy.
    """
    cdef Tensor before = new_tensor(target.data)
    cdef Tensor copy
    cdef PyObject* bound[MAX_PARAMS]
    cdef int i
    cdef bint retain = target.retains_grad
    cdef Node n
    before.node = target.node
    before.nr = target.nr
    before.requires_grad_ = target.requires_grad_
    before.version = version_of(target)
    for i in range(op.n_params):
        bound[i] = <PyObject*>(before if args[i] is target else args[i])
    if saves_target(op, mask):
        copy = new_tensor(np.array(target.data))
        copy.node = before.node
        copy.nr = before.nr
        copy.requires_grad_ = before.requires_grad_
        bound[0] = <PyObject*>copy
    target.nr = 0
    target.hooks = None                     # hooks registered so far belong to the old value
    record(op, bound, mask, target, None)
    n = <Node>target.node
    for i in range(op.n_slots):
        if n.saved[i].kind == OUTPUT:
            n.saved[i].at += 1
    if retain:
        hooks_of(<Node>before.node).retained.pop(before.nr, None)
        target.retain_grad()
    return 0


cdef bint saves_target(Op op, unsigned int mask) noexcept:
    cdef int k
    for k in range(op.n_slots):
        if op.slot[k].source == FROM_INPUT and op.slot[k].index == 0 and op.slot[k].needed_by & mask:
            return True
    return False


cdef bint repeats_itself(ndarray a) noexcept:
    """Do several elements lie in one place, as in an expanded tensor?"""
    cdef int i
    cdef bint repeats = False
    for i in range(PyArray_NDIM(a)):
        if PyArray_DIMS(a)[i] == 0:
            return False
        if PyArray_DIMS(a)[i] > 1 and PyArray_STRIDES(a)[i] == 0:
            repeats = True
    return repeats


cdef bint overlaps(Op op, Tensor target, object other) except -1:
    """Does `other` lie, shifted, in the memory of `target`?  (Exactly the same memory is harmless.)"""
    cdef ndarray a, b
    cdef char* pa
    cdef char* pb
    if not isinstance(other, Tensor) or type((<Tensor>other).data) is not ndarray:
        return False
    a = target.data
    b = (<Tensor>other).data
    pa = <char*>PyArray_DATA(a)
    pb = <char*>PyArray_DATA(b)
    if pa == pb and PyArray_NDIM(a) == PyArray_NDIM(b) and (<object>a).strides == (<object>b).strides and (<object>a).shape == (<object>b).shape:
        return False
    if not np.may_share_memory(a, b):
        return False
    if a.dtype == b.dtype and PyArray_CHKFLAGS(a, cnp.NPY_ARRAY_C_CONTIGUOUS | 0) and (<object>b).flags.forc:
        raise error("MG116", "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. "
                             f"Please clone() the tensor before performing the operation. In {op.name}_ the write would change what is still to be read.")
    return True


cdef int check_writable(Op op, Tensor target, unsigned int mask) except -1:
    cdef View v
    if target.requires_grad_ and target.node is None:
        raise error("MG105", f"a leaf Variable that requires grad is being used in an in-place operation ({op.name}_): its gradient is wanted "
                             "with respect to the value that it has, which the write would destroy. To update a parameter, write the update "
                             "under `with torch.no_grad():`; else use the out-of-place form.")
    if target.view is not None:
        v = <View>target.view
        if v.base.requires_grad_ and v.base.node is None:
            raise error("MG105", f"a view of a leaf Variable that requires grad is being used in an in-place operation ({op.name}_). "
                                 "Write under `with torch.no_grad():`, or work on a clone().")
        if v.made_in == "no_grad" and (v.base.requires_grad_ or mask):
            raise error("MG116", f"A view was created in no_grad mode and is being modified inplace with grad mode enabled ({op.name}_). "
                                 "Nobody could say whether the write is to be recorded: make the view outside no_grad, or write inside it.")
        if v.made_in == "several" and (v.base.requires_grad_ or mask):
            raise error("MG116", f"Output {target.nr} of {'the function' if target.node is None else (<Node>publish(<Node>target.node)).name()} is a view and is being modified inplace ({op.name}_). "
                                 "This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. "
                                 "You should replace the inplace operation by an out-of-place one.")
        if v.made_in == "custom Function" and (v.base.requires_grad_ or mask):
            raise error("MG116", f"Output {target.nr} of a custom Function is a view and is being modified inplace ({op.name}_). This view was created inside a custom "
                                 "Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom backward "
                                 "associated with it. You should replace the inplace operation by an out-of-place one.")
        if mask:
            raise error("MG116", f"{op.name}_: this tensor is a view, and a recorded write through a view has to change the history of its base, "
                                 "which is not supported yet. Use the out-of-place form, or write to the base.")
    return 0


cdef int check_result(Op op, Tensor target, object result) except -1:
    if result.shape != target.data.shape:
        raise error("MG201", f"output with shape {list(target.data.shape)} doesn't match the broadcast shape {list(result.shape)}: "
                             f"{op.name}_ writes into the tensor on its left, which cannot grow. Use the out-of-place {op.name}.")
    if _categories[code_of(result.dtype)] > _categories[code_of(target.data.dtype)]:
        raise error("MG202", f"result type {result.dtype} can't be cast to the desired output type {target.data.dtype}: "
                             f"{op.name}_ writes into the tensor on its left, which keeps its dtype. Use the out-of-place {op.name}.")
    return 0



# ------------------------------------------------------------------------------ formulas

# Note [Formulas as programs]
# ---------------------------
# The derivative of tanh is written in the table as a Python function:
#
#     self = lambda d, result: d * (1 - result * result)
#
# Called with Tensors it computes, records (double backward) and batches (vmap), as any code does.  But
# in a plain backward pass every `*` on Tensors would wrap and unwrap for nothing.  A formula is pure and
# speaks only of table ops; so it is called once with Symbols, which compute nothing and note what is
# done to them:
#
#     registers   0: d    1: result    2: the constant 1
#     step 3 = mul(1, 1)
#     step 4 = sub(2, 3)
#     step 5 = mul(0, 4)
#
# The engine runs these steps on arrays, with the op's own promotion and fast loops.  The same list is
# what the documentation prints as mathematics, and what tests read to see that every formula stays
# inside the table.  A formula that asks a Symbol for its value cannot be traced; its text then runs on
# Tensors with recording off, slower and with the same result.

class Untraceable(TypeError):
    """A formula asked a symbol for its value."""


cdef class Tracer:
    cdef list steps, constants, registers
    cdef int n_inputs

    def __cinit__(self, int n_inputs):
        self.n_inputs = n_inputs
        self.steps = []
        self.constants = []


cdef class Symbol:
    """Stands for a value while a formula is traced."""
    cdef Tracer tracer
    cdef readonly object key            # ("input", i), ("constant", i) or ("step", i)

    def __add__(self, other):
        return emit_operator("add", self, other)

    def __radd__(self, other):
        return emit_operator("add", other, self)

    def __sub__(self, other):
        return emit_operator("sub", self, other)

    def __rsub__(self, other):
        return emit_operator("sub", other, self)

    def __mul__(self, other):
        return emit_operator("mul", self, other)

    def __rmul__(self, other):
        return emit_operator("mul", other, self)

    def __truediv__(self, other):
        return emit_operator("div", self, other)

    def __rtruediv__(self, other):
        return emit_operator("div", other, self)

    def __pow__(self, other, modulo):
        return emit_operator("pow_tensor", self, other)

    def __rpow__(self, other):
        return emit_operator("pow_tensor", other, self)

    def __matmul__(self, other):
        return emit_operator("mm", self, other)

    def __neg__(self):
        return emit_operator("neg", self)

    def __richcmp__(self, other, int comparison):
        return emit_operator(("lt", "le", "eq", "ne", "gt", "ge")[comparison], self, other)

    def __hash__(self):
        return id(self)

    def __bool__(self):
        raise Untraceable("a formula may not branch on a value")

    def __iter__(self):
        raise Untraceable("a formula may not unpack a value")

    def __getitem__(self, index):
        raise Untraceable("a formula may not index a value")

    def __getattr__(self, name):
        raise Untraceable(f"a formula may not read the attribute {name}")


cdef object emit_operator(str name, object a, object b=None):
    cdef object op = _operators[name]
    return emit(<Op?>op, [a] if b is None else [a, b])


cdef object trace_step(Op op, list args):
    return emit(op, args)


cdef object emit(Op op, list args):
    cdef Tracer tracer = None
    cdef list registers = list(op.defaults)
    cdef int i
    for x in args:
        for y in (x if type(x) in (list, tuple) else (x,)):
            if type(y) is Symbol:
                tracer = (<Symbol>y).tracer
    registers[:len(args)] = args
    tracer.steps.append((op, [key_of(tracer, x) for x in registers]))
    return symbol(tracer, ("step", len(tracer.steps) - 1))


cdef Symbol symbol(Tracer tracer, tuple key):
    cdef Symbol s = Symbol.__new__(Symbol)
    s.tracer = tracer
    s.key = key
    return s


cdef object key_of(Tracer tracer, object x):
    if type(x) is Symbol:
        return (<Symbol>x).key
    if type(x) in (list, tuple) and any([type(y) is Symbol for y in x]):
        raise Untraceable("a formula may not build a list of values")
    tracer.constants.append(x)
    return ("constant", len(tracer.constants) - 1)


cdef class Program:
    def __dealloc__(self):
        PyObject_Free(self.code)

    def __repr__(self):
        lines = [f"r{self.n_inputs + len(self.constants) + i} = {op.name}({', '.join([self._name(r) for r in registers])})"
                 for i, (op, registers) in enumerate(self.steps)]
        return "\n".join(lines + [f"return r{self.result}" if self.results is None else f"return {', '.join([f'r{r}' for r in self.results])}"])

    def _name(self, r):
        return repr(self.constants[r - self.n_inputs]) if self.n_inputs <= r < self.n_inputs + len(self.constants) else f"r{r}"


cdef Program trace(Formula f):
    """Run the text of `f` on symbols; None where it cannot be traced."""
    cdef Tracer tracer = Tracer(f.n + 1)
    cdef Program p = Program.__new__(Program)
    cdef int i, k, base
    try:
        out = f.text(*[symbol(tracer, ("input", i)) for i in range(f.n + 1)])
        p.results = None
        if type(out) in (tuple, list):
            keys = [key_of(tracer, x) for x in out]
        else:
            keys = [key_of(tracer, out)]
    except Untraceable:
        return None
    p.n_inputs = f.n + 1
    p.constants = tracer.constants
    base = p.n_inputs + len(tracer.constants)

    def register(key):
        return key[1] + {"input": 0, "constant": p.n_inputs, "step": base}[key[0]]

    p.steps = [(op, [register(key) for key in args]) for op, args in tracer.steps]
    p.n_steps = len(p.steps)
    if type(out) in (tuple, list):
        p.results = tuple([register(key) for key in keys])
    p.result = register(keys[0])
    if base + p.n_steps > MAX_REGISTERS:
        return None
    p.code = <Step*>PyObject_Malloc(p.n_steps * sizeof(Step) + 1)
    for i, (op, args) in enumerate(p.steps):
        p.code[i].op = <PyObject*>op
        p.code[i].n = len(args)
        for k, r in enumerate(args):
            p.code[i].args[k] = r
    return p


cdef Program program_of(Formula f, Op op):
    if not f.traced:
        f.program = trace(f) if op.traceable and f.text is not None else None
        f.traced = True
    return f.program


cdef object execute(Program p, PyObject** registers):
    """Run the steps; `registers` holds the inputs (borrowed) and has room for the rest."""
    cdef int i, k, base = p.n_inputs
    cdef int n_constants = len(p.constants)
    cdef Step* step
    cdef PyObject* args[MAX_PARAMS]
    cdef object r, out
    for i in range(n_constants):
        registers[base + i] = <PyObject*>p.constants[i]
    base += n_constants
    try:
        for i in range(p.n_steps):
            registers[base + i] = NULL
        for i in range(p.n_steps):
            step = &p.code[i]
            for k in range(step.n):
                args[k] = registers[step.args[k]]
            r = run_step(<Op>step.op, args, step.n)
            Py_INCREF(r)
            registers[base + i] = <PyObject*>r
        if p.results is not None:
            return tuple([<object>registers[<int>k] for k in p.results])
        out = <object>registers[p.result]
        return out
    finally:
        for i in range(p.n_steps):
            if registers[base + i] != NULL:
                Py_DECREF(<object>registers[base + i])


cdef inline object run_step(Op op, PyObject** args, int n):
    cdef int i
    cdef object r
    if op.fast != NULL:
        r = op.fast(&op.loop, args, n)
        if r is not None:
            return r
    if op.number is not None:
        for i in range(n):
            if not isinstance(<object>args[i], (int, float, complex)):
                break
        else:
            return op.number(*[<object>args[i] for i in range(n)])
    return run_general(op, args, n)


cdef object apply_formula(Formula f, Op op, object d, Node n):
    """The gradient for one input from the gradient `d` of the output: arrays in, arrays out."""
    cdef PyObject* registers[MAX_REGISTERS]
    cdef object out, value
    cdef int i, held = 0
    cdef bint turned
    cdef Program p = f.program if f.traced else program_of(f, op)
    if f.text is None:
        return np.zeros_like(d)                         # piecewise constant
    if p is None:
        return payloads(apply_text(f, op, tensors(d), n, False))
    if p.n_steps == 0 and p.result == 0 and p.results is None:
        return d                                        # the identity: add, sub
    turned = op.conjugate and type(d) is ndarray and cnp.NPY_CFLOAT <= PyArray_TYPE(<ndarray>d) <= cnp.NPY_CLONGDOUBLE
    if turned:
        d = np.asarray(np.conj(d))
    registers[0] = <PyObject*>d
    try:
        for i in range(f.n):
            value = payload_of(n, f.slots[i])
            Py_INCREF(value)            # another thread may run this node too, and let go of what it saved
            registers[i + 1] = <PyObject*>value
            held += 1
        out = execute(p, registers)
    finally:
        for i in range(held):
            Py_DECREF(<object>registers[i + 1])
    return np.asarray(np.conj(out)) if turned else out


cdef object tensors(object d):
    if type(d) in (list, tuple):
        return tuple([None if x is None else new_tensor(x) for x in d])
    return new_tensor(d)


cdef object payloads(object out):
    if type(out) in (list, tuple):
        return tuple([None if x is None else (<Tensor>x).data for x in out])
    return None if out is None else (<Tensor>out).data


cdef object apply_text(Formula f, Op op, object d, Node n, bint on_payload):
    """The same by the formula's text: on Tensors of the node's own level, or on payloads, one level down."""
    cdef list values = []
    cdef int i
    cdef object x, out
    if f.text is None:
        return _zeros_of(d)
    for i in range(f.n):
        x = payload_of(n, f.slots[i]) if on_payload else unpack(n, f.slots[i])
        values.append(x)
    if op.conjugate and type(d) is Tensor and (<Tensor>d).dtype.is_complex:
        out = f.text(_conj(d), *values)
        return None if out is None else _conj(out)
    return f.text(d, *values)


# ------------------------------------------------------------------------------ composites

_SYNONYMS = {"input": "self", "axis": "dim", "keepdims": "keepdim"}


cdef class Composite:
    """A public function made of rows: the Python function, callable also with NumPy's and PyTorch's other names for ``self``, ``dim``, ``keepdim``."""
    cdef vectorcall_t vectorcall
    cdef readonly object __wrapped__
    cdef dict __dict__

    def __init__(self, function):
        self.__wrapped__ = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        (<void**>&self.vectorcall)[0] = <void*>composite_vectorcall

    def __call__(self, *args, **kwargs):
        return PyVectorcall_Call(self, args, kwargs)

    def __get__(self, instance, owner):
        return self if instance is None else _bound_method(self, instance)

    def __repr__(self):
        return f"<function {self.__name__}>"

    def __reduce__(self):
        return self.__name__


cdef PyObject* composite_vectorcall(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    cdef object names
    if kwnames != NULL:
        names = tuple([_SYNONYMS.get(name, name) for name in <tuple>kwnames])
        if names != <tuple>kwnames:
            known = (<Composite>self).__wrapped__.__code__.co_varnames
            names = tuple([new if new in known and old not in known else old for old, new in zip(<tuple>kwnames, names)])
            return PyObject_Vectorcall(<PyObject*>(<Composite>self).__wrapped__, args, nargsf, <PyObject*>names)
    return PyObject_Vectorcall(<PyObject*>(<Composite>self).__wrapped__, args, nargsf, kwnames)


# ------------------------------------------------------------------------------ vectorcall

# A compiled class has no way to say that its instances are called by vectorcall (PEP 590), which spares
# the argument tuple, or that they are methods, which spares the bound method of `x.exp()`.
cdef int declare_vectorcall(PyTypeObject* cls, Py_ssize_t offset) except -1:
    cls.tp_vectorcall_offset = offset
    cls.tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR
    PyType_Modified(cls)
    return 0


cdef int declare_both() except -1:
    cdef Op op = Op.__new__(Op)
    cdef Composite composite = Composite.__new__(Composite)
    declare_vectorcall(<PyTypeObject*>Op, <char*>&op.vectorcall - <char*><PyObject*>op)
    declare_vectorcall(<PyTypeObject*>Composite, <char*>&composite.vectorcall - <char*><PyObject*>composite)
    return 0


declare_both()
