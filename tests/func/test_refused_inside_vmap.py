"""What a function refuses for one example, its batch rule refuses for a batch; what it takes, has a loop's result."""

import pytest

import minigrad as torch
from minigrad.nn import functional as F

ONES = torch.ones
INT = torch.int64


def places(*values):
    return torch.tensor(values)


CALLS = {
    "mm of a vector": (torch.mm, ONES(2), ONES(2, 2)),
    "mm of batches": (torch.mm, ONES(3, 2, 2), ONES(2, 2)),
    "mv of vectors": (torch.mv, ONES(2), ONES(2)),
    "mv of a matrix": (torch.mv, ONES(2, 2), ONES(2, 2)),
    "dot of matrices": (torch.dot, ONES(2, 2), ONES(2)),
    "outer of matrices": (torch.outer, ONES(2, 2), ONES(2)),
    "addr of matrices": (torch.addr, ONES(2, 2), ONES(2, 1), ONES(2)),
    "addr of numbers": (torch.addr, ONES(2, 2), ONES(2), ONES(())),
    "bmm of matrices": (torch.bmm, ONES(2, 2), ONES(2, 2)),
    "bmm of other lengths": (torch.bmm, ONES(2, 2, 3), ONES(2, 2, 3)),
    "bmm of other numbers": (torch.bmm, ONES(2, 2, 3), ONES(1, 3, 3)),
    "bmm of other dtypes": (torch.bmm, ONES(2, 2, 3), ONES(2, 3, 3, dtype=torch.float64)),
    "addmm to another dtype": (torch.addmm, ONES(2, 2, dtype=torch.float64), ONES(2, 2), ONES(2, 2)),
    "addmm to another shape": (torch.addmm, ONES(3, 2), ONES(2, 2), ONES(2, 2)),
    "addmm of ints by a fraction": (lambda x, y, z: torch.addmm(x, y, z, alpha=0.5), *[ONES(2, 2, dtype=INT)] * 3),
    "addmm of ints": (lambda x, y, z: torch.addmm(x, y, z, alpha=2), *[ONES(2, 2, dtype=INT)] * 3),
    "layer_norm of another shape": (lambda x: F.layer_norm(x, (3,)), ONES(2, 2)),
    "layer_norm with other weights": (lambda x, w: F.layer_norm(x, (2,), w), ONES(2, 2), ONES(3)),
    "layer_norm of another shape with weights": (lambda x, w: F.layer_norm(x, (2,), w), ONES(3), ONES(2)),
    "layer_norm of no dims with weights": (lambda x, w: F.layer_norm(x, (), w), ONES(3), ONES(3)),
    "rms_norm of another shape with weights": (lambda x, w: F.rms_norm(x, (2,), w), ONES(3), ONES(2)),
    "layer_norm of no dims": (lambda x: F.layer_norm(x, ()), ONES(2, 2)),
    "batch_norm of a vector": (lambda x: F.batch_norm(x, None, None, training=True), ONES(2)),
    "batch_norm with other weights": (lambda x, w: F.batch_norm(x, None, None, w, training=True), ONES(2, 2), ONES(3)),
    "group_norm of no groups": (lambda x: F.group_norm(x, 0), ONES(2, 2)),
    "group_norm of groups that do not divide": (lambda x: F.group_norm(x, 3), ONES(2, 4)),
    "max_pool2d of a vector": (lambda x: F.max_pool2d(x, 2), ONES(4)),
    "avg_pool1d of a number": (lambda x: F.avg_pool1d(x, 1), ONES(())),
    "conv1d of a vector": (lambda x, w: F.conv1d(x, w), ONES(4), ONES(1, 1, 2)),
    "linear of a number": (lambda x, w: F.linear(x, w), ONES(()), ONES(2, 2)),
    "linear of another length": (lambda x, w: F.linear(x, w), ONES(3), ONES(2, 2)),
    "bilinear of a number": (F.bilinear, ONES(()), ONES(2), ONES(1, 1, 2)),
    "fractional_max_pool2d of a vector": (lambda x: F.fractional_max_pool2d(x, 2, 1), ONES(4)),
    "grid_sample of a vector": (lambda x, g: F.grid_sample(x, g, align_corners=False), ONES(3), ONES(3)),
    "grid_sample of numbers": (lambda x, g: F.grid_sample(x, g, align_corners=False), ONES(()), ONES(())),
    "channel_shuffle of a number": (lambda x: torch.native_channel_shuffle(x, 2), ONES(())),
    "affine_grid of a number": (lambda x: F.affine_grid(x, (1, 1, 2, 2), align_corners=False), ONES(())),
    "embedding beside a row without a gradient": (lambda w, i: F.embedding(i, w, padding_idx=1), ONES(3, 2),
                                                  places(0, 1, 1)),
    "index_put of too many dims": (lambda x, v: x.index_put((places(0),), v), ONES(2), ONES(1, 1, 1)),
    "index_put of another dtype": (lambda x, v: x.index_put((places(0),), v), ONES(2), ONES(1, dtype=torch.float64)),
    "put of too few": (lambda x, v: x.put(places(0, 1), v), ONES(2), ONES(1)),
    "put of another dtype": (lambda x, v: x.put(places(0), v), ONES(2), ONES(1, dtype=torch.float64)),
    "select_scatter of a number": (lambda x, v: torch.select_scatter(x, v, 0, 0), ONES(()), ONES(())),
    "slice_scatter of a number": (lambda x, v: torch.slice_scatter(x, v), ONES(()), ONES(())),
    "index_fill with a double": (lambda x, v: x.index_fill(0, places(0), v), ONES(2), ONES((), dtype=torch.float64)),
    "index_fill of a number": (lambda x, v: x.index_fill(0, places(0), v), ONES(()), torch.zeros(())),
    "index_add of a number": (lambda x, v: x.index_add(0, places(0), v), ONES(()), ONES(())),
    "index_add of another dtype": (lambda x, v: x.index_add(0, places(0), v), ONES(2), ONES(1, dtype=torch.float64)),
    "index_fill of a number at its place": (lambda x, i: x.index_fill(0, i, 3.), ONES(()), places(0)),
    "index_add of a number at its place": (lambda x, i, v: x.index_add(0, i, v), ONES(()), places(0), ONES(1)),
    "index_copy of a double at its place": (lambda x, i, v: x.index_copy(0, i, v), ONES(2), places(0),
                                            ONES(1, dtype=torch.float64)),
    "index_copy of a number": (lambda x, v: x.index_copy(0, places(0), v), ONES(()), torch.zeros(1)),
    "masked_select with numbers": (lambda x, m: x.masked_select(m).sum(), ONES(2), ONES(2)),
    "masked_scatter of a number": (lambda x, v: x.masked_scatter(torch.tensor(True), v), ONES(()), torch.zeros(1)),
    "searchsorted in a number": (torch.searchsorted, ONES(()), ONES(2)),
    "bucketize": (torch.bucketize, ONES(2), ONES(2)),
    "multilabel_margin_loss of other shapes": (F.multilabel_margin_loss, ONES(2), torch.zeros(3, dtype=INT)),
    "multilabel_margin_loss of numbers": (F.multilabel_margin_loss, ONES(()), torch.zeros((), dtype=INT)),
    "a slope of multilabel_margin_loss of numbers": (torch.func.grad(F.multilabel_margin_loss), ONES(()),
                                                     torch.zeros((), dtype=INT)),
    "ctc_loss of other lengths": (lambda x, y: F.ctc_loss(x, y, (3,), (9,)), ONES(3, 1, 2), ONES(1, 1, dtype=INT)),
    "ctc_loss of a vector": (lambda x, y: F.ctc_loss(x, y, (3,), (1,)), ONES(3), torch.ones(1, 1, dtype=INT)),
    "masked_fill with a vector": (lambda x, v: x.masked_fill(x > 0, v), ONES(2), ONES(1)),
    "masked_fill with a complex number": (lambda x, v: x.masked_fill(x > 0, v), ONES(2), torch.tensor(1j)),
    "masked_fill with an int": (lambda x, v: x.masked_fill(x > 0, v), ONES(2), torch.tensor(3)),
    "masked_fill by numbers": (lambda x, m: x.masked_fill(m, 1.), ONES(2), ONES(2)),
    "reshape to two unknowns": (lambda x: x.reshape(-1, -1), ONES(4)),
    "reshape to another number": (lambda x: x.reshape(3, -1), ONES(4)),
    "view to two unknowns": (lambda x: x.view(-1, -1), ONES(4)),
    "view to another number": (lambda x: x.view(3, -1), ONES(4)),
    "view of nothing": (lambda x: x.view(-1, 0), torch.zeros(0)),
    "reshape of nothing": (lambda x: x.reshape(-1, 0), torch.zeros(0)),
    "sum_to_size of more dims": (lambda x: x.sum_to_size(2, 2), ONES(2)),
    "sum_to_size": (lambda x: x.sum_to_size(1, 2), ONES(3, 2)),
}


def outcome(call):
    try:
        return call()
    except (RuntimeError, ValueError, IndexError, TypeError) as e:
        return type(e)


def same(left, right):
    if isinstance(left, type) or isinstance(right, type):
        return left is right
    return left.dtype == right.dtype and left.shape == right.shape and torch.allclose(left, right, equal_nan=True)


@pytest.mark.parametrize("mapped", ["all", "first", "last"])
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_a_batch_is_what_its_examples_are(name, mapped):
    function, *args = CALLS[name]
    maps = [True if mapped == "all" else i == (0 if mapped == "first" else len(args) - 1) for i in range(len(args))]
    batches = [torch.stack([x, 2 * x if x.is_floating_point() else x]) if m else x for x, m in zip(args, maps)]
    torch.manual_seed(0)
    looped = outcome(lambda: torch.stack([function(*[x[i] if m else x for x, m in zip(batches, maps)])
                                          for i in range(2)]))
    torch.manual_seed(0)
    batched = outcome(lambda: torch.vmap(function, in_dims=tuple(0 if m else None for m in maps),
                                         randomness="same")(*batches))
    assert same(batched, looped), (batched, looped)
