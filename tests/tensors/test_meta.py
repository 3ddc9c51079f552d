"""The device "meta": tensors that have shapes, dtypes, strides and histories, and no numbers."""

import copy
import io
import pickle
import resource
import threading

import numpy as np
import pytest

import minigrad
import minigrad as torch
from minigrad._core.devices.meta import unbacked
from minigrad._core.errors import MinigradError
from tests.checking import refuses

F = torch.nn.functional
HUGE = 10 ** 6


def empty(*sizes, **options):
    return torch.empty(*sizes, device="meta", **options)


# ------------------------------------------------------------------------------ making them

def test_it_prints_everything_but_numbers():
    x = empty(3, 4, requires_grad=True)
    assert repr(empty(3, 4)) == "tensor(..., device='meta', size=(3, 4))"
    assert repr(empty(())) == "tensor(..., device='meta', size=())"
    assert repr(x) == "tensor(..., device='meta', size=(3, 4), requires_grad=True)"
    assert repr(x * 2) == "tensor(..., device='meta', size=(3, 4), grad_fn=<MulBackward0>)"
    assert repr(empty(2, dtype=torch.int64)) == "tensor(..., device='meta', size=(2,), dtype=torch.int64)"
    assert repr(empty(2, dtype=torch.bool)) == "tensor(..., device='meta', size=(2,), dtype=torch.bool)"
    assert f"{empty(())}" == "tensor(..., device='meta', size=())"


MAKERS = {
    "zeros": lambda d: torch.zeros(2, 3, device=d), "ones": lambda d: torch.ones((2, 3), device=d),
    "empty": lambda d: torch.empty(2, 3, 4, 5, device=d, memory_format=torch.channels_last),
    "full": lambda d: torch.full((2,), 3, device=d), "scalar_tensor": lambda d: torch.scalar_tensor(3, device=d),
    "tensor": lambda d: torch.tensor([[1, 2], [3, 4]], device=d),
    "as_tensor": lambda d: torch.as_tensor([1.], device=d),
    "asarray": lambda d: torch.asarray([1., 2.], device=d), "arange": lambda d: torch.arange(1, 9, 2, device=d),
    "linspace": lambda d: torch.linspace(0, 1, 5, device=d), "logspace": lambda d: torch.logspace(0, 1, 5, device=d),
    "eye": lambda d: torch.eye(3, 2, device=d), "tril_indices": lambda d: torch.tril_indices(3, 3, device=d),
    "rand": lambda d: torch.rand(2, 3, device=d), "randn": lambda d: torch.randn(2, dtype=torch.cfloat, device=d),
    "randint": lambda d: torch.randint(0, 3, (3,), device=d), "randperm": lambda d: torch.randperm(5, device=d),
    "normal": lambda d: torch.normal(0., 1., (2, 2), device=d),
    "zeros_like": lambda d: torch.zeros_like(torch.ones(2, 3).t(), device=d),
    "full_like": lambda d: torch.full_like(torch.ones(2, 3), 2, device=d),
    "randn_like": lambda d: torch.randn_like(torch.ones(2, 3), device=d),
    "new_zeros": lambda d: torch.ones(2, dtype=torch.float64).new_zeros(3, device=d),
    "new_tensor": lambda d: torch.ones(2).new_tensor([1, 2], device=d),
    "new_full": lambda d: torch.ones(2).new_full((2,), 3, device=d),
    "empty_strided": lambda d: torch.empty_strided((2, 3), (1, 2), device=d),
    "empty_permuted": lambda d: torch.empty_permuted((2, 3, 4), (1, 2, 0), device=d),
    "hann_window": lambda d: torch.hann_window(5, device=d), "fftfreq": lambda d: torch.fft.fftfreq(5, device=d),
    "blackman": lambda d: torch.signal.windows.blackman(4, device=d),
    "frombuffer": lambda d: torch.frombuffer(bytearray(4), dtype=torch.uint8).to(d),
}


@pytest.mark.parametrize("name", MAKERS)
def test_every_factory_makes_the_same_form_there(name):
    made, expected = MAKERS[name]("meta"), MAKERS[name]("cpu")
    assert made.device == torch.device("meta") and made.is_meta and not made.is_cpu
    assert (made.shape, made.dtype, made.stride()) == (expected.shape, expected.dtype, expected.stride())


