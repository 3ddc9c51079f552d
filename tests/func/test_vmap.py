"""vmap: what it takes and returns, what it refuses, chunks, random numbers, and writes in place."""

import warnings
from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import minigrad as torch
from minigrad.func import grad, vmap
from minigrad.func.rules import apply
from minigrad.func.rules.batch_rule import OWN
from minigrad.ops.exports import ROWS
from tests.func.programs import error_of

X = np.arange(6.).reshape(2, 3)
Point = namedtuple("Point", "x y")


def tensors():
    return torch.tensor(X), torch.tensor(X + 10)


# ------------------------------------------------------------------------------ in and out


def test_the_batch_may_be_any_axis():
    x, y = tensors()
    for in_dims, arguments in [((0, 1), (x, y.t())), ((1, 0), (x.t(), y)), ((-2, -1), (x, y.t()))]:
        np.testing.assert_array_equal(vmap(lambda a, b: a * b, in_dims=in_dims)(*arguments).numpy(), X * (X + 10))


def test_none_is_the_same_for_all_examples():
    x, y = tensors()
    np.testing.assert_array_equal(vmap(lambda a, b: a.sum() * b, in_dims=(0, None))(x, y).numpy(),
                                  np.stack([row.sum() * (X + 10) for row in X]))


@pytest.mark.parametrize("tree, in_dims", [
    (lambda x, y: ({"a": x, "b": [y]},), 0),
    (lambda x, y: ({"a": x, "b": [y]},), ({"a": 0, "b": [0]},)),
    (lambda x, y: ({"a": x, "b": [y]},), ({"a": 0, "b": 0},)),
    (lambda x, y: (OrderedDict(a=x, b=(y,)),), 0),
    (lambda x, y: ({"a": x, "b": [y.t()]},), ({"a": 0, "b": [1]},)),
])
def test_arguments_are_trees(tree, in_dims):
    out = vmap(lambda t: t["a"] + 2 * t["b"][0], in_dims=in_dims)(*tree(*tensors()))
    np.testing.assert_array_equal(out.numpy(), X + 2 * (X + 10))


def test_a_named_tuple_goes_in_and_comes_out():
    out = vmap(lambda p: Point(p.y, p.x.sum()))(Point(*tensors()))
    assert type(out) is Point
    np.testing.assert_array_equal(out.x.numpy(), X + 10)
    np.testing.assert_array_equal(out.y.numpy(), X.sum(1))


def test_results_are_trees():
    out = vmap(lambda x: {"a": (x, [x.sum()])})(tensors()[0])
    np.testing.assert_array_equal(out["a"][1][0].numpy(), X.sum(1))


def test_out_dims_put_the_batch_where_they_say():
    x = tensors()[0]
    assert vmap(lambda a: a, out_dims=1)(x).shape == (3, 2)
    assert vmap(lambda a: a, out_dims=-1)(x).shape == (3, 2)
    out = vmap(lambda a: (a, {"s": a.sum(), "m": a}), out_dims=(1, {"s": 0, "m": -1}))(x)
    assert [y.shape for y in (out[0], out[1]["s"], out[1]["m"])] == [(3, 2), (2,), (3, 2)]


def test_what_is_the_same_for_all_is_repeated_or_left_alone():
    x = tensors()[0]
    assert vmap(lambda a: torch.ones(4))(x).shape == (2, 4)
    assert vmap(lambda a: torch.ones(4), out_dims=1)(x).shape == (4, 2)
    assert vmap(lambda a: torch.ones(4), out_dims=None)(x).shape == (4,)
    assert vmap(lambda a: (a, 3), out_dims=(0, None))(x)[1] == 3


def test_keywords_are_the_same_for_all_examples():
    """As in PyTorch; JAX maps them."""
    x, y = tensors()
    np.testing.assert_array_equal(vmap(lambda a, b=None, c=1: a + b.sum() * c)(x, b=y, c=2).numpy(),
                                  X + 2 * (X + 10).sum())


def test_the_shape_inside_is_that_of_an_example():
    seen = []
    vmap(lambda a: seen.append((a.shape, a.ndim, a.dim(), len(a), a.size(0), a.numel())) or a)(tensors()[0])
    assert seen == [((3,), 1, 1, 3, 3, 3)]


def test_unpacking_and_iterating():
    np.testing.assert_array_equal(vmap(lambda a: sum(2 * e for e in a))(tensors()[0]).numpy(), 2 * X.sum(1))


