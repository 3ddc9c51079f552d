"""Solutions of the exercises of "Per-sample gradients"."""

# %% Solution: The lengths without the gradients
import minigrad as torch


def lengths(x, z_bar):
    return x.norm(dim=1) * z_bar.norm(dim=1)


# %% Solution: Products of different ranks
import minigrad as torch


class Mapped:
    def __init__(self, payload):
        self.payload = payload

    def sum(self, dim):
        return Mapped(self.payload.sum(dim + 1))

    def with_axes(self, rank):
        shape = tuple(self.payload.shape)
        return self.payload.reshape(shape[:1] + (1,) * (rank - len(shape)) + shape[1:])

    def __mul__(self, other):
        rank = max(self.payload.ndim, other.payload.ndim)
        return Mapped(self.with_axes(rank) * other.with_axes(rank))


# %% Solution: Which examples work against this one?
import minigrad as torch


def alignments(losses, parameters, direction):
    return torch.func.jvp(losses, (parameters,), (direction,))[1]
