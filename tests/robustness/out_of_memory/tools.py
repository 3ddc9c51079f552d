"""Scenarios of transforms, of Functions and engines of a user's own, of pictures and explanations, and the rest."""

import importlib.util
import io
import sys
import tempfile
from pathlib import Path

import minigrad as torch
from minigrad import error_pages, homework, notation, teaching, viz
from minigrad.autograd import functional, graph
from minigrad.homework import Outcome, Result
from minigrad.notation import rows
from minigrad.ops import exports
from minigrad.overrides import TorchFunctionMode
from tests.robustness.out_of_memory.passes import M, W, X, loss, nothing, sine_of_square, sum_of_sines, twice

forward_ad, func = torch.autograd.forward_ad, torch.func
FOLDER = tempfile.TemporaryDirectory()
LINEAR = torch.nn.Linear(3, 2).double()
ASSIGNMENT = homework.find("newton")
RESULT = Result("here.py", ASSIGNMENT, [Outcome(item, item.points, "right", []) for item in ASSIGNMENT.items])


class Cube(torch.autograd.Function):
    """In the style of transforms, with a rule for each of them."""

    @staticmethod
    def forward(x):
        return x * x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        return 3 * x * x * d

    @staticmethod
    def jvp(ctx, tangent):
        x, = ctx.saved_tensors
        return 3 * x * x * tangent

    @staticmethod
    def vmap(info, in_dims, x):
        return Cube.apply(x), in_dims[0]


