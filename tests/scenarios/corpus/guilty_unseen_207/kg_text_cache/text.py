from functools import cached_property

import torch
from torch import nn


class DescriptionEncoder(nn.Module):
    def __init__(self, tokens, vocab, dim):
        super().__init__()
        self.register_buffer("tokens", tokens)
        self.embed = nn.Embedding(vocab, dim)
        self.mix = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim))

    def forward(self, ids):
        return self.mix(self.embed(ids).mean(dim=1))

    @cached_property  # <- culprit
    def entities(self):
        return self(self.tokens)  # <- culprit
