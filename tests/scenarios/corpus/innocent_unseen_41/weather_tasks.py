# gradwatch-corpus: kind=none
"""Temperature, rain and wind from one trunk, conflicting gradients projected out (PCGrad)."""
import random
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    steps: int = 91
    batch: int = 48
    inputs: int = 16
    width: int = 40
    lr: float = 2e-3
    tasks: tuple = ("temp", "rain", "wind")
    log: dict = field(default_factory=dict)


class WeatherNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(cfg.inputs, cfg.width), nn.SiLU(), nn.Linear(cfg.width, cfg.width), nn.SiLU())
        self.heads = nn.ModuleDict({t: nn.Linear(cfg.width, 1) for t in cfg.tasks})

    def forward(self, x):
        h = self.trunk(x)
        return {t: head(h).squeeze(-1) for t, head in self.heads.items()}


class Stations:
    def __init__(self, cfg):
        self.cfg = cfg
        self.w = torch.randn(cfg.inputs, 3) / 4

    def batch(self):
        x = torch.randn(self.cfg.batch, self.cfg.inputs)
        s = torch.tanh(x @ self.w)
        noise = 0.05 * torch.randn(3, len(x))
        return x, {"temp": s[:, 0] + noise[0], "rain": (s[:, 1] - s[:, 0] > 0).float(), "wind": s[:, 2].abs() + noise[2]}


def task_losses(pred, y):
    return [
        F.mse_loss(pred["temp"], y["temp"]),
        F.binary_cross_entropy_with_logits(pred["rain"], y["rain"]),
        F.l1_loss(pred["wind"], y["wind"]),
    ]


def per_task_gradients(model, opt, losses):
    flats = []
    for k, loss in enumerate(losses):
        opt.zero_grad(set_to_none=False)
        loss.backward(retain_graph=k < len(losses) - 1)
        flats.append(torch.cat([torch.zeros_like(p).flatten() if p.grad is None else p.grad.flatten().clone()
                                for p in model.parameters()]))
    return flats


def project(flats):
    out = []
    for i, g in enumerate(flats):
        g = g.clone()
        others = [f for j, f in enumerate(flats) if j != i]
        random.shuffle(others)
        for f in others:
            dot = torch.dot(g, f)
            if dot < 0:
                g -= dot / f.dot(f).clamp(min=1e-12) * f
        out.append(g)
    return torch.stack(out).sum(0)


def write_back(model, flat):
    at = 0
    for p in model.parameters():
        p.grad = flat[at:at + p.numel()].view_as(p).clone()
        at += p.numel()


def main():
    torch.manual_seed(50)
    random.seed(50)
    cfg = Config()
    model, data = WeatherNet(cfg), Stations(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for step in range(cfg.steps):
        x, y = data.batch()
        losses = task_losses(model(x), y)
        write_back(model, project(per_task_gradients(model, opt, losses)))
        opt.step()
        for t, l in zip(cfg.tasks, losses):
            cfg.log.setdefault(t, []).append(l.item())
        if step % 30 == 0:
            print(step, {t: round(v[-1], 4) for t, v in cfg.log.items()})


if __name__ == "__main__":
    main()
