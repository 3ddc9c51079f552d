"""What distributions, constraints and transforms have besides densities and draws; and no checks, if they are off."""
import math
import pickle

import torch
from torch import distributions as D
from torch.distributions import constraints, transforms as T
from torch.distributions.utils import tril_matrix_to_vec, vec_to_tril_matrix

torch.set_default_dtype(torch.float64)
t = torch.tensor


def shown(thing):
    if isinstance(thing, (tuple, list)):
        return [shown(each) for each in thing]
    return thing.detach().tolist() if isinstance(thing, torch.Tensor) else thing


def asked(name, ask):
    try:
        print(name, shown(ask()))
    except NotImplementedError:
        print(name, "not implemented")
    except (ValueError, TypeError, RuntimeError, AttributeError, AssertionError) as problem:
        print(name, "refused:", problem)


# ---- exponential families: the entropy that follows from the log normalizer
matrix = t([[2.0, 0.5], [0.5, 1.0]])
for family in (D.Bernoulli(t([0.2, 0.7])), D.Poisson(t([0.2, 3.0])), D.ContinuousBernoulli(t([0.2, 0.4999, 0.9])),
               D.Exponential(t([0.5, 2.0])), D.Gamma(t([0.5, 2.0]), t(3.0)), D.Dirichlet(t([0.5, 2.0, 1.0])),
               D.Beta(t([0.5, 2.0]), t(3.0)), D.Normal(t([0.5, 2.0]), t(3.0)), D.Chi2(t([0.5, 2.0])),
               D.Wishart(t([3.0, 5.0]), matrix)):
    natural = [each.detach().requires_grad_() for each in family._natural_params]
    normalizer = family._log_normalizer(*natural)
    print(type(family).__name__, shown(natural), shown(normalizer))
    print(" ", [shown(each) for each in torch.autograd.grad(normalizer.sum(), natural)])
    if not isinstance(family, (D.Poisson, D.Wishart)):
        asked("  carrier", lambda: family._mean_carrier_measure)
        asked("  entropy", lambda: D.ExponentialFamily.entropy(family))

# ---- densities and cumulative probabilities that are not checked: of any value
off = {"validate_args": False}
tril = t([[1.0, 0.0], [0.3, 0.9]])
OUTSIDE = [
    D.Bernoulli(t([0.2, 0.7]), **off), D.Binomial(3, t([0.2, 0.7]), **off), D.Geometric(t([0.2, 0.7]), **off),
    D.NegativeBinomial(t(2.0), t([0.2, 0.7]), **off), D.Poisson(t([0.2, 3.0]), **off),
    D.ContinuousBernoulli(t([0.2, 0.4999]), **off), D.Exponential(t([0.2, 3.0]), **off),
    D.Gamma(t([0.2, 3.0]), t(2.0), **off), D.Chi2(t([2.0, 3.0]), **off), D.Beta(t([0.2, 3.0]), t(2.0), **off),
    D.FisherSnedecor(t([2.0, 3.0]), t(2.0), **off), D.InverseGamma(t([2.0, 3.0]), t(2.0), **off),
    D.Normal(t([0.0, 1.0]), t(2.0), **off), D.Laplace(t([0.0, 1.0]), t(2.0), **off),
    D.Cauchy(t([0.0, 1.0]), t(2.0), **off), D.StudentT(t(3.0), t([0.0, 1.0]), t(2.0), **off),
    D.Gumbel(t([0.0, 1.0]), t(2.0), **off), D.Uniform(t([0.0, 0.5]), t(2.0), **off),
    D.VonMises(t([0.0, 0.5]), t(2.0), **off), D.HalfNormal(t([1.0, 2.0]), **off), D.HalfCauchy(t([1.0, 2.0]), **off),
    D.LogNormal(t([0.0, 1.0]), t(2.0), **off), D.Pareto(t([0.5, 1.0]), t(2.0), **off),
    D.Weibull(t([0.5, 1.0]), t(2.0), **off), D.Kumaraswamy(t([0.5, 1.0]), t(2.0), **off),
    D.GeneralizedPareto(t([0.0, 0.5]), t(2.0), t([0.3, -0.3]), **off),
    D.relaxed_bernoulli.LogitRelaxedBernoulli(t(0.7), t([0.2, 0.7]), **off),
    D.RelaxedBernoulli(t(0.7), t([0.2, 0.7]), **off),
    D.TransformedDistribution(D.Normal(t([0.0, 1.0]), 1.0, **off), [T.SigmoidTransform()], **off),
    D.MixtureSameFamily(D.Categorical(t([0.2, 0.8])), D.Exponential(t([0.5, 2.0]), **off), **off),
]
for dist in OUTSIDE:
    for number in (-0.5, 0.4, 1.5):
        value = t(number, requires_grad=True)
        asked(f"{type(dist).__name__} {number} log_prob", lambda: dist.log_prob(value))
        if number != 1.5 and not isinstance(dist, (D.Bernoulli, D.Binomial, D.Geometric, D.Poisson, D.Uniform)):
            asked("  gradient", lambda: torch.autograd.grad(dist.log_prob(value).sum(), value))
        if not isinstance(dist, (D.FisherSnedecor, D.HalfCauchy)):
            asked("  cdf", lambda: dist.cdf(value))
