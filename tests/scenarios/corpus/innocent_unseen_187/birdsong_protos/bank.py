import torch
from torch import nn


class SongEncoder(nn.Module):
    def __init__(self, mels=16, dim=12):
        super().__init__()
        self.frame = nn.Linear(mels, 20)
        self.proj = nn.Linear(20, dim)

    def forward(self, clip):
        frames = torch.tanh(self.frame(clip))
        return nn.functional.normalize(self.proj(frames.mean(1)), dim=-1)


class PrototypeBank:
    """One prototype per species, blended over the shots of a session."""

    def __init__(self, momentum=0.6):
        self.momentum = momentum
        self.prototypes = {}

    def absorb(self, embeddings, species):
        for s in species.unique().tolist():
            centre = embeddings[species == s].mean(0)
            if s in self.prototypes:
                centre = self.momentum * self.prototypes[s] + (1 - self.momentum) * centre
            self.prototypes[s] = centre

    def logits(self, queries, scale=8.0):
        known = sorted(self.prototypes)
        table = torch.stack([self.prototypes[s] for s in known])
        return scale * queries @ table.t(), known

    def release(self):
        self.prototypes = {s: p.detach() for s, p in self.prototypes.items()}
