"""A program that ``viz.code`` writes computes what was computed, and needs NumPy alone."""

import contextlib
import copy
import os
import pickle
import random
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import minigrad as torch
from minigrad import viz
from minigrad.ops.exports import ROWS
from minigrad.viz import numpy_words
from minigrad.viz.program import program_of, reverse_program
from tests import drawn
from tests.ops.calling import calls_of_rows, recorded_loss
from tests.random_programs.running import functions
from tests.random_programs.writing import LENGTH, write


ROOT = Path(torch.__file__).parent.parent


def check(written, one):
    """The program of a pass gives its result and its gradients."""
    program = reverse_program(written, one.roots[0], one)
    names = program.run()
    for (label, name), (leaf, gradient) in zip(program.results[1:], one.leaves, strict=True):
        like(names[name], gradient.array, label)
    return program


def like(got, expected, what=""):
    assert got.dtype == expected.dtype and got.shape == expected.shape, what
    if expected.dtype.kind in "fc":
        eps = np.finfo(expected.dtype).eps
        np.testing.assert_allclose(got, expected, rtol=eps ** 0.5, atol=eps ** 0.5 * 1e-2, err_msg=what)
    else:
        np.testing.assert_array_equal(got, expected, what)


# ------------------------------------------------------------------------------ rows

#: Differentiable rows that have no program, and why.
REFUSED = {}


def differentiable():
    return [name for name, calls in calls_of_rows().items() if ROWS[name].formulas and not ROWS[name].draws]


def test_every_differentiable_row_has_a_program():
    rows, refused, met = differentiable(), {}, 0
    for name in drawn.share(rows):
        for arguments in calls_of_rows()[name][:2]:
            torch.manual_seed(0)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    written, loss = recorded_loss(ROWS[name], arguments)
            except Exception:               # such a call is there for its own errors
                continue
            if loss is None:
                continue
            try:
                one = written.pass_of(loss)
            except RuntimeError:            # it has no such derivative
                continue
            met += 1
            try:
                check(written, one)
            except RuntimeError as e:
                refused[name] = str(e)
    assert met > 20
    assert refused.keys() <= REFUSED.keys(), refused
    assert len(REFUSED) <= 0.03 * len(rows)


#: What a third derivative has to refuse; and a row that is its own transpose for the indices that formulas give it.
NOT_FORWARD = {"spectral_diagonal", "divided_by_use"}


def test_forward_mode_agrees_with_reverse_mode_on_rows():
    """Where each leaf moves by ones, the tangent of a real result is the sum of all gradients, their real parts."""
    met = 0
    for name in drawn.share([name for name in differentiable() if name not in NOT_FORWARD], one_in=16):
        gradients = []
        with contextlib.suppress(Exception), warnings.catch_warnings():     # as above
            warnings.simplefilter("ignore")
            torch.manual_seed(0)
            written, loss = recorded_loss(ROWS[name], calls_of_rows()[name][0])
            gradients = [] if loss is None else [gradient.array for _, gradient in written.pass_of(loss).leaves]
        if gradients:
            program = program_of(written, "forward")
            moved = program.run()[program.results[1][1]]
            met += 1
            np.testing.assert_allclose(moved, sum([g.real.sum() for g in gradients]), rtol=1e-5, atol=1e-7,
                                       err_msg=name)
    assert met > 5


def test_words_are_of_rows():
    assert {*numpy_words.SHORT, *numpy_words.OF_ARRAYS} <= {*ROWS}


def test_a_wrong_word_is_noticed(monkeypatch):
    x = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording():
        y = torch.tanh(x).sum()
    monkeypatch.setitem(numpy_words.SHORT, "tanh_backward", lambda d, y: f"{d} * (1 + {y} * {y})")
    program = viz.code(y)
    assert "(1 + " not in program.text and "def tanh_backward" in program.text      # the general way is right
    monkeypatch.setattr("minigrad.viz.program.Writer.ways", lambda *given: iter([("np.zeros(2)", False)]))
    with pytest.raises(RuntimeError, match=r"tanh \(.*cannot be written as a program in NumPy"):
        viz.code(y)


# ------------------------------------------------------------------------------ programs

#: Of these a share runs; ``ALL=1`` runs all.
COUNT = 2000