class Dirty(torch.autograd.Function):
    """It writes over its input, has two results, and needs no gradient for one."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.mark_dirty(x)
        ctx.set_materialize_grads(False)
        z = y > 4
        ctx.mark_non_differentiable(z)
        ctx.save_for_backward(y)
        return x.mul_(y), z

    @staticmethod
    def backward(ctx, d, _):
        return d * ctx.saved_tensors[0], None


def cube(x):
    return Cube.apply(x).sum()


def product(x, w):
    return (x * w).sin().sum()


def of_linear(parameters, x):
    return func.functional_call(LINEAR, parameters, (x,)).square().sum()


def batched():
    return (torch.vmap(torch.vmap(torch.mul))(M, M), torch.vmap(func.grad(product), in_dims=(0, None))(M, W[:2]),
            torch.vmap(torch.dot, out_dims=0, chunk_size=1)(M, M), torch.vmap(torch.sort, in_dims=1)(M))


def jacobians():
    x = X.detach()
    return (func.jacrev(sine_of_square)(x), func.jacfwd(sine_of_square)(x), func.hessian(sum_of_sines)(x),
            func.vjp(sine_of_square, x)[1](x), func.linearize(sine_of_square, x)[1](x),
            func.grad_and_value(sum_of_sines)(x), func.jvp(func.grad(sum_of_sines), (x,), (x,)))


def functional_calls():
    parameters = dict(LINEAR.named_parameters())
    stacked, buffers = func.stack_module_state([LINEAR, LINEAR])
    return func.grad(of_linear)(parameters, X), torch.vmap(of_linear, in_dims=(0, None))(stacked, X.detach()), buffers


def functional_of_autograd():
    x = X.detach()
    return (functional.jacobian(sine_of_square, x), functional.hessian(sum_of_sines, x),
            functional.vhp(sum_of_sines, x, x), functional.jvp(sine_of_square, x, x),
            functional.jacobian(sine_of_square, x, vectorize=True, strategy="forward-mode"))


def forward_over_reverse():
    with forward_ad.dual_level():
        d = forward_ad.make_dual(X.detach().requires_grad_(), W.detach())
        (g,) = torch.autograd.grad(sum_of_sines(d), d, create_graph=True)
        return forward_ad.unpack_dual(g).tangent * 1


def tangents():
    """The rules of linear operations, views, writes and reductions."""
    with forward_ad.dual_level():
        d = forward_ad.make_dual(M.detach().clone(), torch.ones_like(M))
        v = d[0].clone()
        v.mul_(d[1])
        return forward_ad.unpack_dual((d @ d).sum(0) + v + d.cumsum(1)[0] + d.t().logsumexp(1) + d.amax(0))


def own_functions():
    x = X.detach()
    return (func.grad(cube)(x), torch.vmap(cube)(M.detach()), func.jvp(cube, (x,), (x,)), func.hessian(cube)(x))


def writing_functions():
    y, over = Dirty.apply(X * 1, W)
    y.sum().backward()
    return y, over


def transforms_that_write():
    return func.functionalize(written_inside)(X.detach()), torch.vmap(written_inside)(M.detach())


def written_inside(x):
    y = x.clone()
    y.mul_(2)
    y[0] = 1
    return y


def hooks_of_many():
    y, z = X * 2, W * 3
    handle = graph.register_multi_grad_hook((y, z), nothing)
    first = graph.register_multi_grad_hook((y, z), nothing, mode="any")
    y.register_hook(twice)
    (y * z).sum().backward()
    handle.remove()
    first.remove()


def looking_at_graphs():
    y = loss()
    node = y.grad_fn
    (edge,) = graph.get_gradient_edge(y),
    return (node.name(), [following.name() for following, _ in node.next_functions], node.metadata, type(node).__name__,
            y.grad_fn._saved_self_sym_sizes if hasattr(node, "_saved_self_sym_sizes") else None, edge.output_nr,
            torch.autograd.grad(edge, X, retain_graph=True), X.why_no_grad(), (X * 2).why_no_grad(y))


def checked_gradients():
    return torch.autograd.gradcheck(sine_of_square, X), torch.autograd.gradgradcheck(sine_of_square, X)


def walking(roots, gradients, inputs, keep_graph):
    waiting = list(zip(roots, gradients))
    while waiting:
        (node, _), gradient = waiting.pop()
        if node is not None:
            results = node(gradient)
            waiting += zip(node.next_functions, results if isinstance(results, tuple) else (results,))


def own_engine():
    with torch.use_engine(walking):
        (X.exp() * W).sum().backward()


def profiled():
    with torch.autograd.profiler.profile(record_shapes=True, with_stack=True) as found:
        with torch.autograd.profiler.record_function("block"):
            loss().backward()
    found.key_averages().table()
    found.export_chrome_trace(str(Path(FOLDER.name, "trace.json")))


class Doubled(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return super().__torch_function__(function, types, args, kwargs or {})


class Noticed(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        return function(*args, **(kwargs or {}))


def overridden():
    d = X.detach().as_subclass(Doubled)
    with Noticed():
        y = X * W
    return (d * 2 + d.shape[0]).sum().as_subclass(torch.Tensor), y, torch.overrides.has_torch_function((d,))


def pretended():
    with torch.cuda.pretend() as gpu:
        x = torch.ones(3, device="cuda", requires_grad=True)
        (x * 2).sum().backward()
        return x.grad.cpu(), gpu.to_host.calls, str(x.device)


def default_devices():
    with torch.device("meta"):
        x = torch.ones(2)
    before = torch.get_default_dtype()
    try:
        torch.set_default_dtype(torch.float64)
        return x.shape, torch.ones(2)
    finally:
        torch.set_default_dtype(before)


def printed_by(function, *arguments):
    """Without contextlib, which forgets to put the stream back where it is refused memory."""
    before, sys.stdout = sys.stdout, io.StringIO()
    try:
        function(*arguments)
        return sys.stdout.getvalue()
    finally:
        sys.stdout = before


def drawn():
    drawing = viz.graph({"loss": loss(), "x": X}, saved=True)
    return drawing._repr_svg_(), str(drawing), viz.to_dot(viz.walk({"loss": loss()}))


def shown(player):
    """How long its page is.  A pass that fails is a story, too: for want of memory, NumPy may raise another error."""
    for story in player.passes:
        if story.error:
            raise RuntimeError(f"the story ends with {story.error}")
    return len(player._repr_html_())


def recorded():
    with viz.record() as player:
        loss().backward()
    return shown(player)


def played():
    return shown(viz.play(loss())), shown(viz.play_expression("x * y", {"x": 1., "y": 2.}))


def told_in_words():
    return printed_by(viz.explain, loss())


def formulas():
    chosen = ("mul", "self"), ("softmax", "self"), ("mm", "mat2")
    return [str(rows.written(exports.ROWS[name], of)) for name, of in chosen]


def explained():
    return len(error_pages.page("MG101")), len(error_pages.listing()), error_pages.resembling("MG1")


def taught():
    return printed_by(expected)


def expected():
    with teaching.expect_error(RuntimeError):
        X + torch.ones(2)


def errors():
    """What is refused, with the sentences that say why."""
    found = []
    for wrong in (lambda: X + torch.ones(2), lambda: (X * W).backward(), lambda: X.add_(1), lambda: X.view(2),
                  lambda: torch.autograd.grad(loss(), M), lambda: torch.ones(2)[5], lambda: torch.softmax(X, 4)):
        try:
            wrong()
        except (RuntimeError, IndexError) as e:
            found.append((type(e).__name__, str(e).split("\n")[0]))
    return found


def told_places():
    """The error looks for the line that wrote."""
    y = X * 2
    z = y.sin()
    y.add_(1)
    try:
        z.sum().backward()
    except RuntimeError as e:
        return "modified by an inplace operation" in str(e)


def reports():
    formats = [form(RESULT) for form in homework.FORMATS.values()]
    return homework.table([RESULT]), str(RESULT), RESULT._repr_html_(), formats


def compared():
    torch.testing.assert_close(X, X.clone())
    made = torch.testing.make_tensor(3, dtype=torch.float32, device="cpu", low=0, high=1)
    try:
        torch.testing.assert_close(X, W)
    except AssertionError as e:
        return str(e), made.shape


def collectives():
    """One rank is a group, too."""
    from minigrad import distributed

    if not distributed.is_initialized():
        distributed.init_process_group("mpi")
    x = torch.ones(3)
    distributed.all_reduce(x)
    found = [torch.zeros(3)]
    distributed.all_gather(found, x)
    distributed.barrier()
    return x, found


def environment():
    with torch.autograd.set_detect_anomaly(False), torch.random.fork_rng():
        torch.manual_seed(3)
        torch.backends.cudnn.flags(enabled=False)
    return torch.is_tensor(X), torch.typename(X), torch.get_float32_matmul_precision(), notation.__name__


SCENARIOS = (batched, jacobians, functional_calls, functional_of_autograd, forward_over_reverse, tangents,
             own_functions, writing_functions, transforms_that_write, hooks_of_many, looking_at_graphs,
             checked_gradients, own_engine, profiled, overridden, pretended, default_devices, drawn, recorded, played,
             told_in_words, formulas, explained, taught, errors, told_places, reports, compared, environment) + (
    (collectives,) if importlib.util.find_spec("mpi4py") else ())
