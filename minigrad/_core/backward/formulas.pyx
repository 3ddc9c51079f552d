"""Formulas: from the text of a derivative to a program that runs on arrays.

A formula of the table (minigrad/ops) is a Python function, its *text*.  It runs in two ways: as it is, on Tensors,
where it must be recorded or batched (`apply_text`); and as a program, on arrays, in a plain backward
pass (`apply_formula`).

The file has three parts: making a program, running one, and the gradient for an input in either way.  When a
backward pass asks for that gradient is what pass_state.pyx and engine.pyx tell next.
"""

from functools import partial

import numpy as np

from minigrad._core.backward.half_precision cimport (all_rounded, all_widened, half_of, in_half_precision,
                                                     text_in_single_precision)
from minigrad._core.dispatch.heard_calls cimport step_heard
from minigrad._core.dispatch.compute cimport half_type, run_general, run_in_c, run_into
from minigrad._core.dispatch.op cimport (MAX_PARAMS, MAX_REGISTERS, TENSORS, Formula, Instruction, Op, Program, later,
                                         options_left_out)
from minigrad._core.dispatch.symbols cimport Tracer, key_of, symbol
from minigrad._core.dispatch.torch_function import without_modes
from minigrad._core.dispatch.torch_function cimport modes_on
from minigrad._core.errors.refusals import not_a_gradient_of
from minigrad._core.graph cimport Node, Tensor, new_tensor
from minigrad._core.graph.saved_tensors cimport payload_of, unpack
from minigrad._core.kernels.loops.copies cimport copy_elements
from minigrad._core.kernels.loops.numpy_loops cimport same_shape
from minigrad._core.kernels.shapes.strided_views cimport Geometry, seen_as
from minigrad._core.runtime.array_freelist cimport leave
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_CFLOAT, NPY_CLONGDOUBLE, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_ITEMSIZE, PyArray_NDIM, PyArray_SIZE,
                                               PyArray_STRIDES, PyArray_TYPE, dtype as Descr, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyList_GET_ITEM, PyObject, PyObject_Malloc, Py_INCREF, Py_REFCNT
from minigrad._core.runtime.thread_pool cimport WORTH_THREADS
from minigrad._core.runtime.thread_state cimport State, listeners, state


# Note [Formulas as programs]
# ---------------------------
# The derivative of tan is written in the table as a Python function:
#
#     self = lambda d, result: d * (1 + result * result)
#
# Called with Tensors it computes, and can be recorded (double backward) or batched (vmap), as any code
# can.  But in a plain backward pass every `*` on Tensors would wrap and unwrap for nothing.  A formula
# has no side effects and uses only ops of the table; so it is called once with Symbols, which compute
# nothing and note what is done to them.  Every value has a register, a number: first d and what the
# formula names, then the constants, then the results of the steps:
#
#     registers   0: d    1: result    2: the constant 1
#     step 3 = mul(1, 1)
#     step 4 = add(2, 3)
#     step 5 = mul(0, 4)
#
# The engine runs these steps on arrays, with each op's own promotion and fast loops.  The same list is
# what the documentation prints as mathematics, and what tests read to see that every formula stays
# inside the table.  A formula that asks a Symbol for its value cannot be traced; its text then runs on
# Tensors with recording off, slower and with the same result.

cdef enum:
    BLOCK = WORTH_THREADS       # elements of a formula at a time, which several threads may share: Note [Blocks]


# ------------------------------------------------------------------------------ making a program

cdef inline object text_of(Formula f):
    """The text, in which no mode of the program's is asked."""
    return partial(without_modes, f.text) if modes_on else f.text


