"""Leaving tensors: Python numbers, NumPy arrays, copies and files."""

import copy
import io
import operator
import pickle
import warnings
from collections import OrderedDict

import numpy as np
import pytest

import minigrad
from minigrad import dtypes, random, serialization
from minigrad._core.graph import Tensor
from minigrad._core.runtime import thread_state
from minigrad.creation import from_numpy, tensor, zeros
from minigrad.dtypes import NAMES
from minigrad.tensors import to_python
from tests import starting

pytestmark = pytest.mark.usefixtures("interpreters")

EACH_DTYPE = [name for name in ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
                                "complex64", "complex128")]


@pytest.fixture
def leaf():
    return tensor([1.0, 2.0], requires_grad=True)


class TestNumbers:
    @pytest.mark.parametrize(("data", "value"), [(1.5, 1.5), ([[3]], 3), (True, True), ([1 + 2j], 1 + 2j)])
    def test_item(self, data, value):
        found = tensor(data).item()
        assert found == value and type(found) is type(value)

    @pytest.mark.parametrize("data", [[1.0, 2.0], []])
    def test_item_is_for_one_element(self, data):
        with pytest.raises(RuntimeError, match=f"a Tensor with {len(data)} elements cannot be converted to Scalar"):
            tensor(data).item()

    def test_item_of_a_recorded_tensor(self, leaf):
        assert (leaf * 2)[0].item() == 2.0

    def test_tolist(self):
        assert tensor([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]] and tensor(1.5).tolist() == 1.5
        assert zeros(2, 0).tolist() == [[], []] and tensor([True]).tolist() == [True]

    def test_bool(self):
        assert bool(tensor([[2.0]])) and not bool(tensor(0))
        with pytest.raises(RuntimeError, match="Boolean value of Tensor with more than one value is ambiguous"):
            bool(tensor([1, 2]))
        with pytest.raises(RuntimeError, match="Boolean value of Tensor with no values is ambiguous"):
            bool(tensor([]))

    def test_int_float_complex(self):
        assert int(tensor([2.7])) == 2 and float(tensor(3)) == 3.0 and complex(tensor(1.5)) == 1.5
        assert complex(tensor(2j)) == 2j
        assert float(tensor(2 + 0j)) == 2.0
        for convert in (int, float, complex):
            with pytest.raises(ValueError, match="only one element tensors can be converted to Python scalars"):
                convert(tensor([1.0, 2.0]))
        for convert in (int, float):
            with pytest.raises(RuntimeError, match="without overflow.*imaginary part"):
                convert(tensor(1j))
        with pytest.raises(ValueError, match="cannot convert float NaN to integer"):
            int(tensor(float("nan")))

    def test_index(self):
        assert [10, 20, 30][tensor(1)] == 20 and operator.index(tensor([[2]])) == 2 and [10, 20][tensor(True)] == 20
        for wrong in (tensor(1.0), tensor([1, 2])):
            with pytest.raises(TypeError,
                               match="only integer tensors of a single element can be converted to an index"):
                [1, 2, 3][wrong]

    def test_format(self, leaf):
        assert f"{tensor(1.5):.3f} {tensor(3):d} {tensor(1.5)} {tensor(1 + 2j):.1f}" == "1.500 3 1.5 1.0+2.0j"
        assert f"{leaf[1]:.2f} {leaf[1]}" == "2.00 2.0" and "%.2f" % tensor(1.5) == "1.50"
        assert f"{leaf}" == "tensor([1., 2.], requires_grad=True)"
        with pytest.raises(TypeError, match="unsupported format string passed to Tensor.__format__"):
            f"{leaf:.2f}"

    def test_len(self):
        assert len(zeros(3, 2)) == 3
        with pytest.raises(TypeError, match="len\\(\\) of a 0-d tensor"):
            len(tensor(1.0))

    def test_contains(self, leaf):
        assert 2.0 in leaf and 5 not in leaf and tensor(1) in leaf and leaf in leaf and np.float64(1) in leaf
        for wrong in ("a", None, [1]):
            with pytest.raises(RuntimeError, match="Tensor.__contains__ only supports Tensor or scalar"):
                wrong in leaf

    def test_hash_is_identity(self, leaf):
        assert len({leaf, leaf, leaf.detach()}) == 2

    def test_inside_a_transform_there_is_no_value(self):
        for function in (to_python.item, to_python.tolist, to_python.bool_, to_python.int_, to_python.numpy):
            with pytest.raises(RuntimeError, match="vmap: It looks like you're") as caught:
                minigrad.func.vmap(function)(tensor([1.0, 2.0]))
            assert caught.value.code == "MG117"
        assert minigrad.func.grad(lambda x: x * x.item())(tensor(3.0)).item() == 3


