"""Write pytorch*.pt and tensors.safetensors, small files.  Needs torch, and the package safetensors.

    python tests/parity/records/make_files.py
"""

from collections import OrderedDict
from pathlib import Path

import torch
from safetensors.torch import save_file

HERE = Path(__file__).resolve().parent


def contents():
    x = torch.arange(6.0).reshape(2, 3)
    named = OrderedDict(w=x, row=x[1], turned=x.t(), step=torch.tensor(3.5), none=torch.empty(0, 3),
                        p=torch.nn.Parameter(torch.ones(2)),
                        frozen=torch.nn.Parameter(torch.ones(1), requires_grad=False))
    named._metadata = OrderedDict({"": {"version": 1}})
    noted = torch.ones(2)
    noted.note = ["kept"]
    dtypes = [torch.tensor([0, 1], dtype=getattr(torch, name)) for name in (
        "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64",
        "complex128", "uint16", "uint32", "uint64")]
    return {"state": named, "noted": noted, "dtypes": dtypes, "conj": torch.tensor([1 + 2j]).conj(),
            "leaf": torch.ones(2, requires_grad=True), "size": x.shape, "dtype": torch.float64,
            "device": torch.device("cuda:1"), "plain": [1, 2.5, 1j, None, True, "é", b"ab", (1, {2}), 1 << 70]}


def main():
    torch.save(contents(), HERE / "pytorch.pt")
    old = contents()
    old["dtypes"] = old["dtypes"][:11]
    torch.save(old, HERE / "pytorch_before_zip.pt", _use_new_zipfile_serialization=False)
    layer = torch.nn.Linear(2, 1)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[1.0, 2.0]]))
        layer.bias.zero_()
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.1)
    layer(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    torch.save({"model": layer.state_dict(), "optimizer": optimizer.state_dict()}, HERE / "pytorch_training.pt")
    torch.save(layer, HERE / "pytorch_module.pt")
    tensors = {name: torch.tensor([[0, 1], [1, 0]], dtype=getattr(torch, name)) for name in (
        "bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "float32",
        "float64", "complex64")}
    save_file({**tensors, "number": torch.tensor(2.5), "none": torch.empty(0, 3)}, HERE / "tensors.safetensors",
              metadata={"format": "pt"})


if __name__ == "__main__":
    main()
