"""Matrix factorisation of ratings, with a Dataset, a DataLoader and sparse-like embeddings."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split


class Ratings(Dataset):
    def __init__(self, n):
        self.users, self.items = torch.randint(0, 8, (n,)), torch.randint(0, 6, (n,))
        self.ratings = ((self.users + self.items) % 5).float() + 1

    def __len__(self):
        return len(self.users)

    def __getitem__(self, i):
        return {"pair": (self.users[i], self.items[i]), "rating": self.ratings[i]}


class Factors(nn.Module):
    def __init__(self):
        super().__init__()
        self.user, self.item = nn.Embedding(8, 4), nn.Embedding(6, 4)
        self.user_bias, self.item_bias = nn.Embedding(8, 1), nn.Embedding(6, 1)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1) + 3


torch.manual_seed(25)
train, test = random_split(Ratings(100), [80, 20])
model = Factors()
opt = torch.optim.Adagrad(model.parameters(), lr=0.1)
for epoch in range(3):
    total = 0.0
    for batch in DataLoader(train, batch_size=16, shuffle=True, drop_last=True):
        u, i = batch["pair"]
        loss = nn.functional.mse_loss(model(u, i), batch["rating"])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(u)
    print(epoch, f"{total / 80:.4f}")
u, i = next(iter(DataLoader(test, batch_size=5)))["pair"]
print(u.tolist(), i.tolist(), len(DataLoader(TensorDataset(torch.zeros(7, 2)), batch_size=2)))
