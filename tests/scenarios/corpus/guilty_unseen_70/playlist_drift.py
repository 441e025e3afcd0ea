# gradwatch-corpus: kind=graph-chain
# holder: self.level | model.level | net.level | recommender.level
# first-bad: 1
# notice: 5
# Song recommendation with a slowly moving popularity level (implicit feedback).
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

N_USERS, N_SONGS, DIM = 120, 300, 12
MODELS = {}


def register(name):
    def wrap(cls):
        MODELS[name] = cls
        return cls
    return wrap


class Scorer(nn.Module):
    """Common parts of all recommenders: song bias, user bias and the level."""

    momentum = 0.08

    def __init__(self):
        super().__init__()
        self.song_bias = nn.Parameter(torch.zeros(N_SONGS))
        self.user_bias = nn.Embedding(N_USERS, 1)
        nn.init.zeros_(self.user_bias.weight)
        self.level = torch.zeros(())

    def general_level(self):
        current = self.song_bias.mean()
        if self.training:
            self.level = torch.lerp(self.level, current, self.momentum)  # <- culprit
        return self.level

    def affinity(self, users, songs):
        raise NotImplementedError

    def forward(self, users, songs):
        bias = self.song_bias[songs] + self.user_bias(users).squeeze(-1)
        return self.affinity(users, songs) + bias - self.general_level()


@register("mf")
class Factors(Scorer):
    def __init__(self):
        super().__init__()
        self.u = nn.Embedding(N_USERS, DIM)
        self.s = nn.Embedding(N_SONGS, DIM)
        for e in (self.u, self.s):
            nn.init.normal_(e.weight, std=0.1)

    def affinity(self, users, songs):
        return (self.u(users) * self.s(songs)).sum(-1)


@register("ncf")
class Neural(Factors):
    def __init__(self):
        super().__init__()
        self.top = nn.Sequential(nn.Linear(2 * DIM, 16), nn.ReLU(), nn.Linear(16, 1))

    def affinity(self, users, songs):
        both = torch.cat([self.u(users), self.s(songs)], -1)
        return self.top(both).squeeze(-1) + super().affinity(users, songs)


def make_plays(seed):
    g = torch.Generator().manual_seed(seed)
    taste = torch.randn(N_USERS, 4, generator=g)
    genre = torch.randn(N_SONGS, 4, generator=g)
    hits = torch.randn(N_SONGS, generator=g)
    chance = torch.sigmoid(taste @ genre.t() + hits - 1.0)
    return torch.bernoulli(chance, generator=g)


def batches(plays, size):
    while True:
        users = torch.randint(0, N_USERS, (size,))
        songs = torch.randint(0, N_SONGS, (size,))
        yield users, songs, plays[users, songs]


@torch.no_grad()
def evaluate(model, plays):
    model.eval()
    users = torch.arange(N_USERS).repeat_interleave(20)
    songs = torch.randint(0, N_SONGS, (users.numel(),))
    logits = model(users, songs)
    model.train()
    return ((logits > 0).float() == plays[users, songs]).float().mean().item()


def main(name="ncf", iterations=160):
    random.seed(1)
    torch.manual_seed(1)
    plays = make_plays(7)
    model = MODELS[name]()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-5)
    stream = batches(plays, 256)
    for it in range(iterations):
        users, songs, played = next(stream)
        loss = F.binary_cross_entropy_with_logits(model(users, songs), played)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 40 == 39:
            print(f"it {it + 1}: loss {loss.item():.4f} acc {evaluate(model, plays):.3f}")


if __name__ == "__main__":
    main()
