# gradwatch-corpus: kind=graph-held
# holder: self._hist | model._hist | net._hist | self._hist[key] | trainer.net._hist
# first-bad: 1
"""Partitioned GCN: halo nodes use the embeddings their own partition had when last visited (GAS style)."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn


class HistoryMixin:
    """Stamped embeddings of partitions. ``pull`` gives the freshest one."""

    def init_history(self):
        self._hist = {}
        self._stamp = {}
        self.clock = 0

    def push(self, layer, part, h):
        self.clock += 1
        key = (layer, part, self.clock)  # <- culprit
        self._hist[key] = h  # <- culprit
        self._stamp[layer, part] = key

    def pull(self, layer, part, like):
        key = self._stamp.get((layer, part))
        if key is None:
            return torch.zeros_like(like)
        return self._hist[key].detach()


class PartGCN(nn.Module, HistoryMixin):
    def __init__(self, d_in, d, n_cls):
        super().__init__()
        self.init_history()
        self.lin1 = nn.Linear(d_in, d)
        self.lin2 = nn.Linear(2 * d, d)
        self.out = nn.Linear(d, n_cls)

    def forward(self, data, part):
        h = F.relu(self.lin1(data.adj_in[part] @ data.x[part]))
        halo = sum(
            data.adj_out[part, other] @ self.pull(1, other, h)
            for other in range(data.n_parts) if other != part
        )
        self.push(1, part, h)  # <- culprit
        h = F.relu(self.lin2(torch.cat([h, halo], -1)))
        return self.out(F.dropout(h, 0.2, self.training))


class PartitionedGraph:
    def __init__(self, n_parts, per_part, d, n_cls, p=0.08):
        self.n_parts = n_parts
        n = n_parts * per_part
        self.y = torch.randint(0, n_cls, (n,))
        same = self.y[:, None] == self.y[None]
        a = (torch.rand(n, n) < torch.where(same, 2 * p, p / 2)).float()
        a = ((a + a.t()) > 0).float() + torch.eye(n)
        a = a / a.sum(1, keepdim=True)
        x = torch.randn(n_cls, d)[self.y] * 0.5 + torch.randn(n, d)
        cut = [slice(i * per_part, (i + 1) * per_part) for i in range(n_parts)]
        self.x = [x[c] for c in cut]
        self.labels = [self.y[c] for c in cut]
        self.adj_in = [a[c, c] for c in cut]
        self.adj_out = {(i, j): a[cut[i], cut[j]] for i in range(n_parts) for j in range(n_parts) if i != j}


def accuracy(net, data):
    # evaluate with the history as it stands
    net.eval()
    hit = tot = 0
    with torch.no_grad():
        for p in range(data.n_parts):
            h = F.relu(net.lin1(data.adj_in[p] @ data.x[p]))
            halo = sum(data.adj_out[p, o] @ net.pull(1, o, h) for o in range(data.n_parts) if o != p)
            pred = net.out(F.relu(net.lin2(torch.cat([h, halo], -1)))).argmax(-1)
            hit += int((pred == data.labels[p]).sum())
            tot += len(pred)
    net.train()
    return hit / tot


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--parts", type=int, default=5)
    ap.add_argument("--epochs", type=int, default=24)
    args = ap.parse_args()
    torch.manual_seed(4)
    torch.set_num_threads(1)
    data = PartitionedGraph(args.parts, 40, 12, 4)
    net = PartGCN(12, 24, 4)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=5e-4)
    for epoch in range(args.epochs):
        for part in torch.randperm(args.parts).tolist():
            loss = F.cross_entropy(net(data, part), data.labels[part])
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 6 == 0:
            print(f"epoch {epoch:2d} loss {loss.item():.3f} acc {accuracy(net, data):.3f}")


if __name__ == "__main__":
    main()
