"""What functions refuse, and what they do with rare arguments."""

import re
import warnings

import numpy as np
import torch
import torch.nn.functional as F

ONES, ZEROS = torch.ones, torch.zeros
VAGUE = ("AssertionError", "NotImplementedError", "RuntimeError", "ValueError")


def said(*calls, words=24):
    """What each call returns, warns of, or how it begins to say why it refuses."""
    for what in calls:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                found = what()
            except Exception as wrong:
                kind = next(c.__name__ for c in type(wrong).__mro__ if c.__module__ == "builtins")
                why = " ".join(re.sub(r"^(torch\.)?[\w.]+(\(\))?: ", "", str(wrong)).split())[:words]
                found = f"{'refused' if kind in VAGUE else kind}{f': {why}' if words else ''}"
        for warning in heard:
            found = f"{found} after {warning.category.__name__}"
        print(found)


def refused(*calls):
    """These are refused in other words here, and by PyTorch."""
    said(*calls, words=0)


m, v, x = ONES(2, 2), ONES(2), ONES(2, 3, 4, 4)
E, L = torch.tensor, torch.linalg
print("--- algebra")
said(lambda: torch.einsum("i.j,k", m, v), lambda: torch.einsum("...i...,j", m, v), lambda: torch.einsum("i1,j", m, v),
     lambda: torch.einsum("ij->ii", m), lambda: torch.einsum("ij->k", m), lambda: torch.einsum(m, [..., 0], [...]),
     lambda: torch.einsum(" i j , j ", m, v), lambda: torch.einsum("i?", m),
     lambda: torch.tensordot(m, m, E(1)), lambda: torch.tensordot(m, m, E([[0], [1]])),
     lambda: torch.tensordot(m, m, 1, out=ZEROS(2, 2)),
     lambda: torch.norm(m, 2, 0, False, ZEROS(2)), lambda: L.matrix_norm(m, 2, dtype=torch.float64),
     lambda: torch.ormqr(m, v, m.double()), lambda: torch.ormqr(m, ONES(1), m), lambda: L.svd(m, driver="gesvd"),
     lambda: L.lu_factor(m, pivot=False), lambda: L.pinv(m, atol=E(1j)), lambda: torch.lu_solve(m, m, E([1])),
     lambda: L.lu_solve(m, E([1, 2, 3], dtype=torch.int32), m), lambda: L.ldl_solve(m, v, m),
     lambda: L.lu(m, pivot=False))
refused(lambda: torch.addr(m, v, v, beta=True), lambda: L.pinv(m, rcond=1., atol=1.),
        lambda: L.matrix_rank(m, tol=1., atol=1.), lambda: torch.lobpcg(m, tracker=print))
print("--- networks")
words, table = E([0, 1]), ONES(3, 2)
said(lambda: F.embedding_bag(ONES(2, 2).long(), table, mode="max", scale_grad_by_freq=True),
     lambda: F.embedding_bag(words, table, E([0]), mode="max", scale_grad_by_freq=True),
     lambda: F.embedding_bag(words, table, E([0]), mode="max", sparse=True),
     lambda: F.embedding_bag(words, table, E([0]), mode="other"),
     lambda: F.embedding_bag(words, table, E([0]), per_sample_weights=v, mode="mean"),
     lambda: F.embedding_bag(words, table, E([0]), per_sample_weights=ONES(3), mode="sum"),
     lambda: F.group_norm(x, 2), lambda: torch.native_group_norm(x, None, None, 2, 3, 16, 2, 1e-5),
     lambda: torch.native_group_norm(ZEROS(2, 4, 0), None, None, 2, 4, 0, 2, 1e-5),
     lambda: F.cross_entropy(m, m, ignore_index=1), lambda: F.cross_entropy(ZEROS(0, 2), ZEROS(0).long()),
     lambda: F.nll_loss(ZEROS(0, 2), ZEROS(0).long(), reduction="sum"),
     lambda: F.ctc_loss(ZEROS(0, 1, 2), ONES(1, 1).long(), E([0]), E([1])),
     lambda: F.ctc_loss(ZEROS(2, 1, 2), ONES(1, 1).long(), E([0]), E([0]), reduction="none"),
     lambda: F.ctc_loss(ZEROS(2, 1, 2), ONES(1, 1).long(), E([0]), E([1]), reduction="none"),
     lambda: F.prelu(E(1.), v), lambda: F.prelu(E(-1.), ONES(1)),
     lambda: F.multi_margin_loss(m, words, weight=v.double()),
     lambda: F.multi_margin_loss(m, words, weight=m), lambda: F.bilinear(v, v, ONES(1, 2, 2), v),
     lambda: F.gelu(v, approximate="none"), lambda: F.one_hot(words.to("meta"), 3).shape)
