"""Made by `make stubs` from the table of derivatives: which rows each file has, and what they are called.

With it, a file is imported when one of its rows is first used: lazy.py.  What is not a row is named by the first place
where it is found, as ``minigrad.matmul`` and ``Tensor.index_put_``.
"""

#: file -> its rows, and its composites
FILES = {
    "copying": (
        "zeros_of _to_copy from_meta to_meta to_device as_multiplied laid_out zero fill.Scalar fill.Tensor copy",
        ""),
    "elementwise.comparison": (
        "eq ne lt le gt ge isclose isnan isinf isfinite isposinf isneginf isreal signbit logical_and logical_or "
        "logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift "
        "bitwise_right_shift",
        "minigrad.allclose minigrad.equal minigrad.is_same_size minigrad.is_nonzero minigrad.is_signed"),
    "elementwise.arithmetic": (
        "keep divide_or_zero times_or_zero add sub rsub.Scalar rsub.Tensor neg mul reciprocal lerp.Scalar lerp.Tensor "
        "addcmul addcdiv",
        "minigrad.positive"),
    "elementwise.division": (
        "div.mode div true_divide floor_divide remainder.Scalar remainder.Tensor fmod.Scalar fmod.Tensor",
        ""),
    "elementwise.powers": (
        "pow_slope pow.Tensor_Scalar pow.Tensor_Tensor pow_tensor_slope pow.Scalar rises times_log to_doubles square "
        "sqrt rsqrt",
        "minigrad.float_power Tensor.float_power_"),
    "elementwise.elementary": (
        "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 radius hypot deg2rad rad2deg sinh cosh "
        "tanh_backward tanh hypotenuse asinh acosh atanh sigmoid_backward sigmoid sinc_derivative sinc",
        ""),
    "elementwise.special": (
        "erf erfc special_ndtr lgamma digamma polygamma logit_slope logit xlogy logaddexp",
        "minigrad.polygamma"),
    "elementwise.piecewise": (
        "sign floor ceil trunc round round.decimals frac copysign copysign.Scalar heaviside nan_to_num halved_at_ties "
        "maximum minimum fmax fmin clamp_share clamp clamp.Tensor clamp_min clamp_min.Tensor clamp_max "
        "clamp_max.Tensor",
        ""),
    "elementwise.binary": (
        "frexp ldexp nextafter logaddexp2 gcd lcm",
        ""),
    "elementwise.complex": (
        "real imag complex polar view_as_real view_as_complex pairs_to_complex conj conj_physical times_i sgn abs "
        "angle",
        "minigrad.conj minigrad.conj_physical minigrad.resolve_conj minigrad.resolve_neg minigrad.is_conj "
        "minigrad.is_neg Tensor.absolute_ Tensor.abs_"),
    "elementwise.normal": (
        "erfcx_slope special_erfcx hazard_gap hazard special_log_ndtr special_ndtri erfinv special_entr "
        "special_xlog1py",
        ""),
    "elementwise.gammas": (
        "underived gamma_density igamma igammac special_zeta mvlgamma_derivative mvlgamma",
        ""),
    "elementwise.gamma_draws": (
        "standard_gamma_grad dirichlet_grad",
        ""),
    "elementwise.bessel": (
        "bessel_i bessel_ie i0 special_i0e special_i1 special_i1e special_modified_bessel_i0 "
        "special_modified_bessel_i1 special_modified_bessel_k0 special_modified_bessel_k1 "
        "special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1 special_bessel_j0 special_bessel_j1 "
        "special_bessel_y0 special_bessel_y1 special_spherical_bessel_j0 special_airy_ai",
        ""),
    "elementwise.polynomials": (
        "special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v "
        "special_chebyshev_polynomial_w special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u "
        "special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w special_hermite_polynomial_h "
        "special_hermite_polynomial_he special_laguerre_polynomial_l special_legendre_polynomial_p",
        ""),
    "shapes.reshaping": (
        "reshape_to view unsafe_view view.dtype clone alias",
        "minigrad.reshape minigrad.reshape_as minigrad.view_as minigrad.flatten minigrad.ravel minigrad.unflatten "
        "minigrad.detach minigrad.contiguous Tensor.resize Tensor.resize_as"),
    "shapes.transposing": (
        "transpose t permute unpermute squeeze squeeze.dim squeeze.dims unsqueeze",
        "minigrad.adjoint minigrad.movedim"),
    "shapes.broadcasting": (
        "expand sum_to",
        "minigrad.expand_as minigrad.sum_to_size minigrad.broadcast_tensors"),
    "shapes.slicing": (
        "select select_backward select_keep select_scatter slice slice_backward slice_keep slice_scatter diagonal "
        "diagonal_backward diagonal_keep diagonal_scatter",
        "minigrad.narrow"),
    "shapes.splitting": (
        "unbind unbind_backward split_equal split_backward split_with_sizes split_with_sizes_backward",
        "minigrad.split minigrad.chunk minigrad.tensor_split minigrad.hsplit minigrad.vsplit minigrad.dsplit"),
    "shapes.windows": (
        "unfold unfold_backward as_strided_view as_strided_backward as_strided_again as_strided_keep "
        "as_strided_scatter_at",
        "minigrad.as_strided minigrad.as_strided_scatter minigrad.slice_inverse Tensor.as_strided_"),
    "shapes.copies": (
        "alias_copy diagonal_copy expand_copy permute_copy select_copy slice_copy squeeze_copy squeeze_copy.dim "
        "squeeze_copy.dims t_copy transpose_copy unfold_copy unsqueeze_copy view_as_complex_copy view_as_real_copy "
        "view_copy view_copy.dtype split_copy split_with_sizes_copy unbind_copy unsafe_split unsafe_split_with_sizes",
        "minigrad.as_strided_copy minigrad.detach_copy minigrad.narrow_copy minigrad.unsafe_chunk"),
    "shapes.joining": (
        "cat cat_backward cat_given stack block_diag_list block_diag_given block_diag_backward",
        "minigrad.hstack minigrad.vstack minigrad.dstack minigrad.column_stack minigrad.atleast_1d "
        "minigrad.atleast_2d minigrad.atleast_3d minigrad.block_diag minigrad.meshgrid minigrad.cartesian_prod"),
    "shapes.arranging": (
        "repeat repeat_backward flip rot90 roll unroll tril triu diag_embed",
        "minigrad.tile minigrad.fliplr minigrad.flipud minigrad.diag minigrad.diagflat"),
    "shapes.padding": (
        "constant_pad_nd constant_unpad reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d "
        "replication_pad2d replication_pad3d circular_pad1d circular_pad2d circular_pad3d pad_backward pad_again",
        "minigrad.nn.functional.pad"),
    "positions.indexing": (
        "index index_backward index_put_at index_erase",
        "minigrad.index_put Tensor.index_put_"),
    "positions.gathering": (
        "gather gather_backward gather_into scatter.src scatter.value scatter.reduce scatter.value_reduce scatter_add "
        "counted_from_start take take_backward put put_backward",
        "minigrad.take_along_dim"),
    "positions.parts": (
        "index_select index_select_backward index_add index_copy index_fill.int_Scalar index_fill.int_Tensor "
        "index_keep repeated_index",
        "minigrad.repeat_interleave minigrad.combinations"),
    "shapes.storage": (
        "",
        "Tensor.set_ Tensor.resize_ Tensor.resize_as_"),
    "positions.embedding": (
        "embedding_rows embedding_backward embedding_again one_hot",
        "minigrad.embedding_renorm_ minigrad.embedding minigrad.nn.functional.embedding"),
    "positions.masking": (
        "where.self where argwhere masked_fill.Scalar masked_fill.Tensor masked_select masked_select_backward "
        "masked_scatter masked_read masked_write",
        "minigrad.nonzero"),
    "positions.subscripting": (
        "",
        ""),
    "positions.places": (
        "isin nonzero_static",
        "minigrad.unravel_index"),
    "inplace_only": (
        "",
        "Tensor.fill_diagonal_ Tensor.apply_ Tensor.map_ Tensor.map2_"),
    "reductions.cumulative": (
        "reverse_cumsum cumsum shift shift_in scan scan_back exclusive_cumprod cumprod share logcumsumexp cummax "
        "cummin",
        "minigrad.diff Tensor.cumsum_ Tensor.cumprod_"),
    "reductions.totals": (
        "expand_reduced restore_dims sum sum.dim_IntList mean mean.dim mean_backward nansum prod prod.dim_int "
        "product_of_others all any count_nonzero deviation var_over std_over logsumexp",
        "minigrad.nanmean minigrad.var minigrad.std minigrad.var_mean minigrad.std_mean"),
    "reductions.extremes": (
        "spread_to_ties collect_from_ties put_along take_along amax amin max max.dim min min.dim argmax argmin",
        "minigrad.aminmax"),
    "reductions.at_positions": (
        "scatter_targets scatter_sources index_targets mean_counts old_counts extreme_ties factor_order is_old "
        "old_number new_number factor_target begins scatter_reduce_at index_reduce_at",
        "minigrad.scatter_reduce minigrad.index_reduce minigrad.segment_reduce Tensor.scatter_reduce_ "
        "Tensor.index_reduce_"),
    "algebra.products": (
        "adjoint mm mm.by_columns bmm times mv outer_product dot vdot vecdot without_dim scaled_back addmm "
        "addmm.by_columns addmv baddbmm addr on_diagonal trace",
        "minigrad.matmul minigrad.addbmm minigrad.linalg.vecdot Tensor.addbmm_"),
    "algebra.einsum": (
        "",
        "minigrad.einsum minigrad.outer minigrad.inner minigrad.tensordot minigrad.kron"),
    "algebra.matrices": (
        "identity_like unit_lower nothing_like off_diagonal gaps check_phase check_basis",
        ""),
    "algebra.lu_and_triangular": (
        "solve_triangular lu_rows plu permutation exchanged exchanged_back unpacked check_pivots",
        "minigrad.triangular_solve minigrad.lu minigrad.lu_unpack minigrad.lu_solve minigrad.linalg.solve_triangular "
        "minigrad.linalg.lu minigrad.linalg.lu_factor minigrad.linalg.lu_factor_ex minigrad.linalg.lu_solve"),
    "algebra.solving": (
        "linalg_inv cofactors linalg_det infinite_inverse slogdet_size slogdet_real complex_logdet solve_matrices "
        "solve_again solve_kept mirrored folded turned linalg_cholesky",
        "minigrad.matrix_power minigrad.det minigrad.slogdet minigrad.logdet minigrad.cholesky "
        "minigrad.linalg.slogdet minigrad.linalg.solve"),
    "algebra.reporting": (
        "inverse_ex solve_ex one_or_nan cholesky_ex check_info",
        "minigrad.linalg.inv_ex minigrad.linalg.solve_ex minigrad.linalg.cholesky_ex"),
    "algebra.singular": (
        "singular_values singular_values_kept spectral_kept spectral spectral_diagonal spectral_turn svd_thin "
        "svd_whole zero_squares",
        "minigrad.svd minigrad.linalg.svd minigrad.linalg.svdvals"),
    "algebra.eigen": (
        "eigh_lower eigh_upper eigvalsh_lower eigvalsh_upper eig eigvals",
        "minigrad.lobpcg minigrad.linalg.eigh minigrad.linalg.eigvalsh minigrad.linalg.eig minigrad.linalg.eigvals"),
    "algebra.orthogonal": (
        "qr_rows qr_r geqrf reflected",
        "minigrad.qr minigrad.orgqr minigrad.ormqr minigrad.linalg.qr minigrad.linalg.householder_product"),
    "algebra.norms": (
        "power_of_abs signed_power norm_0 norm_1 norm_2 norm_inf norm_p",
        "minigrad.norm minigrad.nuclear_norm minigrad.frobenius_norm minigrad.norm_except_dim minigrad.dist "
        "minigrad.linalg.vector_norm minigrad.linalg.matrix_norm minigrad.linalg.norm Tensor.norm"),
    "algebra.symmetric": (
        "ldl_rows check_blocks ldl_solve_rows",
        "minigrad.cholesky_solve minigrad.cholesky_inverse minigrad.linalg.ldl_factor minigrad.linalg.ldl_factor_ex "
        "minigrad.linalg.ldl_solve"),
    "algebra.pseudoinverses": (
        "pinv_numbers pinv_tensors constant_like gt_zero infinite lstsq_rows",
        "minigrad.pinverse minigrad.linalg.pinv minigrad.linalg.matrix_rank minigrad.linalg.cond "
        "minigrad.linalg.lstsq"),
    "algebra.crossing": (
        "cross_rows",
        "minigrad.cross minigrad.linalg.cross minigrad.linalg.diagonal"),
    "reductions.sorting": (
        "sort argsort topk kthvalue median median.dim nanmedian nanmedian.dim mode distinct distinct_runs search "
        "bincount histc",
        "minigrad.msort minigrad.unique minigrad.unique_consecutive minigrad.searchsorted minigrad.bucketize"),
    "algebra.functions": (
        "matrix_exp_differential matrix_exp_rows ones_of",
        "minigrad.matrix_exp minigrad.chain_matmul minigrad.vander minigrad.linalg.matrix_exp "
        "minigrad.linalg.multi_dot minigrad.linalg.vander minigrad.linalg.tensorinv minigrad.linalg.tensorsolve"),
    "algebra.removed": (
        "",
        "minigrad.symeig minigrad.eig minigrad.lstsq minigrad.solve minigrad.matrix_rank"),
    "statistics.quantiles": (
        "",
        "minigrad.quantile minigrad.nanquantile"),
    "statistics.covariances": (
        "",
        "minigrad.cov minigrad.corrcoef"),
    "statistics.integrals": (
        "",
        "minigrad.trapezoid minigrad.trapz minigrad.cumulative_trapezoid minigrad.gradient"),
    "statistics.histograms": (
        "counted read_counts",
        "minigrad.histogram minigrad.histogramdd"),
    "statistics.distances": (
        "distances_backward distances square_of_pairs pairs_of_square distances_of_pairs distances_by_products",
        "minigrad.cdist minigrad.pdist minigrad.renorm Tensor.renorm_"),
    "fourier.pairs": (
        "_fft_c2c _fft_c2c_backward _fft_r2c _fft_r2c_backward _fft_c2r _fft_c2r_backward",
        ""),
    "fourier.transforms": (
        "",
        "minigrad.fft.fft minigrad.fft.ifft minigrad.fft.rfft minigrad.fft.irfft minigrad.fft.hfft minigrad.fft.ihfft"),
    "fourier.many_dims": (
        "",
        "minigrad.fft.fft2 minigrad.fft.ifft2 minigrad.fft.rfft2 minigrad.fft.irfft2 minigrad.fft.hfft2 "
        "minigrad.fft.ihfft2 minigrad.fft.fftn minigrad.fft.ifftn minigrad.fft.rfftn minigrad.fft.irfftn "
        "minigrad.fft.hfftn minigrad.fft.ihfftn minigrad.fft.fftshift minigrad.fft.ifftshift"),
    "fourier.spectrograms": (
        "",
        "minigrad.stft minigrad.istft"),
    "networks.activation": (
        "threshold_backward relu threshold hardtanh_backward hardtanh relu6 leaky_relu_slope leaky_relu elu_slope elu "
        "selu celu gelu_backward gelu silu softplus_slope softplus logsigmoid mish",
        "minigrad.nn.functional.softsign minigrad.nn.functional.tanhshrink"),
    "networks.shrinking": (
        "beyond hardshrink softshrink inside hardsigmoid hardswish_slope hardswish",
        ""),
    "networks.gates": (
        "half half_backward glu_backward glu not_above_zero prelu_backward prelu_kernel rrelu_with_noise",
        "minigrad.prelu"),
    "networks.softmax": (
        "softmax_backward log_softmax_backward softmax log_softmax",
        "minigrad.softmax minigrad.log_softmax minigrad.nn.functional.softmax minigrad.nn.functional.log_softmax "
        "minigrad.nn.functional.softmin"),
    "networks.loss": (
        "share_of weighted times_excess mse_loss smooth_l1_loss huber_loss binary_cross_entropy_slope "
        "binary_cross_entropy logit_loss_slope binary_cross_entropy_with_logits",
        "minigrad.binary_cross_entropy_with_logits minigrad.nn.functional.mse_loss minigrad.nn.functional.l1_loss "
        "minigrad.nn.functional.smooth_l1_loss minigrad.nn.functional.huber_loss "
        "minigrad.nn.functional.binary_cross_entropy minigrad.nn.functional.binary_cross_entropy_with_logits"),
    "networks.classification": (
        "nll_loss_backward nll_loss nll_loss2d",
        "minigrad.nn.functional.nll_loss minigrad.nn.functional.cross_entropy "
        "minigrad.nn.functional.linear_cross_entropy"),
    "networks.normalization": (
        "spread_parameter parameter_sum scaled line_mean line_deviation standardized norm_backward "
        "norm_weight_backward native_layer_norm rms_norm",
        "minigrad.native_layer_norm minigrad.layer_norm minigrad.rms_norm minigrad.nn.functional.layer_norm "
        "minigrad.nn.functional.rms_norm"),
    "networks.channel_norms": (
        "native_group_norm channel_scale native_batch_norm native_batch_norm.fixed",
        "minigrad.native_group_norm minigrad.group_norm minigrad.native_batch_norm minigrad.batch_norm "
        "minigrad.instance_norm minigrad.nn.functional.group_norm minigrad.nn.functional.batch_norm "
        "minigrad.nn.functional.instance_norm minigrad.nn.functional.local_response_norm"),
    "networks.similarity": (
        "",
        "minigrad.cosine_similarity minigrad.pairwise_distance minigrad.bilinear"),
    "networks.bags": (
        "embedding_bags largest_in_bags bag_sums bag_spread bag_products uses_of_rows divided_by_use",
        "minigrad.embedding_bag minigrad.nn.functional.embedding_bag"),
    "windows.convolution": (
        "conjugate convolve convolve_back convolve_weight",
        "minigrad.conv1d minigrad.conv2d minigrad.conv3d minigrad.conv_transpose1d minigrad.conv_transpose2d "
        "minigrad.conv_transpose3d minigrad.convolution minigrad.conv_tbc"),
    "windows.folding": (
        "columns_of image_of",
        "minigrad.nn.functional.unfold minigrad.nn.functional.fold"),
    "windows.pooling": (
        "put_in_planes read_in_planes max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices "
        "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d fractional_max_pool2d fractional_max_pool3d "
        "avg_pool_backward avg_pool_again avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool_backward "
        "adaptive_avg_pool_again adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d",
        "minigrad.max_pool1d minigrad.max_pool2d minigrad.max_pool3d minigrad.max_pool1d_with_indices "
        "minigrad.adaptive_max_pool1d minigrad.nn.functional.max_pool1d_with_indices "
        "minigrad.nn.functional.max_pool1d minigrad.nn.functional.adaptive_max_pool1d_with_indices "
        "minigrad.nn.functional.adaptive_max_pool1d minigrad.nn.functional.max_pool2d_with_indices "
        "minigrad.nn.functional.max_pool2d minigrad.nn.functional.adaptive_max_pool2d_with_indices "
        "minigrad.nn.functional.adaptive_max_pool2d minigrad.nn.functional.max_pool3d_with_indices "
        "minigrad.nn.functional.max_pool3d minigrad.nn.functional.adaptive_max_pool3d_with_indices "
        "minigrad.nn.functional.adaptive_max_pool3d minigrad.nn.functional.adaptive_avg_pool2d "
        "minigrad.nn.functional.adaptive_avg_pool3d minigrad.nn.functional.lp_pool1d minigrad.nn.functional.lp_pool2d "
        "minigrad.nn.functional.lp_pool3d"),
    "windows.unpooling": (
        "unpool",
        "minigrad.nn.functional.max_unpool1d minigrad.nn.functional.max_unpool2d minigrad.nn.functional.max_unpool3d"),
    "windows.resizing": (
        "resize_backward upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_nearest_exact1d "
        "upsample_nearest_exact2d upsample_nearest_exact3d upsample_linear1d upsample_bilinear2d upsample_trilinear3d "
        "upsample_bicubic2d upsample_bilinear2d_aa upsample_bicubic2d_aa upsample_lanczos2d_aa resize_again",
        "minigrad.nn.functional.interpolate minigrad.nn.functional.upsample minigrad.nn.functional.upsample_nearest "
        "minigrad.nn.functional.upsample_bilinear"),
    "windows.grids": (
        "sample_order sample_back sample_slope grid_sampler_2d grid_sampler_3d affine_grid_generator "
        "affine_grid_backward",
        "minigrad.grid_sampler minigrad.nn.functional.grid_sample minigrad.nn.functional.affine_grid"),
    "windows.shuffling": (
        "pixel_shuffle pixel_unshuffle channel_shuffle native_channel_shuffle channel_unshuffle",
        ""),
    "networks.divergence": (
        "kl_div kl_div_of_logs poisson_of_log poisson_of_rate stirling variance gaussian_nll",
        "minigrad.kl_div minigrad.poisson_nll_loss minigrad.nn.functional.kl_div "
        "minigrad.nn.functional.poisson_nll_loss minigrad.nn.functional.gaussian_nll_loss"),
    "networks.margin": (
        "hinge_embedding_slope hinge_embedding margin_ranking_reached margin_ranking cosine cosine_embedding_slope "
        "cosine_embedding apart triplet_reached triplet soft_margin_slope soft_margin_loss",
        "minigrad.hinge_embedding_loss minigrad.margin_ranking_loss minigrad.cosine_embedding_loss "
        "minigrad.triplet_margin_loss minigrad.nn.functional.hinge_embedding_loss "
        "minigrad.nn.functional.margin_ranking_loss minigrad.nn.functional.cosine_embedding_loss "
        "minigrad.nn.functional.triplet_margin_loss minigrad.nn.functional.triplet_margin_with_distance_loss "
        "minigrad.nn.functional.soft_margin_loss"),
    "networks.multi_margin": (
        "at_rows multi_margin_curvature multi_margin_slope multi_margin_loss multilabel_margin_slope "
        "multilabel_margin_loss share_of_rows",
        "minigrad.nn.functional.multi_margin_loss minigrad.nn.functional.multilabel_margin_loss "
        "minigrad.nn.functional.multilabel_soft_margin_loss"),
    "networks.ctc": (
        "ctc_slopes _ctc_loss",
        "minigrad.ctc_loss minigrad.nn.functional.ctc_loss"),
    "networks.recurrent": (
        "state_rows lstm_gate_backward lstm_tanh_backward lstm_state lstm_output recurrent_layer "
        "recurrent_layer_backward",
        ""),
    "collectives": (
        "all_reduce broadcast reduce all_gather reduce_scatter gather_ranks scatter_ranks all_to_all",
        ""),
}
#: functions of several rows
OVERLOADS = {
    "minigrad.fill": (
        "fill.Scalar fill.Tensor"),
    "minigrad.rsub": (
        "rsub.Scalar rsub.Tensor"),
    "minigrad.lerp": (
        "lerp.Scalar lerp.Tensor"),
    "minigrad.div": (
        "div.mode div"),
    "minigrad.remainder": (
        "remainder.Scalar remainder.Tensor"),
    "minigrad.fmod": (
        "fmod.Scalar fmod.Tensor"),
    "minigrad.pow": (
        "pow.Tensor_Scalar pow.Tensor_Tensor pow.Scalar"),
    "minigrad.round": (
        "round round.decimals"),
    "minigrad.copysign": (
        "copysign copysign.Scalar"),
    "minigrad.clamp": (
        "clamp clamp.Tensor"),
    "minigrad.clamp_min": (
        "clamp_min clamp_min.Tensor"),
    "minigrad.clamp_max": (
        "clamp_max clamp_max.Tensor"),
    "minigrad.view": (
        "view view.dtype"),
    "minigrad.squeeze": (
        "squeeze squeeze.dim squeeze.dims"),
    "minigrad.squeeze_copy": (
        "squeeze_copy squeeze_copy.dim squeeze_copy.dims"),
    "minigrad.view_copy": (
        "view_copy view_copy.dtype"),
    "minigrad.scatter": (
        "scatter.src scatter.value scatter.reduce scatter.value_reduce"),
    "minigrad.index_fill": (
        "index_fill.int_Scalar index_fill.int_Tensor"),
    "minigrad.where": (
        "where.self where"),
    "minigrad.masked_fill": (
        "masked_fill.Scalar masked_fill.Tensor"),
    "minigrad.sum": (
        "sum sum.dim_IntList"),
    "minigrad.mean": (
        "mean mean.dim"),
    "minigrad.prod": (
        "prod prod.dim_int"),
    "minigrad.max": (
        "max max.dim maximum"),
    "minigrad.min": (
        "min min.dim minimum"),
    "minigrad.median": (
        "median median.dim"),
    "minigrad.nanmedian": (
        "nanmedian nanmedian.dim"),
    "Tensor.fill_": (
        "fill.Scalar fill.Tensor"),
    "Tensor.lerp_": (
        "lerp.Scalar lerp.Tensor"),
    "Tensor.div_": (
        "div.mode div"),
    "Tensor.remainder_": (
        "remainder.Scalar remainder.Tensor"),
    "Tensor.fmod_": (
        "fmod.Scalar fmod.Tensor"),
    "Tensor.pow_": (
        "pow.Tensor_Scalar pow.Tensor_Tensor"),
    "Tensor.round_": (
        "round round.decimals"),
    "Tensor.copysign_": (
        "copysign copysign.Scalar"),
    "Tensor.clamp_": (
        "clamp clamp.Tensor"),
    "Tensor.clamp_min_": (
        "clamp_min clamp_min.Tensor"),
    "Tensor.clamp_max_": (
        "clamp_max clamp_max.Tensor"),
    "Tensor.squeeze_": (
        "squeeze squeeze.dim squeeze.dims"),
    "Tensor.scatter_": (
        "scatter.src scatter.value scatter.reduce scatter.value_reduce"),
    "Tensor.index_fill_": (
        "index_fill.int_Scalar index_fill.int_Tensor"),
    "Tensor.masked_fill_": (
        "masked_fill.Scalar masked_fill.Tensor"),
}
#: functions with the argument ``inplace``
WITH_INPLACE = (
    "relu threshold hardtanh relu6 leaky_relu elu selu celu silu mish hardsigmoid hardswish")
