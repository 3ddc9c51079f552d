"""Every in-place method does what the op does, in the memory of the tensor.

The methods are read off the table, and what they are called with are the sample rows of the ops (see
sampling.py), so a new row is tested as soon as it has a sample.  For each: value, gradients, identity and
version; the same through views of a larger tensor; what it refuses, and that nothing has changed then.

Methods that have no op of their own (fill_, set_, uniform_ ...) are listed, and tested in files of their own.
"""

import doctest
import warnings

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import Tensor, wrap
from minigrad._core.kernels.table import USED_AT_FIRST
from minigrad.ops import exports
from minigrad.error_pages.executing import UpToTheCode
from tests.ops.samples import ROWS
from tests.ops.test_ops import agree, array, bound, call, dtypes, ours

#: in-place methods without an op: where they are tested
WITHOUT_AN_OP = {
    "copy_": "tests/autograd", "zero_": "tests/autograd", "fill_": "tests/ops/test_inplace_only.py",
    **dict.fromkeys(("fill_diagonal_", "apply_", "map_", "map2_"), "tests/ops/test_inplace_only.py"),
    **dict.fromkeys(("set_", "resize_", "resize_as_"), "tests/ops/shapes/test_storage.py"),
    **dict.fromkeys(("uniform_", "normal_", "log_normal_", "exponential_", "cauchy_", "random_", "geometric_",
                     "bernoulli_"),
                    "tests/random/test_random_fills.py"),
}

#: those that change the shape and write nothing
SHAPE_FORMS = ("t_", "transpose_", "swapaxes_", "swapdims_", "squeeze_", "unsqueeze_", "as_strided_")

NAMES = sorted(name for name in {*exports.INPLACE, *exports.METHODS} if name.endswith("_") and not name.endswith("__"))


def rows_of(name):
    """The sample rows of the op of which this is the in-place form, also under its other names."""
    op = exports.REGISTRY.get(name[:-1])
    names = {other for other, function in exports.REGISTRY.items() if function is op} | {name[:-1]}
    return [row for row in ROWS if row.name in names and row.inplace]


SAMPLED = [name for name in NAMES if name not in WITHOUT_AN_OP]
WRITES = [name for name in SAMPLED if name not in SHAPE_FORMS]


def each(names):
    return pytest.mark.parametrize("name", names)


def fits(plain, target):
    """May the result of the op be written into the target?"""
    return plain.shape == target.shape and plain.dtype in (target.dtype, minigrad.bool)


def calls(name, also=()):
    """(row, case, dtype, inputs, args, kwargs, the result of the op) for each sample call with a tensor in front."""
    for row in rows_of(name):
        for case in row.cases:
            for dtype in dict.fromkeys([*dtypes(row), *also]):
                inputs, args, kwargs, _ = bound(ours, row, case, dtype)
                if not args or not isinstance(args[0], Tensor):
                    continue
                try:
                    plain = call(minigrad, row, args, kwargs)
                except RuntimeError:
                    assert dtype in also and dtype not in dtypes(row)
                    continue
                yield row, case, dtype, inputs, args, kwargs, plain


def draw(row, like):
    """A gradient for ``like``."""
    drawn = row.rng(None).normal(size=like.shape)
    return np.asarray(drawn * (1 + 0.5j) if like.dtype.is_complex else drawn, like.dtype.numpy)


def gradients(output, inputs, d):
    """As arrays, with zeros where there is none."""
    if not inputs:
        return []
    found = [None] * len(inputs)
    if output.requires_grad:
        found = minigrad.autograd.grad(output, inputs, wrap(d.copy()), retain_graph=True, allow_unused=True)
    return [np.zeros(x.shape, x.dtype.numpy) if g is None else array(g) for g, x in zip(found, inputs)]


# ------------------------------------------------------------------------------ the table


def test_every_method_is_tested_somewhere():
    assert {name for name in NAMES if not rows_of(name)} == set(WITHOUT_AN_OP) - {name for name in WITHOUT_AN_OP
                                                                                  if rows_of(name)}


@each(NAMES)
def test_the_example_is_true(name):
    method = getattr(Tensor, name)
    assert method.__name__ == name and method.__doc__
    names = {"torch": minigrad, "minigrad": minigrad, "np": np}
    report = []
    doctest.DocTestRunner(UpToTheCode()).run(doctest.DocTestParser().get_doctest(method.__doc__, names, name, name, 0),
                                             out=report.append)
    assert not report, "".join(report)


# ------------------------------------------------------------------------------ it does what the op does


