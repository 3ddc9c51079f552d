"""Transforms: values, inverses, Jacobians, shapes, caches; the transforms of constraints."""
# to 2e-4
import torch
from torch import distributions as D
from torch.distributions import constraints, transforms as T

torch.set_default_dtype(torch.float64)
t = torch.tensor
x = t([[0.3, -1.2, 0.8], [1.5, 0.0, -0.4]])
matrix = t([[0.3, -1.2, 0.8], [1.5, 0.1, -0.4], [0.2, 0.3, 0.5]])

CASES = [
    (T.ExpTransform(), x), (T.SigmoidTransform(), x), (T.TanhTransform(), x), (T.SoftplusTransform(), x),
    (T.AbsTransform(), x), (T.PowerTransform(t(2.0)), x.abs()), (T.PowerTransform(t([1.0, -0.5, 3.0])), x.exp()),
    (T.AffineTransform(1.0, -2.0), x), (T.AffineTransform(t([1.0, 2.0, 3.0]), t([0.5, 1.0, 2.0]), event_dim=1), x),
    (T.ComposeTransform([T.ExpTransform(), T.AffineTransform(0.0, 3.0)]), x),
    (T.ComposeTransform([]), x), (T.StickBreakingTransform(), x), (T.SoftmaxTransform(), x),
    (T.CorrCholeskyTransform(), x), (T.LowerCholeskyTransform(), matrix), (T.PositiveDefiniteTransform(), matrix),
    (T.ReshapeTransform((3,), (1, 3)), x), (T.IndependentTransform(T.ExpTransform(), 1), x),
    (T.ComposeTransform([T.AffineTransform(0.0, 2.0), T.StickBreakingTransform()]), x),
    (T.CatTransform([T.ExpTransform(), T.identity_transform], dim=1, lengths=[1, 2]), x),
    (T.StackTransform([T.ExpTransform(), T.AffineTransform(0.0, 2.0), T.TanhTransform()], dim=1), x),
    (T.CumulativeDistributionTransform(D.Normal(0.0, 1.0)), x),
]


def tried(name, ask):
    try:
        result = ask()
    except (NotImplementedError, ValueError, AttributeError, RuntimeError) as problem:
        return print("  ", name, "none", isinstance(problem, NotImplementedError))
    print("  ", name, result.tolist() if isinstance(result, torch.Tensor) else result)


for f, value in CASES:
    print(f, f.inv, f.bijective, f.inv.bijective)
    y = f(value)
    print("  ", y.tolist())
    print("  ", f.inv(y).tolist())
    tried("jacobian", lambda: f.log_abs_det_jacobian(value, y))
    tried("inverse", lambda: f.inv.log_abs_det_jacobian(y, value))
    tried("sign", lambda: f.sign)
    tried("event", lambda: (f.domain.event_dim, f.codomain.event_dim))
    tried("domain", lambda: (f.domain, f.codomain, f.inv.domain))
    tried("shapes", lambda: (f.forward_shape(value.shape), f.inverse_shape(y.shape)))
    print("  ", f == f, f.inv == f.inv, f == T.ExpTransform(), f.inv.inv is f)

print(T.ExpTransform() == T.ExpTransform(), T.AffineTransform(0.0, 1.0) == T.AffineTransform(0.0, 1.0),
      T.AffineTransform(0.0, t(1.0)) == T.AffineTransform(t(0.0), 2.0), T.PowerTransform(2.0) == T.PowerTransform(2.0))
cached = T.ExpTransform(cache_size=1)
v = t([1.0])
print(cached(v) is cached(v), cached.inv(cached(v)) is v, T.ExpTransform()(v) is T.ExpTransform()(v))
print(T.AffineTransform(0.0, 1.0).with_cache()._cache_size, T.ComposeTransform([T.ExpTransform()]).with_cache().parts)

REGIONS = [constraints.real, constraints.positive, constraints.nonnegative, constraints.greater_than(1.5),
           constraints.greater_than_eq(-1.0), constraints.less_than(2.0), constraints.interval(-1.0, 3.0),
           constraints.unit_interval, constraints.half_open_interval(0.0, 2.0), constraints.simplex,
           constraints.real_vector, constraints.independent(constraints.positive, 1), constraints.corr_cholesky,
           constraints.lower_cholesky, constraints.positive_definite, constraints.boolean,
           constraints.cat([constraints.positive, constraints.real], dim=-1, lengths=[1, 2]),
           constraints.stack([constraints.positive, constraints.real, constraints.unit_interval], dim=-1)]
for region in REGIONS:
    print(region, region.is_discrete, region.event_dim)
    for name in ("biject_to", "transform_to"):
        try:
            f = getattr(D, name)(region)
        except NotImplementedError as problem:
            print("  ", problem)
            continue
        value = matrix if region.event_dim == 2 and region is not constraints.corr_cholesky else x
        print("  ", f, f(value).tolist(), region.check(f(value)).tolist())

CHECKS = [(constraints.boolean, t([0.0, 1.0, 0.5])), (constraints.one_hot, t([[0.0, 1.0], [1.0, 1.0]])),
          (constraints.integer_interval(0, 3), t([0.0, 3.0, 1.5, 4.0])),
          (constraints.nonnegative_integer, t([-1, 0, 2])),
          (constraints.positive_integer, t([-1, 0, 2])), (constraints.simplex, t([[0.5, 0.5], [0.5, 0.6]])),
          (constraints.multinomial(3), t([[1.0, 2.0], [2.0, 2.0]])), (constraints.lower_triangular, matrix),
          (constraints.lower_cholesky, matrix.tril().abs()), (constraints.symmetric, matrix + matrix.T),
          (constraints.square, matrix), (constraints.square, x), (constraints.positive_semidefinite, torch.eye(2)),
          (constraints.positive_definite, -torch.eye(2)), (constraints.real, t([float("nan"), 1.0])),
          (constraints.corr_cholesky, torch.eye(2)), (constraints.independent(constraints.positive, 1), x)]
for region, value in CHECKS:
    print(region, region.check(value).tolist())

d = D.TransformedDistribution(D.Normal(torch.zeros(3), 1.0), [T.AffineTransform(0.0, 2.0), T.StickBreakingTransform()])
print(d, d.batch_shape, d.event_shape, d.support, d.log_prob(t([0.1, 0.2, 0.3, 0.4])).item())
d = D.TransformedDistribution(D.Normal(0.0, 1.0), [T.AffineTransform(torch.zeros(2, 3), torch.ones(3))])
print(d.batch_shape, d.event_shape, d.cdf(t(0.3)).tolist(), d.icdf(t(0.3)).tolist(), d.expand((4, 2, 3)).batch_shape)
torch.set_default_dtype(torch.float32)
