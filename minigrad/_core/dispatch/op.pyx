"""Op: what an operation is, and the order of its arguments.

A row of the table becomes an Op: its schema as C arrays, its kernel, and for each differentiable input a Formula.  The
parameter names of the formulas say what a node of this op saves: each name is a *slot*.  For the row ::

    mul(Tensor self, Tensor other)      self = lambda d, other: d * other
                                        other = lambda d, self: d * self

there are two slots, `self` and `other`, each needed by the formula for the other one.  Where only `self` requires
grad, only `other` is saved.

Read ``op.pxd`` first, and skim the rest: how its fields are filled from a row, and how arguments are bound by keyword.
What happens when an op is called comes next, in call.pyx.
"""

cimport cython

from minigrad._core.dispatch.arguments cimport (A_DIM, A_NEW_DIM, DIM_LIST, INTS, OR_NONE, complaint, gathered,
                                                taken_by, usual_type)
from minigrad._core.dispatch.numbers_first import usual_order
from minigrad._core.dispatch.op_introspection import (named_results, node_class as make_class, program_as_text,
                                                      public_place, signature_of)
from minigrad._core.errors.refusals import (argument_twice, missing_argument, too_many_arguments, unfit_argument,
                                            unknown_argument)
from minigrad._core.graph cimport Node, Tensor
from minigrad._core.graph.type_objects cimport declare_vectorcall
from minigrad._core.kernels.loops.strided cimport AS_OPERANDS, CHANNELS, ROWS, loops_of
from minigrad._core.kernels cimport table
from minigrad._core.kernels.table cimport Kernel, fast_for
from minigrad._core.runtime.provided cimport awaited
from minigrad._core.runtime.python_api cimport (PyDict_GetItemWithError, PyObject, PyObject_Free, PySequence_Fast_ITEMS,
                                                PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyVectorcall_Call)

from sys import intern

import numpy as np

cdef object required = object()     # the default of a parameter that has none

awaited("op.pxd", &later, sizeof(later))


# ------------------------------------------------------------------------------ what an op is

# Note [Options]
# --------------
# `alpha` of add is hardly ever given, and must cost nothing where it is not.  So a row may have two kernels: `plain`,
# which takes the positional parameters, and `kernel`, which takes the keyword-only ones too, the *options*.
#
#     add(a, b)             plain(a, b)             a node without slots, and the formula of alpha=1:  d
#     add(a, b, alpha=2)    kernel(a, b, alpha)     alpha in the last slot, and the whole formula:     d * alpha
#
# An option counts as left out if it is the very object that is its default.  The slots of options come last, and the
# node of a call without options does not have them: the number of its slots (`n_saved`) says which formula it needs.
# In code, the case without options is called `plain`.


# Note [Without kernels]
# ----------------------
# A reader who wants to see a row compute turns the kernels in C off, and what runs then is the function of NumPy that
# the row shows.  That is a switch of the whole process, and no call asks for it: each op gives up its kernels, as if
# its row had none, and a call that finds none goes the general way in any case (run_in_c, in compute.pxd).
#
#     off     op.fast, into, loops    ->  op.aside        and the same for each op that is made meanwhile
#     on      op.aside                ->  op.fast, into, loops
#
# So it is with kernels that stand for several rows and have no op of their own: the products of batches in matmul.pyx,
# the steps of optimizers, and writes at chosen places (subscripting.pyx) ask `table.in_use`.  What has no general way
# stays: ufuncs that NumPy lacks, sums in pairs, random streams, triangular factors.


@cython.final
cdef class Formula:
    """The derivative of an op with respect to one of its inputs."""

    def __repr__(self):
        return f"<formula for {self.of} from {', '.join(('d',) + self.names)}>"


