"""DLPack: memory that NumPy, PyTorch and minigrad share.  A test with the fixture ``torch`` states what both do."""

import ctypes
import gc
import weakref
from threading import Thread

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import wrap
from tests.checking import is_minigrad, refuses, share_memory

DTYPES = ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
          "complex64", "complex128", "bool"]

#: ways to lie in memory, as functions of a tensor with 24 elements
LAYOUTS = {"rows": lambda x: x.view(4, 6), "columns": lambda x: x.view(4, 6).t(), "steps": lambda x: x[3::5],
           "part": lambda x: x.view(2, 3, 4)[1, :, 1:3], "one": lambda x: x[7], "none": lambda x: x[:0].view(0, 3),
           "repeated": lambda x: x[2:3].expand(5)}


class Capsule:
    """A library that knows DLPack as it was first: it exports a capsule without options."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self):
        return self.capsule

    def __dlpack_device__(self):
        return 1, 0


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("version", [None, (0, 8), (1, 0), (1, 3)])
def test_a_tensor_comes_back_on_its_own_memory(torch, layout, version):
    x = LAYOUTS[layout](torch.arange(24))
    y = torch.from_dlpack(x.__dlpack__(max_version=version))
    assert y.shape == x.shape and y.dtype is x.dtype and y.tolist() == x.tolist()
    if x.numel():
        assert y.data_ptr() == x.data_ptr() and y.stride() == x.stride()
    if x.numel() and 0 not in x.stride():
        y.fill_(77)
        assert (x == 77).all()


@pytest.mark.parametrize("name", DTYPES)
def test_numpy_takes_every_dtype(torch, name):
    x = torch.tensor([[0, 1], [1, 0]]).to(getattr(torch, name))
    a = np.from_dlpack(x)
    assert a.dtype == name and a.tolist() == x.tolist()
    a[0, 0] = 1
    assert x[0, 0] == 1
    y = torch.from_dlpack(a)
    y[0, 1] = 0
    assert x[0, 1] == 0 and y.dtype is x.dtype


@pytest.mark.parity
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", [*DTYPES, "bfloat16"])
def test_there_and_back_by_pytorch(name, layout):
    torch = pytest.importorskip("torch")
    if name == "bfloat16":
        pytest.importorskip("ml_dtypes")
    x = LAYOUTS[layout](minigrad.arange(24).to(getattr(minigrad, name)))
    theirs = torch.from_dlpack(x)
    ours = minigrad.from_dlpack(theirs)
    assert theirs.dtype is getattr(torch, name) and ours.dtype is x.dtype and ours.tolist() == x.tolist()
    assert theirs.data_ptr() == ours.data_ptr() == x.data_ptr() or not x.numel()
    assert ours.shape == x.shape == tuple(theirs.shape)
    old = minigrad.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(theirs))
    if 0 not in x.stride():
        old.zero_()
        assert not theirs.any() and not x.any()


def test_bfloat16():
    pytest.importorskip("ml_dtypes")
    x = minigrad.tensor([1.5, -2], dtype=minigrad.bfloat16)
    y = minigrad.from_dlpack(x)
    assert y.dtype is minigrad.bfloat16 and y.tolist() == [1.5, -2] and share_memory(x, y)


def test_where_it_lies(torch):
    kind, number = torch.ones(1).__dlpack_device__()
    assert kind is torch.utils.dlpack.DLDeviceType.kDLCPU and (kind, number) == (1, 0)


def test_three_names(torch):
    assert torch.from_dlpack is torch.utils.dlpack.from_dlpack and torch.to_dlpack is torch.utils.dlpack.to_dlpack
    assert repr(torch.to_dlpack(torch.ones(2))).startswith('<capsule object "dltensor" at')
    assert '"dltensor_versioned"' in repr(torch.ones(2).__dlpack__(max_version=(1, 0)))


@pytest.mark.parametrize("copy", [True, False, None])
def test_copies(torch, copy):
    x = torch.zeros(3)
    a = np.from_dlpack(x, copy=copy) if hasattr(np, "unstack") else np.array(x, copy=bool(copy))
    y = torch.from_dlpack(x, copy=copy, device="cpu")
    x.fill_(1)
    assert a.tolist() == y.tolist() == [0. if copy else 1.] * 3


def test_a_copy_from_a_library_that_makes_none(torch):
    x = torch.zeros(3)
    y = torch.from_dlpack(Capsule(torch.to_dlpack(x)), copy=True)
    z = torch.from_dlpack(Capsule(torch.to_dlpack(x)))
    x.fill_(1)
    assert y.tolist() == [0., 0., 0.] and z.tolist() == [1., 1., 1.]


def test_what_requires_grad_is_not_given_away(torch):
    x = torch.ones(2, requires_grad=True)
    for convert in (x.__dlpack__, lambda: np.from_dlpack(x), lambda: (x * 2).__dlpack__(),
                    lambda: torch.from_dlpack(x)):
        with refuses(BufferError, "Can't export tensors that require gradient, use tensor.detach()", "MG405"):
            convert()
    with torch.no_grad(), refuses(BufferError, "Can't export tensors that require gradient", "MG405"):
        np.from_dlpack(x)
    assert np.from_dlpack(x.detach()).tolist() == [1., 1.]


def test_nor_by_a_capsule():
    """PyTorch's to_dlpack gives it away, and the gradient is lost."""
    with refuses(BufferError, "Can't export tensors that require gradient", "MG405"):
        minigrad.to_dlpack(minigrad.ones(2, requires_grad=True))


