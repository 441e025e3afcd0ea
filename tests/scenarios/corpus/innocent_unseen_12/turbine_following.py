# gradwatch-corpus: kind=none
"""Digital twin of a turbine rotor: a recurrent surrogate follows the plant in stretches of eight
samples, and its state goes on from one stretch to the next."""
import math
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class TwinState:
    """Attribute bag; what is assigned within a stretch stays connected, the rest is a plain value."""

    def __init__(self, **values):
        object.__setattr__(self, "_connected", False)
        object.__setattr__(self, "_fields", {})
        for key, value in values.items():
            setattr(self, key, value)

    def __getattr__(self, key):
        try:
            return self._fields[key]
        except KeyError:
            raise AttributeError(key) from None

    def __setattr__(self, key, value):
        if isinstance(value, Tensor) and not self._connected:
            value = value.detach()
        self._fields[key] = value

    @contextmanager
    def stretch(self):
        object.__setattr__(self, "_connected", True)
        try:
            yield self
        finally:
            object.__setattr__(self, "_connected", False)
            for key, value in list(self._fields.items()):
                setattr(self, key, value)


class Surrogate(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.cell = nn.GRUCell(2, hidden)
        self.speed = nn.Linear(hidden, 1)

    def advance(self, state, wind, pitch):
        state.h = self.cell(torch.cat([wind, pitch], 1), state.h)
        state.omega = self.speed(state.h)
        return state.omega


class Plant:
    def __init__(self, rotors=12, seed=2):
        self.gen = torch.Generator().manual_seed(seed)
        self.omega = torch.ones(rotors, 1)
        self.t = 0

    def sample(self):
        n = self.omega.shape[0]
        wind = 1 + 0.4 * math.sin(self.t / 11) + 0.1 * torch.randn(n, 1, generator=self.gen)
        pitch = 0.2 * torch.rand(n, 1, generator=self.gen)
        self.omega = self.omega + 0.1 * (wind * (1 - pitch) - 0.8 * self.omega)
        self.t += 1
        return wind, pitch, self.omega


class FollowTrainer:
    def __init__(self, length=8):
        torch.manual_seed(1)
        self.length = length
        self.twin = Surrogate()
        self.plant = Plant()
        self.state = TwinState(h=torch.zeros(12, 20), omega=torch.ones(12, 1))
        self.opt = torch.optim.Adam(self.twin.parameters(), lr=3e-3)
        self.track = []

    def stretch(self):
        with self.state.stretch() as state:
            loss = 0
            before = state.omega
            for _ in range(self.length):
                wind, pitch, omega = self.plant.sample()
                now = self.twin.advance(state, wind, pitch)
                loss += F.mse_loss(now, omega) + 0.01 * (now - before).square().mean()
                before = now
            self.opt.zero_grad()
            (loss / self.length).backward()
            nn.utils.clip_grad_norm_(self.twin.parameters(), 1.0)
            self.opt.step()
        self.track.append(loss.item() / self.length)

    def run(self, stretches=240):
        for k in range(stretches):
            self.stretch()
            if k % 60 == 0:
                print(f"stretch {k:3d}: {self.track[-1]:.5f}  mean speed {self.state.omega.mean():.3f}")


if __name__ == "__main__":
    FollowTrainer().run()
