"""Where the code at fault is not the line that raises, the message names its place: the function, its file and line."""

import functools
import os
import re
import sys
from pathlib import Path

import pytest

import minigrad as torch
from minigrad._core.errors import located
from minigrad.autograd import Function
from minigrad.autograd.forward_ad import dual_level, make_dual
from minigrad.autograd.function import once_differentiable
from minigrad.autograd.graph import saved_tensors_hooks

LINES = Path(__file__).read_text(encoding="utf-8").splitlines()


def told(call, kind=Exception, within=pytest.raises):
    """What the call raises, or warns of, says, and for each place in it: the line of this file that is named."""
    with within(kind) as caught:
        call()
    text = str(caught.value if within is pytest.raises else caught[0].message)
    lines = [LINES[int(number) - 1].strip() for number in re.findall(r"test_places\.py:(\d+)", text)]
    return text, lines


def leaf(*shape):
    return torch.ones(*shape, requires_grad=True)


class Base(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


# ------------------------------------------------------------------------------ what a backward returns

class TooMany(Base):
    @staticmethod
    def backward(ctx, d):                       # two for one
        return d, d


class WrongShape(Base):
    @staticmethod
    def vjp(ctx, d):                            # by its other name
        return d.sum()[None, None].expand(5, 5)


class NoTensor(Base):
    @staticmethod
    @once_differentiable
    def backward(ctx, d):                       # below a decorator
        return 3.0


@pytest.mark.parametrize("faulty", [TooMany, WrongShape, NoTensor], ids=lambda cls: cls.__name__)
def test_a_backward_that_returns_wrong_gradients(faulty):
    method = "vjp" if faulty is WrongShape else "backward"
    text, lines = told(lambda: faulty.apply(leaf(2)).sum().backward())
    assert f"See {faulty.__name__}.{method}, at " in text and text.endswith("[MG107]")
    assert lines in ([f"def {method}(ctx, d):" + " " * 23 + "# two for one"], ["def vjp(ctx, "
                                                                               "d):                            # by "
                                                                               "its other name"], ["@staticmethod"],
                     ["@once_differentiable"], ["def backward(ctx, d):                       # below a decorator"])


def test_the_backward_that_cannot_be_differentiated():
    class Once(Base):
        @staticmethod
        @once_differentiable
        def backward(ctx, d):
            return d * 2

    x = leaf(2)
    gradient, = torch.autograd.grad((Once.apply(x) ** 2).sum(), x, create_graph=True)
    text, lines = told(lambda: gradient.sum().backward())
    assert "See Once.backward, at " in text and text.endswith("[MG110]") and len(lines) == 1


def test_a_function_without_backward():
    text, lines = told(lambda: Base.apply(leaf(2)).sum().backward(), NotImplementedError)
    assert "Base has neither. See Base.forward, at " in text and len(lines) == 1


def test_two_names_of_one_thing():
    class Both(Base):
        @staticmethod
        def backward(ctx, d):
            return d

        @staticmethod
        def vjp(ctx, d):
            return d

    text, lines = told(lambda: Both.apply(leaf(2)).sum().backward())
    assert "See Both.backward, at " in text and ", and Both.vjp, at " in text and len(lines) == 2


# ------------------------------------------------------------------------------ what a forward does

def test_a_write_that_was_not_declared():
    class Sneaky(Base):
        @staticmethod
        def forward(ctx, x):
            x += 1                              # the culprit
            return x * 2

    text, lines = told(lambda: Sneaky.apply(leaf(2) * 1), UserWarning, pytest.warns)
    assert "`x += 1                              # the culprit`" in text
    assert lines == ["x += 1                              # the culprit"]


def test_dirty_and_not_returned():
    class Dirty(Base):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x.add_(1))
            return x * 2

    text, lines = told(lambda: Dirty.apply(leaf(2) * 1))
    assert "See Dirty.forward, at " in text and text.endswith("[MG301]") and len(lines) == 1


def test_saved_beside_setup_context():
    class Same(Function):
        @staticmethod
        def forward(x):
            return x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output)

    text, _ = told(lambda: Same.apply(leaf(2)))
    assert "See Same.setup_context, at " in text


def test_an_argument_that_forward_does_not_take():
    text, _ = told(lambda: Base.apply(leaf(2), scale=3), TypeError)
    assert "See Base.forward, at " in text


