"""Arguments by name and by place, as PyTorch's signatures have them.

records/signatures.json has the parameters of everything public in PyTorch (see make_signatures.py); for each name that
minigrad has too, each parameter must be taken as a keyword, and be in the same place.  Exceptions, and their reasons,
are listed here. """

import inspect
import json
from pathlib import Path

import pytest

import minigrad

TABLE = json.loads((Path(__file__).parent / "records" / "signatures.json").read_text())

#: Parameters that are not taken as keywords.
DEVICES = "a computation on other devices, which PyTorch refuses on the CPU"
STUB = "PyTorch's stub has it, and PyTorch refuses it"
PRIVATE = "an internal of PyTorch"
NAMED = "named dims do not exist here"
ABSENT = {
    **{("torch." + name, "out_dtype"): DEVICES for name in ("addmm", "baddbmm", "bmm", "mm")},
    **{("torch.Tensor." + name, "from_"): STUB + ": it is 'from'" for name in ("cauchy_", "uniform_")},
    ("torch.numel", "self"): STUB,
    **{("torch." + name, part): "a packed sequence is given by position"
       for name in ("gru", "lstm", "rnn_relu", "rnn_tanh") for part in ("data", "batch_sizes")},
    ("torch.nn.functional.one_hot", "tensor"): STUB + ": it is input",
    ("torch.Tensor.requires_grad_", "mode"): STUB + ": it is requires_grad",
    ("torch.func.jacrev", "_preallocate_and_copy"): PRIVATE,
    ("torch.full", "names"): NAMED,
    **{("torch.Tensor.new", name): "x.new(2, 3) takes it by place" for name in ("cls", "storage")},
    **{("torch.result_type", name): "its documentation calls them tensor1 and tensor2"
       for name in ("other", "scalar", "scalar1", "scalar2", "tensor")},
}

#: Parameters in another place, as the name and what PyTorch has in one of its overloads.
OLD = "the spelling with alpha, beta or value before the tensors, which PyTorch deprecates"
ONE_NAME = "one parameter takes what has a name of its own in each of PyTorch's overloads"
MOVED = {
    **{("torch." + name, first): OLD for name in ("add", "sub") for first in ("alpha",)},
    **{("torch." + name, "value"): OLD for name in ("addcdiv", "addcmul")},
    **{("torch." + name, "data"): "a packed sequence" for name in ("gru", "lstm", "rnn_relu", "rnn_tanh")},
    **{("torch." + name, "beta"): OLD for name in ("addbmm", "addmm", "addmv", "addmv_", "addr", "baddbmm")},
    **{("torch." + name, "out_dtype"): DEVICES for name in ("addmm", "baddbmm", "bmm", "mm")},
    **{(f"{home}.{name}", "other"): ONE_NAME for home in ("torch", "torch.Tensor") for name in ("max", "min")},
    **{(f"{home}.{name}", "value"): ONE_NAME for home in ("torch", "torch.Tensor") for name in ("scatter", "scatter_")},
    ("torch.nuclear_norm", "keepdim"): ONE_NAME, ("torch.view_copy", "dtype"): ONE_NAME,
    **{(f"{home}.{name}", "unbiased"): ONE_NAME for home in ("torch", "torch.Tensor")
       for name in ("std", "std_mean", "var", "var_mean")},
    **{("torch.result_type", name): ONE_NAME for name in ("scalar", "scalar1", "tensor")},
    **{(f"torch.nn.functional.fractional_max_pool{n}d", "_random_samples"): STUB + " there" for n in (2, 3)},
    ("torch.arange", "end"): ONE_NAME, ("torch.repeat_interleave", "repeats"): ONE_NAME,
    **{(f"{home}.{name}", "alpha"): STUB for home in ("torch", "torch.Tensor")
       for name in ("rsub", "subtract", "subtract_")},
    **{(name, "dtype"): STUB for name in ("torch.tensor", "torch.Tensor.new_tensor")},
    ("torch.Tensor.requires_grad_", "mode"): STUB, ("torch.Tensor.random_", "to"): ONE_NAME,
    ("torch.nn.functional.gelu", "approximate"): STUB,
    ("torch.nn.functional.scaled_dot_product_attention", "scale"): STUB,
}


def found(name):
    """What minigrad has under PyTorch's name, or None."""
    value = minigrad
    for part in name.split(".")[1:]:
        value = getattr(value, part, None)
    return value if callable(value) and not inspect.isclass(value) else None


def is_method(name):
    return name.startswith("torch.Tensor.")


