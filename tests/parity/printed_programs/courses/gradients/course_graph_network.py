"""A graph convolutional network labels the members of two communities from two known labels (Kipf and Welling 2017)."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class GraphConvolution(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inputs, outputs))
        self.bias = nn.Parameter(torch.zeros(outputs))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, spread):
        return spread @ (x @ self.weight) + self.bias


class Network(nn.Module):
    def __init__(self, nodes):
        super().__init__()
        self.first = GraphConvolution(nodes, 8)
        self.second = GraphConvolution(8, 2)

    def forward(self, x, spread):
        x = F.dropout(F.relu(self.first(x, spread)), 0.3, self.training)
        return F.log_softmax(self.second(x, spread), dim=1)


torch.manual_seed(41)
nodes = 16
community = torch.arange(nodes) % 2
likely = torch.where(community[:, None] == community[None, :], 0.6, 0.1)
edges = torch.bernoulli(likely).triu(1)
edges = edges + edges.T + torch.eye(nodes)
degree = edges.sum(1)
spread = edges / torch.outer(degree, degree).sqrt()
print(int(edges.sum()), f"{degree.min().item():.0f} {degree.max().item():.0f}")

model = Network(nodes)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05, weight_decay=5e-4)
known = torch.tensor([0, 1, 6, 7])
for step in range(20):
    model.train()
    optimizer.zero_grad()
    loss = F.nll_loss(model(torch.eye(nodes), spread)[known], community[known])
    loss.backward()
    optimizer.step()
    if step % 5 == 4:
        model.eval()
        with torch.no_grad():
            right = (model(torch.eye(nodes), spread).argmax(1) == community).float().mean()
        print(step, f"{loss.item():.5f} {right.item():.3f}")