def test_what_is_like_a_tensor_is_on_its_device():
    x = empty(2, 3)
    for made in (torch.zeros_like(x), x.new_ones(2), x.new_tensor([1.]), x.clone(), torch.rand_like(x), x.detach(),
                 x.data):
        assert made.is_meta
    assert torch.empty_like(x, device="cpu").is_cpu and x.new_zeros(2, device="cpu").is_cpu
    assert torch.tensor([1., 2.], device="meta:0").device == torch.device("meta")


def test_the_default_device_in_a_with_block_and_of_the_thread():
    with torch.device("meta"):
        assert torch.zeros(2).is_meta and torch.tensor([1]).is_meta and torch.get_default_device().type == "meta"
        assert torch.ones(2, device="cpu").is_cpu
        with torch.device("cpu"):
            assert torch.ones(2).is_cpu
        assert torch.arange(3).is_meta
        assert torch.zeros_like(torch.ones(2, device="cpu")).is_cpu
    assert torch.zeros(2).is_cpu
    torch.set_default_device("meta")
    try:
        seen = []
        thread = threading.Thread(target=lambda: seen.append(torch.ones(1).device.type))
        thread.start()
        thread.join()
        assert torch.ones(1).is_meta and seen == ["cpu"]
    finally:
        torch.set_default_device(None)
    assert torch.ones(1).is_cpu and minigrad._core.runtime.thread_state.is_grad_enabled()


def test_random_numbers_are_not_used_up():
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    empty(5).normal_(), torch.rand(4, device="meta"), F.dropout(empty(7)), torch.bernoulli(empty(3))
    assert torch.equal(torch.rand(3), expected)


# ------------------------------------------------------------------------------ there and back

def test_a_tensor_moves_there_and_not_back():
    x = torch.ones(3, 4).t()
    y = x.to("meta")
    assert y.is_meta and y.stride() == x.stride() and y.to("meta") is y and x.to(y).is_meta
    assert x.to("meta", torch.float64).dtype == torch.float64
    for back in (lambda: y.cpu(), lambda: y.to("cpu"), lambda: y.to(x), lambda: torch.ones(4, 3).copy_(y)):
        with refuses(NotImplementedError, "Cannot copy out of meta tensor; no data!", "MG406"):
            back()


def test_the_gradient_of_what_was_moved_cannot_come_back():
    for x in (torch.ones(2, 3, requires_grad=True), torch.tensor(1., requires_grad=True)):
        moved = x.to("meta")
        assert moved.grad_fn.name() == "ToCopyBackward0"
        with refuses(NotImplementedError, "Cannot copy out of meta tensor; no data!", "MG406"):
            moved.sum().backward()
        assert x.grad is None


