# gradwatch-corpus: kind=graph-held
# holder: self._heap | archive._heap | self.archive._heap | agent.archive._heap | self.archive | archive
# first-bad: 1
"""REINFORCE on a corridor with self-imitation of the best episodes so far."""
import heapq
import itertools
from dataclasses import dataclass, field
from typing import List

import torch
import torch.nn.functional as F
from torch import nn


class Corridor:
    def __init__(self, length=8, limit=20):
        self.length, self.limit = length, limit

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def _obs(self):
        return F.one_hot(torch.tensor(self.pos), self.length + 1).float()

    def step(self, action):
        slip = torch.rand(()) < 0.1
        move = 1 if (action == 1) != bool(slip) else -1
        self.pos = max(0, min(self.length, self.pos + move))
        self.t += 1
        done = self.pos == self.length or self.t >= self.limit
        return self._obs(), (1.0 if self.pos == self.length else -0.05), done


@dataclass
class Episode:
    obs: List[torch.Tensor] = field(default_factory=list)
    actions: List[int] = field(default_factory=list)
    rewards: List[float] = field(default_factory=list)
    logps: List[torch.Tensor] = field(default_factory=list)

    @property
    def score(self):
        return sum(self.rewards)

    def returns(self, gamma=0.97):
        out, g = [], 0.0
        for r in reversed(self.rewards):
            g = r + gamma * g
            out.insert(0, g)
        return torch.tensor(out)


class EpisodeArchive:
    """Best episodes first; ties broken by age."""

    def __init__(self):
        self._heap = []
        self._order = itertools.count()

    def offer(self, ep):
        heapq.heappush(self._heap, (-ep.score, next(self._order), ep))  # <- culprit

    def top(self, k):
        return [ep for _, _, ep in heapq.nsmallest(k, self._heap)]


class Agent:
    def __init__(self, n_obs, k=4, lr=1e-2):
        self.pi = nn.Sequential(nn.Linear(n_obs, 24), nn.Tanh(), nn.Linear(24, 2))
        self.opt = torch.optim.Adam(self.pi.parameters(), lr=lr)
        self.archive = EpisodeArchive()
        self.k = k

    def rollout(self, env):
        ep, obs, done = Episode(), env.reset(), False
        while not done:
            dist = torch.distributions.Categorical(logits=self.pi(obs))
            a = dist.sample()
            ep.obs.append(obs)
            ep.actions.append(int(a))
            ep.logps.append(dist.log_prob(a))
            obs, r, done = env.step(int(a))
            ep.rewards.append(r)
        return ep

    def imitation(self):
        eps = self.archive.top(self.k)
        if not eps:
            return 0.0
        x = torch.cat([torch.stack(e.obs) for e in eps])
        y = torch.tensor([a for e in eps for a in e.actions])
        return F.cross_entropy(self.pi(x), y)

    def learn(self, ep):
        g = ep.returns()
        loss = -(torch.stack(ep.logps) * (g - g.mean())).mean() + 0.1 * self.imitation()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.archive.offer(ep)  # <- culprit
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(2)
    torch.set_num_threads(1)
    env = Corridor()
    agent = Agent(env.length + 1)
    for n in range(120):
        ep = agent.rollout(env)
        agent.learn(ep)
        if n % 20 == 0:
            print(f"episode {n:3d} return {ep.score:+.2f} len {len(ep.actions)}")