#: Memory that a leaf shares with other tensors, and that is written to in no_grad, is refused: a leaf begins anew.
SHARE_REFUSED = 0.1


@pytest.mark.drawn(one_in=20)
@pytest.mark.parametrize("part", range(COUNT // 10))
def test_random_programs_with_views_and_writes(part):
    """Each backward pass of a random program is written down and computed again, as far as it did not fail."""
    passes, refused = 0, 0
    for number in range(part * 10, part * 10 + 10):
        namespace = {"torch": torch, "seen": [], **functions(torch)}
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            program = write(random.Random(f"code/{number}").randbytes(LENGTH))
            with viz.recording() as written:
                for instruction in program.instructions:
                    with contextlib.suppress(Exception):        # it goes on, as in test_watched_programs.py
                        exec(instruction.code, namespace)
            for one in written.passes:
                if one.failed or one.roots[0] is None or not one.leaves:
                    continue
                passes += 1
                try:
                    check(written, one)
                except RuntimeError as e:
                    assert "cannot be written as a program" in str(e), program
                    refused += 1
    assert refused <= 4 + SHARE_REFUSED * passes


def run_alone(program, folder):
    """What the saved program prints, in an interpreter that has NumPy and no minigrad: {label: text}."""
    path = program.save(folder / "step.py")
    ended = subprocess.run([sys.executable, "-P", "-c", f"import sys, runpy; runpy.run_path({str(path)!r}); "
                            "assert 'minigrad' not in sys.modules and 'scipy' not in sys.modules"],
                           cwd=folder, env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
                           capture_output=True, text=True, check=False)
    assert not ended.returncode, ended.stderr
    return ended.stdout


def test_alone_it_prints_the_result_and_each_gradient_in_full(tmp_path):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(30, 20), torch.nn.GELU(), torch.nn.Linear(20, 3))
    x, t = torch.randn(8, 30), torch.tensor([0, 1, 2, 0, 1, 2, 0, 1])
    with viz.recording():
        loss = torch.nn.functional.cross_entropy(model(x), t)
    program = viz.code(loss)
    assert {*program.data} == {"layer0_weight"} and "np.load" in program.text
    printed = run_alone(program, tmp_path)
    loss.backward()
    assert float(printed.partition("loss = ")[2].split()[0]) == pytest.approx(loss.item(), rel=1e-6)
    for name, p in model.named_parameters():
        text = printed.partition(f"gradient of {name} = ")[2].partition("gradient of")[0]
        numbers = np.array(text.replace("[", " ").replace("]", " ").split(), np.float32).reshape(p.shape)
        np.testing.assert_allclose(numbers, p.grad.numpy(), rtol=1e-4, atol=1e-7)


def test_plain_rows_are_computed_bit_for_bit():
    x = torch.linspace(-2, 2, 12, dtype=torch.float64).reshape(3, 4).requires_grad_()
    w = torch.linspace(0.5, 1.5, 4, dtype=torch.float64).requires_grad_()
    with viz.recording():
        loss = (torch.exp(x * w) / (1 + x * x) - w).sum()
    names = viz.code(loss).run()
    loss.backward()
    assert names["d_x"].tobytes() == x.grad.numpy().tobytes()
    assert np.allclose(names["loss"], loss.detach().numpy(), 1e-15, 0)       # NumPy adds up in another order


# ------------------------------------------------------------------------------ networks

class Block(torch.nn.Module):
    """One layer of a GPT: causal attention with two heads, and a perceptron."""

    def __init__(self, width):
        super().__init__()
        self.norm1, self.norm2 = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = [y.view(b, t, 2, c // 2).transpose(1, 2) for y in self.qkv(self.norm1(x)).chunk(3, -1)]
        scores = q @ k.transpose(-2, -1) / (c // 2) ** 0.5
        mask = torch.tril(torch.ones(t, t)) == 0
        attention = scores.masked_fill(mask, -torch.inf).softmax(-1)
        x = x + self.out((attention @ v).transpose(1, 2).reshape(b, t, c))
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm2(x))))


class GPT(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = torch.nn.Embedding(11, 8), torch.nn.Embedding(6, 8)
        self.blocks = torch.nn.ModuleList([Block(8), Block(8)])
        self.norm, self.head = torch.nn.LayerNorm(8), torch.nn.Linear(8, 11, bias=False)
        self.drop = torch.nn.Dropout(0.2)

    def forward(self, tokens):
        x = self.drop(self.tokens(tokens) + self.places(torch.arange(tokens.shape[1])))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def convolutional():
    return torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3, padding=1), torch.nn.BatchNorm2d(4), torch.nn.ReLU(),
                               torch.nn.MaxPool2d(2), torch.nn.Conv2d(4, 6, 3), torch.nn.ReLU(),
                               torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(6, 3))