# ------------------------------------------------------------------------- jvp, vmap, and functions given to transforms

class Jvp(Base):
    returned = None

    @staticmethod
    def jvp(ctx, t):
        return Jvp.returned


@pytest.mark.parametrize(("returned", "code"), [((leaf(2), leaf(2)), "MG107"), (3, "MG107"), (torch.ones(5), "MG126")])
def test_what_a_jvp_returns(returned, code, monkeypatch):
    monkeypatch.setattr(Jvp, "returned", returned)
    with dual_level():
        text, lines = told(lambda: Jvp.apply(make_dual(torch.ones(2), torch.ones(2))))
    assert "See Jvp.jvp, at " in text and text.endswith(f"[{code}]") and len(lines) == 1


def test_what_a_vmap_staticmethod_returns():
    class Mapped(Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def vmap(info, in_dims, x):
            return x

    text, _ = told(lambda: torch.vmap(Mapped.apply)(torch.ones(3)))
    assert "See Mapped.vmap, at " in text


def number(x):
    return 3


def pair(x):
    return x, x


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: torch.vmap(number)(torch.ones(2)), "number"),
        (lambda: torch.func.grad(number)(torch.ones(2)), "number"),
        (lambda: torch.func.grad(torch.sin)(torch.ones(2)), "sin"),
        (lambda: torch.autograd.functional.hessian(pair, torch.ones(2)), "pair"),
        (lambda: torch.autograd.functional.hessian(lambda x: x * 2, torch.ones(2)), "<lambda>"),
        (lambda: torch.autograd.gradcheck(number, (leaf(2).double().detach().requires_grad_(),)), "number"),
    ],
)
def test_what_a_function_given_to_a_transform_returns(call, name):
    text, lines = told(call)
    assert f"See {name}" in text and len(lines) == (name != "sin")


# ------------------------------------------------------------------------------ hooks on saved tensors

@pytest.mark.parametrize(("unpack", "code"), [(lambda kept: 3, "MG123"), (lambda kept: torch.ones(7), "MG122"),
                                              (lambda kept: torch.ones(2, dtype=torch.int64), "MG122")])
def test_what_an_unpack_hook_returns(unpack, code):
    with saved_tensors_hooks(lambda t: t, unpack):
        y = leaf(2).exp()
    text, lines = told(lambda: y.sum().backward())
    assert "See <lambda>, at " in text and text.endswith(f"[{code}]") and len(lines) == 1
    assert "lambda kept" in lines[0]


# ------------------------------------------------------------------------------ hooks on gradients

@pytest.mark.parametrize(
    ("register", "hook"),
    [
        (lambda y, x: y.register_hook, lambda g: 3),                                        # on a tensor
        (lambda y, x: y.register_hook, lambda g: g.sum()),
        (lambda y, x: y.register_hook, lambda g: g.double()),
        (lambda y, x: y.grad_fn.register_prehook, lambda incoming: 3),                      # before a node
        (lambda y, x: y.grad_fn.register_prehook, lambda incoming: (3,)),
        (lambda y, x: y.grad_fn.register_prehook, lambda incoming: incoming * 2),
        (lambda y, x: y.grad_fn.register_hook, lambda outgoing, incoming: (incoming[0].sum(),)),        # after it
        (lambda y, x: x.register_post_accumulate_grad_hook, lambda leaf: leaf.clone()),
    ],
)
def test_what_a_hook_returns(register, hook):
    x = leaf(2)
    y = x.exp()
    register(y, x)(hook)
    text, lines = told(lambda: y.sum().backward())
    assert re.search(r"See <lambda>, at .*test_places\.py:\d+\. \[MG1(19|21)\]$", text)
    assert len(lines) == 1 and "lambda" in lines[0]


def test_a_hook_that_is_an_object():
    class Sum:
        def __call__(self, gradient):
            return gradient.sum()

    y = leaf(2).exp()
    y.register_hook(Sum())
    text, lines = told(lambda: y.sum().backward())
    assert "See Sum, at " in text and lines == ["def __call__(self, gradient):"]


# ------------------------------------------------------------------------------ the pass that freed the graph

def first(y):
    y.backward()                                # the first


