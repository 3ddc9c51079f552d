"""Sample calls of the products of vectors and matrices, einsum, and what divides by matrices."""

import numpy as np

from tests.ops.sampling import T, case, row

# Matrices far from singular, and one symmetric and positive-definite.
MATRIX = [[2.0, 0.5, -0.3], [0.1, -1.5, 0.4], [0.7, 0.2, 1.1]]
REGULAR = T(values=MATRIX, imaginary=0.5)
TWO = T(values=[MATRIX, [[1.0, 0.0, 0.5], [0.0, 3.0, -1.0], [0.2, 0.1, -2.0]]], imaginary=0.5)
POSITIVE = [[4.0, 1.0, 0.5], [1.0, 3.0, -0.2], [0.5, -0.2, 2.0]]
SINGULAR = [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 1.0, 1.0]]


def logarithm_of_det(a):
    return np.log(np.linalg.det(a) + 0j) if np.iscomplexobj(a) else np.log(np.linalg.det(a))


def einsum(equation, *operands):
    if isinstance(equation, str) and isinstance(operands[0], list):
        operands = operands[0]
    return np.einsum(equation, *operands)


def plus(product):
    """beta * self + alpha * product(a, b)."""
    def reference(start, a, b, *, beta=1, alpha=1):
        total = alpha * product(a, b)
        return total + (beta * start if beta else np.zeros_like(start))
    return reference


ADDED = [{}, {"beta": 2, "alpha": 3}, {"beta": 0}]

MATMULS = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((2, 3, 4), (4,)), ((2, 3, 4), (4, 2)),
           ((3,), (2, 3, 4)), ((4, 3), (2, 3, 2)), ((2, 3, 4), (2, 4, 2)), ((2, 1, 3, 2), (3, 2, 4)),
           ((2, 3, 4), (1, 4, 2)), ((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 2, 0), (0, 3))]

