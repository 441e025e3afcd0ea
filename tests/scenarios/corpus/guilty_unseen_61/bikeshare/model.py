"""The module: network, objective and optimiser in one place."""
import torch
from torch import nn


class DemandModule(nn.Module):
    quantiles = (0.1, 0.5, 0.9)

    def __init__(self, n_features, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_features, width), nn.SiLU(), nn.Linear(width, len(self.quantiles)))

    def training_step(self, batch):
        pred = self.net(batch["x"])
        diff = batch["y"].unsqueeze(-1) - pred
        q = torch.tensor(self.quantiles)
        loss = torch.maximum(q * diff, (q - 1) * diff).mean()
        return {"loss": loss, "pred": pred[:, 1]}

    def configure(self):
        opt = torch.optim.Adam(self.parameters(), lr=5e-3)
        return opt, torch.optim.lr_scheduler.ExponentialLR(opt, 0.995)