@cython.binding(False)
@cython.embedsignature(True)
cdef class Op:
    """One primitive operation: a row of the table of derivatives, callable on Tensors."""

    def __init__(self, str name, str kind, list params, kernel, dict formulas, computes, differentiates, called, forms,
                 batched):
        """A row: its schema, its kernel, its formulas, and the five groups of its columns (ops/columns.py)."""
        if len(params) > MAX_PARAMS:
            raise ValueError(f"{name}: more than {MAX_PARAMS} parameters")
        self.name, self.kind, self.kernel = name, kind, kernel
        self._read_schema(params, computes, called.also)
        self._read_names(called, differentiates, forms)
        self._read_columns(computes, differentiates, called, forms)
        self.last_dims, self.least_dims, self.batch = batched.last_dims, batched.least_dims, batched.batch
        self._read_outputs(computes.outputs, differentiates.differentiable)
        self._read_parameters(computes, called.public)
        self._read_formulas(formulas, differentiates.no_gradient)
        self._lay_out_slots()
        self._find_sizes()
        self._find_loops(computes.fast, self.promote, self.refuse)
        (<void**>&self.vectorcall)[0] = later.call      # a call op(...) now arrives in call.pyx

    cdef int _read_schema(self, list params, computes, also) except -1:
        """Parameters are (name, type, default, keyword only), with Ellipsis where there is no default."""
        cdef list operands
        self.params = tuple([intern(p[0]) for p in params])
        self.types = tuple([p[1] for p in params])
        self.defaults = tuple([required if p[2] is Ellipsis else p[2] for p in params])
        self.also, self.positions = names_of(self.params, also)
        self.n_params = len(params)
        self.n_positional = len([p for p in params if not p[3]])
        self.n_plain = self.n_params if computes.plain is None else self.n_positional
        operands = [type_ for name, type_ in zip(self.params, self.types)
                    if type_.startswith("Tensor") or name in (computes.promote_args or ())]
        self.one_operand = len(operands) == 1 and "[]" not in operands[0]
        return 0

    cdef int _read_names(self, called, differentiates, forms) except -1:
        self.function = self.name.partition(".")[0]
        self.shown = called.shown
        if self.shown is None:
            self.shown = self.function + "_" if forms.inplace and not called.public else self.function
        self.written = self.shown if self.shown.endswith("_") else self.shown + "_"
        self.__doc__, self.function_doc, self.parts = called.doc, called.function_doc, called.parts
        self.node_name = differentiates.node
        if self.node_name is None:
            self.node_name = "".join([word[:1].upper() + word[1:] for word in self.function.split("_")]) + "Backward0"
        self.in_place_name = differentiates.inplace_node
        return 0

    cdef int _read_columns(self, computes, differentiates, called, forms) except -1:
        """Columns that are taken over, and what follows from the kind where they say nothing."""
        cdef bint elementwise = self.kind == "elementwise"
        self.plain, self.number = computes.plain, computes.number
        self.promote, self.refuse, self.refusal = computes.promote, computes.refuse, computes.refusal
        self.fitting, self.rounded, self.fills = computes.fitting, computes.rounded, computes.fills
        self.may_copy, self.same_everywhere = computes.may_copy, computes.same_everywhere
        self.layout = (AS_OPERANDS if computes.layout is None else ROWS if computes.layout == "rows" else
                       CHANNELS if computes.layout == "channels" else self.params.index(computes.layout))
        self.wide = (self.kind not in ("linear", "view", "not_differentiable") if computes.wide is None
                     else computes.wide)
        self.moves = elementwise and not self.wide
        self.is_view = self.kind == "view"
        self.is_linear = self.kind == "linear"
        self.elementwise = self.kind in ("elementwise", "piecewise_constant", "not_differentiable")
        self.recorded = self.kind != "not_differentiable"
        self.zero_gradient = self.kind in ("piecewise_constant", "not_differentiable")
        self.conjugate = elementwise or (self.is_linear and "Scalar" in self.types)
        self.draws = "Generator?" in self.types
        self.traceable, self.linear_in = differentiates.traceable, differentiates.linear_in
        self.renamed, self.constants = differentiates.renamed or {}, differentiates.constants or {}
        self.apart, self.out_apart = forms.apart, forms.apart and not forms.inplace
        self.takes_out = (called.public and called.nn is not True and not self.is_view if forms.out is None
                          else bool(forms.out))
        casts = self.promote == "float" or self.promote == "common" and not self.one_operand
        self.exact_out = forms.out == "exact" or forms.out != "cast" and not casts
        return 0

    cdef int _read_outputs(self, outputs, differentiable) except -1:
        """The outputs, and which of them are differentiable."""
        cdef int i
        self.list_output = outputs == "list"
        self.outputs = () if outputs is None or outputs == "list" else tuple(outputs)
        self.differentiable = 0
        for i, output in enumerate(self.outputs):
            if differentiable is None or output in differentiable:
                self.differentiable |= 1 << i
        if not self.outputs:
            self.differentiable = 1
        self.n_flowing = int(self.differentiable).bit_length()
        self.only = -1
        for i in range(len(self.outputs)):
            if self.differentiable == 1u << i:
                self.only = i
        return 0

    cdef int _read_parameters(self, computes, bint public) except -1:
        """What each parameter takes, and what part it has in the dtype."""
        cdef int i
        cdef bint tensor
        cdef str parameter, type_
        cdef list lists = []
        promote_args, or_numbers = computes.promote_args, computes.or_numbers or (() if public else None)
        self.written_numbers = or_numbers is None
        self.overloaded = bool(or_numbers) and not computes.numbers_alone
        self.read_first = 0
        self.n_tensors = 0
        for i, (parameter, type_) in enumerate(zip(self.params, self.types)):
            tensor = type_.startswith("Tensor")
            self.type_of[i] = PLAIN
            if "[]" in type_ and tensor:
                self.type_of[i] = TENSORS
                self.gaps[i] = type_ == "Tensor?[]"
            elif tensor or (promote_args is not None and parameter in promote_args):    # a number that promotes
                self.type_of[i] = OPTIONAL if type_[-1] == "?" else TENSOR
            self.takes[i] = taken_by(type_)
            self.expected[i] = usual_type(self.takes[i])
            if self.takes[i] & ~OR_NONE >= INTS:
                lists.append(parameter)
            if self.type_of[i] != PLAIN:
                self.n_tensors = i + 1
            if self.type_of[i] == TENSORS:
                self.has_list = True
            if parameter in computes.read_first:
                self.read_first |= 1u << i
            self.promotes[i] = self.type_of[i] != PLAIN and (promote_args is None or parameter in promote_args)
            self.or_number[i] = (self.promote is not None and self.promotes[i] and self.type_of[i] != TENSORS
                                 and (not tensor or or_numbers is None or parameter in or_numbers))
        self.int_lists = frozenset(lists)
        return 0

    cdef int _read_formulas(self, dict formulas, no_gradient) except -1:
        """The formula of each parameter that has one; of the others, whether they may require grad."""
        cdef int i
        cdef str parameter
        cdef Formula f
        self.formulas = []
        for i, parameter in enumerate(self.params):
            self.formula_of[i] = (NOTHING_FLOWS if self.type_of[i] == PLAIN or not self.recorded
                                  or parameter in no_gradient else REFUSES)
            if parameter in formulas or (self.zero_gradient and self.types[i].startswith("Tensor")):
                f = Formula.__new__(Formula)
                f.of = parameter
                f.text = formulas.get(parameter)
                f.names = () if f.text is None else f.text.__code__.co_varnames[1:f.text.__code__.co_argcount]
                self.formula_of[i] = len(self.formulas)
                self.formulas.append(f)
        self.n_formulas = len(self.formulas)
        return 0

    cdef int _find_loops(self, fast, promote, refuse) except -1:
        """The kernels in C: that for plain arrays, and the loops for any layout, of calls without options and with."""
        kernel = self.kernel if self.plain is None else self.plain
        self.fast = fast_for(kernel, fast if isinstance(fast, Kernel) else None, &self.loop, &self.into)
        self.fast_reads_options = isinstance(fast, Kernel) and (<Kernel>fast).reads_options
        counts = [bool(self.promotes[i]) if promote is not None else i == 0 for i in range(self.n_params)]
        rounded = self.rounded or not self.wide
        if isinstance(kernel, np.ufunc) and kernel.signature is None and kernel.nout == 1:
            self.loops = loops_of(kernel, self.params, self.types, counts, promote, refuse, self.moves, rounded,
                                  self.layout)
        if fast is not None and not isinstance(fast, Kernel):
            loops = loops_of(fast, self.params, self.types, counts, promote, refuse, self.moves, rounded, self.layout)
            if loops.n_arguments > self.n_plain:
                self.loops_with_options = loops
            if self.loops is None:
                # A call without options does not say the name.
                by_default = loops.by_name is not None and loops.named >= self.n_plain
                self.loops = loops.by_name[self.defaults[loops.named]] if by_default else loops
        if not table.in_use:
            self._set_kernels_aside()
        return 0

    cdef int _set_kernels_aside(self) except -1:
        if self.fast != NULL or self.loops is not None or self.loops_with_options is not None:
            self.aside = SetAside.__new__(SetAside)
            self.aside.fast, self.aside.into = self.fast, self.into
            self.aside.loops, self.aside.loops_with_options = self.loops, self.loops_with_options
            self.fast, self.into = NULL, NULL
            self.loops = self.loops_with_options = None
        return 0

    cdef int _take_kernels_up(self) except -1:
        if self.aside is not None:
            self.fast, self.into = self.aside.fast, self.aside.into
            self.loops, self.loops_with_options = self.aside.loops, self.aside.loops_with_options
            self.aside = None
        return 0

    cdef int _find_sizes(self) except -1:
        """Which parameter may be given in pieces, and which says how many dims there are."""
        cdef int i, takes
        cdef str type_
        self.spread = self.ranked_by = -1
        for i, type_ in enumerate(self.types):
            takes = self.takes[i] & ~OR_NONE
            if takes == A_DIM or takes == A_NEW_DIM or takes >= DIM_LIST:
                self.dims |= 1u << i
            if type_.endswith("..."):
                self.spread = i
            if type_.startswith("Sizes") or (self.ranked_by < 0 and self.type_of[i] != PLAIN):
                self.ranked_by = i
        return 0

    cdef int _lay_out_slots(self) except -1:
        """Every name that a formula uses becomes a slot of the node: inputs in argument order, outputs, options."""
        cdef Formula f
        cdef int i, k
        cdef str slot_name, type_
        cdef set named = set()
        cdef list order = []
        for f in self.formulas:
            named.update(f.names)
        if named:
            options = self.params[self.n_plain:]
            several = not named.issubset(self.params)       # not the arguments alone
            order = [n for p in self.params for n in ((p, p + "_shape", p + "_dtype") if several else (p,))
                     if n in named and n not in options]
            order += [n for n in (self.outputs or ("result",)) if n in named and n not in self.positions]
            self.n_plain_slots = len(order)
            order += [n for n in options if n in named]
        if named - set(order):
            raise ValueError(f"{self.name}: its formulas name {sorted(named - set(order))}, which it does not have")
        self.slots = tuple(order)
        self.n_slots = len(order)
        for k, slot_name in enumerate(order):
            self.slot[k].needed_by = 0
            if slot_name in self.positions:
                i = self.positions[slot_name]
                self.slot[k].index = i
                type_ = self.types[i]
                self.slot[k].source = FROM_INPUT if type_.startswith("Tensor") else FROM_PARAMETER
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
            f.name_slots = [order.index(name) for name in f.names
                            if name in self.positions and self.types[self.positions[name]].startswith("str")]
            f.by_answers = {}
            f.optional, f.answered = 0, ~0u
            for k, slot_name in enumerate(f.names):
                if slot_name in self.positions and self.types[self.positions[slot_name]] == "Tensor?":
                    f.optional |= 1u << k
                f.slots[k] = order.index(slot_name)
                self.slot[f.slots[k]].needed_by |= 1u << i
        return 0

    def is_cast(self, int i):
        """Does argument `i` follow the dtype of another one, while a gradient flows to it: is it only moved?"""
        return self.promote is not None and i < self.n_tensors and not self.promotes[i] and self.formula_of[i] >= 0

    @property
    def node_class(self):
        """The public class of this op's nodes, with a property for everything that they may save."""
        if self.node_class_ is None:
            self.node_class_ = make_class(self, self.node_name)
        return self.node_class_

    @property
    def in_place_class(self):
        """The same for nodes that record a write, which PyTorch sometimes gives a number of their own."""
        if self.in_place_name is None:
            return self.node_class
        if self.in_place_class_ is None:
            self.in_place_class_ = make_class(self, self.in_place_name)
        return self.in_place_class_

    @property
    def __signature__(self):
        """What ``help()`` shows, with the types of the schema."""
        return signature_of(self, required)

    @property
    def loops_in_c(self):
        """Has it inner loops in C for arrays of any layout?"""
        return self.loops is not None or self.loops_with_options is not None

    @property
    def computes_in_c(self):
        """Has it a kernel in C, of any kind?"""
        return self.fast != NULL or self.into != NULL or self.loops is not None or self.loops_with_options is not None

    def program(self, str of, Node node=None):
        """The formula for the input ``of`` as a Program, or what it is for this ``node``;
        None where it cannot be traced."""
        return later.program(self, of, node)

    def __call__(self, *args, **kwargs):
        return PyVectorcall_Call(self, args, kwargs)

    def __repr__(self):
        return f"<op {self.name}>"

    def __reduce__(self):
        if getattr(Tensor, self.name, None) is self:
            return getattr, (Tensor, self.name)
        return public_place(self, self.name)[1]

    @property
    def __module__(self):
        return public_place(self, self.name)[0]

    @property
    def __qualname__(self):
        return public_place(self, self.name)[1]

    @property
    def __name__(self):
        return self.name

    def inplace(self, Tensor target not None, *args, **kwargs):
        """The in-place form: ``target`` takes the value of ``op(target, *args)``."""
        if not kwargs and len(args) == self.n_positional - 1 == self.n_params - 1:
            return later.write(self, (target,) + args)
        return later.write(self, bind_slowly(self, (target,) + args, kwargs))


