"""Elements copied from any layout to any other, tile by tile where that is worth it; what is expanded, computed
once; products of integers."""

from math import prod

import numpy as np
import pytest

import minigrad as torch


#: the dims in another order, and a part of each
ORDERS = [(0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0)]
PARTS = [np.s_[:, :, :], np.s_[::2, :, 1:], np.s_[:1, :, ::3]]


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("shape", [(90, 130, 3), (9, 8, 700), (1, 257, 65), (70, 1, 70), (5, 0, 4),
                                   (70, 512, 1), (11, 10, 1)])
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


def test_memory_with_gaps_has_the_views_that_numpy_knows():
    draw, seen, copied = np.random.default_rng(0), 0, 0
    for _ in range(3000):
        ndim = draw.integers(1, 5)
        whole = np.arange(prod(sizes := draw.integers(1, 5, ndim)), dtype=np.float32).reshape(sizes)
        order, steps = draw.permutation(ndim) if draw.random() < 0.4 else range(ndim), draw.integers(1, 3, ndim)
        part = tuple([slice(None, None, step) if draw.random() < 0.4 else slice(None) for step in steps])
        array, tensor = whole.transpose(order)[part], torch.from_numpy(whole).permute(*order)[part]
        if draw.random() < 0.2:
            array, tensor = np.broadcast_to(array, (3, *array.shape)), tensor.expand(3, *tensor.shape)
        size, rest = [], array.size
        while rest > 1:
            size.append(int(draw.choice([n for n in range(1, rest + 1) if rest % n == 0])))
            rest //= size[-1]
        size = tuple(size) if draw.random() < 0.5 or not size else (-1, *size[1:])
        expected = array.reshape(size)
        if np.may_share_memory(expected, array):
            seen += 1
            view = tensor.view(size)
            assert view.data_ptr() == tensor.data_ptr() and view._base is not None
            np.testing.assert_array_equal(view.numpy(), expected)
            assert tensor.reshape(size).stride() == view.stride()
        else:
            copied += 1
            with pytest.raises(RuntimeError, match="view size is not compatible"):
                tensor.view(size)
            assert tensor.reshape(size).is_contiguous()
        np.testing.assert_array_equal(tensor.reshape(size).numpy(), expected)
        x = torch.zeros(expected.shape, requires_grad=True)         # and the way back is a copy where it must be
        x.view(array.shape).backward(tensor)
        np.testing.assert_array_equal(x.grad.numpy(), expected)
    assert seen > 500 and copied > 100


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


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int64", "uint8", "bool"])
def test_numbers_along_an_expanded_dim_are_read_once(dtype):
    draw = torch.Generator().manual_seed(0)
    for sizes in [(1, 13, 70), (13, 1, 70), (13, 70, 1), (1, 13, 1), (1, 1, 1)]:
        x = (4 * torch.rand(sizes, generator=draw)).to(getattr(torch, dtype))
        seen = x.expand(*[max(size, 30) if size == 1 else size for size in sizes])
        full = seen.contiguous()
        for dims in [0, 1, 2, (0, 1), (0, 2), (1, 2), (0, 1, 2)]:
            for keep in (False, True):
                torch.testing.assert_close(seen.sum(dims, keepdim=keep), full.sum(dims, keepdim=keep))
                for call in (torch.amax, torch.amin):
                    assert torch.equal(call(seen, dims, keepdim=keep), call(full, dims, keepdim=keep))
            assert torch.equal(seen.any(dims), full.any(dims)) and torch.equal(seen.all(dims), full.all(dims))
        torch.testing.assert_close(seen.sum(), full.sum())
        assert torch.equal(seen.max(), full.max())
        for other in (torch.float32, torch.float16, torch.int64, torch.bool):
            assert torch.equal(seen.to(other), full.to(other))
            assert other is seen.dtype or seen.to(other).stride() == seen.clone().stride()
    x = torch.tensor([[1.], [float("inf")], [float("nan")]], dtype=torch.float64).expand(3, 500)
    np.testing.assert_array_equal(x.sum(1).numpy(), [500, np.inf, np.nan])


