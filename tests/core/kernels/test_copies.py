"""Elements copied from any layout to any other, tile by tile where that is worth it; what is expanded, computed
once; products of integers."""

import numpy as np
import pytest

import minigrad as torch


#: the dims in another order, and a part of each
ORDERS = [(0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0)]
PARTS = [np.s_[:, :, :], np.s_[::2, :, 1:], np.s_[:1, :, ::3]]


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("shape", [(90, 130, 3), (9, 8, 700), (1, 257, 65), (70, 1, 70), (5, 0, 4)])
def test_every_layout_is_read_and_written(shape, dtype):
    numbers = np.random.default_rng(0).integers(0, 100, shape).astype(dtype)
    for order in ORDERS:
        for part in PARTS:
            array = numbers.transpose(order)[part]
            source = torch.from_numpy(numbers).permute(order)[part]
            np.testing.assert_array_equal(source.contiguous().numpy(), array)
            np.testing.assert_array_equal(source.clone().numpy(), array)
            np.testing.assert_array_equal(source.clone(memory_format=torch.contiguous_format).numpy(), array)
            np.testing.assert_array_equal(source.flip(0, 2).numpy(), array[::-1, :, ::-1])
            for back in ORDERS:
                room = torch.zeros([2 * array.shape[k] for k in back], dtype=source.dtype)
                to = room[::2, ::2, ::2].permute(np.argsort(back).tolist())
                to.copy_(source)
                np.testing.assert_array_equal(to.numpy(), array)
                assert room.count_nonzero() == to.count_nonzero()           # and nothing is written between
                to.copy_(source[:1])
                np.testing.assert_array_equal(to.numpy(), np.broadcast_to(array[:1], array.shape))


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_arrays_of_any_layout_are_joined(dim):
    x = np.arange(20 * 30 * 40, dtype=np.float32).reshape(20, 30, 40)
    views = [x, x[:, ::-1].copy()[:, ::-1], np.broadcast_to(x[:1], x.shape), x.copy(order="F"),
             x[:0] if dim == 0 else x]
    tensors = [torch.from_numpy(v) if min(v.strides) >= 0 and v.flags.writeable else torch.tensor(np.array(v))
               for v in views]
    tensors[2] = torch.from_numpy(x)[:1].expand(20, 30, 40)
    np.testing.assert_array_equal(torch.cat(tensors, dim).numpy(), np.concatenate(views, dim))
    images = torch.arange(480.).reshape(2, 3, 8, 10).to(memory_format=torch.channels_last)
    assert torch.cat([images, images], dim).is_contiguous(memory_format=torch.channels_last)
    assert torch.cat([images, images.contiguous()], dim).is_contiguous()
    np.testing.assert_array_equal(torch.stack(tensors[:4], dim).numpy(), np.stack(views[:4], dim))


@pytest.mark.parametrize("sizes", [(1, 60, 60), (60, 1, 60), (60, 60, 1), (1, 60, 1), (1, 1, 1)])
def test_results_along_an_expanded_dim_are_computed_once(sizes):
    calls = [torch.exp, lambda x: x * 2, torch.isnan, lambda x: torch.where(x > 0, x, 0.5), lambda x: x + x]
    x = torch.randn(sizes, generator=torch.Generator().manual_seed(0))
    seen = x.expand(60, 60, 60)
    for call in calls:
        once = call(x)
        assert torch.equal(call(seen), once.expand(60, 60, 60))
        assert torch.equal(call(seen.permute(2, 0, 1)), once.permute(2, 0, 1).expand(60, 60, 60))
        assert call(seen).stride() == torch.empty_like(seen).stride()
    out = torch.empty(60, 60, 60).transpose(0, 1)
    torch.exp(seen, out=out)
    assert torch.equal(out, x.exp().expand(60, 60, 60))
    half = seen.half()
    assert torch.equal(half * 3, (x.half() * 3).expand(60, 60, 60))


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_lines_that_are_all_the_same_are_computed_once(dim):
    calls = [torch.sum, torch.amax, torch.argmin, torch.logsumexp, torch.var, torch.softmax, torch.cumsum]
    several = [torch.max, torch.sort, torch.cummax, torch.median, lambda x, dim: torch.topk(x, 3, dim)]
    for sizes in [(1, 60, 60), (60, 1, 60), (60, 60, 1), (1, 60, 1)]:
        x = torch.randn(sizes, generator=torch.Generator().manual_seed(0))
        seen = x.expand(60, 60, 60)
        full = seen.contiguous()
        for call in calls:
            torch.testing.assert_close(call(seen, dim), call(full, dim))
            assert call(seen, dim).stride() == call(full, dim).stride()
        for call in several:
            for a, b in zip(call(seen, dim), call(full, dim)):
                assert torch.equal(a, b)
        torch.testing.assert_close(seen.sum(dim, keepdim=True), full.sum(dim, keepdim=True))
        torch.testing.assert_close(seen.amax((dim, dim - 1)), full.amax((dim, dim - 1)))


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
def test_products_of_integers_are_exact_and_wrap_around(dtype):
    draw = np.random.default_rng(0)
    low = 0 if dtype == "uint8" else -100
    for largest, shapes in [(100, ((40, 50), (50, 30))), (100, ((3, 40, 50), (50, 30))), (2**40, ((30, 40), (40, 35)))]:
        if largest > 100 and dtype != "int64":
            continue
        a, b = (draw.integers(low, largest, s).astype(dtype) for s in shapes)
        with np.errstate(all="ignore"):
            expected = (a.astype(object) @ b.astype(object)) % 2**64
        bits = 8 * a.itemsize
        expected = np.vectorize(lambda n: n % 2**bits, otypes=[object])(expected)
        found = torch.from_numpy(a) @ torch.from_numpy(b)
        assert found.dtype is getattr(torch, dtype)
        np.testing.assert_array_equal(found.numpy().astype(object) % 2**bits, expected)
        turned = torch.from_numpy(np.ascontiguousarray(a.swapaxes(-1, -2))).transpose(-1, -2)
        assert torch.equal(turned @ torch.from_numpy(b), found)


def test_sums_of_lines_with_gaps_between_them_are_those_of_the_copy():
    x = torch.randn(300, 500, generator=torch.Generator().manual_seed(0))
    for view in (x[::2], x[:, 3:400], x[5:250, ::3]):
        assert torch.equal(view.sum(1), view.contiguous().sum(1))
        torch.testing.assert_close(view.sum(0), view.contiguous().sum(0))
        torch.testing.assert_close(view.sum(), view.contiguous().sum())


def test_more_dims_than_there_is_room_for_are_left_to_numpy():
    x = torch.arange(6.0).view(2, *[1] * 58, 3)
    for each in (x.transpose(0, -1), x.transpose(0, -1)[::2], x.transpose(5, -1)):
        for copy in (each.clone(), each.contiguous(), each.double(), each.to(torch.float16)):
            np.testing.assert_array_equal(copy.numpy(), each.numpy())


def test_an_expanded_dim_stays_between_those_that_are_exchanged():
    x = torch.arange(8.0).view(4, 2).t().unsqueeze(1).expand(2, 3, 4)
    for each in (x.abs(), x.double(), x.to(torch.float16), x.flip(0), x.clone()):
        assert each.stride() == (1, 2, 6)
