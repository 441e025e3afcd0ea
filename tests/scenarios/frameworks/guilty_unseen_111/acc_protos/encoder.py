import torch
from torch import nn


class CallEncoder(nn.Module):
    def __init__(self, n_species, channels=12, dim=16):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, channels, 5, padding=2), nn.ELU(), nn.MaxPool1d(2),
            nn.Conv1d(channels, channels, 3, padding=1), nn.ELU(),
        )
        self.proj = nn.Linear(2 * channels, dim)
        self.cls = nn.Linear(dim, n_species)

    def forward(self, x):
        h = self.conv(x.unsqueeze(1))
        z = self.proj(torch.cat([h.mean(-1), h.amax(-1)], dim=1))
        return z, self.cls(z)
