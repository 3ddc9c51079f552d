"""What a node saved: a number alone, as soon as nobody could write to its array; and everything behaves as before."""

import struct
import tracemalloc
import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad import memory


def bytes_of_a_node(x, step, n=20_000):
    """What a recorded step of a chain keeps alive, with what it saved."""
    y = x
    for _ in range(1000):               # the spare nodes and tensors are used up, or there
        y = step(y)
    del y
    memory.release()
    tracemalloc.start()
    y = x
    for _ in range(n):
        y = step(y)
    bytes_ = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert y.grad_fn is not None
    return bytes_ / n


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_recorded_product_of_scalars_takes_at_most_216_bytes(dtype):
    w = torch.tensor(0.999, dtype=dtype, requires_grad=True)
    x = torch.tensor(0.5, dtype=dtype, requires_grad=True)
    assert bytes_of_a_node(x, lambda y: y * w) <= 216
    assert bytes_of_a_node(x, lambda y: y * y) <= 216
    assert bytes_of_a_node(x, lambda y: y.tanh()) <= 196
    assert bytes_of_a_node(x, lambda y: y + w) <= 166


def bits(t):
    return t.detach().numpy().tobytes()


PLACE = 2 * struct.calcsize("P")        # how large a number may be that is kept by itself
NUMBERS = [0.1, -0.0, float("inf"), float("nan"), 5e-324, 1e300, 3.0]


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64, torch.complex64, torch.complex128])
@pytest.mark.parametrize("number", NUMBERS)
def test_the_number_comes_back_bit_for_bit(dtype, number):
    w = torch.ones((), dtype=dtype, requires_grad=True)
    with np.errstate(over="ignore"):
        x = torch.tensor(number, dtype=torch.float64).to(dtype).requires_grad_() * torch.ones((), dtype=dtype)
    before = bits(x)
    y = x * w
    array = weakref.ref(x._array)
    del x
    if dtype is not torch.float16 and dtype.itemsize <= PLACE:
        assert array() is None          # only the number is left
    saved = y.grad_fn._saved_self
    assert bits(saved) == before and saved.dtype is dtype and saved.shape == ()
    y.backward(torch.ones((), dtype=dtype))
    assert w.grad.dtype is dtype
    if not dtype.is_complex:
        assert bits(w.grad) == before


def test_the_payload_of_a_nan_comes_back():
    quiet = struct.pack("<d", float("nan"))[:-2] + b"\xf8\x7f"
    odd = bytes([7]) + quiet[1:]
    x = torch.from_numpy(np.frombuffer(odd, np.float64).copy().reshape(())).requires_grad_()
    y = x.clone()
    before = bits(y)
    z = y.tanh() * 0 + y * y
    node = z.grad_fn.next_functions[1][0]
    del y
    assert bits(node._saved_self) == before


def products(torch):
    w = torch.tensor(1.5, requires_grad=True)
    x = w * 3
    return w, x, x * w


def test_a_write_through_what_shares_the_memory_is_noticed(torch):
    w, x, y = products(torch)
    other = x.detach()
    del x
    other.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_a_write_that_is_not_counted_changes_the_saved_number(torch):
    w, x, y = products(torch)
    other = x.data
    del x
    other.fill_(7.0)
    y.backward()
    assert w.grad.item() == 7 + 3 * 1.5


def test_a_write_to_the_saved_tensor_is_noticed(torch):
    w, x, y = products(torch)
    del x
    saved = y.grad_fn._saved_self
    assert saved.item() == 4.5 and saved._version == 0 and saved.requires_grad and not saved.is_leaf
    with torch.no_grad():
        saved.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_two_saved_tensors_of_one_slot_share_their_memory(torch):
    w, x, y = products(torch)
    del x
    one, other = y.grad_fn._saved_self, y.grad_fn._saved_self
    assert one.data_ptr() == other.data_ptr()
    del one, other
    y.backward()
    assert w.grad.item() == 4.5 + 4.5


def test_the_version_when_it_was_saved(torch):
    w = torch.tensor(1.5, requires_grad=True)
    x = w * 3
    x.add_(1)
    y = x * w
    del x
    assert y.grad_fn._saved_self._version == 1
    y.backward()
    assert w.grad.item() == 5.5 + 4.5


