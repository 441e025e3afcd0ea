from torch import nn

from .margin import AdditiveMargin
from .centre import CentrePull


class Criterion(nn.Module):
    def __init__(self, parts):
        super().__init__()
        self.parts = nn.ModuleDict({k: m for k, (m, _) in parts.items()})
        self.weights = {k: w for k, (_, w) in parts.items()}

    def forward(self, emb, target):
        return sum(self.weights[k] * part(emb, target) for k, part in self.parts.items())


def build_criterion(cfg):
    return Criterion({
        "margin": (AdditiveMargin(cfg.n_speakers, cfg.embed, cfg.margin, cfg.scale), 1.0),
        "centre": (CentrePull(cfg.n_speakers, cfg.embed), cfg.centre_weight),
    })
