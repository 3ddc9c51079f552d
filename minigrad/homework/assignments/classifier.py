"""A classifier from nothing: a network with one hidden layer, its gradients, and its training."""

import itertools
from functools import partial

import numpy as np

import minigrad as torch
from minigrad.homework.process import Failed
from minigrad.homework.spec import Assignment, Differences, Wrong
from minigrad.homework.trajectory import FIRST

STARTER = '''
"""A classifier from nothing, in NumPy.

The parameters are (W1, b1, W2, b2). For inputs x, one in each row, the scores are

    $scores

and the loss is the mean cross entropy: of -log p[label], with p = softmax of the scores of a row.
"""

import numpy as np


def loss(parameters, x, labels):
    """The mean cross entropy, a number; for scores of any size."""
    raise NotImplementedError


def gradients(parameters, x, labels):
    """The gradients of the loss with respect to W1, b1, W2 and b2."""
    raise NotImplementedError


def train(x, labels, classes, seed):
    """Parameters with which the network classifies x and rows like it, the same for the same seed.

    Labels are 0 ... classes - 1.
    """
    raise NotImplementedError


def predict(parameters, x):
    """The label of each row of x."""
    raise NotImplementedError
'''

#: the scores, and their activation for tensors
SCORES = tuple([{"scores": f"{hidden} @ W2 + b2", "activation": activation} for hidden, activation in (
    ("np.tanh(x @ W1 + b1)", torch.tanh), ("np.arctan(x @ W1 + b1)", torch.atan), ("np.sin(x @ W1 + b1)", torch.sin),
    ("(1 / (1 + np.exp(-(x @ W1 + b1))))", torch.sigmoid), ("np.arcsinh(x @ W1 + b1)", torch.asinh))])

homework = Assignment("A classifier from nothing", starter=STARTER, seconds=60,
                      forbidden=("minigrad", "torch", "jax", "tensorflow", "sklearn", "scipy"),
                      varies={"scores": SCORES})


def network(judge, inputs=3, hidden=5, classes=4, rows=6):
    parameters = [judge.draw(inputs, hidden), judge.draw(hidden), judge.draw(hidden, classes), judge.draw(classes)]
    return parameters, judge.draw(rows, inputs), judge.random.integers(0, classes, rows)


def cross_entropy(activation, w1, b1, w2, b2, x, labels):
    scores = activation(x @ w1 + b1) @ w2 + b2
    return torch.nn.functional.cross_entropy(scores, labels)


def value_of(judge, parameters, x, labels):
    tensors = [torch.tensor(each) for each in (*parameters, x, labels)]
    return cross_entropy(judge.variant["activation"], *tensors).item()


@homework.item(3, "the loss")
def loss(judge):
    with judge.part(2, "its value"):
        parameters, x, labels = network(judge)
        wanted = value_of(judge, parameters, x, labels)
        judge.same(judge.call("loss", parameters, x, labels), wanted, "the loss")
    with judge.part(1, "large scores"):
        parameters[2] *= 1e4
        wanted = value_of(judge, parameters, x, labels)
        judge.same(judge.call("loss", parameters, x, labels), wanted, "the loss")


def of_loss(submission, d, w1, b1, w2, b2, x, labels):
    return [d * np.asarray(each) for each in submission.gradients([w1, b1, w2, b2], x, labels)]


def of_gradients(submission, parameters, x, labels):
    return len(submission.gradients(parameters, x, labels))


@homework.item(6, "the gradients")
def gradients(judge):
    def wide(hidden):
        parameters, x, labels = network(judge, hidden=hidden)
        return parameters, x, labels

    try:                                                # of forward mode, too, there is a pass for each weight
        judge.grow("", wide, probe=of_gradients)
    except Differences:
        judge.kept["numerical"] = True
        raise
    loss_of = partial(cross_entropy, judge.variant["activation"])
    for points, sizes in ((3, {}), (3, {"inputs": 2, "hidden": 3, "classes": 5, "rows": 4})):
        with judge.part(points, "one network" if not sizes else "a network of another shape"):
            parameters, x, labels = network(judge, **sizes)
            try:
                judge.probe_pullback(lambda *weights: loss_of(*weights, torch.tensor(x), torch.tensor(labels)),
                                     of_loss, *parameters, names=["W1", "b1", "W2", "b2"], options=(x, labels))
            except Differences:
                judge.kept["numerical"] = True
                raise


