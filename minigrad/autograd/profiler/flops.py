"""How much arithmetic an operation does, from its name and the shapes of its arguments.

Counted is what PyTorch counts: a multiplication and an addition are one each, so that the product of an (m, k) and a
(k, n) matrix, whose mn entries are sums of k products, has 2mkn (Golub and Van Loan, Matrix Computations, 4th ed.,
section 1.1.15). What is added to a product (`addmm`) is not counted, and of `mul` and `add` what their first argument
has: it is the result's where nothing is broadcast.  Operations made of these (`matmul`, `linear`, `einsum`) have the
arithmetic of the events inside them.

Under `vmap` and the other transforms an operation contains those that it is turned into.  Each is counted for what it
is, as in PyTorch, so that one must not add up both: look at the innermost.
"""

from math import prod

__all__ = ["flops_of"]


def _product(a, b):
    """2mkn, for one matrix or for each of a batch: the entries of `a`, each multiplied and added once for each column
    of `b`."""
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
    """The number of floating-point operations of ``name`` on arguments of these ``shapes``; 0 for what is not counted.

    >>> from minigrad.autograd.profiler.flops import flops_of
    >>> flops_of("mm", [[3, 4], [4, 5]]), flops_of("exp", [[3]])
    (120, 0)
    >>> flops_of("baddbmm", [[2, 3, 5], [2, 3, 4], [2, 4, 5], [], []])
    240
    """
    return _FORMULAS[name](shapes) if name in _FORMULAS and shapes else 0
