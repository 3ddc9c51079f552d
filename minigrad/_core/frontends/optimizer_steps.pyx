"""One step of an optimizer, for one parameter after the other, each in one pass over its memory.

The formulas are those of optim/sgd.py and optim/adam.py, and the numbers are the same to the last bit: each step of a
formula is rounded to the dtype, as the operation is.  Written as operations, a step of Adam goes through memory a dozen
times and makes five tensors; here

    param, grad, m, v    ->    param, m, v

is one loop.  Only what is *plain* is taken: real numbers of one dtype, contiguous, nobody else's memory, no mode but
no_grad.  A parameter that is not plain, or is at its first step and has no state, is returned: the formula moves it.

What belongs to a parameter is looked up first, since that may run the `__eq__` of another key of the state; then all
arrays are taken and owned, and nothing but the loop runs until they are let go of: another thread may give a parameter
other data, or clear its gradient, while the loop has no GIL.  Note [Operands are owned] in call.pyx.
"""

from libc.math cimport pow, sqrt

from minigrad._core.graph cimport Tensor, count_write, version_of
from minigrad._core.graph.listener cimport only_watched
from minigrad._core.kernels cimport table
from minigrad._core.runtime.numpy_api cimport (NPY_DOUBLE, NPY_FLOAT, PyArray_DATA, PyArray_DIMS, PyArray_ISCARRAY,
                                               PyArray_ISCARRAY_RO, PyArray_NBYTES, PyArray_NDIM, PyArray_SIZE,
                                               PyArray_TYPE, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject, Py_DECREF, Py_INCREF
from minigrad._core.runtime.thread_pool cimport PART, WORTH_THREADS, Job, parallel_for
from minigrad._core.runtime.thread_state cimport state as modes

cdef extern from "math.h" nogil:
    float sqrtf(float)

ctypedef fused real:
    float
    double

cdef enum:
    MOST = 5                    # a parameter, its gradient, and three tensors of state


cdef struct Rates:
    double lr, beta1, beta2, eps, decay, shrink, momentum, inflow, root
    double sign                 # -1 where the loss is maximized
    bint nesterov

cdef struct OptimizerStep:
    PyObject* parameter_class   # written in Python, and its tensors as plain as others
    char* at[MOST]              # the memory of the parameter, of its gradient, and of its state
    PyObject* tensors[MOST]     # owned until `let_go`, as are their arrays
    PyObject* arrays[MOST]
    npy_intp size, n_bytes
    int n, dtype
    Rates rates


# ------------------------------------------------------------------------------ the loops

cdef inline void sgd_loop(real* p, real* g, real* b, npy_intp n, Rates* r) noexcept nogil:
    cdef real lr = <real>-r.lr, decay = <real>r.decay, momentum = <real>r.momentum, inflow = <real>r.inflow
    cdef real sign = <real>r.sign, d
    cdef bint nesterov = r.nesterov
    cdef npy_intp i
    if b == NULL and decay == 0:            # loops without a question in them, which C computes in vectors
        lr *= sign
        for i in range(n):
            p[i] += lr * g[i]
    elif b == NULL:
        for i in range(n):
            p[i] += lr * (sign * g[i] + decay * p[i])
    elif decay == 0 and not nesterov:
        for i in range(n):
            b[i] = b[i] * momentum + inflow * (sign * g[i])
            p[i] += lr * b[i]
    else:
        for i in range(n):
            d = sign * g[i]
            if decay != 0:
                d += decay * p[i]
            b[i] = b[i] * momentum + inflow * d
            p[i] += lr * (d + momentum * b[i] if nesterov else b[i])


cdef inline void adam_loop(real* p, real* g, real* m, real* v, real* most, npy_intp n, Rates* r) noexcept nogil:
    cdef real lr = <real>-r.lr, new1 = <real>(1 - r.beta1), new2 = <real>(1 - r.beta2), beta2 = <real>r.beta2
    cdef real decay = <real>r.decay, shrink = <real>r.shrink, eps = <real>r.eps, root = <real>r.root
    cdef real sign = <real>r.sign, old1 = <real>1 - new1, d, u
    cdef npy_intp i
    if most == NULL and new1 < 0.5:     # what is usual: a loop without a question in it, but for one that C takes out
        for i in range(n):
            d = sign * g[i]
            if decay != 0:
                d += decay * p[i]
            m[i] += new1 * (d - m[i])
            v[i] = v[i] * beta2 + new2 * d * d
            u = sqrtf(v[i]) if real is float else sqrt(v[i])
            p[i] = p[i] * shrink + lr * m[i] / (u / root + eps)
        return
    for i in range(n):
        p[i] *= shrink
        d = sign * g[i]
        if decay != 0:
            d += decay * p[i]
        m[i] = m[i] + new1 * (d - m[i]) if new1 < 0.5 else d - (d - m[i]) * old1
        u = v[i] = v[i] * beta2 + new2 * d * d
        if most != NULL:
            u = most[i] = most[i] if most[i] >= u or most[i] != most[i] else u
        if real is float:
            u = sqrtf(u)
        else:
            u = sqrt(u)
        p[i] += lr * m[i] / (u / root + eps)


cdef void sgd_part(void* what, npy_intp first, npy_intp last) noexcept nogil:
    cdef OptimizerStep* s = <OptimizerStep*>what
    if s.dtype == NPY_FLOAT:
        sgd_loop(<float*>s.at[0] + first, <float*>s.at[1] + first,
                 <float*>NULL if s.n < 3 else <float*>s.at[2] + first, last - first, &s.rates)
    else:
        sgd_loop(<double*>s.at[0] + first, <double*>s.at[1] + first,
                 <double*>NULL if s.n < 3 else <double*>s.at[2] + first, last - first, &s.rates)


cdef void adam_part(void* what, npy_intp first, npy_intp last) noexcept nogil:
    cdef OptimizerStep* s = <OptimizerStep*>what
    if s.dtype == NPY_FLOAT:
        adam_loop(<float*>s.at[0] + first, <float*>s.at[1] + first, <float*>s.at[2] + first,
                  <float*>s.at[3] + first, <float*>NULL if s.n < 5 else <float*>s.at[4] + first, last - first,
                  &s.rates)
    else:
        adam_loop(<double*>s.at[0] + first, <double*>s.at[1] + first, <double*>s.at[2] + first,
                  <double*>s.at[3] + first, <double*>NULL if s.n < 5 else <double*>s.at[4] + first, last - first,
                  &s.rates)


# ------------------------------------------------------------------------------ what is plain

cdef inline bint is_plain(object x, PyObject* parameter_class) except -1:
    """True for a tensor that no transform or inference mode has a say in, and that is nobody's view."""
    cdef Tensor t
    if type(x) is not Tensor and type(x) is not <object>parameter_class:
        return False
    t = <Tensor>x
    return not t.inference and t.view is None and type(t.payload) is ndarray


cdef bint take(OptimizerStep* s, object x, bint written) except -1:
    """Add a tensor to those that the loop goes through; false if it cannot."""
    cdef ndarray a, first
    cdef char* at
    cdef int i
    if not is_plain(x, s.parameter_class):
        return False
    a = (<Tensor>x).payload
    if not (PyArray_ISCARRAY(a) if written else PyArray_ISCARRAY_RO(a)):
        return False
    if written and (<Tensor>x).version is not None and (<Tensor>x).version.keepers != NULL:
        return False
    at = <char*>PyArray_DATA(a)
    if s.n == 0:
        s.dtype, s.size, s.n_bytes = PyArray_TYPE(a), PyArray_SIZE(a), PyArray_NBYTES(a)
        if s.dtype != NPY_FLOAT and s.dtype != NPY_DOUBLE:
            return False
    else:
        first = <ndarray>s.arrays[0]
        if PyArray_TYPE(a) != s.dtype or PyArray_NDIM(a) != PyArray_NDIM(first):
            return False
        for i in range(PyArray_NDIM(a)):
            if PyArray_DIMS(a)[i] != PyArray_DIMS(first)[i]:
                return False
    for i in range(s.n):
        if at < s.at[i] + s.n_bytes and s.at[i] < at + s.n_bytes:
            return False                # they overlap
    Py_INCREF(x)
    Py_INCREF(a)
    s.at[s.n], s.tensors[s.n], s.arrays[s.n] = at, <PyObject*>x, <PyObject*>a
    s.n += 1
    return True


cdef inline void let_go(OptimizerStep* s) noexcept:
    while s.n:
        s.n -= 1
        Py_DECREF(<object>s.tensors[s.n])
        Py_DECREF(<object>s.arrays[s.n])


cdef inline bint take_both(OptimizerStep* s, object param) except -1:
    """The parameter, a leaf, and its gradient."""
    return take(s, param, True) and (<Tensor>param).node is None and take(s, (<Tensor>param).grad_, False)


cdef double counted(object step, PyObject* parameter_class, bint add) except -2:
    """The number of steps in a tensor, after one more; -1 if it is not a plain number."""
    cdef ndarray a
    if not is_plain(step, parameter_class):
        return -1
    a = (<Tensor>step).payload
    if PyArray_NDIM(a) or not PyArray_ISCARRAY(a) or PyArray_TYPE(a) not in (NPY_FLOAT, NPY_DOUBLE):
        return -1
    if PyArray_TYPE(a) == NPY_FLOAT:
        if add:
            (<float*>PyArray_DATA(a))[0] += 1
        return (<float*>PyArray_DATA(a))[0]
    if add:
        (<double*>PyArray_DATA(a))[0] += 1
    return (<double*>PyArray_DATA(a))[0]


cdef int run(OptimizerStep* s, Job loop) except -1:
    """The loop over all elements; then the writes are counted."""
    cdef int i
    if s.size < WORTH_THREADS:
        loop(s, 0, s.size)
    else:
        with nogil:
            parallel_for(loop, s, s.size, PART)
    for i in range(s.n):
        if i != 1:                      # the gradient is only read
            count_write(version_of(<Tensor>s.tensors[i]))
    return 0


cdef bint open_to_loops(object state, tuple options, bint rounds_alike) except -1:
    """True if kernels are on, the state is a dictionary, the options are numbers, and nothing listens to operations.

    Listening must not change a number: where the formula rounds otherwise than the loop (not `rounds_alike`), the loop
    runs for a listener that only watches, too.
    """
    if not table.in_use or not isinstance(state, dict):     # of a subclass: it has a default
        return False
    for option in options:
        if type(option) is not float and type(option) is not int:
            return False
    return modes().grad_off and (not modes().active or not rounds_alike and only_watched(modes()))


# ------------------------------------------------------------------------------ the algorithms

def sgd(parameter_class, list params not None, state, lr, momentum, dampening, decay, bint nesterov, bint maximize):
    """Move the parameters; return those that the loop could not move."""
    cdef OptimizerStep s
    cdef list rest = []
    if not open_to_loops(state, (lr, momentum, dampening, decay), True):
        return params
    s.n, s.parameter_class = 0, <PyObject*>parameter_class
    s.rates.lr, s.rates.momentum, s.rates.inflow, s.rates.decay = lr, momentum, 1 - dampening, decay
    s.rates.sign, s.rates.nesterov = -1 if maximize else 1, nesterov
    for param in params:
        if not sgd_step(&s, param, state):
            rest.append(param)
    return rest


cdef bint sgd_step(OptimizerStep* s, object param, object state) except -1:
    cdef object own, buffer = None
    if s.rates.momentum != 0:
        own = (<dict>state).get(param)
        if type(own) is not dict:
            return False
        buffer = (<dict>own).get("momentum_buffer")
        if buffer is None:
            return False
    try:
        if not take_both(s, param) or (buffer is not None and not take(s, buffer, True)):
            return False
        run(s, sgd_part)
    finally:
        let_go(s)
    return True


def adam(parameter_class, list params not None, state, lr, beta1, beta2, eps, decay, bint amsgrad, bint maximize,
         bint decoupled):
    """Move the parameters; return those that the loop could not move."""
    cdef OptimizerStep s
    cdef list rest = []
    if not open_to_loops(state, (lr, beta1, beta2, eps, decay), False):
        return params
    s.n, s.parameter_class = 0, <PyObject*>parameter_class
    s.rates.beta1, s.rates.beta2, s.rates.eps, s.rates.sign = beta1, beta2, eps, -1 if maximize else 1
    s.rates.decay, s.rates.shrink = (0, 1 - lr * decay) if decoupled else (decay, 1)
    for param in params:
        if not adam_step(&s, param, state, lr, amsgrad):
            rest.append(param)
    return rest


cdef bint adam_step(OptimizerStep* s, object param, object state, double lr, bint amsgrad) except -1:
    cdef object found = (<dict>state).get(param), mean, square, most, step
    cdef dict own
    cdef double t
    if type(found) is not dict:
        return False
    own = found
    mean, square, step = own.get("exp_avg"), own.get("exp_avg_sq"), own.get("step")
    most = own.get("max_exp_avg_sq") if amsgrad else None
    try:
        if not (take_both(s, param) and take(s, mean, True) and take(s, square, True)
                and (not amsgrad or take(s, most, True)) and counted(step, s.parameter_class, False) >= 0):
            return False
        t = counted(step, s.parameter_class, True)
        count_write(version_of(<Tensor>step))
        s.rates.lr = lr / (1 - pow(s.rates.beta1, t))
        s.rates.root = pow(1 - pow(s.rates.beta2, t), 0.5)
        run(s, adam_part)
    finally:
        let_go(s)
    return True
