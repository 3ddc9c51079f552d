"""Every loss: repr, value, gradient, and what is refused."""
import torch
from torch import nn


def some(*shape):
    n = 1
    for size in shape:
        n *= size
    return torch.linspace(-2, 3, n, dtype=torch.float64).sin().reshape(shape)


def complains(f):
    try:
        f()
    except (TypeError, ValueError, RuntimeError) as wrong:
        print(str(wrong)[:60].partition(", not")[0].partition(", got")[0])


x, y, classes = some(4, 5), some(4, 5) + 0.3, torch.tensor([1, 0, 4, 2])
weight = some(5).abs() + 0.5
signs = torch.tensor([1, -1, 1, -1])
cases = [
    (nn.L1Loss(), x, y), (nn.L1Loss(reduction="none"), x, y), (nn.MSELoss(), x, y), (nn.MSELoss(reduction="sum"), x, y),
    (nn.SmoothL1Loss(beta=0.2), x, y), (nn.HuberLoss(delta=0.1), x, y), (nn.PoissonNLLLoss(full=True), x, y + 2),
    (nn.GaussianNLLLoss(full=True), x, y, y.abs() + 0.1), (nn.NLLLoss(weight=weight), x, classes),
    (nn.NLLLoss(ignore_index=4), x, classes), (nn.CrossEntropyLoss(), x, classes),
    (nn.CrossEntropyLoss(weight=weight, label_smoothing=0.1, reduction="sum"), x, classes),
    (nn.CrossEntropyLoss(), x, y.softmax(1)), (nn.KLDivLoss(reduction="batchmean"), x, y.softmax(1)),
    (nn.KLDivLoss(log_target=True), x, y), (nn.BCELoss(weight=weight), x.sigmoid(), y.sigmoid()),
    (nn.BCEWithLogitsLoss(weight=weight, pos_weight=weight + 1), x, y.sigmoid()),
    (nn.SoftMarginLoss(), x, y.sign()), (nn.HingeEmbeddingLoss(margin=0.5), x[:, 0], signs),
    (nn.CosineEmbeddingLoss(margin=0.2), x, y, signs), (nn.MarginRankingLoss(margin=0.1), x[:, 0], y[:, 0], signs),
    (nn.MultiLabelMarginLoss(), x, torch.tensor([[1, 2, -1, 0, 0]] * 4)),
    (nn.MultiLabelSoftMarginLoss(weight=weight), x, (y > 0).double()),
    (nn.MultiMarginLoss(p=2, margin=0.7, weight=weight), x, classes), (nn.TripletMarginLoss(swap=True), x, y, x - y),
    (nn.TripletMarginWithDistanceLoss(margin=2.0), x, y, x - y),
    (nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: (a - b).abs().sum(-1)), x, y, x - y),
    (nn.CTCLoss(zero_infinity=True), some(6, 4, 5).log_softmax(2), torch.tensor([[1, 2], [3, 3], [4, 1], [2, 2]]),
     torch.tensor([6, 5, 6, 4]), torch.tensor([2, 2, 1, 2])),
]
for loss, input, *rest in cases:
    input = input.clone().requires_grad_()
    value = loss(input, *rest)
    print(loss, value.detach(), list(loss.state_dict()))
    print(torch.autograd.grad(value.sum(), input)[0].flatten()[:8])

loss = nn.LinearCrossEntropyLoss(5, 3, bias=True, dtype=torch.float64, weight=weight[:3])
with torch.no_grad():
    loss.linear.weight.copy_(some(3, 5))
    loss.linear.bias.copy_(some(3))
print(loss, list(loss.state_dict()), loss(x, classes.clamp(max=2)).detach())

softmax = nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs=[5, 10, 15], div_value=2.0, head_bias=True, dtype=torch.float64)
with torch.no_grad():
    for k, param in enumerate(softmax.parameters()):
        param.copy_(some(*param.shape) * (k + 1))
print(softmax, list(softmax.state_dict()))
features = some(6, 8).requires_grad_()
output, loss = softmax(features, torch.tensor([0, 19, 7, 4, 12, 9]))
print(output.detach(), loss.detach(), torch.autograd.grad(loss, features)[0][1])
print(softmax.log_prob(features).exp().sum(1).detach(), softmax.predict(features))
print(softmax(features[0], torch.tensor(6)))
complains(lambda: softmax(features, torch.tensor([0, 20, 7, 4, 12, 9])))
complains(lambda: softmax(features, torch.tensor([0])))
complains(lambda: softmax(features, torch.tensor([[0]])))
complains(lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 20, []))
complains(lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5, 5]))
complains(lambda: nn.MultiMarginLoss(p=3))
complains(lambda: nn.MultiMarginLoss(weight=some(2, 2)))
complains(lambda: nn.TripletMarginLoss(margin=0))
complains(lambda: nn.TripletMarginWithDistanceLoss(margin=-1))
complains(lambda: nn.HuberLoss(delta="1"))
complains(lambda: nn.LinearCrossEntropyLoss(5, 3, label_smoothing=2))
print(nn.MSELoss(size_average=False).reduction, nn.L1Loss(reduce=False).reduction)
