"""Layers that join or split dims."""

from minigrad._core.errors import error
from minigrad.nn.modules.layer import Layer

__all__ = ["Flatten", "Unflatten"]


class Flatten(Layer):
    """The dims from ``start_dim`` to ``end_dim`` as one; by default all but the first, which counts examples.

    >>> torch.nn.Flatten()(torch.ones(5, 2, 3)).shape
    torch.Size([5, 6])
    """

    start_dim: int
    end_dim: int

    shown = "start_dim={start_dim}, end_dim={end_dim}"

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__(start_dim=start_dim, end_dim=end_dim)

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(Layer):
    """The dim ``dim`` as several, of sizes ``unflattened_size``: the opposite of Flatten.

    >>> torch.nn.Unflatten(1, (2, 3))(torch.ones(5, 6)).shape
    torch.Size([5, 2, 3])
    """

    dim: int
    unflattened_size: int | tuple[int, ...]

    shown = "dim={dim}, unflattened_size={unflattened_size}"

    def __init__(self, dim, unflattened_size):
        super().__init__(dim=dim, unflattened_size=unflattened_size)
        if not isinstance(unflattened_size, (tuple, list)):
            raise error("MG205", "unflattened_size must be a tuple of ints, but found type "
                                 f"{type(unflattened_size).__name__}")
        for place, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise error("MG205", "unflattened_size must be tuple of ints, but found element of type "
                                     f"{type(size).__name__} at pos {place}")

    def forward(self, input):
        return input.unflatten(self.dim, self.unflattened_size)

