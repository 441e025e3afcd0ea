# gradwatch-corpus: kind=graph-held
# holder: RoundSTE.calls | cls.calls | calls
# first-bad: 1
"""Low-bit autoencoder for short ECG-like pulses, straight-through rounding."""
import argparse
import csv
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from quantize import Quantizer, RoundSTE

torch.set_num_threads(1)


class CodeAE(nn.Module):
    def __init__(self, length=48, code=10, bits=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(length, 40), nn.GELU(), nn.Linear(40, code))
        self.quant = Quantizer(bits)
        self.dec = nn.Sequential(nn.Linear(code, 40), nn.GELU(), nn.Linear(40, length))

    def forward(self, x):
        return self.dec(self.quant(self.enc(x)))


def pulses(n, length, gen):
    t = torch.linspace(0, 1, length)
    c = 0.2 + 0.6 * torch.rand(n, 1, generator=gen)
    w = 0.02 + 0.05 * torch.rand(n, 1, generator=gen)
    a = 0.5 + torch.rand(n, 1, generator=gen)
    qrs = a * torch.exp(-((t - c) / w) ** 2)
    wave = 0.3 * torch.exp(-((t - c - 0.15) / (2 * w)) ** 2)
    return qrs + wave + 0.02 * torch.randn(n, length, generator=gen)


def fit_epoch(model, loader, opt):
    total = 0.0
    for (x,) in loader:
        loss = F.mse_loss(model(x), x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def psnr(model, x):
    mse = F.mse_loss(model(x), x)
    return (10 * torch.log10(x.max() ** 2 / mse)).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--bs", type=int, default=32)
    ap.add_argument("--bits", type=int, default=4)
    args = ap.parse_args()
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(5)
    loader = DataLoader(TensorDataset(pulses(384, 48, gen)), batch_size=args.bs, shuffle=True)
    held_out = pulses(64, 48, gen)
    model = CodeAE(bits=args.bits)
    opt = torch.optim.Adam([
        {"params": [*model.enc.parameters(), *model.dec.parameters()], "lr": 3e-3},
        {"params": model.quant.parameters(), "lr": 1e-3}])
    with tempfile.TemporaryDirectory() as d, open(os.path.join(d, "log.csv"), "w", newline="") as f:
        out = csv.writer(f)
        for epoch in range(args.epochs):
            row = [epoch, round(fit_epoch(model, loader, opt), 5), round(psnr(model, held_out), 2),
                   round(RoundSTE.saturation(), 3), round(model.quant.scale.item(), 3)]
            out.writerow(row)
            print(*row)


if __name__ == "__main__":
    main()
