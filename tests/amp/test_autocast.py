"""Autocast on the CPU: which functions are cast to what, and what the casts do to gradients."""

import threading
import warnings

import numpy as np
import pytest

import minigrad
from minigrad.amp import autocast_mode
from minigrad.utils.checkpoint import checkpoint
from tests.amp.calls import CALLS
from tests.checking import public_functions, refuses

LETTERS = {"bfloat16": "b", "float32": "f", "float64": "d", "float16": "h", "int64": "i", "int32": "j",
           "complex64": "c", "complex128": "z", "bool": "?"}
FLAT = [(call, expected) for expected, calls in CALLS.items() for call in " ".join(calls.split()).split(" | ")]


def flat(torch, result):
    if isinstance(result, (list, tuple)):
        return "".join([flat(torch, part) for part in result])
    return LETTERS[str(result.dtype)[6:]] if isinstance(result, torch.Tensor) else "-"


def operands(torch, dtype):
    """Matrices, vectors, batches and images that every call finds fitting."""
    m = torch.tensor([[1.5, .25], [.5, 2.]])
    made = {"m": m, "p": m / 4, "v": torch.tensor([.5, .25]), "k": torch.ones(2, 3),
            "s": torch.tensor([[2., .5], [.5, 1.]]), "b": torch.arange(8, 16.).reshape(2, 2, 2) / 8,
            "i": torch.arange(16.).reshape(2, 2, 2, 2) / 16, "j": torch.arange(32.).reshape(2, 2, 2, 2, 2) / 32}
    return {name: x.to(dtype) for name, x in made.items()} | {
        "torch": torch, "F": torch.nn.functional, "L": torch.linalg, "t": torch.tensor([0, 1])}


def dtypes_of(torch, call, dtype):
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with torch.autocast("cpu"):
                return flat(torch, eval(call, operands(torch, dtype)))
        except RuntimeError:
            return "!"


@pytest.mark.parametrize(("call", "expected"), FLAT)
def test_each_function_has_its_dtype(torch, call, expected):
    found = [dtypes_of(torch, call, dtype) for dtype in (torch.float32, torch.bfloat16, torch.float64)]
    assert " ".join(found) == expected


def test_the_rules_are_of_functions_that_there_are():
    known = {getattr(function, "__name__", "") for function in public_functions().values()}
    known |= {op.__name__ for op in minigrad.ops.exports.ROWS.values()}
    functional = {name for name in dir(minigrad.nn.functional)} | {*dir(minigrad)}
    assert {*autocast_mode.RULES} <= known | functional
    assert len(autocast_mode.RULES) == sum(len(names.split()) for names in (
        autocast_mode.IN_LOWER_PRECISION, autocast_mode.IN_FLOAT32, autocast_mode.IN_THE_WIDEST,
        autocast_mode.AS_GIVEN))


@pytest.mark.parametrize("name", sorted(autocast_mode.RULES))
def test_the_calls_try_each_rule(name):
    short = WITHIN.get(name, name.replace("linalg_", "").replace("fft_", ""))
    assert any(short in call for call, _ in FLAT) or name in WITH_LAYERS


#: rule -> the call that comes to it, if that has another name
WITHIN = {"reflection_pad1d": "F.pad(b, (1, 1), mode='reflect')", "reflection_pad2d": "(1, 1, 1, 1), mode='reflect'",
          "replication_pad2d": "(1, 1, 1, 1), mode='replicate'", "replication_pad3d": "1, 1, 1, 1), mode='replicate'"}
#: tried in a test of their own, or as their brothers are
WITH_LAYERS = {"lstm", "rnn_tanh", "rnn_relu", "rnn_relu_cell", "multi_head_attention_forward", "grid_sampler_3d",
               "replication_pad1d"}


