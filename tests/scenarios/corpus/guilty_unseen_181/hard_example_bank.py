# gradwatch-corpus: kind=graph-held
# holder: hardness
# first-bad: 1
# %% setup
import heapq

import torch
import torch.nn as nn

torch.manual_seed(13)
N, D = 6000, 15

# %% data: predict whether a parcel is delayed
X = torch.randn(N, D)
w_true = torch.randn(D)
y = ((X @ w_true + 0.7 * torch.randn(N)) > 0).float()

# %% model
model = nn.Sequential(
    nn.Linear(D, 40), nn.LeakyReLU(0.1),
    nn.Linear(40, 20), nn.LeakyReLU(0.1),
    nn.Linear(20, 1),
)
opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, nesterov=True)
bce = nn.BCEWithLogitsLoss(reduction="none")

# %% bookkeeping
hardness = {}
curve = []
BATCH = 16
HARD = 4


def hardest(k):
    """ids of the k samples with the largest last known loss"""
    if len(hardness) < 10 * k:
        return []
    return heapq.nlargest(k, hardness, key=lambda i: hardness[i].item())


def next_ids(cursor, order):
    fresh = order[cursor:cursor + BATCH].tolist()
    return fresh


# %% training
order = torch.randperm(N)
cursor = 0
hard_ids = []
for step in range(750):
    if cursor + BATCH > N:
        order = torch.randperm(N)
        cursor = 0
    ids = next_ids(cursor, order)
    cursor += BATCH

    if step % 5 == 0:
        hard_ids = hardest(HARD)
    ids = ids + hard_ids
    xb, yb = X[ids], y[ids]

    per_sample = bce(model(xb).squeeze(1), yb)
    loss = per_sample.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

    for i, l in zip(ids, per_sample):
        hardness[i] = l  # <- culprit

    curve.append(loss.item())
    if step % 100 == 99:
        with torch.no_grad():
            acc = ((model(X).squeeze(1) > 0).float() == y).float().mean().item()
        recent = sum(curve[-100:]) / 100
        print(f"{step + 1}: loss {recent:.4f} acc {acc:.4f} seen {len(hardness)}")

# %% summary
top = hardest(10)
print("ten hardest parcels:", top)
print("their losses:", [round(hardness[i].item(), 2) for i in top])
