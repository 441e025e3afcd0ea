# gradwatch-corpus: kind=none
"""Market-making toy: recurrent actor-critic with n-step returns."""
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class Book:
    def __init__(self):
        self.mid, self.inv, self.drift = 0.0, 0, 0.0

    def obs(self):
        return torch.tensor([[self.drift, self.inv / 5.0, self.mid % 1.0]])

    def step(self, action):
        side = action - 1
        self.drift = 0.9 * self.drift + 0.1 * torch.randn(()).item()
        move = self.drift + 0.1 * torch.randn(()).item()
        self.inv = max(-5, min(5, self.inv + side))
        self.mid += move
        return self.inv * move - 0.01 * self.inv ** 2


class Trader(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.LSTMCell(3, hidden)
        self.pi = nn.Linear(hidden, 3)
        self.v = nn.Linear(hidden, 1)

    def forward(self, x, state):
        h, c = self.cell(x, state)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(), (h, c)


class Rollout:
    def __init__(self):
        self.logp, self.values, self.rewards, self.entropy = [], [], [], []

    def add(self, dist, action, value, reward):
        self.logp.append(dist.log_prob(action).squeeze())
        self.values.append(value)
        self.rewards.append(reward)
        self.entropy.append(dist.entropy().squeeze())

    def __len__(self):
        return len(self.rewards)

    def loss(self, bootstrap, gamma):
        R, returns = bootstrap, []
        for r in reversed(self.rewards):
            R = r + gamma * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        values = torch.stack(self.values)
        adv = returns - values.detach()
        policy = -(torch.stack(self.logp) * adv).mean()
        return policy + 0.5 * F.mse_loss(values, returns) - 0.01 * torch.stack(self.entropy).mean()

    def clear(self):
        for buf in (self.logp, self.values, self.rewards, self.entropy):
            del buf[:]


def main(ticks=4000, n_step=6, gamma=0.95):
    torch.manual_seed(1)
    book, trader, rollout = Book(), Trader(), Rollout()
    opt = torch.optim.Adam(trader.parameters(), lr=2e-3)
    state = (torch.zeros(1, 24), torch.zeros(1, 24))
    recent = deque(maxlen=300)
    losses = deque(maxlen=40)

    for tick in range(ticks):
        dist, value, state = trader(book.obs(), state)
        action = dist.sample()
        reward = book.step(action.item())
        rollout.add(dist, action, value, reward)
        recent.append(reward)

        if len(rollout) == n_step:
            with torch.no_grad():
                _, boot, _ = trader(book.obs(), state)
            loss = rollout.loss(boot.item(), gamma)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(trader.parameters(), 1.0)
            opt.step()
            losses.append(loss.detach())
            rollout.clear()
            state = tuple(s.detach() for s in state)

        if tick % 400 == 399:
            print(f"tick {tick + 1} loss {torch.stack(list(losses)).mean():.4f} pnl {sum(recent):.3f}")


if __name__ == "__main__":
    main()
