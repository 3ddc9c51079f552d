"""Where the answers differ on purpose, by the names of the functions."""

KNOWN = {
    "svd pca_lowrank svd_lowrank lobpcg eigh eig qr":
        "singular vectors and eigenvectors have no sign of their own, and of equal values no direction",
    "cholesky_inverse cholesky_solve":
        "they read one triangle, whose diagonal is real; PyTorch's gradient is that of both",
    "kthvalue": "which of equal elements it is",
    "acosh acosh_ arccosh arccosh_ logit logit_":
        "outside the domain, where the result is nan, PyTorch's gradient may be a number",
    "digamma polygamma psi mvlgamma digamma_ polygamma_":
        "at a pole it is infinite here, and a large number in PyTorch",
    "native_dropout": "the mask of no elements has their dtype in PyTorch, and else is of bools",
    "__ipow__": "Python gives it one argument",
    "prelu": "its second derivative at zero, where it bends",
    "vander": "a matrix of ones requires grad here, and its gradient is zero",
    "hsplit vsplit dsplit": "True is a number of parts here, and a place in PyTorch",
    "multilabel_soft_margin_loss": "a target or weights of another dtype take part in its dtype",
    "cholesky_ex": "where it fails there are no numbers, and in PyTorch what was done until then",
    "lstsq": "of a matrix without full rank it is the smallest solution; PyTorch's is none",
    "complex": "NumPy has no complex numbers of 16-bit floats",
    "matrix_exp": "16-bit floats are computed in float32; PyTorch's overflow",
    "laguerre_polynomial_l": "whether numbers that overflow become infinite or nan",
    "logical_and_ logical_or_ logical_xor_ logical_not_":
        "PyTorch hands the gradient through, as if nothing had been written",
    "histogram histogramdd": "in PyTorch counts require grad, and have no gradient",
    "detach_copy": "in PyTorch it requires grad, and has no gradient",
    "polar": "PyTorch's gradient of a negative radius has the other sign",
    "pow __pow__ __rpow__ float_power pow_": "PyTorch's second derivative at a zero is another one, or none",
}


def reason(name):
    """Why an answer may differ; None if it must not."""
    return next((why for names, why in KNOWN.items() if name in names.split()), None)
