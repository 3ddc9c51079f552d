"""What tensors say of their memory and device.  Each test states what both libraries do."""

import gc
import warnings

import pytest

import minigrad
from tests.checking import refuses
from minigrad.tensors import attributes


@pytest.mark.parametrize("name", [name for name in attributes.FLAGS if name != "layout"])
def test_flags(torch, name):
    assert getattr(torch.ones(2), name) is (name == "is_cpu")


def test_the_device_has_no_number(torch):
    x = torch.ones(2)
    assert x.get_device() == torch.get_device(x) == -1
    with pytest.raises(TypeError, match="argument 'input' .* must be Tensor, not int"):
        torch.get_device(3)


def test_memory_is_neither_pinned_nor_shared(torch):
    x = torch.ones(2)
    assert not x.is_pinned() and not x.is_shared() and x.const_data_ptr() == x.data_ptr()
    with refuses(RuntimeError, "Cannot access accelerator device when none is available", "MG404"):
        x.pin_memory()


def test_a_tensor_is_set_to_what_shows_the_same_memory(torch):
    x = torch.ones(2, 3)
    assert x.is_set_to(x) and x.is_set_to(x.detach()) and x.is_set_to(x.view(2, 3))
    for other in (x.t(), x[0], x.clone(), x[:, :2], torch.empty(0)):
        assert not x.is_set_to(other)
    assert not torch.empty(0).is_set_to(torch.empty(0))
    with pytest.raises(TypeError):
        x.is_set_to(3)


@pytest.mark.parametrize(("shape", "change", "order"), [
    ((2, 3), "permute(0, 1)", (0, 1)), ((2, 3), "t()", (1, 0)), ((2, 3, 4), "permute(2, 0, 1)", (1, 2, 0)),
    ((2, 3), "expand(4, 2, 3)", (0, 1, 2)), ((), "clone()", ()), ((0, 3), "clone()", (0, 1)),
    ((1, 4), "t()", (0, 1)), ((3, 1, 4), "transpose(0, 1)", (0, 1, 2)),
    ((2, 3, 4, 5), "contiguous(memory_format=torch.channels_last)", (0, 2, 3, 1))])
def test_the_order_of_dims(torch, shape, change, order):
    x = eval("torch.ones(*shape)." + change if shape else "torch.ones(())." + change)
    assert x.dim_order() == order


def test_an_order_that_is_not_unique_is_refused_on_request(torch):
    both = [torch.contiguous_format, torch.channels_last]
    assert torch.ones(2, 3).dim_order(ambiguity_check=True) == (0, 1)
    assert torch.ones(2, 3).t().dim_order(ambiguity_check=True) == (1, 0)
    assert torch.ones(2, 1, 3).dim_order(ambiguity_check=both) == (0, 1, 2)
    for check, shape in ((True, (2, 1, 3)), (True, (1, 4)), (both, (2, 1, 1, 1)), (both, (2, 1, 3, 3))):
        with refuses(RuntimeError, "The tensor does not have unique dim order", "MG204"):
            torch.ones(*shape).dim_order(ambiguity_check=check)
    with refuses(TypeError, "The ambiguity_check argument must be a bool or a list of memory formats", "MG205"):
        torch.ones(2).dim_order(ambiguity_check="yes")


def test_a_tensor_is_dense(torch):
    x = torch.ones(2)
    assert x.to_dense() is x and x.to_dense(torch.float64).dtype is torch.float64


def test_inference_tensors_are_known(torch):
    with torch.inference_mode():
        x = torch.ones(2)
    assert torch.is_inference(x) and not torch.is_inference(torch.ones(2))
    with pytest.raises(TypeError):
        torch.is_inference(2)


def test_inside_vmap_there_is_no_memory():
    with refuses(RuntimeError, "is_set_to()", "MG117"):
        minigrad.vmap(lambda x: x * x.is_set_to(x.clone()))(minigrad.ones(2, 2))


def test_the_collector_finds_a_tensor_by_its_attributes(torch):
    x = torch.ones(2)
    x.note = [1]
    assert any(holder is x for holder in gc.get_referrers(vars(x)))
    assert any(holder is vars(x) for holder in gc.get_referrers(x.note))


