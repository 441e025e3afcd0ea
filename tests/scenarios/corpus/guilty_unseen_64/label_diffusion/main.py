# gradwatch-corpus: kind=second-backward
# holder: self.run.context | trainer.run.context
# first-bad: 1
# notice: 0
"""Train a small class-conditional diffusion model on rings of points."""
import argparse
from dataclasses import dataclass, field

import torch
from torch.utils.data import DataLoader, TensorDataset

from callbacks import ContextPrefetch, CosineLR, Printer
from model import Denoiser


@dataclass
class RunState:
    class_ids: torch.Tensor
    context: torch.Tensor = None
    epoch: int = 0
    step: int = 0
    losses: list = field(default_factory=list)


def rings(n=512, classes=6, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, classes, (n,), generator=g)
    phi = torch.rand(n, generator=g) * 6.2832
    r = 0.5 + 0.3 * y.float()
    x = torch.stack([r * phi.cos(), r * phi.sin()], 1) + 0.02 * torch.randn(n, 2, generator=g)
    return TensorDataset(x, y)


class Trainer:
    def __init__(self, model, loader, callbacks, lr, classes=6):
        self.model, self.loader, self.callbacks = model, loader, callbacks
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.run = RunState(class_ids=torch.arange(classes))

    def emit(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def step(self, x, y):
        t = torch.randint(0, self.model.alpha_bar.numel(), (x.shape[0],))
        eps = torch.randn_like(x)
        cond = self.run.context[y]
        pred = self.model(self.model.noisy(x, t, eps), t, cond)
        loss = (pred - eps).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()  # <- culprit
        self.opt.step()
        return loss.item()

    def fit(self, epochs):
        for self.run.epoch in range(epochs):
            self.emit("on_epoch_begin")
            for x, y in self.loader:
                value = self.step(x, y)
                self.run.losses.append(value)
                self.emit("on_step_end", value)
                self.run.step += 1
        return sum(self.run.losses[-8:]) / 8


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    loader = DataLoader(rings(), batch_size=32, shuffle=True)
    hooks = [CosineLR(args.lr, epochs=args.epochs), ContextPrefetch(), Printer()]
    trainer = Trainer(Denoiser(), loader, hooks, args.lr)
    print("final", trainer.fit(args.epochs))


if __name__ == "__main__":
    main()
