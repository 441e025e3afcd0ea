# gradwatch-corpus: kind=graph-chain
# holder: self._state | twin._state | self.state | twin.state | current
# first-bad: 1
"""Two-link arm: identify masses, friction and motor gain from a stream of joint readings."""
from contextlib import contextmanager
from typing import NamedTuple

import torch
import torch.nn as nn

DT = 0.02


class JointState(NamedTuple):
    q: torch.Tensor
    qd: torch.Tensor

    def moved(self, acc):
        qd = self.qd + DT * acc
        return JointState(self.q + DT * qd, qd)


class ArmDynamics(nn.Module):
    def __init__(self, mass=(1.0, 1.0), friction=(0.3, 0.3), gain=(1.0, 1.0)):
        super().__init__()
        self.log_mass = nn.Parameter(torch.tensor(mass).log())
        self.log_friction = nn.Parameter(torch.tensor(friction).log())
        self.log_gain = nn.Parameter(torch.tensor(gain).log())

    def coefficients(self):
        return self.log_mass.exp(), self.log_friction.exp(), self.log_gain.exp()

    def forward(self, state, torque, coeffs):
        mass, friction, gain = coeffs
        gravity = 2.0 * torch.sin(state.q)
        coupling = 0.2 * torch.flip(state.qd, dims=[-1])
        return state.moved((gain * torque - friction * state.qd - gravity - coupling) / mass)


class DigitalTwin:
    """Runs the model alongside the real arm, one window of readings after another."""

    def __init__(self, model, start):
        self.model = model
        self._state = start

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, new):
        self._state = new

    @contextmanager
    def window(self):
        trace = []
        coeffs = self.model.coefficients()
        current = self.state

        def advance(torque):
            nonlocal current
            current = self.model(current, torque, coeffs)
            trace.append(current.q)
            return current

        yield advance, trace
        self.state = current  # <- culprit


class Plant:
    def __init__(self, n_arms, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.model = ArmDynamics((1.6, 0.7), (0.5, 0.2), (1.2, 0.9))
        self.state = JointState(torch.zeros(n_arms, 2), torch.zeros(n_arms, 2))
        self.t = 0

    @torch.no_grad()
    def windows(self, count, length):
        coeffs = self.model.coefficients()
        for _ in range(count):
            torques, readings = [], []
            for _ in range(length):
                phase = torch.tensor([0.05, 0.08]) * self.t
                u = torch.sin(phase) + 0.3 * torch.randn(self.state.q.shape, generator=self.gen)
                self.state = self.model(self.state, u, coeffs)
                torques.append(u)
                readings.append(self.state.q + 0.01 * torch.randn(u.shape, generator=self.gen))
                self.t += 1
            yield torch.stack(torques), torch.stack(readings)


def identify(windows=90, length=6, n_arms=8):
    torch.manual_seed(0)
    plant = Plant(n_arms, seed=11)
    model = ArmDynamics()
    twin = DigitalTwin(model, JointState(torch.zeros(n_arms, 2), torch.zeros(n_arms, 2)))
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    for i, (torques, readings) in enumerate(plant.windows(windows, length)):
        with twin.window() as (advance, trace):
            for u in torques:
                advance(u)
        error = (torch.stack(trace) - readings).square().mean()
        opt.zero_grad()
        error.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if i % 15 == 0:
            with torch.no_grad():
                m, f, g = (c.tolist() for c in model.coefficients())
            print(f"window {i:3d} mse {error.item():.5f} mass {m[0]:.2f},{m[1]:.2f} "
                  f"friction {f[0]:.2f},{f[1]:.2f} gain {g[0]:.2f},{g[1]:.2f}")
    return model


if __name__ == "__main__":
    identify()
