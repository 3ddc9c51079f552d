"""A line through points, fitted by hand-written gradient descent, then with nn and optim."""
import torch

torch.manual_seed(0)
x = torch.linspace(-1, 1, 50).unsqueeze(1)
y = 3 * x - 1 + 0.1 * torch.randn(50, 1)

w, b = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
for step in range(20):
    loss = ((x * w + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.5 * w.grad
        b -= 0.5 * b.grad
        w.grad.zero_()
        b.grad.zero_()
print(f"{loss.item():.5f} {w.item():.5f} {b.item():.5f}")

model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for step in range(20):
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        print(f"{step} {loss.item():.5f}")
print(model.weight.item(), model.bias.item())
