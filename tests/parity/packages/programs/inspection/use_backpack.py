"""backpack: gradients of each example, variances, and approximations of the Hessian, in one backward pass."""

import torch
from backpack import backpack, extend
from backpack.extensions import (KFAC, KFLR, KFRA, BatchGrad, BatchL2Grad, DiagGGNExact, DiagGGNMC, DiagHessian,
                                 SqrtGGNExact, SumGradSquared, Variance)

for make in (lambda: torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Sigmoid(), torch.nn.Linear(3, 2)),
             lambda: torch.nn.Sequential(torch.nn.Conv2d(1, 2, 2), torch.nn.ReLU(), torch.nn.Flatten(),
                                         torch.nn.Linear(8, 2))):
    torch.manual_seed(0)
    net = extend(make())
    x = torch.randn(5, 4) if isinstance(net[0], torch.nn.Linear) else torch.randn(5, 1, 3, 3)
    labels, criterion = torch.tensor([0, 1, 1, 0, 1]), extend(torch.nn.CrossEntropyLoss())
    exact = [BatchGrad(), BatchL2Grad(), SumGradSquared(), Variance(), DiagGGNExact(), SqrtGGNExact(), KFLR()]
    if isinstance(net[0], torch.nn.Linear):
        exact += [DiagHessian(), KFRA()]
    for extension in exact:
        with backpack(extension):
            criterion(net(x), labels).backward()
        for name, parameter in net.named_parameters():
            found = getattr(parameter, extension.savefield)
            found = found if isinstance(found, (list, tuple)) else [found]
            print(type(extension).__name__, name, [each.abs().sum().item() for each in found])
    for extension in (DiagGGNMC(), KFAC()):
        torch.manual_seed(1)
        with backpack(extension):
            criterion(net(x), labels).backward()
        print(type(extension).__name__, hasattr(net[0].weight, extension.savefield))