NUMBERS = {
    "item": lambda x: x.item(), "tolist": lambda x: x.tolist(), "numpy": lambda x: x.numpy(), "bool": bool, "int": int,
    "float": float, "array": np.asarray, "in": lambda x: 1 in x, "nonzero": lambda x: x.nonzero(),
    "mask": lambda x: x.expand(3)[x.expand(3) > 0], "equal": lambda x: torch.equal(x, x),
    "allclose": lambda x: torch.allclose(x, x), "unique": lambda x: torch.unique(x.expand(3)),
    "list of them": lambda x: torch.tensor([x, x]), "apply_": lambda x: x.apply_(abs),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_what_needs_numbers_says_so(name):
    with refuses(NotImplementedError, "", "MG406"):
        NUMBERS[name](empty(()))


def test_libraries_are_told():
    with refuses(ValueError, "Unknown device type meta for Dlpack", "MG403"):
        torch.from_dlpack(empty(2))
    with refuses(BufferError, "Cannot pack tensors on meta", "MG405"):
        empty(2).__dlpack__()
    with refuses(RuntimeError, "legacy constructor expects device type: cpu but device type: meta was passed", "MG404"):
        torch.FloatTensor([1.], device="meta")


def test_copies_and_files():
    x = empty(3, 4, requires_grad=True)
    x.grad = empty(3, 4)
    file = io.BytesIO()
    torch.save({"x": x.t()}, file)
    file.seek(0)
    for copied in (copy.deepcopy(x), copy.copy(x), pickle.loads(pickle.dumps(x)), torch.load(file)["x"].t()):
        assert repr(copied) == repr(x) or not copied.is_leaf
    assert copy.deepcopy(x).grad.is_meta
    damaged = pickle.dumps(x).replace(b"K\x03K\x04", b"K\x03K\x05")
    assert pickle.loads(damaged).shape == (3, 5)                    # there is nothing beyond which it could reach


def test_a_mapped_tensor_moves():
    x = torch.ones(3, 4)
    assert torch.func.vmap(lambda x: x.to("meta") * 2)(x).shape == (3, 4)
    with refuses(NotImplementedError, "Cannot copy out of meta tensor; no data!", "MG406"):
        torch.func.vmap(torch.func.grad(lambda x: x.to("meta").sum()))(x)


# ------------------------------------------------------------------------------ two devices

def test_one_number_has_no_device():
    x = empty(2, 3)
    for result in (x + 1, x + torch.tensor(1.), torch.tensor(1.) * x, torch.where(x > 0, x, torch.tensor(0.))):
        assert result.is_meta and result.shape == (2, 3)


def test_what_is_new_beside_it_is_there_too():
    x = torch.empty(2, device="meta", dtype=torch.float64)
    for made in (x.new(2, 3), x.new([1., 2.]), x.new_tensor([1., 2.])):
        assert made.is_meta and made.dtype is torch.float64
    with refuses(NotImplementedError, "Cannot copy out of meta tensor; no data! tensor()", "MG406"), \
            pytest.warns(UserWarning, match="To copy construct from a tensor"):
        torch.tensor(x, device="cpu")
    with refuses(RuntimeError, "Generator(): the device 'meta' has no numbers", "MG404"):
        torch.Generator(device="meta")


MIXED = {
    "add": lambda x, y: x + y, "matmul": lambda x, y: x @ y.t(), "where": lambda x, y: torch.where(y > 0, x, x),
    "cat": lambda x, y: torch.cat([x, y]), "add_": lambda x, y: x.add_(y), "in place there": lambda x, y: y.add_(x),
    "addmm": lambda x, y: torch.addmm(x, y, empty(3, 3)), "eq": lambda x, y: x == y,
}


@pytest.mark.parametrize("name", MIXED)
def test_two_devices_are_refused(name):
    y = torch.ones(2, 3)
    with refuses(RuntimeError, "Expected all tensors to be on the same device", "MG407"):
        MIXED[name](empty(2, 3), y)
    assert torch.equal(y, torch.ones(2, 3)) and y._version == 0


def test_positions_may_be_known_and_numbers_may_be_written():
    x = empty(4, 3)
    index = torch.tensor([0, 2])
    assert x[index].shape == x.index_select(0, index).shape == (2, 3)
    assert x[torch.tensor([True, False, True, True])].shape == (3, 3)
    assert F.embedding(index, x).shape == (2, 3)
    x.copy_(torch.ones(3))
    x[0], x[:, 1], x[index] = torch.ones(3), 2., empty(2, 3)
    x[x > 0] = 1.
    assert x._version == 5


@pytest.mark.parametrize("write", [
    lambda x, y: x.add_(y), lambda x, y: x.mul_(y), lambda x, y: x.fill_(y), lambda x, y: x.copy_(y),
    lambda x, y: x.pow_(y), lambda x, y: x.lerp_(y, 0.5), lambda x, y: x.__setitem__(..., y)])
def test_one_number_of_it_is_not_written_to_one_of_the_cpu(write):
    for x in (torch.ones(()), torch.ones(2)[0], torch.ones((), requires_grad=True) * 1):
        with refuses(NotImplementedError, "Cannot copy out of meta tensor; no data!", "MG406"):
            write(x, empty(()))
        assert x.item() == 1 and x._version == 0


def test_out_is_on_the_same_device():
    x, out = empty(2, 3), empty(0)
    assert torch.add(x, x, out=out) is out and out.shape == (2, 3)
    for a, b in ((x, torch.ones(2, 3)), (torch.ones(2, 3), x)):
        with refuses(RuntimeError, "cross-device copies are not allowed", "MG407"):
            torch.add(a, a, out=b)


# ------------------------------------------------------------------------------ autograd

def test_backward_gives_gradients_there():
    x, w = empty(5, 3, requires_grad=True), empty(4, 3, requires_grad=True)
    for _ in range(2):
        F.gelu(F.linear(x, w)).pow(2).mean().backward()
    assert repr(x.grad) == "tensor(..., device='meta', size=(5, 3))" and w.grad.shape == (4, 3)
    first, = torch.autograd.grad(w.exp().sum(), w, create_graph=True)
    second, = torch.autograd.grad(first.sum(), w)
    assert first.requires_grad and second.is_meta and second.shape == (4, 3)


def test_views_writes_and_hooks():
    base = empty(4, 3, requires_grad=True) * 1
    row = base[0]
    row.mul_(2)
    assert row._base is base and base.grad_fn.name() == "torch::autograd::CopySlices" and row._version == 1
    seen = []
    base.register_hook(seen.append)
    base.sum().backward()
    assert seen[0].is_meta and seen[0].shape == (4, 3)
    x = empty(3, requires_grad=True)
    y = x.exp()
    y.add_(1)
    with refuses(RuntimeError, "modified by an inplace operation", "MG101"):
        y.sum().backward()
    assert empty(0, 3)[:, 1:]._is_view() and empty(2, 3).t().reshape(6)._base is None


def test_a_tensor_may_be_scattered_into_itself_there():
    """On the CPU that is refused, since elements are written before they are read; there is nothing to read here."""
    x = empty(3)
    assert x.scatter_(0, empty(3, dtype=torch.int64), x) is x and x._version == 1


def test_gradients_are_on_the_device_of_their_tensor():
    x = empty(2, 3, requires_grad=True)
    with refuses(RuntimeError, "expected device meta but got cpu", "MG407"):
        (x * 2).backward(torch.ones(2, 3))
    with refuses(RuntimeError, "attempting to assign a gradient with device type 'cpu'", "MG118"):
        x.grad = torch.ones(2, 3)
    assert torch.autograd.grad(x.sum(), x, torch.tensor(1.))[0].is_meta


def test_transforms():
    x, y = empty(5, 3), empty(5, 3)
    assert torch.func.vmap(torch.dot)(x, y).shape == (5,)
    assert torch.func.grad(lambda x: (x * y).sum())(x).is_meta
    assert torch.func.vmap(torch.func.grad(lambda x: (x ** 2).sum()))(x).shape == (5, 3)
    value, tangent = torch.func.jvp(torch.sin, (x,), (y,))
    assert value.is_meta and tangent.is_meta
    assert torch.func.hessian(lambda x: (x ** 3).sum())(empty(4)).shape == (4, 4)
    with torch.autograd.forward_ad.dual_level():
        with refuses(RuntimeError, "a tangent is on the device of its tensor", "MG126"):
            torch.autograd.forward_ad.make_dual(x, torch.ones(5, 3))


def test_old_values_of_a_write_are_saved_there():
    x, w = empty(3, requires_grad=True), empty(3, requires_grad=True)
    y = x * 2
    y.mul_(w)
    y[0].mul_(w[1])
    y.sum().backward()
    assert x.grad.is_meta and w.grad.is_meta


def test_what_is_made_beside_a_tensor_of_a_transform():
    def function(x):
        return torch.full_like(x, 2.) * x + x.new_zeros(4).add_(x) + torch.zeros(4, device="meta")
    assert torch.func.vmap(function)(empty(3, 4)).is_meta
    assert torch.func.jvp(function, (empty(4),), (empty(4),))[1].is_meta
    assert torch.func.grad(lambda x: function(x).sum())(empty(4)).is_meta


@pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled")
def test_modes_that_look_at_numbers():
    x = empty(3, requires_grad=True)
    with torch.autograd.detect_anomaly():
        x.exp().sum().backward()
    with minigrad.viz.record() as run:
        (x * 2).sum().backward()
    assert x.grad.is_meta and run is not None
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x.clone(), lambda x: x):
        y = x.exp().sin()
    y.sum().backward()
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        z = x.exp()
        w = z.sin()
        z.add_(1)
        w.sum().backward()
    assert x.grad.is_meta


