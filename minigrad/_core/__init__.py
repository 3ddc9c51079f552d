"""Floor 0: what runs for every operation and every edge.

Read in this order; each module knows only those above it, and is told the rest at import:

1. ``errors``     every error that a user can meet, with its code
2. ``modes``      the switches of a thread: grad mode, inference, levels
3. ``graph``      the data model: Tensor, Version, Node, and what nodes save
4. ``symbols``    what a formula is called with when it is traced
5. ``kernels``    the few numeric loops that NumPy's call overhead would drown
6. ``promotion``  PyTorch's rules for the dtype of a result
7. ``dispatch``   Op: bind the arguments, run the kernel, record the node
8. ``operators``  ``a + b`` on the shortest way
9. ``formulas``   derivatives as programs that run on arrays
10. ``views``     the history of memory that several tensors share
11. ``engine``    the backward pass
12. ``forward``   tangents, the other direction
13. ``inplace``   ``a += b``: writing into tensors
"""
