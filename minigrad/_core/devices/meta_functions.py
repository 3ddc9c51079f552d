"""What an operation would give for tensors without data (meta.py): the shapes and dtypes of its results.

Note [Models]
-------------
No row says how the shape of its result follows from those of its arguments: its kernel knows.  So the kernel is asked,
with a *model* of each large array, which is a small one.  Equal sizes become equal small ones, different sizes
different ones, and the sizes of the result are looked up again::

    mm(Tensor self, Tensor mat2)           self (1000000, 3)     mat2 (3, 70000)     result
    models                                        (5, 3)              (3, 6)         (5, 6)
    looked up                                                                        (1000000, 70000)

That is right only if the sizes go through as they are.  So it is done twice, with other small sizes, and both answers
must be the same (`looked_up_again`).  They may differ, or one may be a size that no argument has (the parts of ``cat``
are added up, a window leaves out the edges).  Then the kernel may have a function ``shapes`` that says it, or a
parameter may have the shape, as in the rows of gradients; or else each size grows by itself, and the sizes of the
result are seen to grow with it (`extrapolated`).  Where they do not grow evenly, the kernel runs on arrays of the true
sizes, unless they are too large.

The same two calls tell whether the *values* decide: the first finds numbers that suit most operations (a matrix is
positive definite), the second finds others.  Where the shapes then differ (``nonzero``), no answer would be right.

A view needs none of that: its kernel computes an address, and is given the addresses themselves.
"""

import re
from math import lcm, prod

import numpy as np

from minigrad._core.devices.meta import MetaArray, is_meta, laid_out, no_data, unbacked
from minigrad._core.dispatch import compute
from minigrad._core.errors import MinigradError, error
from minigrad._core.runtime.provided import provisions

#: up to this number of elements a kernel runs on arrays of the true sizes
SMALL = 1 << 12
#: and up to this number if models gave no answer
LARGE = 1 << 22
#: sizes up to this one are as they are in a model, since some operations ask for a size of three
KEPT = 4
#: an int from here on is not the end of anything: x[3:]
ENDLESS = 1 << 62


def result(op, args):
    """The arrays that the op would return, as MetaArrays; ``args`` are its arguments, in all places."""
    if getattr(op.kernel, "needs_data", False):
        op.kernel(*args)
    # A model draws from a generator of its own, and not from the program's.
    args = [provisions.generator() if type_ == "Generator?" else x for x, type_ in zip(args, op.types)]
    arrays = list(arrays_in(args))
    same_device(op, args)
    if op.is_view:
        return shown(op, args)
    total = sum([abs(prod(shape)) for shape in [array.shape for array in arrays] + shapes_among(op, args)])
    if total <= SMALL:
        return agreed(op, args, {}, {})
    sizes = sizes_in(op, args)
    by_element = op.kind in ("elementwise", "piecewise_constant")
    ints = [] if by_element else ints_in(op, args)
    keep = KEPT if not ints else 16
    large = sorted({n for n in sizes if n > keep})
    problems = []
    answer = looked_up_again(op, args, large, keep, ints, problems)
    if answer is not None:
        return answer
    if hasattr(op.kernel, "shapes"):
        return change(op.kernel.shapes(*args), lambda like: unbacked(like.shape, like.dtype))
    shape = shape_in(op, args, arrays[0])
    if shape is not None:
        return unbacked(shape, arrays[0].dtype)
    answer = extrapolated(op, args, ints)
    if answer is not None:
        return answer
    if total > LARGE or total * max(ints, default=1) > 1 << 28:
        raise in_true_sizes(*problems[0]) if problems else too_much(op)
    return agreed(op, args, {}, {})


def looked_up_again(op, args, large, keep, ints, problems):
    """Ask with small sizes, and look up those of the result; None if that is no answer.

    An error goes to the ``problems``, with the small sizes, unless a parameter that did not change may be what does not
    fit.
    """
    if any([n > keep and n not in large for n in ints]):
        return None
    first = {n: keep + 1 + i for i, n in enumerate(large)}
    second = {n: keep + 5 + 3 * i for i, n in enumerate(large)}
    if not affordable(args, second):
        return None
    try:
        return agreed(op, args, first, second)
    except MinigradError as problem:
        if problem.code == "MG406":
            raise
        if not ints and not any([type_.startswith("Sizes") for type_ in op.types]):
            problems.append((problem, first))
        return None


