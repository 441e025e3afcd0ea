import torch
from torch import nn


class SlipFault(RuntimeError):
    pass


class GraspNet(nn.Module):
    def __init__(self, taxels=32, hidden=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(taxels, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.quality = nn.Linear(hidden, 1)
        self.slip = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.quality(h).squeeze(1), self.slip(h).squeeze(1)


def tactile_batch(n, gen, taxels=32):
    x = torch.randn(n, taxels, generator=gen)
    left, right = x[:, :taxels // 2].mean(1), x[:, taxels // 2:].mean(1)
    good = ((left - right).abs() < 0.2).float()
    slip = (left + right).abs() * 2
    return x, good, slip


def slip_guard(step, slip_hat, limit=1.6):
    worst = slip_hat.detach().max().item()
    if worst > limit:
        raise SlipFault(f"predicted slip {worst:.2f} over {limit}")