def parameters(name, overload):
    """Names of the parameters that are given by place, and of all; without ``self`` of a method."""
    names, places, by_keyword = [], [], False
    for part in overload.split(", "):
        by_keyword = by_keyword or part.startswith("*")
        part = part.rstrip("=")
        if part and not part.startswith("*"):
            names.append(part)
            places += [] if by_keyword else [part]
    bound = is_method(name) and names[:1] == ["self"]
    return places[bound:], names[bound:]


def takes(name, keyword):
    """Does our function take an argument of this name, whatever it says of the others that are missing?"""
    function = getattr(minigrad.ones(2, 2), name.rpartition(".")[2]) if is_method(name) else found(name)
    try:
        function(**{keyword: None})
    except TypeError as refusal:
        return "unexpected keyword" not in str(refusal)
    except Exception:
        return True
    return True


OURS = sorted(name for name in TABLE if found(name) is not None)
NOT_CALLED = {"torch.seed", "torch.manual_seed", "torch.set_rng_state", "torch.random.seed", "torch.random.manual_seed",
              "torch.set_default_dtype"}


def test_there_is_much_to_compare():
    assert len(OURS) > 800 and "torch.diff" in OURS and "torch.Tensor.scatter_" in OURS


@pytest.mark.filterwarnings("ignore")
def test_every_parameter_is_taken_as_a_keyword():
    keywords = {(name, keyword) for name in OURS if name not in NOT_CALLED
                for overload in TABLE[name] for keyword in parameters(name, overload)[1]}
    assert {each for each in keywords if not takes(*each)} == {each for each in keywords if each in ABSENT}


def usual(name):
    """Parameters under names that both libraries take for each other."""
    return {"input": "self", "x": "self", "a": "self", "A": "self", "tensor": "self", "axis": "dim",
            "keepdims": "keepdim"}.get(name, name)


def also(name):
    """The other names that a function of ours has for its arguments."""
    function = found(name)
    return getattr(function, "also", None) or {}


def moved_in(name):
    """{(name, parameter)}: the first of each overload that has another place than PyTorch's."""
    signature = list(inspect.signature(found(name)).parameters.values())
    ours = [p.name for p in signature if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    ours = ours[1:] if is_method(name) else ours
    moved = set()
    for overload in TABLE[name]:
        places, _ = parameters(name, overload)
        for i, theirs in enumerate(places):
            if i >= len(ours) and any(p.kind is p.VAR_POSITIONAL for p in signature):
                break
            if i >= len(ours) or usual(theirs) != usual(ours[i]) and also(name).get(theirs) != ours[i]:
                moved.add((name, theirs))
                break
    return moved


def test_every_parameter_is_in_its_place():
    assert set().union(*map(moved_in, OURS)) == {(name, theirs) for name, theirs in MOVED if name in OURS}


# ------------------------------------------------------------------------------ the other names


X = minigrad.tensor([[1., 2., 4.], [8., 16., 32.]])


@pytest.mark.parametrize("call", [
    lambda: minigrad.diff(X, axis=0), lambda: minigrad.narrow(X, axis=0, start=1, length=1) - X[0],
    lambda: X.repeat_interleave(1, axis=0).diff(dim=0),
    lambda: minigrad.take_along_dim(X.diff(axis=0), minigrad.tensor([[0, 1, 2]]), axis=1),
], ids=["diff", "narrow", "repeat_interleave", "take_along_dim"])
def test_axis_is_dim_even_where_a_local_variable_has_that_name(call):
    assert call().tolist() == [[7, 14, 28]]


@pytest.mark.parametrize("keywords", [{"input": 0, "other": 1}, {"self": 0, "other": 1}, {"x1": 0, "x2": 1},
                                      {"a": 0, "other": 1}, {"x": 0, "x2": 1}])
def test_operands_have_the_names_that_pytorch_and_numpy_give_them(keywords):
    tensors = (X, X)
    assert (minigrad.mul(**{name: tensors[i] for name, i in keywords.items()}) == X * X).all()


def test_one_argument_by_two_names_is_refused():
    for twice in ({"dim": 0, "axis": 0}, {"input": X}):
        with pytest.raises(TypeError, match="multiple values for"):
            minigrad.sum(X, **twice)
        with pytest.raises(TypeError, match="multiple values for"):
            minigrad.diff(X, **twice)


@pytest.mark.parity
@pytest.mark.parametrize("name", ["torch.linalg.cholesky", "torch.diff", "torch.Tensor.to", "torch.max",
                                  "torch.autograd.grad"])
def test_the_table_is_pytorch_s(name):
    torch = pytest.importorskip("torch")
    from tests.parity.records import make_signatures
    assert make_signatures.ask(torch)[name] == TABLE[name]
