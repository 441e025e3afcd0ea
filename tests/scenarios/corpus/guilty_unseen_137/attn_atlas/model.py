import torch
from torch import nn


class ContactModel(nn.Module):
    def __init__(self, vocab, dim, length, heads):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.randn(length, dim) * 0.1)
        self.att = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.out = nn.Linear(dim, 2)

    def forward(self, s):
        x = self.tok(s) + self.pos
        y, w = self.att(x, x, x, need_weights=True, average_attn_weights=False)
        return self.out(x + y), w
