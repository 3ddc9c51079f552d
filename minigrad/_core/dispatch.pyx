"""Op: from a call to a result.

A call goes through five steps, and this file is in their order::

    bind       arguments to the schema                          Op.__call__, bind
    look       which mode and level is this for?                 call
    compute    promote, run the kernel                           run
    record     node, edges, what the formulas need               record
    wrap       arrays into Tensors

Most calls take the fast path of `call`: all tensors are ordinary ones, no mode is on.  What it does
not know it leaves to `call_general` beside it, which does the same slowly for every case.

Formulas (Python functions of a few lines) become programs in formulas.pyx; operators and in-place forms are
operators.pyx.
"""

cimport cython
from cpython.ref cimport PyObject, Py_INCREF, Py_DECREF
cimport numpy as cnp
from numpy cimport ndarray, npy_intp

import inspect

import numpy as np

from minigrad._core.errors import MinigradError, error
from minigrad._core.modes cimport ANOMALY, State, interpreter_of, listeners, state
from minigrad._core.profiling cimport Announced, OP, Listener, seq_now
from minigrad._core.symbols cimport Symbol, emit
from minigrad._core.graph cimport (INPUT, OUTPUT, PASSED, SEVERAL, VALUE, Node, Saved, Tensor, Version, View, catch_up, new_node, note_origin, new_tensor, new_view,
                                   set_edge, set_fit, set_fit_to, upward, version_of)
from minigrad._core.saved cimport shown_slot
from minigrad._core.packing cimport pack_slot, raw_slot
from minigrad._core.kernels cimport fast_for
from minigrad._core import graph as _graph
from minigrad._core.promotion import default_real, result_dtype

cnp.import_array()

cdef extern from "Python.h":
    int PyFloat_CheckExact(object)
    int PyLong_CheckExact(object)
    Py_ssize_t PyVectorcall_NARGS(size_t)
    object PyVectorcall_Call(object, object, object)
    object PyContextVar_Set(object, object)
    object PyContext_CopyCurrent()
    int PyContext_Enter(object) except -1
    int PyContext_Exit(object) except -1
    PyObject* PyObject_Vectorcall(PyObject*, PyObject**, size_t, PyObject*) except NULL
    PyObject* PyTuple_GET_ITEM_ "PyTuple_GET_ITEM"(object, Py_ssize_t)
    PyObject** PySequence_Fast_ITEMS(object)
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
    npy_intp PyArray_SIZE(ndarray) nogil
    int PyArray_TYPE(ndarray) nogil
    PyObject* PyArray_BASE(ndarray) nogil

cdef object required = object()     # the default of a parameter that has none
_bound_method = type((lambda: None).__get__(0))


# ------------------------------------------------------------------------------ what an op is

@cython.final
cdef class Formula:
    """The derivative of an op with respect to one of its inputs."""

    def __repr__(self):
        return f"<formula for {self.of} from {', '.join(('d',) + self.names)}>"


