# gradwatch-corpus: kind=none
"""Differentiable mass-spring chain with a neural controller; the simulator's state lives on between windows."""
from dataclasses import dataclass, replace
import torch
from torch import nn

torch.set_num_threads(1)


@dataclass
class ChainState:
    x: torch.Tensor
    v: torch.Tensor
    t: int = 0

    def releaf(self):
        return replace(self, x=self.x.detach(), v=self.v.detach())


class MassSpring:
    def __init__(self, n=6, k=30.0, damp=1.0, dt=0.02):
        self.k, self.damp, self.dt, self.rest = k, damp, dt, 1.0
        self.init = ChainState(torch.arange(n, dtype=torch.float32), torch.zeros(n))

    def step(self, s, u):
        ext = s.x[1:] - s.x[:-1] - self.rest
        f = torch.zeros_like(s.x)
        f = f + torch.cat([self.k * ext, u.view(1)]) - torch.cat([torch.zeros(1), self.k * ext])
        v = s.v + self.dt * (f - self.damp * s.v)
        v = torch.cat([torch.zeros(1), v[1:]])
        return ChainState(s.x + self.dt * v, v, s.t + 1)


class Controller(nn.Module):
    def __init__(self, n=6):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2 * n + 1, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, s, goal):
        return 10 * self.net(torch.cat([s.x / 5 - 0.5, s.v, goal.view(1)])).squeeze()


def windows(sim, ctrl, n_win, horizon):
    s = sim.init
    goal = torch.tensor(5.0)
    for w in range(n_win):
        if w % 50 == 0:
            goal = 4.5 + torch.rand(())
        traj = []
        for _ in range(horizon):
            s = sim.step(s, ctrl(s, goal))
            traj.append(s)
        cost = torch.stack([(q.x[-1] - goal) ** 2 + 0.01 * q.v.pow(2).mean() for q in traj]).mean()
        yield cost
        s = traj[-1].releaf()


torch.manual_seed(81)
sim, ctrl = MassSpring(), Controller()
opt = torch.optim.Adam(ctrl.parameters(), 2e-3)
for w, cost in enumerate(windows(sim, ctrl, 420, 6)):
    opt.zero_grad()
    cost.backward()
    nn.utils.clip_grad_norm_(ctrl.parameters(), 1.0)
    opt.step()
    if w % 105 == 0:
        print(w, f"{cost.item():.4f}")