def test_an_index_for_each_example():
    rows = torch.tensor([2, 0])
    np.testing.assert_array_equal(vmap(lambda a, i: a[i])(tensors()[0], rows).numpy(), X[[0, 1], [2, 0]])
    np.testing.assert_array_equal(vmap(lambda i, a: a[:, i], in_dims=(0, None))(rows, tensors()[0]).numpy(),
                                  X.T[[2, 0]])
    both = torch.tensor([[2, 0], [1, 1]])
    np.testing.assert_array_equal(vmap(lambda a, i: a[i])(tensors()[0], both).numpy(),
                                  np.take_along_axis(X, both.numpy(), 1))


CUBE = np.arange(2 * 3 * 4 * 5.).reshape(2, 3, 4, 5)
#: one pair of index tensors for each example, or one for all
ROWS_OF, COLUMNS_OF = np.array([[0, 2], [1, 1]]), np.array([[2, 0], [1, 0]])

SUBSCRIPTS = {
    "i": lambda i, j: (i,), ":, i": lambda i, j: (slice(None), i),
    ":, :, i": lambda i, j: (slice(None), slice(None), i), "i, j": lambda i, j: (i, j),
    ":, i, j": lambda i, j: (slice(None), i, j), "i, :, j": lambda i, j: (i, slice(None), j),
    "None, i": lambda i, j: (None, i), "0, i": lambda i, j: (0, i),
    "..., i": lambda i, j: (Ellipsis, i), "1:, i, :2": lambda i, j: (slice(1, None), i, slice(0, 2)),
    ":, i[None], j": lambda i, j: (slice(None), i.reshape(1, 2), j),
    "i, :, j[:, None]": lambda i, j: (i, slice(None), j.reshape(2, 1)),
}


@pytest.mark.parametrize("in_dims", [(0, 0, 0), (0, None, None), (None, 0, 0), (0, 0, None), (None, None, 0)], ids=str)
@pytest.mark.parametrize("name", SUBSCRIPTS)
def test_subscripts_with_index_tensors(name, in_dims):
    """Reading, its gradient, writing, and the gradient of that, at positions that are the same for all examples or
    not."""
    subscript = SUBSCRIPTS[name]

    def read(x, i, j):
        return x[subscript(i, j)] + 0 * j.sum()

    def slope(x, i, j):
        return grad(lambda y: (read(y, i, j) ** 2).sum())(x)

    def write(x, i, j):
        out = torch.zeros_like(x) + 0 * j.sum() + 0 * i.sum()
        out[subscript(i, j)] = x[subscript(i, j)] + 100
        return out

    for function in (read, slope, write):
        arrays = [torch.tensor(a if d == 0 else a[0]) for a, d in zip((CUBE, ROWS_OF, COLUMNS_OF), in_dims)]
        loop = [function(*[torch.tensor(a[k] if d == 0 else a[0])
                           for a, d in zip((CUBE, ROWS_OF, COLUMNS_OF), in_dims)]).numpy() for k in range(2)]
        np.testing.assert_array_equal(vmap(function, in_dims=in_dims)(*arrays).numpy(), np.stack(loop))


def test_a_mask_that_is_the_same_for_all():
    mask = torch.tensor([True, False, True])
    np.testing.assert_array_equal(vmap(lambda a: a[mask])(tensors()[0]).numpy(), X[:, [0, 2]])
    np.testing.assert_array_equal(vmap(lambda a: a.masked_select(mask))(tensors()[0]).numpy(), X[:, [0, 2]])
    np.testing.assert_array_equal(vmap(lambda a: a.masked_fill(a > 1, 0))(tensors()[0]).numpy(), np.where(X > 1, 0, X))


def test_dtypes_are_those_of_a_loop():
    """A tensor without dims counts for less than one with dims, even if there are many."""
    single, double = torch.ones(2, 3), torch.ones(2, dtype=torch.float64)
    assert vmap(lambda a, s: a * s)(single, double).dtype is torch.float32
    assert vmap(lambda a, s: a.sum() * s)(single, double).dtype is torch.float64
    assert vmap(lambda s: s * torch.ones((), dtype=torch.float64))(torch.ones(2)).dtype is torch.float64
    assert vmap(lambda s: s * 0.5)(torch.arange(2)).dtype is torch.float32
    assert vmap(lambda a, s: torch.where(a > 0, a, s))(single, double).dtype is torch.float32


