# gradwatch-corpus: kind=graph-held
# holder: self.rows | self.buffer.rows | agent.buffer.rows
# first-bad: 1
"""Contextual bandit with a policy-gradient agent that also re-uses logged decisions (clipped importance weights)."""
import random
from collections import deque, namedtuple
from types import SimpleNamespace

import torch
from torch import nn
from torch.distributions import Categorical

Row = namedtuple("Row", "ctx action logp reward")


class LogBuffer:
    def __init__(self, capacity):
        self.rows = deque(maxlen=capacity)

    def put(self, *fields):
        self.rows.append(Row(*fields))

    def draw(self, k):
        rows = random.sample(self.rows, min(k, len(self.rows)))
        return Row(*(torch.cat(col).detach() for col in zip(*rows)))

    def __len__(self):
        return len(self.rows)


class Shop:
    """Four offers; what pays depends on the visitor."""

    def __init__(self, dim, arms, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(dim, arms, generator=self.g)
        self.dim = dim

    def visitors(self, n):
        return torch.randn(n, self.dim, generator=self.g)

    def pay(self, ctx, action):
        p = torch.sigmoid(ctx @ self.w).gather(1, action[:, None]).squeeze(1)
        return torch.bernoulli(p, generator=self.g)


class Agent:
    def __init__(self, opts):
        self.policy = nn.Sequential(nn.Linear(opts.dim, 32), nn.Tanh(), nn.Linear(32, opts.arms))
        self.opt = torch.optim.RMSprop(self.policy.parameters(), lr=opts.lr)
        self.buffer = LogBuffer(opts.capacity)
        self.baseline = 0.0
        self.opts = opts

    def replay_loss(self):
        past = self.buffer.draw(self.opts.replay)
        dist = Categorical(logits=self.policy(past.ctx))
        weight = (dist.log_prob(past.action) - past.logp).exp().clamp(max=2.0)
        return -(weight * (past.reward - self.baseline)).mean()

    def learn(self, shop):
        ctx = shop.visitors(self.opts.batch)
        dist = Categorical(logits=self.policy(ctx))
        action = dist.sample()
        logp = dist.log_prob(action)
        reward = shop.pay(ctx, action)

        loss = -(logp * (reward - self.baseline)).mean() - 0.01 * dist.entropy().mean()
        if len(self.buffer) >= self.opts.replay:
            loss = loss + 0.5 * self.replay_loss()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()

        self.buffer.put(ctx, action, logp, reward)  # <- culprit
        self.baseline += 0.05 * (reward.mean().item() - self.baseline)


def main():
    opts = SimpleNamespace(dim=8, arms=4, lr=3e-3, batch=16, replay=4, capacity=20000, steps=300)
    random.seed(0)
    torch.manual_seed(0)
    shop = Shop(opts.dim, opts.arms, seed=4)
    agent = Agent(opts)
    for step in range(1, opts.steps + 1):
        agent.learn(shop)
        if step % 100 == 0:
            print(f"step {step}: average pay {agent.baseline:.3f}, logged {len(agent.buffer)}")


if __name__ == "__main__":
    main()