EQUATIONS = [("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 2)), ("ii", (3, 3)), ("ii->i", (3, 3)),
             ("ij->ji", (2, 3)), ("ij->", (2, 3)), ("ij->j", (2, 3)), ("i,i", (3,), (3,)), ("i,j->ij", (3,), (2,)),
             ("bij,bjk->bik", (2, 3, 2), (2, 2, 3)), ("...ij,...jk->...ik", (2, 3, 2), (2, 4)), ("i...->...", (2, 3)),
             ("...,...->...", (2, 3), (3,)), ("bn,anm,bm->ba", (2, 3), (4, 3, 2), (2, 2)), ("iij->j", (2, 2, 3)),
             ("ij,kj->i", (2, 3), (4, 3)), ("Ab,bA", (2, 3), (3, 2)), ("bA", (2, 3)), ("ab,cd->acbd", (2, 2), (2, 3)),
             (" i j , j k -> k i ", (2, 3), (3, 2)), ("iii->i", (2, 2, 2)), (",i->i", (), (3,))]


def pairs(*shapes, **options):
    return [case(*[T(*shape) for shape in each], **options) for each in shapes]


ROWS = [
    row("mm", *pairs([(2, 3), (3, 4)], [(1, 3), (3, 1)], [(0, 3), (3, 2)], [(2, 0), (0, 3)]), numpy=np.matmul,
        complex=True, ints=True, bad=case(T(2, 3), T(4, 5))),
    row("mm.by_columns", *pairs([(2, 3), (3, 4)], [(0, 3), (3, 2)]), numpy=np.matmul, where="row"),
    row("bmm", *pairs([(2, 3, 4), (2, 4, 2)], [(1, 1, 3), (1, 3, 1)], [(0, 2, 3), (0, 3, 2)]), numpy=np.matmul,
        complex=True, ints=True, bad=case(T(2, 3, 4), T(3, 4, 5))),
    row("mv", *pairs([(2, 3), (3,)], [(0, 3), (3,)]), numpy=np.matmul, complex=True, ints=True,
        bad=case(T(2, 3), T(4))),
    row("dot", *pairs([(3,), (3,)], [(0,), (0,)]), numpy=np.dot, complex=True, ints=True, bad=case(T(3), T(4))),
    row("vdot", *pairs([(3,), (3,)]), numpy=np.vdot, complex=True, ints=True, bad=case(T(3), T(2, 3))),
    row("linalg.vecdot", *pairs([(2, 3), (3,)], [(2, 1, 3), (3, 1)], [(0,), (0,)]), *pairs([(2, 3), (3,)], dim=0),
        *pairs([(), ()], dim=0), case(T(2, 3), T(2, 3), dim=-2), complex=True, node=False, bad=case(T(2, 3), T(2)),
        numpy=lambda x, y, dim=-1: np.atleast_1d(x.conj() * y).sum(dim)),
    row("matmul", *pairs(*MATMULS), numpy=np.matmul, complex=True, ints=True, bad=case(T(2, 3, 4), T(3, 4))),
    row("__matmul__", *pairs([(2, 3), (3, 4)], [(3,), (3,)], [(2, 3, 4), (4, 2)]), numpy=np.matmul, where="method",
        complex=True),
    row("outer", *pairs([(3,), (2,)]), numpy=np.outer, complex=True, ints=True, bad=case(T(2, 3), T(3))),
    row("inner", *pairs([(3,), (3,)], [(2, 3), (4, 3)], [(2, 3), (3,)], [(), (3,)]), numpy=np.inner, complex=True,
        ints=True, bad=case(T(2, 3), T(4))),
    row("tensordot", *pairs([(2, 3, 4), (3, 4, 2)]), *pairs([(2, 3), (3, 2)], dims=1), case(T(2), T(3), 0),
        case(T(2, 3, 4), T(4, 3, 2), dims=([1, 2], [1, 0])), case(T(2, 3), T(2, 3), ([0, 1], [0, 1])),
        numpy=lambda a, b, dims=2: np.tensordot(a, b, dims), complex=True, bad=case(T(2, 3), T(2, 3), 1)),
    row("tensordot", case(T(2, 1), T(3, 4), 1), case(T(2, 3), T(1, 4), 1),
        case(T(2, 3, 1), T(1, 5, 4), dims=([1, 2], [0, 1])), complex=True,
        node=False),
    row("kron", *pairs([(2, 3), (2, 2)], [(2,), (2, 3, 1)], [(), (2,)]), numpy=np.kron, complex=True, ints=True),
    row("addmm.by_columns", case(T(3), T(2, 4), T(4, 3)), case(T(2, 3), T(2, 4), T(4, 3), beta=2, alpha=3),
        where="row"),
    row("addmm", *[case(T(2, 3), T(2, 4), T(4, 3), **o) for o in ADDED], case(T(3), T(2, 4), T(4, 3)),
        case(T(2, 1), T(2, 4), T(4, 3), beta=2), numpy=plus(np.matmul), complex=True, ints=True,
        extra_saved=("self_sym_sizes",), bad=case(T(7), T(2, 3), T(3, 4))),
    row("addmm", case(T(2, 3), T(2, 4), T(4, 3), beta=0.5, alpha=-1.5), numpy=plus(np.matmul), complex=True,
        extra_saved=("self_sym_sizes",)),
    row("addmv", *[case(T(2), T(2, 3), T(3), **o) for o in ADDED], case(T(), T(2, 3), T(3)),
        case(T(1), T(2, 3), T(3), beta=2), numpy=plus(np.matmul), complex=True, ints=True,
        extra_saved=("self_sym_sizes",), bad=case(T(2), T(2, 3), T(4))),
    row("baddbmm", *[case(T(2, 3, 2), T(2, 3, 4), T(2, 4, 2), **o) for o in ADDED], case(T(2), T(2, 3, 4), T(2, 4, 2)),
        numpy=plus(np.matmul), complex=True, ints=True, extra_saved=("self_sym_sizes",),
        bad=case(T(7), T(2, 3, 4), T(2, 4, 2))),
    row("addbmm", *[case(T(3, 2), T(2, 3, 4), T(2, 4, 2), **o) for o in ADDED], case(T(2), T(2, 3, 4), T(2, 4, 2)),
        numpy=plus(lambda a, b: np.matmul(a, b).sum(axis=0)), complex=True, ints=True, node=False,
        bad=case(T(2, 3), T(2, 3, 4), T(3, 4, 2))),
    row("addr", *[case(T(2, 3), T(2), T(3), **o) for o in ADDED], case(T(3), T(2), T(3)), numpy=plus(np.outer),
        complex=True, ints=True, extra_saved=("self_sym_sizes",), bad=case(T(2, 3), T(2, 2), T(3))),
    row("trace", case(T(3, 3)), case(T(2, 4)), case(T(4, 2)), numpy=np.trace, complex=True, ints=True, bad=case(T(3))),
    row("einsum", *[case(equation, *[T(*shape) for shape in shapes]) for equation, *shapes in EQUATIONS],
        case(T(2, 3), [0, 1], T(3, 2), [1, 2], [2, 0]), case("ij,jk->ik", [T(2, 3), T(3, 2)]),
        case("ij,jk->ik", T(2, 1), T(3, 2)), node=False, complex=True, numpy=einsum, bad=case("ij->iz", T(2, 3))),
    row("inverse", case(REGULAR), case(TWO), case(T(1, 1, kind="positive")), numpy=np.linalg.inv,
        complex=True, bad=case(T(2, 3))),
    row("linalg.inv", case(REGULAR), numpy=np.linalg.inv, complex=True, bad=case(T(3, 2))),
    row("matrix_power", case(REGULAR, 1), case(TWO, 5), case(REGULAR, -2),
        numpy=np.linalg.matrix_power, complex=True, node=False, bad=case(T(2, 3), 2)),
    row("matrix_power", case(TWO, 0), numpy=np.linalg.matrix_power, complex=True, ints=True, node=False),
    row("det", case(REGULAR), case(TWO), case(T(1, 1)), case(T(2, 2, 3, 3)), numpy=np.linalg.det, complex=True,
        extra_saved=("A",), bad=case(T(2, 3))),
    # PyTorch's gradient at a singular matrix is zero, which is wrong: the cofactors are not.
    row("det", case(T(values=SINGULAR)), numpy=np.linalg.det, gradgrad=False, torch=False),
    row("linalg.det", case(REGULAR), numpy=np.linalg.det, complex=True, bad=case(T(3))),
    row("slogdet", case(REGULAR), case(TWO), case(T(0, 0)), case(T(2, 2, 3, 3)), numpy=np.linalg.slogdet,
        extra_saved=("A",), bad=case(T(2, 3))),
    row("slogdet", case(T(2, 2, kind="complex")), case(T(2, 3, 2, 2, kind="complex")), numpy=np.linalg.slogdet,
        node=False),
    row("linalg.slogdet", case(REGULAR), numpy=np.linalg.slogdet, complex=True, node=False,
        bad=case(T(2, 3))),
    row("logdet", case(T(values=POSITIVE)), case(T(3, 3, kind="complex")), case(T(2, 2, 3, 3, kind="complex")),
        numpy=logarithm_of_det, node=False,
        bad=case(T(2, 3))),
    row("linalg.solve", case(REGULAR, T(3)), case(REGULAR, T(3, 2)),
        case(TWO, T(2, 3, 2)),
        case(TWO, T(3, 2)), case(TWO, T(2, 3)), case(REGULAR, T(2, 3), left=False),
        node=False, complex=True, bad=case(REGULAR, T(4, 2))),
    row("linalg.cholesky", case(T(values=POSITIVE)), numpy=np.linalg.cholesky, grad=False, bad=case(T(2, 3))),
    row("linalg.cholesky", case(T(values=POSITIVE), upper=True), numpy=lambda a, upper: np.linalg.cholesky(a).T,
        grad=False),
]
