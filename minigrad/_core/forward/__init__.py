"""Forward mode: tangents travel along with the values.

    make_dual(x, t)      dual_tensors      x has a tangent while the dual level is open
    y = f(x)             differentials     the tangent of y, by the formulas of the row
    unpack_dual(y)       dual_tensors      hands it out

- ``differentials``: from the tangents of what goes in to the tangent of the result, for one operation
- ``dual_tensors``: tensors that have tangents
"""
