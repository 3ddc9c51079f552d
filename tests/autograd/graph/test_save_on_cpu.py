"""``save_on_cpu``: hooks on saved tensors, ready for use."""

import pytest

from tests.autograd.programs import leaf
from tests.checking import is_minigrad, refuses


def test_on_the_cpu_nothing_is_copied(torch):
    x = leaf(torch, 1., 2.)
    with torch.autograd.graph.save_on_cpu():
        y = x * x
    assert y.grad_fn._saved_self.data_ptr() == x.data_ptr()
    y.sum().backward()
    assert x.grad.tolist() == [2., 4.]


@pytest.mark.parametrize("keywords",
                         [{"pin_memory": True}, {"device_type": "cpu"}, {"pin_memory": True, "device_type": "xpu"}])
def test_save_on_cpu_with_other_arguments(torch, keywords):
    if not is_minigrad(torch) and keywords.get("device_type") == "cpu" and keywords.get("pin_memory"):
        pytest.skip("no pinned memory for a CPU")
    x = leaf(torch, 1., 2.)
    with torch.autograd.graph.save_on_cpu(**keywords):
        y = (x * x).exp()
    assert (y.grad_fn._saved_result.data_ptr() == y.data_ptr()) == ("pin_memory" not in keywords)
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx([2 * 2.7182817, 4 * 54.59815])


def test_save_on_cpu_refuses():
    import minigrad as torch

    with refuses(TypeError, "device_type must be a str, not int", "MG205"):
        torch.autograd.graph.save_on_cpu(False, 3)


def test_save_on_cpu_is_a_pair_of_hooks(torch):
    with torch.autograd.graph.save_on_cpu() as nothing:
        assert nothing is None
    assert isinstance(torch.autograd.graph.save_on_cpu(), torch.autograd.graph.saved_tensors_hooks)


def test_a_device_that_is_not_the_cpu():
    """A leaf that says it lives elsewhere is taken to the CPU when it is saved, and back when it is needed."""
    import minigrad as torch

    journeys = []

    class Elsewhere(torch.Tensor):
        device = "elsewhere:0"

        def cpu(self):
            journeys.append("to the CPU")
            return OnCpu._make_subclass(OnCpu, self.detach().clone())

    class OnCpu(torch.Tensor):
        def to(self, device, *, non_blocking=False):
            journeys.append(f"to {device}")
            return Elsewhere._make_subclass(Elsewhere, self.clone())

    x = Elsewhere._make_subclass(Elsewhere, torch.tensor([1., 2.]), True)
    w = torch.tensor([3., 4.], requires_grad=True)
    with torch.autograd.graph.save_on_cpu():
        y = x * w
    assert journeys == ["to the CPU"]
    y.sum().backward()
    assert journeys == ["to the CPU", "to elsewhere:0"]
    assert x.grad.tolist() == [3., 4.] and w.grad.tolist() == [1., 2.]


def test_the_pair_of_save_on_cpu_for_any_device():
    """The two functions ask a tensor for no more than ``device``, ``cpu()`` and ``to(device)``."""
    import minigrad as torch

    class Fake:
        def __init__(self, device):
            self.device = device

        def cpu(self):
            return Fake("cpu")

        def to(self, device, non_blocking):
            return device, non_blocking

    for pinned in (False, True):
        block = torch.autograd.graph.save_on_cpu(pin_memory=pinned)
        device, kept = block.pack_hook(Fake("elsewhere:1"))
        assert device == "elsewhere:1" and kept.device == "cpu"
        assert block.unpack_hook((device, kept)) == ("elsewhere:1", pinned)
