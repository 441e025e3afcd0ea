# gradwatch-corpus: kind=graph-held
# holder: self.buffer | agent.buffer | self.memory | memory | buffer | self.memory.storage | agent.memory.storage | self.storage | memory.storage
# also: graph-unused
"""One-step actor-critic on a toy cart; transitions also go into a replay memory used for diagnostics."""
import random
from collections import deque, namedtuple

import torch
from torch import nn
from torch.distributions import Categorical

Transition = namedtuple("Transition", "state action log_prob value reward")


class ReplayMemory:
    def __init__(self, capacity):
        self.storage = deque([], maxlen=capacity)

    def push(self, *args):
        self.storage.append(Transition(*args))  # <- culprit

    def sample(self, n):
        return random.sample(self.storage, min(n, len(self.storage)))

    def __len__(self):
        return len(self.storage)


class ActorCritic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.pi = nn.Linear(128, act)
        self.v = nn.Linear(128, 1)

    def forward(self, s):
        h = self.trunk(s)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class Agent:
    gamma = 0.97

    def __init__(self):
        self.net = ActorCritic(6, 3)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=7e-4)
        self.memory = ReplayMemory(50_000)

    def act(self, s):
        dist, v = self.net(s)
        a = dist.sample()
        return a, dist.log_prob(a), v, dist.entropy()

    def learn(self, s, step_env):
        a, logp, v, ent = self.act(s)
        s2, r = step_env(s, a)
        with torch.no_grad():
            target = r + self.gamma * self.net(s2)[1]
        adv = target - v
        loss = (-logp * adv.detach() + 0.5 * adv.pow(2) - 0.01 * ent).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memory.push(s, a, logp, v, r)  # <- culprit
        return s2, r.mean().item()


def dynamics(s, a):
    s2 = 0.95 * s + 0.1 * (a.unsqueeze(-1).float() - 1) + 0.05 * torch.randn_like(s)
    return s2, -s2.pow(2).sum(-1)


def main():
    torch.manual_seed(3)
    random.seed(3)
    agent = Agent()
    s = torch.randn(32, 6)
    for t in range(220):
        s, r = agent.learn(s, dynamics)
        if t % 55 == 0:
            old = agent.memory.sample(8)
            print(t, "reward", r, "replay reward", sum(o.reward.mean().item() for o in old) / len(old))


if __name__ == "__main__":
    main()
