import torch
import torch.nn.functional as F
from torch import nn


class TicketEncoder(nn.Module):
    """Bag of words; position does not matter for routing."""

    def __init__(self, vocab, dim, topics):
        super().__init__()
        self.words = nn.Embedding(vocab, dim)
        nn.init.normal_(self.words.weight, std=0.3)
        self.router = nn.Linear(dim, topics)

    def embed(self, tokens):
        return F.normalize(self.words(tokens).mean(dim=1), dim=-1)

    def forward(self, tokens):
        z = self.embed(tokens)
        return z, self.router(z)
