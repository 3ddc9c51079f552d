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
    for switch in (minigrad.DisableTorchFunction, minigrad.DisableTorchFunctionSubclass):
        with switch(), pytest.raises(TypeError, match="must be Tensor, not Refusing"):
            minigrad.add(x, Refusing())


def switches(torch):
    return minigrad if is_minigrad(torch) else torch._C


def test_where_all_is_switched_off_tensors_lose_their_class(torch):
    class Named(torch.Tensor):
        pass

    x = torch.ones(2).as_subclass(Named)
    with switches(torch).DisableTorchFunction():
        assert type(x.data) is type(x.detach()) is torch.Tensor
    assert type(x.data) is type(x.detach()) is Named


def test_where_all_is_switched_off_no_mode_is_asked(torch):
    class Answering(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return "the mode"

    x = torch.ones(2)
    with Answering():
        assert torch.add(x, 1) == "the mode"
        with switches(torch).DisableTorchFunction():
            assert torch.add(x, 1).tolist() == [2., 2.]


def test_a_class_that_overrides_nothing_can_be_asked_all_the_same(torch):
    asked = torch.nn.Parameter.__torch_function__
    assert asked(torch.add, (), (torch.ones(2), 1)).tolist() == [2., 2.]
    assert asked(torch.add, (), (torch.ones(2), 1), {"alpha": 3}).tolist() == [4., 4.]


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

    assert overrides.handle_torch_function(torch.add, (torch.ones(1),), torch.ones(1), 1).tolist() == [2]
    assert double(3) == 6 and double(Like()) == ("double", (Like,))
    assert overrides.is_tensor_like(Like()) and overrides.is_tensor_like(torch.ones(1))
    assert not overrides.is_tensor_like(3) and overrides.resolve_name(torch.add) == "torch.add"
    assert overrides.is_tensor_method_or_property(torch.Tensor.add)
    assert not overrides.is_tensor_method_or_property(double)
    assert torch.add in overrides.get_overridable_functions()[torch]
    assert not overrides.has_torch_function((torch.ones(1), 3))

    @overrides.wrap_torch_function(lambda x: (x,))
    def triple(x):
        return 3 * x
    assert triple(2) == 6 and triple(Like())[0] == "triple"


# ------------------------------------------------------------------------------ attributes, and writes

WHAT_IS_ASKED = {
    "x.shape": ("shape", "__get__"), "x.T": ("T", "__get__"), "x.grad": ("grad", "__get__"),
    "x.requires_grad": ("requires_grad", "__get__"), "x.ndim": ("ndim", "__get__"), "x.dtype": ("dtype", "__get__"),
    "x.data": ("data", "__get__"), "x.real": ("real", "__get__"), "x.grad_fn": ("grad_fn", "__get__"),
    "x.grad = None": ("grad", "__set__"), "x.requires_grad = True": ("requires_grad", "__set__"),
    "del x.grad": ("grad", "__delete__"),
    "x[0] = 1.": "__setitem__", "t[0] = x[0]": "__setitem__", "x.add_(1)": "add_", "t.add_(x)": "add_",
    "x += 1": "add_", "t *= x": "mul_", "x //= 2": "floor_divide_", "x.zero_()": "zero_", "x.clamp_(0)": "clamp_",
    "x.uniform_()": "uniform_", "len(x)": "__len__", "bool(x[0, 0])": "__bool__", "1. in x": "__contains__",
    "repr(x)": "__repr__", "reversed(x)": "__reversed__", "x.numpy()": "numpy",
    "x.requires_grad_()": "requires_grad_", "x.is_set_to(t)": "is_set_to", "x.detach()": "detach",
    "x // 2": "__floordiv__", "5 // x": "__rfloordiv__", "1 - x": "__rsub__", "2 ** x": "__rpow__", "x == t": "__eq__",
    "torch.Tensor.add(t, x)": "add", "x.new(2)": "new",
}


@pytest.mark.parametrize("expression", WHAT_IS_ASKED)
def test_what_attributes_and_writes_ask(torch, logging, expression):
    x, t = torch.ones(2, 3).as_subclass(logging), torch.ones(2, 3)
    exec(expression, {"x": x, "t": t, "torch": torch})
    asked, expected = [call[0] for call in logging.calls], WHAT_IS_ASKED[expression]
    if isinstance(expected, tuple):
        attribute, way = expected
        assert asked[-1] == getattr(getattr(torch.Tensor, attribute), way)
    else:
        assert asked[-1] == getattr(torch.Tensor, expected)
        assert torch.overrides.resolve_name(asked[-1]).endswith(f".{expected}")


@pytest.mark.filterwarnings("ignore:To copy construct from a tensor")
def test_what_does_not_ask(torch, logging):
    x = torch.ones(2, 3).as_subclass(logging)
    hash(x), torch.as_tensor(x), torch.is_tensor(x)
    assert type(torch.tensor(x)) is torch.Tensor and torch.as_tensor(x) is x and not logging.calls


def test_gradients_of_a_subclass_keep_their_class(torch, logging):
    x = torch.ones(2).as_subclass(logging).requires_grad_()
    (x * x).sum().backward()
    assert type(x.grad) is torch.Tensor and x.grad.tolist() == [2., 2.]
    g, = torch.autograd.grad((x * x).sum(), x)
    assert type(g) is logging
    assert torch.autograd.grad in [call[0] for call in logging.calls]


def test_an_attribute_of_the_class_is_that_of_tensor(torch, logging):
    for name in ("shape", "grad", "dtype"):
        assert getattr(logging, name) is not None and not isinstance(getattr(logging, name), torch.Tensor)


def test_attributes_of_its_own_stay(torch):
    class Mixin:
        @property
        def dtype(self):
            return "mixed in"

    class Own(Mixin, torch.Tensor):
        shape = "its own"

        def numpy(self):
            return "its own"

        def __len__(self):
            return 7

    class Quiet(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            raise AssertionError("it was asked")

    x = torch.ones(2, 3).as_subclass(Own)
    assert (x.shape, x.dtype, x.numpy(), len(x), x.ndim) == ("its own", "mixed in", "its own", 7, 2)
    y = torch.ones(2, 3).as_subclass(Quiet)
    with pytest.raises(AssertionError, match="it was asked"):
        y.shape
    with (minigrad if is_minigrad(torch) else torch._C).DisableTorchFunctionSubclass():
        assert y.shape == (2, 3)


def test_a_wrapper_answers_writes(torch):
    class Wrapper:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func, len(args)

    t, w = torch.ones(2), Wrapper()
    assert t.add_(w) == (torch.Tensor.add_, 2) and t.tolist() == [1., 1.]
    assert t - w == (torch.Tensor.sub, 2) and w - t == (torch.Tensor.__rsub__, 2)
    t[0] = w
    assert t.tolist() == [1., 1.]
    t += w
    assert t == (torch.Tensor.add_, 2)


# ------------------------------------------------------------------------------ modes

def test_a_mode_is_asked_first(torch):
    asked = []

    class Logging(torch.overrides.TorchFunctionMode):
        def __init__(self, label):
            self.label = label

        def __torch_function__(self, func, types, args=(), kwargs=None):
            asked.append((self.label, func.__name__, types, len(args), kwargs))
            return func(*args, **(kwargs or {}))

    class Wrapper:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return "its answer"

    x = torch.ones(2)
    with Logging("outer") as mode:
        assert isinstance(mode, Logging)
        with Logging("inner"):
            torch.zeros(2, dtype=torch.float64)
        assert [each[:2] for each in asked] == [("inner", "zeros"), ("outer", "zeros")]
        assert asked[0][2:] == ((), 1, {"dtype": torch.float64})
        asked.clear()
        y = 1 - (x * 2).exp().add_(1)
        y[0] = 3.
        y[0]
        torch.sum(y, dim=0)
        torch.tensor([1.])
        assert torch.add(y, Wrapper()) == "its answer" and asked.pop()[2] == (Wrapper,)
        assert [each[1] for each in asked] == ["mul", "exp", "add_", "__rsub__", "__setitem__", "__getitem__", "sum",
                                               "tensor"]
    asked.clear()
    x + 1
    assert not asked


def test_a_mode_that_does_not_answer(torch):
    class Silent(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return NotImplemented

    class Wrapper:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return "its answer"

    x = torch.ones(2)
    with Silent():
        assert torch.add(x, Wrapper()) == "its answer"
        with refuses(TypeError, NOBODY, "MG205"):
            x.sum()
    with torch.overrides.TorchFunctionMode(), pytest.raises(NotImplementedError):
        x.sum()
    with torch.overrides.BaseTorchFunctionMode():
        assert x.sum().item() == 2
    assert x.sum().item() == 2


def test_a_mode_belongs_to_its_thread(torch):
    from threading import Thread

    class Failing(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            raise ValueError("asked")

    results = []
    x = torch.ones(2)
    with Failing():
        thread = Thread(target=lambda: results.append((x + 1).tolist()))
        thread.start()
        thread.join()
        with pytest.raises(ValueError, match="asked"):
            x + 1
    assert results == [[2., 2.]] and (x + 1).tolist() == [2., 2.]


def test_lists_of_functions(torch):
    overrides = torch.overrides
    functions = overrides.get_overridable_functions()
    for module, name in ((torch, "exp"), (torch.nn.functional, "mse_loss"), (torch.linalg, "inv"), (torch.fft, "fft"),
                         (torch.special, "entr"), (torch.Tensor, "add_"), (torch.Tensor, "backward")):
        assert getattr(module, name) in functions[module]
        assert overrides.resolve_name(getattr(module, name)).endswith(name)
    assert torch.tensor in overrides.get_ignored_functions() and torch.tensor not in functions[torch]
    shape = torch.Tensor.shape.__get__
    assert overrides.is_tensor_method_or_property(shape)
    assert overrides.resolve_name(shape) == "torch.Tensor.shape.__get__"
    assert [shape] in functions.values() and overrides.resolve_name(len) is None
    assert overrides.get_testing_overrides()[torch.exp](torch.ones(1)) == -1
    assert torch.Tensor.grad.__get__ in overrides.get_default_nowrap_functions()
    assert not overrides.has_torch_function_unary(torch.ones(1))
    assert not overrides.has_torch_function_variadic(torch.ones(1), 3)


def test_a_mode_counts_in_a_tensor_of_its_own(torch):
    class Counting(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            self.count += 1
            return func(*args, **(kwargs or {}))

    mode, x = Counting(), torch.ones(2)
    mode.count = torch.zeros(2)
    with mode:
        x += torch.exp(x)
    assert mode.count.tolist() == [2., 2.] and torch.equal(x, 1 + torch.ones(2).exp())


def test_a_mode_is_asked_about_operators_of_one_operand(torch):
    asked = []

    class Listening(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            asked.append(func.__name__)
            return func(*args, **(kwargs or {}))

    x = torch.tensor([-1., 2.])
    with Listening():
        negative, positive = -x, +x
    assert negative.tolist() == [1, -2] and positive.tolist() == [-1, 2]
    assert asked == ["neg", "positive"]


def test_tensor_itself_may_be_asked_for_an_answer(torch):
    x = torch.ones(2)
    answer = torch.Tensor.__torch_function__(torch.add, (torch.Tensor,), (x, x))
    assert type(answer) is torch.Tensor and answer.tolist() == [2, 2]


def test_python_goes_on_where_nobody_answers_for_an_operator(torch):
    class Silent:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

        def __radd__(self, other):
            return "added"

        def __gt__(self, other):
            return "compared"

    x, silent = torch.ones(2), Silent()
    assert x + silent == "added" and (x < silent) == "compared"
    assert (x == silent) is False and (silent == x) is False
    y = x
    y += silent
    assert y == "added"
    for call in (lambda: x * silent, lambda: silent - x, lambda: x @ silent, lambda: x >= silent):
        with pytest.raises(TypeError, match="unsupported operand type|not supported between instances"):
            call()
    with refuses(TypeError, NOBODY, "MG205"):
        torch.add(x, silent)


@pytest.mark.parametrize("sign, method, asked", [
    ("+", "add", "add_"), ("-", "sub", "sub_"), ("*", "mul", "mul_"), ("/", "truediv", "div_"), ("**", "pow", "pow_"),
    ("//", "floordiv", "floor_divide_"), ("%", "mod", "remainder_"), ("&", "and", "__iand__"), ("|", "or", "__ior__"),
    ("^", "xor", "__ixor__"), ("<<", "lshift", "__ilshift__"), (">>", "rshift", "__irshift__")])
def test_nobody_answers_for_an_operator_that_writes(torch, sign, method, asked):
    names = []

    class Silent:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            names.append(func.__name__)
            return NotImplemented

    class Reflecting(Silent):
        pass

    setattr(Reflecting, f"__r{method}__", lambda self, other: "reflected")
    scope = {"x": torch.ones(2, dtype=torch.int32), "other": Reflecting()}
    exec(f"x {sign}= other", scope)
    assert scope["x"] == "reflected" and names[0] == asked
    scope = {"x": torch.ones(2, dtype=torch.int32), "other": Silent()}
    with pytest.raises(TypeError, match="unsupported operand type"):
        exec(f"x {sign}= other", scope)
    assert scope["x"].tolist() == [1, 1]


# ------------------------------------------------------------------------------ switched off, in part

@pytest.mark.parametrize("name", ["DisableTorchFunction", "DisableTorchFunctionSubclass"])
def test_it_is_switched_off_in_one_thread_alone(torch, name):
    from threading import Thread

    class Named(torch.Tensor):
        pass

    x, found = torch.ones(2).as_subclass(Named), []

    def look():
        found.append(type(x + 1))
    with getattr(torch._C, name)():
        thread = Thread(target=look)
        thread.start()
        thread.join()
        look()
    look()
    assert found == [Named, torch.Tensor, Named]


def test_a_class_with_pytorchs_own_method_overrides_nothing(torch):
    class Quiet(torch.Tensor):
        __torch_function__ = torch._C._disabled_torch_function_impl

    assert type(torch.ones(2).as_subclass(Quiet) * 2) is torch.Tensor


def logged_class(torch, seen):
    class Logged(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            seen.append(func.__name__)
            return torch.overrides.redispatch_function(func, types, args, kwargs)
    return Logged


def scaled(torch):
    """A function of the user's, which asks."""
    def scaled_mul(a, b):
        if torch.overrides.has_torch_function((a, b)):
            return torch.overrides.handle_torch_function(scaled_mul, (a, b), a, b)
        return torch.mul(a, b) + 1
    return scaled_mul


def test_one_level_is_skipped_for_a_class(torch):
    seen = []
    x = torch.tensor([3.]).as_subclass(logged_class(torch, seen))
    seen.clear()
    result = scaled(torch)(x, torch.tensor([4.]))
    assert seen == ["scaled_mul", "mul"] and type(result) is torch.Tensor and result.tolist() == [13]


def test_one_level_is_skipped_for_a_mode(torch):
    seen = []

    class Logging(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(func.__name__)
            with self:
                return torch.overrides.redispatch_function(func, types, args, kwargs)

    x = torch.tensor([3.])
    with Logging():
        result = scaled(torch)(x, x)
    assert seen == ["scaled_mul", "mul", "add"] and result.tolist() == [10]


def test_an_error_ends_the_skipping(torch):
    seen = []
    x = torch.ones(2, 2).as_subclass(logged_class(torch, seen))
    seen.clear()
    with pytest.raises(RuntimeError):
        torch.mm(x, torch.ones(3))
    assert type(torch.exp(x)) is torch.Tensor and seen == ["mm", "exp"]
