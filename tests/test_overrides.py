"""``__torch_function__``: classes that wrap tensors, and subclasses of Tensor.

The first examples are those of PyTorch's "Extending torch with a Tensor-like type". """

import pytest

import minigrad
from tests.checking import is_minigrad, refuses

NOBODY = "handlers returned NotImplemented"


@pytest.fixture
def scalar_tensor(torch):
    """The class of the documentation: a number times the identity matrix."""
    class ScalarTensor:
        handled = {}

        def __init__(self, n, value):
            self._n, self._value = n, value

        def __repr__(self):
            return f"ScalarTensor(N={self._n}, value={self._value})"

        def tensor(self):
            return self._value * torch.eye(self._n)

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            if func not in cls.handled or not all([issubclass(t, (torch.Tensor, cls)) for t in types]):
                return NotImplemented
            return cls.handled[func](*args, **(kwargs or {}))

    def plain(x):
        return x.tensor() if isinstance(x, ScalarTensor) else torch.as_tensor(x)

    def add(input, other):
        try:
            return ScalarTensor(input._n, input._value + other._value)
        except AttributeError:
            return torch.add(plain(input), plain(other))

    ScalarTensor.handled.update({torch.mean: lambda input: input._value / input._n, torch.add: add})
    return ScalarTensor


def test_a_class_that_wraps_a_tensor(torch, scalar_tensor):
    s, t = scalar_tensor(2, 2), torch.tensor([[1, 1], [1, 1]])
    assert torch.mean(scalar_tensor(5, 2)) == 0.4 and repr(torch.add(s, s)) == "ScalarTensor(N=2, value=4)"
    assert torch.add(s, t).tolist() == torch.add(t, s).tolist() == [[3., 1.], [1., 3.]]
    with refuses(TypeError, NOBODY, "MG205"):
        torch.mul(s, 3)
    with refuses(TypeError, NOBODY, "MG205"):
        torch.cat([t, s])


def test_a_class_that_adds_something(torch):
    class Metadata:
        def __init__(self, data, metadata):
            self._t, self._metadata = torch.as_tensor(data), metadata

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            metadata = [a._metadata for a in args if hasattr(a, "_metadata")]
            return Metadata(func(*[getattr(a, "_t", a) for a in args], **(kwargs or {})), metadata[0])

    m, t = Metadata([[1, 2], [3, 4]], "mine"), torch.tensor([[1, 2], [1, 2]])
    for result, values in ((torch.add(t, m), [[2, 4], [4, 6]]), (torch.mul(m, t), [[1, 4], [3, 8]]),
                           (t + m, [[2, 4], [4, 6]]), (torch.sum(m, dim=0), [4, 6]),
                           (torch.nn.functional.relu(m), [[1, 2], [3, 4]])):
        assert result._t.tolist() == values and result._metadata == "mine"


@pytest.fixture
def logging(torch):
    class Logging(torch.Tensor):
        calls = []

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            cls.calls.append((func, types, args, kwargs))
            return super().__torch_function__(func, types, args, kwargs)
    return Logging


def test_what_a_class_is_told(torch, logging):
    x, t = torch.ones(2).as_subclass(logging), torch.ones(2)
    y = torch.add(x, 1)
    func, types, args, kwargs = logging.calls.pop()
    assert func is torch.add and types == (logging,) and args[0] is x and args[1] == 1 and kwargs is None
    assert type(y) is logging and y.tolist() == [2., 2.]
    logging.calls.clear()
    torch.sum(torch.cat([t, x]), dim=0)
    (cat, _, (tensors,), _), (_, _, _, kwargs) = logging.calls
    assert cat is torch.cat and tensors[1] is x and kwargs == {"dim": 0}


EXPRESSIONS = ["x.view(6)", "x + 1", "1 - x", "x[0]", "x.T", "x.sum()", "x.max(0)", "-x", "x.double()", "x.detach()",
               "x.clone()", "x.numel()", "x.shape", "x.size()", "x.split(1)", "x == x", "x.new_zeros(2)", "x @ x.T",
               "torch.ones_like(x)", "torch.matmul(x, x.T)", "x.data", "torch.stack([x, x])", "x.tolist()", "abs(x)",
               "x ** 2", "torch.nn.functional.relu(x)", "list(x)", "torch.where(x > 0, x, 0.)", "x.to(torch.int64)",
               "torch.einsum('ij->i', x)", "torch.linalg.norm(x)", "x.detach().add_(1)", "torch.zeros(2, 3) + x"]


