"""Along dims: sums and means, extremes, running totals, order.

- ``totals``: many numbers become one: sum, mean, prod, var
- ``extremes``: the greatest and the least entry, and where they are
- ``cumulative``: running totals: cumsum, cumprod, cummax; and diff
- ``sorting``: order: sort, topk, median, unique, counting into bins
- ``at_positions``: reductions of what is written to one place: scatter_reduce, segment_reduce
"""
