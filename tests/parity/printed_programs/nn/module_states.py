"""state_dict and load_state_dict: keys, messages, hooks, and conversions."""
import copy
import pickle

import torch
from torch import nn


class Layer(nn.Module):
    _version = 2

    def __init__(self, i, o):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(o, i))
        self.register_buffer("mean", torch.zeros(o))

    def get_extra_state(self):
        return {"extra": 1}

    def set_extra_state(self, state):
        print("extra", state)


def complains(f):
    try:
        print(f())
    except RuntimeError as wrong:
        print("\n".join(line.strip() for line in str(wrong).splitlines()))


net = nn.Sequential(Layer(2, 3), Layer(3, 1))
state = net.state_dict()
print(state.keys(), dict(state._metadata), state["0.weight"].requires_grad)
print(net.state_dict(keep_vars=True)["0.weight"].requires_grad)
with torch.no_grad():
    state["0.weight"].mul_(2)
print(net[0].weight)
other = nn.Sequential(Layer(2, 3), Layer(3, 1))
print(other.load_state_dict(state), torch.equal(other[0].weight, net[0].weight))
complains(lambda: other.load_state_dict({"0.weight": torch.ones(1, 2), "2.x": torch.ones(1), "y": torch.ones(1)}))
complains(lambda: other.load_state_dict({"0.weight": torch.ones(3, 2), "y": torch.ones(1)}, strict=False))
complains(lambda: other.load_state_dict({"0.weight": 3, **{k: v for k, v in state.items() if k != "0.weight"}}))
before = other[0].weight
other.load_state_dict({k: v.double() if torch.is_tensor(v) else v for k, v in state.items()}, assign=True)
print(other[0].weight.dtype, other[0].weight is before, type(other[0].weight).__name__, other[0].weight.requires_grad)
net.register_state_dict_pre_hook(lambda m, prefix, keep: print("before", repr(prefix), keep))
net.register_state_dict_post_hook(lambda m, state, prefix, meta: state.pop("0.mean"))
try:
    net.state_dict()
except RuntimeError as e:
    print(e)
other.register_load_state_dict_pre_hook(lambda m, state, *rest: print(type(m).__name__, sorted(state)))
other.register_load_state_dict_post_hook(lambda m, keys: keys.missing_keys.clear())
print(other.load_state_dict({}))

twin = copy.deepcopy(other)
twin[0].weight.data.zero_()
print(other[0].weight.sum(), twin[0].weight.sum(), twin[0].weight is not other[0].weight)
p = pickle.loads(pickle.dumps(nn.Parameter(torch.ones(2), requires_grad=False)))
print(type(p).__name__, p.requires_grad, p)

w = other[0].weight
other.half()
print(other[0].weight.dtype, other[0].weight is w, other[0].mean.dtype)
other.to(torch.float32)
other[0].weight.sum().backward()
print(other[0].weight.grad)
other.zero_grad(set_to_none=False)
print(other[0].weight.grad)
other.double()
print(other[0].weight.grad.dtype)
other.zero_grad()
print(other[0].weight.grad, other.requires_grad_(False)[1].weight.requires_grad)
print(other.eval().training, other[0].training, other.train()[1].training)
try:
    other.to(torch.int64)
except TypeError as e:
    print(e)
names = []
other.apply(lambda m: names.append(type(m).__name__))
print(names)