class TestNumpy:
    def test_shares_memory(self):
        t = zeros(2)
        t.numpy()[0] = 5
        assert t.tolist() == [5, 0] and t.numpy().dtype == np.float32 and type(zeros(()).numpy()) is np.ndarray

    def test_refuses_what_requires_grad(self, leaf):
        for refused in (leaf.numpy, (leaf * 2).numpy, lambda: np.asarray(leaf), lambda: np.cbrt(leaf)):
            with pytest.raises(RuntimeError, match=r"Can't call numpy\(\) on Tensor that requires grad. "
                                                   r"Use tensor.detach\(\).numpy\(\) instead.") as caught:
                refused()
            assert caught.value.code == "MG108"

    def test_unless_nothing_is_recorded_anyway(self, leaf):
        before = thread_state.set_grad_enabled(False)
        try:
            assert np.shares_memory(leaf.numpy(), leaf._array)
        finally:
            thread_state.set_grad_enabled(before)

    def test_or_it_is_said(self, leaf):
        assert np.shares_memory(leaf.numpy(force=True), leaf._array) and leaf.detach().numpy().tolist() == [1, 2]

    def test_asarray(self):
        t = tensor([1.0, 2.0])
        assert np.shares_memory(np.asarray(t), t._array) and not np.shares_memory(np.array(t), t._array)
        assert np.asarray(t, dtype=np.int32).dtype == np.int32 and np.array([tensor(3), tensor(4)]).tolist() == [3, 4]
        assert np.shares_memory(np.array(t, copy=False), t._array)
        with pytest.raises(ValueError, match="copy"):
            np.array(t, dtype=np.float64, copy=False)
        assert np.stack([t, t]).shape == (2, 2) and np.dot(t, t) == 5

    def test_numpy_functions_give_tensors_back(self):
        t = tensor([1.0, 4.0])
        for result, expected, dtype in ((np.sqrt(t), [1, 2], dtypes.float32),
                                        (np.add(t, np.ones(2)), [2, 5], dtypes.float64),
                                        (np.isnan(t), [False, False], NAMES["bool"]),
                                        (np.maximum(t, 2), [2, 4], dtypes.float32)):
            assert type(result) is Tensor and result.dtype is dtype and result.tolist() == expected
            assert not result.requires_grad


#: what a program may do to an array object, beyond writing numbers
CHANGES = {
    "shape": lambda a: setattr(a, "shape", (-1, 1)),
    "dtype": lambda a: setattr(a, "dtype", np.int32 if a.itemsize == 4 else np.int64),
    "strides": lambda a: set_strides(a, (0,) * a.ndim),
    "writeable": lambda a: setattr(a.flags, "writeable", False),
    "resize": lambda a: a.resize(a.size + 1000, refcheck=False),
}


def set_strides(a, strides):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        a.strides = strides


#: how a program gets an array on the memory of a tensor
GIVEN = {
    "numpy": lambda x: x.numpy(),
    "numpy(force=True)": lambda x: x.numpy(force=True),
    "detach().numpy()": lambda x: x.detach().numpy(),
    "data.numpy()": lambda x: x.data.numpy(),
    "__array__": lambda x: x.__array__(),
    "asarray": np.asarray,
    "asarray(dtype)": lambda x: np.asarray(x, np.float32),
    "array(copy=False)": lambda x: np.array(x, copy=False),
    "array(subok)": lambda x: np.array(x, copy=None, subok=True),
    "from_dlpack": np.from_dlpack,
    "Parameter": lambda x: minigrad.nn.Parameter(x).detach().numpy(),
    "a subclass": lambda x: x.as_subclass(Marked).numpy(),
    "view": lambda x: x.view(-1).numpy(),
}


class Marked(Tensor):
    pass


