# gradwatch-corpus: kind=graph-chain
# holder: self.state | self.state.temp | self.state.integral | tuner.state | tuner.state.temp | tuner.state.integral | state.temp | state.integral
# first-bad: 1
"""Online tuning of PI gains for an eight-zone building through a differentiable thermal model."""
import math
from dataclasses import dataclass

import torch
from torch.optim import Optimizer

ZONES = 8


@dataclass
class ZoneState:
    temp: torch.Tensor
    integral: torch.Tensor
    clock: float = 0.0


@dataclass(frozen=True)
class Plant:
    dt: float = 0.1
    tau: float = 4.0
    power: float = 3.0

    def outside(self, clock):
        return 8.0 + 4.0 * math.sin(clock / 3.8)

    def step(self, state, command, disturbance):
        drift = (self.outside(state.clock) - state.temp) / self.tau
        return state.temp + self.dt * (drift + self.power * command + disturbance)


class ProjectedSGD(Optimizer):
    """SGD with momentum whose iterates are kept inside a box (gains have to stay positive)."""

    def __init__(self, params, lr, momentum=0.8, low=0.0, high=4.0):
        super().__init__(params, dict(lr=lr, momentum=momentum, low=low, high=high))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("velocity", torch.zeros_like(p.data))
                buf.mul_(group["momentum"]).add_(p.grad.data.clamp(-1, 1))
                p.data.add_(buf, alpha=-group["lr"])
                p.data.clamp_(group["low"], group["high"])


class PIController(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kp = torch.nn.Parameter(torch.full((ZONES,), 0.3))
        self.ki = torch.nn.Parameter(torch.full((ZONES,), 0.05))

    def forward(self, error, integral):
        return torch.tanh(self.kp * error + self.ki * integral) + 1.0


class GainTuner:
    def __init__(self, lr=2e-3, energy_price=0.02, forget=0.95):
        self.plant = Plant()
        self.controller = PIController()
        self.opt = ProjectedSGD(self.controller.parameters(), lr=lr)
        self.energy_price, self.forget = energy_price, forget
        self.gen = torch.Generator().manual_seed(9)
        self.setpoint = torch.linspace(19.0, 22.0, ZONES)
        self.state = ZoneState(torch.full((ZONES,), 16.0), torch.zeros(ZONES))

    def simulate(self):
        state = self.state
        error = self.setpoint - state.temp
        integral = self.forget * state.integral + self.plant.dt * error
        command = self.controller(error, integral)
        gust = 0.3 * torch.randn(ZONES, generator=self.gen)
        temp = self.plant.step(state, command, gust)
        self.state = ZoneState(temp, integral, state.clock + self.plant.dt)  # <- culprit
        return temp, command

    def tune_once(self):
        temp, command = self.simulate()
        comfort = (temp - self.setpoint).pow(2).mean()
        energy = self.energy_price * command.mean()
        self.opt.zero_grad()
        # both terms go through the same simulation
        comfort.backward(retain_graph=True)
        energy.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return comfort.item(), energy.item()


def main(steps=240):
    torch.manual_seed(0)
    tuner = GainTuner()
    for k in range(steps):
        comfort, energy = tuner.tune_once()
        if k % 60 == 59:
            kp, ki = (p.detach().mean().item() for p in tuner.controller.parameters())
            print(f"t={tuner.state.clock:5.1f}h comfort {comfort:7.3f} energy {energy:.4f} kp {kp:.3f} ki {ki:.3f}")


if __name__ == "__main__":
    main()
