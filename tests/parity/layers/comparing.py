"""What a layer or a training gives in two libraries, and where that differs."""

import warnings

import numpy as np

from tests.parity.calls.judging import flat

from . import trainings
from .drawing import Array, Dice
from .layers import LAYERS

FAR = 1e-7


def layer(dice, name=None):
    """A layer, as the keywords of ``of_layer``."""
    name = name or dice.choice(sorted(LAYERS))
    arguments, options, inputs = LAYERS[name](dice)
    return {"name": name, "arguments": arguments, "options": options, "inputs": inputs, "training": dice.yes()}


def of_layer(torch, rng, name, arguments, options, inputs, training):
    """Yield (what, array): results, gradients, their gradients, and buffers."""
    options = {key: torch.tensor(value.drawn(rng)) if isinstance(value, Array) else value
               for key, value in options.items()}
    made = getattr(torch.nn, name)(*arguments, **options).double().train(training)
    made.load_state_dict({key: torch.tensor(np.asarray(numbers_of_state(rng, key, value)))
                          for key, value in made.state_dict().items()})
    given = [torch.tensor(each.drawn(rng), requires_grad=each.may_move()) for each in inputs]
    torch.manual_seed(0)
    outputs = [y for y in flat(made(*given)) if y is not None]
    for i, y in enumerate(outputs):
        yield f"result {i}", y.detach().numpy()
        yield f"requires_grad of result {i}", y.requires_grad
    for key, buffer in made.named_buffers():
        yield key, buffer.numpy()
    leaves = [x for x in (*given, *made.parameters()) if x.requires_grad]
    first = gradients(torch, rng, outputs, leaves, create_graph=True)
    for what, several in ("gradient", first), ("second gradient", gradients(torch, rng, first, leaves)):
        for i, g in enumerate(several):
            yield f"{what} {i}", g.detach().numpy(force=True)


def numbers_of_state(rng, key, value):
    if not value.dtype.is_floating_point:
        return value.numpy()
    drawn = rng.standard_normal(tuple(value.shape))
    return 0.1 + abs(drawn) if "var" in key else drawn


def gradients(torch, rng, outputs, leaves, create_graph=False):
    """Of a weighted sum of the outputs; zeros where there are none."""
    loss = sum([(y * torch.tensor(rng.standard_normal(tuple(y.shape)))).sum() for y in outputs])
    if not leaves or not isinstance(loss, torch.Tensor) or not loss.requires_grad:
        return [torch.zeros_like(x) for x in leaves]
    return torch.autograd.grad(loss, leaves, create_graph=create_graph, materialize_grads=True)


def answer(torch, function, seed, given):
    """[(what, array), ...], and the error at which it ended, or None."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for what, array in function(torch, np.random.default_rng(seed), **given):
                found.append((what, np.array(array)))
        except Exception as error:
            return found, error
    return found, None


def difference(theirs, ours):
    """What differs first in two answers; None if nothing does."""
    for (what, a), (other, b) in zip(*(each[0] for each in (theirs, ours))):
        if what != other or a.shape != b.shape or a.dtype != b.dtype:
            return f"{other}, {b.dtype} of shape {b.shape}, instead of {what}, {a.dtype} of shape {a.shape}"
        if not np.allclose(a, b, rtol=FAR, atol=FAR, equal_nan=True):
            return f"{what}: {b.tolist()} instead of {a.tolist()}"
    return None


KINDS = {"layer": (layer, of_layer), "training": (trainings.drawn, trainings.train)}


def compared(torch, minigrad, kind, count, seed, counts):
    """Yield (what was drawn, what differs) for each of ``count`` layers or trainings that are not alike."""
    draw, function = KINDS[kind]
    for number in range(seed, seed + count):
        given = draw(Dice(number))
        theirs, ours = [answer(library, function, number, given) for library in (torch, minigrad)]
        found = difference(theirs, ours)
        if found is None and theirs[1] is None and ours[1] is not None:
            found = f"refused: {ours[1]!r}"
        counts["refused by both" if ours[1] else "refused by PyTorch alone" if theirs[1] else "compared"] += 1
        if found:
            yield f"--kind {kind} --seed {number} --count 1: {given}", found
