"""``x.why_no_grad()``: the reason that is told is the reason, and nothing is claimed that cannot be known."""

import re
import warnings

import numpy as np
import pytest

import minigrad as torch
from tests.checking import refuses


def why(x, *result):
    """The answer on one line."""
    return " ".join(x.why_no_grad(*result).split())


def leaf(*shape):
    return torch.ones(*shape, requires_grad=True)


# ------------------------------------------------------------------------------ the form

def test_it_prints_itself():
    said = leaf(2).why_no_grad()
    assert isinstance(said, str) and repr(said) == str(said) == f"{said}" and type(str(said)) is str
    assert max(map(len, said.splitlines())) <= 79


def test_it_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (leaf(2) * 2).why_no_grad()


def test_the_warning_names_it():
    with pytest.warns(UserWarning, match=r"\.why_no_grad\(\)"):
        (leaf(2) * 2).grad


def test_it_changes_nothing():
    x = leaf(2)
    y = x * 2
    for each in (x, y):
        each.why_no_grad()
        each.why_no_grad(y)
    assert not y.retains_grad and y.is_leaf is False and x._version == 0
    y.sum().backward()
    assert x.grad.tolist() == [2., 2.]


@pytest.mark.parametrize("wrong", [3, "loss", [leaf(1)]])
def test_the_result_is_a_tensor(wrong):
    with refuses(TypeError, "why_no_grad(): pass the tensor on which backward() was called", "MG205"):
        leaf(2).why_no_grad(wrong)


# ------------------------------------------------------------------------------ there is one

def test_there_is_one():
    x = leaf(2)
    y = x * 2
    y.retain_grad()
    y.sum().backward()
    assert why(x) == why(y) and why(x).startswith("There is one: x.grad is a tensor of shape [2].")


def test_one_that_was_assigned_to_a_result():
    y = leaf(2) * 2
    y.grad = torch.ones(2)
    assert why(y).startswith("There is one")


# ------------------------------------------------------------------------------ it does not require grad

def test_nobody_asked():
    assert why(torch.ones(2)).startswith("It does not require grad") and ".requires_grad_()" in why(torch.ones(2))


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool])
def test_a_dtype_that_cannot(dtype):
    assert f"with dtype {dtype} it cannot" in why(torch.ones(2, dtype=dtype))


def test_complex_can():
    assert "it cannot" not in why(torch.ones(2, dtype=torch.complex64))


def test_detached():
    assert ".detach()" in why((leaf(2) * 2).detach())


def test_inference():
    with torch.inference_mode():
        x = torch.ones(2)
        own = leaf(2)
    assert why(x).startswith("It was made under torch.inference_mode()")
    assert why(own).startswith("It is a leaf")                              # it does require grad


# ------------------------------------------------------------------------------ it is not a leaf

def test_a_result():
    x, y = leaf(2), leaf(2)
    assert why(x * y).startswith("It is not a leaf but the result of an operation (MulBackward0)")
    assert "meant to be the leaf" not in why(x * y)                         # of two


@pytest.mark.parametrize(
    ("change", "steps"),
    [
        (lambda w: w.double(), "ToCopyBackward0"),
        (lambda w: w * 0.1, "MulBackward0"),
        (lambda w: w.reshape(3, 1).clone() * 0.1, "MulBackward0 and CloneBackward0 and ViewBackward0"),
    ],
)
def test_the_leaf_was_the_tensor_before(change, steps):
    w = leaf(3)
    parameter = change(w)
    assert (f"It was computed from one leaf (shape [3], torch.float32), through {steps}. That leaf has no gradient "
            "either, so far." in why(parameter))
    parameter.sum().backward()
    assert "That leaf has the gradient." in why(parameter)


def test_a_leaf_far_behind_is_not_spoken_of():
    x = leaf(2)
    for _ in range(4):
        x = x * 2
    assert "one leaf" not in why(x)


def test_retain_grad_came_too_late():
    y = leaf(2).exp()
    y.sum().backward()
    y.retain_grad()
    assert "has gone through ExpBackward0 already: retain_grad() came after it" in why(y)