refused(lambda: F.ctc_loss(ZEROS(2, 1, 2), ONES(1, 1).long(), (2,), E([1])))
print("--- positions")
said(lambda: torch.take_along_dim(E(5.), E([0, 0])), lambda: torch.where(E([1, 0], dtype=torch.uint8), 1., 2.),
     lambda: v[np.array([1, 0], np.uint8)], lambda: E(1.)[0], lambda: E(1.)[0, 0],
     lambda: m.index_put((E([0]),), E(3.)), lambda: m.index_put((E([0.]),), v),
     lambda: m[:, E([5])], lambda: m[:, 0, E([0])], lambda: m[E([0]), :, E([0])],
     lambda: torch.narrow(v, 0, 0, -1), lambda: torch.segment_reduce(v, "sum"),
     lambda: torch.segment_reduce(v, "sum", lengths=E([-1, 3])),
     lambda: E([True, False]).scatter_reduce(0, E([0]), E([True]), "amax"),
     lambda: E([True, False]).scatter_reduce(0, E([0]), E([False]), "amin", include_self=False))
print("--- reductions")
said(lambda: ZEROS(0).median(), lambda: torch.searchsorted(v, v, side="left", right=True),
     lambda: torch.histc(v, 2, 5, 3), lambda: torch.amax(E([True, False]), 0), lambda: E([3, 1, 3]).amax())
refused(lambda: v.cumsum_(0, dtype=torch.float64))
print("--- shapes")
said(lambda: torch.view_copy(v, (-2,)), lambda: torch.cat([]), lambda: torch.block_diag(),
     lambda: torch.cat([ZEROS(0)]),
     lambda: F.pad(x, (1, 1), mode="circular", value=2.), lambda: F.pad(x.to("meta"), (1, 1), mode="circular").shape,
     lambda: E(1.).view(torch.int16), lambda: m.t()[:, :1].view(torch.int16), lambda: ONES(2, 3).t().view(torch.int16),
     lambda: ONES(3).view(torch.float64), lambda: x.T.shape, lambda: E(1.).mT, lambda: v.mT, lambda: x.H, lambda: m.H,
     lambda: E(1.).H, lambda: m.movedim((0, 0), (0, 1)), lambda: m.movedim((0, 1), (0, 0)),
     lambda: torch.as_strided_scatter(v, v, (2,), (0,)))
print("--- statistics")
said(lambda: torch.cov(m, fweights=v), lambda: torch.cov(m, aweights=words), lambda: torch.cov(m, fweights=E([-1, 1])),
     lambda: torch.cov(m, fweights=E([0, 0])), lambda: torch.renorm(m, 2, 0, 1j),
     lambda: torch.histogramdd(m, [2, 2], range=[0., 1., 3., 2.]),
     lambda: torch.histogramdd(m, [2, 2], range=[0., float("inf"), 0., 1.]),
     lambda: torch.trapezoid(ONES(2, 3), E([0., 1., 3.])), lambda: torch.trapezoid(m, v, dx=1.),
     lambda: torch.gradient(v, spacing=v), lambda: torch.gradient(m, spacing=[1., 2., 3.]),
     lambda: torch.gradient(m, spacing=[1., 2.], dim=0))
print("--- windows")
said(lambda: torch.convolution(ONES(1, 1, 1, 1, 1, 1), ONES(1, 1, 1, 1, 1, 1), None, [1] * 4,
                                                       [0] * 4, [1] * 4, False, [0] * 4, 1),
     lambda: F.grid_sample(ONES(1, 1, 0, 2), ONES(1, 1, 1, 2)), lambda: F.affine_grid(ONES(1, 2, 3), [1, 1, 0, 2]),
     lambda: F.grid_sample(ONES(1, 1, 2, 2, 2), ONES(1, 1, 1, 1, 3), mode="bicubic"),
     lambda: F.interpolate(x, size=4, recompute_scale_factor=True),
     lambda: F.pixel_shuffle(x, 2 ** 33),
     lambda: F.max_pool2d(x, 3, padding=2),
     lambda: F.max_unpool2d(ONES(1, 1, 1, 1), ZEROS(1, 1, 1, 1).long(), 2, output_size=[1, 2, 3, 4, 5]),
     lambda: F.unfold(x.to("meta"), 2).shape)
x = ONES(8)
said(lambda: torch.stft(x, 4, 2, win_length=2, return_complex=True), lambda: x.apply_(lambda y: y + 1))
print("--- in other words")
x = ONES(2, 3, 4, 4)
refused(lambda: torch.einsum(m, [0, 60], [0]), lambda: torch.tensordot(m, m, ([0, 0], [0, 1])),
        lambda: F.embedding_bag(E([[0, 7]]), table), lambda: F.embedding_bag(words + 7, table, E([0])),
        lambda: F.embedding_bag(words, table, E([], dtype=torch.int64), include_last_offset=True),
        lambda: torch.embedding_bag(table, words, E([0]), per_sample_weights=v.double())[0],
        lambda: torch.repeat_interleave(v, ONES(1, 2).long()), lambda: torch.var(m, unbiased=True, correction=1),
        lambda: torch.as_strided_copy(v, (2,), (1, 1)), lambda: ONES(2, 0).view(torch.float64).shape,
        lambda: torch.histogramdd(m, [2, 2], weight=ONES(3)), lambda: F.conv1d(3, v),
        lambda: F.avg_pool3d(ONES(1, 1, 2, 2, 2), 3), lambda: F.interpolate(x, size=(True, 4)).shape,
        lambda: F.max_pool1d(ONES(1, 4), 2, padding=2))
