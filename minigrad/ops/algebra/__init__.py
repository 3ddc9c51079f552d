"""Linear algebra: products of matrices, factors, and what is solved with them.

- ``products``: products of vectors and matrices
- ``einsum``: sums of products over chosen dims: einsum, tensordot, inner, outer, kron
- ``crossing``: the cross product
- ``matrices``: checks before a matrix is factorized, and the errors if that fails
- ``lu_and_triangular``: L and U of a matrix, and triangular systems
- ``solving``: inverse, determinant, solutions, the Cholesky factor
- ``reporting``: the same with a report instead of an error: ``inv_ex``, ``solve_ex``
- ``orthogonal``: A = Q R, and products of reflections
- ``eigen``: eigenvalues and eigenvectors
- ``singular``: singular values and vectors, and the norms that are made of the values
- ``norms``: norms of vectors and matrices
- ``symmetric``: the factors L and D of symmetric matrices, and solutions by a Cholesky factor
- ``pseudoinverses``: pseudoinverse, least squares, rank, condition number
- ``functions``: functions of matrices: the exponential, chains of products, powers
- ``removed``: functions that PyTorch has removed: a call says what to write instead
"""