@pytest.mark.parametrize("network", ["gpt", "conv net"])
def test_networks(network):
    torch.manual_seed(1)
    if network == "gpt":
        model, x, t = GPT(), torch.randint(0, 11, (2, 6)), torch.randint(0, 11, (12,))
    else:
        model, x, t = convolutional(), torch.randn(4, 1, 8, 8), torch.tensor([0, 1, 2, 0])
    with viz.recording() as written:
        y = model(x)
        loss = torch.nn.functional.cross_entropy(y.reshape(-1, y.shape[-1]), t)
        loss.backward()
    one = written.passes[0]
    program = check(written, one)
    names = program.run()
    by_name = {leaf.name: names[name] for (_, name), (leaf, _) in zip(program.results[1:], one.leaves)}
    assert by_name.keys() == dict(model.named_parameters()).keys()
    for name, p in model.named_parameters():
        np.testing.assert_allclose(by_name[name], p.grad.numpy(), rtol=1e-4, atol=1e-6, err_msg=name)


# ------------------------------------------------------------------------------ what it says, and what it refuses

def test_the_text_follows_the_program_of_the_user():
    x, w, b = torch.ones(4, 3), torch.ones(3, 2, requires_grad=True), torch.zeros(2, requires_grad=True)
    with viz.recording():
        h = torch.tanh(x @ w + b)
        loss = (h * h).sum()
    text = str(viz.code(loss))
    assert "h = torch.tanh(x @ w + b)\nmm = x @ w" in text and "\nh = np.tanh(add)\n" in text
    assert "d_add = d_h * (1 - h * h)\n" in text and "paths meet: added up" in text
    assert "d_b = d_add.sum(axis=0)" in text and "summed over what was broadcast" in text
    assert "#     self: d * (1 - result²)" in text and "# AccumulateGrad: d_b is the gradient of b" in text


def test_a_function_is_recorded_for_itself():
    def norm(x, y):
        return (x * y).sin().sum()
    program = viz.code(norm, torch.tensor([1., 2.]), torch.tensor([3., 4.]))
    names = program.run()
    assert [name for _, name in program.results] == ["result", "d_x", "d_y"] or "d_x" in names
    like(names["d_x"], (np.cos([3., 8.]) * [3, 4]).astype(np.float32))
    x = torch.tensor([1., 2.], dtype=torch.float64)
    rows = viz.code(lambda x: x * x, x, gradient=torch.tensor([1., 3.], dtype=torch.float64)).run()
    assert rows["d_x"].tolist() == [2, 12]


def test_second_derivatives_are_programs_too():
    x = torch.tensor([0.5, 2.], dtype=torch.float64, requires_grad=True)
    with viz.recording():
        g, = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
        curvature = g.sum()
    assert viz.code(curvature).run()["d_x"].tolist() == [3, 12]


@pytest.mark.parametrize("f", [
    lambda x, w: torch.tanh(x @ w).sum(), lambda x, w: (x @ w).softmax(1)[:, 0].prod(),
    lambda x, w: torch.linalg.norm(x @ w) / w.sum(),
])
def test_forward_mode_gives_the_tangent(f):
    rng = np.random.default_rng(0)
    inputs = [torch.from_numpy(rng.normal(size=shape)) for shape in [(4, 3), (3, 2)]]
    program = viz.code(f, *inputs, mode="forward")
    value, tangent = torch.func.jvp(f, tuple(inputs), tuple([torch.ones_like(x) for x in inputs]))
    names = program.run()
    (_, result), (_, moved) = program.results
    like(names[result], value.numpy())
    like(names[moved], tangent.numpy())


