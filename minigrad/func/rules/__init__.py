"""The batch rules: how vmap runs an operation on a whole batch at once.

Inside ``vmap`` the payload of a tensor has one axis more than the user sees, the first one; for the user's
shape (3, 4) the payload has shape (B, 3, 4).  A *batch rule* of an operation says how to compute its result for
all B examples by operations on payloads.  There is no rule for each operation; there is one for each way in which
operations look at axes:

- elementwise ones only need their ranks lined up, so that broadcasting leaves the batch alone     (elementwise.py)
- those with dims or sizes among their parameters count one axis more                             (dims.py)
- those that work on the last axes alone do not notice an axis in front                           (shapes.py)
- products of matrices are products of more, or of larger, matrices                               (products.py)
- reads and writes at positions get one more position, the number of the example                  (positions.py)
- losses are taken element by element, and reduced afterwards                                     (losses.py)

What has no rule is computed example by example and stacked, which is always right, and slow; it says so once.
What gives every example a shape of its own (``nonzero``) cannot be stacked, and is refused.

A rule is called as ``rule(op, mapped, payloads, size)``: ``mapped`` says for each payload whether it has the batch
axis (for a list of tensors it is a list), and ``size`` is B.  It returns the payload of the result, or several;
or None, where it does not cover this case.
"""

from . import elementwise, dims, losses, memory, positions, products, shapes
