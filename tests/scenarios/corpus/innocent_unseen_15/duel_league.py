# gradwatch-corpus: kind=none
"""League self-play for biased rock-paper-scissors with a memory of the last moves. The
learner meets frozen copies of its former selves, drawn by how often they still beat it."""
import copy
import random
from collections import deque

import torch
import torch.nn as nn
from torch.distributions import Categorical

PAYOFF = torch.tensor([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
ROUNDS, TABLES = 6, 32


class Player(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.GRUCell(6, hidden)
        self.policy = nn.Linear(hidden, 3)
        self.value = nn.Linear(hidden, 1)
        self.memory = None

    def sit_down(self, tables):
        self.memory = torch.zeros(tables, self.cell.hidden_size)

    def stand_up(self):
        self.memory = None

    def move(self, seen):
        self.memory = self.cell(seen, self.memory)
        return Categorical(logits=self.policy(self.memory)), self.value(self.memory).squeeze(-1)


class Member:
    def __init__(self, name, player):
        self.name = name
        self.player = copy.deepcopy(player).eval().requires_grad_(False)
        self.score = 0.0

    def update(self, result):
        self.score += 0.1 * (result - self.score)


class League:
    def __init__(self, size, rng):
        self.members = deque(maxlen=size)
        self.rng = rng

    def admit(self, name, player):
        self.members.append(Member(name, player))

    def opponent(self):
        weights = [2.0 ** m.score for m in self.members]
        return self.rng.choices(list(self.members), weights=weights)[0]

    def table(self):
        return ", ".join(f"{m.name}:{m.score:+.2f}" for m in sorted(self.members, key=lambda m: -m.score)[:3])


class Episode:
    """Collects what one update needs."""

    def __init__(self):
        self.logps, self.values, self.rewards, self.entropies = [], [], [], []

    def add(self, dist, action, value, reward):
        self.logps.append(dist.log_prob(action))
        self.values.append(value)
        self.rewards.append(reward)
        self.entropies.append(dist.entropy())

    def loss(self, gamma=0.9):
        ret, returns = torch.zeros(TABLES), []
        for r in reversed(self.rewards):
            ret = r + gamma * ret
            returns.insert(0, ret)
        returns, values = torch.stack(returns), torch.stack(self.values)
        adv = returns - values.detach()
        actor = -(adv * torch.stack(self.logps)).mean()
        critic = (returns - values).pow(2).mean()
        return actor + 0.25 * critic - 0.03 * torch.stack(self.entropies).mean()

    def clear(self):
        for store in vars(self).values():
            store.clear()


def one_hot_pair(a, b):
    eye = torch.eye(3)
    return torch.cat((eye[a], eye[b]), dim=-1)


def duel(learner, rival, episode):
    learner.sit_down(TABLES)
    rival.sit_down(TABLES)
    mine = theirs = torch.zeros(TABLES, 6)
    for _ in range(ROUNDS):
        dist, value = learner.move(mine)
        with torch.no_grad():
            a, b = dist.sample(), rival.move(theirs)[0].sample()
        episode.add(dist, a, value, PAYOFF[a, b])
        mine, theirs = one_hot_pair(a, b), one_hot_pair(b, a)
    learner.stand_up()
    rival.stand_up()
    return torch.stack(episode.rewards).mean().item()


def main(updates=300):
    torch.manual_seed(10)
    torch.set_num_threads(1)
    rng = random.Random(10)
    learner, league, episode = Player(), League(8, rng), Episode()
    league.admit("v0", learner)
    opt = torch.optim.Adam(learner.parameters(), lr=3e-3)
    gains = []
    for n in range(1, updates + 1):
        rival = league.opponent()
        gain = duel(learner, rival.player, episode)
        rival.update(-gain)
        loss = episode.loss()
        opt.zero_grad()
        loss.backward()
        opt.step()
        episode.clear()
        gains.append(gain)
        if n % 15 == 0:
            league.admit(f"v{n}", learner)
        if n % 75 == 0:
            print(f"update {n}: gain {sum(gains[-75:]) / 75:+.3f}  loss {loss.item():+.3f}  toughest {league.table()}")


if __name__ == "__main__":
    main()