def use_kernels(bint on, list ops not None):
    """Let these ops compute by their kernels in C, where they have one, or all of them in the general way.

    ``ops`` must be all that there are.  No other thread sees some of them changed and others not.
    """
    table.in_use = on
    for op in ops:
        if on:
            (<Op?>op)._take_kernels_up()
        else:
            (<Op?>op)._set_kernels_aside()


cdef object result_type(Op op):
    """The class of several named outputs, printed as PyTorch prints it."""
    if op.result_type is None:
        op.result_type = named_results(op.function, op.outputs)
    return op.result_type


# ------------------------------------------------------------------------------ binding

# Most calls are bound by `bind`, in op.pxd, which makes no object: the arguments stay where the caller has them.

cdef bint bind_keywords(Op op, PyObject** args, Py_ssize_t n, PyObject* kwnames, PyObject** bound,
                        PyObject** out) except -1:
    """What `bind` does, with keywords; False if `bind_slowly` has to say what is wrong."""
    cdef Py_ssize_t i, k, position
    for i in range(op.n_params):
        bound[i] = args[i] if i < n else NULL
    for k in range(PyTuple_GET_SIZE(<object>kwnames)):
        position = position_of(op, PyTuple_GET_ITEM(<object>kwnames, k))
        if position < 0 and out != NULL and op.takes_out and (<tuple>kwnames)[k] == "out":
            out[0] = args[n + k]
            continue
        if position < 0 or bound[position] != NULL:
            return False
        bound[position] = args[n + k]
    for i in range(n, op.n_params):
        if bound[i] == NULL:
            bound[i] = PyTuple_GET_ITEM(op.defaults, i)
            if <object>bound[i] is required:
                return False
    return True


