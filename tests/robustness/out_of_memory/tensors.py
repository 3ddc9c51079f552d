"""Scenarios of what is done with tensors: families of operations, random numbers, files, other libraries, printing."""

import io
import pickle
import tempfile
from pathlib import Path

import numpy as np

import minigrad as torch
from minigrad import array_api
from minigrad.linalg import low_rank
from minigrad.serialization import safetensors
from tests.robustness.out_of_memory.passes import leaf

FOLDER = tempfile.TemporaryDirectory()
A = torch.tensor([[4., 1., 0.], [1., 3., 1.], [0., 1., 2.]], dtype=torch.float64, requires_grad=True)
B = torch.tensor([[1., 2.], [0., 1.], [3., -1.]], dtype=torch.float64, requires_grad=True)
WAVE = leaf(*[0.3 * i * i % 1.7 for i in range(16)])
Z = torch.tensor([1 + 2j, -0.5 + 1j, 3 - 1j], dtype=torch.complex128, requires_grad=True)
P = leaf(0.2, 0.5, 0.7)
NUMBERS = np.arange(12.).reshape(3, 4)
STATE = {"weight": torch.arange(6.).reshape(2, 3), "bias": torch.ones(2, dtype=torch.float64), "step": 3}

FILE = io.BytesIO()
torch.save(STATE, FILE)
WRITTEN = FILE.getvalue()


def slopes(y, *inputs):
    """The result with its gradients."""
    return y, torch.autograd.grad(y.abs().sum() if y.is_complex() else y.sum(), inputs)


def matrices():
    L = torch.linalg.cholesky(A)
    Q, R = torch.linalg.qr(B)
    return slopes((L.sum() + Q.sum() + R.sum() + torch.linalg.det(A) + torch.linalg.inv(A).sum()
                   + torch.linalg.solve(A, B).sum() + torch.linalg.slogdet(A).logabsdet), A, B)


def spectra_of_matrices():
    values, vectors = torch.linalg.eigh(A)
    return slopes(values.sum() + vectors.abs().sum() + torch.linalg.svdvals(B).sum() + torch.linalg.pinv(B).sum()
                  + torch.linalg.matrix_exp(A / 9).sum() + torch.linalg.eigvals(A).real.sum()
                  + torch.linalg.lstsq(B, A).solution.sum() + torch.linalg.norm(B, "nuc"), A, B)


def complex_matrices():
    H = A * (1 + 0j) + 1j * torch.triu(A, 1) - 1j * torch.triu(A, 1).mT
    return slopes(torch.linalg.solve(H, B + 0j).abs().sum() + torch.linalg.svd(H).S.sum()
                  + torch.linalg.eigh(H).eigenvalues.sum() + torch.linalg.qr(H).R.abs().sum(), A, B)


def products():
    return slopes(torch.einsum("ij,jk,ik->k", A, B, B).sum() + torch.tensordot(A, B, dims=1).sum()
                  + torch.kron(A, B).sum() + torch.linalg.multi_dot([A, A, B]).sum() + torch.cdist(A, B.mT @ A).sum()
                  + torch.baddbmm(A[None], A[None], A[None]).sum() + torch.outer(A[0], B[:, 0]).sum(), A, B)


def fourier():
    spectrum = torch.fft.fft(WAVE)
    back = torch.fft.irfft(torch.fft.rfft(WAVE) * 2, n=16)
    windowed = torch.stft(WAVE, n_fft=8, hop_length=4, window=torch.hann_window(8, dtype=torch.float64),
                          return_complex=True)
    return slopes(spectrum.abs().sum() + back.sum() + windowed.abs().sum()
                  + torch.fft.fftn(WAVE.reshape(4, 4)).real.sum() + torch.fft.fftshift(spectrum).imag[3], WAVE)


def special_functions():
    s = torch.special
    return slopes(s.gammaln(P) + s.digamma(P) + s.erf(P) + s.erfinv(P) + s.i0(P) + s.i1e(P)
                  + s.xlogy(P, P) + s.logit(P) + s.ndtri(P) + s.polygamma(1, P) + s.entr(P) + s.expit(P) + s.sinc(P)
                  + s.multigammaln(P + 2, 2) + s.log_ndtr(P) + s.erfcx(P), P), s.bessel_j0(P.detach())


