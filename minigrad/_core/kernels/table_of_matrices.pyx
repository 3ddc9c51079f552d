"""The C kernels of matrix factorizations and of Fourier transforms, for rows to name: see table.pyx."""

from minigrad._core.kernels.algebra cimport factorizations, least_squares, linear_solves, lu_and_ldl
from minigrad._core.kernels.fourier cimport fft_passes
from minigrad._core.kernels.table cimport Kernel, made, told


cdef Kernel of_matrices(str loop):
    """What a loop of numpy.linalg gives of a matrix."""
    return told(made(factorizations.by_loop), factorizations.matrix_loop(loop))


inverse = made(linear_solves.inverse)
determinant = made(linear_solves.determinant)
sign_and_logarithm = made(linear_solves.sign_and_logarithm)
complex_logarithm = made(linear_solves.complex_logarithm)
cofactors = made(linear_solves.cofactors)
solution = made(linear_solves.solution)
cholesky = made(linear_solves.cholesky)
singular_values = made(linear_solves.singular_values)
spectral = made(factorizations.spectral)
svd = of_matrices("svd_s")
svd_full = of_matrices("svd_f")
eigh_lower = of_matrices("eigh_lo")
eigh_upper = of_matrices("eigh_up")
eigvalsh_lower = of_matrices("eigvalsh_lo")
eigvalsh_upper = of_matrices("eigvalsh_up")
eig = of_matrices("eig")
eigvals = of_matrices("eigvals")
qr = made(factorizations.qr)
reflectors = made(factorizations.reflectors)
lu = made(lu_and_ldl.lu)
solve_triangular = made(lu_and_ldl.solve_triangular)
plu = made(lu_and_ldl.plu)
unpacked = made(lu_and_ldl.unpacked)
unit_lower = made(lu_and_ldl.unit_lower)
permutation = made(lu_and_ldl.permutation)
exchanged = made(lu_and_ldl.exchanged)
exchanged_back = made(lu_and_ldl.exchanged_back)
ldl = made(lu_and_ldl.ldl)
qr_r = made(factorizations.qr_r)
reflected = made(factorizations.reflected)
pinv = made(factorizations.pinv)
least_squares_ = made(least_squares.least_squares)
inverse_ex = made(linear_solves.inverse_ex)
cholesky_ex = made(linear_solves.cholesky_ex)
solution_ex = made(linear_solves.solution_ex)

c2c = made(fft_passes.c2c)
c2c_backward = made(fft_passes.c2c_backward)
r2c = made(fft_passes.r2c)
r2c_backward = made(fft_passes.r2c_backward)
c2r = made(fft_passes.c2r)
c2r_backward = made(fft_passes.c2r_backward)