cdef inline Py_ssize_t position_of(Op op, PyObject* name) except -2:
    """The position of the parameter of this name, or of its other names; -1 if there is none.

    A name in a call is mostly the same object as in the schema, since Python interns both.
    """
    cdef Py_ssize_t i
    cdef PyObject* found
    for i in range(op.n_params):
        if PyTuple_GET_ITEM(op.params, i) == name:
            return i
    found = PyDict_GetItemWithError(op.positions, <object>name)
    return -1 if found == NULL else <Py_ssize_t><object>found


cdef tuple bind_slowly(Op op, tuple args, dict kwargs):
    """The arguments in schema order, with defaults where none is given."""
    cdef list bound = list(op.defaults)
    cdef int i
    if op.spread >= 0 and len(args) > op.spread:
        args = (*args[:op.spread], gathered(PySequence_Fast_ITEMS(args) + op.spread, len(args) - op.spread))
    if len(args) > op.n_positional:
        usual = usual_order(op, args, kwargs, op.function)
        if usual is None:
            raise too_many_arguments(op, len(args), signature(op))
        args, kwargs = usual
        return bind_slowly(op, args, kwargs)
    given = set()
    for i in range(len(args)):
        bound[i] = args[i]
        given.add(i)
    for name, value in kwargs.items():
        if name not in op.positions:
            raise unknown_argument(op, name, signature(op))
        i = op.positions[name]
        if i in given:
            raise argument_twice(op, name, signature(op))
        given.add(i)
        bound[i] = value
    for i in range(op.n_params):
        if bound[i] is required:
            raise missing_argument(op, op.params[i], signature(op))
    return tuple(bound)


