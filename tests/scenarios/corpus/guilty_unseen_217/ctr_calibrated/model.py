import torch
from torch import nn

TOWERS = {}


def tower(name):
    def deco(cls):
        TOWERS[name] = cls
        return cls
    return deco


class FieldEmbedding(nn.Module):
    def __init__(self, cards, dim):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(c, dim) for c in cards)
        for t in self.tables:
            nn.init.normal_(t.weight, std=0.01)

    def forward(self, slots):
        return torch.stack([t(slots[:, i]) for i, t in enumerate(self.tables)], 1)


class CampaignCalibration(nn.Module):
    """Logit offset per campaign, measured against the slowly moving base rate."""

    def __init__(self, n_campaigns, momentum):
        super().__init__()
        self.offset = nn.Embedding(n_campaigns, 1)
        nn.init.zeros_(self.offset.weight)
        self.momentum = momentum
        self.base_rate = torch.zeros(1)

    def forward(self, logit, campaign):
        off = self.offset(campaign).squeeze(-1)
        if self.training:
            m = self.momentum
            self.base_rate = torch.lerp(self.base_rate, self.offset.weight.mean(), 1 - m)  # <- culprit
        return logit + off - self.base_rate  # <- culprit


@tower("wide")
class WideTower(nn.Module):
    def __init__(self, n_fields, dim):
        super().__init__()
        self.lin = nn.Linear(n_fields * dim, 1)

    def forward(self, e):
        return self.lin(e.flatten(1)).squeeze(-1)


@tower("deepfm")
class DeepFMTower(WideTower):
    def __init__(self, n_fields, dim):
        super().__init__(n_fields, dim)
        self.mlp = nn.Sequential(nn.Linear(n_fields * dim, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 1))

    def forward(self, e):
        fm = 0.5 * (e.sum(1).pow(2) - e.pow(2).sum(1)).sum(-1)
        return super().forward(e) + fm + self.mlp(e.flatten(1)).squeeze(-1)


class CTRModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.emb = FieldEmbedding(cfg.cardinalities, cfg.emb_dim)
        self.tower = TOWERS[cfg.tower](len(cfg.cardinalities), cfg.emb_dim)
        self.calib = CampaignCalibration(cfg.n_campaigns, cfg.calib_momentum)

    def forward(self, batch):
        return self.calib(self.tower(self.emb(batch["slots"])), batch["campaign"])


def build_model(cfg):
    return CTRModel(cfg)
