"""The differential of one operation: from the tangents of what goes in to the tangent of the result.

A dual number is a value together with its tangent, the rate at which it changes: (x, t).  Every operation
takes duals to duals, with the derivative that its row already has::

    (x, t) * (y, u) = (x * y,  t * y + x * u)

`differential` says how, kind by kind.  Forward mode needs nothing else, neither in a transform (minigrad/func) nor for
tensors outside transforms (dual_tensors.pyx).

Note [The transpose of the transpose]
-------------------------------------
A row of the kind `general` has formulas for the vjp only.  The vjp is linear in the cotangent d, for fixed values::

    vjp(d) = J^T d

So its transpose is the jvp.  Record the vjp on a tape, with d as the only variable, and run that tape backward from the
tangent::

    record      d = 0  --- vjp --->  J^T d
    backward    (J^T)^T t = J t  <---  t

The numbers in d do not matter, so they are zeros.  (J. Townsend, "A new trick for calculating Jacobian vector
products", 2017.)  This holds for a complex J too: the engine computes the adjoint with respect to the real inner
product, and the adjoint of the adjoint is J again.
"""

from minigrad._core.backward.engine import run as run_backward
from minigrad._core.backward.fitting cimport fit_tensor
from minigrad._core.backward.formulas cimport program_of, run_program, run_text
from minigrad._core.dispatch.compute cimport floating
from minigrad._core.dispatch.levels import apply, call_on_payloads, wrap_level
from minigrad._core.dispatch.op cimport (FROM_DTYPE, FROM_OUTPUT, FROM_SHAPE, MAX_REGISTERS, REFUSES, TENSORS, Formula,
                                         Op, Program, Slot)
from minigrad._core.errors.refusals import no_derivative
from minigrad._core.graph cimport Tensor, new_tensor
from minigrad._core.kernels.loops.numpy_loops cimport same_shape
from minigrad._core.kernels.loops.strided cimport add
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.errstate cimport silence, unsilence
from minigrad._core.runtime.numpy_api cimport NPY_FLOAT32, NPY_FLOAT64, PyArray_TYPE, ndarray
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_state cimport State, state
from minigrad._core.runtime.thread_state import pop_level, push_level, set_grad_enabled


# ------------------------------------------------------------------------------ kind by kind

def differential(Op op not None, primals, tangents, result):
    """The tangent of the result of ``op(*primals)``; a tuple of them where there are several results.

    ``tangents`` has an entry for each parameter: a tensor, None, or for a list of tensors a list.  A result of None
    means zero.  The tensors given must not have tangents themselves.
    """
    cdef object total = None
    cdef bint several = op.has_list or bool(op.outputs)     # a slot of a formula is a list, or its result is
    cdef int i
    refuse_tangents(op, tangents)
    if op.zero_gradient or not op.recorded:
        return None
    if op.elementwise and not several:          # J is diagonal: the formulas themselves, for t in place of d
        total = on_arrays(op, primals, tangents, result)
        if total is not None:
            return total
        values = values_by_name(op, primals, result)
        for f in op.formulas:
            i = op.positions[f.of]
            if tangents[i] is not None:
                total = plus(total, term_of(op, f, tangents[i], values))
    elif op.kind == "linear" or op.kind == "view":      # J is the op: f(t, u) = f(t, 0) + f(0, u)
        total = apply(op, [argument_of_linear(op, i, primals[i], tangents[i]) for i in range(op.n_params)])
        if op.list_output or op.outputs:
            return tuple(total)
    elif op.kind == "multilinear" and not several:      # the product rule: f(t, y) + f(x, u)
        for i in range(op.n_params):
            if tangents[i] is not None:
                total = plus(total, apply(op, [tangents[i] if k == i else x for k, x in enumerate(primals)]))
    elif op.kind == "windows" and (tangents[0] is not None or tangents[1] is not None):
        added = tangents[2]                     # the product rule, and what is added: f(t, y, u) + f(x, s, 0)
        for i in range(2):
            if tangents[i] is not None:
                total = plus(total, apply(op, [tangents[i] if k == i else added if k == 2 else x
                                               for k, x in enumerate(primals)]))
                added = None
    else:
        return transposed(op, primals, tangents, result)
    return None if total is None else fitted(total, result)


cdef int refuse_tangents(Op op, tangents, bint inplace=False) except -1:
    """Raise if there is a tangent for an argument that has no formula and would need one."""
    cdef int i
    for i in range(op.n_tensors):
        if op.formula_of[i] == REFUSES and tangents[i] is not None:
            raise no_derivative(op, i, inplace)
    return 0


cdef inline object plus(object total, object term):
    """A sum in which None is zero."""
    return total if term is None else term if total is None else words.add(total, term)


