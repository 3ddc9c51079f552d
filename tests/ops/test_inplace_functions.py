"""In-place forms as functions: ``torch.relu_(x)``, ``torch.nn.functional.elu_(x)``, and the keyword ``inplace=True``.

Which of them there are is compared with PyTorch.  A function of ``torch`` is the method itself, which
test_inplace_forms.py tests; those of ``nn.functional`` are tested here, with the sample rows of the ops.
"""

import copy
import inspect
import pickle

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import Tensor
from minigrad.nn import functional
from tests.ops.samples import ROWS
from tests.ops.test_ops import agree, array, bound, ours


def names_in_place(module):
    return {name for name in dir(module) if name.endswith("_") and not name.startswith("_")}


def with_keyword(module):
    """The functions that take ``inplace=``."""
    found = set()
    for name in dir(module):
        try:
            found |= {name} if "inplace" in inspect.signature(getattr(module, name)).parameters else set()
        except (TypeError, ValueError):
            continue
    return {name for name in found if not name.startswith("_")}


KEYWORD = sorted([name for name in with_keyword(functional) if "dropout" not in name])


# ------------------------------------------------------------------------------ which there are


#: functions of minigrad that are neither methods nor in nn.functional
ALONE = {"alpha_dropout_", "dropout_", "embedding_renorm_", "feature_alpha_dropout_", "feature_dropout_"}


@pytest.mark.parametrize("name", sorted(names_in_place(minigrad) - ALONE))
def test_a_function_is_the_method(name):
    method = getattr(Tensor, name, None)
    assert getattr(minigrad, name) is (getattr(functional, name) if method is None else method)


@pytest.mark.parity
def test_pytorch_has_the_same_functions():
    torch = pytest.importorskip("torch")
    known = {name for name in names_in_place(torch) if hasattr(Tensor, name) or hasattr(functional, name)}
    assert names_in_place(minigrad) - ALONE == known
    assert ALONE <= names_in_place(torch) & names_in_place(minigrad)
    assert names_in_place(functional) == {name for name in names_in_place(torch.nn.functional)
                                          if hasattr(functional, name[:-1])}


@pytest.mark.parity
def test_pytorch_takes_the_keyword_in_the_same_places():
    torch = pytest.importorskip("torch")
    theirs = with_keyword(torch.nn.functional)
    assert with_keyword(functional) == {name for name in theirs if hasattr(functional, name)}
    for name in KEYWORD:
        ours, theirs = (inspect.signature(getattr(library.nn.functional, name)).parameters
                        for library in (minigrad, torch))
        assert [p.replace("self", "input") for p in ours] == list(theirs)
        assert [p.default for p in ours.values()] == [p.default for p in theirs.values()]


def test_arguments_go_where_the_method_puts_them():
    x = minigrad.tensor([-1.0, 0.5])
    assert minigrad.clamp_(x, max=0) is x and x.tolist() == [-1, 0]
    assert minigrad.fill_(input=x, value=3) is x and x.tolist() == [3, 3]
    assert minigrad.index_put_(x, (minigrad.tensor([0]),), minigrad.tensor([5.0])).tolist() == [5, 3]


def test_the_write_is_recorded():
    x = minigrad.tensor([1.0, 4.0], requires_grad=True)
    y = x * 1
    assert minigrad.sqrt_(y) is y and y._version == 1 and y.grad_fn.name() == "SqrtBackward0"
    y.sum().backward()
    assert x.grad.tolist() == [0.5, 0.25]
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        minigrad.sqrt_(x)


# ------------------------------------------------------------------------------ nn.functional


def calls(name):
    """(row, case, inputs, args, kwargs) of each sample call."""
    for row in [row for row in ROWS if row.name == name]:
        for case in row.cases:
            inputs, args, kwargs, _ = bound(ours, row, case, "float64")
            yield row, case, inputs, args, kwargs


@pytest.mark.parametrize("name", KEYWORD)
def test_in_place_forms_agree_with_the_plain_ones(name):
    forms = [lambda *args, **kwargs: getattr(functional, name)(*args, **kwargs, inplace=True)]
    if name + "_" in functional.__all__:
        forms.append(getattr(functional, name + "_"))
    done = 0
    for row, case, inputs, args, kwargs in calls(name):
        if row.name == name and not isinstance(args[0], Tensor):
            continue
        plain = getattr(functional, name)(*args, **kwargs)
        for form in forms:
            target = args[0].clone()
            assert form(target, *args[1:], **kwargs) is target and target._version == 1
            assert np.array_equal(array(target), array(plain), equal_nan=True)
            d = minigrad.ones_like(plain)
            for a, b in zip(*(minigrad.autograd.grad(y, inputs, d, retain_graph=True) for y in (target, plain))):
                agree(array(a), array(b), row, "float64", f"{name}({case})")
            done += 1
    assert done


def test_in_place_may_be_the_last_positional_argument():
    x = minigrad.tensor([-3.0, 3.0])
    assert functional.hardtanh(x, -2, 2, True) is x and x.tolist() == [-2, 2]
    assert functional.leaky_relu(x, 0.5, False) is not x and x.tolist() == [-2, 2]
    assert functional.relu6(input=x, inplace=True) is x and x.tolist() == [0, 2]
    with pytest.raises(TypeError, match="hardtanh"):
        functional.hardtanh(x, -2, 2, True, 5)


def test_dropout_in_place():
    x = minigrad.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    assert functional.dropout(y, p=1.0, inplace=True) is y and y.tolist() == [0, 0] and y._version == 1
    y.sum().backward()
    assert x.grad.tolist() == [0, 0]
    assert functional.dropout(y, training=False, inplace=True) is y and y._version == 1


@pytest.mark.parametrize("name", KEYWORD)
def test_a_leaf_that_requires_grad_is_refused(name):
    leaf = minigrad.ones(2, requires_grad=True)
    arguments = (0.5, 2.0) if name == "threshold" else ()
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad") as caught:
        getattr(functional, name)(leaf, *arguments, inplace=True)
    assert caught.value.code == "MG105" and leaf.tolist() == [1, 1]


@pytest.mark.parity
@pytest.mark.parametrize("name", KEYWORD)
def test_the_node_has_pytorch_s_name(name):
    torch = pytest.importorskip("torch")
    nodes = []
    for library in (minigrad, torch):
        y = library.tensor([-1.0, 2.0], requires_grad=True) * 1
        getattr(library.nn.functional, name)(y, *((0.5, 2.0) if name == "threshold" else ()), inplace=True)
        nodes.append(y.grad_fn.name())
    assert nodes[0] == nodes[1]


@pytest.mark.parametrize("function", [
    minigrad.add, minigrad.celu, minigrad.cumsum, minigrad.numel, minigrad.allclose, minigrad.exp_, minigrad.abs_,
    minigrad.dropout, minigrad.feature_dropout_, functional.relu, functional.hardtanh, functional.elu_,
    functional.dropout, functional.embedding, Tensor.add_, Tensor.zero_, Tensor.absolute_, Tensor.float,
    Tensor.resize_as_, Tensor.polygamma, Tensor.numel], ids=lambda function: function.__name__)
def test_functions_can_be_pickled_and_copied(function):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(function, protocol)) is function
    assert copy.copy(function) is copy.deepcopy(function) is function
