"""Sample calls of the Fourier transforms, of signals and of windows of signals."""

import numpy as np

from tests.ops.sampling import T, case, row

SCALES = {None: (0, 1), "backward": (0, 1), "ortho": (0.5, 0.5), "forward": (1, 0)}


def by_matrix(forward):
    """The transform as a product with the matrix of all exp(-2 pi i j k / n)."""
    def reference(x, n=None, dim=-1, norm=None):
        n = x.shape[dim] if n is None else n
        x = np.moveaxis(x, dim, -1)
        x = np.concatenate([x, np.zeros((*x.shape[:-1], n), x.dtype)], -1)[..., :n]
        turns = np.outer(np.arange(n), np.arange(n)) / n
        y = x @ np.exp((-2j if forward else 2j) * np.pi * turns)
        return np.moveaxis(y / n ** SCALES[norm][not forward], -1, dim)
    return reference


def half(forward):
    """The first half of the spectrum of real numbers."""
    def reference(x, n=None, dim=-1, norm=None):
        whole = np.moveaxis(by_matrix(forward)(x, n, dim, norm), dim, -1)
        return np.moveaxis(whole[..., :whole.shape[-1] // 2 + 1], -1, dim)
    return reference


def whole(forward):
    """The real transform of numbers of which the half is given: the real part of a transform of those that count."""
    def reference(x, n=None, dim=-1, norm=None):
        n = 2 * (x.shape[dim] - 1) if n is None else n
        x = np.moveaxis(x, dim, -1)
        given = np.concatenate([x, np.zeros((*x.shape[:-1], n), x.dtype)], -1)[..., :n // 2 + 1]
        counts = [1 if k in (0, n / 2) else 2 for k in range(n // 2 + 1)]
        return np.moveaxis(by_matrix(forward)(given * counts, n, -1, norm).real, -1, dim)
    return reference


def in_numpy(name, changed=None):
    """NumPy's function over several dims; it deprecates sizes without axes."""
    def reference(x, s=None, dim=None, norm=None):
        if dim is None and s is not None:
            dim = range(x.ndim - len(s), x.ndim)
        return getattr(np.fft, name)(x if changed is None else changed(x), s, dim, norm)
    return reference


def dims_and_sizes(x, s, dim):
    if dim is None:
        dim = range(x.ndim - (x.ndim if s is None else len(s)), x.ndim)
    return [*dim], [None] * len(dim) if s is None else [None if size == -1 else size for size in s]


def hermitian(x, s=None, dim=None, norm=None):
    """fftn along all dims but the last, and hfft along that one."""
    dims, sizes = dims_and_sizes(x, s, dim)
    for axis, size in zip(dims[:-1], sizes[:-1]):
        x = by_matrix(True)(x, size, axis, norm)
    return whole(True)(x, sizes[-1], dims[-1], norm)


def inverse_hermitian(x, s=None, dim=None, norm=None):
    dims, sizes = dims_and_sizes(x, s, dim)
    x = half(False)(x, sizes[-1], dims[-1], norm)
    for axis, size in zip(dims[:-1], sizes[:-1]):
        x = by_matrix(False)(x, size, axis, norm)
    return x


def two(reference):
    """The same over two dims, which are the last ones."""
    return lambda x, s=None, dim=(-2, -1), norm=None: reference(x, s, dim, norm)


def frames(x, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect", normalized=False,
           onesided=None, return_complex=None, align_to_window=None):
    """stft, one frame after the other."""
    hop, size = hop_length or n_fft // 4, win_length or n_fft
    left = (n_fft - size) // 2
    weights = np.zeros(n_fft, x.dtype if window is None else window.dtype)
    weights[left:left + size] = 1 if window is None else window
    around = n_fft // 2 if center else left if align_to_window else 0
    mode = {"replicate": "edge", "circular": "wrap"}.get(pad_mode, pad_mode) if center else "constant"
    x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(around, around)], mode)
    starts = range(0, x.shape[-1] - n_fft + 1, hop)
    whole = np.stack([by_matrix(True)(x[..., i:i + n_fft] * weights) for i in starts], -1)
    if onesided if onesided is not None else not np.iscomplexobj(x):
        whole = whole[..., :n_fft // 2 + 1, :]
    whole = whole / np.sqrt(n_fft) if normalized else whole
    return np.stack([whole.real, whole.imag], -1) if return_complex is False else whole


def one_dim(**options):
    return [case(T(6, **options)), case(T(2, 5, **options)), case(T(3, 4, **options), 3, 0),
            case(T(2, 3, **options), n=7, norm="ortho"), case(T(4, 2, **options), dim=-2, norm="forward"),
            case(T(2, 2, **options), 4, norm="backward")]


def many_dims(**options):
    return [case(T(2, 3, 4, **options)), case(T(3, 4, **options), (2, 5)), case(T(2, 3, 2, **options), dim=(2, 0)),
            case(T(2, 3, **options), s=(4, -1), dim=(1, 0), norm="ortho"), case(T(2, 4, **options), norm="forward")]


SAVED, SIZE = ("self_sym_sizes",), ("last_dim_size",)

ROWS = [
    row("fft.fft", *one_dim(), case(T(0, 3)), numpy=by_matrix(True), complex=True, ints=True, extra_saved=SAVED,
        bad=case(T(2, 0)), torch=False),
    row("fft.fft", *one_dim(kind="complex"), numpy=by_matrix(True), bad=case(T(3), dim=1)),
    row("fft.ifft", *one_dim(), numpy=by_matrix(False), complex=True, ints=True, extra_saved=SAVED,
        bad=case(T(3), norm="none"), node=False),
    row("fft.rfft", *one_dim(), numpy=half(True), ints=True, extra_saved=SAVED, bad=case(T(3, kind="complex"))),
    row("fft.irfft", *one_dim(), numpy=whole(False), complex=True, ints=True, extra_saved=SIZE, bad=case(T(1))),
    row("fft.hfft", *one_dim(), numpy=whole(True), complex=True, ints=True, extra_saved=SIZE, bad=case(T(3), 0)),
    row("fft.ihfft", *one_dim(), numpy=half(False), ints=True, extra_saved=SAVED, bad=case(T(3, kind="complex")),
        node=False),
    row("fft.fft2", *many_dims(), numpy=two(in_numpy("fftn")), complex=True, ints=True, bad=case(T(3))),
    row("fft.ifft2", *many_dims(), numpy=two(in_numpy("ifftn")), complex=True, ints=True, bad=case(T(2, 0))),
    row("fft.rfft2", *many_dims(), numpy=two(in_numpy("rfftn")), ints=True, extra_saved=SAVED, bad=case(T(2, 3), (2,))),
    row("fft.irfft2", *many_dims(), numpy=two(in_numpy("irfftn")), ints=True, extra_saved=SIZE, bad=case(T(2, 1))),
    row("fft.hfft2", *many_dims(), numpy=two(hermitian), complex=True, ints=True, extra_saved=SIZE,
        bad=case(T(2, 3), dim=(0, 0))),
    row("fft.ihfft2", *many_dims(), numpy=two(inverse_hermitian), ints=True, extra_saved=SAVED,
        bad=case(T(2, 3, kind="complex"))),
    row("fft.fftn", *many_dims(), case(T(3), dim=()), numpy=in_numpy("fftn"), complex=True, ints=True,
        bad=case(T(2, 3), (1, 2, 3))),
    row("fft.ifftn", *many_dims(), numpy=in_numpy("ifftn"), complex=True, ints=True, bad=case(T(2, 3), dim=2)),
    row("fft.rfftn", *many_dims(), numpy=in_numpy("rfftn"), ints=True, extra_saved=SAVED, bad=case(T(2, 3), dim=())),
    row("fft.irfftn", *many_dims(), numpy=in_numpy("irfftn"), ints=True, extra_saved=SIZE,
        bad=case(T(2, 3), dim=(0, -2))),
    row("fft.hfftn", *many_dims(), numpy=hermitian, complex=True, ints=True, extra_saved=SIZE,
        bad=case(T(2, 3), (4, 0))),
    row("fft.ihfftn", *many_dims(), numpy=inverse_hermitian, ints=True, extra_saved=SAVED,
        bad=case(T(2, 3, kind="complex"))),
    row("fft.fftshift", case(T(5)), case(T(2, 3, 4)), case(T(2, 3), 1), case(T(2, 3), (0, 0)), case(T(3, 0)),
        numpy=lambda x, dim=None: np.fft.fftshift(x, dim), complex=True, ints=True, bad=case(T(3), 1)),
    row("fft.ifftshift", case(T(5)), case(T(2, 3, 4)), case(T(2, 3), 1), case(T(2, 3), dim=(-1, 0)),
        numpy=lambda x, dim=None: np.fft.ifftshift(x, dim), complex=True, ints=True, bad=case(T(3), "no")),
    row("stft", case(T(9), 4, window=T(4), return_complex=True), case(T(2, 8), 5, 2, 3, T(3), return_complex=True),
        case(T(9), 4, 1, None, T(4), False, normalized=True, onesided=False, return_complex=True),
        case(T(7), 4, window=T(4), pad_mode="constant", return_complex=True),
        case(T(10), 6, 2, 2, T(2), center=False, align_to_window=True, return_complex=True),
        numpy=frames, node=False, bad=case(T(3), 8, window=T(8), return_complex=True)),
    row("stft", case(T(9, kind="complex"), 4, window=T(4), pad_mode="replicate"),
        case(T(9, kind="complex"), 4, 2, window=T(4, kind="complex"), center=False), numpy=frames, node=False,
        bad=case(T(9), 4, window=T(4))),
    row("istft", case(T(3, 5, kind="complex"), 4, window=T(4, kind="positive")),
        case(T(2, 3, 4, kind="complex"), 5, 2, 4, T(4, kind="positive"), normalized=True, length=6),
        case(T(4, 4, kind="complex"), 4, 1, 4, T(4, kind="positive"), False),
        case(T(4, 4, kind="complex"), 4, 1, 4, T(4, kind="positive"), False, return_complex=True),
        node=False, unmapped="data-dependent control flow", bad=case(T(4, 3), 4, window=T(4))),
    row("_fft_c2c", case(T(3, 4, kind="complex"), (0, 1), 1, True), where="row", torch=False),
    row("_fft_c2c_backward", case(T(3, 4, kind="complex"), (1,), 0, True), case(T(2, kind="complex"), (0,), 2, False),
        where="row", torch=False),
    row("_fft_r2c", case(T(3, 4), (0, 1), 1, False), case(T(3, 5), (1, 0), 1, True), where="row", torch=False),
    row("_fft_r2c_backward", case(T(3, 3, kind="complex"), (3, 4), (0, 1), 1, True),
        case(T(3, 5, kind="complex"), (3, 5), (1,), 2, False), case(T(3, kind="complex"), (5,), (0,), 0, True),
        where="row", torch=False),
    row("_fft_c2r", case(T(3, 3, kind="complex"), (0, 1), 1, 5), where="row", torch=False),
    row("_fft_c2r_backward", case(T(3, 4), (0, 1), 1, 4), case(T(5, 2), (0,), 2, 5), where="row", torch=False),
]