cdef object fitted(object tangent, object result):
    """The tangent in the shape and dtype of the result that it is for; None for integers, which have none."""
    if isinstance(tangent, Tensor) and isinstance(result, Tensor) and is_like(<Tensor>tangent, <Tensor>result):
        return tangent
    if not (result.dtype.is_floating_point or result.dtype.is_complex):
        return None
    if tuple(tangent.shape) != tuple(result.shape):
        tangent = words.expand(tangent, tuple(result.shape))
    return fit_tensor(tangent, None, result.dtype)


cdef inline bint is_like(Tensor tangent, Tensor result) except -1:
    """Are both ordinary tensors of one shape and one dtype, which has gradients?"""
    return (type(tangent.payload) is ndarray and type(result.payload) is ndarray
            and PyArray_TYPE(<ndarray>tangent.payload) == PyArray_TYPE(<ndarray>result.payload)
            and same_shape(<ndarray>tangent.payload, <ndarray>result.payload) and floating(<ndarray>result.payload))


# ------------------------------------------------------------------------------ elementwise, on arrays

# Where nothing is recorded, a formula runs as a program on arrays (Note [Formulas as programs] in formulas.pyx), as in
# a plain backward pass.  Anything that needs a closer look takes the way above: mixed dtypes or shapes, tensors of a
# transform, a profiler, and an open dual level, in which what is given may have tangents of its own.

cdef object on_arrays(Op op, primals, tangents, result):
    """The tangent of an elementwise row; None where it is not computed on arrays."""
    cdef State* st = state()
    cdef PyObject* registers[MAX_REGISTERS]
    cdef Formula f
    cdef Program p
    cdef Tensor t, like, answer
    cdef object total = None, term, quiet, held
    cdef int i, k
    if st.listener != NULL or st.forward or not isinstance(result, Tensor):
        return None
    like = <Tensor>result
    if not is_plain(like, like, st):
        return None
    for x in primals:
        if isinstance(x, Tensor) and not is_plain(<Tensor>x, like, st):
            return None
    for x in tangents:
        if x is not None and not (isinstance(x, Tensor) and is_plain(<Tensor>x, like, st)):
            return None
    quiet = silence()
    try:
        for f in op.formulas:
            if tangents[op.positions[f.of]] is None:
                continue
            t = <Tensor>tangents[op.positions[f.of]]
            p = program_of(f, op, False)
            if p is None or p.results is not None:
                return None
            for k in range(f.n):
                if f.optional >> k & 1 and primals[op.slot[f.slots[k]].index] is None:
                    return None                         # it has another program then
            if p.n_steps == 0 and p.result == 0:
                term = t.payload
            else:
                held = [t.payload, *[value_in_slot(op, &op.slot[f.slots[k]], primals, like) for k in range(f.n)]]
                for k in range(f.n + 1):
                    registers[k] = <PyObject*>(<list>held)[k]
                term = run_program(p, registers)
            if type(term) is not ndarray:
                return None
            if total is not None:
                term = add(total, term)
            total = term
    finally:
        unsilence(quiet)
    if total is None:
        return None
    for x in tangents:
        if x is not None and (<Tensor>x).payload is total:
            return x
    answer = new_tensor(total)
    return answer if is_like(answer, like) else fitted(answer, result)


cdef inline bint is_plain(Tensor x, Tensor like, State* st) except -1:
    """Has it the shape and dtype of the result, float32 or float64, and will nothing be recorded for it?"""
    return (type(x.payload) is ndarray and (not x.requires_grad_ or st.grad_off != 0)
            and (PyArray_TYPE(<ndarray>x.payload) == NPY_FLOAT32 or PyArray_TYPE(<ndarray>x.payload) == NPY_FLOAT64)
            and is_like(x, like))


cdef object value_in_slot(Op op, Slot* slot, primals, Tensor result):
    """What a node would have saved in this slot, as formulas on arrays take it."""
    cdef object x
    if slot.source == FROM_OUTPUT:
        return result.payload
    x = primals[slot.index]
    if slot.source == FROM_SHAPE:
        return shape_of(x)
    if slot.source == FROM_DTYPE:
        return x.dtype
    return (<Tensor>x).payload if isinstance(x, Tensor) else x


# ------------------------------------------------------------------------------ what the rows are given

cdef object term_of(Op op, Formula f, object d, dict values):
    """One formula, applied to `d`, which is a tangent or a cotangent."""
    return run_text(f, op, d, [values[name] for name in f.names])


