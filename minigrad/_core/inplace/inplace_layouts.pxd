# In-place forms of views; see inplace_layouts.pyx.

from minigrad._core.dispatch.op cimport Op
from minigrad._core.graph cimport Tensor

cdef object alter(Op op, Tensor target, tuple args)
cdef Tensor old_self(Tensor target, object payload)
