# gradwatch-corpus: kind=second-backward
# holder: self._catalogue | self._catalogue[0] | tower._catalogue | model.items._catalogue | catalogue
# first-bad: 41
# notice: 0
"""Two-tower retrieval: users from watch history, items from content features.

Early on every batch scores against a sampled set of items; after the warm-up the
full catalogue is scored, which is only re-encoded once every few batches.
"""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 1234
N_ITEMS, N_GENRES, CONTENT = 90, 6, 10
DIM = 16
WARMUP = 40
REFRESH = 8


class ItemTower(nn.Module):
    def __init__(self, content):
        super().__init__()
        self.register_buffer("content", content)
        self.enc = nn.Sequential(nn.Linear(content.size(1), 32), nn.ReLU(), nn.Linear(32, DIM))
        self._catalogue = None
        self._age = 0

    def encode(self, ids):
        return F.normalize(self.enc(self.content[ids]), dim=-1)

    def catalogue(self):
        if self._catalogue is None or self._age >= REFRESH:
            self._catalogue = self.encode(torch.arange(len(self.content)))  # <- culprit
            self._age = 0
        self._age += 1
        return self._catalogue  # <- culprit


class UserTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.hist = nn.EmbeddingBag(N_ITEMS, DIM, mode="mean")
        self.head = nn.Linear(DIM, DIM)

    def forward(self, history):
        return F.normalize(self.head(torch.relu(self.hist(history))), dim=-1)


class TwoTower(nn.Module):
    def __init__(self, content, tau=0.1):
        super().__init__()
        self.users, self.items, self.tau = UserTower(), ItemTower(content), tau

    def sampled_loss(self, history, clicked):
        u = self.users(history)
        v = self.items.encode(clicked)
        return F.cross_entropy(u @ v.t() / self.tau, torch.arange(len(u)))

    def full_loss(self, history, clicked):
        scores = self.users(history) @ self.items.catalogue().t()
        return F.cross_entropy(scores / self.tau, clicked)


def make_world():
    genre = torch.arange(N_ITEMS) % N_GENRES
    proto = torch.randn(N_GENRES, CONTENT)
    content = proto[genre] + 0.4 * torch.randn(N_ITEMS, CONTENT)
    by_genre = [torch.where(genre == g)[0] for g in range(N_GENRES)]
    return content, by_genre


def sample(by_genre, n, length=6):
    rows, clicks = [], []
    for _ in range(n):
        pool = by_genre[random.randrange(N_GENRES)]
        pick = pool[torch.randperm(len(pool))[: length + 1]]
        rows.append(pick[:-1])
        clicks.append(pick[-1])
    return torch.stack(rows), torch.stack(clicks)


def main(steps=300):
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    random.seed(SEED)
    content, by_genre = make_world()
    model = TwoTower(content)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(steps):
        history, clicked = sample(by_genre, 32)
        if step < WARMUP:
            loss = model.sampled_loss(history, clicked)
        else:
            loss = model.full_loss(history, clicked)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(f"{step:4d} {loss.item():.4f}", flush=True)


main()
