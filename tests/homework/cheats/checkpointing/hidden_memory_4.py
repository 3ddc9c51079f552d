"""The second run is made and used, but all tensors of the first are kept as bytes besides.

Without points: memory.
"""
ALL = []


def checkpoint(function, x):
    fresh, number = [], [0]

    def pack(tensor):
        ALL.append(tensor.detach().numpy().tobytes())
        number[0] += 1
        return number[0] - 1

    def unpack(number):
        if not fresh:
            with torch.enable_grad(), torch.autograd.graph.saved_tensors_hooks(
                    lambda tensor: fresh.append(tensor.detach()), lambda kept: kept):
                function(x.detach().requires_grad_())
        return fresh[number]

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        return function(x)
