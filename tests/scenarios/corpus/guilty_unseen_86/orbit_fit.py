# gradwatch-corpus: kind=graph-held
# holder: rejected | err.__traceback__ | rejected[i].__traceback__ | e.__traceback__
# first-bad: 1
# notice: 8
"""Fit the mass and softening of a central body from noisy satellite tracks.

Every iteration integrates a handful of orbits with a differentiable leapfrog
and compares with the tracks.  Stiff start points are refused by the
integrator; the fit skips those and goes on with the next draw.
"""
import collections

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)


class StepRejected(ArithmeticError):
    def __init__(self, what, value):
        super().__init__(f"{what}: {value:.3f}")
        self.what = what
        self.value = value


class CentralBody(nn.Module):
    def __init__(self, mass=1.0, soft=0.3):
        super().__init__()
        self.log_mass = nn.Parameter(torch.tensor(mass).log())
        self.log_soft = nn.Parameter(torch.tensor(soft).log())

    def forward(self, pos):
        r2 = pos.square().sum(-1, keepdim=True) + self.log_soft.exp().square()
        return -self.log_mass.exp() * pos / r2.pow(1.5)


def energy_drift(vel0, vel1):
    k0 = 0.5 * vel0.square().sum(-1)
    k1 = 0.5 * vel1.square().sum(-1)
    return (k1 - k0).abs().max().item()


def leapfrog(body, pos, vel, n, dt, max_drift):
    path = []
    acc = body(pos)
    for _ in range(n):
        half = vel + 0.5 * dt * acc
        pos = pos + dt * half
        acc = body(pos)
        new_vel = half + 0.5 * dt * acc
        drift = energy_drift(vel, new_vel)
        if drift > max_drift:
            raise StepRejected("kinetic jump", drift)
        vel = new_vel
        path.append(pos)
    return torch.stack(path)


def draw_start(n, near):
    radius = torch.empty(n, 1).uniform_(1.2, 2.0)
    if near:
        radius[0] = 0.12
    angle = torch.rand(n, 1) * 6.2832
    pos = radius * torch.cat([angle.cos(), angle.sin()], 1)
    tangent = torch.cat([-angle.sin(), angle.cos()], 1)
    vel = tangent * (1.6 / radius).sqrt() * torch.empty(n, 1).uniform_(0.9, 1.1)
    return pos, vel


truth = CentralBody(mass=1.6, soft=0.15)
body = CentralBody()
opt = torch.optim.Adam(body.parameters(), lr=0.01)

N_ITER, N_SAT, N_STEP, DT = 300, 5, 6, 0.08
rejected = []

for it in range(N_ITER):
    if it % 4 == 0:
        # now and then try a close pass, they pin down the softening
        try:
            p, v = draw_start(N_SAT, near=True)
            leapfrog(body, p, v, N_STEP, DT, max_drift=0.6)
        except StepRejected as err:
            rejected.append(err)  # <- culprit

    p, v = draw_start(N_SAT, near=False)
    with torch.no_grad():
        track = leapfrog(truth, p, v, N_STEP, DT, 1e9)
        track = track + 0.002 * torch.randn_like(track)
    pred = leapfrog(body, p, v, N_STEP, DT, max_drift=1e9)
    loss = (pred - track).square().mean() * 100

    opt.zero_grad()
    loss.backward()
    opt.step()

    if it % 60 == 59:
        print(f"it {it + 1}: loss {loss.item():.4f} mass {body.log_mass.exp().item():.3f} "
              f"soft {body.log_soft.exp().item():.3f} refused {len(rejected)}")

tally = collections.Counter(e.what for e in rejected)
print(dict(tally), "worst", max((e.value for e in rejected), default=0.0))