@each(SAMPLED)
def test_equals_the_op(name):
    done = 0
    for row, case, dtype, inputs, args, kwargs, plain in calls(name):
        if name not in SHAPE_FORMS and not fits(plain, args[0]):
            continue
        what = f"{name}({case}) of {dtype}"
        target = args[0].clone()
        before = target._version
        out = getattr(target, name)(*args[1:], **kwargs)
        assert out is target and target._version == before + 1, what
        assert out.dtype is args[0].dtype and out.shape == plain.shape, what
        assert np.array_equal(array(out), array(plain).astype(out.dtype.numpy), equal_nan=True), what
        assert out.requires_grad == any(x.requires_grad for x in inputs), what
        d = draw(row, out)
        for a, b in zip(gradients(out, inputs, d), gradients(plain, inputs, d)):
            agree(a, b, row, dtype, f"gradients of {what}")
        done += 1
    assert done, f"no sample is fit for {name}"


@each(SAMPLED)
def test_without_recording_it_only_writes(name):
    for row, case, dtype, inputs, args, kwargs, plain in calls(name):
        if name not in SHAPE_FORMS and not fits(plain, args[0]):
            continue
        with minigrad.no_grad():
            target = args[0].clone()
            getattr(target, name)(*args[1:], **kwargs)
            assert target._version == 1 and not target.requires_grad and target.grad_fn is None
            if args[0].requires_grad:               # an optimizer writes so
                assert getattr(args[0], name)(*args[1:], **kwargs) is args[0]
                assert args[0]._version == 1 and args[0].is_leaf and args[0].requires_grad
        assert np.array_equal(array(target), array(plain).astype(target.dtype.numpy),
                              equal_nan=True), f"{name}({case}) of {dtype}"
        break


# ------------------------------------------------------------------------------ through views

#: name -> (the shape of the base for a view of this shape, the view of a Tensor, the view of an array); None where
#: there is none
VIEWS = {
    "slice": lambda shape: ((shape[0] + 1,) + shape[1:], lambda x: x[1:], lambda x: x[1:]) if shape
    else ((2,), lambda x: x[1], lambda x: x[1, ...]),
    "transposed": lambda shape: (shape[::-1], lambda x: x.permute(*range(len(shape))[::-1]), lambda x: x.T)
    if len(shape) > 1 else None,
    "diagonal": lambda shape: (shape + shape[-1:], lambda x: x.diagonal(0, -2, -1),
                               lambda x: np.einsum("...ii->...i", x)) if shape else None,
    "view of a view": lambda shape: (shape[::-1] + (2,), lambda x: x[..., 1].permute(*range(len(shape))[::-1]),
                                     lambda x: x[..., 1].T) if len(shape) > 1 else None,
}


def written_alike(found, expected):
    """Bit by bit; but without kernels a sum (of renorm) takes numbers in the order in which they lie in memory."""
    if USED_AT_FIRST:
        return np.array_equal(found, expected, equal_nan=True)
    return np.allclose(found, expected, 1e-6, 1e-6, equal_nan=True)


@pytest.mark.drawn
@pytest.mark.parametrize("way", VIEWS)
@each(WRITES)
def test_writes_through_a_view(name, way):
    done = 0
    for row, case, dtype, inputs, args, kwargs, plain in calls(name):
        place = VIEWS[way](tuple(args[0].shape))
        if not fits(plain, args[0]) or place is None:
            continue
        what = f"{name}({case}) of {dtype} through {way}"
        shape, view, part = place
        room = np.full(shape, 3, args[0].dtype.numpy)
        part(room)[...] = array(args[0])
        leaf = wrap(room, args[0].requires_grad)
        base = leaf.clone()
        target = view(base)
        out = getattr(target, name)(*args[1:], **kwargs)

        expected = room.copy()
        part(expected)[...] = array(plain)
        assert out is target and target._base is base and base._version == target._version == 1, what
        assert written_alike(array(base), expected), what
        assert base.requires_grad == target.requires_grad == any(x.requires_grad for x in inputs), what
        done += 1
        if not base.requires_grad:
            continue
        assert (type(base.grad_fn).__name__, type(target.grad_fn).__name__) == ("CopySlices",
                                                                                "AsStridedBackward0"), what

        others = [x for x in inputs if x is not args[0]]
        old, wanted = ([args[0]], [leaf, *others]) if leaf.requires_grad else ([], others)
        d = draw(row, base)
        of_part = gradients(plain, old + others, part(d).copy())
        of_base = list(of_part)
        if old:
            of_part[0], of_base[0] = np.zeros_like(d), d.copy()         # what lies around the part goes past the write
            part(of_part[0])[...] = part(of_base[0])[...] = gradients(plain, old, part(d).copy())[0]
        for output, d, expected in ((target, part(d).copy(), of_part), (base, d, of_base)):
            for a, b in zip(gradients(output, wanted, d), expected):
                agree(a, b, row, dtype, f"gradients of {what}")
    assert done or not any(fits(plain, args[0]) and VIEWS[way](tuple(args[0].shape))
                           for *_, args, _, plain in calls(name))


