# gradwatch-corpus: kind=none
"""DAgger for a planar two-link arm. The novice drives, the expert relabels, a small replay of aggregated rollouts is
kept, and a slow copy of the novice serves as the behaviour policy."""
import abc
import copy
import random
from collections import deque

import torch
from torch import nn


class Policy(abc.ABC):
    @abc.abstractmethod
    def act(self, obs: torch.Tensor) -> torch.Tensor:
        ...


class ArmMixin:
    """Kinematics shared by the expert and the simulator."""

    L1, L2 = 1.0, 0.8

    def tip(self, q):
        a, b = q[..., 0], q[..., 0] + q[..., 1]
        return torch.stack([self.L1 * a.cos() + self.L2 * b.cos(), self.L1 * a.sin() + self.L2 * b.sin()], -1)

    def jacobian(self, q):
        a, b = q[..., 0], q[..., 0] + q[..., 1]
        row_x = torch.stack([-self.L1 * a.sin() - self.L2 * b.sin(), -self.L2 * b.sin()], -1)
        row_y = torch.stack([self.L1 * a.cos() + self.L2 * b.cos(), self.L2 * b.cos()], -1)
        return torch.stack([row_x, row_y], -2)


class Expert(ArmMixin, Policy):
    """Damped transposed-Jacobian servo."""

    def act(self, obs):
        q, goal = obs[..., :2], obs[..., 2:]
        error = goal - self.tip(q)
        return (self.jacobian(q).transpose(-1, -2) @ error[..., None]).squeeze(-1).clamp(-1, 1)


class Novice(nn.Module, Policy):
    def __init__(self, hidden=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU(), nn.Linear(hidden, 2))

    def forward(self, obs):
        q = obs[..., :2]
        return torch.tanh(self.net(torch.cat([q.sin(), q.cos(), obs[..., 2:]], -1)))

    @torch.no_grad()
    def act(self, obs):
        return self(obs)


class Arm(ArmMixin):
    def __init__(self, n, seed):
        self.n, self.gen = n, torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        self.q = 2 * torch.rand(self.n, 2, generator=self.gen) - 1
        angle = 6.28 * torch.rand(self.n, generator=self.gen)
        radius = 0.5 + torch.rand(self.n, generator=self.gen)
        self.goal = radius[:, None] * torch.stack([angle.cos(), angle.sin()], 1)

    @property
    def obs(self):
        return torch.cat([self.q, self.goal], 1)

    @property
    def distance(self):
        return (self.goal - self.tip(self.q)).norm(dim=1).mean().item()

    def move(self, velocity):
        self.q = self.q + 0.15 * velocity


def collector(arm, behaviour, expert, rollout):
    """Coroutine: send the share of expert driving, get back labelled observations of one rollout step."""
    share = yield
    while True:
        arm.reset()
        for _ in range(rollout):
            obs, label = arm.obs, expert.act(arm.obs)
            drive = torch.where(torch.rand(arm.n, 1, generator=arm.gen) < share, label, behaviour.act(obs))
            arm.move(drive)
            share = yield obs, label


class SlowCopy:
    """target <- target + rate * (source - target), as a callable"""

    def __init__(self, source, rate):
        self.source, self.rate = source, rate
        self.target = copy.deepcopy(source).requires_grad_(False)

    def __call__(self):
        pairs = zip(self.target.parameters(), self.source.parameters())
        for t, s in pairs:
            t.data.add_(s.data - t.data, alpha=self.rate)


def main(steps=260):
    torch.manual_seed(20)
    rng = random.Random(20)
    novice, expert, arm = Novice(), Expert(), Arm(n=24, seed=21)
    slow = SlowCopy(novice, 0.05)
    replay = deque(maxlen=32)
    source = collector(arm, slow.target, expert, rollout=20)
    next(source)
    optimizer = torch.optim.Adam(novice.parameters(), lr=2e-3)
    for step in range(steps):
        replay.append(source.send(max(0.0, 1 - step / 120)))
        picked = rng.sample(range(len(replay)), k=min(4, len(replay)))
        obs = torch.cat([replay[i][0] for i in picked])
        label = torch.cat([replay[i][1] for i in picked])
        loss = (novice(obs) - label).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        slow()
        if step % 65 == 64:
            print(f"step {step + 1:4d} imitation {loss.item():.4f} distance to goal {arm.distance:.3f}")
    source.close()


if __name__ == "__main__":
    main()
