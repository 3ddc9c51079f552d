"""The spectrum of a signal as it changes: the transforms of its windows, and the inverse.

A signal of L numbers is cut into frames of ``n_fft`` numbers, each ``hop_length`` after the one before it.  A frame is
multiplied by a window, which fades it in and out, and transformed::

    signal      0  1  2  3  4  5  6  7  8  9            n_fft = 4, hop_length = 2
    frames     [0  1  2  3]
                     [2  3  4  5]
                           [4  5  6  7] ...

``istft`` is the least-squares inverse: frames back in their places, again multiplied by the window, their sum divided
by the sum of the squares of the windows there (D. W. Griffin and J. S. Lim, IEEE Trans. ASSP 32 (1984), 236).

Neighbours: transforms.py, pairs.py (the rows), windows.py of minigrad (the windows).
"""

from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor

from ..elementwise.complex import view_as_real
from ..composites import composite
from ..shapes.padding import constant_pad_nd, pad
from ..shapes.slicing import slice_
from ..shapes.transposing import squeeze_dim, transpose, unsqueeze
from ..shapes.windows import unfold, unfold_backward
from .pairs import fft_c2c, fft_c2r, fft_r2c
from .transforms import too_narrow
from ..arguments import must_be_tensors, one_int


def lengths(op, n_fft, hop_length, win_length):
    """The size of a frame, the distance of frames, the size of the window."""
    n_fft = one_int(op, "n_fft", n_fft)
    hop_length = n_fft // 4 if hop_length is None else one_int(op, "hop_length", hop_length)
    return n_fft, hop_length, n_fft if win_length is None else one_int(op, "win_length", win_length)


def is_complex(window):
    return window is not None and window.dtype.is_complex


def centred(window, n_fft):
    """The window with zeros on both sides."""
    left = (n_fft - len(window)) // 2
    return constant_pad_nd(window, [left, n_fft - len(window) - left]) if len(window) < n_fft else window


