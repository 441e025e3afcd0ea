# gradwatch-corpus: kind=graph-held
# holder: self._heap | elites._heap
# first-bad: 1
import argparse
import heapq
import itertools
from typing import NamedTuple

import torch
import torch.nn as nn
from torch.distributions import Normal


class Summary(NamedTuple):
    first_obs: torch.Tensor
    actions: torch.Tensor
    entropy: torch.Tensor


class Elites:
    """Episodes ordered by return, for the video/gallery script."""

    def __init__(self):
        self._heap = []
        self._tie = itertools.count()

    def offer(self, ret, summary):
        heapq.heappush(self._heap, (-ret, next(self._tie), summary))  # <- culprit

    def top(self, k):
        return [(-r, s) for r, _, s in heapq.nsmallest(k, self._heap)]

    def __len__(self):
        return len(self._heap)


class PointMass:
    def __init__(self, n, horizon):
        self.n, self.horizon = n, horizon

    def reset(self):
        self.pos = torch.randn(self.n, 2)
        self.vel = torch.zeros(self.n, 2)
        self.goal = torch.randn(self.n, 2)
        self.t = 0
        return self._obs()

    def _obs(self):
        return torch.cat([self.pos, self.vel, self.goal], dim=1)

    def step(self, a):
        self.vel = 0.8 * self.vel + 0.2 * a.clamp(-2, 2)
        self.pos = self.pos + 0.5 * self.vel
        self.t += 1
        r = -(self.pos - self.goal).norm(dim=1) - 0.01 * a.square().sum(1)
        return self._obs(), r, self.t >= self.horizon


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.mu = nn.Linear(64, 2)
        self.log_std = nn.Parameter(torch.zeros(2))

    def forward(self, obs):
        return Normal(self.mu(self.body(obs)), self.log_std.exp())


def rollout(env, policy):
    obs = env.reset()
    first = obs[0].clone()
    logps, rewards, ents, acts, done = [], [], [], [], False
    while not done:
        dist = policy(obs)
        a = dist.sample()
        logps.append(dist.log_prob(a).sum(-1))
        ents.append(dist.entropy().sum(-1) + 0.0 * dist.mean.sum(-1))
        acts.append(a[0])
        obs, r, done = env.step(a)
        rewards.append(r)
    summary = Summary(first, torch.stack(acts), torch.stack(ents).mean())  # <- culprit
    return torch.stack(logps), torch.stack(rewards), summary


def returns_to_go(rewards, gamma):
    out, g = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        g = rewards[t] + gamma * g
        out[t] = g
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=180)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    env, policy, elites = PointMass(32, 14), Policy(), Elites()
    opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
    for update in range(args.updates):
        logp, rew, summary = rollout(env, policy)
        ret = returns_to_go(rew, 0.97)
        adv = (ret - ret.mean(1, keepdim=True)) / (ret.std(1, keepdim=True) + 1e-6)
        loss = -(logp * adv).mean() - 1e-3 * summary.entropy
        opt.zero_grad()
        loss.backward()
        opt.step()
        elites.offer(rew.sum(0).mean().item(), summary)  # <- culprit
        if update % 30 == 0:
            print(f"[{update}] return {rew.sum(0).mean():.2f} entropy {summary.entropy.item():.3f}")
    for r, s in elites.top(3):
        print(f"elite {r:.2f} start {[round(v, 2) for v in s.first_obs.tolist()]}")


if __name__ == "__main__":
    main()
