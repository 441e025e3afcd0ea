# gradwatch-corpus: kind=none
import math

import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
        self.log_g = nn.Parameter(torch.tensor(math.log(6.0)))
        self.drag = nn.Parameter(torch.tensor(0.0))

    def accel(self, th, om, u):
        extra = self.net(torch.stack([th.sin(), om, u], -1)).squeeze(-1)
        return -self.log_g.exp() * th.sin() - self.drag * om + u + 0.1 * extra

    def step(self, th, om, u, dt=0.05):
        om = om + dt * self.accel(th, om, u)
        return th + dt * om, om


class Recorder:
    def __init__(self):
        self.loss, self.horizon, self.gravity = [], [], []
        self.endings = []

    def add(self, loss, horizon, g, ending):
        self.loss.append(loss)
        self.horizon.append(horizon)
        self.gravity.append(g)
        self.endings.append(ending)
        if len(self.endings) > 20:
            self.endings.pop(0)


def swing(n, length, gen, dt=0.05):
    th = (torch.rand(n, generator=gen) - 0.5) * 3
    om = torch.randn(n, generator=gen)
    u = torch.randn(n, length, generator=gen).cumsum(1) * 0.1
    path = [(th, om)]
    for k in range(length):
        om = om + dt * (-9.81 * th.sin() - 0.3 * om - 0.1 * om * om.abs() + u[:, k])
        th = th + dt * om
        path.append((th, om))
    return u, torch.stack([torch.stack(p, -1) for p in path], 1)


def horizon_at(it):
    return min(30, 4 + it // 8)


def main():
    torch.manual_seed(80)
    gen = torch.Generator().manual_seed(80)
    model = Residual()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    recorder = Recorder()
    warm = None
    for it in range(420):
        horizon = horizon_at(it)
        u, path = swing(16, horizon, gen)
        th, om = path[:, 0].unbind(-1)
        errors, states = [], []
        for k in range(horizon):
            th, om = model.step(th, om, u[:, k])
            states.append((th, om))
            miss = (th - path[:, k + 1, 0]).pow(2) + 0.1 * (om - path[:, k + 1, 1]).pow(2)
            errors.append(miss.mean() * 0.97 ** k)
        loss = sum(errors) / horizon
        smooth = 0.01 * (states[-1][1] - states[-2][1]).pow(2).mean()
        opt.zero_grad()
        (loss + smooth).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        warm = loss.item() if warm is None else 0.9 * warm + 0.1 * loss.item()
        recorder.add(warm, horizon, model.log_g.exp().item(), torch.stack(states[-1], -1).detach())
        if it % 70 == 69:
            energy = torch.cat(recorder.endings)[:, 1].pow(2).mean().item() / 2
            print(it + 1, f"loss {warm:.4f} horizon {horizon} g {recorder.gravity[-1]:.2f} kinetic {energy:.2f}")


if __name__ == "__main__":
    main()
