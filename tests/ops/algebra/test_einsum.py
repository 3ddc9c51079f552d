"""einsum: an equation is read once, for whatever sizes, and products take as few steps as there are."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.ops.algebra.einsum import contraction, read

EQUATIONS = ["ij,jk->ik", "ij,jk->ki", "ij,kj", "ij,j", "i,ij->j", "i,i", "i,j", "ij,ij->ij", "ij,ij", "bij,bjk->bik",
             "bij,jk->bik", "bij,bkj->bki", "abij,abjk->abik", "ij,kl", "ijk,jkl->il", "ijk,lkj->l", "bi,bi->b",
             "bi,b->i", "bi,bj->bij", "ij,jk,kl->il", "ij,jk,ki", "i,i,i->i", "ii,ij->j", "iij->j", "ijk->k",
             "ijk->kij", "ab,cd,ef->fdb", "...ij,...jk->...ik", "...i,i", "i...,...i->...", "ij,jk->", "ab,b,c->c"]
SIZES = dict(zip("abcdefijkl", (2, 3, 4, 2, 3, 2, 3, 4, 5, 2)))


def operands_of(equation, ones=(), seed=0):
    """An array for each term, with two dims for an ellipsis; letters in `ones` have size 1 where they come again."""
    rng = np.random.default_rng(seed)
    arrays, terms = [], equation.partition("->")[0].split(",")
    for number, term in enumerate(terms):
        before = "".join(terms[:number])
        shape = []
        for letter in term.replace("...", "."):
            shape += [2, 3] if letter == "." else [1 if letter in ones and letter in before else SIZES[letter]]
        arrays.append(rng.uniform(-1, 1, shape))
    return arrays


@pytest.mark.parametrize("equation", EQUATIONS)
def test_the_result_is_that_of_numpy(equation):
    """Also after the same equation with other sizes, and with a dim of size 1 that broadcasts."""
    for ones in ("", "j", "b", "ik", ""):
        arrays = operands_of(equation, ones)
        if "ii" in equation and "i" in ones:
            continue
        wide = [np.array(np.broadcast_to(a, b.shape)) for a, b in zip(arrays, operands_of(equation))]
        out = torch.einsum(equation, *map(torch.tensor, arrays))
        np.testing.assert_allclose(out.numpy(), np.einsum(equation, *wide), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("equation", EQUATIONS)
def test_gradients_with_sizes_that_broadcast(equation):
    for ones in ("", "j"):
        arrays = [torch.tensor(a, requires_grad=True) for a in operands_of(equation, ones)]
        assert torch.autograd.gradcheck(lambda *tensors: torch.einsum(equation, *tensors), arrays)


def test_an_equation_is_read_once_for_all_sizes():
    read.cache_clear()
    contraction.cache_clear()
    for n in range(2, 7):
        assert torch.einsum("pq,qr->pr", torch.ones(n, 3), torch.ones(3, n)).shape == (n, n)
    assert read.cache_info().misses == 1 and contraction.cache_info().misses == 1
    torch.einsum("...,...", torch.ones(3), torch.ones(3))
    torch.einsum("...,...", torch.ones(3, 3), torch.ones(3))
    assert read.cache_info().misses == 3
    assert read.cache_info().maxsize and contraction.cache_info().maxsize


@pytest.mark.parametrize("equation, expected", [
    ("ij,jk->ik", ["MmBackward0"]), ("ij,j->i", ["MvBackward0"]), ("i,i->", ["DotBackward0"]),
    ("bij,bjk->bik", ["BmmBackward0"]), ("abij,abjk->abik", ["BmmBackward0"]),
    ("ij,kj->ik", ["MmBackward0", "PermuteBackward0"]),
    ("ij,ij->ij", ["MulBackward0"]), ("i,j->ij", ["MulBackward0", "ViewBackward0"])])
def test_no_step_is_taken_for_nothing(equation, expected):
    node = torch.einsum(equation, *[torch.tensor(a, requires_grad=True) for a in operands_of(equation)]).grad_fn
    steps, seen = [], [node]
    while seen:
        node = seen.pop()
        steps.append(node.name())
        seen += [before for before, _ in node.next_functions
                 if before is not None and "AccumulateGrad" not in before.name()]
    assert steps == expected


def test_two_dtypes_have_no_product():
    for equation in ("ij,jk->ik", "bij,bjk->bik", "ij,j->i", "i,i->", "ijk,jkl->il"):
        a, b = operands_of(equation)
        with pytest.raises(RuntimeError, match="expected scalar type Double but found Float"):
            torch.einsum(equation, torch.tensor(a), torch.tensor(b).float())


def test_sizes_that_differ_are_named():
    for _ in range(2):
        torch.einsum("ij,jk->ik", torch.ones(2, 3), torch.ones(3, 2))
        with pytest.raises(RuntimeError, match="subscript j has size 4 for operand 1 which does not broadcast"):
            torch.einsum("ij,jk->ik", torch.ones(2, 3), torch.ones(4, 2))


def test_batches_in_transforms():
    a, b = [torch.tensor(x) for x in operands_of("bij,bjk->bik")]
    expected = torch.einsum("bij,bjk->bik", a, b)
    product = torch.func.vmap(lambda x, y: torch.einsum("ij,jk->ik", x, y))
    assert torch.allclose(product(a, b), expected)
    pairs = torch.func.vmap(lambda x, y: torch.einsum("bij,bjk->bik", x, y))
    assert torch.allclose(pairs(torch.stack([a, a]), torch.stack([b, b])), torch.stack([expected, expected]))