@composite(types="Tensor int int? int? Tensor? bool str bool bool? bool? bool?", out=False)
def stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect",
         normalized=False, onesided=None, return_complex=None, align_to_window=None):
    """The short-time Fourier transform: a row for each frequency, a column for each frame.

    Parameters
    ----------
    input : one signal, or a batch of them
    n_fft, hop_length : the size of a frame, and the distance of frames, by default a quarter of that
    win_length, window : the size of the window (n_fft), and its weights (all 1); zeros are added on both sides
    center : does the middle of a frame lie at multiples of hop_length?  Then the signal is continued on both sides, as
        ``pad_mode`` says; otherwise the first frame begins at the first number
    normalized : divide by the root of n_fft?
    onesided : leave out the frequencies that repeat others?  By default, for real signals
    return_complex : must be given for real signals: False is deprecated, and gives a last dim of real and imaginary
        parts
    align_to_window : without center, let the first window begin at the first number, and not the first frame

    >>> torch.stft(torch.ones(8), 4, window=torch.ones(4), center=False, return_complex=True)
    tensor([[4.+0.j, 4.+0.j, 4.+0.j, 4.+0.j, 4.+0.j],
            [0.+0.j, 0.+0.j, 0.+0.j, 0.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j, 0.+0.j, 0.+0.j, 0.+0.j]])
    """
    if not isinstance(input, Tensor) or not isinstance(window, Tensor | None):
        raise must_be_tensors("stft", input=input, window=input if window is None else window)
    if center and align_to_window is not None:
        raise error("MG204", "stft(): stft align_to_window should only be set when center = false")
    n_fft, hop_length, win_length = lengths("stft", n_fft, hop_length, win_length)
    if input.ndim not in (1, 2):
        raise fault("stft", f"expected a 1D or 2D tensor, but got one of shape {list(input.shape)}")
    signal = unsqueeze(input, 0) if input.ndim == 1 else input
    if center:
        if pad_mode == "reflect" and n_fft // 2 >= signal.shape[1]:
            raise beyond_the_mirror(n_fft // 2, input.shape)
        signal = pad(unsqueeze(signal, 0), (n_fft // 2, n_fft // 2), pad_mode)[0]
    if window is None:
        warn(NO_WINDOW_FOR_STFT)
    complex_result = input.dtype.is_complex or is_complex(window) if return_complex is None else return_complex
    if not complex_result:
        if return_complex is None:
            raise not_said()
        warn(PAIRS_ARE_DEPRECATED)
    if not (input.dtype.is_complex or input.dtype.is_floating_point):
        raise fault("stft", f"expected a tensor of floating point or complex values, but got {input.dtype}", "MG202")
    check_frames(signal.shape[1], n_fft, hop_length, win_length, window)
    if align_to_window:
        signal = aligned(signal, n_fft, hop_length, win_length)
    frames = unfold(signal, 1, n_fft, hop_length)
    if window is not None:
        frames = frames * centred(window, n_fft)
    elif win_length < n_fft:
        frames = frames * centred(input.new_ones(win_length), n_fft)
    out = transpose(transformed(frames, normalized, onesided), 1, 2)
    out = squeeze_dim(out, 0) if input.ndim == 1 else out
    return out if complex_result else view_as_real(out)


def check_frames(length, n_fft, hop_length, win_length, window):
    if not 0 < n_fft <= length:
        raise fault("stft", f"expected 0 < n_fft < {length}, but got n_fft={n_fft}")
    if hop_length <= 0:
        raise fault("stft", f"expected hop_length > 0, but got hop_length={hop_length}")
    if not 0 < win_length <= n_fft:
        raise fault("stft", f"expected 0 < win_length <= n_fft, but got win_length={win_length}")
    if window is not None and tuple(window.shape) != (win_length,):
        raise fault("stft", f"expected a 1D window tensor of size equal to win_length={win_length}, but got window "
                            f"with size {list(window.shape)}")


def aligned(signal, n_fft, hop_length, win_length):
    """Zeros on both sides, so that each window, and not only each frame, lies within."""
    length, left = signal.shape[1], (n_fft - win_length) // 2
    last = (length - win_length) // hop_length * hop_length
    return constant_pad_nd(signal, [left, max(0, last + n_fft - left - length)])


def transformed(frames, normalized, onesided):
    normalization = 1 if normalized else 0
    if frames.dtype.itemsize < 4:
        raise too_narrow("stft", frames.dtype)
    if not frames.dtype.is_complex:
        return fft_r2c(frames, (2,), normalization, onesided is None or bool(onesided))
    if onesided:
        raise no_half("stft")
    return fft_c2c(frames, (2,), normalization, True)


@composite(types="Tensor int int? int? Tensor? bool bool bool? int? bool", out=False)
def istft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None,
          length=None, return_complex=False):
    """The signal of which ``input`` is the short-time Fourier transform, made with the same arguments.

    ``length`` cuts it, or adds zeros at its end.  With ``return_complex=True`` the signal is complex, and all
    frequencies must be given.  The squares of the windows may not add up to zero anywhere.

    >>> window = torch.hann_window(4)
    >>> x = torch.tensor([1., 2., 3., 4., 5., 6.])
    >>> torch.istft(torch.stft(x, 4, window=window, return_complex=True), 4, window=window, length=6)
    tensor([1., 2., 3., 4., 5., 6.])
    """
    if not isinstance(input, Tensor) or not isinstance(window, Tensor | None):
        raise must_be_tensors("istft", input=input, window=input if window is None else window)
    n_fft, hop_length, win_length = lengths("istft", n_fft, hop_length, win_length)
    if window is None:
        warn(NO_WINDOW_FOR_ISTFT)
    onesided = check_spectrum(input, n_fft, hop_length, win_length, window, onesided)
    weights = centred(input.real.new_ones(win_length) if window is None else window, n_fft)
    frames = transpose(unsqueeze(input, 0) if input.ndim == 2 else input, 1, 2)
    frames = back(frames, n_fft, 1 if normalized else 2, onesided, window, return_complex) * weights
    n_frames = frames.shape[1]
    whole = n_fft + hop_length * (n_frames - 1)
    start = n_fft // 2 if center else 0
    end = start + one_int("istft", "length", length) if length is not None else whole - start
    parts = [slice_(unfold_backward(x, (len(x), whole), 1, n_fft, hop_length), 1, start, end, 1)
             for x in (frames, (weights * weights).expand(1, n_frames, n_fft))]
    check_overlap(parts[1])
    out = parts[0] / parts[1]
    out = squeeze_dim(out, 0) if input.ndim == 2 else out
    if end > whole:
        warn(PADDED_WITH_ZEROS)
        out = constant_pad_nd(out, [0, end - whole])
    return out


def check_spectrum(input, n_fft, hop_length, win_length, window, onesided):
    """Whether half of each spectrum is given, after a check of all arguments."""
    if not input.dtype.is_complex:
        raise not_complex(input.dtype)
    if input.ndim not in (2, 3):
        raise fault("istft", f"expected a tensor with 3 or 4 dimensions, but got {input.ndim + 1}, counting real and "
                             f"imaginary parts as one: its shape is {list(input.shape)}")
    if not input.numel():
        raise fault("istft", f"input tensor cannot be empty, but its shape is {list(input.shape)}")
    frequencies = input.shape[-2]
    onesided = frequencies != n_fft if onesided is None else bool(onesided)
    if frequencies != (n_fft // 2 + 1 if onesided else n_fft):
        raise fault("istft", "expected the frequency dimension (3rd to the last) of the input tensor to match "
                             f"n_fft{' / 2 + 1' * onesided} when onesided={onesided}, but got {frequencies} for "
                             f"n_fft={n_fft}")
    if not 0 < hop_length <= win_length:
        raise fault("istft", f"expected 0 < hop_length <= win_length, but got {hop_length} and {win_length}")
    if not 0 < win_length <= n_fft:
        raise fault("istft", f"expected 0 < win_length <= n_fft, but got {win_length} and {n_fft}")
    if window is not None and tuple(window.shape) != (win_length,):
        raise fault("istft", "Invalid window shape. window has to be 1D and length of `win_length`, which is "
                             f"{win_length}, but it has shape {list(window.shape)}")
    return onesided


def back(frames, n_fft, normalization, onesided, window, return_complex):
    """The frames of the signal, not yet weighted."""
    if return_complex:
        if onesided:
            raise no_half("istft")
        return fft_c2c(frames, (2,), normalization, False)
    if is_complex(window):
        raise error("MG204", "istft(): Complex windows are incompatible with return_complex=False: a real signal is "
                             "not the product of a complex window")
    half = frames if onesided else slice_(frames, 2, 0, n_fft // 2 + 1, 1)
    return fft_c2r(half, (2,), normalization, n_fft)


def check_overlap(envelope):
    least = envelope.detach().abs()
    if not least.numel():
        raise fault("istft", "Expected reduction dim to be specified for input.numel() == 0: nothing of the signal is "
                             "left. Give a greater length")
    if least.min() < 1e-11:
        raise fault("istft", "window overlap add min: 1: somewhere the squares of the windows add up to 0, and say "
                             "nothing of the signal there. Take a smaller hop_length, or center=True")


# ------------------------------------------------------------------------------ warnings and errors

NO_WINDOW = ("A window was not provided. A rectangular window will be applied{}"
             "To suppress this warning and use a rectangular window, explicitly set `window=torch.ones(n_fft)`.")
NO_WINDOW_FOR_STFT = NO_WINDOW.format(", which is known to cause spectral leakage. Other windows such as "
                                      "torch.hann_window or torch.hamming_window are recommended to reduce spectral "
                                      "leakage. ")
NO_WINDOW_FOR_ISTFT = NO_WINDOW.format(". Please provide the same window used by stft to make the inversion lossless. ")
PAIRS_ARE_DEPRECATED = ("stft with return_complex=False is deprecated. In a future release, stft will return complex "
                        "tensors for all inputs. torch.view_as_real(stft(..., return_complex=True)) is the same.")
PADDED_WITH_ZEROS = ("The length of signal is shorter than the length parameter. Result is being padded with zeros in "
                     "the tail. Please check your center and hop_length settings.")


def fault(op, what, code="MG204"):
    return error(code, f"{op}(): {what}")


def beyond_the_mirror(around, shape):
    return error("MG204", "stft(): Argument #4: Padding size should be less than the corresponding input dimension, "
                          f"but got: padding ({around}, {around}) of a signal of shape {list(shape)}. Take a smaller "
                          "n_fft, center=False or another pad_mode")


def not_said():
    return error("MG204", "stft(): stft requires the return_complex parameter be given for real inputs, and will "
                          "further require that return_complex=True in a future PyTorch release.")


def not_complex(dtype):
    return error("MG202", "istft(): istft requires a complex-valued input tensor matching the output from stft with "
                          f"return_complex=True, but got {dtype}")


def no_half(op):
    return error("MG204", f"{op}(): Cannot have onesided output if window or input is complex: no half of the "
                          "spectrum repeats the other. Leave onesided out")
