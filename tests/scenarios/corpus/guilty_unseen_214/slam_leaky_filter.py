# gradwatch-corpus: kind=graph-chain
# holder: self.belief | filt.belief
# first-bad: 1
"""Lab 5 (mobile robotics): learn the sensor fusion gain of a leaky pose estimator from logged drives."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class LabConfig:
    beams: int = 36
    state_dim: int = 16
    robots: int = 24
    leak: float = 0.85
    steps: int = 140
    lr: float = 4e-3


class Drive:
    """Differential-drive robots circling in a square room; returns ranges and the true pose."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.g = torch.Generator().manual_seed(17)
        self.xy = torch.rand(cfg.robots, 2, generator=self.g) * 2 - 1
        self.theta = torch.rand(cfg.robots, generator=self.g) * 6.283
        self.angles = torch.linspace(0, 6.283, cfg.beams)

    def tick(self):
        turn = 0.3 * torch.randn(self.cfg.robots, generator=self.g)
        self.theta = self.theta + 0.1 + 0.1 * turn
        step = torch.stack([self.theta.cos(), self.theta.sin()], -1) * 0.05
        self.xy = (self.xy + step).clamp(-1, 1)
        a = self.theta[:, None] + self.angles
        dx = (1.2 - self.xy[:, :1] * a.cos().sign()) / a.cos().abs().clamp_min(0.05)
        dy = (1.2 - self.xy[:, 1:] * a.sin().sign()) / a.sin().abs().clamp_min(0.05)
        scan = torch.minimum(dx, dy).clamp(0, 4)
        scan = scan + 0.02 * torch.randn(scan.shape, generator=self.g)
        pose = torch.cat([self.xy, self.theta.cos()[:, None], self.theta.sin()[:, None]], -1)
        return scan, pose


class LeakyFilter(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.leak = cfg.leak
        self.sense = nn.Linear(cfg.beams, cfg.state_dim)
        self.decode = nn.Linear(cfg.state_dim, 4)
        self.belief = torch.zeros(cfg.robots, cfg.state_dim)

    def forward(self, scan):
        innovation = torch.tanh(self.sense(scan))
        self.belief = self.leak * self.belief + (1 - self.leak) * innovation  # <- culprit
        return self.decode(self.belief)


def fit(cfg):
    torch.manual_seed(1)
    drive, filt = Drive(cfg), LeakyFilter(cfg)
    opt = torch.optim.RMSprop(filt.parameters(), lr=cfg.lr)
    weights = torch.tensor([1.0, 1.0, 0.3, 0.3])
    err = []
    for k in range(cfg.steps):
        scan, pose = drive.tick()
        est = filt(scan)
        loss = (weights * (est - pose) ** 2).sum(-1).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        err.append(loss.item())
        if (k + 1) % 35 == 0:
            print(f"tick {k + 1:4d}  weighted MSE over last 35: {sum(err[-35:]) / 35:.4f}")
    return filt


if __name__ == "__main__":
    cfg = LabConfig()
    filt = fit(cfg)
    print("decode weight norm", round(filt.decode.weight.norm().item(), 3))
