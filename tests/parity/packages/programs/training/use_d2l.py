"""d2l, the library of "Dive into Deep Learning": its classes of a model, its data and its trainer."""

import matplotlib
import torch

matplotlib.use("agg")

from d2l import torch as d2l      # noqa: E402

torch.manual_seed(0)
data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, num_train=60, num_val=20, batch_size=20)
model = d2l.LinearRegression(lr=0.03)
trainer = d2l.Trainer(max_epochs=2)
model.board.display = False
model.net = torch.nn.Linear(2, 1)
trainer.fit(model, data)
print(model.net.weight.tolist(), model.net.bias.tolist())
encoder = d2l.TransformerEncoder(20, 8, 16, 2, 1, 0.0)
print(encoder(torch.ones((1, 5), dtype=torch.long), torch.tensor([3]))[0, 0, :3].tolist())
print(d2l.masked_softmax(torch.arange(8.0).reshape(2, 2, 2), torch.tensor([1, 2])).tolist())
attention = d2l.MultiHeadAttention(8, 2, 0.0)
print(attention(torch.ones(1, 3, 8), torch.ones(1, 4, 8), torch.ones(1, 4, 8), torch.tensor([2])).shape)
