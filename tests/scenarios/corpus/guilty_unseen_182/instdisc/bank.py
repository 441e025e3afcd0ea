import torch
import torch.nn.functional as F


class MemoryBank:
    def __init__(self, n, dim, momentum):
        self.vectors = F.normalize(torch.randn(n, dim), dim=1)
        self.momentum = momentum

    def scores(self, feats, temperature):
        return feats @ self.vectors.t() / temperature

    @torch.no_grad()
    def refresh(self, idx, feats):
        old = self.vectors[idx]
        new = self.momentum * old + (1 - self.momentum) * feats
        self.vectors[idx] = F.normalize(new, dim=1)  # <- culprit
