"""The table of derivatives, one row for each operation.

What a row is, and the theory behind it, is in :mod:`~minigrad.ops.kinds`; the families are imported here in
an order in which each file needs only those before it.
"""

from minigrad.ops import kinds
from minigrad.ops import copying
from minigrad.ops.elementwise import comparison, arithmetic, division, powers, elementary, special, piecewise, binary
from minigrad.ops.elementwise import complex
from minigrad.ops.elementwise import normal, gammas, gamma_draws, bessel, polynomials
from minigrad.ops.shapes import reshaping, transposing, broadcasting, slicing, splitting, windows, copies
from minigrad.ops.shapes import joining, arranging, padding
from minigrad.ops.positions import gathering, parts, embedding, masking, indexing, subscripting, places
from minigrad.ops.shapes import storage
from minigrad.ops import inplace_only
from minigrad.ops.reductions import totals, extremes, cumulative, at_positions
from minigrad.ops.algebra import products, einsum, matrices, triangular, solving, reporting, singular, eigen
from minigrad.ops.algebra import orthogonal, norms
from minigrad.ops.algebra import symmetric, pseudoinverses, crossing
from minigrad.ops.reductions import sorting
from minigrad.ops.algebra import functions, removed
from minigrad.ops.statistics import quantiles, covariances, integrals, histograms, distances
from minigrad.ops.fourier import pairs, transforms, many_dims, spectrograms
from minigrad.ops.networks import activation, shrinking, gates, softmax, loss, classification
from minigrad.ops.networks import normalization, channel_norms, similarity, bags
from minigrad.ops.windows import convolution, folding, pooling, unpooling, resizing, grids, shuffling
from minigrad.ops.networks import divergence, margin, multi_margin, ctc, recurrent
from minigrad.ops import collectives
