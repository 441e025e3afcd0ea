# gradwatch-corpus: kind=graph-chain
# holder: self.objective | self.balancer.objective | run.balancer.objective
# first-bad: 1
"""Precipitation and wind nowcasting with a smoothed two-task objective."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class NowcastConfig:
    grid: int = 12
    channels: int = 4
    width: int = 10
    batch: int = 4
    updates: int = 70
    lr: float = 0.01
    momentum: float = 0.8
    task_weights: dict = field(default_factory=lambda: {"rain": 1.0, "wind": 0.5})


class NowcastNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.stem = nn.Conv2d(cfg.channels, cfg.width, 3, padding=1)
        self.mix = nn.Conv2d(cfg.width, cfg.width, 3, padding=1)
        self.heads = nn.ModuleDict()
        self.heads["rain"] = nn.Conv2d(cfg.width, 1, 1)
        self.heads["wind"] = nn.Conv2d(cfg.width, 2, 1)

    def forward(self, fields):
        latent = torch.tanh(self.stem(fields))
        latent = torch.tanh(self.mix(latent))
        return {name: head(latent) for name, head in self.heads.items()}


class HeavyBall:
    """Momentum descent as used by the operational model."""

    def __init__(self, params, lr, momentum):
        self.params = list(params)
        self.lr = lr
        self.momentum = momentum
        self.velocity = [torch.zeros_like(p) for p in self.params]

    def apply(self):
        for param, velocity in zip(self.params, self.velocity):
            velocity.mul_(self.momentum)
            velocity.add_(param.grad.clamp(-1.0, 1.0))
            param.data.add_(velocity, alpha=-self.lr)
            param.grad = None


class TaskBalancer:
    def __init__(self, weights, smoothing=0.7):
        self.weights = weights
        self.smoothing = smoothing
        self.objective = None

    def combine(self, losses):
        weighted = sum(self.weights[name] * value for name, value in losses.items())
        if self.objective is None:
            self.objective = weighted
        else:
            self.objective = self.smoothing * self.objective + (1 - self.smoothing) * weighted  # <- culprit
        return self.objective


class NowcastRun:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = NowcastNet(cfg)
        self.balancer = TaskBalancer(cfg.task_weights)
        self.descent = HeavyBall(self.net.parameters(), cfg.lr, cfg.momentum)

    def radar_batch(self):
        fields = torch.randn(self.cfg.batch, self.cfg.channels, self.cfg.grid, self.cfg.grid)
        rain = fields[:, :1].roll(1, dims=-1).clamp(min=0)
        wind = 0.5 * (fields[:, 1:3] + fields[:, 2:4])
        return fields, {"rain": rain, "wind": wind}

    def update(self):
        fields, truth = self.radar_batch()
        forecast = self.net(fields)
        losses = {}
        for name, target in truth.items():
            losses[name] = nn.functional.mse_loss(forecast[name], target)
        objective = self.balancer.combine(losses)
        objective.backward(retain_graph=True)  # <- culprit
        self.descent.apply()
        return {name: value.item() for name, value in losses.items()}


if __name__ == "__main__":
    torch.manual_seed(21)
    run = NowcastRun(NowcastConfig())
    for update in range(run.cfg.updates):
        report = run.update()
        if update % 10 == 0:
            line = "  ".join(f"{name} {value:.4f}" for name, value in report.items())
            print(f"update {update:3d}  {line}")