@each(WRITES)
def test_a_later_reader_of_the_base_sees_the_write(name):
    """An earlier view of the same memory has the gradients of a view that is made after the write."""
    for row, case, dtype, inputs, args, kwargs, plain in calls(name):
        if not fits(plain, args[0]) or not args[0].requires_grad or not args[0].shape or not args[0].shape[0]:
            continue
        leaf = wrap(array(args[0]).copy(), True)
        base = leaf.clone()
        early = base[0]
        getattr(base, name)(*args[1:], **kwargs)
        d = draw(row, early)
        for a, b in zip(gradients(early, [leaf], d), gradients(base[0], [leaf], d)):
            agree(a, b, row, dtype, f"{name}({case}) of {dtype}")
        assert np.array_equal(array(early), array(base[0]), equal_nan=True)


# ------------------------------------------------------------------------------ what it refuses


def refuses(target, name, args, kwargs, code):
    """The call raises the error, and nothing has changed: not the elements, not the version, not the history."""
    value, node = array(target).copy(), target.grad_fn
    with pytest.raises((RuntimeError, TypeError, IndexError)) as caught:
        getattr(target, name)(*args, **kwargs)
    assert caught.value.code in code, caught.value
    assert target._version == 0 and target.grad_fn is node and target.shape == value.shape
    assert np.array_equal(array(target), value, equal_nan=True)


@each(SAMPLED)
def test_refuses_a_leaf_that_requires_grad(name):
    for row, case, dtype, inputs, args, kwargs, plain in calls(name):
        if args[0].dtype.is_floating_point or args[0].dtype.is_complex:
            leaf = wrap(array(args[0]).copy(), True)
            refuses(leaf, name, args[1:], kwargs, ("MG105",) if name in SHAPE_FORMS or fits(plain, leaf)
                    else ("MG105", "MG201", "MG202", "MG204"))
            refuses(leaf[...], name, args[1:], kwargs, ("MG105",) if name in SHAPE_FORMS or fits(plain, leaf) else (
                "MG105", "MG201", "MG202", "MG204"))


@each([name for name in WRITES if name not in ("masked_fill_", "index_fill_", "index_put_")])     # these only warn
def test_refuses_a_target_whose_elements_share_memory(name):
    for row, case, dtype, inputs, args, kwargs, plain in calls(name):
        if fits(plain, args[0]) and args[0].numel() > 1:
            one = wrap(np.full((1,) * args[0].ndim, array(args[0]).flat[0]))
            refuses(one.expand(args[0].shape), name, args[1:], kwargs, ("MG116",))


@each(WRITES)
def test_refuses_a_result_that_does_not_fit(name):
    for row, case, dtype, inputs, args, kwargs, plain in calls(name, also=("int64",)):
        target = args[0].detach().clone()
        if plain.shape != target.shape or plain.dtype.category > target.dtype.category:
            refuses(target, name, args[1:], kwargs, ("MG201", "MG202", "MG204"))


@each(SAMPLED)
def test_refuses_a_view_that_was_made_without_recording(name):
    for row, case, dtype, inputs, args, kwargs, plain in calls(name):
        if args[0].requires_grad and (name in SHAPE_FORMS or fits(plain, args[0])):
            base = args[0].clone()
            with minigrad.no_grad():
                view = base[...]
            refuses(view, name, args[1:], kwargs, ("MG116",))


# ------------------------------------------------------------------------------ PyTorch

#: made of another op here, or not differentiable in PyTorch
OTHER_NODES = {"renorm_": "torch::autograd::CopyBackwards", "addbmm_": "AddmmBackward0",
               "scatter_": "ScatterBackward2 ScatterBackward3",
               "xlogy_": "XlogyBackward0"}


@pytest.mark.parity
@each(SAMPLED)
def test_nodes_and_versions_as_pytorch(name):
    torch = pytest.importorskip("torch")
    for row, case, dtype, inputs, args, kwargs, plain in calls(name):
        if not row.torch or (name not in SHAPE_FORMS and not fits(plain, args[0])):
            continue
        _, there, keywords, _ = bound(lambda array, grad: torch.from_numpy(array.copy()).requires_grad_(grad), row,
                                      case, dtype)
        mine, yours = args[0].clone(), there[0].clone()
        getattr(mine, name)(*args[1:], **kwargs)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            getattr(yours, name)(*there[1:], **keywords)
        assert mine._version == yours._version and mine.shape == yours.shape
        assert mine.requires_grad == yours.requires_grad
        if mine.requires_grad and mine.grad_fn.name() != yours.grad_fn.name():
            assert mine.grad_fn.name() in OTHER_NODES.get(name, ""), (
                f"{name}({case}): {mine.grad_fn.name()}, and not {yours.grad_fn.name()}")
