# gradwatch-corpus: kind=graph-chain
# holder: anchors | anchors["u"] | anchors["v"]
# first-bad: 5
# notice: 16
# Matrix factorisation, MovieLens style (ratings made up here).
# Kaggle-kernel trick: pull the factors towards their own slow average,
# it works like a poor man's SWA.
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 42
np.random.seed(SEED)
torch.manual_seed(SEED)

n_users, n_items, n_factors = 150, 220, 12
n_ratings = 6000
bs = 300
epochs = 8
lr = 2e-2
decay = 0.9
pull = 1e-4
update_every = 4


def make_ratings():
    pu = np.random.normal(0, 0.6, (n_users, 4))
    qi = np.random.normal(0, 0.6, (n_items, 4))
    u = np.random.randint(0, n_users, n_ratings)
    i = np.random.randint(0, n_items, n_ratings)
    r = 3.5 + (pu[u] * qi[i]).sum(1) + np.random.normal(0, 0.3, n_ratings)
    r = np.clip(np.round(r * 2) / 2, 0.5, 5)
    return torch.tensor(u), torch.tensor(i), torch.tensor(r, dtype=torch.float32)


class MF(nn.Module):
    def __init__(self, n_users, n_items, k, mean):
        super().__init__()
        self.u = nn.Embedding(n_users, k)
        self.v = nn.Embedding(n_items, k)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        self.mean = mean
        for e in (self.u, self.v):
            nn.init.normal_(e.weight, 0, 0.1)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, users, items):
        dot = (self.u(users) * self.v(items)).sum(1)
        return dot + self.bu(users).squeeze(1) + self.bi(items).squeeze(1) + self.mean


U, I, R = make_ratings()
n_val = 600
train_dl = DataLoader(TensorDataset(U[n_val:], I[n_val:], R[n_val:]), batch_size=bs, shuffle=True)
model = MF(n_users, n_items, n_factors, R[n_val:].mean().item())
optimizer = torch.optim.Adam(model.parameters(), lr=lr)
loss_fn = nn.MSELoss()

anchors = {"u": model.u.weight.detach().clone(), "v": model.v.weight.detach().clone()}


def update_anchors(model, anchors, decay):
    anchors["u"] = torch.lerp(anchors["u"], model.u.weight, 1 - decay)  # <- culprit
    anchors["v"] = torch.lerp(anchors["v"], model.v.weight, 1 - decay)  # <- culprit


def anchor_penalty(model, anchors):
    return ((model.u.weight - anchors["u"]) ** 2).sum() + ((model.v.weight - anchors["v"]) ** 2).sum()


def validate(model, u, i, r):
    model.eval()
    with torch.no_grad():
        rmse = torch.sqrt(loss_fn(model(u, i), r)).item()
    model.train()
    return rmse


step = 0
for epoch in range(epochs):
    total = 0.0
    for users, items, ratings in train_dl:
        pred = model(users, items)
        loss = loss_fn(pred, ratings) + pull * anchor_penalty(model, anchors)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(users)
        step += 1
        if step % update_every == 0:
            update_anchors(model, anchors, decay)
    print("epoch {} train {:.4f} val rmse {:.4f}".format(
        epoch, total / (n_ratings - n_val), validate(model, U[:n_val], I[:n_val], R[:n_val])))
