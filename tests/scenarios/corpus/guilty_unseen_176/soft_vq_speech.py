# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
"""Soft vector-quantised autoencoder on synthetic spectral frames, EMA codebook."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Hyper:
    bins: int = 40
    code_dim: int = 12
    codes: int = 32
    temperature: float = 0.5
    ema: float = 0.98
    warmup: int = 40
    steps: int = 500


class SoftQuantizer(nn.Module):
    def __init__(self, hp: Hyper):
        super().__init__()
        self.hp = hp
        self.register_buffer("codebook", torch.randn(hp.codes, hp.code_dim))
        self.register_buffer("counts", torch.ones(hp.codes))

    @torch.no_grad()
    def refresh(self, z: torch.Tensor, weights: torch.Tensor) -> None:
        d = self.hp.ema
        mass = weights.sum(0)
        self.counts.lerp_(mass, 1 - d)
        centroid = weights.T @ z / mass.clamp_min(1e-4)[:, None]
        self.codebook.lerp_(centroid, 1 - d)  # <- culprit

    def forward(self, z: torch.Tensor, update: bool) -> tuple[torch.Tensor, torch.Tensor]:
        logits = z @ self.codebook.T - 0.5 * self.codebook.square().sum(-1)
        weights = F.softmax(logits / self.hp.temperature, -1)
        quantized = weights @ self.codebook
        if update:
            self.refresh(z, weights)
        return quantized, weights

    @property
    def perplexity(self) -> float:
        p = self.counts / self.counts.sum()
        return torch.exp(-(p * (p + 1e-8).log()).sum()).item()


class SpeechVQ(nn.Module):
    def __init__(self, hp: Hyper):
        super().__init__()
        self.hp = hp
        self.encoder = nn.Sequential(nn.Linear(hp.bins, 48), nn.GELU(), nn.Linear(48, hp.code_dim))
        self.quantizer = SoftQuantizer(hp)
        self.decoder = nn.Sequential(nn.Linear(hp.code_dim, 48), nn.GELU(), nn.Linear(48, hp.bins))

    def forward(self, x: torch.Tensor, step: int) -> dict[str, torch.Tensor]:
        z = self.encoder(x)
        q, weights = self.quantizer(z, update=self.training and step >= self.hp.warmup)
        return {"recon": self.decoder(q), "commit": F.mse_loss(z, q.detach()), "weights": weights}


def frames(hp: Hyper, n: int, gen: torch.Generator) -> torch.Tensor:
    centre = hp.bins * torch.rand(n, 2, 1, generator=gen)
    grid = torch.arange(hp.bins).float()
    peaks = torch.exp(-0.5 * ((grid - centre) / 2.5) ** 2).sum(1)
    return peaks + 0.05 * torch.randn(n, hp.bins, generator=gen)


def main() -> None:
    torch.manual_seed(12)
    hp = Hyper()
    gen = torch.Generator().manual_seed(3)
    model = SpeechVQ(hp)
    opt = torch.optim.RAdam(model.parameters(), lr=2e-3)
    for step in range(hp.steps):
        x = frames(hp, 64, gen)
        out = model(x, step)
        loss = F.mse_loss(out["recon"], x) + 0.1 * out["commit"]
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"{step:4d} loss {loss.item():.4f} ppl {model.quantizer.perplexity:.1f}")


if __name__ == "__main__":
    main()