def trained(submission, x, labels, classes):
    return list(submission.train(x, labels, classes, 0))


def predicted(submission, parameters, fresh):
    return submission.predict(parameters, fresh)


NOT_LARGEST = "predict does not return the labels with the largest scores of the network with these parameters"
#: passes over the data; random weights, of which the last layer is solved for, take about ten
PASSES = 20
#: by how much a few further steps may lower the loss of parameters that training has reached, and a loss that is low
SETTLED, LOW = 0.5, 0.1
#: how many inputs are copies of one
COPIES = 5
COPIED = ("{} inputs are copies of one, so that their weights have the same gradient; but if one label is changed, "
          "what each of them has of its own changes {:.0f} percent as much as what they have in common: so do weights "
          "that are changed at random")
WHOLE = ("and so does a matrix with a row for each weight, as of second derivatives: training must work for many "
         "inputs, with steps that cost a few times as much as the gradients")
IDLE = "the first layer does not learn: one of the labels is changed, and its weights stay as they were"


def score(judge, make, classes):
    """The part of new points that is classified correctly, by parameters which training has found."""
    judge.require("numerical" not in judge.kept, "it trains with gradients that are measured numerically")
    x, labels = make(judge.random, 60 * classes, classes)
    fresh, wanted = make(judge.random, 100 * classes, classes)
    parameters, work = judge.measured(trained, x, labels, classes)
    found = judge.run(predicted, parameters, fresh)
    judge.require(isinstance(found, np.ndarray) and found.shape == wanted.shape, "predict must return one label for "
                                                                                 "each row")
    right = float((found == wanted).mean())
    if right <= 0.9:                                    # reason enough
        return right
    hidden = shapes_are_right(judge, parameters, x.shape[1], classes)
    judge.require((network_of(judge.variant["activation"], parameters, fresh).argmax(1) == found).mean() > 0.99,
                  NOT_LARGEST)
    others = network(judge, x.shape[1], hidden, classes)[0]
    judge.require((network_of(judge.variant["activation"], others, fresh).argmax(1)
                   == judge.run(predicted, others, fresh)).mean() > 0.99, NOT_LARGEST)
    if "found" not in judge.kept:
        judge.kept["seen"], judge.kept["found"] = found_otherwise(judge, hidden)
    judge.require(not judge.kept["found"], judge.kept["found"])
    if not judge.kept["seen"]:                          # the steps: then by what comes of them
        passes = work / (len(x) * hidden)
        judge.require(passes > PASSES, f"train computes about {passes:.0f} numbers for each row and hidden unit: "
                                       "training takes some hundred passes over the data")
        before, after = losses_of_further_steps(judge.variant["activation"], parameters, x, labels)
        judge.require(after > SETTLED * before or before < LOW, "a few more steps of gradient descent lower the loss "
                      f"from {before:.2f} to {after:.2f}: training has not come to these parameters")
    return right


def of_first_layer(submission, x, several, classes):
    """W1 after training with each of these labels; nothing if that is refused."""
    try:
        return [np.array(submission.train(x.copy(), labels.copy(), classes, 0)[0], float) for labels in several]
    except Exception:
        return []


def of_columns(submission, x, labels, classes):
    return len(submission.train(x, labels, classes, 0))


def found_otherwise(judge, hidden):
    """(are the steps seen?, why these parameters are not what gradients make of them, or "")."""
    try:
        not_by_columns(judge)
        shares = [own_share(judge)]
        while shares[0] > 0.55 and len(shares) < 4:
            shares.append(own_share(judge))
        judge.require(np.mean(shares) <= 0.7, COPIED.format(COPIES, 100 * np.mean(shares)))
        return stepped(judge, hidden), ""
    except Wrong as failure:
        return True, str(failure)


