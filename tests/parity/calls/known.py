"""Where the answers differ on purpose: names of functions, what is said of the difference, and why."""

ANY = ""

KNOWN = [
    ("svd pca_lowrank svd_lowrank lobpcg eigh eig qr", ANY,
     "singular vectors and eigenvectors have no sign of their own, and of equal values no direction"),
    ("cholesky_inverse cholesky_solve", ANY,
     "they read one triangle, whose diagonal is real; PyTorch's gradient is that of both"),
    ("kthvalue", ANY, "which of equal elements it is"),
    ("acosh acosh_ arccosh arccosh_ logit logit_", "gradient",
     "outside the domain, where the result is nan, PyTorch's gradient may be a number"),
    ("digamma polygamma psi mvlgamma digamma_ polygamma_", ANY,
     "at a pole it is infinite here, and a large number in PyTorch"),
    ("native_dropout", "dtype", "the mask of no elements has their dtype in PyTorch, and else is of bools"),
    ("__ipow__", "NotImplementedType", "Python gives it one argument"),
    ("prelu", "second gradient", "at zero, where it bends"),
    ("vander", "requires_grad", "a matrix of ones requires grad here, and its gradient is zero"),
    ("hsplit vsplit dsplit", ANY, "True is a number of parts here, and a place in PyTorch"),
    ("multilabel_soft_margin_loss", "dtype", "a target or weights of another dtype take part in its dtype"),
    ("cholesky_ex", "gradient", "where it fails there is none, and in PyTorch that of the unfinished factor"),
    ("lstsq", ANY, "of a matrix without full rank it is the smallest solution; PyTorch's is none"),
    ("complex", "dtype", "NumPy has no complex numbers of 16-bit floats"),
    ("matrix_exp", "nan", "16-bit floats are computed in float32; PyTorch's overflow"),
    ("laguerre_polynomial_l", "inf", "whether numbers that overflow become infinite or nan"),
    ("logical_and_ logical_or_ logical_xor_ logical_not_", "gradient",
     "PyTorch hands the gradient through, as if nothing had been written"),
    ("histogram histogramdd", "requires_grad", "in PyTorch counts require grad, and have no gradient"),
    ("detach_copy", "requires_grad", "in PyTorch it requires grad, and has no gradient"),
    ("polar", "gradient", "PyTorch's gradient of a negative radius has the other sign"),
    ("pow __pow__ __rpow__ float_power pow_", "second gradient", "PyTorch's at a zero is another one, or none"),
]


def reason(name, what):
    """Why an answer may differ in this; None if it must not."""
    return next((why for names, piece, why in KNOWN if name in names.split() and piece in what), None)
