"""What two libraries answer to one call, and how the answers differ."""

import dataclasses
import itertools
import warnings

import numpy as np

#: relative and absolute differences that are allowed, by the number of bytes of a real number
TOLERANCES = {2: (2e-2, 2e-3), 4: (2e-3, 1e-4), 8: (1e-6, 1e-7)}


@dataclasses.dataclass
class Answer:
    """The error, or the parts of a result; for each leaf its gradients as arrays, where None is zero."""

    error: Exception | None = None
    parts: list = dataclasses.field(default_factory=list)
    gradients: list | None = None
    seconds: list | None = None


def flat(result):
    if isinstance(result, (list, tuple)):
        for part in result:
            yield from flat(part)
    else:
        yield result


def numbers(tensor):
    """The numbers of a tensor as an array; bfloat16, which NumPy does not have, as float32."""
    tensor = tensor.detach().resolve_conj().resolve_neg()
    return (tensor.float() if "bfloat16" in str(tensor.dtype) else tensor).numpy()


def answer(torch, call, tensor, leaf):
    """What one library says."""
    x = eval(tensor, {"torch": torch})
    y, z = x.clone(), torch.tensor(.6, dtype=torch.float64 if leaf else torch.float32)
    leaves = [each.requires_grad_() for each in (x, y, z)] if leaf else []
    torch.manual_seed(0)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            parts = [*flat(eval(call, {"torch": torch, "x": x, "y": y, "z": z}))]
        except Exception as e:
            return Answer(e)
        made = Answer(None, parts)
        outputs = [part for part in parts if isinstance(part, torch.Tensor) and part.requires_grad]
        if leaf and outputs:
            made.gradients, made.seconds = derivatives(torch, outputs, leaves)
        return made


def derivatives(torch, outputs, leaves):
    """Gradients of a weighted sum of the outputs, and gradients of the sum of their squares; None if refused."""
    try:
        total = sum([real(part * weights(torch, part)).sum().double() for part in outputs])
        first = torch.autograd.grad(total, leaves, create_graph=True, allow_unused=True)
    except Exception:
        return None, None
    recorded = [g for g in first if g is not None and g.requires_grad]
    second = [None] * len(leaves)
    if recorded:
        try:
            second = torch.autograd.grad(sum([real(g * g).sum() for g in recorded]), leaves, allow_unused=True)
        except Exception:
            second = None
    return dense(torch, first), second and dense(torch, second)


def dense(torch, gradients):
    """Gradients as arrays, which PyTorch's zeros without memory have only in a sum."""
    return [None if g is None else numbers(g.detach() + torch.zeros_like(g)) for g in gradients]


def weights(torch, part):
    return torch.arange(1., part.numel() + 1, dtype=torch.float64).reshape(part.shape) * 0.3


def real(part):
    return part.real + 0.5 * part.imag if part.is_complex() else part


# ------------------------------------------------------------------------------ comparing

def difference(torch, theirs, minigrad, ours):
    """What differs between two answers, of which neither is an error; None if nothing does."""
    for a, b in itertools.zip_longest(ours.parts, theirs.parts):
        if isinstance(a, minigrad.Tensor) != isinstance(b, torch.Tensor):
            return f"{type(a).__name__} instead of {type(b).__name__}"
        if not isinstance(b, torch.Tensor):
            if is_plain(b) and not (is_plain(a) and near(np.asarray(a), np.asarray(b))):
                return f"{a!r} instead of {b!r}"
            continue
        for what in ("dtype", "shape", "requires_grad"):
            said, right = str(getattr(a, what)), str(getattr(b, what))
            if said != right:
                return f"{what} {said} instead of {right}"
        if not near(numbers(a), numbers(b)):
            return f"{numbers(a).tolist()} instead of {numbers(b).tolist()}"
    for what, found, right in (("gradient", ours.gradients, theirs.gradients),
                               ("second gradient", ours.seconds, theirs.seconds)):
        if found is None and right is not None:
            return f"{what} refused"
        if right is None:
            continue
        for name, a, b in zip("xyz", found, right):
            if a is None and b is None:
                continue
            if not near_where_finite(b * 0 if a is None else a, a * 0 if b is None else b):
                return f"{what} of {name}: {shown(a)} instead of {shown(b)}"
    return None


def shown(array):
    return "none" if array is None else array.tolist()


def is_plain(value):
    return isinstance(value, (bool, int, float, complex, str)) or value is None


def near_where_finite(ours, theirs):
    """The same to rounding, but for places where PyTorch's gradient is infinite, nan, or a pole missed by a hair.

    What happens there is compared place by place in tests/ops/elementwise/test_special_points.py.
    """
    with np.errstate(invalid="ignore"):
        finite = np.abs(theirs) < 1e12
    return ours.shape == theirs.shape and near(np.where(finite, ours, 0), np.where(finite, theirs, 0))


def near(a, b):
    """The same to rounding; nan is nan."""
    if a.dtype.kind not in "fc":
        return bool(np.array_equal(a, b))
    relative, absolute = TOLERANCES[min(8, max(2, a.real.itemsize))]
    return a.shape == b.shape and bool(np.allclose(a, b, relative, absolute, equal_nan=True))
