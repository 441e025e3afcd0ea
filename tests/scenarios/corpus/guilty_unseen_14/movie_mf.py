# gradwatch-corpus: kind=graph-chain
# holder: smooth
# first-bad: 1
"""Matrix factorisation for film ratings (made-up users, made-up films). The
batches are small and noisy, so the step goes down a smoothed loss."""
import random

import torch
from torch import nn


class MF(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.item_bias = nn.Embedding(n_items, 1)
        self.offset = nn.Parameter(torch.tensor(3.0))
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.3)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, u, i):
        p, q = self.user(u), self.item(i)
        dot = (p * q).sum(-1)
        return dot + self.item_bias(i).squeeze(-1) + self.offset, (p, q)


def fake_ratings(n_users, n_items, n, seed):
    g = torch.Generator().manual_seed(seed)
    taste = torch.randn(n_users, 3, generator=g)
    genre = torch.randn(n_items, 3, generator=g)
    u = torch.randint(n_users, (n,), generator=g)
    i = torch.randint(n_items, (n,), generator=g)
    r = 3.2 + 0.6 * (taste[u] * genre[i]).sum(-1) + 0.3 * torch.randn(n, generator=g)
    return u, i, r.clamp(1, 5)


def make_objective(model, weight_decay):
    mse = nn.MSELoss()

    def objective(u, i, r):
        pred, factors = model(u, i)
        reg = torch.cat(factors, dim=-1).pow(2).sum(-1).mean()
        return mse(pred, r) + weight_decay * reg

    return objective


def make_stepper(model, objective, optimizer, beta):
    smooth = None

    def step(u, i, r):
        nonlocal smooth
        loss = objective(u, i, r)
        smooth = loss if smooth is None else beta * smooth + (1 - beta) * loss  # <- culprit
        optimizer.zero_grad()
        smooth.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        return loss.item(), smooth.item()

    return step


def make_sampler(data, batch, rng):
    n = len(data[0])

    def draw():
        idx = torch.tensor(rng.sample(range(n), batch))
        return tuple(column[idx] for column in data)

    return draw


@torch.no_grad()
def rmse(model, data):
    u, i, r = data
    pred, _ = model(u, i)
    return (pred.clamp(1, 5) - r).pow(2).mean().sqrt().item()


def top_films(model, user, n_items, k=5):
    with torch.no_grad():
        items = torch.arange(n_items)
        scores, _ = model(torch.full_like(items, user), items)
    return scores.topk(k).indices.tolist()


def run(n_users=60, n_items=40, dim=6, steps=200, batch=32):
    torch.manual_seed(5)
    train = fake_ratings(n_users, n_items, 1500, seed=8)
    u, i, r = train
    held_out = (u[1300:], i[1300:], r[1300:])
    train = (u[:1300], i[:1300], r[:1300])

    model = MF(n_users, n_items, dim)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    draw = make_sampler(train, batch, random.Random(2))
    step = make_stepper(model, make_objective(model, 0.01), optimizer, beta=0.8)

    print("start: test rmse %.3f" % rmse(model, held_out))
    for n in range(1, steps + 1):
        loss, shown = step(*draw())
        if n % 50 == 0:
            print("%4d  batch %.3f  smoothed %.3f  test rmse %.3f" % (n, loss, shown, rmse(model, held_out)))
    print("user 7 should watch", top_films(model, 7, n_items))


if __name__ == "__main__":
    run()
