# gradwatch-corpus: kind=graph-held
# holder: meters["spread"].value | self.value | self.meters["spread"].value | meters["spread"] | board.meters["spread"].value
# first-bad: 1
# notice: 8
"""
Denoising autoencoder on short vibration spectra (bearing test bench), trained
with HF Accelerate. Gradient accumulation over two micro-batches.
"""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics import CatMetric, MeanMetric

torch.set_num_threads(1)


def make_spectra(n, bins=48):
    f = torch.arange(bins).float()
    base = 4 + 8 * torch.rand(n, 1)
    spec = torch.zeros(n, bins)
    for h in range(1, 5):
        spec += torch.exp(-((f - base * h) ** 2) / 2.0) / h
    return spec + 0.02 * torch.rand(n, bins)


class DAE(nn.Module):
    def __init__(self, bins=48, hidden=40, code=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(bins, hidden), nn.GELU(), nn.Linear(hidden, code))
        self.dec = nn.Sequential(nn.Linear(code, hidden), nn.GELU(), nn.Linear(hidden, bins))

    def forward(self, x):
        return self.dec(self.enc(x))


class Board:
    """Mean per epoch, and the spread of the loss over the complete run."""

    def __init__(self):
        self.meters = {"mean": MeanMetric(), "spread": CatMetric()}

    def update(self, loss):
        for m in self.meters.values():
            m.update(loss)  # <- culprit

    def end_epoch(self):
        value = self.meters["mean"].compute().item()
        self.meters["mean"].reset()
        return value

    def quantiles(self):
        v = self.meters["spread"].compute()
        return torch.quantile(v.float(), torch.tensor([0.05, 0.5, 0.95])).tolist()


def corrupt(x, noise, drop):
    keep = (torch.rand_like(x) > drop).float()
    return x * keep + noise * torch.randn_like(x)


def train(args):
    set_seed(args.seed)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=args.accum)
    loader = DataLoader(TensorDataset(make_spectra(args.n)), batch_size=args.batch, shuffle=True)
    model = DAE()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    total = args.epochs * len(loader) // args.accum
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: 0.5 * (1 + math.cos(math.pi * min(s, total) / total))
    )
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    board = Board()

    for epoch in range(args.epochs):
        model.train()
        for (clean,) in loader:
            with accelerator.accumulate(model):
                out = model(corrupt(clean, args.noise, args.drop))
                loss = F.mse_loss(out, clean)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            board.update(loss)  # <- culprit
        avg = board.end_epoch()
        if epoch % 2 == 0:
            accelerator.print(f"epoch {epoch:2d} mse {avg:.5f} lr {scheduler.get_last_lr()[0]:.2e}")
    accelerator.print("5/50/95 %", [round(q, 5) for q in board.quantiles()])


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--n", type=int, default=1280)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--accum", type=int, default=2)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--noise", type=float, default=0.1)
    p.add_argument("--drop", type=float, default=0.1)
    p.add_argument("--seed", type=int, default=0)
    train(p.parse_args())
