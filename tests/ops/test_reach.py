"""Every operation takes what PyTorch's takes: inputs without elements or dims, batches, complex numbers.

Which of the changed sample calls (reaching.py) PyTorch takes is on record, so that a new row cannot leave one out.
"""

import json
import warnings

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import Tensor
from minigrad.autograd import gradcheck
from tests.ops.reaching import changed, dtype_for
from tests.ops.test_ops import agree, array, bound, call, flat, function_of, ours, same_gradients
from tests.ops.test_result_dtypes import SHARED
from tests.parity.records import make_sample_reach
from tests.parity.records.make_result_dtypes import named

#: Where PyTorch's answer is not followed, and why.
DIFFERENT = {
    **dict.fromkeys(["mse_loss 2 complex", "scaled_dot_product_attention 1 complex",
                     "scaled_dot_product_attention 2 complex", "grid_sample 1 complex", "batch_norm 3 complex"],
                    "refused here, and by PyTorch in most calls of the function"),
    **dict.fromkeys(["conv1d 2 empty", "conv2d 1 empty", "conv2d 2 empty", "conv_tbc 1 empty", "convolution 1 empty"],
                    "without channels the sum is zeros in each output; PyTorch drops the outputs"),
    **dict.fromkeys([*[f"lu_unpack {i} {how}" for i in (1, 2, 3) for how in ("empty", "more dims")],
                     "native_batch_norm 1 more dims"],
                    "PyTorch does not check that the arguments fit each other"),
    **dict.fromkeys(["take_along_dim 1 more dims", "take_along_dim 2 more dims"], "PyTorch reads beyond the memory"),
    **dict.fromkeys(["pow 10 complex", "pow 11 complex", "pow 12 complex", "logaddexp 2 complex"],
                    "powers of zero, and infinities, follow from the real ones"),
    "multi_margin_loss 1 empty": "the mean of nothing is nan; PyTorch's is left as it was in memory",
    "multilabel_margin_loss 1 empty": "the loss of nothing is 0; PyTorch's is left as it was in memory",
    "cumprod 2 complex": "a real product of complex numbers is one of their real parts, and so is its gradient",
}
RECORD = json.loads(make_sample_reach.FILE.read_text())
TAKEN = [pytest.param(row, word, changed(row, word)[number], results, id=f"{name}-{word}")
         for name, row in named(SHARED) for word, (number, results) in RECORD.get(name, {}).items()
         if f"{name} {word}" not in DIFFERENT]
#: The same in values, but PyTorch has no gradient of what has no elements.
NO_GRADIENT = ("linalg.householder_product", "orgqr", "ormqr", "linalg.cond", "linalg.norm", "view_as_real",
               "view_as_real_copy")


def test_all_rows_are_on_record():
    names = {name for name, _ in named(SHARED)}
    assert names == {*RECORD}, "run python -m tests.parity.records.make_sample_reach where torch 2.13 is installed"


@pytest.mark.parametrize("row, word, case, results", TAKEN)
def test_what_pytorch_takes_is_taken(row, word, case, results):
    inputs, args, kwargs, _ = bound(ours, row, case, dtype_for(word))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("error", RuntimeWarning)
        assert make_sample_reach.described(call(minigrad, row, args, kwargs), minigrad) == results
        if inputs and row.grad and not row.kink and word != "complex" and "unpool" not in row.name:
            function = function_of(row, inputs, args, kwargs)
            results = function(*inputs)
            if results and all([np.isfinite(array(y)).all() for y in results]):
                assert gradcheck(function, tuple(inputs))


@pytest.fixture
def torch():
    """PyTorch, with nan in all memory that it does not write: such a result would agree on one machine in two."""
    module = pytest.importorskip("torch")
    module.use_deterministic_algorithms(True, warn_only=True)
    yield module
    module.use_deterministic_algorithms(False)


@pytest.mark.parity
@pytest.mark.parametrize("row, word, case, results", TAKEN)
def test_it_gives_what_pytorch_gives(torch, row, word, case, results):
    def theirs(a, requires_grad):
        return torch.from_numpy(a.copy()).requires_grad_(requires_grad)

    what, dtype = f"{row}({case}), {word}", dtype_for(word)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine, args, kwargs, _ = bound(ours, row, case, dtype)
        actual = [y for y in flat(call(minigrad, row, args, kwargs)) if isinstance(y, Tensor)]
        yours, args, kwargs, _ = bound(theirs, row, case, dtype)
        expected = [y for y in flat(call(torch, row, args, kwargs)) if isinstance(y, torch.Tensor)]
        with_gradient = word != "empty" or row.name not in NO_GRADIENT
        for a, e in zip(actual, expected, strict=True):
            assert a.requires_grad == e.requires_grad or not with_gradient, what
            agree(array(a), array(e), row, dtype, what)
        pairs = [(a, e) for a, e in zip(actual, expected) if e.requires_grad]
        if pairs and mine and with_gradient:
            same_gradients(torch, row, pairs, mine, yours, dtype, what)
