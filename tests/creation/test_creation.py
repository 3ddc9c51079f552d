"""Creation: what data become, what is shared and what is copied, what is refused and why."""

import array as python_array
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from minigrad import creation, dtypes
from minigrad.creation import arrays, as_tensor, asarray, from_numpy, tensor
from minigrad.dtypes import NAMES
from tests.checking import is_tensor, refuses


@pytest.fixture(autouse=True)
def default_dtype():
    yield
    dtypes.set_default_dtype(dtypes.float32)


class Sequence:
    def __len__(self):
        return 2

    def __getitem__(self, i):
        if i > 1:
            raise IndexError
        return i + 1


class Real:
    def __float__(self):
        return 1.5


class TestInference:
    """Which dtype data have; PyTorch's answers."""

    @pytest.mark.parametrize(("data", "name"), [
        (1, "int64"), (True, "bool"), (1.5, "float32"), (1j, "complex64"),
        ([], "float32"), ([[], []], "float32"), ([1, 2], "int64"), ([1, 2.5, True], "float32"), ([True, 1], "int64"),
        ([1, 2.5, 1j], "complex64"), (range(3), "int64"), (Sequence(), "int64"), (bytearray(b"ab"), "int64"),
        (python_array.array("d", [1, 2]), "float32"),
        (np.float64(1), "float64"), (np.int8(1), "int8"), (np.bool_(True), "bool"), ([np.float64(1)], "float64"),
        ([np.float32(1), 2.0], "float32"), ([np.float32(1), np.float64(2)], "float64"), ([np.float16(1), 2], "float16"),
        ([np.int32(1), 2], "int64"), ([np.int8(1), np.int8(2)], "int8"), (np.arange(3), "int64"),
        (np.zeros(2, ">f4"), "float32"),
        ([np.zeros(2), np.zeros(2)], "float64"), ([np.zeros(2, "f4"), [1, 2]], "float32"),
        (np.zeros(2, np.longlong), "int64")])
    def test_of(self, data, name):
        assert tensor(data).dtype is NAMES[name]

    def test_floats_take_the_default_dtype(self):
        dtypes.set_default_dtype(dtypes.float64)
        assert tensor(1.5).dtype is dtypes.float64 and tensor(1j).dtype is dtypes.complex128

    def test_tensors_in_a_list(self):
        half = [tensor(1, dtype=dtypes.float16), tensor(2.5, dtype=dtypes.float16)]
        assert is_tensor(tensor(half), [1, 2.5], dtypes.float16)
        assert is_tensor(tensor([1, tensor(2.5)]), [1, 2.5], dtypes.float32)
        assert is_tensor(tensor([tensor([1.0]), tensor([2.0])]), [1, 2], dtypes.float32, (2,))
        with pytest.raises(ValueError,
                           match="only one element tensors can be converted to Python scalars.*torch.stack"):
            tensor([tensor([1.0, 2.0])])

    @pytest.mark.parametrize(("data", "shape"), [
        (1, ()), ([], (0,)), ([[]], (1, 0)), ([[], []], (2, 0)), ([[1, 2, 3]], (1, 3)), (((1,), (2,)), (2, 1)),
        ([Sequence(), Sequence()], (2, 2)), ([np.zeros((2, 3))] * 4, (4, 2, 3)), ([np.array(1.0), 2.0], (2,))])
    def test_shapes(self, data, shape):
        assert tensor(data).shape == shape