def test_forward_mode_of_a_recorded_loss_with_a_write():
    x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    with viz.recording():
        y = x * 1
        y[0] = 5.
        y.mul_(x)
        loss = y.sum()
    assert float(viz.code(loss, mode="forward").run()["t_loss"]) == 5 + 2 + 2


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, d):
        return 3 * d * ctx.saved_tensors[0] ** 2


def test_custom_functions_and_hooks_are_the_steps_that_they_took():
    x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    with viz.recording():
        y = Cube.apply(x)
        y.register_hook(lambda d: d * 10)
        loss = y.sum()
    program = viz.code(loss)
    assert "# CubeBackward" in program.text and program.run()["d_x"].tolist() == [30, 120]


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, d):
        twice = d * 2
        return twice.clone()


def test_a_custom_backward_has_its_own_lines_as_comments():
    x = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording():
        loss = Scaled.apply(x).sum()
    step = str(viz.code(loss)).partition("# ScaledBackward")[2].partition("# AccumulateGrad")[0].splitlines()
    assert [line.split(" ", 2)[2] for line in step if line.startswith("# ")] == ["twice = d * 2",
                                                                                "return twice.clone()"]


def test_random_numbers_are_inputs_as_they_were_drawn():
    x = torch.ones(50, requires_grad=True)
    with viz.recording():
        loss = torch.nn.functional.dropout(x, 0.5).sum()
    names = viz.code(loss).run()
    loss.backward()
    assert names["d_x"].tolist() == x.grad.tolist() and {*x.grad.tolist()} == {0, 2}


def test_a_loss_that_was_not_recorded_is_refused_with_the_lines_to_write():
    x = torch.ones(2, requires_grad=True)
    loss = x.sum()
    with pytest.raises(RuntimeError, match=r"loss was not computed in a recording.*\n\n    with minigrad.viz.rec"):
        viz.code(loss)
    with pytest.raises(TypeError, match="expected a Tensor or a function"):
        viz.code("loss")
    with pytest.raises(RuntimeError, match="mode is 'reverse' or 'forward'"):
        viz.code(loss, mode="backward")
    with pytest.raises(TypeError, match="must return a Tensor"):
        viz.code(lambda x: [x], x)


def test_bfloat16_is_refused():
    x = torch.ones(2, dtype=torch.bfloat16, requires_grad=True)
    with viz.recording():
        loss = (x * x).sum()
    with pytest.raises(RuntimeError, match="NumPy has no dtype bfloat16"):
        viz.code(loss)


# ------------------------------------------------------------------------------ the command line

SCRIPT = """
import torch
x = torch.tensor([1., 2.], requires_grad=True)
for step in range(2):
    loss = (x * x).sum()
    loss.backward()
    print("hello", step)
"""


def test_the_command_writes_the_last_pass_of_a_script(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)

    def command(*arguments):
        return subprocess.run([sys.executable, "-m", "minigrad", "code", *arguments], cwd=tmp_path,
                              env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)

    ended = command("script.py", "--save", "pass.py")
    assert ended.stdout == "pass.py\n" and "hello 1" in ended.stderr and not ended.returncode
    alone = subprocess.run([sys.executable, "pass.py"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert alone.splitlines() == ["loss = 5.0", "gradient of x = [2. 4.]"]
    assert "t_loss" in command("script.py", "--forward").stdout
    assert "there is no option --fast" in command("script.py", "--fast").stderr
    (tmp_path / "none.py").write_text("import torch")
    assert "there is no backward pass" in command("none.py").stderr


def test_a_program_can_be_pickled_and_copied():
    x = torch.tensor([1., 2.], requires_grad=True)
    program = viz.code(lambda x: (x * x).sum(), x)
    for again in (pickle.loads(pickle.dumps(program)), copy.deepcopy(program)):
        assert str(again) == str(program) and again.run()["d_x"].tolist() == [2, 4]


def test_a_program_is_not_another_where_there_is_no_memory(monkeypatch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    monkeypatch.setitem(numpy_words.SHORT, "exp", lambda x: f"(_ for _ in [{x}]).throw(MemoryError)")
    with pytest.raises(MemoryError):
        viz.code(lambda x: x.exp().sum(), x)
