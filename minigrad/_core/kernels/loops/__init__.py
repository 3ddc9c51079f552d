"""Elementwise operations: the loops of NumPy's ufuncs, and more of their kind.

NumPy has an inner loop for each ufunc and dtype, which is fast; for a small array, what surrounds it takes far longer
than the loop.  Here the loops are called directly::

    x * y, contiguous, one dtype             numpy_loops
    x * y, any layout, promoted dtypes       strided
            |
            v
    the loop of np.multiply                  or one of our own: new_ufuncs, special_functions, patched_ufuncs

- ``numpy_loops``: NumPy's inner loops, called directly
- ``strided``: the same on arrays of any layout, and of 16-bit floats
- ``copies``: copies between layouts and dtypes
- ``new_ufuncs``: ufuncs that NumPy lacks: bounds, mixtures, activations
- ``patched_ufuncs``: ufuncs of NumPy's with some loops replaced: fmax, fmin, remainder, sin, cos, exp2, log1p
- ``special_functions``: the error function, the gamma function, Bessel functions; there is no other way to these
- ``fill_and_copy``: ``zero_``, ``fill_``, ``copy_``
- ``real``: the two types for which most loops are written
- ``read_once``: indices and sizes, read once, so that no thread can change them behind a check
"""
