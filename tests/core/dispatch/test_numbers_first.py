"""Calls as they were written before, with the number first."""

import warnings

import pytest

import minigrad as torch
from minigrad._core.dispatch import numbers_first
from minigrad._core.errors import MinigradError

V, M, B = torch.tensor([1., 2.]), torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([[[1., 2.], [3., 4.]]])
#: name -> (tensors, options)
PRODUCTS = {"addmm": (M, M, M), "addmv": (V, M, V), "addr": (M, V, V), "baddbmm": (B, B, B), "addbmm": (M, B, B)}
WEIGHTED = {"add": ("alpha", V, V), "sub": ("alpha", V, V), "addcmul": ("value", V, V, V),
            "addcdiv": ("value", V, V, V)}


@pytest.fixture(autouse=True)
def nobody_was_warned(monkeypatch):
    monkeypatch.setattr(numbers_first, "_warned", [])


def forms(name):
    """A function, a method, and the method in place, which leaves its tensor alone here."""
    return [lambda x, *args, **kwargs: getattr(x.clone(), name)(*args, **kwargs),
            lambda x, *args, **kwargs: getattr(x.clone(), name + "_")(*args, **kwargs)]


@pytest.mark.parametrize("name", WEIGHTED)
def test_one_number(name):
    option, x, *others = WEIGHTED[name]
    expected = getattr(torch, name)(x, *others, **{option: -0.5})
    with pytest.warns(UserWarning, match=rf"This overload of {name} is deprecated:\n\t{name}\(Number {option}, T"):
        assert getattr(torch, name)(x, -0.5, *others).equal(expected)
    for call in forms(name):
        assert call(x, -0.5, *others).equal(expected)
    assert getattr(torch, name)(x, -0.5, *others, out=torch.empty(2)).equal(expected)


@pytest.mark.parametrize("name", PRODUCTS)
def test_two_numbers(name):
    x, *others = PRODUCTS[name]
    both, first = (getattr(torch, name)(x, *others, beta=2, alpha=alpha) for alpha in (3, 1))
    with pytest.warns(UserWarning, match=f"This overload of {name} is deprecated"):
        assert getattr(torch, name)(2, x, 3, *others).equal(both)
    assert getattr(torch, name)(2, x, *others).equal(first)
    assert getattr(torch, name)(2, x, 3, *others, out=torch.empty(x.shape)).equal(both)
    for call in forms(name):
        assert call(x, 2, 3, *others).equal(both) and call(x, 2, *others).equal(first)


def test_the_warning_comes_once_and_names_the_form_in_place():
    with pytest.warns(UserWarning, match="add_ is deprecated"):
        V.clone().add_(-0.5, V)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        V.clone().add_(-0.5, V)


def test_the_gradient_is_that_of_the_call_of_today():
    x = V.clone().requires_grad_()
    with pytest.warns(UserWarning):
        torch.add(V, 3, x).sum().backward()
    assert x.grad.tolist() == [3, 3]


@pytest.mark.parametrize("call", [lambda: torch.add(V, V, V), lambda: torch.mul(V, 2, V), lambda: torch.mul(2, V, V),
                                  lambda: torch.add(2, 3, V, V), lambda: torch.add(V, 2, V, alpha=3),
                                  lambda: torch.addmm(M, M, 2, M),
                                  lambda: torch.addmm(2, 3, M, M, M), lambda: torch.addbmm(M, B, B, 1, 2)])
def test_nothing_else_is_read_so(call):
    with pytest.raises(MinigradError):
        call()


@pytest.mark.parametrize(("call", "before", "now"), [
    ("x.add_(.5, x)", "add_(Number alpha, Tensor other)", "add_(Tensor other, *, Number alpha = 1)"),
    ("x.sub(.5, x)", "sub(Number alpha, Tensor other)", "sub(Tensor other, *, Number alpha = 1)"),
    ("x.addcdiv_(.5, x, x)", "addcdiv_(Number value, Tensor tensor1, Tensor tensor2)",
     "addcdiv_(Tensor tensor1, Tensor tensor2, *, Number value = 1)"),
    ("x.addmm(.5, .5, x, x)", "addmm(Number beta, Number alpha, Tensor mat1, Tensor mat2)",
     "addmm(Tensor mat1, Tensor mat2, *, Number beta = 1, Number alpha = 1)"),
    ("x.addr_(.5, v, v)", "addr_(Number beta, Tensor vec1, Tensor vec2)",
     "addr_(Tensor vec1, Tensor vec2, *, Number beta = 1, Number alpha = 1)"),
    ("torch.addbmm(.5, x, .5, x[None], x[None])",
     "addbmm(Number beta, Tensor input, Number alpha, Tensor batch1, Tensor batch2, *, Tensor out = None)",
     "addbmm(Tensor input, Tensor batch1, Tensor batch2, *, Number beta = 1, Number alpha = 1, Tensor out = None)"),
    ("torch.addmv(.5, v, x, v)", "addmv(Number beta, Tensor input, Tensor mat, Tensor vec, *, Tensor out = None)",
     "addmv(Tensor input, Tensor mat, Tensor vec, *, Number beta = 1, Number alpha = 1, Tensor out = None)"),
])
def test_the_warning_names_the_parameters(torch, call, before, now):
    names = {"__name__": __name__, "torch": torch, "x": torch.ones(2, 2), "v": torch.ones(2)}
    torch.set_warn_always(True)
    try:
        with pytest.warns(UserWarning) as caught:
            eval(call, names)
    finally:
        torch.set_warn_always(False)
    said = str(caught[0].message)
    assert said.startswith(f"This overload of {before.partition('(')[0]} is deprecated:\n\t{before}\nConsider using "
                           f"one of the following signatures instead:\n\t{now}")
