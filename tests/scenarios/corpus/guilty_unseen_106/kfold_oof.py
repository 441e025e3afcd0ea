# gradwatch-corpus: kind=graph-held
# holder: oof
# first-bad: 4
# notice: 8
# -*- coding: utf-8 -*-
# House price baseline (my first PyTorch kernel, was LightGBM)
# 5 folds x 25 epochs, out-of-fold predictions for stacking later
import gc
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 2021
N_FOLDS = 5
EPOCHS = 25
BS = 64


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


seed_everything(SEED)
torch.set_num_threads(1)

# ---------------------------------------------------------------- data
n = 320
num = np.random.randn(n, 6).astype("float32")
cat = np.random.randint(0, 12, size=n)
cat_effect = np.random.randn(12)
price = num @ np.array([0.8, -0.5, 0.3, 0.0, 0.2, 0.0]) + cat_effect[cat] + 0.3 * num[:, 0] * num[:, 1]
price = (price + 0.2 * np.random.randn(n)).astype("float32")

X_num = torch.from_numpy(num)
X_cat = torch.from_numpy(cat)
y = torch.from_numpy(price)


def kfold(n, k, seed):
    idx = np.random.RandomState(seed).permutation(n)
    for part in np.array_split(idx, k):
        mask = np.ones(n, bool)
        mask[part] = False
        yield np.where(mask)[0], np.sort(part)


# ---------------------------------------------------------------- model
class TabularNet(nn.Module):
    def __init__(self, n_num, n_cat, emb=4, hidden=32, p=0.1):
        super().__init__()
        self.emb = nn.Embedding(n_cat, emb)
        self.bn = nn.BatchNorm1d(n_num)
        self.fc1 = nn.Linear(n_num + emb, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 1)
        self.drop = nn.Dropout(p)

    def forward(self, xn, xc):
        x = torch.cat([self.bn(xn), self.emb(xc)], 1)
        x = self.drop(F.relu(self.fc1(x)))
        x = self.drop(F.relu(self.fc2(x)))
        return self.out(x).squeeze(1)


def rmse(a, b):
    return float(torch.sqrt(F.mse_loss(a, b)))


def train_epoch(model, opt, sched, idx):
    model.train()
    idx = idx[torch.randperm(len(idx))]
    total = 0.0
    for b in idx.split(BS):
        opt.zero_grad()
        loss = F.mse_loss(model(X_num[b], X_cat[b]), y[b])
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item() * len(b)
    return total / len(idx)


def predict(model, idx):
    model.eval()
    return torch.cat([model(X_num[b], X_cat[b]) for b in idx.split(BS)])  # <- culprit


# ---------------------------------------------------------------- CV
oof = torch.zeros(n)
cv = []
for fold, (tr, va) in enumerate(kfold(n, N_FOLDS, SEED)):
    tr, va = torch.from_numpy(tr), torch.from_numpy(va)
    model = TabularNet(6, 12)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
    steps = EPOCHS * (len(tr) // BS)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=2e-2, total_steps=steps + 1)
    best, history = float("inf"), []
    for epoch in range(EPOCHS):
        tl = train_epoch(model, opt, sched, tr)
        oof[va] = predict(model, va)  # <- culprit
        score = rmse(oof[va], y[va])
        history.append((tl, score))
        best = min(best, score)
    print("fold %d | last train %.4f | last rmse %.4f | best %.4f" % (fold, history[-1][0], history[-1][1], best))
    cv.append(history[-1][1])
    del model, opt
    gc.collect()

print("CV  %.4f +/- %.4f" % (np.mean(cv), np.std(cv)))
print("OOF %.4f" % rmse(oof, y))
