"""Fourier transforms: what they refuse, their signals and spectra; values and gradients are checked by the samples."""

import pytest

import minigrad
from tests.checking import refuses

X = minigrad.tensor([[1., 2., 4.], [8., 16., 32.]])
Z = minigrad.tensor([[1. + 1j, 2., 4.], [8., 16. - 2j, 32.]])
ONE = minigrad.ones(4)


def test_what_comes_back_from_a_spectrum():
    x = minigrad.tensor([1., -2., 4., 0.5, 3.], dtype=minigrad.float64)
    for norm in (None, "backward", "ortho", "forward"):
        for forth, back in (("fft", "ifft"), ("rfft", "irfft"), ("ihfft", "hfft")):
            spectrum = getattr(minigrad.fft, forth)(x, norm=norm)
            assert getattr(minigrad.fft, back)(spectrum, 5, norm=norm).real.tolist() == pytest.approx(x.tolist())
    for back in (minigrad.fft.irfft2(minigrad.fft.rfft2(X), s=(2, 3)),
                 minigrad.fft.hfftn(minigrad.fft.ihfftn(X), s=(-1, 3))):
        assert back.flatten().tolist() == pytest.approx(X.flatten().tolist())


@pytest.mark.parametrize(("given", "of_fft", "of_irfft"), [
    ("float32", "complex64", "float32"), ("float64", "complex128", "float64"), ("complex64", "complex64", "float32"),
    ("complex128", "complex128", "float64"), ("int32", "complex64", "float32"), ("bool", "complex64", "float32"),
])
def test_precision_is_kept(given, of_fft, of_irfft):
    x = minigrad.ones(4, dtype=getattr(minigrad, given))
    assert minigrad.fft.fft(x).dtype is getattr(minigrad, of_fft)
    assert minigrad.fft.irfft(x).dtype is getattr(minigrad, of_irfft)


def test_half_a_spectrum_counts_twice_but_at_its_ends():
    for n, counts in ((4, [1, 2, 1]), (5, [1, 2, 2])):
        half = minigrad.zeros(3, dtype=minigrad.complex128, requires_grad=True)
        impulse = minigrad.fft.irfft(half, n)[0]
        assert minigrad.autograd.grad(impulse, half)[0].tolist() == pytest.approx([c / n for c in counts])


@pytest.mark.parametrize(("call", "kind", "phrase", "code"), [
    (lambda f: f.fft(X, n=0), RuntimeError, "Invalid number of data points (0) specified", "MG204"),
    (lambda f: f.fft(X[:, :0]), RuntimeError, "Invalid number of data points (0) specified", "MG204"),
    (lambda f: f.irfft(Z[:, :1]), RuntimeError, "Invalid number of data points (0) specified", "MG204"),
    (lambda f: f.irfftn(Z[:, :1], s=(2, -1)), RuntimeError, "Invalid number of data points (0) specified", "MG204"),
    (lambda f: f.fft(X[0, 0]), IndexError, "Dimension specified as -1 but tensor has no dimensions", "MG203"),
    (lambda f: f.fft2(X[0]), IndexError, "Dimension out of range", "MG203"),
    (lambda f: f.fft(X, norm="both"), RuntimeError, 'Invalid normalization mode: "both"', "MG204"),
    (lambda f: f.fft(X, norm=2), TypeError, "argument 'norm' must be str, not int", "MG205"),
    (lambda f: f.fft(X, 2.5), TypeError, "argument 'n' must be int, not float", "MG205"),
    (lambda f: f.fft([1.]), TypeError, "argument 'input' (position 1) must be Tensor, not list", "MG205"),
    (lambda f: f.rfft(Z), RuntimeError, "rfft expects a real input tensor, but got torch.complex64", "MG202"),
    (lambda f: f.rfft2(Z), RuntimeError, "rfftn expects a real-valued input tensor", "MG202"),
    (lambda f: f.ihfftn(Z), RuntimeError, "Only supports floating-point dtypes, but found: torch.complex64", "MG202"),
    (lambda f: f.fft(X.half()), RuntimeError, "Unsupported dtype torch.float16", "MG202"),
    (lambda f: f.fftn(X, dim=(0, -2)), RuntimeError, "FFT dims must be unique", "MG204"),
    (lambda f: f.fft2(X, (2,)), RuntimeError, "dim and shape arguments must have the same length", "MG204"),
    (lambda f: f.fftn(X, (2, 3, 4)), RuntimeError, "Got shape with 3 values but input tensor only has 2", "MG204"),
    (lambda f: f.rfftn(X, dim=()), RuntimeError, "rfftn must transform at least one axis", "MG204"),
    (lambda f: f.hfft2(X, dim=()), RuntimeError, "hfftn must transform at least one axis", "MG204"),
])
def test_refusals(call, kind, phrase, code):
    with refuses(kind, phrase, code):
        call(minigrad.fft)


def test_an_empty_batch_has_empty_spectra():
    assert minigrad.fft.rfft(X[:0]).shape == (0, 2) and minigrad.fft.irfft2(Z[None][:0]).shape == (0, 2, 4)


