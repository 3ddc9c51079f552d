"""Connectionist temporal classification: the probability of a text, over all ways in which it can be read.

At each time a network says how probable each character is, or a blank.  Repeated characters and blanks are left out to
read what it says, so that many paths lead to the same text.  Their sum is a dynamic program (A. Graves, S. Fernandez,
F. Gomez, J. Schmidhuber, ICML 2006).

Note [The lattice of a text]
----------------------------
The text "ca", with blanks around its characters, has S = 5 states.  A path starts in one of the first two and ends in
one of the last two; from one time to the next it stays, takes a step, or leaves out a blank between two characters,
unless these are equal, as in "cc", where without the blank there would be one::

    state   time 0   1   2   3
      -       o------o
      c       o------o---o---o          a step down leads to the next state,
      -            \\  o---o---o          and from c to a, past the blank, too
      a                \\  o---o
      -                      o

    alpha[t, s]     the logarithm of the probability of all beginnings of paths that are in state s at time t
    beta[t, s]      the same of all ends of paths that are in state s at time t

    loss            = -log(exp(alpha[T - 1, S - 1]) + exp(alpha[T - 1, S - 2]))
    paths through s = exp(alpha[t, s] + beta[t, s] - log_probs[t, s] + loss)     their share of the probability

The derivative of the loss with respect to log_probs[t, c] is minus the share of the paths that are in a state with the
character c.  PyTorch adds exp(log_probs[t, c]), which the logarithm of a softmax takes away again: its gradient is that
with respect to what the softmax was computed of.
"""

from libc.math cimport INFINITY, NAN, exp
from libc.stdlib cimport free, malloc
from minigrad._core.kernels.loops.numpy_loops cimport Loop, aligned
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.shapes.strided_views cimport as_int
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_DOUBLE, NPY_FLOAT, NPY_INT64, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_NDIM, PyArray_SIZE, PyArray_STRIDES,
                                               PyArray_TYPE, int64_t, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.kernels.loops.read_once cimport read_once
from minigrad._core.runtime.thread_pool cimport WORTH_THREADS, parallel_for

cdef extern from "kernels/networks/ctc_loss.h" nogil:
    double log_sum_double(double a, double b, double c)
    void step_float(const float* before, const float* skip, float* to, npy_intp n)
    void step_double(const double* before, const double* skip, double* to, npy_intp n)
    void shares_float(const float* a, const float* b, float c, float* to, npy_intp n)
    void shares_double(const double* a, const double* b, double c, double* to, npy_intp n)


cdef struct Texts:
    char* log_probs             # of each time, text and character
    npy_intp steps[3]
    npy_intp times, n, characters
    int64_t* targets
    npy_intp* begins            # of each text in the targets
    npy_intp* lengths
    npy_intp* durations
    npy_intp states             # of the longest text
    int64_t blank
    bint zero_infinity, single
    void* losses
    void* alpha                 # of each text, time and state
    void* slopes                # where these are asked for: of each time, text and character
    bint failed                 # there is no memory


# What is kept of one text while it is read.  States are numbered from the end to the beginning where time is walked
# that way; there, the states before a state are those that follow it.
cdef struct Text:
    npy_intp states, duration
    int64_t* characters         # of each state
    void* before                # two times -inf, and the states at the time before
    void* skip                  # 0 where a step leads over the state before, or else -inf
    void* paths
    void* shares


cdef inline real log_prob(Texts* x, npy_intp t, npy_intp i, int64_t c, real kind) noexcept nogil:
    return (<real*>(x.log_probs + t * x.steps[0] + i * x.steps[1] + c * x.steps[2]))[0]