class TestRefusal:
    @pytest.mark.parametrize(("data", "exception", "message"), [
        ([[1, 2], [3, 4, 5]], ValueError, r"expected sequence of length 2 at dim 1 \(got 3\)"),
        ([[[1], [2]], [[3], [4, 5]]], ValueError, r"expected sequence of length 1 at dim 2 \(got 2\)"),
        ([[1], 2], TypeError, "not a sequence"),
        ([1, [2]], TypeError, "'list' object cannot be interpreted as an integer"),
        ("abc", TypeError, r"new\(\): invalid data type 'str'"),
        (["a"], ValueError, "too many dimensions 'str'"),
        (None, RuntimeError, "Could not infer dtype of NoneType"),
        ([None], RuntimeError, "Could not infer dtype of NoneType"),
        ({1: 2}, RuntimeError, "Could not infer dtype of dict"),
        ({1}, RuntimeError, "Could not infer dtype of set"),
        ((x for x in "ab"), RuntimeError, "Could not infer dtype of generator"),
        (2 ** 63, ValueError, "Overflow when unpacking long long"),
        (np.array(["a"]), TypeError, r"can't convert np.ndarray of type numpy.str_. The only supported types are: "
         r"float64"),
        (np.zeros(2, "M8[s]"), TypeError, "numpy.datetime64")])
    def test_of_data(self, data, exception, message):
        with pytest.raises(exception, match=message):
            tensor(data)

    @pytest.mark.parametrize(("data", "name", "exception", "message"), [
        ([300], "uint8", RuntimeError,
         r"value cannot be converted to type uint8 without overflow: 300 is not in 0..255"),
        ([-256], "uint8", RuntimeError, "without overflow"),
        ([-0.5], "uint8", RuntimeError, "without overflow"),
        ([255.9], "uint8", RuntimeError, "without overflow"),
        ([128], "int8", RuntimeError, "without overflow"),
        ([1e30], "int64", RuntimeError, "without overflow"),
        ([float("nan")], "int64", RuntimeError, "without overflow"),
        ([float("inf")], "uint8", RuntimeError, "without overflow"),
        (10 ** 400, "float64", RuntimeError, "an int of 1329 bits"),
        ([1j], "float32", TypeError, "must be real number, not complex"),
        ([1j], "int64", TypeError, "must be real number, not complex"),
        ([None], "float32", TypeError, "must be real number, not NoneType"),
        (["1"], "float32", ValueError, "too many dimensions 'str'"),
        ([1, [2]], "float32", TypeError, "same depth")])
    def test_of_data_for_a_dtype(self, data, name, exception, message):
        with pytest.raises(exception, match=message):
            tensor(data, dtype=NAMES[name])

    def test_integers_cannot_require_grad(self):
        for make in (lambda: tensor([1], requires_grad=True),
                     lambda: creation.zeros(2, dtype=dtypes.int64, requires_grad=True),
                     lambda: minigrad.arange(3, requires_grad=True),
                     lambda: creation.zeros_like(tensor([1]), requires_grad=True),
                     lambda: asarray([1, 2], requires_grad=True)):
            with pytest.raises(RuntimeError, match="Only Tensors of floating point and complex dtype") as caught:
                make()
            assert caught.value.code == "MG111"

    def test_devices_that_are_not_there(self):
        for make in (lambda: tensor([1.0], device="cuda"), lambda: creation.zeros(2, device="cuda:1"),
                     lambda: as_tensor([1.0], device="mps"), lambda: creation.full((2,), 1.0, device=0)):
            with pytest.raises((RuntimeError, AssertionError), match="available") as caught:
                make()
            assert caught.value.code == "MG404"