probs = t([0.2, 0.3, 0.5])
asked("categories", lambda: D.Categorical(probs, **off).log_prob(t([0, 2])))
asked("one hot", lambda: D.OneHotCategorical(probs, **off).log_prob(t([0.0, 3.0, 1.0])))
asked("counts", lambda: D.Multinomial(2, probs, **off).log_prob(t([1.0, 1.0, 2.0])))
asked("directions", lambda: D.Dirichlet(probs, **off).log_prob(t([0.1, 0.1, 2.0])))
asked("relaxed", lambda: D.RelaxedOneHotCategorical(t(0.7), probs, **off).log_prob(t([0.1, 0.1, 2.0])))
asked("relaxed", lambda: D.relaxed_categorical.ExpRelaxedCategorical(t(0.7), probs, **off).log_prob(t([.1, .1, 2.])))
asked("logistic", lambda: D.LogisticNormal(t([0.1, 0.3]), t(1.0), **off).log_prob(t([0.1, 0.1, 0.9])))
asked("vectors", lambda: D.MultivariateNormal(t([0.1, 0.3]), matrix, **off).log_prob(t([0.1, math.nan])))
asked("low rank", lambda: D.LowRankMultivariateNormal(t([0.1, 0.3]), t([[1.0], [2.0]]), t([1.0, 1.0]), **off).log_prob(
    t([0.1, math.nan])))
asked("scatter", lambda: D.Wishart(t(3.0), matrix, **off).log_prob(t([[1.0, 0.5], [0.4, 2.0]])))
asked("correlations", lambda: D.LKJCholesky(2, 1.5, **off).log_prob(t([[1.0, 0.0], [0.5, 0.5]])))
asked("coin", lambda: D.ContinuousBernoulli(t([-0.2, 1.5])).probs)
asked("coin", lambda: D.ContinuousBernoulli(t([-0.2, 1.5]), **off).probs)
asked("coin", lambda: D.ContinuousBernoulli(t([-0.2, 1.5]), validate_args=True).probs)

# ---- members
for dist in (D.Bernoulli(t([0.2, 0.7])), D.Binomial(3, t([0.2, 0.7])),
             D.NegativeBinomial(2.0, t([0.2, 0.7])), D.Categorical(torch.ones(2, 3)), D.Multinomial(2, torch.ones(3)),
             D.OneHotCategorical(torch.ones(2, 3)), D.RelaxedBernoulli(t(0.7), t([0.2, 0.7])),
             D.RelaxedOneHotCategorical(t(0.7), torch.ones(2, 3)), D.ContinuousBernoulli(t([0.2, 0.7]))):
    asked(type(dist).__name__, lambda: dist.param_shape)
    asked("  arguments", lambda: sorted(dist.arg_constraints))
independent = D.Independent(D.Bernoulli(t([0.2, 0.7])), 0)
asked("enumerated", lambda: (independent.has_enumerate_support, independent.enumerate_support(),
                             independent.enumerate_support(expand=False)))
asked("enumerated", lambda: D.Independent(D.Bernoulli(t([0.2, 0.7])), 1).enumerate_support())
untransformed = D.TransformedDistribution(D.Exponential(t([0.2, 0.7])), [])
asked("untransformed", lambda: (untransformed.log_prob(t(0.5)), untransformed.cdf(t(0.5)), untransformed.icdf(t(0.5))))
asked("untransformed", lambda: type(untransformed.support).__name__)
asked("untransformed", lambda: untransformed.log_prob(t(-0.5)))

