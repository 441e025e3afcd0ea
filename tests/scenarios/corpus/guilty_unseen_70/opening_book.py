# gradwatch-corpus: kind=inplace-modified
# holder: self.keys | layer.keys | block.keys | self.block.keys | model.block.keys | self.values | layer.values | block.values | self.block.values | model.block.values | loss | logits | context | scores
# first-bad: 45
# notice: 0
"""Predicts the next move of a board game opening, decoding move by move with a store of past keys."""
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass(frozen=True)
class Config:
    moves: int = 30
    width: int = 24
    longest: int = 8
    batch: int = 32
    steps: int = 120
    lengthen_after: int = 45
    lr: float = 4e-3


class IncrementalAttention(nn.Module):
    """One attention head; keys and values of earlier moves stay in a store of fixed size."""

    def __init__(self, width, longest):
        super().__init__()
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.longest = longest
        self.scale = width ** -0.5
        self.keys = self.values = None

    def start(self, batch):
        shape = (batch, self.longest, self.query.in_features)
        self.keys = torch.zeros(shape)
        self.values = torch.zeros(shape)

    def forward(self, x, position):
        self.keys[:, position] = self.key(x)  # <- culprit
        self.values[:, position] = self.value(x)  # <- culprit
        seen = self.keys[:, :position + 1]
        scores = torch.einsum("bd,btd->bt", self.query(x), seen) * self.scale
        context = torch.einsum("bt,btd->bd", scores.softmax(-1), self.values[:, :position + 1])
        return x + context


class OpeningModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embed = nn.Embedding(cfg.moves, cfg.width)
        self.place = nn.Embedding(cfg.longest, cfg.width)
        self.block = IncrementalAttention(cfg.width, cfg.longest)
        self.norm = nn.LayerNorm(cfg.width)
        self.out = nn.Linear(cfg.width, cfg.moves)

    def forward(self, moves):
        self.block.start(len(moves))
        logits = []
        for position in range(moves.shape[1]):
            x = self.embed(moves[:, position]) + self.place.weight[position]
            logits.append(self.out(self.norm(self.block(x, position))))
        return torch.stack(logits, dim=1)


class Games:
    def __init__(self, cfg, seed=17):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.reply = torch.randperm(cfg.moves, generator=self.gen)

    def sample(self, length):
        line = [torch.randint(0, self.cfg.moves, (self.cfg.batch,), generator=self.gen)]
        for _ in range(length):
            wild = torch.rand(self.cfg.batch, generator=self.gen) < 0.15
            other = torch.randint(0, self.cfg.moves, (self.cfg.batch,), generator=self.gen)
            line.append(torch.where(wild, other, self.reply[line[-1]]))
        line = torch.stack(line, dim=1)
        return line[:, :-1], line[:, 1:]


def length_at(step, cfg):
    """Short lines first, then one move more at every stage."""
    return min(cfg.longest, 1 + step // cfg.lengthen_after)


def main():
    cfg = Config()
    torch.set_num_threads(1)
    torch.manual_seed(2)
    model = OpeningModel(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    games = Games(cfg)
    for step in range(cfg.steps):
        moves, replies = games.sample(length_at(step, cfg))
        logits = model(moves)
        loss = F.cross_entropy(logits.flatten(0, 1), replies.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 15 == 0:
            hit = (logits.argmax(-1) == replies).float().mean().item()
            print(f"step {step:3d} length {moves.shape[1]} loss {loss.item():.3f} hits {hit:.2f}")


if __name__ == "__main__":
    main()
