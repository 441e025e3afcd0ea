from dataclasses import dataclass

import torch
from torch import nn


@dataclass(slots=True, kw_only=True)
class TaggerConfig:
    lanes: int = 6
    bands: int = 10
    hidden: int = 16
    substeps: int = 5
    updates: int = 400
    lr: float = 2e-3


class BoundaryTagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(cfg.hidden))
        self.cell = nn.GRUCell(cfg.bands, cfg.hidden)
        self.out = nn.Linear(cfg.hidden, 1)

    def forward(self, frames, h):
        h = self.cell(frames, h)
        return self.out(h).squeeze(-1), h
