"""Choosing elements: by number, by mask, by subscript; and writing to those chosen.

Whatever is chosen, the derivative is the same: reading takes elements from some places, so the way back adds their
gradients into those places.  An element that was read twice gets the sum of two gradients.

- ``gathering``: single elements by number: gather, scatter, take, put
- ``indexing``: elements at positions that index tensors say: the rows behind ``x[i]``
- ``parts``: whole parts along a dim, by number: index_select, index_add, repeat_interleave
- ``embedding``: a vector for each number: embedding, one_hot
- ``masking``: elements by mask: where, masked_fill, masked_select, nonzero
- ``subscripting``: ``x[0]``, ``x[1:, None]``, ``x[mask]``, for reading and for writing
- ``places``: where elements are: isin, nonzero_static, unravel_index
"""
