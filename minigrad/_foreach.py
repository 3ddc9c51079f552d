"""One operation for each tensor of a list: ``torch._foreach_add(params, grads, alpha=-0.1)``.

PyTorch's optimizers are written in these; on a GPU one kernel then moves all parameters.  Here each is what it means, a
loop over the lists::

    torch._foreach_mul(xs, ys)          [x * y for x, y in zip(xs, ys)], as a tuple
    torch._foreach_mul_(xs, ys)         for x, y in zip(xs, ys): x *= y; it gives back xs

The second operand is a number or a tensor without dims for all of them, or a list with one for each: numbers or
tensors.  Gradients, versions and dtypes are those of the operation.  The names begin with an underscore in PyTorch, and
packages with optimizers of their own call them nevertheless.
"""

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.linalg import vector_norm
from minigrad.ops.exports import REGISTRY as table

__all__ = []

#: functions of one tensor, each of which has a form in place
ALONE = ("abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal "
         "round rsqrt sigmoid sign sin sinh sqrt tan tanh trunc").split()
#: functions of two operands
PAIRED = "add sub mul div clamp_min clamp_max pow".split()
#: what is one of these under another name
SAME = {"maximum": "clamp_min", "minimum": "clamp_max"}
#: these take a multiple of the second operand
SCALED = ("_foreach_add", "_foreach_sub")


def _tensors(name, given, length=None):
    """A list of tensors, as long as the first."""
    if not isinstance(given, (list, tuple)):
        raise error("MG205", f"{name}() received an invalid combination of arguments: it takes lists of tensors, not "
                             f"{type(given).__name__}")
    for place, x in enumerate(given):
        if not isinstance(x, Tensor):
            raise error("MG205", f"{name}(): expected Tensor as element {place} of a list, but got {type(x).__name__}")
    if length is None and not given:
        raise error("MG204", f"{name}(): Tensor list must have at least one tensor.")
    if length not in (None, len(given)):
        raise error("MG204", f"{name}(): Tensor lists must have the same number of tensors, got {length} and "
                             f"{len(given)}")
    return given


def _each(name, given, length):
    """The second operand of each tensor: the same number for all, or one from a list."""
    if isinstance(given, (list, tuple)):
        if given and isinstance(given[0], Tensor):
            return _tensors(name, given, length)
        if len(given) != length:
            raise error("MG204", f"{name}(): Tensor list must have same number of elements as scalar list: there are "
                                 f"{length} tensors, and {len(given)} numbers")
    elif isinstance(given, Tensor):
        if given.ndim:
            raise error("MG204", f"{name}(): scalar tensor expected to be 0 dim but it has {given.ndim} dimensions and "
                                 f"{given.numel()} elements. Pass a list for a number or a tensor each.")
        return [given] * length
    else:
        given = [given] * length
    for number in given:
        if not isinstance(number, (bool, int, float, complex)):
            raise error("MG205", f"{name}() received an invalid combination of arguments: it takes numbers and "
                                 f"tensors, not {type(number).__name__}")
    return given


def _alone(name, operation):
    def over(self):
        return [operation(x) for x in _tensors(name, self)]
    return over


def _paired(name, operation, word):
    def over(self, *operands, **named):
        other = _only(name, operands, {key: value for key, value in named.items() if key != "alpha"},
                      (word, "scalar", "scalars"))
        if isinstance(self, (bool, int, float, complex)) and name == "_foreach_pow":
            return [operation(self, x) for x in _tensors(name, other)]
        others = _each(name, other, len(_tensors(name, self)))
        if "alpha" not in named:
            return [operation(x, y) for x, y in zip(self, others)]
        if name.rstrip("_") not in SCALED or not isinstance(others[0], Tensor):
            raise error("MG205", f"{name}() received an invalid combination of arguments: alpha is a multiple of the "
                                 "tensors that add and sub take")
        return [operation(x, y, alpha=named["alpha"]) for x, y in zip(self, others)]
    return over