cdef dict values_by_name(Op op, primals, result):
    """Everything that a formula may name."""
    cdef dict values = dict(zip(op.params, primals))
    for name in op.slots:
        if name not in values:
            if name.endswith("_shape"):
                values[name] = shape_of(values[name[:-6]])
            elif name.endswith("_dtype"):
                values[name] = values[name[:-6]].dtype
    if op.outputs:
        values.update(zip(op.outputs, result))
    elif "result" not in values:
        values["result"] = result
    return values


cdef object shape_of(x):
    if isinstance(x, Tensor):
        return tuple(x.shape)
    return [None if y is None else tuple(y.shape) for y in x] if isinstance(x, (list, tuple)) else ()


cdef object argument_of_linear(Op op, int i, object primal, object tangent):
    """What a linear row is applied to as argument `i`: a tangent, or zeros if there is none.

    Parameters that formulas name (factors, dims, indices) are the same for the tangents as for the primals.  A number
    that no formula names is written as it is, as the value of a padding, and its tangent is zero.
    """
    if op.formula_of[i] < 0:
        return 0 if op.types[i] == "Scalar" and op.params[i] not in op.slots else primal
    if op.type_of[i] == TENSORS:
        tangents = [None] * len(primal) if tangent is None else tangent
        return [None if x is None else words.zeros_of(x) if t is None else t for x, t in zip(primal, tangents)]
    if tangent is not None or primal is None:
        return tangent
    return words.zeros_of(primal) if isinstance(primal, Tensor) else 0 * primal


# ------------------------------------------------------------------------------ general rows

class ReverseLevel:
    """The level of reverse mode: operations on its tensors are recorded, and their formulas run on payloads.

    What is done to the payloads is recorded in turn if grad mode is on here and was on outside.
    """

    maps = False                        # its tensors have one value each

    def __init__(self):
        self.outside = not state().grad_off

    def process(self, op, args, level):
        inside = not state().grad_off
        if self.outside or not inside:
            return call_on_payloads(op, args, level, inside)
        set_grad_enabled(False)
        try:
            return call_on_payloads(op, args, level, inside)
        finally:
            set_grad_enabled(inside)


cdef object transposed(Op op, primals, tangents, result):
    """The differential of a general row: for each differentiable output, the sum over the inputs."""
    cdef bint several = op.list_output or op.outputs != ()
    cdef list outputs = list(result) if several else [result]
    cdef list followed = [k for k in range(len(outputs)) if op.list_output or op.differentiable >> k & 1]
    cdef list totals = [None] * len(outputs)
    cdef Formula f
    cdef int i
    values = values_by_name(op, primals, result)
    for f in op.formulas:
        i = op.positions[f.of]
        if tangents[i] is None or f.text is None:
            continue
        if op.type_of[i] == TENSORS:
            terms = by_tape(op, f, values, primals[i], tangents[i], outputs, followed)
        else:
            terms = by_tape(op, f, values, [primals[i]], [tangents[i]], outputs, followed)
        for k, term in zip(followed, terms):
            if term is not None:
                totals[k] = plus(totals[k], fitted(term, outputs[k]))
    return tuple(totals) if several else totals[0]


cdef object by_tape(Op op, Formula f, dict values, primals, tangents, list outputs, list followed):
    """The terms of one input, here a list of tensors, by its formula: Note [The transpose of the transpose]."""
    cdef State* st = state()
    cdef int hooked = st.hooked
    cdef int level
    cdef bint several = op.list_output or op.outputs != ()
    reverse = ReverseLevel()
    grad_on = set_grad_enabled(True)
    level = push_level(reverse)
    st.hooked = 0                       # the tape is ours: saved-tensor hooks do not see it
    try:
        # Record vjp(d).  A formula of a row with several outputs takes a d for each, if more than one is followed.
        ds = [wrap_level(words.zeros_of(outputs[k]), level) for k in followed]
        for d in ds:
            d.requires_grad = True
        if not several or op.only >= 0:
            back = term_of(op, f, ds[0], values)
        else:
            of_output = dict(zip(followed, ds))
            back = term_of(op, f, tuple([of_output.get(k) for k in range(len(outputs))]), values)

        # Run it backward.  A result that does not depend on d is not part of it.
        ends = []
        for g, x, t in zip(back if op.type_of[op.positions[f.of]] == TENSORS else [back], primals, tangents):
            if g is not None and t is not None and (<Tensor?>g).level == level:
                g = fit_tensor(g, tuple(x.shape), x.dtype)
                if g.requires_grad:
                    ends.append((g, t))
        if not ends:
            return [None] * len(ds)
        set_grad_enabled(grad_on)
        return run_backward([g for g, t in ends], [t for g, t in ends], False, False, ds, False, True, False)
    finally:
        st.hooked = hooked
        set_grad_enabled(grad_on)
        pop_level()
