# gradwatch-corpus: kind=graph-held
# holder: self.games | ladder.games | learner.ladder.games | self.ladder.games | record.plies | game.plies | self.games[-1].plies | ply.logp | ply.value
# first-bad: 1
"""Self-play actor-critic on a 4x4 drop game (three in a row wins). Hobby project; the
ladder of games is for the little openings book that is printed at the end."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import List, Optional

import torch
from torch import nn
from torch.distributions import Categorical

W = H = 4


class Board:
    def __init__(self):
        self.cells = [[0] * W for _ in range(H)]
        self.to_move = 1
        self.moves = 0

    def legal(self):
        return [c for c in range(W) if self.cells[0][c] == 0]

    def drop(self, col) -> bool:
        row = max(r for r in range(H) if self.cells[r][col] == 0)
        self.cells[row][col] = self.to_move
        won = self._three(row, col)
        self.to_move = -self.to_move
        self.moves += 1
        return won

    def _three(self, r, c):
        me = self.cells[r][c]
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = 1
            for s in (1, -1):
                rr, cc = r + s * dr, c + s * dc
                while 0 <= rr < H and 0 <= cc < W and self.cells[rr][cc] == me:
                    run += 1
                    rr, cc = rr + s * dr, cc + s * dc
            if run >= 3:
                return True
        return False

    def planes(self):
        flat = torch.tensor(self.cells, dtype=torch.float32).flatten() * self.to_move
        return torch.cat(((flat > 0).float(), (flat < 0).float()))


@dataclass
class Ply:
    player: int
    column: int
    logp: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor


@dataclass
class GameRecord:
    number: int
    winner: int = 0
    plies: List[Ply] = field(default_factory=list)

    def opening(self, n=2):
        return tuple(p.column for p in self.plies[:n])


class Ladder:
    """All games so far."""

    def __init__(self):
        self.games: List[GameRecord] = []

    def enter(self, record: GameRecord):
        self.games.append(record)  # <- culprit

    def first_player_score(self, last=100):
        recent = self.games[-last:]
        return sum(g.winner == 1 for g in recent) / max(len(recent), 1)

    def openings(self, k=3):
        return Counter(g.opening() for g in self.games).most_common(k)


class Net(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(2 * W * H, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, W)
        self.value = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.policy(h), torch.tanh(self.value(h)).squeeze(-1)


class Learner:
    def __init__(self, net, ladder: Optional[Ladder] = None):
        self.net = net
        self.ladder = ladder or Ladder()
        self.opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)

    def play(self, number) -> GameRecord:
        board, record = Board(), GameRecord(number)
        while board.legal():
            logits, value = self.net(board.planes())
            mask = torch.full((W,), float("-inf"))
            mask[board.legal()] = 0.0
            dist = Categorical(logits=logits + mask)
            col = dist.sample()
            p = dist.probs.clamp_min(1e-8)
            record.plies.append(Ply(board.to_move, int(col), dist.log_prob(col), value, -(p * p.log()).sum()))  # <- culprit
            if board.drop(int(col)):
                record.winner = record.plies[-1].player
                break
        return record

    def loss(self, record: GameRecord):
        terms = []
        for ply in record.plies:
            ret = float(record.winner * ply.player)
            adv = ret - ply.value.item()
            terms.append(-adv * ply.logp + 0.5 * (ret - ply.value) ** 2 - 0.02 * ply.entropy)
        return torch.stack(terms).mean()

    def iterate(self, number):
        record = self.play(number)
        loss = self.loss(record)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.ladder.enter(record)
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(17)
    torch.set_num_threads(1)
    learner = Learner(Net())
    for n in range(320):
        value = learner.iterate(n)
        if n % 80 == 79:
            print(f"game {n + 1}: loss {value:+.3f}, first player wins {learner.ladder.first_player_score():.2f}")
    for opening, count in learner.ladder.openings():
        print("opening", opening, count)
