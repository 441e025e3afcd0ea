import torch
from torch import nn


class NextItemRanker(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.viewed_items = nn.Embedding(config.items, config.dim)
        self.shown_items = nn.Embedding(config.items, config.dim)
        self.tower = nn.Sequential(
            nn.Linear(2 * config.dim, config.tower),
            nn.ReLU(),
            nn.Linear(config.tower, 1),
        )

    def score(self, profile, shown):
        shown_vectors = self.shown_items(shown)
        dot = (profile * shown_vectors).sum(dim=1)
        deep = self.tower(torch.cat([profile, shown_vectors], dim=1))
        return dot + deep.squeeze(1)
