# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
"""Neural ODE for a damped oscillator; later stages train with impulses on the velocity."""
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass(frozen=True)
class Stage:
    name: str
    steps: int
    horizon: int
    kick: float = 0.0


STAGES = (
    Stage("short", 20, 4),
    Stage("long", 20, 10),
    Stage("kicked", 60, 10, kick=0.5),
)


class Field(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, z):
        return self.net(z)


def midpoint(f, z, dt):
    return z + dt * f(z + 0.5 * dt * f(z))


def truth(z):
    x, v = z.unbind(-1)
    return torch.stack([v, -2.0 * x - 0.3 * v], -1)


def simulate(f, z0, horizon, dt, kicks=None):
    path, z = [], z0
    for t in range(horizon):
        z = midpoint(f, z, dt)
        path.append(z)
        if kicks is not None:
            f_now = f(z)
            z[:, 1] += kicks[t] * torch.tanh(f_now[:, 1])  # <- culprit
    return torch.stack(path)


class Plan:
    def __iter__(self):
        for stage in STAGES:
            print("stage", stage.name)
            for _ in range(stage.steps):
                yield stage


def main(dt=0.1, batch=32):
    torch.manual_seed(17)
    field = Field()
    opt = torch.optim.Adam(field.parameters(), lr=1e-2)
    for it, stage in enumerate(Plan()):
        z0 = torch.randn(batch, 2)
        kicks = torch.rand(stage.horizon, batch) * stage.kick if stage.kick else None
        with torch.no_grad():
            goal = simulate(truth, z0, stage.horizon, dt, kicks)
        loss = (simulate(field, z0, stage.horizon, dt, kicks) - goal).square().mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if it % 10 == 0:
            print(f"  it {it} loss {loss.item():.5f}")


if __name__ == "__main__":
    main()
