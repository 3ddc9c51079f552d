"""Softmax regression and a multilayer perceptron on made-up digits."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2)
centres = torch.rand(10, 64)
labels = torch.randint(0, 10, (200,))
images = (centres[labels] + 0.3 * torch.randn(200, 64)).clamp(0, 1)

for model in (nn.Linear(64, 10), nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 10))):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(4):
        model.train()
        for i in range(0, 200, 50):
            loss = F.cross_entropy(model(images[i:i + 50]), labels[i:i + 50])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            right = (model(images).argmax(dim=1) == labels).float().mean()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {right.item():.3f}")
print(model)
