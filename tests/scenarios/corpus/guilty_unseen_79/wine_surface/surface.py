import torch
import torch.nn as nn


class SensoryBasis(nn.Module):
    """Learned attribute contrasts, their squares and their pairwise products."""

    def __init__(self, n_attr, n_contrast=4):
        super().__init__()
        self.contrast = nn.Linear(n_attr, n_contrast)
        i, j = torch.triu_indices(n_contrast, n_contrast)
        self.register_buffer("i", i)
        self.register_buffer("j", j)
        self.n_out = n_contrast + len(i)

    def forward(self, scores):
        c = torch.tanh(self.contrast(scores))
        return torch.cat([c, c[:, self.i] * c[:, self.j]], dim=1)


class LikingSurface(nn.Module):
    def __init__(self, n_attr, n_tasters):
        super().__init__()
        self.basis = SensoryBasis(n_attr)
        self.coef = nn.Linear(self.basis.n_out, 1)
        self.leaning = nn.Embedding(n_tasters, 1)
        nn.init.zeros_(self.leaning.weight)

    def from_basis(self, phi, taster):
        return (self.coef(phi) + self.leaning(taster)).squeeze(1)

    def forward(self, scores, taster):
        return self.from_basis(self.basis(scores), taster)
