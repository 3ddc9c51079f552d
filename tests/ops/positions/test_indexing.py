"""Subscripts: what ``x[index]`` reads and ``x[index] = v`` writes.

Each index is a function of ``t``, which makes an index array: ``numpy.array`` for NumPy, a tensor for
minigrad and PyTorch.  So one table is compared with both.
"""

import warnings

import numpy as np
import pytest

import minigrad
from minigrad import tensor
from minigrad._core.graph import wrap
from minigrad.autograd import gradcheck, gradgradcheck
from tests.checking import refuses

SHAPE = (2, 3, 4)
ALL = slice(None)
MASK = [[True, False, True], [False, True, True]]

# Views: ints, slices, None, Ellipsis.
VIEWS = {
    "int": lambda t: 1, "negative": lambda t: -1, "numpy int": lambda t: np.int64(1), "ints": lambda t: (1, 0),
    "all ints": lambda t: (1, -1, 2),
    "slice": lambda t: slice(1, 2), "whole": lambda t: ALL, "from": lambda t: slice(-1, None),
    "step": lambda t: slice(None, None, 2),
    "beyond":
        lambda t: slice(-9, 9), "backwards": lambda t: slice(2, 1), "two slices": lambda t: (slice(0, 1), slice(1, 3)),
    "int slice":
        lambda t: (1, slice(1, None)), "slice int": lambda t: (ALL, 1), "nothing cut": lambda t: (slice(0, 2), ALL, 0),
    "none": lambda t: None, "nones": lambda t: (None, 0, None), "ellipsis": lambda t: ...,
    "ellipsis int": lambda t: (..., 1),
    "int ellipsis int":
        lambda t: (0, ..., 1), "ellipsis slice": lambda t: (..., slice(1, 3)), "ellipsis none": lambda t: (..., None),
    "slice none":
        lambda t: (ALL, None), "empty tuple": lambda t: (), "steps": lambda t: (slice(0, 1, 2), slice(1, 3, 2)),
    "needless ellipsis": lambda t: (0, 1, 2, ...),
}

# Copies: something among the indices is an array, a list, a mask or a bool; NumPy means the same.
COPIES = {
    "list": lambda t: [0, 1], "array": lambda t: t([1, 0, 1]), "negative array": lambda t: t([-1, 0]),
    "matrix": lambda t: t([[0, 1], [1, 1]]),
    "list behind": lambda t: (ALL, [2, 0]), "array behind ellipsis": lambda t: (..., t([3, 0, 0])),
    "two arrays": lambda t: (t([0, 1]), t([2, 0])),
    "broadcast": lambda t: (t([[0], [1]]), t([0, 2])), "arrays apart": lambda t: (t([0, 1]), ALL, t([3, 1])),
    "array none": lambda t: (t([0, 1]), None), "none array": lambda t: (None, t([0, 1])),
    "apart by none": lambda t: (t([0, 1]), None, t([2, 1])),
    "slice array": lambda t: (slice(1, None), t([0, 2])), "array slice": lambda t: (t([0, 0]), slice(0, 2)),
    "behind slices": lambda t: (ALL, ALL, t([1, 1])),
    "three arrays":
        lambda t: (t([0, 1]), t([2, 0]), t([3, 3])), "mask": lambda t: t(MASK), "row mask": lambda t: t([True, False]),
    "mask behind": lambda t: (ALL, t([True, False, True])), "mask int": lambda t: (t(MASK), 0),
    "mask slice": lambda t: (t(MASK), slice(1, 3)),
    "mask array": lambda t: (t(MASK), t([0, 1, 3, 3])), "none mask": lambda t: (None, t(MASK)),
    "mask of none": lambda t: t([False, False]),
    "list of bools":
        lambda t: [True, False], "no rows": lambda t: [], "tuple inside": lambda t: (0, (0, 1)), "True": lambda t: True,
    "False": lambda t: False, "True array": lambda t: (True, t([0, 1])), "range": lambda t: range(2),
    "repeated": lambda t: t([0, 0, 0]),
    "long array":
        lambda t: t([0, 1] * 20), "empty array": lambda t: t(np.zeros(0, np.int64)), "0-d mask": lambda t: t(True),
}

