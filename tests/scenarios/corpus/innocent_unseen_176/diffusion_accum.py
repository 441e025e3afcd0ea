# gradwatch-corpus: kind=none
"""2-D DDPM trained with gradient accumulation and cached noise schedules."""
from collections import deque
from functools import lru_cache

import torch
import torch.nn as nn
import torch.nn.functional as F

STEPS = 50


@lru_cache(maxsize=None)
def alphas_bar(steps: int) -> torch.Tensor:
    return torch.cumprod(1 - torch.linspace(1e-4, 0.08, steps), 0)


@lru_cache(maxsize=None)
def embed_time(t: int, dim: int = 16) -> torch.Tensor:
    freq = torch.exp(-torch.arange(dim // 2) * 0.7)
    return torch.cat([torch.sin(t * freq), torch.cos(t * freq)])


class Denoiser(nn.Module):
    def __init__(self, hidden: int = 64):
        super().__init__()
        self.time = nn.Linear(16, hidden)
        self.inp = nn.Linear(2, hidden)
        self.out = nn.Sequential(nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2))

    def forward(self, x: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
        emb = torch.stack([embed_time(int(i)) for i in t])
        return self.out(self.inp(x) + self.time(emb))


def moons(n: int) -> torch.Tensor:
    a = 3.1416 * torch.rand(n)
    side = torch.randint(2, (n,)) * 2.0 - 1
    x = torch.stack([side * a.cos() + 0.5 * side, side * a.sin()], -1)
    return x + 0.05 * torch.randn(n, 2)


def diffusion_loss(model: Denoiser, x: torch.Tensor) -> torch.Tensor:
    t = torch.randint(STEPS, (len(x),))
    a = alphas_bar(STEPS)[t][:, None]
    noise = torch.randn_like(x)
    return F.mse_loss(model(a.sqrt() * x + (1 - a).sqrt() * noise, t), noise)


def main(accumulate: int = 4) -> None:
    torch.manual_seed(8)
    model = Denoiser()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    recent: deque[torch.Tensor] = deque(maxlen=30)
    opt.zero_grad()
    for micro in range(800):
        loss = diffusion_loss(model, moons(32))
        (loss / accumulate).backward()
        recent.append(loss)
        if (micro + 1) % accumulate == 0:
            opt.step()
            opt.zero_grad()
        if micro % 160 == 0:
            print(f"micro {micro:4d} loss {torch.stack(list(recent)).mean().item():.4f}")


if __name__ == "__main__":
    main()
