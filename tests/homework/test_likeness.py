"""Which submissions are alike: copies are found however they are dressed, and independent work is left alone."""

import ast
import builtins
import itertools
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from minigrad import homework
from minigrad.homework import cli, likeness
from minigrad.homework.likeness import Text, alike

ROOT = Path(__file__).resolve().parents[2]
SOLUTIONS = Path(__file__).parent / "solutions"
NAMES = homework.names()


def source(name):
    return (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")


def starter(name):
    return homework.find(name).starter


class Renaming(ast.NodeTransformer):
    """Other names for everything that the file names itself, but for what the starter asks for."""

    def __init__(self, tree, kept):
        reader = likeness.Reader(tree)
        self.names = {name: f"v{number}" for number, name in enumerate(sorted(reader.own - kept))
                      if not name.startswith("__") and name not in vars(builtins)}

    def generic_visit(self, node):
        for field in ("name", "id", "arg", "attr"):
            if isinstance(getattr(node, field, None), str) and not isinstance(node, (ast.alias, ast.keyword)):
                setattr(node, field, self.names.get(getattr(node, field), getattr(node, field)))
        return super().generic_visit(node)


def renamed(name):
    tree = ast.parse(source(name))
    kept = {node.name for node in ast.walk(ast.parse(starter(name)))
            if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return ast.unparse(Renaming(tree, kept).visit(tree))            # comments and layout are gone as well


def reordered(name):
    tree = ast.parse(source(name))
    order = random.Random(0)
    for node in [tree, *[each for each in tree.body if isinstance(each, ast.ClassDef)]]:
        imports = [each for each in node.body if isinstance(each, (ast.Import, ast.ImportFrom))]
        others = [each for each in node.body if each not in imports]
        order.shuffle(others)
        node.body = imports + others
    return ast.unparse(tree)


def changed_numbers(name):
    return re.sub(r"(?<![\w.])(\d+\.?\d*)", r"9\1", source(name))


def commented(name):
    lines = [f"{line}    # {number}" if line.strip() and "'" not in line and '"' not in line else line
             for number, line in enumerate(source(name).splitlines())]
    return '"""A program."""\n\n\n' + "\n\n".join(lines) + "\n"


def with_annotations(name):
    tree = ast.parse(source(name))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for each in node.args.args:
                each.annotation = ast.Name("object", ast.Load())
            node.body.insert(0, ast.Expr(ast.Constant("What it does.")))
    return ast.unparse(ast.fix_missing_locations(tree))


DISGUISES = {"names": renamed, "order": reordered, "numbers": changed_numbers, "comments": commented,
             "annotations": with_annotations}


@pytest.mark.parametrize("how", DISGUISES)
@pytest.mark.parametrize("name", NAMES)
def test_a_copy_is_found_under_a_disguise(name, how):
    disguised = DISGUISES[how](name)
    assert disguised != source(name)
    pair, = alike([Text.of("ada.py", source(name), starter(name)), Text.of("bob.py", disguised, starter(name))])
    assert (pair.first, pair.second) == ("ada.py", "bob.py") and pair.share > 0.9 and pair.parts


def test_half_a_copy_is_found_with_its_lines():
    name = "classifier"
    lines = source(name).splitlines(keepends=True)
    half = "".join(lines[:30]) + '\n\ndef train(x, labels, classes, seed):\n    return None\n'
    pair, = alike([Text.of("ada.py", source(name)), Text.of("bob.py", "import sys\nimport os\n\n\n" + half)])
    assert pair.share == 1
    for (a0, a1), (b0, b1) in pair.parts:
        assert (a0 + 4, a1 + 4) == (b0, b1)
        assert source(name).splitlines()[a0 - 1].strip()


def test_reordered_functions_are_named_by_the_lines_of_both():
    one, two = "def f(x):\n" + 6 * "    x = x + x.sum() * x.max()\n", "def g(y):\n" + 6 * "    y = (y - 1).min() / y\n"
    pair, = alike([Text.of("a", one + two), Text.of("b", two + one)])
    assert pair.share == 1
    assert all([(first[1] <= 7) == (second[0] >= 8) for first, second in pair.parts]) and len(pair.parts) >= 2


def test_different_solutions_are_not_alike():
    assert not alike([Text.of(name, source(name), starter(name)) for name in NAMES])


#: The same three tasks by four people: a loop, a formula, a class, functions that make functions.
INDEPENDENT = ['''
def loss(w, x, t):
    total = 0.0
    for row, label in zip(x, t):
        scores = row @ w
        top = max(scores)
        norm = sum(math.exp(s - top) for s in scores)
        total -= scores[label] - top - math.log(norm)
    return total / len(t)


def gradients(w, x, t):
    found = [[0.0] * len(w[0]) for _ in w]
    for row, label in zip(x, t):
        p = softmax(row @ w)
        p[label] -= 1
        for i, each in enumerate(row):
            for j, d in enumerate(p):
                found[i][j] += each * d / len(t)
    return np.array(found)
''', '''
def log_softmax(scores):
    shifted = scores - scores.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def loss(w, x, t):
    return -np.take_along_axis(log_softmax(x @ w), t[:, None], 1).mean()


def gradients(w, x, t):
    p = np.exp(log_softmax(x @ w)) - np.eye(w.shape[1])[t]
    return x.T @ p / len(t)
''', '''
class Layer:
    def __init__(self, weights):
        self.weights = weights

    def forward(self, x):
        self.x, self.scores = x, np.einsum("ij,jk->ik", x, self.weights)
        return self.scores

    def backward(self, d):
        return np.einsum("ij,ik->jk", self.x, d)


class Loss:
    def forward(self, scores, labels):
        e = np.exp(scores - np.amax(scores, 1)[:, None])
        self.p, self.labels = e / np.sum(e, 1)[:, None], labels
        return -np.average(np.log([row[label] for row, label in zip(self.p, labels)]))

    def backward(self):
        hot = np.zeros_like(self.p)
        hot[range(len(self.labels)), self.labels] = 1
        return (self.p - hot) / len(hot)
''', '''
def compose(*stages):
    return lambda value: reduce(lambda state, stage: stage(state), stages, value)


def normalized(axis):
    return lambda z: z - logaddexp.reduce(z, axis, keepdims=True)


def picked(labels):
    return lambda z: z[arange(labels.size), labels]


def loss(w, x, t):
    return compose(partial(matmul, x), normalized(1), picked(t), mean, negative)(w)


def gradients(w, x, t):
    delta = subtract(exp(compose(partial(matmul, x), normalized(1))(w)), equal.outer(t, arange(w.shape[1])))
    return divide(tensordot(x, delta, (0, 0)), t.size)
''']


def test_independent_work_is_not_alike():
    assert not alike([Text.of(str(number), each) for number, each in enumerate(INDEPENDENT)])
    for a, b in itertools.combinations([Text.of("", each) for each in INDEPENDENT], 2):
        assert len(a.fingerprints.keys() & b.fingerprints.keys()) <= 2 and min(map(len, (a.fingerprints,
                                                                                         b.fingerprints))) > 20


@pytest.mark.parametrize("name", NAMES)
def test_starters_are_not_like_each_other(name):
    started = homework.find(name).started()
    assert not Text.of("a", started, starter(name)).fingerprints
    assert not alike([Text.of("a", started), Text.of("b", "x = 1\n")])


def test_what_cannot_be_parsed_is_like_nothing():
    assert not Text.of("a", "def f(:\n").fingerprints and not alike([Text.of("a", "def f(:\n"), Text.of("b", "")])
    assert not alike([]) and likeness.shown([]) == "No two submissions are alike.\n"


def test_three_hundred_submissions_take_seconds():
    rng, pieces = random.Random(1), [source(name).replace("# minigrad", "#") for name in NAMES]
    functions = [each for piece in pieces for each in re.split(r"\n\n\n(?=def |class )", piece)]
    begun = time.perf_counter()
    texts = [Text.of(f"{number}.py", "\n\n\n".join(rng.sample(functions, 12))) for number in range(300)]
    pairs = alike(texts)
    assert time.perf_counter() - begun < 20
    assert all([pair.share >= likeness.SHARE for pair in pairs])


def test_three_copies_are_three_pairs_the_most_alike_first():
    name, other = "newton", source("newton").replace("conjugate_gradient", "cg")
    shorter = other[:other.index("def newton")]
    pairs = alike([Text.of("a", source(name)), Text.of("b", other), Text.of("c", shorter + source("classifier"))])
    assert [(pair.first, pair.second) for pair in pairs][0] == ("a", "b") and pairs[0].share == 1
    assert [pair.share for pair in pairs] == sorted([pair.share for pair in pairs], reverse=True)


# ------------------------------------------------------------------------------ what is public


def test_the_fingerprints_that_come_along_are_those_of_the_solutions():
    ran = subprocess.run([sys.executable, str(ROOT / "tools" / "make_fingerprints.py"), "--check"],
                         capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert list(likeness.recorded()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_published_solution_is_found(name):
    pair, = alike([Text.of("ada.py", renamed(name), starter(name))], likeness.official(name))
    assert pair.first == "ada.py" and f"tests/homework/solutions/{name}.py" in pair.second and pair.share > 0.9


def test_known_texts_are_not_compared_with_each_other():
    texts = [Text.of(name, source("newton")) for name in "abc"]
    assert [(pair.first, pair.second) for pair in alike(texts[:1], texts[1:])] == [("a", "b"), ("a", "c")]


# ------------------------------------------------------------------------------ the command


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "submissions").mkdir()
    (tmp_path / "last year").mkdir()
    own = 'def hvp(f, x, v):\n    raise NotImplementedError("later")\n'
    for name, text in {"submissions/ada.py": renamed("newton"), "submissions/bob.py": source("newton"),
                       "submissions/eve.py": own, "submissions/broken.py": "def f(:\n",
                       "submissions/late.ipynb": "no notebook", "last year/carol.py": reordered("newton")}.items():
        (tmp_path / name).write_text(f"# minigrad homework: newton\n{text}", encoding="utf-8")
    return tmp_path


def test_a_report_names_the_pairs(folder, capsys, monkeypatch):
    monkeypatch.setattr(cli, "check", lambda *given, **options: (_ for _ in ()).throw(LookupError("not now")))
    assert cli.main(["report", str(folder / "submissions"), "--known", str(folder / "last year")]) == 0
    out, err = capsys.readouterr()
    assert "alike" not in out
    found = re.findall(r"^(\w+\.py) and (.+): \d+ percent$", err, re.MULTILINE)
    public = "the published solution, tests/homework/solutions/newton.py"
    assert {frozenset(pair) for pair in found} == {frozenset(pair) for pair in (
        ("ada.py", "bob.py"), ("ada.py", public), ("bob.py", public), ("ada.py", "carol.py (known)"),
        ("bob.py", "carol.py (known)"))}
    assert re.search(r"^    lines \d+-\d+ and \d+-\d+$", err, re.MULTILINE) and "a reason to read both" in err
    assert cli.main(["report", str(folder / "submissions"), "--likeness", str(folder / "alike.txt")]) == 0
    assert "alike" not in capsys.readouterr().err and "bob.py" in (folder / "alike.txt").read_text(encoding="utf-8")


def test_nobody_is_accused():
    words = likeness.HEAD + likeness.__doc__
    assert not re.search(r"cheat|plagiar|copied from|guilty|dishonest|steal|stole", words, re.IGNORECASE)
