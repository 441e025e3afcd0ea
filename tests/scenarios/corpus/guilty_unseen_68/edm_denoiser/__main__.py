# gradwatch-corpus: kind=graph-held
# holder: self._memo | self.embed._memo | denoiser.embed._memo | vec
# first-bad: 1
# notice: 8
from __future__ import annotations

import torch

from .model import Denoiser
from .schedule import ladder, sigma_stream


def two_moons(n: int, gen: torch.Generator) -> torch.Tensor:
    theta = torch.rand(n, generator=gen) * torch.pi
    upper = torch.rand(n, generator=gen) < 0.5
    x = torch.where(upper, torch.cos(theta), 1 - torch.cos(theta))
    y = torch.where(upper, torch.sin(theta), 0.5 - torch.sin(theta))
    pts = torch.stack([x - 0.5, y - 0.25], -1)
    return pts + 0.05 * torch.randn(n, 2, generator=gen)


@torch.no_grad()
def heun_sample(denoiser: Denoiser, n: int, rungs: list[float]) -> torch.Tensor:
    x = torch.randn(n, 2) * rungs[0]
    for hi, lo in zip(rungs[:-1], rungs[1:]):
        slope = (x - denoiser(x, hi)) / hi
        euler = x + (lo - hi) * slope
        slope_lo = (euler - denoiser(euler, lo)) / lo
        x = x + (lo - hi) * 0.5 * (slope + slope_lo)
    return x


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(31)
    gen = torch.Generator().manual_seed(32)
    denoiser = Denoiser(width=48)
    opt = torch.optim.Adam(denoiser.parameters(), lr=2e-3)
    window: list[float] = []
    for step, sigma in enumerate(sigma_stream(140, seed=33)):
        clean = two_moons(64, gen)
        noisy = clean + sigma * torch.randn(clean.shape, generator=gen)
        weight = (sigma ** 2 + 0.25) / (0.5 * sigma) ** 2
        loss = weight * (denoiser(noisy, sigma) - clean).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        window = (window + [loss.item()])[-35:]
        if step % 35 == 34:
            print(f"[{step + 1}] weighted mse {sum(window) / len(window):.4f}")
    out = heun_sample(denoiser, 256, ladder(8))
    print("samples: mean", [round(v, 3) for v in out.mean(0).tolist()])


if __name__ == "__main__":
    main()
