"""Solutions of the exercises of "Reading digits"."""

# %% Solution: A softmax that does not overflow
import minigrad as torch


def log_probabilities(scores):
    shifted = scores - scores.max(1, keepdim=True).values
    return shifted - torch.log(torch.exp(shifted).sum(1, keepdim=True))


# %% Solution: Adam, by hand
import minigrad as torch


@torch.no_grad()
def step(parameters, state, rate=0.001):
    state["t"] = t = state.get("t", 0) + 1
    averages = state.setdefault("averages", [(torch.zeros_like(p), torch.zeros_like(p)) for p in parameters])
    for p, (mean, square) in zip(parameters, averages):
        mean.lerp_(p.grad, 0.1)
        square.lerp_(p.grad * p.grad, 0.001)
        p -= rate * (mean / (1 - 0.9**t)) / ((square / (1 - 0.999**t)).sqrt() + 1e-8)
        p.grad = None


# %% Solution: Fooling a classifier
import minigrad as torch


def fool(W, b, image, wanted):
    image = image.clone()
    while True:
        image.requires_grad_()
        scores = image @ W + b
        if scores.argmax() == wanted:
            return image.detach()
        gradient, = torch.autograd.grad(scores.max() - scores[wanted], image)
        image = image.detach() - 0.05 * gradient / gradient.norm()