cdef Program trace(Formula f, Op op, bint plain, dict answers):
    """Run the text of `f` on Symbols; None where it cannot be traced.  With `plain`, options have their defaults.

    `answers` has, by slot, the parameters of which the formula may ask what they are: strings, and None for a tensor.
    """
    cdef Tracer tracer = Tracer(f.n + 1)
    cdef Program p = Program.__new__(Program)
    cdef State* st = state()
    cdef PyObject* listener = st.listener
    cdef int i, k, base
    st.listener = NULL                  # a profiler is not to hear of what is done to Symbols
    try:
        out = text_of(f)(symbol(tracer, ("input", 0)),
                         *[default_of(op, f.slots[i]) if plain and f.slots[i] >= op.n_plain_slots
                           else answers[f.slots[i]] if f.slots[i] in answers else symbol(tracer, ("input", i + 1))
                           for i in range(f.n)])
        if type(out) in (tuple, list):
            keys = [key_of(tracer, x) for x in out]
        else:
            keys = [key_of(tracer, out)]
    except TypeError:                   # Untraceable, or an operator that Symbols have not
        return None
    finally:
        st.listener = listener

    if not are_gradients(f, op, tracer, out, keys):
        return None                     # what the text returns, `check_returned` will refuse

    # From keys to registers.
    p.n_inputs = f.n + 1
    p.constants = tracer.constants
    base = p.n_inputs + len(tracer.constants)

    def register(key):
        return key[1] + {"input": 0, "constant": p.n_inputs, "step": base}[key[0]]

    p.steps = [(op, [register(key) for key in args]) for op, args in tracer.steps]
    p.n_steps = len(p.steps)
    if type(out) in (tuple, list):
        p.results = tuple([register(key) for key in keys])
    p.elementwise = p.n_steps > 1 and p.results is None and all([is_elementwise(step) for step, _ in p.steps])
    p.result = register(keys[0])
    if base + p.n_steps > MAX_REGISTERS:
        return None

    # The steps once more, as a C array.
    p.code = <Instruction*>PyObject_Malloc(p.n_steps * sizeof(Instruction) + 1)
    if p.code == NULL:
        raise MemoryError()
    for i, (op, args) in enumerate(p.steps):
        p.code[i].op = <PyObject*>op
        p.code[i].n = len(args)
        for k, r in enumerate(args):
            p.code[i].args[k] = r
    return p


cdef bint is_elementwise(Op op):
    """Has each element of the result to do with one of each operand?"""
    return op.kind == "elementwise" or op.loops is not None or op.aside is not None and op.aside.loops is not None


cdef bint are_gradients(Formula f, Op op, Tracer tracer, object out, list keys) except -1:
    """Has the text returned what it should: a gradient, or for a list of tensors a list of them, or None?"""
    cdef bint several = op.type_of[<int>op.params.index(f.of)] == TENSORS
    if out is None:
        return True
    if type(out) not in (tuple, list):
        return gradients_at(f, op, tracer, keys[0]) == 1 + several
    return several and bool(keys) and all([gradients_at(f, op, tracer, key) == 1 for key in keys])


cdef int gradients_at(Formula f, Op op, Tracer tracer, tuple key) except -1:
    """What a value of a program can be: 1 for a gradient or None, 2 for several, 0 for all else, such as a number."""
    cdef Op last
    cdef str kind = key[0], needed
    cdef int i = key[1]
    if kind == "constant":
        return tracer.constants[i] is None
    if kind == "step":
        last = <Op?>tracer.steps[i][0]
        return 2 if last.list_output or last.outputs else 1
    if i == 0:
        return 2 if op.only < 0 and (op.list_output or op.outputs) else 1
    needed = f.names[i - 1]
    if needed in op.params:
        type_ = op.types[op.params.index(needed)]
        return 0 if not type_.startswith("Tensor") else 2 if type_.endswith("[]") else 1
    return 2 if needed == "result" and op.list_output else needed == "result" or needed in op.outputs


cdef Program program_of(Formula f, Op op, bint plain):
    """The program of `f`, traced the first time it is needed; with `plain`, that of calls that leave options out."""
    if plain and op.n_plain_slots < op.n_slots:
        if not f.plain_traced:
            f.plain = trace(f, op, True, {}) if op.traceable else None
            f.plain_traced = True
        return f.plain
    if not f.traced:
        f.program = trace(f, op, False, {}) if op.traceable and f.text is not None else None
        f.traced = True
    return f.program


cdef inline Program program_at(Formula f, Op op, Node n):
    """The program for this node."""
    if f.optional == 0:
        if f.traced and n.n_saved == op.n_slots and not f.name_slots:
            return f.program
    elif n.saved != NULL and question(f, op, n) == f.answered:
        return f.answer
    return program_for_answers(f, op, n)


