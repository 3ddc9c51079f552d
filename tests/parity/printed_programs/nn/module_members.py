"""Assignment registers; names, walks, and errors."""
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(o, i))
        self.bias = nn.Parameter(torch.zeros(o), requires_grad=False)
        self.register_buffer("seen", torch.tensor(0))
        self.register_buffer("hidden", torch.tensor(1.), persistent=False)
        self.kept = nn.Buffer(torch.arange(2.))

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias)

    def extra_repr(self):
        return f"{self.weight.shape[1]} to {self.weight.shape[0]}"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Layer(2, 3)
        self.again = self.first
        self.rest = nn.ModuleDict({"a": Layer(3, 1), "b": nn.Module()})
        self.none = None
        self.register_parameter("missing", None)


def complains(f):
    try:
        f()
    except (TypeError, KeyError, AttributeError, ValueError, RuntimeError) as wrong:
        print(wrong.args[0].partition(" [")[0].partition(", got:")[0].partition(" call")[0][:40])
    else:
        print("nothing")


net = Net()
print(net)
for walk in (net.named_parameters(), net.named_buffers(), net.named_modules(), net.named_children()):
    print([name for name, _ in walk])
print([name for name, _ in net.named_parameters(remove_duplicate=False)])
print([name for name, _ in net.named_parameters("p", recurse=False)], [n for n, _ in net.first.named_buffers("x")])
print([name for name, _ in net.named_modules(prefix="net", remove_duplicate=False)])
print(list(net.state_dict()), list(net.first.state_dict(prefix="of.")))
print(net.get_submodule("rest.a"), net.get_parameter("first.weight").shape, net.get_buffer("first.seen"))
for target in ("rest.c", "first.weight", "first.weight.x"):
    complains(lambda: net.get_submodule(target))
complains(lambda: net.get_parameter("first.seen"))
complains(lambda: net.get_buffer("first.weight"))
complains(lambda: setattr(net.first, "weight", torch.ones(2)))
complains(lambda: setattr(net, "first", 3))
complains(lambda: setattr(net.first, "seen", 3))
complains(lambda: net.register_buffer("first", torch.ones(1)))
complains(lambda: net.register_buffer("a.b", torch.ones(1)))
complains(lambda: net.register_buffer("", torch.ones(1)))
complains(lambda: net.register_buffer(3, torch.ones(1)))
complains(lambda: net.register_parameter("w", torch.ones(1)))
complains(lambda: net.register_parameter("x.y", None))
complains(lambda: net.add_module("forward", net.first))
complains(lambda: net.add_module("m", 3))
complains(lambda: net.nothing)
complains(lambda: nn.Module(3))
complains(lambda: nn.Module(x=3))
complains(lambda: net.train(3))


class Early(nn.Module):
    def __init__(self, value):
        self.value = value


complains(lambda: Early(nn.Parameter(torch.ones(1))))
complains(lambda: Early(nn.Module()))
net.first.weight = nn.Parameter(torch.full((3, 2), 2.))
net.first.seen = torch.tensor(7)
net.first = None
print(net.first, list(net._modules), [n for n, _ in net.named_parameters()])
del net.again
complains(lambda: net.again)
net.rest.a.weight = None
print(list(net.rest.a.state_dict()), "weight" in dir(net.rest.a), sorted(set(dir(net)) & {"rest", "none", "missing"}))
net.rest = nn.Parameter(torch.ones(2))
print([n for n, _ in net.named_parameters()], list(net.children()))
print(nn.Parameter(torch.tensor([1, 2]), requires_grad=False), nn.Parameter(), isinstance(nn.Parameter(), torch.Tensor))
print(isinstance(nn.Buffer(torch.ones(1)), nn.Buffer), isinstance(torch.ones(1), nn.Buffer),
      type(nn.Buffer(torch.ones(1))).__name__)