def complex_numbers():
    return slopes((Z * Z.conj()).real + Z.angle() + torch.view_as_real(Z).sum(-1) + torch.polar(Z.abs(), Z.imag).real
                  + Z.exp().abs() + torch.sgn(Z).imag, Z)


def statistics():
    return slopes(WAVE.std() + WAVE.var(0) + WAVE.logsumexp(0) + WAVE.quantile(0.3) + WAVE.median()
                  + torch.cov(WAVE.reshape(4, 4)).sum() + WAVE.cumsum(0)[3] + WAVE.prod() + WAVE.norm(3)
                  + torch.trapezoid(WAVE) + WAVE.nansum() + torch.histc(WAVE.detach(), 4).sum(), WAVE)


def ordering():
    values, places = WAVE.sort(descending=True)
    unique, inverse, counts = torch.unique((WAVE.detach() * 3).long(), return_inverse=True, return_counts=True)
    return places, unique, inverse, counts, slopes(
        values[:3].sum() + WAVE.topk(4).values.sum() + WAVE.kthvalue(5).values + WAVE.cummax(0).values.sum()
        + WAVE.reshape(4, 4).argsort(1)[0].sum() + torch.searchsorted(values.flip(0).detach(), P).sum(), WAVE)


def subscripts():
    y = WAVE.reshape(4, 4) * 1
    y[1:3, [0, 2]] = 5.
    y[y > 1] *= 2
    y[..., None][0] = 0
    return slopes(y[[0, 1, 2], [1, 2, 3]].sum() + y[y < 0.5].sum() + y.gather(1, torch.tensor([[0], [1], [2]])).sum()
                  + y.index_select(0, torch.tensor([1, 1])).sum() + y.take(torch.tensor([3, 4])).sum()
                  + y.scatter_add(0, torch.tensor([[0, 1, 2, 3]]), y).sum() + y.masked_fill(y > 1, 0).sum()
                  + y.index_add(1, torch.tensor([0, 1]), y[:, :2]).sum() + y.diagonal().sum(), WAVE)


def shapes():
    y = WAVE.reshape(2, 2, 4)
    return slopes(torch.cat([y, y.flip(0)], 1).sum() + torch.stack([y, y]).sum() + y.permute(2, 0, 1)[0].sum()
                  + sum(part.sum() for part in y.chunk(2, 2)) + y.unfold(2, 2, 1).sum() + y.roll(1, 0)[0, 0, 0]
                  + y.repeat(2, 1, 1).sum() + y.expand(3, 2, 2, 4).sum() + y.as_strided((3, 2), (2, 1)).sum()
                  + torch.nn.functional.pad(y, (1, 1), mode="reflect").sum() + y.tril().sum() + y.rot90()[0].sum()
                  + torch.meshgrid(P, P, indexing="ij")[0].sum() + torch.block_diag(A, B).sum(), WAVE)


def whole_numbers():
    n = torch.arange(1, 7)
    return (n // 2, n % 4, n << 1, n & 3, n ^ 5, torch.gcd(n, n + 2), n.bincount(), n.float().half(), n.to(torch.uint8),
            torch.isin(n, n[:2]), torch.bitwise_not(n), n.bool().any(), n.cumprod(0), torch.combinations(n[:3]))


def made():
    return (torch.zeros(2, 3), torch.linspace(0, 1, 5), torch.eye(3), torch.full((2,), 7), torch.arange(0, 1, 0.25),
            torch.logspace(0, 1, 3), torch.tensor([[1, 2], [3, 4]]), torch.ones_like(A), torch.tril_indices(3, 3),
            torch.hann_window(5), torch.signal.windows.kaiser(5), torch.fft.fftfreq(4), torch.as_tensor(NUMBERS),
            torch.complex(torch.ones(2), torch.zeros(2)), A.new_zeros(2), torch.vander(P))


