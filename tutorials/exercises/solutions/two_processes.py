"""Solutions of the exercises of "Two processes"."""

# %% Solution: Shares of different sizes
def of_all(gradients, counts):
    return sum(n * each for n, each in zip(counts, gradients)) / sum(counts)


# %% Solution: All-reduce in a ring
import minigrad as torch


def all_reduce(tensors, exchange):
    ranks = len(tensors)
    pieces = [list(each.chunk(ranks)) for each in tensors]      # pieces[rank][number]
    for step in range(ranks - 1):
        came = exchange([pieces[rank][(rank - step) % ranks] for rank in range(ranks)])
        for rank in range(ranks):
            place = (rank - 1 - step) % ranks
            pieces[rank][place] = pieces[rank][place] + came[rank]
    for step in range(ranks - 1):
        came = exchange([pieces[rank][(rank + 1 - step) % ranks] for rank in range(ranks)])
        for rank in range(ranks):
            pieces[rank][(rank - step) % ranks] = came[rank]
    return [torch.cat(each) for each in pieces]


# %% Solution: Buckets
def buckets(sizes, capacity):
    found, room = [], 0
    for place, size in enumerate(sizes):
        if not found or size > room:
            found.append([])
            room = capacity
        found[-1].append(place)
        room -= size
    return found
