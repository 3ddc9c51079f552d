"""Floor 1: the table of derivatives, one row for each operation.

What a row is, and the theory behind it, is in :mod:`~minigrad.ops.kinds`; the families are imported here in
an order in which each needs only those before it.
"""

from minigrad.ops import kinds
from minigrad.ops import copying, comparison, arithmetic, division, powers, elementwise, special, piecewise, complex
from minigrad.ops import reshaping, shape, broadcasting, slicing, splitting, windows, joining, arranging, padding
from minigrad.ops import gathering, parts, embedding, masking, indexing, altering, storage, writing
from minigrad.ops import reduction, extremes, cumulative, linalg, einsum, solving, singular, norms, sorting
from minigrad.ops import activation, softmax, loss, classification
