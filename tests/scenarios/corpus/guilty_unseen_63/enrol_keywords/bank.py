"""Keyword prototypes: one embedding per enrolled keyword."""
import torch
from torch import nn


class ClipEncoder(nn.Module):
    """Two temporal convolutions, mean pooling, projection to the unit sphere."""

    def __init__(self, n_mels, dim):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(n_mels, 32, 5, stride=2, padding=2),
            nn.ReLU(),
            nn.Conv1d(32, 32, 3, padding=1),
            nn.ReLU(),
        )
        self.proj = nn.Linear(32, dim)

    def forward(self, mels):
        pooled = self.body(mels).mean(dim=-1)
        return nn.functional.normalize(self.proj(pooled), dim=-1)


class PrototypeBank(nn.Module):
    """Holds the encoder and the mean embedding of every keyword's support clips.

    Enrolment is done once per epoch: encoding the whole support set for every
    query batch would double the cost of a step.
    """

    def __init__(self, n_mels, dim, n_keywords):
        super().__init__()
        self.encoder = ClipEncoder(n_mels, dim)
        self.n_keywords = n_keywords
        self.prototypes = None

    def enrol(self, support, labels):
        emb = self.encoder(support)
        rows = [emb[labels == k].mean(dim=0) for k in range(self.n_keywords)]
        self.prototypes = nn.functional.normalize(torch.stack(rows), dim=-1)  # <- culprit

    def similarity(self, emb):
        if self.prototypes is None:
            raise RuntimeError("enrol() must be called before scoring")
        return emb @ self.prototypes.t()