@cython.binding(False)
@cython.embedsignature(True)
cdef class Op:
    """One primitive operation: a row of the table of derivatives, callable on Tensors."""

    def __init__(self, str name, str kind, list params, kernel, dict formulas, *, str node_name, outputs=None, differentiable=None,
                 promote=None, promote_args=None, number=None, str refuse="", bint recorded=True, bint zero_gradient=False, bint conjugate=False,
                 bint traceable=True, bint wide=False, renamed=None, constants=None, doc=None, str in_place_name=None,
                 bint takes_out=False, str shown=None, no_gradient=(), bint may_copy=False,
                 bint same_everywhere=False, read_first=()):
        cdef int i, k
        cdef Formula f
        if len(params) > MAX_PARAMS:
            raise ValueError(f"{name}: more than {MAX_PARAMS} parameters")
        self.name = name
        self.shown = name if shown is None else shown
        self.written = self.shown + "_"
        self.kind = kind
        self.kernel = kernel
        self.__doc__ = doc
        self.node_name = node_name
        self.in_place_name = in_place_name
        self.takes_out = takes_out
        self.params = tuple([p[0] for p in params])
        self.int_lists = frozenset([p[0] for p in params if p[1] == "int[]"])
        self.positions = {p[0]: i for i, p in enumerate(params)}
        for other, usual in other_names(self.params).items():
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
        self.wide = wide
        self.is_view = kind == "view"
        self.may_copy = may_copy
        self.same_everywhere = same_everywhere
        self.read_first = 0
        self.elementwise = kind in ("elementwise", "piecewise_constant", "not_differentiable")
        self.renamed = renamed or {}
        self.constants = constants or {}
        self.formulas = []
        self.n_tensors = 0
        for i, (parameter, type_, default, keyword_only) in enumerate(params):
            self.type_of[i] = {"Tensor": TENSOR, "Tensor?": OPTIONAL, "Tensor[]": TENSORS, "Tensor?[]": TENSORS}.get(type_, PLAIN)
            if self.type_of[i] != PLAIN:
                self.n_tensors = i + 1
            if self.type_of[i] == TENSORS:
                self.has_list = True
            if parameter in read_first:
                self.read_first |= 1u << i
            self.promotes[i] = self.type_of[i] != PLAIN and (promote_args is None or parameter in promote_args)
            self.formula_of[i] = (NOTHING_FLOWS if self.type_of[i] == PLAIN or not recorded or parameter in no_gradient
                                  else REFUSES)
            if parameter in formulas or (zero_gradient and self.type_of[i] != PLAIN):
                f = Formula.__new__(Formula)
                f.of = parameter
                f.text = formulas.get(parameter)
                f.names = () if f.text is None else f.text.__code__.co_varnames[1:f.text.__code__.co_argcount]
                self.formula_of[i] = len(self.formulas)
                self.formulas.append(f)
        self.n_formulas = len(self.formulas)
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
            self.node_class_ = self._make_class(self.node_name)
        return self.node_class_

    @property
    def in_place_class(self):
        """The same for nodes that record a write, which PyTorch sometimes gives a number of their own."""
        if self.in_place_name is None:
            return self.node_class
        if self.in_place_class_ is None:
            self.in_place_class_ = self._make_class(self.in_place_name)
        return self.in_place_class_

    def _make_class(self, str node_name):
        cdef int i
        body = {"__slots__": (), "__module__": "minigrad._core.graph"}
        for i, slot_name in enumerate(self.slots):
            attribute = self._attribute(slot_name)
            body[f"_saved_{attribute}"] = property(_saved_getter(i, self.slot[i].source == FROM_INPUT,
                                                                 slot_name in self.int_lists))
            if self.slot[i].source == FROM_INPUT or self.slot[i].source == FROM_OUTPUT:
                body[f"_raw_saved_{attribute}"] = property(_raw_getter(i))
        for name, value in self.constants.items():
            body[f"_saved_{name}"] = value
        return _graph.make_node_class(node_name, body)

    def _attribute(self, str slot_name):
        if slot_name in self.renamed:
            return self.renamed[slot_name]
        return slot_name[:-6] + "_sym_sizes" if slot_name.endswith("_shape") else slot_name

    @property
    def __signature__(self):
        """What ``help()`` shows."""
        kinds = inspect.Parameter
        return inspect.Signature([kinds(name, kinds.POSITIONAL_OR_KEYWORD if i < self.n_positional else kinds.KEYWORD_ONLY,
                                        default=kinds.empty if self.defaults[i] is required else self.defaults[i])
                                  for i, name in enumerate(self.params)])

    def program(self, str of):
        """The formula for the input ``of`` as a Program; None where it cannot be traced."""
        return _program(self, of)

    def __get__(self, instance, owner):
        return self if instance is None else _bound_method(self, instance)

    def __call__(self, *args, **kwargs):
        return PyVectorcall_Call(self, args, kwargs)

    def __repr__(self):
        return f"<op {self.name}>"

    def __reduce__(self):
        return self.name

    def inplace(self, Tensor target not None, *args, **kwargs):
        """The in-place form: ``target`` takes the value of ``op(target, *args)``."""
        if not kwargs and len(args) == self.n_positional - 1 == self.n_params - 1:
            return _write(self, (target,) + args)
        return _write(self, bind_slowly(self, (target,) + args, kwargs))

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


def _saved_getter(int i, bint tensor, bint ints):
    def saved(Node self not None):
        value = shown_slot(self, i)
        if ints and isinstance(value, int):
            return (value,)                             # x.sum(0): PyTorch's dim is a list
        if tensor and isinstance(value, (int, float, complex)):
            return new_tensor(np.asarray(value))        # x * 2: PyTorch shows the number as a tensor
        return value
    return saved


def _raw_getter(int i):
    def raw(Node self not None):
        return raw_slot(self, i)
    return raw


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
        target = keywords.pop("out", None) if op.takes_out else None
        keep = bind_slowly(op, positional, keywords)
        for i in range(op.n_params):
            bound[i] = PyTuple_GET_ITEM_(keep, i)
        out = call(op, bound)
        if target is not None:
            out = _write_out(op.shown, target, out, op.exact_out, keep)
    Py_INCREF(out)
    return <PyObject*>out


cdef tuple bind_slowly(Op op, tuple args, dict kwargs):
    """The arguments in schema order."""
    cdef list bound = list(op.defaults)
    cdef int i
    if len(args) > op.n_positional:
        raise error("MG205", f"{op.shown}() takes {op.n_positional} positional arguments but {len(args)} were given; it is {signature(op)}")
    given = set()
    for i in range(len(args)):
        bound[i] = args[i]
        given.add(i)
    for name, value in kwargs.items():
        if name not in op.positions:
            raise error("MG205", f"{op.shown}() got an unexpected keyword argument '{name}'; it is {signature(op)}")
        i = op.positions[name]
        if i in given:
            raise error("MG205", f"{op.shown}() got multiple values for argument '{name}'; it is {signature(op)}")
        given.add(i)
        bound[i] = value
    for i in range(op.n_params):
        if bound[i] is required:
            raise missing(op, i)
    return tuple(bound)


def signature(Op op not None):
    """The call as a user would write it."""
    parts = []
    for i, name in enumerate(op.params):
        if i == op.n_positional:
            parts.append("*")
        parts.append(name if op.defaults[i] is required else f"{name}={op.defaults[i]!r}")
    return f"{op.shown}({', '.join(parts)})"


cdef object missing(Op op, int i):
    return error("MG205", f"{op.shown}() missing 1 required positional argument: '{op.params[i]}'; it is {signature(op)}")


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
            if isinstance(x, Tensor):
                return call_general(op, bound)
            continue
        if op.type_of[i] != TENSORS and isinstance(x, Tensor):
            t = <Tensor>x
            if type(t.data) is not ndarray:
                return call_general(op, bound)
            raw[i] = <PyObject*>t.data
            if t.view is not None and not st.grad_off:
                upward.catch_up(t)
            if t.requires_grad_:
                if op.formula_of[i] >= 0:
                    mask |= 1u << op.formula_of[i]
                elif op.formula_of[i] == REFUSES and not st.grad_off:
                    raise no_derivative(op, i)
        elif not (op.promote is not None and op.type_of[i] == TENSOR and (PyFloat_CheckExact(x) or PyLong_CheckExact(x))):
            return call_general(op, bound)
    r = run(op, raw, op.n_params)
    out = new_tensor(r)
    if mask and not st.grad_off and floating(<ndarray>r):
        record(op, bound, mask, out, None)
    if op.is_view:
        become_view(op, bound, out)
    return out


