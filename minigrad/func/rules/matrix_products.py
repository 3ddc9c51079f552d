"""Map products of vectors and matrices.

A batch of products with a common factor is one larger product, which makes vmap fast:

    B matrices (m, k)  times  one (k, n)      =      one (B m, k)  times  one (k, n)

Two batches of factors give ``bmm``, or, if the inner dim has size one (an outer product, such as the gradient of a
weight for one sample), an elementwise product with broadcasting.
"""

from minigrad.ops.algebra.products import (addmm, addmm_by_columns, addmv, addr, baddbmm, bmm, dot, mm,
                                           mm_by_columns, mv, outer_product, times, vdot)
from minigrad.ops.arguments import is_half
from minigrad.ops.elementwise.arithmetic import add, mul
from minigrad.ops.elementwise.complex import conj
from minigrad.ops.shapes.reshaping import reshape_to
from minigrad.ops.shapes.transposing import squeeze_dim, t, transpose, unsqueeze

from .batch_rule import front, rank_of, ranked, rule, shape_of


@rule(mm, mm_by_columns)
def of_matrices(op, mapped, payloads, size):
    a, b = payloads
    left, right = a.shape, b.shape
    if len(left) - mapped[0] != 2 or len(right) - mapped[1] != 2:
        return None
    if mapped[0] and mapped[1]:
        if left[2] == 1 == right[1] and a.dtype is b.dtype and not is_half(a.dtype.numpy):
            if right[2] < left[1]:                      # the longer of the two should lie in a row
                return transpose(mul(transpose(b, 1, 2), transpose(a, 1, 2)), 1, 2)
            return mul(a, b)
        return bmm(a, b)
    if mapped[0]:
        _, m, k = left
        return reshape_to(mm(reshape_to(a, (size * m, k)), b), (size, m, right[1]))
    # as the transposed product
    return transpose(of_matrices(op, [True, False], [transpose(b, 1, 2), t(a)], size), 1, 2)


@rule(mv)
def of_matrix_and_vector(op, mapped, payloads, size):
    a, v = payloads
    if rank_of(a, mapped[0]) != 2 or rank_of(v, mapped[1]) != 1:
        return None
    if mapped[0] and mapped[1]:
        return squeeze_dim(bmm(a, unsqueeze(v, 2)), 2)
    if mapped[1]:
        return mm(v, t(a))
    m, k = shape_of(a, True)
    return reshape_to(mv(reshape_to(a, (size * m, k)), v), (size, m))


@rule(vdot)
def of_conjugate_and_vector(op, mapped, payloads, size):
    a, b = payloads
    return of_vectors(dot, mapped, [conj(a) if a.dtype.is_complex else a, b], size)


@rule(dot)
def of_vectors(op, mapped, payloads, size):
    a, b = payloads
    if rank_of(a, mapped[0]) != 1 or rank_of(b, mapped[1]) != 1:
        return None
    if mapped[0] and mapped[1]:
        return reshape_to(bmm(unsqueeze(a, 1), unsqueeze(b, 2)), (size,))
    return mv(a, b) if mapped[0] else mv(b, a)


@rule(outer_product)
def outer(op, mapped, payloads, size):
    a, b = payloads
    if rank_of(a, mapped[0]) != 1 or rank_of(b, mapped[1]) != 1:
        return None
    return mul(unsqueeze(a, -1), unsqueeze(b, -2))


@rule(bmm)
def of_batches(op, mapped, payloads, size):
    a, b = payloads
    if rank_of(a, mapped[0]) != 3 or rank_of(b, mapped[1]) != 3:
        return None
    (n, _, k), (n2, k2, _) = shape_of(a, mapped[0]), shape_of(b, mapped[1])
    if n != n2 or k != k2 or a.dtype is not b.dtype:
        return None
    return times(front(a, mapped[0], size), front(b, mapped[1], size))


@rule(times)
def of_stacks(op, mapped, payloads, size):
    return times(front(payloads[0], mapped[0], size), front(payloads[1], mapped[1], size))


@rule(addmm, addmm_by_columns)
def added_to_matrices(op, mapped, payloads, size):
    """Only the left factor is mapped, and a vector is added: a linear layer becomes one larger linear layer."""
    x, a, b, beta, alpha = payloads
    if mapped == [False, True, False, False, False] and x.ndim < 2 and a.ndim == 3:
        m, k = shape_of(a, True)
        return reshape_to(op(x, reshape_to(a, (size * m, k)), b, beta=beta, alpha=alpha), (size, m, b.shape[1]))
    return added(op, mapped, payloads, size)


@rule(addmv)
def added_to_vector(op, mapped, payloads, size):
    """A layer: vectors are mapped, and all share one matrix and one bias."""
    x, a, v, beta, alpha = payloads
    if mapped == [False, False, True, False, False] and x.ndim == 1 and a.ndim == 2 and v.ndim == 2:
        return addmm(x, v, t(a), beta=beta, alpha=alpha)
    return added(op, mapped, payloads, size)


@rule(baddbmm, addr)
def added(op, mapped, payloads, size):
    """beta * self + alpha * product."""
    x, a, b, beta, alpha = payloads
    product, product_rule = PRODUCT[op]
    if not (mapped[1] or mapped[2]):
        out, batch = product(a, b), False
    else:
        out, batch = product_rule(product, mapped[1:3], [a, b], size), True
    if out is None or out.dtype is not x.dtype or not fits(shape_of(x, mapped[0]), shape_of(out, batch)):
        return None
    if out.dtype.category < 2 and not (isinstance(alpha, int) and isinstance(beta, int)):
        return None
    if alpha != 1:
        out = mul(out, alpha)
    if beta == 0:
        return front(out, batch, size)
    if mapped[0]:
        x = ranked(x, rank_of(out, batch))
    return add(x if beta == 1 else mul(x, beta), out)


#: the product to which something is added, and its rule
PRODUCT = {addmm: (mm, of_matrices), addmm_by_columns: (mm, of_matrices), addmv: (mv, of_matrix_and_vector),
           baddbmm: (bmm, of_batches), addr: (outer_product, outer)}


def fits(shape, wide):
    """Does a tensor of this shape broadcast to the other?"""
    return len(shape) <= len(wide) and all([n in (1, m) for n, m in zip(shape[::-1], wide[::-1])])
