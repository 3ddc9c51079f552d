"""Every algorithm, with its options: the parameters after 20 steps."""
# to 2e-4
import random

import torch

SHAPES = [(3, 2), (), (4,), (2, 1, 3)]


def numbers(shape):
    n = 1
    for each in shape:
        n *= each
    return torch.tensor([random.gauss(0, 1) for _ in range(n)], dtype=torch.float64).reshape(shape)


def tensor(shape, dtype):
    if dtype.is_complex:
        return torch.complex(numbers(shape), numbers(shape)).to(dtype)
    return numbers(shape).to(dtype)


def shown(x):
    x = torch.view_as_real(x) if x.is_complex() else x
    return " ".join(f"{each:.5f}" for each in x.reshape(-1).tolist()[:4])


def after_20_steps(name, dtype, options, second):
    random.seed(1)
    params = [tensor(shape, dtype).requires_grad_() for shape in SHAPES]
    without_grad = torch.ones(2, requires_grad=True)
    optimizer = getattr(torch.optim, name)(
        [{"params": params[:2]}, {"params": [*params[2:], without_grad], **second}], **options)
    for i in range(20):
        for param in params:
            param.grad = tensor(tuple(param.shape), dtype) * (i % 5)
        optimizer.step()
    print(name, options, dtype)
    for param in params:
        print("   ", shown(param.detach()))
    state = optimizer.state[params[0]]
    print("   ", {key: (str(value.dtype), shown(value.double() if not value.is_complex() else value))
                  for key, value in state.items()})
    print("   ", without_grad.tolist(), len(optimizer.state.get(without_grad, {})))


COMMON = [{}, {"lr": 0.1, "maximize": True}, {"weight_decay": 0.1}, {"foreach": True}, {"lr": torch.tensor(0.1)}]
OPTIONS = {
    "SGD": [*COMMON, {"momentum": 0.9, "dampening": 0.3, "weight_decay": 0.1},
            {"momentum": 0.9, "nesterov": True}, {"fused": True}],
    "Adam": [*COMMON[:3], COMMON[4], {"amsgrad": True, "lr": 0.1}, {"betas": (0.5, 0.7), "eps": 1e-3},
             {"weight_decay": 0.1, "decoupled_weight_decay": True}, {"foreach": True}],
    "AdamW": [*COMMON[:3], {"amsgrad": True, "weight_decay": 0.2}],
    "NAdam": [*COMMON, {"momentum_decay": 0.1}, {"weight_decay": 0.1, "decoupled_weight_decay": True}],
    "RAdam": [*COMMON, {"betas": (0.5, 0.9), "lr": 0.1}, {"weight_decay": 0.1, "decoupled_weight_decay": True}],
    "Adamax": [*COMMON, {"betas": (0.5, 0.9), "eps": 1e-3}],
    "RMSprop": [*COMMON, {"momentum": 0.9}, {"centered": True}, {"centered": True, "momentum": 0.5, "alpha": 0.5}],
    "Rprop": [{}, {"lr": 0.1, "maximize": True}, {"etas": (0.3, 1.5), "step_sizes": (0.005, 0.02)}],
    "Adagrad": [*COMMON, {"lr_decay": 0.1, "initial_accumulator_value": 0.5}],
    "Adadelta": [*COMMON, {"rho": 0.5, "eps": 1e-3}],
    "ASGD": [*COMMON[:3], {"lr": 0.1, "t0": 5, "lambd": 0.01, "alpha": 0.5}],
    "Adafactor": [*COMMON, {"d": 1.5, "beta2_decay": -0.5, "eps": (1e-3, 1e-2)}],
}
for name, cases in OPTIONS.items():
    for options in cases:
        dtypes = [torch.float32, torch.float64]
        if name != "Adafactor" and len(options) < 2 and not options.get("foreach") and not options.get("fused"):
            dtypes.append(torch.complex128)
        for dtype in dtypes:
            if "foreach" in options and isinstance(options.get("lr"), torch.Tensor):
                continue
            after_20_steps(name, dtype, options, {"lr": 0.05})
