# gradwatch-corpus: kind=none
from collections import defaultdict
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

HEADS = {}


def head(name, out, loss):
    def register(cls):
        HEADS[name] = (cls, out, loss)
        return cls

    return register


@head("angle", 1, F.smooth_l1_loss)
class Regression(nn.Linear):
    pass


@head("sector", 4, F.cross_entropy)
@head("parity", 2, F.cross_entropy)
class Classification(nn.Sequential):
    def __init__(self, dim, out):
        super().__init__(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, out))


@dataclass
class BalanceConfig:
    steps: int = 420
    batch: int = 32
    dim: int = 20
    lr: float = 2e-3
    alpha: float = 1.0
    weight_lr: float = 0.02


class Trunk(nn.Module):
    def __init__(self, inputs, dim):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, dim), nn.ReLU())
        self.last = nn.Linear(dim, dim)

    def forward(self, x):
        return F.relu(self.last(self.body(x)))


class LossBalancer:
    def __init__(self, names, cfg):
        self.cfg = cfg
        self.weights = {n: 1.0 for n in names}
        self.initial = {}
        self.history = defaultdict(list)

    def observe(self, losses, shared):
        norms, rates = {}, {}
        for name, loss in losses.items():
            (g,) = torch.autograd.grad(loss, shared, retain_graph=True)
            norms[name] = self.weights[name] * g.norm().item()
            base = self.initial.setdefault(name, loss.item())
            rates[name] = loss.item() / max(base, 1e-6)
            self.history[name].append(norms[name])
        self.adjust(norms, rates)

    def adjust(self, norms, rates):
        mean_norm = sum(norms.values()) / len(norms)
        mean_rate = sum(rates.values()) / len(rates)
        for name in norms:
            goal = mean_norm * (rates[name] / mean_rate) ** self.cfg.alpha
            self.weights[name] *= 1 + self.cfg.weight_lr * (1 if goal > norms[name] else -1)
        scale = len(self.weights) / sum(self.weights.values())
        self.weights = {n: w * scale for n, w in self.weights.items()}

    def combine(self, losses):
        return sum(self.weights[n] * loss for n, loss in losses.items())


def samples(cfg, seed=40):
    g = torch.Generator().manual_seed(seed)
    lift = torch.randn(2, 8, generator=g)
    for _ in range(cfg.steps):
        angle = 6.2832 * torch.rand(cfg.batch, generator=g)
        x = torch.stack([angle.cos(), angle.sin()], -1) @ lift
        yield x + 0.05 * torch.randn(x.shape, generator=g), {
            "angle": angle.unsqueeze(-1),
            "sector": (angle / 1.5708).long().clamp(max=3),
            "parity": (angle / 0.7854).long() % 2,
        }


def main():
    torch.manual_seed(1)
    cfg = BalanceConfig()
    trunk = Trunk(8, cfg.dim)
    heads = nn.ModuleDict({n: cls(cfg.dim, out) for n, (cls, out, _) in HEADS.items()})
    opt = torch.optim.Adam([*trunk.parameters(), *heads.parameters()], lr=cfg.lr)
    balancer = LossBalancer(HEADS, cfg)
    for step, (x, targets) in enumerate(samples(cfg)):
        z = trunk(x)
        losses = {n: HEADS[n][2](heads[n](z), targets[n]) for n in HEADS}
        balancer.observe(losses, trunk.last.weight)
        opt.zero_grad()
        balancer.combine(losses).backward()
        opt.step()
        if step % 140 == 0:
            print(step, {n: (round(losses[n].item(), 3), round(w, 2)) for n, w in balancer.weights.items()})


if __name__ == "__main__":
    main()
