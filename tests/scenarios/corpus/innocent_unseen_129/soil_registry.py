# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(13)

REGISTRY = {}


def register(name):
    def deco(cls):
        REGISTRY[name] = cls
        return cls
    return deco


def make(cfg):
    return REGISTRY[cfg["name"]](**cfg.get("args", {}))


@register("running-scale")
class RunningScale:
    """Brings each task to unit size by its running magnitude."""

    def __init__(self, tasks, beta=0.95):
        self.beta = beta
        self.scale = {t: torch.ones(()) for t in tasks}
        self.totals = {t: torch.zeros(()) for t in tasks}

    def __call__(self, parts):
        out = 0
        for t, v in parts.items():
            self.totals[t] += v.detach()
            self.scale[t] = self.beta * self.scale[t] + (1 - self.beta) * v.detach()
            out = out + v / self.scale[t].clamp(min=1e-3)
        return out


@register("mlp")
class Mlp(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        layers = []
        for a, b in zip(sizes, sizes[1:]):
            layers += [nn.Linear(a, b), nn.GELU()]
        self.net = nn.Sequential(*layers[:-1])

    def forward(self, x):
        return self.net(x)


@register("soil-tasks")
class SoilTasks:
    names = ("ph", "clay")

    def batch(self, n=24):
        x = torch.randn(n, 7)
        return x, {"ph": x[:, 0] * x[:, 1], "clay": (x[:, 2] > 0).float()}

    def losses(self, out, y):
        return {"ph": F.mse_loss(out[:, 0], y["ph"]), "clay": F.binary_cross_entropy_with_logits(out[:, 1], y["clay"])}


CFG = {
    "model": {"name": "mlp", "args": {"sizes": [7, 20, 12, 2]}},
    "tasks": {"name": "soil-tasks"},
    "blend": {"name": "running-scale", "args": {"tasks": ["ph", "clay"]}},
}


class Lab:
    def __init__(self, cfg):
        for k, v in cfg.items():
            setattr(self, k, make(v))
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.total_loss = 0.0

    def run(self, n):
        for _ in range(n):
            x, y = self.tasks.batch()
            loss = self.blend(self.tasks.losses(self.model(x), y))
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.total_loss += loss.data
        return {k: (v / n).item() for k, v in self.blend.totals.items()}


print(Lab(CFG).run(1200))
