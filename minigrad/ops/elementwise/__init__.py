"""Operations that treat each element by itself: from comparisons and ``+ - * /`` to special and complex functions.

The Jacobian is diagonal, so a derivative is one line of calculus.  ``elementary`` is the table at its simplest.
"""