@pytest.mark.filterwarnings("ignore")
def test_layers_of_recurrent_networks_and_attention(torch):
    nn, x, found = torch.nn, torch.ones(2, 3, 4), []
    with torch.autocast("cpu"):
        for layer in (nn.LSTM(4, 5), nn.GRU(4, 5), nn.RNN(4, 5), nn.RNN(4, 5, nonlinearity="relu")):
            found.append(flat(torch, layer(x)))
        for cell in (nn.LSTMCell(4, 5), nn.GRUCell(4, 5), nn.RNNCell(4, 5), nn.RNNCell(4, 5, nonlinearity="relu")):
            found.append(flat(torch, cell(x[0])))
        attention = nn.MultiheadAttention(4, 2)
        found += [flat(torch, attention(x, x, x)), flat(torch, attention.eval()(x, x, x, need_weights=False))]
        found += [flat(torch, nn.TransformerEncoderLayer(4, 2)(x)), flat(torch, nn.Transformer(4, 2, 1, 1)(x, x))]
    assert found == ["bbb", "ff", "bb", "bb", "ff", "f", "b", "b", "bb", "b-", "f", "f"]


# ------------------------------------------------------------------------------ gradients

def test_a_gradient_is_that_of_the_casts(torch):
    weight = torch.tensor([[.1, .7], [1.3, -.4]], requires_grad=True)
    x = torch.tensor([[.3, 1.1], [.2, -.6]], requires_grad=True)
    with torch.autocast("cpu"):
        y = torch.nn.functional.linear(x, weight)
        loss = torch.nn.functional.mse_loss(y, torch.zeros(2, 2))
    assert y.dtype is torch.bfloat16 and loss.dtype is torch.float32
    assert y.grad_fn.next_functions[0][0].name() == "ToCopyBackward0"
    loss.backward()
    found = weight.grad, x.grad
    a, w = [each.detach().requires_grad_() for each in (x, weight)]
    product = torch.nn.functional.linear(a.to(torch.bfloat16), w.to(torch.bfloat16))
    torch.nn.functional.mse_loss(product.float(), torch.zeros(2, 2)).backward()
    assert torch.equal(found[0], w.grad) and torch.equal(found[1], a.grad) and found[0].dtype is torch.float32


def test_a_parameter_is_cast_once(torch):
    w, x = torch.ones(2, 2, requires_grad=True), torch.ones(2, 2)

    def cast_of(y):
        return y.grad_fn.next_functions[1][0]

    with torch.autocast("cpu"):
        with torch.no_grad():
            x @ w                                               # a cast that is not recorded is of no use later
        first = cast_of(x @ w)
        assert cast_of(x @ w) is first
        with torch.autocast("cpu"):
            assert cast_of(x @ w) is first
        with torch.autocast("cpu", cache_enabled=False):
            assert cast_of(x @ w) is not first
        torch.clear_autocast_cache()
        assert cast_of(x @ w) is not first
        (x @ w).sum().backward()
        (x @ w).sum().backward()                                # the cast is in both graphs
    assert w.grad.tolist() == [[4, 4], [4, 4]]
    with torch.autocast("cpu"):
        assert cast_of(x @ w) is not first


def test_a_cast_to_another_dtype_is_not_used():
    """PyTorch's is, and a product of float16 and bfloat16 is refused."""
    w, x = minigrad.ones(2, 2, requires_grad=True), minigrad.ones(2, 2)
    with minigrad.autocast("cpu"):
        assert (x @ w).dtype is minigrad.bfloat16
        with minigrad.autocast("cpu", minigrad.float16):
            assert (x @ w).dtype is minigrad.float16


def test_a_parameter_that_was_written_to_is_cast_anew():
    w, x = minigrad.ones(2, 2, requires_grad=True), minigrad.ones(2, 2)
    with minigrad.autocast("cpu"):
        assert (x @ w).tolist() == [[2, 2], [2, 2]]
        with minigrad.no_grad():
            w.mul_(2)
        assert (x @ w).tolist() == [[4, 4], [4, 4]]


def test_the_backward_pass_is_not_cast(torch):
    """Within the block, and recorded: the formula of `cholesky` multiplies matrices, in float32."""
    x = torch.tensor([[2., .3], [.3, 1.]], requires_grad=True)
    found = []
    for on in (False, True):
        with torch.autocast("cpu", enabled=on):
            y = torch.mv(x, x[0]).sum()
            g, = torch.autograd.grad(y, x, create_graph=True)
            found += [g, torch.autograd.grad((g * g).sum(), x)[0]]
    assert torch.equal(found[0], found[2]) and torch.equal(found[1], found[3])


