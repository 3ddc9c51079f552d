"""The kinds of operation, and the theory that each carries once for all its rows.

A row of the table says what an operation computes and what its differential is::

    mul = elementwise("mul(Tensor self, Tensor other)", np.multiply,
                      self=lambda d, other: d * other,
                      other=lambda d, self: d * self)

In a formula ``d`` is a perturbation on its way through the operation: forward a *tangent*, the rate at which an input
changes; back a *cotangent*, the gradient with respect to the result.  Why one formula can serve both depends on the
kind, that is, on the shape of the Jacobian matrix J of ``y = f(x)``.  D is the formula, t a tangent, d a cotangent:

*elementwise*           J is diagonal.  Forward: ``D(t) = J t``.  Reverse: ``conj(D(conj(d)))``, since the adjoint
                        of a diagonal matrix is its conjugate.  Real numbers need no conj.
*linear*                ``f`` is its own differential: forward is ``f`` applied to the tangents.  Reverse is the
                        transpose of ``f``, which the row writes out.  Where ``f`` has a factor that may be complex (a
                        parameter of type Scalar), the row writes the transpose for a real one, and ``conj`` does the
                        rest, as above.
*view*                  linear, and the result lies in the memory of the input.
*multilinear*           linear in each input by itself (a matrix product).  Forward, by the product rule, is the sum
                        of ``f`` with one input at a time replaced by its tangent.  Reverse is the vjp (vector-Jacobian
                        product, the gradient of an input from that of the result), which the row writes out.
*windows*               a product of the first two inputs, windows and a weight, to which a third, the bias, is added.
                        Forward is the product rule, and the tangent of the bias added.  Reverse is written out.
*piecewise_constant*    the derivative is zero wherever it exists (floor, sign): recorded, with gradient zero.
*not_differentiable*    there is no derivative to speak of (comparisons, argmax): not recorded.
*general*               anything else: the row writes out the vjp.  Forward is the transpose of that, found by
                        differentiating it: Note [The transpose of the transpose] in _core/forward/differentials.pyx.

What else a row may say is in columns.py.  The names of a formula's parameters declare what is saved for backward, see
:class:`minigrad._core.dispatch.op.Op`.
A tensor without a formula may not require grad, unless the row says that nothing is lost (``no_gradient``).
Before the engine hands a gradient on, it casts it to the dtype of the input, or makes it real
(_core/backward/fitting.pyx).  Those of elementwise rows it also sums to the shape of the input, so that their formulas
need not undo broadcasting.
"""

from .rows import row


def elementwise(schema, kernel, *, promote="common", **keywords):
    """A row whose Jacobian is diagonal; each formula is the derivative times ``d``, holomorphic where complex."""
    return row("elementwise", schema, kernel, promote=promote, **keywords)


def linear(schema, kernel, **keywords):
    """A row jointly linear in the inputs that have formulas; each formula is the transpose applied to ``d``."""
    return row("linear", schema, kernel, **keywords)


def view(schema, kernel, **keywords):
    """A linear row whose result shares memory with its first input."""
    return row("view", schema, kernel, **keywords)


def multilinear(schema, kernel, **keywords):
    """A row linear in each input separately; each formula is the vjp."""
    return row("multilinear", schema, kernel, **keywords)


def windows(schema, kernel, **keywords):
    """A row linear in each of its first two inputs separately, to which the third is added; each formula is the vjp."""
    return row("windows", schema, kernel, **keywords)


def general(schema, kernel, **keywords):
    """A row with its vjp written out."""
    return row("general", schema, kernel, **keywords)


def piecewise_constant(schema, kernel, *, promote="common", **keywords):
    """A row that is recorded, and whose gradient is zero."""
    return row("piecewise_constant", schema, kernel, promote=promote, **keywords)


def not_differentiable(schema, kernel, *, promote="common", **keywords):
    """A row that is not recorded."""
    return row("not_differentiable", schema, kernel, promote=promote, **keywords)
