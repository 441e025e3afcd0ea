# gradwatch-corpus: kind=inplace-modified
# holder: self.gain | agc.gain | self.front.gain
# first-bad: 20
"""Two-ear speech enhancement behind a shared automatic gain control."""
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class AidConfig:
    bands: int = 32
    frames: int = 40
    batch: int = 8
    steps: int = 100
    hold: int = 20
    attack: float = 0.05
    lr: float = 1e-3


class BandAgc(nn.Module):
    """Slow per-band gain towards a target level; frozen until the front end has settled."""

    def __init__(self, bands: int, attack: float, target: float = 1.0) -> None:
        super().__init__()
        self.attack = attack
        self.target = target
        self.adapting = False
        self.register_buffer("gain", torch.ones(bands, 1))

    def forward(self, x: Tensor) -> Tensor:
        if self.adapting:
            level = x.detach().abs().mean(dim=(0, 2)).unsqueeze(-1)
            self.gain.lerp_(self.target / level.clamp_min(1e-3), self.attack)  # <- culprit
        return x * self.gain  # <- culprit


class EarNet(nn.Module):
    def __init__(self, bands: int, agc: BandAgc) -> None:
        super().__init__()
        self.lift = nn.Conv1d(bands, bands, 1)
        self.front = agc
        self.body = nn.Sequential(
            nn.Conv1d(bands, 64, 5, padding=2),
            nn.PReLU(),
            nn.Conv1d(64, bands, 5, padding=2),
            nn.Sigmoid(),
        )

    def forward(self, spec: Tensor) -> Tensor:
        h = self.front(self.lift(spec))
        return self.body(h) * spec


class Binaural(nn.Module):
    def __init__(self, cfg: AidConfig) -> None:
        super().__init__()
        self.agc = BandAgc(cfg.bands, cfg.attack)
        self.left = EarNet(cfg.bands, self.agc)
        self.right = EarNet(cfg.bands, self.agc)

    def forward(self, left: Tensor, right: Tensor) -> tuple[Tensor, Tensor]:
        return self.left(left), self.right(right)


def scene(cfg: AidConfig, gen: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    envelope = torch.rand(cfg.batch, 1, cfg.frames, generator=gen)
    tilt = torch.linspace(1.0, 0.2, cfg.bands).view(1, -1, 1)
    speech = envelope * tilt * (1 + torch.rand(cfg.batch, cfg.bands, cfg.frames, generator=gen))
    noise_l = 0.4 * torch.rand(speech.shape, generator=gen)
    noise_r = 0.4 * torch.rand(speech.shape, generator=gen)
    return speech, speech + noise_l, speech * 0.8 + noise_r


def main() -> None:
    torch.manual_seed(64)
    cfg = AidConfig()
    gen = torch.Generator().manual_seed(65)
    model = Binaural(cfg)
    optim = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for step in range(cfg.steps):
        model.agc.adapting = step >= cfg.hold
        speech, left, right = scene(cfg, gen)
        est_l, est_r = model(left, right)
        loss = (est_l - speech).abs().mean() + (est_r - 0.8 * speech).abs().mean()
        loss = loss + 0.1 * (est_l - est_r).square().mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        if step % 10 == 0:
            print(f"{step:3d} loss {loss.item():.4f} mean gain {model.agc.gain.mean().item():.3f}")


if __name__ == "__main__":
    main()
