import torch
from torch import nn


class AdCatalog(nn.Module):
    """Encodes every live ad; the table is shared by all requests between two refreshes."""

    def __init__(self, n_ads, n_attrs, dim):
        super().__init__()
        gen = torch.Generator().manual_seed(77)
        self.register_buffer("attrs", torch.randn(n_ads, n_attrs, generator=gen))
        self.encoder = nn.Sequential(nn.Linear(n_attrs, 32), nn.Mish(), nn.Linear(32, dim))
        self.table = None
        self.refreshed_at = -1

    @property
    def n_ads(self):
        return self.attrs.shape[0]

    def refresh(self, step):
        self.table = self.encoder(self.attrs)  # <- culprit
        self.refreshed_at = step

    def lookup(self, ids):
        return self.table[ids]  # <- culprit