#: how it makes a tensor on the memory of an array
TAKEN = {
    "from_numpy": from_numpy,
    "as_tensor": minigrad.as_tensor,
    "as_tensor(dtype)": lambda a: minigrad.as_tensor(a, dtype=minigrad.float32),
    "as_tensor(device)": lambda a: minigrad.as_tensor(a, device="cpu"),
    "asarray": minigrad.asarray,
    "asarray(copy=False)": lambda a: minigrad.asarray(a, copy=False),
    "array_api": lambda a: minigrad.array_api.asarray(a),
    "from_dlpack": minigrad.from_dlpack,
    "frombuffer": lambda a: minigrad.frombuffer(a, dtype=minigrad.float32),
    "default_convert": minigrad.utils.data.default_convert,
    "__array_wrap__": lambda a: zeros(1).__array_wrap__(a),
    "x.data": lambda a: with_data(from_numpy(a)),
    "set_": lambda a: zeros(0).set_(from_numpy(a)),
}


def with_data(value):
    x = zeros(1)
    x.data = value
    return x


class TestArrayObjects:
    """What happens to an array object, beyond the numbers in it, happens to no tensor: each side has its own."""

    def of_tensor(self, x):
        array = x.detach()._array
        return tuple(x.shape), x.dtype, x.stride(), array.flags.writeable, x.data_ptr(), x.tolist()

    @pytest.mark.parametrize("change", CHANGES)
    @pytest.mark.parametrize("way", GIVEN)
    def test_given(self, way, change):
        x = zeros(6) + 2
        before, a = self.of_tensor(x), GIVEN[way](x)
        assert np.shares_memory(a, x._array) and a is not GIVEN[way](x)
        if change == "resize":
            with pytest.raises(ValueError, match="cannot resize"):
                CHANGES[change](a)
        else:
            CHANGES[change](a)
        assert self.of_tensor(x) == before
        x.add_(1)
        assert x.tolist() == [3] * 6

    @pytest.mark.parametrize("change", [change for change in CHANGES if change != "resize"])
    @pytest.mark.parametrize("way", TAKEN)
    def test_taken(self, way, change):
        a = np.arange(6, dtype=np.float32)
        x = TAKEN[way](a)
        before = self.of_tensor(x)
        assert np.shares_memory(a, x._array) and x._array is not a
        CHANGES[change](a)
        assert self.of_tensor(x) == before
        x.add_(1)
        assert a.view(np.float32).flat[0] == 1

    @pytest.mark.parametrize("way", TAKEN)
    def test_what_a_tensor_lies_on_is_not_resized(self, way):
        a = np.arange(6, dtype=np.float32)
        x = TAKEN[way](a)
        with pytest.raises((ValueError, BufferError), match="cannot resize|exported"):
            a.resize(1000)
        assert x.tolist() == [0, 1, 2, 3, 4, 5]

    @pytest.mark.parametrize("make", [lambda: tensor(2.0), lambda: zeros(2, 3).T, lambda: zeros(4)[1:],
                                      lambda: zeros(0, 3), lambda: zeros(2, dtype=dtypes.bfloat16),
                                      lambda: zeros(1).expand(3), lambda: tensor([True]), lambda: tensor(1j)])
    def test_every_layout_and_dtype(self, make):
        x = make()
        a = x.numpy()
        assert type(a) is np.ndarray and a is not x._array and a.base is not None
        assert (a.shape, a.strides, a.dtype) == (x._array.shape, x._array.strides, x._array.dtype)
        assert a.flags == x._array.flags or not a.flags.owndata
        assert from_numpy(a).dtype is x.dtype and from_numpy(a).stride() == x.stride()

    def test_operands_and_indices_that_a_node_saves(self, leaf):
        c, places = np.array([3, 4], np.float32), np.array([0, 1])
        for make, a in ((lambda: leaf * c, c), (lambda: c * leaf, c), (lambda: leaf.mul(c), c),
                        (lambda: np.multiply(leaf, c), c), (lambda: np.where(c > 0, leaf * c, leaf), c),
                        (lambda: leaf[places] * tensor([3.0, 4.0]), places)):
            y, shape = make(), a.shape
            a.shape = (2, 1)
            found, = minigrad.autograd.grad(y.sum(), leaf)
            a.shape = shape
            assert found.tolist() == [3, 4]

    def test_memory_lives_as_long_as_either_side(self):
        a, x = zeros(1000).numpy(), from_numpy(np.ones(1000))
        for _ in range(20):                                 # what would take memory that was let go
            zeros(1000).add_(7)
            np.full(1000, 7.0)
        assert not a.any() and x.eq(1).all()

    def test_nothing_is_computed_in_memory_that_an_array_shows(self):
        """The core computes in place what it alone has: gradients, and arrays that are kept for the next result."""
        shown = []
        x = tensor([1.0, 2.0], requires_grad=True)
        y = x * 2
        y.register_hook(lambda g: shown.append(g.numpy()))
        (y * 3 + y.exp()).sum().backward()
        first = shown[0].tolist()
        y = x * 2                                           # the numbers of a result, after the tensor is gone
        a = y.detach().numpy()
        del y
        for _ in range(5):
            z = x * 5
            z = z + 1
        assert a.tolist() == [2, 4] and shown[0].tolist() == first and x.grad.numpy().base is not None
        kept = x.grad.numpy()
        (x * 7).sum().backward()                            # accumulates in place: the array shows it, as in PyTorch
        assert np.shares_memory(kept, x.grad._array)

    def test_resize_of_a_tensor_that_an_array_shows_is_refused(self):
        x = zeros(2)
        a = x.numpy()
        with pytest.raises(RuntimeError, match="resize"):
            x.resize_(1000)
        del a
        assert x.resize_(1000).shape == (1000,)

    def test_writes_are_still_shared(self):
        x = zeros(3)
        a, b = x.numpy(), x.numpy()
        a[0] = 5
        b.shape = (3, 1)
        b[2] = 7
        assert x.tolist() == [5, 0, 7] and from_numpy(a).data_ptr() == x.data_ptr()

    def test_written_views_of_such_memory_in_a_transform(self):
        def f(x):
            y = from_numpy(np.zeros(3, np.float32))
            y[0] += x[1]
            return y.sum()
        assert minigrad.func.grad(f)(minigrad.ones(3)).tolist() == [0, 1, 0]


