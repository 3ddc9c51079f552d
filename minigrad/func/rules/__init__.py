"""The batch rules: how vmap runs an operation on a whole batch at once.

Inside ``vmap`` the payload of a tensor has one axis more than the user sees, the first one; for the user's
shape (3, 4) the payload has shape (B, 3, 4).  A *batch rule* of an operation says how to compute its result for
all B examples by operations on payloads.  For most rows of the table nobody writes one, since it follows from what
the row says of itself (derived.py):

- elementwise rows only need their ranks lined up, so that broadcasting leaves the batch alone     (elementwise.py)
- those with dims or sizes among their parameters count one axis more                              (dims.py)
- those that work on the last dims alone (``last_dims``) do not notice an axis in front            (shapes.py)
- losses are taken element by element, and reduced afterwards                                      (losses.py)

The others have a rule of their own, registered for the row itself:

- products of matrices are products of more, or of larger, matrices                                (products.py)
- reads and writes at positions get one more position, the number of the example                   (positions.py)
- a size that stands for something (-1 in ``reshape``), a dim of a shape that is not there yet     (dims.py, shapes.py)
- what speaks of memory gives each example a stretch of its own                                    (memory.py)

A row that says ``batch="loop"`` is computed example by example and stacked, which is always right, and slow; it says
so once.  So is a case that a rule does not cover.  What gives every example a shape of its own (``nonzero``) cannot
be stacked, and is refused.  Rows that draw random numbers are a matter apart (randomness.py).

A rule is called as ``rule(op, mapped, payloads, size)``: ``mapped`` says for each payload whether it has the batch
axis (for a list of tensors it is a list), and ``size`` is B.  It returns the payload of the result, or several;
or None, where it does not cover this case.
"""

from . import dims, losses, memory, positions, products, shapes
