# gradwatch-corpus: kind=graph-held
# holder: self.total | meters["kl"].total | board.meters["kl"].total | meter.total
# first-bad: 101
# notice: 8
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclass
class Meter:
    name: str
    total: float = 0.0
    count: int = 0

    def update(self, value, n=1):
        self.total = self.total + value * n  # <- culprit
        self.count += n

    @property
    def mean(self):
        return torch.as_tensor(self.total).item() / max(self.count, 1)

    def clear(self):
        self.total, self.count = 0.0, 0


@dataclass
class Board:
    meters: dict[str, Meter] = field(default_factory=dict)
    per_epoch: tuple[str, ...] = ("recon",)

    def __getitem__(self, name):
        return self.meters.setdefault(name, Meter(name))

    def close_epoch(self):
        line = {k: round(m.mean, 4) for k, m in self.meters.items()}
        for k in self.per_epoch:
            self[k].clear()
        return line


class FingerprintVAE(nn.Module):
    def __init__(self, bits=32, z=4):
        super().__init__()
        self.enc = nn.Linear(bits, 24)
        self.stats = nn.Linear(24, 2 * z)
        self.dec = nn.Sequential(nn.Linear(z, 24), nn.ELU(), nn.Linear(24, bits))

    def forward(self, x, noisy):
        mu, logvar = self.stats(F.elu(self.enc(x))).chunk(2, -1)
        z = mu + noisy * torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def divergence(mu, logvar):
    return 0.5 * (mu.square() + logvar.exp() - 1 - logvar).sum(-1).mean()


def run(epochs=16, batches=50, anneal_after=2):
    torch.manual_seed(8)
    proto = (torch.rand(6, 32) > 0.6).float()
    vae, board = FingerprintVAE(), Board()
    opt = torch.optim.Adam(vae.parameters(), lr=3e-3)
    for epoch in range(epochs):
        variational = epoch >= anneal_after
        for _ in range(batches):
            base = proto[torch.randint(0, 6, (12,))]
            x = torch.where(torch.rand_like(base) < 0.05, 1 - base, base)
            logits, mu, logvar = vae(x, float(variational))
            recon = F.binary_cross_entropy_with_logits(logits, x)
            loss = recon
            board["recon"].update(recon.item(), len(x))
            if variational:
                kl = divergence(mu, logvar)
                loss = recon + 0.02 * kl
                board["kl"].update(kl, len(x))  # <- culprit
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 5 == 0:
            print(epoch, board.close_epoch())


if __name__ == "__main__":
    run()
