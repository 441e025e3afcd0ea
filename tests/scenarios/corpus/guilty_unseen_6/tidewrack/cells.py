import torch
from torch import nn


class Scribe(nn.Module):
    """Embedding, one gated cell, tied read-out."""

    def __init__(self, vocab, width):
        super().__init__()
        self.glyphs = nn.Embedding(vocab, width)
        self.gate = nn.Linear(2 * width, width)
        self.cand = nn.Linear(2 * width, width)
        self.bias = nn.Parameter(torch.zeros(vocab))
        nn.init.normal_(self.glyphs.weight, std=0.3)

    def blank(self, lanes):
        return torch.zeros(lanes, self.glyphs.embedding_dim)

    def forward(self, page, state):
        scores = []
        for column in page.unbind(1):
            both = torch.cat([self.glyphs(column), state], -1)
            g = torch.sigmoid(self.gate(both))
            state = g * state + (1 - g) * torch.tanh(self.cand(both))
            scores.append(state @ self.glyphs.weight.t() + self.bias)
        return torch.stack(scores, 1), state
