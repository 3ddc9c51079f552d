"""saved_bytes: what a tensor keeps alive, counted once."""

import gc

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd.graph import get_gradient_edge, saved_bytes, saved_tensors_hooks

KB = 4000               # bytes of a thousand float32


def leaf(n=1000):
    return torch.ones(n, requires_grad=True)


def test_it_counts_by_operation_without_the_leaves():
    x = leaf()
    report = saved_bytes((x * x).exp().sum())
    assert (report.total, report.leaves, report.nodes, report.pieces) == (KB, KB, 3, 1)
    assert {name: (op.nodes, op.bytes) for name, op in report.by_op.items()} == {
        "ExpBackward0": (1, KB), "SumBackward0": (1, 0), "MulBackward0": (1, 0)}
    assert [*report.by_op][0] == "ExpBackward0" and report.node_bytes > 100


def test_data_that_require_no_grad_belong_to_the_total():
    data = torch.ones(1000)
    assert saved_bytes(leaf() * data).total == KB


def test_shared_memory_is_counted_once():
    x = leaf()
    y = x.exp()
    a, b = (y * y).sum(), (y * 2).sin().sum()
    assert saved_bytes(a).total == KB and saved_bytes([a, b]).total == 2 * KB
    assert saved_bytes([a, a.clone(), y]).total == KB and saved_bytes([a, b]).pieces == 2


def test_a_view_keeps_the_whole_base():
    big = torch.ones(10, 1000)
    assert saved_bytes(leaf() * big[0]).total == saved_bytes([leaf() * big[0], leaf() * big[1]]).total == 10 * KB
    assert saved_bytes(leaf(3000).view(3, 1000) * torch.ones(1).expand(3, 1000)).total == 4


def test_what_a_pass_let_go_of_is_gone():
    loss = leaf().exp().sum()
    assert saved_bytes(loss).total == KB
    loss.backward()
    assert saved_bytes(loss).total == 0 and saved_bytes(loss).nodes == 2


def test_packed_contents_are_measured_and_never_unpacked():
    def refuse(packed):
        raise AssertionError("unpacked")

    x = leaf()
    with saved_tensors_hooks(lambda t: t.half(), refuse):
        halves = x.exp()
    with saved_tensors_hooks(lambda t: (t.numpy(force=True).tobytes(), [t.shape]), refuse):
        written = x.exp()
    with saved_tensors_hooks(lambda t: "file.npy", refuse):
        elsewhere = x.exp()
    assert (saved_bytes(halves).total, saved_bytes(halves).unknown) == (KB // 2, 0)
    assert (saved_bytes(written).total, saved_bytes(written).unknown) == (KB, 0)
    assert (saved_bytes(elsewhere).total, saved_bytes(elsewhere).unknown) == (0, 1)
    assert "1 saved tensor packed by hooks into something that cannot be measured" in str(saved_bytes(elsewhere))


def test_a_content_that_holds_itself():
    around = []
    around.append(around)
    with saved_tensors_hooks(lambda t: around, lambda packed: None):
        y = leaf().exp()
    assert saved_bytes(y).total == 0


def test_what_a_function_saves_and_what_it_keeps_on_ctx():
    class Keeping(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x.exp())
            ctx.more = [x.sin(), np.ones(1000, np.float32)]
            ctx.name = "keeping"
            return x * 1

        @staticmethod
        def backward(ctx, d):
            return d

    report = saved_bytes(Keeping.apply(leaf()))
    assert (report.total, report.unknown) == (3 * KB, 0) and report.by_op["KeepingBackward"].bytes == 3 * KB


def test_a_write_through_a_view():
    x = torch.zeros(2000)
    x[:1000].copy_(leaf()).mul_(torch.ones(1000))
    report = saved_bytes(x)
    assert report.by_op["CopySlices"].bytes >= KB
    assert report.total == sum([op.bytes for op in report.by_op.values()])


@pytest.mark.drawn
def test_a_million_nodes():
    x = leaf(1)
    y = x
    for _ in range(1_000_000):
        y = y + 1
    report = saved_bytes(y)
    assert report.nodes == report.sums == 1_000_000 and report.total == 0
    assert "1000000 additions follow one another" in str(report)


def test_lines_are_those_of_anomaly_mode():
    x = leaf()
    assert "To see which lines made the nodes, run the forward pass in anomaly mode" in str(saved_bytes(x.exp()))
    with torch.autograd.set_detect_anomaly(True):
        total = sum([(x * x).exp().sum() for _ in range(3)])
    report = saved_bytes(total)
    place, = report.by_op["ExpBackward0"].lines
    assert place.startswith("test_saved_memory.py:") and report.by_op["ExpBackward0"].lines[place] == 3
    assert f"{place} (x3)" in str(report) and "anomaly mode" not in str(report)


def test_only_a_row_of_additions_is_called_a_loop():
    x = leaf()
    assert "additions" not in str(saved_bytes(x + x + x))
    total = 0
    for _ in range(10):
        total += (x * x).sum()
    assert saved_bytes(total).sums == 10 and "total += loss.item()" in str(saved_bytes(total))


def test_edges_nodes_leaves_and_what_has_no_graph():
    x = leaf()
    y = x.exp()
    assert (saved_bytes(get_gradient_edge(y)).total == saved_bytes(y.grad_fn).total
            == saved_bytes([get_gradient_edge(y), y]).total == KB)
    assert (saved_bytes(x).nodes, saved_bytes(x).leaves, saved_bytes(torch.ones(3)).nodes) == (0, KB, 0)
    with pytest.raises(TypeError, match="saved_bytes.*not 'int'.*MG205"):
        saved_bytes(3)


def test_looking_leaves_no_trace():
    x = leaf()
    loss = (x * x).exp().sum()
    saved_bytes(loss)
    loss.backward()
    assert x.grad is not None
    while gc.collect():             # what other tests left behind, with finalizers that leave more
        pass
    gc.disable()
    try:
        loss = (x * x).exp().sum()
        report = saved_bytes(loss)
        del loss
        assert report.nodes == 3 and not gc.collect()
    finally:
        gc.enable()


def test_inside_a_transform():
    seen = []

    def f(x):
        y = x.exp()
        seen.append(saved_bytes(y))
        return y.sum()

    torch.func.grad(f)(torch.ones(1000))
    assert seen[0].nodes == 1 and seen[0].total == KB


def test_a_list_of_tensors_is_counted_one_by_one():
    rows, columns = torch.arange(1000), torch.zeros(1000, dtype=torch.int64)
    y = leaf().reshape(1000, 1)[rows, columns]
    assert saved_bytes(y).by_op["IndexBackward0"].bytes == 2 * rows.nbytes