# Where an int is next to an index array, NumPy orders the dims in its own way; and what only PyTorch knows.
OURS = {
    "int apart":
        lambda t: (0, ALL, t([0, 1])), "array int": lambda t: (t([0, 1]), ALL, 0), "True True": lambda t: (True, True),
    "list as a tuple": lambda t: [0, slice(1, 3)], "nested list": lambda t: [[0, 1], [0, 1]],
    "array in a list": lambda t: [t([0, 1]), t([0, 1])],
    "0-d array": lambda t: t(1), "0-d array slice": lambda t: (t(1), ALL, t([0, 1])),
    "slice by array": lambda t: slice(t(0), t(1)),
    "two ellipses":
        lambda t: (..., 0, ...), "int32": lambda t: t(np.array([0, 1], np.int32)), "True int": lambda t: (True, 0),
}

WRONG = {
    "beyond": (lambda t: 2, IndexError, "index 2 is out of bounds for dimension 0 with size 2"),
    "below": (lambda t: (0, -4), IndexError, "index -4 is out of bounds for dimension 1 with size 3"),
    "too many": (lambda t: (0, 0, 0, 0), IndexError, "too many indices for tensor of dimension 3"),
    "array beyond": (lambda t: t([0, 2]), IndexError, "index 2 is out of bounds for dimension 0 with size 2"),
    "array below": (lambda t: (t([0, -3]),), IndexError, "index -3 is out of bounds"),
    "shapes": (lambda t: (t([0, 1]), t([0, 1, 2])), IndexError,
               "shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]"),
    "mask": (lambda t: t([True] * 3), IndexError,
             "The shape of the mask [3] at index 0 does not match the shape of the indexed tensor [2, 3, 4]"),
    "mask behind": (lambda t: (ALL, t([True] * 4)), IndexError, "The shape of the mask [4] at index 1 does not match"),
    "float": (lambda t: 1.5, IndexError, "only integers, slices (`:`), ellipsis (`...`), None and long or byte "
                                         "Variables are valid indices (got float)"),
    "object": (lambda t: object(), IndexError, "are valid indices (got object)"),
    "float array": (lambda t: t([0.0]), IndexError, "tensors used as indices must be long, int, byte or bool tensors"),
    "int8 array": (lambda t: t(np.array([0], np.int8)), IndexError,
                   "tensors used as indices must be long, int, byte or bool tensors"),
    "negative step": (lambda t: slice(None, None, -1), ValueError, "step must be greater than zero"),
    "slice of floats":
        (lambda t: slice(0.5, None), TypeError, "slice indices must be integers or None or have an __index__ method"),
}


def table(*tables):
    return pytest.mark.parametrize("index", [pytest.param(f, id=name) for t in tables for name, f in t.items()])


def numbers(shape=SHAPE):
    return np.arange(float(np.prod(shape))).reshape(shape)


def ours(values):
    return wrap(np.array(values))


def read(x, index):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return x[index]


# ------------------------------------------------------------------------------ reading


@table(VIEWS, COPIES)
def test_reads_what_numpy_reads(index):
    expected = numbers()[index(np.array)]
    actual = read(wrap(numbers()), index(ours))
    assert actual.shape == expected.shape and np.array_equal(actual.numpy(), expected)


@table(VIEWS)
def test_ints_slices_none_and_ellipsis_are_views(index):
    x = wrap(numbers())
    y = x[index(ours)]
    assert y._is_view() and y._base is x and np.shares_memory(x.numpy(), y.numpy()) or y.numel() == 0
    y.add_(1)
    assert np.array_equal(y.numpy(), (numbers() + 0)[index(np.array)] + 1)
    assert x._version == 1 and np.array_equal(x.numpy()[index(np.array)], y.numpy())


@table(COPIES)
def test_index_arrays_and_masks_copy(index):
    x = wrap(numbers())
    y = read(x, index(ours))
    assert not y._is_view() and not np.shares_memory(x.numpy(), y.numpy()) and y.is_contiguous()


@table(VIEWS, COPIES, OURS)
def test_gradient(index):
    def f(x):
        return read(x, index(ours)).clone()
    x = wrap(numbers(), True)
    assert gradcheck(f, x) and gradgradcheck(f, x)


def names(node):
    """The chain of nodes down to the leaf, with what each saved but the index tensors and the shapes."""
    chain = []
    while node is not None and "AccumulateGrad" not in node.name():
        chain.append((node.name(), {a: plain(getattr(node, a)) for a in dir(node) if a in (
            "_saved_dim", "_saved_index", "_saved_start", "_saved_end", "_saved_step", "_saved_self_sym_sizes")}))
        node = node.next_functions[0][0]
    return chain


