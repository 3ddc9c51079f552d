"""The batch rules: how vmap runs an operation on a whole batch at once.

Inside ``vmap`` the payload of a tensor has one more axis than the user sees, the first one: for the user's
shape (3, 4) the payload has shape (B, 3, 4).  The *batch rule* of an operation computes its result for
all B examples with operations on payloads.  For most rows of the table it follows from the types and properties of
the row, and need not be written (derived.py):

- elementwise rows only need their ranks lined up, so that broadcasting leaves the batch alone     (elementwise.py)
- rows with dims or sizes among their parameters count one more axis                               (along_dims.py)
- rows that work only on the last dims (``last_dims``) do not notice an axis in front              (shapes.py)
- losses are computed element by element, and reduced afterwards                                   (losses.py)

The others have a rule of their own, registered for the row itself:

- products of matrices become products of more, or of larger, matrices                             (matrix_products.py)
- convolutions become convolutions with a larger batch, or with more groups                        (windows.py)
- reads and writes at positions get one more position, the index of the example                    (positions.py)
- sizes with a special meaning (-1 in ``reshape``), and dims of a result, need care     (along_dims.py, shapes.py)
- rows of scores and texts with a loss become rows and texts of one example                        (row_losses.py)
- planes that are pooled join those of other examples                                              (pooling.py)
- operations on memory give each example a stretch of its own                                      (memory.py)
- normalisations of lines get more lines, or more channels                                         (normalization.py)

A row with ``batch="loop"`` is computed example by example and stacked, which is always right but slow; a warning says
so once.  The same happens in cases that a rule does not cover.  Results whose shape differs between examples
(``nonzero``) cannot be stacked, and raise an error.  Rows that draw random numbers are treated in randomness.py.

A rule is called as ``rule(op, mapped, payloads, size)``: ``mapped`` says for each payload whether it has the batch
axis (for a list of tensors it is a list), and ``size`` is B.  It returns the payload of the result, or several;
or None if it does not cover the case.
"""

from . import (along_dims, losses, matrix_products, memory, normalization, pooling, positions, row_losses, shapes,
               windows)