cdef object call_general(Op op, PyObject** bound):
    """Every other case, heard by who listens (profiling.pyx)."""
    return call_unheard(op, bound) if state().listener == NULL else call_heard(op, bound)


cdef object call_unheard(Op op, PyObject** bound):
    """Arrays and lists among the arguments, several outputs, symbols, modes and levels."""
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
                raise error("MG205", f"{op.shown}(): argument '{op.params[i]}' must be a tuple or list of Tensors, not {type(x).__name__}")
            if type(x) is not Symbol:
                keep[i] = x = [None if y is None else as_operand(op, i, y, False) for y in x]
                for y in x:
                    if y is None:
                        continue
                    if isinstance(y, Symbol):
                        return emit(op, keep)
                    level = max(level, (<Tensor>y).level)
                    mask |= wanted(op, i, <Tensor>y, st)
        elif op.type_of[i] != PLAIN:
            if x is None and op.type_of[i] == OPTIONAL:
                continue
            keep[i] = x = as_operand(op, i, x, op.promote is not None)
            if isinstance(x, Tensor):
                level = max(level, (<Tensor>x).level)
                mask |= wanted(op, i, <Tensor>x, st)
        elif isinstance(x, Tensor):
            keep[i] = plain(op, i, <Tensor>x)
        if type(x) is Symbol:
            return emit(op, keep)
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
    out = wrap_outputs(op, full, run(op, raw, op.n_params), mask if not st.grad_off and not st.inference else 0, 0)
    if st.forward:
        upward.carry(op, keep, out)
    return out


cdef unsigned int wanted(Op op, int i, Tensor t, State* st) except? 0xffffffff:
    """The bit of the formula for `t` as argument `i`, if it requires grad;
    refused where there should be one and is none."""
    if not st.grad_off:
        catch_up(t)
    if not t.requires_grad_ or op.formula_of[i] == NOTHING_FLOWS:
        return 0
    if op.formula_of[i] >= 0:
        return 1u << op.formula_of[i]
    if not st.grad_off:
        raise no_derivative(op, i)
    return 0


cdef object no_derivative(Op op, int i, bint inplace=False):
    name = op.params[i]
    return error("MG212", f"The function '{op.written if inplace else op.shown}' is not differentiable with respect "
                          f"to argument '{name}'. This input cannot have requires_grad True: the result depends on "
                          f"it, and its gradient would be lost. Pass {name}.detach() if it is "
                          "meant as a constant.")


cdef object plain(Op op, int i, Tensor t):
    """A tensor where the schema has no tensor: a number, if it is floating;
    an integer may also stand for a dim or a size, as it is."""
    if type(t.data) is ndarray and not floating(<ndarray>t.data) and PyArray_NDIM(<ndarray>t.data):
        return t
    return number_given(op.shown, op.params[i], t)


cdef object number_given(str function, str argument, Tensor t):
    """The number that a tensor without dims stands for;
    refused where a gradient or a tangent would be lost, in grad mode or not."""
    if t.level and interpreter_of(t.level) is not None and interpreter_of(t.level).maps:
        return t.item()                 # has an error of its own: there are many values
    if t.level or t.requires_grad_ or (state().forward and upward.tangent_of(t) is not None):
        raise error("MG205", f"{function}(): argument '{argument}' must be Number, not Tensor: the function is not "
                             f"differentiable with respect to argument '{argument}', and its gradient would be lost. "
                             f"Pass {argument}.item() if it is meant as a constant; otherwise write the function out "
                             "with operators.")
    if t.data.ndim:
        raise error("MG205", f"{function}(): argument '{argument}' must be Number, not Tensor (of shape "
                             f"{list(t.data.shape)})")
    return t.item()


def as_number(str function, str argument, Tensor t not None):
    """The same, for functions that are no rows."""
    return number_given(function, argument, t)


cdef object call_heard(Op op, PyObject** bound):
    """The same while somebody listens."""
    cdef State* st = state()
    cdef Listener listener = <Listener>st.listener
    cdef bint alone = st.active == 1
    cdef int place = listener.hear(op.shown, OP, seq_now(st), arguments_of(op, bound) if listener.shapes else None)
    if alone:                           # no other mode is on: the op takes the way that it takes without a listener
        st.listener = NULL
        st.active = 0
    try:
        out = call(op, bound) if alone else call_unheard(op, bound)
        if isinstance(out, Tensor) and (<Tensor>out).node is not None:
            listener.made(place, (<Node>(<Tensor>out).node).seq)
        return out
    finally:
        if alone:
            st.active = 1
            st.listener = <PyObject*>listener
        listener.end(place)


cdef list arguments_of(Op op, PyObject** bound):
    return [<object>bound[i] for i in range(op.n_params)]


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
            if not (<View>out.view).made_in:
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


