"""Linear algebra under PyTorch's names: ``torch.linalg.norm``, ``torch.linalg.solve`` and so on.

The operations are rows and composites of the table, in ops/algebra: ``linalg_norm`` there is ``norm`` here. """

from minigrad._core.errors import LinAlgError
from minigrad._core.errors.absent import answering as _answering
from minigrad.ops.exports import EXPORTS as _EXPORTS

globals().update(_EXPORTS[__name__])

__all__ = sorted([*_EXPORTS[__name__], "LinAlgError"])

__getattr__ = _answering(__name__)