def not_by_columns(judge):
    """Raise `Wrong` if the work grows with the number of inputs squared, for each of several data: how often a
    line search tries depends on these."""
    for left in reversed(range(5)):
        try:
            judge.grow("", partial(wider, judge), probe=of_columns, rows=(2, 34), most=10)
            break
        except Differences as failure:
            judge.require(left, f"{failure}; {WHOLE}")


def wider(judge, columns):
    """Few rows with so many inputs.  Gradients cost at most as many times more as there are more inputs; one loss for
    each weight costs the square of that."""
    x, labels = clouds(judge.random, 4, 3)
    return np.c_[x, judge.draw(4, columns - 2, low=-0.1, high=0.1)], labels, 3


def own_share(judge):
    """Several inputs are copies of one, or of its negative.  What do other labels change in the weights of the copies:
    how large is the change of what each has of its own, as a part of the change of what they have in common?

    Copies have the same gradient, but for the sign.  So whatever steps are made of gradients, other labels change what
    the weights have in common, and not what each has of its own, which is from the start; with noise in the inputs, or
    a decay, they change a part of it.  Where weights are changed at random, and kept if the loss is lower, both change
    alike.  If the best of several starts is kept, some labels lead to the same start.
    """
    x, labels = clouds(judge.random, 10, 3)
    signs = judge.random.choice([-1.0, 1.0], COPIES)
    several = [labels, labels]
    for row in range(4):
        other = labels.copy()
        other[row] = (other[row] + 1) % 3
        several.append(other)
    found = first_layers(judge, np.c_[x[:, :1] * signs / np.sqrt(COPIES), x[:, 1]], several)
    if not found:                       # copies may be too much for a method, as for the inverse of a covariance
        signs = np.ones(1)
        found = first_layers(judge, np.c_[x, judge.draw(10)], several)
        judge.require(found, "for ten rows with three inputs and three classes, train does not return weights, or some "
                             "that are not finite: then its steps may be too large")
    judge.require(np.allclose(found[0], found[1]), "train returns other parameters when it is called again with the "
                                                   "same data and the same seed")
    copies = np.array([signs[:, None] * each[:len(signs)] for each in found[1:]])
    common = copies.mean(1)
    own = (copies - common[:, None]).reshape(len(copies), -1)
    size, least = np.linalg.norm(own, axis=1), 1e-5 * np.linalg.norm(common)
    alike = (np.abs(own @ own.T) > 0.999 * np.outer(size, size)) & (size > least)   # also those that have decayed
    alike |= (size <= least) & (size <= least)[:, None]
    pairs = [(i, j) for i in range(len(own)) for j in range(i) if alike[i, j]]
    if pairs:
        moved = max([np.linalg.norm(common[i] - common[j]) for i, j in pairs])
        judge.require(moved > 0.002 * np.linalg.norm(common, axis=1).mean(), IDLE)
        return 0
    return np.linalg.norm(own[1:] - own[0]) / np.linalg.norm(common[1:] - common[0]) / np.sqrt(COPIES * (COPIES - 1))


def first_layers(judge, x, several):
    """W1 for each of these labels, or nothing."""
    found = judge.run(of_first_layer, x, several, 3)
    shapes = {np.shape(each) for each in found}
    is_right = len(found) == len(several) and len(shapes) == 1 and {shape[:1] for shape in shapes} == {x.shape[1:]}
    return found if is_right and np.isfinite(found).all() else []


def steps_of(submission, x, labels, classes, hidden, seed):
    """(steps, leaps), as `followed` in trajectory.py says."""
    return followed(lambda: submission.train(x.copy(), labels.copy(), classes, seed), x.shape[1], hidden, classes)


def answers_of(submission, x, labels, classes, hidden, seed, parts, moved, new):
    """The same, and what follows where W1 is moved, and other numbers are written into W2: one of ``moved`` and ``new``
    each time, times the size of what was there."""
    def size(weights):
        return np.sqrt((weights ** 2).mean())

    return answering(lambda: submission.train(x.copy(), labels.copy(), classes, seed), x.shape[1], hidden, classes,
                     parts, lambda w1, w2: (w1 + moved.pop(0) * size(w1), new.pop(0) * (0.3 + size(w2))))


