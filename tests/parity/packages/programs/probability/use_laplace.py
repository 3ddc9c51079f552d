"""laplace-torch: the Laplace approximation around a trained network, its evidence, and what it predicts."""

import copy
import warnings

import torch
from laplace import Laplace
from laplace.curvature import AsdlGGN, BackPackGGN, CurvlinopsGGN

warnings.simplefilter("ignore")
torch.manual_seed(0)
x = torch.randn(24, 2)
labels = (x[:, 0] * x[:, 1] > 0).long()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, labels), batch_size=8)
net = torch.nn.Sequential(torch.nn.Linear(2, 6), torch.nn.Tanh(), torch.nn.Linear(6, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
for step in range(20):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(net(x), labels).backward()
    optimizer.step()
for weights in ("all", "last_layer"):
    for structure in ("full", "diag", "kron"):
        for backend in (BackPackGGN, AsdlGGN, CurvlinopsGGN):
            if backend is AsdlGGN and structure == "full" and weights == "all":
                continue
            approximation = Laplace(copy.deepcopy(net), "classification", subset_of_weights=weights,
                                    hessian_structure=structure, backend=backend)
            approximation.fit(loader)
            print(weights, structure, backend.__name__, approximation.log_marginal_likelihood().item(),
                  approximation(x[:2], link_approx="probit").tolist())
approximation.optimize_prior_precision(method="marglik", n_steps=5)
print(approximation.prior_precision.tolist())
