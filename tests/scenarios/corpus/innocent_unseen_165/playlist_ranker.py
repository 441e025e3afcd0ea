# gradwatch-corpus: kind=none
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(33)

USERS, SONGS = 50, 120


class TwoTower(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.user = nn.Embedding(USERS, dim)
        self.song = nn.Embedding(SONGS, dim)
        self.user_tower = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))
        self.song_tower = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def users(self, u):
        return F.normalize(self.user_tower(self.user(u)), dim=-1)

    def songs(self, s):
        return F.normalize(self.song_tower(self.song(s)), dim=-1)

    def forward(self, u, s):
        return 6.0 * (self.users(u) * self.songs(s)).sum(-1)


@dataclass
class LossWindow:
    size: int
    parts: list = field(default_factory=list)

    def add(self, loss):
        self.parts.append(loss)
        return len(self.parts) == self.size

    def drain(self):
        total = torch.stack(self.parts).mean()
        self.parts = []
        return total


@dataclass
class Progress:
    smooth: float = 0.0
    steps: int = 0

    def log(self, value, momentum=0.95):
        self.smooth = value if self.steps == 0 else momentum * self.smooth + (1 - momentum) * value
        self.steps += 1


def triples(n):
    while True:
        u = torch.randint(0, USERS, (n,))
        pos = (u % 6) + 6 * torch.randint(0, SONGS // 6, (n,))
        neg = torch.randint(0, SONGS, (n,))
        yield u, pos, neg


def bpr(model, u, pos, neg):
    return -F.logsigmoid(model(u, pos) - model(u, neg)).mean()


def main():
    model = TwoTower()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    window, progress = LossWindow(size=4), Progress()
    for i, (u, pos, neg) in enumerate(triples(32)):
        if window.add(bpr(model, u, pos, neg)):
            total = window.drain()
            opt.zero_grad()
            total.backward()
            opt.step()
            progress.log(total.item())
            if progress.steps % 30 == 0:
                print(progress)
        if progress.steps >= 120:
            break


if __name__ == "__main__":
    main()
