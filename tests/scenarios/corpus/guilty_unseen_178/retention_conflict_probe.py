# gradwatch-corpus: kind=second-backward
# first-bad: 25
"""Two-head chromatography model (retention time, peak width) with a probe of gradient conflict."""
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class ChromConfig:
    descriptors: int = 30
    width: int = 48
    batch: int = 64
    steps: int = 400
    probe_every: int = 25
    lr: float = 1e-3
    weights: dict = field(default_factory=lambda: {"retention": 1.0, "width": 0.5})


class MoleculeTable:
    def __init__(self, cfg, seed=23):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.proj = torch.randn(cfg.descriptors, 2, generator=self.gen) / cfg.descriptors ** 0.5

    def draw(self):
        x = torch.randn(self.cfg.batch, self.cfg.descriptors, generator=self.gen)
        y = x @ self.proj
        return x, {"retention": y[:, 0].tanh(), "width": F.softplus(y[:, 1])}


class ChromNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(cfg.descriptors, cfg.width), nn.GELU(), nn.Linear(cfg.width, cfg.width))
        self.heads = nn.ModuleDict({k: nn.Linear(cfg.width, 1) for k in cfg.weights})

    def forward(self, x):
        h = F.gelu(self.shared(x))
        return {k: head(h).squeeze(-1) for k, head in self.heads.items()}


class Plugin:
    def before_backward(self, step, losses):
        pass


class ConflictProbe(Plugin):
    """Cosine between the task gradients on the shared trunk."""

    def __init__(self, net, every):
        self.params = list(net.shared.parameters())
        self.every = every
        self.cosines = {}

    def _flat_grad(self, loss, keep):
        grads = torch.autograd.grad(loss, self.params, retain_graph=keep)  # <- culprit
        return torch.cat([g.flatten() for g in grads])

    def before_backward(self, step, losses):
        if step == 0 or step % self.every:
            return
        last = list(losses)[-1]
        flat = {name: self._flat_grad(loss, keep=name != last) for name, loss in losses.items()}  # <- culprit
        a, b = flat.values()
        self.cosines[step] = F.cosine_similarity(a, b, dim=0).item()


class MultiTaskTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = ChromNet(cfg)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg.lr)
        self.plugins = [ConflictProbe(self.net, cfg.probe_every)]

    def _losses(self, x, targets):
        preds = self.net(x)
        return {k: F.huber_loss(preds[k], targets[k]) for k in preds}

    def step(self, index, x, targets):
        losses = self._losses(x, targets)
        for plugin in self.plugins:
            plugin.before_backward(index, losses)
        total = sum(self.cfg.weights[k] * v for k, v in losses.items())
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return total.item()


def main():
    torch.manual_seed(6)
    cfg = ChromConfig()
    trainer, table = MultiTaskTrainer(cfg), MoleculeTable(cfg)
    for index in range(cfg.steps):
        value = trainer.step(index, *table.draw())
        if index % 10 == 0:
            print(f"{index:03d} {value:.4f}")


if __name__ == "__main__":
    main()