def test_a_second_backward_names_the_first():
    x = leaf(2)
    y = x.exp().sum()
    first(y)
    for again in (y.backward, lambda: torch.autograd.grad(y, x), lambda: y.grad_fn.next_functions[0][0]._saved_result):
        text, lines = told(again)
        assert text.endswith("[MG102]") and lines == ["y.backward()                                # the first"]


def test_in_a_loop_it_is_the_line_itself():
    square = leaf(2) * leaf(2)

    def loop():
        for _ in range(2):
            square.sum().backward()

    text, lines = told(loop)
    assert lines == ["square.sum().backward()"]


def test_of_several_passes_the_one_that_freed():
    x = leaf(2)
    y, z = x.exp().sum(), x.sin().sum()
    torch.autograd.grad(y, x)                   # this one
    for _ in range(3):
        torch.autograd.grad(z, x, retain_graph=True)
        z.backward(retain_graph=True)
    text, lines = told(y.backward)
    assert lines == ["torch.autograd.grad(y, x)                   # this one"]


def test_a_pass_inside_a_pass():
    x = leaf(2)
    inner = x.sin().sum()
    y = x.exp()
    handle = y.register_hook(lambda g: inner.backward())        # inside
    y.sum().backward()                                          # outside
    handle.remove()
    assert told(inner.backward)[1] == ["handle = y.register_hook(lambda g: inner.backward())        # inside"]
    assert told(y.sum().backward)[1] == ["y.sum().backward()                                          # outside"]


def test_a_place_of_long_ago_is_not_made_up():
    y, z = leaf(2).exp().sum(), leaf(2).exp().sum()
    y.backward()
    for _ in range(200):
        z.backward(retain_graph=True)
        z.backward(retain_graph=True)
    text, lines = told(y.backward)
    assert lines == [] and "let go of what it had saved. Usually" in text


def test_a_custom_function():
    class Square(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, d):
            x, = ctx.saved_tensors
            return 2 * x * d

    y = Square.apply(leaf(2)).sum()
    first(y)
    text, lines = told(y.backward)
    assert lines == ["y.backward()                                # the first"]


def test_retain_grad_after_the_pass_names_it():
    y = leaf(2).exp()
    first(y.sum())
    y.retain_grad()
    assert "a backward pass, called at" in " ".join(y.why_no_grad().split()) and "# the first" in y.why_no_grad()


# ------------------------------------------------------------------------------ names of the user's own


class Named(Function):
    """Keeps what it likes on ctx, which is the node: a name, for one."""

    @staticmethod
    def forward(ctx, x, mistake=None):
        ctx.name, ctx.mistake = "mine", mistake
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return {None: (g * 2, None), "one": g, "nan": (g / 0 * 0, None)}[ctx.mistake]


def test_a_function_that_keeps_a_name_on_ctx():
    x = leaf(3)
    y = Named.apply(x, None)
    assert y.grad_fn.name == "mine" and "<NamedBackward>" in repr(y) and "Named" in str(torch.viz.graph(y))
    assert "the result of an operation (NamedBackward)" in y.why_no_grad()
    with torch.autograd.profiler.profile() as prof:
        y.sum().backward()
    assert "NamedBackward" in [event.name for event in prof.function_events] and x.grad.tolist() == [2, 2, 2]
    assert ("function NamedBackward returned an incorrect number of "
            "gradients" in told(lambda: Named.apply(x, "one").sum().backward())[0])
    with pytest.warns(UserWarning), torch.autograd.detect_anomaly():
        assert "Function 'NamedBackward' returned nan values" in told(lambda: Named.apply(x, "nan").sum().backward())[0]


# ------------------------------------------------------------------------------ what a place is told of


def test_who_wraps_himself():
    def hook(g):
        return 5

    hook.__wrapped__ = hook
    around = functools.partial(hook)
    for each in (hook, around):
        assert located(each).startswith("hook, at ")


@pytest.mark.skipif(sys.platform == "emscripten", reason="a directory in which a program works cannot be removed there")
def test_the_message_without_a_working_directory(tmp_path):
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    z = y * y
    here = os.getcwd()
    gone = tmp_path / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    try:
        y.add_(1)
        with pytest.raises(RuntimeError, match="It was written to since, at .*test_places.py") as caught:
            z.sum().backward()
        assert caught.value.code == "MG101"
    finally:
        os.chdir(here)