def test_retain_grad_came_too_late_and_the_place_is_forgotten():
    y, other = leaf(2).exp(), leaf(2).exp().sum()
    y.sum().backward()
    for _ in range(200):        # two places, by turns: places are kept for so many changes
        other.backward(retain_graph=True)
        other.backward(retain_graph=True)
    y.retain_grad()
    assert "but a backward pass has gone through ExpBackward0 already" in why(y)


def test_retain_grad_and_no_backward():
    y = leaf(2).exp()
    y.retain_grad()
    assert "retain_grad() was called, but no backward pass has reached it since" in why(y)
    assert "no path leads to it from the result" in why(y, leaf(2).sum()) and "no path" not in why(y, y.sum())


# ------------------------------------------------------------------------------ a leaf that requires grad

def test_nothing_was_computed_from_it():
    x = leaf(2)
    assert "nothing that still exists was computed from it" in why(x)
    with torch.no_grad():
        y = x * 2
    z = x.detach() * 2
    assert "nothing that still exists was computed from it" in why(x)
    del y, z


def test_something_was_computed_from_it():
    x = leaf(2)
    y = x * 2
    assert "something was computed from it" in why(x)
    del y
    assert "nothing that still exists was computed from it" in why(x)


def test_a_view_made_under_no_grad():
    x = leaf(2)
    with torch.no_grad():
        first = x[:1]
    assert first.requires_grad and first.is_leaf                            # as in PyTorch
    assert why(first).startswith("It is a view of a tensor that requires grad, and was made under torch.no_grad() or "
                                 "torch.inference_mode()")


def test_with_the_result_it_is_certain():
    x, other = leaf(2), leaf(2)
    path, cut, constant = (x * other).sum(), (x.detach() * other).sum(), torch.ones(2).sum()
    assert "a path leads to it from the result" in why(x, path)
    assert "no path leads to it from the result" in why(x, cut)
    assert "the result has no history" in why(x, constant)
    assert "a path leads to it from the result" in why(x, x)


def test_a_path_that_has_been_gone_already():
    """What the graph has been through is said; that backward() would fill .grad now is not, as it cannot."""
    x = leaf(2)
    loss = (x * x).sum()
    assert "- backward() has not been called yet" in why(x, loss) and "already" not in why(x, loss)
    torch.autograd.grad(loss, x)
    said = why(x, loss)
    assert re.search(r"A backward pass, called at .*test_why_no_grad\.py:\d+, `torch\.autograd\.grad\(loss, x\)`, has "
                     r"gone through MulBackward0 already", said)
    assert "has not been called yet" not in said and "torch.autograd.grad(...) was used" in said


def test_a_function_that_returns_none():
    class Stop(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return None

    x = leaf(2)
    loss = Stop.apply(x).sum()
    loss.backward()
    assert "- a custom Function on the way returned None as the gradient" in why(x, loss)


def test_another_output_of_the_same_operation():
    first, second = leaf(2).unbind()
    assert "no path leads to it" in why(first, second * 2) and "no path" not in why(second, second * 2)


def test_the_usual_rebinding():
    w = leaf(2)
    loss = (w * w).sum()
    w = w.detach().clone().requires_grad_()
    loss.backward()
    assert "another tensor had its name" in why(w, loss)


def test_cleared():
    x = leaf(2)
    loss = (x * x).sum()
    loss.backward()
    x.grad = None
    assert "the gradient was cleared since: by zero_grad(), or x.grad = None" in why(x) and "cleared" in why(x, loss)


def test_through_a_custom_function_and_a_long_chain():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, d):
            return 2 * d

    x = leaf(2)
    y = Double.apply(x)
    for _ in range(20_000):
        y = y + 1
    assert "a path leads to it" in why(x, y) and "no path" in why(leaf(2), y)
    assert "result of an operation (DoubleBackward)" in why(Double.apply(x))


# ------------------------------------------------------------------------------ inside a transform

@pytest.mark.parametrize("transform",
                         [torch.func.grad, torch.func.vmap, lambda f: lambda x: torch.func.jvp(f, (x,), (x,))])
def test_in_a_transform(transform):
    said = []

    def f(x):
        said.append(why(x))
        return x.sum() if x.ndim else x * 1

    transform(f)(torch.tensor(np.ones(2)))
    assert said and said[0].startswith("It belongs to a transform (vmap, grad, jvp ...)")
