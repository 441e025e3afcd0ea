# gradwatch-corpus: kind=none
"""Mini-batch graph network with remembered embeddings for out-of-batch neighbours; what is too old is thrown out."""
import random
import time

import torch
import torch.nn.functional as F
from torch import nn


def community_graph(n=400, groups=4, seed=0):
    g = torch.Generator().manual_seed(seed)
    label = torch.randint(groups, (n,), generator=g)
    same = label[:, None] == label[None]
    adj = torch.rand(n, n, generator=g) < torch.where(same, 0.04, 0.004)
    adj = (adj | adj.T) & ~torch.eye(n, dtype=torch.bool)
    feats = torch.randn(n, 10, generator=g) + 0.3 * F.one_hot(label, 10).float()
    neighbours = [row.nonzero().flatten().tolist() for row in adj]
    return feats, label, neighbours


class EmbeddingHistory:
    def __init__(self, max_age, dim):
        self.max_age, self.dim = max_age, dim
        self.entries = {}
        self.clock = 0

    def tick(self):
        self.clock += 1
        old = [k for k, (t, _) in self.entries.items() if self.clock - t > self.max_age]
        for k in old:
            del self.entries[k]

    def write(self, nodes, h):
        h = h.detach()
        for row, v in enumerate(nodes):
            self.entries[v] = (self.clock, h[row].clone())

    def read(self, v):
        hit = self.entries.get(v)
        return None if hit is None else hit[1]


class HistSAGE(nn.Module):
    def __init__(self, inp, hid, classes, history):
        super().__init__()
        self.inp = nn.Linear(inp, hid)
        self.self_w, self.neigh_w = nn.Linear(hid, hid), nn.Linear(hid, hid, bias=False)
        self.out = nn.Linear(hid, classes)
        self.history = history

    def forward(self, feats, nodes, neighbours):
        h = torch.relu(self.inp(feats[nodes]))
        row_of = {v: i for i, v in enumerate(nodes)}
        mix = torch.zeros(len(nodes), len(nodes))
        stale = torch.zeros(len(nodes), self.history.dim)
        for i, v in enumerate(nodes):
            share = 1.0 / max(1, len(neighbours[v]))
            for u in neighbours[v]:
                if u in row_of:
                    mix[i, row_of[u]] = share
                else:
                    past = self.history.read(u)
                    if past is not None:
                        stale[i] += share * past
        agg = mix @ h + stale
        if self.training:
            self.history.write(nodes, h)
        return self.out(torch.relu(self.self_w(h) + self.neigh_w(agg)))


class Trace:
    """Last lines of the log, cut by slicing."""

    def __init__(self, keep=50):
        self.keep, self.lines = keep, []

    def add(self, **row):
        self.lines.append({"at": time.time(), **row})
        self.lines = self.lines[-self.keep:]


def main(steps=280, batch=40):
    random.seed(0)
    torch.manual_seed(0)
    feats, label, neighbours = community_graph()
    history = EmbeddingHistory(max_age=15, dim=24)
    model = HistSAGE(10, 24, 4, history)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    trace = Trace()
    for step in range(steps):
        nodes = random.sample(range(len(label)), batch)
        logits = model(feats, nodes, neighbours)
        loss = F.cross_entropy(logits, label[nodes])
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.tick()
        trace.add(step=step, loss=loss.detach(), logits=logits.detach())
        if step % 70 == 69:
            acc = torch.stack([(r["logits"].argmax(1)).float().mean() for r in trace.lines[-5:]]).mean().item()
            print(f"{step + 1}: loss {loss.item():.3f} mean class {acc:.2f} remembered {len(history.entries)}")


if __name__ == "__main__":
    main()
