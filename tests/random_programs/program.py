"""A program is a list of instructions; printed, it is what a user would have written, and the printed text
runs."""

import dataclasses
import functools
import re
import textwrap

__all__ = ["FUNCTIONS", "Instruction", "Program", "Question"]

#: Functions of a user's own that write in place, defined where a program calls them.
FUNCTIONS = {
    "Doubled": """
        class Doubled(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.mark_dirty(x)
                return x.mul_(2)

            @staticmethod
            def backward(ctx, g):
                return g * 2
    """,
    "Exponentiated": """
        class Exponentiated(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.mark_dirty(x)
                ctx.save_for_backward(x.exp_())
                return x

            @staticmethod
            def backward(ctx, g):
                y, = ctx.saved_tensors
                return g * (y.conj() if y.is_complex() else y)
    """,
}
FUNCTIONS = {name: textwrap.dedent(text).lstrip() for name, text in FUNCTIONS.items()}

NAME = re.compile(r"\b[a-z]+\d+\b")


@dataclasses.dataclass(frozen=True)
class Question:
    """What an instruction asks autograd: ``"grad"`` or ``"backward"`` of ``of``, or ``"second"``, through its
    ``"grad"``.

    ``also`` are other tensors that the pass begins at, each with ones for its gradient.

    ``"plumbing"`` is what lies between two questions, and does not matter to a judge that answers them without
    autograd. """

    kind: str
    of: str = ""
    inputs: tuple = ()
    also: tuple = ()


@dataclasses.dataclass(frozen=True)
class Instruction:
    text: str
    asks: Question | None = None

    @functools.cached_property
    def names(self):
        return set(NAME.findall(self.text))

    @functools.cached_property
    def code(self):
        return compile(self.text, self.text, "exec")

    @functools.cached_property
    def makes(self):
        """The names that it assigns."""
        left = re.match(r"(?:with .*:\n    )?((?:[a-z]+\d+(?:, )?)+) = ", self.text)
        return set(NAME.findall(left[1])) if left else set()

    def asking_without(self, missing):
        """The instruction with these names struck from the leaves that it asks for, unless none would be left."""
        if not self.asks or not (left := [name for name in self.asks.inputs if name not in missing]):
            return self
        text = self.text.replace(f"[{', '.join(self.asks.inputs)}]", f"[{', '.join(left)}]")
        return Instruction(text, dataclasses.replace(self.asks, inputs=tuple(left)))


class Program:
    def __init__(self, instructions):
        self.instructions = list(instructions)

    def __len__(self):
        return len(self.instructions)

    def __str__(self):
        body = "\n".join([i.text for i in self.instructions])
        functions = [text for name, text in FUNCTIONS.items() if name in body]
        head = ["seen = []\n"] if "seen" in body else []
        return "\n".join(["import torch\n", *functions, *head]) + body + "\n"

    def without(self, gone):
        """The program without the instructions at these places, and without those that need what they made."""
        kept, missing = [], set()
        for place, instruction in enumerate(self.instructions):
            instruction = instruction.asking_without(missing)
            needs = instruction.names - instruction.makes | set(instruction.asks.inputs if instruction.asks else ())
            if place in gone or needs & missing:
                missing |= instruction.makes
            else:
                kept.append(instruction)
        return Program(kept)
