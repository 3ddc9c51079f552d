"""The batch rules: how vmap runs an operation on a whole batch at once.

Inside ``vmap`` a tensor holds a *payload*, the tensor of the level below, which has one more axis than the user sees,
the first one: for the user's shape (3, 4) the payload has shape (B, 3, 4).  The *batch rule* of an operation computes
its result for all B examples with operations on payloads.  How rules are found and run:

- ``apply``: an operation on a batch, by its rule or example by example
- ``derived``: the rule of any row: its own, or the one that follows from its kind and its types
- ``batch_rule``: the decorator that registers a rule for a row

For most rows of the table the rule follows from the types and properties of the row, and need not be written:

- ``elementwise``: elementwise rows only need their ranks lined up, so that broadcasting leaves the batch alone
- ``along_dims``: rows with dims or sizes among their parameters count one more axis; a size of -1 needs care
- ``shapes``: rows that work only on the last dims (``last_dims``) do not notice an axis in front; sizes count it
- ``losses``: losses are computed element by element, and reduced afterwards

The others have a rule of their own, registered for the row itself:

- ``matrix_products``: products of matrices become products of more, or of larger, matrices
- ``windows``: convolutions become convolutions with a larger batch, or with more groups
- ``positions``: reads and writes at positions get one more position, the index of the example
- ``row_losses``: losses of a batch (margins between classes, CTC of label sequences) get the batch of every example
- ``pooling``: planes that are pooled join those of other examples
- ``memory``: operations on memory give each example a stretch of its own
- ``normalization``: normalisations of lines get more lines, or more channels
- ``randomness``: random numbers, the same for all examples or different ones

A row of the table with ``batch="loop"`` is computed example by example and stacked, which is always right but slow; a
warning says so once.  The same happens in cases that a rule does not cover.  Results whose shape differs between
examples (``nonzero``) cannot be stacked, and raise an error.

A rule is called as ``rule(op, mapped, payloads, size)``: ``mapped`` says for each payload whether it has the batch
axis (for a list of tensors it is a list), and ``size`` is B.  It returns the payload of the result, or several;
or None if it does not cover the case.
"""

from . import (along_dims, losses, matrix_products, memory, normalization, pooling, positions, row_losses, shapes,
               windows)
