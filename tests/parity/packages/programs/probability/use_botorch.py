"""botorch: a Gaussian process fitted, acquisition functions, and the point that maximises one."""

import warnings

import torch
from botorch.acquisition import (ExpectedImprovement, LogExpectedImprovement, ProbabilityOfImprovement,
                                 UpperConfidenceBound, qExpectedImprovement)
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from botorch.optim import optimize_acqf
from botorch.sampling import SobolQMCNormalSampler
from botorch.test_functions import Branin
from botorch.utils import draw_sobol_samples, standardize
from gpytorch.mlls import ExactMarginalLogLikelihood

# to 1e-3
warnings.simplefilter("ignore")
torch.manual_seed(0)
x = torch.rand(8, 2, dtype=torch.float64)
y = standardize(-((x - 0.4) ** 2).sum(-1, keepdim=True))
model = SingleTaskGP(x, y)
marginal = ExactMarginalLogLikelihood(model.likelihood, model)
fit_gpytorch_mll(marginal)
posterior = model.posterior(torch.tensor([[0.3, 0.3], [0.8, 0.1]], dtype=torch.float64))
print(posterior.mean.tolist(), posterior.variance.tolist())
place = torch.tensor([[[0.35, 0.5]], [[0.7, 0.9]]], dtype=torch.float64)
for acquisition in (ExpectedImprovement(model, best_f=0.5), LogExpectedImprovement(model, best_f=0.5),
                    ProbabilityOfImprovement(model, best_f=0.5), UpperConfidenceBound(model, beta=0.2)):
    print(type(acquisition).__name__, acquisition(place).tolist())
quasi = qExpectedImprovement(model, best_f=0.5, sampler=SobolQMCNormalSampler(torch.Size([16]), seed=0))
print("qEI", quasi(place).tolist())
bounds = torch.stack([torch.zeros(2), torch.ones(2)]).double()
best, value = optimize_acqf(UpperConfidenceBound(model, beta=0.2), bounds, q=1, num_restarts=2, raw_samples=8)
print("best", [round(each, 2) for each in best[0].tolist()], round(value.item(), 3))
print(draw_sobol_samples(bounds, n=2, q=1, seed=1).tolist())
print(Branin()(torch.tensor([[1.0, 2.0]])).item())
