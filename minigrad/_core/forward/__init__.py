"""Forward mode: tangents travel along with the values.

    make_dual(x, t)      dual_tensors      x has a tangent while the dual level is open
    y = f(x)             differentials     the tangent of y, by the formulas of the row
    unpack_dual(y)       dual_tensors      hands it out

It lies above ``backward`` because of ``differentials``: a tangent is computed by the programs that ``formulas`` makes
there, and where a row has a formula for the way back only (kind *general*), by a backward pass through that formula.

- ``differentials``: from the tangents of what goes in to the tangent of the result, for one operation
- ``dual_tensors``: tensors that have tangents
"""
