# gradwatch-corpus: kind=graph-held
# holder: self.data | replay.data
# first-bad: 1
"""Ordering policy for a shop: on-policy gradient plus a clipped off-policy term from replay."""
import random
from collections import deque, namedtuple

import torch
from torch import nn
from torch.distributions import Categorical

Transition = namedtuple("Transition", "stock action logp ret")


class Replay:
    def __init__(self, capacity):
        self.data = deque(maxlen=capacity)

    def __len__(self):
        return len(self.data)

    def push(self, *args):
        self.data.append(Transition(*args))  # <- culprit

    def sample(self, k):
        batch = Transition(*zip(*random.sample(self.data, k)))
        return (torch.stack(batch.stock), torch.stack(batch.action),
                torch.stack(batch.logp).detach(), torch.stack(batch.ret))


class Policy(nn.Module):
    def __init__(self, n_items=3, n_orders=6):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_items, 32), nn.Tanh(), nn.Linear(32, n_items * n_orders))
        self.shape = (n_items, n_orders)

    def forward(self, stock):
        return Categorical(logits=self.net(stock).view(-1, *self.shape))


def profit(stock, order):
    demand = torch.poisson(torch.full_like(stock, 2.5))
    have = stock + order
    sold = torch.minimum(have, demand)
    return (2.0 * sold - 0.6 * order - 0.2 * (have - sold)).sum(-1)


def off_policy_loss(policy, replay, k, clip=0.3):
    stock, action, old_logp, ret = replay.sample(k)
    logp = policy(stock).log_prob(action).sum(-1)
    ratio = torch.exp(logp - old_logp)
    adv = ret - ret.mean()
    return -torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()


def learn(policy, weeks=150, shops=16):
    opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
    replay = Replay(capacity=4000)
    baseline = 0.0
    for week in range(weeks):
        stock = torch.randint(0, 4, (shops, 3)).float()
        dist = policy(stock)
        action = dist.sample()
        logp = dist.log_prob(action).sum(-1)
        ret = profit(stock, action.float())
        loss = -(logp * (ret - baseline)).mean() - 0.01 * dist.entropy().mean()
        if len(replay) >= 64:
            loss = loss + 0.5 * off_policy_loss(policy, replay, 64)
        opt.zero_grad()
        loss.backward()
        opt.step()
        baseline = 0.9 * baseline + 0.1 * ret.mean().item()
        for row in zip(stock, action, logp, ret):  # <- culprit
            replay.push(*row)  # <- culprit
        if week % 30 == 0:
            print(f"week {week:3d} profit {baseline:.2f} replay {len(replay)}")
    return policy


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    learn(Policy())