def plain(saved):
    """PyTorch shows negative ints as unsigned ones."""
    return saved - 2 ** 64 if isinstance(saved, int) and saved >= 2 ** 63 else saved


@pytest.mark.parity
@table(VIEWS, COPIES, OURS)
def test_reads_as_pytorch(index):
    torch = pytest.importorskip("torch")
    x, y = wrap(numbers(), True), torch.from_numpy(numbers()).requires_grad_()
    actual, expected = read(x, index(ours)), read(y, index(lambda values: torch.from_numpy(np.array(values))))
    assert actual.shape == expected.shape and np.array_equal(actual.detach().numpy(), expected.detach().numpy())
    assert actual._is_view() == expected._is_view()
    assert names(actual.grad_fn) == names(expected.grad_fn)
    d = np.random.default_rng(0).normal(size=expected.shape)
    actual.backward(wrap(np.asarray(d)))
    expected.backward(torch.from_numpy(np.asarray(d)))
    assert np.allclose(x.grad.numpy(), y.grad.numpy())


def test_what_is_read_twice_gets_two_gradients():
    x = wrap(numbers((3,)), True)
    x[ours([0, 0, 2])].backward(wrap(np.array([1.0, 10.0, 100.0])))
    assert x.grad.tolist() == [11.0, 0.0, 100.0]


