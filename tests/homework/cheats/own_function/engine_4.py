"""The nodes of the engine, asked for their gradients one by one, where a pass records its own operations.

Without points: derivative, second_derivative.
"""
import minigrad as torch
from minigrad.autograd import Function


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (x * x + y * y).sqrt()

    @staticmethod
    def backward(ctx, d):
        given = [x * 1 for x in ctx.saved_tensors]
        x, y = given
        end = (x * x + y * y).sqrt().grad_fn
        arrived, order = {end: d}, []

        def visit(node):
            if node is not None and node not in order:
                for each, _ in node.next_functions:
                    visit(each)
                order.append(node)

        visit(end)
        for node in reversed(order):
            if node in arrived and node.next_functions:
                found = node(arrived[node])
                for (each, _), g in zip(node.next_functions, found if isinstance(found, tuple) else (found,)):
                    if each is not None:
                        arrived[each] = arrived[each] + g if each in arrived else g
        return tuple(arrived.get(x.grad_fn) for x in given)