# ---- normal vectors: the other two of three matrices, one or a batch of them
three = torch.stack([matrix, matrix + torch.eye(2)])
root = torch.linalg.cholesky(three)
for given in ({"covariance_matrix": three}, {"precision_matrix": three}, {"scale_tril": root},
              {"covariance_matrix": matrix}, {"precision_matrix": matrix}, {"scale_tril": root[0]}):
    leaf = [*given.values()][0].clone().requires_grad_()
    for make in (lambda **how: D.MultivariateNormal(t([[0.1, 0.3], [0.0, 1.0]]), **how),
                 lambda **how: D.Wishart(t([3.0, 4.0]), **how)):
        dist = make(**{name: leaf for name in given})
        print(type(dist).__name__, [*given])
        for name in ("covariance_matrix", "precision_matrix", "scale_tril", "variance", "mean"):
            asked(f"  {name}", lambda: getattr(dist, name))
            if getattr(dist, name).requires_grad:
                weight = torch.arange(getattr(dist, name).numel()).reshape(getattr(dist, name).shape) + 1.0
                asked("   gradient", lambda: torch.autograd.grad((weight * getattr(dist, name)).sum(), leaf,
                                                                 retain_graph=True)[0].tril())
    normal = D.MultivariateNormal(t([[0.1, 0.3], [0.0, 1.0]]), **given)
    asked("  log_prob", lambda: normal.log_prob(t([[[0.0, 0.0]], [[1.0, 2.0]]])))
    asked("  expanded", lambda: normal.expand((3, 2)).covariance_matrix.shape)
factor = t([[[1.0], [2.0]], [[0.5], [0.1]]]).requires_grad_()
diagonal = t([1.0, 0.5]).requires_grad_()
low = D.LowRankMultivariateNormal(t([0.1, 0.3]), factor, diagonal)
for name in ("covariance_matrix", "precision_matrix", "scale_tril", "variance", "mean", "mode"):
    asked(f"low rank {name}", lambda: getattr(low, name))
    if getattr(low, name).requires_grad:
        weight = torch.arange(getattr(low, name).numel()).reshape(getattr(low, name).shape) + 1.0
        asked("  gradients", lambda: torch.autograd.grad((weight * getattr(low, name)).sum(), (factor, diagonal),
                                                         retain_graph=True))
asked("low rank", lambda: low.log_prob(t([[[0.0, 0.0]], [[1.0, 2.0]]])))
asked("low rank", lambda: low.expand((3, 2)).scale_tril.shape)
asked("low rank", lambda: D.kl_divergence(low, D.MultivariateNormal(t([0.1, 0.3]), three)))
asked("low rank", lambda: D.kl_divergence(D.MultivariateNormal(t([0.1, 0.3]), three), low))
zeros, ones = torch.zeros, torch.ones
asked("low rank", lambda: D.LowRankMultivariateNormal(t(0.0), ones(2, 1), ones(2)))
asked("low rank", lambda: D.LowRankMultivariateNormal(zeros(2), ones(2), ones(2)))
asked("low rank", lambda: D.LowRankMultivariateNormal(zeros(2), ones(3, 1), ones(2)))
asked("low rank", lambda: D.LowRankMultivariateNormal(zeros(2), ones(2, 1), ones(3)))
asked("low rank", lambda: D.LowRankMultivariateNormal(zeros(3, 2), ones(2, 2, 1), ones(2)))
asked("low df", lambda: D.Wishart(t(1.5), matrix).mean)

# ---- divergences
asked("independent", lambda: D.kl_divergence(D.Independent(D.Normal(zeros(2, 2), 1.0), 1),
                                             D.Independent(D.Normal(zeros(2, 2), 1.0), 2)))
asked("gamma", lambda: D.kl_divergence(D.Gamma(t([0.5, 2.0]), 2.0), D.Weibull(t(1.0), t(1.0))))
asked("gamma", lambda: D.kl_divergence(D.Gamma(t([0.5, 2.0]), 2.0), D.Exponential(3.0)))
asked("gamma", lambda: D.kl_divergence(D.Gamma(t([0.5, 2.0]), 2.0), D.Gumbel(0.0, t(1.5))))
asked("gamma", lambda: D.kl_divergence(D.Gamma(t([0.5, 2.0]), 2.0), D.Normal(0.0, t(1.5))))
asked("gamma", lambda: D.kl_divergence(D.Exponential(t([0.5, 2.0])), D.Gamma(2.0, t(1.5))))
asked("pareto", lambda: D.kl_divergence(D.Pareto(1.0, t([0.5, 2.0])), D.Gamma(2.0, t(1.5))))

