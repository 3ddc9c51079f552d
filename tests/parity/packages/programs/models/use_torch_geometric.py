"""PyTorch Geometric: graphs, layers of message passing, batches, pooling, and a node classifier that is trained."""

import torch
import torch_geometric as pyg
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import (APPNP, ChebConv, GATConv, GATv2Conv, GCNConv, GINConv, GraphConv, SAGEConv, SGConv,
                                TopKPooling, TransformerConv, global_add_pool, global_max_pool, global_mean_pool)
from torch_geometric.utils import degree, scatter, softmax, to_dense_adj, to_undirected

torch.manual_seed(0)
edges = to_undirected(torch.tensor([[0, 1, 2, 3, 0, 4], [1, 2, 3, 4, 2, 5]]))
x, y = torch.randn(6, 4), torch.tensor([0, 0, 1, 1, 2, 2])
data = Data(x=x, edge_index=edges, y=y)
print(data, data.num_nodes, data.is_undirected(), degree(edges[0]).tolist())
for layer in (GCNConv, GATConv, GATv2Conv, SAGEConv, GraphConv, TransformerConv, SGConv,
              lambda a, b: ChebConv(a, b, K=2), lambda a, b: GINConv(torch.nn.Linear(a, b))):
    torch.manual_seed(1)
    layer = layer(4, 3)
    out = layer(x, edges)
    out.square().sum().backward()
    print(type(layer).__name__, out[0].tolist(), sum(p.grad.abs().sum().item() for p in layer.parameters()
                                                     if p.grad is not None))
print("APPNP", APPNP(2, 0.1)(x, edges)[0].tolist())


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = GCNConv(4, 8), GCNConv(8, 3)

    def forward(self, data):
        return self.second(self.first(data.x, data.edge_index).relu(), data.edge_index)


torch.manual_seed(2)
net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.05, weight_decay=5e-4)
for epoch in range(4):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(net(data), data.y)
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
batch = Batch.from_data_list([data, Data(x=torch.ones(2, 4), edge_index=torch.tensor([[0], [1]]), y=y[:2])])
print(batch.batch.tolist(), batch[1].x.tolist())
for pool in (global_add_pool, global_mean_pool, global_max_pool):
    print(pool.__name__, pool(batch.x, batch.batch).tolist())
print([each.num_graphs for each in DataLoader([data] * 5, batch_size=2)])
print(softmax(torch.arange(4.0), torch.tensor([0, 0, 1, 1])).tolist())
print(scatter(torch.arange(4.0), torch.tensor([0, 1, 0, 1]), reduce="mean").tolist(), to_dense_adj(edges).sum().item())
torch.manual_seed(3)
print(TopKPooling(4, ratio=0.5)(x, edges)[0].tolist())
moved = pyg.transforms.Compose([pyg.transforms.NormalizeFeatures(), pyg.transforms.AddSelfLoops()])(data.clone())
print(moved.edge_index.shape, moved.x.sum().item())