def test_the_index_is_saved_and_watched():
    x, i = wrap(numbers(), True), ours([0, 1])
    y = x[i]
    i.add_(-1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_a_tensor_without_dims():
    x = wrap(np.array(3.0))
    assert x[...].item() == x[()].item() == 3 and x[None].shape == (1,) and x[True].shape == (1,)
    assert x[False].shape == (0,)
    with pytest.raises(IndexError, match="invalid index of a 0-dim tensor"):
        x[0]
    with pytest.raises(IndexError, match=r"slice\(\) cannot be applied to a 0-dim tensor"):
        x[:]


@pytest.mark.parametrize("index, kind, text", WRONG.values(), ids=WRONG)
def test_a_wrong_index_is_named(index, kind, text):
    with pytest.raises(kind) as caught:
        wrap(numbers())[index(ours)]
    assert text in str(caught.value) and caught.value.code.startswith("MG")


@pytest.mark.parity
@pytest.mark.parametrize("index, kind, text", WRONG.values(), ids=WRONG)
def test_a_wrong_index_raises_what_pytorch_raises(index, kind, text):
    torch = pytest.importorskip("torch")
    with pytest.raises(kind):
        torch.from_numpy(numbers())[index(lambda values: torch.from_numpy(np.array(values)))]


def test_old_meanings_warn():
    x = wrap(numbers())
    with pytest.warns(UserWarning, match="non-tuple sequence"):
        assert x[[0, slice(1, 3)]].shape == (2, 4)
    with pytest.warns(UserWarning, match="uint8 is now deprecated"):
        assert x[ours(np.array([1, 0], np.uint8))].shape == (1, 3, 4)


# ------------------------------------------------------------------------------ writing

def write(array, index, value):
    """``array[index] = value`` by way of a tensor on its memory."""
    assign(wrap(array), index, wrap(value) if isinstance(value, np.ndarray) else value)


def assign(x, index, value):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        x[index] = value


@table(VIEWS, COPIES)
@pytest.mark.parametrize("value", [lambda room: -1.5, lambda room: -1 - numbers(room),
                                   lambda room: -1 - numbers((1,) * 4 + room[-1:])],
                         ids=["number", "array", "broadcast"])
def test_writes_what_numpy_writes(index, value):
    expected = numbers()
    room = expected[index(np.array)].shape
    value = value(room)
    expected[index(np.array)] = value if np.ndim(value) <= len(room) else value.reshape(value.shape[-len(room) or 4:])
    actual = numbers()
    write(actual, index(ours), value)
    assert np.array_equal(actual, expected)


@pytest.mark.parity
@table(OURS)
def test_writes_as_pytorch(index):
    torch = pytest.importorskip("torch")
    expected, actual = torch.from_numpy(numbers()), numbers()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        there = index(lambda values: torch.from_numpy(np.array(values)))
        values = -1 - numbers(tuple(expected[there].shape))
        expected[there] = torch.from_numpy(values)
        write(actual, index(ours), values)
    assert np.array_equal(actual, expected.numpy())


@pytest.mark.parametrize("index, kind, text", WRONG.values(), ids=WRONG)
def test_a_wrong_index_writes_nothing(index, kind, text):
    x = numbers()
    with pytest.raises(kind) as caught:
        write(x, index(ours), 0.0)
    assert text in str(caught.value) and np.array_equal(x, numbers())


@pytest.mark.parametrize("index, value, kind, text", [
    (0, np.ones(3), RuntimeError, "must match the existing size (3) at non-singleton dimension 1.  Target sizes: [3, "
     "4].  Tensor sizes: [3]"),
    (0, np.ones((2, 3, 4)), RuntimeError, "must be greater or equal to the number of dimensions in the tensor (3)"),
    ([0, 1], np.ones(3), RuntimeError, "shape mismatch: value tensor of shape [3] cannot be broadcast to indexing "
     "result of shape [2, 3, 4]"),
    ([0, 1], np.ones(4, np.float32), RuntimeError,
     "Index put requires the source and destination dtypes match, got Double for the destination and Float"),
    (0, 1j, RuntimeError, "value cannot be converted to type float64 without overflow"),
    (0, "a", TypeError, "can't assign a str to a torch.DoubleTensor"),
    (0, [1.0, 2.0], TypeError, "can't assign a list to a torch.DoubleTensor"),
])
def test_a_wrong_value_writes_nothing(index, value, kind, text):
    x = numbers()
    with pytest.raises(kind) as caught:
        write(x, index, value)
    assert text in str(caught.value) and np.array_equal(x, numbers())


def test_writing_casts_as_pytorch():
    x = np.arange(3)
    write(x, 0, 1.7)
    write(x, 1, np.array(2.9))
    assert x.tolist() == [1, 2, 2]
    with pytest.warns(UserWarning, match="discards the imaginary part"):
        wrap(x)[2] = tensor(5 + 1j)
    assert x.tolist() == [1, 2, 5]


def test_memory_that_cannot_take_the_write_is_refused():
    x = numbers((5,))
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        write(x, slice(1, None), x[:-1])
    expanded = minigrad.zeros(1).expand(3)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        write(expanded._array, ..., 1.0)
    write(x, slice(None, None, 2), x[1:4])
    assert x.tolist() == [1.0, 1.0, 2.0, 3.0, 3.0]


def test_assignment_on_tensors_counts_a_version():
    x = wrap(numbers())
    x[0, 1:] = 5
    assert x._version == 1 and x[0, 1:].unique().tolist() == [5.0]
    x[(0, 0)] += 1
    assert x._version == 3, "a write to the view x[0, 0], and one that puts it in its place"


def test_values_in_the_memory_that_is_written_to_are_refused():
    """One of them would be gone before it is read; exactly the same memory is harmless but for explicit positions."""
    x = wrap(numbers((4,)))
    swap = ours([1, 0])
    for assign in (lambda: x.__setitem__(swap, x[:2]), lambda: x.index_put_((swap,), x[:2]),
                   lambda: x.__setitem__(swap, x[0])):
        with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
            assign()
    assert x.tolist() == [0, 1, 2, 3] and x._version == 0
    x[swap] = x[:2].clone()
    x[:] = x
    assert x.tolist() == [1, 0, 2, 3]


# ------------------------------------------------------------------------------ writing, recorded


def room(index):
    """The shape of what is written to, and whether something is written to twice."""
    places = read(wrap(np.arange(24).reshape(SHAPE)), index(ours)).numpy()
    return places.shape, len(np.unique(places)) < places.size


@table(VIEWS, COPIES, OURS)
@pytest.mark.parametrize("broadcast", [False, True], ids=["array", "broadcast"])
def test_gradient_of_a_write(index, broadcast):
    shape, twice = room(index)
    if twice:
        return          # which value stays is not defined, and the gradient goes to all of them
    x, v = wrap(numbers(), True), wrap(-1 - numbers(shape[-1:] if broadcast else shape), True)

    def f(x, v):
        y = x * 2
        assign(y, index(ours), v * 1)
        return y
    assert gradcheck(f, (x, v)) and gradgradcheck(f, (x, v))


@table(VIEWS, COPIES, OURS)
def test_a_number_written_stops_the_gradient(index):
    x = wrap(numbers(), True)
    y = x * 1
    assign(y, index(ours), 7.0)
    written = np.zeros(SHAPE)
    write(written, index(ours), 1.0)
    y.sum().backward()
    assert np.array_equal(x.grad.numpy(), 1 - written)
    assert np.array_equal(y.detach().numpy(), np.where(written, 7, numbers()))


@table(VIEWS, COPIES, OURS)
def test_a_write_through_a_view(index):
    """The base and another view of it have the gradients of the new elements."""
    leaf, v = wrap(numbers((3, 4, 2)), True), wrap(np.array(5.0), True)
    base = leaf * 1
    early = base[..., 0]
    target = base.permute(2, 0, 1)
    assign(target, index(ours), v)
    expected = numbers((3, 4, 2))
    written = np.zeros(SHAPE)
    write(written, index(ours), 1.0)
    written = written.transpose(1, 2, 0)
    assert np.array_equal(base.detach().numpy(), np.where(written, 5, expected))
    assert base._version == (index(ours) is not False)
    (base.sum() + 10 * early.sum()).backward()
    d = np.ones((3, 4, 2))
    d[..., 0] += 10
    assert np.array_equal(leaf.grad.numpy(), np.where(written, 0, d))
    if v.grad is not None and not room(index)[1]:
        assert v.grad.item() == (d * written).sum()


@pytest.mark.parity
@table(VIEWS, COPIES, OURS)
def test_a_recorded_write_is_that_of_pytorch(index):
    torch = pytest.importorskip("torch")
    shape, twice = room(index)
    seen = []
    for x, v, at in ((wrap(numbers(), True), wrap(-1 - numbers(shape[-1:]), True), ours),
                     (torch.from_numpy(numbers()).requires_grad_(),
                      torch.from_numpy(np.asarray(-1 - numbers(shape[-1:]))).requires_grad_(),
                      lambda values: torch.from_numpy(np.array(values)))):
        y = x * 1
        assign(y, index(at), v)
        (y * y.detach().clone()).sum().backward()
        seen.append((y._version, type(y.grad_fn).__name__, y.tolist(), x.grad.tolist(),
                     None if twice or v.grad is None else v.grad.tolist()))
    assert seen[0] == seen[1]


def test_a_write_that_is_refused_has_changed_nothing():
    leaf, v = wrap(numbers(), True), wrap(np.ones(4), True)
    result = leaf * 1
    node = result.grad_fn
    for target, index, value, kind in ((leaf, 0, 1.0, RuntimeError), (leaf[0], 0, v, RuntimeError),
                                       (result.unbind(0)[0], 0, v, RuntimeError),
                                       (result, 0, wrap(np.ones(3), True), RuntimeError),
                                       (result, ours([0, 5]), v, IndexError),
                                       (result, 3, v, IndexError), (result, 0, "a", TypeError),
                                       (wrap(np.arange(4)), ours([0]), v, RuntimeError)):
        value_before, version = target.detach().clone(), target._version
        with pytest.raises(kind):
            target[index] = value
        assert minigrad.equal(target.detach(), value_before) and target._version == version
    assert result.grad_fn is node and leaf._version == 0


def test_what_was_saved_of_the_old_elements_is_noticed():
    x = wrap(numbers(), True)
    y = x * 1
    z = y.exp() + y * y
    y[0, ours([1])] = 0.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_views_of_views():
    x = wrap(numbers(), True)
    y = x * 1
    y[1][:, 1:][0] = 3.0
    y[1:, 0].t()[3] *= 2
    expected = numbers()
    expected[1][:, 1:][0] = 3
    expected[1, 0, 3] *= 2
    assert np.array_equal(y.detach().numpy(), expected)
    y.sum().backward()
    d = np.ones(SHAPE)
    d[1, 0, 1:] = 0
    assert np.array_equal(x.grad.numpy(), d)


class TestIndexPut:
    def test_in_place(self):
        x = minigrad.zeros(3)
        assert x.index_put_((ours([0, 0]),), tensor([1.0, 2.0]), accumulate=True) is x and x.tolist() == [3, 0, 0]
        assert x._version == 1
        assert x.index_put_([ours([2])], tensor(5.0)).tolist() == [3, 0, 5]

    @pytest.mark.parametrize("accumulate", [False, True])
    def test_gradients(self, accumulate):
        leaf, v = minigrad.ones(3, requires_grad=True), tensor([3.0, 4.0], requires_grad=True)
        x = leaf * 1
        x.index_put_((ours([2, 0]),), v, accumulate)
        assert x.grad_fn.name() == "IndexPutBackward0"
        x.backward(tensor([1.0, 10.0, 100.0]))
        assert leaf.grad.tolist() == ([1, 10, 100] if accumulate else [0, 10, 0]) and v.grad.tolist() == [100, 1]

    def test_refused(self):
        leaf, x, zero = minigrad.ones(3, requires_grad=True), minigrad.ones(3), ours([0])
        for target, arguments, code, text in (
                (leaf, ((zero,), tensor(1.0)), "MG105", "a leaf Variable that requires grad"),
                (x, (zero, tensor(1.0)), "MG205", "must be tuple of Tensors, not Tensor"),
                (x, ((ours([7]),), tensor(1.0)), "MG206", "index 7 is out of bounds"),
            (x, ((zero,), minigrad.ones(2)), "MG201", "shape mismatch"),
                (x, ((zero,), tensor(1)), "MG202", "source and destination dtypes match"),
            (leaf, ((zero,), leaf), "MG105", "a leaf Variable")):
            with pytest.raises((RuntimeError, TypeError, IndexError), match=text) as caught:
                target.index_put_(*arguments)
            assert caught.value.code == code and target._version == 0 and target.tolist() == [1, 1, 1]


@pytest.mark.parametrize("library", ["minigrad", pytest.param("torch", marks=pytest.mark.parity)])
def test_counting_at_places_that_are_tensors_without_dims(library):
    """How courses count pairs of letters: the places are numbers or tensors without dims, mixed as they come."""
    torch = pytest.importorskip(library)
    counts = torch.zeros((3, 3), dtype=torch.int32)
    letters = torch.tensor([0, 1, 1, 2, 1, 1])
    for i, j in zip(letters, letters[1:]):
        counts[i, j] += 1
        counts[i.item(), j] += 10
        counts[i][j] += 100
        counts[i, j.item()] -= 0
    assert counts.tolist() == [[0, 111, 0], [0, 222, 111], [0, 111, 0]]
    assert counts.dtype is torch.int32 and counts._version > 0
    x = minigrad.ones(3, requires_grad=True)
    y = x * 1
    y[minigrad.tensor(1)] *= 5
    y.sum().backward()
    assert x.grad.tolist() == [1, 5, 1]


@pytest.mark.parametrize("number", [np.float64(1.5), np.int8(2), np.int64(2)])
@pytest.mark.parametrize("key", [(minigrad.tensor([0, 2]), 0), (..., [True, False, True, False]), (0, 0)], ids=str)
def test_a_numpy_number_is_written_as_a_number(number, key):
    x, y = minigrad.zeros(3, 4), minigrad.zeros(3, 4)
    x[key], y[key] = number, number.item()
    assert x.equal(y) and x.sum() > 0


@pytest.mark.parametrize("needs", [(True, False), (False, True)])
def test_the_derivative_of_products_by_scatter_is_refused(needs):
    x, src = [minigrad.ones(3, requires_grad=each) for each in needs]
    y = x.scatter(0, minigrad.tensor([0, 0, 1]), src, reduce="multiply")
    with refuses(RuntimeError, "the derivative for 'scatter' with", "MG204"):
        y.sum().backward()


def test_repeat_interleave_refuses_another_output_size(torch):
    x, times = torch.tensor([1, 2, 3]), torch.tensor([1, 2, 3])
    assert x.repeat_interleave(times, output_size=6).tolist() == [1, 2, 2, 3, 3, 3]
    assert x.repeat_interleave(2, output_size=6).tolist() == [1, 1, 2, 2, 3, 3]
    for call in (lambda: x.repeat_interleave(times, output_size=4),
                 lambda: torch.repeat_interleave(times, output_size=7),
                 lambda: x.view(1, 3).repeat_interleave(times, dim=1, output_size=5)):
        with refuses(RuntimeError, "allocated size does not match required size", "MG204"):
            call()
    with refuses(RuntimeError, "repeat_interleave: Invalid output_size, expected 6 but got 5", "MG204"):
        x.repeat_interleave(2, output_size=5)