def shown(torch):
    """What each expression gives of a subclass of Tensor: the classes of the results, and how they are printed."""
    class Named(torch.Tensor):
        pass

    x = torch.ones(2, 3, requires_grad=True).as_subclass(Named)
    return {e: (repr(eval(e, {"x": x, "torch": torch})).replace(" ", "").replace("\n", "")) for e in EXPRESSIONS}


@pytest.mark.parity
def test_subclasses_are_preserved_where_pytorch_preserves_them():
    torch = pytest.importorskip("torch")
    assert shown(minigrad) == shown(torch)


def test_subclasses_are_preserved(torch):
    class Named(torch.Tensor):
        pass

    class Inner(Named):
        pass

    class Other(torch.Tensor):
        pass

    x = torch.ones(2, 3).as_subclass(Named)
    for y in (x.view(6), x + 1, 1 + x, x[0], x.double(), x.detach(), x.data, torch.cat([x, x]), x.split(1)[0], -x):
        assert type(y) is Named
    assert type(x + Inner([1.])) is type(Inner([1.]) + x) is Inner and repr(x.sum()) == "Named(6.)"
    with refuses(TypeError, NOBODY, "MG205"):
        torch.add(x, Other([1.]))


def test_gradients(torch):
    class Named(torch.Tensor):
        pass

    x = torch.tensor([1., 2.], requires_grad=True)
    y = (x.as_subclass(Named) ** 3).sum()
    y.backward()
    assert type(y) is Named and x.grad.tolist() == [3., 12.] and type(x.grad) is torch.Tensor
    g, = torch.autograd.grad((x.as_subclass(Named) ** 3).sum(), x, create_graph=True)
    assert torch.autograd.grad(g.sum(), x)[0].tolist() == [6., 12.]
    v = x.detach().clone()
    w = v.as_subclass(Named)
    w.mul_(2)
    assert v.tolist() == [2., 4.] and w._version == v._version == 1


def test_in_a_transform():
    class Named(minigrad.Tensor):
        pass

    def f(x):
        return (x.as_subclass(Named) ** 2).sum()

    assert minigrad.func.grad(f)(minigrad.ones(2)).tolist() == [2., 2.]
    assert minigrad.vmap(f)(minigrad.ones(2, 2)).tolist() == [2., 2.]
    assert minigrad.func.jvp(f, (minigrad.ones(2),), (minigrad.ones(2),))[1].item() == 4


def test_switched_off():
    class Named(minigrad.Tensor):
        pass

    x = minigrad.ones(2).as_subclass(Named)
    with minigrad.DisableTorchFunctionSubclass():
        assert type(x + 1) is type(x.detach()) is minigrad.Tensor
    assert type(x + 1) is Named

    class Refusing:
        def __torch_function__(self, func, types, args=(), kwargs=None):
            raise AssertionError("it was asked")

    with pytest.raises(AssertionError, match="it was asked"):
        minigrad.add(x, Refusing())
    with minigrad.DisableTorchFunction(), pytest.raises(TypeError):
        minigrad.add(x, Refusing())


def test_as_subclass_of_what_is_none(torch):
    for wrong in (int, 3):
        with refuses(TypeError, "" if not is_minigrad(torch) else "must be a subclass of Tensor", "MG205"):
            torch.ones(2).as_subclass(wrong)


def test_functions_of_overrides(torch):
    overrides = torch.overrides

    class Like:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func.__name__, types

    def double(x):
        if overrides.has_torch_function((x,)):
            return overrides.handle_torch_function(double, (x,), x)
        return 2 * x

    assert double(3) == 6 and double(Like()) == ("double", (Like,))
    assert overrides.is_tensor_like(Like()) and overrides.is_tensor_like(torch.ones(1))
    assert not overrides.is_tensor_like(3) and overrides.resolve_name(torch.add) == "torch.add"
    assert overrides.is_tensor_method_or_property(torch.Tensor.add)
    assert not overrides.is_tensor_method_or_property(double)
    assert torch.add in overrides.get_overridable_functions()[torch if not is_minigrad(torch) else "torch"]
    assert not overrides.has_torch_function((torch.ones(1), 3))

    @overrides.wrap_torch_function(lambda x: (x,))
    def triple(x):
        return 3 * x
    assert triple(2) == 6 and triple(Like())[0] == "triple"
