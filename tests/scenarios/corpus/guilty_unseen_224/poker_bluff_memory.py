# gradwatch-corpus: kind=second-backward
# holder: self.memory | coach.memory
# first-bad: 2
"""Policy for a one-card poker toy: keeps hands in memory and trains on samples."""
import random
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Hand:
    card: float
    log_prob: torch.Tensor
    entropy: torch.Tensor
    payoff: float


class Table:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def deal(self):
        return self.rng.random(), self.rng.random()

    def settle(self, mine, theirs, action):
        if action == 0:
            return -1.0
        caller = theirs > 0.45
        if not caller:
            return 1.0
        stake = 1.0 + action
        return stake if mine > theirs else -stake


class Player(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("knots", torch.linspace(0, 1, 9))
        self.net = nn.Linear(9, 3)

    def forward(self, card):
        x = torch.exp(-40 * (card - self.knots) ** 2)
        return Categorical(logits=self.net(x))


class Coach:
    def __init__(self, player, table, sample=5):
        self.player = player
        self.table = table
        self.memory = deque(maxlen=200)
        self.sample = sample
        self.opt = torch.optim.SGD(player.parameters(), lr=0.02)
        self.baseline = 0.0

    def play(self, hands):
        for _ in range(hands):
            mine, theirs = self.table.deal()
            dist = self.player(mine)
            action = dist.sample()
            payoff = self.table.settle(mine, theirs, action.item())
            hand = Hand(mine, dist.log_prob(action), dist.entropy(), payoff)  # <- culprit
            self.memory.append(hand)  # <- culprit
            self.baseline += 0.02 * (payoff - self.baseline)

    def learn(self):
        batch = random.sample(self.memory, self.sample)
        gain = sum(h.log_prob * (h.payoff - self.baseline) for h in batch)
        spread = sum(h.entropy for h in batch)
        loss = -(gain + 0.01 * spread) / len(batch)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def session(self, rounds):
        self.play(hands=120)
        for r in range(rounds):
            self.play(hands=4)
            value = self.learn()
            if r % 20 == 0:
                print(f"round {r} loss {value:.3f} baseline {self.baseline:.3f}")


if __name__ == "__main__":
    random.seed(4)
    torch.manual_seed(4)
    coach = Coach(Player(), Table(seed=21))
    coach.session(rounds=100)
