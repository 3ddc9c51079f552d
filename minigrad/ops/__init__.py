"""The table of derivatives, one row for each operation.

What a row is, and the theory behind it, is in :mod:`~minigrad.ops.kinds`; what one may say, in
:mod:`~minigrad.ops.columns`.  The files of each family are listed here in an order in which each file needs only those
before it.  A file runs when one of its rows is used first: lazy.py.
"""

import importlib

from minigrad.ops import exports

FILES = (
    "copying", "elementwise.comparison", "elementwise.arithmetic", "elementwise.division", "elementwise.powers",
    "elementwise.elementary", "elementwise.special", "elementwise.piecewise", "elementwise.binary",
    "elementwise.complex", "elementwise.normal", "elementwise.gammas", "elementwise.gamma_draws",
    "elementwise.bessel", "elementwise.polynomials", "shapes.reshaping", "shapes.transposing", "shapes.broadcasting",
    "shapes.slicing", "shapes.splitting", "shapes.windows", "shapes.copies", "shapes.joining", "shapes.arranging",
    "shapes.padding", "positions.indexing", "positions.gathering", "positions.parts", "shapes.storage",
    "positions.embedding", "positions.masking", "positions.subscripting", "positions.places", "inplace_only",
    "reductions.cumulative", "reductions.totals", "reductions.extremes", "reductions.at_positions",
    "algebra.products", "algebra.einsum", "algebra.matrices", "algebra.lu_and_triangular", "algebra.solving",
    "algebra.reporting", "algebra.singular", "algebra.eigen", "algebra.orthogonal", "algebra.norms",
    "algebra.symmetric", "algebra.pseudoinverses", "algebra.crossing", "reductions.sorting", "algebra.functions",
    "algebra.removed", "statistics.quantiles", "statistics.covariances", "statistics.integrals",
    "statistics.histograms", "statistics.distances", "fourier.pairs", "fourier.transforms", "fourier.many_dims",
    "fourier.spectrograms", "networks.activation", "networks.shrinking", "networks.gates", "networks.softmax",
    "networks.loss", "networks.classification", "networks.normalization", "networks.channel_norms",
    "networks.similarity", "networks.bags", "windows.convolution", "windows.folding", "windows.pooling",
    "windows.unpooling", "windows.resizing", "windows.grids", "windows.shuffling", "networks.divergence",
    "networks.margin", "networks.multi_margin", "networks.ctc", "networks.recurrent", "collectives"
)

try:
    from minigrad.ops import index
except ImportError:                 # while it is made
    for file in FILES:
        importlib.import_module(f"minigrad.ops.{file}")
else:
    exports.await_all(index)
