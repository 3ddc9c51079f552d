"""Operations that treat each element by itself: from comparisons and ``+ - * /`` to special and complex functions.

The Jacobian is diagonal, so a derivative is one line of calculus.  ``elementary`` is the table at its simplest.

- ``elementary``: exponentials, logarithms, trigonometry
- ``arithmetic``: sums and products: ``+ - *``
- ``division``: quotients, rounded ones too, and remainders
- ``powers``: powers and roots: ``**``
- ``comparison``: comparisons, logic, bits: no derivative
- ``piecewise``: kinks and jumps: signs, rounding, clamping, the larger of two
- ``complex``: parts, conjugates, absolute values, angles
- ``binary``: numbers in base 2: mantissas and exponents, the next number, logarithms of sums
- ``special``: the error function, the logarithm of the gamma function and its derivatives
- ``normal``: the distribution function of the normal distribution: its logarithm and its inverse; entropies
- ``gammas``: incomplete gamma functions, the gamma function of matrices, Hurwitz' zeta function
- ``gamma_draws``: how draws of the gamma and beta distributions change with their parameters
- ``bessel``: Bessel functions, and Airy's
- ``polynomials``: polynomials of Chebyshev, Hermite, Laguerre and Legendre
"""
