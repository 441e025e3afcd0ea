# gradwatch-corpus: kind=graph-chain
# holder: self.live | adapter.live
# first-bad: 1
"""Online friction compensation for a 3-joint arm, with meta-learned step sizes per tensor."""
from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
import time
from typing import Dict

import torch
from torch import nn
from torch.func import functional_call


@dataclass(frozen=True)
class ArmConfig:
    joints: int = 3
    hidden: int = 18
    segment: int = 40
    inner_lr: float = 0.02
    meta_lr: float = 0.05
    ticks: int = 75


class FrictionModel(nn.Module):
    def __init__(self, cfg: ArmConfig) -> None:
        super().__init__()
        self.velocity_in = nn.Linear(2 * cfg.joints, cfg.hidden)
        self.torque_out = nn.Linear(cfg.hidden, cfg.joints)

    def forward(self, state: torch.Tensor) -> torch.Tensor:
        return self.torque_out(torch.tanh(self.velocity_in(state)))


class ArmBench:
    def __init__(self, cfg: ArmConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.viscous = torch.tensor([0.7, 0.4, 0.25])
        self.coulomb = torch.tensor([0.5, 0.3, 0.2])

    def segment(self, tick: int) -> tuple[torch.Tensor, torch.Tensor]:
        warm = 1.0 + 0.3 * (tick / self.cfg.ticks)
        q = torch.rand(self.cfg.segment, self.cfg.joints, generator=self.gen) * 2 - 1
        dq = torch.randn(self.cfg.segment, self.cfg.joints, generator=self.gen)
        torque = self.viscous * dq / warm + self.coulomb * torch.tanh(4 * dq)
        return torch.cat([q, dq], dim=1), torque


class OnlineAdapter:
    """Takes one inner step per segment; the step sizes follow the validation half of the segment."""

    def __init__(self, model: FrictionModel, cfg: ArmConfig) -> None:
        self.model = model
        self.cfg = cfg
        self.live: Dict[str, torch.Tensor] = dict(model.named_parameters())
        self.log_rates = {
            name: torch.full((), cfg.inner_lr).log().requires_grad_() for name in self.live
        }

    def residual(self, params: Dict[str, torch.Tensor], x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return nn.functional.smooth_l1_loss(functional_call(self.model, params, (x,)), y)

    def propose(self, x: torch.Tensor, y: torch.Tensor) -> Dict[str, torch.Tensor]:
        loss = self.residual(self.live, x, y)
        grads = torch.autograd.grad(loss, list(self.live.values()), create_graph=True)
        return {
            name: p - self.log_rates[name].exp() * g
            for (name, p), g in zip(self.live.items(), grads)
        }

    def tune_rates(self, holdout: torch.Tensor) -> None:
        rates = list(self.log_rates.values())
        slopes = torch.autograd.grad(holdout, rates, retain_graph=True)
        with torch.no_grad():
            for rate, slope in zip(rates, slopes):
                rate -= self.cfg.meta_lr * slope.clamp(-1, 1)
                rate.clamp_(-6.0, -1.5)

    def observe(self, state: torch.Tensor, torque: torch.Tensor) -> float:
        half = state.shape[0] // 2
        candidate = self.propose(state[:half], torque[:half])
        holdout = self.residual(candidate, state[half:], torque[half:])
        self.tune_rates(holdout)
        self.live = candidate  # <- culprit
        return holdout.item()


@contextmanager
def stopwatch(label: str):
    begin = time.perf_counter()
    yield
    print(f"{label}: {time.perf_counter() - begin:.2f}s")


def main() -> None:
    torch.manual_seed(640)
    cfg = ArmConfig()
    bench = ArmBench(cfg, seed=641)
    adapter = OnlineAdapter(FrictionModel(cfg), cfg)
    best = float("inf")
    with stopwatch("commissioning"):
        for tick in range(cfg.ticks):
            state, torque = bench.segment(tick)
            err = adapter.observe(state, torque)
            best = min(best, err)
            if tick % 15 == 0:
                rates = [f"{r.exp().item():.3f}" for r in adapter.log_rates.values()]
                print(f"tick {tick} holdout {err:.4f} best {best:.4f} rates {rates}")


if __name__ == "__main__":
    main()
