"""The same elements under other shapes: views, joins, copies in a new arrangement, other memory.

Nothing is computed, so a gradient only has to follow each element to its place.

- ``reshaping``: another shape: view, reshape, flatten; and clone
- ``transposing``: the order and the number of dims: transpose, permute, squeeze
- ``broadcasting``: dims of size one repeated without a copy, and the sum that undoes it
- ``slicing``: one index, a range, a diagonal
- ``splitting``: all parts at once: unbind, split, chunk
- ``windows``: views whose elements overlap: unfold, as_strided
- ``copies``: what views show, in new memory: ``permute_copy`` and the like
- ``joining``: several tensors made into one: cat, stack, meshgrid
- ``arranging``: elements repeated, reversed, shifted, cut, put on a diagonal
- ``padding``: more elements around a tensor
- ``storage``: other memory for an existing tensor: ``set_``, ``resize_``
"""