def test_a_method_that_writes_says_its_name(torch):
    assert "add_" in repr(torch.Tensor.add_) and repr(torch.Tensor.add_).startswith("<method")


def test_the_parts_of_complex_numbers_can_be_assigned(torch):
    x, w = torch.ones(2, requires_grad=True), torch.tensor([2., 3.], requires_grad=True)
    z = torch.complex(x, x * 2)
    z.imag = w
    z.real = z.real * 2
    assert z.tolist() == [2 + 2j, 2 + 3j]
    (z * z.conj()).real.sum().backward()
    assert x.grad.tolist() == [8., 8.] and w.grad.tolist() == [4., 6.]
    z = torch.zeros(2, dtype=torch.complex64)
    z.real, z.imag = 3, torch.tensor(1.)
    assert z.tolist() == [3 + 1j, 3 + 1j] and z._version == 2
    y = torch.zeros(2)
    y.real = torch.ones(2)
    assert y.tolist() == [1., 1.]
    with refuses(RuntimeError, "imag is not implemented for tensors with non-complex dtypes", "MG202"):
        y.imag = 1.
    with refuses(TypeError, "can't assign a list to a torch.FloatTensor", "MG205"):
        z.real = [1., 2.]


def test_a_tensor_has_every_name_that_it_lists(torch):
    x = torch.ones(2, 2)
    names = dir(x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not [name for name in names if name not in ("real", "imag") and not hasattr(x, name)]
    assert {"grad", "shape", "backward", "sum"} <= {*names} and names == sorted(names)


def test_the_dtype_of_the_gradient(torch):
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    assert x.grad_dtype is torch.float64 and torch.ones(1, dtype=torch.int32).grad_dtype is torch.int32
    for dtype in (torch.float32, None, torch.complex64, torch.float64):
        x.grad_dtype = dtype
        assert x.grad_dtype is dtype and x.detach().grad_dtype is x.clone().detach().grad_dtype is torch.float64
    with refuses(RuntimeError, "grad_dtype must be a torch.dtype or None, but got int", "MG204"):
        x.grad_dtype = 3
    with refuses(RuntimeError, "grad_dtype can only be accessed on leaf tensors", "MG204"):
        (x * 2).grad_dtype
    with refuses(RuntimeError, "grad_dtype can only be set on leaf tensors", "MG204"):
        (x * 2).grad_dtype = torch.float64


def test_integers_are_refused_as_the_dtype_of_a_gradient():
    with refuses(RuntimeError, "grad_dtype must be of floating-point or complex numbers", "MG204"):
        minigrad.ones(2).grad_dtype = minigrad.int64


def test_a_gradient_that_is_there_keeps_its_dtype(torch):
    x = torch.ones(2, requires_grad=True)
    x.grad = torch.ones(2)
    with refuses(RuntimeError, "because there is already a gradient with dtype", "MG118"):
        x.grad_dtype = torch.float64
    x.grad_dtype = None
    x.grad = torch.ones(2, dtype=torch.float16)
    x.grad_dtype = torch.float16
    with refuses(RuntimeError, "attempting to assign a gradient with dtype", "MG118"):
        x.grad = torch.ones(2)
    assert x.grad.dtype is torch.float16


def test_attributes_of_the_users_are_taken_over_at_once(torch):
    """As fastai does, where it makes a tensor one of its own classes."""
    first, second = torch.ones(2), torch.zeros(3)
    first.label = "first"
    second.__dict__ = first.__dict__
    second.more = 2
    assert second.label == "first" and first.more == 2
    with pytest.raises(TypeError):
        second.__dict__ = 3


def test_functions_keep_attributes(torch):
    functional = torch.nn.functional
    for function in (functional.leaky_relu, functional.relu6, functional.sigmoid, functional.linear):
        if not isinstance(function, type(len)):                 # what is built in in PyTorch has none
            function.initialised_by = "kaiming"
            assert function.initialised_by == "kaiming"
            del function.initialised_by
            assert not hasattr(function, "initialised_by")
