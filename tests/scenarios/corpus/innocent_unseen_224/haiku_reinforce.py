# gradwatch-corpus: kind=none
"""Haiku rhythm: a policy picks words so that the lines have 5-7-5 syllables."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

WORDS = {
    "frost": 1, "pond": 1, "heron": 2, "evening": 2, "october": 3,
    "lantern": 2, "old": 1, "persimmon": 3, "falls": 1, "chrysanthemum": 4,
}
NAMES = list(WORDS)


@dataclass
class Trace:
    log_probs: list = field(default_factory=list)
    rewards: list = field(default_factory=list)
    entropies: list = field(default_factory=list)

    def add(self, log_prob, reward, entropy):
        self.log_probs.append(log_prob)
        self.rewards.append(reward)
        self.entropies.append(entropy)

    def clear(self):
        for column in vars(self).values():
            column.clear()


class Poet(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.word = nn.Embedding(len(NAMES) + 1, dim)
        self.left = nn.Linear(1, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, len(NAMES))

    def forward(self, prev, left, h):
        h = self.cell(self.word(prev) + self.left(left), h)
        return Categorical(logits=self.out(h)), h


class Strategy:
    def advantage(self, returns):
        raise NotImplementedError


class MovingMean(Strategy):
    def __init__(self, rate=0.1):
        self.rate = rate
        self.mean = 0.0

    def advantage(self, returns):
        gap = returns - self.mean
        self.mean += self.rate * gap.mean().item()
        return gap


class Workshop:
    def __init__(self, poet, strategy):
        self.poet = poet
        self.strategy = strategy
        self.trace = Trace()
        self.opt = torch.optim.Adam(poet.parameters(), lr=6e-3)
        self.h = None

    def write_line(self, target):
        left = target
        prev = torch.tensor([len(NAMES)])
        words = []
        while left > 0 and len(words) < 7:
            dist, self.h = self.poet(prev, torch.tensor([[left / 7.0]]), self.h)
            prev = dist.sample()
            name = NAMES[prev.item()]
            left -= WORDS[name]
            reward = 1.0 if left == 0 else (-1.0 if left < 0 else 0.0)
            self.trace.add(dist.log_prob(prev), reward, dist.entropy())
            words.append(name)
        return " ".join(words)

    def episode(self):
        self.h = None
        lines = [self.write_line(n) for n in (5, 7, 5)]
        returns = torch.tensor(self.trace.rewards).flip(0).cumsum(0).flip(0)
        adv = self.strategy.advantage(returns)
        log_probs = torch.cat(self.trace.log_probs)
        bonus = torch.cat(self.trace.entropies).mean()
        loss = -(adv * log_probs).mean() - 0.01 * bonus
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        score = sum(self.trace.rewards)
        self.trace.clear()
        return lines, score


if __name__ == "__main__":
    torch.manual_seed(575)
    shop = Workshop(Poet(), MovingMean())
    scores = []
    for k in range(180):
        lines, score = shop.episode()
        scores.append(score)
    print("first 30:", sum(scores[:30]) / 30, "last 30:", sum(scores[-30:]) / 30)
    print(" / ".join(lines))
