"""Arrays in every layout and dtype, to hold two ways of computing against each other."""

import numpy as np

LAYOUTS = {
    "rows": lambda a: a,
    "columns": lambda a: np.asfortranarray(a) if a.ndim else a,
    "backwards": lambda a: a[::-1] if a.ndim else a,
    "every other": lambda a: np.repeat(a, 2, axis=-1)[..., ::2] if a.ndim else a,
    "broadcast": lambda a: np.broadcast_to(a[:1], a.shape) if a.ndim and a.shape[0] else a,
    "unaligned": lambda a: np.frombuffer(b"x" + a.tobytes(), dtype=a.dtype, offset=1).reshape(a.shape),
    "read-only": lambda a: frozen(a),
    "transposed": lambda a: a.T,
}
DTYPES = ["float32", "float64", "float16", "complex64", "complex128", "int64", "int32", "uint8", "bool"]


def frozen(a):
    a = np.array(a)
    a.flags.writeable = False
    return a


def numbers(shape, dtype, seed=0):
    rng = np.random.default_rng([seed, *map(int, shape)])
    a = rng.uniform(-2, 2, shape) if dtype[0] != "u" else rng.uniform(0, 5, shape)
    if dtype.startswith("int"):
        a = np.trunc(a * 2)
    if dtype == "bool":
        return np.asarray(a > 0)
    if dtype.startswith("complex"):
        a = a + 1j * rng.uniform(-2, 2, shape)
    return np.asarray(a).astype(dtype)


def outcome(call, *args):
    """The result, or what was raised: both ways have to refuse alike."""
    try:
        return call(*args)
    except Exception as e:
        return type(e), str(e)


def assert_same(fast, slow, close=False):
    if isinstance(slow, tuple) or isinstance(fast, tuple):
        assert type(fast) is type(slow) and fast == slow
        return
    assert type(fast) is np.ndarray and fast.dtype == slow.dtype and fast.shape == slow.shape
    if close:
        np.testing.assert_allclose(fast, slow, rtol={"f": 2e-6, "d": 1e-13, "e": 2e-3}.get(fast.dtype.char, 1e-6),
                                   atol={"f": 2e-7, "d": 4e-16}.get(fast.dtype.char, 1e-300))
    else:
        np.testing.assert_array_equal(fast, slow)
        if fast.dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(fast) & ~np.isnan(fast), np.signbit(slow) & ~np.isnan(slow))
