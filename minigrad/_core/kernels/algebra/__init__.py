"""Linear algebra: products of matrices, and what is solved with them.

Large products go to NumPy, that is, to its BLAS.  Where BLAS is slow, as for products with a short dim, and for what
NumPy has no function, there are loops here::

    a @ b    ->    matrix_products    ->    matmul of NumPy
                          |
                          +-----------> skinny_products    ->    microkernels: a tile of the result in registers

- ``matrix_products``: products of matrices and vectors, in any layout, with batches
- ``skinny_products``: products with a short and a long dim
- ``microkernels``: tiles of a product, in vector registers; convolutions use them too
- ``linear_solves``: inverses, determinants, solutions, Cholesky factors, singular values
- ``factorizations``: svd, eig and qr
- ``lu_and_ldl``: triangular factors with pivots, triangular systems
- ``least_squares``: the nearest solution, by reflections
"""
