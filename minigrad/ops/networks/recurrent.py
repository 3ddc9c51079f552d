"""What a recurrent network does with its state, step after step: a product with the same weight.

BLAS multiplies few rows by a transposed matrix at a third of its speed.  The state needs ``state @ weight.T`` in the
forward pass and ``d @ weight`` in the backward pass, so the network keeps the weight in both layouts, and the row takes
both::

    forward     bias + state @ turned           turned = weight.T, copied once for all steps
    backward    d @ weight

Neighbours: nn/recurrent.py has the networks.
"""

from ..algebra.products import adjoint, into_the_sum, mm
from ..kinds import general
from ..shapes.transposing import transpose


def kernel(state, weight, turned, bias):
    out = state @ turned
    if bias is not None:
        out += bias
    return out


state_rows = general("state_rows(Tensor state, Tensor weight, Tensor turned, Tensor? bias)", kernel,
                     state=lambda d, weight: mm(d, adjoint(transpose(weight, 0, 1))),
                     weight=lambda d, state: transpose(mm(adjoint(state), d), 0, 1),
                     bias=lambda d, bias_shape: into_the_sum(d, bias_shape, 1),
                     no_gradient=("turned",), public=False, batch="loop",
                     doc="``bias + state @ weight.T``, where ``turned`` is the transpose of ``weight`` without gaps.")
