"""The number of floating-point operations, from the name of an operation and the shapes of its arguments.

The rules are PyTorch's.  A multiplication and an addition count as one each, so the product of an (m, k) and a
(k, n) matrix, whose mn entries are sums of k products, counts as 2mkn (Golub and Van Loan, Matrix Computations, 4th
ed., section 1.1.15).  The matrix added to a product (`addmm`) does not count.  `mul` and `add` count as the number of
elements of their first argument, which is that of the result if nothing is broadcast.  Composed operations (`matmul`,
`linear`, `einsum`) have the arithmetic of the events inside them.

Under `vmap` and the other transforms, an operation contains the operations that it turns into.  As in PyTorch, both are
counted, so do not add them up: use the innermost.
"""

from math import prod

__all__ = ["flops_of"]


def _product(a, b):
    """2mkn, for one matrix or each of a batch: every entry of `a` is multiplied and added once for each column of
    `b`."""
    return 2 * prod(a) * b[-1]


_FORMULAS = {
    "mm": lambda shapes: _product(*shapes[:2]),
    "bmm": lambda shapes: _product(*shapes[:2]),
    "addmm": lambda shapes: _product(*shapes[1:3]),
    "baddbmm": lambda shapes: _product(*shapes[1:3]),
    "mul": lambda shapes: prod(shapes[0]),
    "add": lambda shapes: prod(shapes[0]),
}


def flops_of(name, shapes):
    """The number of floating-point operations of ``name`` on arguments of these ``shapes``; 0 if it is not counted.

    >>> from minigrad.autograd.profiler.flops import flops_of
    >>> flops_of("mm", [[3, 4], [4, 5]]), flops_of("exp", [[3]])
    (120, 0)
    >>> flops_of("baddbmm", [[2, 3, 5], [2, 3, 4], [2, 4, 5], [], []])
    240
    """
    return _FORMULAS[name](shapes) if name in _FORMULAS and shapes else 0