def test_a_batch_of_none():
    assert vmap(lambda a: a.exp().sum())(torch.zeros(0, 3)).shape == (0,)
    with pytest.raises(RuntimeError, match="does not support vmap over dims of size 0"):
        vmap(lambda a: a.histc(3))(torch.zeros(0, 3))
    with pytest.raises(RuntimeError, match="does not support vmap over dims of size 0"):
        vmap(torch.nn.functional.conv1d)(torch.zeros(0, 2, 3, 5), torch.zeros(0, 4, 3, 2))


# ------------------------------------------------------------------------------ errors


def f3(library):
    return library.ones(2, 3)


MISTAKES = {
    "sizes": lambda t: t.func.vmap(lambda a, b: a + b)(f3(t), t.ones(3)),
    "no inputs": lambda t: t.func.vmap(lambda: t.ones(3))(),
    "no tensor": lambda t: t.func.vmap(lambda a: a)(3),
    "in_dims None": lambda t: t.func.vmap(lambda a: a, in_dims=None)(f3(t)),
    "all None": lambda t: t.func.vmap(lambda a: a, in_dims=(None,))(f3(t)),
    "in_dims a string": lambda t: t.func.vmap(lambda a: a, in_dims="a")(f3(t)),
    "in_dims too many": lambda t: t.func.vmap(lambda a: a, in_dims=(0, 0))(f3(t)),
    "in_dims a fraction": lambda t: t.func.vmap(lambda a: a, in_dims=(0.5,))(f3(t)),
    "in_dims of a number": lambda t: t.func.vmap(lambda a, b: a, in_dims=(0, 0))(f3(t), 3),
    "in_dims too large": lambda t: t.func.vmap(lambda a: a, in_dims=(2,))(f3(t)),
    "in_dims too small": lambda t: t.func.vmap(lambda a: a, in_dims=(-3,))(f3(t)),
    "no axis": lambda t: t.func.vmap(lambda a: a)(t.tensor(1.)),
    "returns a number": lambda t: t.func.vmap(lambda a: 3)(f3(t)),
    "returns None": lambda t: t.func.vmap(lambda a: None)(f3(t)),
    "returns a number in a tree": lambda t: t.func.vmap(lambda a: {"a": (a, 3)})(f3(t)),
    "out_dims too many": lambda t: t.func.vmap(lambda a: (a, a), out_dims=(0, 0, 0))(f3(t)),
    "out_dims a string": lambda t: t.func.vmap(lambda a: a, out_dims="a")(f3(t)),
    "out_dims None": lambda t: t.func.vmap(lambda a: a, out_dims=None)(f3(t)),
    "out_dims too large": lambda t: t.func.vmap(lambda a: a, out_dims=3)(f3(t)),
    "randomness": lambda t: t.func.vmap(lambda a: a, randomness="some")(f3(t)),
    "random": lambda t: t.func.vmap(lambda a: a * t.rand(3))(f3(t)),
    "dropout": lambda t: t.func.vmap(lambda a: t.nn.functional.dropout(a))(f3(t)),
    "same randomness": lambda t: t.func.vmap(lambda a: t.bernoulli(a), randomness="same")(f3(t)),
    "different randomness in place":
        lambda t: t.func.vmap(lambda a: t.zeros(3).normal_(), randomness="different")(f3(t)),
    "chunk_size": lambda t: t.func.vmap(lambda a: a, chunk_size=0)(f3(t)),
    "if": lambda t: t.func.vmap(lambda a: a if a.sum() > 0 else -a)(f3(t)),
    "item": lambda t: t.func.vmap(lambda a: a * a.sum().item())(f3(t)),
    "nonzero": lambda t: t.func.vmap(lambda a: a.nonzero())(f3(t)),
    "mask": lambda t: t.func.vmap(lambda a: a[a > 0])(f3(t)),
    "masked_select": lambda t: t.func.vmap(lambda a: a.masked_select(a > 0))(f3(t)),
    "unique": lambda t: t.func.vmap(lambda a: a.unique())(f3(t)),
    "one_hot": lambda t: t.func.vmap(lambda a: t.nn.functional.one_hot(a.long()))(f3(t)),
    "in place": lambda t: t.func.vmap(lambda a: t.zeros(3).copy_(a))(f3(t)),
    "in place, a part": lambda t: t.func.vmap(lambda a: t.zeros(3)[:1].copy_(a[:1]))(f3(t)),
}

