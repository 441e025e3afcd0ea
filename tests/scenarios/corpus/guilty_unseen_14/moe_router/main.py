# gradwatch-corpus: kind=graph-chain
# holder: self.load | router.load | model.router.load | self.router.load | self._buffers["load"] | model.router._buffers["load"]
# first-bad: 1
"""Soft mixture of experts on piecewise regression, router balanced against a running
estimate of each expert's load rather than the noisy load of one batch."""
import torch

from model import MoE
from strategy import BackwardStrategy, ExpertNorms


def batches(n_regimes, dim, batch, seed):
    gen = torch.Generator().manual_seed(seed)
    centres = torch.randn(n_regimes, dim, generator=gen) * 2
    maps = torch.randn(n_regimes, dim, generator=gen)
    while True:
        regime = torch.randint(n_regimes, (batch,), generator=gen)
        x = centres[regime] + 0.5 * torch.randn(batch, dim, generator=gen)
        y = (maps[regime] * x).sum(1, keepdim=True).sin() + 0.05 * torch.randn(batch, 1, generator=gen)
        yield x, y


def train(steps=240, alpha=0.05):
    torch.manual_seed(55)
    model = MoE(dim=6, experts=4, hidden=24)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    strategy = BackwardStrategy(optimizer, observers=[ExpertNorms(model, every=60)])
    for step, (x, y) in enumerate(batches(4, 6, 64, seed=3)):
        if step >= steps:
            break
        pred, balance = model(x)
        task = (pred - y).square().mean()
        strategy.step(task + alpha * balance, per_sample=task, step=step)
        if step % 60 == 59:
            load = ", ".join(f"{v:.2f}" for v in model.router.load.tolist())
            print(f"step {step + 1}: mse {task.item():.4f}  balance {balance.item():.3f}  load [{load}]")


if __name__ == "__main__":
    train()