def unmasked(array, str where, str code="MG402"):
    """The array, or an error where it has a mask: a tensor has none, so what is masked would count again."""
    if isinstance(array, np.ma.MaskedArray):
        raise error(code, f"{where}: a masked array has no counterpart among tensors: its mask would be lost, and the "
                          "masked elements would count like the others. Say what they are to be, array.filled(0.0), "
                          "or leave them out, array.compressed()")
    return array


cdef object as_operand(Op op, int i, object x, bint number_allowed, bint inplace=False):
    """`x` as a Tensor (or number, or Symbol) for the tensor parameter `i`, or an error that names it."""
    cdef Tensor t
    if isinstance(x, Tensor):
        t = <Tensor>x
        if t.data is None:
            raise error("MG205", f"{op.shown}(): argument '{op.params[i]}' is a Tensor without data")
        return x
    if isinstance(x, Symbol):
        return x
    if isinstance(x, (bool, int, float, complex)):
        if number_allowed:
            return x
    elif isinstance(x, np.generic):
        return x.item() if number_allowed else new_tensor(np.asarray(x))
    elif isinstance(x, np.ndarray) and number_allowed:
        return new_tensor(x if type(x) is ndarray
                          else np.asarray(unmasked(x, (op.written if inplace else op.shown) + "()")))
    raise error("MG205", f"{op.written if inplace else op.shown}(): argument '{op.params[i]}' (position "
                         f"{i + 1 - inplace}) must be Tensor, not {type(x).__name__}. "
                         "Make a tensor of it with torch.tensor(...).")


cdef int become_view(Op op, PyObject** bound, Tensor out) except -1:
    """`out` lies in the memory of its first argument: same version, same base, one more link in the chain."""
    cdef Tensor source = <Tensor>bound[0]
    if (type(out.data) is ndarray and out.data is not source.data
            and not lies_in(<ndarray>out.data, <ndarray>source.data)):
        if op.may_copy or PyArray_SIZE(<ndarray>out.data) == 0:
            return 0
        raise ValueError(f"{op.name}: its row is of the kind 'view', but its kernel copied: writes to the result "
                         "would not reach its input. It is 'linear', or may_copy=True where it depends on the strides")
    out.view = new_view(source, op, tuple([<object>bound[i] for i in range(1, op.n_params)]), "no_grad" if state().grad_off else "")
    out.version = version_of(source)
    out.inference = source.inference
    return 0


cdef inline bint lies_in(ndarray part, ndarray whole) except -1:
    """Is `part` in the memory of `whole`?  NumPy knows the owner of memory, and mostly the same one for both."""
    cdef PyObject* owner = PyArray_BASE(part)
    if owner == NULL:
        return False
    return owner == <PyObject*>whole or owner == PyArray_BASE(whole) or np.may_share_memory(part, whole)


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
    return the_interpreter(op, level).process(op, args, level)


cdef object the_interpreter(Op op, int level):
    found = interpreter_of(level)
    if found is None:
        raise error("MG117", f"{op.shown}(): an argument comes from a transform (vmap, grad, jvp ...) that has already ended. "
                             "Return it from the transformed function instead of storing it elsewhere.")
    return found


def apply(Op op not None, args):
    """``op`` on arguments in the order of its schema, all of them, keyword-only ones too."""
    cdef PyObject* bound[MAX_PARAMS]
    cdef list keep = list(args)
    cdef int i
    for i in range(op.n_params):
        bound[i] = <PyObject*>keep[i]
    return call(op, bound)


def call_on_payloads(Op op not None, list args, int level, bint recording):
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
            if t.level == level and t.requires_grad_:
                if op.formula_of[i] >= 0:
                    mask |= 1u << op.formula_of[i]
                elif op.formula_of[i] == REFUSES and recording:
                    raise no_derivative(op, i)
        payloads.append(below if op.type_of[i] == TENSORS else below[0])
    return wrap_outputs(op, bound, apply(op, payloads), mask if recording else 0, level)


def taken_apart(list args, int level):
    """For each argument: is it a tensor of ``level``, and its payload if it is; for a list of tensors, a list of each."""
    cdef list mapped = [], payloads = [], flags, inner
    cdef bint any_mapped
    for x in args:
        if isinstance(x, Tensor):
            if (<Tensor>x).level == level:
                mapped.append(True)
                payloads.append((<Tensor>x).data)
                continue
        elif type(x) is list:
            flags, inner = taken_apart(<list>x, level)
            payloads.append(inner)
            mapped.append(flags if True in flags else False)
            continue
        mapped.append(False)
        payloads.append(x)
    return mapped, payloads


def lined_up(list mapped, list payloads):
    """Do arrays with one leading dim more, where ``mapped``, broadcast as they are: the others have no dim that would meet it?

    False also where that takes a closer look: several dtypes, or payloads that are themselves a transform's.
    """
    cdef int i, ndim = -1, others = 0, dtype = -1
    cdef object x
    for i in range(len(payloads)):
        x = payloads[i]
        if isinstance(x, Tensor):
            if type((<Tensor>x).data) is not ndarray or (dtype >= 0 and PyArray_TYPE((<Tensor>x).data) != dtype):
                return False
            dtype = PyArray_TYPE((<Tensor>x).data)
            if mapped[i] is not True:
                others = max(others, PyArray_NDIM((<Tensor>x).data))
            elif ndim >= 0 and PyArray_NDIM((<Tensor>x).data) != ndim:
                return False
            else:
                ndim = PyArray_NDIM((<Tensor>x).data)
    return ndim > others