# ---- mixtures
asked("mixture", lambda: D.MixtureSameFamily(D.Categorical(ones(2)), 3))
asked("mixture", lambda: D.MixtureSameFamily(D.Categorical(ones(3, 2)), D.Normal(zeros(2, 2), 1.0)))
mixture = D.MixtureSameFamily(D.Categorical(ones(2)), D.Dirichlet(ones(2, 3)))
asked("mixture", lambda: (mixture.support, mixture.support.is_discrete, mixture.support.event_dim))
asked("mixture", lambda: mixture.support.check(t([[0.2, 0.3, 0.5], [0.2, 0.3, 0.6]])))
asked("mixture", lambda: D.MixtureSameFamily(D.Categorical(ones(2)), D.Poisson(ones(2))).support.is_discrete)

# ---- the base classes
bare = D.Distribution(validate_args=False)
for name in ("arg_constraints", "support", "mean", "mode", "variance", "stddev"):
    asked(name, lambda: getattr(bare, name))
for name, arguments in (("expand", ((2,),)), ("rsample", ()), ("sample", ()), ("log_prob", (t(1.0),)),
                        ("cdf", (t(1.0),)), ("icdf", (t(1.0),)), ("enumerate_support", ()), ("entropy", ()),
                        ("perplexity", ())):
    asked(name, lambda: getattr(bare, name)(*arguments))
family = D.ExponentialFamily(validate_args=False)
asked("natural", lambda: family._natural_params)
asked("normalizer", lambda: family._log_normalizer(t(1.0)))
asked("carrier", lambda: family._mean_carrier_measure)
asked("several", lambda: D.Poisson(t([0.0, 0.0])).sample_n(3))


class Unchecked(D.Distribution):
    """It says neither what its parameters are, nor its support."""


class Fixed(D.Normal):
    def __init__(self, loc):
        super().__init__(loc, 1.0)

    def expand(self, batch_shape, _instance=None):
        return super().expand(batch_shape, _instance=self._get_checked_instance(Fixed, _instance))


asked("unchecked", lambda: Unchecked(validate_args=True).batch_shape)
asked("unchecked", lambda: Unchecked()._validate_sample(t(1.0)))
asked("fixed", lambda: Fixed(t(2.0)).expand((2,)).loc)

# ---- constraints
asked("dependent", lambda: constraints.dependent)
asked("dependent", lambda: constraints.dependent(is_discrete=True).is_discrete)
asked("dependent", lambda: constraints.dependent(event_dim=1).event_dim)
asked("dependent", lambda: constraints.dependent(event_dim=1).is_discrete)
asked("dependent", lambda: constraints.dependent(is_discrete=False, event_dim=2)(event_dim=1).event_dim)
asked("dependent", lambda: D.Uniform.support.is_discrete)
asked("independent", lambda: (constraints.independent(constraints.boolean, 2).is_discrete,
                              constraints.real_vector.is_discrete))
asked("independent", lambda: constraints.independent(constraints.real, 2).check(zeros(3)))
asked("base", lambda: constraints.Constraint().check(t(1.0)))
asked("less", lambda: constraints.less_than(2.0).check(t([1.0, 2.0])))
asked("integers", lambda: D.constraints._IntegerLessThan(2).check(t([1.0, 2.0, 3.0, 1.5])))
asked("registered", lambda: D.biject_to.register(3, None)(lambda constraint: T.ExpTransform()))
asked("registered", lambda: D.biject_to.register(int, lambda constraint: T.ExpTransform()))


class Odd(constraints.Constraint):
    def check(self, value):
        return value % 2 == 1


@D.transform_to.register(Odd)
def of_odd(constraint):
    return T.AffineTransform(1.0, 2.0)


asked("registered", lambda: D.transform_to(Odd())(t(3.0)))
asked("registered", lambda: D.biject_to(Odd()))

