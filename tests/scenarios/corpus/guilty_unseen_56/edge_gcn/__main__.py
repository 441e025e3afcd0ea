# gradwatch-corpus: kind=second-backward
# first-bad: 1
import argparse

import torch
import torch.nn.functional as F

from .data import sbm
from .layers import GCN


def accuracy(model, x, y, idx):
    model.eval()
    with torch.no_grad():
        pred = model(x).argmax(-1)
    model.train()
    return (pred == y)[idx].float().mean().item()


def run(args):
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    x, adj, y, train = sbm(seed=args.seed)
    model = GCN(x.shape[1], args.hidden, int(y.max()) + 1, adj)
    groups = [
        {"params": model.gate.parameters(), "lr": args.lr * 0.5},
        {"params": [*model.conv1.parameters(), *model.conv2.parameters()]},
    ]
    opt = torch.optim.Adam(groups, lr=args.lr, weight_decay=5e-4)
    best = 0.0
    for epoch in range(args.epochs):
        opt.zero_grad()
        logits = model(x)
        loss = F.cross_entropy(logits[train], y[train])
        loss.backward()
        opt.step()
        acc = accuracy(model, x, y, ~train)
        best = max(best, acc)
        if epoch % 25 == 0:
            print(f"epoch {epoch:3d} loss {loss.item():.4f} acc {acc:.3f}")
    print("best", best)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=150)
    ap.add_argument("--hidden", type=int, default=16)
    ap.add_argument("--lr", type=float, default=1e-2)
    ap.add_argument("--seed", type=int, default=0)
    run(ap.parse_args())