#: words of PyTorch's messages that ours must have, too
PHRASES = {
    "sizes": "Expected all tensors to have the same size in the mapped dimension, got sizes [2, 3] for the mapped "
             "dimension",
    "no inputs": "got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a function with no "
                 "inputs",
    "no tensor": "We cannot vmap over non-Tensor arguments, please use None as the respective in_dim",
    "in_dims None": "expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs",
    "all None": "Expected at least one Tensor to vmap over",
    "in_dims a string": "expected `in_dims` to be int or a (potentially nested) tuple",
    "in_dims too many": "in_dims is not compatible with the structure of `inputs`",
    "in_dims a fraction": "Got in_dim=0.5 for an input but in_dim must be either an integer dimension or None",
    "in_dims of a number": "Got in_dim=0 for an input but the input is of type <class 'int'>",
    "in_dims too large": "is a Tensor of dimensionality 2 so expected in_dim to satisfy -2 <= in_dim < 2",
    "in_dims too small": "Got in_dim=-3 for some input",
    "no axis": "is a Tensor of dimensionality 0",
    "returns a number": "must only return Tensors, got type <class 'int'>",
    "returns None": "must only return Tensors, got type <class 'NoneType'>",
    "returns a number in a tree": "must only return Tensors, got type <class 'int'>",
    "out_dims too many": "out_dims is not compatible with the structure of `outputs`",
    "out_dims a string": "`out_dims` must be an int, None or a python collection of ints representing where in the "
                         "outputs the vmapped dimension should appear",
    "out_dims None": "can not return a BatchedTensor when out_dim is None",
    "out_dims too large": "Dimension out of range (expected to be in range of [-2, 1], but got 3)",
    "randomness": "Only allowed values for randomness are 'error', 'different', or 'same'. Got some",
    "random": "called random operation while in randomness error mode",
    "dropout": "Please either use the 'same' or 'different' randomness flags on vmap or perform the randomness "
               "operation out of vmap",
    "same randomness": "Vmap does not currently support same randomness with a batched tensor input",
    "different randomness in place": "Cannot ask for different inplace randomness on an unbatched tensor",
    "chunk_size": "chunk_size should be None or greater than 0. (got 0)",
    "if": "attempting to use a Tensor in some data-dependent control flow",
    "item": "It looks like you're calling .item() on a Tensor",
    "nonzero": "We do not support batching operators that can output dynamic shape. Attempted to vmap over ",
    "mask": "We do not support batching operators that can support dynamic shape. Attempting to batch over indexing "
            "with a boolean mask",
    "masked_select": "We cannot support this because for each batch this would return a "
                     "differently shaped Tensor",
    "unique": "We do not support batching operators that can output dynamic shape",
    "one_hot": "please provide an explicit positive num_classes argument",
    "in place": "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in "
                "extra_args that has more elements than `self`. This happened due to `other` being vmapped over but "
                "`self` not being vmapped over in a vmap",
    "in place, a part": "inplace arithmetic(self, *extra_args) is not possible",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name):
    found = error_of(torch, MISTAKES[name])
    assert found is not None and found.code
    assert PHRASES[name] in str(found)


@pytest.mark.parity
@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_pytorch_s_mistakes(name):
    theirs = error_of(pytest.importorskip("torch"), MISTAKES[name])
    assert PHRASES[name] in str(theirs)
    assert isinstance(error_of(torch, MISTAKES[name]), type(theirs))


@pytest.mark.parametrize("function, words", [
    (lambda a: a.sum(1), r"expected to be in range of \[-1, 0\], but got 1"),
    (lambda a: a.reshape(2, 2), r"shape '\[2, 2\]' is invalid for input of size 3"),
    (lambda a: a + torch.ones(4), r"tensor a \(3\) must match the size of tensor b \(4\)"),
    (lambda a: a.select(-2, 0), "Dimension out of range"),
    (lambda a: a @ torch.ones(4), "inconsistent tensor size"),
    (lambda a: a.tril(), "at least 2 dimensions"),
    (lambda a: a.expand(-1, 3), "leading, non-existing dimension 0"),
])
def test_errors_speak_of_the_shapes_of_an_example(function, words):
    with pytest.raises(Exception, match=words):
        vmap(function)(torch.ones(2, 3))


