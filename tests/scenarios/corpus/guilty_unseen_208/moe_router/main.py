# gradwatch-corpus: kind=inplace-modified
# first-bad: 60
"""Soft mixture-of-experts on piecewise tabular regression; weak experts pruned after warm-up."""
from dataclasses import dataclass

import torch
from torch import nn

from moe import MoELayer


@dataclass
class TrainArgs:
    dim: int = 16
    hidden: int = 24
    experts: int = 6
    batch: int = 64
    total_steps: int = 600
    prune_after: int = 60
    balance_coef: float = 1e-2
    lr: float = 3e-3
    seed: int = 5


class Regressor(nn.Module):
    def __init__(self, a: TrainArgs):
        super().__init__()
        self.embed = nn.Linear(4, a.dim)
        self.moe = MoELayer(a.dim, a.hidden, a.experts)
        self.norm = nn.LayerNorm(a.dim)
        self.head = nn.Linear(a.dim, 1)

    def forward(self, x, prune):
        h, balance = self.moe(self.embed(x), prune)
        return self.head(self.norm(h)).squeeze(-1), balance


def piecewise(n, gen):
    x = torch.rand(n, 4, generator=gen) * 2 - 1
    y = torch.where(x[:, 0] > 0, torch.sin(3 * x[:, 1]), x[:, 2] * x[:, 3])
    return x, y + 0.3 * (x[:, 1] > 0.5).float()


def lr_at(step, a: TrainArgs):
    return a.lr * min(1.0, (step + 1) / 20)


def main():
    args = TrainArgs()
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    model = Regressor(args)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for step in range(args.total_steps):
        for group in opt.param_groups:
            group["lr"] = lr_at(step, args)
        x, y = piecewise(args.batch, gen)
        pred, balance = model(x, prune=step >= args.prune_after)
        loss = nn.functional.mse_loss(pred, y) + args.balance_coef * balance
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(f"step {step}: loss {loss.item():.4f} balance {balance.item():.3f}")


if __name__ == "__main__":
    main()
