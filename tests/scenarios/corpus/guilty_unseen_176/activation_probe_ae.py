# gradwatch-corpus: kind=memory-climb
# first-bad: 1
"""Denoising autoencoder with per-step activation diagnostics."""
from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator

import torch
import torch.nn as nn
import torch.nn.functional as F


class ActivationProbe:
    def __init__(self) -> None:
        self.values: dict[str, torch.Tensor] = {}

    def record(self, name: str):
        def hook(_module, _args, output):
            self.values[name] = output.detach().clone()

        return hook

    def dead_fraction(self) -> float:
        zeros = [v.le(0).all(0).float().mean() for v in self.values.values()]
        return torch.stack(zeros).mean().item()


@contextmanager
def probing(model: nn.Module) -> Iterator[ActivationProbe]:
    probe = ActivationProbe()
    for name, module in model.named_modules():
        if isinstance(module, nn.ReLU):
            module.register_forward_hook(probe.record(name))  # <- culprit
    yield probe


class Autoencoder(nn.Module):
    def __init__(self, dim: int = 64, hidden: int = 128, code: int = 16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, code))
        self.decoder = nn.Sequential(nn.Linear(code, hidden), nn.ReLU(), nn.Linear(hidden, dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.decoder(self.encoder(x))


def manifold(n: int, gen: torch.Generator, lift: torch.Tensor) -> torch.Tensor:
    z = torch.randn(n, lift.shape[0], generator=gen)
    return torch.tanh(z @ lift)


def main() -> None:
    torch.manual_seed(23)
    gen = torch.Generator().manual_seed(24)
    lift = torch.randn(6, 64, generator=gen) / 2
    model = Autoencoder()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    dead = 0.0
    for step in range(450):
        clean = manifold(128, gen, lift)
        noisy = clean + 0.2 * torch.randn(clean.shape, generator=gen)
        with probing(model) as probe:
            recon = model(noisy)
        loss = F.mse_loss(recon, clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
        dead = 0.9 * dead + 0.1 * probe.dead_fraction()
        if step % 75 == 0:
            print(f"{step:4d} mse {loss.item():.4f} dead units {dead:.3f}")

    model.eval()
    with torch.no_grad():
        clean = manifold(512, gen, lift)
        print(f"final mse {F.mse_loss(model(clean), clean).item():.4f}")


if __name__ == "__main__":
    main()