def test_formulas_are_not_calls_of_the_program():
    """Neither for autocast nor for a mode: in PyTorch, they are not written in Python.  Only a sum of gradients is."""
    x = minigrad.tensor([[2., .3], [.3, 1.]], requires_grad=True)
    seen = []

    class Noting(minigrad.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(func.__name__)
            return func(*args, **(kwargs or {}))

    y = (x @ x.exp()).sum()
    with minigrad.autocast("cpu"), Noting():
        g, = minigrad.autograd.grad(y, x, create_graph=True)
    assert g.dtype is minigrad.float32 and {*seen} == {"add"}
    assert minigrad.equal(g, minigrad.autograd.grad(y, x)[0])


def test_transforms_cast_inside(torch):
    x, w = torch.ones(3, 2, 2), torch.tensor([[1., 2.], [3., 4.]])
    from importlib import import_module
    forward_ad = import_module(f"{torch.__name__}.autograd.forward_ad")
    with torch.autocast("cpu"):
        assert torch.vmap(lambda v: v @ w)(x).dtype is torch.bfloat16
        gradient = torch.func.grad(lambda v: (v @ w).sum())(w)
        assert gradient.dtype is torch.float32 and gradient.tolist() == [[3, 7], [3, 7]]
        out, tangent = torch.func.jvp(lambda v: v @ w, (w,), (torch.ones(2, 2),))
        assert out.dtype is tangent.dtype is torch.bfloat16 and tangent.tolist() == [[4, 6], [4, 6]]
        with forward_ad.dual_level():
            primal, tangent = forward_ad.unpack_dual(forward_ad.make_dual(w, torch.ones(2, 2)) @ w)
        assert primal.dtype is tangent.dtype is torch.bfloat16
        per_example = torch.vmap(torch.func.grad(lambda v, a: (a @ v).sum()), (None, 0))(w, x)
    assert per_example.dtype is torch.float32 and per_example.shape == (3, 2, 2)


def test_tangents_of_what_is_not_cast_keep_their_digits():
    """The tangent of `det` is made of a solution and a product of matrices, which are not calls of the program."""
    x, t = minigrad.tensor([[2., .3], [.3, 1.]]), minigrad.tensor([[.123456, .7], [.2, .9]])
    plain = minigrad.func.jvp(minigrad.linalg.matrix_exp, (x,), (t,))
    with minigrad.autocast("cpu"):
        within = minigrad.func.jvp(minigrad.linalg.matrix_exp, (x,), (t,))
    assert all(minigrad.equal(a, b) for a, b in zip(plain, within))


@pytest.mark.parametrize("reentrant", [True, False])
def test_a_checkpoint_runs_again_as_it_ran(reentrant):
    seen, w = [], minigrad.ones(2, 2, requires_grad=True)

    def product(x):
        seen.append((minigrad.is_autocast_enabled("cpu"), minigrad.get_autocast_dtype("cpu")))
        return x @ w

    x = minigrad.ones(2, 2, requires_grad=True)
    with minigrad.autocast("cpu", minigrad.float16):
        y = checkpoint(product, x, use_reentrant=reentrant)
    y.float().sum().backward()
    assert seen == [(True, minigrad.float16)] * 2
    assert y.dtype is minigrad.float16 and x.grad.dtype is w.grad.dtype is minigrad.float32


def test_functions_of_your_own(torch):
    seen = []

    class Product(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cpu")
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a @ b

        @staticmethod
        @torch.amp.custom_bwd(device_type="cpu")
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            seen.append((torch.is_autocast_enabled("cpu"), (g @ b.t()).dtype))
            return g @ b.t(), a.t() @ g

    class InFloat32(Product):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
        def forward(ctx, a, b):
            seen.append((torch.is_autocast_enabled("cpu"), a.dtype))
            ctx.save_for_backward(a, b)
            return a @ b

    for function, dtype in ((Product, torch.bfloat16), (InFloat32, torch.float32)):
        a, b = [torch.ones(2, 2, requires_grad=True) for _ in range(2)]
        with torch.autocast("cpu"):
            y = function.apply(a.to(torch.bfloat16) if dtype is torch.float32 else a, b)
        assert y.dtype is dtype
        y.float().sum().backward()
        assert a.grad.dtype is b.grad.dtype is torch.float32
    assert seen == [(True, torch.bfloat16), (False, torch.float32), (False, torch.float32)]


def test_a_scaler_of_the_cpu_trains_in_half_precision(torch):
    torch.manual_seed(0)
    model, x = torch.nn.Linear(4, 1), torch.randn(16, 4)
    target, optimizer = x.sum(1, keepdim=True), torch.optim.SGD(model.parameters(), 0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        with torch.autocast("cpu", torch.float16):
            loss = torch.nn.functional.mse_loss(model(x), target)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 50 and model.weight.dtype is torch.float32


# ------------------------------------------------------------------------------ blocks and settings

def test_blocks_nest(torch):
    x, found = torch.ones(2, 2), []
    with torch.autocast("cpu") as block:
        assert isinstance(block, torch.autocast)
        with torch.autocast("cpu", enabled=False):
            found.append((x @ x).dtype)
        with torch.autocast("cpu", dtype=torch.float16):
            found.append((x @ x).dtype)
        with torch.autocast("cuda", enabled=False):
            found.append((x @ x).dtype)
    found.append((x @ x).dtype)
    assert found == [torch.float32, torch.float16, torch.bfloat16, torch.float32]
    assert torch.get_autocast_dtype("cpu") is torch.bfloat16 and torch.is_autocast_cache_enabled()


def test_one_block_may_be_entered_again():
    """PyTorch's leaves autocast on then."""
    @minigrad.autocast("cpu")
    def product(n):
        return product(n - 1) if n else minigrad.ones(2, 2) @ minigrad.ones(2, 2)

    assert product(3).dtype is minigrad.bfloat16 and product.__name__ == "product"
    assert not minigrad.is_autocast_enabled("cpu")


def test_an_error_ends_the_block(torch):
    with pytest.raises(ZeroDivisionError), torch.autocast("cpu", torch.float16, cache_enabled=False):
        1 / 0
    assert not torch.is_autocast_enabled("cpu") and torch.get_autocast_dtype("cpu") is torch.bfloat16
    assert torch.is_autocast_cache_enabled() and torch.autocast_increment_nesting() == 1
    assert torch.autocast_decrement_nesting() == 0


def test_it_is_a_matter_of_the_thread(torch):
    found = []

    def look():
        found.append((torch.is_autocast_enabled("cpu"), (torch.ones(2, 2) @ torch.ones(2, 2)).dtype))
    with torch.autocast("cpu"):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert found == [(False, torch.float32)]


def test_a_hook_that_switches_it_does_so_for_itself(torch):
    x = torch.ones(2, requires_grad=True)
    y = x.sin()
    y.register_hook(lambda g: torch.set_autocast_enabled("cpu", True))
    y.sum().backward()
    assert not torch.is_autocast_enabled("cpu")


def test_calls_in_place_and_with_out_are_not_cast(torch):
    x, out = torch.ones(2, 2), torch.empty(2, 2)
    with torch.autocast("cpu"):
        torch.mm(x, x, out=out)
        torch.matmul(x, x, out=out)
        x.addmm_(x, x)
    assert out.dtype is x.dtype is torch.float32 and out.tolist() == [[2, 2], [2, 2]]


def test_modes_and_subclasses_are_asked_first(torch):
    seen = []

    class Named(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            seen.append((func.__name__, torch.is_autocast_enabled("cpu")))
            return super().__torch_function__(func, types, args, kwargs)

    x = torch.ones(2, 2).as_subclass(Named)
    seen.clear()
    with torch.autocast("cpu"):
        y = torch.mm(x, x)
    assert type(y) is Named and y.dtype is torch.bfloat16 and seen[0] == ("mm", True)


def test_float64_and_halves_of_another_kind(torch):
    x = torch.ones(2, 2)
    with torch.autocast("cpu"):
        assert (x.double() @ x.double()).dtype is torch.float64
        with pytest.raises(RuntimeError, match="to have the same dtype"):
            x.double() @ x
        with refuses(RuntimeError, "Unexpected floating ScalarType in at::autocast::prioritize", "MG202"):
            torch.cat([x.half(), x.half()])
        assert (x.half() @ x).dtype is torch.bfloat16


def test_settings(torch):
    try:
        torch.set_autocast_enabled("cpu", True)
        torch.set_autocast_dtype("cpu", torch.float16)
        assert torch.is_autocast_enabled("cpu") and not torch.is_autocast_enabled()
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.float16
        torch.set_autocast_enabled(True)
        torch.set_autocast_cache_enabled(False)
        assert torch.is_autocast_enabled() and not torch.is_autocast_cache_enabled()
    finally:
        torch.set_autocast_enabled("cpu", False)
        torch.set_autocast_enabled(False)
        torch.set_autocast_dtype("cpu", torch.bfloat16)
        torch.set_autocast_cache_enabled(True)
    assert torch.get_autocast_dtype("cuda") is torch.float16 and not torch.is_autocast_enabled("cuda")
    assert torch.amp.is_autocast_available("cuda") and not torch.amp.is_autocast_available("meta")


@pytest.mark.parametrize("call", ["get_autocast_cpu_dtype()", "is_autocast_cpu_enabled()", "get_autocast_gpu_dtype()",
                                  "set_autocast_cpu_dtype(torch.bfloat16)", "set_autocast_cpu_enabled(False)",
                                  "set_autocast_gpu_dtype(torch.float16)"])
def test_functions_of_before_warn(call):
    name = call.partition("(")[0]
    device = "cpu" if "cpu" in name else "cuda"
    now = name.replace("_cpu", "").replace("_gpu", "") + f"('{device}'"
    with pytest.warns(DeprecationWarning) as caught:
        eval(f"minigrad.{call.replace('torch', 'minigrad')}")
    assert f"torch.{name}(" in str(caught[0].message) and now in str(caught[0].message)


def test_classes_of_before_warn(torch):
    from importlib import import_module
    of_cpu, of_cuda = [import_module(f"{torch.__name__}.{device}.amp") for device in ("cpu", "cuda")]
    for what, where in ((of_cpu.autocast, "cpu"), (of_cpu.GradScaler, "cpu"),
                        (lambda: of_cuda.autocast(enabled=False), "cuda"),
                        (lambda: of_cuda.GradScaler(enabled=False), "cuda"),
                        (lambda: of_cuda.custom_fwd(len), "cuda"), (lambda: of_cuda.custom_bwd(len), "cuda")):
        with pytest.warns(FutureWarning, match=f"`torch.{where}.amp.*is deprecated. Please use `torch.amp"):
            what()
    with pytest.warns(FutureWarning), of_cpu.autocast():
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.bfloat16
    assert torch.cpu.amp is of_cpu


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_another_dtype_disables_it(torch, dtype):
    with pytest.warns(UserWarning, match="In CPU autocast, but the target dtype is not supported. Disabling autocast"):
        block = torch.autocast("cpu", dtype=getattr(torch, dtype))
    with block:
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.float32


REFUSED = [
    (ValueError, "Expected `device_type` of type `str`", "MG207", lambda torch: torch.autocast(3)),
    (ValueError, "Expected `device_type` of type `str`", "MG207",
     lambda torch: torch.amp.custom_fwd(len, device_type=3)),
    (ValueError, "Expected `device_type` of type `str`", "MG207",
     lambda torch: torch.amp.custom_bwd(len, device_type=3)),
    (RuntimeError, "", "MG204", lambda torch: torch.autocast("meta")),
    (TypeError, "argument 'enabled' (position 2) must be bool, not int", "MG205",
     lambda torch: torch.autocast("cpu", enabled=1).__enter__()),
    (TypeError, "argument 'dtype' (position 2) must be torch.dtype, not str", "MG205",
     lambda torch: torch.set_autocast_dtype("cpu", "bfloat16")),
    (TypeError, "argument 'enabled' (position 1) must be bool, not str", "MG205",
     lambda torch: torch.set_autocast_enabled("cpu")),
    (TypeError, "argument 'device_type' (position 1) must be str, not int", "MG205",
     lambda torch: torch.is_autocast_enabled(3)),
    (TypeError, "autocast()(func) requires a callable, but got int", "MG205", lambda torch: torch.autocast("cpu")(3)),
]


@pytest.mark.parametrize(("kind", "phrase", "code", "call"), REFUSED)
def test_what_is_refused(torch, kind, phrase, code, call):
    with refuses(kind, phrase, code):
        call(torch)
    assert not torch.is_autocast_enabled("cpu")


def test_containers_are_cast_for_a_forward():
    found = autocast_mode._all_cast({"a": [minigrad.ones(1)], "b": (np.ones(1), "text", 3)}, "cpu", minigrad.bfloat16)
    assert found["a"][0].dtype is minigrad.bfloat16 and found["b"][1:] == ("text", 3)
    assert isinstance(found["b"][0], np.ndarray)
