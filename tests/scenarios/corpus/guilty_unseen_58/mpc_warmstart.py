# gradwatch-corpus: kind=graph-chain
# holder: plan | self.plan | mpc.plan | controller.plan
# first-bad: 1
"""Gradient-based MPC with a learned dynamics model (pendulum).

"""
import argparse
import math
import random

import torch
import torch.nn as nn


class Dynamics(nn.Module):
    def __init__(self, obs=3, act=1, hid=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs + act, hid), nn.SiLU(), nn.Linear(hid, obs))

    def forward(self, s, a):
        return s + 0.1 * self.net(torch.cat([s, a], -1))


class Pendulum:
    def __init__(self):
        self.th, self.w = math.pi, 0.0

    def obs(self):
        return torch.tensor([math.cos(self.th), math.sin(self.th), self.w])

    def step(self, u):
        self.w += 0.05 * (7.5 * math.sin(self.th) + 3.0 * u)
        self.w = max(-8.0, min(8.0, self.w))
        self.th += 0.05 * self.w
        return self.obs()


def stage_cost(s, a):
    return (s[0] - 1) ** 2 + s[1] ** 2 + 0.05 * s[2] ** 2 + 0.01 * a.pow(2).sum()


class GradMPC:
    def __init__(self, model, horizon, iters, lr):
        self.model, self.horizon, self.iters, self.lr = model, horizon, iters, lr
        self.plan = torch.zeros(horizon, 1, requires_grad=True)

    def rollout_cost(self, s, plan):
        cost = 0.0
        for t in range(self.horizon):
            s = self.model(s, plan[t])
            cost = cost + stage_cost(s, plan[t])
        return cost

    def act(self, s):
        # warm start from the previous solution, shifted by one step
        plan = torch.cat([self.plan[1:], self.plan[-1:]])  # <- culprit
        for _ in range(self.iters):
            (g,) = torch.autograd.grad(self.rollout_cost(s, plan), plan)
            plan = (plan - self.lr * g).clamp(-1, 1)  # <- culprit
        self.plan = plan  # <- culprit
        return plan[0].item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=120)
    p.add_argument("--horizon", type=int, default=8)
    p.add_argument("--iters", type=int, default=3)
    args = p.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    torch.set_num_threads(1)

    env, model = Pendulum(), Dynamics()
    mpc = GradMPC(model, args.horizon, args.iters, 0.1)
    opt = torch.optim.Adam(model.parameters(), 3e-3)
    data = []
    s = env.obs()
    for step in range(args.steps):
        u = mpc.act(s) + 0.1 * random.gauss(0, 1)
        s2 = env.step(u)
        data.append((s, torch.tensor([u]), s2))
        del data[:-500]
        batch = random.choices(data, k=32)
        bs, ba, bn = (torch.stack(x) for x in zip(*batch))
        loss = nn.functional.mse_loss(model(bs, ba), bn)
        opt.zero_grad()
        loss.backward()
        opt.step()
        s = s2
        if step % 20 == 0:
            print(f"step {step:4d}  model loss {loss.item():.5f}  u {u:+.3f}")


if __name__ == "__main__":
    main()