# ------------------------------------------------------------------------------ compute

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
    cdef object r = None, target = None, half = None
    if op.refuse:
        for x in args[:op.n_tensors]:
            if (type(x) is ndarray and (<ndarray>x).dtype.kind in op.refuse) or (type(x) is bool and "b" in op.refuse):
                raise unsupported(op, args)
    quiet = silence()
    try:
        if op.promote is not None:
            target = promote(op, args)
            if target.kind in op.refuse:            # by way of a Python number: x <= 1j
                raise unsupported(op, args)
            half = target if op.wide and half_type((<cnp.dtype>target).type_num) else None
        else:
            half = half_among(op, args) if op.wide else None
            if half is not None:
                widen(op, args)
            numbers_to_arrays(op, args)
        if half is None:
            r = op.kernel(*args)
        else:
            r = run_widened(op, args, half)
    except (TypeError, ValueError, IndexError, AttributeError) as e:
        if isinstance(e, MinigradError):
            raise
        if op.elementwise and isinstance(e, ValueError) and "broadcast" in str(e):
            raise not_broadcastable(op, args) from None
        if op.elementwise and isinstance(e, TypeError):
            raise unsupported(op, args) from None
        raise explained(op.shown, e, args) from e
    finally:
        unsilence(quiet)
    if op.list_output or op.outputs:
        if not isinstance(r, (list, tuple)) or (op.outputs and len(r) != len(op.outputs)):
            raise ValueError(miscounted(op, r))
        return [x if type(x) is ndarray else np.asarray(x) for x in r]
    if type(r) is not ndarray:
        if isinstance(r, (list, tuple)):
            raise ValueError(miscounted(op, r))
        r = np.asarray(r)
    if target is not None and op.kind == "elementwise" and (<ndarray>r).dtype.itemsize > target.itemsize and target.kind in "fV":
        r = r.astype(target)            # a Python number in a kernel is weak for NumPy's own types, not for bfloat16
    return r


cdef object miscounted(Op op, object r):
    """The row is wrong, not the call."""
    got = f"a {type(r).__name__} of {len(r)}" if isinstance(r, (list, tuple)) else f"a {type(r).__name__}"
    declared = "a list" if op.list_output else f"outputs={op.outputs}" if op.outputs else "one output, without outputs="
    return f"{op.name}: its row declares {declared}, but its kernel returned {got}"


# Note [16-bit floats]
# --------------------
# A float16 has 11 bits, a bfloat16 has 8, and each rounding loses half a bit more.  So what takes several steps
# takes them in float32, and rounds once, at the end:
#
#     softplus(x)     float16 --> float32 --> exp, log1p, + --> float32 --> float16
#
# That is so for each operation whose row is `wide`, which all rows are that compute and do not only move elements;
# Python numbers take part as float32.  A formula of several operations is one computation too (formulas.pyx): its
# gradient is rounded once.

cdef object _single = np.dtype(np.float32)


cdef object half_among(Op op, list args):
    """The 16-bit dtype of all floating point arguments of an op without promotion; None where that is not one."""
    cdef object half = None
    cdef ndarray a
    cdef int i
    for i in range(op.n_tensors):
        for x in args[i] if op.type_of[i] == TENSORS else (args[i],):
            if type(x) is not ndarray or not floating(<ndarray>x):
                continue
            a = <ndarray>x
            if not half_type(PyArray_TYPE(a)) or (half is not None and a.dtype is not half):
                return None
            half = a.dtype
    if half is not None and "dtype" in op.positions and args[<int>op.positions["dtype"]] is not None:
        return None                 # the kernel converts what it is given
    return half


cdef int widen(Op op, list args) except -1:
    """The 16-bit arrays among the arguments as float32, in place."""
    cdef int i
    for i in range(op.n_tensors):
        args[i] = [widened(x) for x in args[i]] if op.type_of[i] == TENSORS else widened(args[i])
    return 0


cdef object widened(object x):
    """An array in float32 if it is in 16 bits; anything else as it is."""
    return x.astype(_single) if type(x) is ndarray and half_type(PyArray_TYPE(<ndarray>x)) else x


cdef object rounded(object x, object half):
    """What was computed in float32, rounded; other dtypes, such as those of indices, stay."""
    return x.astype(half) if isinstance(x, (np.ndarray, np.generic)) and x.dtype == _single else x


cdef object run_widened(Op op, list args, object half):
    """The kernel on arguments that have become float32."""
    cdef PyObject* raw[MAX_PARAMS]
    cdef object r = None
    cdef int i
    if op.fast != NULL:
        for i in range(op.n_params):
            raw[i] = <PyObject*>args[i]
        r = op.fast(&op.loop, raw, op.n_params)
    if r is None:
        r = op.kernel(*args)
    if isinstance(r, (list, tuple)):
        return [rounded(x, half) for x in r]
    return rounded(r, half)


cdef int numbers_to_arrays(Op op, list args) except -1:
    cdef int i
    for i in range(op.n_tensors):
        if op.type_of[i] == TENSOR and not isinstance(args[i], np.ndarray):
            args[i] = np.asarray(args[i], None if not isinstance(args[i], float) else default_real())
    return 0


cdef object explained(str name, object e, args):
    """Python's or NumPy's own complaint about an argument, as one of ours."""
    given = ", ".join([f"{type(x).__name__} {list(x.shape)}" if hasattr(x, "shape") else type(x).__name__ for x in args])
    code = "MG206" if isinstance(e, IndexError) else "MG207" if isinstance(e, ValueError) else "MG205"
    return error(code, f"{name}() cannot work with what it was given ({given}): {e}")


