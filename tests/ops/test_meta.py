"""The device "meta" on every row: results and gradients have the shapes, dtypes and strides that they have on the CPU.

That is shown twice: as it is, where tensors as small as those of the samples go through the kernels themselves, and
with models of them, which is how tensors of any size are answered (Note [Models] in models.py).
"""

import functools
import warnings

import numpy as np
import pytest

import minigrad
from minigrad._core.devices import meta_functions
from minigrad._core.dispatch import compute
from minigrad._core.errors import MinigradError
from minigrad.ops import exports, kinds
from tests.checking import refuses, the_table_as_it_was
from tests.ops.calling import calls_of_rows
from tests.ops.samples import ROWS
from tests.ops.test_ops import bound, call, flat

#: What cannot be said without numbers, at least in one of the cases: how many elements there are, a bool, a check.
NEED_NUMBERS = {
    "allclose", "argwhere", "bincount", "cov", "embedding_bag", "embedding_renorm_", "equal", "histogram",
    "histogramdd", "index", "index_put", "index_reduce", "is_nonzero", "istft", "masked_select", "nonzero",
    "one_hot", "repeat_interleave", "scatter_reduce", "segment_reduce", "unique", "unique_consecutive", "where"}

#: Rows in which a shape among the parameters is not that of the result, or not always.
NOT_THE_RESULT = {
    "expand_copy": "-1 is the size that a dim has", "view_copy": "-1 is what is left",
    "masked_select_backward": "the mask may have more dims",
    "_fft_r2c_backward": "it is real, and the gradient complex"}


def on_cpu(array, requires_grad):
    return minigrad.tensor(array.copy()).requires_grad_(requires_grad)


def on_meta(array, requires_grad):
    return on_cpu(array, False).to("meta").requires_grad_(requires_grad)


def run(make, row, case, dtype):
    """What a sample gives, and its gradients."""
    inputs, args, kwargs, _ = bound(make, row, case, dtype)
    outputs = flat(call(minigrad, row, args, kwargs))
    roots = [x for x in outputs if isinstance(x, minigrad.Tensor) and x.requires_grad]
    gradients = []
    if row.grad and inputs and roots:
        gradients = minigrad.autograd.grad(roots, inputs, [minigrad.ones_like(x) for x in roots], allow_unused=True)
    return outputs, list(gradients)


def form(x, strides):
    if not isinstance(x, minigrad.Tensor):
        return type(x)
    steps = [step for n, step in zip(x.shape, x.stride()) if n != 1] if strides else None
    return tuple(x.shape), x.dtype, x.requires_grad, steps


@functools.cache
def forms_on_cpu():
    """[(row, case, dtype, forms of outputs, forms of gradients)] of all samples."""
    found = []
    for row in ROWS:
        for case in row.cases:
            for dtype in ["float64"] + ["complex128"] * row.complex + ["int64"] * row.ints:
                try:
                    outputs, gradients = run(on_cpu, row, case, dtype)
                except MinigradError:           # some dtypes are refused in some cases
                    continue
                found.append((row, case, dtype, [form(x, True) for x in outputs], [form(x, False) for x in gradients]))
    return found


@pytest.mark.parametrize(("small", "kept"), [(meta_functions.SMALL, meta_functions.KEPT), (-1, 1)],
                         ids=["as they are", "with models"])
@pytest.mark.drawn
def test_every_sample_has_the_form_that_it_has_on_the_cpu(monkeypatch, small, kept):
    monkeypatch.setattr(meta_functions, "SMALL", small)
    monkeypatch.setattr(meta_functions, "KEPT", kept)
    refused, wrong = set(), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for row, case, dtype, outputs, gradients in forms_on_cpu():
            try:
                found, of_found = run(on_meta, row, case, dtype)
            except MinigradError as problem:
                refused.add(row.name)
                if row.name not in NEED_NUMBERS:
                    wrong.append((row, case, dtype, problem))
                continue
            if [form(x, True) for x in found] != outputs or [form(x, False) for x in of_found] != gradients:
                wrong.append((row, case, dtype))
            if not all([x.is_meta for x in found + of_found if isinstance(x, minigrad.Tensor)]):
                wrong.append((row, case, dtype, "it is not on meta"))
    assert not wrong
    assert refused == NEED_NUMBERS


def test_a_shape_among_the_parameters_is_that_of_the_result():
    wrong = set()
    for name, calls in calls_of_rows().items():
        row = exports.ROWS[name]
        for args in calls:
            arrays = list(meta_functions.arrays_in(args))
            shape = meta_functions.shape_in(row, args, arrays[0]) if arrays and not row.is_view else None
            if shape is not None:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        result = compute.on_arrays(row, *args)
                    except MinigradError:
                        continue
                if (result.shape, result.dtype) != (shape, arrays[0].dtype):
                    wrong.add(name)
    assert wrong <= {*NOT_THE_RESULT}


# ------------------------------------------------------------------------------ shapes that are hard to tell

def test_many_different_sizes():
    sizes = (20, 30, 40, 50, 60, 70, 80, 90)
    classes = minigrad.nn.functional.one_hot(minigrad.empty(sizes, dtype=minigrad.int64, device="meta"), 5)
    assert classes.shape == (*sizes, 5) and classes.dtype is minigrad.int64


def test_a_large_number_among_the_parameters():
    x = minigrad.empty(3, 4, 5000, device="meta")
    assert minigrad.nn.functional.avg_pool1d(x, 3000).shape == (3, 4, 1)
    assert minigrad.nn.functional.avg_pool1d(x, 3000, 500).shape == (3, 4, 5)


@pytest.mark.parametrize("size", [100003, 100004])
def test_a_result_with_more_dims_at_some_sizes(size):
    with the_table_as_it_was():
        row = kinds.general("of_some_dims(Tensor self)", lambda a: np.zeros((1,) * (len(a) // 4 % 2), a.dtype))
        assert row(minigrad.empty(size, device="meta")).shape == row(minigrad.empty(size)).shape


def test_a_shape_that_could_only_be_told_by_computing_with_many_numbers():
    with the_table_as_it_was():
        row = kinds.general("all_pairs(Tensor self)", lambda a: np.zeros(len(a) * (len(a) - 1) // 2, a.dtype))
        assert row(minigrad.empty(5001, device="meta")).shape == (5001 * 2500,)
        with refuses(RuntimeError, "the shape of its result does not follow from the shapes of its arguments alone",
                     "MG406"):
            row(minigrad.empty(1 << 23, device="meta"))
