"""Operands: what a call was given for each parameter, checked; and the walk over the tensors among it.

::

    torch.where(mask, x, 0.5)       choose(Tensor condition, Tensor self, Tensor other)

    operands                        [mask, x, 0.5]          Tensors, numbers, lists of Tensors, parameters
    payloads_of                     [array, array, 0.5]     what the kernel takes
    next_input                      mask, x, nothing        one after the other

Note [The walk over inputs]
---------------------------
To which level does the call belong, which formulas will run, where do the edges lead, what are the tangents, the
payloads?  All of these are asked of each tensor among the arguments, and a parameter may be a list of tensors, with
gaps.  The walk over them is here, once, and each question is the body of a loop::

    cat([a, None, b], dim)      i 0, k 0, edge 0: a       i 0, k 1, edge 1: NULL       i 0, k 2, edge 2: b

    while next_input(&w, op, args):
        if w.tensor != NULL:
            level = max(level, (<Tensor>w.tensor).level)
"""

import numpy as np

from minigrad._core.dispatch.arguments cimport taken, takes_ints
from minigrad._core.dispatch.compute cimport floating
from minigrad._core.dispatch.op cimport FROM_INPUT, OPTIONAL, PLAIN, TENSORS, Op, PyTuple_GET_ITEM, unfit
from minigrad._core.errors.refusals import (made_in_inference_mode, masked_array, no_constant, no_tensor_in_a_list,
                                            not_a_list, not_a_number, not_a_tensor, numbers_alone, without_data)
from minigrad._core.graph cimport Tensor, later as graph_later, needs_grad, new_tensor
from minigrad._core.kernels.shapes.strided_views cimport another
from minigrad._core.runtime.numpy_api cimport PyArray_NDIM, ndarray
from minigrad._core.runtime.python_api cimport PyObject, PySequence_Fast_ITEMS
from minigrad._core.runtime.thread_state cimport interpreter_of, state


# ------------------------------------------------------------------------------ checking

cdef list operands(Op op, PyObject** bound, bint inplace):
    """The arguments as the op takes them, in a list that owns them."""
    cdef list found = [operand(op, i, <object>bound[i], inplace) for i in range(op.n_params)]
    if op.overloaded and not any([isinstance(x, Tensor) for x in found]):
        raise numbers_alone(op, [type(<object>bound[i]) for i in range(op.n_tensors)], inplace)
    return found


cdef object operand(Op op, int i, object x, bint inplace):
    """Argument `i` as the op takes it, or an error that names it, as an argument of the in-place form where it is."""
    cdef bint promotes
    if op.type_of[i] == PLAIN:
        return x if <PyObject*>x == PyTuple_GET_ITEM(op.defaults, i) else parameter(op, i, x, inplace)
    if x is None and op.type_of[i] == OPTIONAL:
        return x
    if op.type_of[i] != TENSORS:
        promotes = op.promote is not None and op.promotes[i]
        x = tensor_or_number(op, i, x, op.or_number[i] or (inplace and op.written_numbers), promotes, inplace)
        # x.copy_(0.5): what is written need not promote, and a call of the op itself, in a transform, takes a tensor
        return x if promotes or isinstance(x, Tensor) else new_tensor(np.asarray(x))
    if not isinstance(x, (list, tuple)):
        raise not_a_list(op, i, x)
    return [element(op, i, k, y) for k, y in enumerate(x)]


cdef object element(Op op, int i, int k, object x):
    """Entry `k` of a list of tensors."""
    if x is None and op.gaps[i]:
        return x
    if not isinstance(x, Tensor):
        raise no_tensor_in_a_list(op.shown, i, k, x)
    return tensor_or_number(op, i, x, False, False, False)


