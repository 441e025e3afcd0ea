# gradwatch-corpus: kind=none
"""Online identification of a nonlinear spring by windowed simulation error."""
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Settings:
    dt: float = 0.05
    window: int = 8
    ticks: int = 3600
    lr: float = 1e-2


class Spring(nn.Module):
    def __init__(self, dt: float):
        super().__init__()
        self.dt = dt
        self.log_k = nn.Parameter(torch.zeros(()))
        self.log_c = nn.Parameter(torch.tensor(-2.0))
        self.residual = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, state: torch.Tensor, force: torch.Tensor) -> torch.Tensor:
        x, v = state.unbind(-1)
        acc = force - self.log_k.exp() * x - self.log_c.exp() * v
        acc = acc + 0.1 * self.residual(state).squeeze(-1)
        v = v + self.dt * acc
        return torch.stack([x + self.dt * v, v], -1)


class Plant:
    def __init__(self, batch: int, dt: float, seed: int):
        self.gen = torch.Generator().manual_seed(seed)
        self.state = torch.randn(batch, 2, generator=self.gen)
        self.dt = dt

    def step(self) -> tuple[torch.Tensor, torch.Tensor]:
        force = torch.randn(len(self.state), generator=self.gen)
        x, v = self.state.unbind(-1)
        v = v + self.dt * (force - 2.0 * x - 0.3 * x**3 - 0.2 * v)
        self.state = torch.stack([x + self.dt * v, v], -1)
        return force, self.state


def main() -> None:
    cfg = Settings()
    torch.manual_seed(2)
    plant = Plant(16, cfg.dt, seed=22)
    model = Spring(cfg.dt)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    estimate = plant.state.clone()
    pending = torch.zeros(())
    errors: list[float] = []
    for tick in range(1, cfg.ticks + 1):
        force, measured = plant.step()
        estimate = model(estimate, force)
        pending = pending + (estimate - measured).square().mean()
        if tick % cfg.window:
            continue
        opt.zero_grad()
        (pending / cfg.window).backward()
        opt.step()
        errors.append(pending.item() / cfg.window)
        estimate = torch.lerp(estimate.detach(), measured, 0.5)
        pending = torch.zeros(())
        if tick % 320 == 0:
            print(f"tick {tick} k {model.log_k.exp().item():.3f} err {errors[-1]:.5f}")


if __name__ == "__main__":
    main()