def test_memory_and_data():
    x = empty(3)
    assert x.resize_(50).shape == (50,) and x.set_(empty(2)).shape == (2,) and x.set_().is_meta
    for mine, given in ((empty(2), torch.ones(2)), (torch.ones(2), empty(2))):
        with refuses(RuntimeError, "Attempted to call `variable.set_data(tensor)`", "MG407"):
            mine.data = given
    assert not isinstance(x, torch.FloatTensor)


# ------------------------------------------------------------------------------ any size

LARGE = {
    "matmul": (lambda x: x @ x, (HUGE, HUGE)), "add": (lambda x: x + x.t(), (HUGE, HUGE)),
    "sum": (lambda x: x.sum(1), (HUGE,)), "var": (lambda x: x.var(0), (HUGE,)),
    "softmax": (lambda x: x.softmax(-1), (HUGE, HUGE)), "view": (lambda x: x.view(10, -1), (10, HUGE ** 2 // 10)),
    "reshape": (lambda x: x.t().reshape(-1), (HUGE ** 2,)), "cat": (lambda x: torch.cat([x, x[:5]]), (HUGE + 5, HUGE)),
    "stack": (lambda x: torch.stack([x, x]), (2, HUGE, HUGE)), "topk": (lambda x: x.topk(50)[0], (HUGE, 50)),
    "sort": (lambda x: x.sort()[1], (HUGE, HUGE)), "tril": (lambda x: x.tril(500), (HUGE, HUGE)),
    "repeat": (lambda x: x.repeat(3, 1), (3 * HUGE, HUGE)), "unfold": (lambda x: x.unfold(1, 3, 2), (HUGE, 499999, 3)),
    "index": (lambda x: x[empty(5, 7, dtype=torch.int64)], (5, 7, HUGE)), "mul_": (lambda x: x.mul_(2), (HUGE, HUGE)),
    "rfft": (lambda x: torch.fft.rfft(x), (HUGE, HUGE // 2 + 1)), "norm": (lambda x: x.norm(), ()),
    "inv": (lambda x: torch.linalg.inv(x), (HUGE, HUGE)), "svd": (lambda x: torch.linalg.svd(x[:9])[2], (HUGE, HUGE)),
    "max_pool2d": (lambda x: F.max_pool2d(empty(256, 64, 113, 112), 3, 2, 1), (256, 64, 57, 56)),
    "conv2d": (lambda x: F.conv2d(empty(256, 3, 224, 224), empty(64, 3, 7, 7), stride=2, padding=3),
               (256, 64, 112, 112)),
    "pad": (lambda x: F.pad(x, (1, 2)), (HUGE, HUGE + 3)), "diagonal": (lambda x: x.diagonal(3), (HUGE - 3,)),
    "pdist": (lambda x: torch.pdist(empty(1500, 100)), (1500 * 1499 // 2,)),
    "irfft": (lambda x: torch.fft.irfft(empty(5, HUGE, dtype=torch.cfloat)), (5, 2 * HUGE - 2)),
    "kth diagonals": (lambda x: torch.diag(x[:, :262], -19), (262,)),
    "near sizes": (lambda x: torch.diag(x[:5000, :4990], -19), (4981,)),
    "pixel_shuffle": (lambda x: F.pixel_shuffle(empty(2610, 92, 90, 90), 2), (2610, 23, 180, 180)),
    "interpolate": (lambda x: F.interpolate(empty(256, 64, 112, 112), scale_factor=2), (256, 64, 224, 224)),
    "group_norm": (lambda x: F.group_norm(empty(256, 64, 112, 112), 32), (256, 64, 112, 112)),
    "one_hot": (lambda x: F.one_hot(empty(HUGE, dtype=torch.int64), HUGE), (HUGE, HUGE)),
    "kron": (lambda x: torch.kron(empty(1000, 100), empty(1000, 1)), (HUGE, 100)),
    "attention": (lambda x: F.scaled_dot_product_attention(*[empty(8, 32, 4096, 128)] * 3, is_causal=True),
                  (8, 32, 4096, 128)),
}


@pytest.mark.parametrize("name", LARGE)
def test_any_size_takes_no_memory(name):
    function, shape = LARGE[name]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = function(empty(HUGE, HUGE))
    assert result.shape == shape and result.is_meta
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000          # in KB


def test_a_network_of_any_size():
    weight, tokens = empty(50257, 768, requires_grad=True), empty(8, 1024, dtype=torch.int64)
    project = empty(2304, 768, requires_grad=True)
    x = F.embedding(tokens, weight)
    q, k, v = [each.view(8, 1024, 12, 64).transpose(1, 2) for each in F.linear(x, project).chunk(3, -1)]
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(8, 1024, 768)
    y = F.layer_norm(y, (768,), empty(768), empty(768))
    F.cross_entropy(F.linear(y, weight).view(-1, 50257), tokens.view(-1)).backward()
    assert repr(weight.grad) == "tensor(..., device='meta', size=(50257, 768))"
    assert project.grad.shape == (2304, 768)


def test_there_may_be_more_of_them_than_the_process_has_addresses():
    kept = [empty(HUGE, HUGE, requires_grad=True)]
    for _ in range(40):
        kept.append(kept[-1] @ kept[0])
    assert len({each._array.ctypes.data for each in kept}) == 41
    row = kept[-1][5, ::2]
    assert row.storage_offset() == 5 * HUGE and row._base is kept[-1] and row.stride() == (2,)
    kept[-1].as_strided((3,), (7,), 2).sum().backward()
    assert kept[0].grad.shape == (HUGE, HUGE)
    kept[0].detach()[1:].mul_(kept[1].detach()[1:])
    complex_ones = [empty(HUGE, HUGE, dtype=torch.complex128) for _ in range(10)]
    assert torch.view_as_real(complex_ones[-1])[..., 0].stride() == (2 * HUGE, 2)
    assert empty(HUGE, HUGE, dtype=torch.bfloat16).to(torch.float64).dtype == torch.float64


def test_a_size_beyond_all_addresses_is_refused():
    with refuses(RuntimeError, "Storage size calculation overflowed", "MG204"):
        empty(10 ** 10, 10 ** 10)


def test_more_elements_than_addresses_in_another_dtype():
    x = empty(1, dtype=torch.int8).expand(2 ** 31, 2 ** 30)
    assert x.shape == (2 ** 31, 2 ** 30)
    with refuses(RuntimeError, "Storage size calculation overflowed", "MG204"):
        x + 1.5


@pytest.mark.parametrize("count", [torch.bincount, torch.unique, torch.nonzero,
                                   lambda x: torch.masked_select(x, x > 0)])
def test_of_many_elements_it_is_said_that_numbers_decide(count):
    with refuses(NotImplementedError, "the shape of its result depends on numbers", "MG406"):
        count(empty(HUGE, dtype=torch.int64))


def test_a_shape_that_does_not_fit_is_refused_there():
    for x in (empty(2, 3), empty(3, 2).t()):
        with refuses(RuntimeError, "shape '[4]' is invalid for input of size 6", "MG201"):
            x.reshape(4)


def test_errors_name_the_true_sizes():
    x = empty(HUGE, HUGE)
    with refuses(RuntimeError, "1000000", "MG201"):
        x + empty(5, 70000)
    with refuses(RuntimeError, "70000", "MG201"):
        x @ empty(70000, 5)
    with pytest.raises(MinigradError, match="Dimension out of range"):
        x.sum(2)


def test_sizes_for_which_numpy_has_no_words_are_refused_without_data():
    """Strides of 0 need few addresses, but NumPy multiplies the sizes."""
    for shape, strides in (((2**40, 2**40), (0, 0)), ((2**70,), (0,))):
        with refuses(RuntimeError, "Storage size calculation overflowed", "MG204"):
            unbacked(shape, np.float32, strides)


def test_type_as_goes_to_the_device_of_the_other(torch):
    here, there = torch.ones(2), torch.ones(2, device="meta", dtype=torch.float64)
    found = here.type_as(there)
    assert found.is_meta and found.dtype is torch.float64 and there.type_as(there) is there
    with refuses(NotImplementedError, "Cannot copy out of meta tensor; no data!", "MG406"):
        there.type_as(here)
