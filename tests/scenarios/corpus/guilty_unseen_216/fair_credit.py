# gradwatch-corpus: kind=graph-chain
# holder: lam
# first-bad: 1
# Kaggle-style script: credit default with a demographic-parity constraint (Lagrangian)
import numpy as np
import torch
from torch.nn import functional as F

SEED = 42
N, D = 4000, 30
BATCH = 256
STEPS = 150
LR = 0.05
LAM_LR = 0.5
EPS = 0.02

rng = np.random.default_rng(SEED)
torch.manual_seed(SEED)


def build_table():
    X = rng.normal(size=(N, D)).astype(np.float32)
    group = (rng.random(N) < 0.35).astype(np.float32)
    X[:, 0] += 0.9 * group
    X[:, 3] -= 0.6 * group
    w = rng.normal(size=D).astype(np.float32) / 3
    p = 1 / (1 + np.exp(-(X @ w + 0.4 * group)))
    y = (rng.random(N) < p).astype(np.float32)
    X = (X - X.mean(0)) / X.std(0)
    return torch.from_numpy(X), torch.from_numpy(y), torch.from_numpy(group)


def auc_score(y, s):
    order = np.argsort(s)
    ranks = np.empty_like(order, dtype=np.float64)
    ranks[order] = np.arange(1, len(s) + 1)
    pos = y == 1
    n1, n0 = pos.sum(), (~pos).sum()
    return (ranks[pos].sum() - n1 * (n1 + 1) / 2) / (n1 * n0)


def parity_gap(prob, g):
    a = (prob * g).sum() / g.sum().clamp(min=1)
    b = (prob * (1 - g)).sum() / (1 - g).sum().clamp(min=1)
    return (a - b).abs()


X, y, group = build_table()
n_train = int(0.8 * N)
perm = torch.randperm(N)
tr, va = perm[:n_train], perm[n_train:]

w = torch.zeros(D, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([w, b], lr=LR, momentum=0.9)
lam = torch.tensor(0.1)

log = []
for step in range(STEPS):
    idx = tr[torch.randint(0, n_train, (BATCH,))]
    xb, yb, gb = X[idx], y[idx], group[idx]

    logit = xb @ w + b
    bce = F.binary_cross_entropy_with_logits(logit, yb)
    violation = parity_gap(torch.sigmoid(logit), gb) - EPS
    loss = bce + lam * violation

    opt.zero_grad()
    loss.backward(retain_graph=True)  # <- culprit
    torch.nn.utils.clip_grad_norm_([w, b], 5.0)
    opt.step()

    # dual ascent
    lam = torch.relu(lam + LAM_LR * violation)  # <- culprit

    log.append((bce.item(), violation.item(), lam.item()))
    if step % 30 == 0:
        print("step %3d  bce %.4f  violation %+.4f  lambda %.3f" % ((step,) + log[-1]))

with torch.no_grad():
    prob = torch.sigmoid(X[va] @ w + b)
    print("valid auc %.4f gap %.4f" % (auc_score(y[va].numpy(), prob.numpy()), parity_gap(prob, group[va]).item()))
