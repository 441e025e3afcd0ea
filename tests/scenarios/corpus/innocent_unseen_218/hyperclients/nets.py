import torch
import torch.nn as nn
import torch.nn.functional as F

SHAPES = {"w1": (16, 6), "b1": (16,), "w2": (2, 16), "b2": (2,)}


class HyperNet(nn.Module):
    def __init__(self, n_clients, emb=8, hid=48):
        super().__init__()
        self.emb = nn.Embedding(n_clients, emb)
        self.trunk = nn.Sequential(nn.Linear(emb, hid), nn.ReLU())
        self.heads = nn.ModuleDict({
            k: nn.Linear(hid, torch.Size(s).numel()) for k, s in SHAPES.items()})
        self._cache = {}

    def forward(self, client):
        if client not in self._cache:
            z = self.trunk(self.emb(torch.tensor(client)))
            self._cache[client] = {k: 0.3 * self.heads[k](z).view(s) for k, s in SHAPES.items()}
        return self._cache[client]

    def reset_cache(self):
        self._cache.clear()


def apply(theta, x):
    return F.linear(torch.relu(F.linear(x, theta["w1"], theta["b1"])), theta["w2"], theta["b2"])
