"""Reductions: along some dims, many numbers become one, or come in another order.

Whatever the layout is, ``along_dims`` reads an array as lines, and calls a loop for each line::

    x.sum(1), x.sort(0), x.softmax(-1)    ->    along_dims    ->    a line    ->    line_reductions, sorting, softmax

- ``along_dims``: arrays as lines, for everything that works along dims
- ``lines``: what is computed of a line
- ``line_reductions``: extremes, products, running totals of a line
- ``pairwise_sums``: sums in which the last term counts as much as the first
- ``array_sums``: sums and means of arrays that need not be read as lines
- ``sorting``: sort, topk, median
- ``softmax``: softmax, log_softmax, logsumexp
- ``vector_extremes``: extremes of several elements at a time
- ``reduction_gradients``: the ways back, which give the lost dims back
"""
