# gradwatch-corpus: kind=none
from collections import OrderedDict
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(212)


@dataclass
class Puzzle:
    key: int
    board: torch.Tensor
    best: int


@dataclass
class Difficulty:
    """The last loss seen for each of the puzzles on the table; oldest ones leave."""
    table: OrderedDict = field(default_factory=OrderedDict)
    size: int = 14

    def put(self, key, loss):
        self.table[key] = loss
        self.table.move_to_end(key)
        while len(self.table) > self.size:
            self.table.popitem(last=False)

    def of(self, key, default=1.0):
        return self.table[key].item() if key in self.table else default


class Sharpness:
    """Curvature along a random direction, every few steps."""

    def __init__(self, params, every=6):
        self.params, self.every, self.seen = list(params), every, []

    def __call__(self, step, loss):
        if step % self.every:
            return
        g = torch.autograd.grad(loss, self.params, create_graph=True)
        v = [torch.randn_like(p) for p in self.params]
        along = sum((a * b).sum() for a, b in zip(g, v))
        hv = torch.autograd.grad(along, self.params, retain_graph=True)
        self.seen.append(sum((a * b).sum() for a, b in zip(hv, v)).item())


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.squares = nn.Linear(16, 20)
        self.moves = nn.Linear(20, 4)

    def forward(self, b):
        return self.moves(torch.tanh(self.squares(b)))


class Book:
    def __init__(self, n):
        rule = torch.randn(16, 4)
        boards = torch.randn(n, 16)
        self.puzzles = [Puzzle(i, b, int((b @ rule).argmax())) for i, b in enumerate(boards)]

    def paced(self, difficulty):
        bound = 0.7
        while True:
            easy = [p for p in self.puzzles if difficulty.of(p.key, bound) <= bound] or self.puzzles
            pick = [easy[i] for i in torch.randint(0, len(easy), (10,))]
            bound += yield pick


class Trainer:
    def __init__(self):
        self.net, self.difficulty, self.book = Reader(), Difficulty(), Book(60)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.sharp = Sharpness(self.net.parameters())

    def run(self, n):
        source = self.book.paced(self.difficulty)
        pick = next(source)
        for step in range(n):
            logits = self.net(torch.stack([p.board for p in pick]))
            each = nn.functional.cross_entropy(logits, torch.tensor([p.best for p in pick]), reduction="none")
            for p, l in zip(pick, each):
                self.difficulty.put(p.key, l)
            loss = each.mean()
            self.sharp(step, loss)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            pick = source.send(0.002)
        return loss.item()


t = Trainer()
print(t.run(700), t.sharp.seen[-1], len(t.difficulty.table))