def test_a_capsule_is_used_once(torch):
    capsule = torch.to_dlpack(torch.ones(2))
    torch.from_dlpack(capsule)
    for wrong in (capsule, [1.], None):
        with refuses(RuntimeError, "from_dlpack received an invalid capsule. Note that DLTensor capsules can be "
                     "consumed only once" if not is_minigrad(torch) else "from_dlpack received an invalid capsule",
                     "MG405"):
            torch.from_dlpack(wrong)


@pytest.mark.parametrize(("options", "kind", "phrase", "code"), [
    ({"stream": 3}, AssertionError, "stream should be None on cpu", "MG405"),
    ({"max_version": 3}, TypeError, "", "MG205"),
    ({"stream": "a"}, TypeError, "stream must be ``int`` or ``none``", "MG205"),
    ({"dl_device": (2, 0), "copy": False}, ValueError, "cannot move (i.e. copy=False) tensor from cpu to", "MG403"),
    ({"dl_device": (2, 0)}, (RuntimeError, NotImplementedError), "", "MG404")])
def test_refused_options(torch, options, kind, phrase, code):
    with refuses(kind, phrase, code):
        torch.ones(2).__dlpack__(**options)
    assert torch.ones(2).__dlpack__(stream=None, dl_device=(1, 0), copy=False)


def test_other_refusals(torch):
    capsule = torch.to_dlpack(torch.ones(2))
    with refuses(AssertionError, "device and copy kwargs not supported when ext_tensor is already a DLPack capsule.",
                 "MG405"):
        torch.from_dlpack(capsule, copy=True)
    with pytest.raises(BufferError):
        torch.from_dlpack(np.array(["a"]))
    with pytest.raises(BufferError):
        torch.from_dlpack(np.zeros(3, ">f8"))
    with refuses((TypeError,), "must be Tensor, not int", "MG205"):
        torch.to_dlpack(3)


def test_what_a_tensor_cannot_lie_in():
    """PyTorch ends the process at a negative stride, and drops a mask."""
    with refuses(ValueError, "At least one stride in the given numpy array is negative", "MG403"):
        minigrad.from_dlpack(np.zeros(3)[::-1])
    with refuses(TypeError, "a masked array has no counterpart", "MG402"):
        minigrad.from_dlpack(np.ma.masked_array([1.], [True]))
    elsewhere = Capsule(None)
    elsewhere.__class__ = type("Elsewhere", (Capsule,), {"__dlpack_device__": lambda self: (2, 1)})
    with refuses(BufferError, "the array is on device (2, 1)", "MG405"):
        minigrad.from_dlpack(elsewhere)


def test_read_only_memory():
    array = np.ones(3)
    array.flags.writeable = False
    with pytest.warns(UserWarning, match="not writable"):
        x = minigrad.from_dlpack(array)
    with pytest.raises(RuntimeError, match="read-only"):
        x.add_(1)
    assert not np.from_dlpack(x).flags.writeable and np.from_dlpack(x).tolist() == [1., 1., 1.]
    with refuses(BufferError, "Can't export read-only memory", "MG405"):
        x.__dlpack__()
    assert minigrad.from_dlpack(x.__dlpack__(copy=True)).add_(1).tolist() == [2., 2., 2.]


def test_inside_vmap():
    with refuses(RuntimeError, "vmap: It looks like you're calling .__dlpack__() on a Tensor", "MG117"):
        minigrad.vmap(lambda x: minigrad.from_dlpack(x))(minigrad.ones(2, 2))


# ------------------------------------------------------------------------------ lifetimes

class Traced(np.ndarray):
    """An array that can be weakly referenced."""


def owner():
    """An array, and how to ask whether it lives."""
    array = np.arange(6.).view(Traced)
    return array, weakref.ref(array)


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_the_memory_lives_as_long_as_the_other_side_needs_it(version):
    array, alive = owner()
    capsule = minigrad._core.runtime.dlpack.export(array, 2, version is not None)
    del array
    gc.collect()
    assert alive() is not None
    taken = minigrad.from_dlpack(capsule)
    del capsule
    part = taken[2:4]
    del taken
    gc.collect()
    assert alive() is not None and part.tolist() == [2., 3.]
    del part
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("versioned", [True, False])
def test_a_capsule_that_nobody_takes_lets_go(versioned):
    array, alive = owner()
    capsule = minigrad._core.runtime.dlpack.export(array, 2, versioned)
    del array
    assert alive() is not None
    del capsule
    assert alive() is None


