import torch
from torch import nn

from frontend import GaborFront


class CallNet(nn.Module):
    def __init__(self, n_filters, n_species):
        super().__init__()
        self.front = GaborFront(n_filters)
        self.mix = nn.Sequential(nn.Conv1d(n_filters, 24, 3), nn.GELU(), nn.Conv1d(24, 24, 3), nn.GELU())
        self.out = nn.Linear(48, n_species)

    def forward(self, wave):
        h = self.mix(self.front(wave))
        stats = [h.mean(-1), h.std(-1)]
        return self.out(torch.cat(stats, 1))
