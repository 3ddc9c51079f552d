# matmul and linear; see matmul.pyx.

from minigrad._core.graph cimport Tensor

cpdef object reshaped(Tensor t, tuple shape)
cpdef object product_of(Tensor a, Tensor b)
cpdef object layer(Tensor input, Tensor weight, object bias)
cdef object matmul_of(Tensor a, Tensor b)
