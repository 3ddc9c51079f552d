"""Kernels: numbers only, arrays in and arrays out.

Half of the lines of the core are here, and none of them knows of the graph: a gradient is one array among others.  A
row of the table has a *general way*, a kernel that is written with NumPy and takes any layout and any dtype.  It may
also name a kernel from this folder, in C, for the usual arrays.  That one is called first, and answers None where it
does not apply::

    mul(a, b)   ->   the kernel of mul in C   ->   an array
                          | None
                          v
                     the general way of mul   ->   the same array

So nearly all of this folder only makes things faster.  Skip it if you want to see how derivatives arise.  Tests compare
both ways of every row.

Most folders have the name of one in ``minigrad/ops``: the kernel of a row in ``ops/windows/pooling.py`` is in
``kernels/windows/pooling.pyx``.  They are floors, too: ``loops``, then ``shapes``, then ``algebra``, ``positions``,
``random`` and ``reductions``, and last ``fourier``, ``networks``, ``statistics`` and ``windows``.

- ``loops``: elementwise operations (``ops/elementwise``), and the loops of NumPy's ufuncs that all others use
- ``shapes``: views, copies, padding, concatenation
- ``positions``: ``x[i]``, gather, scatter, masks
- ``reductions``: sums, extremes, sorting, softmax, running totals
- ``algebra``: products of matrices, factorizations, solutions
- ``fourier``: Fourier transforms
- ``statistics``: searches, histograms, distances
- ``networks``: activations, losses, normalization
- ``windows``: convolution, pooling, grids
- ``random``: PyTorch's random streams

The kernels that rows name are listed in three tables.  ``table`` has those of everyday operations, products of matrices
included.  Two are loaded when a program needs them: ``table_of_matrices`` (factorizations, solutions and Fourier
transforms) and ``table_of_networks`` (networks, windows and distances).
"""
