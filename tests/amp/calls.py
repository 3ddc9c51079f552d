"""Calls under autocast to bfloat16, by the dtypes of their results: PyTorch 2.13's."""

#: dtypes for operands in float32, bfloat16 and float64, a letter for each output, "!" where it is refused -> calls
CALLS = {
    "f b d": """
        torch.convolution(i, i, None, (1, 1), (0, 0), (1, 1), False, (0, 0), 1) | torch.einsum('ij->ji', m) |
        torch.einsum('i,j->ij', v, v) | torch.mv(m, v) | torch.dot(v, v) | torch.vdot(v, v) | torch.addmv(v, m, v) |
        torch.addr(m, v, v) | torch.outer(v, v) | torch.kron(m, m) | L.matrix_exp(m) | torch.cross(k, k) | m + m |
        m * m | m / m | m ** 2 | torch.exp(m) | torch.sum(m) | torch.mean(m) | torch.var(m) | torch.norm(m) |
        L.norm(m) | L.vector_norm(m) | L.matrix_norm(m) | torch.cumsum(m, 0) | torch.cumprod(m, 0) |
        torch.logsumexp(m, 0) | F.softmax(m, 0) | F.log_softmax(m, 0) | torch.softmax(m, 0) | F.layer_norm(m, (2,)) |
        F.batch_norm(m, None, None, training=True) | F.group_norm(b, 1) | F.instance_norm(b) | F.normalize(m) |
        F.cosine_similarity(m, m) | F.pairwise_distance(m, m) | torch.dist(m, m) | torch.renorm(m, 2, 0, 1.) |
        F.gelu(m) | F.relu(m) | F.silu(m) | F.glu(m) | F.rrelu(m) | F.embedding(torch.tensor([0]), m) |
        F.embedding_bag(torch.tensor([[0]]), m) | F.avg_pool1d(b, 2) | F.avg_pool2d(i, 2) | F.max_pool1d(b, 2) |
        F.max_pool2d(i, 2) | F.adaptive_avg_pool2d(i, 1) | F.adaptive_max_pool2d(i, 1) | F.lp_pool2d(i, 2, 1) |
        F.interpolate(i, 4) | F.pad(i, (1, 1)) | F.pad(j, (1, 1, 1, 1, 1, 1), mode='reflect') |
        F.pad(i, (1, 1, 1, 1), mode='circular') | F.fold(b[:1].reshape(1, 4, 1), 2, 2) | F.unfold(i, 2) | F.dropout(m)
        | F.pixel_shuffle(F.interpolate(i, 2).repeat(1, 2, 1, 1), 2) | F.gaussian_nll_loss(m, m, m) |
        F.multilabel_soft_margin_loss(m, m) | F.triplet_margin_with_distance_loss(m, m, m) | torch.cat([m, m]) |
        torch.cat([m, m.bfloat16()]) | torch.cat([m, t[None]]) | torch.stack([m, m.bfloat16()]) |
        torch.hstack([m, m.bfloat16()]) | torch.where(m > 0, m, m.bfloat16()) | torch.lerp(m, m, .5) |
        torch.add(m, m.bfloat16()) | torch.addcmul(m, m, m) | torch.maximum(m, m) | torch.gather(m, 0, t[None]) |
        torch.index_select(m, 0, t) | torch.scatter(m, 0, t[None], m) | torch.trapz(m) | torch.diff(m) | torch.std(m)
        | torch.median(m) | torch.erf(m) | torch.lgamma(m) | torch.special.entr(m) | torch.rsqrt(m) |
        torch.clamp(m, 0) | torch.tril(m) | torch.roll(m, 1) | torch.flip(m, (0,)) | torch.block_diag(m, m) |
        torch.atleast_3d(m) | torch.cartesian_prod(v, v) | torch.combinations(v) |
        torch.column_stack([m, m.bfloat16()]) | torch.dstack([m, m.bfloat16()]) | torch.vander(v) |
        torch.logcumsumexp(m, 0) | torch.pow(m, 2) | torch.unique(m) | L.diagonal(m) | L.cross(k, k) |
        torch.gru_cell(m, m, torch.ones(6, 2, dtype=m.dtype), torch.ones(6, 2, dtype=m.dtype)) | F.gumbel_softmax(m) |
        torch.native_channel_shuffle(i, 1) | F.local_response_norm(b, 2) | F.rms_norm(m, (2,)) | F.threshold(m, 0, 0)
        | F.hardtanh(m) | F.logsigmoid(m) | F.softmin(m, 0) | F.tanhshrink(m)""",
    "f f d": """
        torch.matrix_power(m, -1) | F.avg_pool3d(j, 1) | F.max_pool3d(j, 1) | F.adaptive_avg_pool3d(j, 1) |
        F.adaptive_max_pool3d(j, 1) | F.lp_pool3d(j, 2, 1) |
        F.max_unpool2d(i, torch.zeros(2, 2, 2, 2, dtype=torch.int64), 1) |
        F.max_unpool1d(b, torch.zeros(2, 2, 2, dtype=torch.int64), 1) |
        F.max_unpool3d(j, torch.zeros(2, 2, 2, 2, 2, dtype=torch.int64), 1) |
        F.fractional_max_pool2d(i, 1, output_size=1) | F.fractional_max_pool3d(j, 1, output_size=1) |
        F.grid_sample(i, i) | torch.grid_sampler(i, i, 0, 0, True) | torch.grid_sampler_2d(i, i, 0, 0, True) |
        F.pad(i, (1, 1, 1, 1), mode='reflect') | F.pad(i, (1, 1, 1, 1), mode='replicate') |
        F.pad(b, (1, 1), mode='reflect') | F.pad(j, (1, 1, 1, 1, 1, 1), mode='replicate') | F.mse_loss(m, m) |
        F.l1_loss(m, m) | F.smooth_l1_loss(m, m) | F.huber_loss(m, m) | F.kl_div(m, m) | F.poisson_nll_loss(m, m) |
        F.cross_entropy(m, t) | F.cross_entropy(m, m) | F.nll_loss(m, t) |
        F.nll_loss(i, torch.zeros(2, 2, 2, dtype=torch.int64)) | F.binary_cross_entropy(p, p) |
        F.binary_cross_entropy_with_logits(m, m) | F.hinge_embedding_loss(m, m) | F.margin_ranking_loss(v, v, v) |
        F.cosine_embedding_loss(m, m, t.to(m.dtype)) | F.soft_margin_loss(m, m) | F.multi_margin_loss(m, t) |
        F.multilabel_margin_loss(m, torch.zeros(2, 2, dtype=torch.int64)) | F.triplet_margin_loss(m, m, m) |
        F.ctc_loss(torch.zeros(3, 1, 2, dtype=m.dtype), t[1:][None], torch.tensor([3]), torch.tensor([1]))
        | torch.prod(m) | torch.prod(m, 0) | m.prod() | torch.quantile(m, .5) | torch.nanquantile(m, .5) |
        torch.trace(m) | torch.cdist(m, m) | torch.fft.irfft(m) | torch.fft.hfft(m) | torch.fft.irfft2(m) |
        torch.fft.irfftn(m) | torch.linalg.cholesky(s) | torch.cholesky(s) | torch.cholesky_inverse(s) |
        torch.cholesky_solve(s, s) | torch.inverse(s) | L.inv(s) | s.inverse() | torch.pinverse(s) | L.eigvalsh(s) |
        L.svdvals(s) | L.solve(s, s) | L.cond(s) | L.cond(s, 1) | L.householder_product(s, v) | torch.orgqr(s, v) |
        torch.ormqr(s, v, s) | L.tensorinv(torch.eye(4, dtype=s.dtype).reshape(2, 2, 2, 2)) |
        L.tensorsolve(torch.eye(4, dtype=s.dtype).reshape(2, 2, 2, 2), s) | torch.cat([m, m.float()]) |
        torch.vstack([m, m.float()]) | torch.cdist(m, m, 1.)""",
    "b b d": """
        torch.mm(m, m) | torch.bmm(b, b) | torch.addmm(m, m, m) | torch.addbmm(m, b, b) | torch.baddbmm(b, b, b) |
        torch.matmul(m, m) | m @ v | v @ v | b @ m | m.mm(m) | m.matmul(m) | L.matmul(m, m) | torch.inner(m, m) |
        torch.tensordot(m, m, 1) | L.vecdot(m, m) | L.multi_dot([m, m, m]) | torch.chain_matmul(m, m) |
        torch.matrix_power(m, 3) | L.matrix_power(m, 3) | F.linear(m, m) | F.linear(m, m, v) | F.conv1d(b, b) |
        F.conv2d(i, i) | F.conv3d(j, j) | F.conv_transpose1d(b, b) | F.conv_transpose2d(i, i) |
        F.conv_transpose3d(j, j) | torch.conv2d(i, i) | torch.conv_tbc(b, b, v[:2], 0) |
        F.conv2d(i, i, padding='same') | F.prelu(m, v[:1]) | torch.prelu(m, v[:1]) |
        F.scaled_dot_product_attention(i, i, i) | torch.einsum('ij,jk->ik', m, m) | torch.einsum('ij,ij->', m, m) |
        torch.cov(m) | torch.corrcoef(m) | F.affine_grid(torch.ones(1, 2, 3, dtype=i.dtype), [1, 1, 2, 2]) |
        torch.rnn_tanh_cell(m, m, m, m)""",
    "c c z": """
        torch.polar(m, m) | torch.view_as_complex(m) |
        torch.stft(torch.ones(8, dtype=m.dtype), 4, return_complex=True) | torch.fft.fft(m) | torch.fft.ifft(m) |
        torch.fft.rfft(m) | torch.fft.ihfft(m) | torch.fft.fft2(m) | torch.fft.ifft2(m) | torch.fft.rfft2(m) |
        torch.fft.fftn(m) | torch.fft.ifftn(m) | torch.fft.rfftn(m) | L.eigvals(s)""",
    "f ! d": """
        torch.det(m) | torch.logdet(m) | torch.fft.hfft2(m) | torch.fft.hfftn(m) |
        L.solve_triangular(s, s, upper=True)""",
    "ff ff dd": """
        L.eigh(s) | L.qr(s) | torch.qr(s) | torch.triangular_solve(s, s) | torch.geqrf(s)""",
    "fi bi di": """
        torch.sort(m) | torch.topk(m, 1) | torch.max(m, 0) | torch.mode(m)""",
    "fj ! dj": """
        L.lu_factor(m) | L.solve_ex(s, s) | L.ldl_factor(s)""",
    "f f f": """
        torch.histc(m.float()) | torch.istft(torch.stft(torch.ones(8), 4, return_complex=True), 4) |
        F.linear(m, m).float()""",
    "ff bb dd": """
        torch.std_mean(m) | torch.meshgrid(v, v) |
        torch.lstm_cell(m, (m, m), torch.ones(8, 2, dtype=m.dtype), torch.ones(8, 2, dtype=m.dtype))""",
    "f ! !": """
        F.bilinear(m, m, torch.ones(2, 2, 2)) | L.lu_solve(*L.lu_factor(s.float()), s)""",
    "c ! z": """
        torch.fft.ihfft2(m) | torch.fft.ihfftn(m)""",
    "fj fj dj": """
        L.cholesky_ex(s) | L.inv_ex(s)""",
    "fff fff ddd": """
        L.svd(s) | torch.svd(s)""",
    "f f !": """
        torch.lu_solve(s, *L.lu_factor(s.float())) | m.index_copy(0, t, m.float())""",
    "i i i": """
        L.matrix_rank(s) | torch.bucketize(m, v)""",
    "d d d": """
        torch.cat([m, m.double()]) | torch.float_power(m, 2)""",
    "bff bff ddd": """
        torch.pca_lowrank(m, 1) | torch.svd_lowrank(m, 1)""",
    "ff ! dd": """
        L.slogdet(m)""",
    "fff ! ddd": """
        L.lu(m)""",
    "cc cc zz": """
        L.eig(s)""",
    "ffif ffif ddid": """
        L.lstsq(s, s)""",
    "f b !": """
        torch.index_copy(m, 0, t, m.bfloat16())""",
    "bb bb !": """
        F.multi_head_attention_forward(b, b, b, 2, 2, torch.ones(6, 2), torch.ones(6), None, None, False, 0., m, v)""",
}
