import torch
from torch import nn


class RiskModel(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.hidden = nn.Linear(n_features, 6)
        self.coef = nn.Linear(6, 1)

    def forward(self, x):
        return self.coef(torch.tanh(self.hidden(x))).squeeze(-1)


class Server:
    def __init__(self, n_features):
        self.model = RiskModel(n_features)

    @torch.no_grad()
    def merge(self, reports):
        for name, p in self.model.named_parameters():
            wt = torch.stack([r["curv"][name] for r in reports]).clamp_min(1e-3)
            vals = torch.stack([r["weights"][name] for r in reports])
            p.copy_((wt * vals).sum(0) / wt.sum(0))
