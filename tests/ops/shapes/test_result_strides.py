"""How results lie in memory is PyTorch's, whichever way the arguments do: ``view`` works where it does there, and a
dropout draws the same mask."""

import itertools
import json
from math import prod

import pytest

import minigrad
from tests.ops.test_ops import bound, call
from tests.ops.test_result_dtypes import SHARED
from tests.parity.records import make_result_strides
from tests.parity.records.make_result_dtypes import named
from tests.parity.records.make_result_strides import answers, restored

RECORDED = json.loads(make_result_strides.FILE.read_text())

LAPACK = "LAPACK's matrices lie by columns, and PyTorch leaves them so"
FFT = "PyTorch leaves the dims as the last transform had them"
LINES = "in one dim, PyTorch takes a line for an image of one row, in channels_last"
GAPS = "PyTorch keeps the gaps between the elements of self, too"
VOLUMES = "some of PyTorch's operations on volumes follow channels_last_3d, others do not: here none does"
STEPS = "the steps that lead to the result are others"

#: operation: why its results lie otherwise
DIFFERENT = {
    **dict.fromkeys("""cholesky geqrf inverse linalg.cholesky linalg.cholesky_ex linalg.householder_product linalg.inv
        linalg.inv_ex linalg.ldl_factor linalg.ldl_factor_ex linalg.ldl_solve linalg.lstsq linalg.lu_factor
        linalg.lu_factor_ex linalg.lu_solve linalg.qr linalg.solve linalg.solve_ex linalg.solve_triangular
        linalg.tensorinv logdet lu lu_solve matrix_power orgqr ormqr qr slogdet svd
        triangular_solve""".split(), LAPACK),
    **dict.fromkeys("""fft.fft fft.fft2 fft.fftn fft.hfft fft.hfft2 fft.hfftn fft.ifft fft.ifft2 fft.ifftn fft.ihfft
        fft.ihfft2 fft.ihfftn fft.irfft fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftn""".split(), FFT),
    **dict.fromkeys("""adaptive_avg_pool1d adaptive_max_pool1d avg_pool1d conv1d conv_transpose1d convolution lp_pool1d
        max_pool1d_with_indices""".split(), LINES),
    **dict.fromkeys("""as_strided_scatter diagonal_scatter select_scatter slice_scatter unsafe_chunk unsafe_split
        unsafe_split_with_sizes""".split(), GAPS),
    **dict.fromkeys("""adaptive_max_pool3d interpolate max_pool3d max_pool3d_with_indices
        upsample_nearest""".split(), VOLUMES),
    **dict.fromkeys("""addr batch_norm conv_tbc gru_cell histogram kron renorm resize resize_as unique
        unique_consecutive""".split(), STEPS),
}


def rows():
    return [pytest.param(name, row, id=name) for name, row in named(SHARED)]


@pytest.mark.parametrize(("name", "row"), rows())
def test_as_recorded(name, row):
    found = answers(minigrad, bound, call, row)
    wrong = [f"{case}: {ours}, and not {theirs}" for case, all_theirs in restored(RECORDED[name], found).items()
             for ours, theirs in zip(found[case], all_theirs) if theirs != "-" and ours != theirs]
    assert not wrong or str(row) in DIFFERENT, wrong


def test_what_differs_does():
    """Nothing is exempt that has become PyTorch's."""
    wrong = set()
    for name, row in named(SHARED):
        if str(row) in DIFFERENT:
            found = answers(minigrad, bound, call, row)
            wrong |= {str(row) for case, theirs in restored(RECORDED[name], found).items() if theirs != found[case]}
    assert wrong == set(DIFFERENT)


@pytest.mark.parity
def test_the_record_is_pytorchs():
    """Of some rows, since all take long."""
    torch = pytest.importorskip("torch")
    for name, row in named(SHARED)[::25]:
        found = answers(torch, bound, call, row)
        assert restored(RECORDED[name], found) == found, name


# ------------------------------------------------------------------------------ pairs of layouts

#: each two tensors of one shape, in any two layouts
PAIRS = {
    "mul": lambda t, x, y: x * y, "add": lambda t, x, y: x + y, "sub alpha": lambda t, x, y: t.sub(x, y, alpha=2),
    "maximum": lambda t, x, y: t.maximum(x, y), "atan2": lambda t, x, y: t.atan2(x, y), "less": lambda t, x, y: x < y,
    "half": lambda t, x, y: x.half() + y.half(), "two dtypes": lambda t, x, y: x.float() + y,
    "where": lambda t, x, y: t.where(x > 0, x, y), "where number": lambda t, x, y: t.where(y > 0, x, 0.5),
    "masked_fill": lambda t, x, y: x.masked_fill(y > 0, 0.5), "lerp": lambda t, x, y: t.lerp(x, y, 0.3),
    "addcmul": lambda t, x, y: t.addcmul(x, y, y),
    "mse": lambda t, x, y: t.nn.functional.mse_loss(x, y, reduction="none"),
    "cat": lambda t, x, y: t.cat([x, y]), "cat 1": lambda t, x, y: t.cat([x, y], 1),
    "cat last": lambda t, x, y: t.cat([x, y], -1), "stack": lambda t, x, y: t.stack([x, y]),
    "stack last": lambda t, x, y: t.stack([x, y], -1), "hstack": lambda t, x, y: t.hstack([x, y]),
    "sort": lambda t, x, y: t.sort(x + y, 1)[1], "argsort": lambda t, x, y: t.argsort(x),
    "flip": lambda t, x, y: x.flip(0, 1), "clone": lambda t, x, y: (x - y).clone(),
    "index": lambda t, x, y: x[t.tensor([1, 0])], "index 1": lambda t, x, y: x[:, t.tensor([1, 0, 1])],
    "two indices": lambda t, x, y: x[t.tensor([1, 0]), t.tensor([0, 1])],
    "index_select": lambda t, x, y: x.index_select(1, t.tensor([1, 0])),
    "row": lambda t, x, y: x + y[0], "column": lambda t, x, y: x[:, :1] * y, "both": lambda t, x, y: x[:1] * y[:, :1],
    "softmax": lambda t, x, y: x.softmax(1), "sum": lambda t, x, y: x.sum(0), "sum 1": lambda t, x, y: (x * y).sum(1),
    "cumsum": lambda t, x, y: x.cumsum(1), "gelu": lambda t, x, y: t.nn.functional.gelu(x),
    "pow": lambda t, x, y: x ** 2,
    "in place": lambda t, x, y: x.clone().mul_(y), "zeros_like": lambda t, x, y: t.zeros_like(x),
    "dropout": lambda t, x, y: t.nn.functional.dropout(x * y, 0.5),
    "expanded": lambda t, x, y: x[:1].expand_as(y) + y, "to": lambda t, x, y: x.to(t.float32),
}
SHAPES = [(2, 3), (4, 4), (2, 3, 4), (2, 1, 3), (2, 3, 4, 5), (2, 1, 4, 5)]