# Note [Quiet contexts]
# ---------------------
# Floating-point flags are ignored (1/0 is inf without a word, as in PyTorch).  What NumPy does about them is a context
# variable.  To put a variable back takes memory, of which there may be none left; to leave a context takes none:
#
#     silence       copy the context we are in, enter the copy, set the variable there
#     unsilence     leave the copy: the variable is what it was
#
# `resume` enters the copy again, after the user's code has run in the context that it knows.  np.errstate would set
# the variable too, but in Python, which takes longer than most kernels.
try:
    from numpy._core.umath import _extobj_contextvar as _error_state
    with np.errstate(all="ignore"):
        _ignore = _error_state.get()
except ImportError:                     # a NumPy that keeps it elsewhere: the plain way
    _error_state = None


cdef object silence():
    """Ignore floating-point flags until `unsilence` gets back what is returned here."""
    cdef object quiet = PyContext_CopyCurrent()
    resume(quiet)
    try:
        if _error_state is None:
            np.seterr(all="ignore")
        else:
            PyContextVar_Set(_error_state, _ignore)
    except BaseException:
        unsilence(quiet)
        raise
    return quiet


cdef void unsilence(object quiet) noexcept:
    PyContext_Exit(quiet)               # it is the one that we are in: nothing that could fail


cdef void resume(object quiet) noexcept:
    PyContext_Enter(quiet)              # nobody else knows it: nothing that could fail


@cython.binding(False)
@cython.embedsignature(True)
cdef class quiet:
    """``with quiet():`` is ``with np.errstate(all="ignore"):``, but for its end, which cannot fail."""
    cdef object context

    def __enter__(self):
        self.context = silence()

    def __exit__(self, kind, value, traceback):
        unsilence(self.context)


cdef object promote(Op op, list args):
    """Bring the operands to one dtype, in place in `args`; returns that dtype.

    Where it is one of 16 bits and the op is `wide`, they come as float32; what has dims by way of that dtype, as in
    PyTorch.
    """
    cdef int i
    cdef object used
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
        target = default_real()
    used = target
    if op.wide and half_type((<cnp.dtype>target).type_num):
        used = _single
    for i in range(op.n_tensors):
        if args[i] is None or op.type_of[i] == PLAIN:
            continue
        if op.promotes[i]:
            if op.type_of[i] == TENSORS:
                args[i] = [x.astype(target, copy=False).astype(used, copy=False) for x in args[i]]
            elif isinstance(args[i], np.ndarray):
                if (<object>args[i]).dtype is not used:
                    if used is not target and PyArray_NDIM(<ndarray>args[i]):
                        args[i] = args[i].astype(target, copy=False)
                    args[i] = args[i].astype(used, copy=False)
            else:
                args[i] = number_as(args[i], used, op)
        elif used is not target and op.type_of[i] == TENSOR and isinstance(args[i], np.ndarray):
            args[i] = widened(args[i])
        elif op.type_of[i] == TENSOR and not isinstance(args[i], np.ndarray):
            args[i] = np.asarray(args[i])
    return target


cdef object number_as(object x, object target, Op op):
    try:
        return np.asarray(x, dtype=target) if not (isinstance(x, int) and target.kind in "iu") else np.asarray(np.int64(x)).astype(target)
    except OverflowError:
        raise error("MG209", f"{op.shown}: the number {x} does not fit into {target}: value cannot be converted to type {target} without overflow") from None


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
                                          f"{max(len(a), len(b)) - back}, in {op.shown}({shapes_of(op, args)}): shapes are compared from the right, and two sizes fit "
                                          "if they are equal or one of them is 1. Use unsqueeze, reshape or transpose to line them up.")
    return error("MG201", f"{op.shown}: the shapes do not broadcast: {shapes_of(op, args)}")


cdef object unsupported(Op op, list args):
    dtypes = ", ".join([f"{op.params[i]} {(<object>args[i]).dtype}" for i in range(op.n_tensors) if isinstance(args[i], np.ndarray)])
    if op.name == "sub":
        return error("MG202", "Subtraction, the `-` operator, with a bool tensor is not supported. To invert a mask use the `~` or `logical_not()` operator")
    return error("MG202", f'"{op.shown}" not implemented for these dtypes: {dtypes}. Convert with .to(dtype) first.')


# ------------------------------------------------------------------------------ record

cdef int record(Op op, PyObject** bound, unsigned int mask, Tensor out, list outputs, bint in_place=False) except -1:
    """Make the node of a call: edges to the inputs, and what the needed formulas name.  `mask` has a bit for each input that requires grad.

    What is not differentiable is not recorded, but for a write, which ends the history of the old value.
    """
    cdef Node n
    cdef int i, e
    cdef Tensor t
    cdef State* st
    if not op.recorded and not in_place:
        return 0
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
                if not link(op, n, e, <Tensor>bound[i], out, outputs):
                    mask &= ~(1u << op.formula_of[i])       # no gradient goes there, so nothing is saved for it
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
    st = state()
    save(op, n, bound, mask, out, outputs, st.forward)
    if st.anomaly & ANOMALY:
        note_origin(n)
    if st.hooked:
        pack(op, n, bound, out, outputs, True, not in_place)    # the result of a write is not there yet
    return 0


