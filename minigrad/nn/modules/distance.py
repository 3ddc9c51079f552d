"""Layers that compare two inputs."""

from minigrad.nn import functional as F
from minigrad.nn.modules.layer import Layer

__all__ = ["CosineSimilarity", "PairwiseDistance"]


class CosineSimilarity(Layer):
    """The cosine of the angle between the vectors along ``dim``; ``eps`` is the least length.

    >>> torch.nn.CosineSimilarity(dim=0)(torch.tensor([1., 0.]), torch.tensor([3., 3.]))
    tensor(0.7071)
    """

    dim: int
    eps: float

    def __init__(self, dim=1, eps=1e-8):
        super().__init__(dim=dim, eps=eps)

    def forward(self, x1, x2):
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Layer):
    """The p-norm of the difference, along the last dim; ``eps`` is added to the difference.

    >>> torch.nn.PairwiseDistance()(torch.tensor([[3., 4.]]), torch.zeros(1, 2))
    tensor([5.0000])
    """

    norm: float
    eps: float
    keepdim: bool

    def __init__(self, p=2., eps=1e-6, keepdim=False):
        super().__init__(norm=p, eps=eps, keepdim=keepdim)

    def forward(self, x1, x2):
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
