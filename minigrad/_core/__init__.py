"""Floor 0: what runs for every operation and every edge.

Read in this order; each module knows only those above it, and is told the rest at import:

1.  ``errors``      every error that a user can meet, with its code
2.  ``modes``       the switches of a thread: grad mode, inference, levels
3.  ``vocabulary``  the operations of the table that the core itself applies
4.  ``places``      where in the user's program we are, for errors that are about an earlier line
5.  ``graph``       the data model: Tensor, Version, Node
6.  ``saved``       what nodes saved: checked, and given back to the formulas
7.  ``packing``     saved tensors in the hands of hooks
8.  ``profiling``   who listens to every operation; what they write down: ``recorders``, ``counted_memory``
9.  ``custom``      the node of a custom Function
10. ``symbols``     what a formula is called with when it is traced
11. ``kernels``     the few numeric loops that NumPy's call overhead would drown: ``loops``, ``reductions``, ``one_pass``
12. ``promotion``   PyTorch's rules for the dtype of a result
13. ``op``          Op: what an operation is, and the order of its arguments
14. ``computing``   from arrays to arrays: one dtype, then the kernel
15. ``dispatch``    a call: bind the arguments, run the kernel, record the node
16. ``composites``  public functions made of ops
17. ``levels``      operations inside transforms
18. ``operators``   ``a + b`` on the shortest way
19. ``formulas``    derivatives as programs that run on arrays
20. ``views``       the history of memory that several tensors share
21. ``nesting``     passes inside passes: in which thread they run
22. ``passes``      what a backward pass knows, and which nodes it will visit
23. ``fitting``     a gradient, in the shape and dtype of the input that it is for
24. ``hooks``       the user's code in a backward pass
25. ``accumulating``  gradients are added up: in buffers, and in ``.grad``
26. ``calling``     what a node answers, where all its gradients are wanted at once
27. ``watching``    a backward pass under the eyes of a profiler, of anomaly mode, of a story
28. ``engine``      the backward pass: its loop
29. ``differentials``  the other direction: tangents through one operation
30. ``forward``     tensors that have tangents
31. ``writable``    what a write is refused for
32. ``inplace``     ``a += b``: writing into tensors
33. ``shape_forms`` ``a.t_()``: another layout for the same tensor
34. ``outputs``     ``out=``: results into tensors that are given
"""