cdef inline unsigned int question(Formula f, Op op, Node n) noexcept:
    """Were options left out, and which tensors are None?  In bits."""
    cdef unsigned int found = n.n_saved < op.n_slots
    cdef int i
    for i in range(f.n):
        if f.optional >> i & 1 and f.slots[i] < n.n_saved and n.saved[f.slots[i]].value == <PyObject*>None:
            found |= 2u << i
    return found


cdef Program program_for_answers(Formula f, Op op, Node n):
    """The same where a formula may ask whether a tensor is None, or what a name is: there is one for each answer."""
    cdef bint plain = n.n_saved < op.n_slots
    cdef unsigned int asked
    cdef dict answers
    cdef Program p
    cdef int i
    if n.saved == NULL or not op.traceable:
        return program_of(f, op, plain)
    asked = question(f, op, n)
    answers = {f.slots[i]: None for i in range(f.n) if asked >> i & 2}
    p = None if answers else program_of(f, op, plain)
    if p is None and (answers or f.name_slots and not plain):
        for k in () if plain else f.name_slots:
            answers[k] = <object>n.saved[<int>k].value
        key = (plain, *answers.items())
        if key not in f.by_answers:
            f.by_answers[key] = trace(f, op, plain, answers)
        p = f.by_answers[key]
    if not f.name_slots:
        f.answered, f.answer = asked, p
    return p


cdef object default_of(Op op, int slot):
    """The default of the option in this slot."""
    return op.defaults[op.slot[slot].index]


# ------------------------------------------------------------------------------ running it

cdef object run_program(Program p, PyObject** registers, bint over=False, ndarray into=None):
    """Run the steps; `registers` holds the inputs, which the caller owns, and has room for the rest.

    See Note [Operands are owned] in call.pyx.  The results of steps are owned here, and let go of at the end.  With
    `over` the last step may write its result over the first input, an array that nobody else needs, unless another step
    has made a view of it; and it may write it into memory that overlaps no operand, if there is `into`.
    """
    cdef int i, k, base = p.n_inputs
    cdef int n_constants = len(p.constants)
    cdef Py_ssize_t references = Py_REFCNT(registers[0])
    cdef Instruction* step
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
            if listeners:
                r = step_heard(<Op>step.op, args, step.n, run_step)
            elif (over and i == p.n_steps - 1 and step.args[0] == 0 and Py_REFCNT(args[0]) == references
                  and write_over(<Op>step.op, args, step.n)):
                r = <object>args[0]
            elif into is not None and i == p.n_steps - 1 and run_into(<Op>step.op, args, step.n, into):
                r = into
            else:
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
                leave(registers[base + i])


# Note [Blocks]
# -------------
# The steps of a formula are as many passes over memory.  Where all of them are elementwise, and arrays are large, they
# are run on a block of elements at a time, which stays in the cache from the first step to the last:
#
#     d * (1 + result * result)       3 steps on elements 0 .. 65535, then on 65536 .. 131071, ...
#
# So no step waits for memory; 16-bit floats become float32 and are rounded there, too.  A profiler hears of each step
# once, and of whole arrays.

cdef inline bint is_large(Program p, object d) noexcept:
    """Are there so many elements?"""
    return p.elementwise and type(d) is ndarray and PyArray_SIZE(<ndarray>d) >= 2 * BLOCK and not listeners


cdef object run_large(Program p, PyObject** registers, bint over):
    """Run the steps on large arrays, in blocks if these line up; the result has 16 bits where the first input has."""
    cdef PyObject* parts[MAX_REGISTERS]
    cdef ndarray d = <ndarray>registers[0], out = None, into = None
    cdef npy_intp start = 0, size = PyArray_SIZE(d), n
    cdef bint in_blocks = True
    cdef object r, half = half_of(d)
    cdef list some
    cdef int i
    for i in range(p.n_inputs):
        in_blocks = in_blocks and lines_up(<object>registers[i], d)
    while start < size:
        n = min(<npy_intp>BLOCK, size - start)
        some = []
        for i in range(p.n_inputs):
            some.append(all_widened(block_of(<object>registers[i], start, n) if in_blocks else <object>registers[i]))
            parts[i] = PyList_GET_ITEM(some, i)
        if out is not None:
            into = <ndarray>block_of(out, start, n)
        r = run_program(p, parts, over and not in_blocks and half is None, into)
        if not in_blocks:
            return r if half is None else all_rounded(r, half)
        if out is None:
            if type(r) is not ndarray or PyArray_NDIM(<ndarray>r) != 1:
                in_blocks = False       # the gradient takes no part: as a whole
                continue
            out = new_array(PyArray_NDIM(d), PyArray_DIMS(d),
                            PyArray_TYPE(<ndarray>r) if half is None else (<Descr>half).type_num)
            into = <ndarray>block_of(out, start, n)
        if r is not into:
            copy_elements(into, <ndarray>r)
        start += n
    return out