class TestDeepcopy:
    def test_leaf(self, leaf):
        leaf.grad = tensor([3.0, 4.0])
        leaf.note = ["kept"]
        twin = copy.deepcopy(leaf)
        assert twin.tolist() == [1, 2] and twin.requires_grad and twin.is_leaf
        assert not np.shares_memory(twin._array, leaf._array)
        assert twin.grad.tolist() == [3, 4] and twin.grad is not leaf.grad
        assert twin.note == ["kept"] and twin.note is not leaf.note

    def test_results_are_refused(self, leaf):
        with pytest.raises(RuntimeError, match=r"Only Tensors created explicitly by the user \(graph leaves\) support "
                                               r"the deepcopy protocol"):
            copy.deepcopy(leaf * 2)
        assert copy.deepcopy((leaf * 2).detach()).tolist() == [2, 4]

    def test_the_same_tensor_stays_the_same(self, leaf):
        a, b = copy.deepcopy([leaf, leaf])
        assert a is b

    def test_what_was_copied_before_is_asked_for_first(self, leaf):
        """As in PyTorch: a class with its own ``__deepcopy__`` may call that of Tensor."""
        assert leaf.__deepcopy__({id(leaf): 5}) == 5

    def test_shared_memory_stays_shared(self):
        x = zeros(4)
        a, b, c = copy.deepcopy([x, x[:2], x[1:]])
        a._array[1] = 7
        assert b.tolist() == [0, 7] and c.tolist() == [7, 0, 0] and x.tolist() == [0, 0, 0, 0]

    def test_layout_is_kept(self):
        x = from_numpy(np.arange(6.0).reshape(2, 3).T)
        assert copy.deepcopy(x)._array.strides == x._array.strides and copy.deepcopy(x).tolist() == x.tolist()

    def test_shallow_copies_share_memory(self, leaf):
        twin = copy.copy(leaf)
        assert twin is not leaf and np.shares_memory(twin._array, leaf._array) and twin.requires_grad


def roundtrip(obj, **options):
    file = io.BytesIO()
    serialization.save(obj, file)
    file.seek(0)
    return serialization.load(file, **options)


