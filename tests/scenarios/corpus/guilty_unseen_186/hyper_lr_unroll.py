# gradwatch-corpus: kind=graph-chain
# holder: self.weights | self.inner.weights | inner.weights
# first-bad: 1
"""Meta-learning per-coordinate step sizes on a noisy quadratic bowl."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class L2OConfig:
    dim: int = 12
    unroll: int = 4
    meta_iters: int = 420
    meta_lr: float = 2e-3
    reset_every: int = 1000
    seed: int = 21


class StepRule(nn.Module):
    """w <- w - exp(log_lr) * g."""

    def __init__(self, dim, init=-4.0):
        super().__init__()
        self.log_lr = nn.Parameter(torch.full((dim,), init))

    def forward(self, w, g):
        return w - self.log_lr.exp() * g


class Bowl:
    def __init__(self, dim, g):
        self.scale = torch.logspace(-1, 0.7, dim)
        self.center = torch.randn(dim, generator=g)
        self.g = g

    def loss(self, w):
        noise = 0.02 * torch.randn(w.shape, generator=self.g)
        return (self.scale * (w - self.center + noise).pow(2)).mean()

    def grad(self, w):
        return 2 * self.scale * (w.detach() - self.center) / w.numel() * 4


class InnerLoop:
    def __init__(self, bowl, rule, cfg):
        self.bowl, self.rule, self.cfg = bowl, rule, cfg
        self.restart()

    def restart(self):
        self.weights = torch.zeros(self.cfg.dim)

    def unroll(self):
        w, losses = self.weights, []
        for _ in range(self.cfg.unroll):
            w = self.rule(w, self.bowl.grad(w))
            losses.append(self.bowl.loss(w))
        self.weights = w  # <- culprit
        return torch.stack(losses).mean()


class MetaTrainer:
    def __init__(self, cfg):
        g = torch.Generator().manual_seed(cfg.seed)
        self.cfg = cfg
        self.rule = StepRule(cfg.dim)
        self.inner = InnerLoop(Bowl(cfg.dim, g), self.rule, cfg)
        self.meta_opt = torch.optim.Adam(self.rule.parameters(), lr=cfg.meta_lr)

    def meta_step(self):
        meta_loss = self.inner.unroll()
        self.meta_opt.zero_grad()
        meta_loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.rule.parameters(), 1.0)
        self.meta_opt.step()
        return meta_loss.item()

    def fit(self):
        for it in range(1, self.cfg.meta_iters + 1):
            value = self.meta_step()
            if it % self.cfg.reset_every == 0:
                self.inner.restart()
            if it % 60 == 0:
                lr = self.rule.log_lr.detach().exp()
                print(f"meta {it:4d} loss {value:.5f} lr [{lr.min():.4f}, {lr.max():.4f}]", flush=True)


if __name__ == "__main__":
    torch.manual_seed(0)
    MetaTrainer(L2OConfig()).fit()
