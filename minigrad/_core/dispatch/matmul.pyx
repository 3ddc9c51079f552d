"""matmul and linear, for any number of dims, in terms of the products in the table.

Both are composites, in PyTorch as here, and the graph shows their parts: ``(5, 2, 3) @ (3, 4)`` is an UnsafeView of a
product Mm of a View, and linear is Addmm with a T.  This is the list of the cases::

    1 @ 1           dot                                             2 @ 1           mv
    1 @ 2           without_dim(mm(unsqueeze))                      2 @ 2           mm
    more @ 1 or 2   unsafe_view(mm or mv of all rows)               rows of a batch times one matrix: one product
    1 or 2 @ more   the transpose of that, where it is a gain
    more @ more     unsafe_view(bmm(view(expand), view(expand)))    the batches are broadcast, and laid out as one

Where nothing is recorded there is no graph to show, and matrix_products.pyx takes batches as they are.

ops/algebra/products.py, einsum.py and nn/functional have what users call, with all that can be wrong.  They come
here when everything is right; and with ordinary tensors a call may begin here (`matmul`, `linear`: front ends).
"""

from minigrad._core.dispatch.call cimport call
from minigrad._core.dispatch.front_end cimport front
from minigrad._core.dispatch.op cimport MAX_PARAMS, Op
from minigrad._core.errors import error
from minigrad._core.graph cimport Tensor, catch_up, new_tensor
from minigrad._core.kernels cimport table
from minigrad._core.kernels.algebra.matrix_products cimport add_to, multiplied
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport (PyArray_DIMS, PyArray_IS_C_CONTIGUOUS, PyArray_ITEMSIZE, PyArray_NDIM,
                                               PyArray_SIZE, PyArray_STRIDES, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject, PyTuple_GET_ITEM
from minigrad._core.runtime.thread_state cimport State, records, state


# ------------------------------------------------------------------------------ calls

cdef inline object apply(object op, object a):
    return call_with(<Op>op, 1, a, None, None)


cdef inline object apply_to_two(object op, object a, object b):
    return call_with(<Op>op, 2, a, b, None)


cdef object call_with(Op op, int n, object a, object b, object c):
    cdef PyObject* bound[MAX_PARAMS]
    cdef int i
    bound[0], bound[1], bound[2] = <PyObject*>a, <PyObject*>b, <PyObject*>c
    for i in range(n, op.n_params):
        bound[i] = PyTuple_GET_ITEM(op.defaults, i)
    return call(op, bound)


cdef inline bint wanted(Tensor t) except -1:
    """Does its gradient have to be recorded?"""
    if not records(state()):
        return False
    catch_up(t)
    return t.requires_grad_ != 0


cdef inline bint ordinary(object x) noexcept:
    return isinstance(x, Tensor) and type((<Tensor>x).payload) is ndarray


cdef inline tuple shape_of(Tensor t):
    return (<object>t.payload).shape if type(t.payload) is ndarray else tuple(t.shape)


cdef inline int ndim_of(Tensor t) except -1:
    return PyArray_NDIM(<ndarray>t.payload) if type(t.payload) is ndarray else len(t.shape)


cpdef object reshaped(Tensor t, tuple shape):
    """reshape to a shape that is known to fit: for an ordinary tensor that lies in order, or has that shape, a view and
    nothing else."""
    if type(t.payload) is ndarray and (PyArray_IS_C_CONTIGUOUS(<ndarray>t.payload)
                                       or (<object>t.payload).shape == shape):
        return apply_to_two(words.view, t, shape)
    return words.reshape(t, shape)


cdef object with_leading_dim(Tensor t, tuple shape, int dims):
    """`t`, of this shape, with its leading dims as one, as reshape does it: a view where they follow each other, else a
    copy."""
    cdef long long n = 1
    cdef int i
    for i in range(dims):
        n *= <long long>shape[i]
    shape = (n, shape[dims]) if len(shape) == dims + 1 else (n, shape[dims], shape[dims + 1])
    if type(t.payload) is not ndarray:
        return words.reshape(t, shape)
    if PyArray_IS_C_CONTIGUOUS(<ndarray>t.payload):
        return apply_to_two(words.view, t, shape)
    if follow(<ndarray>t.payload, dims):
        return words.reshape(t, shape)
    return apply_to_two(words.unsafe_view, apply_to_two(words.clone, t, "contiguous_format"), shape)


cdef bint follow(ndarray a, int dims) noexcept:
    """Does each of these leading dims go on where the next one ends?"""
    cdef npy_intp* shape = PyArray_DIMS(a)
    cdef npy_intp* strides = PyArray_STRIDES(a)
    cdef int i, before = -1
    if PyArray_SIZE(a) == 0:
        return True
    for i in range(dims):
        if shape[i] == 1:
            continue
        if before >= 0 and strides[before] != strides[i] * shape[i]:
            return False
        before = i
    return True


# ------------------------------------------------------------------------------ matmul

cpdef object product_of(Tensor a, Tensor b):
    """a @ b, of tensors whose shapes fit; of others, an error from the product that they come to."""
    cdef int left = ndim_of(a), right = ndim_of(b)
    if left == 2 and right == 2:
        return apply_to_two(words.mm_by_columns if by_columns(b) else words.mm, a, b)
    if left == 1 and right == 1:
        return apply_to_two(words.dot, a, b)
    if left == 2 and right == 1:
        return apply_to_two(words.mv, a, b)
    if left == 1 and right == 2:
        return apply_to_two(words.without_dim, apply_to_two(words.mm, apply_to_two(words.unsqueeze, a, 0), b), 0)
    if left >= 3 and right <= 2 and (wanted(b) or rows_follow(a, left - 2)):
        return rows_times(a, b)
    if right >= 3 and left <= 2 and (wanted(a) or left == 1 and rows_follow(b, right - 1)):
        return times_columns(a, b)
    return of_batches(a, b)


cdef inline bint by_columns(Tensor t) except -1:
    """Is it a matrix that lies by columns, and wants a gradient?  Note [Gradients of transposed factors] in
    ops/algebra/products.py."""
    cdef ndarray a
    if type(t.payload) is not ndarray or not t.requires_grad_ or state().active:
        return False
    a = <ndarray>t.payload
    return (PyArray_NDIM(a) == 2 and PyArray_STRIDES(a)[0] == PyArray_ITEMSIZE(a)
            and PyArray_STRIDES(a)[1] >= PyArray_DIMS(a)[0] * PyArray_ITEMSIZE(a) and not PyArray_IS_C_CONTIGUOUS(a))


cdef bint rows_follow(Tensor t, int rows) noexcept:
    """Are the rows of a batch of matrices, which axis `rows` counts, one after the other in memory?"""
    cdef ndarray a
    cdef int i, ndim, after
    if type(t.payload) is not ndarray or PyArray_SIZE(<ndarray>t.payload) == 0:
        return True
    a = <ndarray>t.payload
    ndim = PyArray_NDIM(a)
    for i in range(ndim - 2):
        after = rows if i == ndim - 3 else i + 1
        if PyArray_STRIDES(a)[i] != PyArray_STRIDES(a)[after] * PyArray_DIMS(a)[after]:
            return False
    return True


cdef object rows_times(Tensor a, Tensor b):
    """A batch of matrices times one matrix or vector: all rows times it, in one product.

    The gradient of `b` is then one product too, instead of a batch of products to sum.
    """
    cdef tuple shape = shape_of(a), other = shape_of(b)
    cdef object rows = with_leading_dim(a, shape, len(shape) - 1)
    cdef object op = words.mv if len(other) == 1 else words.mm_by_columns if by_columns(b) else words.mm
    return apply_to_two(words.unsafe_view, apply_to_two(op, rows, b), shape[:-1] + other[1:])


cdef object times_columns(Tensor a, Tensor b):
    """One matrix or vector times a batch of matrices: the transpose of the case above."""
    cdef object swapped = call_with(<Op>words.transpose, 3, b, -1, -2)
    if ndim_of(a) == 1:
        return rows_times(swapped, a)
    return words.contiguous(call_with(<Op>words.transpose, 3, rows_times(swapped, apply(words.t, a)), -1, -2))


cdef object of_batches(Tensor a, Tensor b):
    """Batches of matrices, broadcast against each other and then laid out as one for bmm."""
    cdef tuple left = shape_of(a), right = shape_of(b), batch, of_right
    cdef bint row = len(left) == 1, column = len(right) == 1
    cdef object product
    if row:
        left = (1, left[0])
    batch = left[:-2]
    of_right = () if column else right[:-2]
    if batch != of_right:
        batch = broadcast(batch, of_right)
        left = batch + left[-2:]
        right = batch + right[len(of_right):]
    a = with_leading_dim(apply_to_two(words.expand, a, left), left, len(batch))
    b = with_leading_dim(apply_to_two(words.expand, b, right), right, len(batch))
    if column:
        b = apply_to_two(words.unsqueeze, b, 2)
    product = apply_to_two(words.bmm, a, b)
    if column:
        product = apply_to_two(words.squeeze_dim, product, -1)
    if not row:
        batch += left[-2:-1]
    if not column:
        batch += right[-1:]
    return apply_to_two(words.unsafe_view, product, batch)


cdef tuple broadcast(tuple a, tuple b):
    """The shape to which two shapes are broadcast; None where they do not fit."""
    cdef Py_ssize_t i
    cdef list out
    if a == b:
        return a
    if len(a) < len(b):
        a, b = b, a
    out = list(a)
    for i in range(-1, -len(b) - 1, -1):
        if out[i] == 1:
            out[i] = b[i]
        elif b[i] != 1 and b[i] != out[i]:
            return None
    return tuple(out)


# ------------------------------------------------------------------------------ sums over chosen dims

cpdef object contracted(Tensor a, Tensor b, tuple first, tuple second):
    """The sums of products over these axes of `a` and of `b`, which belong together in pairs of one size.

    As PyTorch records it: a View of a product, of Views of two matrices, of two Permutes.
    """
    cdef tuple left = shape_of(a), right = shape_of(b)
    cdef tuple rows = others(len(left), first), columns = others(len(right), second)
    cdef object product
    if len(left) == 1 == len(right) and first:
        product = apply_to_two(words.dot, apply_to_two(words.permute, a, first),
                               apply_to_two(words.permute, b, second))
        return reshaped(product, ())
    summed = size_of(left, first)
    product = apply_to_two(
        words.mm, reshaped(apply_to_two(words.permute, a, rows + first), (size_of(left, rows), summed)),
        reshaped(apply_to_two(words.permute, b, second + columns), (summed, size_of(right, columns))))
    return reshaped(product, sizes_at(left, rows) + sizes_at(right, columns))


cdef tuple others(Py_ssize_t ndim, tuple axes):
    """The axes that are not among these."""
    cdef Py_ssize_t i
    return tuple([i for i in range(ndim) if i not in axes])


cdef tuple sizes_at(tuple shape, tuple axes):
    return tuple([shape[i] for i in axes])


cdef long long size_of(tuple shape, tuple axes) except -1:
    """How many elements these axes have."""
    cdef long long n = 1
    for i in axes:
        n *= <long long>shape[i]
    return n


# ------------------------------------------------------------------------------ linear

cpdef object layer(Tensor input, Tensor weight, object bias):
    """input @ weight.T + bias, of tensors whose shapes fit."""
    cdef int ndim = ndim_of(input)
    cdef tuple shape
    cdef object rows, out, result
    if ndim == 1 and ndim_of(weight) == 2 and not (ordinary(input) and ordinary(weight)):
        # In a transform, where one product is better than PyTorch's nodes.
        if bias is None:
            return apply_to_two(words.mv, weight, input)
        if ndim_of(bias) == 1:
            return call_with(<Op>words.addmv, 3, bias, weight, input)
    if bias is None:
        return product_of(input, apply(words.t, weight))
    if ndim == 2:
        return added(bias, input, apply(words.t, weight))
    if in_order(input) and is_row(bias):
        shape = shape_of(input)
        rows = with_leading_dim(input, shape, ndim - 1)
        out = added(bias, rows, apply(words.t, weight))
        return apply_to_two(words.view, out, shape[:-1] + (<tuple>shape_of(out))[1:])
    out = product_of(input, apply(words.t, weight))
    result = words.add(out, bias)
    if shape_of(result) != shape_of(out):
        raise larger_than_the_product(shape_of(out), shape_of(result))
    return result


cdef inline object added(object bias, object rows, Tensor turned):
    """The bias and a product."""
    return call_with(<Op>(words.addmm_by_columns if by_columns(turned) else words.addmm), 3, bias, rows, turned)


cdef object larger_than_the_product(tuple shape, tuple result):
    return error("MG201", f"linear(): output with shape {list(shape)} doesn't match the broadcast shape "
                          f"{list(result)}: the bias has as many elements as the weight has rows")


cdef bint is_row(Tensor bias) except -1:
    """Has it one dim, or one that is longer than 1?"""
    cdef int longer = 0
    cdef tuple shape = shape_of(bias)
    for size in shape:
        longer += size != 1
    return len(shape) == 1 or longer == 1


cdef inline bint in_order(Tensor t) noexcept:
    return type(t.payload) is not ndarray or PyArray_IS_C_CONTIGUOUS(<ndarray>t.payload)


# ------------------------------------------------------------------------------ front ends

cdef object matmul_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """(input, other), of ordinary tensors"""
    if kwnames != NULL or n != 2 or not ordinary(<object>args[0]) or not ordinary(<object>args[1]):
        return None
    return matmul_of(<Tensor>args[0], <Tensor>args[1])


cdef object matmul_of(Tensor a, Tensor b):
    """a @ b of ordinary tensors; None where their shapes do not fit."""
    cdef int left = PyArray_NDIM(<ndarray>a.payload), right = PyArray_NDIM(<ndarray>b.payload)
    cdef npy_intp* p = PyArray_DIMS(<ndarray>a.payload)
    cdef npy_intp* q = PyArray_DIMS(<ndarray>b.payload)
    cdef ndarray o
    if not left or not right or p[left - 1] != q[right - 2 if right > 1 else 0]:
        return None
    if (left > 2 or right > 2) and table.in_use and not state().active and not wanted(a) and not wanted(b):
        o = multiplied(<ndarray>a.payload, 1 if left == 1 else 2, <ndarray>b.payload, 1 if right == 1 else 2, False)
        if o is not None:
            return new_tensor(o)
    if left > 2 and right > 2 and broadcast((<object>a.payload).shape[:-2], (<object>b.payload).shape[:-2]) is None:
        return None
    return product_of(a, b)


cdef object linear_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """(input, weight, bias=None), of ordinary tensors"""
    cdef object bias = None
    cdef Tensor input, weight
    cdef ndarray x, w, o, row = None
    if kwnames != NULL:
        if n != 2 or len(<tuple>kwnames) != 1 or (<tuple>kwnames)[0] != "bias":
            return None
        n = 3
    if not 2 <= n <= 3 or not ordinary(<object>args[0]) or not ordinary(<object>args[1]):
        return None
    if n == 3:
        bias = <object>args[2]
        if bias is not None and not ordinary(bias):
            return None
    input, weight = <Tensor>args[0], <Tensor>args[1]
    x, w = <ndarray>input.payload, <ndarray>weight.payload
    if PyArray_NDIM(w) != 2 or not PyArray_NDIM(x) or PyArray_DIMS(x)[PyArray_NDIM(x) - 1] != PyArray_DIMS(w)[1]:
        return None
    if table.in_use and not wanted(input) and not wanted(weight) and (bias is None or not wanted(<Tensor>bias)):
        if bias is not None:
            row = <ndarray>(<Tensor>bias).payload       # whatever another thread gives the bias during the product
        o = multiplied(x, 1 if PyArray_NDIM(x) == 1 else 2, w, 2, True)
        if o is not None and (row is None or add_to(o, row)):
            return new_tensor(o)
    return layer(input, weight, bias)


cdef object inner_in_c(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """(self, other), of ordinary tensors of one dtype"""
    cdef ndarray a, b, o
    cdef int left, right
    if kwnames != NULL or n != 2 or not ordinary(<object>args[0]) or not ordinary(<object>args[1]):
        return None
    a, b = <ndarray>(<Tensor>args[0]).payload, <ndarray>(<Tensor>args[1]).payload
    left, right = PyArray_NDIM(a), PyArray_NDIM(b)
    if not left or not right or PyArray_DIMS(a)[left - 1] != PyArray_DIMS(b)[right - 1]:
        return None
    if right <= 2 and table.in_use and not wanted(<Tensor>args[0]) and not wanted(<Tensor>args[1]):
        o = multiplied(a, 1 if left == 1 else 2, b, right, right == 2)
        if o is not None:
            return new_tensor(o)
    return contracted(<Tensor>args[0], <Tensor>args[1], (left - 1,), (right - 1,))


matmul = front(matmul_in_c)
inner = front(inner_in_c)
linear = front(linear_in_c)
