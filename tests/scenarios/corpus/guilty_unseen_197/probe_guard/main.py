# gradwatch-corpus: kind=crashed
# first-bad: 121
from dataclasses import dataclass

import torch
from torch import nn

from hooks import Decay, Validate


@dataclass
class Plan:
    steps: int = 480
    batch: int = 28
    points: int = 10
    width: int = 24
    lr: float = 2e-3
    val_every: int = 120


class DeepSet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Dropout(0.05), nn.Linear(width, width))
        self.rho = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, cloud):
        return self.rho(self.phi(cloud).mean(1)).squeeze(-1)


class Trainer:
    def __init__(self, model, plan, hooks):
        self.model, self.plan, self.hooks = model, plan, hooks
        self.loss_fn = nn.MSELoss()
        self.opt = torch.optim.Adam(model.parameters(), lr=plan.lr)
        self.step = 0
        self.trail = []

    def fit(self, draw):
        for self.step in range(self.plan.steps):
            cloud, volume = draw(self.plan.batch)
            loss = self.loss_fn(self.model(cloud), volume)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.trail.append(loss.item())
            for hook in self.hooks:
                if hook.due(self.step):
                    hook(self)


def sampler(plan, seed=19):
    g = torch.Generator().manual_seed(seed)

    def draw(n):
        scale = 0.5 + torch.rand(n, 1, 3, generator=g)
        cloud = scale * torch.randn(n, plan.points, 3, generator=g)
        return cloud, scale.prod(-1).squeeze(-1)

    return draw


if __name__ == "__main__":
    torch.manual_seed(23)
    plan = Plan()
    draw = sampler(plan)
    hooks = [Validate(draw(64), plan.val_every), Decay(100, 0.8)]
    Trainer(DeepSet(plan.width), plan, hooks).fit(draw)
