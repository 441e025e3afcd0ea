import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SensorNet(nn.Module):
    tasks = ("temp", "co2", "occupied")

    def __init__(self, n_in, width=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(width, 1) for t in self.tasks})

    def forward(self, x):
        z = self.trunk(x)
        return {t: head(z).squeeze(-1) for t, head in self.heads.items()}


def task_losses(net, batch):
    x, temp, co2, occ = batch
    out = net(x)
    return {
        "temp": F.mse_loss(out["temp"], temp),
        "co2": F.smooth_l1_loss(out["co2"], co2),
        "occupied": F.binary_cross_entropy_with_logits(out["occupied"], occ),
    }


def make_loader(n, batch):
    x = torch.randn(n, 10)
    temp = x[:, 0] * 0.7 + x[:, 1].sin() + 0.1 * torch.randn(n)
    co2 = 3 * (x[:, 2] * x[:, 3]) + x[:, 4].abs()
    occ = ((x[:, 5] + co2 * 0.3) > 0.5).float()
    return DataLoader(TensorDataset(x, temp, co2, occ), batch_size=batch, shuffle=True)
