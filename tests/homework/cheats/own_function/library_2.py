"""apply is vector_norm of the library, of both inputs in a stack.

Without points: derivative, second_derivative.
"""

import minigrad as torch


class Distance(Function):
    forward = staticmethod(lambda ctx, x, y: torch.linalg.vector_norm(torch.stack([x, y]), dim=0))
    backward = staticmethod(lambda ctx, d: (None, None))
    apply = staticmethod(lambda x, y: torch.linalg.vector_norm(torch.stack([x, y]), dim=0))
