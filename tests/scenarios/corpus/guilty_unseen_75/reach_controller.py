# gradwatch-corpus: kind=graph-chain
# holder: self.trim | controller.trim | self.controller.trim | ctx.controller.trim
# first-bad: 1
# notice: 5
# also: retain-needless
"""Reaching task for a planar arm: the controller learns against a one-step differentiable plant."""
from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, field
import math
import time

import torch
from torch import nn


@dataclass(frozen=True)
class ArmConfig:
    joints: int = 3
    hidden: int = 24
    leak: float = 0.9
    lr: float = 0.01
    momentum: float = 0.8
    iterations: int = 90
    batch: int = 32
    keep_buffers: bool = True


class FeedbackController(nn.Module, ABC):
    """Base of all controllers: owns the slowly adapting trim which cancels steady offsets."""

    def __init__(self, cfg: ArmConfig):
        super().__init__()
        self.leak = cfg.leak
        self.trim = torch.zeros(cfg.joints)

    @abstractmethod
    def policy(self, obs: torch.Tensor) -> torch.Tensor: ...

    def forward(self, angles, targets):
        offset = self.trim.expand_as(angles)
        return self.policy(torch.cat([angles, targets, offset], dim=-1))

    def observe(self, residual):
        self.trim = self.leak * self.trim + (1 - self.leak) * residual.mean(0)  # <- culprit


class MlpController(FeedbackController):
    def __init__(self, cfg: ArmConfig):
        super().__init__(cfg)
        self.body = nn.Sequential(nn.Linear(3 * cfg.joints, cfg.hidden), nn.Tanh(), nn.Linear(cfg.hidden, cfg.joints))

    def policy(self, obs):
        return self.body(obs)


class Plant:
    """Linearised joint dynamics with an unknown constant load."""

    def __init__(self, joints: int):
        g = torch.Generator().manual_seed(2)
        self.gain = torch.eye(joints) + 0.1 * torch.randn(joints, joints, generator=g)
        self.load = 0.3 * torch.randn(joints, generator=g)

    def __call__(self, angles, torque):
        return angles + torque @ self.gain + self.load


class HeavyBall:
    """The lab's momentum rule; writes raw storage as the firmware port does."""

    def __init__(self, params, lr, momentum):
        self.params = list(params)
        self.lr, self.momentum = lr, momentum
        self.velocity = [torch.zeros_like(p.data) for p in self.params]

    def clear(self):
        for p in self.params:
            p.grad = None

    def step(self):
        for p, v in zip(self.params, self.velocity):
            v.mul_(self.momentum).add_(p.grad.data)
            p.data.add_(v, alpha=-self.lr)


@dataclass
class LoopContext:
    cfg: ArmConfig
    controller: FeedbackController
    optimizer: HeavyBall
    plant: Plant
    iteration: int = 0
    errors: list[float] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def section(self, name: str):
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.timings[name] = self.timings.get(name, 0.0) + time.perf_counter() - begin


class ReachEngine:
    def __init__(self, ctx: LoopContext):
        self.ctx = ctx

    def sample(self):
        shape = (self.ctx.cfg.batch, self.ctx.cfg.joints)
        return (torch.rand(shape) - 0.5) * math.pi, (torch.rand(shape) - 0.5) * math.pi

    def iterate(self):
        ctx = self.ctx
        angles, targets = self.sample()
        with ctx.section("forward"):
            torque = ctx.controller(angles, targets)
            residual = targets - ctx.plant(angles, torque)
            cost = residual.pow(2).mean() + 1e-3 * torque.pow(2).mean()
        with ctx.section("backward"):
            ctx.optimizer.clear()
            cost.backward(retain_graph=ctx.cfg.keep_buffers)
            ctx.optimizer.step()
        ctx.controller.observe(residual)
        ctx.errors.append(cost.item())
        ctx.iteration += 1

    def run(self):
        for _ in range(self.ctx.cfg.iterations):
            self.iterate()
            if self.ctx.iteration % 30 == 0:
                print(f"it {self.ctx.iteration}: cost {self.ctx.errors[-1]:.4f}")
        print({k: f"{v:.2f}s" for k, v in self.ctx.timings.items()})


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    cfg = ArmConfig()
    controller = MlpController(cfg)
    ReachEngine(LoopContext(cfg, controller, HeavyBall(controller.parameters(), cfg.lr, cfg.momentum),
                            Plant(cfg.joints))).run()


main()
