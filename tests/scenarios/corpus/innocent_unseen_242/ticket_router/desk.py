import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

TEAMS = 5
WORDS = 120


class Layer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.mix = nn.Conv1d(dim, dim, 3, padding=1, groups=4)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        h = self.mix(self.norm(x).transpose(1, 2)).transpose(1, 2)
        return x + self.ff(h)


class TicketModel(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.emb = nn.Embedding(WORDS, dim)
        self.layers = nn.ModuleList([Layer(dim), Layer(dim)])
        self.head = nn.Linear(dim, TEAMS)

    def forward(self, input_ids, labels=None):
        x = self.emb(input_ids)
        for layer in self.layers:
            if self.training:
                x = checkpoint(layer, x, use_reentrant=False)
            else:
                x = layer(x)
        logits = self.head(x.mean(1))
        out = {"logits": logits}
        if labels is not None:
            out["loss"] = nn.functional.cross_entropy(logits, labels)
        return out


def make_tickets(n, length=16):
    y = torch.randint(0, TEAMS, (n,))
    ids = torch.randint(0, WORDS, (n, length))
    topical = torch.rand(n, length) < 0.25
    own = y[:, None] * 8 + torch.randint(0, 8, (n, length))
    return {"input_ids": torch.where(topical, own, ids), "labels": y}
