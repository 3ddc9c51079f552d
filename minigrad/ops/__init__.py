"""The table of derivatives, one row for each operation.

A row says what an operation computes, and what its derivative is.  What a row is and the theory behind it:

- ``kinds``: the kinds of row, elementwise, linear, view and the others, each with its theory
- ``columns``: what a row may say
- ``schema``: its arguments, in PyTorch's notation
- ``rows``: how an operation is made of a row
- ``composites``: public functions that are made of rows, and differentiated by way of them

The rows, in families; each folder opens with a list of its files:

- ``elementwise``: each element by itself; read ``elementary`` in it first
- ``shapes``: the same elements under other shapes
- ``positions``: elements that are chosen
- ``reductions``: sums, extremes and order along dims
- ``algebra``: products and factors of matrices
- ``fourier``: Fourier transforms
- ``statistics``: quantiles, histograms, distances
- ``networks``: activations, losses, normalization
- ``windows``: convolutions and pooling
- ``copying``: copies that change the dtype, and plain writes
- ``inplace_only``: writes that have no out-of-place form
- ``collectives``: what several processes compute together

How they are found, and what they share:

- ``exports``: the modules that export them, methods of Tensor, and the rows by name
- ``index``: which rows each file has; made by a tool
- ``lazy``: rows that are filled when they are first used
- ``arguments``: checks and conversions that rows and composites share
- ``formats``: how elements lie in memory

A file of rows is imported when one of its rows is first used (``lazy``).  They are listed here, in an order in which
each file needs only those before it; ``windows/sliding.py`` has no rows, and is imported by those that need it.
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
