# gradwatch-corpus: kind=none
"""Pool-based active learning with MC dropout (BALD), model re-initialised after each acquisition."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(34)


def moons(n):
    t = torch.rand(n) * 3.1416
    lab = torch.randint(0, 2, (n,))
    x = torch.where(lab == 0, t.cos(), 1 - t.cos())
    y = torch.where(lab == 0, t.sin(), 0.5 - t.sin())
    return torch.stack([x, y], 1) + 0.15 * torch.randn(n, 2), lab


def build():
    return nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, 32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, 2))


def fit(model, x, y, iters=25):
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    model.train()
    for _ in range(iters):
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
    return loss.item()


@torch.no_grad()
def bald(model, x, T=8):
    model.train()
    p = torch.stack([F.softmax(model(x), 1) for _ in range(T)])
    mean = p.mean(0)
    H = -(mean * (mean + 1e-9).log()).sum(1)
    E = -(p * (p + 1e-9).log()).sum(2).mean(0)
    return H - E


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


pool_x, pool_y = moons(400)
test_x, test_y = moons(300)
labelled = torch.zeros(400, dtype=torch.bool)
labelled[torch.randperm(400)[:6]] = True
curve = []
for rnd in range(6):
    model = build()
    loss = fit(model, pool_x[labelled], pool_y[labelled])
    acc = accuracy(model, test_x, test_y)
    curve.append((int(labelled.sum()), acc))
    score = bald(model, pool_x)
    score[labelled] = -1
    labelled[score.topk(5).indices] = True
    print("round %d labelled %d loss %.3f acc %.3f" % (rnd, curve[-1][0], loss, acc))