#: of the first steps in which there is a gradient
WINDOW = 8
#: the part of the first layer's weights that go where the gradient leads them, at random it is half; and where all do
RIGHT, EXACT = 0.9, 0.99
#: the part that may stay as it is in all of these steps; where the gradient is followed, none does
STILL = 0.05
#: how large a gradient must be, so that a decay of the weights is small beside it
LARGE = 1e-2
#: what the first layer moves, compared with the second, as a part of what the gradients say
LEAST = 0.05
ASTRAY = ("the first layer is not trained with its gradient: for rows that are all alike, the first steps change the "
          "weights of about {:.0f} percent of the hidden units as the gradient does, which flows through those of "
          "the second layer")
STANDING = ("the first layer is not trained with its gradient: for rows that are all alike, the weights of about "
            "{:.0f} percent of the hidden units stay as they are in the first steps, although their gradient, which "
            "flows through those of the second layer, is not zero")
UNMOVED = ("the first layer hardly learns: in {} of {} steps in which the weights of the second layer change, its own "
           "do, and they go {:.2f} percent as far, where the gradients say {:.0f}")
#: of pairs of hidden units with gradients of different size: in how many the larger one moves as far, at least; where
#: the sizes have another source, it is some more than half of them; and the same in the best of several steps after
#: other numbers have been written into the second layer, in which a method may still follow gradients from before
SIZED, ANSWERED, SIZED_ENOUGH = 0.85, 0.8, 5
UNSIZED = ("the first layer is not trained with its gradient: for rows that are all alike, of two hidden units the one "
           "with the larger gradient of the cross entropy, which flows through the weights of the second layer, goes "
           "as far as the other, or further; here it does in {:.0f} percent of the pairs, {}")
#: where in a training other numbers are written into the weights; which part of a layer's weights goes where the
#: gradient leads in one of the steps after that, at least (it is half at random, and somewhat more at best); how many
#: steps are enough; and which part of how far the first layer was moved is left, at least
PARTS, LED, STEPS_ENOUGH, LEFT = ((0.1, 0.25), (0.35, 0.5), (0.6, 0.75)), 0.8, 20, 0.15
#: the same for rows that are all alike, whose loss is soon low
EARLY = ((0.0, 0.01), (0.05, 0.1), (0.2, 0.3))
UNLED = ("the {} layer is not trained with its gradient: where other numbers are written into the weights of the "
         "second layer in the midst of the training, {} times, no step after that changes the {} layer as its "
         "gradient does: at most {:.0f} percent of its weights go where that leads")
PULLED = ("the first layer goes to weights that no gradient leads to: where its weights are moved in the midst of the "
          "training, {} times, they come back to where they had been before, and at most {:.0f} percent of how far "
          "they were moved is left")
#: in how many trainings must be seen that the loss falls in a leap, that a layer is not led by its gradient, the
#: first or the second, that weights come back, and that the first layer hardly moves; with a step for each weight,
#: which grows, chance shows a leap in one of five trainings, and hardly a move in one of forty
TIMES = (4, 2, 2, 3, 3)
#: to what part a loss falls in a leap of the first layer, and how far that may be from the direction of its gradient
FALLEN, ALONG = 0.5, 0.25
LEAPT = ("in one step of the training, or in several in one direction, the loss falls from {:.2f} to {:.2f}, while the "
         "weights of the first layer change by {:.0f} percent, to where they have not been before, and not along their "
         "gradient (the cosine is {:.2f})")
#: the loss before the first step, as a part of what it is for labels that have changed places: in the mean of three
#: trainings it is about 1 for weights that are drawn, 0.9 for the best of ten draws, and 0.55 for prototypes
BEGUN = 0.68
BEGINNING = ("before the first step of the training the loss is {:.0f} percent of what it is for the same labels in "
             "other places, in the mean of three trainings: these weights are made from the labels")
RISING = ("the loss along the way, of the parameters before each step, does not fall: it begins with {:.2f}, and the "
          "lowest of the others is {:.2f}")