def random_numbers():
    torch.manual_seed(3)
    own = torch.Generator().manual_seed(4)
    return (torch.rand(3), torch.randn(2, 2, generator=own), torch.randint(0, 9, (3,)), torch.randperm(5),
            torch.multinomial(torch.ones(4), 2), torch.bernoulli(P), torch.poisson(P), torch.normal(P.detach(), 1.),
            torch.empty(3).uniform_().exponential_(), torch.dropout(WAVE, 0.5, True), own.get_state())


def low_ranks():
    torch.manual_seed(5)
    return torch.linalg.svdvals(A), [s.abs() for s in low_rank.svd_lowrank(A.detach(), q=3)][1]


def numpy_arrays():
    shared = torch.from_numpy(NUMBERS)
    return (shared.numpy(), np.asarray(shared), np.sin(shared), np.concatenate([shared, shared]),
            np.mean(shared, axis=0), NUMBERS * shared, shared.__array__(), np.add(shared, 1),
            shared.tolist(), float(shared[0, 1]),
            torch.tensor(NUMBERS[::2]), np.ma.masked_array(NUMBERS, NUMBERS > 3).sum())


def dlpack():
    return torch.from_dlpack(NUMBERS), np.from_dlpack(torch.from_numpy(NUMBERS)), torch.utils.dlpack.from_dlpack(
        torch.utils.dlpack.to_dlpack(torch.ones(2)))


def array_standard():
    x = array_api.asarray([1., 2., 3.])
    return (array_api.sum(array_api.sin(x)), array_api.concat([x, x]), array_api.unique_values(x), array_api.std(x),
            array_api.linalg.vecdot(x, x), array_api.fft.fft(x + 0j), array_api.result_type(x, x))


def printed():
    return (repr(A), str(WAVE * 1), f"{Z[0].detach()}", repr(torch.arange(3)), repr(torch.ones(40, 40)),
            repr(A.grad_fn), repr(torch.tensor([True])), format(P[0].detach(), ".2f"),
            repr(torch.float32), repr(A.shape))


OLD = [(Path(__file__).parents[2] / "parity" / "records" / name).read_bytes()
       for name in ("before_zip.mg", "pytorch_before_zip.pt")]


def saving():
    file = io.BytesIO()
    torch.save(STATE, file)
    return file.tell()


def loading():
    return torch.load(io.BytesIO(WRITTEN)), torch.load(io.BytesIO(WRITTEN), weights_only=False), *[
        torch.load(io.BytesIO(old)) for old in OLD]


def saving_to_a_file():
    path = Path(FOLDER.name, "state.pt")
    torch.save(STATE, path)
    return torch.load(path, mmap=True)["weight"].sum()


def pickled():
    return pickle.loads(pickle.dumps((A, torch.ones(2), torch.float64)))


def safe_tensors():
    tensors = {name: STATE[name] for name in ("weight", "bias")}
    path = Path(FOLDER.name, "state.safetensors")
    safetensors.save_file(tensors, path, metadata={"from": "here"})
    return safetensors.load_file(path), safetensors.load(safetensors.save(tensors))


def without_memory():
    x = torch.empty(3, 4, device="meta")
    return (x @ x.mT).shape, x.sum(0).shape


def storages():
    y = WAVE.detach().clone()
    return y.set_(torch.ones(3, dtype=torch.float64)), torch.empty(2).copy_(torch.ones(2)), y.storage_offset()


def kinds_of_numbers():
    return (torch.promote_types(torch.int8, torch.float16), torch.finfo(torch.float32).eps,
            torch.iinfo(torch.int16).max, torch.result_type(A, 1j), torch.ones(2, dtype=torch.bfloat16) + 1,
            A.detach().to(torch.float16).sum(),
            torch.tensor([1.5]).type(torch.int32),
            torch.ones(2, 2, 2, 2).to(memory_format=torch.channels_last).stride())


SCENARIOS = (matrices, spectra_of_matrices, complex_matrices, products, fourier, special_functions, complex_numbers,
             statistics, ordering, subscripts, shapes, whole_numbers, made, random_numbers, low_ranks, numpy_arrays,
             dlpack, array_standard, printed, saving, loading, saving_to_a_file, pickled, safe_tensors, without_memory,
             storages, kinds_of_numbers)
