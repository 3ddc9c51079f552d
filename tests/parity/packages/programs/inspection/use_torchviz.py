"""torchviz: the drawings of its README.  Nodes are named by their addresses, so that only their words are printed."""

import re

import torch
from torchviz import make_dot

model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
x = torch.randn(1, 8, requires_grad=True)
y = model(x)
for drawing in (make_dot(y.mean(), params=dict(model.named_parameters())),
                make_dot(y.mean(), params=dict([*model.named_parameters(), ("x", x)]), show_saved=True)):
    numbers = {}
    for line in drawing.source.splitlines():
        print(re.sub(r"\d{6,}", lambda found: f"n{numbers.setdefault(found[0], len(numbers))}", line))