def test_a_number_that_was_written_to_before_its_tensor_died_is_outdated(torch):
    w, x, y = products(torch)
    with torch.no_grad():
        x.add_(1)
    del x
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
        y.backward()


def test_several_nodes_that_saved_one_tensor(torch):
    w = torch.tensor(1.5, requires_grad=True)
    x = w * 3
    y, z, u = x * w, x * x, x.exp()
    del x
    del z
    (y + u * 0).backward()
    assert w.grad.item() == 4.5 + 4.5


def test_a_saver_that_dies_before_the_tensor_is_forgotten():
    w = torch.tensor(1.5, requires_grad=True)
    x = w * 3
    y = x * w
    for _ in range(600):                # more than are kept as spares
        z = x * w
    del z
    many = [w * 2 for _ in range(600)]
    del x, many
    y.backward()
    assert w.grad.item() == 9.0


def test_double_backward_through_numbers(torch):
    w = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
    x = w * w
    y = x * w
    y = y.tanh() * y.detach()
    del x
    first, = torch.autograd.grad(y, w, create_graph=True)
    second, = torch.autograd.grad(first, w)
    c, t = 1.5 ** 3, np.tanh(1.5 ** 3)
    d1, d2 = 3 * 1.5 ** 2, 6 * 1.5
    assert first.item() == pytest.approx(c * (1 - t * t) * d1)
    assert second.item() == pytest.approx(c * ((1 - t * t) * d2 - 2 * t * (1 - t * t) * d1 * d1))


def test_hooks_of_one_slot_get_the_number(torch):
    w, x, y = products(torch)
    del x
    seen = []
    y.grad_fn._raw_saved_self.register_hooks(lambda t: seen.append(t.item()) or t.item(), torch.tensor)
    y.backward()
    assert seen == [4.5] and w.grad.item() == 9.0


def test_numbers_of_a_custom_function(torch):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            out = x * w
            ctx.save_for_backward(x, w, out)
            return out

        @staticmethod
        def backward(ctx, g):
            x, w, out = ctx.saved_tensors
            assert out.item() == x.item() * w.item()
            return g * w, g * x

    w = torch.tensor(1.5, requires_grad=True)
    y = w * 3
    for _ in range(3):
        y = Product.apply(y, w)
    y.backward()
    assert w.grad.item() == 3 * 4 * 1.5 ** 3


def test_what_lies_in_memory_of_others_keeps_its_array():
    base = torch.ones(3, requires_grad=True) * 2
    x = base[1]
    y = x * x
    array = weakref.ref(x._array)
    del x
    assert array() is not None
    y.backward()


def test_the_form_of_an_output_is_known_from_its_number():
    y = torch.tensor(0.5, requires_grad=True).exp()
    node = y.grad_fn
    del y
    edge = torch.autograd.graph.GradientEdge(node, 0)
    gradient, = torch.autograd.grad([edge], [edge], grad_outputs=[torch.tensor(2.0)])
    assert gradient.item() == 2.0


def test_a_number_whose_writes_another_tensor_counts_keeps_its_counter(torch):
    w = torch.tensor(2., requires_grad=True)
    for writes in (False, True):
        y = w * 3
        other, z = y.detach(), y * y
        other.data = torch.tensor(5.)           # other memory, whose writes are counted as those of `y`
        del y
        if writes:
            other.fill_(7.)
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                z.backward()
        else:
            z.backward()
            assert w.grad.item() == 36.


def test_two_tensors_that_count_the_writes_to_one_number_apart(torch):
    w = torch.tensor(2., requires_grad=True)
    x, y = w * 3, w * 5
    y.data = x.detach()
    z = x * y
    del x
    z.backward()
    assert w.grad.item() == 3 * 6 + 5 * 6


def test_a_number_that_may_not_be_written_to(torch):
    w = torch.tensor(2., requires_grad=True)
    y = w * 3
    y.detach().numpy().flags.writeable = False
    z = y * y
    del y
    z.backward()
    assert w.grad.item() == 36.


def test_a_number_of_another_device(torch):
    w = torch.tensor(2., requires_grad=True, device="meta")
    y = w * 3
    z = y * y
    del y
    z.backward()
    assert w.grad.shape == () and w.grad.device.type == "meta"