def in_true_sizes(problem, sizes):
    """The error of models, as the tensors themselves would have raised it."""
    true = {str(small): str(n) for n, small in sizes.items()}
    message = str(problem).removesuffix(f" [{problem.code}]")
    return error(problem.code, re.sub(r"\d+", lambda digits: true.get(digits[0], digits[0]), message))


def extrapolated(op, args, ints):
    """Let the sizes grow, see how the sizes of the result grow, and go on like that up to the true sizes.

    None if they do not grow evenly.
    """
    unit = lcm(2, *[n for n in ints if n > 1])
    for unit in (unit, lcm(unit, *[n * n for n in ints if 1 < n < 5])):         # a pixel may have four channels
        if max(unit, *ints, 0) <= 2048:
            answer = grown_evenly(op, args, unit, max(ints, default=1) + 2 * unit + 1)
            if answer is not None:
                return answer
    return None


def grown_evenly(op, args, unit, gap):
    """What the op gives if its results grow evenly with the sizes, in steps of ``unit``; else None.

    The small sizes have the remainders of the true ones in a division by ``unit``, and so by any of the ints: every
    second window of a plane of 224 ends where every second one of 24 does.  They differ from the true ones by a
    *shift*, and those with the same shift grow together.
    """
    base = closer(sizes_in(op, args), unit, gap)
    shifts = sorted({n - small for n, small in base.items()} - {0})

    def sizes(steps):
        """The small sizes after so many steps of each shift."""
        taken = dict(zip(shifts, steps))
        return {n: small + unit * taken.get(n - small, 0) for n, small in base.items()}

    single = [[i == k for i in range(len(shifts))] for k in range(len(shifts))]
    several = [2] * len(shifts)
    if not shifts or not affordable(args, sizes(several)):
        return None
    try:
        found = [with_any(op, args, sizes(steps), (suitable, varied, ones), False)
                 for steps in ([0] * len(shifts), *single, several)]
        other = with_any(op, args, base, (varied, ones, suitable), False)
    except MinigradError:
        return None
    start, *after, end = [[array.shape for array in arrays_in(r)] for r in found]
    if start != [array.shape for array in arrays_in(other)]:
        raise by_values(op)
    if any([[*map(len, shapes)] != [*map(len, start)] for shapes in (*after, end)]):
        return None

    def expected(steps):
        """The shapes of the results after so many steps."""
        return [tuple([n + sum([(one[k][axis] - n) * step for one, step in zip(after, steps)])
                       for axis, n in enumerate(shape)]) for k, shape in enumerate(start)]
    if expected(several) != end:
        return None
    shapes = iter(expected([shift // unit for shift in shifts]))
    return change(found[0], lambda r: laid_out(next(shapes), r.dtype, r))


def closer(sizes, unit, gap):
    """Small sizes in the order of the true ones, as far from each other, or farther than ``gap``.

    So the smaller of two sizes remains the smaller one, and remains so when an int is subtracted from the other.
    """
    small, before = {0: 0}, 0
    for n in sorted(sizes - {0}):
        step = n - before
        small[n] = small[before] + (step if step <= gap else gap + (step - gap) % unit)
        before = n
    return small


def affordable(args, sizes):
    """Are models of these sizes small themselves?"""
    return sum([prod([sizes.get(n, n) for n in array.shape]) for array in arrays_in(args)]) <= 1 << 24


def agreed(op, args, first, second):
    """What two calls with models say, one for each map from sizes to small ones; None if they do not say the same.

    With empty maps the arrays have their true sizes, and then numbers make the difference.
    """
    found, shapes = [], []
    for sizes, fills in ((first, (suitable, varied, ones)), (second, (varied, ones, suitable))):
        r = with_any(op, args, sizes, fills)
        found.append(r)
        shapes.append([looked_up(array.shape, sizes) for array in arrays_in(r)])
    if shapes[0] != shapes[1] and not first:
        raise by_values(op)
    if shapes[0] != shapes[1] or None in shapes[0]:
        return None
    shapes = iter(shapes[0])
    return change(found[0], lambda r: laid_out(next(shapes), r.dtype, r))


def with_any(op, args, sizes, fills, resize=True):
    """The op on models with the first of these numbers that it takes: zeros are a singular matrix, and no divisor."""
    try:
        return modelled(op, args, sizes, fills[0], resize)
    except MinigradError:
        if len(fills) == 1:
            raise
        return with_any(op, args, sizes, fills[1:], resize)


def modelled(op, args, sizes, fill, resize=True):
    """The op on small arrays; with ``resize``, its parameters change as the sizes do."""
    def small(x):
        if not is_meta(x):
            return x
        shape = [sizes.get(n, n) for n in x.shape]
        order = sorted(range(x.ndim), key=lambda axis: (-abs(x.strides[axis]), axis))
        array = np.empty([shape[axis] for axis in order], x.dtype).transpose(np.argsort(order))
        fill(array)
        return array
    made = [change(x, small) for x in args]
    return compute.on_arrays(op, *[resized(x, sizes) if is_size(type_, resize) else x
                                     for x, type_ in zip(made, op.types)])


def suitable(array):
    """Numbers with which most operations are content: between 0 and 1, and matrices are positive definite."""
    if array.dtype.kind in "biu":
        array.fill(0)
        return
    n = max(array.shape[-2:], default=1)
    array[...] = (1 / (2 * n + 2) if array.ndim != 1 else (np.arange(n) + 1) / (2 * n + 2))
    if array.ndim > 1:
        diagonal = np.arange(min(array.shape[-2:]))
        array[..., diagonal, diagonal] = (n + 1) / (2 * n + 2)


def varied(array):
    """Other numbers: zeros, and integers that are not all the same."""
    array[...] = (np.arange(1, array.size + 1) % 2).reshape(array.shape) if array.dtype.kind in "biu" else 0


def ones(array):
    """Integers that count from one, as pivots do."""
    array.fill(1)


def looked_up(shape, sizes):
    """The true sizes of a small shape; None if one of them is not that of an argument."""
    true = {small: n for n, small in sizes.items()}
    least = min(sizes.values(), default=float("inf"))
    if any([n not in true and n >= least for n in shape]):
        return None
    return tuple([true.get(n, n) for n in shape])


def shown(op, args):
    """What a view shows: its kernel computes the address.  If it would copy, what it copies is dense, and its own."""
    bare = [change(x, lambda a: a.view(np.ndarray) if is_meta(a) else a) for x in args]
    if op.may_copy and not bare[0].flags.c_contiguous and not has_view(*bare):
        bare[0] = unbacked(bare[0].shape, bare[0].dtype).view(np.ndarray)
    return change(compute.on_arrays(op, *bare), lambda r: r.view(MetaArray))


def has_view(array, size):
    """Does NumPy know a view of this size? NumPy 2.0 cannot be asked."""
    try:
        array.reshape(size, copy=False)
    except (ValueError, TypeError):
        return False
    return True


# ------------------------------------------------------------------------------ arguments and results

def arrays_in(args):
    """The arrays among arguments or results, also in lists."""
    for x in [args] if isinstance(args, np.ndarray) else args:
        if isinstance(x, np.ndarray):
            yield x
        elif isinstance(x, (list, tuple)):
            yield from arrays_in(x)


def change(x, how):
    """``how`` of an array, or of each array in a list or tuple; anything else as it is."""
    if isinstance(x, np.ndarray):
        return how(x)
    if isinstance(x, (list, tuple)):
        return (list if isinstance(x, list) else tuple)([change(each, how) for each in x])
    return x


def is_int(x):
    return isinstance(x, (int, np.integer)) and not isinstance(x, bool)


def resized(x, sizes):
    """An int, or a tuple of them, in which the sizes have become small ones."""
    if is_int(x):
        return sizes.get(x, x)
    return type(x)([resized(each, sizes) for each in x]) if type(x) in (tuple, list) else x


def sizes_in(op, args):
    """All sizes of arrays, and those in parameters that are shapes."""
    return {n for shape in [array.shape for array in arrays_in(args)] + shapes_among(op, args) for n in shape}


def shapes_among(op, args):
    """The parameters that are shapes."""
    shapes = []
    for x, type_ in zip(args, op.types):
        if type_.startswith("Sizes") and x is not None:
            shapes += [shape for shape in x if shape is not None] if type_ == "Sizes[]" else [x]
    return shapes


def shape_in(op, args, first):
    """The shape of the result where a parameter says it: a gradient has the shape of the input that it is for."""
    if op.kind not in ("linear", "multilinear", "windows") or op.outputs or op.list_output:
        return None
    dtypes = {array.dtype for array in arrays_in(args) if array.dtype.kind not in "biu"}
    if len(dtypes) != 1 or min(dtypes).kind == "c":
        return None
    places = [i for i, type_ in enumerate(op.types) if type_ == "Sizes"]
    places = [i for i in places if len(places) == 1 or op.params[i].endswith("_sizes")]
    if not places and "output_size" in op.params and op.types[op.params.index("output_size")].startswith("int["):
        planes = args[op.params.index("output_size")]
        return (*first.shape[:first.ndim - len(planes)], *planes)
    if len(places) != 1:
        return None
    shape = list(args[places[0]])
    if shape.count(-1) == 1:
        rest = prod([n for n in shape if n != -1])
        shape = [first.size // rest if n == -1 else n for n in shape] if rest and first.size % rest == 0 else [-1]
    return tuple(shape) if min(shape, default=0) >= 0 else None


def ints_in(op, args):
    """All integers among the parameters, but for dims and sizes."""
    def found(x):
        if is_int(x):
            return [abs(x)] if abs(x) < ENDLESS else []
        return [n for each in x for n in found(each)] if type(x) in (tuple, list) else []
    return [n for x, type_, default in zip(args, op.types, op.defaults) for n in found(x)
            if not is_dim(type_) and not type_.startswith("Sizes") and x is not default]


def is_dim(type_):
    """Does a parameter of this type take a dim, or a number to compute with, and no size?"""
    return type_.startswith(("Dim", "NewDim", "Scalar"))


def is_size(type_, ints):
    """Does a parameter of this type take a size?  With ``ints``, also one that takes any integer may."""
    return type_.startswith("Sizes") or ints and not is_dim(type_)


def same_device(op, args):
    """Refuse an array with data among those without.

    One number has no device; positions may be known although the elements are not; and what is only written somewhere
    (``copy_``) may come from where there is data, but not go there.
    """
    data = [i for i, x in enumerate(args) for each in (x if type(x) is list else (x,))
            if isinstance(each, np.ndarray) and each.ndim and not is_meta(each)]
    if 0 in data and any([is_meta(x) and op.is_cast(i) for i, x in enumerate(args)]):
        raise no_data(f"{op.shown}()")
    for i in data:
        x = args[i]
        positions = op.types[i] == "Tensor?[]" if type(x) is list else x.dtype.kind == "i" and not op.elementwise
        if not positions and not op.is_cast(i):
            raise other_device(op)


MetaArray.compute = staticmethod(result)


# ------------------------------------------------------------------------------ errors


def by_values(op):
    return error("MG406", f"{op.shown}() of a tensor on the device 'meta': the shape of its result depends on numbers, "
                          "and such a tensor has no data")


def too_much(op):
    return error("MG406", f"{op.shown}() of tensors on the device 'meta': the shape of its result does not follow from "
                          "the shapes of its arguments alone, and computing with arrays of these sizes to find out "
                          "would take too long. Use smaller sizes")


def other_device(op):
    return error("MG407", f"{op.shown}(): Tensor on device cpu is not on the expected device meta! Expected all "
                          "tensors to be on the same device: a tensor on 'meta' has no data with which those of the "
                          "other could be combined. x.to('meta') forgets its numbers")
