import torch
from torch import nn

from .memo import memoize


class RelativeAttention(nn.Module):
    def __init__(self, d, heads=4, max_len=32):
        super().__init__()
        self.h = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.table = nn.Parameter(torch.zeros(heads, 2 * max_len - 1))
        self.max_len = max_len

    @memoize
    def bias(self, n, temperature):  # <- culprit
        idx = torch.arange(n)[None] - torch.arange(n)[:, None] + self.max_len - 1
        return torch.tanh(self.table[:, idx]) / temperature

    def forward(self, x, temperature=1.0):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        att = q @ k.transpose(-1, -2) / (d // self.h) ** 0.5 / temperature
        att = (att + self.bias(n, temperature)).softmax(-1)  # <- culprit
        return self.proj((att @ v).transpose(1, 2).reshape(b, n, d))