def test_a_tensor_kept_beyond_its_vmap_raises():
    kept = []
    vmap(lambda a: kept.append(a) or a)(tensors()[0])
    for use in (lambda: kept[0] + 1, lambda: vmap(lambda b: kept[0] + b)(tensors()[0]), lambda: kept[0].sum().item(),
                lambda: kept[0].add_(1)):
        with pytest.raises(RuntimeError, match="already ended"):
            use()


def test_levels_are_closed_after_an_error():
    with pytest.raises(ValueError):
        vmap(lambda a: 1 // 0 if False else int("x"))(tensors()[0])
    assert torch._core.runtime.thread_state.levels() == []


# ------------------------------------------------------------------------------ the slow way


def test_the_slow_way_says_so_once_and_in_the_users_line(monkeypatch):
    monkeypatch.setattr(apply, "_said", set())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            out = vmap(lambda a: a.histc(3))(tensors()[0])
    assert [str(w.message)[:81] for w in caught] == ["There is a performance drop because we have not yet implemented "
                                                     "the batching rule"]
    assert "for histc:" in str(caught[0].message)
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(out.numpy(), [[1, 1, 1], [1, 1, 1]])


def test_the_slow_way_is_right_for_every_row_that_has_a_rule(monkeypatch):
    """Take all rules away: the fallback alone must give the same."""
    monkeypatch.setattr(apply, "RULES", dict.fromkeys(ROWS.values()))
    x, y = tensors()
    function = lambda a, b: (a.reshape(3, 1) @ b.reshape(1, 3)).softmax(0).sort(1)[0].unbind(0)[1] + torch.cat(
        [a[:1], b[1:]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        slow = vmap(function, in_dims=(0, None))(x, y[0])
    monkeypatch.undo()
    np.testing.assert_allclose(slow.numpy(), vmap(function, in_dims=(0, None))(x, y[0]).numpy())


@pytest.mark.parametrize("op", [op for op in ROWS.values() if not op.draws], ids=lambda op: op.name)
def test_a_row_has_a_rule_or_says_that_it_is_a_loop(op):
    assert (apply.RULES[op] is None) == (op.batch == "loop")
    assert not (op in OWN and (op.batch or op.last_dims is not None))


def test_rows_that_are_loops_are_these():
    assert {op.name for op in ROWS.values() if op.batch == "loop"} == {
        "as_strided_keep", "as_strided_scatter_at", "bag_products", "bag_spread", "bag_sums", "begins",
        "block_diag_backward", "block_diag_given", "block_diag_list", "counted", "distances_of_pairs",
        "divided_by_use", "embedding_bags", "extreme_ties", "factor_order", "factor_target", "histc",
        "index_reduce_at", "index_targets", "is_old", "isin", "largest_in_bags", "lstsq_rows", "masked_read",
        "masked_scatter", "masked_select_backward", "masked_write", "mean_counts", "median", "nanmedian", "new_number",
        "nonzero_static", "nothing_like", "old_counts", "old_number", "pairs_of_square", "read_counts",
        "recurrent_layer", "recurrent_layer_backward", "scatter_reduce_at", "scatter_sources", "scatter_targets",
        "square_of_pairs", "state_rows", "uses_of_rows"}


# ------------------------------------------------------------------------------ chunks


@pytest.mark.parametrize("chunk_size", [1, 2, 3, 7, 100])
def test_chunks_change_nothing(chunk_size):
    x = torch.tensor(np.random.default_rng(0).normal(size=(3, 7)))
    whole = vmap(lambda a, b: (a.sin() + b, {"s": a.sum(), "c": torch.ones(2)}), in_dims=(1, None),
                 out_dims=(1, 0))(x, x[:, 0])
    parts = vmap(lambda a, b: (a.sin() + b, {"s": a.sum(), "c": torch.ones(2)}), in_dims=(1, None), out_dims=(1, 0),
                 chunk_size=chunk_size)(x, x[:, 0])
    np.testing.assert_array_equal(parts[0].numpy(), whole[0].numpy())
    np.testing.assert_array_equal(parts[1]["s"].numpy(), whole[1]["s"].numpy())
    np.testing.assert_array_equal(parts[1]["c"].numpy(), whole[1]["c"].numpy())


def test_a_chunk_has_at_most_chunk_size_examples():
    seen = []
    vmap(lambda a: seen.append(torch._core.runtime.thread_state.levels()[0].size) or a, chunk_size=3)(torch.ones(7))
    assert seen == [3, 3, 1]


# ------------------------------------------------------------------------------ random numbers

DRAWS = {
    "rand": lambda a: torch.rand(4), "randn": lambda a: torch.randn(4), "randint": lambda a: torch.randint(1000, (4,)),
    "normal": lambda a: torch.normal(0., 1., (4,)),
    "randperm": lambda a: torch.randperm(30), "rand_like": lambda a: torch.rand_like(a),
    "randn_like": lambda a: torch.randn_like(a),
    "randint_like": lambda a: torch.randint_like(a, 1000), "uniform_": lambda a: a.clone().uniform_(),
    "normal_": lambda a: a.clone().normal_(),
    "exponential_": lambda a: a.clone().exponential_(), "random_": lambda a: a.clone().random_(1000),
    "bernoulli_": lambda a: torch.zeros_like(a.repeat(20)).bernoulli_(0.5),
    "dropout": lambda a: torch.nn.functional.dropout(torch.ones_like(a.repeat(20))),
    "bernoulli, p": lambda a: torch.bernoulli(a.repeat(20), 0.5),
    "dropout of what is the same": lambda a: torch.nn.functional.dropout(torch.ones(40)),
    "generator": lambda a: torch.rand(4, generator=torch.Generator().manual_seed(3)),
}


@pytest.mark.parametrize("name", DRAWS)
def test_randomness(name):
    x = torch.full((3, 2), 0.5, dtype=torch.float64)
    with pytest.raises(RuntimeError, match="randomness error mode"):
        vmap(DRAWS[name])(x)
    same = vmap(DRAWS[name], randomness="same")(x).numpy()
    assert (same == same[0]).all()
    different = vmap(DRAWS[name], randomness="different")(x).numpy()
    assert different.shape == same.shape and (different[0] != different[1]).any()
    assert (different[1] != different[2]).any()


def test_numbers_that_are_the_same_may_be_drawn_into_one_tensor_for_all():
    same = vmap(lambda a: a * torch.zeros(2).normal_(), randomness="same")(torch.ones(3, 2))
    assert (same == same[0]).all() and same.all()


def test_distributions_with_mapped_parameters():
    means = torch.tensor([0., 100., 200.])
    drawn = vmap(lambda m: torch.normal(m, 1.), randomness="different")(means)
    assert (abs(drawn - means) < 20).all()
    ones = vmap(lambda p: torch.bernoulli(p), randomness="different")(torch.tensor([[0., 1.], [1., 0.]]))
    np.testing.assert_array_equal(ones.numpy(), [[0, 1], [1, 0]])
    filled = vmap(lambda a, p: torch.zeros_like(a).bernoulli_(p), in_dims=(0, None),
                  randomness="different")(means, torch.ones(()))
    np.testing.assert_array_equal(filled.numpy(), [1, 1, 1])


OF_ONE_TENSOR = {
    "bernoulli": torch.bernoulli, "bernoulli, p": lambda a: torch.bernoulli(a, 0.5),
    "normal, mean": lambda a: torch.normal(a, 1.), "normal, std": lambda a: torch.normal(0., a),
    "normal, both": lambda a: torch.normal(a, a), "poisson": lambda a: torch.poisson(a * 30),
    "binomial": lambda a: torch.binomial(a * 0 + 20, a), "multinomial": lambda a: torch.multinomial(a, 2),
    "multinomial, again": lambda a: torch.multinomial(a, 9, replacement=True),
}


@pytest.mark.parametrize("name", OF_ONE_TENSOR)
@pytest.mark.parametrize("inside", ["nothing", "grad", "jvp", "vmap"])
def test_different_numbers_are_drawn_for_each_example_from_one_tensor_for_all(name, inside):
    """They are the numbers of an argument that is the same for all, in the order of its elements."""
    def drawn(a):
        if inside == "grad":
            return torch.func.grad(lambda w: (draw(a) * w).sum())(torch.ones(draw_shape(a)))
        if inside == "jvp":
            return torch.func.jvp(draw, (a,), (a,))[0]
        return vmap(lambda _: draw(a), randomness="same")(torch.zeros(2)) if inside == "vmap" else draw(a)

    def draw_shape(a):
        return (4, 2) if name == "multinomial" else (4, 9) if "again" in name else tuple(a.shape)

    draw, one = OF_ONE_TENSOR[name], torch.linspace(0.05, 0.95, 24).reshape(6, 4).T
    torch.manual_seed(5)
    captured = vmap(lambda _: drawn(one).float(), randomness="different")(torch.zeros(3))
    assert not torch.equal(captured[0], captured[1]) and not torch.equal(captured[1], captured[2])
    torch.manual_seed(5)
    copies = torch.stack([one.contiguous()] * 3)
    mapped = vmap(lambda a: drawn(a).float(), randomness="different")(copies)
    assert torch.equal(captured, mapped)
    assert inside != "vmap" or torch.equal(captured[:, 0], captured[:, 1])


def test_different_numbers_from_one_tensor_have_its_gradient():
    x = torch.full((3,), 0.5, requires_grad=True)
    drawn = vmap(lambda u: torch.normal(x, 1.) * x, randomness="different")(torch.ones(4))
    (g,) = torch.autograd.grad(drawn.sum(), x)
    assert torch.equal(g, (drawn / x).detach().sum(0))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_different_numbers_are_drawn_in_the_order_of_memory(axis):
    x = torch.zeros(3, 4, 5)
    for like in (torch.rand_like, torch.randn_like, lambda a: torch.randint_like(a, 9), lambda a: a.clone().normal_()):
        torch.manual_seed(0)
        drawn = vmap(like, in_dims=axis, randomness="different")(x)
        torch.manual_seed(0)
        assert torch.equal(drawn, like(x.movedim(axis, 0)))


IN_MEMORY = {
    "multinomial": lambda t, x: t.multinomial(x, 2), "zeros_like": lambda t, x: t.zeros_like(x).bernoulli_(0.3),
    "empty_like": lambda t, x: t.empty_like(x).uniform_(), "full_like": lambda t, x: t.full_like(x, 2.).normal_(),
    "rand_like": lambda t, x: t.rand_like(x), "randint_like": lambda t, x: t.randint_like(x, 100),
    "bernoulli": lambda t, x: t.bernoulli(x), "poisson": lambda t, x: t.poisson(x),
    "clone": lambda t, x: x.clone().normal_(),
}


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", IN_MEMORY)
def test_random_numbers_of_a_batch_that_lies_in_another_order(torch, name, axis):
    draw, weights = IN_MEMORY[name], torch.rand(4, 5, 3)
    weights = weights[0] if name == "multinomial" else weights
    axis %= weights.ndim
    torch.manual_seed(3)
    found = torch.vmap(lambda x: draw(torch, x), axis, randomness="different")(weights)
    torch.manual_seed(3)
    assert found.tolist() == draw(torch, weights.movedim(axis, 0)).tolist()


def test_rows_of_matrices_in_a_batch_are_drawn_one_after_the_other(torch):
    weights = torch.rand(4, 5, 3)
    torch.manual_seed(3)
    found = torch.vmap(lambda x: torch.multinomial(x, 2), 2, randomness="different")(weights)
    torch.manual_seed(3)
    assert found.tolist() == torch.multinomial(weights.movedim(2, 0).reshape(12, 5), 2).reshape(3, 4, 2).tolist()


def test_the_same_random_numbers_lie_as_an_example_does(torch):
    weights = torch.rand(4, 5, 3)
    torch.manual_seed(3)
    found = torch.vmap(lambda x: torch.rand_like(x.t()), 2, randomness="same")(weights)
    torch.manual_seed(3)
    assert found.tolist() == [torch.rand_like(weights[:, :, 0].t()).tolist()] * 3


def test_randomness_nests():
    """Different for the inner, the same for the outer one, and the other way round."""
    x = torch.zeros(2, 3)

    def nested(outer, inner):
        return vmap(vmap(lambda a: a + torch.rand(()), randomness=inner), randomness=outer)(x).numpy()

    assert len(set(nested("different", "different").flat)) == 6
    assert len(set(nested("same", "same").flat)) == 1
    rows = nested("same", "different")
    assert (rows[0] == rows[1]).all() and len(set(rows[0])) == 3
    columns = nested("different", "same")
    assert (columns[:, 0] == columns[:, 1]).all() and columns[0, 0] != columns[1, 0]


def test_random_numbers_outside_vmap_are_what_they_were():
    torch.manual_seed(0)
    a = torch.rand(3)
    torch.manual_seed(0)
    np.testing.assert_array_equal(torch.rand(3).numpy(), a.numpy())


# ------------------------------------------------------------------------------ writes in place


def test_a_mapped_tensor_can_be_written_to():
    x, y = tensors()
    np.testing.assert_array_equal(vmap(lambda a, b: a.clone().mul_(b))(x, y).numpy(), X * (X + 10))
    np.testing.assert_array_equal(vmap(lambda a, b: a.clone().add_(b.sum()))(x, y).numpy(),
                                  X + (X + 10).sum(1, keepdims=True))
    np.testing.assert_array_equal(vmap(lambda a: a.clone().zero_())(x).numpy(), 0 * X)
    np.testing.assert_array_equal(vmap(lambda a: a.clone().fill_(a[0]))(x).numpy(), np.repeat(X[:, :1], 3, 1))
    np.testing.assert_array_equal(vmap(lambda a, b: a.clone().add_(b), in_dims=(0, None))(x, y[0]).numpy(),
                                  X + X[0] + 10)


def test_a_write_reaches_views_and_the_argument_itself():
    x = tensors()[0]

    def f(a):
        part = a[1:]
        part.mul_(10)
        a[0] = -1
        return part.sum()
    np.testing.assert_array_equal(vmap(f)(x).numpy(), 10 * X[:, 1:].sum(1))
    np.testing.assert_array_equal(x.numpy(), np.concatenate([np.full((2, 1), -1.), 10 * X[:, 1:]], 1))


def test_assigning_to_parts_of_new_tensors():
    def f(a, i):
        out = a.new_zeros(3)
        out[1] = a[0] * 2
        out[i] = 7.
        also = torch.zeros_like(a)
        also[:2] = a[1:]
        return out + also
    out = vmap(f)(tensors()[0], torch.tensor([2, 0]))
    np.testing.assert_array_equal(out.numpy(), [[1, 2, 7], [11, 11, 0]])


def test_a_write_keeps_shape_and_dtype():
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        vmap(lambda a: a.clone().add_(torch.ones(2, 3)))(tensors()[0])
    with pytest.raises(RuntimeError, match="can't be cast"):
        vmap(lambda a: a.long().add_(a))(tensors()[0])
    assert vmap(lambda a: a.float().add_(a))(tensors()[0]).dtype is torch.float32


def test_writes_are_recorded_outside():
    w = torch.ones(3, dtype=torch.float64, requires_grad=True)
    vmap(lambda a: (a * w).mul_(w))(tensors()[0]).sum().backward()
    np.testing.assert_allclose(w.grad.numpy(), 2 * X.sum(0))


def test_one_output_may_have_its_out_dim_in_a_tuple(torch):
    double = torch.vmap(lambda x: x * 2, out_dims=(1,))
    assert double(torch.ones(2, 3)).shape == (3, 2)
    assert torch.vmap(lambda x: (x * 2,), out_dims=(1,))(torch.ones(2, 3))[0].shape == (3, 2)
    for wrong in ((1, 0), [1]):
        with pytest.raises(ValueError, match="out_dims is not compatible with the structure of `outputs`"):
            torch.vmap(lambda x: x * 2, out_dims=wrong)(torch.ones(2, 3))
    with pytest.raises(ValueError, match="out_dims is not compatible with the structure of `outputs`"):
        torch.vmap(lambda x: [x * 2], out_dims=(1,))(torch.ones(2, 3))


@pytest.mark.parametrize("reduce", ["sum", "mean", "prod", "max", "min", "amax", "logsumexp"])
def test_a_reduction_is_done_for_all_examples_at_once(reduce, monkeypatch):
    monkeypatch.setattr(apply, "_said", set())
    f = (lambda a: a.logsumexp((0, 1))) if reduce == "logsumexp" else lambda a: getattr(a, reduce)()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = torch.tensor(np.arange(24.).reshape(2, 3, 4))
        assert vmap(f)(x).tolist() == [f(x[0]).item(), f(x[1]).item()]


@pytest.mark.parametrize("chunk_size", [1, 2, 3, 100])
def test_chunks_draw_the_same_numbers_where_all_examples_do(torch, chunk_size):
    x = torch.arange(5.).reshape(5, 1)
    torch.manual_seed(0)
    expected = x + torch.rand(3) + torch.randn(3)
    after = torch.rand(1)
    torch.manual_seed(0)
    found = torch.vmap(lambda x: x + torch.rand(3) + torch.randn(3), randomness="same", chunk_size=chunk_size)(x)
    assert torch.equal(found, expected) and torch.equal(torch.rand(1), after)
