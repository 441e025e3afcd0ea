# gradwatch-corpus: kind=none
"""Tide gauge network; an auxiliary phase head joins the objective after warm-up."""
import math

import torch
from torch import nn


class TideNet(nn.Module):
    def __init__(self, window=16, d=24):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(window, d), nn.Tanh(), nn.Linear(d, d), nn.Tanh())
        self.level = nn.Linear(d, 1)
        self.phase = nn.Linear(d, 2)

    def forward(self, x):
        h = self.enc(x)
        return {"level": self.level(h).squeeze(1), "phase": self.phase(h), "features": h}


class Objective:
    def __init__(self, warmup, ramp):
        self.warmup, self.ramp = warmup, ramp
        self.terms = {}
        self.averages = {}

    def weight(self, step):
        return min(1.0, max(0.0, (step - self.warmup) / self.ramp))

    def __call__(self, out, level, phase, step):
        self.terms = {"level": (out["level"] - level).pow(2).mean()}
        unit = nn.functional.normalize(out["phase"], dim=1)
        w = self.weight(step)
        if w > 0:
            self.terms["phase"] = 1 - (unit * phase).sum(1).mean()
            self.terms["decorrelate"] = self.off_diagonal(out["features"])
        total = self.terms["level"]
        for name in ("phase", "decorrelate"):
            if name in self.terms:
                total = total + w * 0.1 * self.terms[name]
        for name, value in self.terms.items():
            old = self.averages.get(name, value.item())
            self.averages[name] = 0.95 * old + 0.05 * value.item()
        return total

    @staticmethod
    def off_diagonal(h):
        c = torch.corrcoef(h.t() + 0)
        return c.pow(2).mean()


def gauge(n, gen, window=16):
    t0 = torch.rand(n, 1, generator=gen) * 100
    t = t0 + torch.arange(window + 1) * 0.5
    level = torch.cos(0.5 * t) + 0.4 * torch.cos(1.03 * t) + 0.05 * torch.randn(n, window + 1, generator=gen)
    angle = (0.5 * t0.squeeze(1)) % (2 * math.pi)
    return level[:, :-1], level[:, -1], torch.stack([angle.cos(), angle.sin()], 1)


def main(steps=460, warmup=150):
    torch.manual_seed(29)
    gen = torch.Generator().manual_seed(29)
    net = TideNet()
    objective = Objective(warmup, ramp=80)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    latest = None
    for step in range(steps):
        x, level, phase = gauge(48, gen)
        latest = net(x)
        loss = objective(latest, level, phase, step)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % 92 == 0:
            print(step, {k: round(v, 4) for k, v in objective.averages.items()})
    print("feature std", latest["features"].std(0).mean().item())


if __name__ == "__main__":
    main()