cdef int pack(Op op, Node n, PyObject** bound, Tensor out, list outputs, bint arguments, bint own) except -1:
    """Hand what was saved of tensors to the saved-tensor hooks, in the order of the slots: arguments, then own outputs."""
    cdef int k
    for k in range(op.n_slots):
        if op.slot[k].source == FROM_OUTPUT:
            if own and (n.saved[k].kind == OUTPUT or n.saved[k].kind == INPUT):
                pack_slot(n, k, out if out is not None else outputs[op.slot[k].index])
        elif not arguments:
            continue
        elif n.saved[k].kind == INPUT or n.saved[k].kind == PASSED or n.saved[k].kind == SEVERAL:
            pack_slot(n, k, <object>bound[op.slot[k].index])
    return 0


cdef int refuse_inference(Op op, PyObject** bound, unsigned int mask) except -1:
    """An inference tensor counts no versions, so it cannot be saved."""
    cdef int i, k
    for i in range(op.n_tensors):
        if isinstance(<object>bound[i], Tensor) and (<Tensor>bound[i]).inference:
            for k in range(op.n_slots):
                if op.slot[k].source == FROM_INPUT and op.slot[k].index == i and op.slot[k].needed_by & mask:
                    raise error("MG112", "Inference tensors cannot be saved for backward. To work around you can make a clone to get a "
                                         f"normal tensor and use it in autograd: the argument '{op.params[i]}' of {op.shown} was made in inference mode.")
    return 0


cdef inline int link(Op op, Node n, int e, Tensor t, Tensor out, list outputs) except -1:
    """The edge to the input `t`, and the form that its gradient must have if that is not the form it will come in; 0 if none goes there."""
    cdef ndarray a, b
    cdef int k
    if not t.requires_grad_ or t.level != (out.level if out is not None else (<Tensor>outputs[0]).level):
        return 0                # a tensor of a lower level is a constant here; it is recorded at its own level
    set_edge(n, e, t)
    if n.edges[e].node == NULL:
        return 0                # a view that was made in no_grad
    if type(t.data) is not ndarray:
        set_level_fit(n, e, t)
        return 1
    a = <ndarray>t.data
    if out is not None and type(out.data) is ndarray:
        b = <ndarray>out.data
    elif outputs is not None and len(outputs) and type((<Tensor>outputs[0]).data) is ndarray:
        b = <ndarray>(<Tensor>outputs[0]).data
    else:
        set_fit(n, e, a)
        return 1
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
    return 1


cdef int set_level_fit(Node n, int e, Tensor t) except -1:
    """Inside a transform the shape is that of the payload, which an inner batching may hide from its array."""
    cdef object payload = t.data
    set_fit_to(n, e, tuple(payload.shape), payload.dtype.numpy.num)
    return 0


cdef int save(Op op, Node n, PyObject** bound, unsigned int mask, Tensor out, list outputs, bint forward) except -1:
    """What the needed formulas name, into the slots.  With `forward`, tensors as they are: they may have tangents."""
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
                    if (<Tensor>x).inference:
                        refuse_inference(op, bound, mask)
                    s.at = 0 if (<Tensor>x).version is None else (<Tensor>x).version.value
                    t = <Tensor>x
                    if t.node is not None and op.formula_of[slot.index] >= 0 and not op.has_list and t.level == n.level and not forward:
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
    """The shape that a formula is to see: one level down, or, for a tensor of a lower level, its own."""
    if isinstance(x, Tensor):
        return (<Tensor>x).data.shape if type((<Tensor>x).data) is ndarray else tuple(x.shape)
    if isinstance(x, (list, tuple)):
        return [None if y is None else tuple(y.shape) for y in x]
    return ()


# ------------------------------------------------------------------------------ programs

@cython.binding(False)
@cython.embedsignature(True)
cdef class Program:
    def __dealloc__(self):
        PyObject_Free(self.code)

    def __repr__(self):
        lines = [f"r{self.n_inputs + len(self.constants) + i} = {op.shown}({', '.join([self._name(r) for r in registers])})"
                 for i, (op, registers) in enumerate(self.steps)]
        return "\n".join(lines + [f"return r{self.result}" if self.results is None else f"return {', '.join([f'r{r}' for r in self.results])}"])

    def _name(self, r):
        return repr(self.constants[r - self.n_inputs]) if self.n_inputs <= r < self.n_inputs + len(self.constants) else f"r{r}"


# What is written above us (formulas.pyx, operators.pyx), told once at import, as `upward` in graph is.
cdef object _program = None
cdef object _write = None
cdef object _write_out = None


def register_programs(program):
    global _program
    _program = program


def register_writers(write, write_out):
    global _write, _write_out
    _write, _write_out = write, write_out


# ------------------------------------------------------------------------------ composites

# Other names by which PyTorch takes an argument, for every function that has it under the first of these: its own
# (`input` in functions, `A` in torch.linalg), and NumPy's.
_SYNONYMS = {"self": ("input", "x", "a", "x1", "A"), "input": ("self", "x", "a", "x1"), "other": ("x2",),
             "dim": ("axis",), "keepdim": ("keepdims",)}


cdef dict other_names(names):
    """What a parameter may be called besides, for those of these names that have such a name."""
    return {other: usual for usual in names for other in _SYNONYMS.get(usual, ()) if other not in names}