def stepped(judge, hidden):
    """Are the steps of training seen, and made of gradients?  Raises `Wrong` if they are seen, and are not.

    Of two labels and rows that are all alike, the gradients of all hidden units are known for any batch, up to one
    factor: the slope of the unit, times the difference of the weights to the two classes.  Optimizers make steps of it
    that have its direction, or its signs.  With one label in all rows the factor is positive.
    """
    activation, told, sizes = judge.variant["activation"], [], []
    for several in (np.zeros(4, int), np.ones(4, int), np.array([0, 1, 0, 0])):
        is_mixed = several.any() and not several.all()
        if not (is_mixed and told):
            x = np.tile(judge.random.choice([-1.0, 1.0], 5) * judge.draw(5, low=0.2, high=0.4), (4, 1))
            steps, _ = seen_steps(judge, x, several, 2, hidden, int(judge.random.integers(1000)))
            found = agreement(activation, steps, x, several, is_mixed)
            told += [found] if found is not None else []
            sizes += [] if is_mixed else sizes_in(activation, [steps], x, several)
    if told:
        right, still = max([right for right, _ in told]), np.mean([still for _, still in told])
        judge.require(right > RIGHT, ASTRAY.format(100 * right))
        judge.require(still <= STILL, STANDING.format(100 * still))
        judge.require(np.mean(sizes or 1) > SIZED, UNSIZED.format(100 * np.mean(sizes or 1), "in the first steps"))
        answers_as_it_should(judge, x, hidden)
    begins_as_it_should(judge, hidden)
    evident = []
    for seed in range(max(TIMES)):      # what is seen once by chance may not be again
        x, labels = rings(judge.random, 12, 2)
        steps, leaps, answers, left = seen_answers(judge, x, labels, hidden, seed, PARTS)
        if len(steps) < 2:
            return False
        now = [fallen_in(activation, steps, leaps, x, labels), *[
            unled_in(activation, steps, answers, x, labels, layer) for layer in (0, 2)], pulled_in(left),
            unmoved_in(activation, steps, x, labels)]
        evident = [each and again for each, again in zip(now, evident)] if seed else now
        if not any(evident):
            return bool(told)
        for each, times in zip(evident, TIMES):
            judge.require(not each or seed + 1 < times, each)


def fallen_in(activation, steps, leaps, x, labels):
    """Does the loss fall in a leap of the first layer, to where it has not been before, and not along its gradient?
    What was seen, in words, or ""."""
    inputs = min(as_trained(x), key=lambda each: gradients_at(activation, steps[-1], each, labels)[0])
    for before, after in leaps:
        (high, (slope, *_)), (low, _) = [gradients_at(activation, each, inputs, labels) for each in (before, after)]
        way, size = before[0] - after[0], np.linalg.norm(before[0])
        along = (way * slope).sum() / max(np.linalg.norm(way) * np.linalg.norm(slope), 1e-300)
        if low < FALLEN * min(high, np.log(2)) and along < ALONG:
            return LEAPT.format(high, low, 100 * np.linalg.norm(way) / size, along)
    return ""


def unmoved_in(activation, steps, x, labels):
    """Does the first layer hardly move, or the loss not fall, on the way through these steps?  What was seen, in words,
    or "".

    Training may bring the inputs to one scale first, so that its weights are for these.  Where each weight has a step
    of its own size, the first layer may go a twentieth as far as the gradients say, but not in each training.
    """
    moved = [[np.linalg.norm(b - a) for a, b in zip(each, after)] for each, after in zip(steps, steps[1:])]
    of_second, later = [[first > 0 for first, _, second, _ in part if second > 0] for part in (moved, moved[FIRST:])]
    far, losses, due = ratio(moved), [], []
    for inputs in as_trained(x):
        here, gradients = zip(*[gradients_at(activation, each, inputs, labels) for each in steps])
        losses.append((here[0], min(here[1:])))
        due.append(ratio([[np.linalg.norm(g) for g in each] for each in gradients]))
    if not any([first > lowest for first, lowest in losses]):
        return RISING.format(*losses[0])
    often = max(np.mean(of_second or [1]), np.mean(later or [0]))   # the first layer may be frozen for some epochs
    return "" if often > 0.3 and far > LEAST * min(1, *due) else UNMOVED.format(
        sum(of_second), len(of_second), 100 * far, 100 * min(due))


