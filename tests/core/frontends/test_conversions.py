"""Conversions and factories with keywords are answered in C as in Python: the same tensors, and the same errors."""

import itertools

import pytest

import minigrad as torch

FORMATS = [None, torch.preserve_format, torch.contiguous_format, torch.channels_last, "contiguous_format", 3]
KEYWORDS = {"dtype": [None, torch.float64, torch.float32, float, "float"], "device": [None, "cpu", torch.device("cpu"),
                                                                                     "meta", 0],
            "memory_format": FORMATS, "copy": [True, False, 1], "non_blocking": [True, False, None],
            "pin_memory": [True, False, None], "requires_grad": [True, 1], "unknown": [None]}


def tensors():
    x = torch.arange(24.).reshape(1, 2, 3, 4)
    return [x, x.transpose(1, 3), x.contiguous(memory_format=torch.channels_last), x[0, 0, 0, 0], x[..., 1:],
            x.long(), x.clone().requires_grad_()]


def outcome(function, x, *args, **kwargs):
    """What a call gives: the tensor itself or of which dtype, device and layout, or its error."""
    try:
        found = function(x, *args, **kwargs)
    except Exception as error:
        return type(error), str(error)
    return (found is x, found.dtype, found.device, found.stride(), found.requires_grad,
            type(found.grad_fn).__name__ if found.requires_grad and not found.is_leaf else None)


def combinations(names):
    """Calls with one of the keywords, and with two."""
    each = [(name, value) for name in names for value in KEYWORDS[name]]
    return [{}] + [dict([one]) for one in each] + [dict(two) for two in itertools.combinations(each, 2)
                                                   if two[0][0] != two[1][0]]


@pytest.mark.parametrize("args", [(), (torch.float64,), ("cpu",), ("cpu", torch.float64), (torch.ones(1).double(),),
                                  (torch.float64, torch.float64), (None,)], ids=str)
def test_to(args):
    for x in tensors():
        for kwargs in combinations(["dtype", "device", "memory_format", "copy", "non_blocking", "unknown"]):
            assert outcome(torch.Tensor.to, x, *args, **kwargs) == outcome(torch.Tensor.to.__wrapped__, x, *args,
                                                                           **kwargs), (x.stride(), kwargs)


@pytest.mark.parametrize("name", ["short", "double", "float", "cpu", "contiguous"])
def test_methods(name):
    method = getattr(torch.Tensor, name)
    for x in tensors():
        for kwargs in combinations(["memory_format"]):
            assert outcome(method, x, **kwargs) == outcome(method.__wrapped__, x, **kwargs), (x.stride(), kwargs)


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like", "rand_like"])
def test_factories(name):
    function = getattr(torch, name)
    for x in tensors():
        for kwargs in combinations(["dtype", "device", "memory_format", "pin_memory", "requires_grad"]):
            assert outcome(function, x, **kwargs) == outcome(function.__wrapped__, x, **kwargs), (x.stride(), kwargs)


@pytest.mark.parametrize("ends", [(0.5, 2.0), (torch.tensor(0.5), torch.tensor(2.0).double()),
                                  (torch.tensor(0.5, requires_grad=True), 2), (torch.tensor(1), torch.tensor(2)),
                                  (torch.ones(1), 2.0)], ids=str)
@pytest.mark.parametrize("function", [torch.linspace, torch.logspace], ids=lambda function: function.__name__)
def test_ends_in_tensors(function, ends):
    def numbers(make):
        try:
            found = make(*ends, 5)
        except Exception as error:
            return str(error)
        return found.dtype, found.tolist(), found.requires_grad
    assert numbers(function) == numbers(function.__wrapped__)
