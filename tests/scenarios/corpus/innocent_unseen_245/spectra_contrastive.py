# gradwatch-corpus: kind=none
"""Embedding infrared spectra of mixtures; peak blocks are recomputed in the backward pass to save memory."""
import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint


class Spectrometer:
    def __init__(self, n_compounds, n_channels):
        self.axis = torch.linspace(0, 1, n_channels)
        centres = torch.rand(n_compounds, 6, 1)
        widths = 0.005 + 0.02 * torch.rand(n_compounds, 6, 1)
        heights = torch.rand(n_compounds, 6, 1)
        self.pure = (heights * torch.exp(-((self.axis - centres) / widths).square())).sum(dim=1)

    def mixtures(self, n):
        shares = torch.distributions.Dirichlet(torch.full((self.pure.shape[0],), 0.3)).sample((n,))
        return shares @ self.pure

    def scan(self, clean):
        tilt = 0.2 * torch.randn(clean.shape[0], 1) * (self.axis - 0.5)
        scale = 1 + 0.1 * torch.randn(clean.shape[0], 1)
        return scale * clean + tilt + 0.02 * torch.randn_like(clean)


class PeakBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.one = nn.Conv1d(width, width, 7, padding=3)
        self.two = nn.Conv1d(width, width, 7, padding=3)

    def forward(self, x):
        return x + self.two(F.gelu(self.one(F.gelu(x))))


class SpectrumEncoder(nn.Module):
    def __init__(self, width, n_blocks, size):
        super().__init__()
        self.stem = nn.Conv1d(1, width, 11, stride=4, padding=5)
        self.blocks = nn.ModuleList(PeakBlock(width) for _ in range(n_blocks))
        self.project = nn.Linear(width, size)

    def forward(self, spectra):
        x = self.stem(spectra.unsqueeze(1))
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return F.normalize(self.project(x.amax(dim=2)), dim=1)


class NegativeQueue:
    """Ring of embeddings from earlier batches."""

    def __init__(self, slots, size):
        self.rows = F.normalize(torch.randn(slots, size), dim=1)
        self.cursor = 0

    @torch.no_grad()
    def enqueue(self, keys):
        where = (self.cursor + torch.arange(len(keys))) % len(self.rows)
        self.rows = self.rows.index_copy(0, where, keys)
        self.cursor = int((self.cursor + len(keys)) % len(self.rows))


class BatchCache:
    """Clean mixtures and their neighbour ranks, reused within an epoch."""

    def __init__(self, instrument):
        self.instrument = instrument
        self.clean = {}

    def get(self, key, n):
        if key not in self.clean:
            self.clean[key] = self.instrument.mixtures(n)
        return self.clean[key]

    def empty(self):
        self.clean.clear()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compounds", type=int, default=12)
    parser.add_argument("--channels", type=int, default=256)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--draws", type=int, default=16)
    parser.add_argument("--distinct", type=int, default=4)
    parser.add_argument("--slots", type=int, default=256)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()

    torch.manual_seed(1600)
    instrument = Spectrometer(args.compounds, args.channels)
    cache = BatchCache(instrument)
    encoder = SpectrumEncoder(width=12, n_blocks=2, size=16)
    queue = NegativeQueue(args.slots, 16)
    optimizer = torch.optim.Adam(encoder.parameters(), lr=args.lr)

    for epoch in range(args.epochs):
        epoch_loss = torch.zeros(())
        for draw in range(args.draws):
            clean = cache.get(draw % args.distinct, args.batch)
            query = encoder(instrument.scan(clean))
            key = encoder(instrument.scan(clean))
            positive = (query * key).sum(dim=1, keepdim=True)
            negative = query @ queue.rows.t()
            logits = torch.cat([positive, negative], dim=1) / 0.2
            loss = F.cross_entropy(logits, torch.zeros(args.batch, dtype=torch.long))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            queue.enqueue(key.detach())
            epoch_loss += loss.detach()
        cache.empty()
        print(f"epoch {epoch}  loss {epoch_loss.item() / args.draws:.4f}")


if __name__ == "__main__":
    main()
