# gradwatch-corpus: kind=graph-held
# holder: self.sum | meter.sum | self.meters[name].sum | self.meters["bc/loss"].sum | self.logbook.meters["bc/loss"].sum | trainer.logbook.meters["bc/loss"].sum | logbook.meters["bc/loss"].sum
# first-bad: 1
"""Behaviour cloning of a planar 3-link arm: a small network learns the joint deltas
of a damped least-squares IK controller (lab exercise 4, solution of group 7)."""
import math
from collections import OrderedDict

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

LINKS = torch.tensor([0.45, 0.35, 0.2])


def forward_kinematics(q):
    angles = torch.cumsum(q, dim=-1)
    return torch.stack(((LINKS * angles.cos()).sum(-1), (LINKS * angles.sin()).sum(-1)), dim=-1)


def jacobian(q):
    angles = torch.cumsum(q, dim=-1)
    s, c = LINKS * angles.sin(), LINKS * angles.cos()
    # column j of J: sum over links i >= j
    flip = lambda t: t.flip(-1).cumsum(-1).flip(-1)
    return torch.stack((-flip(s), flip(c)), dim=-2)


def expert_delta(q, goal, damping=0.08):
    err = (goal - forward_kinematics(q)).unsqueeze(-1)
    J = jacobian(q)
    JJt = J @ J.transpose(-1, -2) + damping * torch.eye(2)
    return (J.transpose(-1, -2) @ torch.linalg.solve(JJt, err)).squeeze(-1)


class Demonstrations(IterableDataset):
    def __init__(self, steps, batch, seed=0):
        self.steps, self.batch = steps, batch
        self.gen = torch.Generator().manual_seed(seed)

    def __iter__(self):
        for _ in range(self.steps):
            q = (torch.rand(self.batch, 3, generator=self.gen) - 0.5) * math.pi
            r = 0.3 + 0.6 * torch.rand(self.batch, 1, generator=self.gen)
            phi = (torch.rand(self.batch, 1, generator=self.gen) - 0.5) * math.pi
            goal = torch.cat((r * phi.cos(), r * phi.sin()), dim=-1)
            yield q, goal, expert_delta(q, goal)


class ArmPolicy(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(8, width), nn.ELU(), nn.Linear(width, width), nn.ELU(), nn.Linear(width, 3)
        )

    def forward(self, q, goal):
        return self.body(torch.cat((q.sin(), q.cos(), goal), dim=-1))


class Meter:
    """Sample-weighted mean since the start of the run, plus the last value."""

    def __init__(self, fmt="{:.4f}"):
        self.fmt = fmt
        self.sum = 0.0
        self.count = 0
        self.last = 0.0

    def update(self, value, n=1):
        self.last = float(value)
        self.sum += value * n  # <- culprit
        self.count += n

    def __str__(self):
        mean = float(self.sum) / max(self.count, 1)
        return self.fmt.format(self.last) + " (" + self.fmt.format(mean) + ")"


class Logbook:
    def __init__(self):
        self.meters = OrderedDict()

    def push(self, n, **values):
        for name, value in values.items():
            name = name.replace("__", "/")
            if name not in self.meters:
                self.meters[name] = Meter()
            self.meters[name].update(value, n)

    def line(self):
        return "  ".join(f"{k} {m}" for k, m in self.meters.items())


class Trainer:
    def __init__(self, policy, lr=2e-3):
        self.policy = policy
        self.optimizer = torch.optim.Adam(policy.parameters(), lr=lr)
        self.criterion = nn.SmoothL1Loss(beta=0.1)
        self.logbook = Logbook()

    def step(self, q, goal, target):
        self.optimizer.zero_grad(set_to_none=True)
        delta = self.policy(q, goal)
        loss = self.criterion(delta, target)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.policy.parameters(), 5.0)
        self.optimizer.step()
        self.logbook.push(len(q), bc__loss=loss, bc__grad_norm=norm.item())  # <- culprit

    @torch.no_grad()
    def reach_error(self, n=128, horizon=15):
        q = torch.zeros(n, 3)
        phi = torch.linspace(-1.2, 1.2, n)
        goal = 0.7 * torch.stack((phi.cos(), phi.sin()), dim=-1)
        for _ in range(horizon):
            q = q + 0.5 * self.policy(q, goal)
        return (forward_kinematics(q) - goal).norm(dim=-1).mean().item()

    def fit(self, loader, report=60):
        for it, batch in enumerate(loader):
            self.step(*batch)
            if (it + 1) % report == 0:
                print(f"[{it + 1:4d}] {self.logbook.line()}  reach {self.reach_error():.3f} m")


if __name__ == "__main__":
    torch.manual_seed(4)
    torch.set_num_threads(1)
    demos = DataLoader(Demonstrations(steps=300, batch=96), batch_size=None)
    trainer = Trainer(ArmPolicy())
    trainer.fit(demos)
