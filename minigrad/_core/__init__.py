"""Floor 0: what runs for every operation and every edge.

Read in this order; each module knows only those above it, and is told the rest at import:

1.  ``errors``          every error that a user can meet, with its code
2.  ``modes``           the switches of a thread: grad mode, inference, levels
3.  ``vocabulary``      the operations of the table that the core itself applies
4.  ``special_methods`` what Python asks of a tensor: operators, indexing, comparisons
5.  ``places``          where in the user's program we are, for errors that are about an earlier line
6.  ``graph``           the data model: Tensor, Version, Node
7.  ``saved``           what nodes saved: checked, and given back to the formulas
8.  ``packing``         saved tensors in the hands of hooks
9.  ``profiling``       who listens to every operation; what they write down: ``recorders``, ``counted_memory``
10. ``custom``          the node of a custom Function
11. ``symbols``         what a formula is called with when it is traced
12. ``kernels``         the few numeric loops that NumPy's call overhead would drown: ``loops``, ``reductions``, ``one_pass``
13. ``promotion``       PyTorch's rules for the dtype of a result
14. ``op``              Op: what an operation is, and the order of its arguments
15. ``computing``       from arrays to arrays: one dtype, then the kernel
16. ``dispatch``        a call: bind the arguments, run the kernel, record the node
17. ``composites``      public functions made of ops
18. ``levels``          operations inside transforms
19. ``operators``       ``a + b`` on the shortest way
20. ``formulas``        derivatives as programs that run on arrays
21. ``views``           the history of memory that several tensors share
22. ``nesting``         passes inside passes: in which thread they run
23. ``passes``          what a backward pass knows, and which nodes it will visit
24. ``fitting``         a gradient, in the shape and dtype of the input that it is for
25. ``hooks``           the user's code in a backward pass
26. ``accumulating``    gradients are added up: in buffers, and in ``.grad``
27. ``calling``         what a node answers, where all its gradients are wanted at once
28. ``watching``        a backward pass under the eyes of a profiler, of anomaly mode, of a story
29. ``engine``          the backward pass: its loop
30. ``differentials``   the other direction: tangents through one operation
31. ``forward``         tensors that have tangents
32. ``writable``        what a write is refused for
33. ``inplace``         ``a += b``: writing into tensors
34. ``shape_forms``     ``a.t_()``: another layout for the same tensor
35. ``outputs``         ``out=``: results into tensors that are given
"""
