"""Calls that PyTorch's own tests expect to be refused, made with any library: see records/make_error_inputs.py."""

import warnings

__all__ = ["attempt"]


def attempt(library, name, args, kwargs):
    """The class and the message of what the call raises or, in a case that PyTorch warns in, warns; None if nothing."""
    read = Reader(library)
    args, kwargs = read(args), read({"dict": kwargs})
    function = library
    for word in name.split("."):
        function = getattr(function, word, None)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            if args and args[0] == "made":
                made_and_called(function, *args[1:])
            elif args and args[0] == "stepped":
                made_and_stepped(function, *args[1:])
            else:
                function(*args, **kwargs)
        except Exception as problem:
            return type(problem), str(problem)
    return next(((w.category, str(w.message)) for w in warned if w.category is UserWarning), None)


def made_and_called(module, training, args, kwargs, run):
    module = module(*args, **kwargs).train(training)
    if run is not None:
        module(*run[0], **run[1])


def made_and_stepped(optimizer, params, kwargs, steps):
    """Make the optimizer and, if it is to come so far, take a step whose gradients are ones."""
    optimizer = optimizer(params, **kwargs)
    if steps:
        for group in optimizer.param_groups:
            for p in group["params"]:
                p.grad = p.detach() * 0 + 1
        optimizer.step(lambda: params[0].detach().sum())


class Reader:
    """Arguments that were written as JSON, made of a library's own values; one memory for what shared one."""

    def __init__(self, library):
        self.library = library
        self.memories, self.tensors = {}, []

    def __call__(self, value):
        if isinstance(value, list):
            return [self(v) for v in value]
        if not isinstance(value, dict):
            return value
        (kind, content), = value.items()
        return getattr(self, kind)(content)

    def tuple(self, content):
        return tuple([self(v) for v in content])

    def dict(self, content):
        return {k: self(v) for k, v in content.items()}

    def float(self, content):
        return float(content)

    def complex(self, content):
        return complex(*content)

    def name(self, content):
        return getattr(self.library, content)

    def tensor(self, content):
        if "again" in content:
            return self.tensors[content["again"]]
        self.tensors.append(self.made(content))
        return self.tensors[-1]

    def made(self, content):
        library, dtype = self.library, getattr(self.library, content["dtype"])
        if "memory" in content:
            if content["memory"] not in self.memories:
                self.memories[content["memory"]] = library.ones(content["size"], dtype=dtype)
            made = self.memories[content["memory"]].as_strided(content["shape"], content["stride"], content["offset"])
        elif "elements" in content:
            made = library.tensor(self(content["elements"]), dtype=dtype).reshape(content["shape"])
        else:
            made = library.ones(content["shape"], dtype=dtype, device=content.get("device", "cpu"))
        if content.get("parameter"):
            return library.nn.Parameter(made, requires_grad=content.get("requires_grad", False))
        return made.requires_grad_() if content.get("requires_grad") else made
