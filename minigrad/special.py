"""Special functions under PyTorch's names: ``torch.special.erf``, ``torch.special.i0e`` and so on.

The operations are rows and composites of the table, most of them in ops/elementwise: ``special_entr`` there is
``entr`` here, and ``expit`` is another name of ``sigmoid``. """

from minigrad._core.errors.absent import answering as _answering
from minigrad.ops.exports import EXPORTS as _EXPORTS

globals().update(_EXPORTS[__name__])

__all__ = sorted(_EXPORTS[__name__])

__getattr__ = _answering(__name__)