def test_out_takes_a_dtype_to_which_the_result_can_be_cast():
    out = minigrad.empty(2, 3, dtype=minigrad.complex128)
    assert minigrad.fft.fft(X, out=out) is out and out[0, 0] == 7
    with refuses(RuntimeError, "can't be cast", "MG202"):
        minigrad.fft.fft(X, out=minigrad.empty(2, 3))


# ------------------------------------------------------------------------------ spectrograms

def stft(x, *args, **options):
    return minigrad.stft(x, *args, **{"return_complex": True, "window": ONE, **options})


def test_a_signal_comes_back_from_its_spectrogram():
    x = minigrad.tensor([[1., -2., 4., 0.5, 3., 7., 8., 9.]])
    for options in ({}, {"normalized": True}, {"onesided": False}, {"center": False, "hop_length": 2}):
        spectra = stft(x, 4, **options)
        assert minigrad.istft(spectra, 4, window=ONE, **options)[0].tolist() == pytest.approx(x[0].tolist(), abs=1e-5)
    assert stft(x, 4).istft(4, window=ONE, length=5).shape == (1, 5)


def test_warnings():
    with pytest.warns(UserWarning, match="A window was not provided"):
        spectrum = minigrad.stft(X[0].repeat(3), 4, return_complex=True)
    with pytest.warns(UserWarning, match="A window was not provided"):
        minigrad.istft(spectrum, 4)
    with pytest.warns(UserWarning, match="return_complex=False is deprecated"):
        assert stft(X[0].repeat(3), 4, return_complex=False).shape == (3, 10, 2)
    with pytest.warns(UserWarning, match="Result is being padded with zeros"):
        assert minigrad.istft(spectrum, 4, window=ONE, length=30)[-1] == 0


@pytest.mark.parametrize(("call", "phrase", "code"), [
    (lambda x, y: minigrad.stft(x, 4, window=ONE), "requires the return_complex parameter be given", "MG204"),
    (lambda x, y: stft(x, 4, align_to_window=True), "align_to_window should only be set when center = false", "MG204"),
    (lambda x, y: stft(x[None, None], 4), "expected a 1D or 2D tensor", "MG204"),
    (lambda x, y: stft(x, 20, center=False), "expected 0 < n_fft < 12, but got n_fft=20", "MG204"),
    (lambda x, y: stft(x, 4, 0), "expected hop_length > 0, but got hop_length=0", "MG204"),
    (lambda x, y: stft(x, 4, 1, 5), "expected 0 < win_length <= n_fft, but got win_length=5", "MG204"),
    (lambda x, y: stft(x, 5), "expected a 1D window tensor of size equal to win_length=5", "MG204"),
    (lambda x, y: stft(x.long(), 4), "expected a tensor of floating point or complex values", "MG202"),
    (lambda x, y: stft(x.half(), 4, window=ONE.half()), "Unsupported dtype torch.float16", "MG202"),
    (lambda x, y: stft(x + 0j, 4, onesided=True), "Cannot have onesided output if window or input is complex", "MG204"),
    (lambda x, y: minigrad.istft(y.real, 4, window=ONE), "requires a complex-valued input tensor", "MG202"),
    (lambda x, y: minigrad.istft(y[0], 4, window=ONE), "expected a tensor with 3 or 4 dimensions, but got 2", "MG204"),
    (lambda x, y: minigrad.istft(y[:, :0], 4, window=ONE), "input tensor cannot be empty", "MG204"),
    (lambda x, y: minigrad.istft(y, 6, window=ONE), "to match n_fft / 2 + 1 when onesided=True, but got 3", "MG204"),
    (lambda x, y: minigrad.istft(y, 4, 5, window=ONE), "expected 0 < hop_length <= win_length", "MG204"),
    (lambda x, y: minigrad.istft(y, 4, 1, 5, window=ONE), "expected 0 < win_length <= n_fft", "MG204"),
    (lambda x, y: minigrad.istft(y, 4, window=ONE[1:]), "Invalid window shape", "MG204"),
    (lambda x, y: minigrad.istft(y, 4, window=ONE * 0), "window overlap add min: 1", "MG204"),
    (lambda x, y: minigrad.istft(y, 4, window=ONE, length=0), "Expected reduction dim to be specified", "MG204"),
    (lambda x, y: minigrad.istft(y, 4, window=ONE, return_complex=True), "Cannot have onesided output", "MG204"),
    (lambda x, y: minigrad.istft(y, 4, window=ONE + 0j), "Complex windows are incompatible", "MG204"),
])
def test_refused_spectrograms(call, phrase, code):
    x = minigrad.arange(12.)
    spectra = stft(x, 4)
    with refuses(RuntimeError, phrase, code):
        call(x, spectra)


@pytest.mark.parametrize(("call", "phrase"), [
    (lambda x: minigrad.fft.fft(x, True), "argument 'n' must be int, not bool"),
    (lambda x: minigrad.fft.irfft(x, dim=True), "argument 'dim' must be int, not bool"),
    (lambda x: minigrad.fft.fft2(x, dim=None), "argument 'dim' must be tuple of ints, not NoneType"),
    (lambda x: minigrad.fft.ihfft2(x, dim=None), "argument 'dim' must be tuple of ints, not NoneType"),
])
def test_arguments_of_another_type(call, phrase):
    with refuses(TypeError, phrase, "MG205"):
        call(X)
