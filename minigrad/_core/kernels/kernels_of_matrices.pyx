"""The C kernels of linear algebra and of the Fourier transforms, for rows to name: see kernels.pyx.

``solving`` divides by matrices, ``decomposing``, ``eliminating`` and ``least_squares`` take them apart, and
``transforming`` has the Fourier transforms.
"""

from minigrad._core.kernels.algebra cimport decomposing, eliminating, least_squares, solving
from minigrad._core.kernels.fourier cimport transforming
from minigrad._core.kernels.kernels cimport Kernel, made


cdef Kernel of_matrices(str loop):
    """What a loop of numpy.linalg gives of a matrix."""
    cdef Kernel kernel = made(decomposing.by_loop)
    kernel.loop.data[0] = decomposing.form(loop)
    return kernel


inverse = made(solving.inverse)
determinant = made(solving.determinant)
sign_and_logarithm = made(solving.sign_and_logarithm)
complex_logarithm = made(solving.complex_logarithm)
cofactors = made(solving.cofactors)
solution = made(solving.solution)
cholesky = made(solving.cholesky)
singular_values = made(solving.singular_values)
spectral = made(decomposing.spectral)
svd = of_matrices("svd_s")
svd_full = of_matrices("svd_f")
eigh_lower = of_matrices("eigh_lo")
eigh_upper = of_matrices("eigh_up")
eigvalsh_lower = of_matrices("eigvalsh_lo")
eigvalsh_upper = of_matrices("eigvalsh_up")
eig = of_matrices("eig")
eigvals = of_matrices("eigvals")
qr = made(decomposing.qr)
reflectors = made(decomposing.reflectors)
lu = made(eliminating.lu)
solve_triangular = made(eliminating.solve_triangular)
plu = made(eliminating.plu)
unpacked = made(eliminating.unpacked)
unit_lower = made(eliminating.unit_lower)
permutation = made(eliminating.permutation)
exchanged = made(eliminating.exchanged)
exchanged_back = made(eliminating.exchanged_back)
ldl = made(eliminating.ldl)
qr_r = made(decomposing.qr_r)
reflected = made(decomposing.reflected)
pinv = made(decomposing.pinv)
least_squares_ = made(least_squares.least_squares)
inverse_ex = made(solving.inverse_ex)
cholesky_ex = made(solving.cholesky_ex)
solution_ex = made(solving.solution_ex)

c2c = made(transforming.c2c)
c2c_backward = made(transforming.c2c_backward)
r2c = made(transforming.r2c)
r2c_backward = made(transforming.r2c_backward)
c2r = made(transforming.c2r)
c2r_backward = made(transforming.c2r_backward)
