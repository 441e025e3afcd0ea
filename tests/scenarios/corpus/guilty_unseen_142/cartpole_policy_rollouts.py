# gradwatch-corpus: kind=graph-held
# holder: diverged | self.diverged | trainer.diverged | rig.diverged
# first-bad: 1
# notice: 8
"""Policy search through a differentiable pendulum-on-cart."""
import torch
from torch import nn
torch.set_num_threads(1)


class Diverged(RuntimeError):
    def __init__(self, t, worst):
        super().__init__(f"state left the rails at t={t}: |x|={worst:.2f}")
        self.t = t


class Plant:
    dt, limit = 0.05, 2.5

    def step(self, s, u):
        x, v, th, w = s.unbind(-1)
        a = u - 0.1 * v
        alpha = 9.8 * torch.sin(th) - a * torch.cos(th) - 0.05 * w
        return torch.stack([x + self.dt * v, v + self.dt * a, th + self.dt * w, w + self.dt * alpha], -1)


def rollout(plant, policy, s, horizon, guard=True):
    cost = 0.0
    for t in range(horizon):
        s = plant.step(s, policy(s).squeeze(-1))
        cost = cost + (s[:, 2] ** 2 + 0.1 * s[:, 0] ** 2).mean()
        worst = s.detach().abs().max().item()
        if guard and worst > plant.limit:
            raise Diverged(t, worst)
    return cost / horizon


class Rig:
    def __init__(self):
        self.plant = Plant()
        self.policy = nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 1))
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=3e-3)
        self.diverged = []

    def objective(self, s0):
        try:
            return rollout(self.plant, self.policy, s0, 15)
        except Diverged as why:
            self.diverged.append(why)  # <- culprit
        return rollout(self.plant, self.policy, s0 * 0.2, 5, guard=False)

    def train(self, iters):
        for k in range(iters):
            s0 = torch.randn(6, 4) * torch.tensor([0.6, 0.4, 0.6, 0.4])
            j = self.objective(s0)
            self.opt.zero_grad()
            j.backward()
            self.opt.step()
            if k % 50 == 0:
                when = [d.t for d in self.diverged[-5:]]
                print(f"{k} J={j.item():.4f} diverged={len(self.diverged)} last at {when}")


torch.manual_seed(2)
rig = Rig()
rig.train(320)