# ---- transforms
normal = D.Normal(0.0, 1.0)
TRANSFORMS = [
    T.ExpTransform(), T.AffineTransform(1.0, 2.0), T.PowerTransform(t(2.0)), T.ComposeTransform([T.ExpTransform()]),
    T.IndependentTransform(T.ExpTransform(), 1), T.CatTransform([T.ExpTransform(), T.SigmoidTransform()], -1, [1, 2]),
    T.StackTransform([T.ExpTransform(), T.SigmoidTransform(), T.TanhTransform()], -1),
    T.ReshapeTransform((3,), (3, 1)), T.CumulativeDistributionTransform(normal), T.StickBreakingTransform(),
    T.ExpTransform().inv, T.CorrCholeskyTransform(), T.SoftmaxTransform(), T.AbsTransform(), T.TanhTransform(),
    T.LowerCholeskyTransform(), T.SoftplusTransform(), T.PositiveDefiniteTransform(),
]
for each in TRANSFORMS:
    print(type(each).__name__, each.bijective)
    x = t([0.2, 0.5, 0.4]) if each.domain.event_dim < 2 else t([[0.2, 0.5], [0.4, 0.3]])
    cached = each.with_cache()
    y = cached(x)
    asked("  values", lambda: y)
    if not isinstance(each, (T.AbsTransform, T.SoftmaxTransform)):
        asked("  cached", lambda: (cached is each, each.with_cache(0) is each, cached(x) is y, cached.inv(y) is x))
        asked("  again", lambda: (type(cached.with_cache(0)).__name__, cached.with_cache(0).inv(y)))
    asked("  dims", lambda: each.event_dim)
    asked("  sign", lambda: each.sign)
    asked("  shapes", lambda: (each.forward_shape(x.shape), each.inverse_shape(y.shape)))
    if not isinstance(each, (T.CumulativeDistributionTransform, T._InverseTransform)):
        asked("  pickled", lambda: pickle.loads(pickle.dumps(each))(x))
bare = T.Transform()
for name, arguments in (("_call", (t(1.0),)), ("_inverse", (t(1.0),)), ("log_abs_det_jacobian", (t(1.0), t(1.0)))):
    asked(name, lambda: getattr(bare, name)(*arguments))
asked("called", lambda: bare(t(1.0)))
asked("sign", lambda: bare.sign)


class Twice(T.Transform):
    domain = codomain = constraints.real

    def __init__(self, factor, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.factor = factor


asked("unknown", lambda: Twice(2.0).with_cache())
asked("cat", lambda: (TRANSFORMS[5].length, TRANSFORMS[5].event_dim))
asked("affine", lambda: (T.AffineTransform(1.0, 2.0, event_dim=1).event_dim, T.AffineTransform(0.0, t(-2.0)).sign))
asked("shapes", lambda: T.ReshapeTransform((2, 3), (6,)).forward_shape((5, 2, 3)))
asked("shapes", lambda: T.ReshapeTransform((2, 3), (6,)).forward_shape((5, 3, 2)))
asked("shapes", lambda: T.ReshapeTransform((2, 3), (6,)).inverse_shape((5, 5)))
asked("shapes", lambda: T.ReshapeTransform((2, 3), (6,)).forward_shape((3,)))
asked("shapes", lambda: T.CorrCholeskyTransform().forward_shape((4,)))
asked("shapes", lambda: T.CorrCholeskyTransform().inverse_shape((2, 3)))
asked("shapes", lambda: T.CorrCholeskyTransform().inverse_shape((3,)))
asked("shapes", lambda: T.StickBreakingTransform().forward_shape(()))
asked("shapes", lambda: T.SoftmaxTransform().inverse_shape(()))
asked("dims", lambda: T.IndependentTransform(T.ExpTransform(), 2)(zeros(3)))
asked("dims", lambda: T.IndependentTransform(T.ExpTransform(), 2).inv(ones(3)))

# ---- triangles
asked("triangle", lambda: tril_matrix_to_vec(torch.arange(9.0).reshape(3, 3), diag=1))
asked("triangle", lambda: tril_matrix_to_vec(torch.arange(9.0).reshape(3, 3), diag=3))
asked("triangle", lambda: tril_matrix_to_vec(torch.arange(9.0).reshape(3, 3), diag=-4))
asked("triangle", lambda: vec_to_tril_matrix(torch.arange(5.0)))
asked("triangle", lambda: vec_to_tril_matrix(torch.arange(6.0)))
torch.set_default_dtype(torch.float32)
