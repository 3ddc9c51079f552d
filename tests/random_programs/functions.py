"""What a user defines before a program begins: custom Functions of every shape, and a few helpers.

Each is a text that runs on minigrad and on PyTorch.  A Function is named with how it is applied: to how many tensors of
one shape, with which other arguments, and how many results there are.
"""

import functools
import textwrap

__all__ = ["APPLIED", "HELPERS", "helpers"]

HELPERS = {
    # Two inputs, a number, two outputs; a gradient of None for the number.
    "Products": """
        class Products(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b, scale):
                ctx.save_for_backward(a, b)
                ctx.scale = scale
                return a * b * scale, a - b

            @staticmethod
            def backward(ctx, g, h):
                a, b = ctx.saved_tensors
                return g * b * ctx.scale + h, g * a * ctx.scale - h, None
    """,
    # Every staticmethod there is.
    "Sined": """
        class Sined(torch.autograd.Function):
            @staticmethod
            def forward(x):
                return x.sin()

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.save_for_backward(*inputs)
                ctx.save_for_forward(*inputs)

            @staticmethod
            def backward(ctx, g):
                x, = ctx.saved_tensors
                return g * x.cos()

            @staticmethod
            def jvp(ctx, t):
                x, = ctx.saved_tensors
                return t * x.cos()

            @staticmethod
            def vmap(info, in_dims, x):
                return Sined.apply(x), in_dims[0]
    """,
    # A rule for vmap that is made of the others; the result is saved.
    "Grown": """
        class Grown(torch.autograd.Function):
            generate_vmap_rule = True

            @staticmethod
            def forward(x, rate):
                return (x * rate).exp()

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.rate = inputs[1]
                ctx.save_for_backward(output)
                ctx.save_for_forward(output)

            @staticmethod
            def backward(ctx, g):
                y, = ctx.saved_tensors
                return g * y * ctx.rate, None

            @staticmethod
            def jvp(ctx, t, _):
                y, = ctx.saved_tensors
                return t * y * ctx.rate
    """,
    # Cannot be differentiated twice.
    "Once": """
        class Once(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            @torch.autograd.function.once_differentiable
            def backward(ctx, g):
                x, = ctx.saved_tensors
                return 2 * g * x
    """,
    # An output of integers, and one that has no derivative.
    "Signs": """
        class Signs(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                signs, places = x.sign(), (x > 0).long()
                ctx.mark_non_differentiable(signs, places)
                ctx.save_for_backward(signs)
                return x * signs, signs, places

            @staticmethod
            def backward(ctx, g, *others):
                signs, = ctx.saved_tensors
                return g * signs
    """,
    # Gradients that are not there are None.
    "Halves": """
        class Halves(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(False)
                return x * 0.5, x * 1.5

            @staticmethod
            def backward(ctx, g, h):
                parts = [d * s for d, s in ((g, 0.5), (h, 1.5)) if d is not None]
                return sum(parts[1:], parts[0]) if parts else None
    """,
    # Only the gradients that are needed.
    "Mixed": """
        class Mixed(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, share, b):
                ctx.share = share
                return a * share + b * (1 - share)

            @staticmethod
            def backward(ctx, g):
                needs_a, _, needs_b = ctx.needs_input_grad
                return g * ctx.share if needs_a else None, None, g * (1 - ctx.share) if needs_b else None
    """,
    # Writes to its input.
    "Shifted": """
        class Shifted(torch.autograd.Function):
            @staticmethod
            def forward(x, by):
                return x.mul_(by)

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.by = inputs[1]
                ctx.mark_dirty(inputs[0])

            @staticmethod
            def backward(ctx, g):
                return g * ctx.by, None
    """,
    # Returns its input, and another tensor.
    "Passed": """
        class Passed(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, w):
                ctx.save_for_backward(w)
                return x, x * w

            @staticmethod
            def backward(ctx, g, h):
                w, = ctx.saved_tensors
                return g + h * w, None
    """,
    "tangent": """
        def tangent(f, x, t):
            with torch.autograd.forward_ad.dual_level():
                y = f(torch.autograd.forward_ad.make_dual(x, t))
                return torch.utils._pytree.tree_map(lambda y: torch.autograd.forward_ad.unpack_dual(y).tangent, y)
    """,
    "packed": """
        def packed(x):
            return x.detach().clone(), x.shape


        def unpacked(pair):
            return pair[0].reshape(pair[1])
    """,
}
HELPERS = {name: textwrap.dedent(text).lstrip() for name, text in HELPERS.items()}
CODE = compile("\n\n".join(HELPERS.values()), "helpers", "exec")


@functools.lru_cache(maxsize=4)
def helpers(torch):
    """{name: what it is called with} of everything here, for this library."""
    namespace = {"torch": torch}
    exec(CODE, namespace)
    return namespace

#: How a Function is applied, and how many results it has.
APPLIED = {
    "Products": ("{0}, {1}, 0.5", 2),
    "Sined": ("{0}", 1),
    "Grown": ("{0}, 0.3", 1),
    "Once": ("{0}", 1),
    "Signs": ("{0}", 3),
    "Halves": ("{0}", 2),
    "Mixed": ("{0}, 0.25, {1}", 1),
    "Shifted": ("{0}, 1.5", 1),
    "Passed": ("{0}, {1}", 2),
}
