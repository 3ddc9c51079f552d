"""Exercises of "Two processes"."""

# %% Exercise: Shares of different sizes
# The ranks had ``counts[r]`` samples each, and ``gradients[r]`` is the gradient of the mean of their losses. Write
# ``of_all(gradients, counts)``: the gradient of the mean over all samples.

# %% Starter
def of_all(gradients, counts):
    return sum(gradients) / len(gradients)


# %% Check
import minigrad as torch

torch.manual_seed(0)
w, x = torch.randn(3, requires_grad=True), torch.randn(10, 3)


def gradient(x):
    return torch.autograd.grad((x @ w).sin().mean(), w)[0]


for counts in [5, 5], [2, 8], [1, 2, 7], [10]:
    parts = x.split(counts)
    found = of_all([gradient(part) for part in parts], counts)
    assert torch.allclose(found, gradient(x), atol=1e-6), f"For shares of {counts} it is not that of all samples."
assert torch.equal(of_all([torch.ones(2), torch.zeros(2)], [3, 0]), torch.ones(2)), "A rank may have had no samples."

# %% Hint
# Times its count, each gradient is that of a *sum* of losses. Sums can be added.


# %% Exercise: All-reduce in a ring
# Many ranks could add up their tensors by sending all of them to rank 0, which would be the only one at work. In a
# *ring* each rank sends to the next one only, and all send at once. The tensors are cut into as many pieces as there
# are ranks. Pass pieces around the ring, each rank adding its own, until every sum is complete on one rank; then pass
# the sums around until all ranks have them.
#
# ``tensors[r]`` is what rank ``r`` has, and the last rank is followed by rank 0. ``exchange(sent)`` sends ``sent[r]``
# from each rank ``r`` to the next one, and returns the list of what each rank receives. With :math:`p` ranks you may
# call it :math:`2 (p - 1)` times, and no rank may send more than one piece at a time. Return the list of what the ranks
# have in the end.

# %% Starter
import minigrad as torch


def all_reduce(tensors, exchange):
    ranks = len(tensors)
    pieces = [list(each.chunk(ranks)) for each in tensors]      # pieces[rank][number]
    return [torch.cat(each) for each in pieces]


# %% Check
import minigrad as torch

torch.manual_seed(0)
for ranks in 1, 2, 3, 5:
    tensors, sizes = [torch.randn(4 * ranks) for _ in range(ranks)], []
    expected = sum(each.clone() for each in tensors)

    def exchange(sent):
        assert len(sent) == ranks, f"exchange needs what each of the {ranks} ranks sends, and got {len(sent)}."
        sizes.append(max(each.numel() for each in sent))
        return [sent[rank - 1].clone() for rank in range(ranks)]

    found = all_reduce(tensors, exchange)
    assert len(found) == ranks, f"There are {ranks} ranks, and you return {len(found)} tensors."
    for rank, each in enumerate(found):
        assert torch.allclose(each, expected, atol=1e-5), f"Of {ranks} ranks, rank {rank} does not have the sum."
    assert len(sizes) <= 2 * (ranks - 1), f"With {ranks} ranks you exchanged {len(sizes)} times."
    assert len(sizes) == 2 * (ranks - 1), (
        f"With {ranks} ranks you exchanged {len(sizes)} times. A rank has its own tensor, and what exchange gives it.")
    assert max(sizes, default=0) <= 4, f"A piece has 4 numbers, and you sent {max(sizes, default=0)} at once."

# %% Hint
# In the first step let rank ``r`` send its piece ``r``. Then rank ``r`` holds the sum of two in piece ``r - 1``, and
# sends that in the second step. In general: in step ``s`` it sends piece ``r - s``.

# %% Hint
# After ``p - 1`` steps the sum that is complete on rank ``r`` is that of piece ``r + 1``. Go on in the same way: send
# that first, and *replace* what is received instead of adding it.


# %% Exercise: Buckets
# Gradients become complete in a known order, and ``sizes`` are their sizes in this order. Write ``buckets(sizes,
# capacity)``: lists of the places of those that travel together. A bucket holds at most ``capacity``; it is sent when
# the next gradient does not fit any more. A gradient that is larger than that has a bucket to itself.

# %% Starter
def buckets(sizes, capacity):
    return [[place] for place in range(len(sizes))]


# %% Check
for sizes, capacity, expected in [
    ([4, 4, 4, 4], 8, [[0, 1], [2, 3]]),
    ([4, 4, 4, 4], 11, [[0, 1], [2, 3]]),
    ([1, 2, 3], 100, [[0, 1, 2]]),
    ([5, 50, 5, 5], 10, [[0], [1], [2, 3]]),
    ([10, 10], 10, [[0], [1]]),
    ([3, 3], 0, [[0], [1]]),
    ([], 10, []),
]:
    found = buckets(sizes, capacity)
    assert found == expected, f"buckets({sizes}, {capacity}) is {expected}, and yours is {found}."

# %% Hint
# Keep how much room is left in the last bucket, and begin a new one when the next size is larger. At first there is no
# bucket.


# %% Project: 1
# 10 points: 4 for the size of the batches, 3 for the reason, 3 for a comparison of the weights.
#
# ``32 // 3`` is 10, so three ranks take steps of 30 images, and the process that they are compared with has to do so,
# too: give it batches of 30. Then there are 48 steps in an epoch for both. Each rank gets 480 of the 1440 images, and
# its ten of each step are a third of the thirty that one process takes, because the sampler deals the same order out in
# turn. The weights agree up to :math:`10^{-4}`. If the number of images were not divisible by three, some would be
# dealt twice, and if that of the batch were not, the last batches would differ in size; then the mean over ranks is not
# the mean over samples.
#
# The usual mistake: to compare with batches of 32, which gives other weights that are as good.


# %% Project: 2
# 10 points: 3 for the reason, 4 for the layer, 3 for the check of its gradient.
#
# ``BatchNorm1d`` takes mean and variance of the samples that it sees, and each rank sees its half: another function,
# and so another gradient. The layer takes the mean of the ranks' means by ``functional.all_reduce`` and a division by
# their number, and then that of the squared differences from it, with halves of equal size. Its gradient agrees with
# that of one process up to rounding, because ``all_reduce`` is its own transpose: what all ranks have used gets the sum
# of all their gradients.
#
# The usual mistakes: the mean of the two variances, which leaves out how far apart the two means are; and
# ``dist.all_reduce``, through which no gradient goes, so that mean and variance count as constants. Values are right
# then, and the gradient is not.


# %% Project: 3
# 10 points: 3 for the two collectives, 3 for the gradient of the input, 4 for a program that agrees with one process.
#
# Each rank computes half of the outputs, from the whole input. ``all_gather`` joins them, and so ``reduce_scatter``
# runs in the backward pass: it adds up what the ranks' losses say about each output, and gives each rank the rows that
# it owns. The gradient of its half of the matrix needs nothing else. But the input went to all ranks, and each of them
# has only its rows' part of the input's gradient; an ``all_reduce`` adds these up, if anything before the layer is to
# learn.
#
# The usual mistake: if all ranks compute the same loss from the joined outputs, it is counted once for each rank, and
# all gradients come out twice as large. Divide by the number of ranks.
