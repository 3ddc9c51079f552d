"""Pruning: the masks and the keys are PyTorch's, for the same seed."""

import importlib

import pytest

from tests.checking import refuses


@pytest.fixture
def prune(torch):
    return importlib.import_module(f"{torch.__name__}.nn.utils.prune")


def layer(torch):
    made = torch.nn.Linear(3, 2)
    with torch.no_grad():
        made.weight.copy_(torch.tensor([[0.5, -0.1, -2.], [1., 0.2, 0.3]]))
        made.bias.copy_(torch.tensor([1., 2.]))
    return made


#: name -> what is called, and the mask of the weight
CALLS = {
    "identity": ("identity(m, 'weight')", [[1, 1, 1], [1, 1, 1]]),
    "l1": ("l1_unstructured(m, 'weight', 2)", [[1, 0, 1], [1, 0, 1]]),
    "l1 of a fraction": ("l1_unstructured(m, 'weight', 0.5)", [[1, 0, 1], [1, 0, 0]]),
    "l1 of nothing": ("l1_unstructured(m, 'weight', 0)", [[1, 1, 1], [1, 1, 1]]),
    "scores": ("l1_unstructured(m, 'weight', 1, torch.arange(6.).view(2, 3))", [[0, 1, 1], [1, 1, 1]]),
    "rows": ("ln_structured(m, 'weight', 1, n=2, dim=0)", [[1, 1, 1], [0, 0, 0]]),
    "columns": ("ln_structured(m, 'weight', 1, n=1, dim=-1)", [[1, 0, 1], [1, 0, 1]]),
    "no columns": ("ln_structured(m, 'weight', 0, n=float('inf'), dim=1)", [[1, 1, 1], [1, 1, 1]]),
    "custom": ("custom_from_mask(m, 'weight', torch.tensor([[0, 1, 0], [1, 1, 0]]))", [[0, 1, 0], [1, 1, 0]]),
    "random": ("random_unstructured(m, 'weight', 3)", [[0, 0, 1], [1, 1, 0]]),
    "random columns": ("random_structured(m, 'weight', 1, dim=1)", [[1, 1, 0], [1, 1, 0]]),
}


@pytest.mark.parametrize(("call", "mask"), CALLS.values(), ids=CALLS)
def test_masks(torch, prune, call, mask):
    m = layer(torch)
    torch.manual_seed(0)
    assert eval("prune." + call) is m
    assert m.weight_mask.tolist() == mask
    assert [*dict(m.named_parameters())] == ["bias", "weight_orig"] and [*dict(m.named_buffers())] == ["weight_mask"]
    assert m.weight.tolist() == (m.weight_orig * torch.tensor(mask)).tolist() and prune.is_pruned(m)


def test_a_pruned_weight_is_learned_where_it_is_left(torch, prune):
    m = prune.l1_unstructured(layer(torch), "weight", 2)
    optimizer = torch.optim.SGD(m.parameters(), lr=1.)
    m(torch.ones(1, 3)).sum().backward()
    assert m.weight_orig.grad.tolist() == [[1, 0, 1], [1, 0, 1]]
    optimizer.step()
    m(torch.ones(1, 3))                                             # the hook computes the weight again
    assert m.weight.tolist() == [[-0.5, -0., -3.], [0., 0., pytest.approx(-0.7)]]


def test_methods_are_combined(torch, prune):
    """Each sees only what the earlier ones have left."""
    m = layer(torch)
    prune.l1_unstructured(m, "weight", 2)
    prune.l1_unstructured(m, "weight", 0.5)
    assert m.weight_mask.tolist() == [[0, 0, 1], [1, 0, 0]]
    prune.ln_structured(m, "weight", 1, n=2, dim=0)
    assert m.weight_mask.tolist() == [[0, 0, 1], [0, 0, 0]]
    prune.identity(m, "bias")
    container, other = m._forward_pre_hooks.values()
    assert [type(each).__name__ for each in container] == ["L1Unstructured", "L1Unstructured", "LnStructured"]
    assert len(container) == 3 and container[0].amount == 2 and type(other).__name__ == "Identity"


def test_many_parameters_are_pruned_as_one(torch, prune):
    net = torch.nn.Sequential(layer(torch), layer(torch))
    prune.custom_from_mask(net[1], "weight", torch.tensor([[1, 1, 0], [1, 1, 1]]))
    places = [(net[0], "weight"), (net[1], "weight"), (net[0], "bias")]
    prune.global_unstructured(places, pruning_method=prune.L1Unstructured, amount=4,
                              importance_scores={(net[0], "bias"): torch.tensor([0.01, 5.])})
    assert net[0].weight_mask.tolist() == [[1, 0, 1], [1, 0, 1]] and net[0].bias_mask.tolist() == [0, 1]
    assert net[1].weight_mask.tolist() == [[1, 0, 0], [1, 1, 1]]


