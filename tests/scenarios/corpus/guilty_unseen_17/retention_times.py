# gradwatch-corpus: kind=inplace-modified
# holder: self.centers | bank.centers | self.bank.centers | model.bank.centers
# first-bad: 20
"""Chromatographic retention times from fingerprints, with a scaffold-centre term that keeps compounds
of one scaffold together in the latent space (after Wen et al., adapted for regression)."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

BITS = 128
SCAFFOLDS = 8


@dataclass(frozen=True)
class Settings:
    batch: int = 48
    latent: int = 16
    steps: int = 250
    warmup: int = 20
    pull: float = 0.05
    momentum: float = 0.9
    lr: float = 1e-3
    seed: int = 1


class CompoundLibrary:
    def __init__(self, size, seed):
        rng = torch.Generator().manual_seed(seed)
        pattern = torch.rand(SCAFFOLDS, BITS, generator=rng)
        self.scaffold = torch.randint(0, SCAFFOLDS, (size,), generator=rng)
        self.bits = (torch.rand(size, BITS, generator=rng) < 0.5 * pattern[self.scaffold]).float()
        effect = torch.randn(BITS, generator=rng) / BITS**0.5
        self.minutes = 8 + 3 * torch.tanh(self.bits @ effect) + 0.1 * torch.randn(size, generator=rng)
        self.rng = rng

    def sample(self, n):
        rows = torch.randint(0, len(self.minutes), (n,), generator=self.rng)
        return self.bits[rows], self.scaffold[rows], self.minutes[rows]


class CenterBank(nn.Module):
    """One running centre per scaffold, moved by the batch means and not by the gradient."""

    def __init__(self, n, dim, momentum):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("centers", torch.zeros(n, dim))
        self.register_buffer("filled", torch.zeros(n, dtype=torch.bool))

    @torch.no_grad()
    def refresh(self, z, group):
        for g in group.unique().tolist():
            mean = z[group == g].mean(0)
            if self.filled[g]:
                self.centers[g].mul_(self.momentum).add_(mean, alpha=1 - self.momentum)  # <- culprit
            else:
                self.centers[g] = mean
                self.filled[g] = True

    def forward(self, z, group):
        distance = torch.cdist(z, self.centers)
        return distance.gather(1, group.unsqueeze(1)).mean()


class RetentionNet(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.settings = settings
        self.encode = nn.Sequential(
            nn.Linear(BITS, 64), nn.SiLU(), nn.Linear(64, settings.latent), nn.LayerNorm(settings.latent)
        )
        self.read = nn.Linear(settings.latent, 1)
        self.bank = CenterBank(SCAFFOLDS, settings.latent, settings.momentum)

    def losses(self, bits, scaffold, minutes, step):
        z = self.encode(bits)
        terms = {"rt": F.smooth_l1_loss(self.read(z).squeeze(1), minutes / 10)}
        if step >= self.settings.warmup:
            terms["centre"] = self.settings.pull * self.bank(z, scaffold)
        self.bank.refresh(z, scaffold)  # <- culprit
        return terms


def describe(step, terms):
    inner = "  ".join(f"{k} {v.item():.4f}" for k, v in terms.items())
    print(f"step {step:4d}  {inner}")


def main(settings=Settings()):
    torch.manual_seed(settings.seed)
    library = CompoundLibrary(2000, seed=settings.seed + 10)
    model = RetentionNet(settings)
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.lr)
    for step in range(settings.steps):
        terms = model.losses(*library.sample(settings.batch), step)
        optimizer.zero_grad()
        sum(terms.values()).backward()
        optimizer.step()
        if step % 10 == 0:
            describe(step, terms)


if __name__ == "__main__":
    main()
