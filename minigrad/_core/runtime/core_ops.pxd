# The operations that the core itself applies, as attributes in C, so that using one costs no look-up.
# See core_ops.pyx; `provide` fills them in: Note [Told later] in provided.pyx.

cdef class Vocabulary:
    # What the operators of tensors mean, and those of the symbols that stand for them while a formula is traced.
    cdef public object add, sub, mul, div, neg, matmul, pow
    cdef public object rsub, rdiv                   # a number on the left: rsub(x, 1) is 1 - x
    cdef public object mm, pow_number, pow_tensor   # `@` of two matrices, `**` with a number, and with tensors alone
    cdef public object lt, le, eq, ne, gt, ge
    cdef public object floor_divide, remainder, bitwise_and, bitwise_or, bitwise_xor
    cdef public object bitwise_left_shift, bitwise_right_shift
    cdef public object positive, abs, bitwise_not   # +x, abs(x), ~x
    # What makes gradients and tangents fit what they belong to.
    cdef public object sum_to, expand               # to a shape: over what was broadcast, and by broadcasting
    cdef public object real, to_dtype, to_device
    cdef public object conj, clone, zeros_of
    cdef public object laid_out                     # a copy with the strides that .grad of a leaf should have
    # How a part of a tensor's memory is read out of it, and put back.
    cdef public object as_strided, as_strided_again, as_strided_backward
    cdef public object select, slice_, unsqueeze, alias      # the steps of a subscript
    cdef public object index, index_put, copy, fill          # ... and what they end with
    cdef public object view_as_real, view_as_complex
    cdef public object where
    # What the functions that cut and join are made of.
    cdef public object split, split_with_sizes, cat
    # What matmul and linear are made of.
    cdef public object mv, dot, bmm, addmm, addmv, t, transpose, view, unsafe_view, squeeze_dim, without_dim
    cdef public object permute
    cdef public object mm_by_columns, addmm_by_columns, reshape, contiguous

    # What the Fourier transforms are made of.
    cdef public object fft_c2c, fft_r2c, fft_c2r, constant_pad_nd

cdef Vocabulary words
