"""Reductions along some dims, running totals, and sorting.

Whatever the layout is, ``along_dims`` reads an array as lines, and hands them to a loop::

    x.sum(1), x.sort(0), x.softmax(-1)    ->    along_dims    ->    lines    ->    line_reductions, sorting, softmax

- ``along_dims``: arrays as lines, for everything that works along dims
- ``lines``: what is computed of a line
- ``line_reductions``: sums, means, norms, variances, extremes and products of lines, and running ones
- ``products.h``: products, kept in double precision
- ``pairwise_sums``: sums in which the last term counts as much as the first, and running sums
- ``pairwise_blocks.h``: a few rows of such a sum, in which nan does not count
- ``array_sums``: the same for whole arrays and neighbouring dims
- ``sorting``: sort, topk, median
- ``softmax``: softmax, log_softmax, logsumexp
- ``vector_extremes``: sums and extremes of a line, several elements at a time
- ``reduction_gradients``: the gradients, which restore the reduced dims
- ``at_positions``: reductions of what is written to one place
"""
