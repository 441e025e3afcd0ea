# gradwatch-corpus: kind=none
"""Card fraud scoring with an input-gradient penalty for robustness; gradient statistics come with every report."""
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Settings:
    features: int = 20
    batch: int = 64
    fraud_rate: float = 0.15
    penalty: float = 0.1
    lr: float = 0.02
    steps: int = 360
    window: int = 25


class Scorer(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(features, 48), nn.Softplus(), nn.Linear(48, 24), nn.Softplus(), nn.Linear(24, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


class GradientNorms:
    """Listens to the gradients as they arrive; keeps the norms of the last few steps and the last raw gradients."""

    def __init__(self, model, window):
        self.norms = {name: deque(maxlen=window) for name, _ in model.named_parameters()}
        self.raw = deque(maxlen=3)
        self.current = {}
        self.handles = [p.register_hook(self._listener(name)) for name, p in model.named_parameters()]

    def _listener(self, name):
        def listen(grad):
            if torch.is_grad_enabled():
                return None
            self.current[name] = grad.detach().clone()
        return listen

    def close_step(self):
        for name, g in self.current.items():
            self.norms[name].append(g.norm().item())
        self.raw.append(self.current)
        self.current = {}

    def cosine(self):
        if len(self.raw) < 2:
            return 0.0
        a, b = (torch.cat([g.flatten() for g in d.values()]) for d in (self.raw[-2], self.raw[-1]))
        return F.cosine_similarity(a, b, dim=0).item()

    def summary(self):
        name, seq = max(self.norms.items(), key=lambda kv: sum(kv[1]))
        return f"largest {name} {sum(seq) / max(1, len(seq)):.3f}, cosine to previous {self.cosine():+.2f}"


def input_gradient_penalty(logits, x):
    g, = torch.autograd.grad(logits.sum(), x, create_graph=True)
    return g.pow(2).sum(1).mean()


def transactions(cfg, seed=101):
    g = torch.Generator().manual_seed(seed)
    shift = torch.randn(cfg.features, generator=g)
    while True:
        y = (torch.rand(cfg.batch, generator=g) < cfg.fraud_rate).float()
        yield torch.randn(cfg.batch, cfg.features, generator=g) + 0.6 * y.unsqueeze(1) * shift, y


class Reweighter:
    """Inverse-frequency class weights from running (plain float) class counts."""

    def __init__(self):
        self.counts = [1.0, 1.0]

    def __call__(self, y):
        pos = y.sum().item()
        self.counts[0] = 0.99 * self.counts[0] + len(y) - pos
        self.counts[1] = 0.99 * self.counts[1] + pos
        total = sum(self.counts)
        return torch.where(y > 0, total / (2 * self.counts[1]), total / (2 * self.counts[0]))


def train(cfg):
    torch.manual_seed(10)
    model = Scorer(cfg.features)
    stats = GradientNorms(model, cfg.window)
    opt = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9)
    sched = torch.optim.lr_scheduler.StepLR(opt, 120, 0.5)
    weigh = Reweighter()
    running = {"bce": 0.0, "penalty": 0.0}
    for step, (x, y) in zip(range(1, cfg.steps + 1), transactions(cfg)):
        x.requires_grad_(True)
        logits = model(x)
        bce = F.binary_cross_entropy_with_logits(logits, y, weight=weigh(y))
        penalty = input_gradient_penalty(logits, x)
        opt.zero_grad()
        (bce + cfg.penalty * penalty).backward()
        opt.step()
        sched.step()
        stats.close_step()
        for key, value in (("bce", bce), ("penalty", penalty)):
            running[key] += (value.item() - running[key]) * 0.05
        if step % 90 == 0:
            print(step, {k: round(v, 4) for k, v in running.items()}, stats.summary())
    for handle in stats.handles:
        handle.remove()


if __name__ == "__main__":
    train(Settings())