#: module -> its functions, each with the name of what it is, if that is another
EXPORTS = {
    "minigrad": (
        "fill eq ne not_equal=ne lt less=lt le less_equal=le gt greater=gt ge greater_equal=ge isclose allclose equal "
        "is_same_size is_nonzero is_signed isnan isinf isfinite isposinf isneginf isreal signbit logical_and "
        "logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift "
        "bitwise_right_shift add sub subtract=sub rsub neg negative=neg positive mul multiply=mul reciprocal lerp "
        "addcmul addcdiv div divide=minigrad.div true_divide floor_divide remainder fmod pow float_power square sqrt "
        "rsqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin arcsin=asin acos arccos=acos atan arctan=atan "
        "atan2 arctan2=atan2 hypot deg2rad rad2deg sinh cosh tanh asinh arcsinh=asinh acosh arccosh=acosh atanh "
        "arctanh=atanh sigmoid sinc erf erfc lgamma digamma polygamma logit xlogy logaddexp sign floor ceil trunc "
        "fix=trunc round frac copysign heaviside nan_to_num maximum minimum fmax fmin clamp clip=minigrad.clamp "
        "clamp_min clamp_max frexp ldexp nextafter logaddexp2 gcd lcm real imag complex polar view_as_real "
        "view_as_complex conj conj_physical resolve_conj resolve_neg is_conj is_neg sgn abs absolute=abs angle erfinv "
        "igamma igammac mvlgamma i0 view reshape reshape_as view_as flatten ravel unflatten detach clone contiguous "
        "transpose swapdims=transpose swapaxes=transpose t adjoint permute movedim moveaxis=minigrad.movedim squeeze "
        "unsqueeze expand broadcast_to=expand expand_as sum_to_size broadcast_tensors select select_scatter "
        "slice_scatter narrow diagonal diagonal_scatter unbind split_with_sizes split chunk tensor_split hsplit "
        "vsplit dsplit unfold as_strided as_strided_scatter slice_inverse alias_copy diagonal_copy expand_copy "
        "permute_copy select_copy slice_copy squeeze_copy t_copy transpose_copy unfold_copy unsqueeze_copy "
        "view_as_complex_copy view_as_real_copy view_copy as_strided_copy detach_copy narrow_copy split_copy "
        "split_with_sizes_copy unbind_copy unsafe_split unsafe_split_with_sizes unsafe_chunk cat concat=cat "
        "concatenate=cat stack hstack vstack row_stack=minigrad.vstack dstack column_stack atleast_1d atleast_2d "
        "atleast_3d block_diag meshgrid cartesian_prod repeat tile flip fliplr flipud rot90 roll tril triu diag_embed "
        "diag diagflat constant_pad_nd index_put gather scatter scatter_add take_along_dim take put index_select "
        "index_add index_copy index_fill repeat_interleave combinations embedding_renorm_ embedding where argwhere "
        "nonzero masked_fill masked_select masked_scatter isin nonzero_static unravel_index cumsum cumprod "
        "logcumsumexp cummax cummin diff sum mean nansum nanmean prod all any count_nonzero var std var_mean std_mean "
        "logsumexp amax amin max min aminmax argmax argmin scatter_reduce index_reduce segment_reduce mm bmm mv dot "
        "vdot matmul addmm addmv baddbmm addr addbmm trace einsum outer ger=minigrad.outer inner tensordot kron "
        "triangular_solve lu lu_unpack lu_solve inverse=linalg_inv matrix_power det slogdet logdet cholesky svd "
        "lobpcg qr geqrf orgqr ormqr norm nuclear_norm frobenius_norm norm_except_dim dist cholesky_solve "
        "cholesky_inverse pinverse cross sort argsort msort topk kthvalue median nanmedian mode unique "
        "unique_consecutive searchsorted bucketize bincount histc matrix_exp chain_matmul vander symeig eig lstsq "
        "solve matrix_rank quantile nanquantile cov corrcoef trapezoid trapz cumulative_trapezoid gradient histogram "
        "histogramdd cdist pdist renorm stft istft relu threshold selu celu hardshrink prelu softmax log_softmax "
        "binary_cross_entropy_with_logits native_layer_norm layer_norm rms_norm native_group_norm group_norm "
        "native_batch_norm batch_norm instance_norm cosine_similarity pairwise_distance bilinear embedding_bag conv1d "
        "conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution conv_tbc avg_pool1d "
        "adaptive_avg_pool1d max_pool1d max_pool2d max_pool3d max_pool1d_with_indices adaptive_max_pool1d "
        "grid_sampler_2d grid_sampler_3d grid_sampler affine_grid_generator pixel_shuffle pixel_unshuffle "
        "channel_shuffle native_channel_shuffle kl_div poisson_nll_loss hinge_embedding_loss margin_ranking_loss "
        "cosine_embedding_loss triplet_margin_loss ctc_loss"),
    "minigrad.nn.functional": (
        "pad embedding one_hot pdist=minigrad.pdist relu threshold hardtanh relu6 leaky_relu elu selu celu gelu silu "
        "softplus logsigmoid softsign tanhshrink mish hardshrink softshrink hardsigmoid hardswish glu "
        "prelu=minigrad.prelu softmax log_softmax softmin mse_loss l1_loss smooth_l1_loss huber_loss "
        "binary_cross_entropy binary_cross_entropy_with_logits nll_loss cross_entropy linear_cross_entropy layer_norm "
        "rms_norm group_norm batch_norm instance_norm local_response_norm embedding_bag conv1d=minigrad.conv1d "
        "conv2d=minigrad.conv2d conv3d=minigrad.conv3d conv_transpose1d=minigrad.conv_transpose1d "
        "conv_transpose2d=minigrad.conv_transpose2d conv_transpose3d=minigrad.conv_transpose3d "
        "conv_tbc=minigrad.conv_tbc unfold fold avg_pool2d avg_pool3d max_pool1d_with_indices max_pool1d "
        "adaptive_max_pool1d_with_indices adaptive_max_pool1d max_pool2d_with_indices max_pool2d "
        "adaptive_max_pool2d_with_indices adaptive_max_pool2d max_pool3d_with_indices max_pool3d "
        "adaptive_max_pool3d_with_indices adaptive_max_pool3d avg_pool1d adaptive_avg_pool1d adaptive_avg_pool2d "
        "adaptive_avg_pool3d lp_pool1d lp_pool2d lp_pool3d max_unpool1d max_unpool2d max_unpool3d interpolate "
        "upsample upsample_nearest upsample_bilinear grid_sample affine_grid pixel_shuffle pixel_unshuffle "
        "channel_shuffle native_channel_shuffle kl_div poisson_nll_loss gaussian_nll_loss hinge_embedding_loss "
        "margin_ranking_loss cosine_embedding_loss triplet_margin_loss triplet_margin_with_distance_loss "
        "soft_margin_loss multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss ctc_loss"),
    "minigrad.linalg": (
        "vecdot matmul=minigrad.matmul solve_triangular lu lu_factor lu_factor_ex lu_solve inv=linalg_inv "
        "matrix_power=minigrad.matrix_power det=linalg_det slogdet solve cholesky=linalg_cholesky inv_ex solve_ex "
        "cholesky_ex svd svdvals eigh eigvalsh eig eigvals qr householder_product vector_norm matrix_norm norm "
        "ldl_factor ldl_factor_ex ldl_solve pinv matrix_rank cond lstsq cross diagonal matrix_exp multi_dot vander "
        "tensorinv tensorsolve"),
    "minigrad.special": (
        "exp2 expm1 log1p expit=sigmoid sinc erf erfc ndtr=special_ndtr gammaln=lgamma digamma psi=digamma "
        "polygamma=minigrad.polygamma logit xlogy round=minigrad.round erfcx=special_erfcx log_ndtr=special_log_ndtr "
        "ndtri=special_ndtri erfinv entr=special_entr xlog1py=special_xlog1py gammainc=igamma gammaincc=igammac "
        "zeta=special_zeta multigammaln=mvlgamma i0 i0e=special_i0e i1=special_i1 i1e=special_i1e "
        "modified_bessel_i0=special_modified_bessel_i0 modified_bessel_i1=special_modified_bessel_i1 "
        "modified_bessel_k0=special_modified_bessel_k0 modified_bessel_k1=special_modified_bessel_k1 "
        "scaled_modified_bessel_k0=special_scaled_modified_bessel_k0 "
        "scaled_modified_bessel_k1=special_scaled_modified_bessel_k1 bessel_j0=special_bessel_j0 "
        "bessel_j1=special_bessel_j1 bessel_y0=special_bessel_y0 bessel_y1=special_bessel_y1 "
        "spherical_bessel_j0=special_spherical_bessel_j0 airy_ai=special_airy_ai "
        "chebyshev_polynomial_t=special_chebyshev_polynomial_t chebyshev_polynomial_u=special_chebyshev_polynomial_u "
        "chebyshev_polynomial_v=special_chebyshev_polynomial_v chebyshev_polynomial_w=special_chebyshev_polynomial_w "
        "shifted_chebyshev_polynomial_t=special_shifted_chebyshev_polynomial_t "
        "shifted_chebyshev_polynomial_u=special_shifted_chebyshev_polynomial_u "
        "shifted_chebyshev_polynomial_v=special_shifted_chebyshev_polynomial_v "
        "shifted_chebyshev_polynomial_w=special_shifted_chebyshev_polynomial_w "
        "hermite_polynomial_h=special_hermite_polynomial_h hermite_polynomial_he=special_hermite_polynomial_he "
        "laguerre_polynomial_l=special_laguerre_polynomial_l legendre_polynomial_p=special_legendre_polynomial_p "
        "logsumexp softmax=minigrad.softmax log_softmax=minigrad.log_softmax"),
    "minigrad.fft": (
        "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 hfft2 ihfft2 fftn ifftn rfftn irfftn hfftn ihfftn "
        "fftshift ifftshift"),
}
#: the methods of Tensor, and those that write
METHODS = (
    "eq ne not_equal=ne lt less=lt le less_equal=le gt greater=gt ge greater_equal=ge isclose "
    "allclose=minigrad.allclose equal=minigrad.equal is_same_size=minigrad.is_same_size "
    "is_nonzero=minigrad.is_nonzero is_signed=minigrad.is_signed isnan isinf isfinite isposinf isneginf isreal "
    "signbit logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not "
    "bitwise_left_shift bitwise_right_shift add sub subtract=sub rsub=minigrad.rsub neg negative=neg "
    "positive=minigrad.positive mul multiply=mul reciprocal lerp=minigrad.lerp addcmul addcdiv div=minigrad.div "
    "divide=minigrad.div true_divide floor_divide remainder=minigrad.remainder fmod=minigrad.fmod pow=minigrad.pow "
    "float_power=minigrad.float_power float_power_ square sqrt rsqrt exp exp2 expm1 log log2 log10 log1p sin cos tan "
    "asin arcsin=asin acos arccos=acos atan arctan=atan atan2 arctan2=atan2 hypot deg2rad rad2deg sinh cosh tanh "
    "asinh arcsinh=asinh acosh arccosh=acosh atanh arctanh=atanh sigmoid sinc erf erfc lgamma digamma polygamma logit "
    "xlogy logaddexp sign floor ceil trunc fix=trunc round=minigrad.round frac copysign=minigrad.copysign heaviside "
    "nan_to_num maximum minimum fmax fmin clamp=minigrad.clamp clip=minigrad.clamp clamp_min=minigrad.clamp_min "
    "clamp_max=minigrad.clamp_max frexp ldexp nextafter logaddexp2 gcd lcm real imag view_as_real view_as_complex "
    "conj=minigrad.conj conj_physical=minigrad.conj_physical resolve_conj=minigrad.resolve_conj "
    "resolve_neg=minigrad.resolve_neg is_conj=minigrad.is_conj is_neg=minigrad.is_neg sgn abs absolute=abs absolute_ "
    "abs_ angle erfinv igamma igammac mvlgamma i0 view=minigrad.view reshape=minigrad.reshape "
    "reshape_as=minigrad.reshape_as resize resize_as view_as=minigrad.view_as flatten=minigrad.flatten "
    "ravel=minigrad.ravel unflatten=minigrad.unflatten clone contiguous=minigrad.contiguous transpose "
    "swapdims=transpose swapaxes=transpose t adjoint=minigrad.adjoint permute movedim=minigrad.movedim "
    "moveaxis=minigrad.movedim squeeze=minigrad.squeeze unsqueeze expand broadcast_to=expand "
    "expand_as=minigrad.expand_as sum_to_size=minigrad.sum_to_size select select_scatter slice_scatter "
    "narrow=minigrad.narrow diagonal diagonal_scatter unbind split_with_sizes split=minigrad.split "
    "chunk=minigrad.chunk tensor_split=minigrad.tensor_split hsplit=minigrad.hsplit vsplit=minigrad.vsplit "
    "dsplit=minigrad.dsplit unfold as_strided=minigrad.as_strided as_strided_scatter=minigrad.as_strided_scatter "
    "slice_inverse=minigrad.slice_inverse as_strided_ narrow_copy=minigrad.narrow_copy unsafe_split "
    "unsafe_split_with_sizes unsafe_chunk=minigrad.unsafe_chunk repeat tile=minigrad.tile flip fliplr=minigrad.fliplr "
    "flipud=minigrad.flipud rot90 roll tril triu diag_embed diag=minigrad.diag diagflat=minigrad.diagflat "
    "index_put=minigrad.index_put index_put_ gather scatter=minigrad.scatter scatter_add "
    "take_along_dim=minigrad.take_along_dim take put index_select index_add index_copy index_fill=minigrad.index_fill "
    "repeat_interleave=minigrad.repeat_interleave set_ resize_ resize_as_ argwhere nonzero=minigrad.nonzero "
    "masked_fill=minigrad.masked_fill masked_select masked_scatter nonzero_static fill_diagonal_ apply_ map_ map2_ "
    "cumsum cumsum_ cumprod cumprod_ logcumsumexp cummax cummin diff=minigrad.diff sum=minigrad.sum "
    "mean=minigrad.mean nansum nanmean=minigrad.nanmean prod=minigrad.prod all any count_nonzero var=minigrad.var "
    "std=minigrad.std var_mean=minigrad.var_mean std_mean=minigrad.std_mean logsumexp amax amin max=minigrad.max "
    "min=minigrad.min aminmax=minigrad.aminmax argmax argmin scatter_reduce=minigrad.scatter_reduce scatter_reduce_ "
    "index_reduce=minigrad.index_reduce index_reduce_ mm bmm mv dot vdot matmul=minigrad.matmul addmm addmv baddbmm "
    "addr addbmm=minigrad.addbmm addbmm_ trace outer=minigrad.outer ger=minigrad.outer inner=minigrad.inner "
    "kron=minigrad.kron triangular_solve=minigrad.triangular_solve lu=minigrad.lu lu_solve=minigrad.lu_solve "
    "inverse=linalg_inv matrix_power=minigrad.matrix_power det=minigrad.det slogdet=minigrad.slogdet "
    "logdet=minigrad.logdet cholesky=minigrad.cholesky svd=minigrad.svd qr=minigrad.qr geqrf orgqr=minigrad.orgqr "
    "ormqr=minigrad.ormqr norm dist=minigrad.dist cholesky_solve=minigrad.cholesky_solve "
    "cholesky_inverse=minigrad.cholesky_inverse pinverse=minigrad.pinverse cross=minigrad.cross sort argsort "
    "msort=minigrad.msort topk kthvalue median=minigrad.median nanmedian=minigrad.nanmedian mode "
    "unique=minigrad.unique unique_consecutive=minigrad.unique_consecutive bincount histc "
    "matrix_exp=minigrad.matrix_exp symeig=minigrad.symeig eig=minigrad.eig lstsq=minigrad.lstsq solve=minigrad.solve "
    "quantile=minigrad.quantile nanquantile=minigrad.nanquantile cov=minigrad.cov corrcoef=minigrad.corrcoef "
    "histogram=minigrad.histogram renorm=minigrad.renorm renorm_ stft=minigrad.stft istft=minigrad.istft relu "
    "hardshrink prelu=minigrad.prelu softmax=minigrad.softmax log_softmax=minigrad.log_softmax")
