import torch
from torch import nn


class ClickNet(nn.Module):
    def __init__(self, fields=12, vocab=60, dim=32):
        super().__init__()
        self.table = nn.Embedding(fields * vocab, dim)
        self.register_buffer("offset", torch.arange(fields) * vocab)
        self.mlp = nn.Sequential(nn.Linear(fields * dim, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, codes):
        emb = self.table(codes + self.offset).flatten(1)
        return self.mlp(emb).squeeze(1), emb
