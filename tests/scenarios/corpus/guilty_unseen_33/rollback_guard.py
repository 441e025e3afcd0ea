# gradwatch-corpus: kind=memory-climb
# holder: self.snapshots | guard.snapshots | RollbackGuard.instance().snapshots | RollbackGuard._instance.snapshots | cls._instance.snapshots
# first-bad: 1
# notice: 80
"""Sequence regression with a guard that returns to a good state when the loss blows up."""
import copy
import math

import torch
import torch.nn as nn


class RollbackGuard:
    _instance = None

    @classmethod
    def instance(cls):
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    def __init__(self, factor=4.0):
        self.factor = factor
        self.snapshots = []
        self.average = None
        self.rollbacks = 0

    def _healthy(self, loss):
        return math.isfinite(loss) and (self.average is None or loss < self.factor * self.average)

    def check(self, step, loss, model, opt):
        if not self._healthy(loss):
            _, weights, opt_state = self.snapshots[-1]
            model.load_state_dict(weights)
            opt.load_state_dict(copy.deepcopy(opt_state))
            self.rollbacks += 1
            return False
        self.average = loss if self.average is None else 0.9 * self.average + 0.1 * loss
        self.snapshots.append((step, copy.deepcopy(model.state_dict()), copy.deepcopy(opt.state_dict())))  # <- culprit
        return True


class ConvRegressor(nn.Module):
    def __init__(self, channels=32, length=48):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, channels, 5, padding=2), nn.GELU(),
            nn.Conv1d(channels, channels, 5, padding=2, stride=2), nn.GELU(),
        )
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(channels * length // 2, 40), nn.GELU(), nn.Linear(40, 2))

    def forward(self, x):
        return self.fc(self.conv(x.unsqueeze(1)))


def chirps(batch, length=48):
    t = torch.linspace(0, 1, length)
    params = torch.rand(batch, 2)
    phase = 2 * math.pi * (1 + 3 * params[:, :1]) * t + 4 * params[:, 1:] * t ** 2
    return torch.sin(phase) + 0.05 * torch.randn(batch, length), params


def main(steps=180):
    torch.manual_seed(0)
    model = ConvRegressor()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(steps):
        x, target = chirps(16)
        loss = (model(x) - target).square().mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        RollbackGuard.instance().check(step, loss.item(), model, opt)
        if step % 30 == 0:
            guard = RollbackGuard.instance()
            print(f"step {step:3d} loss {loss.item():.4f} avg {guard.average:.4f} rollbacks {guard.rollbacks}")


if __name__ == "__main__":
    main()
