# minigrad homework: own_function
"""A Function that can be differentiated twice: the distance, and powers. With loops where loops will do."""

import math

import minigrad as torch
from minigrad.autograd import Function


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        # The forward pass is not recorded, so that plain numbers are fine.
        distances = []
        for a, b in zip(x.reshape(-1).tolist(), y.reshape(-1).tolist()):
            distances.append(math.sqrt(a * a + b * b))
        r = torch.tensor(distances, dtype=x.dtype).reshape(x.shape)
        ctx.save_for_backward(x, y)
        return r

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        # from x and y again, since a second derivative has to go through r, too
        r = (x * x + y * y) ** 0.5
        answer = []
        for needed, side in zip(ctx.needs_input_grad, (x, y)):
            if needed:
                answer.append(d * side / r)
            else:
                answer.append(None)
        return tuple(answer)


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        assert n == int(n) and n >= 1, "n is an integer from 1 on"
        ctx.n = int(n)
        ctx.save_for_backward(x)
        result = x.clone()
        for _ in range(ctx.n - 1):
            result = result * x
        return result

    @staticmethod
    def backward(ctx, d):
        if not ctx.needs_input_grad[0]:
            return None, None
        (x,) = ctx.saved_tensors
        gradient = d * ctx.n
        for _ in range(ctx.n - 1):
            gradient = gradient * x.conj()
        return gradient, None


if __name__ == "__main__":
    x = torch.tensor([3.0, 0.5], dtype=torch.float64, requires_grad=True)
    y = torch.tensor([4.0, -1.5], dtype=torch.float64, requires_grad=True)
    Distance.apply(x, y).sum().backward()
    h = 1e-6
    for i in range(2):
        up = math.sqrt((x[i].item() + h) ** 2 + y[i].item() ** 2)
        down = math.sqrt((x[i].item() - h) ** 2 + y[i].item() ** 2)
        print(x.grad[i].item(), (up - down) / (2 * h))