INPLACE = (
    "zero_=zero fill_ copy_=copy eq_=eq ne_=ne not_equal_=ne lt_=lt less_=lt le_=le less_equal_=le gt_=gt greater_=gt "
    "ge_=ge greater_equal_=ge logical_and_=logical_and logical_or_=logical_or logical_xor_=logical_xor "
    "logical_not_=logical_not bitwise_and_=bitwise_and bitwise_or_=bitwise_or bitwise_xor_=bitwise_xor "
    "bitwise_not_=bitwise_not bitwise_left_shift_=bitwise_left_shift bitwise_right_shift_=bitwise_right_shift "
    "add_=add sub_=sub subtract_=sub neg_=neg negative_=neg mul_=mul multiply_=mul reciprocal_=reciprocal lerp_ "
    "addcmul_=addcmul addcdiv_=addcdiv div_ divide_=Tensor.div_ true_divide_=true_divide floor_divide_=floor_divide "
    "remainder_ fmod_ pow_ square_=square sqrt_=sqrt rsqrt_=rsqrt exp_=exp exp2_=exp2 expm1_=expm1 log_=log "
    "log2_=log2 log10_=log10 log1p_=log1p sin_=sin cos_=cos tan_=tan asin_=asin arcsin_=asin acos_=acos arccos_=acos "
    "atan_=atan arctan_=atan atan2_=atan2 arctan2_=atan2 hypot_=hypot deg2rad_=deg2rad rad2deg_=rad2deg sinh_=sinh "
    "cosh_=cosh tanh_=tanh asinh_=asinh arcsinh_=asinh acosh_=acosh arccosh_=acosh atanh_=atanh arctanh_=atanh "
    "sigmoid_=sigmoid sinc_=sinc erf_=erf erfc_=erfc lgamma_=lgamma digamma_=digamma polygamma_=polygamma "
    "logit_=logit xlogy_=xlogy sign_=sign floor_=floor ceil_=ceil trunc_=trunc fix_=trunc round_ frac_=frac copysign_ "
    "heaviside_=heaviside nan_to_num_=nan_to_num clamp_ clip_=Tensor.clamp_ clamp_min_ clamp_max_ ldexp_=ldexp "
    "nextafter_=nextafter gcd_=gcd lcm_=lcm conj_physical_=conj_physical sgn_=sgn erfinv_=erfinv igamma_=igamma "
    "igammac_=igammac mvlgamma_=mvlgamma i0_=i0 transpose_=transpose swapdims_=transpose swapaxes_=transpose t_=t "
    "squeeze_ unsqueeze_=unsqueeze tril_=tril triu_=triu scatter_ scatter_add_=scatter_add put_=put "
    "index_add_=index_add index_copy_=index_copy index_fill_ masked_fill_ masked_scatter_=masked_scatter addmm_=addmm "
    "addmv_=addmv baddbmm_=baddbmm addr_=addr relu_=relu")
