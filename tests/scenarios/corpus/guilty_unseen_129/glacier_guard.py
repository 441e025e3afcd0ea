# gradwatch-corpus: kind=inplace-modified
# first-bad: 23
# notice: 0
from collections import OrderedDict, defaultdict

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(39)


class Hooks:
    def __init__(self):
        self.table = defaultdict(OrderedDict)

    def add(self, moment, name, fn):
        self.table[moment][name] = fn
        return self

    def fire(self, moment, **ctx):
        for fn in self.table[moment].values():
            fn(**ctx)


class MaxNorm:
    """Keeps the rows of every matrix inside a ball; checked now and then since it is slow."""

    def __init__(self, radius, every):
        self.radius, self.every = radius, every

    def __call__(self, step, model, **_):
        if (step + 1) % self.every:
            return
        with torch.no_grad():
            for p in model.parameters():
                if p.dim() == 2:
                    p.renorm_(2, 0, self.radius)  # <- culprit


class Best:
    def __init__(self):
        self.value = float("inf")

    def __call__(self, loss, **_):
        self.value = min(self.value, loss.item())


class IceFlow(nn.Module):
    def __init__(self):
        super().__init__()
        self.slope = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh())
        self.speed = nn.Linear(24, 2)

    def forward(self, terrain):
        return self.speed(self.slope(terrain))


class Expedition:
    def __init__(self, model, hooks):
        self.model, self.hooks = model, hooks
        self.opt = torch.optim.Adam(model.parameters(), lr=2e-3)

    def leg(self, step):
        terrain = torch.randn(30, 6)
        truth = torch.stack([terrain[:, :3].sum(1).tanh(), terrain[:, 3] * terrain[:, 4]], 1)
        self.opt.zero_grad()
        loss = (self.model(terrain) - truth).square().mean()
        self.hooks.fire("scored", step=step, model=self.model, loss=loss)
        loss.backward()
        self.opt.step()
        self.hooks.fire("stepped", step=step, model=self.model, loss=loss)


best = Best()
hooks = Hooks().add("stepped", "best", best).add("scored", "norm", MaxNorm(radius=0.8, every=24))
trip = Expedition(IceFlow(), hooks)
for step in range(400):
    trip.leg(step)
print(best.value)