def pickled(obj):
    return pickle.loads(pickle.dumps(obj))


def pickled_in_the_oldest_way(obj):
    return pickle.loads(pickle.dumps(obj, protocol=2))


@pytest.mark.parametrize("again", [roundtrip, pickled, pickled_in_the_oldest_way])
class TestPickleAndFiles:
    @pytest.mark.parametrize("name", EACH_DTYPE)
    def test_every_dtype(self, again, name):
        t = tensor([[0, 1, 2], [3, 4, 5]], dtype=NAMES[name])
        back = again(t)
        assert type(back) is Tensor and back.dtype is t.dtype and np.array_equal(back._array, t._array)
        back._array[0, 0] = 1           # writable, and not the old memory
        assert t._array[0, 0] == 0

    def test_bfloat16(self, again):
        pytest.importorskip("ml_dtypes")
        assert again(tensor([1.5], dtype=dtypes.bfloat16)).dtype is dtypes.bfloat16

    @pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (1, 1)])
    def test_every_shape(self, again, shape):
        assert again(zeros(shape)).shape == shape

    def test_requires_grad_and_attributes_without_history(self, again, leaf):
        leaf.grad, leaf.note = zeros(2), "kept"
        back = again(leaf)
        assert back.requires_grad and back.is_leaf and back.grad is None and back.note == "kept"
        result = again(leaf * 2)
        assert result.requires_grad and result.is_leaf and result.tolist() == [2, 4]

    def test_strides(self, again):
        for t in (from_numpy(np.arange(6.0).reshape(2, 3).T), from_numpy(np.arange(12.0)[1::3]),
                  tensor([0, 1, 2]).expand(2, 3)):
            back = again(t)
            assert back._array.strides == t._array.strides and np.array_equal(back._array, t._array)

    def test_shared_memory_stays_shared(self, again):
        x = zeros(4)
        a, b = again([x[:2], x[1:]])
        a._array[1] = 7
        assert b.tolist() == [7, 0, 0] and x.tolist() == [0, 0, 0, 0]

    def test_containers(self, again, leaf):
        state = OrderedDict(w=leaf, shape=leaf.shape, dtype=leaf.dtype, device=dtypes.CPU, lr=0.1, names={"a", "b"},
                            steps=[1, (2, None)], z=1j)
        back = again(state)
        assert type(back) is OrderedDict and back["w"].tolist() == [1, 2] and type(back["shape"]) is dtypes.Size
        assert {k: v for k, v in back.items() if k != "w"} == {k: v for k, v in state.items() if k != "w"}


class Evil:
    def __reduce__(self):
        return print, ("this must not be printed",)


class TestFiles:
    def test_by_path(self, tmp_path, leaf):
        for path in (tmp_path / "a.mg", str(tmp_path / "b.mg")):
            serialization.save({"w": leaf}, path)
            assert serialization.load(path)["w"].tolist() == [1, 2]

    def test_several_in_one_file(self):
        file = io.BytesIO()
        serialization.save(1, file)
        second = file.tell()
        serialization.save(zeros(2), file)
        file.seek(second)
        assert serialization.load(file).tolist() == [0, 0]
        file.seek(0)
        with pytest.raises(ValueError, match="several archives"):
            serialization.load(file)

    def test_what_cannot_be_saved_leaves_the_old_file(self, tmp_path):
        path = tmp_path / "a.mg"
        serialization.save(1, path)
        with pytest.raises(Exception, match="pickle"):
            serialization.save(lambda: 0, path)
        assert serialization.load(path) == 1

    @pytest.mark.parametrize("harmful", [Evil(), random.Generator, np.zeros(2), OrderedDict(a=[Evil()])])
    def test_strangers_files_run_no_code(self, harmful, capsys):
        with pytest.raises(ValueError, match="Weights only load failed: the file wants to import"):
            roundtrip(harmful)
        assert capsys.readouterr().out == ""

    def test_unless_trusted(self, capsys):
        roundtrip(Evil(), weights_only=False)
        assert "must not" in capsys.readouterr().out

    @pytest.mark.parametrize(("content", "message"), [
        (b"", "not a file of torch.save"), (b"abc", "not a file of torch.save"),
        (b"PK\x03\x04" + b"0" * 20, "the end of the archive is missing"),
        (serialization.SIGNATURE, "damaged or cut short"),
        (serialization.SIGNATURE + pickle.dumps([1.5, "x"])[:-4], "damaged or cut short")])
    def test_other_files(self, content, message):
        with pytest.raises(ValueError, match=message):
            serialization.load(io.BytesIO(content))

    def test_map_location(self):
        assert roundtrip(1, map_location="cpu") == 1
        with pytest.raises(RuntimeError, match="cuda"):
            roundtrip(1, map_location="cuda")


