"""Floor 0: what runs for every operation and every edge.

Read in this order; each module knows only those above it, and is told the rest at import:

1. ``errors``      every error that a user can meet, with its code
2. ``modes``       the switches of a thread: grad mode, inference, levels
3. ``places``      where in the user's program we are, for errors that are about an earlier line
4. ``graph``       the data model: Tensor, Version, Node
5. ``saved``       what nodes saved: checked, and given back to the formulas
6. ``packing``     saved tensors in the hands of hooks
7. ``custom``      the node of a custom Function
8. ``symbols``     what a formula is called with when it is traced
9. ``kernels``     the few numeric loops that NumPy's call overhead would drown: ``loops``, ``reductions``, ``one_pass``
10. ``promotion``  PyTorch's rules for the dtype of a result
11. ``profiling``  who listens to every operation, and what they write down
12. ``op``         Op: what an operation is, and the order of its arguments
13. ``computing``  from arrays to arrays: one dtype, then the kernel
14. ``dispatch``   a call: bind the arguments, run the kernel, record the node
15. ``composites`` public functions made of ops
16. ``levels``     operations inside transforms
17. ``operators``  ``a + b`` on the shortest way
18. ``formulas``   derivatives as programs that run on arrays
19. ``views``      the history of memory that several tensors share
20. ``nesting``    passes inside passes: in which thread they run
21. ``engine``     the backward pass
22. ``forward``    tangents, the other direction
23. ``inplace``    ``a += b``: writing into tensors
"""