cdef Text text_of(Texts* x, npy_intp i, void* room, bint backwards, real kind) noexcept nogil:
    cdef Text text
    cdef npy_intp s, at
    cdef int64_t character
    text.states, text.duration = 2 * x.lengths[i] + 1, x.durations[i]
    text.characters = <int64_t*>room
    text.before = text.characters + x.states
    text.skip = <real*>text.before + x.states + 2
    text.paths = <real*>text.skip + x.states
    text.shares = <real*>text.paths + x.states
    for s in range(text.states):
        at = text.states - 1 - s if backwards else s
        text.characters[s] = x.blank
        if at % 2:
            character = read_once(&x.targets[x.begins[i] + at // 2])
            if 0 <= character < x.characters:           # another thread may have changed it since it was looked at
                text.characters[s] = character
        (<real*>text.skip)[s] = -INFINITY
        if s > 1 and text.characters[s] != text.characters[s - 2]:
            (<real*>text.skip)[s] = 0
    (<real*>text.before)[0] = (<real*>text.before)[1] = -INFINITY
    return text


cdef void take_step(Text* text, real kind) noexcept nogil:
    """The sums over all ways into each state."""
    if real is float:
        step_float(<float*>text.before + 2, <float*>text.skip, <float*>text.paths, text.states)
    else:
        step_double(<double*>text.before + 2, <double*>text.skip, <double*>text.paths, text.states)


# ------------------------------------------------------------------------------ one text

cdef void forward(Texts* x, npy_intp i, void* room, real kind) noexcept nogil:
    """Its loss, and alpha."""
    cdef Text text = text_of(x, i, room, False, kind)
    cdef real* alpha = <real*>x.alpha + i * x.times * x.states
    cdef real* before = <real*>text.before + 2
    cdef real* paths = <real*>text.paths
    cdef real* loss = <real*>x.losses + i
    cdef npy_intp t, s
    for s in range(x.times * x.states):
        alpha[s] = -INFINITY
    if text.duration == 0:
        loss[0] = -0. if text.states == 1 else INFINITY
        return
    for t in range(text.duration):
        if t:
            take_step(&text, kind)
        for s in range(text.states):
            alpha[s] = log_prob(x, t, i, text.characters[s], kind)
            if t:
                alpha[s] += paths[s]
            elif s > 1:
                alpha[s] = -INFINITY
            before[s] = alpha[s]
        alpha += x.states
    loss[0] = <real>-log_sum_double(before[text.states - 1], before[text.states - 2], -INFINITY)


cdef void backward(Texts* x, npy_intp i, void* room, real kind) noexcept nogil:
    """The slopes, time after time from the last one; beta is only needed of one time."""
    cdef Text text = text_of(x, i, room, True, kind)
    cdef real* slopes = <real*>x.slopes + i * x.characters
    cdef real* before = <real*>text.before + 2
    cdef real* paths = <real*>text.paths
    cdef real* shares = <real*>text.shares
    cdef real* alpha
    cdef real loss = (<real*>x.losses)[i]
    cdef npy_intp t, s, c, row = x.n * x.characters
    for t in range(x.times):
        for c in range(x.characters):
            slopes[t * row + c] = 0
            if t < text.duration and loss == INFINITY and not x.zero_infinity:
                slopes[t * row + c] = NAN
    if loss == INFINITY:
        return
    for s in range(text.states):
        paths[s] = 0 if s < 2 else -INFINITY
    for t in range(text.duration - 1, -1, -1):
        if t < text.duration - 1:
            take_step(&text, kind)
        alpha = <real*>x.alpha + (i * x.times + t) * x.states
        for s in range(text.states):
            shares[s] = alpha[text.states - 1 - s]
        if real is float:
            shares_float(shares, paths, loss, shares, text.states)
        else:
            shares_double(shares, paths, loss, shares, text.states)
        for s in range(text.states):
            slopes[t * row + <npy_intp>text.characters[s]] -= shares[s]
            before[s] = paths[s] + log_prob(x, t, i, text.characters[s], kind)
        for c in range(x.characters):
            slopes[t * row + c] += <real>exp(log_prob(x, t, i, c, kind))


cdef void some_texts(void* shared, npy_intp first, npy_intp last) noexcept nogil:
    cdef Texts* x = <Texts*>shared
    cdef npy_intp i
    cdef void* room = malloc(x.states * sizeof(int64_t) + (4 * x.states + 2) * sizeof(double))
    if room == NULL:
        x.failed = True
        return
    for i in range(first, last):
        if x.slopes != NULL and x.single:
            backward(x, i, room, <float>0)
        elif x.slopes != NULL:
            backward(x, i, room, <double>0)
        elif x.single:
            forward(x, i, room, <float>0)
        else:
            forward(x, i, room, <double>0)
    free(room)


# ------------------------------------------------------------------------------ all texts

cdef bint read_texts(Texts* x, PyObject** args) except -1:
    """(log_probs, targets, input_lengths, target_lengths, blank): False for what is not plain, or wrong."""
    cdef ndarray log_probs, targets
    cdef npy_intp i, k, blank = 0, begin = 0
    cdef bint padded
    x.begins = NULL
    if type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray:
        return False
    log_probs, targets = <ndarray>args[0], <ndarray>args[1]
    if PyArray_NDIM(log_probs) != 3 or not aligned(log_probs) or PyArray_TYPE(log_probs) not in (
            NPY_FLOAT, NPY_DOUBLE):
        return False
    if PyArray_TYPE(targets) != NPY_INT64 or not PyArray_ISCARRAY_RO(targets) or not 1 <= PyArray_NDIM(targets) <= 2:
        return False
    if type(<object>args[2]) is not tuple or type(<object>args[3]) is not tuple or not as_int(args[4], &blank):
        return False
    x.single = PyArray_TYPE(log_probs) == NPY_FLOAT
    x.times, x.n, x.characters = PyArray_DIMS(log_probs)[0], PyArray_DIMS(log_probs)[1], PyArray_DIMS(log_probs)[2]
    x.log_probs = <char*>PyArray_DATA(log_probs)
    for k in range(3):
        x.steps[k] = PyArray_STRIDES(log_probs)[k]
    x.targets = <int64_t*>PyArray_DATA(targets)
    x.blank = blank
    padded = PyArray_NDIM(targets) == 2
    if x.times == 0 or x.n == 0 or not 0 <= blank < x.characters or padded and PyArray_DIMS(targets)[0] != x.n:
        return False
    if len(<tuple><object>args[2]) != x.n or len(<tuple><object>args[3]) != x.n:
        return False
    x.begins = <npy_intp*>malloc(3 * x.n * sizeof(npy_intp))
    if x.begins == NULL:
        raise MemoryError()
    x.durations, x.lengths = x.begins + x.n, x.begins + 2 * x.n
    x.states = 1
    for i in range(x.n):
        if not (as_int(<PyObject*>(<tuple><object>args[2])[i], x.durations + i)
                and as_int(<PyObject*>(<tuple><object>args[3])[i], x.lengths + i)):
            return False
        if not 0 <= x.durations[i] <= x.times or not 0 <= x.lengths[i] <= PyArray_SIZE(targets):
            return False
        x.begins[i] = i * PyArray_DIMS(targets)[1] if padded else begin
        begin += x.lengths[i]
        if (x.lengths[i] > PyArray_DIMS(targets)[1]) if padded else (begin > PyArray_DIMS(targets)[0]):
            return False
        x.states = max(x.states, 2 * x.lengths[i] + 1)
        for k in range(x.begins[i], x.begins[i] + x.lengths[i]):
            if not 0 <= x.targets[k] < x.characters:
                return False
    return padded or begin == PyArray_DIMS(targets)[0]


cdef int run(Texts* x) except -1:
    cdef npy_intp size = x.times * x.n * max(x.states, x.characters)
    x.failed = False
    if size >= WORTH_THREADS:
        with nogil:
            parallel_for(some_texts, x, x.n, 1)
    else:
        some_texts(x, 0, x.n)
    if x.failed:
        raise MemoryError()
    return 0


cdef object ctc_loss(Loop* loop, PyObject** args, int n):
    """(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity): the losses, and alpha"""
    cdef Texts x
    cdef ndarray losses, alpha
    cdef npy_intp dims[3]
    try:
        if not read_texts(&x, args):
            return None
        losses = new_array(1, &x.n, PyArray_TYPE(<ndarray>args[0]))
        dims[0], dims[1], dims[2] = x.n, x.times, x.states
        alpha = new_array(3, dims, PyArray_TYPE(<ndarray>args[0]))
        x.losses, x.alpha, x.slopes = PyArray_DATA(losses), PyArray_DATA(alpha), NULL
        run(&x)
    finally:
        free(x.begins)
    return losses, alpha


cdef object ctc_slopes(Loop* loop, PyObject** args, int n):
    """(log_probs, targets, input_lengths, target_lengths, losses, alpha, blank, zero_infinity)"""
    cdef Texts x
    cdef ndarray losses, alpha, out
    cdef PyObject* first[5]
    cdef int i
    for i in range(4):
        first[i] = args[i]
    first[4] = args[6]
    if type(<object>args[4]) is not ndarray or type(<object>args[5]) is not ndarray:
        return None
    if <object>args[7] is not True and <object>args[7] is not False:
        return None
    losses, alpha = <ndarray>args[4], <ndarray>args[5]
    try:
        if not read_texts(&x, first):
            return None
        if (not saved(losses, <ndarray>args[0], 1) or PyArray_DIMS(losses)[0] != x.n
                or not saved(alpha, <ndarray>args[0], 3) or PyArray_DIMS(alpha)[0] != x.n
                or PyArray_DIMS(alpha)[1] != x.times or PyArray_DIMS(alpha)[2] != x.states):
            return None
        out = new_array(3, PyArray_DIMS(<ndarray>args[0]), PyArray_TYPE(<ndarray>args[0]))
        x.losses, x.alpha, x.slopes = PyArray_DATA(losses), PyArray_DATA(alpha), PyArray_DATA(out)
        x.zero_infinity = <object>args[7]
        run(&x)
    finally:
        free(x.begins)
    return out


cdef bint saved(ndarray a, ndarray like, int ndim) noexcept:
    """Is it a plain array of this many dims, with the dtype of another?"""
    return PyArray_NDIM(a) == ndim and PyArray_TYPE(a) == PyArray_TYPE(like) and PyArray_ISCARRAY_RO(a)
