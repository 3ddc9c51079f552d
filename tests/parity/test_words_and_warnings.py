"""Classes, key phrases and warnings that programs wait for, as PyTorch 2.13 has them; and the causes that we add."""

import copy
import os
import warnings

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import functional as F
from minigrad.utils.data import DataLoader, IterableDataset

x = torch.ones(3, 4)


def deleted():
    y = torch.ones(3)
    del y[0]


def inference_view(write):
    base = torch.ones(3, requires_grad=True) * 1
    with torch.inference_mode():
        view = base[:2]
    write(base, view)
    return view.grad_fn


def with_aux(aux):
    return torch.func.grad(lambda x: (x.sum(), aux), has_aux=True)(x)


class InPlace(torch.autograd.Function):
    """Doubles its argument, and forgets the tangent."""

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def jvp(ctx, t):
        return t


def forgotten_tangent():
    with torch.autograd.forward_ad.dual_level():
        InPlace.apply(torch.autograd.forward_ad.make_dual(torch.ones(3), torch.ones(3)))


class Unbegun(nn.Module):
    def __init__(self):
        self.number = 3

    def forward(self, x):
        return self.layer(x)


class Net(nn.Module):
    @property
    def size(self):
        return self.no_such_name

    @property
    def first(self):
        return [].no_such_method


def hooked_relu():
    net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(inplace=True))
    for layer in net:
        layer.register_full_backward_hook(lambda *given: None)
    net(x)


def copied(path):
    inner = nn.Linear(2, 2)
    inner.doubled = inner.weight * 2
    copy.deepcopy(path(inner))


def left_vmap():
    kept = []
    torch.vmap(lambda row: [kept.append(row), row][1])(x)
    return kept[0].sin()


def view_of_a_view(mode):
    base = torch.zeros(2)
    with mode():
        view = base.view(2)
    view.requires_grad_().view(2).div_(2)


class Viewing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def jvp(ctx, t):
        return torch.ones(6)[:3]


class WithKeyword(torch.autograd.Function):
    @staticmethod
    def forward(x, *, y):
        return x + y

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass


class Halving(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x[:1], x[1:]


def dual_and(call):
    with torch.autograd.forward_ad.dual_level():
        call(torch.autograd.forward_ad.make_dual(torch.ones(3), torch.ones(3)))


def drawn_into_one_for_all(randomness):
    y = torch.zeros(4)
    torch.vmap(lambda p: y.bernoulli_(p), randomness=randomness)(torch.full((3, 4), 0.5))


REFUSED = {
    "del": (deleted, TypeError, "does not support deleting items"),
    "no sections": (lambda: torch.tensor_split(x, 0), RuntimeError, "number of sections must be larger than 0, got 0"),
    "floats as cuts": (lambda: torch.tensor_split(x, torch.ones(2)), RuntimeError,
        "to have dtype of long, but got Float"),
    "a matrix of cuts": (lambda: torch.tensor_split(x, torch.tensor([[1]])), RuntimeError,
        "zero-dimensional or one-dim"),
    "a word as cut": (lambda: torch.tensor_split(x, "a"), TypeError, "invalid combination of arguments"),
    "half a cut": (lambda: torch.hsplit(x, 2.5), TypeError, "invalid combination of arguments"),
    "no indices": (lambda: x.index_put([], torch.tensor(1.)), RuntimeError, "at least one index"),
    "no indices, in place": (lambda: x.clone().index_put_((), torch.tensor(1.)), RuntimeError, "at least one index"),
    "empty dim": (lambda: torch.index_select(torch.ones(0, 3), 0, torch.tensor([0])), RuntimeError,
        "should be positive"),
    "beyond": (lambda: torch.index_select(torch.ones(3), 0, torch.tensor([5])), IndexError,
        "index out of range in self"),
    "one of three": (lambda: torch.narrow_copy(x, 0, 2, 3), RuntimeError, "exceeds dimension size"),
    "a bool as start": (lambda: x.narrow(0, True, 1), TypeError, "invalid combination of arguments - got (int, bool"),
    "a bool as length": (lambda: x.narrow(0, 0, True), TypeError, "invalid combination of arguments"),
    "a bool tensor as start": (lambda: x.narrow(0, torch.tensor(True), 1), RuntimeError,
        "must be an 0-dim integral Tensor."),
    "numbers": (lambda: torch.eq(3, 4), TypeError, "eq() received an invalid combination of arguments"),
    "a distance to a number": (lambda: x.dist(3), TypeError, "argument 'other' (position 2) must be Tensor, not int"),
    "a number first": (lambda: torch.lt(3, x), TypeError, "lt() received an invalid combination of arguments"),
    "numbers of xlogy": (lambda: torch.xlogy(2, 3.), TypeError,
        "xlogy() received an invalid combination of arguments - got (int, float)"),
    "numbers of zeta": (lambda: torch.special.zeta(2, 3), TypeError,
        "invalid combination of arguments - got (int, int)"),
    "other batch": (lambda: F.cross_entropy(torch.zeros(1, 3), torch.tensor(0)), ValueError,
                    "Expected input batch_size (1) to match target batch_size (0)"),
    "an int as aux": (lambda: with_aux(3), RuntimeError, "Expected tensors, got unsupported type <class 'int'>"),
    "a word in aux": (lambda: with_aux({"a": (x, "b")}), RuntimeError, "unsupported type <class 'str'>"),
    "aux of jvp": (lambda: torch.func.jvp(lambda x: (x, 3), (x,), (x,), has_aux=True), RuntimeError,
        "unsupported type"),
    "retain_grad inside": (lambda: torch.func.grad(lambda x: [y := x * 2, y.retain_grad(), y.sum()][2])(x),
                           RuntimeError,
                           "call Tensor.retain_grad() inside of a function being transformed"),
    "tangent left": (forgotten_tangent, RuntimeError, "not modifying the forward mode gradients inplace"),
    "write to view": (lambda: inference_view(lambda base, view: view.mul_(2)), RuntimeError,
                      "A view was created in inference mode and is being modified inplace in normal mode"),
    "write to base": (lambda: inference_view(lambda base, view: base.mul_(2)), RuntimeError,
                      "A view was created in inference mode and its base or another view"),
    "a property": (lambda: Net().size, AttributeError, "no attribute 'no_such_name'"),
    "a property's list": (lambda: Net().first, AttributeError, "'list' object has no attribute 'no_such_method'"),
    "a missing name": (lambda: Net().other, AttributeError, "'Net' object has no attribute 'other'"),
    "not begun, called": (lambda: Unbegun()(x), AttributeError, "super().__init__()"),
    "not begun, walked": (lambda: list(Unbegun().parameters()), AttributeError, "super().__init__()"),
    "a hook": (hooked_relu, RuntimeError, "a full backward hook of a module"),
    "no leaf": (lambda: copied(lambda inner: inner), RuntimeError, "the attribute 'doubled' of a Linear"),
    "no leaf inside": (lambda: copied(nn.Sequential), RuntimeError, "the attribute 'doubled' of a Linear"),
    "no leaf alone": (lambda: copy.deepcopy((x.clone().requires_grad_() * 2)), RuntimeError,
        "this one is the result of"),
    "argmax": (lambda: x.argmax().float().backward(), RuntimeError, "argmax"),
    "tangents in a list": (lambda: torch.func.jvp(torch.sin, (x,), [x]), RuntimeError, "same python structure"),
    "primals in a list": (lambda: torch.func.jvp(torch.sin, [x], (x,)), RuntimeError, "Expected primals to be a tuple"),
    "where in vmap": (lambda: torch.vmap(torch.where)(x), RuntimeError, "Attempted to vmap over aten::where"),
    "nonzero in vmap": (lambda: torch.vmap(torch.nonzero)(x), RuntimeError, "Attempted to vmap over aten::nonzero"),
    "one number as complex": (lambda: torch.view_as_complex(torch.tensor(1.)), RuntimeError,
                              "Input tensor must have one or more dimensions"),
    "out in vmap": (lambda: torch.vmap(lambda row: torch.abs(row, out=torch.ones(4)))(x), RuntimeError,
                    "Batching rule not implemented for aten::abs.out; the fallback path doesn't work on out= or view"),
    "out of a dual tensor": (lambda: dual_and(lambda y: torch.add(y, 1, out=torch.ones(3))), RuntimeError,
                             "Trying to use forward AD with add_out that does not support it because it is an out="),
    "left vmap": (left_vmap, RuntimeError, "your tensor may have escaped from inside a function being vmapped"),
    "a line too short": (lambda: F.max_pool1d(torch.ones(1, 1, 4), 3, dilation=2), RuntimeError, "too small"),
    "a view of a view": (lambda: view_of_a_view(torch.no_grad), RuntimeError,
                         "Output 0 of View is a view of a view which was created in no_grad mode and is being"),
    "a view of a view of inference": (lambda: view_of_a_view(torch.inference_mode), RuntimeError,
                                      "is a view of a view which was created in inference mode and is being modified"),
    "a view of a Function": (lambda: Viewing.apply(torch.ones(3, requires_grad=True) * 1).add_(1), RuntimeError,
                             "Output 0 of Viewing is a view and is being modified inplace. This view was created"),
    "a view of several": (lambda: Halving.apply(x.clone().requires_grad_() * 1)[1].add_(1), RuntimeError,
                          "Output 1 of Halving is a view and is being modified inplace. This view is the output of"),
    "another's tangent": (lambda: dual_and(Viewing.apply), RuntimeError, "not returning a view of the given grad"),
    "another part's tangent": (lambda: dual_and(lambda y: Viewing.apply(torch.cat([y, y])[:3])), RuntimeError,
                               "jvp is not returning a view of the same base as the given grad input"),
    "no tangent yet": (lambda: dual_and(lambda y: torch.igamma(y, y)), NotImplementedError,
                       "Trying to use forward AD with igamma that does not support it because it has not been impl"),
    "no gradient yet": (lambda: torch.igamma(x.clone().requires_grad_(), x).sum().backward(), NotImplementedError,
                        "the derivative for 'igamma: input' is not implemented"),
    "a keyword in vmap": (lambda: torch.vmap(WithKeyword.apply)(x, y=x), NotImplementedError,
                          "Run vmap on autograd.Function with kwarg-only Tensor args"),
    "a keyword": (lambda: WithKeyword.apply(x, y=x), TypeError, "forward() got an unexpected keyword argument 'y'"),
    "insert": (lambda: nn.Sequential(nn.ReLU()).insert(0, [nn.ReLU()]), AssertionError, "module should be of type: "),
    "negative windows": (lambda: F.fold(torch.ones(1, 12, 12), (4, 5), (2, 2), dilation=8), RuntimeError,
                         "calculated shape of the array of sliding blocks as (-4, -3), which is too small"),
    "windows of 2**104": (lambda: F.fold(torch.ones(3, 4), (4, 4), (2 ** 52, 2 ** 52)), RuntimeError,
                          "the product of kernel_width and kernel_height overflowed"),
    "a grid of pairs": (lambda: F.grid_sample(torch.ones(1, 2, 2), torch.ones(1, 1, 1, 2), align_corners=False),
                        RuntimeError, "expected grid to have size 1 in last dimension"),
    "half a pixel": (lambda: F.interpolate(torch.ones(1, 1, 4), size=(2.,)), TypeError,
                     "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but"),
    "drawn for all": (lambda: drawn_into_one_for_all("error"), RuntimeError,
                      "called random operation while in randomness error mode"),
    "the same for all": (lambda: drawn_into_one_for_all("same"), RuntimeError,
                         "Vmap does not currently support same randomness with a batched tensor input"),
    "different for all": (lambda: drawn_into_one_for_all("different"), RuntimeError,
                          "vmap: inplace arithmetic(self, *extra_args) is not possible"),
    "no parameters": (lambda: torch.optim.SGD([], 0.1), ValueError, "Layers in a plain list"),
} | {name: (lambda name=name: getattr(torch, name)(x), TypeError, "(position 1) must be tuple of Tensors, not Tensor")
     for name in ("hstack", "vstack", "dstack", "column_stack", "row_stack", "stack", "cat")
} | {f"{kind}_pool{n}d of no sizes": (
        lambda kind=kind, n=n: getattr(F, f"{kind}_pool{n}d")(torch.ones(3, *[4] * n), ()), RuntimeError, argument)
     for n in (1, 2, 3) for kind, argument in (("adaptive_avg", "output_size"), ("adaptive_max", "output_size"),
                                               ("max", "kernel_size"), ("avg", "kernel_size"))}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    call, cls, phrase = REFUSED[name]
    with pytest.raises(cls) as caught:
        call()
    assert phrase in str(caught.value)
    if not name.startswith("a property") and name != "a missing name":
        assert "[MG" in str(caught.value)


class Said(IterableDataset):
    def __iter__(self):
        return iter(range(4))

    def __len__(self):
        return 2


def asked_for(loader):
    assert len(loader) == 2
    return list(loader)


def loaded_onto_meta():
    with torch.device("meta"):
        layer = nn.Linear(2, 2)
    layer.load_state_dict(nn.Linear(2, 2).state_dict())


def random(dtype, *bounds):
    return torch.empty(2, dtype=dtype).random_(*bounds)


MANY = len(os.sched_getaffinity(0)) + 1

WARNS = {
    "meshgrid": (lambda: torch.meshgrid(torch.ones(2), torch.ones(2)), "required to pass the indexing argument"),
    "workers": (lambda: DataLoader(range(4), num_workers=MANY), f"will create {MANY} worker processes in total"),
    "meta": (loaded_onto_meta, "for weight: copying from a non-meta parameter in the checkpoint to a meta parameter"),
    "float": (lambda: random(torch.float32, 2 ** 24 + 2), r"to - 1 is out of bounds [-(2^24), 2^24]"),
    "from": (lambda: random(torch.float32, -2 ** 24 - 10, 0), r"from is out of bounds [-(2^24), 2^24]"),
    "half": (lambda: random(torch.float16, 4096), r"to - 1 is out of bounds [-(2^11), 2^11]"),
    "bfloat16": (lambda: random(torch.bfloat16, -1000, 0), r"from is out of bounds [-(2^8), 2^8]"),
    "randint": (lambda: torch.randint(0, 2 ** 25, (2,), dtype=torch.float32), r"to - 1 is out of bounds"),
    "length": (lambda: asked_for(DataLoader(Said())), "was reported to be 2 (when accessing len(dataloader)), but 3"),
}

SILENT = {
    "meshgrid": lambda: torch.meshgrid(torch.ones(2), torch.ones(2), indexing="ij"),
    "combinations": lambda: torch.cartesian_prod(torch.ones(2), torch.ones(2)),
    "workers": lambda: DataLoader(range(4), num_workers=MANY - 1),
    "meta": lambda: nn.Linear(2, 2).load_state_dict(nn.Linear(2, 2).state_dict()),
    "float": lambda: random(torch.float32, -2 ** 24, 2 ** 24 + 1),
    "double": lambda: random(torch.float64, 0, 2 ** 53 + 1),
    "whole": lambda: random(torch.float16),
    "length": lambda: list(DataLoader(Said())),
}


@pytest.mark.parametrize("name", WARNS)
def test_warns(name):
    call, phrase = WARNS[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert any(phrase in str(w.message) and w.category is UserWarning for w in caught), [str(w.message) for w in caught]


@pytest.mark.parametrize("name", SILENT)
def test_does_not_warn(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SILENT[name]()


def test_a_property_that_works_is_asked_once():
    asked = []

    class Counted(nn.Module):
        @property
        def size(self):
            asked.append(1)
            return 4

    assert Counted().size == 4 and len(asked) == 1


def test_an_in_place_function_that_writes_its_tangent_passes():
    class Doubled(InPlace):
        @staticmethod
        def jvp(ctx, t):
            return t.mul_(2)

    ad = torch.autograd.forward_ad
    with ad.dual_level():
        result = Doubled.apply(ad.make_dual(torch.ones(3), torch.ones(3)))
        assert ad.unpack_dual(result).tangent.tolist() == [2, 2, 2]


def test_out_that_is_an_input_and_too_large():
    values = torch.rand(10)
    with pytest.raises(RuntimeError, match="refer to a single memory location"):
        torch.kthvalue(values, 5, out=(values, torch.empty((), dtype=torch.int64)))
    assert values.shape == (10,)


def test_an_inference_tensor_that_requires_grad_is_resized_in_inference_mode():
    with torch.inference_mode():
        y = torch.ones(2, 3, requires_grad=True)
        assert y.resize_(3).resize_as_(torch.ones(1, 2)).shape == (1, 2) and y.requires_grad
        with pytest.raises(RuntimeError, match="cannot resize variables that require grad"):
            PARAMETER.resize_(1)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
        y.resize_(1)


PARAMETER = torch.ones(2, requires_grad=True)


def test_what_passes_for_a_tensor_may_be_a_buffer():
    class Like:
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            raise NotImplementedError

    module, first, second = nn.Module(), Like(), Like()
    module.register_buffer("mean", first)
    assert module.mean is first
    module.mean = second
    assert module.get_buffer("mean") is second
    with pytest.raises(TypeError, match="cannot assign 'int' object to buffer 'size'"):
        module.register_buffer("size", 3)


def test_a_subclass_may_have_an_attribute_that_masked_arrays_ask_for():
    class Wrapped(torch.Tensor):
        pass

    y = torch.ones(2).as_subclass(Wrapped)
    y._data = 3
    assert y._data == 3
    del y._data
    with pytest.raises(TypeError, match="mask"):
        y._data
    with pytest.raises(AttributeError):
        del y._data
