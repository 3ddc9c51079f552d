"""Write random.json: what PyTorch draws from a seed, for machines without PyTorch.

Run ``python tests/parity/records/make_random.py`` where torch 2.13 is installed.  Each line of CASES is Python; what it
makes is recorded as a few numbers (``digest``), and the state of the stream after it as a hash.
"""

import base64
import hashlib
import json
import zlib
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("random.json")
SEEDS = (0, 1, 42, 2147483647, 123456789012, -1)
FLOATS = ("float32", "float64", "float16", "bfloat16", "complex64")

#: name -> Python that makes a list of tensors; ``D`` is each of the dtypes
CASES = {
    "sizes of rand": ("[torch.rand(n, dtype=D) for n in range(41)]", FLOATS),
    "sizes of randn": ("[torch.randn(n, dtype=D) for n in range(41)]", FLOATS),
    "many": ("[make(n, dtype=D) for make in (torch.rand, torch.randn) for n in (623, 624, 625, 5003)]", FLOATS),
    "uniform_": ("[torch.empty(n, dtype=D).uniform_(-0.3, 0.7) for n in (1, 7, 40)]", FLOATS),
    "normal_": ("[torch.empty(n, dtype=D).normal_(1.3, 2.7) for n in (1, 7, 40)]", FLOATS),
    "other fills": ("[e.exponential_(1.7), e.clone().cauchy_(1.3, 2.7), e.clone().log_normal_(0.3, 0.7), "
                    "e.clone().geometric_(0.3), e.clone().bernoulli_(0.3)]", FLOATS[:4]),
    "chances": ("[torch.bernoulli(torch.full((40,), 0.3, dtype=D)), torch.bernoulli(e, 0.6), "
                "e.bernoulli_(torch.full((40,), 0.3))]", FLOATS[:4]),
    "random_": ("[e.random_(), e.clone().random_(9), e.clone().random_(3, 7), e.clone().random_(3, None)]",
                (*FLOATS[:4], "int64", "int32", "int16", "uint8")),
    "ranges": ("[torch.randint(low, high, (5,)) for low, high in ((0, 10), (-5, 5), (0, 2**28 - 1), (0, 2**28), "
               "(0, 2**31), (0, 2**40), (-2**63, 2**63 - 1))]", ("int64",)),
    "permutations": ("[torch.randperm(n, dtype=D) for n in (0, 1, 2, 9, 50, 2000)]", ("int64", "int32", "float32")),
    "orders in memory": ("[torch.zeros(4, 5, dtype=D).t().normal_(), torch.zeros(40, dtype=D)[::2].normal_(), "
                         "torch.zeros(2, 3, 4, dtype=D).permute(1, 2, 0).uniform_(), "
                         "torch.randn_like(torch.zeros(4, 5, dtype=D).t())]", ("float32", "float64")),
    "normal": ("[torch.normal(i / 64, 1 + i / 64), torch.normal(i / 64, 2.7), torch.normal(1.3, 1 + i / 64), "
               "torch.normal(1.3, 2.7, (n,), dtype=D)]", ("float32", "float64", "float16")),
    "a second number waits": ("[torch.randn(3), torch.rand(2), torch.randn(20), torch.randperm(5), torch.randn(2), "
                              "torch.randn(1, dtype=torch.float64)]", ("float32",)),
    "dropouts": ("[torch.dropout(o, 0.3, True), torch.alpha_dropout(o, 0.3, True), "
                 "torch.nn.functional.dropout2d(torch.ones(4, 5, 2, 2, dtype=D)), "
                 "torch.nn.functional.dropout(torch.ones(4, 10, dtype=D).t())]", ("float32", "float64")),
    "slopes and choices": ("[torch.rrelu(i / 64 - 0.3, training=True), torch.nn.functional.gumbel_softmax(i / 64)]",
                           ("float32", "float64")),
}


def cases():
    """(name, seed, Python, dtype) of each case."""
    for name, (program, kinds) in CASES.items():
        for kind in kinds:
            seeds = SEEDS if name == "a second number waits" else SEEDS[2:3] if "sizes" in name else SEEDS[3:5]
            for seed in seeds:
                yield f"{name}, {kind}, seed {seed}", seed, program, kind


def run(torch, seed, program, kind):
    """The tensors that it makes, digested, and a hash of the state."""
    dtype = getattr(torch, kind)
    torch.manual_seed(seed)
    made = eval(program, {"torch": torch, "D": dtype, "e": torch.empty(40, dtype=dtype), "n": 40,
                          "i": torch.arange(40).to(dtype), "o": torch.ones(40, dtype=dtype)})
    return [digest(torch, tensor) for tensor in made], state_hash(torch)


def digest(torch, tensor):
    """The first two numbers, and a sum in which each has its weight."""
    if not tensor.dtype.is_complex:
        tensor = tensor.to(torch.float64) if tensor.dtype.is_floating_point else tensor
    array = tensor.numpy().reshape(-1)
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1).reshape(-1)
    if array.dtype.kind in "iu":
        return [array[:2].tolist(), int(sum(k * int(x) % 1000003 for k, x in enumerate(array, 1)))]
    weights = np.arange(1, len(array) + 1) / max(len(array), 1)
    return [array[:2].tolist(), float((weights * array).sum())]


def state_hash(torch):
    """Of the words, of how many are used, and of whether a normal number waits, but not of the number."""
    state = torch.get_rng_state().numpy().tobytes()
    return hashlib.sha256(state[:5016] + state[5040:5044]).hexdigest()[:16]


STATE = "torch.manual_seed(11); torch.randn(3); torch.rand(700)"


def main():
    import torch
    torch.set_num_threads(1)
    answers = {name: run(torch, *case) for name, *case in cases()}
    exec(STATE, {"torch": torch})
    state = base64.b85encode(zlib.compress(torch.get_rng_state().numpy().tobytes(), 9)).decode()
    answers["a state"] = [state, [digest(torch, torch.randn(2)), digest(torch, torch.rand(700))]]
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(answer)}" for name, answer in answers.items())
    FILE.write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