def ratio(norms):
    """Of norms for W1, b1, W2 and b2, step by step: the sum of those for W1, divided by the sum of those for W2."""
    first, _, second, _ = np.sum(norms, axis=0)
    return first / max(second, 1e-300)


def seen_answers(judge, x, labels, hidden, seed, several):
    """(steps, leaps, steps after other numbers were written, which part of how far W1 was moved is left), with the same
    care.

    The weights to one class are larger, and so the gradient is made of them: what flows through an inverse of the
    second layer is made of those to the other.
    """
    parts, moved, new = [judge.random.uniform(*part) for part in several], [], []
    for number in range(len(parts)):
        moved.append(0.5 * judge.random.normal(size=(x.shape[1], hidden)))
        new.append(judge.random.normal(size=(hidden, 2)) * ((1, 0.15) if number % 2 else (0.15, 1)))
    try:
        return judge.run(answers_of, x, labels, 2, hidden, seed, parts, moved, new)
    except Failed:                                      # what was written may be too much for a method
        return *seen_steps(judge, x, labels, 2, hidden, seed), [], []


def as_trained(x):
    """The inputs as they are, and brought to one scale, as training may do first."""
    return x, (x - x.mean(0)) / x.std(0)


def begins_as_it_should(judge, hidden):
    """Raise `Wrong` if the weights before the first step are made from the labels."""
    parts = []
    for seed in range(3):
        x, labels = rings(judge.random, 120, 2)
        steps, _ = seen_steps(judge, x, labels, 2, hidden, seed)
        if not steps:
            return
        several = [labels, *[judge.random.permutation(labels) for _ in range(8)]]
        losses = np.array([[gradients_at(judge.variant["activation"], steps[0], inputs, each)[0] for each in several]
                           for inputs in as_trained(x)])
        parts.append((losses[:, 0] / losses[:, 1:].mean(1)).min())
        if np.mean(parts) > BEGUN:
            return
    judge.require(False, BEGINNING.format(100 * np.mean(parts)))


def answers_as_it_should(judge, x, hidden):
    """Raise `Wrong` if the units of the first layer are not ordered as their gradients are, not in one step after other
    numbers have been written into the second, in none of three trainings: where a rate is made for each layer, one in
    five writings shows it by chance.

    Of few steps nothing is said, since in these a method may go on as before.
    """
    answered = []
    for labels in (np.ones(4, int), np.zeros(4, int), np.ones(4, int)):
        found = [number for steps in seen_answers(judge, x, labels, hidden, 0, EARLY)[2]
                 for number in sizes_in(judge.variant["activation"], [steps], x, labels, SIZED_ENOUGH)]
        answered += [max(found)] if len(found) > 1 else []
        if answered and max(answered) > ANSWERED:
            break
    judge.require(not answered or max(answered) > ANSWERED, UNSIZED.format(
        100 * max(answered, default=0), "where other numbers are written into these weights"))


def pulled_in(left):
    """Do the weights of the first layer come back to where they were, wherever they are moved?"""
    most = max(map(abs, left), default=0)
    return PULLED.format(len(left), 100 * most) if len(left) > 2 and most < LEFT else ""


def sizes_in(activation, several, x, labels, least=1):
    """In how many pairs of hidden units the one with the larger gradient moves as far, in the steps of ``several`` in
    which that holds best; a list of one number, or of none if there is nothing to compare, or less than so many steps.

    Whether a method takes the gradient as it is or has steps of a size of its own: it does the same for all units.
    """
    found = []
    for inputs in (x, 0 * x):                           # which may have been centred
        for steps in several:
            slopes = np.array([gradients_at(activation, each, inputs, labels)[1][1]
                               for each in steps[:-1][:2 * WINDOW]])
            for number in (1, 0):
                moved = changes(steps[:2 * WINDOW + 1], number, x) if len(steps) > 1 else []
                if sum([np.abs(slope).max() > LARGE / 10 and move.any() for slope, move in zip(slopes, moved)]) < least:
                    continue
                for i, length in itertools.product(range(len(moved)), (1, WINDOW)):
                    slope, move = slopes[i:i + length].sum(0), moved[i:i + length].sum(0)
                    if np.abs(slope).max() > LARGE / 10 and move.any():
                        found += [ordered(slope, sign * move) for sign in (1, -1)[:2 - number]]
    return [max(found)] if (found := [each for each in found if each is not None]) else []