def of_pairs(library, name):
    """{a shape and two layouts: the strides of the result}"""
    found = {}
    for shape in SHAPES:
        layouts = [(each, lay) for each, (least, lay) in make_result_strides.LAYOUTS.items()
                   if len(shape) >= least and each != "expanded"]
        for (first, lay), (second, lay_other) in itertools.product(layouts, repeat=2):
            if name == "stack" and (first, second, len(shape)) == ("channels last", "channels last", 4):
                continue                        # in PyTorch it is a cat in channels_last, which is then taken apart
            n = prod(shape)
            x = library.arange(float(n)).reshape(shape) / n - 0.3
            library.manual_seed(0)
            try:
                result = PAIRS[name](library, lay(x), lay_other(0.5 - x))
            except Exception:
                continue
            found[f"{shape}, {first}, {second}"] = make_result_strides.strides(result)
    return found


@pytest.mark.parity
@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name):
    torch = pytest.importorskip("torch")
    ours, theirs = of_pairs(minigrad, name), of_pairs(torch, name)
    assert {k: v for k, v in ours.items() if k in theirs} == theirs


# ------------------------------------------------------------------------------ what depends on it

LAYOUTS = [each for each in make_result_strides.LAYOUTS if each != "expanded"]


@pytest.mark.parity
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_random_numbers_are_drawn_in_the_order_in_memory(dtype):
    """A dropout, a bernoulli, or noise of a tensor in any layout, and of what is computed from two."""
    torch = pytest.importorskip("torch")

    def drawn(library, shape, first, second):
        n, F = prod(shape), library.nn.functional
        x = (library.arange(float(n)).reshape(shape) / n).to(getattr(library, dtype))
        x, y = [make_result_strides.LAYOUTS[each][1](each_x) for each, each_x in ((first, x), (second, 1 - x))]
        library.manual_seed(3)
        made = [F.dropout(x, 0.3), F.dropout(x * y, 0.3), F.dropout(library.where(x > y, x, y), 0.5),
                F.dropout(library.cat([x, y]), 0.5), F.dropout(x.flip(0), 0.5), F.dropout(x.sort(0)[0], 0.5),
                F.dropout(x.masked_fill(x > 0.5, 1), 0.5), F.dropout(x[library.tensor([1, 0])], 0.5),
                F.alpha_dropout(x, 0.5), library.bernoulli(x), x.bernoulli(0.4), library.rand_like(x),
                library.randn_like(x * y), x.clone().uniform_(), library.randint_like(x, 9),
                F.feature_alpha_dropout(x, 0.4)]
        return [each.double().tolist() for each in made]

    for shape in [(3, 4), (2, 3, 4), (2, 3, 4, 5)]:
        layouts = [each for each in LAYOUTS if make_result_strides.LAYOUTS[each][0] <= len(shape)]
        for first, second in itertools.product(layouts, repeat=2):
            ours, theirs = [drawn(library, shape, first, second) for library in (minigrad, torch)]
            for i, (a, b) in enumerate(zip(ours, theirs)):
                assert near(a, b), (i, shape, first, second)


def near(a, b):
    """Are nested lists of numbers equal, but for the last digits?"""
    return minigrad.allclose(minigrad.tensor(a), minigrad.tensor(b), rtol=1e-2, atol=1e-5)


def test_view_works_where_it_does_in_pytorch(torch):
    x = torch.arange(24.).reshape(2, 3, 4).permute(2, 0, 1)
    for y in (torch.cat([x, x]), torch.stack([x, x]), x.masked_fill(x > 3, 0.), x.contiguous() * x):
        assert y.view(-1).tolist() == y.flatten().tolist()
    for y in (x * x.contiguous(), torch.where(x > 3, x, 0.), x.sort(0).values, x.flip(1)):
        assert y.permute(1, 2, 0).view(-1).tolist() == y.permute(1, 2, 0).flatten().tolist()
        with pytest.raises(RuntimeError, match="view size is not compatible"):
            y.view(-1)
    images = torch.ones(2, 3, 4, 5).to(memory_format=torch.channels_last)
    for y in (torch.cat([images, images]), torch.nn.functional.max_pool2d(images, 2), images[torch.tensor([1, 0])],
              torch.nn.functional.conv2d(images, torch.ones(2, 3, 2, 2))):
        assert y.is_contiguous(memory_format=torch.channels_last)
