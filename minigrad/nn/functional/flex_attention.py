"""Attention whose scores and whose mask are functions of the positions: ``torch.nn.attention.flex_attention``.

    scores[b, h, i, j] = score_mod(scale * q[b, h, i] . k[b, h, j], b, h, i, j)
                         -inf where not mask_mod(b, h, i, j)
    out = softmax(scores) v

PyTorch compiles both functions into a kernel that leaves out the blocks of the mask that are empty.  Here they are
mapped over all positions with ``vmap``, and everything is made of recorded operations: it is what PyTorch does where
nothing is compiled, and a gradient reaches whatever the functions close over.  A :class:`BlockMask` keeps PyTorch's
numbers and indices of blocks; the result depends on its ``mask_mod`` alone.

Source: Dong et al. 2024, Flex Attention: A Programming Model for Generating Optimized Attention Kernels.
"""

import inspect
import math
from typing import NamedTuple

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.creation import full, ones, zeros
from minigrad.creation.ranges import arange
from minigrad.dtypes import as_device, float32, float64, int32
from minigrad.func.vmap import vmap
from minigrad.ops.exports import REGISTRY as table

__all__ = ["AuxOutput", "AuxRequest", "BlockMask", "and_masks", "create_block_mask", "create_mask", "flex_attention",
           "noop_mask", "or_masks"]

_DEFAULT_SPARSE_BLOCK_SIZE = 128


class AuxRequest(NamedTuple):
    """What :func:`flex_attention` is to return beside its result."""
    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    """What was asked for: the logarithm of each row's sum of exponentials, and each row's greatest score."""
    lse: Tensor | None = None
    max_scores: Tensor | None = None