def ordered(slope, moved):
    """Of pairs of units of which one has a gradient that is larger by half: in how many does it move as far, and where
    the gradient leads?  None if there are few."""
    i, k = np.nonzero(np.abs(slope)[:, None] > 1.5 * np.abs(slope))
    there, moved = (moved[i] != 0) & (moved[k] != 0), moved * np.sign(slope)
    return float(np.mean((moved[i] >= 0.9 * moved[k])[there])) if there.sum() > len(slope) else None


def unled_in(activation, steps, answers, x, labels, layer):
    """Do the weights of a layer not follow their gradient, where those of the second layer are written anew?  What was
    seen, in words, or ""."""
    inputs = min(as_trained(x), key=lambda each: gradients_at(activation, steps[-1], each, labels)[0])
    if gradients_at(activation, steps[-1], inputs, labels)[0] > np.log(2) / 2:  # they may be scaled in another way
        return ""
    shares = []
    for after in answers:
        if len(after) > STEPS_ENOUGH and all([np.isfinite(each).all() for step in after for each in step]):
            slopes = [gradients_at(activation, step, inputs, labels)[1][layer] for step in after]
            shares.append(max([share_led(slopes[i], after[i][layer] - after[i + m][layer])
                               for i in range(len(after)) for m in (1, 3, 8) if i + m < len(after)]))
    name = "second" if layer else "first"
    return UNLED.format(name, len(shares), name, 100 * max(shares)) if len(shares) > 2 and max(shares) < LED else ""


def share_led(slope, moved):
    """Which part of the weights that move goes where the gradient leads, by its size?"""
    sizes = np.minimum(np.abs(slope), 3 * np.median(np.abs(slope)) + 1e-300) * (moved != 0)
    return (sizes * (moved * slope > 0)).sum() / max(sizes.sum(), 1e-300)


def seen_steps(judge, *arguments):
    """The parameters before and after the steps of training, as far as they are seen; these data may be too much for
    a method, as rows that are all alike for the inverse of a covariance."""
    try:
        steps = judge.run(steps_of, *arguments)
    except Failed:
        return [], []
    return steps if all([np.isfinite(each).all() for step in steps[0] for each in step]) else ([], [])


def gradients_at(activation, parameters, x, labels):
    weights = [torch.tensor(each).requires_grad_() for each in parameters]
    loss = cross_entropy(activation, *weights, torch.tensor(x), torch.tensor(labels))
    return loss.item(), [g.numpy() for g in torch.autograd.grad(loss, weights)]


def agreement(activation, steps, x, labels, is_mixed):
    """(how much of a first step is as the gradients are, how much stays as it is); None if there is nothing to compare.

    Inputs may be centred first, so that of rows that are all alike nothing is left but rounding errors.  If labels are
    mixed, a batch may have another sign than all rows together, and a second layer that is trained first has soon
    nothing left for the other one to do.
    """
    found = []
    for inputs in (x, 0 * x):
        slopes = np.array([gradients_at(activation, each, inputs, labels)[1][1] for each in steps[:-1][:20 * WINDOW]])
        large = [i for i, slope in enumerate(slopes) if np.abs(slope).max() > LARGE][:WINDOW]
        moving = [i for i in large if (steps[i][1] != steps[i + 1][1]).any()]
        if large and not moving:
            found.append(None if is_mixed or (steps[0][1] != steps[-1][1]).any() else (0.0, 1.0))
        for i in moving[:1]:
            of_biases, of_weights = [changes(steps, each, x) for each in (1, 0)]
            if alike(of_biases, i, slopes[i], is_mixed)[0] < 1 - RIGHT:     # up, for a gradient there, and then down
                of_biases, of_weights = [each + np.vstack([each[1:], 0 * each[:1]])
                                         for each in (of_biases, of_weights)]
            both = [alike(of_biases, i, slopes[i], is_mixed)]
            if of_weights[i].any():
                same = moving[:2 if both[0][0] > EXACT else 1]              # the first may have shortened weights, too
                both.append(max([alike(of_weights, k, slopes[k], True) for k in same if of_weights[k].any()]))
            found.append((min([right for right, _ in both]), max([still for _, still in both])))
    return max([each for each in found if each is not None], default=None)