class TestWhatATensorIs:
    def test_functions_of_any_tensor(self):
        x = tensor([[1.0, 2.0]])
        assert minigrad.is_tensor(x) and not minigrad.is_tensor(x.numpy())
        assert minigrad.is_floating_point(x) and not minigrad.is_complex(x) and minigrad.numel(x) == x.numel() == 2
        assert minigrad.is_complex(tensor(1j)) and not tensor(1j).is_floating_point()
        assert not tensor(1).is_floating_point()

    @pytest.mark.parametrize("name", ["is_floating_point", "is_complex", "numel"])
    def test_of_nothing_else(self, name):
        with pytest.raises(TypeError, match=rf"{name}\(\): argument 'input' \(position 1\) must be Tensor, not list"):
            getattr(minigrad, name)([1.0])


LOST = "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\\nConsider using"


@pytest.mark.parametrize("take", ["float(x)", "complex(x)", "math.sqrt(x)", "torch.tensor([x, 1.0])", "float(x * 2)"])
def test_the_first_number_that_loses_a_gradient_warns_at_the_users_line(take):
    code = f"import math, minigrad as torch\nx = torch.tensor(2.0, requires_grad=True)\n{take}\n{take}\nfloat(x)"
    printed = starting.run(code, check=True).stderr
    assert printed.startswith(f"<string>:3: UserWarning: {LOST}".replace("\\n", "\n"))
    assert printed.count("Warning") == 1


@pytest.mark.parametrize("take", ["x.item()", "x.tolist()", "int(x)", "bool(x)", "f'{x:.1f}'", "float(x.detach())",
                                  "torch.set_grad_enabled(False); float(x)", "torch.zeros(2)[0].fill_(x.item())"])
def test_other_numbers_do_not(take):
    code = f"import minigrad as torch\nx = torch.tensor(2.0, requires_grad=True)\n{take}"
    assert not starting.run(code, check=True).stderr


def test_a_number_that_cannot_be_taken_does_not_count():
    code = """import minigrad as torch
try:
    float(torch.ones(2, requires_grad=True))
except ValueError:
    print("refused")
"""
    ran = starting.run(code, check=True)
    assert (ran.stdout, ran.stderr) == ("refused\n", "")


def test_a_cast_that_drops_imaginary_parts_warns_at_the_users_line():
    z = minigrad.tensor([1 + 2j, 3.0])
    for cast in (lambda: z.to(minigrad.float32), lambda: z.int(), lambda: minigrad.zeros(2).copy_(z)):
        with pytest.warns(UserWarning, match="Casting complex values to real discards the imaginary part") as caught:
            assert cast().tolist() == [1, 3]
        assert caught[0].filename == __file__ and not issubclass(caught[0].category, RuntimeWarning)


def test_the_first_dim_is_reversed(torch):
    x = torch.arange(6.).view(3, 2).requires_grad_()
    assert reversed(x).tolist() == [[4., 5.], [2., 3.], [0., 1.]]
    (g,) = torch.autograd.grad((reversed(x) * torch.arange(6.).view(3, 2)).sum(), x)
    assert g.tolist() == [[4., 5.], [2., 3.], [0., 1.]]
    assert reversed(torch.tensor(4)).item() == 4 and reversed(torch.arange(3)).tolist() == [2, 1, 0]


def test_what_adds_sizes_its_own_way_is_asked(torch):
    class Wide:
        def __radd__(self, size):
            return [*size, ...]

    assert torch.Size([1, 2]) + Wide() == [1, 2, ...] and torch.Size([1]) + (2,) == (1, 2)
    for other in (1, "a", [2]):
        with pytest.raises(TypeError, match="can only concatenate tuple"):
            torch.Size([1]) + other
