"""pyro: a model and a guide, stochastic variational inference, Hamiltonian Monte Carlo, and enumeration."""

import pyro
import pyro.distributions as dist
import torch
from pyro.infer import MCMC, NUTS, SVI, HMC, Predictive, Trace_ELBO, TraceEnum_ELBO, config_enumerate
from pyro.infer.autoguide import AutoDiagonalNormal, AutoMultivariateNormal
from pyro.optim import Adam, ClippedAdam

pyro.set_rng_seed(0)
x = torch.linspace(-1, 1, 20)
y = 2 * x + 1 + 0.1 * torch.randn(20)


def model(x, y=None):
    slope, bias = pyro.sample("slope", dist.Normal(0.0, 2.0)), pyro.sample("bias", dist.Normal(0.0, 2.0))
    scale = pyro.sample("scale", dist.LogNormal(0.0, 1.0))
    with pyro.plate("data", len(x)):
        return pyro.sample("y", dist.Normal(slope * x + bias, scale), obs=y)


for guide in (AutoDiagonalNormal(model), AutoMultivariateNormal(model)):
    pyro.clear_param_store()
    pyro.set_rng_seed(1)
    svi = SVI(model, guide, Adam({"lr": 0.05}), Trace_ELBO())
    print(type(guide).__name__, [svi.step(x, y) for step in range(5)])
    print({name: value.tolist() for name, value in guide.median(x, y).items()})
pyro.set_rng_seed(2)
draws = Predictive(model, guide=guide, num_samples=3)(x)
print({name: tuple(value.shape) for name, value in draws.items()})


@config_enumerate
def mixture(data):
    weights = pyro.param("weights", torch.tensor([0.4, 0.6]), constraint=dist.constraints.simplex)
    means = pyro.param("means", torch.tensor([-1.0, 1.0]))
    with pyro.plate("points", len(data)):
        which = pyro.sample("which", dist.Categorical(weights))
        pyro.sample("obs", dist.Normal(means[which], 0.5), obs=data)


pyro.clear_param_store()
svi = SVI(mixture, lambda data: None, ClippedAdam({"lr": 0.1}), TraceEnum_ELBO(max_plate_nesting=1))
print([svi.step(y) for step in range(4)], pyro.param("means").tolist())

for kernel in (HMC(model, step_size=0.05, num_steps=3, adapt_step_size=False),
               NUTS(model, step_size=0.1, adapt_step_size=False, max_tree_depth=3)):
    pyro.set_rng_seed(3)
    mcmc = MCMC(kernel, num_samples=3, warmup_steps=1, disable_progbar=True)
    mcmc.run(x, y)
    print(type(kernel).__name__, mcmc.get_samples()["slope"].tolist())
