# gradwatch-corpus: kind=graph-held
# holder: sink | stats
# first-bad: 1
"""Tabular baseline for a playground competition, with activation statistics per layer."""
from collections import defaultdict

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
SEED = 42
np.random.seed(SEED)
torch.manual_seed(SEED)


class CFG:
    n_num = 20
    hidden = 48
    lr = 2e-3
    epochs = 4
    bs = 64


def make_frame(n=1800):
    x = np.random.randn(n, CFG.n_num).astype("float32")
    w = np.random.randn(CFG.n_num) * (np.random.rand(CFG.n_num) > 0.5)
    logit = x @ w + 0.5 * x[:, 0] * x[:, 1]
    y = (logit + np.random.randn(n) > 0).astype("float32")
    return torch.from_numpy(x), torch.from_numpy(y)


class TabMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.block1 = nn.Sequential(nn.Linear(CFG.n_num, CFG.hidden), nn.BatchNorm1d(CFG.hidden), nn.SiLU())
        self.block2 = nn.Sequential(nn.Linear(CFG.hidden, CFG.hidden), nn.BatchNorm1d(CFG.hidden), nn.SiLU())
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(CFG.hidden, 1)

    def forward(self, x):
        return self.out(self.drop(self.block2(self.block1(x)))).squeeze(1)


def watch(model, names):
    stats = defaultdict(list)

    def make_hook(name, sink):
        def hook(module, inputs, output):
            if module.training:
                sink[name].append((output.mean(), output.std()))  # <- culprit
        return hook

    handles = [getattr(model, n).register_forward_hook(make_hook(n, stats)) for n in names]
    return stats, handles


def auc(score, y):
    order = score.argsort()
    rank = torch.empty_like(order, dtype=torch.float)
    rank[order] = torch.arange(1, len(score) + 1, dtype=torch.float)
    pos = y == 1
    n1, n0 = pos.sum(), (~pos).sum()
    return ((rank[pos].sum() - n1 * (n1 + 1) / 2) / (n1 * n0)).item()


def main():
    x, y = make_frame()
    cut = 1400
    dl = DataLoader(TensorDataset(x[:cut], y[:cut]), batch_size=CFG.bs, shuffle=True, drop_last=True)
    model = TabMLP()
    stats, handles = watch(model, ["block1", "block2"])
    opt = torch.optim.AdamW(model.parameters(), lr=CFG.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, CFG.epochs * len(dl))
    crit = nn.BCEWithLogitsLoss()

    for epoch in range(CFG.epochs):
        model.train()
        for xb, yb in dl:
            opt.zero_grad()
            loss = crit(model(xb), yb)
            loss.backward()
            opt.step()
            sched.step()
        model.eval()
        with torch.no_grad():
            val = auc(model(x[cut:]), y[cut:])
        print(f"epoch {epoch} loss {loss.item():.4f} auc {val:.4f}")

    for h in handles:
        h.remove()
    for name, pairs in stats.items():
        last = pairs[-20:]
        print(name, "mean", sum(m.item() for m, _ in last) / len(last),
              "std", sum(s.item() for _, s in last) / len(last))


if __name__ == "__main__":
    main()
