# gradwatch-corpus: kind=graph-held
# holder: self.shadow | ema.shadow
# first-bad: 1
# notice: 8
"""Semi-supervised node classification with a two-layer GCN written by hand (Kipf & Welling),
evaluated with averaged weights."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

from ema import EMA
from graph import block_model, normalize


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(d_in, d_out))
        self.bias = nn.Parameter(torch.zeros(d_out))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, a_hat):
        return a_hat @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, d_in, hidden, classes, p=0.5):
        super().__init__()
        self.conv1 = GraphConv(d_in, hidden)
        self.conv2 = GraphConv(hidden, classes)
        self.p = p

    def forward(self, x, a_hat):
        x = F.dropout(x, self.p, self.training)
        x = F.relu(self.conv1(x, a_hat))
        x = F.dropout(x, self.p, self.training)
        return self.conv2(x, a_hat)


@torch.no_grad()
def accuracy(model, x, a_hat, y, idx):
    model.eval()
    return (model(x, a_hat)[idx].argmax(1) == y[idx]).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=130)
    ap.add_argument("--hidden", type=int, default=16)
    ap.add_argument("--lr", type=float, default=1e-2)
    ap.add_argument("--decay", type=float, default=0.97)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(42)

    x, adj, y, train_idx, test_idx = block_model()
    a_hat = normalize(adj)
    model = GCN(x.size(1), args.hidden, int(y.max()) + 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=5e-4)
    ema = EMA(model, args.decay)

    for epoch in range(args.epochs):
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x, a_hat)[train_idx], y[train_idx])
        loss.backward()
        optimizer.step()
        ema.update()
        if epoch % 20 == 0:
            acc = accuracy(model, x, a_hat, y, test_idx)
            acc_ema = accuracy(ema.averaged(), x, a_hat, y, test_idx)
            print(f"epoch {epoch:3d} loss {loss.item():.4f} test {acc:.3f} test(ema) {acc_ema:.3f}")

    print("final", accuracy(ema.averaged(), x, a_hat, y, test_idx))


if __name__ == "__main__":
    main()
