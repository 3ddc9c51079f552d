"""Floor 0: what runs for every operation and every edge.

Read in this order; each module knows only those above it:

1. ``errors``    every error that a user can meet, with its code
2. ``modes``     the switches of a thread: grad mode, inference, levels
3. ``graph``     the data model on one page: Tensor, Version, Node, Saved, Edge
4. ``kernels``   the few numeric loops that NumPy's call overhead would drown
5. ``dispatch``  Op: bind, promote, run the kernel, record the node; formulas as programs
6. ``engine``    the backward pass
"""