@cython.binding(False)
@cython.embedsignature(True)
cdef class Composite:
    """A public function that is no row itself: made of rows, or one that makes tensors.

    It is callable also with NumPy's and PyTorch's other names for ``self``, ``dim``, ``keepdim``, and with those of its
    own in ``also``; Python's own errors become ours; and a listener hears of it.  With ``out=``, one that ``makes`` a
    tensor from a dtype takes that of ``out``.  Where the parameters in ``numbers`` are given tensors, the function
    receives numbers.
    """
    cdef vectorcall_t vectorcall
    cdef readonly frozenset numbers     # the names of these parameters
    cdef unsigned int number_at         # and a bit for each that can be given by position
    cdef readonly object __wrapped__
    cdef readonly bint takes_out, makes
    cdef public bint exact_out
    cdef readonly dict also
    cdef public bint by_row             # a row bears its name: Note [The call that was written] in profiling.pyx
    cdef dict __dict__

    def __init__(self, function, bint takes_out=False, dict also=None, bint makes=False, numbers=()):
        cdef int i
        code = function.__code__
        self.__wrapped__ = function
        self.takes_out = takes_out or makes
        self.makes = makes
        self.also = {**other_names(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]), **(also or {})}
        self.numbers = frozenset(numbers)
        self.number_at = 0
        for i, name in enumerate(code.co_varnames[:code.co_argcount]):
            if name in self.numbers:
                self.number_at |= 1u << i
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
    cdef Composite composite = <Composite>self
    cdef PyObject* function = <PyObject*>composite.__wrapped__
    cdef Py_ssize_t i
    cdef object names
    cdef list keep                      # owns what `args` is then
    cdef Listener listener = None
    cdef Announced announced = None
    cdef int place = 0
    if listeners and state().listener != NULL:
        listener = <Listener>state().listener
        arguments = [<object>args[i] for i in range(PyVectorcall_NARGS(nargsf))]
        if composite.by_row:
            announced = listener.announce(composite.__name__, seq_now(state()), arguments)
        else:
            place = listener.hear(composite.__name__, OP, seq_now(state()), arguments)
    try:
        if composite.numbers:
            keep = with_numbers(composite, args, PyVectorcall_NARGS(nargsf), kwnames)
            if keep is not None:
                args = PySequence_Fast_ITEMS(keep)
        if kwnames != NULL and composite.takes_out and "out" in <tuple>kwnames:
            return composite_out(composite, args, nargsf, <tuple>kwnames)
        if kwnames != NULL:
            names = usual_names(composite, <tuple>kwnames)
            return PyObject_Vectorcall(function, args, nargsf, <PyObject*>names)
        return PyObject_Vectorcall(function, args, nargsf, NULL)
    except (TypeError, ValueError, IndexError, AttributeError) as e:
        if isinstance(e, MinigradError):
            raise
        raise explained(composite.__name__, e, [<object>args[i] for i in range(PyVectorcall_NARGS(nargsf))]) from e
    finally:
        if announced is not None:
            listener.settle(announced)
        elif listener is not None and not composite.by_row:
            listener.end(place)


cdef list with_numbers(Composite composite, PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """The arguments, with a number for each tensor that stands for one; None where there is no such tensor."""
    cdef list given = None
    cdef Py_ssize_t i, total = n if kwnames == NULL else n + len(<tuple>kwnames)
    for i in range(total):
        if not isinstance(<object>args[i], Tensor) or (i < n and (i >= 32 or not composite.number_at >> i & 1)):
            continue
        name = composite.__wrapped__.__code__.co_varnames[i] if i < n else (<tuple>kwnames)[i - n]
        if composite.also.get(name, name) in composite.numbers:
            if given is None:
                given = [<object>args[k] for k in range(total)]
            given[i] = number_given(composite.__name__, name, <Tensor>given[i])
    return given


cdef PyObject* composite_out(Composite composite, PyObject** args, size_t nargsf, tuple names) except NULL:
    """The call with ``out=``: the function without it, then its result into ``out``."""
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    positional = [<object>args[i] for i in range(n)]
    keywords = {name: <object>args[n + i] for i, name in enumerate(usual_names(composite, names))}
    target = keywords.pop("out")
    requires_grad = False
    if composite.makes and isinstance(target, Tensor):
        requires_grad = keywords.pop("requires_grad", False)
        if keywords.get("dtype") is None:
            keywords["dtype"] = (<Tensor>target).dtype
        elif keywords["dtype"] is not (<Tensor>target).dtype:
            raise error("MG202", f"{composite.__name__}(): dtype {keywords['dtype']} does not match dtype of out "
                                 f"parameter ({(<Tensor>target).dtype}): "
                                 "with out= leave dtype= out")
    result = composite.__wrapped__(*positional, **keywords)
    if target is not None:
        result = _write_out(composite.__name__, target, result, composite.exact_out, (*positional, *keywords.values()))
    if requires_grad:
        result.requires_grad = True
    Py_INCREF(result)
    return <PyObject*>result


cdef tuple usual_names(Composite composite, tuple names):
    """Keywords as the function itself names them."""
    for name in names:
        if name in composite.also:
            return tuple([composite.also.get(each, each) for each in names])
    return names


# ------------------------------------------------------------------------------ vectorcall

# A compiled class has no way to say that its instances are called by vectorcall (PEP 590), which spares
# the argument tuple, or that they are methods, which spares the bound method of `x.exp()`.
cdef int declare_vectorcall(PyObject* type_, Py_ssize_t offset) except -1:
    cdef PyTypeObject* cls = <PyTypeObject*>type_
    cls.tp_vectorcall_offset = offset
    cls.tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR
    PyType_Modified(cls)
    return 0


cdef int declare_both() except -1:
    cdef Op op = Op.__new__(Op)
    cdef Composite composite = Composite.__new__(Composite)
    declare_vectorcall(<PyObject*>Op, <char*>&op.vectorcall - <char*><PyObject*>op)
    declare_vectorcall(<PyObject*>Composite, <char*>&composite.vectorcall - <char*><PyObject*>composite)
    return 0


declare_both()
