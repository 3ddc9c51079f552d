"""Writes without history go straight into the memory of the target, where a kernel in C can do that: the values that
the general way gives, for every layout, and nothing has changed where a write is refused."""

import itertools

import numpy as np
import pytest

import minigrad
from minigrad._core.dispatch.compute import on_arrays_general
from minigrad._core.dispatch.op import Op
from minigrad._core.graph import wrap
from minigrad.ops.exports import INPLACE

LAYOUTS = {
    "rows": lambda a: a,
    "columns": lambda a: np.array(a, order="F"),
    "backwards": lambda a: a[::-1] if a.ndim else a,
    "every other": lambda a: np.repeat(a, 2, axis=-1)[..., ::2] if a.ndim else a,
    "unaligned": lambda a: shifted_by_one_byte(a),
}
#: NumPy's own loops differ in the last bit, by layout
ROUNDING = {"d": 1e-15, "f": 1e-6, "F": 1e-6}
OTHERS = {**LAYOUTS, "broadcast": lambda a: np.broadcast_to(a[:1], a.shape) if a.ndim else a}


def shifted_by_one_byte(a):
    moved = np.empty(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    moved[...] = a
    return moved


def rows(n):
    """The rows with an in-place form that take so many tensors or numbers, and no more."""
    found = {op for row in INPLACE.values() for op in ([row] if isinstance(row, Op) else row.rows)}
    taken = ({1: ["Tensor"]}, {2: ["Tensor", "Tensor"]})[n - 1][n]
    return sorted((op for op in found if op.elementwise and list(op.types[:op.n_positional]) == taken
                   and not any(type_ == "Generator?" for type_ in op.types)), key=lambda op: op.name)


def numbers(shape, dtype, seed):
    found = np.random.default_rng(seed).integers(0, 4, shape) + (0.5 if dtype[0] in "fc" else 0)
    return np.asarray(found).astype(dtype)


def outcome(call):
    try:
        with np.errstate(all="ignore"):
            return call()
    except Exception as error:
        return type(error)


def check(op, a, *others):
    """The write against the operation out of place, computed first."""
    before = np.array(a)
    wanted = outcome(lambda: on_arrays_general(op, np.array(a), *[np.array(x) if isinstance(x, np.ndarray) else x
                                                                  for x in others]))
    target = wrap(a)
    got = outcome(lambda: op.inplace(target, *[wrap(x) if isinstance(x, np.ndarray) else x for x in others]))
    if got is not target:
        assert isinstance(got, type) and target._version == 0
        np.testing.assert_array_equal(a, before)
        return
    with np.errstate(all="ignore"):
        np.copyto(before, wanted, casting="unsafe")
    np.testing.assert_allclose(a, before, ROUNDING.get(a.dtype.char, 0))
    assert target._version == 1


@pytest.mark.parametrize("op", rows(1), ids=lambda op: op.name)
def test_of_one_operand(op):
    for layout, dtype, shape in itertools.product(LAYOUTS, ["float32", "float64", "int64", "bool", "complex64"],
                                                  [(), (5,), (3, 4), (0, 3)]):
        check(op, LAYOUTS[layout](numbers(shape, dtype, 1)))


@pytest.mark.parametrize("op", rows(2), ids=lambda op: op.name)
@pytest.mark.drawn
def test_of_two_operands(op):
    dtypes = [("float32", "float32"), ("float32", "float64"), ("float64", "int64"), ("int64", "int64"),
              ("int32", "float32"), ("bool", "bool"), ("complex64", "float32"), ("float16", "float32")]
    for layout, (mine, other) in itertools.product(LAYOUTS, dtypes):
        a = numbers((3, 4), mine, 1)
        for other_layout, shape in itertools.product(OTHERS, [(3, 4), (4,), (3, 1), ()]):
            check(op, LAYOUTS[layout](a.copy()), OTHERS[other_layout](numbers(shape, other, 2)))
        check(op, LAYOUTS[layout](a.copy()), numbers((2, 3, 4), other, 2))      # the target cannot grow
        check(op, LAYOUTS[layout](a.copy()), numbers((3, 3), other, 2))
        for number in (2, 0.5, True, -1):
            check(op, LAYOUTS[layout](a.copy()), number)


@pytest.mark.parametrize("op", rows(2), ids=lambda op: op.name)
def test_operands_that_share_memory_with_the_target(op):
    for write in (lambda a: check(op, a[::2], a[1::2]), lambda a: check(op, a[:, :3], a[:, 1:]),
                  lambda a: check(op, a[:, 1:], a[:, :3]), lambda a: check(op, a, a),
                  lambda a: check(op, a[:, :], a[0]), lambda a: check(op, a[::-1], a)):
        write(numbers((4, 4), "float64", 1))


def check_out(op, out, *operands):
    """What the function puts into ``out`` against what it computes."""
    wanted = outcome(lambda: on_arrays_general(op, *[np.array(x) if isinstance(x, np.ndarray) else x
                                                     for x in operands]))
    before, target = np.array(out), wrap(out)
    got = outcome(lambda: op(*[wrap(x) if isinstance(x, np.ndarray) else x for x in operands], out=target))
    if got is not target:
        assert isinstance(got, type) and target._version == 0
        np.testing.assert_array_equal(out, before)
        return
    rtol = max(ROUNDING.get(a.dtype.char, 0) for a in (out, wanted))
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(target.numpy(), wanted.astype(out.dtype), rtol)
    assert target._version == 1


@pytest.mark.drawn
@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@pytest.mark.parametrize("op", [op for n in (1, 2) for op in rows(n) if op.takes_out], ids=lambda op: op.name)
def test_results_in_tensors_of_the_user(op):
    """Every layout, dtype and shape of ``out``, beside the operands, over them and across them."""
    n = op.n_positional
    for layout, dtype, mine in itertools.product(LAYOUTS, ["float32", "float64", "int64", "bool"],
                                                 ["float32", "int64"]):
        for shape in [(3, 4), (4,), (0,)]:
            operands = [numbers((3, 4), mine, 1), numbers((4,), mine, 2)][:n]
            check_out(op, LAYOUTS[layout](numbers(shape, dtype, 3)), *operands)
    a = numbers((4, 4), "float64", 1)
    for out, operands in [(a, (a, a)), (a, (a, a[0])), (a[::-1], (a, a)), (a[:2], (a[2:], a[2:])), (a, (a.T, a)),
                          (a[:, 1:], (a[:, :3], a[:, :3])), (a[1:], (a[:3], a[:3])), (a[0], (a[0], a[1])),
                          (np.broadcast_to(a[:1], (4, 4)), (a, a))]:
        before = np.array(a)
        check_out(op, out, *operands[:n])
        a[...] = before


def test_a_loop_that_gives_up_halfway_has_changed_nothing():
    """NumPy's loop of powers refuses the last exponent, and the general way begins with what was there before."""
    x = minigrad.tensor([2, 3, 4])
    assert x.pow_(minigrad.tensor([1, 2, -1])).tolist() == [2, 9, 0]


def test_results_go_into_the_memory_itself():
    """The memory of a large target is all there is: no second array of its size."""
    import tracemalloc
    x, y = minigrad.ones(1_000_000), minigrad.ones(1_000_000)
    x.exp_()
    tracemalloc.start()
    try:
        x.exp_().neg_().add_(1).mul_(y).copy_(y).fill_(2).zero_()
        minigrad.exp(x, out=y)
        minigrad.add(x, y, alpha=2, out=y)
        minigrad.sub(x.view(1000, 1000), x.new_ones(1), out=y.view(1000, 1000).t())
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()
    assert x._version == 8


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64", "int8", "uint8", "bool", "complex64"])
def test_fills_and_copies(dtype):
    """Against NumPy, for every layout."""
    for layout, shape in itertools.product(LAYOUTS, [(), (5,), (3, 4), (0, 3)]):
        for value in (0, 1, True, 2.5, -0.0):
            t = wrap(LAYOUTS[layout](numbers(shape, dtype, 1)))
            assert t.fill_(value) is t and t._version == 1
            np.testing.assert_array_equal(t.numpy(), np.full(shape, int(value) if dtype == "int64" else value, dtype))
            assert t.dtype.is_complex or not np.any(np.signbit(t.numpy()) != np.signbit(np.array(value, dtype)))
            assert not t.zero_().numpy().any() and t._version == 2
        for other, other_layout in itertools.product(["float32", "float64", "int64", "bool"], OTHERS):
            if shape and shape[0]:
                for a in (numbers(shape, other, 2), numbers(shape[-1:], other, 2), numbers((), other, 2)):
                    t = wrap(LAYOUTS[layout](numbers(shape, dtype, 1)))
                    a = OTHERS[other_layout](a)
                    t.copy_(wrap(a))
                    np.testing.assert_array_equal(t.numpy(), np.broadcast_to(a.astype(dtype), shape))


@pytest.mark.parametrize("dtype, value", [("int8", 128), ("int8", -129), ("uint8", 256), ("int16", 2**15),
                                          ("int32", -2**31 - 1), ("int64", 2**63)])
def test_a_number_out_of_range_is_refused(dtype, value):
    x = minigrad.ones(3, dtype=getattr(minigrad, dtype))
    with pytest.raises(RuntimeError):
        x.fill_(value)
    assert x.tolist() == [1, 1, 1] and x._version == 0


def test_casts_in_copies_give_no_warning():
    with np.errstate(all="raise"):
        assert minigrad.zeros(2).copy_(minigrad.tensor([1e300, -1e300], dtype=minigrad.float64)).tolist() == [
            float("inf"), float("-inf")]
        minigrad.zeros(1, dtype=minigrad.int64).copy_(minigrad.tensor([float("nan")]))
