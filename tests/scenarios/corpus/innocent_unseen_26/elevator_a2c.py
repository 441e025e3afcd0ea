# gradwatch-corpus: kind=none
"""Elevator dispatch with n-step advantage actor-critic. Log-probabilities and values of a rollout are kept with
their graphs (they are what the loss is made of) and dropped after the update."""
from types import SimpleNamespace
from typing import List, NamedTuple

import torch
from torch import Tensor, nn
from torch.distributions import Categorical


class Shaft:
    def __init__(self, floors=6, lifts=8, seed=0):
        self.floors, self.lifts = floors, lifts
        self.gen = torch.Generator().manual_seed(seed)
        self.at = torch.zeros(lifts, dtype=torch.long)
        self.queue = torch.zeros(lifts, floors)

    def observe(self):
        where = torch.nn.functional.one_hot(self.at, self.floors).float()
        return torch.cat([where, self.queue / 5], 1)

    def step(self, action):
        self.at = (self.at + action - 1).clamp(0, self.floors - 1)
        self.queue = self.queue + (torch.rand(self.lifts, self.floors, generator=self.gen) < 0.08)
        rows = torch.arange(self.lifts)
        served = self.queue[rows, self.at].clone()
        self.queue[rows, self.at] = 0
        return self.observe(), served - 0.05 * self.queue.sum(1)


class Step(NamedTuple):
    logp: Tensor
    value: Tensor
    entropy: Tensor
    reward: Tensor


class Rollout:
    def __init__(self):
        self.steps: List[Step] = []

    def __iadd__(self, step):
        self.steps.append(step)
        return self

    def __len__(self):
        return len(self.steps)

    def consume(self, last_value, gamma, lam):
        """GAE over the stored steps; empties the rollout."""
        adv, out, nxt = torch.zeros_like(last_value), [], last_value
        for s in reversed(self.steps):
            delta = s.reward + gamma * nxt - s.value.detach()
            adv = delta + gamma * lam * adv
            nxt = s.value.detach()
            out.append((s, adv))
        self.steps = []
        return out[::-1]


class Policy(nn.Module):
    def __init__(self, n_obs, n_act=3, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh())
        self.memory = nn.GRUCell(width, width)
        self.pi, self.v = nn.Linear(width, n_act), nn.Linear(width, 1)

    def forward(self, obs, h):
        h = self.memory(self.body(obs), h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h


def main():
    a = SimpleNamespace(updates=90, n=8, gamma=0.97, lam=0.95, lr=3e-3, beta=0.01)
    torch.manual_seed(0)
    env = Shaft()
    net = Policy(env.observe().shape[1])
    opt = torch.optim.RMSprop(net.parameters(), lr=a.lr)
    obs, h = env.observe(), torch.zeros(env.lifts, 32)
    rollout, returns = Rollout(), []
    while len(returns) < a.updates:
        dist, value, h = net(obs, h)
        action = dist.sample()
        obs, reward = env.step(action)
        rollout += Step(dist.log_prob(action), value, dist.entropy(), reward)
        if len(rollout) < a.n:
            continue
        with torch.no_grad():
            last = net(obs, h)[1]
        loss = 0.0
        for s, adv in rollout.consume(last, a.gamma, a.lam):
            loss = loss - (s.logp * adv).mean() + 0.5 * (adv + s.value.detach() - s.value).pow(2).mean() \
                - a.beta * s.entropy.mean()
            last_reward = s.reward.mean().item()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        h = h.detach()
        returns.append(last_reward)
        if len(returns) % 30 == 0:
            print(len(returns), f"{sum(returns[-30:]) / 30:.3f}")


if __name__ == "__main__":
    main()
