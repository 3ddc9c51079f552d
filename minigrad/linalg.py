"""Linear algebra under PyTorch's names: ``torch.linalg.norm``, ``torch.linalg.solve`` and so on.

The operations are rows and composites of the table, in ops/algebra/norms.py and ops/algebra/solving.py; here are only
names. """

from minigrad._core.absent import answering as _answering
from minigrad.ops.algebra.norms import linalg_matrix_norm as matrix_norm
from minigrad.ops.algebra.norms import linalg_norm as norm
from minigrad.ops.algebra.norms import linalg_vector_norm as vector_norm
from minigrad.ops.algebra.products import linalg_vecdot as vecdot
from minigrad.ops.algebra.solving import linalg_cholesky as cholesky
from minigrad.ops.algebra.solving import linalg_det as det
from minigrad.ops.algebra.solving import linalg_inv as inv
from minigrad.ops.algebra.solving import linalg_slogdet as slogdet
from minigrad.ops.algebra.solving import linalg_solve as solve
from minigrad.ops.algebra.solving import matrix_power

__all__ = ["cholesky", "det", "inv", "matrix_norm", "matrix_power", "norm", "slogdet", "solve", "vecdot",
           "vector_norm"]

__getattr__ = _answering(__name__)
