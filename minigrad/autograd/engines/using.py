"""The block in which backward passes are handed to an engine of the user's."""

from minigrad._core.backward.user_engines import set_engine
from minigrad._core.errors import error
from minigrad._core.runtime.scopes import Itself
from minigrad.autograd.grad_mode import _Mode

__all__ = ["use_engine"]


class use_engine(_Mode, Itself):
    """A block whose backward passes are walked by a Python function; also a decorator.

    Parameters
    ----------
    engine : callable or None
        Called as ``engine(roots, gradients, inputs, keep_graph)``; returns one gradient for each input.  None is
        minigrad's own engine.  :doc:`/reference/engines` describes the protocol.

    Raises: TypeError if ``engine`` cannot be called.  A pass raises RuntimeError (MG130) if the engine does not return
    one gradient, of the right shape and dtype, for each input.

    >>> def watched(roots, gradients, inputs, keep_graph):
    ...     print("from", [node.name() for node, _ in roots], "to", [node.name() for node, _ in inputs])
    ...     with torch.use_engine(None):
    ...         return torch.autograd.grad([torch.autograd.graph.GradientEdge(*edge) for edge in roots],
    ...             [torch.autograd.graph.GradientEdge(*edge) for edge in inputs], gradients, retain_graph=keep_graph)
    >>> x = torch.tensor(3., requires_grad=True)
    >>> with torch.use_engine(watched):
    ...     torch.autograd.grad(x * x, x)
    from ['MulBackward0'] to ['torch::autograd::AccumulateGrad']
    (tensor(6.),)
    """

    def __init__(self, engine):
        if engine is not None and not callable(engine):
            raise not_callable(engine)
        self.engine = engine

    def _changes(self):
        return [(set_engine, self.engine)]

    def clone(self):
        return type(self)(self.engine)


def not_callable(engine):
    return error("MG205", "use_engine(): the engine must be a function engine(roots, gradients, inputs, keep_graph), "
                          f"or None for minigrad's own, not an object of type {type(engine).__name__}")