class TestConversion:
    @pytest.mark.parametrize(("data", "name", "expected"), [
        ([-1, -255], "uint8", [255, 1]), ([1.9, -1.9], "int64", [1, -1]), ([2, 0.5, 0.0], "bool", [True, True, False]),
        ([float("nan"), 1j], "bool", [True, True]), ([1e300], "float32", [np.inf]), ([70000], "float16", [np.inf]),
        ([1, 2.5], "complex64", [1, 2.5]), (2 ** 70, "float64", 2.0 ** 70),
        ([2 ** 63 - 1, -2 ** 63], "int64", [2 ** 63 - 1, -2 ** 63]),
        (Real(), "float32", 1.5), (np.array([300]), "uint8", [44]), (np.array([1e300]), "float32", [np.inf])])
    def test_values(self, data, name, expected):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert is_tensor(tensor(data, dtype=NAMES[name]), expected, NAMES[name])

    def test_imaginary_parts_of_arrays_are_dropped_with_a_warning(self):
        with pytest.warns(UserWarning, match="discards the imaginary part"):
            assert is_tensor(tensor(np.array([1 + 2j]), dtype=dtypes.float32), [1], dtypes.float32)

    @given(st.recursive(st.one_of(st.booleans(), st.integers(-10 ** 6, 10 ** 6), st.floats(width=32)),
                        lambda inner: st.integers(0, 3).flatmap(lambda n: inner.map(lambda x: [x] * n)), max_leaves=20))
    def test_nested_lists_survive(self, data):
        np.testing.assert_array_equal(np.asarray(tensor(data)._array, dtype=np.float64),
                                      np.array(data, dtype=np.float64))


