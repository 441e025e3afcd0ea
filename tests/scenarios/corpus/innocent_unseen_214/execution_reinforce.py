# gradwatch-corpus: kind=none
"""Optimal execution with REINFORCE + learned baseline (MFE course, homework 4)."""
import torch
from torch import nn
from torch.distributions import Beta

HORIZON = 16


class Trader(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.cell = nn.GRUCell(4, h)
        self.ab = nn.Linear(h, 2)
        self.baseline = nn.Linear(h, 1)
        self.log_probs, self.values, self.rewards = [], [], []
        self.h = None

    def begin(self, lanes):
        self.h = torch.zeros(lanes, self.cell.hidden_size)

    def decide(self, obs):
        self.h = self.cell(obs, self.h)
        a, b = nn.functional.softplus(self.ab(self.h)).add(1.0).unbind(-1)
        dist = Beta(a, b)
        frac = dist.sample()
        self.log_probs.append(dist.log_prob(frac))
        self.values.append(self.baseline(self.h).squeeze(-1))
        return frac

    def clear(self):
        del self.log_probs[:], self.values[:], self.rewards[:]
        self.h = None


class Book:
    def __init__(self, lanes, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.lanes = lanes

    def reset(self):
        self.left = torch.ones(self.lanes)
        self.mid = torch.zeros(self.lanes)
        self.drift = 0.05 * torch.randn(self.lanes, generator=self.g)
        self.k = 0
        return self.obs()

    def obs(self):
        t = torch.full((self.lanes,), self.k / HORIZON)
        return torch.stack([self.left, self.mid, t, self.drift.sign()], -1)

    def sell(self, frac):
        qty = self.left * (frac if self.k < HORIZON - 1 else torch.ones_like(frac))
        cash = qty * self.mid - 0.8 * qty ** 2
        self.left = self.left - qty
        self.mid = self.mid + self.drift - 0.3 * qty + 0.05 * torch.randn(self.lanes, generator=self.g)
        self.k += 1
        return self.obs(), cash


def finish(agent, opt, gamma=1.0):
    R, returns = torch.zeros_like(agent.rewards[0]), []
    for r in reversed(agent.rewards):
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.stack(returns)
    values = torch.stack(agent.values)
    adv = returns - values.detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    loss = 0
    for lp, a in zip(agent.log_probs, adv):
        loss += -(lp * a).mean()
    loss = loss / HORIZON + 0.5 * (values - returns).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(agent.parameters(), 1.0)
    opt.step()
    score = returns[0].mean().item()
    agent.clear()
    return score


def main(episodes=90):
    torch.manual_seed(19)
    agent, book = Trader(), Book(32, 19)
    opt = torch.optim.Adam(agent.parameters(), 4e-3)
    scores = []
    for ep in range(episodes):
        obs = book.reset()
        agent.begin(book.lanes)
        for _ in range(HORIZON):
            obs, cash = book.sell(agent.decide(obs))
            agent.rewards.append(cash)
        scores.append(finish(agent, opt))
        if ep % 30 == 29:
            print(f"episode {ep + 1}: implementation shortfall {-sum(scores[-30:]) / 30:.4f}")


main()
