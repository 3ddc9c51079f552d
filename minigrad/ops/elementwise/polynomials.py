"""Orthogonal polynomials: of Chebyshev, Hermite, Laguerre and Legendre.

Each is given a degree ``n``, of which the fraction is cut off; for a negative one the answer is 0.  As in PyTorch they
have no derivatives; an argument that requires grad is refused.  Their recurrences are in
_core/kernels/loops/polynomials.h.

Neighbours: special.py, powers.py.
"""

from minigrad._core.kernels.loops import special_functions

from ..kinds import elementwise


def polynomial(name, ufunc, doc):
    """The row of a family of polynomials."""
    return elementwise(f"special_{name}(Tensor self, Tensor n)", ufunc, promote="float", refuse="c",
                       or_numbers=("self", "n"), doc=doc)


chebyshev_polynomial_t = polynomial("chebyshev_polynomial_t", special_functions.chebyshev_t, """
The Chebyshev polynomial of the first kind of degree ``n``: ``cos(n a)`` as a function of ``x = cos(a)``.

>>> torch.special.chebyshev_polynomial_t(torch.tensor([0.5, 2.]), torch.tensor([2, 3]))
tensor([-0.5000, 26.0000])
""")

chebyshev_polynomial_u = polynomial("chebyshev_polynomial_u", special_functions.chebyshev_u, """
The Chebyshev polynomial of the second kind: ``sin((n + 1) a) / sin(a)``, ``x = cos(a)``.

>>> torch.special.chebyshev_polynomial_u(torch.tensor([0.5, 2.]), 2)
tensor([ 0., 15.])
""")

chebyshev_polynomial_v = polynomial("chebyshev_polynomial_v", special_functions.chebyshev_v, """
The Chebyshev polynomial of the third kind: ``cos((n + 1/2) a) / cos(a / 2)``, ``x = cos(a)``.

>>> torch.special.chebyshev_polynomial_v(torch.tensor([0.5, 2.]), 2)
tensor([-1., 11.])
""")

chebyshev_polynomial_w = polynomial("chebyshev_polynomial_w", special_functions.chebyshev_w, """
The Chebyshev polynomial of the fourth kind: ``sin((n + 1/2) a) / sin(a / 2)``, ``x = cos(a)``.

>>> torch.special.chebyshev_polynomial_w(torch.tensor([0.5, 2.]), 2)
tensor([ 1., 19.])
""")

shifted_chebyshev_polynomial_t = polynomial("shifted_chebyshev_polynomial_t", special_functions.shifted_t, """
``chebyshev_polynomial_t`` at ``2 x - 1``, for x from 0 to 1.

>>> torch.special.shifted_chebyshev_polynomial_t(torch.tensor([0., 0.5, 1.5]), 2)
tensor([ 1., -1.,  7.])
""")

shifted_chebyshev_polynomial_u = polynomial("shifted_chebyshev_polynomial_u", special_functions.shifted_u, """
``chebyshev_polynomial_u`` at ``2 x - 1``, for x from 0 to 1.

>>> torch.special.shifted_chebyshev_polynomial_u(torch.tensor([0., 0.5, 1.5]), 2)
tensor([ 3., -1., 15.])
""")

shifted_chebyshev_polynomial_v = polynomial("shifted_chebyshev_polynomial_v", special_functions.shifted_v, """
``chebyshev_polynomial_v`` at ``2 x - 1``, for x from 0 to 1.

>>> torch.special.shifted_chebyshev_polynomial_v(torch.tensor([0., 0.5, 1.5]), 2)
tensor([ 5., -1., 11.])
""")

shifted_chebyshev_polynomial_w = polynomial("shifted_chebyshev_polynomial_w", special_functions.shifted_w, """
``chebyshev_polynomial_w`` at ``2 x - 1``, for x from 0 to 1.

>>> torch.special.shifted_chebyshev_polynomial_w(torch.tensor([0., 0.5, 1.5]), 2)
tensor([ 1., -1., 19.])
""")

hermite_polynomial_h = polynomial("hermite_polynomial_h", special_functions.hermite_h, """
The physicists' Hermite polynomial, orthogonal with the weight ``exp(-x^2)``.

>>> torch.special.hermite_polynomial_h(torch.tensor([0.5, 2.]), torch.tensor([2, 3]))
tensor([-1., 40.])
""")

hermite_polynomial_he = polynomial("hermite_polynomial_he", special_functions.hermite_he, """
The probabilists' Hermite polynomial, orthogonal with the weight ``exp(-x^2 / 2)``.

>>> torch.special.hermite_polynomial_he(torch.tensor([0.5, 2.]), torch.tensor([2, 3]))
tensor([-0.7500,  2.0000])
""")

laguerre_polynomial_l = polynomial("laguerre_polynomial_l", special_functions.laguerre_l, """
The Laguerre polynomial, orthogonal for positive numbers with the weight ``exp(-x)``.

>>> torch.special.laguerre_polynomial_l(torch.tensor([0.5, 2.]), 2)
tensor([ 0.1250, -1.0000])
""")

legendre_polynomial_p = polynomial("legendre_polynomial_p", special_functions.legendre_p, """
The Legendre polynomial, orthogonal from -1 to 1.

>>> torch.special.legendre_polynomial_p(torch.tensor([0.5, 2.]), 2)
tensor([-0.1250,  5.5000])
""")
