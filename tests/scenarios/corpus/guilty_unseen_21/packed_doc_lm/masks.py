from functools import lru_cache

import torch


@lru_cache(maxsize=8)
def causal(length):
    return torch.ones(length, length, dtype=torch.bool).tril()


@lru_cache(maxsize=None)  # <- culprit
def block_mask(segments):
    """Additive mask (B, 1, T, T); the same for all layers and heads of a batch, so it is computed once."""
    inside = segments[:, :, None] == segments[:, None, :]
    inside &= causal(segments.shape[1])
    bias = torch.zeros(inside.shape)
    bias.masked_fill_(~inside, float("-inf"))
    return bias[:, None]
