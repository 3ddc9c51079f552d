"""Layers that drop elements or channels at random while training; see nn/functional/dropouts.py for what each does."""

from minigrad.nn import functional as F
from minigrad.nn.modules.layer import Layer, bad_option

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]


class _DropoutNd(Layer):
    """What all dropouts are made with."""

    p: float
    inplace: bool

    shown = "p={p}, inplace={inplace}"

    def __init__(self, p=0.5, inplace=False):
        super().__init__(p=p, inplace=inplace)
        if not 0 <= p <= 1:
            raise bad_option(f"dropout probability has to be between 0 and 1, but got {p}")


class Dropout(_DropoutNd):
    """In training, each element becomes 0 with probability ``p``, and the others are scaled by ``1 / (1 - p)``.

    >>> layer = torch.nn.Dropout(0.2)
    >>> layer
    Dropout(p=0.2, inplace=False)
    >>> layer.eval()(torch.tensor([1., 2.]))
    tensor([1., 2.])
    """

    def forward(self, input):
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """Dropout of whole channels of (N, C, L) or (C, L).

    >>> torch.nn.Dropout1d(1.)(torch.ones(1, 2, 2))
    tensor([[[0., 0.],
             [0., 0.]]])
    """

    def forward(self, input):
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """Dropout of whole channels of (N, C, H, W).

    >>> torch.nn.Dropout2d(1.)(torch.ones(1, 1, 1, 2))
    tensor([[[[0., 0.]]]])
    """

    def forward(self, input):
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """Dropout of whole channels of (N, C, D, H, W) or (C, D, H, W).

    >>> torch.nn.Dropout3d(1.)(torch.ones(2, 2, 2, 2)).sum()
    tensor(0.)
    """

    def forward(self, input):
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout for networks of SELU: it keeps mean 0 and variance 1.

    >>> torch.nn.AlphaDropout().eval()(torch.tensor([1., 2.]))
    tensor([1., 2.])
    """

    def forward(self, input):
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """AlphaDropout of whole channels of (N, C, ...).

    >>> torch.nn.FeatureAlphaDropout().eval()(torch.ones(1, 2))
    tensor([[1., 1.]])
    """

    def forward(self, input):
        return F.feature_alpha_dropout(input, self.p, self.training)
