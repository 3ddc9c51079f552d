"""Programs for which PyTorch 2.13 gives a silently wrong gradient, or ends: finite differences give the right one.

Random programs run into the first kind, and so do comparisons; the second kind they must keep out of.  Each is written
as a program of its own, so that the tests see to it that minigrad is right, and notice when PyTorch becomes so.
"""

from .program import Instruction, Program, Question

__all__ = ["PYTORCH_IS_SILENT", "PYTORCH_REFUSES"]


def program(text, leaves):
    """The text, and the gradient of ``loss9`` in these leaves."""
    lines = [Instruction(line) for line in text.strip().splitlines()]
    ask = Instruction(f"g10 = torch.autograd.grad(loss9, [{', '.join(leaves)}], allow_unused=True)",
                      Question("grad", "loss9", tuple(leaves)))
    return Program([*lines, ask])


#: What is wrong in PyTorch -> a program: no gradient arrives, and nothing is said.
PYTORCH_IS_SILENT = {
    "a view that was there before its base was made to require grad": program(
        """
x0 = torch.tensor([0.3, 0.5], dtype=torch.float64, requires_grad=True)
c1 = torch.tensor([1.1, 0.7], dtype=torch.float64)
v2 = c1[:1]
c1.requires_grad_()
loss9 = (v2 * x0).sum()
""",
        ["x0", "c1"],
    ),
}

#: What PyTorch refuses although it could be done -> a program.
PYTORCH_REFUSES = {
    "a write through a view that has not noticed yet that its base requires grad, after a write through another view":
        program(
        """
x0 = torch.tensor([0.3, 0.5], dtype=torch.float64, requires_grad=True)
c1 = torch.tensor([1.1, 0.7], dtype=torch.float64)
v2 = c1[:1]
v3 = c1[1:]
v2.mul_(x0[0])
v3.mul_(2)
loss9 = c1.sin().sum()
""",
        ["x0"],
    ),
    "a complex view of real pairs that is read anew after its base was laid out otherwise": program(
        """
x0 = torch.tensor([[0.3, 0.5], [0.7, 1.1]], dtype=torch.float64, requires_grad=True)
y1 = x0 * 2
v2 = torch.view_as_complex(y1)
y1.transpose_(0, -1)
y1.mul_(2)
loss9 = torch.view_as_real(v2).sin().sum()
""",
        ["x0"],
    ),
    "a real number copied into a part of a complex tensor": program(
        """
x0 = torch.tensor([0.3, 0.5], dtype=torch.float64, requires_grad=True)
y1 = x0 + torch.tensor(1.0 + 0.5j, dtype=torch.complex128)
y1[1:] = x0[0]
loss9 = torch.view_as_real(y1).sin().sum()
""",
        ["x0"],
    ),
}
