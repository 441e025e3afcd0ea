# gradwatch-corpus: kind=second-backward
# holder: coach.board_memo | self.board_memo
# first-bad: 7
"""Coach that learns which reply the book plays. Positions are made by shuffling pieces over a mini 6x6 board."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(64)
random.seed(64)

SIDE = 6
PIECES = ".PNBRQKpnbrqk"
N_OPENINGS = 7
REPLIES = 10
LESSONS = 80


def shuffled_opening(plies):
    rows = ["rnqkbr", "pppppp", "......", "......", "PPPPPP", "RNQKBR"]
    cells = list("".join(rows))
    for _ in range(plies):
        movers = [i for i, p in enumerate(cells) if p != "."]
        holes = [i for i, p in enumerate(cells) if p == "."]
        a = random.choice(movers)
        b = random.choice(holes)
        cells[b], cells[a] = cells[a], "."
    return "".join(cells)


def to_codes(fen):
    return torch.tensor([PIECES.index(c) for c in fen])


class Coach(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.dim = dim
        self.piece_vec = nn.Embedding(len(PIECES), dim)
        self.square_vec = nn.Parameter(0.1 * torch.randn(SIDE * SIDE, dim))
        self.look = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.squash = nn.Linear(dim, dim)
        self.reply_vec = nn.Embedding(REPLIES, dim)
        self.scorer = nn.Sequential(nn.Linear(dim * 2, 32), nn.ReLU(), nn.Linear(32, 1))
        self.board_memo = {}
        self.hits = 0

    def encode(self, fen):
        squares = self.piece_vec(to_codes(fen)) + self.square_vec
        squares = squares.unsqueeze(0)
        seen, _ = self.look(squares, squares, squares)
        return torch.tanh(self.squash((squares + seen).mean(dim=1))).squeeze(0)

    def board(self, fen):
        if fen in self.board_memo:
            self.hits += 1
            return self.board_memo[fen]  # <- culprit
        vec = self.encode(fen)
        self.board_memo[fen] = vec  # <- culprit
        return vec

    def forward(self, fen):
        b = self.board(fen).expand(REPLIES, self.dim)
        pairs = torch.cat([b, self.reply_vec.weight], dim=1)
        return self.scorer(pairs).squeeze(1)


openings = [shuffled_opening(4 + 2 * i) for i in range(N_OPENINGS)]
book_reply = {fen: random.randrange(REPLIES) for fen in openings}

coach = Coach()
opt = torch.optim.AdamW(coach.parameters(), lr=3e-3)
right = []

lesson = 0
while lesson < LESSONS:
    if lesson % N_OPENINGS == 0:
        random.shuffle(openings)
        queue = list(openings)
    fen = queue.pop()
    scores = coach(fen)
    want = torch.tensor(book_reply[fen])
    loss = F.cross_entropy(scores.unsqueeze(0), want.unsqueeze(0))

    opt.zero_grad()
    loss.backward()
    opt.step()

    right.append(int(scores.argmax()) == int(want))
    if lesson % 10 == 0:
        recent = right[-10:]
        print(f"lesson {lesson:3d} loss {loss.item():.3f} right {sum(recent)}/{len(recent)} hits {coach.hits}")
    lesson += 1

print("total right:", sum(right))
