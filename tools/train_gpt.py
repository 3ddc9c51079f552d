"""``python tools/train_gpt.py [FOLDER]``: train the model of the tutorial on the character-level GPT, and write its
weights, ``tutorials/data/alice.safetensors``.

The model and its text are those of the tutorial: their definitions are read there.  It takes five to ten minutes of one
core.  Every random number comes from SEED, so one machine makes the same file each time; another kind of processor
rounds differently.  With a FOLDER, the state is kept there every KEPT_EVERY steps, and the next call goes on from it.

Two things differ from the training on the page.  A share of what each layer adds is dropped, so that the model learns
the language and not the book by heart.  And the rate stays where it is: the page shows what is gained by lowering it.
"""

import ast
import os
import sys
import time
from pathlib import Path

if __name__ == "__main__":      # several threads would add up in another order each time
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import minigrad as torch
from minigrad import nn
from minigrad.serialization.safetensors import save_file

DATA = Path(__file__).resolve().parents[1] / "tutorials" / "data"
PAGE = DATA.parent / "at_work" / "a_character_level_gpt.py"
WEIGHTS = DATA / "alice.safetensors"
WIDTH, DEPTH = 128, 3
SEED, STEPS, PIECES, RATE, WARMING, DROPPED = 0, 2250, 32, 1.5e-3, 100, 0.15
KEPT_EVERY = 250
#: what the tutorial calls its text, its model and its loss
NEEDED = ("F", "above", "folder", "text", "alphabet", "number", "data", "block", "heads", "cut", "Attention", "Block",
          "GPT", "bits", "batch", "held_out")


def definitions(*names):
    """{name: what the tutorial defines by this name}; the rest of the tutorial does not run."""
    tree = ast.parse(PAGE.read_text(encoding="utf-8"))

    def is_needed(node):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return "matplotlib" not in ast.unparse(node)
        targets = node.targets if isinstance(node, ast.Assign) else [node]
        return any([getattr(each, "id", getattr(each, "name", None)) in names
                    for target in targets for each in getattr(target, "elts", [target])])

    found, before = {}, Path.cwd()
    os.chdir(PAGE.parent)
    try:
        exec(compile(ast.Module([node for node in tree.body if is_needed(node)], []), PAGE.name, "exec"), found)
    finally:
        os.chdir(before)
    return found


def drop(module, args, output):
    """A forward hook: dropout of what a layer is about to add."""
    return nn.functional.dropout(output, DROPPED, module.training)


def trained(page, kept=None):
    """The model after STEPS steps; ``kept`` is the file of a state from which to go on, and into which to write."""
    torch.manual_seed(SEED)
    model = page["GPT"](WIDTH, DEPTH)
    for block in model.blocks:
        block.attention.register_forward_hook(drop)
        block.network.register_forward_hook(drop)
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.99), weight_decay=0.1)
    first = 0
    if kept and kept.exists():
        state = torch.load(kept)
        first = state["step"]
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
    read = page["data"][:page["cut"]]
    for step in range(first, STEPS):
        optimizer.param_groups[0]["lr"] = RATE * min(1, (step + 1) / WARMING)
        optimizer.zero_grad()
        loss = page["bits"](model, *page["batch"](read, PIECES))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if (step + 1) % KEPT_EVERY == 0:
            model.eval()
            print(f"step {step + 1}, {time.process_time():.0f} s: {loss.item():.3f} bits per character, "
                  f"held out {page['held_out'](model):.3f}", flush=True)
            model.train()
            if kept:
                torch.save({"step": step + 1, "model": model.state_dict(), "optimizer": optimizer.state_dict(),
                            "random": torch.get_rng_state()}, kept)
    return model.eval()


def main():
    folder = Path(sys.argv[1]) if sys.argv[1:] else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    model = trained(definitions(*NEEDED), folder and folder / "training.pt")
    save_file({name: weight.half() for name, weight in model.state_dict().items()}, WEIGHTS)
    print(f"{WEIGHTS}: {WEIGHTS.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
