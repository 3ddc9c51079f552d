"""Linear algebra: products, einsum, linear systems, singular values, norms."""
