# gradwatch-corpus: kind=graph-chain
# holder: self.centers | center_loss.centers
# first-bad: 1
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from losses import CenterLoss
from net import Embedder, blobs


def accuracy(logits, y):
    return (logits.argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--lambda-center", type=float, default=0.05)
    args = ap.parse_args()

    torch.manual_seed(11)
    X, Y = blobs(960, 24, 6, seed=5)
    loader = DataLoader(TensorDataset(X, Y), batch_size=32, shuffle=True)

    model = Embedder(24, 8, 6)
    xent = nn.CrossEntropyLoss()
    center_loss = CenterLoss(6, 8)
    optim = torch.optim.SGD(model.parameters(), lr=0.05)

    for epoch in range(args.epochs):
        seen, acc, tot = 0, 0.0, 0.0
        for xb, yb in loader:
            feats, logits = model(xb)
            loss = xent(logits, yb) + args.lambda_center * center_loss(feats, yb)
            optim.zero_grad()
            loss.backward(retain_graph=True)
            optim.step()
            tot += loss.item() * len(xb)
            acc += accuracy(logits, yb) * len(xb)
            seen += len(xb)
        print(f"epoch {epoch:2d}  loss {tot / seen:.4f}  acc {acc / seen:.3f}")


if __name__ == "__main__":
    main()
