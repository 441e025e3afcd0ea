import copy

import torch
import torch.nn.functional as F
from torch import nn

from memory import KeyMemory


class SessionEncoder(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.songs = nn.EmbeddingBag(settings.songs, settings.dim, mode="mean")
        self.project = nn.Sequential(nn.Linear(settings.dim, settings.dim), nn.ReLU(), nn.Linear(settings.dim, settings.dim))

    def forward(self, session):
        return F.normalize(self.project(self.songs(session)), dim=1)


class PlaylistContrast(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.settings = settings
        self.query_encoder = SessionEncoder(settings)
        self.key_encoder = copy.deepcopy(self.query_encoder)
        for param in self.key_encoder.parameters():
            param.requires_grad = False
        self.memory = KeyMemory(settings.memory_batches)

    def forward(self, first, second):
        queries = self.query_encoder(first)
        keys = self.key_encoder(second)
        scores = (queries * keys).sum(dim=1, keepdim=True)
        if len(self.memory):
            against = queries @ self.memory.negatives().t()
            scores = torch.cat([scores, against], dim=1)
        else:
            scores = torch.cat([scores, queries @ keys.roll(1, dims=0).t()], dim=1)
        target = torch.zeros(len(queries), dtype=torch.long)
        return F.cross_entropy(scores / self.settings.temperature, target), keys

    @torch.no_grad()
    def follow(self):
        pairs = zip(self.key_encoder.parameters(), self.query_encoder.parameters())
        for slow, quick in pairs:
            slow.data.mul_(self.settings.momentum)
            slow.data.add_(quick.data, alpha=1 - self.settings.momentum)
