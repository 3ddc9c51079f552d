"""What the distributions share: parameters of one shape, probabilities and logits, triangles of matrices."""

from numbers import Number

import minigrad as torch
from minigrad._core.errors import error
from minigrad.nn.functional import softmax

__all__ = ["broadcast_all", "clamp_probs", "euler_constant", "lazy_property", "logits_to_probs", "probs_to_logits",
           "tril_matrix_to_vec", "vec_to_tril_matrix"]

euler_constant = 0.5772156649015329


class lazy_property:
    """A property that is computed when it is first read, and kept in the object from then on.

    The graph is recorded even when the first reader is in ``no_grad``: a later one may need gradients.
    """

    def __init__(self, wrapped):
        self.wrapped = wrapped
        self.__doc__ = wrapped.__doc__

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        with torch.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)     # found before this descriptor, which has no __set__
        return value


def is_number(value):
    return isinstance(value, Number)


def broadcast_all(*values):
    """Numbers and tensors as tensors of one shape; a number takes the dtype of the first tensor."""
    if not all(isinstance(value, (Number, torch.Tensor)) or hasattr(value, "__torch_function__") for value in values):
        raise error("MG731", "Input arguments must all be instances of Number, torch.Tensor or objects implementing "
                             "__torch_function__.")
    dtype = next((value.dtype for value in values if not is_number(value)), torch.get_default_dtype())
    return torch.broadcast_tensors(*[torch.tensor(value, dtype=dtype) if is_number(value) else value
                                     for value in values])


def sum_rightmost(value, dims):
    """The sum over the last ``dims`` dimensions."""
    return value.reshape(value.shape[:-dims] + (-1,)).sum(-1) if dims else value


_sum_rightmost = sum_rightmost          # the private name that published packages import


def _standard_normal(shape, dtype, device):
    """Normal random numbers, by PyTorch's private name, which published packages import."""
    return torch.empty(shape, dtype=dtype, device=device).normal_()


def standard_normal(shape, like):
    """Normal random numbers of ``like``'s dtype, drawn as ``normal_`` draws them."""
    return torch.empty(shape, dtype=like.dtype).normal_()


def uniform(shape, like):
    """Random numbers in [0, 1) of ``like``'s dtype."""
    return torch.rand(shape, dtype=like.dtype)


# ------------------------------------------------------------------------------ probabilities and logits

def clamp_probs(probs):
    """Probabilities kept off 0 and 1 by the rounding error of their dtype, so that their logarithms are finite."""
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def logits_to_probs(logits, is_binary=False):
    """Sigmoid of binary logits, softmax of others."""
    return torch.sigmoid(logits) if is_binary else softmax(logits, dim=-1)


def probs_to_logits(probs, is_binary=False):
    """log(p / (1 - p)) for binary probabilities, log p for others; finite at 0 and 1."""
    probs = clamp_probs(probs)
    return probs.log() - (-probs).log1p() if is_binary else probs.log()


# ------------------------------------------------------------------------------ triangles

def _triangle(n, diag):
    rows = torch.arange(n)
    return rows < rows.view(-1, 1) + (diag + 1)


def tril_matrix_to_vec(mat, diag=0):
    """The entries of a matrix on and below a diagonal, row by row."""
    n = mat.shape[-1]
    if not -n <= diag < n:
        raise error("MG731", f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    return mat[..., _triangle(n, diag)]


def vec_to_tril_matrix(vec, diag=0):
    """The square matrix with these entries on and below a diagonal, and zeros above it."""
    # n rows have n (n + 1) / 2 entries on and below the main diagonal; the others follow from diag.
    n = (-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if abs(round(n) - n) > torch.finfo(vec.dtype).eps:
        raise error("MG731", f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as the lower "
                             "triangular part of a square D x D matrix.")
    n = round(n)
    places = _triangle(n, diag)
    # The k-th True of the mask takes the k-th entry; False takes the zero that is put in front.
    order = (places.reshape(-1).cumsum(0) * places.reshape(-1)).reshape(n, n)
    return torch.cat([vec.new_zeros(vec.shape[:-1] + (1,)), vec], -1)[..., order]


def undefined(owner, what):
    """The error for a quantity that the class of `owner`, an object or the class itself, does not define."""
    cls = owner if isinstance(owner, type) else type(owner)
    return error("MG732", f"{cls.__name__} has no {what}: there is no formula for it, or the class does not define it")
