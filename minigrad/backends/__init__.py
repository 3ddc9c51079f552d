"""The libraries with which PyTorch computes: which of them are there.  Here it is NumPy with its own BLAS and LAPACK.

>>> torch.backends.mps.is_available(), torch.backends.cuda.is_built(), torch.backends.mkl.is_available()
(False, False, False)

Programs set switches here, above all ``torch.backends.cudnn.benchmark = True``.  They are kept, and have no effect.
"""

from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.backends import cpu, cuda, cudnn, mha, mkl, mkldnn, mps, openmp, opt_einsum

__all__ = ["cpu", "cuda", "cudnn", "mha", "mkl", "mkldnn", "mps", "openmp", "opt_einsum"]

__getattr__ = _incomplete(__name__, {})
