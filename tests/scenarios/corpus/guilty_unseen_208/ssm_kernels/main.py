# gradwatch-corpus: kind=graph-held
# holder: _KERNELS | layers._KERNELS
# first-bad: 1
"""Delayed-copy regression with two diagonal SSM blocks."""
from dataclasses import dataclass

import torch
from torch import nn

from layers import SSMBlock


@dataclass(frozen=True)
class Config:
    channels: int = 8
    depth: int = 2
    length: int = 64
    delay: int = 9
    batch: int = 8
    iters: int = 420
    lr: float = 4e-3
    seed: int = 21


class Model(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.lift = nn.Conv1d(1, cfg.channels, 1)
        self.blocks = nn.ModuleList(SSMBlock(cfg.channels) for _ in range(cfg.depth))
        self.read = nn.Conv1d(cfg.channels, 1, 1)

    def forward(self, x):
        h = self.lift(x)
        for block in self.blocks:
            h = block(h)
        return self.read(h)


def batch(cfg, gen):
    x = torch.randn(cfg.batch, 1, cfg.length, generator=gen)
    y = torch.zeros_like(x)
    y[..., cfg.delay:] = x[..., :-cfg.delay]
    return x, y


def param_groups(model, lr):
    slow, rest = [], []
    for name, p in model.named_parameters():
        (slow if "log_" in name else rest).append(p)
    return [{"params": slow, "lr": lr * 0.1, "weight_decay": 0.0}, {"params": rest, "lr": lr}]


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed)
    model = Model(cfg)
    opt = torch.optim.AdamW(param_groups(model, cfg.lr))
    smoothed = None
    for it in range(cfg.iters):
        x, y = batch(cfg, gen)
        loss = (model(x) - y)[..., cfg.delay:].square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        value = loss.item()
        smoothed = value if smoothed is None else 0.95 * smoothed + 0.05 * value
        if it % 140 == 139:
            print(f"iter {it + 1}: mse {smoothed:.4f}")


if __name__ == "__main__":
    main()