cdef object tensor_or_number(Op op, int i, object x, bint number_allowed, bint array_allowed, bint inplace):
    if isinstance(x, Tensor):
        if (<Tensor>x).payload is None:
            raise without_data(op, i)
        return x
    if isinstance(x, (bool, int, float, complex)):
        if number_allowed:
            return exact(x)
    elif isinstance(x, np.generic):
        if "b" in op.refuse and isinstance(x, np.bool_):
            return int(x)               # a number in PyTorch, where Python's bool is refused
        return x.item() if number_allowed else new_tensor(np.asarray(x))
    elif isinstance(x, np.ndarray):
        if type(x) is not ndarray:
            unmasked(x, (op.written if inplace else op.shown) + "()")
        if number_allowed or array_allowed:
            return new_tensor(another(x))
    raise not_a_tensor(op, i, x, inplace, op.overloaded)


def unmasked(array, str where, str code="MG402"):
    """The array; an error if it has a mask, which a tensor does not have, so that masked elements would count again."""
    if isinstance(array, np.ma.MaskedArray):
        raise masked_array(where, code)
    return array


cdef object parameter(Op op, int i, object x, bint inplace):
    """An argument for which the schema has no tensor, as it is recorded, or an error that names it.

    A tensor without dims counts as its number; numbers and strings are of Python's own classes (`exact`).
    """
    cdef object data, found
    if isinstance(x, Tensor):
        data = (<Tensor>x).payload
        if type(data) is ndarray and not floating(<ndarray>data) and PyArray_NDIM(<ndarray>data):
            if not takes_ints(op.takes[i]):
                return x
        else:
            x = number_given(op.shown, op.params[i], <Tensor>x)
    found = taken(op.takes[i], x)
    if found is NotImplemented:
        raise unfit(op, i, x, inplace)
    return exact(found)


cdef object exact(object x):
    """The value of a number of NumPy's, or of a class derived from str, int, float or complex, as Python's own.

    The methods of such a class may be Python code, which no kernel expects to run where it compares an option.
    """
    if type(x) is str or type(x) is float or type(x) is int or type(x) is bool or x is None:
        return x
    if isinstance(x, np.generic):
        return x.item()
    if isinstance(x, str):
        return str.__str__(x)
    if isinstance(x, int):
        return int.__int__(x)
    if isinstance(x, float):
        return float.__float__(x)
    return complex.__complex__(x) if isinstance(x, complex) else x


cdef object number_given(str function, str argument, Tensor t):
    """The number that a tensor without dims stands for.

    An error if its gradient or tangent would be lost, whether grad mode is on or not.
    """
    if t.level and interpreter_of(t.level) is not None and interpreter_of(t.level).maps:
        return t.item()                 # mapped over by vmap, there are many values: item() has an error for that
    if t.level or needs_grad(t) or (state().forward and graph_later.tangent_of(t) is not None):
        raise no_constant(function, argument)
    if t.payload.ndim:
        raise not_a_number(function, argument, t.payload.shape)
    return t.item()


def as_number(str function, str argument, Tensor t not None):
    """`number_given`, for Python functions that are not rows."""
    return number_given(function, argument, t)


cdef int refuse_inference(Op op, PyObject** bound, unsigned int mask) except -1:
    """Raise if an inference tensor would be saved: nobody counts the writes to it."""
    cdef int i, k
    for i in range(op.n_tensors):
        if isinstance(<object>bound[i], Tensor) and (<Tensor>bound[i]).inference:
            for k in range(op.n_slots):
                if op.slot[k].source == FROM_INPUT and op.slot[k].index == i and op.slot[k].needed_by & mask:
                    raise made_in_inference_mode(op, i)
    return 0


# ------------------------------------------------------------------------------ what the kernel takes

cdef list payloads_of(Op op, list args, int level):
    """The arguments with the payloads of tensors of this level in their place; others stay as they are."""
    cdef list payloads = [list(args[i]) if op.type_of[i] == TENSORS else args[i] for i in range(op.n_params)]
    cdef Inputs w = from_the_first()
    while next_input(&w, op, PySequence_Fast_ITEMS(args)):
        if w.tensor == NULL or (<Tensor>w.tensor).level != level:
            continue
        if op.type_of[w.i] == TENSORS:
            (<list>payloads[w.i])[w.k] = (<Tensor>w.tensor).payload
        else:
            payloads[w.i] = (<Tensor>w.tensor).payload
    return payloads
