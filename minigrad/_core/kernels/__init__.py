"""Kernels: numbers only, arrays in and arrays out.

Half of the lines of the core are here, and none of them knows of gradients.  A row of the table has a *general way*,
a kernel that is written with NumPy and takes any layout and any dtype.  It may also name a kernel from this folder, in
C, for the usual arrays.  That one is called first, and answers None where it does not apply::

    mul(a, b)   ->   the row's kernel in C   ->   an array
                          | None
                          v
                     the row's general way   ->   the same array

So nearly all of this folder only makes things faster.  To learn how a derivative comes about, skip it.  Tests compare
both ways of every row.

The folders are those of ``minigrad/ops``: the kernel of a row in ``ops/windows/pooling.py`` is in
``kernels/windows/pooling.pyx``.

- ``loops``: elementwise operations, and the loops of NumPy's ufuncs that all others use
- ``shapes``: views, copies, padding, concatenation
- ``positions``: ``x[i]``, gather, scatter, masks
- ``reductions``: sums, extremes, sorting, softmax, running totals
- ``algebra``: products of matrices, factorizations, solutions
- ``fourier``: Fourier transforms
- ``statistics``: searches, histograms, distances
- ``networks``: activations, losses, normalization
- ``windows``: convolution, pooling, grids
- ``random``: PyTorch's random streams

What rows name is listed in three tables, of which two are loaded only when a program needs them: ``table``,
``table_of_matrices`` (linear algebra and Fourier transforms) and ``table_of_networks``.
"""