def _only(name, operands, named, words):
    """The one operand that is given, by place or under one of these names."""
    given = [*operands, *(named.pop(word) for word in words if word in named)]
    if len(given) != 1 or named:
        others = f", and not {', '.join(named)}" if named else ""
        raise error("MG205", f"{name}() received an invalid combination of arguments: it takes one of "
                             f"{', '.join(words)}{others}")
    return given[0]


def _multiplied(name, operation):
    """``x + value * tensor1 * tensor2``, and the same with a quotient."""
    def over(self, tensor1, tensor2, *value, **named):
        count = len(_tensors(name, self))
        value = _only(name, value, named, ("value", "scalars")) if value or named else 1
        if isinstance(value, Tensor) and value.ndim:
            if value.shape != (count,):
                raise error("MG204", f"{name}(): Expected length of scalars to match input of length {count} but got "
                                     f"{value.numel()} instead.")
            value = value.tolist()
        return [operation(x, y, z, value=number) for x, y, z, number in zip(
            self, _tensors(name, tensor1, count), _tensors(name, tensor2, count), _each(name, value, count))]
    return over


def _between(name, operation):
    def over(self, tensors1, *weight, **named):
        count = len(_tensors(name, self))
        weights = _each(name, _only(name, weight, named, ("weight", "weights")), count)
        return [operation(x, y, w) for x, y, w in zip(self, _tensors(name, tensors1, count), weights)]
    return over


def _norm(self, ord=2, dtype=None):
    return [vector_norm(x, ord, dtype=dtype) for x in _tensors("_foreach_norm", self)]


def _powsum(self, ord=2, dtype=None):
    return [(x.to(dtype or x.dtype).abs() ** ord).sum() for x in _tensors("_foreach_powsum", self)]


def _max(self):
    return [x.max() for x in _tensors("_foreach_max", self)]


def _clone(self, *, memory_format=None):
    options = {} if memory_format is None else {"memory_format": memory_format}
    return [x.clone(**options) for x in _tensors("_foreach_clone", self)]


def _mm(self, mat2):
    return [x @ y for x, y in zip(_tensors("_foreach_mm", self), _tensors("_foreach_mm", mat2, len(self)))]


def _copy(self, src, non_blocking=False):
    for x, y in zip(_tensors("_foreach_copy_", self), _tensors("_foreach_copy_", src, len(self))):
        x.copy_(y)


def _zero(self):
    for x in _tensors("_foreach_zero_", self):
        x.zero_()


def _published(name, over):
    """The function of this name: a tuple of new tensors, or in place, which gives back the list."""
    if name.endswith("_"):
        def foreach(self, *args, **kwargs):
            over(self, *args, **kwargs)
            return self
    else:
        def foreach(self, *args, **kwargs):
            return tuple(over(self, *args, **kwargs))
    foreach.__name__ = foreach.__qualname__ = name
    foreach.__doc__ = f"``{name[len('_foreach_'):]}`` for each tensor of a list; see :mod:`minigrad._foreach`."
    globals()[name] = foreach
    __all__.append(name)


def _publish(name, operation, family, *options):
    """A function and its form in place."""
    _published(f"_foreach_{name}", family(f"_foreach_{name}", table[operation], *options))
    _published(f"_foreach_{name}_", family(f"_foreach_{name}_", getattr(Tensor, f"{operation}_"), *options))


for _name, _over in {"norm": _norm, "powsum": _powsum, "max": _max, "clone": _clone, "mm": _mm, "copy_": _copy,
                     "zero_": _zero}.items():
    _published(f"_foreach_{_name}", _over)
for _name in ALONE:
    _publish(_name, _name, _alone)
for _name in (*PAIRED, *SAME):
    _publish(_name, SAME.get(_name, _name), _paired, "exponent" if _name == "pow" else "other")
for _name in ("addcmul", "addcdiv"):
    _publish(_name, _name, _multiplied)
_publish("lerp", "lerp", _between)
