"""gpytorch: Gaussian processes, exact and variational, their marginal likelihoods, and what they predict."""

import gpytorch
import torch

torch.manual_seed(0)
x = torch.linspace(0, 1, 20)
y = torch.sin(6 * x) + 0.1 * torch.randn(20)


class Exact(gpytorch.models.ExactGP):
    def __init__(self, x, y, likelihood, kernel):
        super().__init__(x, y, likelihood)
        self.mean_module, self.covar_module = gpytorch.means.ConstantMean(), gpytorch.kernels.ScaleKernel(kernel)

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


kernels = gpytorch.kernels
for kernel in (kernels.RBFKernel(), kernels.MaternKernel(nu=1.5), kernels.PeriodicKernel(),
               kernels.LinearKernel() + kernels.RQKernel(), kernels.RBFKernel(ard_num_dims=1)):
    likelihood = gpytorch.likelihoods.GaussianLikelihood()
    model = Exact(x, y, likelihood, kernel)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    marginal = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    for step in range(3):
        optimizer.zero_grad()
        loss = -marginal(model(x), y)
        loss.backward()
        optimizer.step()
        print(type(kernel).__name__, step, loss.item())
    model.eval()
    likelihood.eval()
    with torch.no_grad(), gpytorch.settings.fast_pred_var():
        predicted = likelihood(model(torch.tensor([0.25, 0.5, 1.2])))
    print(predicted.mean.tolist(), predicted.variance.tolist(), predicted.confidence_region()[0].tolist())


class Variational(gpytorch.models.ApproximateGP):
    def __init__(self, points):
        distribution = gpytorch.variational.CholeskyVariationalDistribution(len(points))
        super().__init__(gpytorch.variational.VariationalStrategy(self, points, distribution))
        self.mean_module, self.covar_module = gpytorch.means.ZeroMean(), gpytorch.kernels.RBFKernel()

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


model, likelihood = Variational(torch.linspace(0, 1, 5)), gpytorch.likelihoods.BernoulliLikelihood()
elbo = gpytorch.mlls.VariationalELBO(likelihood, model, num_data=20)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for step in range(3):
    torch.manual_seed(step)
    optimizer.zero_grad()
    loss = -elbo(model(x), (y > 0).float())
    loss.backward()
    optimizer.step()
    print("variational", step, loss.item())
