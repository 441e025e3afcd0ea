# gradwatch-corpus: kind=graph-chain
# holder: self.state | stage.state | controller.stages[1].state
# first-bad: 1
"""Echo-state controller for a two joint arm, trained online by pipeline stages."""
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class ArmConfig:
    joints: int = 2
    reservoir: int = 64
    leak: float = 0.4
    radius: float = 0.9
    lr: float = 2e-3
    ticks: int = 500
    envs: int = 8


class ArmPlant:
    """Follows a reference; emits joint angles, velocities and the torque of an ideal controller."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.rng = torch.Generator().manual_seed(5)
        self.phase = torch.rand(cfg.envs, cfg.joints, generator=self.rng) * 2 * math.pi

    def observe(self, tick):
        t = 0.05 * tick
        q = torch.sin(t + self.phase)
        dq = torch.cos(t + self.phase)
        torque = 0.7 * torch.cos(t - 0.4 + self.phase) - 0.2 * q * dq
        return torch.cat([q, dq], 1), torque


class Stage(nn.Module):
    def reset(self):
        pass


class EncodeStage(Stage):
    def __init__(self, cfg):
        super().__init__()
        self.drive = nn.Linear(2 * cfg.joints, cfg.reservoir)

    def forward(self, signal):
        return self.drive(signal)


class ReservoirStage(Stage):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        w = torch.randn(cfg.reservoir, cfg.reservoir) / cfg.reservoir ** 0.5
        self.register_buffer("recurrent", w * cfg.radius)
        self.reset()

    def reset(self):
        self.state = torch.zeros(self.cfg.envs, self.cfg.reservoir)

    def _leaky(self, pulse):
        fresh = torch.tanh(self.state @ self.recurrent + pulse)
        return (1 - self.cfg.leak) * self.state + self.cfg.leak * fresh

    def forward(self, pulse):
        self.state = self._leaky(pulse)  # <- culprit
        return self.state


class ReadoutStage(Stage):
    def __init__(self, cfg):
        super().__init__()
        self.torque = nn.Linear(cfg.reservoir, cfg.joints)

    def forward(self, state):
        return self.torque(state)


class Controller(nn.Module):
    def __init__(self, stages):
        super().__init__()
        self.stages = nn.ModuleList(stages)

    def forward(self, signal):
        for stage in self.stages:
            signal = stage(signal)
        return signal


class OnlineLearner:
    def __init__(self, controller, lr):
        self.controller = controller
        self.opt = torch.optim.Adam(controller.parameters(), lr=lr)
        self.errors = []

    def imitate(self, obs, torque):
        loss = (self.controller(obs) - torque).square().mean()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        self.errors.append(loss.item())


def main():
    torch.manual_seed(2)
    cfg = ArmConfig()
    plant = ArmPlant(cfg)
    controller = Controller([EncodeStage(cfg), ReservoirStage(cfg), ReadoutStage(cfg)])
    learner = OnlineLearner(controller, cfg.lr)
    for tick in range(cfg.ticks):
        learner.imitate(*plant.observe(tick))
        if tick % 100 == 99:
            print(f"tick {tick + 1}: torque mse {sum(learner.errors[-100:]) / 100:.4f}")


if __name__ == "__main__":
    main()