cdef bint lines_up(object x, ndarray d):
    """Is it a number, one for all elements, or an array of the shape of `d` that lies row by row?"""
    cdef int i
    if type(x) is not ndarray:
        return not isinstance(x, ndarray) and type(x) is not list
    if PyArray_NDIM(<ndarray>x) == 0:
        return True
    if not same_shape(<ndarray>x, d):
        return False
    for i in range(PyArray_NDIM(d)):
        if PyArray_STRIDES(<ndarray>x)[i] != 0:
            return PyArray_ISCARRAY_RO(<ndarray>x)
    return True


cdef object block_of(object x, npy_intp start, npy_intp n):
    """The elements from `start` on of what lines up, as a line."""
    cdef Geometry g
    if type(x) is not ndarray or PyArray_NDIM(<ndarray>x) == 0:
        return x
    g.ndim, g.data, g.dims[0] = 1, <char*>PyArray_DATA(<ndarray>x), n
    g.strides[0] = PyArray_ITEMSIZE(<ndarray>x) if PyArray_ISCARRAY_RO(<ndarray>x) else 0
    g.data += start * g.strides[0]
    return seen_as(<ndarray>x, &g)


cdef inline bint write_over(Op op, PyObject** args, int n) except -1:
    """Write the result of the last step over its first argument; False where it has another form, or no such kernel."""
    return (op.into != NULL and options_left_out(op, args, n)
            and op.into(&op.loop, args, op.n_plain, <ndarray>args[0]))


cdef inline object run_step(Op op, PyObject** args, int n):
    """One step: by the op's kernel in C, for plain numbers by `number`, else by `run_general` (compute.pyx)."""
    cdef int i
    cdef object r = run_in_c(op, args, n)
    if r is not None:
        return r
    if op.number is not None and n == op.n_plain:
        for i in range(n):
            if not isinstance(<object>args[i], (int, float, complex)):
                break
        else:
            return op.number(*[<object>args[i] for i in range(n)])
    return run_general(op, args, n)


# ------------------------------------------------------------------------------ the gradient for one input

cdef object apply_formula(Formula f, Op op, object d, Node n, list values, bint over=False):
    """The gradient for one input from the gradient `d` of the output: arrays in, arrays out.

    `values` are the contents of the slots where saved-tensor hooks had to give them back (saved_tensor_hooks.pyx); else
    None.  With `over`, the result may be written over `d`.
    """
    cdef PyObject* registers[MAX_REGISTERS]
    cdef object out, value, half = None
    cdef int i, held = 0
    cdef bint conj, large
    cdef Program p = program_at(f, op, n)
    if f.text is None:
        return np.zeros_like(d)                         # piecewise constant
    if p is None:
        return payloads(apply_text(f, op, tensors(d), n, False, values))
    if p.n_steps == 0 and p.result == 0 and p.results is None:
        return d                                        # the identity, as for `self` of add
    conj = op.conjugate and has_complex(d)
    if conj:                                            # conj before, and after: ops/kinds.py says why
        d = conjugated(d)
    large = is_large(p, d)
    if p.n_steps > 1 and not large:                     # Note [16-bit floats] in compute.pyx
        half = half_of(d)
        if half is not None:
            over = False
            d = all_widened(d)
    registers[0] = <PyObject*>d
    try:
        for i in range(f.n):
            if f.slots[i] >= n.n_saved:                 # an option that was left out
                value = default_of(op, f.slots[i])
            else:
                value = payload_of(n, f.slots[i]) if values is None else bare(values[f.slots[i]])
            if p.n_steps > 1 and not large and (type(value) is list or type(value) is ndarray
                                                and half_type(PyArray_TYPE(<ndarray>value))):
                value = all_widened(value)
            Py_INCREF(value)            # another thread may run this node too, and let go of what it saved
            registers[i + 1] = <PyObject*>value
            value = None
            held += 1
        out = run_large(p, registers, over and not conj) if large else run_program(p, registers, over and not conj)
    finally:
        for i in range(held):
            leave(registers[i + 1])
    if half is not None:
        return all_rounded(out, half)
    return conjugated(out) if conj else out