@pytest.mark.parametrize("shape", [(40, 700), (40, 20), (5, 16, 9, 20), (3, 4, 2)])
def test_rows_of_any_layout_are_read_and_written(shape):
    numbers = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    last = len(shape) - 1
    views = [lambda x: x[..., ::2], lambda x: x.swapaxes(0, last), lambda x: x[:, ::-1] if type(x) is np.ndarray else
             x.flip(1), lambda x: x.swapaxes(1, last)[::2]]
    for view in views:
        array, tensor = view(numbers), view(torch.tensor(numbers))
        at = np.random.default_rng(1).integers(0, len(array), 7)
        index = torch.tensor(at)
        np.testing.assert_array_equal(tensor[index].numpy(), array[at])
        np.testing.assert_array_equal(tensor.index_select(0, index).numpy(), array[at])
        written, to = array.copy(), torch.zeros([2 * n for n in array.shape])[tuple([np.s_[::2]] * array.ndim)]
        to.copy_(tensor)
        written[at[:3]] = array[at[3:6]]
        to[index[:3]] = tensor[index[3:6]]
        np.testing.assert_array_equal(to.numpy(), written)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_rows_of_any_length_are_turned_round(dtype):
    for n in range(40):
        x = np.arange(3 * n).astype(dtype).reshape(3, n)
        np.testing.assert_array_equal(torch.from_numpy(x).flip(1).numpy(), x[:, ::-1])


def test_what_is_in_order_stays_so():
    for n in (1, 5, 600, 5000):
        x = torch.arange(n, dtype=torch.float32).div(3, rounding_mode="floor")
        x = torch.cat([x, torch.full((3,), float("nan"))])
        for values in (x, x.double(), x[:-3].long(), torch.zeros(n)):
            found, at = values.sort(stable=True)
            np.testing.assert_array_equal(found.numpy(), values.numpy())
            assert torch.equal(at, torch.arange(len(values)))
            turned = values.flip(0)
            found, at = turned.sort(descending=True, stable=True)
            np.testing.assert_array_equal(found.numpy(), turned.numpy())
            assert torch.equal(at, torch.arange(len(values)))
            other = values.clone()
            other[-1] = -1
            assert other.sort().indices[0] == len(values) - 1


def test_images_are_rolled_as_they_lie():
    images = torch.arange(480.).reshape(2, 3, 8, 10)
    last = images.to(memory_format=torch.channels_last)
    for shifts, dims in [(1, 0), (2, 1), ((3, -4), (2, 3))]:
        assert torch.equal(last.roll(shifts, dims), images.roll(shifts, dims))
        assert last.roll(shifts, dims).stride() == last.stride()
        assert images.roll(shifts, dims).is_contiguous()
    assert images.transpose(1, 2).roll(1, 1).is_contiguous()


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
def test_integers_between_limits(dtype):
    limits = np.iinfo(dtype)
    x = np.random.default_rng(0).integers(limits.min, limits.max, (9, 40), dtype, endpoint=True)
    tensor = torch.from_numpy(x)
    many = np.tile(x, (60, 1))
    for some, seen in [(x, tensor), (x[::2, 1::3], tensor[::2, 1::3]), (x.T, tensor.t()), (x[:0], tensor[:0]),
                       (many, torch.from_numpy(many))]:
        np.testing.assert_array_equal(torch.relu(seen).numpy(), np.maximum(some, 0))
        np.testing.assert_array_equal(seen.clamp(min=5).numpy(), np.maximum(some, 5))
        np.testing.assert_array_equal(seen.clamp(max=5).numpy(), np.minimum(some, 5))
        np.testing.assert_array_equal(seen.clamp(9, 5).numpy(), np.full_like(some, 5))
        found = torch.nn.functional.threshold(seen, 7, 3)
        np.testing.assert_array_equal(found.numpy(), np.where(some <= 7, 3, some))
        assert found.dtype is seen.dtype and torch.equal(seen, seen)


@pytest.mark.parametrize("dtype", ["uint8", "int64"])
def test_windows_of_integers(dtype):
    x = np.random.default_rng(0).integers(0, 200, (2, 3, 7, 9)).astype(dtype)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=np.iinfo(dtype).min)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2]
    values, places = torch.nn.functional.max_pool2d(torch.from_numpy(x), 3, 2, 1, return_indices=True)
    np.testing.assert_array_equal(values.numpy(), windows.max((4, 5)))
    np.testing.assert_array_equal(np.take_along_axis(x.reshape(2, 3, -1), places.numpy().reshape(2, 3, -1), 2),
                                  values.numpy().reshape(2, 3, -1))
    if dtype == "int64":
        sums = np.lib.stride_tricks.sliding_window_view(x - 100, (2, 2), (2, 3))[:, :, ::2, ::2].sum((4, 5))
        for by in (4, 3, -3):
            found = torch.nn.functional.avg_pool2d(torch.from_numpy(x - 100), 2, divisor_override=by)
            np.testing.assert_array_equal(found.numpy(), np.trunc(sums / by))


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
