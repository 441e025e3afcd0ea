# gradwatch-corpus: kind=none
"""PPO on a vectorised point-mass task with a small replay of past rollouts."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.distributions import Normal


@dataclass(slots=True)
class Step:
    obs: torch.Tensor
    action: torch.Tensor
    log_prob: torch.Tensor
    reward: torch.Tensor
    value: torch.Tensor


class PointMass:
    def __init__(self, n: int, seed: int):
        self.gen = torch.Generator().manual_seed(seed)
        self.n = n

    def reset(self) -> torch.Tensor:
        self.x = torch.randn(self.n, 2, generator=self.gen)
        self.v = torch.zeros(self.n, 2)
        return torch.cat([self.x, self.v], -1)

    def step(self, action: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        self.v = 0.9 * self.v + 0.2 * action.clamp(-1, 1)
        self.x = self.x + 0.2 * self.v
        reward = -self.x.norm(dim=-1) - 0.01 * action.square().sum(-1)
        return torch.cat([self.x, self.v], -1), reward


class ActorCritic(nn.Module):
    def __init__(self, hidden: int = 32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, hidden), nn.Tanh())
        self.mu = nn.Linear(hidden, 2)
        self.log_std = nn.Parameter(torch.full((2,), -0.5))
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs: torch.Tensor) -> tuple[Normal, torch.Tensor]:
        h = self.trunk(obs)
        return Normal(self.mu(h), self.log_std.exp()), self.v(h).squeeze(-1)


def rollout(env: PointMass, net: ActorCritic, length: int) -> list[Step]:
    obs, steps = env.reset(), []
    for _ in range(length):
        dist, value = net(obs)
        action = dist.sample()
        log_prob = dist.log_prob(action).sum(-1)
        nxt, reward = env.step(action)
        steps.append(Step(obs, action, log_prob.detach(), reward, value.detach()))
        obs = nxt
    return steps


def returns(steps: list[Step], gamma: float = 0.95) -> torch.Tensor:
    acc, out = steps[-1].value, []
    for s in reversed(steps):
        acc = s.reward + gamma * acc
        out.append(acc)
    return torch.stack(out[::-1])


def ppo_loss(net: ActorCritic, steps: list[Step], clip: float = 0.2) -> torch.Tensor:
    ret = returns(steps)
    adv = ret - torch.stack([s.value for s in steps])
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    dist, value = net(torch.stack([s.obs for s in steps]))
    logp = dist.log_prob(torch.stack([s.action for s in steps])).sum(-1)
    ratio = (logp - torch.stack([s.log_prob for s in steps])).exp()
    surrogate = torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv)
    return -surrogate.mean() + 0.5 * (value - ret).square().mean() - 1e-3 * dist.entropy().mean()


def main() -> None:
    torch.manual_seed(4)
    env, net = PointMass(32, seed=40), ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    past: deque[list[Step]] = deque(maxlen=60)
    for it in range(120):
        steps = rollout(env, net, 8)
        past.append(steps)
        for _ in range(4):
            loss = ppo_loss(net, steps)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
        if it % 20 == 0:
            score = torch.stack([s.reward.mean() for r in past for s in r]).mean().item()
            print(f"iter {it:3d} reward {score:.3f}")


if __name__ == "__main__":
    main()
