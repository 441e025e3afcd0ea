# gradwatch-corpus: kind=none
"""Endgame toy: a king walks to a target square on a small board while an opposing
king drifts about. Recurrent actor-critic; the memory survives from game to game."""
import random
from typing import NamedTuple

import torch
from torch import nn

MOVES = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]


class Ply(NamedTuple):
    logp: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    reward: float


class Memory:
    """Descriptor for the recurrent state of an agent."""

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.slot)

    def __set__(self, obj, value):
        object.__setattr__(obj, self.slot, value)


class Agent(nn.Module):
    memory = Memory()

    def __init__(self, width=24):
        super().__init__()
        self.look = nn.Linear(6, width)
        self.cell = nn.GRUCell(width, width)
        self.move = nn.Linear(width, len(MOVES))
        self.worth = nn.Linear(width, 1)
        self.memory = torch.zeros(1, width)

    def forward(self, seen):
        self.memory = self.cell(torch.tanh(self.look(seen)), self.memory)
        return self.move(self.memory), self.worth(self.memory).view(())

    def between_games(self):
        self.memory = 0.5 * self.memory.detach()


class Board:
    def __init__(self, rng, size=5):
        self.rng, self.size = rng, size

    def start(self):
        cells = [(r, c) for r in range(self.size) for c in range(self.size)]
        self.king, self.rival, self.goal = self.rng.sample(cells, 3)
        return self.view()

    def view(self):
        flat = [*self.king, *self.rival, *self.goal]
        return torch.tensor([[v / (self.size - 1) * 2 - 1 for v in flat]])

    def _shift(self, at, by):
        return tuple(min(max(a + b, 0), self.size - 1) for a, b in zip(at, by))

    def push(self, move):
        before = max(abs(a - b) for a, b in zip(self.king, self.goal))
        self.king = self._shift(self.king, MOVES[move])
        self.rival = self._shift(self.rival, self.rng.choice(MOVES))
        after = max(abs(a - b) for a, b in zip(self.king, self.goal))
        if self.king == self.rival:
            return self.view(), -1.0, True
        return self.view(), 0.2 * (before - after) + (1.0 if after == 0 else -0.02), after == 0


class Player:
    def __init__(self, agent, board, lr=4e-3, gamma=0.9, limit=10):
        self.agent, self.board, self.gamma, self.limit = agent, board, gamma, limit
        self.opt = torch.optim.Adam(agent.parameters(), lr=lr)
        self.record = []

    def game(self):
        seen, done = self.board.start(), False
        while not done and len(self.record) < self.limit:
            logits, value = self.agent(seen)
            dist = torch.distributions.Categorical(logits=logits.squeeze(0))
            move = dist.sample()
            seen, reward, done = self.board.push(int(move))
            self.record.append(Ply(dist.log_prob(move), value, dist.entropy(), reward))
        return sum(p.reward for p in self.record)

    def learn(self):
        ret, loss = 0.0, torch.zeros(())
        for ply in reversed(self.record):
            ret = ply.reward + self.gamma * ret
            gap = ret - ply.value
            loss = loss - ply.logp * gap.detach() + 0.5 * gap.pow(2) - 0.01 * ply.entropy
        self.opt.zero_grad()
        (loss / len(self.record)).backward()
        nn.utils.clip_grad_norm_(self.agent.parameters(), 1.0)
        self.opt.step()
        self.record.clear()
        self.agent.between_games()


def main(games=220):
    torch.set_num_threads(1)
    torch.manual_seed(2)
    player = Player(Agent(), Board(random.Random(2)))
    mean = 0.0
    for g in range(games):
        mean = 0.97 * mean + 0.03 * player.game()
        player.learn()
        if g % 40 == 39:
            print(f"game {g + 1}: mean return {mean:.3f}")


if __name__ == "__main__":
    main()
