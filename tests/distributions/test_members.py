"""Where distributions differ from PyTorch's: what is refused, and what has a result."""

import pickle

import pytest

import minigrad as torch
from minigrad import distributions as D
from minigrad.distributions import transforms as T
from minigrad.distributions.utils import vec_to_tril_matrix
from tests.checking import refuses


@pytest.mark.parametrize("entries", [2, 4, 5, 7])
def test_entries_that_fill_no_triangle_are_refused(entries):
    with refuses(ValueError, f"The size of last dimension is {entries} which cannot be expressed", "MG731"):
        vec_to_tril_matrix(torch.arange(float(entries)))


@pytest.mark.parametrize("pair, name", [((1, D.Normal), "type_p"), ((D.Normal, 2), "type_q")])
def test_a_divergence_is_of_classes(pair, name):
    with refuses(TypeError, f"Expected {name} to be a class", "MG205"):
        D.register_kl(*pair)


def test_arguments_are_checked_or_not():
    with refuses(ValueError, "takes True or False, not 'yes'", "MG731"):
        D.Distribution.set_default_validate_args("yes")


def test_normal_vectors_of_two_lengths_have_no_divergence():
    with refuses(ValueError, "different event shapes", "MG731"):
        D.kl_divergence(D.MultivariateNormal(torch.zeros(2), torch.eye(2)),
                        D.MultivariateNormal(torch.zeros(3), torch.eye(3)))


def test_the_entropy_of_a_family_sums_each_parameter_over_its_own_dimensions():
    """Wishart's parameters are a number and a matrix."""
    family = D.Wishart(torch.tensor([3.0, 4.0]), torch.tensor([[2.0, 0.3], [0.3, 0.25]]))
    assert torch.allclose(D.ExponentialFamily.entropy(family), family.entropy())


def test_the_inverse_of_a_transform_can_be_pickled():
    back = pickle.loads(pickle.dumps(T.AffineTransform(1.0, 2.0).inv))
    assert back(torch.tensor(5.0)) == 2.0 and back.inv(torch.tensor(2.0)) == 5.0


def test_a_divergence_may_be_of_any_classes(monkeypatch):
    from abc import ABC

    from minigrad.distributions import kl
    monkeypatch.setattr(kl, "_KL_REGISTRY", dict(kl._KL_REGISTRY))

    class Abstract(ABC):
        pass

    class Mine:
        pass

    class Other:
        pass

    Abstract.register(Other)
    D.register_kl(Mine, Mine)(lambda p, q: "mine")
    D.register_kl(Abstract, Mine)(lambda p, q: "abstract")
    D.register_kl(object, D.Normal)(lambda p, q: "any")
    normal = D.Normal(0., 1.)
    assert D.kl_divergence(Mine(), Mine()) == "mine" and D.kl_divergence(Other(), Mine()) == "abstract"
    assert D.kl_divergence(Mine(), normal) == "any" and D.kl_divergence(normal, normal) == 0
    with refuses(NotImplementedError, "No KL(p || q) is implemented for p type Mine and q type Other", "MG732"):
        D.kl_divergence(Mine(), Other())
