# gradwatch-corpus: kind=none
"""Glider trajectory tracking: warm-started shooting plus two models trained on one shared encoding."""
from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Iterator, NamedTuple

import torch
from torch import Tensor, nn


class Transition(NamedTuple):
    state: Tensor
    control: Tensor
    following: Tensor


@dataclass
class ShootingConfig:
    horizon: int = 8
    iterations: int = 2
    step: float = 0.5
    flight: int = 80
    batch: int = 32
    memory: int = 64
    lr: float = 3e-3


class SharedEncoder(nn.Sequential):
    def __init__(self) -> None:
        super().__init__(nn.Linear(4, 40), nn.Tanh())


class FlightModels(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = SharedEncoder()
        self.motion = nn.Linear(40, 3)
        self.sink = nn.Linear(40, 1)

    def encode(self, state: Tensor, control: Tensor) -> Tensor:
        return self.encoder(torch.cat([state, control], dim=-1))

    def predict(self, state: Tensor, control: Tensor) -> Tensor:
        return state + 0.1 * self.motion(self.encode(state, control))


class Glider:
    def __init__(self) -> None:
        self.state = torch.tensor([0.0, 0.0, 1.0])

    def fly(self, control: Tensor) -> Transition:
        before = self.state
        x, z, v = before.unbind()
        lift = v * control[0]
        rate = torch.stack([v, lift - 0.2, 0.1 - 0.1 * v * v])
        self.state = before + 0.1 * rate + 0.01 * torch.randn(3)
        return Transition(before, control, self.state)


class ShootingPlanner:
    def __init__(self, cfg: ShootingConfig, models: FlightModels) -> None:
        self.cfg = cfg
        self.models = models
        self.controls = torch.zeros(cfg.horizon, 1)

    @contextmanager
    def fixed_models(self) -> Iterator[None]:
        self.models.requires_grad_(False)
        try:
            yield
        finally:
            self.models.requires_grad_(True)

    def cost(self, state: Tensor, controls: Tensor, altitude: float) -> Tensor:
        total = controls.square().sum() * 0.01
        for control in controls:
            state = self.models.predict(state, control)
            total = total + (state[1] - altitude) ** 2
        return total

    def plan(self, state: Tensor, altitude: float) -> Tensor:
        controls = torch.cat([self.controls[1:], self.controls[-1:]])
        with self.fixed_models():
            for _ in range(self.cfg.iterations):
                controls = controls.detach().requires_grad_()
                (slope,) = torch.autograd.grad(self.cost(state, controls, altitude), controls)
                controls = (controls - self.cfg.step * slope).clamp(-1, 1)
        self.controls = controls.detach()
        return self.controls[0]


class Learner:
    def __init__(self, cfg: ShootingConfig, models: FlightModels) -> None:
        self.cfg = cfg
        self.models = models
        self.motion_opt = torch.optim.Adam([*models.encoder.parameters(), *models.motion.parameters()], lr=cfg.lr)
        self.sink_opt = torch.optim.Adam(models.sink.parameters(), lr=cfg.lr)
        self.seen: deque[Transition] = deque(maxlen=cfg.memory)

    def learn(self) -> tuple[float, float]:
        picks = torch.randint(0, len(self.seen), (self.cfg.batch,)).tolist()
        state, control, following = (torch.stack(c) for c in zip(*(self.seen[i] for i in picks)))
        code = self.models.encode(state, control)
        change = (following - state) / 0.1
        motion_loss = (self.models.motion(code) - change).square().mean()
        sink_loss = (self.models.sink(code) - change[:, 1:2].abs()).abs().mean()
        self.motion_opt.zero_grad()
        self.sink_opt.zero_grad()
        motion_loss.backward(retain_graph=True)
        sink_loss.backward()
        self.motion_opt.step()
        self.sink_opt.step()
        return motion_loss.item(), sink_loss.item()


def main() -> None:
    torch.manual_seed(27)
    cfg = ShootingConfig()
    models = FlightModels()
    planner = ShootingPlanner(cfg, models)
    learner = Learner(cfg, models)
    glider = Glider()
    for step in range(cfg.flight):
        altitude = 0.5 if step < cfg.flight // 2 else -0.5
        control = planner.plan(glider.state, altitude)
        learner.seen.append(glider.fly(control))
        motion, sink = learner.learn()
        if step % 16 == 0:
            print(f"{step:3d} z={glider.state[1].item():.3f} motion={motion:.4f} sink={sink:.4f}")


if __name__ == "__main__":
    main()
