"""The loss of a large vocabulary: frequent words have their own scores, rare ones share those of their cluster.

    head:   [ scores of the words below cutoffs[0] | one score for each cluster ]
    tail:   for each cluster, the scores of its words, from fewer features the rarer they are

The log probability of a rare word is that of its cluster plus its own among the words there (Grave et al., Efficient
softmax approximation for GPUs, 2017).
"""

from collections import namedtuple

from minigrad._core.errors import error
from minigrad.nn import functional as F
from minigrad.nn.modules.containers import ModuleList, Sequential
from minigrad.nn.modules.linear import Linear
from minigrad.nn.modules.module import Module
from minigrad.ops.shapes.joining import cat

__all__ = ["AdaptiveLogSoftmaxWithLoss"]

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """The log probability of each target among ``n_classes``, which are ordered by frequency, and the mean loss.

    ``cutoffs`` are the first classes of the clusters; each has ``div_value`` times fewer features than the one before.

    >>> softmax = torch.nn.AdaptiveLogSoftmaxWithLoss(16, 20, cutoffs=[5, 10])
    >>> output, loss = softmax(torch.ones(3, 16), torch.tensor([0, 7, 19]))
    >>> output.shape, bool(torch.isclose(loss, -output.mean()))
    (torch.Size([3]), True)
    """

    in_features: int
    n_classes: int
    cutoffs: list[int]
    div_value: float
    head_bias: bool
    shortlist_size: int
    n_clusters: int
    head_size: int
    head: Linear
    tail: ModuleList

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise error("MG207", "cutoffs should be a sequence of length larger than 0")
        if (cutoffs != sorted(set(cutoffs)) or cutoffs[0] <= 0 or cutoffs[-1] > n_classes - 1
                or any(int(cutoff) != cutoff for cutoff in cutoffs)):
            raise wrong_cutoffs(cutoffs)
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, [*cutoffs, n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size, self.n_clusters = cutoffs[0], len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, head_bias, device, dtype)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            features, words = int(in_features // div_value ** (i + 1)), self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(Sequential(Linear(in_features, features, False, device, dtype),
                                        Linear(features, words, False, device, dtype)))

    def reset_parameters(self):
        """Draw new numbers."""
        self.head.reset_parameters()
        for features, words in self.tail:
            features.reset_parameters()
            words.reset_parameters()

    def forward(self, input_, target_):
        check_dims(input_, target_)
        input, target = (input_, target_) if target_.dim() else (input_.unsqueeze(0), target_.unsqueeze(0))
        if target.numel() and not 0 <= int(target.min()) <= int(target.max()) < self.n_classes:
            raise no_such_class(target, self.n_classes)
        place, output = target.clone(), input.new_zeros(target.shape[0])       # the place of each in the head
        for i, tail in enumerate(self.tail):
            first, behind = self.cutoffs[i:i + 2]
            rows = ((target >= first) & (target < behind)).nonzero().squeeze(1)
            if rows.numel():
                scores = F.log_softmax(tail(input.index_select(0, rows)), dim=1)
                own = scores.gather(1, (target[rows] - first).unsqueeze(1)).squeeze(1)
                output = output.index_copy(0, rows, own)
                place = place.index_fill(0, rows, self.shortlist_size + i)
        output = output + F.log_softmax(self.head(input), dim=1).gather(1, place.unsqueeze(1)).squeeze(1)
        return _ASMoutput(output if target_.dim() else output.squeeze(0), (-output).mean())

    def log_prob(self, input):
        """The log probabilities of all classes: (N, n_classes)."""
        head = F.log_softmax(self.head(input), dim=1)
        parts = [head[:, :self.shortlist_size]]
        for i, tail in enumerate(self.tail):
            of_cluster = head[:, self.shortlist_size + i].unsqueeze(1)
            parts.append(F.log_softmax(tail(input), dim=1) + of_cluster)
        return cat(parts, 1)

    def predict(self, input):
        """The likeliest class of each row: a frequent word if the head likes none of the clusters better.

        >>> torch.nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs=[5]).predict(torch.ones(3, 8)).shape
        torch.Size([3])
        """
        best = self.head(input).argmax(dim=1)
        rare = (best >= self.shortlist_size).nonzero().squeeze(1)
        if rare.numel():
            best[rare] = self.log_prob(input[rare]).argmax(dim=1)
        return best


# ------------------------------------------------------------------------------ what the errors say

def check_dims(input, target):
    if target.dim() > 1:
        raise error("MG204", "0D or 1D target tensor expected, multi-target not supported")
    if target.dim() and input.shape[0] != target.shape[0]:
        raise error("MG204", "Input and target should have the same size in the batch dimension.")
    if input.dim() != target.dim() + 1:
        raise error("MG204", f"{target.dim()}D target tensor expects {target.dim() + 1}D input tensors, but found "
                             f"inputs with size {input.size()}")


def wrong_cutoffs(cutoffs):
    return error("MG207", "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, "
                          f"where each value is between 1 and n_classes-1, not {cutoffs}")


def no_such_class(target, classes):
    return error("MG204", f"Target values should be in [0, {classes - 1}], but values in range "
                          f"[{int(target.min())}, {int(target.max())}] were found. ")
