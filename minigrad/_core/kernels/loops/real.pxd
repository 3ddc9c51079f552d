# The types of numbers for which most loops are written: one text, compiled for both.

ctypedef fused real:
    float
    double