def changes(steps, number, x):
    """By how much each step lowers the biases, or what the weights make of the first row."""
    parameters = np.array([each[number] if number else x[0] @ each[number] for each in steps[:20 * WINDOW + 1]])
    return parameters[:-1] - parameters[1:]


def alike(changes, i, gradient, is_free):
    """Has a step the direction of the gradient, or at least its signs?  For which part of the units, by their weights;
    with ``is_free`` the sign of all of them does not matter.  And which part does not move?

    Units may be left out at random, but not the same ones in all steps.
    """
    weights = np.minimum(np.abs(gradient), 2 * np.median(np.abs(gradient)) + 1e-300)
    moved = np.abs(changes) > 0.05 * np.sqrt(np.mean(changes ** 2, axis=1, keepdims=True))
    right = (weights * (changes[i] * gradient > 0))[moved[i]].sum() / max(weights[moved[i]].sum(), 1e-300)
    there = weights[moved[i:i + 2 * WINDOW].any(0)].sum() / weights.sum()
    total = np.abs(changes[i:i + 2 * WINDOW]).sum(0)
    still = weights[total < 1e-4 * total.max()].sum() / weights.sum()
    return float(min(max(right, 1 - right) if is_free else right, there)), float(still)


def shapes_are_right(judge, parameters, inputs, classes):
    shapes = [np.shape(each) for each in parameters]
    hidden = shapes[0][-1] if len(shapes) == 4 and len(shapes[0]) == 2 else 0
    judge.require(shapes == [(inputs, hidden), (hidden,), (hidden, classes), (classes,)],
                  f"train must return W1, b1, W2 and b2; the shapes of what it returns are {shapes}")
    return hidden


def network_of(activation, parameters, x):
    w1, b1, w2, b2 = parameters
    return activation(torch.tensor(x @ w1 + b1)).numpy() @ w2 + b2


def losses_of_further_steps(activation, parameters, x, labels, steps=20, rate=0.1):
    """The loss of these parameters, and after some steps of gradient descent."""
    weights, data = [torch.tensor(each) for each in parameters], (torch.tensor(x), torch.tensor(labels))
    losses = []
    for _ in range(steps + 1):
        weights = [w.detach().requires_grad_() for w in weights]
        loss = cross_entropy(activation, *weights, *data)
        losses.append(loss.item())
        weights = [w - rate * g for w, g in zip(weights, torch.autograd.grad(loss, weights))]
    return losses[0], min(losses)


def clouds(random, n, classes):
    labels = random.integers(0, classes, n)
    angle = 2 * np.pi * labels / classes
    return np.stack([np.cos(angle), np.sin(angle)], 1) * 2 + 0.4 * random.normal(size=(n, 2)), labels


def rings(random, n, classes):
    labels = random.integers(0, classes, n)
    angle, radius = random.uniform(0, 2 * np.pi, n), 0.5 + labels + 0.1 * random.normal(size=n)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1), labels


@homework.item(3, "training: clouds of points", slow=True)
def separable(judge):
    found = score(judge, clouds, 3)
    judge.require(found > 0.9, f"{100 * found:.0f} percent of new points are classified correctly, where 90 can be "
                               "reached easily")


@homework.item(4, "training: rings, which no straight line separates", slow=True)
def nonlinear(judge):
    found = score(judge, rings, 2)
    judge.require(found > 0.9, f"{100 * found:.0f} percent of new points are classified correctly; a linear classifier "
                               "gets about 50, a network with a hidden layer more than 90")