class TestSharing:
    """``tensor`` copies, ``from_numpy`` shares, ``as_tensor`` and ``asarray`` share where they can."""

    def test_tensor_copies(self):
        source = np.arange(3.0)
        t = tensor(source)
        source[0] = 7
        assert is_tensor(t, [0, 1, 2], dtypes.float64)
        assert t.is_leaf and not t.requires_grad

    def test_copies_keep_the_order_in_memory(self):
        source = np.zeros((2, 3, 4)).transpose(1, 2, 0)
        assert tensor(source)._array.strides == source.strides
        assert tensor(source, dtype=dtypes.float32)._array.strides == tuple(s // 2 for s in source.strides)
        assert tensor(np.zeros((2, 6))[:, ::2])._array.flags.c_contiguous

    def test_tensor_copies_what_cannot_be_shared(self):
        assert is_tensor(tensor(np.arange(3)[::-1]), [2, 1, 0], dtypes.int64)
        assert is_tensor(tensor(np.arange(3, dtype=">i4")), [0, 1, 2], dtypes.int32)
        assert tensor(np.zeros((2, 3))[::-1])._array.flags.c_contiguous

    def test_tensor_of_a_tensor_warns_and_cuts_the_history(self):
        x = tensor([1.0, 2.0], requires_grad=True)
        with pytest.warns(UserWarning, match="To copy construct from a tensor, it is recommended to use "
                                             "sourceTensor.detach"):
            y = tensor(x)
        assert is_tensor(y, [1, 2], dtypes.float32) and not y.requires_grad and y._array is not x._array

    def test_from_numpy_shares(self):
        source = np.arange(6.0).reshape(2, 3)
        for view in (source, source.T, source[:, ::2], source[0, 0:0], np.array(1.5)):
            array = from_numpy(view)._array
            assert array is not view and array.ctypes.data == view.ctypes.data and array.strides == view.strides
        from_numpy(source)._array[0, 0] = 9
        assert source[0, 0] == 9

    @pytest.mark.parametrize(("source", "exception", "message"), [
        ([1], TypeError, r"expected np.ndarray \(got list\)"),
        (np.float64(1), TypeError, r"expected np.ndarray \(got float64\)"),
        (np.arange(3)[::-1], ValueError, "At least one stride in the given numpy array is negative"),
        (np.arange(3, dtype=">i4"), ValueError, "byte order different from the native byte order"),
        (np.zeros(3, [("a", "f4"), ("b", "i1")])["a"], ValueError, "strides not a multiple of the element byte size"),
        (np.array(["a"]), TypeError, "can't convert np.ndarray of type numpy.str_")])
    def test_from_numpy_says_what_it_cannot_share(self, source, exception, message):
        with pytest.raises(exception, match=message):
            from_numpy(source)

    def test_read_only_arrays_warn(self):
        source = np.arange(3.0)
        source.flags.writeable = False
        with pytest.warns(UserWarning, match="The given NumPy array is not writable"):
            from_numpy(source)

    def test_subclasses_of_arrays_become_plain(self):
        source = np.zeros(2).view(np.recarray)
        for make in (tensor, from_numpy, as_tensor, asarray):
            assert type(make(source)._array) is np.ndarray

    def test_as_tensor(self):
        x, source = tensor([1.0], requires_grad=True), np.arange(3.0)
        assert as_tensor(x) is x and as_tensor(x, dtype=dtypes.float32) is x
        assert np.shares_memory(as_tensor(source)._array, source)
        assert is_tensor(as_tensor(source, dtype=dtypes.float32), source, dtypes.float32)
        assert is_tensor(as_tensor([1, 2]), [1, 2], dtypes.int64)
        assert as_tensor(x, dtype=dtypes.float64).grad_fn is not None
        with pytest.raises(ValueError, match="stride"):
            as_tensor(source[::-1])

    def test_asarray(self):
        x, source = tensor([1.0], requires_grad=True), np.arange(3.0)
        assert asarray(x) is x and np.shares_memory(asarray(source)._array, source)
        assert not np.shares_memory(asarray(source, copy=True)._array, source)
        assert is_tensor(asarray(source[::-1], copy=True), [2, 1, 0], dtypes.float64)
        assert is_tensor(asarray(source, dtype=dtypes.float32), source, dtypes.float32)
        assert asarray([1.0, 2], requires_grad=True).requires_grad and is_tensor(asarray(5), 5, dtypes.int64)
        assert asarray(x, copy=True).grad_fn is not None
        assert not asarray(x, requires_grad=False).requires_grad
        fresh = tensor([1.0])
        assert asarray(fresh, requires_grad=True).requires_grad and not fresh.requires_grad
        for forbidden in (lambda: asarray([1], copy=False), lambda: asarray(x, dtype=dtypes.float64, copy=False),
                          lambda: asarray(source, dtype=dtypes.float32, copy=False)):
            with pytest.raises(ValueError, match="can't alias"):
                forbidden()


class TestSizes:
    @pytest.mark.parametrize(("arguments", "shape"), [
        ((2, 3), (2, 3)), (((2, 3),), (2, 3)), (([2, 3],), (2, 3)), ((dtypes.Size([2, 3]),), (2, 3)), (((),), ()),
        ((0, 2), (0, 2)), ((np.int64(2),), (2,))])
    def test_forms(self, arguments, shape):
        for make in (creation.zeros, creation.ones, creation.empty):
            assert make(*arguments).shape == shape
        assert creation.zeros(size=shape).shape == shape

    def test_a_tensor_counts_as_an_int(self):
        assert creation.zeros(tensor(2), tensor(3)).shape == (2, 3)

    @pytest.mark.parametrize(("arguments", "exception", "message"), [
        ((), TypeError, r'zeros\(\) missing 1 required positional arguments: "size"'),
        ((2, 3.5), TypeError, "must be tuple of ints, but found element of type float at pos 1"),
        ((True,), TypeError, "type bool"), (("a",), TypeError, "type str"), (((2,), 3), TypeError, "type tuple"),
        ((2, -1), RuntimeError, "Dimension size must be non-negative, got -1")])
    def test_wrong_ones(self, arguments, exception, message):
        with pytest.raises(exception, match=message):
            creation.zeros(*arguments)

    def test_full_takes_one_tuple(self):
        with pytest.raises(TypeError, match=r"full\(\): argument 'size' must be tuple of ints, not int"):
            creation.full(2, 3)


class TestFilled:
    def test_zeros_ones_empty(self):
        assert is_tensor(creation.zeros(2), [0, 0], dtypes.float32)
        assert is_tensor(creation.ones(2, dtype=bool), [True, True], NAMES["bool"])
        assert creation.empty(2, 3, dtype=dtypes.int8).dtype is dtypes.int8
        assert creation.zeros(2, requires_grad=True).requires_grad
        assert creation.zeros(2, layout=dtypes.strided, pin_memory=False).shape == (2,)
        assert creation.empty(2, memory_format=dtypes.contiguous_format).shape == (2,)

    @pytest.mark.parametrize(("value", "name"), [(3, "int64"), (3.0, "float32"), (True, "bool"), (1j, "complex64"),
                                                 (np.float64(3), "float32")])
    def test_full_infers_from_the_value(self, value, name):
        assert is_tensor(creation.full((2,), value), [value, value], NAMES[name])

    def test_full_takes_a_tensor_without_dimensions(self):
        assert is_tensor(creation.full((2,), tensor(3)), [3, 3], dtypes.int64)
        for wrong in (tensor([3.0]), tensor(3.0, requires_grad=True), "a"):
            with pytest.raises(TypeError, match="argument 'fill_value' must be Number, not"):
                creation.full((2,), wrong)

    @pytest.mark.parametrize(("value", "name"), [(300, "uint8"), (1j, "float32"), (float("nan"), "int32"),
                                                 (1e300, "float32"), (10 ** 400, "float64")])
    def test_full_refuses_what_the_dtype_cannot_hold(self, value, name):
        with pytest.raises(RuntimeError, match="cannot be converted to type .* without overflow") as caught:
            creation.full((2,), value, dtype=NAMES[name])
        assert caught.value.code == "MG209"

    def test_full_converts(self):
        assert is_tensor(creation.full((1,), -1, dtype=dtypes.uint8), [255], dtypes.uint8)
        assert is_tensor(creation.full((1,), 1.5, dtype=dtypes.int32), [1], dtypes.int32)
        assert is_tensor(creation.full((1,), float("inf"), dtype=dtypes.float32), [np.inf], dtypes.float32)
        assert is_tensor(creation.full((1,), 1 + 0j, dtype=dtypes.float32), [1], dtypes.float32)


class TestLike:
    def test_shape_and_dtype_are_borrowed(self):
        x = tensor([[1, 2, 3]], dtype=dtypes.int16)
        assert is_tensor(creation.zeros_like(x), [[0, 0, 0]], dtypes.int16)
        assert is_tensor(creation.ones_like(x, dtype=dtypes.float64), [[1, 1, 1]], dtypes.float64)
        assert is_tensor(creation.full_like(x, 7.9), [[7, 7, 7]], dtypes.int16)
        assert creation.empty_like(x).shape == (1, 3)
        with pytest.raises(RuntimeError, match="without overflow"):
            creation.full_like(x, 70000)

    def test_they_do_not_follow_requires_grad(self):
        x = tensor([1.0], requires_grad=True)
        assert not creation.zeros_like(x).requires_grad and creation.zeros_like(x, requires_grad=True).requires_grad

    def test_input_must_be_a_tensor(self):
        for wrong in ([1], np.zeros(2)):
            with pytest.raises(TypeError, match=r"zeros_like\(\): argument 'input' \(position 1\) must be Tensor, not"):
                creation.zeros_like(wrong)

    @pytest.mark.parametrize(("shape", "strides", "expected"), [
        ((2, 3), (0, 1), (3, 1)), ((2, 3), (1, 0), (3, 1)), ((2, 3), (1, 2), (1, 2)), ((2, 3), (6, 2), (3, 1)),
        ((2, 3), (2, 4), (1, 2)),
        ((2, 3, 4), (0, 4, 1), (12, 4, 1)), ((2, 3, 4), (0, 1, 4), (12, 1, 3)), ((2, 3, 4), (1, 0, 6), (1, 2, 6)),
        ((2, 3, 4), (12, 0, 1), (12, 4, 1)), ((2, 3, 4), (1, 2, 6), (1, 2, 6)), ((2, 3, 4), (2, 24, 6), (1, 8, 2)),
        ((2, 3, 4), (0, 0, 1), (12, 4, 1))])
    def test_order_in_memory_is_kept(self, shape, strides, expected):
        """As PyTorch does it: gaps close, and an expanded dimension says nothing about the order."""
        source = np.lib.stride_tricks.as_strided(np.zeros(200), shape, [8 * s for s in strides])
        made = arrays.empty_like(source, dtypes.float32)
        assert tuple(s // 4 for s in made.strides) == expected

    @pytest.mark.parity
    @given(st.permutations(range(4)), st.lists(st.integers(0, 3), min_size=4, max_size=4),
           st.lists(st.booleans(), min_size=4, max_size=4))
    def test_order_in_memory_is_pytorch_s(self, order, shape, expanded):
        torch = pytest.importorskip("torch")
        x = torch.zeros([1 if e else n for n, e in zip(shape, expanded)]).permute(order).expand(
            [shape[i] for i in order])
        if x.numel():
            made = arrays.empty_like(x.numpy(), dtypes.float32)
            sizes, ours, theirs = x.shape, [s // 4 for s in made.strides], torch.zeros_like(x).stride()
            assert [s for s, n in zip(ours, sizes) if n > 1] == [s for s, n in zip(theirs, sizes) if n > 1]

    def test_contiguous_format_overrules_it(self):
        x = from_numpy(np.zeros((2, 3)).T)
        assert creation.zeros_like(x)._array.flags.f_contiguous
        assert creation.zeros_like(x, memory_format=dtypes.contiguous_format)._array.flags.c_contiguous


class TestNew:
    def test_dtype_is_borrowed(self):
        x = tensor([1, 2], dtype=dtypes.int16)
        assert is_tensor(x.new_tensor([1.5]), [1], dtypes.int16) and is_tensor(x.new_zeros(2), [0, 0], dtypes.int16)
        assert is_tensor(x.new_ones((2,), dtype=dtypes.float64), [1, 1], dtypes.float64)
        assert is_tensor(x.new_full((2,), 3.7), [3, 3], dtypes.int16) and x.new_empty(2, 3).shape == (2, 3)
        with pytest.raises(RuntimeError, match="without overflow"):
            x.new_full((2,), 1j)
        with pytest.warns(UserWarning, match="rather than tensor.new_tensor"):
            x.new_tensor(x)


def test_bfloat16():
    pytest.importorskip("ml_dtypes")
    t = tensor([1.0, 2.5], dtype=dtypes.bfloat16)
    assert t.dtype is dtypes.bfloat16 and t.tolist() == [1.0, 2.5]
    assert creation.full((2,), 3.0, dtype=dtypes.bfloat16, requires_grad=True).requires_grad
    assert repr(t) == "tensor([1.0000, 2.5000], dtype=torch.bfloat16)"


def test_the_public_names_are_there():
    for name in creation.__all__:
        assert getattr(minigrad, name) is getattr(creation, name)


@pytest.mark.parametrize(("name", "low", "high"), [("uint8", 0, 2**8 - 1), ("int8", -2**7, 2**7 - 1),
                                                   ("int16", -2**15, 2**15 - 1), ("int32", -2**31, 2**31 - 1)])
def test_a_tensor_is_filled_with_what_its_dtype_holds(torch, name, low, high):
    x = torch.zeros(2, dtype=getattr(torch, name))
    assert x.fill_(low).tolist() == [low] * 2 and x.fill_(high).tolist() == [high] * 2
    for number in (high + 1, -2**40, 2**40, *[low - 1] * (low < 0)):
        with refuses(RuntimeError, "value cannot be converted to type", "MG209"):
            x.fill_(number)
    assert x.tolist() == [high] * 2


@pytest.mark.parametrize("name", ["float32", "float64", "float16", "int32", "bool"])
def test_bfloat16_is_copied_into_another_dtype(torch, name):
    x = torch.zeros(3, dtype=getattr(torch, name))
    expected = torch.tensor([1., 2.5, 0.]).to(x.dtype)
    assert torch.equal(x.copy_(torch.tensor([1., 2.5, 0.], dtype=torch.bfloat16)), expected)