def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False,
                   kernel_options=None, *, return_aux=None):
    """Attention of queries ``(B, Hq, L, E)`` to keys ``(B, H, S, E)`` with values ``(B, H, S, Ev)``.

    Parameters
    ----------
    score_mod : a function of a score and the four positions, numbers without dims, that gives another score
    block_mask : of :func:`create_block_mask`: which scores count.  A row without any gives zeros
    scale : of the products; 1 / sqrt(E) by default
    enable_gqa : whether several heads of queries share a head of keys
    return_lse : whether the logarithm of each row's sum of exponentials is returned too; ``return_aux`` asks for more
    kernel_options : accepted; there is no kernel to choose

    Raises: ValueError (MG207) for sizes that do not fit each other, or a mask of other lengths.

    >>> from minigrad.nn.attention.flex_attention import create_block_mask, flex_attention
    >>> q = k = v = torch.eye(3).reshape(1, 1, 3, 3)
    >>> causal = create_block_mask(lambda b, h, i, j: i >= j, None, None, 3, 3)
    >>> flex_attention(q, k, v, lambda score, b, h, i, j: score - (i - j), block_mask=causal)[0, 0]
    tensor([[1.0000, 0.0000, 0.0000],
            [0.1712, 0.8288, 0.0000],
            [0.0592, 0.1610, 0.7797]])
    """
    _check(query, key, value, block_mask, enable_gqa)
    if return_lse and return_aux is not None:
        raise error("MG207", "flex_attention(): Cannot specify both return_lse and return_aux: ask for "
                             "return_aux=AuxRequest(lse=True)")
    if enable_gqa:
        key, value = (table["repeat_interleave"](x, query.shape[1] // x.shape[1], dim=1) for x in (key, value))
    kind = float64 if query.dtype is float64 else float32
    scores = query.to(kind) @ key.to(kind).mT * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    places = [arange(size) for size in scores.shape]
    if score_mod is not None:
        scores = _over_positions(score_mod, score=True)(scores, *places).to(kind)
    if block_mask is not None:
        scores = scores.masked_fill(~_over_positions(block_mask.mask_mod)(*places), -math.inf)
    empty = (scores == -math.inf).all(-1, keepdim=True)
    weights = scores.masked_fill(empty, 0.0).softmax(-1).masked_fill(empty, 0.0)
    out = weights.to(query.dtype) @ value
    if not return_lse and return_aux is None:
        return out
    lse = scores.masked_fill(empty, 0.0).logsumexp(-1).masked_fill(empty.squeeze(-1), -math.inf)
    if return_lse:
        return out, lse
    return out, AuxOutput(lse if return_aux.lse else None, scores.amax(-1) if return_aux.max_scores else None)


def _check(query, key, value, block_mask, enable_gqa):
    if not query.dim() == key.dim() == value.dim() == 4:
        raise error("MG207", "flex_attention(): query, key and value must be 4D tensors, (batch, heads, length, size), "
                             f"not of {query.dim()}, {key.dim()} and {value.dim()} dims")
    heads, others = query.shape[1], key.shape[1]
    if not enable_gqa and heads != others:
        raise error("MG207", "Expect query and key/value to have the same number of heads but got "
                             f"Hq={heads} and Hkv={others}. Try setting enable_gqa=True for GQA.")
    if enable_gqa and heads % others:
        raise error("MG207", "Expect number of query heads to be a multiple of kv heads for GQA but got "
                             f"Hq={heads} and Hkv={others}.")
    if block_mask is not None and block_mask.seq_lengths != (query.shape[2], key.shape[2]):
        raise error("MG207", f"block_mask was created for block_mask.shape={block_mask.shape} but got "
                             f"q_len={query.shape[2]} and kv_len={key.shape[2]}: create a block mask of these lengths.")


def _over_positions(function, score=False):
    """A function of numbers as a function of all positions: each of the four is mapped in turn, the last one first."""
    for dim in (3, 2, 1, 0):
        function = vmap(function, in_dims=(0,) * score + tuple([0 if k == dim else None for k in range(4)]))
    return function


# ------------------------------------------------------------------------------ masks

def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device=None):
    """The mask ``(B, H, Q_LEN, KV_LEN)`` of a ``mask_mod``, or of a ``score_mod``: where it is not -inf.

    >>> from minigrad.nn.attention.flex_attention import create_mask
    >>> create_mask(lambda b, h, i, j: i >= j, 1, 1, 2, 2).tolist()
    [[[[True, False], [True, True]]]]
    """
    as_device(device, "create_mask")
    sizes = (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)
    places = [arange(size) for size in sizes]
    if len(inspect.signature(mod_fn).parameters) == 5:
        return _over_positions(mod_fn, score=True)(zeros(sizes), *places) != -math.inf
    return _over_positions(mod_fn)(*places).expand(sizes)


def create_block_mask(mask_mod, B, H, Q_LEN, KV_LEN, device=None, BLOCK_SIZE=_DEFAULT_SPARSE_BLOCK_SIZE, _compile=False,
                      separate_full_blocks=True):
    """The :class:`BlockMask` of ``mask_mod(b, h, q_idx, kv_idx)``, a function of numbers that gives a bool.

    ``B`` and ``H`` may be None where all batches, or heads, have the same mask.

    >>> from minigrad.nn.attention.flex_attention import create_block_mask
    >>> mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, 8, 8, BLOCK_SIZE=2)
    >>> mask.shape, mask.sparsity(), mask.kv_num_blocks.tolist(), mask.full_kv_num_blocks.tolist()
    ((1, 1, 8, 8), 37.5, [[[1, 1, 1, 1]]], [[[0, 1, 2, 3]]])
    """
    sizes = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else tuple(BLOCK_SIZE)
    counted = _blocks(create_mask(mask_mod, B, H, Q_LEN, KV_LEN, device), sizes)
    whole = (counted == sizes[0] * sizes[1]) & separate_full_blocks
    return BlockMask((Q_LEN, KV_LEN), (counted > 0) & ~whole, whole if separate_full_blocks else None, sizes, mask_mod)


def _blocks(mask, sizes):
    """How many scores count in each block; the last blocks are filled up with scores that do not."""
    rows, columns = ([-length % size, length, size] for length, size in zip(mask.shape[2:], sizes))
    mask = table["constant_pad_nd"](mask.to(int32), (0, columns[0], 0, rows[0]))
    return mask.reshape(*mask.shape[:2], -1, sizes[0], mask.shape[3] // sizes[1], sizes[1]).sum((3, 5))


class BlockMask:
    """Which blocks of scores are computed: those where some count, and, apart, those where all do.

    ``kv_num_blocks[b, h, i]`` says how many blocks of keys row i of blocks needs, and ``kv_indices[b, h, i]`` begins
    with their numbers; ``full_kv_num_blocks`` and ``full_kv_indices`` say the same of the full ones.  Make one with
    :func:`create_block_mask`.
    """

    def __init__(self, seq_lengths, partial, whole, BLOCK_SIZE, mask_mod):
        self.seq_lengths, self.BLOCK_SIZE, self.mask_mod = seq_lengths, BLOCK_SIZE, mask_mod
        self._partial, self._whole = partial, whole
        self.kv_num_blocks, self.kv_indices = _ordered(partial)
        self.q_num_blocks, self.q_indices = _ordered(partial.mT)
        self.full_kv_num_blocks, self.full_kv_indices = (None, None) if whole is None else _ordered(whole)
        self.full_q_num_blocks, self.full_q_indices = (None, None) if whole is None else _ordered(whole.mT)

    @property
    def shape(self):
        """The batches, heads, queries and keys that it is for."""
        return (*self._partial.shape[:2], *self.seq_lengths)

    def numel(self):
        """How many scores there are."""
        return math.prod(self.shape)

    def to_dense(self):
        """Which blocks are computed: ones and zeros."""
        return (self._partial if self._whole is None else self._partial | self._whole).to(int32)

    def sparsity(self):
        """How many of a hundred scores lie in blocks that are left out."""
        computed = self.to_dense().sum().item() * self.BLOCK_SIZE[0] * self.BLOCK_SIZE[1]
        return 100 * (1 - computed / self.numel())

    def to(self, device):
        """Itself: there is one device."""
        as_device(device, "BlockMask.to")
        return self

    def __repr__(self):
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%)"


def _ordered(blocks):
    """How many blocks of each row there are, and their numbers, before those of the others."""
    order = table["argsort"](blocks.to(int32), dim=-1, descending=True, stable=True)
    return blocks.sum(-1).to(int32), order.to(int32).contiguous()


def noop_mask(batch, head, token_q, token_kv):
    """The ``mask_mod`` of no mask: True everywhere."""
    return full((), True)


def and_masks(*mask_mods):
    """The ``mask_mod`` of what all of these let pass."""
    def and_mask(b, h, q_idx, kv_idx):
        result = ones((), dtype=noop_mask(b, h, q_idx, kv_idx).dtype)
        for mask in mask_mods:
            result = result & mask(b, h, q_idx, kv_idx)
        return result
    return and_mask


def or_masks(*mask_mods):
    """The ``mask_mod`` of what one of these lets pass."""
    def or_mask(b, h, q_idx, kv_idx):
        result = ~noop_mask(b, h, q_idx, kv_idx)
        for mask in mask_mods:
            result = result | mask(b, h, q_idx, kv_idx)
        return result
    return or_mask