def test_the_end_of_pruning_keeps_the_zeros(torch, prune):
    m = layer(torch)
    before = m.weight
    prune.l1_unstructured(m, "weight", 2)
    assert prune.remove(m, "weight") is m and not prune.is_pruned(m) and not m._forward_pre_hooks
    assert m.weight is before and isinstance(m.weight, torch.nn.Parameter) and [*m.state_dict()] == ["bias", "weight"]
    assert m.weight[0, 1] == 0 and m.weight.grad_fn is None


def test_a_tensor_of_no_module_is_pruned(torch, prune):
    t = torch.tensor([[1., -3.], [2., 0.5]])
    assert prune.L1Unstructured(1).prune(t).tolist() == [[1, -3], [2, 0]]
    assert prune.RandomStructured(1, 0).prune(t, default_mask=torch.eye(2)).count_nonzero() == 1


def test_a_method_of_ones_own(torch, prune):
    class Negative(prune.BasePruningMethod):
        PRUNING_TYPE = "unstructured"

        def compute_mask(self, t, default_mask):
            return default_mask * (t >= 0)

    m = layer(torch)
    Negative.apply(m, "weight")
    assert m.weight_mask.tolist() == [[1, 0, 0], [1, 1, 1]]
    Negative.PRUNING_TYPE = "unheard of"
    with pytest.raises(ValueError, match="Unrecognized PRUNING_TYPE unheard of"):
        Negative.apply(m, "weight")


def test_a_pruned_module_is_copied_and_loaded(torch, prune):
    from copy import deepcopy
    m = prune.l1_unstructured(layer(torch), "weight", 2)
    with pytest.raises(RuntimeError, match="Only Tensors created explicitly"):
        deepcopy(m)                                                 # the weight is a result
    other = prune.identity(layer(torch), "weight")
    other.load_state_dict(m.state_dict())
    assert other(torch.ones(1, 3)).tolist() == m(torch.ones(1, 3)).tolist()


@pytest.mark.parametrize(("call", "kind", "phrase", "code"), [
    ("random_unstructured(m, 'weight', '1')", TypeError, "Invalid type for amount: 1", "MG205"),
    ("random_unstructured(m, 'weight', -1)", ValueError, "amount=-1 should either be a float", "MG207"),
    ("random_unstructured(m, 'weight', 1.5)", ValueError, "amount=1.5 should either be a float", "MG207"),
    ("l1_unstructured(m, 'weight', 7)", ValueError, "amount=7 should be smaller than", "MG207"),
    ("l1_unstructured(m, 'weight', 1, torch.ones(2))", AssertionError, "importance_scores should have the same shape",
     "MG502"),
    ("ln_structured(m, 'bias', 1, 2, 0)", ValueError, "can only be applied to multidimensional tensors", "MG207"),
    ("ln_structured(m, 'weight', 1, 2, 2)", IndexError, "Invalid index 2 for tensor of size", "MG203"),
    ("custom_from_mask(m, 'weight', torch.ones(2))", AssertionError, "must match self.mask shape", "MG502"),
    ("global_unstructured(3, prune.L1Unstructured)", TypeError, "parameters is not an Iterable", "MG205"),
    ("global_unstructured([(m, 'weight')], prune.L1Unstructured, 3)", TypeError, "must be of type dict", "MG205"),
    ("global_unstructured([(m, 'weight')], prune.RandomStructured, amount=1)", TypeError,
     'Only "unstructured" PRUNING_TYPE supported', "MG205"),
    ("remove(m, 'weight')", ValueError, "has to be pruned before pruning can be removed", "MG207")])
def test_what_is_refused_leaves_the_module_as_it_was(torch, prune, call, kind, phrase, code):
    m = layer(torch)
    with refuses(kind, phrase, code):
        eval("prune." + call)
    assert {*dict(m.named_parameters())} == {"weight", "bias"} and not [*m.buffers()]


def test_a_container_takes_methods_for_its_tensor(prune):
    one, other = prune.Identity(), prune.Identity()
    one._tensor_name, other._tensor_name = "weight", "bias"
    with refuses(TypeError, "is not a BasePruningMethod subclass", "MG205"):
        prune.PruningContainer(one).add_pruning_method(3)
    with refuses(ValueError, "Can only add pruning methods acting on the parameter named 'weight'", "MG207"):
        prune.PruningContainer(one).add_pruning_method(other)
