"""A small SciPy for cells that run in the page, which SciPy's Fortran does not: what the tutorials call of it."""

#: the page says so below the first cell that imports it
INSTEAD = ("The scipy of this page is a small one that stands in for SciPy: minimize, curve_fit and solve_ivp, by the "
           "same methods.\nIts counts of steps differ.")