def test_a_refused_capsule_is_left_as_it_was():
    capsule = minigrad._core.runtime.dlpack.export(np.ones(2), 77, False)
    for _ in range(2):
        with refuses(RuntimeError, "Unsupported dtype in DLTensor: code 77 of 64 bits", "MG405"):
            minigrad.from_dlpack(capsule)


def test_the_tensor_may_die_first(torch):
    a = np.from_dlpack(torch.arange(1000.) + 1)
    others = [torch.zeros(1000) for _ in range(20)]         # which would be given the same memory again
    assert a[999] == 1000. and not others[-1].any()


def test_a_result_of_shared_memory_is_recorded(torch):
    x = torch.from_dlpack(np.array([1., 2.])).requires_grad_()
    (x * x).sum().backward()
    assert x.grad.tolist() == [2., 4.]


def test_no_history(torch):
    x = torch.from_dlpack(np.ones(2))
    assert x.is_leaf and not x.requires_grad and x._version == 0
    assert is_minigrad(torch) is (type(x) is type(wrap(np.ones(1))))


def test_random_layouts_there_and_back():
    random = np.random.default_rng(0)
    for _ in range(200):
        array = (random.normal(size=random.integers(0, 4, random.integers(1, 5))) * 5).astype(
            random.choice(["f2", "f4", "f8", "i1", "i8", "u2", "u8", "?", "c8", "c16"]))
        array = array.transpose(random.permutation(array.ndim))
        array = array[tuple([slice(None, None, random.integers(1, 3)) for _ in array.shape])]
        x = minigrad.from_dlpack(array)
        back = np.from_dlpack(x)
        assert np.array_equal(back, array) and (array.size == 0 or np.shares_memory(back, array))
        assert array.size == 0 or back.strides == array.strides
        for version in (None, (0, 8), (1, 0), (2, 0)):
            capsule = x.__dlpack__(max_version=version)
            assert np.array_equal(minigrad.from_dlpack(capsule).numpy(), array)
            with refuses(BufferError, "DLTensor capsules can be consumed only once", "MG405"):
                minigrad.from_dlpack(capsule)


def test_threads_may_share_one_tensor():
    x, failures = minigrad.arange(100.), []

    def borrow():
        for _ in range(100):
            if minigrad.from_dlpack(np.from_dlpack(x))[5].item() != 5:
                failures.append(x)
            x.__dlpack__()

    threads = [Thread(target=borrow) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and x.tolist() == list(range(100))


# ------------------------------------------------------------------------------ capsules of others

class Elements(ctypes.Structure):
    """DLTensor, as DLPack defines it."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


class Plain(ctypes.Structure):
    _fields_ = [("elements", Elements), ("owner", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("owner", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("elements", Elements)]


def exported(array, versioned=False):
    """A capsule, and the struct in it."""
    capsule = minigrad._core.runtime.dlpack.export(array, 2, versioned)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    at = pointer(capsule, b"dltensor_versioned" if versioned else b"dltensor")
    return capsule, (Versioned if versioned else Plain).from_address(at)


@pytest.mark.parametrize("changes, phrase", [
    ({"device_type": 2}, "the memory is on device (2, 0) of DLPack"),
    ({"ndim": 65}, "65 dims are more than the 64 that an array may have"),
    ({"ndim": -1}, "-1 dims are more than the 64"),
    ({"lanes": 4}, "code 2 of 64 bits, with 4 lanes"), ({"bits": 80}, "code 2 of 80 bits, with 1 lanes")])
@pytest.mark.parametrize("versioned", [True, False])
def test_what_an_array_cannot_lie_in_is_refused_and_left_alone(changes, phrase, versioned):
    array, alive = owner()
    capsule, struct = exported(array, versioned)
    del array
    before = {name: getattr(struct.elements, name) for name in changes}
    for name, value in changes.items():
        setattr(struct.elements, name, value)
    with refuses(RuntimeError, phrase, "MG405"):
        minigrad.from_dlpack(capsule)
    for name, value in before.items():
        setattr(struct.elements, name, value)
    assert minigrad.from_dlpack(capsule).tolist() == [0., 1., 2., 3., 4., 5.]
    del capsule
    gc.collect()
    assert alive() is None


def test_a_later_version_of_dlpack_is_refused():
    capsule, struct = exported(np.ones(2), True)
    struct.major, struct.minor = 2, 7
    with refuses(RuntimeError, "the capsule has version 2.7 of DLPack, and minigrad reads 1", "MG405"):
        minigrad.from_dlpack(capsule)


def test_without_strides_elements_lie_row_by_row():
    capsule, struct = exported(np.arange(6.).reshape(2, 3))
    struct.elements.strides = None
    assert minigrad.from_dlpack(capsule).tolist() == [[0., 1., 2.], [3., 4., 5.]]


@pytest.mark.parametrize("versioned", [True, False])
def test_a_library_need_not_be_told_when_its_memory_is_free(versioned):
    array = np.arange(3.)
    capsule, struct = exported(array, versioned)
    struct.deleter = None
    taken = minigrad.from_dlpack(capsule)
    taken[0] = 7
    del taken, capsule
    gc.collect()
    assert array.tolist() == [7., 1., 2.]