#: methods that write, which are functions too
INPLACE_FUNCTIONS = (
    "abs_ acos_ acosh_ addmv_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ as_strided_ asin_ asinh_ atan_ "
    "atanh_ ceil_ clamp_ clamp_max_ clamp_min_ clip_ conj_physical_ cos_ cosh_ deg2rad_ detach_ erf_ erfc_ exp2_ exp_ "
    "expm1_ fill_ fix_ floor_ frac_ gcd_ i0_ index_put_ lcm_ ldexp_ log10_ log1p_ log2_ log_ logit_ nan_to_num_ neg_ "
    "negative_ rad2deg_ reciprocal_ relu_ resize_as_ round_ rsqrt_ sigmoid_ sin_ sinc_ sinh_ sqrt_ square_ tan_ tanh_ "
    "trunc_ xlogy_ zero_")
#: composites with the name of a row
BY_ROW = (
    "minigrad.polygamma minigrad.conj minigrad.conj_physical minigrad.reshape minigrad.adjoint minigrad.split "
    "minigrad.as_strided minigrad.as_strided_scatter minigrad.block_diag minigrad.index_put minigrad.embedding "
    "minigrad.var minigrad.std minigrad.scatter_reduce minigrad.index_reduce minigrad.outer minigrad.lu_unpack "
    "minigrad.lu_solve minigrad.slogdet minigrad.norm minigrad.unique minigrad.unique_consecutive "
    "minigrad.histogramdd minigrad.cdist minigrad.pdist minigrad.prelu minigrad.softmax minigrad.log_softmax "
    "minigrad.binary_cross_entropy_with_logits minigrad.native_layer_norm minigrad.rms_norm "
    "minigrad.native_group_norm minigrad.native_batch_norm minigrad.embedding_bag minigrad.convolution "
    "minigrad.max_pool1d minigrad.max_pool2d minigrad.max_pool3d minigrad.adaptive_max_pool1d minigrad.kl_div "
    "minigrad.poisson_nll_loss minigrad.hinge_embedding_loss minigrad.margin_ranking_loss "
    "minigrad.cosine_embedding_loss minigrad.triplet_margin_loss minigrad.ctc_loss minigrad.nn.functional.pad "
    "minigrad.nn.functional.embedding minigrad.nn.functional.softmax minigrad.nn.functional.log_softmax "
    "minigrad.nn.functional.mse_loss minigrad.nn.functional.smooth_l1_loss minigrad.nn.functional.huber_loss "
    "minigrad.nn.functional.binary_cross_entropy minigrad.nn.functional.binary_cross_entropy_with_logits "
    "minigrad.nn.functional.nll_loss minigrad.nn.functional.rms_norm minigrad.nn.functional.embedding_bag "
    "minigrad.nn.functional.unfold minigrad.nn.functional.fold minigrad.nn.functional.max_pool1d "
    "minigrad.nn.functional.adaptive_max_pool1d minigrad.nn.functional.max_pool2d "
    "minigrad.nn.functional.adaptive_max_pool2d minigrad.nn.functional.max_pool3d "
    "minigrad.nn.functional.adaptive_max_pool3d minigrad.nn.functional.adaptive_avg_pool2d "
    "minigrad.nn.functional.adaptive_avg_pool3d minigrad.nn.functional.interpolate minigrad.nn.functional.kl_div "
    "minigrad.nn.functional.poisson_nll_loss minigrad.nn.functional.gaussian_nll_loss "
    "minigrad.nn.functional.hinge_embedding_loss minigrad.nn.functional.margin_ranking_loss "
    "minigrad.nn.functional.cosine_embedding_loss minigrad.nn.functional.triplet_margin_loss "
    "minigrad.nn.functional.soft_margin_loss minigrad.nn.functional.multi_margin_loss "
    "minigrad.nn.functional.multilabel_margin_loss minigrad.nn.functional.ctc_loss Tensor.abs_ Tensor.as_strided_ "
    "Tensor.index_put_ Tensor.cumsum_ Tensor.cumprod_ Tensor.scatter_reduce_ Tensor.index_reduce_")
