from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


class Tower(nn.Module):
    def __init__(self, n_in: int, dim: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.normalize(self.body(x), dim=-1)


class VacancyCatalog:
    """Vectors of all open vacancies, recomputed every few steps since the full pass is dear."""

    def __init__(self, tower: Tower, features: torch.Tensor, refresh_every: int) -> None:
        self.tower = tower
        self.features = features
        self.refresh_every = refresh_every
        self._vacancy_vectors: torch.Tensor | None = None

    def vectors(self, step: int) -> torch.Tensor:
        if self._vacancy_vectors is None or step % self.refresh_every == 0:
            self._vacancy_vectors = self.tower(self.features)  # <- culprit
        return self._vacancy_vectors  # <- culprit
