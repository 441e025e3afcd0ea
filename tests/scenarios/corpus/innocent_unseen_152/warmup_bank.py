# gradwatch-corpus: kind=none
"""Anomaly scoring of chest images: a reference bank is filled during warm-up and then frozen."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class BankConfig:
    size: int = 16
    batch: int = 8
    dim: int = 12
    bank_batches: int = 25
    iterations: int = 100
    lr: float = 2e-3


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 6, 3, stride=2), nn.ReLU(), nn.Conv2d(6, 8, 3, stride=2), nn.ReLU())
        self.code = nn.Linear(8 * 9, dim)
        self.decode = nn.Linear(dim, 256)

    def forward(self, image):
        code = self.code(self.conv(image).flatten(1))
        return code, self.decode(code).view(-1, 1, 16, 16)


class ReferenceBank:
    """Codes of the first healthy batches, with statistics once it is complete."""

    def __init__(self, batches):
        self.batches = batches
        self.codes = []
        self.fit_losses = []
        self.mean = None

    @property
    def full(self):
        return len(self.codes) >= self.batches

    def offer(self, code, loss):
        if self.full:
            return
        self.codes.append(code.detach())
        self.fit_losses.append(loss.item())
        if self.full:
            stacked = torch.cat(self.codes)
            self.mean, self.scale = stacked.mean(0), stacked.std(0) + 1e-3

    def distance(self, code):
        return ((code - self.mean) / self.scale).pow(2).mean(1)


def images(cfg, seed):
    gen = torch.Generator().manual_seed(seed)
    axis = torch.linspace(-1, 1, cfg.size)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    while True:
        r = 0.2 + 0.2 * torch.rand(cfg.batch, 1, 1, generator=gen)
        lungs = sum(torch.exp(-(((xx - s) / 0.3) ** 2 + yy ** 2) / r) for s in (-0.45, 0.45))
        yield (lungs + 0.05 * torch.randn(cfg.batch, cfg.size, cfg.size, generator=gen)).unsqueeze(1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(150)
    cfg = BankConfig()
    encoder = Encoder(cfg.dim)
    bank = ReferenceBank(cfg.bank_batches)
    optimizer = torch.optim.Adam(encoder.parameters(), cfg.lr)
    for it, batch in zip(range(cfg.iterations), images(cfg, seed=151)):
        code, rebuilt = encoder(batch)
        loss = F.mse_loss(rebuilt, batch)
        if bank.full:
            loss = loss + 0.01 * bank.distance(code).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        bank.offer(code, loss)
        if it % 25 == 24:
            print(f"{it + 1:3d}  loss {loss.item():.4f}  bank {len(bank.codes)}")
    with torch.no_grad():
        blank = torch.zeros(4, 1, cfg.size, cfg.size)
        print("distance of blank images", bank.distance(encoder(blank)[0]).mean().item())


if __name__ == "__main__":
    main()
