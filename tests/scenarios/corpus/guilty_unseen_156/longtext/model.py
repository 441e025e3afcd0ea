import math

import torch
from torch import nn


class WithMemory(nn.Module):
    """Base for blocks that look at a window of the preceding segment too."""

    def __init__(self, size):
        super().__init__()
        self.size = size
        self.memory = None

    def recall(self, x):
        if self.memory is None or len(self.memory) != len(x):
            return x
        return torch.cat([self.memory, x], dim=1)  # <- culprit

    def remember(self, x):
        self.memory = x[:, -self.size:]  # <- culprit

    def process(self, x, context):
        raise NotImplementedError

    def forward(self, x):
        y = self.process(x, self.recall(x))
        self.remember(y)  # <- culprit
        return y


class MemoryAttention(WithMemory):
    def __init__(self, dim, size):
        super().__init__(size)
        self.q = nn.Linear(dim, dim, bias=False)
        self.kv = nn.Linear(dim, 2 * dim, bias=False)
        self.norm = nn.LayerNorm(dim)

    def process(self, x, context):
        k, v = self.kv(context).chunk(2, dim=-1)
        att = self.q(x) @ k.transpose(1, 2) / math.sqrt(x.shape[-1])
        past = context.shape[1] - x.shape[1]
        i = torch.arange(x.shape[1])[:, None] + past
        j = torch.arange(context.shape[1])[None, :]
        att = att.masked_fill(j > i, float("-inf"))
        return self.norm(x + att.softmax(-1) @ v)


class CharLM(nn.Module):
    def __init__(self, vocab, dim, mem):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.block = MemoryAttention(dim, mem)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.out(self.block(self.embed(ids)))
