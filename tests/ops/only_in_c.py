"""What the kernels in NumPy call in C because NumPy has nothing like it, or takes a multiple of the time over it as it
does over 16-bit floats, and the rows that have no other way.

Everything else in _core/kernels only makes things faster: MINIGRAD_KERNELS=0 does without it.  A test reads from the
table what is called, and holds this list to it (test_without_kernels.py).
"""

ONLY_IN_C = {
    "algebra.lu_and_ldl.factor":
        "cofactors infinite_inverse inverse_ex linalg_inv lu_rows plu solve_ex solve_kept solve_matrices",
    "algebra.lu_and_ldl.factor_symmetric": "ldl_rows",
    "algebra.lu_and_ldl.solve_symmetric": "ldl_solve_rows",
    "algebra.lu_and_ldl.substitute":
        "cofactors infinite_inverse inverse_ex linalg_inv lstsq_rows solve_again solve_kept solve_triangular",
    "algebra.lu_and_ldl.swap_rows":
        "cofactors exchanged exchanged_back infinite_inverse inverse_ex linalg_inv permutation plu solve_again "
        "solve_kept unpacked",
    "loops.copies.converted":
        "all any argsort binary_cross_entropy binary_cross_entropy_with_logits channel_scale count_nonzero cumprod "
        "cumsum deviation distinct exclusive_cumprod histc huber_loss index_put_at isclose isin kthvalue "
        "largest_in_bags line_mean mean mean.dim median median.dim mode mse_loss multi_margin_loss "
        "multilabel_margin_loss nan_to_num nanmedian nanmedian.dim nansum native_batch_norm "
        "native_batch_norm.fixed native_group_norm native_layer_norm norm_0 norm_1 norm_2 norm_backward norm_inf "
        "norm_p norm_weight_backward parameter_sum prod prod.dim_int product_of_others resize_again "
        "resize_backward reverse_cumsum rms_norm scaled search smooth_l1_loss soft_margin_loss sort standardized "
        "sum sum.dim_IntList topk upsample_bicubic2d upsample_bicubic2d_aa upsample_bilinear2d "
        "upsample_bilinear2d_aa upsample_lanczos2d_aa upsample_linear1d upsample_nearest1d upsample_nearest2d "
        "upsample_nearest3d upsample_nearest_exact1d upsample_nearest_exact2d upsample_nearest_exact3d "
        "upsample_trilinear3d",
    "loops.new_ufuncs.nan_to_num": "nan_to_num",
    "loops.new_ufuncs.negative": "neg",
    "loops.new_ufuncs.where":
        "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d fractional_max_pool2d fractional_max_pool3d "
        "max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices threshold",
    "loops.patched_ufuncs.cos": "cos",
    "loops.patched_ufuncs.fmax": "fmax",
    "loops.patched_ufuncs.fmin": "fmin",
    "loops.patched_ufuncs.remainder": "remainder.Scalar remainder.Tensor",
    "loops.patched_ufuncs.sin": "sin",
    "loops.special_functions.airy_ai": "special_airy_ai",
    "loops.special_functions.bessel_i": "bessel_i",
    "loops.special_functions.bessel_ie": "bessel_ie",
    "loops.special_functions.chebyshev_t": "special_chebyshev_polynomial_t",
    "loops.special_functions.chebyshev_u": "special_chebyshev_polynomial_u",
    "loops.special_functions.chebyshev_v": "special_chebyshev_polynomial_v",
    "loops.special_functions.chebyshev_w": "special_chebyshev_polynomial_w",
    "loops.special_functions.digamma": "digamma dirichlet_grad standard_gamma_grad",
    "loops.special_functions.entr": "special_entr",
    "loops.special_functions.erf": "erf",
    "loops.special_functions.erfc": "erfc",
    "loops.special_functions.erfcx": "special_erfcx",
    "loops.special_functions.erfcx_slope": "erfcx_slope",
    "loops.special_functions.erfinv": "erfinv",
    "loops.special_functions.gamma_density": "gamma_density",
    "loops.special_functions.hazard": "hazard",
    "loops.special_functions.hazard_gap": "hazard_gap",
    "loops.special_functions.hermite_h": "special_hermite_polynomial_h",
    "loops.special_functions.hermite_he": "special_hermite_polynomial_he",
    "loops.special_functions.hurwitz_zeta": "special_zeta",
    "loops.special_functions.i0": "i0 special_modified_bessel_i0",
    "loops.special_functions.i0e": "special_i0e",
    "loops.special_functions.i1": "special_i1 special_modified_bessel_i1",
    "loops.special_functions.i1e": "special_i1e",
    "loops.special_functions.igamma": "igamma",
    "loops.special_functions.igammac": "igammac",
    "loops.special_functions.j0": "special_bessel_j0",
    "loops.special_functions.j1": "special_bessel_j1",
    "loops.special_functions.k0": "special_modified_bessel_k0",
    "loops.special_functions.k0e": "special_scaled_modified_bessel_k0",
    "loops.special_functions.k1": "special_modified_bessel_k1",
    "loops.special_functions.k1e": "special_scaled_modified_bessel_k1",
    "loops.special_functions.laguerre_l": "special_laguerre_polynomial_l",
    "loops.special_functions.legendre_p": "special_legendre_polynomial_p",
    "loops.special_functions.lgamma": "lgamma mvlgamma",
    "loops.special_functions.log_ndtr": "special_log_ndtr",
    "loops.special_functions.ndtri": "special_ndtri",
    "loops.special_functions.normal_cdf": "special_ndtr",
    "loops.special_functions.polygamma": "mvlgamma_derivative polygamma",
    "loops.special_functions.shifted_t": "special_shifted_chebyshev_polynomial_t",
    "loops.special_functions.shifted_u": "special_shifted_chebyshev_polynomial_u",
    "loops.special_functions.shifted_v": "special_shifted_chebyshev_polynomial_v",
    "loops.special_functions.shifted_w": "special_shifted_chebyshev_polynomial_w",
    "loops.special_functions.spherical_j0": "special_spherical_bessel_j0",
    "loops.special_functions.xlog1py": "special_xlog1py",
    "loops.special_functions.y0": "special_bessel_y0",
    "loops.special_functions.y1": "special_bessel_y1",
    "random.random_arrays.chances": "bernoulli.Tensor bernoulli_each",
    "random.random_arrays.each":
        "bernoulli.float bernoulli_one cauchy exponential geometric log_normal multinomial_row normal normal_both "
        "normal_mean normal_std",
    "random.random_arrays.integers": "random random.from random.to",
    "random.random_arrays.normal": "normal normal_both normal_mean normal_std",
    "random.random_arrays.uniform": "uniform",
    "reductions.along_dims.no_freedom": "std_over var_over",
    "reductions.array_sums.running": "cumprod cumsum exclusive_cumprod product_of_others reverse_cumsum scan scan_back",
    "reductions.array_sums.total":
        "as_strided_backward binary_cross_entropy binary_cross_entropy_with_logits collect_from_ties deviation "
        "distances distances_by_products distances_of_pairs huber_loss line_mean log_softmax log_softmax_backward "
        "logsumexp mean mean.dim mse_loss multi_margin_loss multilabel_margin_loss nansum native_batch_norm "
        "native_group_norm native_layer_norm nll_loss nll_loss2d nll_loss_backward norm_0 norm_1 norm_2 "
        "norm_backward norm_inf norm_p repeat_backward rms_norm smooth_l1_loss soft_margin_loss softmax "
        "softmax_backward std_over sum sum.dim_IntList sum_to trace var_over vecdot",
}
