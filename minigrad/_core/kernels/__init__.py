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
both ways of every row, and ``minigrad.teaching.without_kernels`` turns the kernels off.

Most folders have the name of one in ``minigrad/ops``: the kernel of a row in ``ops/windows/pooling.py`` is in
``kernels/windows/pooling.pyx``.  There are exceptions, where kernels share their loops: softmax is a row of
``ops/networks``, and its kernel is with the other ``reductions``.  The folders are floors, too: ``loops``, then
``shapes``, then ``algebra``, ``positions``, ``random`` and ``reductions``, then ``fourier``, ``networks``,
``statistics`` and ``windows``.  Above them all are the three tables.

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

How many times as long the general way takes, by the size of the largest array: the median over the rows of a folder of
``ops`` (``python -m tests.benchmarks.kernels``, one thread, float32, contiguous).  Where BLAS, or a loop of NumPy's,
does most of the work, a kernel gains much for small arrays and little for large ones::

    rows of                16    10,000    1,000,000
    elementwise (loops)    4.3      1.3          1.0    only faster, except special_functions, patched_ufuncs
    shapes                 7.3      4.6          2.6    only faster
    positions               21      5.1          1.3    only faster
    reductions              12      3.0          1.8    only faster, except sums in pairs and running totals
    algebra                8.4      1.3          1.0    only faster, except triangular factors (lu_and_ldl)
    fourier                6.6      2.0          2.1    only faster
    networks                17      4.4          2.7    only faster
    statistics              55      7.8          4.7    only faster
    windows                110       52           29    only faster
    random                                              the only way to these numbers

Of each row that the tool can call with arrays of these sizes (all but 18), a kernel gains at least a quarter at one of
them.  Some kernels are the only way, since NumPy has no such function, or one that loses digits.  These are listed,
with their rows, in tests/ops/only_in_c.py, and a test holds the list to the table of operations.

The kernels that rows name are listed in three tables.  ``table`` has those of everyday operations, products of matrices
included.  Two are loaded when a program needs them: ``table_of_matrices`` (factorizations, solutions and Fourier
transforms) and ``table_of_networks`` (networks, windows and distances).
"""
