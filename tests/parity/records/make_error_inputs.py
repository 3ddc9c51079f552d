"""Write error_inputs.txt: what PyTorch refuses in its own tests, for machines without PyTorch.

Run ``python -m tests.parity.records.make_error_inputs`` where torch 2.13, expecttest and scipy are installed.  The
calls are the error inputs that PyTorch's tables of operations, modules and optimizers list.  Each line of the file is
one call, with the class of its exception and the key phrase of its message, a regular expression: the table's own, or,
if it has none, the beginning of the message.  Floating tensors, unless they are small, are written without their
elements, which are all one; each call was made again, from what the file says, before it was written.  Sparse tensors
and those of more dims than NumPy has are left out.
"""

import json
import re
import warnings
from pathlib import Path

from tests.parity.error_inputs import attempt

FILE = Path(__file__).with_name("error_inputs.txt")

#: elements of a tensor are written down up to this number
WRITTEN, WRITTEN_FLOATS = 40, 8


class Writer:
    """Arguments as JSON; a tensor that comes again, and tensors that share memory, are known by a number."""

    def __init__(self, torch, arguments):
        self.torch = torch
        self.memories, self.objects = {}, {}
        self.found = {}
        self.find(arguments)

    def find(self, value):
        """Note each tensor object, by its identity."""
        if isinstance(value, self.torch.Tensor):
            self.found[id(value)] = value
        elif isinstance(value, (list, tuple, dict)):
            for member in value.values() if isinstance(value, dict) else value:
                self.find(member)

    def __call__(self, value):
        torch = self.torch
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            return value if value == value and abs(value) != float("inf") else {"float": str(value)}
        if isinstance(value, complex):
            return {"complex": [value.real, value.imag]}
        if isinstance(value, torch.Tensor):
            return {"tensor": self.tensor(value)}
        if isinstance(value, torch.dtype) or value is torch.strided:
            return {"name": str(value)[6:]}
        if isinstance(value, tuple):
            return {"tuple": [self(v) for v in value]}
        if isinstance(value, list):
            return [self(v) for v in value]
        if isinstance(value, dict):
            return {"dict": {k: self(v) for k, v in value.items()}}
        raise TypeError(type(value))

    def tensor(self, value):
        torch = self.torch
        if value.layout != torch.strided:
            raise TypeError(value.layout)
        if value.dim() > 64:
            raise TypeError("more dims than arrays of NumPy have")
        if id(value) in self.objects:
            return {"again": self.objects[id(value)]}
        self.objects[id(value)] = len(self.objects)
        entry = {"dtype": str(value.dtype)[6:], "shape": list(value.shape)}
        if value.device.type == "meta":
            return entry | {"device": "meta"}
        if not value.is_contiguous() or value.storage_offset() or self.shared(value):
            entry |= {"stride": list(value.stride()), "offset": value.storage_offset(),
                      "memory": self.memories.setdefault(value.untyped_storage().data_ptr(), len(self.memories)),
                      "size": value.untyped_storage().nbytes() // value.element_size()}
        elif 0 < value.numel() <= (WRITTEN_FLOATS if value.is_floating_point() else WRITTEN):
            elements = value.detach().flatten().tolist()
            entry["elements"] = [self(round(v, 2)) for v in elements] if value.is_floating_point() else (
                [self(v) for v in elements])
        if value.requires_grad:
            entry["requires_grad"] = True
        if isinstance(value, torch.nn.Parameter):
            entry["parameter"] = True
        return entry

    def shared(self, value):
        """Whether another tensor, or more than this one, is in its memory."""
        storage = value.untyped_storage()
        others = [t for t in self.found.values() if t is not value and t.layout == self.torch.strided]
        return value.numel() and (storage.nbytes() != value.numel() * value.element_size() or storage.data_ptr() in [
            t.untyped_storage().data_ptr() for t in others if t.numel()])


def key_phrase(message):
    """The beginning of a message, to the end of its first sentence, and without the arguments."""
    return re.escape(re.split(r"[\n;]|\.\s| - got", message)[0]).replace("\\ ", " ").replace("\\-", "-")[:120]


def operations(torch, op_db):
    """For each error input of an operation: names it may have, arguments, class, phrase."""
    for op in op_db:
        if op.error_inputs_func is None or op.name.startswith("jiterator"):
            continue
        for case in op.error_inputs("cpu"):
            sample = case.sample_input
            args = sample.input, *sample.args
            names = [op.name, f"Tensor.{op.name}", f"Tensor.{op.name}_"]
            if "." in op.name:
                names = names[:1]
            elif getattr(torch, op.name, None) is not op.op:
                names = names[1:] + names[:1]
            yield names, args, sample.kwargs, case.error_type, case.error_regex
            if op.name == "nn.functional.embedding":
                yield names, (args[1], args[0], *args[2:]), sample.kwargs, case.error_type, case.error_regex


def modules(torch, module_db):
    for module in module_db:
        for training in (True, False) if module.module_error_inputs_func else ():
            for case in module.module_error_inputs_func(
                    module, device="cpu", dtype=torch.float32, requires_grad=False, training=training):
                made, run = case.module_error_input.constructor_input, case.module_error_input.forward_input
                run = None if case.error_on.name == "CONSTRUCTION_ERROR" else (run.args, run.kwargs)
                yield [module.name], ("made", training, made.args, made.kwargs, run), {}, case.error_type, (
                    case.error_regex)


def optimizers(torch, optim_db):
    for optimizer in optim_db:
        if optimizer.optim_error_inputs_func is None:
            continue
        for case in optimizer.optim_error_inputs_func("cpu", torch.float32):
            made = case.optimizer_error_input
            params = made.params if made.params is not None else [torch.nn.Parameter(torch.ones(1, 1))]
            yield ["optim." + optimizer.optim_cls.__name__], ("stepped", params, made.kwargs, (
                case.error_on.name != "CONSTRUCTION_ERROR")), {}, case.error_type, case.error_regex


def lines(torch, cases):
    for names, args, kwargs, expected, phrase in cases:
        write = Writer(torch, (args, kwargs))
        try:
            args, kwargs = write(list(args)), write(kwargs)["dict"]
        except TypeError as problem:
            print("not written:", names[0], problem)
            continue
        for name in names:
            raised = attempt(torch, name, args, kwargs)
            if raised and issubclass(raised[0], expected) and re.search(phrase, raised[1]):
                class_name = next(c for c in raised[0].__mro__ if c.__module__ == "builtins").__name__
                yield json.dumps([name, args, kwargs, class_name, phrase or key_phrase(raised[1])])
                break
        else:
            print("not raised:", names, args, kwargs, expected.__name__, phrase, "but", raised)


if __name__ == "__main__":
    import torch
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.testing._internal.common_modules import module_db
    from torch.testing._internal.common_optimizers import optim_db

    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    found = [*lines(torch, operations(torch, op_db)), *lines(torch, modules(torch, module_db)),
             *lines(torch, optimizers(torch, optim_db))]
    FILE.write_text("\n".join(dict.fromkeys(found)) + "\n")
