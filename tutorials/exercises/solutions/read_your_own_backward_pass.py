"""Solutions of the exercises of "Read your own backward pass"."""

# %% Solution: By hand once more
import numpy as np


def gradients(x, W, b, V, c, target):
    y = x @ W + b
    h = np.maximum(y, 0)
    z = h @ V + c
    z_bar = 2 * (z - target) / z.size
    h_bar = z_bar @ V.T
    y_bar = np.where(y > 0, h_bar, 0)
    return x.T @ y_bar, y_bar.sum(0), h.T @ z_bar, z_bar.sum(0)


# %% Solution: The wrong line
faulty = '''
import numpy as np

# ---- inputs
x = np.array([[1, -0.5], [0.25, 2]], "float64")
W = np.array([[0.5, -1], [0.75, 0.25]], "float64")
b = np.array([0.1, -0.2], "float64")
d_loss = np.array(1, "float64")

# ---- forward
mm = x @ W
y = mm + b
h = np.tanh(y)
z = h @ W
g = np.tanh(z)
mul = g * g
loss = np.asarray(mul.sum())

# ---- backward

# SumBackward0          self: expand(d, self.shape)
d_mul = np.broadcast_to(d_loss, (2, 2))

# MulBackward0          self: d * other     other: d * self
d_g_2 = d_mul * g
d_g_3 = d_mul * g
d_g = d_g_2 + d_g_3

# TanhBackward0         self: d * (1 - result²)
d_z = d_g * (1 - g * g)

# MmBackward0           self: d @ mat2ᵀ     mat2: selfᵀ @ d
adjoint = W.T
d_h = d_z @ adjoint
adjoint_2 = y.T
d_W_2 = adjoint_2 @ d_z

# TanhBackward0         self: d * (1 - result²)
d_y = d_h * (1 - h * h)

# AddBackward0          self: d             other: d * alpha
d_b = d_y.sum(axis=0)

# MmBackward0           mat2: selfᵀ @ d
adjoint_3 = x.T
d_W_3 = adjoint_3 @ d_y
d_W = d_W_2 + d_W_3
'''
wrong = "adjoint_2 = y.T"
right = "adjoint_2 = h.T"


# %% Solution: A decay in the program
def with_decay(text):
    return text.replace("# ---- the results", """\
loss = loss + 0.5 * (W * W).sum()
d_W = d_W + W

# ---- the results""")


# %% Project: 1
import numpy as np

import minigrad as torch
from minigrad import viz

torch.manual_seed(0)
x, target = torch.randn(8, 3, dtype=torch.float64), torch.randn(8, 2, dtype=torch.float64)
W = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)
with viz.recording():
    loss = ((torch.tanh(x @ W) - target) ** 2).mean()
text = str(viz.code(loss))
step = compile(text[text.index("# ---- forward"):text.index("# ---- the results")], "step", "exec")
names = viz.code(loss).run()
numbers = names["W"].copy()
for _ in range(100):
    names["W"] = numbers
    exec(step, names)
    numbers = numbers - 0.1 * names["d_W"]

for _ in range(100):
    W.grad = None
    now = ((torch.tanh(x @ W) - target) ** 2).mean()
    now.backward()
    with torch.no_grad():
        W -= 0.1 * W.grad
assert abs(names["loss"] - now.item()) < 1e-12 and np.allclose(numbers, W.detach().numpy())


# %% Project: 2
import minigrad as torch
from minigrad import viz

g, v = torch.tensor([0.5, -1.0], requires_grad=True), torch.tensor([0.0, 0.0])
with viz.recording():
    for _ in range(2):
        v = 0.9 * v + 0.1 * g * g
    loss = v.sum()
counts = []
for level in (1, 2, 3):
    derivation = viz.derive(loss, level=level)
    derivation.check()
    counts.append(len(derivation.forward + derivation.backward))
assert counts[0] > 2 * counts[2] and counts[1] >= counts[2]
