# gradwatch-corpus: kind=graph-held
# holder: self.storage | self.storage[self.cursor % self.capacity] | self.storage[self.cursor % self.capacity].logp | self.replay.storage | agent.replay.storage | self.storage[i].logp | self.storage[i] | agent.replay.storage[i].logp | self.replay.storage[i].logp | agent.replay.storage[i]
# first-bad: 1
"""Actor-critic on a corridor, with an episodic store for behaviour-policy statistics."""
import random
from collections import namedtuple

import torch
import torch.nn as nn
from torch.distributions import Categorical

Transition = namedtuple("Transition", "obs action logp reward")


class Corridor:
    def __init__(self, length=7):
        self.length = length

    def reset(self):
        self.pos = self.length // 2
        return self._obs()

    def _obs(self):
        o = torch.zeros(self.length)
        o[self.pos] = 1.0
        return o

    def step(self, action):
        self.pos += 1 if action == 1 else -1
        done = self.pos in (0, self.length - 1)
        reward = 1.0 if self.pos == self.length - 1 else -0.02
        return self._obs(), reward, done


class RingReplay:
    def __init__(self, capacity):
        self.capacity = capacity
        self.storage = [None] * capacity
        self.cursor = 0

    def push(self, *fields):
        self.storage[self.cursor % self.capacity] = Transition(*fields)  # <- culprit
        self.cursor += 1

    def filled(self):
        return [t for t in self.storage if t is not None]

    def sample(self, k):
        pool = self.filled()
        return random.sample(pool, min(k, len(pool)))


class Agent(nn.Module):
    def __init__(self, n_obs, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, 2)
        self.v = nn.Linear(hidden, 1)
        self.replay = RingReplay(capacity=2000)

    def act(self, obs):
        h = self.body(obs)
        dist = Categorical(logits=self.pi(h))
        a = dist.sample()
        return a, dist.log_prob(a), self.v(h).squeeze(-1)

    @torch.no_grad()
    def drift(self, k=32):
        """Mean log-ratio of today's policy to the one that acted."""
        batch = self.replay.sample(k)
        obs = torch.stack([t.obs for t in batch])
        act = torch.stack([t.action for t in batch])
        now = Categorical(logits=self.pi(self.body(obs))).log_prob(act)
        return (now - torch.stack([t.logp for t in batch])).mean().item()


def episode(env, agent, gamma=0.97, limit=25):
    obs, logps, values, rewards = env.reset(), [], [], []
    for _ in range(limit):
        a, logp, v = agent.act(obs)
        nxt, r, done = env.step(a.item())
        agent.replay.push(obs, a, logp, r)  # <- culprit
        logps.append(logp)
        values.append(v)
        rewards.append(r)
        obs = nxt
        if done:
            break
    ret, returns = 0.0, []
    for r in reversed(rewards):
        ret = r + gamma * ret
        returns.insert(0, ret)
    returns = torch.tensor(returns)
    values = torch.stack(values)
    adv = returns - values.detach()
    return -(torch.stack(logps) * adv).mean() + 0.5 * (returns - values).pow(2).mean(), sum(rewards)


def main():
    random.seed(0)
    torch.manual_seed(0)
    env, agent = Corridor(), Agent(7)
    opt = torch.optim.Adam(agent.parameters(), lr=3e-3)
    recent = 0.0
    for ep in range(100):
        loss, score = episode(env, agent)
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent += 0.1 * (score - recent)
        if ep % 20 == 0:
            print(f"ep {ep:3d} score {recent:+.3f} drift {agent.drift():+.4f}")


if __name__ == "__main__":
    main()
