"""Floor 0: what runs for every operation and every edge.

Read in this order; each module knows only those above it, and is told the rest at import:

1.  ``errors``          every error that a user can meet, with its code
2.  ``modes``           the switches of a thread: grad mode, inference, levels
3.  ``vocabulary``      the operations of the table that the core itself applies
4.  ``special_methods`` what Python asks of a tensor: operators, indexing, comparisons
5.  ``places``          where in the user's program we are, for errors that are about an earlier line
6.  ``graph``           the data model: Tensor, Version, Node
7.  ``lifetimes``       how tensors and nodes die, and the next ones take their place
8.  ``saved``           what nodes saved: checked, and given back to the formulas
9.  ``edges``           places in the graph, as Python code asks for them
10. ``packing``         saved tensors in the hands of hooks
11. ``profiling``       who listens to every operation; what they write down: ``recorders``, ``counted_memory``
12. ``custom``          the node of a custom Function
13. ``symbols``         what a formula is called with when it is traced
14. ``kernels``         the few numeric loops that NumPy's call overhead would drown: ``loops``, ``reductions``, ``one_pass``
15. ``promotion``       PyTorch's rules for the dtype of a result
16. ``op``              Op: what an operation is, and the order of its arguments; what they may be: ``arguments``
17. ``computing``       from arrays to arrays: one dtype, then the kernel
18. ``dispatch``        a call: bind the arguments, run the kernel, record the node
19. ``composites``      public functions made of ops
20. ``levels``          operations inside transforms
21. ``operators``       ``a + b`` on the shortest way
22. ``formulas``        derivatives as programs that run on arrays
23. ``views``           the history of memory that several tensors share
24. ``nesting``         passes inside passes: in which thread they run
25. ``passes``          what a backward pass knows, and which nodes it will visit
26. ``fitting``         a gradient, in the shape and dtype of the input that it is for
27. ``hooks``           the user's code in a backward pass
28. ``accumulating``    gradients are added up: in buffers, and in ``.grad``
29. ``calling``         what a node answers, where all its gradients are wanted at once
30. ``watching``        a backward pass under the eyes of a profiler, of anomaly mode, of a story
31. ``engine``          the backward pass: its loop
32. ``differentials``   the other direction: tangents through one operation
33. ``forward``         tensors that have tangents
34. ``writable``        what a write is refused for
35. ``inplace``         ``a += b``: writing into tensors
36. ``shape_forms``     ``a.t_()``: another layout for the same tensor
37. ``outputs``         ``out=``: results into tensors that are given
"""