cdef bint has_complex(object d) except -1:
    """Is a gradient, or one of several, complex?  An array or a Tensor, or a list of them."""
    if type(d) is ndarray:
        return NPY_CFLOAT <= PyArray_TYPE(<ndarray>d) <= NPY_CLONGDOUBLE
    if isinstance(d, Tensor):
        return (<Tensor>d).dtype.is_complex
    return d is not None and any([has_complex(x) for x in d])


cdef object conjugated(object d):
    """The conjugate of a gradient, or of each of several."""
    if type(d) is ndarray:
        return np.asarray(np.conj(d))
    if d is None or isinstance(d, Tensor):
        return d if d is None else words.conj(d)
    return type(d)([conjugated(x) for x in d])


cdef object tensors(object d):
    """A gradient, or several, as Tensors."""
    if type(d) is list:
        return tuple([None if x is None else new_tensor(x) for x in d])
    return new_tensor(d)


cdef object payloads(object out):
    """And back."""
    if type(out) in (list, tuple):
        return tuple([None if x is None else (<Tensor>x).payload for x in out])
    return None if out is None else (<Tensor>out).payload


cdef object bare(object value):
    """An unpacked slot as an array, or a list of them."""
    if isinstance(value, Tensor):
        return (<Tensor>value).payload
    if type(value) is list:
        return [bare(x) for x in value]
    return value


cdef object apply_text(Formula f, Op op, object d, Node n, bint on_payload, list values):
    """The same as `apply_formula`, by the text: on Tensors of the node's own level, or on payloads, one level down."""
    cdef list arguments = []
    cdef int i
    cdef object x
    if f.text is None:
        return words.zeros_of(d)
    for i in range(f.n):
        if f.slots[i] >= n.n_saved:
            x = default_of(op, f.slots[i])
        elif values is not None:
            x = bare(values[f.slots[i]]) if on_payload else values[f.slots[i]]
        else:
            x = payload_of(n, f.slots[i]) if on_payload else unpack(n, f.slots[i])
        arguments.append(x)
    if op.conjugate and has_complex(d):
        return conjugated(run_text(f, op, conjugated(d), arguments))
    return run_text(f, op, d, arguments, n.n_saved < op.n_slots)


cdef object run_text(Formula f, Op op, object d, list arguments, bint plain=False):
    """The text on Tensors, in float32 where it takes several steps from a gradient in 16 bits.

    See Note [16-bit floats] in compute.pyx.
    """
    cdef Program p = program_of(f, op, plain)
    cdef object out
    if (p is not None and p.n_steps <= 1) or not in_half_precision(d):
        out = text_of(f)(d, *arguments)
    else:
        out = text_in_single_precision(text_of(f), d, arguments)
    check_returned(f, op, out)
    return out


cdef int check_returned(Formula f, Op op, object out) except -1:
    """Refuse anything but a gradient.  Whether a list has one for each tensor, `one_for_each` in all_gradients.pxd
    asks."""
    if out is None or isinstance(out, Tensor):
        return 0
    if type(out) in (tuple, list) and op.type_of[<int>op.params.index(f.of)] == TENSORS:
        for x in out:
            if not (x is None or isinstance(x, Tensor)):
                raise not_a_gradient_of(op.name, f.of, type(x).__name__, True)
        return 0
    raise not_a_gradient_of(op.name, f.of, type(out).__name__, False)


cdef Program program(Op op, str of, object node):
    """The formula of `op` for the input `of`, as a Program, or what it is for this `node` of the op, or None;
    None where it cannot be traced."""
    cdef Formula f
    for f in op.formulas:
        if f.of == of:
            return program_at(f, op, node) if node is not None else program_of(f, op, False) or program_of(f, op, True)
    raise KeyError(of)


later.program = program
