"""The calls: names, the tensors that they are tried on, and what they are given besides."""

import functools

#: where names are looked up, and how they are called
NAMESPACES = {
    "": "torch.{}(x{}{})",
    "nn.functional": "torch.nn.functional.{}(x{}{})",
    "linalg": "torch.linalg.{}(x{}{})",
    "special": "torch.special.{}(x{}{})",
    "fft": "torch.fft.{}(x{}{})",
    "Tensor": "x.{}({}{})",
}

#: "x" and "y" are leaves of one shape, where their dtype has gradients, and "z" is one without dims.
ARGUMENTS = ["", "0", "1", "-1", "2", ".5", "y", "z", "None", "0, 1", "1, 0", "2, 0", "-.5, .5", "0, True", "(0,)",
             "(1, 0)", "y, y", "0, y", "y, 0", "y, z", "torch.tensor([0, 1])", "0, torch.tensor([0])",
             "torch.tensor(True)", "torch.float64", "'sum'"]

TENSORS = {
    "torch.tensor([[1.5, -2., .3], [3., 4.25, -.5]], dtype=torch.float64)": True,
    "torch.tensor([[.25, .5, .125], [.75, .1, .9]], dtype=torch.float64)": True,
    "torch.tensor([[4., 1., .5], [1., 3., .2], [.5, .2, 2.]], dtype=torch.float64)": True,
    "torch.tensor([1.5, -2., .25, 3.], dtype=torch.float64)": True,
    "torch.tensor(.7, dtype=torch.float64)": True,
    "torch.tensor([[0., 1., -1.], [0., 0., 2.]], dtype=torch.float64)": True,
    "torch.tensor([[[.3, -.2], [1.1, .7]], [[-.4, .9], [.15, 2.]]], dtype=torch.float64)": True,
    "torch.tensor([[[[.3, -.2, .6], [1.1, .7, -.8], [.45, -1.3, .25]]]], dtype=torch.float64)": True,
    "torch.tensor([[1 + 2j, -1j], [.5 + .3j, 2 - 1j]], dtype=torch.complex128)": True,
    "torch.tensor([[1.5, -2., 0.], [3., 4.25, -.5]])": False,
    "torch.tensor([[1.5, -2.], [.25, 3.]], dtype=torch.float16)": False,
    "torch.tensor([[1, -2, 0], [3, 4, 7]])": False,
    "torch.tensor([1, 200, 7], dtype=torch.uint8)": False,
    "torch.tensor([[1, -2], [3, 4]], dtype=torch.int16)": False,
    "torch.tensor([[True, False, True], [False, True, True]])": False,
    "torch.zeros(0, 3)": False,
}

OPERATORS = [f"__{name}__" for name in (
    "abs add and contains eq floordiv getitem iadd iand ifloordiv imod imul invert ior ipow isub itruediv ixor lshift "
    "lt matmul mod mul ne neg or pos pow radd reversed rfloordiv rmatmul rmod rmul rpow rshift rsub rtruediv sub "
    "truediv xor").split()]

#: What is left out, by its reason.
LEFT_OUT = {
    "memory that nobody has written":
        "empty empty_like empty_strided empty_permuted new new_empty new_empty_strided resize_ resize_as_ resize "
        "resize_as",
    "changes the process":
        "autocast compile enable_grad get_rng_state inference_mode initial_seed manual_seed no_grad seed "
        "set_anomaly_enabled set_default_device set_default_dtype set_default_tensor_type set_deterministic_debug_mode "
        "set_float32_matmul_precision set_flush_denormal set_grad_enabled set_num_interop_threads set_num_threads "
        "set_printoptions set_rng_state set_warn_always use_deterministic_algorithms",
    "calls functions":
        "apply_ map_ map2_ register_hook register_post_accumulate_grad_hook vmap cond while_loop backward",
    "files, and other processes": "save load from_file export hub share_memory_ module_load",
    "answers where it lies in memory": "data_ptr const_data_ptr storage_offset is_pinned pin_memory set_ share_memory",
    "another device": "cuda xpu get_device_module",
}


def public(owner):
    """The names of an owner that can be called, without those of classes."""
    def has(name):
        try:
            return callable(getattr(owner, name))
        except Exception:                                   # names that are refused when they are asked for
            return False
    return {name for name in dir(owner) if (name[0].islower() or name in OPERATORS) and has(name)}


def owner_of(torch, namespace):
    return functools.reduce(getattr, namespace.split("."), torch) if namespace else torch


def names(*libraries):
    """{namespace: the names that all of the libraries have there}."""
    left_out = {name for some in LEFT_OUT.values() for name in some.split()}
    return {namespace: sorted(set.intersection(*[public(owner_of(torch, namespace)) for torch in libraries]) - left_out)
            for namespace in NAMESPACES}


def calls(namespace, name):
    """Every call of this name: (an expression of x, y and z, the expression that makes x, is it a leaf?)."""
    for tensor, leaf in TENSORS.items():
        for given in ARGUMENTS:
            comma = ", " if given and namespace != "Tensor" else ""
            call = NAMESPACES[namespace].format(name, comma, given)
            if name.endswith("_") and not name.endswith("__"):      # a leaf cannot be written to
                call = call.replace("(x", "(x.clone()", 1) if namespace != "Tensor" else f"x.clone(){call[1:]}"
            yield call, tensor, leaf