def signature(Op op not None):
    """How ``op`` is called, for messages: ``add(Tensor self, Tensor other, *, Scalar alpha=1)``."""
    parts = []
    for i, name in enumerate(op.params):
        if i == op.n_positional:
            parts.append("*")
        parts.append(f"{op.types[i]} {name}" + ("" if op.defaults[i] is required else f"={op.defaults[i]!r}"))
    return f"{op.shown}({', '.join(parts)})"


cdef object unfit(Op op, int i, object x, bint inplace):
    """The error for an argument that is not what the schema says."""
    return unfit_argument(op, op.params[i], complaint(op.takes[i], x), signature(op), inplace)


# Other names by which PyTorch takes an argument, in every function that has a parameter of the name on the left: its
# own (`input` in functions, `A` in torch.linalg), and NumPy's.
_SYNONYMS = {"self": ("input", "x", "a", "x1", "A"), "input": ("self", "x", "a", "x1"), "other": ("x2",),
             "dim": ("axis",), "keepdim": ("keepdims",)}


cdef dict other_names(names):
    """{other name: name}, for every other name by which one of these parameters may be given."""
    cdef dict found = {}
    for name in names:
        for other in _SYNONYMS.get(name, ()):
            if other not in names:
                found[other] = name
    return found


cdef dict _names = {}               # of rows with the same parameters, which share what follows


cdef tuple names_of(tuple params, also):
    """The other names of parameters, with those of the row in ``also``, and all names with their positions."""
    known = None if also else _names.get(params)
    if known is not None:
        return known
    others = {**other_names(params), **(also or {})}
    positions = {name: i for i, name in enumerate(params)}
    for other, own in others.items():
        positions[other] = positions[own]
    if not also:
        _names[params] = others, positions
    return others, positions


# ------------------------------------------------------------------------------ programs

# Note [Formulas as programs] in formulas.pyx explains what a Program is.  They are made there; here they are printed.

@cython.binding(False)
@cython.embedsignature(True)
cdef class Program:
    def __dealloc__(self):
        PyObject_Free(self.code)

    def __repr__(self):
        return program_as_text(self)


# Python calls an op by its `vectorcall`, without a tuple of the arguments; it must be told where that field is.
cdef Op an_op = Op.__new__(Op)
declare_vectorcall(<PyObject*>Op, <char*>&an_op.vectorcall - <char*><PyObject*>an_op)
